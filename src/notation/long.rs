//! What the two notations of players have in common: moves in full, castling, marks of check.

use crate::rules::Position;
use crate::types::{Drop, Kind, Move, Square};

/// Writes a legal move: `e2-e4`, `Ng1-f3`, `d4xe5` with this sign of capture, `e7-e8Q`, `O-O`, and `+` if it gives
/// check.
pub(super) fn write_move(out: &mut String, mv: Move, before: &Position, after: &Position, capture: char) {
    let (from, to) = (mv.from(), mv.to());
    let kind = before.kind_at(from).unwrap_or(Kind::Pawn);
    if kind == Kind::King && from.file().abs_diff(to.file()) == 2 {
        out.push_str(if to.file() > from.file() { "O-O" } else { "O-O-O" });
    } else {
        push_letter(out, kind);
        push_square(out, from);
        let en_passant = kind == Kind::Pawn && from.file() != to.file();
        out.push(if before.occupied().has(to) || en_passant { capture } else { '-' });
        push_square(out, to);
        if let Some(promotion) = mv.promotion() {
            out.push(promotion.letter());
        }
    }
    if after.in_check() {
        out.push('+');
    }
}

/// Writes dropped pieces: `Ke1`, `d4`, and `+` behind each that gives check.
pub(super) fn write_drops(
    out: &mut String,
    drops: impl Iterator<Item = Drop>,
    after: &Position,
    separator: &str,
) {
    for (index, Drop { kind, square }) in drops.enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        push_letter(out, kind);
        push_square(out, square);
        if after.checkers().has(square) {
            out.push('+');
        }
    }
}

/// The letter of a piece; pawns have none.
fn push_letter(out: &mut String, kind: Kind) {
    if kind != Kind::Pawn {
        out.push(kind.letter());
    }
}

fn push_square(out: &mut String, square: Square) {
    out.push(char::from(b'a' + square.file()));
    out.push(char::from(b'1' + square.rank()));
}
