//! Drop sets for the search, grown instead of enumerated.
//!
//! A set is a start (the node's best searched single drops, minimal blocks in check, a king with its blockers before the
//! first action) and a greedy completion of it: the drop that adds most to the evaluation, again and again. Greedy
//! extension is close to the best the evaluation can see; what it misses is tactics, which the searched starts bring in
//! and, at the root, the neighbourhood of the best set (search-design.md, 4.1 and 5.3).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::parameters::worth_dropping;
use crate::eval::DropScorer;
use crate::rules::Position;
use crate::types::{Bitboard, Drop, DropSet, Kind, MAX_DROPS, Reserve, ReserveKind, Square};

/// The most sets one node ever looks at.
pub const MAX_SETS: usize = 192;
/// Candidate squares kept for each kind while a set grows; pawns need more, being more.
const KEPT: usize = 5;
const KEPT_PAWNS: usize = 12;
/// The most blockers tried on each of several checking lines.
const BLOCKERS: usize = 4;

/// Different sets in the order in which they were found.
pub type SetList = ArrayVec<DropSet, MAX_SETS>;

/// Grows sets for one position.
pub struct SetGrower<'a> {
    position: &'a Position,
    scorer: DropScorer,
    /// The best squares of each kind in reserve, best first.
    candidates: ArrayVec<Drop, { 7 * KEPT_PAWNS }>,
}

impl<'a> SetGrower<'a> {
    /// A grower for the side to act.
    pub fn new(position: &'a Position) -> Self {
        let scorer = DropScorer::new(position);
        let mut candidates = ArrayVec::new();
        for kind in position.reserve(position.side()).kinds() {
            let kept = if kind == ReserveKind::Pawn { KEPT_PAWNS } else { KEPT };
            let mut scored: ArrayVec<(i32, Drop), 32> = scorer
                .landing(kind)
                .map(|square| Drop { kind: kind.kind(), square })
                .map(|drop| (scorer.score(drop), drop))
                .collect();
            scored.sort_by_key(|&(score, _)| -score);
            candidates.extend(scored.into_iter().take(kept).map(|(_, drop)| drop));
        }
        Self { position, scorer, candidates }
    }

