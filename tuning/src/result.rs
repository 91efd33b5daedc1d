//! Results of games.

use std::fmt;
use std::str::FromStr;

use kingchess::types::Color;
use thiserror::Error;

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// 1-0.
    WhiteWins,
    /// Nobody.
    Draw,
    /// 0-1.
    BlackWins,
}

impl GameResult {
    /// The side has won.
    pub fn win_of(side: Color) -> Self {
        if side == Color::White { Self::WhiteWins } else { Self::BlackWins }
    }

    /// The half points of a side: 0, 1 or 2.
    pub fn half_points(self, side: Color) -> usize {
        match self {
            Self::Draw => 1,
            result if result == Self::win_of(side) => 2,
            _ => 0,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhiteWins => "1-0",
            Self::Draw => "1/2-1/2",
            Self::BlackWins => "0-1",
        })
    }
}

/// Not the result of a finished game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected the result 1-0, 0-1 or 1/2-1/2, got '{0}'")]
pub struct ResultError(String);

impl FromStr for GameResult {
    type Err = ResultError;

    fn from_str(text: &str) -> Result<Self, ResultError> {
        [Self::WhiteWins, Self::Draw, Self::BlackWins]
            .into_iter()
            .find(|result| result.to_string() == text)
            .ok_or_else(|| ResultError(text.to_owned()))
    }
}

/// Won, drawn and lost games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won.
    pub wins: usize,
    /// Drawn.
    pub draws: usize,
    /// Lost.
    pub losses: usize,
}

impl Counts {
    /// Adds a game with this many half points.
    pub fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// All games.
    pub fn games(&self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// Both together.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_written() {
        for result in [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins] {
            assert_eq!(result.to_string().parse(), Ok(result));
            assert_eq!(result.half_points(Color::White) + result.half_points(Color::Black), 2);
        }
        assert!("*".parse::<GameResult>().is_err());
        assert_eq!(GameResult::win_of(Color::Black).half_points(Color::Black), 2);
    }
}
