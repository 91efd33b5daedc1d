//! Static exchange evaluation: does a series of captures on one square win at least so much?

use crate::rules::{Position, attacks};
use crate::types::{Bitboard, Drop, Kind, Move, Square};

/// What a piece is worth in an exchange, in centipawns.
#[inline]
pub const fn material(kind: Kind) -> i32 {
    match kind {
        Kind::King => 10_000,
        Kind::Queen => 1000,
        Kind::Rook => 500,
        Kind::Bishop => 340,
        Kind::Knight => 325,
        Kind::Pawn => 100,
    }
}

/// Does the move win at least `threshold` centipawns if both sides go on capturing on its target with their least
/// pieces? (The swap algorithm; promotions and pins are left aside.)
pub fn wins_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = position.kind_at(from) else { return false };
    let gain = match position.kind_at(to) {
        Some(captured) => material(captured),
        None if mover == Kind::Pawn && position.en_passant() == Some(to) => material(Kind::Pawn),
        None => 0,
    };
    let promoted = mv.promotion().map_or(0, |kind| material(kind) - material(Kind::Pawn));
    let arriving = mv.promotion().unwrap_or(mover);
    let mut occupied = (position.occupied() - from) | to;
    if mover == Kind::Pawn && position.en_passant() == Some(to) {
        occupied = occupied - Square::at(to.file(), from.rank());
    }
    series_holds(position, to, occupied, gain + promoted - threshold, arriving)
}

/// Does dropping the piece lose at most `-threshold` centipawns to captures on its square?
pub fn drop_wins_at_least(position: &Position, drop: Drop, threshold: i32) -> bool {
    series_holds(position, drop.square, position.occupied() | drop.square, -threshold, drop.kind)
}

/// A piece of this kind has just arrived on `to`, which left its side `balance` ahead of its aim. Is it still not
/// behind when both sides go on capturing there as long as that pays?
fn series_holds(
    position: &Position,
    to: Square,
    mut occupied: Bitboard,
    balance: i32,
    arriving: Kind,
) -> bool {
    if balance < 0 {
        return false;
    }
    let mut swap = material(arriving) - balance;
    if swap <= 0 {
        return true;
    }
    let diagonal = position.kind(Kind::Bishop) | position.kind(Kind::Queen);
    let straight = position.kind(Kind::Rook) | position.kind(Kind::Queen);
    let mut attackers = position.attackers(to, occupied);
    let mut side = position.side();
    let mut holds = true;
    loop {
        side = !side;
        attackers &= occupied;
        let own = attackers & position.color(side);
        let Some((kind, square)) = least(position, own) else { return holds };
        holds = !holds;
        if kind == Kind::King {
            // The king captures only what is no longer guarded.
            return holds ^ attackers.meets(position.color(!side));
        }
        swap = material(kind) - swap;
        if swap < i32::from(holds) {
            return holds;
        }
        occupied ^= square;
        attackers |= attacks::bishop(to, occupied) & diagonal | attacks::rook(to, occupied) & straight;
    }
}

fn least(position: &Position, pieces: Bitboard) -> Option<(Kind, Square)> {
    [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King]
        .into_iter()
        .find_map(|kind| (pieces & position.kind(kind)).first().map(|square| (kind, square)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wins(fen: &str, from: Square, to: Square, threshold: i32) -> bool {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = Move::new(from, to).unwrap_or_else(|| panic!("{from}{to}"));
        wins_at_least(&position, mv, threshold)
    }

    #[test]
    fn exchanges_are_counted_out() {
        let free = "4k3/8/8/3p4/8/8/3R4/4K3[] w - - 0 9";
        assert!(wins(free, Square::D2, Square::D5, 100));
        assert!(!wins(free, Square::D2, Square::D5, 101));
        let guarded = "4k3/8/4p3/3p4/8/8/3R4/4K3[] w - - 0 9";
        assert!(wins(guarded, Square::D2, Square::D5, -400));
        assert!(!wins(guarded, Square::D2, Square::D5, -399));
        let doubled = "3rk3/8/8/3p4/8/8/3R4/3RK3[] w - - 0 9";
        assert!(wins(doubled, Square::D2, Square::D5, 100));
        let behind = "3qk3/3r4/8/3p4/8/8/3R4/3RK3[] w - - 0 9";
        assert!(!wins(behind, Square::D2, Square::D5, 0));
        let king = "8/8/4k3/3p4/8/8/3R4/3RK3[] w - - 0 9";
        assert!(wins(king, Square::D2, Square::D5, 100));
    }

    #[test]
    fn drops_are_safe_or_not() {
        let position: Position =
            "4k3/8/8/8/1b6/8/8/4K3[RNP] w - - 0 9".parse().unwrap_or_else(|error| panic!("{error}"));
        let rook = Drop { kind: Kind::Rook, square: Square::A3 };
        assert!(!drop_wins_at_least(&position, rook, 0));
        assert!(drop_wins_at_least(&position, Drop { square: Square::A4, ..rook }, 0));
    }
}
