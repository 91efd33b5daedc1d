//! Pawn structure: doubled, isolated, connected and passed pawns.

use super::weights::{CONNECTED, DOUBLED, ISOLATED, PASSED, Weight};
use crate::rules::{Position, attacks};
use crate::types::{Bitboard, Color, Kind, Square};

/// The squares in front of a pawn on its own file and the two beside it.
const fn front_span(color: Color, square: Square) -> Bitboard {
    let file = Bitboard::file(square.file());
    let files = file.0 | file.east().0 | file.west().0;
    let rank = square.rank() as u32;
    match color {
        Color::White => Bitboard(files & (!0 << (rank * 8) << 8)),
        Color::Black => Bitboard(files & !(!0 << (rank * 8))),
    }
}

static FRONT: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut square = 0;
    while square < 64 {
        table[0][square as usize] = front_span(Color::White, Square::new(square));
        table[1][square as usize] = front_span(Color::Black, Square::new(square));
        square += 1;
    }
    table
};

/// The structure of one side's pawns. Faults count half while pawns are in reserve that can mend them.
pub fn structure(position: &Position, us: Color) -> Weight {
    let own = position.pieces(us, Kind::Pawn);
    let theirs = position.pieces(!us, Kind::Pawn);
    let mut faults = Weight::ZERO;
    let mut score = Weight::ZERO;
    for square in own {
        let file = Bitboard::file(square.file());
        let beside = file.east() | file.west();
        let front = FRONT[us as usize][square.index()];
        if (own & front & file).nonempty() {
            faults += DOUBLED;
        }
        if !own.meets(beside) {
            faults += ISOLATED;
        }
        let neighbours = square.bit().east() | square.bit().west();
        if own.meets(attacks::pawn(!us, square) | neighbours) {
            score += CONNECTED;
        }
        if !theirs.meets(front) && !own.meets(front & file) {
            score += passed(position, us, square, front & file);
        }
    }
    if position.reserve(us).count_of(Kind::Pawn) > 0 {
        faults = Weight::new(faults.middlegame() / 2, faults.endgame() / 2);
    }
    score + faults
}

/// A passed pawn is worth less while something stands in its way, or can still be dropped there.
fn passed(position: &Position, us: Color, square: Square, path: Bitboard) -> Weight {
    let base = PASSED[square.relative_to(us).rank() as usize];
    let stopped = path.meets(position.occupied()) || !position.reserve(!us).is_empty();
    if stopped { Weight::new(base.middlegame() / 2, base.endgame() / 2) } else { base }
}
