//! Every position below the root, until its depth is used up.
//!
//! Nodes of the *principal variation* are searched with an open window. The others only prove that their value lies on
//! one side of a number: *cut nodes* are expected to refute the action that led to them with one of their first actions,
//! *all nodes* to find that none of theirs helps.
//!
//! **Mates are claimed only when proven.** A win needs one action whose answer is a proven loss. A loss needs every legal
//! action to be refuted: a node that has left any out, by pruning or because its drop sets are too many, gives
//! [`Score::UNPROVEN_LOSS`] instead.

use arrayvec::ArrayVec;

use super::exchange;
use super::history::{Scene, Slot, bonus};
use super::mate::{Effort, mating_set};
use super::order::{Picker, is_quiet};
use super::parameters::{
    exact_limit, exchange_ply, futility_base, futility_ply, history_blame, internal_depth, judge_before,
    judge_most, largest_drop, late_base, late_improving, late_square, mate_depth, mate_pieces, mate_sets,
    node_sets, pruning_depth, pv_sets, reward_before, sets_depth,
};
use super::prune::Quiet;
use super::reduce::{Late, reduction};
use super::report::Bound;
use super::sets::{LargerSets, SetGrower, SetList, all_larger_sets, larger_sets};
use super::singular::Singular;
use super::table::{Finding, Known};
use super::worker::{Tried, Worker, add_killer};
use crate::rules::Position;
use crate::types::{Action, Drop, DropSet, MAX_PLY, Score, Short};

/// A node while its actions are being tried.
pub(super) struct Trial<'p> {
    pub position: &'p Position,
    pub ply: usize,
    pub depth: i32,
    /// The depth that the result counts as.
    pub wanted: i32,
    pub alpha: Score,
    pub beta: Score,
    pub best: Score,
    pub best_action: Option<Action>,
    /// Actions tried so far.
    pub number: usize,
    /// Some legal action was left out: a loss is not proven.
    pub incomplete: bool,
    /// All actions are searched with the open window.
    pub open: bool,
    /// The quiet action being tried.
    playing: Option<Short>,
    /// An action that is not to be tried.
    pub excluded: Option<Short>,
    /// How much deeper the hash action is searched.
    extend_hash: i32,
    /// Quiet actions tried without success.
    quiets: Tried,
    /// Captures and promotions tried without success.
    captures: Tried,
    /// The best single drops by their searched values, best first.
    anchors: ArrayVec<(Score, Drop), 3>,
}

impl<'p> Trial<'p> {
    pub fn new(position: &'p Position, ply: usize, depth: i32, alpha: Score, beta: Score) -> Self {
        Self {
            position,
            ply,
            depth,
            wanted: depth,
            alpha,
            beta,
            best: -Score::INFINITE,
            best_action: None,
            number: 0,
            incomplete: false,
            open: false,
            playing: None,
            excluded: None,
            extend_hash: 0,
            quiets: Tried::new(),
            captures: Tried::new(),
            anchors: ArrayVec::new(),
        }
    }

    /// Remembers a good start for drop sets.
    fn add_anchor(&mut self, score: Score, drop: Drop) {
        let place = self.anchors.iter().position(|&(other, _)| score > other).unwrap_or(self.anchors.len());
        if place < self.anchors.capacity() {
            if self.anchors.is_full() {
                self.anchors.pop();
            }
            self.anchors.insert(place, (score, drop));
        }
    }

    /// A value above the window says less, the less deep it was searched: it is drawn towards the window.
    fn temper(&mut self) {
        let ordinary = |score: Score| score.get().abs() < Score::MAX_EVAL.get();
        if self.best > self.beta && ordinary(self.best) && ordinary(self.beta) {
            let (best, beta) = (self.best.get(), self.beta.get());
            self.best = Score::cp((best * self.depth + beta) / (self.depth + 1));
        }
    }

    /// May actions be left out? Not while everything so far loses.
    fn may_prune(&self) -> bool {
        self.best.get() > -Score::MAX_EVAL.get()
    }
}

