//! `engine play`: a person against the engine.

mod command;
mod complete;
mod keeper;
mod prompt;
mod session;
mod sitting;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::limits::{LimitArgs, MachineArgs};
use super::terminal::{BoardView, ScreenArgs};
use super::{Failure, read_position};
use command::{Seat, read_level};
use keeper::Keeper;
use prompt::{Editing, Plain, Prompt};
use session::{Session, Strength};
use sitting::Sitting;

/// How long the engine thinks when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Shown behind the options.
pub(super) const EXAMPLES: &str = "Examples:
  engine play --level 1200
  engine play --side black --movetime 500 --save mine.pgn
Type help for what can be entered.";

/// Who plays how.
#[derive(Args)]
pub struct Settings {
    /// The side you take
    #[arg(long, value_enum, default_value_t = Seat::White)]
    side: Seat,
    /// Strength of the engine in Elo, 800 to 2400, or full
    #[arg(long, default_value = "full", value_parser = read_level)]
    level: command::Level,
    /// Position to start from, in extended FEN; the start position if left out
    #[arg(long)]
    fen: Option<String>,
    /// File for the games, kept up to date after each action; must not be there yet
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// Plays games until the person has enough.
pub fn run(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let start = read_position(settings.fen.as_deref())?;
    let keeper = match &settings.save {
        Some(path) => Keeper::new(path).map_err(|error| Failure::Input(error.to_string()))?,
        None => Keeper::default(),
    };
    let screen = settings.screen.screen();
    let strength = Strength { level: settings.level, limits: settings.limits.or_time(DEFAULT_TIME) };
    let searcher = settings.machine.searcher(1)?;
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut prompt: Box<dyn Prompt> =
        if terminal { Box::new(Editing::new(screen)?) } else { Box::new(Plain::default()) };
    let sitting = Sitting::new(start, settings.side);
    let mut session = Session::new(out, BoardView::new(screen), sitting, searcher, strength, keeper)?;
    session.run(&mut *prompt)
}
