//! Which actions other threads are searching right now, so that two threads seldom do the same work (ABDADA, J.-C. Weill
//! 1996, in the simple form of T. Kerrigan): an action that another thread is busy with is put off until the others of
//! the node have been searched; by then the transposition table mostly knows its value.
//!
//! A table of relaxed atomic words. Whatever is lost or overwritten costs double work, nothing else.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::rules::Position;
use crate::types::{Action, Short};

/// The shallowest node whose actions are put off.
const DEPTH: i32 = 3;
/// Entries; a power of two.
const ENTRIES: usize = 1 << 12;

/// Spreads codes of actions over the entries.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The table; empty if there is only one thread.
pub struct Busy(Box<[AtomicU64]>);

/// An action of a position, as the table holds it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Work(u64);

impl Busy {
    /// A table for so many threads.
    pub fn new(threads: usize) -> Self {
        let entries = if threads > 1 { ENTRIES } else { 0 };
        Self((0..entries).map(|_| AtomicU64::new(0)).collect())
    }

    /// What to ask for and to announce; `None` if it is not worth it.
    #[inline]
    pub fn work(&self, position: &Position, short: Short, depth: i32) -> Option<Work> {
        self.coded(position, short.code().into(), depth)
    }

    /// The same for any action.
    pub fn whole_work(&self, position: &Position, action: Action, depth: i32) -> Option<Work> {
        match (action.short(position.side()), action) {
            (None, Action::Drops(set)) => {
                let (low, high) = (set.bits() as u64, (set.bits() >> 64) as u64);
                self.coded(position, low.rotate_left(7) ^ high, depth)
            }
            (short, _) => self.work(position, short?, depth),
        }
    }

    #[inline]
    fn coded(&self, position: &Position, action: u64, depth: i32) -> Option<Work> {
        let worth_it = !self.0.is_empty() && depth >= DEPTH;
        worth_it.then(|| Work(position.key() ^ action.wrapping_mul(SPREAD)))
    }

    fn entry(&self, work: Work) -> &AtomicU64 {
        &self.0[work.0 as usize % ENTRIES]
    }

    /// Is another thread at it?
    #[inline]
    pub fn is_busy(&self, work: Work) -> bool {
        self.entry(work).load(Relaxed) == work.0
    }

    /// This thread begins with it.
    #[inline]
    pub fn begin(&self, work: Work) {
        self.entry(work).store(work.0, Relaxed);
    }

    /// This thread has done it.
    #[inline]
    pub fn end(&self, work: Work) {
        if self.is_busy(work) {
            self.entry(work).store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_announced_and_done() {
        let position = Position::chess_start();
        let mut moves = Vec::new();
        position.visit_moves(crate::rules::Wanted::ALL, |targets| {
            moves.extend(targets.moves().map(Short::from));
            false
        });
        let (first, second) = (moves[0], moves[1]);
        let busy = Busy::new(2);
        let work = busy.work(&position, first, DEPTH).expect("deep enough");
        let other = busy.work(&position, second, DEPTH).expect("deep enough");
        assert!(!busy.is_busy(work));
        busy.begin(work);
        assert!(busy.is_busy(work) && !busy.is_busy(other));
        busy.end(work);
        assert!(!busy.is_busy(work));
        assert!(busy.work(&position, first, DEPTH - 1).is_none());
        assert!(Busy::new(1).work(&position, first, DEPTH).is_none());
    }
}
