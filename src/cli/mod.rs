//! The command line: the protocol, or one of the commands of `engine help`.
//!
//! For people: `analyse`, `play`, `annotate`, which share what `terminal` draws and the way `thinking` searches.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod analyse;
mod annotate;
pub mod bench;
mod convert;
mod eval;
mod failure;
mod files;
mod limits;
mod perft;
mod play;
mod terminal;
mod thinking;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::protocol::{self, Output};
use crate::rules::Position;
use failure::Failure;

/// A Kingchess engine. Without a command it speaks the protocol (UCI with drops) on standard input and output.
#[derive(Parser)]
#[command(name = "engine", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search fixed positions of every phase; print the nodes and nodes per second
    Bench(bench::Settings),
    /// Analyse a position, or solve a suite of them
    #[command(after_help = analyse::EXAMPLES)]
    Analyse(analyse::Settings),
    /// Annotate games: judge every action, name what was better
    #[command(after_help = annotate::EXAMPLES)]
    Annotate(annotate::Settings),
    /// Convert records of games from one notation to another
    Convert(convert::Settings),
    /// Evaluate one position without a search: what each piece adds
    Eval(eval::Settings),
    /// Play against the engine
    #[command(after_help = play::EXAMPLES)]
    Play(play::Settings),
    /// Count the legal actions to a depth
    Perft(perft::Settings),
}

/// Reads the position of a `--fen` option, the start position without one; what was left out is said on standard error.
fn read_position(fen: Option<&str>) -> Result<Position, Failure> {
    let Some(fen) = fen else { return Ok(Position::start()) };
    let (position, notes) =
        Position::read_fen(fen).map_err(|error| Failure::Input(format!("bad FEN: {error}")))?;
    for note in notes {
        writeln!(io::stderr(), "note: {note}")?;
    }
    Ok(position)
}

/// Runs the program with the arguments of the process. Exit code 0: fine, 1: the input was wrong, 2: bad usage,
/// 3: not all positions of a suite were solved.
pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        None => protocol::run(io::stdin().lock(), Output::stdout()).map_err(Failure::Output),
        Some(Command::Bench(settings)) => bench::print(&settings),
        Some(Command::Analyse(settings)) => analyse::run(&settings, &mut io::stdout().lock()),
        Some(Command::Annotate(settings)) => annotate::run(&settings),
        Some(Command::Convert(settings)) => convert::run(&settings),
        Some(Command::Eval(settings)) => eval::run(&settings, &mut io::stdout().lock()),
        Some(Command::Play(settings)) => play::run(&settings, &mut io::stdout().lock()),
        Some(Command::Perft(settings)) => perft::run(&settings, &mut io::stdout().lock()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
