//! When a game is ended by the engines' values or its length, not by the rules.

use std::str::FromStr;

use clap::Args;
use kingchess::types::Color;
use serde::Serialize;
use thiserror::Error;

use super::result::GameResult;

/// Adjudication as set on the command line.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Adjudication {
    /// Won: for COUNT actions in a row both engines' values put the same side ahead by CP centipawns or more; or off
    #[arg(long, value_name = "CP,COUNT|off", default_value = "900,6")]
    adjudicate_win: ValueRule,
    /// Drawn: for COUNT actions in a row both engines' values are within CP centipawns of even, and nothing was captured
    /// or dropped and no pawn moved; or off
    #[arg(long, value_name = "CP,COUNT|off", default_value = "off")]
    adjudicate_draw: ValueRule,
    /// Drawn: the game has this many actions
    #[arg(long, value_name = "ACTIONS", default_value_t = 600)]
    longest: usize,
}

/// What values, and how many in a row, end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ValueRule {
    /// None.
    Off,
    /// This many in a row that keep this limit.
    Limit {
        /// In centipawns.
        centipawns: i32,
        /// How many actions in a row, of both sides together.
        count: usize,
    },
}

/// Why a [`ValueRule`] could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected CENTIPAWNS,COUNT (both above 0) or off, got '{0}'")]
pub struct ValueRuleError(String);

impl FromStr for ValueRule {
    type Err = ValueRuleError;

    fn from_str(text: &str) -> Result<Self, ValueRuleError> {
        if text == "off" {
            return Ok(Self::Off);
        }
        text.split_once(',')
            .and_then(|(centipawns, count)| {
                Some((centipawns.trim().parse().ok()?, count.trim().parse().ok()?))
            })
            .filter(|&(centipawns, count)| centipawns > 0 && count > 0)
            .map(|(centipawns, count)| Self::Limit { centipawns, count })
            .ok_or_else(|| ValueRuleError(text.to_owned()))
    }
}

/// Why a game was ended before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The values agree.
    Values(GameResult),
    /// It was too long.
    Length,
}

/// Follows the values of one game.
pub struct Adjudicator<'a> {
    rules: &'a Adjudication,
    /// Actions in a row that saw White ahead, Black ahead, nobody.
    white: usize,
    black: usize,
    even: usize,
}

impl<'a> Adjudicator<'a> {
    /// For a game that begins.
    pub fn new(rules: &'a Adjudication) -> Self {
        Self { rules, white: 0, black: 0, even: 0 }
    }

    /// Takes note of the value that the side that acted gave its action; an action without a value changes nothing.
    pub fn note(&mut self, side: Color, value: Option<i32>) {
        let Some(value) = value else { return };
        let value = if side == Color::White { value } else { -value };
        let count = |row: usize, holds: bool| if holds { row + 1 } else { 0 };
        if let ValueRule::Limit { centipawns, .. } = self.rules.adjudicate_win {
            self.white = count(self.white, value >= centipawns);
            self.black = count(self.black, value <= -centipawns);
        }
        if let ValueRule::Limit { centipawns, .. } = self.rules.adjudicate_draw {
            self.even = count(self.even, value.abs() <= centipawns);
        }
    }

    /// Is the game over after this many actions, of which the last `quiet` captured nothing, moved no pawn and dropped
    /// nothing?
    pub fn verdict(&self, actions: usize, quiet: usize) -> Option<Verdict> {
        let reached = |rule: ValueRule, row: usize| match rule {
            ValueRule::Off => false,
            ValueRule::Limit { count, .. } => row >= count,
        };
        if actions >= self.rules.longest {
            Some(Verdict::Length)
        } else if reached(self.rules.adjudicate_win, self.white) {
            Some(Verdict::Values(GameResult::WhiteWins))
        } else if reached(self.rules.adjudicate_win, self.black) {
            Some(Verdict::Values(GameResult::BlackWins))
        } else if reached(self.rules.adjudicate_draw, self.even.min(quiet)) {
            Some(Verdict::Values(GameResult::Draw))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(win: &str, draw: &str) -> Adjudication {
        Adjudication {
            adjudicate_win: win.parse().expect("a rule"),
            adjudicate_draw: draw.parse().expect("a rule"),
            longest: 100,
        }
    }

    #[test]
    fn rules_are_read() {
        assert_eq!("900,6".parse(), Ok(ValueRule::Limit { centipawns: 900, count: 6 }));
        assert_eq!("off".parse(), Ok(ValueRule::Off));
        for text in ["", "900", "900,", "x,6", "900,0", "-5,6", "OFF"] {
            assert!(text.parse::<ValueRule>().is_err(), "{text}");
        }
    }

    #[test]
    fn both_engines_must_agree_on_the_winner() {
        let rules = rules("900,4", "off");
        let mut game = Adjudicator::new(&rules);
        for _ in 0..2 {
            game.note(Color::White, Some(-950));
            assert_eq!(game.verdict(10, 0), None);
            game.note(Color::Black, Some(1000));
        }
        assert_eq!(game.verdict(10, 0), Some(Verdict::Values(GameResult::BlackWins)));
        game.note(Color::White, Some(-899));
        assert_eq!(game.verdict(10, 0), None);
        for _ in 0..8 {
            game.note(Color::White, Some(950));
            game.note(Color::Black, Some(950));
        }
        assert_eq!(game.verdict(10, 0), None);
    }

    #[test]
    fn a_draw_needs_even_values_and_quiet_actions() {
        let rules = rules("off", "5,4");
        let mut game = Adjudicator::new(&rules);
        for _ in 0..2 {
            game.note(Color::White, Some(5));
            game.note(Color::Black, Some(-5));
        }
        assert_eq!(game.verdict(10, 3), None);
        assert_eq!(game.verdict(10, 4), Some(Verdict::Values(GameResult::Draw)));
        game.note(Color::White, Some(6));
        assert_eq!(game.verdict(10, 4), None);
    }

    #[test]
    fn off_is_off_but_for_the_length() {
        let rules = rules("off", "off");
        let mut game = Adjudicator::new(&rules);
        for _ in 0..50 {
            game.note(Color::White, Some(30_000));
            game.note(Color::Black, Some(-30_000));
        }
        assert_eq!(game.verdict(99, 99), None);
        assert_eq!(game.verdict(100, 0), Some(Verdict::Length));
    }
}
