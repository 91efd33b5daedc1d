//! The actions of the position itself.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::Limits;
use super::history::{Scene, Slot};
use super::mate::{Effort, mate_in_one};
use super::node::{Trial, action_is_quiet};
use super::parameters::{
    largest_drop, root_exact, root_exact_patient, root_open, root_open_patient, root_sets,
};
use super::reduce::{Late, reduction};
use super::report::Bound;
use super::sets::{LargerSets, MAX_SETS, SetGrower, SetList, Shortlist, larger_sets};
use super::table::Finding;
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::rules::{Position, Wanted};
use crate::types::{Action, Drop, DropSet, Kind, MAX_DROPS, Score};

/// Sets searched in the first iterations, and then fewer and fewer.
const SETS_BY_DEPTH: [usize; 6] = [MAX_SETS, 96, 64, 40, 28, 20];
/// At most this many sets make the root try them all when it looks for a mate.
const ROOT_THOROUGH: u64 = 50_000;
/// Sets added from the neighbourhood of the best one after each iteration.
const NEIGHBOURS: usize = 24;

/// An action of the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootAction {
    /// The action.
    pub action: Action,
    /// Its value in the last iteration; for all but the best only an upper bound.
    pub score: Score,
    /// The line it begins.
    pub pv: Vec<Action>,
}

/// The actions of the root, best first.
#[derive(Clone, Debug, Default)]
pub struct RootList {
    /// The actions.
    pub actions: Vec<RootAction>,
    /// No legal action is missing: only then can the root be proven lost.
    pub complete: bool,
    /// Sets may be added.
    open: bool,
    /// There is time for a closer look.
    patient: bool,
}

impl RootList {
    /// The actions to search: those asked for, or all moves and single drops with all sets (if they are few) or some.
    ///
    /// Looking for a mate, many more sets are few, and more if the search has time.
    pub fn new(position: &Position, limits: &Limits, patient: bool, evaluator: &mut Evaluator) -> Self {
        let thorough = limits.mate.is_some();
        let mut list = Self { patient, ..Self::default() };
        // The values after the actions are counted on from this one.
        let _ = evaluator.evaluate(position, 0);
        if let Some(wanted) = &limits.searchmoves {
            for &action in wanted.iter().filter(|&&action| position.is_legal(action)) {
                if !list.has(action) {
                    list.push(position, action, evaluator);
                }
            }
            list.sort(0);
            return list;
        }
        position.visit_moves(Wanted::ALL, |targets| {
            targets.moves().for_each(|mv| list.push(position, Action::Move(mv), evaluator));
            false
        });
        position.visit_single_drops(|kind, squares| {
            for square in squares {
                let drop = Drop { kind: kind.kind(), square };
                list.push(position, Action::Drops(DropSet::one(drop)), evaluator);
            }
        });
        let effort = Effort { pieces: largest_drop().unsigned_abs() as usize, ..Effort::WHOLE };
        let mate = mate_in_one(position, effort);
        if let Some(mate) = mate {
            if !list.has(mate) {
                list.push(position, mate, evaluator);
            }
            if thorough {
                list.sort(0);
                return list;
            }
        }
        let exact = match () {
            () if thorough => ROOT_THOROUGH,
            // Nothing is better than a mate.
            () if patient && mate.is_none() => root_exact_patient().unsigned_abs().into(),
            () => root_exact().unsigned_abs().into(),
        };
        list.add_sets(position, exact, mate, evaluator);
        list.sort(0);
        list
    }

    /// All sets if there are at most so many, else some; `mate` is in the list already.
    fn add_sets(&mut self, position: &Position, exact: u64, mate: Option<Action>, evaluator: &mut Evaluator) {
        if largest_drop() == 1 {
            return;
        }
        match larger_sets(position, exact) {
            LargerSets::None => self.complete = true,
            _ if position.count_sets(MAX_DROPS) <= exact => {
                let _ = position.visit_sets(MAX_DROPS, |set| {
                    // A mate may be there already.
                    if set.len() > 1 && mate != Some(Action::Drops(set)) {
                        self.push(position, Action::Drops(set), evaluator);
                    }
                    ControlFlow::Continue(())
                });
                self.complete = true;
            }
            _ => {
                self.open = true;
                self.grow_sets(position, mate, evaluator);
            }
        }
    }

