use std::time::Duration;

use crate::types::{Action, Score};

/// What a score says about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

impl Bound {
    /// What a value found in this window says.
    pub(super) fn of(value: Score, alpha: Score, beta: Score) -> Self {
        if value >= beta {
            Self::Lower
        } else if value > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// What a search has found so far, for one line.
#[derive(Clone, Debug)]
pub struct Report {
    /// The depth of the iteration, in actions.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Which of the best lines this is, from 1.
    pub multipv: usize,
    /// The value for the side to act.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Positions visited, by all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The line, the first action being the root's.
    pub pv: Vec<Action>,
}
