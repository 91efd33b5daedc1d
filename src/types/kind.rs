use super::{Bitboard, Color, Square};

/// A kind of piece, in the order in which actions and reserves are written: K Q R B N P.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

impl Kind {
    /// All kinds, in written order.
    pub const ALL: [Self; 6] = [Self::King, Self::Queen, Self::Rook, Self::Bishop, Self::Knight, Self::Pawn];

    /// What a pawn can promote to.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The kind with this index in [`Kind::ALL`].
    #[inline]
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// The capital letter of the kind.
    pub const fn letter(self) -> char {
        match self {
            Self::King => 'K',
            Self::Queen => 'Q',
            Self::Rook => 'R',
            Self::Bishop => 'B',
            Self::Knight => 'N',
            Self::Pawn => 'P',
        }
    }

    /// The name of the kind in English.
    pub const fn name(self) -> &'static str {
        match self {
            Self::King => "king",
            Self::Queen => "queen",
            Self::Rook => "rook",
            Self::Bishop => "bishop",
            Self::Knight => "knight",
            Self::Pawn => "pawn",
        }
    }

    /// The letter on a board: capital for White, small for Black.
    pub const fn letter_of(self, color: Color) -> char {
        match color {
            Color::White => self.letter(),
            Color::Black => self.letter().to_ascii_lowercase(),
        }
    }

    /// Reads a letter in either case.
    pub const fn from_letter(letter: u8) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            b'K' => Self::King,
            b'Q' => Self::Queen,
            b'R' => Self::Rook,
            b'B' => Self::Bishop,
            b'N' => Self::Knight,
            b'P' => Self::Pawn,
            _ => return None,
        })
    }

    /// The reserve kind that lands on this square: bishops are bound to its colour.
    #[inline]
    pub const fn reserve_kind(self, square: Square) -> ReserveKind {
        match self {
            Self::King => ReserveKind::King,
            Self::Queen => ReserveKind::Queen,
            Self::Rook => ReserveKind::Rook,
            Self::Bishop if square.is_light() => ReserveKind::LightBishop,
            Self::Bishop => ReserveKind::DarkBishop,
            Self::Knight => ReserveKind::Knight,
            Self::Pawn => ReserveKind::Pawn,
        }
    }
}

/// A kind of piece in the reserve: as on the board, but each bishop belongs to one square colour for good.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ReserveKind {
    King,
    Queen,
    Rook,
    LightBishop,
    DarkBishop,
    Knight,
    Pawn,
}

impl ReserveKind {
    /// All reserve kinds, in written order.
    pub const ALL: [Self; 7] =
        [Self::King, Self::Queen, Self::Rook, Self::LightBishop, Self::DarkBishop, Self::Knight, Self::Pawn];

    /// The kind of piece it becomes on the board.
    pub const fn kind(self) -> Kind {
        match self {
            Self::King => Kind::King,
            Self::Queen => Kind::Queen,
            Self::Rook => Kind::Rook,
            Self::LightBishop | Self::DarkBishop => Kind::Bishop,
            Self::Knight => Kind::Knight,
            Self::Pawn => Kind::Pawn,
        }
    }

    /// How many of the kind a full reserve holds.
    pub const fn full_count(self) -> u8 {
        match self {
            Self::King | Self::Queen | Self::LightBishop | Self::DarkBishop => 1,
            Self::Rook | Self::Knight => 2,
            Self::Pawn => 8,
        }
    }

    /// The squares on which a piece of this kind may ever be dropped by a side, occupied or not.
    #[inline]
    pub const fn squares(self, color: Color) -> Bitboard {
        let half = color.half().0;
        match self {
            Self::Pawn => Bitboard(half & !color.first_rank().0),
            Self::LightBishop => Bitboard(half & Bitboard::LIGHT.0),
            Self::DarkBishop => Bitboard(half & Bitboard::DARK.0),
            _ => Bitboard(half),
        }
    }

    /// The capital letter in a FEN reserve: `L` and `D` for the light- and the dark-squared bishop.
    pub const fn letter(self) -> char {
        match self {
            Self::King => 'K',
            Self::Queen => 'Q',
            Self::Rook => 'R',
            Self::LightBishop => 'L',
            Self::DarkBishop => 'D',
            Self::Knight => 'N',
            Self::Pawn => 'P',
        }
    }

    /// The letter in a FEN reserve: capital for White, small for Black.
    pub const fn letter_of(self, color: Color) -> char {
        match color {
            Color::White => self.letter(),
            Color::Black => self.letter().to_ascii_lowercase(),
        }
    }
}
