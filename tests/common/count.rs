//! A second way to count legal drop sets, for reserves that no enumeration could exhaust: square by square.
//!
//! Each square of the half in turn takes nothing or one piece that is left and may stand there; positions of the sweep
//! are told apart only by what is left of the reserve and which checking lines have a blocker. No binomials, no
//! inclusion and exclusion, no attack tables: nothing is shared with the closed form of the engine.

use kingchess::rules::Position;
use kingchess::types::{Color, Kind, MAX_DROPS, ReserveKind, Square};

/// The reserve kinds that the sweep places; the king is placed beforehand.
const KINDS: [ReserveKind; 6] = [
    ReserveKind::Queen,
    ReserveKind::Rook,
    ReserveKind::LightBishop,
    ReserveKind::DarkBishop,
    ReserveKind::Knight,
    ReserveKind::Pawn,
];

type BySize = [u64; MAX_DROPS + 1];

/// How many legal drop sets there are of each size; the number at 0 is 0.
pub fn sets_by_size(position: &Position) -> BySize {
    let us = position.side();
    let mut sizes = [0; MAX_DROPS + 1];
    match position.king(us) {
        Some(king) => {
            sweep(position, king, 0, &mut sizes);
            sizes[0] = 0;
        }
        None if position.reserve(us).has(ReserveKind::King) => {
            for king in Square::all().filter(|&king| may_hold(us, ReserveKind::King, king)) {
                if position.kind_at(king).is_none() {
                    sweep(position, king, 1, &mut sizes);
                }
            }
        }
        None => {}
    }
    sizes
}

/// How many lines give check to a king on this square, if a drop can block each of them.
pub fn lines(position: &Position, king: Square) -> Option<usize> {
    checking_lines(position, king).map(|lines| lines.len())
}

/// Adds the sets of pieces besides a king on this square, `dropped` of which (the king) are placed already.
fn sweep(position: &Position, king: Square, dropped: usize, sizes: &mut BySize) {
    let us = position.side();
    let Some(lines) = checking_lines(position, king) else { return };
    let counts = KINDS.map(|kind| usize::from(position.reserve(us).count(kind)));
    let mut strides = [0; KINDS.len()];
    let mut left_states = 1;
    for (stride, count) in strides.iter_mut().zip(counts) {
        *stride = left_states;
        left_states *= count + 1;
    }
    let all_blocked = (1 << lines.len()) - 1;
    // Indexed by blocked lines, then by what has been used of each kind.
    let mut ways = vec![0u64; left_states << lines.len()];
    ways[0] = 1;
    for square in Square::all() {
        if square == king || position.kind_at(square).is_some() || !may_hold(us, ReserveKind::King, square) {
            continue;
        }
        let blocks = lines.iter().enumerate().filter(|(_, line)| line.contains(&square));
        let blocks = blocks.fold(0, |mask, (index, _)| mask | 1 << index);
        let mut next = ways.clone();
        for (state, &count) in ways.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let (blocked, used) = (state / left_states, state % left_states);
            for (index, kind) in KINDS.into_iter().enumerate() {
                let of_kind = used / strides[index] % (counts[index] + 1);
                if of_kind < counts[index] && may_hold(us, kind, square) {
                    next[(blocked | blocks) * left_states + used + strides[index]] += count;
                }
            }
        }
        ways = next;
    }
    for (used, &count) in ways[all_blocked * left_states..].iter().enumerate() {
        let pieces: usize = (0..KINDS.len()).map(|i| used / strides[i] % (counts[i] + 1)).sum();
        sizes[dropped + pieces] += count;
    }
}

/// Rules 4 and 5: own half, no pawn on the own first rank, bishops on their colour.
fn may_hold(color: Color, kind: ReserveKind, square: Square) -> bool {
    let (file, rank) = (square.file(), square.rank());
    let (own_half, first) = match color {
        Color::White => (rank < 4, rank == 0),
        Color::Black => (rank >= 4, rank == 7),
    };
    own_half
        && match kind {
            ReserveKind::Pawn => !first,
            ReserveKind::LightBishop => (file + rank) % 2 == 1,
            ReserveKind::DarkBishop => (file + rank) % 2 == 0,
            _ => true,
        }
}

/// The empty squares of the own half on each line that gives check to a king on this square; `None` if some checker
/// can't be blocked by a drop.
fn checking_lines(position: &Position, king: Square) -> Option<Vec<Vec<Square>>> {
    let us = position.side();
    let enemy = |square: Square| {
        let color = position.color_at(square)?;
        (color != us).then(|| position.kind_at(square)).flatten()
    };
    for (file, rank) in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)] {
        if step(king, file, rank).and_then(enemy) == Some(Kind::Knight) {
            return None;
        }
    }
    let ahead = if us == Color::White { 1 } else { -1 };
    let mut lines = Vec::new();
    for (file, rank) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let mut path = Vec::new();
        let mut next = step(king, file, rank);
        while let Some(square) = next.filter(|&square| position.kind_at(square).is_none()) {
            path.push(square);
            next = step(square, file, rank);
        }
        let straight = file == 0 || rank == 0;
        let checks = match next.and_then(enemy) {
            Some(Kind::Queen) => true,
            Some(Kind::Rook) => straight,
            Some(Kind::Bishop) => !straight,
            Some(Kind::Pawn) => path.is_empty() && !straight && rank == ahead,
            Some(Kind::King) => path.is_empty(),
            _ => false,
        };
        if checks {
            path.retain(|&square| may_hold(us, ReserveKind::King, square));
            if path.is_empty() {
                return None;
            }
            lines.push(path);
        }
    }
    Some(lines)
}

fn step(from: Square, file: i8, rank: i8) -> Option<Square> {
    let (file, rank) = (from.file() as i8 + file, from.rank() as i8 + rank);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| Square::at(file as u8, rank as u8))
}
