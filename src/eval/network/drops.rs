//! What drops are worth, one by one, without playing them.

use super::accumulator::Entry;
use super::weights::Network;
use crate::types::{Color, Drop};

/// Values drops of one side, each on top of those already added.
#[derive(Clone)]
pub struct DropValues<'a> {
    network: &'a Network,
    us: Color,
    entry: Entry,
}

impl<'a> DropValues<'a> {
    pub(super) fn new(network: &'a Network, entry: Entry, us: Color) -> Self {
        Self { network, us, entry }
    }

    /// The value in centipawns, for the side that drops, of one more drop: the other side is to act after it. The side
    /// must hold the piece and the square must be empty. A king must come before the rooks that are to castle with it.
    #[inline]
    pub fn value(&self, drop: Drop) -> i32 {
        let value = match self.entry.snapshot().drop_facts(self.us, drop) {
            Some((gained, lost)) => self.entry.value_after_drop(gained, lost, !self.us, self.network),
            None => {
                let mut after = self.entry.clone();
                after.add_drop(self.us, drop, self.network);
                after.value(!self.us, self.network)
            }
        };
        -value
    }

    /// The value in centipawns, for the side that drops, of what has been added so far: the other side is to act after it.
    #[inline]
    pub fn value_so_far(&self) -> i32 {
        -self.entry.value(!self.us, self.network)
    }

    /// Counts a drop as done, so that the next ones are valued on top of it.
    pub fn add(&mut self, drop: Drop) {
        self.entry.add_drop(self.us, drop, self.network);
    }
}
