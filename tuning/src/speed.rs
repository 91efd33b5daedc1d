//! `lab speed`: which of two engines is faster, side by side: nodes for each second of processor time, or time to a depth.
//!
//! The engines search the same positions in turns, so that other work on the machine slows both alike.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use kingchess::rules::Position;
use thiserror::Error;

use super::engine::{Answer, Engine, EngineError};
use super::foreign;
use super::openings::{self, FileError};
use super::say::say;

/// Which engines, and what is measured.
#[derive(Args)]
pub struct Settings {
    /// The first engine: ratios above 1 are in its favour
    first: String,
    /// The second engine
    second: String,
    /// Positions: an extended FEN a line, and perhaps EPD operations, which are left aside
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
    /// Options of the first engine, NAME=VALUE
    #[arg(long = "option1", value_name = "NAME=VALUE")]
    options1: Vec<String>,
    /// Options of the second engine, NAME=VALUE
    #[arg(long = "option2", value_name = "NAME=VALUE")]
    options2: Vec<String>,
    /// The second engine knows only single drops: the file that explains the game to it
    #[arg(long, value_name = "FILE", conflicts_with = "chess")]
    variants2: Option<PathBuf>,
    /// Ordinary chess instead of Kingchess
    #[arg(long)]
    chess: bool,
    #[command(flatten)]
    measure: MeasureSettings,
    /// How often each position is searched by each engine
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// What is measured.
#[derive(Args)]
#[group(id = "measure", required = true, multiple = false)]
struct MeasureSettings {
    /// Nodes for each second of processor time, in searches of so many milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Seconds until this depth has been searched
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

/// Why speeds could not be compared.
#[derive(Debug, Error)]
pub enum SpeedError {
    /// The file of positions is wrong.
    #[error(transparent)]
    Positions(#[from] FileError),
    /// The file holds none.
    #[error("{0}: no positions")]
    Empty(PathBuf),
    /// An engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An engine does not tell how many nodes it has searched.
    #[error("{path}: no nodes told, in {position}")]
    NoNodes {
        /// The program.
        path: String,
        /// The position.
        position: String,
    },
}

/// How long a search to a depth may take.
const PATIENCE: Duration = Duration::from_secs(600);

/// What is measured of a search.
#[derive(Clone, Copy)]
enum Measure {
    /// Nodes for each second of processor time, in searches of so many milliseconds.
    Nodes(u64),
    /// Seconds to a depth.
    Time(u32),
}

impl Measure {
    /// How many times better the first of two figures is than the second.
    fn ratio(self, [first, second]: [f64; 2]) -> f64 {
        match self {
            Self::Nodes(_) => first / second,
            Self::Time(_) => second / first,
        }
    }

    fn limits(self) -> (String, Duration) {
        match self {
            Self::Nodes(time) => (format!("movetime {time}"), Duration::from_millis(time * 3 + 5000)),
            Self::Time(depth) => (format!("depth {depth}"), PATIENCE),
        }
    }

    /// A figure as a reader wants it.
    fn show(self, figure: f64) -> String {
        match self {
            Self::Nodes(_) => format!("{:.0}", figure / 1e3),
            Self::Time(_) => format!("{figure:.3}"),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(_) => write!(f, "thousand nodes a second"),
            Self::Time(depth) => write!(f, "seconds to depth {depth}"),
        }
    }
}

/// An engine with the way it is told of positions.
struct Runner {
    engine: Engine,
    command: fn(&Position) -> String,
}

impl Runner {
    fn new(path: &str, options: &[String], chess: bool) -> Result<Self, EngineError> {
        let command = |position: &Position| format!("position fen {}", position.fen());
        let chess_command = |position: &Position| format!("position fen {}", position.chess_fen());
        let engine = Engine::start(path, options)?;
        Ok(Self { engine, command: if chess { chess_command } else { command } })
    }

    fn foreign(path: &str, options: &[String], variants: &Path) -> Result<Self, EngineError> {
        Ok(Self { engine: foreign::start(path, options, variants)?, command: foreign::command })
    }

