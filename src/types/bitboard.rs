use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use super::Square;

/// A set of squares, one bit each; bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The light squares.
    pub const LIGHT: Self = Self(0x55AA_55AA_55AA_55AA);
    /// The dark squares.
    pub const DARK: Self = Self(!0x55AA_55AA_55AA_55AA);
    /// The a-file.
    pub const FILE_A: Self = Self(0x0101_0101_0101_0101);
    /// The h-file.
    pub const FILE_H: Self = Self(0x8080_8080_8080_8080);
    /// Ranks 1 and 8, where no pawn can stand.
    pub const EDGE_RANKS: Self = Self(0xFF00_0000_0000_00FF);

    /// The squares of a file, 0 (a) to 7 (h).
    #[inline]
    pub const fn file(file: u8) -> Self {
        Self(Self::FILE_A.0 << (file & 7))
    }

    /// The squares of a rank, 0 (rank 1) to 7 (rank 8).
    #[inline]
    pub const fn rank(rank: u8) -> Self {
        Self(0xFF << ((rank & 7) * 8))
    }

    /// Does the set hold this square?
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Is the set empty?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Does the set hold anything?
    #[inline]
    pub const fn nonempty(self) -> bool {
        self.0 != 0
    }

    /// Does the set hold two squares or more?
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares the set holds.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest square, if there is one.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as u8)) }
    }

    /// Have the two sets a square in common?
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Every square moved one rank up (towards rank 8); rank 8 falls off.
    #[inline]
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    /// Every square moved one rank down; rank 1 falls off.
    #[inline]
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    /// Every square moved one file right; the h-file falls off.
    #[inline]
    pub const fn east(self) -> Self {
        Self((self.0 & !Self::FILE_H.0) << 1)
    }

    /// Every square moved one file left; the a-file falls off.
    #[inline]
    pub const fn west(self) -> Self {
        Self((self.0 & !Self::FILE_A.0) >> 1)
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Bitboard {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.bit())
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        square.bit()
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<R: Into<Bitboard>> $trait<R> for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, right: R) -> Self {
                Self(self.0 $op right.into().0)
            }
        }
    };
    (assign $trait:ident, $method:ident, $op:tt) => {
        impl<R: Into<Bitboard>> $trait<R> for Bitboard {
            #[inline]
            fn $method(&mut self, right: R) {
                self.0 $op right.into().0;
            }
        }
    };
}

operator!(BitAnd, bitand, &);
operator!(BitOr, bitor, |);
operator!(BitXor, bitxor, ^);
operator!(assign BitAndAssign, bitand_assign, &=);
operator!(assign BitOrAssign, bitor_assign, |=);
operator!(assign BitXorAssign, bitxor_assign, ^=);

impl<R: Into<Bitboard>> Sub<R> for Bitboard {
    type Output = Self;

    /// The squares of the left set that the right one does not hold.
    #[inline]
    fn sub(self, right: R) -> Self {
        Self(self.0 & !right.into().0)
    }
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
