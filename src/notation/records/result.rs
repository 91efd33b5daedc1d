use std::fmt;

use crate::rules::Outcome;
use crate::types::Color;

/// The result of a game, as records have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not finished, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// The result of a game that has ended on the board while `side` was to act.
    pub const fn of(outcome: Outcome, side: Color) -> Self {
        match (outcome, side) {
            (Outcome::Checkmate, Color::White) => Self::BlackWins,
            (Outcome::Checkmate, Color::Black) => Self::WhiteWins,
            _ => Self::Draw,
        }
    }

    /// Reads one of the four words, or `½-½`.
    pub fn read(text: &str) -> Option<Self> {
        Some(match text {
            "1-0" => Self::WhiteWins,
            "0-1" => Self::BlackWins,
            "1/2-1/2" | "½-½" | "1/2" => Self::Draw,
            "*" => Self::Unknown,
            _ => return None,
        })
    }

    /// The word of the result.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
