//! Which evaluation a search uses.

use std::sync::Arc;

use super::network::{self, Network};
use super::terms::evaluate;
use crate::rules::Position;
use crate::types::Score;

/// Values the positions that one thread searches: by a network if there is one, else by [`evaluate`].
#[derive(Clone)]
pub struct Evaluator {
    network: Option<network::Evaluator>,
}

impl Evaluator {
    /// An evaluator for one thread.
    pub fn new(network: Option<&Arc<Network>>) -> Self {
        Self { network: network.map(|network| network::Evaluator::new(Arc::clone(network))) }
    }

    /// The value of a position at a ply of the search, for the side to act. It does not depend on the ply or on earlier
    /// calls, but comes soonest when the position before was the last one valued a ply before.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        match &mut self.network {
            Some(network) => damped(network.evaluate(position, ply), position),
            None => evaluate(position),
        }
    }
}

/// The network's value as a score; it falls as the fifty-action rule draws near.
#[inline]
fn damped(value: i32, position: &Position) -> Score {
    let most = Score::MAX_EVAL.get();
    let value = value.clamp(-most, most);
    Score::cp(value * (200 - i32::from(position.halfmove_clock()).min(100)) / 200)
}
