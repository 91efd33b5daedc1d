//! The evaluation: what a position is worth to the side to act, in centipawns.
//!
//! A small neural network, trained on the engine's own games (tuning/README.md), values board and reserves together.

mod chances;
mod endings;
mod evaluator;
pub mod network;

pub use chances::{PHASES, chances, phase};
pub use evaluator::{Evaluator, built_in, evaluate};
pub use network::DropValues;
