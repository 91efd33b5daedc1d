use std::fmt;

use super::weights::{
    ATTACKED_BY_MINOR, ATTACKED_BY_PAWN, BISHOP_PAIR, FULL_PHASE, HANGING, MATERIAL, MOBILITY, PHASE,
    ROOK_ON_HALF_OPEN_FILE, ROOK_ON_OPEN_FILE, TEMPO, UNDEPLOYED, Weight, in_reserve, on_square,
};
use super::{kings, pawns};
use crate::rules::{Position, attacks};
use crate::types::{Bitboard, Color, Kind, Score};

/// What one side attacks.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    /// Squares attacked by each kind.
    pub by_kind: [Bitboard; 6],
    /// Squares attacked by anything.
    pub attacks: Bitboard,
}

/// The evaluation in parts, each from the side of White.
#[derive(Clone, Copy, Default)]
pub struct Breakdown {
    /// Material, on the board and in reserve.
    pub material: Weight,
    /// Piece-square values.
    pub squares: Weight,
    /// What the reserves are worth above their material.
    pub reserves: Weight,
    /// Mobility, and rooks on open files.
    pub mobility: Weight,
    /// Pawn structure and passed pawns.
    pub pawns: Weight,
    /// Pieces attacked by lesser ones, or not guarded.
    pub threats: Weight,
    /// Safety of the kings.
    pub kings: Weight,
    /// Having the move.
    pub tempo: Weight,
    /// The phase, from 0 (endgame) to 24.
    pub phase: i32,
    /// The factor that draws the value towards 0 where a win is unlikely, in 64ths.
    pub scale: i32,
}

impl Breakdown {
    /// The value in centipawns, from the side of White.
    #[inline]
    pub fn total(&self) -> i32 {
        let sum = self.material
            + self.squares
            + self.reserves
            + self.mobility
            + self.pawns
            + self.threats
            + self.kings
            + self.tempo;
        sum.blend(self.phase) * self.scale / 64
    }
}

impl fmt::Display for Breakdown {
    /// A table of the parts: middlegame, endgame, blended.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "term        midgame  endgame  blended")?;
        for (name, weight) in [
            ("material", self.material),
            ("squares", self.squares),
            ("reserves", self.reserves),
            ("mobility", self.mobility),
            ("pawns", self.pawns),
            ("threats", self.threats),
            ("kings", self.kings),
            ("tempo", self.tempo),
        ] {
            let (middlegame, endgame) = (weight.middlegame(), weight.endgame());
            writeln!(f, "{name:<10} {middlegame:>8} {endgame:>8} {:>8}", weight.blend(self.phase))?;
        }
        write!(f, "phase {}/{FULL_PHASE}, scale {}/64", self.phase, self.scale)
    }
}

/// The value of a position for the side to act.
#[inline]
pub fn evaluate(position: &Position) -> Score {
    let value = explain(position).total();
    let value = if position.side() == Color::White { value } else { -value };
    Score::cp(value.clamp(-Score::MAX_EVAL.get(), Score::MAX_EVAL.get()))
}

/// The evaluation of a position in its parts.
pub fn explain(position: &Position) -> Breakdown {
    let mut parts = Breakdown { phase: phase(position), scale: 64, ..Breakdown::default() };
    let mut sides = [Side::default(); 2];
    for us in Color::ALL {
        let sign = if us == Color::White { 1 } else { -1 };
        let (side, mobility) = attack_maps(position, us);
        sides[us as usize] = side;
        parts.mobility += mobility * sign;
        let (material, squares) = material(position, us);
        parts.material += material * sign;
        parts.squares += squares * sign;
        parts.reserves += reserve(position, us) * sign;
        parts.pawns += pawns::structure(position, us) * sign;
    }
    for us in Color::ALL {
        let sign = if us == Color::White { 1 } else { -1 };
        parts.threats += threats(position, us, &sides) * sign;
        parts.kings += kings::safety(position, us, &sides) * sign;
    }
    parts.tempo = if position.side() == Color::White { TEMPO } else { -TEMPO };
    parts.scale = scale(position, parts.material.middlegame());
    parts
}

/// How much of a middlegame it is: pieces on the board and in reserve, from 0 to [`FULL_PHASE`].
pub(super) fn phase(position: &Position) -> i32 {
    let phase: i32 = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight]
        .into_iter()
        .map(|kind| {
            let in_hand: i32 =
                Color::ALL.iter().map(|&color| i32::from(position.reserve(color).count_of(kind))).sum();
            PHASE[kind as usize] * (position.kind(kind).count() as i32 + in_hand)
        })
        .sum();
    phase.min(FULL_PHASE)
}

