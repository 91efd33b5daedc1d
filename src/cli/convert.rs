use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};

use super::Failure;
use super::files::{BUFFER, open, refuse_same};
use crate::notation::Notation;
use crate::notation::records::{Format, GameReader, GameRecord, write_game};
use crate::types::printable;

/// What to convert, and into what.
#[derive(Args)]
pub struct Settings {
    /// File of games: PGN with actions in any notation, JSON or `position` lines; `-` is standard input
    file: PathBuf,
    /// What to write
    #[arg(long, value_enum)]
    to: Target,
    /// Where to write; standard output if left out
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// PGN with protocol tokens: K@g1,P@e4 e2e4
    Pgn,
    /// The notation of openchess.ru: Kg1 e4 (Q, 2R, 2B, 2N, 7P)  e2-e4
    Openchess,
    /// The notation of the encyclopedia: Kg1, e4  e2-e4
    Wiki,
    /// A `position` line of the protocol for each game
    Uci,
    /// A line of JSON for each game
    Json,
    /// Nothing but what was read, and how fast: to check a file
    None,
}

impl Target {
    const fn format(self) -> Option<Format> {
        match self {
            Self::Pgn => Some(Format::Pgn(Notation::Token)),
            Self::Openchess => Some(Format::Plain(Notation::Openchess)),
            Self::Wiki => Some(Format::Plain(Notation::Encyclopedia)),
            Self::Uci => Some(Format::Uci),
            Self::Json => Some(Format::Json),
            Self::None => None,
        }
    }
}

/// What was read.
#[derive(Default)]
struct Count {
    games: usize,
    actions: usize,
    wrong: usize,
}

/// Converts; what is wrong or odd is said on standard error. A game that is wrong somewhere is written up to there.
pub fn run(settings: &Settings) -> Result<(), Failure> {
    let input = open(&settings.file)?;
    match &settings.out {
        None => convert(input, settings.to, &mut BufWriter::with_capacity(BUFFER, io::stdout().lock())),
        Some(path) => {
            refuse_same(path, &settings.file)?;
            let file = File::create(path).map_err(|error| Failure::file(path, &error))?;
            convert(input, settings.to, &mut BufWriter::with_capacity(BUFFER, file))
        }
    }
}

fn convert(input: Box<dyn BufRead>, target: Target, out: &mut dyn Write) -> Result<(), Failure> {
    let start = Instant::now();
    let mut count = Count::default();
    for read in GameReader::new(input) {
        count.games += 1;
        let wrong = read.is_err();
        let record = match read {
            Ok(record) => record,
            Err(error) => {
                count.wrong += 1;
                say(&format!("error: {error}"))?;
                *error.record
            }
        };
        count.actions += record.entries().len();
        warn(count.games, &record)?;
        // Nothing of a game that is wrong before its first action is sure.
        let nothing = wrong && record.entries().is_empty();
        if let Some(format) = target.format()
            && !nothing
        {
            write_game(out, &record, format)?;
        }
    }
    if target.format().is_none() {
        summarise(&count, start, out)?;
    }
    out.flush()?;
    match count.wrong {
        0 => Ok(()),
        wrong => {
            Err(Failure::Input(format!("{wrong} of {} games could not be read to the end", count.games)))
        }
    }
}

fn warn(game: usize, record: &GameRecord) -> io::Result<()> {
    record.warnings.iter().try_for_each(|warning| say(&format!("warning: game {game}, {warning}")))
}

/// Writes a line on standard error.
fn say(message: &str) -> io::Result<()> {
    let message: String = message.chars().map(printable).collect();
    writeln!(io::stderr(), "{message}")
}

fn summarise(count: &Count, start: Instant, out: &mut dyn Write) -> io::Result<()> {
    let seconds = start.elapsed().as_secs_f64().max(1e-6);
    let Count { games, actions, .. } = count;
    writeln!(out, "{games} games, {actions} actions, {:.0} games a second", *games as f64 / seconds)
}
