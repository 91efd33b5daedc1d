//! The notation of the encyclopedia: `Ke1, Nf3, d4`, `d4:e5`.

use super::{Step, bracket, long};
use crate::types::Action;

/// Writes an action: the pieces of a drop with commas between them, and `(0)` if it empties the reserve, or a move in
/// full.
pub(super) fn write(out: &mut String, step: &Step) {
    let Step { written, before, after } = *step;
    let side = before.side();
    match written.action() {
        Action::Move(mv) => long::write_move(out, mv, before, after, ':'),
        Action::Drops(_) => {
            long::write_drops(out, written.drops(side), after, ", ");
            if after.reserve(side).is_empty() {
                out.push(' ');
                bracket::write(out, after.reserve(side));
            }
        }
    }
}
