//! Steps 6 to 9 of a node: it is so good, or so bad, that its actions need not all be tried.

use super::exchange;
use super::history::Slot;
use super::node::Trial;
use super::order::Picker;
use super::parameters::{
    null_base, null_depth, null_eval, null_ply, probe_depth, probe_margin, razor_base, razor_depth,
    razor_ply, reverse_futility, reverse_futility_depth,
};
use super::report::Bound;
use super::table::Finding;
use super::worker::Worker;
use crate::rules::Position;
use crate::types::{Kind, Score};

/// A node that is not in check, as far as its pruning needs it.
pub(super) struct Quiet<'p> {
    pub position: &'p Position,
    pub ply: usize,
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    pub eval: Score,
    pub improving: bool,
}

impl Worker<'_> {
    /// Steps 6 to 9: nodes so good, or so bad, that their actions need not all be tried.
    pub(super) fn prune_node(&mut self, node: &Quiet, cut: bool) -> Option<Score> {
        let Quiet { position, ply, depth, alpha, beta, eval, improving } = *node;
        // Step 6. Razoring: the evaluation is so far below the window that only captures could help.
        if depth <= razor_depth()
            && alpha.get().abs() < Score::MAX_EVAL.get()
            && eval + razor_base() + razor_ply() * depth * depth <= alpha
        {
            let score = self.quiesce::<false>(position, ply, alpha, alpha + 1);
            if score <= alpha || self.stopped {
                return Some(score.unproven());
            }
        }
        if beta.get().abs() >= Score::MAX_EVAL.get() {
            return None;
        }
        // Step 7. Reverse futility: the evaluation is above the window by more than this depth is likely to change.
        let margin = reverse_futility() * (depth - i32::from(improving));
        if depth <= reverse_futility_depth() && eval - margin >= beta {
            return Some(eval);
        }
        if eval >= beta {
            let score = self.null_action(node);
            if score.is_some() || self.stopped {
                return score;
            }
        }
        self.probe_captures(node, cut)
    }

    /// Step 9. A capture that, searched less deep, is far above the window will be above it in the full search too
    /// (ProbCut, M. Buro 1995).
    fn probe_captures(&mut self, node: &Quiet, cut: bool) -> Option<Score> {
        let Quiet { position, ply, depth, beta, .. } = *node;
        let bar = beta + probe_margin();
        if depth < probe_depth() || bar.get() >= Score::MAX_EVAL.get() {
            return None;
        }
        let mut trial = Trial::new(position, ply, depth - 3, bar - 1, bar);
        trial.number = 1;
        let mut picker = Picker::noisy(None);
        let context = self.context(ply);
        while let Some((short, _)) = picker.next(position, self.history, &context, self.shared.table) {
            let wins =
                short.as_move().is_some_and(|mv| exchange::wins_at_least(position, mv, bar - node.eval));
            if !wins {
                continue;
            }
            let mut child = *position;
            child.play_short(short);
            let slot = Slot::new(position, short);
            // A capture that does not even hold in quiescence needs no search.
            trial.depth = 1;
            let mut score = self.try_child::<false>(&trial, &child, slot, 0, cut);
            if score >= bar && !self.stopped {
                trial.depth = depth - 3;
                score = self.try_child::<false>(&trial, &child, slot, 0, cut);
            }
            if self.stopped {
                return None;
            }
            if score >= bar {
                let action = Some(short.action());
                let found = Finding { action, score, depth: depth - 3, bound: Bound::Lower };
                self.shared.table.store(position, ply, found);
                return Some(score);
            }
        }
        None
    }

    /// Step 8. Null action: if doing nothing is good enough, acting is too. With a reserve there is always a harmless
    /// drop; without one, pawns alone may be in zugzwang.
    fn null_action(&mut self, node: &Quiet) -> Option<Score> {
        let Quiet { position, ply, depth, beta, eval, .. } = *node;
        let us = position.side();
        let pieces = position.color(us) - position.kind(Kind::Pawn) - position.kind(Kind::King);
        let can_pass = position.king(us).is_some() && (pieces.nonempty() || !position.reserve(us).is_empty());
        let after_null = ply > 0 && self.frames[ply - 1].null;
        if depth < null_depth() || !can_pass || after_null {
            return None;
        }
        let less = null_base() + depth / null_ply() + ((eval - beta) / null_eval()).min(3);
        let mut child = *position;
        child.play_null();
        self.shared.table.prefetch(child.key());
        let floor = std::mem::replace(&mut self.null_floor, self.keys.len() + 1);
        self.keys.push(position.key());
        self.frames[ply].played = None;
        self.frames[ply].quiet = None;
        self.frames[ply].null = true;
        let score = -self.node::<false>(&child, ply + 1, depth - less, -beta, -beta + 1, false);
        self.frames[ply].null = false;
        self.keys.pop();
        self.null_floor = floor;
        // A mate found by passing is not proven.
        (score >= beta && !self.stopped)
            .then(|| if score.get() >= Score::MAX_EVAL.get() { beta } else { score })
    }
}
