//! Safety of the kings, against what stands on the board and against what can still be dropped.

use super::terms::Side;
use super::weights::{KING_ATTACK, KING_DEPTH, MAX_DANGER, SAFE_CHECK, SHELTER, Weight};
use crate::rules::{Position, attacks};
use crate::types::{Bitboard, Color, Kind, Square};

/// The safety of one side's king.
pub fn safety(position: &Position, us: Color, sides: &[Side; 2]) -> Weight {
    let Some(king) = position.king(us) else { return Weight::ZERO };
    let shelter = shelter(position, us, king);
    let danger = board_danger(position, us, king, sides) + drop_danger(position, us, king);
    let danger = (danger * danger / 64 + danger).min(MAX_DANGER);
    Weight::new(shelter - danger, -danger / 4)
}

/// Own pawns in front of the king. A pawn that can still be dropped there counts as half missing.
fn shelter(position: &Position, us: Color, king: Square) -> i32 {
    let pawns = position.pieces(us, Kind::Pawn);
    let rank = king.relative_to(us).rank();
    if rank > 2 {
        return 3 * SHELTER[2];
    }
    let spare = i32::from(position.reserve(us).count_of(Kind::Pawn) > 0);
    let first_file = king.file().saturating_sub(1).min(5);
    (first_file..first_file + 3)
        .map(|file| {
            let at = |ahead: u8| pawns.has(Square::at(file, rank + ahead).relative_to(us));
            match (at(1), at(2)) {
                (true, _) => SHELTER[0],
                (_, true) => SHELTER[1],
                _ => SHELTER[2] / (1 + spare),
            }
        })
        .sum()
}

/// Attacks of enemy pieces on the squares around the king, and checks they could give safely.
fn board_danger(position: &Position, us: Color, king: Square, sides: &[Side; 2]) -> i32 {
    let (own, enemy) = (&sides[us as usize], &sides[!us as usize]);
    let ring = attacks::king(king) | king;
    let occupied = position.occupied();
    let unguarded = !own.attacks;
    let mut danger = 0;
    let mut attackers = 0;
    let straight = attacks::rook(king, occupied);
    let diagonal = attacks::bishop(king, occupied);
    for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight] {
        let reached = enemy.by_kind[kind as usize];
        let near = (reached & ring).count() as i32;
        if near > 0 {
            danger += KING_ATTACK[kind as usize] * near.min(3);
            attackers += 1;
        }
        let checking = match kind {
            Kind::Queen => straight | diagonal,
            Kind::Rook => straight,
            Kind::Bishop => diagonal,
            _ => attacks::knight(king),
        };
        if (checking & reached & (unguarded - position.color(!us))).nonempty() {
            danger += SAFE_CHECK[kind as usize];
        }
    }
    danger += 3 * (ring & enemy.attacks & unguarded).count() as i32;
    if attackers < 2 { danger / 2 } else { danger }
}

/// Dangers from the enemy's reserve: contact drops on a king that has left its depth, and open lines from the king to
/// empty squares of the enemy's half, which only pieces in hand can close.
fn drop_danger(position: &Position, us: Color, king: Square) -> i32 {
    let reserve = position.reserve(!us);
    if reserve.is_empty() {
        return 0;
    }
    let occupied = position.occupied();
    let room = (!us).half() - occupied;
    let blockers = position.reserve(us).total() as i32;
    let mut danger = -KING_DEPTH[king.relative_to(us).rank() as usize] / 8;
    let pieces = reserve.total() as i32 - i32::from(reserve.count_of(Kind::Pawn));
    if pieces == 0 {
        return danger / 2;
    }
    let lines = |holders: u8, reached: Bitboard| {
        if holders > 0 && (reached & room).nonempty() { i32::from(holders.min(3)) } else { 0 }
    };
    let (queens, rooks, bishops) =
        (reserve.count_of(Kind::Queen), reserve.count_of(Kind::Rook), reserve.count_of(Kind::Bishop));
    let open = lines(queens + rooks, attacks::rook(king, occupied))
        + lines(queens + bishops, attacks::bishop(king, occupied));
    // A reserve of one's own answers a check by a block that develops.
    danger += open * 6 / (1 + blockers.min(3));
    danger
}
