//! The benchmark: fixed positions of every phase, searched to a fixed depth. With one thread the number of nodes is the
//! same in every run, so it also tells whether a change of the code has changed the search.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use thiserror::Error;

use super::Failure;
use crate::rules::{Game, Position};
use crate::search::{Control, Limits, Searcher, TableError};
use crate::types::excerpt;

/// The positions, one FEN a line; lines that begin with `#` name the phase.
const POSITIONS: &str = include_str!("bench.fens");

/// How the benchmark is run.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Depth in actions
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Threads that search; with more than one the number of nodes varies
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the transposition table in MB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { depth: 10, threads: 1, hash: 16 }
    }
}

/// Why the words after `bench` were not understood.
#[derive(Debug, Error)]
#[error("expected 'depth N' (1-100), 'threads N' (1-256) or 'hash MB' (1-65536), got '{0}'")]
pub struct SettingsError(String);

impl Settings {
    /// Reads `depth 5 threads 2 hash 32`, any of them, as the protocol's `bench` has it.
    ///
    /// # Errors
    /// If a word is unknown or a number is missing or out of its range.
    pub fn from_words(words: &[&str]) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        for pair in words.chunks(2) {
            let error = || SettingsError(excerpt(&pair.join(" ")));
            let (Some(key), Some(number)) =
                (pair.first(), pair.get(1).and_then(|word| word.parse::<u32>().ok()))
            else {
                return Err(error());
            };
            match (key.to_ascii_lowercase().as_str(), number) {
                ("depth", 1..=100) => settings.depth = number,
                ("threads", 1..=256) => settings.threads = number as u16,
                ("hash", 1..=65536) => settings.hash = number,
                _ => return Err(error()),
            }
        }
        Ok(settings)
    }
}

/// Runs the benchmark; `line` gets a line for each position and the total last: `N nodes M nps`.
///
/// # Errors
/// If the memory for the transposition table can't be had.
pub fn run(settings: &Settings, line: &mut dyn FnMut(&str)) -> Result<(), TableError> {
    let mut searcher = Searcher::new(settings.hash as usize)?;
    searcher.set_threads(settings.threads.into());
    let limits = Limits { depth: Some(settings.depth), ..Limits::default() };
    let start = Instant::now();
    let mut nodes = 0;
    for fen in POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        // The positions are part of the program, and a test reads each of them.
        let Ok(position) = fen.parse::<Position>() else { continue };
        searcher.clear();
        let game = Game::new(position);
        let result = searcher.search(&game, &limits, &Control::default(), &mut |_| {});
        nodes += result.nodes;
        let best = result
            .best
            .map_or_else(|| "(none)".to_owned(), |action| action.token(position.side()).to_string());
        line(&format!("{:>9} {} {best}", result.nodes, position.fen()));
    }
    let rate = u128::from(nodes) * 1_000_000 / start.elapsed().as_micros().max(1);
    line(&format!("{nodes} nodes {rate} nps"));
    Ok(())
}

/// Runs the benchmark on standard output.
pub(super) fn print(settings: &Settings) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut written = Ok(());
    run(settings, &mut |line| {
        if written.is_ok() {
            written = writeln!(out, "{line}");
        }
    })
    .map_err(|error| Failure::Input(error.to_string()))?;
    Ok(written?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_good_and_many() {
        let fens: Vec<&str> = POSITIONS.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(fens.len() >= 40, "{}", fens.len());
        for fen in fens {
            let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.fen(), fen);
        }
    }

    #[test]
    fn positions_for_comparisons_of_speed_are_some_of_these() {
        for file in [
            include_str!("../../bench/positions/kingchess.fens"),
            include_str!("../../bench/positions/chess.fens"),
            include_str!("../../bench/positions/drops.fens"),
        ] {
            for fen in file.lines().filter(|line| !line.starts_with('#')) {
                assert!(POSITIONS.lines().any(|line| line == fen), "{fen}");
            }
        }
    }
}