fn material(position: &Position, us: Color) -> (Weight, Weight) {
    let mut material = Weight::ZERO;
    let mut squares = Weight::ZERO;
    for kind in Kind::ALL {
        let pieces = position.pieces(us, kind);
        material += MATERIAL[kind as usize] * pieces.count() as i32;
        for square in pieces {
            squares += on_square(us, kind, square);
        }
    }
    let reserve = position.reserve(us);
    let bishops = position.pieces(us, Kind::Bishop);
    let shades = [Bitboard::LIGHT, Bitboard::DARK].map(|shade| bishops.meets(shade));
    let in_hand = reserve.count_of(Kind::Bishop);
    if usize::from(in_hand) + shades.iter().filter(|&&shade| shade).count() >= 2 {
        material += BISHOP_PAIR;
    }
    for kind in reserve.kinds() {
        material += MATERIAL[kind.kind() as usize] * i32::from(reserve.count(kind));
    }
    (material, squares)
}

fn reserve(position: &Position, us: Color) -> Weight {
    let reserve = position.reserve(us);
    if reserve.is_empty() {
        return Weight::ZERO;
    }
    reserve.kinds().fold(UNDEPLOYED, |sum, kind| {
        sum + (in_reserve(kind) - MATERIAL[kind.kind() as usize]) * i32::from(reserve.count(kind))
    })
}

/// The squares a side attacks, and its mobility: attacked squares that hold no own piece and no enemy pawn guards.
fn attack_maps(position: &Position, us: Color) -> (Side, Weight) {
    let mut side = Side::default();
    let mut mobility = Weight::ZERO;
    let occupied = position.occupied();
    let own_pawns = position.pieces(us, Kind::Pawn);
    let usable = !(position.color(us) | attacks::pawns(!us, position.pieces(!us, Kind::Pawn)));
    side.by_kind[Kind::Pawn as usize] = attacks::pawns(us, own_pawns);
    if let Some(king) = position.king(us) {
        side.by_kind[Kind::King as usize] = attacks::king(king);
    }
    for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        let (weight, usual) = MOBILITY[kind as usize];
        for square in position.pieces(us, kind) {
            let reached = match kind {
                Kind::Knight => attacks::knight(square),
                Kind::Bishop => attacks::bishop(square, occupied),
                Kind::Rook => attacks::rook(square, occupied),
                _ => attacks::queen(square, occupied),
            };
            side.by_kind[kind as usize] |= reached;
            mobility += weight * ((reached & usable).count() as i32 - usual);
            if kind == Kind::Rook {
                let file = Bitboard::file(square.file());
                if !own_pawns.meets(file) {
                    let open = !position.kind(Kind::Pawn).meets(file);
                    mobility += if open { ROOK_ON_OPEN_FILE } else { ROOK_ON_HALF_OPEN_FILE };
                }
            }
        }
    }
    side.attacks = side.by_kind.into_iter().fold(Bitboard::EMPTY, |all, part| all | part);
    (side, mobility)
}

/// A side's pieces that stand badly: attacked by lesser ones, or attacked and not guarded.
fn threats(position: &Position, us: Color, sides: &[Side; 2]) -> Weight {
    let (own, enemy) = (&sides[us as usize], &sides[!us as usize]);
    let pieces = position.color(us) - position.kind(Kind::Pawn) - position.kind(Kind::King);
    let heavy = position.orthogonal(us);
    let by_minor = enemy.by_kind[Kind::Knight as usize] | enemy.by_kind[Kind::Bishop as usize];
    let attacked_by_pawn = pieces & enemy.by_kind[Kind::Pawn as usize];
    let hanging = (position.color(us) - position.kind(Kind::King)) & (enemy.attacks - own.attacks);
    ATTACKED_BY_PAWN * attacked_by_pawn.count() as i32
        + ATTACKED_BY_MINOR * (heavy & by_minor).count() as i32
        + HANGING * hanging.count() as i32
}

/// Without pawns, a small advantage in material seldom wins.
fn scale(position: &Position, material: i32) -> i32 {
    let ahead = if material > 0 { Color::White } else { Color::Black };
    let has_pawns =
        position.pieces(ahead, Kind::Pawn).nonempty() || position.reserve(ahead).count_of(Kind::Pawn) > 0;
    let scale = if has_pawns || material.abs() > 400 { 64 } else { 16 };
    // The fifty-action rule draws near.
    scale * (200 - i32::from(position.halfmove_clock()).min(100)) / 200
}
