//! The evaluation: what a position is worth to the side to act, in centipawns.
//!
//! Board and reserve are priced together. A piece in reserve is worth its value plus what it gains by landing on a good
//! square, so dropping it well gains little more than holding it; what holding costs is one tempo for the whole
//! reserve, since all of it can be dropped in one action.

mod drops;
mod evaluator;
mod kings;
pub mod network;
mod pawns;
mod terms;
mod weights;

pub use drops::DropScorer;
pub use evaluator::Evaluator;
pub use terms::{Breakdown, evaluate, explain};
pub use weights::{Weight, material};
