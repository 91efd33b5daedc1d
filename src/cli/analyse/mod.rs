//! `engine analyse`: one position, or a suite of them.

mod json;
mod live;
mod suite;
mod table;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::limits::{LimitArgs, MachineArgs};
use super::terminal::{BoardView, ScreenArgs};
use super::thinking::{Event, Task, interruptible, think};
use super::{Failure, read_position};
use crate::notation::read_written;
use crate::rules::Game;
use crate::search::SearchResult;
use crate::types::excerpt;
use json::Json;
use live::Live;
use table::Table;

/// How long a position is analysed when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Shown behind the options.
pub(super) const EXAMPLES: &str = "Examples:
  engine analyse --movetime 1000
  engine analyse --moves \"K@e1,P@e4 K@e8\" --depth 8 --multipv 3
  engine analyse --fen \"6k1/5ppp/8/8/8/8/1K6/R7[] w - - 0 40\" --nodes 20000 --json
  engine analyse --file suite.epd --movetime 500";

/// What to analyse, and how long.
#[derive(Args)]
pub struct Settings {
    /// Position in extended FEN; the start position if left out
    #[arg(long)]
    fen: Option<String>,
    /// Actions to play first, e.g. "K@e1,P@e4 K@e8"
    #[arg(long)]
    moves: Option<String>,
    /// Test suite to solve instead: an EPD a line, with bm, am or dm (format in terminal.md)
    #[arg(long, conflicts_with_all = ["fen", "moves"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// How many of the best lines to show
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    multipv: u16,
    #[command(flatten)]
    machine: MachineArgs,
    /// Write JSON Lines (schema in protocol.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// Where an analysis goes.
trait View {
    /// The game is about to be analysed.
    fn begin(&mut self, game: &Game) -> io::Result<()>;
    /// Something was found, or some time has gone by.
    fn hear(&mut self, event: Event) -> io::Result<()>;
    /// The search has ended.
    fn end(&mut self, result: &SearchResult) -> io::Result<()>;
}

/// Analyses and prints.
pub fn run(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    match &settings.file {
        Some(path) => suite::run(path, settings, out),
        None => run_one(settings, out),
    }
}

fn run_one(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let game = read_game(settings)?;
    let limits = settings.limits.or_time(DEFAULT_TIME);
    let board = BoardView::new(settings.screen.screen());
    let mut view: Box<dyn View + '_> = if settings.json {
        Box::new(Json::new(out))
    } else if io::stdout().is_terminal() && io::stderr().is_terminal() {
        Box::new(Live::new(out, board, settings.multipv, &limits))
    } else {
        Box::new(Table::new(out, board))
    };
    // The board comes first: a large table takes its time.
    view.begin(&game)?;
    let mut searcher = settings.machine.searcher(settings.multipv)?;
    let control = interruptible()?;
    let task = Task { game: &game, limits: &limits, strength: None, control: &control };
    let result = think(&mut searcher, &task, &mut |event| view.hear(event))?;
    view.end(&result)?;
    Ok(())
}

fn read_game(settings: &Settings) -> Result<Game, Failure> {
    let start = read_position(settings.fen.as_deref())?;
    let mut game = Game::new(start);
    for (index, word) in settings.moves.iter().flat_map(|moves| moves.split_whitespace()).enumerate() {
        let written = read_written(word, game.position())
            .map_err(|error| Failure::Input(format!("action {} '{}': {error}", index + 1, excerpt(word))))?;
        game.play(written.action());
    }
    Ok(game)
}
