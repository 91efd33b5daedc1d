//! The evaluation as the search uses it.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::endings;
use super::network::{self, DropValues, Network};
use crate::rules::Position;
use crate::types::Score;

static BUILT_IN: Lazy<Arc<Network>> = Lazy::new(|| {
    let bytes = include_bytes!("network/kingchess.nnue");
    // The file is part of the program, and a test reads it.
    Arc::new(Network::from_bytes(bytes).unwrap_or_else(|error| panic!("the network built in: {error}")))
});

/// The network that the program is built with.
pub fn built_in() -> Arc<Network> {
    Arc::clone(&BUILT_IN)
}

/// The value of a position for the side to act, from scratch, by the network that the program is built with.
pub fn evaluate(position: &Position) -> Score {
    damped(network::evaluate_fresh(&BUILT_IN, position), position)
}

/// Values the positions that one thread searches.
#[derive(Clone)]
pub struct Evaluator {
    network: network::Evaluator,
}

impl Evaluator {
    /// An evaluator for one thread.
    pub fn new(network: &Arc<Network>) -> Self {
        Self { network: network::Evaluator::new(Arc::clone(network)) }
    }

    /// The value of a position at a ply of the search, for the side to act. It does not depend on the ply or on earlier
    /// calls, but comes soonest when the position before was the last one valued a ply before.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        damped(self.network.evaluate(position, ply), position)
    }

    /// What drops of the side to act are worth at a ply of the search.
    pub fn drop_values(&mut self, position: &Position, ply: usize) -> DropValues<'_> {
        self.network.drop_values(position, ply)
    }
}

/// The network's value as a score: less of it where advantages don't win.
#[inline]
fn damped(value: i32, position: &Position) -> Score {
    let most = Score::MAX_EVAL.get();
    let value = value.clamp(-most, most);
    Score::cp(value * endings::part(position) / endings::WHOLE)
}
