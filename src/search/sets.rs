//! Drop sets for the search, grown instead of enumerated.
//!
//! A set is a start (the node's best searched single drops, minimal blocks in check, a king with its blockers before the
//! first action) and a greedy completion of it: the drop that adds most to the evaluation, again and again. Greedy
//! extension is close to the best the evaluation can see; what it misses is tactics, which the searched starts bring in
//! and, at the root, the neighbourhood of the best set (search-design.md, 4.1 and 5.3).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::parameters::worth_dropping;
use crate::eval::{DropValues, Evaluator};
use crate::rules::Position;
use crate::types::{Bitboard, Color, Drop, DropSet, Kind, MAX_DROPS, Reserve, ReserveKind, Square};

/// The most sets one node ever looks at.
pub const MAX_SETS: usize = 192;
/// Candidate squares kept for each kind while a set grows; pawns need more, being more.
const KEPT: usize = 5;
const KEPT_PAWNS: usize = 12;
/// King squares looked at for a first action.
const KINGS: usize = 10;
/// The most blockers tried on each of several checking lines; twice as many on a single one.
const BLOCKERS: usize = 4;

/// Different sets in the order in which they were found.
pub type SetList = ArrayVec<DropSet, MAX_SETS>;

/// Drops worth thinking of, with what each adds alone.
type Candidates = ArrayVec<(i32, Drop), { 7 * KEPT_PAWNS }>;
/// How often squares found good are taken for the good ones of the next position at the same ply before all are looked
/// at again.
const REUSED: u8 = 31;
/// Gains looked at anew before a set grows by the best of them.
const RENEWED: usize = 6;

/// For each kind in reserve the squares that were good in the last position at a ply whose squares were all looked at.
/// From one position to the next at the same ply little changes.
#[derive(Clone, Copy, Default)]
pub struct Shortlist {
    squares: [Bitboard; 7],
    /// How often they may still be used.
    left: u8,
}

/// A set while it grows.
#[derive(Clone)]
struct Growth<'a> {
    us: Color,
    values: DropValues<'a>,
    set: DropSet,
    reserve: Reserve,
    occupied: Bitboard,
    /// The value of what is in the set.
    value: i32,
}

impl<'a> Growth<'a> {
    fn new(position: &Position, values: DropValues<'a>) -> Self {
        let us = position.side();
        Self {
            us,
            value: values.value_so_far(),
            values,
            set: DropSet::EMPTY,
            reserve: position.reserve(us),
            occupied: position.occupied(),
        }
    }

    fn landing(&self, kind: ReserveKind) -> Bitboard {
        kind.squares(self.us) - self.occupied
    }

    /// What one more drop adds, in centipawns.
    fn gain(&self, drop: Drop) -> i32 {
        self.values.value(drop) - self.value
    }

    fn can_add(&self, drop: Drop) -> bool {
        self.reserve.has(drop.kind.reserve_kind(drop.square)) && !self.occupied.has(drop.square)
    }

    fn add(&mut self, drop: Drop) {
        self.values.add(drop);
        self.value = self.values.value_so_far();
        self.set = self.set.with(drop);
        self.reserve = self.reserve.without(drop.kind.reserve_kind(drop.square));
        self.occupied |= drop.square;
    }

    /// The same with these drops added, the king first.
    fn with(&self, set: DropSet) -> Self {
        let mut growth = self.clone();
        let (kings, others): (ArrayVec<Drop, MAX_DROPS>, ArrayVec<Drop, MAX_DROPS>) =
            set.drops(growth.us).partition(|drop| drop.kind == Kind::King);
        kings.into_iter().chain(others).for_each(|drop| growth.add(drop));
        growth
    }

    /// The best squares of each kind in reserve, best first; of those on the list while it is fresh and long enough.
    fn candidates(&self, list: &mut Shortlist) -> Candidates {
        let mut candidates = Candidates::new();
        let stale = list.left == 0;
        list.left = if stale { REUSED } else { list.left - 1 };
        for kind in self.reserve.kinds() {
            let kept = if kind == ReserveKind::Pawn { KEPT_PAWNS } else { KEPT };
            let landing = self.landing(kind);
            let listed = &mut list.squares[kind as usize];
            let known = landing & *listed;
            let anew = stale || known.count() < kept as u32;
            let mut scored: ArrayVec<(i32, Drop), 32> = if anew { landing } else { known }
                .map(|square| Drop { kind: kind.kind(), square })
                .map(|drop| (self.gain(drop), drop))
                .collect();
            scored.sort_by_key(|&(gain, _)| -gain);
            if anew {
                *listed = scored.iter().take(2 * kept).map(|(_, drop)| drop.square).collect();
            }
            candidates.extend(scored.into_iter().take(kept));
        }
        candidates
    }

