//! The notation of openchess.ru: `Kg1 g3 f2 d4 e4 (Q, 2R, 2B, 2N, 4P)`, `d4xe5`.

use super::{Step, bracket, long};
use crate::types::Action;

/// Writes an action: the pieces of a drop with blanks between them and the reserve that is left in brackets, or a move
/// in full.
pub(super) fn write(out: &mut String, step: &Step) {
    let Step { written, before, after } = *step;
    let side = before.side();
    match written.action() {
        Action::Move(mv) => long::write_move(out, mv, before, after, 'x'),
        Action::Drops(_) => {
            long::write_drops(out, written.drops(side), after, " ");
            out.push(' ');
            bracket::write(out, after.reserve(side));
        }
    }
}
