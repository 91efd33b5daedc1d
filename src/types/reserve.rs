use super::{Kind, ReserveKind};

/// What one side holds in hand, as counts by reserve kind.
///
/// ```text
///  bits 24-27  20-23   16-19   12-15  8-11  4-7   0-3
///       pawn   knight  dark B  light B rook queen king
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Reserve(u32);

impl Reserve {
    /// Nothing in hand.
    pub const EMPTY: Self = Self(0);
    /// All sixteen pieces.
    pub const FULL: Self = Self(0x0821_1211);

    const fn shift(kind: ReserveKind) -> u32 {
        kind as u32 * 4
    }

    /// How many pieces of the kind are in hand.
    #[inline]
    pub const fn count(self, kind: ReserveKind) -> u8 {
        (self.0 >> Self::shift(kind) & 15) as u8
    }

    /// Is a piece of the kind in hand?
    #[inline]
    pub const fn has(self, kind: ReserveKind) -> bool {
        self.count(kind) != 0
    }

    /// Is nothing in hand?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many pieces are in hand in all.
    #[inline]
    pub const fn total(self) -> u32 {
        // Nibbles summed pairwise into bytes, the bytes by one multiplication.
        let bytes = (self.0 & 0x0F0F_0F0F) + (self.0 >> 4 & 0x0F0F_0F0F);
        bytes.wrapping_mul(0x0101_0101) >> 24
    }

    /// How many pieces that move as `kind` are in hand, bishops of both colours together.
    #[inline]
    pub const fn count_of(self, kind: Kind) -> u8 {
        match kind {
            Kind::King => self.count(ReserveKind::King),
            Kind::Queen => self.count(ReserveKind::Queen),
            Kind::Rook => self.count(ReserveKind::Rook),
            Kind::Bishop => self.count(ReserveKind::LightBishop) + self.count(ReserveKind::DarkBishop),
            Kind::Knight => self.count(ReserveKind::Knight),
            Kind::Pawn => self.count(ReserveKind::Pawn),
        }
    }

    /// One more piece of the kind. At most 15 of a kind can be held.
    #[inline]
    pub const fn with(self, kind: ReserveKind) -> Self {
        Self(self.0 + (1 << Self::shift(kind)))
    }

    /// One piece fewer of the kind; there must be one.
    #[inline]
    pub const fn without(self, kind: ReserveKind) -> Self {
        debug_assert!(self.has(kind));
        Self(self.0 - (1 << Self::shift(kind)))
    }

    /// The kinds in hand, each once, in written order.
    pub fn kinds(self) -> impl Iterator<Item = ReserveKind> {
        ReserveKind::ALL.into_iter().filter(move |&kind| self.has(kind))
    }

    /// The reserve with these [`Reserve::bits`]; `None` if it would hold more of a kind than a full one.
    pub fn from_bits(bits: u32) -> Option<Self> {
        let reserve = Self(bits);
        let fits = ReserveKind::ALL.iter().all(|&kind| reserve.count(kind) <= kind.full_count());
        (bits >> (4 * ReserveKind::ALL.len()) == 0 && fits).then_some(reserve)
    }

    /// The pieces in hand as bits, from the lowest up for each kind: `K Q R R L D N N P P P P P P P P`. No kind may have
    /// more than a full reserve.
    #[inline]
    pub const fn steps(self) -> u16 {
        // For counts up to two, the upper bit brings the lower one along.
        let pieces = self.0 | self.0 >> 1 & 0x0011_1111;
        let pawns = (1 << self.count(ReserveKind::Pawn)) - 1;
        (pieces & 1
            | pieces >> 3 & 0b10
            | pieces >> 6 & 0b1100
            | pieces >> 8 & 0b1_0000
            | pieces >> 11 & 0b10_0000
            | pieces >> 14 & 0b1100_0000
            | pawns << 8) as u16
    }

    /// A number that is the same exactly when the counts are: for hash keys.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_a_bit_for_each_piece() {
        // Every reserve there can be.
        for bits in 0..1 << 28 {
            let Some(reserve) = Reserve::from_bits(bits) else { continue };
            let mut steps = 0;
            let mut first = 0;
            for kind in ReserveKind::ALL {
                steps |= ((1 << reserve.count(kind)) - 1) << first;
                first += kind.full_count();
            }
            assert_eq!(u32::from(reserve.steps()), steps, "{bits:#x}");
        }
    }
}
