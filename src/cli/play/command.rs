//! What a person can enter.

use std::path::PathBuf;

use clap::ValueEnum;
use thiserror::Error;

use crate::protocol::ELO;
use crate::types::{Color, excerpt};

/// The sides a person takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Seat {
    /// White; the engine takes Black.
    White,
    /// Black; the engine takes White.
    Black,
    /// Both sides: the engine only watches.
    Both,
}

impl Seat {
    /// Does the person take this side?
    pub(super) fn has(self, side: Color) -> bool {
        match self {
            Self::White => side == Color::White,
            Self::Black => side == Color::Black,
            Self::Both => true,
        }
    }
}

/// How strong the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Level {
    /// As strong as it can.
    Full,
    /// About as strong as a player of this Elo.
    Elo(u32),
}

/// Reads `full`, or an Elo in the range of the option `UCI_Elo`.
pub(super) fn read_level(text: &str) -> Result<Level, CommandError> {
    if text.eq_ignore_ascii_case("full") {
        return Ok(Level::Full);
    }
    let elo = text.parse().ok().filter(|elo| ELO.contains(elo));
    elo.map(Level::Elo).ok_or_else(|| CommandError::Level(excerpt(text)))
}

/// Something to be done that is no action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Say what can be entered.
    Help,
    /// Draw the board.
    Board,
    /// Write the game so far.
    Moves,
    /// List moves, and the squares for drops.
    Legal,
    /// Write the position.
    Fen,
    /// Take the last own action back, and the answer to it.
    Undo,
    /// Suggest an action.
    Hint,
    /// Change the strength; say it without one.
    Level(Option<Level>),
    /// Start again.
    New,
    /// Take this side; the other one without one.
    Side(Option<Seat>),
    /// Turn the board round.
    Flip,
    /// Keep the games in this file from now on.
    Save(PathBuf),
    /// Give the game up.
    Resign,
    /// Leave.
    Quit,
}

/// A word that begins a command.
pub(super) struct Known {
    /// The word.
    pub name: &'static str,
    /// What may follow.
    pub operand: &'static str,
    /// What it does.
    pub help: &'static str,
}

const fn known(name: &'static str, operand: &'static str, help: &'static str) -> Known {
    Known { name, operand, help }
}

/// All commands, in the order in which help shows them.
pub(super) const COMMANDS: [Known; 14] = [
    known("help", "", "say what can be entered"),
    known("board", "", "draw the board"),
    known("moves", "", "write the game so far"),
    known("legal", "", "list the legal moves, and the squares for drops"),
    known("fen", "", "write the position"),
    known("hint", "", "suggest an action"),
    known("undo", "", "take your last action back, and the answer to it"),
    known("level", "N|full", "set the strength of the engine, 800 to 2400; say it without N"),
    known("side", "white|black|both", "take this side; the other one without a name"),
    known("flip", "", "turn the board round"),
    known("new", "", "begin another game"),
    known("save", "FILE", "keep the games in this file from now on"),
    known("resign", "", "give the game up"),
    known("quit", "", "leave; so does the end of the input"),
];

/// A line that was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input<'l> {
    /// Nothing.
    Nothing,
    /// A command.
    Command(Command),
    /// Anything else: an action, if it is one.
    Action(&'l str),
}

/// Why a command was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(in crate::cli) enum CommandError {
    /// No level.
    #[error("expected a level from 800 to 2400, or full, got '{0}'")]
    Level(String),
    /// No side.
    #[error("expected white, black or both, got '{0}'")]
    Side(String),
    /// A save without a file.
    #[error("expected the name of a file after save")]
    NoFile,
    /// Words behind a command that has none.
    #[error("expected nothing after {0}, got '{1}'")]
    Extra(String, String),
}

impl<'l> Input<'l> {
    /// Reads a line. Commands are known in any letter case.
    pub(super) fn read(line: &'l str) -> Result<Self, CommandError> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(Self::Nothing);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (name, rest) = (word.to_lowercase(), rest.trim());
        let command = match name.as_str() {
            "level" if rest.is_empty() => Command::Level(None),
            "level" => Command::Level(Some(read_level(rest)?)),
            "side" if rest.is_empty() => Command::Side(None),
            "side" => Command::Side(Some(
                Seat::from_str(rest, true).map_err(|_| CommandError::Side(excerpt(rest)))?,
            )),
            "save" if rest.is_empty() => return Err(CommandError::NoFile),
            "save" => Command::Save(rest.into()),
            "help" | "?" => Command::Help,
            "board" => Command::Board,
            "moves" => Command::Moves,
            "legal" => Command::Legal,
            "fen" => Command::Fen,
            "hint" => Command::Hint,
            "undo" => Command::Undo,
            "flip" => Command::Flip,
            "new" => Command::New,
            "resign" => Command::Resign,
            "quit" | "exit" => Command::Quit,
            _ => return Ok(Self::Action(line)),
        };
        let has_operand = matches!(command, Command::Level(_) | Command::Side(_) | Command::Save(_));
        if !has_operand && !rest.is_empty() {
            return Err(CommandError::Extra(name, excerpt(rest)));
        }
        Ok(Self::Command(command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_is_listed_is_read() {
        for Known { name, operand, .. } in COMMANDS {
            let operand = operand.split('|').next().unwrap_or_default().replace('N', "1500");
            let line = format!("  {} {operand} ", name.to_uppercase());
            assert!(matches!(Input::read(&line), Ok(Input::Command(_))), "{line}");
        }
    }

    #[test]
    fn operands_are_checked() {
        assert_eq!(Input::read("level 800"), Ok(Input::Command(Command::Level(Some(Level::Elo(800))))));
        assert_eq!(Input::read("level Full"), Ok(Input::Command(Command::Level(Some(Level::Full)))));
        assert_eq!(Input::read("level 799"), Err(CommandError::Level("799".to_owned())));
        assert_eq!(Input::read("side red"), Err(CommandError::Side("red".to_owned())));
        assert_eq!(Input::read("save"), Err(CommandError::NoFile));
        assert_eq!(Input::read("save a b.pgn"), Ok(Input::Command(Command::Save("a b.pgn".into()))));
        assert_eq!(Input::read("undo 2"), Err(CommandError::Extra("undo".to_owned(), "2".to_owned())));
        assert_eq!(Input::read(" Ke1, e4 "), Ok(Input::Action("Ke1, e4")));
        assert_eq!(Input::read("  "), Ok(Input::Nothing));
    }
}