    fn has(&self, action: Action) -> bool {
        self.actions.iter().any(|known| known.action == action)
    }

    fn push(&mut self, position: &Position, action: Action, evaluator: &mut Evaluator) {
        // Until it is searched, an action is ordered by the evaluation after it.
        let score = -evaluator.evaluate(&position.after(action), 1);
        self.actions.push(RootAction { action, score, pv: vec![action] });
    }

    /// Orders the actions from this index on by their values; equals keep their order.
    pub fn sort(&mut self, from: usize) {
        self.actions[from..].sort_by_key(|known| -known.score.get());
    }

    /// Puts the line just found in its place: the best of those that are left moves up among the lines before it.
    pub fn rank(&mut self, line: usize) {
        self.sort(line);
        self.actions[..=line].sort_by_key(|known| -known.score.get());
    }

    /// Puts these actions in front, as they are; the others follow by what is known of them.
    pub fn lead(&mut self, lines: &[RootAction]) {
        self.sort(0);
        self.actions.retain(|known| lines.iter().all(|line| line.action != known.action));
        self.actions.splice(..0, lines.iter().cloned());
    }

    /// The first sets, grown from the best single drops of different kinds.
    fn grow_sets(&mut self, position: &Position, mate: Option<Action>, evaluator: &mut Evaluator) {
        let grower = SetGrower::new(position, evaluator, 0, &mut Shortlist::default());
        let mut singles: Vec<(i32, Drop)> = Vec::new();
        position.visit_single_drops(|kind, squares| {
            let mut best: Vec<(i32, Drop)> = squares
                .map(|square| Drop { kind: kind.kind(), square })
                .map(|drop| (grower.gain(drop), drop))
                .collect();
            best.sort_by_key(|&(score, _)| -score);
            let kept = if kind.kind() == Kind::King { 10 } else { 2 };
            singles.extend(best.into_iter().take(kept));
        });
        singles.sort_by_key(|&(score, _)| -score);
        let anchors: Vec<Drop> = singles.into_iter().map(|(_, drop)| drop).collect();
        let mut sets = SetList::new();
        grower.grow(&anchors, root_sets().unsigned_abs() as usize, &mut sets);
        for set in sets {
            if mate != Some(Action::Drops(set)) {
                self.push(position, Action::Drops(set), evaluator);
            }
        }
    }

    /// After an iteration: drops the worst sets, and adds the neighbourhood of the best.
    ///
    /// `width` times as many sets as usual stay.
    pub fn renew(
        &mut self,
        position: &Position,
        depth: u32,
        lines: usize,
        width: usize,
        evaluator: &mut Evaluator,
    ) {
        if !self.open {
            return;
        }
        let kept = (SETS_BY_DEPTH[(depth as usize).min(SETS_BY_DEPTH.len() - 1)] * width).max(lines);
        let mut sets = 0;
        self.actions.retain(|known| {
            let is_set = known.action.drop_count() > 1;
            sets += usize::from(is_set);
            !is_set || sets <= kept
        });
        let best = self.actions.iter().find_map(|known| match known.action {
            Action::Drops(set) => Some(set),
            Action::Move(_) => None,
        });
        let Some(best) = best else { return };
        let mut sets = SetList::new();
        SetGrower::new(position, evaluator, 0, &mut Shortlist::default())
            .neighbours(best, MAX_SETS, &mut sets);
        let mut fresh = Self::default();
        for set in sets {
            if !self.has(Action::Drops(set)) {
                fresh.push(position, Action::Drops(set), evaluator);
            }
        }
        fresh.sort(0);
        fresh.actions.truncate(NEIGHBOURS * width);
        self.actions.append(&mut fresh.actions);
    }
}

