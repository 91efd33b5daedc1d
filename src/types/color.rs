use std::ops::Not;

use super::Bitboard;

/// A side. White acts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side whose half is ranks 1 to 4.
    White,
    /// The side whose half is ranks 5 to 8.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The half of the board this side drops on.
    pub const fn half(self) -> Bitboard {
        match self {
            Self::White => Bitboard(0x0000_0000_FFFF_FFFF),
            Self::Black => Bitboard(0xFFFF_FFFF_0000_0000),
        }
    }

    /// The rank next to this side's edge of the board, where its pawns may never stand.
    pub const fn first_rank(self) -> Bitboard {
        match self {
            Self::White => Bitboard(0xFF),
            Self::Black => Bitboard(0xFF << 56),
        }
    }

    /// The rank from which this side's pawns may step two squares.
    pub const fn second_rank(self) -> Bitboard {
        match self {
            Self::White => Bitboard(0xFF << 8),
            Self::Black => Bitboard(0xFF << 48),
        }
    }

    /// Index of this side's first rank, 0 or 7.
    pub const fn first_rank_index(self) -> u8 {
        match self {
            Self::White => 0,
            Self::Black => 7,
        }
    }
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}
