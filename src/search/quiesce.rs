//! Quiescence: captures and promotions are played out until the evaluation can be trusted. Nothing is dropped here,
//! except to parry a check: the evaluation already prices the reserve.

use super::exchange::material;
use super::history::{Scene, Slot};
use super::node::settles;
use super::order::Picker;
use super::parameters::delta;
use super::report::Bound;
use super::sets::{LargerSets, larger_sets};
use super::table::Finding;
use super::worker::Worker;
use crate::rules::Position;
use crate::types::{Action, MAX_PLY, Score, Short};

/// Quiet evasions tried when one that does not lose is known.
const QUIET_EVASIONS: usize = 3;

impl Worker<'_> {
    /// The value of a position once captures are played out.
    pub fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        if self.enter(ply) {
            return Score::DRAW;
        }
        if let Some(score) = self.drawn(position, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluator.evaluate(position, ply);
        }
        let in_check = position.in_check();
        // Valued before the table is asked: it takes that long to answer.
        let eval = (!in_check).then(|| self.evaluator.evaluate(position, ply));
        let known = self.shared.table.probe(position, ply);
        if let Some(known) = known
            && !PV
            && settles(known, alpha, beta, position)
        {
            return known.score;
        }
        let mut best = -Score::INFINITE;
        if let Some(eval) = eval {
            let value = self.corrected(position, eval, ply);
            best = known.map_or(value, |known| known.refine(value));
            if best >= beta {
                if known.is_none() {
                    let found = Finding { action: None, score: best, depth: 0, bound: Bound::Lower };
                    self.shared.table.store(position, ply, found);
                }
                return best;
            }
        }
        let stand = best;
        let old_alpha = alpha;
        alpha = alpha.max(best);
        let hash = self.hash_action(known, position).and_then(|action| action.short(position.side()));
        let mut picker = if in_check {
            Picker::new(hash, self.frames[ply].killers)
        } else {
            Picker::noisy(hash.filter(|&short| !super::order::is_quiet(position, short)))
        };
        if in_check {
            self.frames[ply].scene = Scene::new(position);
        }
        let context = self.context(ply);
        let mut best_action: Option<Action> = None;
        let mut number = 0;
        let mut quiets = 0;
        while let Some((short, quiet)) = picker.next(position, self.history, &context, self.shared.table) {
            if in_check && quiet && best.get() > -Score::MAX_EVAL.get() {
                quiets += 1;
                if quiets > QUIET_EVASIONS {
                    picker.skip_quiets();
                    continue;
                }
            }
            // A capture that can't bring the value up to the window.
            if !in_check && stand + gain(position, short) + delta() <= alpha {
                continue;
            }
            let mut child = *position;
            child.play_short(short);
            self.frames[ply].played = Slot::new(position, short);
            self.keys.push(position.key());
            let score = -self.quiesce::<PV>(&child, ply + 1, -beta, -alpha);
            self.keys.pop();
            if self.stopped {
                return Score::DRAW;
            }
            number += 1;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_action = Some(short.action());
                    if PV {
                        self.pv.update(ply, short.action());
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if in_check {
            if number == 0 {
                // Only a drop of several pieces could help, and it is not looked for here.
                return if position.has_action() {
                    self.evaluator.evaluate(position, ply)
                } else {
                    Score::mated_in(ply)
                };
            }
            if best.is_loss() && !matches!(larger_sets(position, 0), LargerSets::None) {
                best = Score::UNPROVEN_LOSS;
            }
        }
        let bound = Bound::of(best, old_alpha, beta);
        self.shared.table.store(position, ply, Finding { action: best_action, score: best, depth: 0, bound });
        best
    }
}

/// What a capture or promotion wins at once.
fn gain(position: &Position, short: Short) -> i32 {
    let Some(mv) = short.as_move() else { return 0 };
    let captured = position.kind_at(mv.to()).map_or(100, material);
    captured + mv.promotion().map_or(0, |kind| material(kind) - 100)
}
