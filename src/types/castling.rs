use super::{Bitboard, Color, Kind, Square};

/// The two directions of castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wing {
    /// With the rook on the h-file.
    King,
    /// With the rook on the a-file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    const fn squares(self, color: Color) -> [Square; 4] {
        use Square::*;
        match (color, self) {
            (Color::White, Self::King) => [H1, F1, E1, G1],
            (Color::White, Self::Queen) => [A1, D1, E1, C1],
            (Color::Black, Self::King) => [H8, F8, E8, G8],
            (Color::Black, Self::Queen) => [A8, D8, E8, C8],
        }
    }

    /// Where the rook stands before castling.
    pub const fn rook_from(self, color: Color) -> Square {
        self.squares(color)[0]
    }

    /// Where the rook stands after castling: the square the king passes over.
    pub const fn rook_to(self, color: Color) -> Square {
        self.squares(color)[1]
    }

    /// Where the king stands before castling.
    pub const fn king_from(self, color: Color) -> Square {
        self.squares(color)[2]
    }

    /// Where the king stands after castling.
    pub const fn king_to(self, color: Color) -> Square {
        self.squares(color)[3]
    }

    /// The squares between king and rook, which must be empty.
    pub const fn between(self, color: Color) -> Bitboard {
        let shift = color.first_rank_index() as u32 * 8;
        match self {
            Self::King => Bitboard(0x60 << shift),
            Self::Queen => Bitboard(0x0E << shift),
        }
    }
}

/// What castling is still possible, in the one form in which equal possibilities are equal values.
///
/// A side has the right on a wing while its king has not moved since its drop on e1/e8 and an unmoved dropped rook
/// stands on that corner. It has the *right to be* while the king is unmoved, no such rook stands, and a rook is
/// still in reserve: dropping it on a corner gives the right.
///
/// ```text
///  bit 5 4 3 2 1 0
///      e q k E Q K
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Castling(u8);

impl Castling {
    /// No right on either side.
    pub const NONE: Self = Self(0);
    /// How many values there are, for tables.
    pub const COUNT: usize = 64;

    const fn base(color: Color) -> u8 {
        3 * color as u8
    }

    const fn wing_bit(color: Color, wing: Wing) -> u8 {
        1 << (Self::base(color) + wing as u8)
    }

    const fn to_be_bit(color: Color) -> u8 {
        4 << Self::base(color)
    }

    const fn side_bits(color: Color) -> u8 {
        7 << Self::base(color)
    }

    /// Has the side the right on this wing?
    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & Self::wing_bit(color, wing) != 0
    }

    /// Has the side a right on any wing, now?
    #[inline]
    pub const fn any(self, color: Color) -> bool {
        self.0 & (3 << Self::base(color)) != 0
    }

    /// Has the side the right to be?
    #[inline]
    pub const fn to_be(self, color: Color) -> bool {
        self.0 & Self::to_be_bit(color) != 0
    }

    /// Is the king known to be unmoved on e1/e8?
    #[inline]
    pub const fn virgin_king(self, color: Color) -> bool {
        self.0 & Self::side_bits(color) != 0
    }

    /// The rights with this one added.
    #[must_use]
    pub const fn with(self, color: Color, wing: Wing) -> Self {
        Self(self.0 | Self::wing_bit(color, wing))
    }

    /// The rights of a side whose king is unmoved, with this bits of its rooks kept, settled for whether a rook is
    /// still in reserve: the right to be is present exactly when no right is and a rook could bring one.
    #[must_use]
    pub const fn settled(self, color: Color, virgin: bool, rook_in_reserve: bool) -> Self {
        let others = self.0 & !Self::side_bits(color);
        let rooks = self.0 & (3 << Self::base(color));
        if !virgin {
            Self(others)
        } else if rooks != 0 {
            Self(others | rooks)
        } else if rook_in_reserve {
            Self(others | Self::to_be_bit(color))
        } else {
            Self(others)
        }
    }

    /// The rights after a side has dropped a piece on a square: a king that lands on e1/e8 is unmoved, a rook that lands
    /// in a corner may castle with it. Of a king and rooks dropped together the king comes first.
    #[inline]
    #[must_use]
    pub fn landed(self, color: Color, kind: Kind, square: Square, rook_in_reserve: bool) -> Self {
        let virgin = match kind {
            Kind::King => square == Wing::King.king_from(color),
            Kind::Rook => self.virgin_king(color),
            _ => return self,
        };
        if !virgin {
            return self;
        }
        let corner = |&wing: &Wing| kind == Kind::Rook && square == wing.rook_from(color);
        let gained = Wing::ALL.into_iter().find(corner);
        let rights = gained.map_or(self, |wing| self.with(color, wing));
        rights.settled(color, true, rook_in_reserve)
    }

    /// The rights left when something moved from or to this square: a corner loses its wing, e1/e8 everything.
    #[inline]
    #[must_use]
    pub const fn touched(self, square: Square) -> Self {
        Self(self.0 & TOUCH[square.index()])
    }

    /// The rights with this [`Castling::index`]; `None` if there are none such.
    pub fn from_index(index: usize) -> Option<Self> {
        let castling = u8::try_from(index).ok().filter(|_| index < Self::COUNT).map(Self)?;
        let single = |&color: &Color| !(castling.any(color) && castling.to_be(color));
        Color::ALL.iter().all(single).then_some(castling)
    }

    /// Index for tables, below [`Castling::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

const TOUCH: [u8; 64] = {
    let mut table = [!0; 64];
    table[Square::H1.index()] = !1;
    table[Square::A1.index()] = !2;
    table[Square::E1.index()] = !7;
    table[Square::H8.index()] = !8;
    table[Square::A8.index()] = !16;
    table[Square::E8.index()] = !56;
    table
};
