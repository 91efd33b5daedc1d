//! `engine analyse --file`: which positions of a suite are solved, and how fast.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::json::{SCHEMA, Value, milliseconds, write_record};
use super::{Failure, Settings};
use crate::cli::terminal::{grouped, value};
use crate::cli::thinking::{Event, Task, think};
use crate::notation::epd::Epd;
use crate::notation::{Notation, action_text};
use crate::rules::Game;
use crate::search::{Bound, Control, Limits, Report, Searcher};
use crate::types::{Action, Score};

/// How long a position is searched when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The widest column of answers, in characters; longer answers stick out.
const WIDEST: usize = 24;

/// How far a search had come.
#[derive(Clone, Copy, Default)]
struct Effort {
    depth: u32,
    time: Duration,
    nodes: u64,
}

impl From<&Report> for Effort {
    fn from(report: &Report) -> Self {
        Self { depth: report.depth, time: report.time, nodes: report.nodes }
    }
}

/// What has come of a position.
struct Attempt {
    found: Option<Action>,
    score: Score,
    solved: bool,
    /// Until the answer that stayed was found, if it is right; otherwise, of the whole search.
    effort: Effort,
    /// Of the whole search.
    total: Effort,
}

/// A position as JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename = "suite")]
struct JsonAttempt {
    schema: u32,
    line: usize,
    id: Option<String>,
    fen: String,
    bm: Vec<String>,
    am: Vec<String>,
    dm: Option<u32>,
    found: Option<String>,
    #[serde(flatten)]
    score: Value,
    solved: bool,
    depth: u32,
    nodes: u64,
    time_ms: u64,
}

/// The end of a suite as JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename = "total")]
struct JsonTotal {
    positions: usize,
    solved: usize,
    nodes: u64,
    time_ms: u64,
}

/// A position of the suite and the line of the file it stands on.
struct Problem {
    line: usize,
    epd: Epd,
}

impl Problem {
    /// The name, or the line if there is none.
    fn name(&self) -> String {
        self.epd.id.clone().unwrap_or_else(|| format!("line {}", self.line))
    }

    fn tokens(&self, actions: &[Action]) -> Vec<String> {
        actions.iter().map(|action| action.token(self.epd.position.side()).to_string()).collect()
    }

