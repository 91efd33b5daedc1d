//! Choosing balanced openings: a short search calls them about even.

use std::collections::HashSet;

use kingchess::search::{Control, Limits, Searcher, TableError};
use rayon::prelude::*;
use thiserror::Error;

use super::Opening;

/// What is balanced.
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    /// The furthest from even, in centipawns.
    pub centipawns: u32,
    /// How deep the search is, in nodes.
    pub nodes: u64,
}

impl Default for Balance {
    fn default() -> Self {
        Self { centipawns: 90, nodes: 3000 }
    }
}

/// A balanced opening.
pub struct Balanced {
    /// The opening.
    pub opening: Opening,
    /// What the search says, in centipawns for the side to act.
    pub value: i32,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum BalanceError {
    /// The searcher could not be made.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// Too many candidates were not balanced or had been there.
    #[error("only {found} of {wanted} openings found: allow a wider balance")]
    TooFew {
        /// How many were balanced.
        found: usize,
        /// How many were wanted.
        wanted: usize,
    },
}

/// The most candidates looked at together.
const BATCH: usize = 64;
/// Candidates looked at for each opening before giving up.
const PATIENCE: u64 = 2000;
/// The transposition table of a search, in MB.
const HASH: usize = 4;

impl Balance {
    /// Takes candidates in the order of their numbers until enough are balanced, each position once. Candidates are
    /// judged in parallel; which are taken does not depend on it.
    ///
    /// # Errors
    /// If there is no memory for a search, or fewer than one candidate in two thousand is balanced.
    pub fn choose(
        &self,
        count: usize,
        candidate: impl Fn(u64) -> Option<Opening> + Sync,
    ) -> Result<Vec<Balanced>, BalanceError> {
        let mut chosen: Vec<Balanced> = Vec::with_capacity(count);
        let mut seen = HashSet::new();
        let mut first = 0;
        while chosen.len() < count {
            if first > PATIENCE * count as u64 {
                return Err(BalanceError::TooFew { found: chosen.len(), wanted: count });
            }
            // About one in two is balanced.
            let batch = (2 * (count - chosen.len())).min(BATCH) as u64;
            let judged: Vec<Option<Balanced>> = (first..first + batch)
                .into_par_iter()
                .map_init(
                    || Searcher::new(HASH),
                    |searcher, number| match (searcher, candidate(number)) {
                        (Err(error), _) => Err(*error),
                        (Ok(_), None) => Ok(None),
                        (Ok(searcher), Some(opening)) => Ok(self.judge(opening, searcher)),
                    },
                )
                .collect::<Result<_, _>>()?;
            for balanced in judged.into_iter().flatten() {
                if chosen.len() < count && seen.insert(balanced.opening.position().key()) {
                    chosen.push(balanced);
                }
            }
            first += batch;
        }
        Ok(chosen)
    }

    fn judge(&self, opening: Opening, searcher: &mut Searcher) -> Option<Balanced> {
        let game = opening.game();
        if game.outcome().is_some() {
            return None;
        }
        searcher.clear();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let value = searcher.search(&game, &limits, &Control::default(), &mut |_| {}).score.get();
        (value.unsigned_abs() <= self.centipawns).then_some(Balanced { opening, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::random;

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let keys = |threads| -> Vec<u64> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let balance = Balance { centipawns: 60, nodes: 300 };
            let chosen = pool.install(|| balance.choose(8, |number| random::match_opening(number, false)));
            chosen.expect("enough").iter().map(|balanced| balanced.opening.position().key()).collect()
        };
        assert_eq!(keys(1), keys(3));
    }

    #[test]
    fn no_position_comes_twice_and_the_search_ends() {
        let balance = Balance { centipawns: 500, nodes: 100 };
        let result = balance.choose(2, |number| random::match_opening(3, false).filter(|_| number < 20));
        assert!(matches!(result, Err(BalanceError::TooFew { found: 0 | 1, wanted: 2 })));
    }
}
