//! Zobrist keys: a position's key is the exclusive or of one number for each fact of its identity (rules.md, row 15):
//! pieces on squares, reserve counts, castling possibilities, en passant file, side to act.

use crate::types::{Castling, Color, Kind, Reserve, ReserveKind, Square};

struct Keys {
    piece: [[[u64; 64]; 6]; 2],
    reserve: [[[u64; 16]; 7]; 2],
    castling: [u64; Castling::COUNT],
    en_passant: [u64; 8],
    side: u64,
}

/// One step of SplitMix64 (Steele, Lea, Flood 2014): the new state and its output.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = state;
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, z ^ z >> 31)
}

const fn fill<const N: usize>(mut state: u64) -> ([u64; N], u64) {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        (state, numbers[i]) = split_mix(state);
        i += 1;
    }
    (numbers, state)
}

static KEYS: Keys = {
    let mut keys = Keys {
        piece: [[[0; 64]; 6]; 2],
        reserve: [[[0; 16]; 7]; 2],
        castling: [0; Castling::COUNT],
        en_passant: [0; 8],
        side: 0,
    };
    let mut state = 1992;
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 6 {
            (keys.piece[color][kind], state) = fill(state);
            kind += 1;
        }
        kind = 0;
        while kind < 7 {
            (keys.reserve[color][kind], state) = fill(state);
            kind += 1;
        }
        color += 1;
    }
    (keys.castling, state) = fill(state);
    (keys.en_passant, state) = fill(state);
    (_, keys.side) = split_mix(state);
    keys
};

#[inline]
pub(super) fn piece(color: Color, kind: Kind, square: Square) -> u64 {
    KEYS.piece[color as usize][kind as usize][square.index()]
}

#[inline]
pub(super) fn reserve_count(color: Color, kind: ReserveKind, count: u8) -> u64 {
    KEYS.reserve[color as usize][kind as usize][count as usize & 15]
}

/// The part of a whole reserve.
pub(super) fn reserve(color: Color, reserve: Reserve) -> u64 {
    ReserveKind::ALL.iter().fold(0, |key, &kind| key ^ reserve_count(color, kind, reserve.count(kind)))
}

#[inline]
pub(super) fn castling(castling: Castling) -> u64 {
    KEYS.castling[castling.index()]
}

#[inline]
pub(super) fn en_passant(square: Square) -> u64 {
    KEYS.en_passant[square.file() as usize]
}

#[inline]
pub(super) fn side(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => KEYS.side,
    }
}

#[inline]
pub(super) fn other_side() -> u64 {
    KEYS.side
}
