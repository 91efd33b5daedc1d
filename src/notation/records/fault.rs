//! What can be wrong with a record, and what can be odd about it.

use std::fmt;
use std::io;

use thiserror::Error;

use super::{GameRecord, GameResult};
use crate::notation::WrittenError;
use crate::rules::{FenError, FenNote, Outcome};
use crate::types::Color;

/// What is wrong with a record.
#[derive(Debug, Error)]
pub enum Fault {
    /// The input can't be read any further.
    #[error("can't read: {0}")]
    Input(#[from] io::Error),
    /// A tag is not written as one.
    #[error("expected a tag like [Name \"value\"], got '{0}'")]
    Tag(String),
    /// A game that is not known here.
    #[error("expected the variant Kingchess or Standard, got '{0}'")]
    Variant(String),
    /// The start position is none.
    #[error("bad FEN: {0}")]
    Fen(#[from] FenError),
    /// A comment without an end.
    #[error("the comment that begins here does not end")]
    OpenComment,
    /// A bracket without an end.
    #[error("the bracket that begins here does not end")]
    OpenBracket,
    /// A comma with no dropped piece on one of its sides.
    #[error("expected a dropped piece on each side of the comma")]
    Comma,
    /// A glyph without its number, or before any action.
    #[error("expected an action and then a glyph $0 to $255, got '{0}'")]
    Glyph(String),
    /// No action, or not legal.
    #[error(transparent)]
    Action(#[from] WrittenError),
    /// A line of JSON that is no game.
    #[error("bad JSON: {0}")]
    Json(String),
    /// A JSON schema of another version.
    #[error("expected JSON of schema {expected}, got schema {got}")]
    Schema {
        /// The version that is read.
        expected: u32,
        /// The version of the line.
        got: u32,
    },
    /// A `position` line that is none.
    #[error("expected 'position startpos' or 'position fen FEN', then 'moves' and the actions, got '{0}'")]
    PositionLine(String),
}

/// An action of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionPlace {
    /// The number of the turn.
    pub number: u16,
    /// Whose action it is.
    pub side: Color,
    /// What is written.
    pub text: String,
}

impl fmt::Display for ActionPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.side == Color::White { "." } else { "..." };
        write!(f, "action {}{dots} '{}'", self.number, self.text)
    }
}

/// A record that is wrong somewhere: where and why, with all of it that comes before.
#[derive(Debug)]
pub struct RecordError {
    /// Which game of the input, from 1.
    pub game: usize,
    /// Which line of the input, from 1.
    pub line: usize,
    /// Which character of the line, from 1.
    pub column: usize,
    /// Which action, unless the fault is elsewhere.
    pub action: Option<ActionPlace>,
    /// What is wrong.
    pub fault: Fault,
    /// The game up to the fault.
    pub record: Box<GameRecord>,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}, column {}", self.game, self.line, self.column)?;
        if let Some(action) = &self.action {
            write!(f, ", {action}")?;
        }
        write!(f, ": {}", self.fault)
    }
}

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.fault)
    }
}

/// Something odd in a record that does not keep it from being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Which line of the input, from 1.
    pub line: usize,
    /// Which character of the line, from 1.
    pub column: usize,
    /// Which action, if it is about one.
    pub action: Option<ActionPlace>,
    /// What is odd.
    pub remark: Remark,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        if let Some(action) = &self.action {
            write!(f, ", {action}")?;
        }
        write!(f, ": {}", self.remark)
    }
}

/// What is odd.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Remark {
    /// The reserve in brackets is not what is left.
    #[error("the reserve is written ({written}), but it is {truth}")]
    Reserve {
        /// What stands in the brackets.
        written: String,
        /// What is left, with the brackets.
        truth: String,
    },
    /// The number of a turn, or whose it is, is not right.
    #[error("numbered {written}, but it is action {truth}")]
    Number {
        /// What is written.
        written: String,
        /// The right number, with three dots for Black's action.
        truth: String,
    },
    /// A result that is not that of the board.
    #[error("the result is written {written}, but the game has ended by {outcome}: {truth}")]
    Result {
        /// What is written.
        written: GameResult,
        /// How the game has ended.
        outcome: Outcome,
        /// The result that follows.
        truth: GameResult,
    },
    /// Two results in one game.
    #[error("the tag says {tag}, but the game ends with {text}, which is taken")]
    TwoResults {
        /// In the tag `Result`.
        tag: GameResult,
        /// Behind the actions.
        text: GameResult,
    },
    /// A tag `Result` with another value.
    #[error("expected the result 1-0, 0-1, 1/2-1/2 or *, got '{0}'")]
    UnknownResult(String),
    /// A termination that is not that of the board.
    #[error("the termination is written '{0}', which is not so on the board")]
    Termination(String),
    /// Variations are not kept.
    #[error("a variation in brackets was left out")]
    Variation,
    /// Something in the FEN can't be true.
    #[error("{0}")]
    Fen(FenNote),
    /// Some bytes are no text.
    #[error("not UTF-8: bytes that are no text were replaced")]
    NotUtf8,
}
