//! `lab match`: who plays whom, how long, from which openings.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use thiserror::Error;

use super::adjudication::Adjudication;
use super::budget::{Budget, Clock};
use super::contest::{Contest, ContestError, Ingredients, Side};
use super::foreign::{Recipe, Style};
use super::game::Conditions;
use super::openings::{self, BalanceError, FileError, Opening};
use super::say::{say, tell};
use super::statistics::Sprt;

/// Who plays, how long, how many games.
#[derive(Args)]
pub struct Settings {
    /// The first engine: the result is its
    first: String,
    /// The second engine
    second: String,
    /// Options of the first engine, NAME=VALUE
    #[arg(long = "option1", value_name = "NAME=VALUE")]
    options1: Vec<String>,
    /// Options of the second engine, NAME=VALUE
    #[arg(long = "option2", value_name = "NAME=VALUE")]
    options2: Vec<String>,
    /// What the first engine is called in records [default: its file name, style and options]
    #[arg(long, value_name = "NAME")]
    name1: Option<String>,
    /// What the second engine is called in records
    #[arg(long, value_name = "NAME")]
    name2: Option<String>,
    #[command(flatten)]
    foreign: ForeignSettings,
    /// Games at the most; a pair is two
    #[arg(long, default_value_t = 200)]
    games: usize,
    #[command(flatten)]
    cost: CostSettings,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Play from these positions in turn: an extended FEN a line [default: random ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Which random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ordinary chess instead of Kingchess
    #[arg(long)]
    chess: bool,
    /// Stop when the test of these two Elo differences is decided, like 0,10
    #[arg(long, value_name = "ELO0,ELO1")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    adjudication: Adjudication,
    /// Append each game to this file, as PGN
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Go on with the match in the record: the pairs of games that it holds whole are counted and not played again
    #[arg(long, requires = "record")]
    resume: bool,
    /// Append what led to a crash, an illegal action or a time loss to this file [default: standard error]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// Engines that do not know the game.
#[derive(Args)]
struct ForeignSettings {
    /// The first engine knows only single drops, and plays like this
    #[arg(long, value_name = "STYLE", requires = "variants")]
    foreign1: Option<Style>,
    /// The second engine knows only single drops, and plays like this
    #[arg(long, value_name = "STYLE", requires = "variants")]
    foreign2: Option<Style>,
    /// The file that explains the game to a foreign engine
    #[arg(long, value_name = "FILE")]
    variants: Option<PathBuf>,
    /// A chess engine that plays for a foreign engine once both reserves are empty
    #[arg(long, value_name = "ENGINE")]
    handover: Option<String>,
    /// Nodes for each query of a foreign engine [default: as --nodes]
    #[arg(long, value_name = "NODES", conflicts_with = "query_movetime")]
    query_nodes: Option<u64>,
    /// Milliseconds for each query of a foreign engine [default: as --movetime]
    #[arg(long, value_name = "MS")]
    query_movetime: Option<u64>,
}

/// What actions may cost.
#[derive(Args)]
#[group(id = "cost", required = true, multiple = false)]
struct CostSettings {
    /// Nodes for each action
    #[arg(long)]
    nodes: Option<u64>,
    /// Milliseconds for each action
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// A clock: seconds for the game + seconds for each action, like 10+0.1
    #[arg(long, value_name = "SECONDS+SECONDS")]
    clock: Option<Clock>,
    /// For each action no more time than the foreign opponent takes with all its queries
    #[arg(long)]
    mirror: bool,
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// Settings do not fit together.
    #[error("{0}")]
    Setting(&'static str),
    /// The file of openings is wrong.
    #[error(transparent)]
    Openings(#[from] FileError),
    /// There are no random openings.
    #[error(transparent)]
    Balance(#[from] BalanceError),
    /// It broke off.
    #[error(transparent)]
    Contest(#[from] ContestError),
}

/// Plays the match and prints its course.
///
/// # Errors
/// If settings do not fit together, openings fail, or the match breaks off.
pub fn run(settings: &Settings) -> Result<(), MatchError> {
    let contest = contest(settings)?;
    let tally = contest.play(&|tally| tell!("{}", tally.line()))?;
    say!("{tally}");
    Ok(())
}

fn contest(settings: &Settings) -> Result<Contest, MatchError> {
    let sides = sides(settings)?;
    Ok(Contest {
        event: format!("{} v {}", sides[0].name, sides[1].name),
        sides,
        openings: choose_openings(settings)?,
        conditions: Conditions { chess: settings.chess, adjudication: settings.adjudication.clone() },
        sprt: settings.sprt,
        concurrency: settings.concurrency,
        record: settings.record.clone(),
        resume: settings.resume,
        log: settings.log.clone(),
    })
}

fn choose_openings(settings: &Settings) -> Result<Vec<Opening>, MatchError> {
    let pairs = settings.games.div_ceil(2);
    let Some(path) = &settings.openings else {
        return Ok(openings::generate(pairs, settings.seed, settings.chess)?);
    };
    let mut list = openings::read(path, settings.chess)?;
    if list.len() < pairs {
        tell!("{}: {} openings, so {} games at the most", path.display(), list.len(), 2 * list.len());
    }
    list.truncate(pairs);
    Ok(list)
}

fn sides(settings: &Settings) -> Result<[Side; 2], MatchError> {
    let (foreign, cost) = (&settings.foreign, &settings.cost);
    if settings.chess && (foreign.foreign1.or(foreign.foreign2)).is_some() {
        return Err(MatchError::Setting("--foreign1 and --foreign2 are for Kingchess, not for --chess"));
    }
    if cost.mirror && foreign.foreign1.is_some() == foreign.foreign2.is_some() {
        return Err(MatchError::Setting("--mirror needs one foreign engine and one that is not"));
    }
    let names = names(settings);
    let side =
        |index: usize, path: &str, options: &[String], style: Option<Style>| -> Result<_, MatchError> {
            let (ingredients, budget) = match style {
                None => (Ingredients::Engine(path.to_owned(), options.to_vec()), cost.budget()),
                Some(style) => {
                    (Ingredients::Foreign(foreign.recipe(path, options, style)), foreign.budget(cost)?)
                }
            };
            Ok(Side { name: names[index].clone(), ingredients, budget })
        };
    Ok([
        side(0, &settings.first, &settings.options1, foreign.foreign1)?,
        side(1, &settings.second, &settings.options2, foreign.foreign2)?,
    ])
}

/// The engines' names, which differ.
fn names(settings: &Settings) -> [String; 2] {
    let foreign = &settings.foreign;
    let named = |name: &Option<String>, path: &str, options: &[String], style: Option<Style>| {
        name.clone().unwrap_or_else(|| name_of(path, options, style, foreign.handover.as_deref()))
    };
    let first = named(&settings.name1, &settings.first, &settings.options1, foreign.foreign1);
    let second = named(&settings.name2, &settings.second, &settings.options2, foreign.foreign2);
    if first == second { [format!("{first} 1"), format!("{second} 2")] } else { [first, second] }
}

/// Like `engine Hash=64`, `stockfish greedy with other`.
fn name_of(path: &str, options: &[String], style: Option<Style>, handover: Option<&str>) -> String {
    let file = |path: &str| {
        Path::new(path).file_name().map_or(path.to_owned(), |name| name.to_string_lossy().into_owned())
    };
    let mut name = file(path);
    match style {
        Some(Style::Single) => name.push_str(" single"),
        Some(Style::Greedy) => name.push_str(" greedy"),
        None => {}
    }
    if let (Some(_), Some(chess)) = (style, handover) {
        name.push_str(&format!(" with {}", file(chess)));
    }
    for option in options {
        name.push(' ');
        name.push_str(option);
    }
    name
}

impl ForeignSettings {
    fn recipe(&self, path: &str, options: &[String], style: Style) -> Recipe {
        Recipe {
            path: path.to_owned(),
            options: options.to_vec(),
            style,
            variants: self.variants.clone().unwrap_or_default(),
            handover: self.handover.clone(),
        }
    }

    /// What a query may cost.
    fn budget(&self, cost: &CostSettings) -> Result<Budget, MatchError> {
        let nodes = self.query_nodes.or(cost.nodes.filter(|_| self.query_movetime.is_none()));
        let time = self.query_movetime.or(cost.movetime);
        match (nodes, time) {
            (Some(nodes), _) => Ok(Budget::Nodes(nodes)),
            (None, Some(time)) => Ok(Budget::Time(Duration::from_millis(time))),
            (None, None) => {
                Err(MatchError::Setting("a foreign engine needs --query-nodes or --query-movetime here"))
            }
        }
    }
}

impl CostSettings {
    fn budget(&self) -> Budget {
        match (self.nodes, self.movetime, self.clock) {
            (Some(nodes), ..) => Budget::Nodes(nodes),
            (_, Some(time), _) => Budget::Time(Duration::from_millis(time)),
            (_, _, Some(clock)) => Budget::Clock(clock),
            // The command line has one of the four.
            (None, None, None) => Budget::Mirror,
        }
    }
}
