use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::{Failure, read_position};
use crate::notation::read_legal_action;
use crate::protocol::{draw, wdl};
use crate::rules::{Game, Outcome, Position};
use crate::search::{Bound, Control, Limits, Report, SearchResult, Searcher};
use crate::types::{Action, Color, Score, excerpt};

/// The version of the JSON schema in protocol.md.
const SCHEMA: u32 = 1;
/// How long a position is analysed when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// What to analyse, and how long.
#[derive(Args)]
pub struct Settings {
    /// Position in extended FEN; the start position if left out
    #[arg(long)]
    fen: Option<String>,
    /// Actions to play first, e.g. "K@e1,P@e4 K@e8"
    #[arg(long)]
    moves: Option<String>,
    /// Depth in actions
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds
    #[arg(long)]
    movetime: Option<u64>,
    /// Positions to visit
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How many of the best lines to show
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    multipv: u16,
    /// Threads that search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the transposition table in MB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Write JSON Lines (schema in protocol.md)
    #[arg(long)]
    json: bool,
}

/// One line of the JSON output.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Record<'a> {
    Position {
        schema: u32,
        fen: String,
        side: &'a str,
        actions: u64,
        result: Option<String>,
    },
    Line {
        depth: u32,
        seldepth: u32,
        multipv: usize,
        #[serde(flatten)]
        score: JsonScore,
        bound: &'a str,
        wdl: [u32; 3],
        nodes: u64,
        time_ms: u64,
        hashfull: u32,
        pv: Vec<String>,
    },
    Result {
        best: Option<String>,
        ponder: Option<String>,
        nodes: u64,
        time_ms: u64,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonScore {
    Cp(i32),
    Mate(i32),
}

impl From<Score> for JsonScore {
    fn from(score: Score) -> Self {
        score.mate_distance().map_or(Self::Cp(score.get()), Self::Mate)
    }
}

/// Analyses and prints.
pub fn run(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let game = read_game(settings)?;
    let unlimited = settings.depth.is_none() && settings.movetime.is_none() && settings.nodes.is_none();
    let movetime = settings.movetime.map(Duration::from_millis).or(unlimited.then_some(DEFAULT_TIME));
    let limits = Limits { depth: settings.depth, nodes: settings.nodes, movetime, ..Limits::default() };
    let mut searcher =
        Searcher::new(settings.hash as usize).map_err(|error| Failure::Input(error.to_string()))?;
    searcher.set_threads(settings.threads.into());
    searcher.lines = settings.multipv.into();
    searcher.overhead = Duration::ZERO;
    let mut view =
        View { position: *game.position(), json: settings.json, progress: io::stderr().is_terminal(), out };
    view.begin(&game)?;
    let mut written = Ok(());
    let result = searcher.search(&game, &limits, &Control::default(), &mut |report| {
        if written.is_ok() {
            written = view.line(report);
        }
    });
    written?;
    view.end(&result)
}

fn read_game(settings: &Settings) -> Result<Game, Failure> {
    let start = read_position(settings.fen.as_deref())?;
    let mut game = Game::new(start);
    for (index, word) in settings.moves.iter().flat_map(|moves| moves.split_whitespace()).enumerate() {
        let action = read_legal_action(word, game.position())
            .map_err(|error| Failure::Input(format!("action {} '{}': {error}", index + 1, excerpt(word))))?;
        game.play(action);
    }
    Ok(game)
}

struct View<'o> {
    position: Position,
    json: bool,
    progress: bool,
    out: &'o mut dyn Write,
}

impl View<'_> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let text = serde_json::to_string(record).map_err(io::Error::other)?;
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    fn begin(&mut self, game: &Game) -> io::Result<()> {
        let position = self.position;
        let outcome = game.outcome().map(|outcome: Outcome| outcome.to_string());
        let side = if position.side() == Color::White { "white" } else { "black" };
        if self.json {
            let (fen, actions) = (position.fen(), position.count_actions());
            return self.record(&Record::Position { schema: SCHEMA, fen, side, actions, result: outcome });
        }
        for line in draw(&position) {
            writeln!(self.out, "{line}")?;
        }
        writeln!(self.out, "Fen: {}", position.fen())?;
        writeln!(self.out, "{side} to act, {} legal actions", position.count_actions())?;
        if let Some(outcome) = outcome {
            writeln!(self.out, "The game is over: {outcome}")?;
        }
        writeln!(self.out, "depth  line    value      nodes    time  principal variation")?;
        self.out.flush()
    }

    fn line(&mut self, report: &Report) -> io::Result<()> {
        let pv = self.tokens(&report.pv);
        let time_ms = u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX);
        if self.json {
            return self.record(&Record::Line {
                depth: report.depth,
                seldepth: report.seldepth,
                multipv: report.multipv,
                score: report.score.into(),
                bound: match report.bound {
                    Bound::Exact => "exact",
                    Bound::Lower => "lower",
                    Bound::Upper => "upper",
                },
                wdl: wdl(report.score),
                nodes: report.nodes,
                time_ms,
                hashfull: report.hashfull,
                pv,
            });
        }
        if report.bound != Bound::Exact {
            // A bound is only a sign of life, for whoever watches.
            if self.progress {
                eprint!("\rdepth {} … {} nodes\r", report.depth, report.nodes);
            }
            return Ok(());
        }
        let line = format!(
            "{:>5} {:>5} {:>8} {:>10} {:>6.2}s  {}",
            report.depth,
            report.multipv,
            human(report.score),
            report.nodes,
            report.time.as_secs_f64(),
            pv.join(" ")
        );
        writeln!(self.out, "{}", line.trim_end())?;
        self.out.flush()
    }

    fn end(&mut self, result: &SearchResult) -> Result<(), Failure> {
        let best = result.best.map(|action| action.token(self.position.side()).to_string());
        let ponder = result.ponder.map(|action| action.token(!self.position.side()).to_string());
        let time_ms = u64::try_from(result.time.as_millis()).unwrap_or(u64::MAX);
        if self.json {
            self.record(&Record::Result { best, ponder, nodes: result.nodes, time_ms })?;
        } else {
            writeln!(self.out, "best {}", best.as_deref().unwrap_or("(none)"))?;
        }
        Ok(())
    }

    fn tokens(&self, pv: &[Action]) -> Vec<String> {
        let mut side = self.position.side();
        pv.iter()
            .map(|action| {
                let token = action.token(side).to_string();
                side = !side;
                token
            })
            .collect()
    }
}

/// A value as players write it: pawns with two decimals, or mate.
fn human(score: Score) -> String {
    match score.mate_distance() {
        Some(distance) => format!("mate {distance}"),
        None => format!("{:+.2}", f64::from(score.get()) / 100.0),
    }
}
