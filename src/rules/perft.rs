//! Counting the actions to a depth: the standard proof of rules.

use std::ops::ControlFlow;

use rayon::prelude::*;
use thiserror::Error;

use super::{Position, Wanted};
use crate::types::Action;

/// The most actions that perft plays one by one from one position. More would not end in a person's patience.
pub const PERFT_LIMIT: u64 = 20_000_000;

/// A position had too many actions to play them all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "a position to be searched further has {count} legal actions, more than the limit of {PERFT_LIMIT}: {fen}"
)]
pub struct TooMany {
    /// How many actions the position has, exactly.
    pub count: u64,
    /// The position.
    pub fen: String,
}

impl Position {
    /// All legal actions that drop at most `max_drops` pieces, in generation order: moves, then sets.
    ///
    /// # Errors
    /// If there are more than [`PERFT_LIMIT`].
    pub fn actions(&self, max_drops: usize) -> Result<Vec<Action>, TooMany> {
        let count = self.count_moves() + self.count_sets(max_drops);
        if count > PERFT_LIMIT {
            return Err(TooMany { count, fen: self.fen() });
        }
        let mut actions = Vec::with_capacity(count as usize);
        self.visit_moves(Wanted::ALL, |targets| {
            actions.extend(targets.moves().map(Action::Move));
            false
        });
        let _ = self.visit_sets(max_drops, |set| {
            actions.push(Action::Drops(set));
            ControlFlow::Continue(())
        });
        Ok(actions)
    }

    /// How many sequences of `depth` legal actions there are, each dropping at most `max_drops` pieces. The last
    /// action of each is counted, not played.
    ///
    /// # Errors
    /// If a position that must be played on has more than [`PERFT_LIMIT`] actions.
    pub fn perft(&self, depth: u32, max_drops: usize) -> Result<u128, TooMany> {
        match depth {
            0 => Ok(1),
            1 => Ok(u128::from(self.count_moves() + self.count_sets(max_drops))),
            _ => self
                .actions(max_drops)?
                .into_iter()
                .map(|action| self.after(action).perft(depth - 1, max_drops))
                .sum(),
        }
    }

    /// [`Position::perft`] for each action here, on all processors.
    ///
    /// # Errors
    /// As [`Position::perft`].
    pub fn perft_divide(&self, depth: u32, max_drops: usize) -> Result<Vec<(Action, u128)>, TooMany> {
        self.actions(max_drops)?
            .into_par_iter()
            .map(|action| Ok((action, self.after(action).perft(depth.saturating_sub(1), max_drops)?)))
            .collect()
    }

    /// [`Position::perft`] on all processors.
    ///
    /// # Errors
    /// As [`Position::perft`].
    pub fn perft_parallel(&self, depth: u32, max_drops: usize) -> Result<u128, TooMany> {
        if depth < 2 {
            return self.perft(depth, max_drops);
        }
        self.actions(max_drops)?
            .into_par_iter()
            .map(|action| self.after(action).perft(depth - 1, max_drops))
            .try_reduce(|| 0, |left, right| Ok(left + right))
    }

    /// The position after a legal action.
    #[inline]
    #[must_use]
    pub fn after(&self, action: Action) -> Self {
        let mut next = *self;
        next.play(action);
        next
    }
}