    /// Searches a position with nothing known of it; gives the figure.
    fn measure(&mut self, position: &Position, measure: Measure) -> Result<f64, SpeedError> {
        let command = (self.command)(position);
        self.engine.new_game()?;
        let before = self.engine.processor_time();
        let (limits, patience) = measure.limits();
        let Answer { nodes, time, .. } = self.engine.go(&command, &limits, patience)?;
        let used = before.zip(self.engine.processor_time()).map(|(before, after)| after - before);
        match measure {
            Measure::Time(_) => Ok(time.as_secs_f64()),
            Measure::Nodes(_) => {
                let nodes = nodes.ok_or_else(|| SpeedError::NoNodes {
                    path: self.engine.path().to_owned(),
                    position: position.fen(),
                })?;
                // A tick of the processor's clock at least.
                Ok(nodes as f64 / used.unwrap_or(time).as_secs_f64().max(0.01))
            }
        }
    }
}

/// Compares the engines and prints a line for each position, then all together.
///
/// # Errors
/// If the file of positions is wrong or an engine fails.
pub fn run(settings: &Settings) -> Result<(), SpeedError> {
    let Settings { chess, .. } = *settings;
    let positions = openings::read(&settings.positions, chess)?;
    if positions.is_empty() {
        return Err(SpeedError::Empty(settings.positions.clone()));
    }
    let measure = match (settings.measure.movetime, settings.measure.depth) {
        (Some(time), _) => Measure::Nodes(time),
        // The command line has one of the two.
        (None, depth) => Measure::Time(depth.unwrap_or(1)),
    };
    let mut first = Runner::new(&settings.first, &settings.options1, chess)?;
    let mut second = match &settings.variants2 {
        Some(variants) => Runner::foreign(&settings.second, &settings.options2, variants)?,
        None => Runner::new(&settings.second, &settings.options2, chess)?,
    };
    say!("{measure}: first, second, ratio");
    let mut rows = Vec::new();
    for opening in &positions {
        let mut figures = [0.0; 2];
        for round in 0..settings.rounds {
            let mut order = [(0, &mut first), (1, &mut second)];
            if round % 2 == 1 {
                order.reverse();
            }
            for (index, runner) in order {
                figures[index] += runner.measure(&opening.start, measure)? / f64::from(settings.rounds);
            }
        }
        let [one, other] = figures.map(|figure| measure.show(figure));
        say!("{one:>8} {other:>8} {:>6.2}  {}", measure.ratio(figures), opening.start.fen());
        rows.push(figures);
    }
    say!("{}", summary(&rows, measure));
    Ok(())
}

/// Means of both engines' figures, their ratio, and the geometric mean of all ratios with twice its standard error.
fn summary(rows: &[[f64; 2]], measure: Measure) -> String {
    let count = rows.len() as f64;
    let means = [0, 1].map(|engine| rows.iter().map(|row| row[engine]).sum::<f64>() / count);
    let logarithms: Vec<f64> = rows.iter().map(|&row| measure.ratio(row).ln()).collect();
    let mean = logarithms.iter().sum::<f64>() / count;
    let variance =
        logarithms.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let error = 2.0 * (variance / count).sqrt();
    let [first, second] = means.map(|figure| measure.show(figure));
    format!(
        "{} positions: means {first} and {second}, {:.2} times; geometric mean of the ratios {:.2} +- {:.2}",
        rows.len(),
        measure.ratio(means),
        mean.exp(),
        mean.exp() * error
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_above_one_are_in_favour_of_the_first() {
        let rows = [[300.0e3, 100.0e3], [200.0e3, 200.0e3], [3.0e6, 1.0e6]];
        let text = summary(&rows, Measure::Nodes(100));
        assert!(text.starts_with("3 positions: means 1167 and 433, 2.69 times; "), "{text}");
        let text = summary(&[[1.0, 2.0], [1.0, 8.0]], Measure::Time(9));
        assert!(text.contains("means 1.000 and 5.000, 5.00 times"), "{text}");
        assert!(text.contains("of the ratios 4.00 +- "), "{text}");
    }

    #[test]
    fn kept_positions_can_be_read_and_differ() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/positions");
        for (file, chess, count) in [("early.epd", false, 200), ("chess-early.epd", true, 150)] {
            let read = openings::read(&folder.join(file), chess).unwrap_or_else(|error| panic!("{error}"));
            let different: std::collections::HashSet<_> =
                read.iter().map(|opening| opening.start.fen()).collect();
            assert_eq!((read.len(), different.len()), (count, count), "{file}");
        }
    }
}
