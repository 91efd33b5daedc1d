//! Kingchess: chess that starts on an empty board, its rules and an engine that plays it.
//!
//! From below: [`types`] is the vocabulary, [`rules`] the game, [`eval`] what a position is worth, [`search`] the player,
//! [`notation`] how actions are written, [`protocol`] the dialogue with front ends, [`cli`] the command line.

pub mod cli;
pub mod eval;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod types;
