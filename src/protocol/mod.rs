//! The text protocol: UCI, with drops as actions and a few commands more. protocol.md describes it for authors of front
//! ends.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod board;
mod command;
mod explain;
mod go;
mod info;
mod jobs;
mod options;
mod output;
mod session;
#[cfg(feature = "tune")]
mod tuning;

pub use board::{draw, draw_from};
pub use explain::explain;
pub use info::{info_line, rate};
pub use options::ELO;
pub use output::Output;
pub use session::run;
