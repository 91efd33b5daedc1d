//! What a drop adds to the evaluation, cheaply: to order single drops and to grow sets from the best of them.

use super::terms::phase;
use super::weights::{MATERIAL, MOBILITY, SHELTER, Weight, in_reserve, material, on_square};
use crate::rules::{Position, attacks};
use crate::types::{Bitboard, Color, Drop, Kind, ReserveKind, Square};

/// Scores drops of the side to act one by one, each on top of those already added. A score estimates the change of
/// the evaluation in centipawns; sums of scores estimate the value of a set.
#[derive(Clone)]
pub struct DropScorer {
    us: Color,
    occupied: Bitboard,
    own_pawns: Bitboard,
    /// Squares the enemy attacks: with pawns, minor pieces, rooks, anything.
    enemy_pawns: Bitboard,
    enemy_minors: Bitboard,
    enemy_rooks: Bitboard,
    enemy_any: Bitboard,
    /// Squares own pieces attack, those of drops already added included.
    guarded: Bitboard,
    /// Enemy pieces worth attacking with a pawn, with a minor piece, with anything.
    prey: [Bitboard; 3],
    own_king: Option<Square>,
    enemy_king: Option<Square>,
    phase: i32,
}

impl DropScorer {
    /// A scorer for the drops of the side to act.
    pub fn new(position: &Position) -> Self {
        let us = position.side();
        let them = !us;
        let occupied = position.occupied();
        let reach = |color: Color, kind: Kind| {
            position
                .pieces(color, kind)
                .fold(Bitboard::EMPTY, |all, square| all | reached(kind, color, square, occupied))
        };
        let enemy_pawns = attacks::pawns(them, position.pieces(them, Kind::Pawn));
        let enemy_minors = reach(them, Kind::Knight) | reach(them, Kind::Bishop);
        let enemy_rooks = reach(them, Kind::Rook);
        let enemy_any =
            enemy_pawns | enemy_minors | enemy_rooks | reach(them, Kind::Queen) | reach(them, Kind::King);
        let guarded = attacks::pawns(us, position.pieces(us, Kind::Pawn))
            | [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight]
                .into_iter()
                .fold(Bitboard::EMPTY, |all, kind| all | reach(us, kind));
        let theirs = position.color(them);
        let heavy = theirs & (position.kind(Kind::Queen) | position.kind(Kind::Rook));
        let pieces = theirs - position.kind(Kind::Pawn) - position.kind(Kind::King);
        let loose = pieces - enemy_any;
        Self {
            us,
            occupied,
            own_pawns: position.pieces(us, Kind::Pawn),
            enemy_pawns,
            enemy_minors,
            enemy_rooks,
            enemy_any,
            guarded,
            prey: [pieces, heavy | loose, loose],
            own_king: position.king(us),
            enemy_king: position.king(them),
            phase: phase(position),
        }
    }

    /// The score of one more drop.
    pub fn score(&self, drop: Drop) -> i32 {
        let Drop { kind, square } = drop;
        let gain = MATERIAL[kind as usize] + on_square(self.us, kind, square)
            - in_reserve(kind.reserve_kind(square));
        let reach = reached(kind, self.us, square, self.occupied);
        let mut score = gain.blend(self.phase) - self.loss(drop);
        let prey = match kind {
            Kind::Pawn => self.prey[0],
            Kind::Knight | Kind::Bishop => self.prey[1],
            _ => self.prey[2],
        };
        score += match (reach & prey).count() {
            0 => 0,
            1 => 30,
            _ => 70,
        };
        match kind {
            Kind::Pawn => score += self.pawn_bonus(square),
            Kind::King => {}
            _ => {
                let (weight, usual): (Weight, i32) = MOBILITY[kind as usize];
                let open = (reach - self.enemy_pawns - self.occupied).count() as i32;
                score += (weight * (open - usual)).blend(self.phase);
            }
        }
        if let Some(king) = self.enemy_king
            && kind != Kind::Pawn
        {
            score += 5 * (reach & attacks::king(king)).count() as i32;
        }
        score
    }

    /// Counts a drop as done, so that the next ones are scored on top of it.
    pub fn add(&mut self, drop: Drop) {
        self.occupied |= drop.square;
        self.guarded |= reached(drop.kind, self.us, drop.square, self.occupied);
        match drop.kind {
            Kind::Pawn => self.own_pawns |= drop.square,
            Kind::King => self.own_king = Some(drop.square),
            _ => {}
        }
    }

    /// The squares still empty for this kind.
    #[inline]
    pub fn landing(&self, kind: ReserveKind) -> Bitboard {
        kind.squares(self.us) - self.occupied
    }

    /// What is likely lost by landing where the enemy attacks.
    fn loss(&self, Drop { kind, square }: Drop) -> i32 {
        if kind == Kind::King || !self.enemy_any.has(square) {
            return 0;
        }
        let value = material(kind);
        let cheapest = if self.enemy_pawns.has(square) {
            material(Kind::Pawn)
        } else if self.enemy_minors.has(square) {
            material(Kind::Knight)
        } else if self.enemy_rooks.has(square) {
            material(Kind::Rook)
        } else {
            material(Kind::Queen)
        };
        if self.guarded.has(square) { (value - cheapest).max(0) } else { value }
    }

    /// Pawns that guard each other, keep their files, and shelter the king.
    fn pawn_bonus(&self, square: Square) -> i32 {
        let us = self.us;
        let beside = square.bit().east() | square.bit().west();
        let mut bonus = 0;
        if self.own_pawns.meets(attacks::pawn(!us, square) | attacks::pawn(us, square) | beside) {
            bonus += 9;
        }
        if self.own_pawns.meets(Bitboard::file(square.file())) {
            bonus -= 16;
        }
        if let Some(king) = self.own_king {
            let near = king.file().abs_diff(square.file()) <= 1;
            let ahead = i32::from(square.relative_to(us).rank()) - i32::from(king.relative_to(us).rank());
            bonus += match (near, ahead) {
                (true, 1) => SHELTER[0] - SHELTER[2] / 2,
                (true, 2) => SHELTER[1] - SHELTER[2] / 2,
                _ => 0,
            };
        }
        bonus
    }
}

/// Where a piece attacks.
fn reached(kind: Kind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::King => attacks::king(square),
        Kind::Queen => attacks::queen(square, occupied),
        Kind::Rook => attacks::rook(square, occupied),
        Kind::Bishop => attacks::bishop(square, occupied),
        Kind::Knight => attacks::knight(square),
        Kind::Pawn => attacks::pawn(color, square),
    }
}