    /// What is asked for: `bm Ng1-f3`, `dm 2`.
    fn expected(&self) -> String {
        let actions = |name: &str, actions: &[Action]| {
            let texts: Vec<String> = actions
                .iter()
                .map(|&action| action_text(action, &self.epd.position, Notation::Encyclopedia))
                .collect();
            (!texts.is_empty()).then(|| format!("{name} {}", texts.join(" or ")))
        };
        let mate = self.epd.mate.map(|mate| format!("dm {mate}"));
        let parts = [mate, actions("bm", &self.epd.best), actions("am", &self.epd.avoid)];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// Solves the positions of a file and prints what came of each.
pub(super) fn run(path: &Path, settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let problems = read(path)?;
    let limits = settings.limits.or_time(DEFAULT_TIME);
    let mut searcher = settings.machine.searcher(settings.multipv)?;
    let bar = bar(problems.len());
    let mut printer = Printer::new(out, settings, &problems);
    printer.begin()?;
    let mut sum = Sum::default();
    for problem in &problems {
        bar.set_message(problem.name());
        let attempt = attempt(&mut searcher, &problem.epd, &limits, &bar)?;
        sum.add(&attempt);
        bar.suspend(|| printer.attempt(problem, &attempt))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    printer.total(&sum)?;
    if sum.solved == sum.positions { Ok(()) } else { Err(Failure::Unsolved) }
}

fn read(path: &Path) -> Result<Vec<Problem>, Failure> {
    let text = fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    let mut problems = Vec::new();
    for (line, epd) in (1..).zip(text.lines()) {
        if epd.trim().is_empty() || epd.starts_with('#') {
            continue;
        }
        let epd = epd
            .parse()
            .map_err(|error| Failure::Input(format!("{}, line {line}: {error}", path.display())))?;
        problems.push(Problem { line, epd });
    }
    if problems.is_empty() {
        return Err(Failure::Input(format!("{}: no position in it", path.display())));
    }
    Ok(problems)
}

fn attempt(
    searcher: &mut Searcher,
    epd: &Epd,
    limits: &Limits,
    bar: &ProgressBar,
) -> Result<Attempt, Failure> {
    searcher.clear();
    let game = Game::new(epd.position);
    // Where a mate is asked for, its proof is enough.
    let limits = Limits { mate: epd.mate, ..limits.clone() };
    let control = Control::default();
    let task = Task { game: &game, limits: &limits, strength: None, control: &control };
    let mut last = Effort::default();
    let mut since: Option<Effort> = None;
    let result = think(searcher, &task, &mut |event| {
        bar.tick();
        if let Event::Report(report) = event {
            last = report.into();
            if report.multipv == 1 && report.bound == Bound::Exact {
                let solves = report.pv.first().is_some_and(|&action| epd.is_solved_by(action, report.score));
                since = solves.then(|| since.unwrap_or_else(|| report.into()));
            }
        }
        Ok(())
    })?;
    let total = Effort { depth: last.depth, time: result.time, nodes: result.nodes };
    let solved = result.best.is_some_and(|action| epd.is_solved_by(action, result.score));
    let effort = since.filter(|_| solved).unwrap_or(total);
    Ok(Attempt { found: result.best, score: result.score, solved, effort, total })
}

/// All positions together.
#[derive(Default)]
struct Sum {
    positions: usize,
    solved: usize,
    time: Duration,
    nodes: u64,
}

impl Sum {
    fn add(&mut self, attempt: &Attempt) {
        self.positions += 1;
        self.solved += usize::from(attempt.solved);
        self.time += attempt.total.time;
        self.nodes += attempt.total.nodes;
    }
}

/// Writes a table, or JSON Lines.
struct Printer<'o> {
    out: &'o mut dyn Write,
    json: bool,
    heading: String,
    /// Of the column of names, in characters.
    width: usize,
}

impl<'o> Printer<'o> {
    fn new(out: &'o mut dyn Write, settings: &Settings, problems: &[Problem]) -> Self {
        let width = problems.iter().map(|problem| problem.name().chars().count()).max().unwrap_or(0).max(4);
        let heading = format!(
            "{:6} {:>5} {:>9} {:>12} {:>8}  {:width$}  {:WIDEST$}  expected",
            "solved", "depth", "time", "nodes", "value", "name", "found"
        );
        Self { out, json: settings.json, heading: settings.screen.screen().bold(&heading), width }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.json {
            writeln!(self.out, "{}", self.heading)?;
        }
        self.out.flush()
    }

    fn attempt(&mut self, problem: &Problem, attempt: &Attempt) -> io::Result<()> {
        let Attempt { found, score, solved, effort, .. } = *attempt;
        if self.json {
            return write_record(
                self.out,
                &JsonAttempt {
                    schema: SCHEMA,
                    line: problem.line,
                    id: problem.epd.id.clone(),
                    fen: problem.epd.position.fen(),
                    bm: problem.tokens(&problem.epd.best),
                    am: problem.tokens(&problem.epd.avoid),
                    dm: problem.epd.mate,
                    found: found.map(|action| action.token(problem.epd.position.side()).to_string()),
                    score: score.into(),
                    solved,
                    depth: effort.depth,
                    nodes: effort.nodes,
                    time_ms: milliseconds(effort.time),
                },
            );
        }
        let found = found.map_or_else(
            || "(none)".to_owned(),
            |action| action_text(action, &problem.epd.position, Notation::Encyclopedia),
        );
        writeln!(
            self.out,
            "{:6} {:>5} {:>8.2}s {:>12} {:>8}  {:width$}  {found:WIDEST$}  {}",
            if solved { "yes" } else { "no" },
            effort.depth,
            effort.time.as_secs_f64(),
            grouped(effort.nodes),
            value(score),
            problem.name(),
            problem.expected(),
            width = self.width,
        )?;
        self.out.flush()
    }

    fn total(&mut self, sum: &Sum) -> io::Result<()> {
        let Sum { positions, solved, time, nodes } = *sum;
        if self.json {
            return write_record(
                self.out,
                &JsonTotal { positions, solved, nodes, time_ms: milliseconds(time) },
            );
        }
        let (seconds, nodes) = (time.as_secs_f64(), grouped(nodes));
        writeln!(self.out, "solved {solved} of {positions} in {seconds:.2}s, {nodes} nodes")?;
        self.out.flush()
    }
}

/// How many positions are done, on a terminal.
fn bar(positions: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let look = ProgressStyle::with_template("{bar:40} {pos}/{len}  {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(positions as u64).with_style(look.progress_chars("━╸─"))
}
