//! The exact number of legal drop sets, in closed form.
//!
//! Without check the number depends on four numbers only: the empty squares of the own half by colour, on the first
//! rank and off it. Pawns take light and dark squares off the first rank, each bishop a square of its colour that is
//! left, and queens, rooks and knights any square that is left, so the count is a short sum of products of binomials.
//! In check, inclusion and exclusion over the checking lines counts the sets that leave no line open. When the king is
//! still in reserve, each square it can land on is a case of its own; squares where it needs no blocker fall into
//! four classes.

use super::Position;
use crate::types::{Bitboard, Color, Kind, MAX_DROPS, Reserve, ReserveKind};

/// Numbers of sets by how many pieces they drop.
type BySize = [i64; MAX_DROPS + 1];

const BINOMIAL: [[i64; 9]; 33] = {
    let mut table = [[0; 9]; 33];
    let mut n = 0;
    while n < 33 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 9 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

const fn choose(n: u32, k: u8) -> i64 {
    BINOMIAL[n as usize][k as usize]
}

/// Empty squares of a half, by what may stand there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Room {
    /// Light and dark squares off the first rank, where pawns may land.
    front: [u32; 2],
    /// Light and dark squares of the first rank.
    back: [u32; 2],
}

impl Room {
    fn new(empty: Bitboard, color: Color) -> Self {
        let front = ReserveKind::Pawn.squares(color) & empty;
        let back = color.half() & (empty - front);
        let by_color =
            |squares: Bitboard| [Bitboard::LIGHT, Bitboard::DARK].map(|shade| (squares & shade).count());
        Self { front: by_color(front), back: by_color(back) }
    }

    /// Adds, with this sign, the number of sets of each size that pieces of this reserve can form here, the empty set
    /// included; the king is left out.
    fn count(self, reserve: Reserve, sign: i64, sizes: &mut BySize) {
        let pawns = reserve.count(ReserveKind::Pawn);
        let bishops = [ReserveKind::LightBishop, ReserveKind::DarkBishop].map(|kind| reserve.count(kind));
        let shades = [self.front[0] + self.back[0], self.front[1] + self.back[1]];
        let squares = shades[0] + shades[1];
        let mut others: [Option<[i64; 6]>; 33] = [None; 33];
        for light_pawns in 0..=pawns.min(self.front[0] as u8) {
            let light_ways = sign * choose(self.front[0], light_pawns);
            for dark_pawns in 0..=(pawns - light_pawns).min(self.front[1] as u8) {
                let pawn_ways = light_ways * choose(self.front[1], dark_pawns);
                for light in 0..=bishops[0] {
                    let light_ways = choose(shades[0] - u32::from(light_pawns), light);
                    for dark in 0..=bishops[1] {
                        let ways = pawn_ways * light_ways * choose(shades[1] - u32::from(dark_pawns), dark);
                        if ways == 0 {
                            continue;
                        }
                        let used = light_pawns + dark_pawns + light + dark;
                        let left = squares - u32::from(used);
                        let rest = others[left as usize].get_or_insert_with(|| others_in(left, reserve));
                        for (size, count) in rest.iter().enumerate() {
                            if *count != 0 {
                                sizes[usize::from(used) + size] += ways * count;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// In how many ways queens, rooks and knights of this reserve can stand on `squares` squares, by their number.
fn others_in(squares: u32, reserve: Reserve) -> [i64; 6] {
    let [queens, rooks, knights] = [Kind::Queen, Kind::Rook, Kind::Knight].map(|kind| reserve.count_of(kind));
    let mut sizes = [0; 6];
    for queen in 0..=queens {
        for rook in 0..=rooks {
            for knight in 0..=knights {
                let used = queen + rook + knight;
                if u32::from(used) <= squares {
                    sizes[usize::from(used)] += choose(squares, queen)
                        * choose(squares - u32::from(queen), rook)
                        * choose(squares - u32::from(queen + rook), knight);
                }
            }
        }
    }
    sizes
}

impl Position {
    /// How many legal drop sets of at most `max_drops` pieces there are, exactly.
    pub fn count_sets(&self, max_drops: usize) -> u64 {
        self.count_sets_by_size().iter().take(max_drops.saturating_add(1)).sum()
    }

    /// How many legal actions there are, exactly.
    pub fn count_actions(&self) -> u64 {
        self.count_moves() + self.count_sets(MAX_DROPS)
    }

    /// How many legal drop sets there are of each number of pieces; the number at 0 is 0.
    pub fn count_sets_by_size(&self) -> [u64; MAX_DROPS + 1] {
        let us = self.side;
        let mut sizes = [0; MAX_DROPS + 1];
        let reserve = self.reserve(us);
        if reserve.is_empty() {
            return [0; MAX_DROPS + 1];
        }
        let empty = us.half() - self.occupied();
        match self.king(us) {
            Some(king) => {
                if let Some(lines) = self.check_lines(king).lines() {
                    count_blocking(empty, lines, us, reserve, &mut sizes);
                }
                // Doing nothing is no action. (In check the sum has left it out already.)
                sizes[0] = 0;
            }
            None => {
                let mut without_king = [0; MAX_DROPS + 1];
                self.count_with_king(empty, reserve.without(ReserveKind::King), &mut without_king);
                sizes[1..].copy_from_slice(&without_king[..MAX_DROPS]);
            }
        }
        sizes.map(|count| count.unsigned_abs())
    }

    /// Sums over the squares where the king can land; sizes are those of the other pieces.
    fn count_with_king(&self, empty: Bitboard, reserve: Reserve, sizes: &mut BySize) {
        let us = self.side;
        let mut classes: [Option<(Room, i64)>; 4] = [None; 4];
        for king in empty {
            let checks = self.check_lines(king);
            let Some(lines) = checks.lines() else { continue };
            if lines.is_empty() {
                let first_rank = us.first_rank().has(king);
                let class = usize::from(king.is_light()) * 2 + usize::from(first_rank);
                classes[class].get_or_insert_with(|| (Room::new(empty - king, us), 0)).1 += 1;
            } else {
                count_blocking(empty - king, lines, us, reserve, sizes);
            }
        }
        for (room, kings) in classes.into_iter().flatten() {
            room.count(reserve, kings, sizes);
        }
    }
}

/// Adds the number of sets that put a piece on every line.
fn count_blocking(empty: Bitboard, lines: &[Bitboard], us: Color, reserve: Reserve, sizes: &mut BySize) {
    if lines.len() > reserve.total() as usize {
        return;
    }
    for open in 0..1u32 << lines.len() {
        let left_open = lines.iter().enumerate().filter(|&(i, _)| open >> i & 1 != 0);
        let closed = left_open.fold(empty, |squares, (_, &line)| squares - line);
        let sign = if open.count_ones().is_multiple_of(2) { 1 } else { -1 };
        Room::new(closed, us).count(reserve, sign, sizes);
    }
}
