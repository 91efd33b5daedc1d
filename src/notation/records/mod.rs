//! Records of games: reading files of them, game by game, and writing them.
//!
//! [`GameReader`] reads PGN files with actions in any [`Notation`](super::Notation), and what [`write_game`] writes in
//! any [`Format`]. A record that breaks off in an error is kept up to there: [`RecordError::record`].
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod chunk;
mod fault;
mod format;
mod header;
mod json;
mod movetext;
mod pgn;
mod reader;
mod record;
mod result;
mod scan;
mod tags;
mod uci;

pub use fault::{ActionPlace, Fault, RecordError, Remark, Warning};
pub use format::{Format, write_game};
pub use json::SCHEMA;
pub use reader::GameReader;
pub use record::{Entry, GameRecord, Notes, Variant};
pub use result::GameResult;
pub use tags::{Tag, Tags};
