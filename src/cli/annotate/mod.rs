//! `engine annotate`: every action of games judged by the engine.

mod assess;
mod comment;
mod graph;
mod judge;
mod resume;
mod summary;

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;
use super::files::{open, refuse_same};
use super::limits::{LimitArgs, MachineArgs};
use crate::notation::Notation;
use crate::notation::records::{Format, GameReader, GameRecord, write_game};
use crate::search::{Limits, Searcher};
use crate::types::{Color, printable};
use assess::{assess, look};
use graph::{Graph, GraphFile};
use summary::Summary;

/// How long each position is looked at when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_millis(500);

/// Shown behind the options.
pub(super) const EXAMPLES: &str = "Examples:
  engine annotate game.pgn --depth 6
  engine annotate game.pgn --movetime 20 --multipv 2 --out annotated.pgn --graph graph.svg
  engine annotate games.pgn --nodes 2000 --out all.pgn --resume";

/// Which games, and how thoroughly.
#[derive(Args)]
pub struct Settings {
    /// File of games in any format and notation that convert reads; `-` is standard input
    file: PathBuf,
    #[command(flatten)]
    limits: LimitArgs,
    /// How many better lines to name at most
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    multipv: u16,
    #[command(flatten)]
    machine: MachineArgs,
    /// Where to write; standard output if left out
    #[arg(long)]
    out: Option<PathBuf>,
    /// Keep the games that are in the output file already, and go on behind them
    #[arg(long, requires = "out")]
    resume: bool,
    /// Draw White's chances: FILE.svg, or FILE.png, which has no words in it
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
}

/// Annotates; what is wrong or odd is said on standard error. A game that is wrong somewhere is annotated up to there.
pub fn run(settings: &Settings) -> Result<(), Failure> {
    let graph = settings.graph.as_deref().map(GraphFile::new).transpose();
    let graph = graph.map_err(|error| Failure::Input(error.to_string()))?;
    if let Some(path) = &settings.out {
        refuse_same(path, &settings.file)?;
    }
    let games = GameReader::new(open(&settings.file)?);
    let kept = match &settings.out {
        Some(path) if settings.resume => resume::kept(path)?,
        _ => Vec::new(),
    };
    let mut annotator = Annotator {
        limits: settings.limits.or_time(DEFAULT_TIME),
        searcher: settings.machine.searcher(settings.multipv)?,
        graph,
        output: Output::new(settings.out.as_deref(), settings.resume)?,
    };
    let mut kept = kept.into_iter().peekable();
    let mut count = Count::default();
    annotator.output.summarise(Summary::HEADING)?;
    for read in games {
        count.games += 1;
        let record = match read {
            Ok(record) => record,
            Err(error) => {
                count.wrong += 1;
                say(&format!("error: {error}"))?;
                *error.record
            }
        };
        if let Some(path) = &settings.out
            && let Some(done) = kept.next()
        {
            if !resume::is_same(&done, &record) {
                let why = format!(
                    "{}: its game {} is not that of {}",
                    path.display(),
                    count.games,
                    settings.file.display()
                );
                return Err(Failure::Input(why));
            }
            continue;
        }
        annotator.annotate(count.games, record)?;
    }
    match count.wrong {
        0 => Ok(()),
        wrong => {
            Err(Failure::Input(format!("{wrong} of {} games could not be read to the end", count.games)))
        }
    }
}

/// What was read.
#[derive(Default)]
struct Count {
    games: usize,
    wrong: usize,
}

/// Goes through games one by one.
struct Annotator {
    limits: Limits,
    searcher: Searcher,
    graph: Option<GraphFile>,
    output: Output,
}

impl Annotator {
    fn annotate(&mut self, number: usize, mut record: GameRecord) -> Result<(), Failure> {
        let bar = bar(record.entries().len() + 1, number);
        self.searcher.clear();
        let sights = look(&mut self.searcher, &record, &self.limits, &bar)?;
        bar.finish_and_clear();
        let assessment = assess(&record, &sights);
        let summary = Summary::of(&assessment);
        comment::write(&mut record, &assessment, &summary);
        self.output.write(&record)?;
        for side in Color::ALL {
            self.output.summarise(&summary.row(number, side, &record))?;
        }
        if let Some(file) = &self.graph {
            let graph = Graph::of(&record, &sights, &assessment);
            file.write(number, &graph).map_err(|error| Failure::Input(error.to_string()))?;
        }
        Ok(())
    }
}

/// Where games and their summaries go.
enum Output {
    /// Games into a file, summaries on standard output.
    File(File, PathBuf),
    /// Games on standard output, summaries on standard error.
    Standard,
}

impl Output {
    fn new(path: Option<&Path>, append: bool) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::Standard) };
        let mut options = OpenOptions::new();
        options.create(true).append(append).write(true).truncate(!append);
        let file = options.open(path).map_err(|error| Failure::file(path, &error))?;
        Ok(Self::File(file, path.to_owned()))
    }

    /// Writes a game at once, so that it is there or not.
    fn write(&mut self, record: &GameRecord) -> Result<(), Failure> {
        let mut text = Vec::new();
        write_game(&mut text, record, Format::Pgn(Notation::Token))?;
        match self {
            Self::File(file, path) => {
                file.write_all(&text).and_then(|()| file.flush()).map_err(|error| Failure::file(path, &error))
            }
            Self::Standard => {
                let mut out = io::stdout().lock();
                Ok(out.write_all(&text).and_then(|()| out.flush())?)
            }
        }
    }

    fn summarise(&self, line: &str) -> io::Result<()> {
        match self {
            Self::File(..) => writeln!(io::stdout(), "{line}"),
            Self::Standard => say(line),
        }
    }
}

/// Writes a line on standard error.
fn say(message: &str) -> io::Result<()> {
    let message: String = message.chars().map(printable).collect();
    writeln!(io::stderr(), "{message}")
}

/// How many positions of a game are done, on a terminal.
fn bar(positions: usize, game: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let look = ProgressStyle::with_template("{bar:40} {pos}/{len} positions of game {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(positions as u64).with_style(look.progress_chars("━╸─")).with_message(game.to_string())
}