impl Worker<'_> {
    /// The value of a position within a window, searched to a depth.
    pub fn node<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        mut depth: i32,
        mut alpha: Score,
        mut beta: Score,
        cut: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce::<PV>(position, ply, alpha, beta);
        }
        if self.enter(ply) {
            return Score::DRAW;
        }
        // Step 1. Draws.
        if let Some(score) = self.drawn(position, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluator.evaluate(position, ply);
        }
        // Step 2. Mate distance: nothing here can be better than a mate already found nearer to the root.
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        // Step 3. Static evaluation. It comes before the table is asked because that takes so long to answer.
        let raw = (!position.in_check()).then(|| self.evaluator.evaluate(position, ply));
        // Step 4. Transposition table. What it says of the node does not hold for the node without an action.
        let excluded = self.frames[ply].excluded;
        let known = if excluded.is_none() { self.shared.table.probe(position, ply) } else { None };
        if let Some(known) = known
            && !PV
            && known.depth >= depth
            && settles(known, alpha, beta, position)
        {
            return known.score;
        }
        let hash = self.hash_action(known, position);
        // Step 5. A drop that mates.
        let thorough = self.is_thorough();
        // What quiescence has left in the table says nothing of it.
        if known.is_none_or(|known| known.depth <= 0)
            && excluded.is_none()
            && (thorough || depth >= mate_depth())
            && let Some(set) = mating_drop(position, thorough)
        {
            return self.mates(position, ply, set);
        }
        let eval = raw.map(|raw| self.corrected(position, raw, ply));
        self.frames[ply].eval = eval;
        self.frames[ply + 2].killers = [None; 2];
        if excluded.is_none() {
            self.judge_action_before(position, ply);
        }
        let before = ply.checked_sub(2).and_then(|ply| self.frames[ply].eval);
        let improving = matches!((eval, before), (Some(now), Some(before)) if now > before);
        if !PV
            && !thorough
            && excluded.is_none()
            && let Some(eval) = eval
        {
            // What is known of the node may be a better estimate than its evaluation.
            let estimate = known.map_or(eval, |known| known.refine(eval));
            let node = Quiet { position, ply, depth, alpha, beta, eval: estimate, improving };
            if let Some(score) = self.prune_node(&node, cut) {
                return score;
            }
            if self.stopped {
                return Score::DRAW;
            }
        }
        // Step 10. Internal reduction: without a hash action the order is a guess, so search less deep. The result counts as
        // the whole depth: another thread that comes by would do it again otherwise.
        let wanted = depth;
        if depth >= internal_depth() && hash.is_none() && (PV || cut) && !thorough && excluded.is_none() {
            depth -= 1;
        }
        let mut trial = Trial::new(position, ply, depth, alpha, beta);
        trial.wanted = wanted;
        trial.excluded = excluded;
        if let Some(known) = known
            && ply > 0
            && !thorough
        {
            match self.singular(&trial, known, hash, cut) {
                Singular::No => {}
                Singular::Extend => trial.extend_hash = 1,
                Singular::Cut(score) => return score,
            }
        }
        if self.stopped {
            return Score::DRAW;
        }
        self.try_actions::<PV>(&mut trial, hash, cut, improving);
        if self.stopped {
            return Score::DRAW;
        }
        self.conclude(trial, alpha)
    }

    /// The action that the table has for a position. It is likely to be tried, so the table is asked for what comes after.
    pub(super) fn hash_action(&self, known: Option<Known>, position: &Position) -> Option<Action> {
        let action = self.shared.table.action(known?.hint, position)?;
        if let Some(short) = action.short(position.side()) {
            self.shared.table.prefetch(position.key_soon(short));
        }
        Some(action)
    }

    /// The evaluation, corrected by how far it was off in positions like this.
    pub(super) fn corrected(&self, position: &Position, raw: Score, ply: usize) -> Score {
        let off = self.history.correction(position, self.earlier(ply)) / 64;
        let limit = Score::MAX_EVAL;
        (raw + off).clamp(-limit, limit)
    }

    /// A drop mates: the value is proven.
    fn mates(&mut self, position: &Position, ply: usize, set: DropSet) -> Score {
        let action = Action::Drops(set);
        let score = Score::mate_in(ply + 1);
        self.pv.clear(ply + 1);
        self.pv.update(ply, action);
        let found = Finding { action: Some(action), score, depth: MAX_PLY as i32, bound: Bound::Exact };
        self.shared.table.store(position, ply, found);
        score
    }

    /// Steps 12 to 15: the actions, until one cuts off.
    fn try_actions<const PV: bool>(
        &mut self,
        trial: &mut Trial,
        hash: Option<Action>,
        cut: bool,
        improving: bool,
    ) {
        let (position, ply) = (trial.position, trial.ply);
        let hash_short = hash.and_then(|action| action.short(position.side()));
        // Step 12. A hash action of several pieces.
        let hash_set = match hash {
            Some(Action::Drops(set)) if hash_short.is_none() => Some(set),
            _ => None,
        };
        if let Some(set) = hash_set
            && self.try_set::<PV>(trial, set, cut)
        {
            return;
        }
        self.frames[ply].scene = Scene::new(position);
        let context = self.context(ply);
        let noisy_hash = hash_short.is_some_and(|short| !is_quiet(position, short));
        let mut picker = Picker::new(hash_short, self.frames[ply].killers);
        // While all actions of the root are compared, their answers are not pruned either.
        let compares = PV && self.opens_root(self.depth as i32);
        let may_leave_out = !compares && !position.in_check() && !self.is_thorough();
        // What other threads were busy with comes again when everything else has been searched.
        let mut put_off: ArrayVec<(Short, bool, bool), 32> = ArrayVec::new();
        loop {
            let fresh = picker.next(position, self.history, &context, self.shared.table);
            let again = fresh.is_none();
            let fresh = fresh.map(|(short, quiet)| (short, quiet, picker.is_losing()));
            let Some((short, quiet, losing)) = fresh.or_else(|| put_off.pop_at(0)) else { break };
            if Some(short) == trial.excluded {
                continue;
            }
            let mut child = *position;
            child.play_short(short);
            // Step 13. Actions that are unlikely to matter near the horizon.
            if may_leave_out && trial.may_prune() {
                match self.leave_out(trial, short, quiet, child.in_check(), improving) {
                    LeaveOut::No => {}
                    LeaveOut::This => {
                        trial.incomplete = true;
                        continue;
                    }
                    LeaveOut::AllQuiets => {
                        trial.incomplete = true;
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            // Step 14. Late actions are searched less deep, and again if they surprise.
            let mut less = 0;
            if trial.depth >= 3 && trial.number > usize::from(PV) && (quiet || losing) {
                let history = quiet.then(|| self.history.get(position, short, &context));
                let checks = i32::from(child.in_check()) + i32::from(position.in_check());
                let late = Late { pv: PV, cut, improving, noisy_hash, checks, history };
                less = late.reduction(trial.depth, trial.number);
            }
            if Some(short) == hash_short {
                less = -trial.extend_hash;
            }
            let busy = &self.shared.busy;
            let work = busy.work(position, short, trial.depth);
            if let Some(work) = work {
                if !again
                    && trial.number > 0
                    && busy.is_busy(work)
                    && put_off.try_push((short, quiet, losing)).is_ok()
                {
                    continue;
                }
                busy.begin(work);
            }
            let slot = Slot::new(position, short);
            trial.playing = quiet.then_some(short);
            let score = self.try_child::<PV>(trial, &child, slot, less, cut);
            if let Some(work) = work {
                self.shared.busy.end(work);
            }
            if self.stopped {
                return;
            }
            if let Some(drop) = short.as_drop() {
                trial.add_anchor(score, drop);
            }
            if self.note::<PV>(trial, short.action(), score) {
                if quiet {
                    self.reward_cutoff(trial, short.action());
                    add_killer(&mut self.frames[ply].killers, short);
                } else {
                    self.history.reward_capture(position, short, bonus(trial.depth));
                }
                for &capture in &trial.captures {
                    self.history.reward_capture(position, capture, -bonus(trial.depth));
                }
                return;
            }
            let tried = if quiet { &mut trial.quiets } else { &mut trial.captures };
            let _ = tried.try_push(short);
        }
        // Step 15. Drop sets, only now: nothing smaller was good enough.
        self.try_sets::<PV>(trial, hash_set, cut);
    }

    /// Is this action, or all quiet ones from here on, not worth trying at this depth? One that gives check is left out only
    /// if it loses material.
    fn leave_out(&self, trial: &Trial, short: Short, quiet: bool, checks: bool, improving: bool) -> LeaveOut {
        let depth = trial.depth;
        if depth > pruning_depth() {
            return LeaveOut::No;
        }
        if quiet && !checks {
            // Late actions: by now the good ones have been tried.
            let times = if improving { late_improving() } else { 100 };
            let enough = ((100 * late_base() + late_square() * depth * depth) * times / 10_000) as usize;
            if trial.number >= enough {
                return LeaveOut::AllQuiets;
            }
            // Futility: the evaluation is so far below the window that a quiet action will not bring it there.
            let eval = self.frames[trial.ply].eval.unwrap_or(Score::INFINITE);
            if eval + futility_base() + futility_ply() * depth <= trial.alpha {
                return LeaveOut::AllQuiets;
            }
        }
        let threshold = -exchange_ply() * if quiet { depth } else { depth * depth };
        let holds = match (short.as_move(), short.as_drop()) {
            (Some(mv), _) => exchange::wins_at_least(trial.position, mv, threshold),
            (None, Some(drop)) => exchange::drop_wins_at_least(trial.position, drop, threshold),
            (None, None) => true,
        };
        if holds { LeaveOut::No } else { LeaveOut::This }
    }

    /// Searches a child: the first action with the open window, the others only to show that they are not better.
    pub(super) fn try_child<const PV: bool>(
        &mut self,
        trial: &Trial,
        child: &Position,
        slot: Option<Slot>,
        less: i32,
        cut: bool,
    ) -> Score {
        let (ply, alpha, beta) = (trial.ply, trial.alpha, trial.beta);
        self.frames[ply].played = slot;
        self.frames[ply].quiet = trial.playing;
        self.keys.push(trial.position.key());
        // Below zero, `less` is an extension, of one ply at most.
        let depth = trial.depth - 1 - less.clamp(-1, 0);
        let less = if self.is_thorough() { 0 } else { less };
        let mut score = -Score::INFINITE;
        let open = trial.number == 0 || trial.open;
        if !PV || !open {
            let reduced = (depth - less.max(0)).max(1).min(depth);
            score = -self.node::<false>(child, ply + 1, reduced, -alpha - 1, -alpha, true);
            if score > alpha && reduced < depth {
                score = -self.node::<false>(child, ply + 1, depth, -alpha - 1, -alpha, !cut);
            }
        }
        if PV && (open || score > alpha) {
            score = -self.node::<true>(child, ply + 1, depth, -beta, -alpha, false);
        }
        self.keys.pop();
        score
    }

    /// Takes note of an action's value; true if it cuts off.
    fn note<const PV: bool>(&mut self, trial: &mut Trial, action: Action, score: Score) -> bool {
        trial.number += 1;
        if score > trial.best {
            trial.best = score;
            if score > trial.alpha {
                trial.best_action = Some(action);
                if PV {
                    self.pv.update(trial.ply, action);
                }
                if score >= trial.beta {
                    return true;
                }
                trial.alpha = score;
            }
        }
        false
    }

    /// Searches one drop set; true if it cuts off or the search is broken off.
    fn try_set<const PV: bool>(&mut self, trial: &mut Trial, set: DropSet, cut: bool) -> bool {
        let mut child = *trial.position;
        child.play_set(set);
        self.shared.table.prefetch(child.key());
        let mut less = 0;
        if trial.depth >= 3 && trial.number > 2 {
            less = reduction(trial.depth, trial.number) / 100 - i32::from(PV) - i32::from(child.in_check());
        }
        trial.playing = None;
        let score = self.try_child::<PV>(trial, &child, None, less, cut);
        if self.stopped {
            return true;
        }
        let action = Action::Drops(set);
        let cuts = self.note::<PV>(trial, action, score);
        if cuts {
            self.reward_cutoff(trial, action);
            add_killer(&mut self.frames[trial.ply].killer_sets, set);
        }
        cuts
    }

    /// Sets of two and more pieces: all of them where they are few, else those that cut off at this ply lately and some
    /// grown from the best single drops.
    fn try_sets<const PV: bool>(&mut self, trial: &mut Trial, tried: Option<DropSet>, cut: bool) {
        let position = trial.position;
        if largest_drop() == 1 {
            trial.incomplete = true;
            return;
        }
        let width = 1 + self.shared.limits.wider;
        let limit =
            if self.is_thorough() { THOROUGH_SETS } else { exact_limit(trial.depth) * u64::from(width) };
        match larger_sets(position, limit) {
            LargerSets::None => {}
            LargerSets::Few => {
                let sets = all_larger_sets(position, &mut self.evaluator, trial.ply);
                self.try_each::<PV>(trial, &sets, tried, cut);
            }
            LargerSets::Many => {
                trial.incomplete = true;
                let nothing_tried = trial.number == 0;
                let killers = self.frames[trial.ply].killer_sets.into_iter().flatten();
                let mut sets: SetList = killers.filter(|&set| position.is_legal_set(set)).collect();
                if self.try_each::<PV>(trial, &sets, tried, cut) {
                    return;
                }
                let needed = nothing_tried || !trial.may_prune();
                let budget = match () {
                    () if PV => pv_sets(),
                    () if needed => 2 * node_sets(),
                    () if trial.depth >= sets_depth() => node_sets(),
                    () => 0,
                };
                if budget == 0 {
                    return;
                }
                let anchors: ArrayVec<Drop, 3> = trial.anchors.iter().map(|&(_, drop)| drop).collect();
                let first = sets.len();
                let list = &mut self.shortlists[trial.ply];
                SetGrower::new(position, &mut self.evaluator, trial.ply, list).grow(
                    &anchors,
                    (budget.unsigned_abs() * width) as usize,
                    &mut sets,
                );
                self.try_each::<PV>(trial, &sets[first..], tried, cut);
            }
        }
    }

    /// Searches these sets but that which has been tried; true if one cuts off or the search is broken off.
    fn try_each<const PV: bool>(
        &mut self,
        trial: &mut Trial,
        sets: &[DropSet],
        tried: Option<DropSet>,
        cut: bool,
    ) -> bool {
        sets.iter().any(|&set| Some(set) != tried && self.try_set::<PV>(trial, set, cut))
    }

    fn reward_cutoff(&mut self, trial: &Trial, action: Action) {
        let context = self.context(trial.ply);
        let bonus = bonus(trial.depth);
        self.history.reward_action(trial.position, action, &context, bonus);
        for &quiet in &trial.quiets {
            // A drop that is part of the best set has not failed.
            let shared = match (quiet.as_drop(), action) {
                (Some(drop), Action::Drops(set)) => set.codes().any(|code| code == drop.code()),
                _ => false,
            };
            if !shared {
                self.history.reward(trial.position, quiet, &context, -bonus * history_blame() / 100);
            }
        }
    }

    /// What a quiet action did to the evaluation says something of it before anything is searched.
    fn judge_action_before(&mut self, position: &Position, ply: usize) {
        let Some(before) = ply.checked_sub(1) else { return };
        let frame = &self.frames[before];
        if let (Some(now), Some(then), Some(short)) = (self.frames[ply].eval, frame.eval, frame.quiet) {
            let better = -(now.get() + then.get());
            let bonus = (better * judge_before() / 10).clamp(-judge_most(), judge_most());
            self.history.reward_alone(!position.side(), short, &self.context(before), bonus);
        }
    }

    /// Where no action is good enough, the quiet action that led there was a good one.
    fn reward_action_before(&mut self, position: &Position, ply: usize, depth: i32) {
        let Some(before) = ply.checked_sub(1) else { return };
        let frame = &self.frames[before];
        if let (Some(short), Some(slot)) = (frame.quiet, frame.played) {
            let context = self.context(before);
            let bonus = bonus(depth) * reward_before() / 100;
            self.history.reward_played(!position.side(), short, slot, &context, bonus);
        }
    }

    /// Step 16. The value of the node, and its record.
    fn conclude(&mut self, mut trial: Trial, alpha: Score) -> Score {
        let position = trial.position;
        if trial.excluded.is_some() {
            // The value without one action is nobody else's business.
            return trial.best.max(Score::UNPROVEN_LOSS);
        }
        if trial.number == 0 {
            // Nothing was tried: mate, stalemate, or only sets that the generator did not find.
            return match (position.has_action(), position.in_check()) {
                (true, _) => self.evaluator.evaluate(position, trial.ply),
                (false, true) => Score::mated_in(trial.ply),
                (false, false) => Score::DRAW,
            };
        }
        if trial.incomplete {
            trial.best = trial.best.max(Score::UNPROVEN_LOSS);
        }
        trial.temper();
        let bound = Bound::of(trial.best, alpha, trial.beta);
        let found = Finding { action: trial.best_action, score: trial.best, depth: trial.wanted, bound };
        self.shared.table.store(position, trial.ply, found);
        if bound == Bound::Upper {
            self.reward_action_before(position, trial.ply, trial.depth);
        }
        if let Some(eval) = self.frames[trial.ply].eval {
            self.learn_correction(&trial, eval, bound);
        }
        trial.best
    }
}

impl Worker<'_> {
    /// Where the value came from quiet play and contradicts the evaluation, the evaluation of such positions is off.
    fn learn_correction(&mut self, trial: &Trial, eval: Score, bound: Bound) {
        let quiet = trial.best_action.is_none_or(|action| action_is_quiet(trial.position, action));
        let says_more = match bound {
            Bound::Exact => true,
            Bound::Lower => trial.best > eval,
            Bound::Upper => trial.best < eval,
        };
        if quiet && says_more && trial.best.get().abs() < Score::MAX_EVAL.get() {
            let earlier = self.earlier(trial.ply);
            self.history.learn_correction(trial.position, earlier, trial.best - eval, trial.depth);
        }
    }
}

enum LeaveOut {
    No,
    This,
    AllQuiets,
}

/// A drop that mates at once, if one is found with little effort, or with any.
fn mating_drop(position: &Position, thorough: bool) -> Option<DropSet> {
    if thorough {
        return mating_set(position, Effort::WHOLE);
    }
    let pieces = mate_pieces().min(largest_drop()).unsigned_abs() as usize;
    mating_set(position, Effort { pieces, sets: mate_sets().unsigned_abs() })
}

/// Looking for a mate, nodes with at most this many sets try them all.
const THOROUGH_SETS: u64 = 5000;

/// Does what the table knows end the search of this node?
pub(super) fn settles(known: Known, alpha: Score, beta: Score, position: &Position) -> bool {
    // Near the fifty-action draw, values found with more actions to go may be wrong.
    if position.halfmove_clock() >= 80 {
        return false;
    }
    match known.bound {
        Bound::Exact => true,
        Bound::Lower => known.score >= beta,
        Bound::Upper => known.score <= alpha,
    }
}

/// Neither a capture nor a promotion, whatever the action.
pub fn action_is_quiet(position: &Position, action: Action) -> bool {
    action.short(position.side()).is_none_or(|short| is_quiet(position, short))
}