    /// The drop that adds most, or nearly so.
    ///
    /// Gains change little while a set grows, so those known from before say which are worth looking at anew: the first
    /// whose gain still is at least what the others promise is taken (lazy greedy evaluation, M. Minoux 1978).
    fn best(&self, known: &mut Candidates) -> Option<(i32, Drop)> {
        known.retain(|&mut (_, drop)| self.can_add(drop));
        let mut best: Option<(i32, Drop)> = None;
        for renewed in 0..RENEWED {
            let rest = known.get_mut(renewed..)?;
            let promising = rest.iter().enumerate().max_by_key(|(_, (gain, _))| *gain);
            let Some((index, &(promised, drop))) = promising else { break };
            if best.is_some_and(|(gain, _)| gain >= promised) {
                break;
            }
            rest.swap(0, index);
            rest[0].0 = self.gain(drop);
            if best.is_none_or(|(gain, _)| rest[0].0 > gain) {
                best = Some(rest[0]);
            }
        }
        best
    }
}

/// Grows sets for one position.
pub struct SetGrower<'a> {
    position: &'a Position,
    start: Growth<'a>,
    /// The best squares of each kind in reserve; before the first action only the king's, since the others depend on it.
    candidates: Candidates,
}

impl<'a> SetGrower<'a> {
    /// A grower for the side to act, at a ply of the search, with the list of that ply; with a new list it looks at all
    /// squares.
    pub fn new(
        position: &'a Position,
        evaluator: &'a mut Evaluator,
        ply: usize,
        list: &mut Shortlist,
    ) -> Self {
        let start = Growth::new(position, evaluator.drop_values(position, ply));
        let candidates = if position.king(start.us).is_some() {
            start.candidates(list)
        } else {
            let mut kings: ArrayVec<(i32, Drop), 32> = start
                .landing(ReserveKind::King)
                .map(|square| Drop { kind: Kind::King, square })
                .map(|drop| (start.gain(drop), drop))
                .collect();
            kings.sort_by_key(|&(gain, _)| -gain);
            kings.into_iter().take(KINGS).collect()
        };
        Self { position, start, candidates }
    }

    /// Adds to `sets` up to `budget` different legal sets of two or more pieces, grown from these single drops (best
    /// first) or, in check, from the cheapest blocks.
    pub fn grow(&self, anchors: &[Drop], budget: usize, sets: &mut SetList) {
        let limit = (sets.len() + budget).min(MAX_SETS);
        let us = self.position.side();
        match self.position.king(us) {
            Some(_) if !self.position.in_check() => {
                let best = self.candidates.iter().max_by_key(|(gain, _)| *gain);
                for drop in anchors.iter().copied().chain(best.map(|&(_, drop)| drop)) {
                    self.complete(DropSet::one(drop), limit, sets);
                }
            }
            Some(king) => self.grow_blocks(DropSet::EMPTY, king, limit, sets),
            None => {
                for king in self.kings(anchors) {
                    let alone = DropSet::one(Drop { kind: Kind::King, square: king });
                    if self.position.check_lines(king).is_safe() {
                        self.complete(alone, limit, sets);
                    } else {
                        self.grow_blocks(alone, king, limit, sets);
                    }
                }
            }
        }
    }

    /// King squares for the first action: the anchors', then those that score best.
    fn kings(&self, anchors: &[Drop]) -> ArrayVec<Square, { 2 * KINGS }> {
        let mut kings: ArrayVec<Square, { 2 * KINGS }> = ArrayVec::new();
        let anchored = anchors.iter().filter(|drop| drop.kind == Kind::King);
        let scored = self.candidates.iter().map(|(_, drop)| drop).filter(|drop| drop.kind == Kind::King);
        for drop in anchored.chain(scored) {
            if !kings.contains(&drop.square) {
                let _ = kings.try_push(drop.square);
            }
        }
        kings
    }

    /// In check (or with a king that lands in check): sets that block every line with one piece each, and their
    /// completions.
    fn grow_blocks(&self, start: DropSet, king: Square, limit: usize, sets: &mut SetList) {
        if sets.len() >= limit {
            return;
        }
        let checks = self.position.check_lines(king);
        let Some(lines) = checks.lines() else { return };
        let mut blocks: ArrayVec<(i32, DropSet), 64> = ArrayVec::new();
        // With several lines the products grow fast: fewer blockers each.
        let most = if lines.len() > 1 { BLOCKERS } else { 2 * BLOCKERS };
        block(lines, most, &self.start.with(start), &mut blocks);
        blocks.sort_by_key(|&(score, _)| -score);
        for &(_, set) in blocks.iter().filter(|(_, set)| set.len() > 1) {
            push(set, limit, sets);
        }
        for &(_, set) in blocks.iter().take(2) {
            self.complete(set, limit, sets);
        }
    }

