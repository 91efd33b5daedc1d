//! Attack tables. Sliding attacks are looked up by the occupied squares of their lines, packed by PEXT where the
//! processor has it; elsewhere they are computed by the o^(o-2r) subtraction (hyperbola quintessence, G. Isenberg).

use crate::types::{Bitboard, Color, Square};

use super::rays::{BISHOP, ROOK, Step, step, walk};

const KNIGHT: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING: [Step; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

const fn leaper<const N: usize>(steps: [Step; N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = step(square, steps[i]) {
                table[square as usize].0 |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn rays(directions: [Step; 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square as usize] = Bitboard(walk(square, directions, 0));
        square += 1;
    }
    table
}

static KNIGHT_ATTACKS: [Bitboard; 64] = leaper(KNIGHT);
static KING_ATTACKS: [Bitboard; 64] = leaper(KING);
static PAWN_ATTACKS: [[Bitboard; 64]; 2] = [leaper([(-1, 1), (1, 1)]), leaper([(-1, -1), (1, -1)])];
static ROOK_RAYS: [Bitboard; 64] = rays(ROOK);
static BISHOP_RAYS: [Bitboard; 64] = rays(BISHOP);

/// For each pair of squares: the squares strictly between them, and the whole line through them; empty if they share
/// no line.
struct Lines {
    between: [[Bitboard; 64]; 64],
    through: [[Bitboard; 64]; 64],
}

static LINES: Lines = {
    let mut lines = Lines { between: [[Bitboard::EMPTY; 64]; 64], through: [[Bitboard::EMPTY; 64]; 64] };
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (file, rank) = KING[i];
            let mut whole = 1 << from;
            let mut at = from;
            while let Some(next) = step(at, (file, rank)) {
                whole |= 1 << next;
                at = next;
            }
            at = from;
            while let Some(next) = step(at, (-file, -rank)) {
                whole |= 1 << next;
                at = next;
            }
            let mut passed = 0;
            at = from;
            while let Some(next) = step(at, (file, rank)) {
                lines.between[from as usize][next as usize] = Bitboard(passed);
                lines.through[from as usize][next as usize] = Bitboard(whole);
                passed |= 1 << next;
                at = next;
            }
            i += 1;
        }
        from += 1;
    }
    lines
};

/// The squares strictly between two squares of one line; empty if they share none or touch.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    LINES.between[a.index()][b.index()]
}

/// The whole line through two squares, edge to edge; empty if they share none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINES.through[a.index()][b.index()]
}

/// Where a knight on this square attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT_ATTACKS[square.index()]
}

/// Where a king on this square attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING_ATTACKS[square.index()]
}

/// Where a pawn of this side on this square attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN_ATTACKS[color as usize][square.index()]
}

/// Every square moved one rank ahead, as this side sees it.
#[inline]
pub fn ahead(color: Color, squares: Bitboard) -> Bitboard {
    match color {
        Color::White => squares.north(),
        Color::Black => squares.south(),
    }
}

/// Where any of these pawns of a side attacks.
#[inline]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = ahead(color, pawns);
    ahead.east() | ahead.west()
}

/// The lines of a rook on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// The lines of a bishop on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// Where a rook on this square attacks when these squares are occupied.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::rook(square, occupied)
}

/// Where a bishop on this square attacks when these squares are occupied.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::bishop(square, occupied)
}

/// Where a queen on this square attacks when these squares are occupied.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

#[cfg(target_feature = "bmi2")]
mod sliders {
    use std::arch::x86_64::_pext_u64;

    use super::super::rays::relevant;
    use super::{BISHOP, Bitboard, ROOK, Square, Step};

    /// Attacks by square and packed occupancy. A square's part of `attacks` starts at its offset; its entries follow
    /// the subsets of its mask in ascending order, which is the order of PEXT. The build script writes them.
    struct Table<const N: usize> {
        masks: [(u64, u32); 64],
        attacks: [u64; N],
    }

    impl<const N: usize> Table<N> {
        const fn new(directions: [Step; 4], attacks: [u64; N]) -> Self {
            let mut masks = [(0, 0); 64];
            let mut square = 0;
            let mut offset = 0;
            while square < 64 {
                let mask = relevant(square, directions);
                masks[square as usize] = (mask, offset);
                offset += 1 << mask.count_ones();
                square += 1;
            }
            assert!(offset as usize == N);
            Self { masks, attacks }
        }

        #[inline]
        fn get(&self, square: Square, occupied: Bitboard) -> Bitboard {
            let (mask, offset) = self.masks[square.index()];
            // SAFETY: this module is compiled only where the processor is known to have BMI2.
            #[allow(unsafe_code)]
            let packed = unsafe { _pext_u64(occupied.0, mask) };
            let index = offset as usize + packed as usize;
            debug_assert!(index < N);
            // SAFETY: the packed index is below 2^popcount(mask), and `new` has asserted that the parts of all squares
            // together end at N.
            #[allow(unsafe_code)]
            unsafe {
                Bitboard(*self.attacks.get_unchecked(index))
            }
        }
    }

    macro_rules! tabulated {
        ($file:literal, $entries:literal) => {
            // SAFETY: any bytes are integers; the length is checked by the types.
            #[allow(unsafe_code)]
            unsafe {
                std::mem::transmute::<[u8; 8 * $entries], [u64; $entries]>(*include_bytes!(concat!(
                    env!("OUT_DIR"),
                    "/",
                    $file
                )))
            }
        };
    }

    static ROOKS: Table<102_400> = Table::new(ROOK, tabulated!("rook.bin", 102_400));
    static BISHOPS: Table<5_248> = Table::new(BISHOP, tabulated!("bishop.bin", 5_248));

    #[inline]
    pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
        ROOKS.get(square, occupied)
    }

    #[inline]
    pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
        BISHOPS.get(square, occupied)
    }
}

#[cfg(not(target_feature = "bmi2"))]
mod sliders {
    use super::{Bitboard, Square, Step, line};

    /// Attacks along one line, both ways, by the subtraction trick on the line's occupied squares.
    fn along(square: Square, mask: u64, occupied: u64) -> u64 {
        let (bit, occupied) = (square.bit().0, occupied & mask);
        let forward = occupied.wrapping_sub(bit.wrapping_mul(2));
        let backward =
            occupied.reverse_bits().wrapping_sub(bit.reverse_bits().wrapping_mul(2)).reverse_bits();
        (forward ^ backward) & mask
    }

    fn both(square: Square, occupied: Bitboard, neighbours: [Step; 2]) -> Bitboard {
        let lines = neighbours.into_iter().map(|(file, rank)| {
            let next = super::super::rays::step(square as u8, (file, rank))
                .or_else(|| super::super::rays::step(square as u8, (-file, -rank)))
                .map_or(Bitboard::EMPTY, |next| line(square, Square::new(next)));
            Bitboard(along(square, next.0 & !square.bit().0, occupied.0))
        });
        lines.fold(Bitboard::EMPTY, |all, part| all | part)
    }

    pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
        both(square, occupied, [(0, 1), (1, 0)])
    }

    pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
        both(square, occupied, [(1, 1), (1, -1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sliders_agree_with_walking() {
        let mut seed = 1u64;
        for _ in 0..200_000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let occupied = seed & seed.rotate_left(21);
            let square = Square::new((seed >> 58) as u8);
            assert_eq!(rook(square, Bitboard(occupied)).0, walk(square as u8, ROOK, occupied));
            assert_eq!(bishop(square, Bitboard(occupied)).0, walk(square as u8, BISHOP, occupied));
        }
    }
}
