//! Step 11 of a node: is the hash action much better than all others?

use super::node::Trial;
use super::parameters::{singular_depth, singular_margin};
use super::report::Bound;
use super::table::Known;
use super::worker::Worker;
use crate::types::{Action, Score};

/// What a search without the hash action says.
pub(super) enum Singular {
    No,
    Extend,
    Cut(Score),
}

impl Worker<'_> {
    /// Step 11. Is the hash action singular, that is, much better than all others? Then it is searched deeper. Sets of
    /// several pieces never are: their neighbours are nearly as good.
    pub(super) fn singular(
        &mut self,
        trial: &Trial,
        known: Known,
        hash: Option<Action>,
        cut: bool,
    ) -> Singular {
        let Some(short) = hash.and_then(|action| action.short(trial.position.side())) else {
            return Singular::No;
        };
        if trial.depth < singular_depth()
            || known.depth < trial.depth - 3
            || known.bound == Bound::Upper
            || known.score.get().abs() >= Score::MAX_EVAL.get()
        {
            return Singular::No;
        }
        let target = known.score - singular_margin() * trial.depth / 2;
        let ply = trial.ply;
        self.frames[ply].excluded = Some(short);
        let score = self.node::<false>(trial.position, ply, (trial.depth - 1) / 2, target - 1, target, cut);
        self.frames[ply].excluded = None;
        if self.stopped {
            Singular::No
        } else if score < target {
            Singular::Extend
        } else if target >= trial.beta && !trial.position.in_check() {
            // Several actions are good enough: a cut without the full search.
            Singular::Cut(target)
        } else {
            Singular::No
        }
    }
}
