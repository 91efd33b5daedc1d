//! Files of openings: an extended FEN a line, then EPD operations like `; class half; ce 12`.

use std::path::{Path, PathBuf};

use kingchess::rules::{FenError, Position};
use kingchess::types::Color;
use thiserror::Error;

use super::Opening;
use super::classes::Class;

/// Why a file of openings could not be read.
#[derive(Debug, Error)]
pub enum FileError {
    /// It could not be read at all.
    #[error("{0}: {1}")]
    Read(PathBuf, std::io::Error),
    /// A line is no position.
    #[error("{path}, line {line}: {error}")]
    Fen {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        error: FenError,
    },
    /// A position is none of chess.
    #[error("{path}, line {line}: pieces in reserve: not with --chess")]
    Reserve {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
    /// The game of a position has ended.
    #[error("{path}, line {line}: the game is over here")]
    Over {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
}

/// Writes an opening as a line; `value` is what a search gives, in centipawns for the side to act.
pub fn write(position: &Position, class: Class, value: i32) -> String {
    format!("{}; class {class}; ce {value}", position.fen())
}

/// Reads openings, of ordinary chess if `chess`; empty lines and lines that begin with `#` are comments, and operations
/// after the FEN are left aside.
///
/// # Errors
/// If the file can't be read, or a line is no position that such a game can go on from.
pub fn read(path: &Path, chess: bool) -> Result<Vec<Opening>, FileError> {
    let text = std::fs::read_to_string(path).map_err(|error| FileError::Read(path.to_owned(), error))?;
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fen = line.split(';').next().unwrap_or_default().trim();
        if fen.is_empty() || fen.starts_with('#') {
            continue;
        }
        let line = index + 1;
        let start: Position =
            fen.parse().map_err(|error| FileError::Fen { path: path.to_owned(), line, error })?;
        if chess && Color::ALL.iter().any(|&color| !start.reserve(color).is_empty()) {
            return Err(FileError::Reserve { path: path.to_owned(), line });
        }
        if start.outcome().is_some() {
            return Err(FileError::Over { path: path.to_owned(), line });
        }
        openings.push(Opening { start, actions: Vec::new() });
    }
    Ok(openings)
}
