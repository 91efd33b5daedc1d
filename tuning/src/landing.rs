//! How good a square is to land on, roughly and cheaply: for openings and starts of self-play that look like
//! somebody played them. Scores are in centipawns.
//!
//! The search used to order single drops by it. In matches, histories alone order them as well.

use kingchess::rules::{Position, attacks};
use kingchess::types::{Bitboard, Color, Drop, Kind, ReserveKind, Square};

/// What pieces are worth, by kind, in centipawns.
const MATERIAL: [i32; 6] = [10_000, 1000, 500, 340, 325, 100];

/// What a piece in hand is worth more than on a square of no merit, by kind: it may still go anywhere.
const IN_HAND: [i32; 6] = [0, 110, 100, 104, 102, 44];
/// Mobility, by kind: a weight for each square above or below the usual number.
const MOBILITY: [(i32, i32); 6] = [(0, 0), (2, 13), (3, 7), (5, 6), (5, 4), (0, 0)];
/// A pawn one or two ranks before its king, on its own or the next file.
const SHELTER: [i32; 2] = [29, 19];

/// Scores drops of the side to act one by one, each on top of those already added: a rough estimate of the change of the
/// evaluation, in centipawns.
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
        }
    }

    /// The score of one more drop.
    pub fn score(&self, drop: Drop) -> i32 {
        let Drop { kind, square } = drop;
        let reach = reached(kind, self.us, square, self.occupied);
        let mut score = on_square(self.us, kind, square) - IN_HAND[kind as usize] - self.loss(drop);
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
                let (weight, usual) = MOBILITY[kind as usize];
                let open = (reach - self.enemy_pawns - self.occupied).count() as i32;
                score += weight * (open - usual);
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
        let value = MATERIAL[kind as usize];
        let cheapest = if self.enemy_pawns.has(square) {
            MATERIAL[Kind::Pawn as usize]
        } else if self.enemy_minors.has(square) {
            MATERIAL[Kind::Knight as usize]
        } else if self.enemy_rooks.has(square) {
            MATERIAL[Kind::Rook as usize]
        } else {
            MATERIAL[Kind::Queen as usize]
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
                (true, 1) => SHELTER[0],
                (true, 2) => SHELTER[1],
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

/// The worth of a square for a kind, from the side of White.
const fn square_worth(kind: Kind, square: Square) -> i32 {
    /// Twice the distance from the middle of the board along a file or rank: 1, 3, 5 or 7.
    const fn off_centre(x: i32) -> i32 {
        (2 * x - 7).abs()
    }
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    let across = off_centre(file);
    let centre = 14 - across - off_centre(rank);
    match kind {
        Kind::Pawn => {
            let advance = [0, 0, 4, 12, 20, 34, 60, 0][rank as usize];
            let middle =
                if across <= 3 && rank >= 2 { (5 - across) * (if rank == 3 { 5 } else { 3 }) } else { 0 };
            advance / 2 + middle - if across == 7 { 5 } else { 0 }
        }
        Kind::Knight => centre * 4 - 26 + if rank >= 3 && rank <= 5 { 8 } else { 0 },
        Kind::Bishop => centre * 2 - 8 - if rank == 0 { 8 } else { 0 },
        Kind::Rook => 7 - across - if rank == 2 || rank == 3 { 6 } else { 0 },
        Kind::Queen => centre - if rank == 0 { 4 } else { 0 },
        Kind::King => [18, 0, -30, -55, -70, -80, -80, -80][rank as usize] + (across - 3) * 6,
    }
}

/// Squares by kind, from the side of White.
static SQUARES: [[i32; 64]; 6] = {
    let mut table = [[0; 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        let mut square = 0;
        while square < 64 {
            table[kind][square as usize] = square_worth(Kind::ALL[kind], Square::new(square));
            square += 1;
        }
        kind += 1;
    }
    table
};

fn on_square(color: Color, kind: Kind, square: Square) -> i32 {
    SQUARES[kind as usize][square.relative_to(color).index()]
}
