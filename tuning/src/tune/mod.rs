//! `lab tune`: better values for the parameters of the search, from games between disturbed ones.

mod choice;
mod games;
mod spsa;
mod state;

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use thiserror::Error;

use self::choice::Choice;
use self::games::Hall;
use self::spsa::{Optimizer, Parameter};
use self::state::{State, StateError, StateFile};
use super::adjudication::Adjudication;
use super::budget::{Budget, Clock};
use super::contest::ContestError;
use super::engine::{Engine, EngineError};
use super::game::Conditions;
use super::openings::{self, BalanceError, FileError};
use super::say::{say, tell};

/// The values are printed each time so many pairs have been played.
const REPORT: u64 = 100;

/// What is tuned, with which games.
#[derive(Args)]
pub struct Settings {
    /// The engine, built with every parameter as an option
    engine: String,
    #[command(flatten)]
    plan: Plan,
    /// Games at once; it changes nothing but the time that tuning takes
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Keep the state in this file, and go on from there if it exists
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
}

/// What the values depend on. It is kept in the state, since tuning goes on only with the same.
#[derive(Args, Serialize)]
struct Plan {
    /// A parameter; `*` ends the beginning of a name and means all that begin so. In the last pair it is disturbed by
    /// C_END and moved by R_END of that for a game [default of START: the engine's; of C_END: a twentieth of the range,
    /// at most a quarter of the value; of R_END: 0.002]
    #[arg(long = "parameter", value_name = "NAME[=START][:C_END[:R_END]]", required = true)]
    #[serde(skip)]
    choices: Vec<Choice>,
    /// Options of the engine beside the parameters, NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The network that evaluates, instead of what the engine is built with
    #[arg(long, value_name = "FILE")]
    eval_file: Option<String>,
    #[command(flatten)]
    cost: Cost,
    /// Pairs of games in all
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Pairs of games played from the same values, one disturbance each, before these change and the state is written
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    batch: u64,
    /// Which openings and disturbances
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play from these positions in turn, again and again: an extended FEN a line [default: random ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Ordinary chess instead of Kingchess
    #[arg(long)]
    chess: bool,
    #[command(flatten)]
    adjudication: Adjudication,
}

/// What actions may cost.
#[derive(Args, Serialize)]
#[group(id = "tuning_cost", required = true, multiple = false)]
struct Cost {
    /// Nodes for each action
    #[arg(long)]
    nodes: Option<u64>,
    /// Milliseconds for each action
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// A clock: seconds for the game + seconds for each action, like 10+0.1
    #[arg(long, value_name = "SECONDS+SECONDS")]
    clock: Option<Clock>,
}

/// Why values could not be tuned.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The engine does not have such a parameter.
    #[error("{engine}: no parameter {name}; builds with `--features tune` have all as options")]
    NoParameter {
        /// The program.
        engine: String,
        /// What was asked for.
        name: String,
    },
    /// The engine does not start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The state can't be kept.
    #[error(transparent)]
    State(#[from] StateError),
    /// The file of openings is wrong.
    #[error(transparent)]
    Openings(#[from] FileError),
    /// It is empty.
    #[error("{}: no openings", .0.display())]
    NoOpenings(PathBuf),
    /// There are no random openings.
    #[error(transparent)]
    Balance(#[from] BalanceError),
    /// No threads.
    #[error("threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A pair of games broke off.
    #[error(transparent)]
    Contest(#[from] ContestError),
}

/// Tunes, keeps the state, and prints the values: now and then to standard error, in the end to standard output.
///
/// # Errors
/// If the engine, the openings or the state are at fault.
pub fn run(settings: &Settings) -> Result<(), TuneError> {
    let plan = &settings.plan;
    let mut optimizer = Optimizer::new(parameters(&settings.engine, plan)?, plan.pairs);
    let kept = Kept { engine: &settings.engine, plan, parameters: &optimizer.parameters };
    let mut file = StateFile::open(&settings.state, &kept, &optimizer.values, plan.pairs)?;
    optimizer.values.clone_from(&file.state.values);
    let hall = plan.hall(&settings.engine)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.concurrency.into()).build()?;
    while file.state.done < plan.pairs {
        let first = file.state.done;
        let count = plan.batch.min(plan.pairs - first);
        for outcome in pool.install(|| hall.play(&optimizer, first, count))? {
            optimizer.learn(&outcome.probe, outcome.result);
            file.state.faults += outcome.faults;
        }
        file.state.advance(count, &optimizer.values, plan.pairs);
        file.write()?;
        if file.state.done / REPORT > first / REPORT {
            tell!("{}", table(&optimizer, &file.state).trim_end());
        }
    }
    say!("{}", table(&optimizer, &file.state).trim_end());
    if file.state.faults > 0 {
        say!("{} games were lost by a fault", file.state.faults);
    }
    say!("\n{}", source(&optimizer).trim_end());
    Ok(())
}

/// What the state must have in common with the settings to go on.
#[derive(Serialize)]
struct Kept<'a> {
    engine: &'a str,
    #[serde(flatten)]
    plan: &'a Plan,
    parameters: &'a [Parameter],
}

/// Asks the engine for its parameters and takes those that are chosen.
fn parameters(engine: &str, plan: &Plan) -> Result<Vec<Parameter>, TuneError> {
    let lines = Engine::start(engine, &[])?.ask("uci", "uciok")?;
    choice::choose(&plan.choices, &lines)
        .map_err(|name| TuneError::NoParameter { engine: engine.to_owned(), name })
}

impl Plan {
    fn hall(&self, engine: &str) -> Result<Hall, TuneError> {
        let openings = match &self.openings {
            None => Vec::new(),
            Some(path) => {
                let list = openings::read(path, self.chess)?;
                if list.is_empty() {
                    return Err(TuneError::NoOpenings(path.clone()));
                }
                list
            }
        };
        let mut options = self.options.clone();
        if self.chess {
            options.push("UCI_Variant=chess".to_owned());
        }
        options.extend(self.eval_file.iter().map(|file| format!("EvalFile={file}")));
        Ok(Hall {
            engine: engine.to_owned(),
            options,
            budget: self.cost.budget(),
            conditions: Conditions { chess: self.chess, adjudication: self.adjudication.clone() },
            openings,
            seed: self.seed,
        })
    }
}

impl Cost {
    fn budget(&self) -> Budget {
        match (self.movetime, self.clock) {
            (Some(time), _) => Budget::Time(Duration::from_millis(time)),
            (_, Some(clock)) => Budget::Clock(clock),
            // The command line has one of the three.
            (None, None) => Budget::Nodes(self.nodes.unwrap_or_default()),
        }
    }
}

/// The values, how far they have come from the start, and how far of it lately.
fn table(optimizer: &Optimizer, state: &State) -> String {
    let parameters = &optimizer.parameters;
    let width = parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0).max(9);
    let mut text = format!("{} of {} pairs of games\n", state.done, optimizer.pairs);
    let _ = writeln!(text, "{:<width$}   start       value   from start    lately", "parameter");
    for ((parameter, value), earlier) in parameters.iter().zip(&optimizer.values).zip(state.earlier()) {
        let _ = writeln!(
            text,
            "{:<width$} {:>7} {value:>11.2} {:>+12.2} {:>+9.2}",
            parameter.name,
            parameter.start,
            value - f64::from(parameter.start),
            value - earlier
        );
    }
    text
}

/// The values as the lines of `src/search/parameters.rs`.
fn source(optimizer: &Optimizer) -> String {
    let lines = optimizer.parameters.iter().zip(&optimizer.values);
    lines
        .map(|(Parameter { name, min, max, .. }, value)| format!("{name} = {value:.0}, {min}..={max};\n"))
        .collect()
}