    /// Adds to `sets` up to `budget` different legal sets of two or more pieces, grown from these single drops (best
    /// first) or, in check, from the cheapest blocks.
    pub fn grow(&self, anchors: &[Drop], budget: usize, sets: &mut SetList) {
        let limit = (sets.len() + budget).min(MAX_SETS);
        let us = self.position.side();
        match self.position.king(us) {
            Some(_) if !self.position.in_check() => {
                let best = self.candidates.iter().copied().max_by_key(|&drop| self.scorer.score(drop));
                for drop in anchors.iter().copied().chain(best) {
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
    fn kings(&self, anchors: &[Drop]) -> ArrayVec<Square, 12> {
        let mut kings: ArrayVec<Square, 12> = ArrayVec::new();
        let anchored = anchors.iter().filter(|drop| drop.kind == Kind::King);
        for drop in anchored.chain(self.candidates.iter().filter(|drop| drop.kind == Kind::King)) {
            if !kings.contains(&drop.square) {
                let _ = kings.try_push(drop.square);
            }
        }
        kings
    }

    /// In check (or with a king that lands in check): sets that block every line with one piece each, and their
    /// completions.
    fn grow_blocks(&self, start: DropSet, king: Square, limit: usize, sets: &mut SetList) {
        let us = self.position.side();
        let checks = self.position.check_lines(king);
        let Some(lines) = checks.lines() else { return };
        let mut blocks: ArrayVec<(i32, DropSet), 64> = ArrayVec::new();
        let reserve = start.drops(us).fold(self.position.reserve(us), |reserve, drop| {
            reserve.without(drop.kind.reserve_kind(drop.square))
        });
        self.block(lines, start, 0, reserve, &mut blocks);
        blocks.sort_by_key(|&(score, _)| -score);
        for &(_, set) in blocks.iter().filter(|(_, set)| set.len() > 1) {
            push(set, limit, sets);
        }
        for &(_, set) in blocks.iter().take(2) {
            self.complete(set, limit, sets);
        }
    }

    fn block(
        &self,
        lines: &[Bitboard],
        set: DropSet,
        score: i32,
        reserve: Reserve,
        blocks: &mut ArrayVec<(i32, DropSet), 64>,
    ) {
        let Some((&line, others)) = lines.split_first() else {
            let _ = blocks.try_push((score, set));
            return;
        };
        let mut blockers: ArrayVec<(i32, Drop), { 7 * 7 }> = ArrayVec::new();
        for kind in reserve.kinds() {
            for square in self.scorer.landing(kind) & line {
                let drop = Drop { kind: kind.kind(), square };
                let _ = blockers.try_push((self.scorer.score(drop), drop));
            }
        }
        blockers.sort_by_key(|&(score, _)| -score);
        // With several lines the products grow fast: fewer blockers each.
        let tried =
            if lines.len() > 1 || !others.is_empty() || set.len() > 1 { BLOCKERS } else { 2 * BLOCKERS };
        for &(gain, drop) in blockers.iter().take(tried) {
            let rest = reserve.without(drop.kind.reserve_kind(drop.square));
            self.block(others, set.with(drop), score + gain, rest, blocks);
        }
    }

    /// Grows a legal start greedily; adds the sets of two, three and four pieces more, and the whole.
    fn complete(&self, start: DropSet, limit: usize, sets: &mut SetList) {
        let us = self.position.side();
        let mut scorer = self.scorer.clone();
        let mut reserve = self.position.reserve(us);
        for drop in start.drops(us) {
            reserve = reserve.without(drop.kind.reserve_kind(drop.square));
            scorer.add(drop);
        }
        let mut set = start;
        let mut added = 0;
        while set.len() < MAX_DROPS {
            let best = self
                .candidates
                .iter()
                .filter(|drop| {
                    let kind = drop.kind.reserve_kind(drop.square);
                    reserve.has(kind) && scorer.landing(kind).has(drop.square)
                })
                .map(|&drop| (scorer.score(drop), drop))
                .max_by_key(|&(score, _)| score);
            let Some((score, drop)) = best else { break };
            if score < worth_dropping() {
                break;
            }
            reserve = reserve.without(drop.kind.reserve_kind(drop.square));
            scorer.add(drop);
            set = set.with(drop);
            added += 1;
            if added <= 3 {
                push(set, limit, sets);
            }
        }
        push(set, limit, sets);
    }

    /// Adds sets that differ from `best` by one drop: left out, added, moved to another square, exchanged for another
    /// kind.
    pub fn neighbours(&self, best: DropSet, budget: usize, sets: &mut SetList) {
        let us = self.position.side();
        let limit = (sets.len() + budget).min(MAX_SETS);
        let mut offer = |set: DropSet| {
            if set.len() > 1 && self.position.is_legal_set(set) {
                push(set, limit, sets);
            }
        };
        if best.len() < MAX_DROPS {
            for &drop in &self.candidates {
                if !best.drops(us).any(|other| other.square == drop.square) {
                    offer(best.with(drop));
                }
            }
        }
        for code in best.codes() {
            let without = best.without_code(code);
            offer(without);
            for &drop in &self.candidates {
                if !without.drops(us).any(|other| other.square == drop.square) {
                    offer(without.with(drop));
                }
            }
        }
    }

    /// The sum of the scores of a set's drops, each on top of those before: an estimate of what it gains.
    pub fn score(&self, set: DropSet) -> i32 {
        let mut scorer = self.scorer.clone();
        let mut sum = 0;
        for drop in set.drops(self.position.side()) {
            sum += scorer.score(drop);
            scorer.add(drop);
        }
        sum
    }

    /// The scorer of single drops.
    pub fn scorer(&self) -> &DropScorer {
        &self.scorer
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
    /// From this many pieces on, their sets are too many for any limit, except when none is legal.
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
pub(super) fn all_larger_sets(position: &Position) -> Vec<DropSet> {
    let mut sets = Vec::new();
    let _ = position.visit_sets(MAX_DROPS, |set| {
        if set.len() > 1 {
            sets.push(set);
        }
        ControlFlow::Continue(())
    });
    let grower = SetGrower::new(position);
    sets.sort_by_cached_key(|&set| -grower.score(set));
    sets
}

fn push(set: DropSet, limit: usize, sets: &mut SetList) {
    if set.len() > 1 && sets.len() < limit && !sets.contains(&set) {
        sets.push(set);
    }
}
