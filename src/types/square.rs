use std::fmt;

use super::{Bitboard, Color};

/// A square of the board; `A1` is 0, `B1` is 1, `H8` is 63.
#[rustfmt::skip]
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 64;

    /// The square with this index, taken modulo 64.
    #[inline]
    pub const fn new(index: u8) -> Self {
        // SAFETY: the enum is `repr(u8)` with the 64 values 0..=63, and the mask leaves no other.
        #[allow(unsafe_code)]
        unsafe {
            std::mem::transmute(index & 63)
        }
    }

    /// The square on this file and rank, each 0 to 7 (taken modulo 8).
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Self {
        Self::new((rank & 7) << 3 | file & 7)
    }

    /// All squares, a1 b1 .. h8.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self::new)
    }

    /// Index of the square, 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// File of the square, 0 (a) to 7 (h).
    #[inline]
    pub const fn file(self) -> u8 {
        self as u8 & 7
    }

    /// Rank of the square, 0 (rank 1) to 7 (rank 8).
    #[inline]
    pub const fn rank(self) -> u8 {
        self as u8 >> 3
    }

    /// The set that holds just this square.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// Is it a light square (h1 is, a1 is not)?
    #[inline]
    pub const fn is_light(self) -> bool {
        Bitboard::LIGHT.has(self)
    }

    /// The square seen from a side: itself for White, mirrored top to bottom for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::new(self as u8 ^ 56),
        }
    }

    /// Reads `e4`; letters in either case. `None` for anything else.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let [file, rank] = text else { return None };
        let file = file.to_ascii_lowercase();
        if !(b'a'..=b'h').contains(&file) || !(b'1'..=b'8').contains(rank) {
            return None;
        }
        Some(Self::at(file - b'a', rank - b'1'))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), char::from(b'1' + self.rank()))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
