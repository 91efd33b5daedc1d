//! `lab suite`: does an engine solve a file of positions with proven answers, and how fast?

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use kingchess::notation::read_legal_action;
use kingchess::rules::Position;
use kingchess::types::Action;
use thiserror::Error;

use super::engine::{Engine, EngineError};
use super::say::say;

/// Which engine solves what.
#[derive(Args)]
pub struct Settings {
    /// The engine
    engine: String,
    /// Positions: a FEN a line, then `;dm N` and perhaps `;bm ACTION …`
    file: PathBuf,
    /// Options of the engine, NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The most milliseconds for a position
    #[arg(long, default_value_t = 1000)]
    movetime: u64,
    /// The deepest iteration
    #[arg(long)]
    depth: Option<u32>,
}

/// Why a suite could not be run.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file could not be read.
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// A line is no problem.
    #[error("line {0}: {1}")]
    Line(usize, String),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

struct Problem {
    position: Position,
    mate: i32,
    keys: Vec<Action>,
}

/// Solves the suite and prints what was not solved, and the times.
pub fn run(settings: &Settings) -> Result<(), SuiteError> {
    let text = std::fs::read_to_string(&settings.file)
        .map_err(|error| SuiteError::File(settings.file.clone(), error))?;
    let mut engine = Engine::start(&settings.engine, &settings.options)?;
    let mut times = Vec::new();
    let mut total = 0;
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let problem = read(line).map_err(|error| SuiteError::Line(index + 1, error))?;
        total += 1;
        engine.new_game()?;
        let depth = settings.depth.map(|depth| format!(" depth {depth}")).unwrap_or_default();
        let limits = format!("mate {} movetime {}{depth}", problem.mate, settings.movetime);
        let position = format!("position fen {}", problem.position.fen());
        let answer = engine.go(&position, &limits, Duration::from_millis(settings.movetime * 3 + 2000))?;
        let action = read_legal_action(&answer.token, &problem.position).ok();
        let right = action.is_some_and(|action| problem.keys.is_empty() || problem.keys.contains(&action));
        if right && answer.mate() == Some(problem.mate) {
            times.push(answer.time);
        } else {
            say!("not solved: {line}\n  answer {} value {:?}", answer.token, answer.value);
        }
    }
    times.sort_unstable();
    let at = |part: usize| times.get(times.len().saturating_sub(1) * part / 100).copied().unwrap_or_default();
    say!(
        "{} of {total} solved; time median {:.1} ms, 90 % {:.1} ms, longest {:.1} ms",
        times.len(),
        at(50).as_secs_f64() * 1e3,
        at(90).as_secs_f64() * 1e3,
        at(100).as_secs_f64() * 1e3
    );
    Ok(())
}

fn read(line: &str) -> Result<Problem, String> {
    let mut parts = line.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default();
    let position: Position = fen.parse().map_err(|error| format!("bad FEN: {error}"))?;
    let mut problem = Problem { position, mate: 0, keys: Vec::new() };
    for part in parts {
        match part.split_once(' ') {
            Some(("dm", number)) => {
                problem.mate = number.parse().map_err(|_| format!("dm: got '{number}'"))?
            }
            Some(("bm", tokens)) => {
                for token in tokens.split_whitespace() {
                    let action = read_legal_action(token, &problem.position);
                    problem.keys.push(action.map_err(|error| format!("bm '{token}': {error}"))?);
                }
            }
            _ => {}
        }
    }
    if problem.mate > 0 { Ok(problem) } else { Err("expected ';dm N'".to_owned()) }
}