    /// Grows a legal start greedily; adds the sets of one, two and three pieces more, and the whole.
    fn complete(&self, start: DropSet, limit: usize, sets: &mut SetList) {
        if sets.len() >= limit {
            return;
        }
        let mut growth = self.start.with(start);
        let first = self.position.king(growth.us).is_none();
        let mut candidates =
            if first { growth.candidates(&mut Shortlist::default()) } else { self.candidates.clone() };
        let mut added = 0;
        while growth.set.len() < MAX_DROPS && sets.len() < limit {
            let Some((gain, drop)) = growth.best(&mut candidates) else { break };
            if gain < worth_dropping() {
                break;
            }
            growth.add(drop);
            added += 1;
            if added <= 3 {
                push(growth.set, limit, sets);
            }
        }
        push(growth.set, limit, sets);
    }

    /// Adds sets that differ from `best` by one drop: left out, added, moved to another square, exchanged for another
    /// kind.
    pub fn neighbours(&self, best: DropSet, budget: usize, sets: &mut SetList) {
        let us = self.position.side();
        let limit = (sets.len() + budget).min(MAX_SETS);
        let candidates = if self.position.king(us).is_some() {
            self.candidates.clone()
        } else {
            let king = best.drops(us).find(|drop| drop.kind == Kind::King);
            let after =
                king.map(|king| self.start.with(DropSet::one(king)).candidates(&mut Shortlist::default()));
            after.into_iter().flatten().chain(self.candidates.iter().copied()).collect()
        };
        let mut offer = |set: DropSet| {
            if set.len() > 1 && self.position.is_legal_set(set) {
                push(set, limit, sets);
            }
        };
        if best.len() < MAX_DROPS {
            for &(_, drop) in &candidates {
                if !best.drops(us).any(|other| other.square == drop.square) {
                    offer(best.with(drop));
                }
            }
        }
        for code in best.codes() {
            let without = best.without_code(code);
            offer(without);
            for &(_, drop) in &candidates {
                if !without.drops(us).any(|other| other.square == drop.square) {
                    offer(without.with(drop));
                }
            }
        }
    }

    /// What a single drop adds.
    pub fn gain(&self, drop: Drop) -> i32 {
        self.start.gain(drop)
    }
}

/// Adds the ways to block each of these lines with one piece, at most so many for each.
fn block(lines: &[Bitboard], most: usize, growth: &Growth, blocks: &mut ArrayVec<(i32, DropSet), 64>) {
    let Some((&line, others)) = lines.split_first() else {
        let _ = blocks.try_push((growth.value, growth.set));
        return;
    };
    let mut blockers: ArrayVec<(i32, Drop), { 7 * 7 }> = ArrayVec::new();
    for kind in growth.reserve.kinds() {
        for square in growth.landing(kind) & line {
            let drop = Drop { kind: kind.kind(), square };
            let _ = blockers.try_push((growth.gain(drop), drop));
        }
    }
    blockers.sort_by_key(|&(gain, _)| -gain);
    for &(_, drop) in blockers.iter().take(most) {
        let mut blocked = growth.clone();
        blocked.add(drop);
        block(others, most, &blocked, blocks);
    }
}

/// How many legal sets of two and more pieces there are.
pub(super) enum LargerSets {
    /// None at all: moves and single drops are everything.
    None,
    /// So few that all can be tried.
    Few,
    /// Too many.
    Many,
}

/// Are there legal sets of two and more pieces, and at most `limit` of them?
pub(super) fn larger_sets(position: &Position, limit: u64) -> LargerSets {
    /// From this many pieces on, their sets count as too many without being counted, except when none is legal.
    const MANY: u32 = 5;
    let us = position.side();
    let pieces = position.reserve(us).total();
    if pieces < 2 {
        return LargerSets::None;
    }
    if let Some(king) = position.king(us)
        && position.in_check()
        && position.check_lines(king).lines().is_none_or(|lines| lines.len() > pieces as usize)
    {
        return LargerSets::None;
    }
    if pieces >= MANY {
        return LargerSets::Many;
    }
    let sizes = position.count_sets_by_size();
    match sizes[2..].iter().sum::<u64>() {
        0 => LargerSets::None,
        count if count <= limit => LargerSets::Few,
        _ => LargerSets::Many,
    }
}

/// All legal sets of two and more pieces, best first by their static scores.
pub(super) fn all_larger_sets(position: &Position, evaluator: &mut Evaluator, ply: usize) -> Vec<DropSet> {
    let mut sets = Vec::new();
    let _ = position.visit_sets(MAX_DROPS, |set| {
        if set.len() > 1 {
            sets.push(set);
        }
        ControlFlow::Continue(())
    });
    let start = Growth::new(position, evaluator.drop_values(position, ply));
    sets.sort_by_cached_key(|&set| -start.with(set).value);
    sets
}

fn push(set: DropSet, limit: usize, sets: &mut SetList) {
    if set.len() > 1 && sets.len() < limit && !sets.contains(&set) {
        sets.push(set);
    }
}