impl Worker<'_> {
    /// Searches the root's actions from `first` on. The value is that of the best of them.
    pub fn search_root(
        &mut self,
        position: &Position,
        depth: i32,
        alpha: Score,
        beta: Score,
        first: usize,
    ) -> Score {
        let mut trial = Trial::new(position, 0, depth, alpha, beta);
        trial.open = self.opens_root(depth);
        self.frames[0].scene = Scene::new(position);
        self.frames[0].eval = (!position.in_check()).then(|| self.evaluator.evaluate(position, 0));
        let mut fresh = first..self.root.actions.len();
        // What other threads were busy with comes again at the end.
        let mut put_off = VecDeque::new();
        loop {
            let next = fresh.next();
            let again = next.is_none();
            let Some(index) = next.or_else(|| put_off.pop_front()) else { break };
            let action = self.root.actions[index].action;
            let work = self.shared.busy.whole_work(position, action, depth);
            if let Some(work) = work {
                if !again && trial.number > 0 && self.shared.busy.is_busy(work) {
                    put_off.push_back(index);
                    continue;
                }
                self.shared.busy.begin(work);
            }
            let child = position.after(action);
            let mut less = 0;
            if depth >= 3 && trial.number >= 3 && action_is_quiet(position, action) {
                less = self.root_reduction(&trial, action, &child);
            }
            let slot = action.short(position.side()).and_then(|short| Slot::new(position, short));
            let score = self.try_child::<true>(&trial, &child, slot, less, false);
            if let Some(work) = work {
                self.shared.busy.end(work);
            }
            if self.stopped {
                break;
            }
            self.has_result |= !self.shared.limits.whole_first || depth > 1;
            trial.number += 1;
            let known = &mut self.root.actions[index];
            known.score = score;
            if score > trial.best {
                trial.best = score;
            }
            if trial.number == 1 || score > trial.alpha {
                known.pv.clear();
                known.pv.push(action);
                known.pv.extend_from_slice(self.pv.line(1));
            }
            if score > trial.alpha {
                trial.best_action = Some(action);
                if first == 0 {
                    // Within the window the value is exact: good enough to answer with, should the time end now. But
                    // that one action loses says nothing of those that have not been searched yet.
                    let loses = score.get() <= -Score::MAX_EVAL.get();
                    self.root_best = (score < beta && !loses).then(|| self.root.actions[index].clone());
                }
                trial.alpha = score;
                if score >= beta {
                    break;
                }
            }
        }
        if !self.stopped && first == 0 {
            self.store_root(&trial, alpha);
        }
        trial.best
    }

    /// Are all actions of the root searched with an open window in an iteration of this depth?
    pub(super) fn opens_root(&self, depth: i32) -> bool {
        depth <= if self.root.patient { root_open_patient() } else { root_open() }
    }

    /// How many plies less deep a late quiet action is searched: one fewer than elsewhere on the principal variation.
    fn root_reduction(&self, trial: &Trial, action: Action, child: &Position) -> i32 {
        let position = trial.position;
        let checks = i32::from(child.in_check());
        let Some(short) = action.short(position.side()) else {
            return reduction(trial.depth, trial.number) / 100 - 1 - checks;
        };
        let history = Some(self.history.get(position, short, &self.context(0)));
        let checks = checks + i32::from(position.in_check());
        let late = Late { pv: true, cut: false, improving: true, noisy_hash: false, checks, history };
        late.reduction(trial.depth, trial.number) - 1
    }

    fn store_root(&self, trial: &Trial, alpha: Score) {
        let bound = Bound::of(trial.best, alpha, trial.beta);
        let score = self.claimable(trial.best);
        let found = Finding { action: trial.best_action, score, depth: trial.depth, bound };
        if self.shared.limits.searchmoves.is_none() {
            self.shared.table.store(trial.position, 0, found);
        }
    }

    /// A loss is claimed only if no legal action is missing from the root.
    pub fn claimable(&self, score: Score) -> Score {
        if score.is_loss() && !self.root.complete { Score::UNPROVEN_LOSS } else { score }
    }
}
