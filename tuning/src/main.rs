//! The lab: measurements that decide what the engine keeps.

mod adjudication;
mod budget;
mod census;
mod chances;
mod contest;
mod data;
mod endings;
mod engine;
mod foreign;
mod game;
mod landing;
mod levels;
mod openings;
mod pairing;
mod player;
mod record;
mod report;
mod result;
mod say;
mod selfplay;
mod speed;
mod statistics;
mod suite;
mod tally;
mod train;
mod tune;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::say::tell;

/// The lab of the Kingchess engine.
#[derive(Parser)]
#[command(name = "lab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a match between two engines and print the Elo difference with its interval
    Match(Box<pairing::Settings>),
    /// Solve positions with proven mates
    Suite(suite::Settings),
    /// Tell what files of training positions hold
    Data(census::Settings),
    /// Tell what the evaluation has learned: values of pieces, squares of kings, holding against dropping
    Report(report::Settings),
    /// Tell how far the network's values hold in endings and as the fifty-action rule draws near
    Endings(endings::Settings),
    /// Make training positions by playing games of the engine against itself
    Selfplay(selfplay::Settings),
    /// Search the positions of a file again, with another network or more nodes
    Relabel(selfplay::relabel::Settings),
    /// Train a network for the evaluation from training positions
    Train(Box<train::Settings>),
    /// Tune the parameters of the search by games between disturbed ones
    Tune(Box<tune::Settings>),
    /// Write balanced early positions of several kinds
    Openings(openings::Settings),
    /// Compare the speed of two engines: nodes a second or time to a depth
    Speed(speed::Settings),
    /// Play levels of UCI_Elo against their neighbours
    Levels(levels::Settings),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Match(settings) => pairing::run(&settings).map_err(|error| error.to_string()),
        Command::Data(settings) => census::run(&settings).map_err(|error| error.to_string()),
        Command::Report(settings) => report::run(&settings).map_err(|error| error.to_string()),
        Command::Endings(settings) => endings::run(&settings).map_err(|error| error.to_string()),
        Command::Selfplay(settings) => selfplay::run(&settings).map_err(|error| error.to_string()),
        Command::Relabel(settings) => selfplay::relabel::run(&settings).map_err(|error| error.to_string()),
        Command::Train(settings) => train::run(&settings).map_err(|error| error.to_string()),
        Command::Tune(settings) => tune::run(&settings).map_err(|error| error.to_string()),
        Command::Suite(settings) => suite::run(&settings).map_err(|error| error.to_string()),
        Command::Speed(settings) => speed::run(&settings).map_err(|error| error.to_string()),
        Command::Openings(settings) => openings::run(&settings).map_err(|error| error.to_string()),
        Command::Levels(settings) => levels::run(&settings).map_err(|error| error.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
