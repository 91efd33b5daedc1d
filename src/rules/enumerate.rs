//! Every legal drop set, each exactly once: for positions with a small reserve, for perft and for proofs.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::{CheckLines, Position};
use crate::types::{Bitboard, Drop, DropSet, Kind, MAX_DROPS, Reserve, ReserveKind, Square};

/// The most different drops a side can have to choose from: seven kinds on 32 squares.
const MAX_CANDIDATES: usize = 7 * 32;

/// Hands out sets by include and exclude: the n-th branch takes candidate n and goes on with later ones only, so no set
/// comes twice.
struct Enumeration<'a, F> {
    candidates: &'a [Drop],
    checks: CheckLines,
    max_drops: usize,
    visit: F,
}

impl<F: FnMut(DropSet) -> ControlFlow<()>> Enumeration<'_, F> {
    fn extend(&mut self, set: DropSet, first: usize, landed: Bitboard, reserve: Reserve) -> ControlFlow<()> {
        for (index, &drop) in self.candidates.iter().enumerate().skip(first) {
            let kind = drop.kind.reserve_kind(drop.square);
            if landed.has(drop.square) || !reserve.has(kind) {
                continue;
            }
            let (set, landed, reserve) = (set.with_last(drop), landed | drop.square, reserve.without(kind));
            if self.checks.are_blocked_by(landed) {
                (self.visit)(set)?;
            }
            let more = (self.max_drops - set.len()).min(reserve.total() as usize);
            if more > 0 && self.checks.can_be_blocked_by_adding(landed, more) {
                self.extend(set, index + 1, landed, reserve)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Position {
    /// Hands out every legal drop set of at most `max_drops` pieces, each once, until `visit` breaks off. Their number
    /// is [`Position::count_sets`]: look at it first.
    pub fn visit_sets<F>(&self, max_drops: usize, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(DropSet) -> ControlFlow<()>,
    {
        let us = self.side;
        let max_drops = max_drops.min(MAX_DROPS);
        if max_drops == 0 {
            return ControlFlow::Continue(());
        }
        let mut reserve = self.reserve(us);
        match self.king(us) {
            Some(king) => {
                self.visit_sets_beside(king, DropSet::EMPTY, Bitboard::EMPTY, reserve, max_drops, &mut visit)
            }
            None if !reserve.has(ReserveKind::King) => ControlFlow::Continue(()),
            None => {
                reserve = reserve.without(ReserveKind::King);
                for square in self.landing(ReserveKind::King) {
                    let drop = Drop { kind: Kind::King, square };
                    let alone = DropSet::one(drop);
                    if self.check_lines(square).is_safe() {
                        visit(alone)?;
                    }
                    if max_drops > 1 {
                        self.visit_sets_beside(square, alone, square.bit(), reserve, max_drops, &mut visit)?;
                    }
                }
                ControlFlow::Continue(())
            }
        }
    }

    fn visit_sets_beside<F>(
        &self,
        king: Square,
        set: DropSet,
        landed: Bitboard,
        reserve: Reserve,
        max_drops: usize,
        visit: &mut F,
    ) -> ControlFlow<()>
    where
        F: FnMut(DropSet) -> ControlFlow<()>,
    {
        let checks = self.check_lines(king);
        if checks.lines().is_none() {
            return ControlFlow::Continue(());
        }
        let mut candidates: ArrayVec<Drop, MAX_CANDIDATES> = ArrayVec::new();
        for reserve_kind in reserve.kinds() {
            let kind = reserve_kind.kind();
            candidates.extend((self.landing(reserve_kind) - landed).map(|square| Drop { kind, square }));
        }
        candidates.sort_unstable_by_key(|drop| drop.code());
        Enumeration { candidates: &candidates, checks, max_drops, visit }.extend(set, 0, landed, reserve)
    }
}
