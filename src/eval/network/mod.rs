//! A small neural network that values positions, brought up to date action by action: an efficiently updatable network
//! (Y. Nasu 2018, first for shogi, another game with drops).
//!
//! Each side looks at the board from its own end. What it sees are some forty facts (`features`), each of which adds its
//! column of weights to the [`HIDDEN`] values of that side (`accumulator`); an action changes few facts, so few columns
//! are added and taken away (`kernel`). The values of both sides, clipped and squared, meet in one weighted sum: the
//! value (`weights`). A file holds the weights as integers (`format`); the lab trains them (`lab train`).

mod accumulator;
mod drops;
mod features;
mod format;
mod kernel;
mod weights;

pub use accumulator::{Evaluator, evaluate_fresh};
pub use drops::DropValues;
pub use features::{Fact, Facts, Feature, Features, INPUTS, OUTPUTS, Snapshot, View};
pub use format::{NetworkError, VALUES, ValueKind, value_kinds};
pub use weights::{HIDDEN, MAX_OUTPUT_SUM, MAX_OUTPUT_WEIGHT, Network, QA, QB, QC, SCALE};
