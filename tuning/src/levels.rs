//! `lab levels`: are the steps of UCI_Elo as large as they say? Each level plays the next.

use std::time::Duration;

use clap::Args;
use thiserror::Error;

use super::adjudication::Adjudication;
use super::budget::Budget;
use super::contest::{Contest, ContestError, Ingredients, Side};
use super::game::Conditions;
use super::openings::{self, BalanceError};
use super::say::say;
use super::tally::Tally;

/// Which levels, how long.
#[derive(Args)]
pub struct Settings {
    /// The engine
    engine: String,
    /// Options of the engine, NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The lowest level
    #[arg(long, value_name = "ELO", default_value_t = 800)]
    from: u32,
    /// The highest level
    #[arg(long, value_name = "ELO", default_value_t = 2400)]
    to: u32,
    /// From one level to the next
    #[arg(long, value_name = "ELO", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    step: u32,
    /// Games of each match; a pair is two
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Nodes for each action; a level uses fewer by itself
    #[arg(long, conflicts_with = "movetime", default_value_t = 1_000_000)]
    nodes: u64,
    /// Milliseconds for each action instead
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Which openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    adjudication: Adjudication,
}

/// Why levels could not be measured.
#[derive(Debug, Error)]
pub enum LevelsError {
    /// There is nothing to compare.
    #[error("expected two levels at least, from {from} to {to} in steps of {step} there are fewer")]
    TooFew {
        /// The lowest.
        from: u32,
        /// The highest.
        to: u32,
        /// The distance.
        step: u32,
    },
    /// There are no openings.
    #[error(transparent)]
    Balance(#[from] BalanceError),
    /// A match broke off.
    #[error(transparent)]
    Contest(#[from] ContestError),
}

/// Plays the matches and prints a row of the table after each.
///
/// # Errors
/// If there are fewer than two levels, or a match breaks off.
pub fn run(settings: &Settings) -> Result<(), LevelsError> {
    let Settings { from, to, step, .. } = *settings;
    let levels: Vec<u32> = (from..=to).step_by(step as usize).collect();
    if levels.len() < 2 {
        return Err(LevelsError::TooFew { from, to, step });
    }
    let openings = openings::generate(settings.games.div_ceil(2), settings.seed, false)?;
    say!("| level | against | games | result | score | Elo | of |");
    say!("|---|---|---|---|---|---|---|");
    for pair in levels.windows(2) {
        let [low, high] = *pair else { continue };
        let contest = Contest {
            event: format!("level {high} v level {low}"),
            sides: [side(settings, high), side(settings, low)],
            openings: openings.clone(),
            conditions: Conditions { chess: false, adjudication: settings.adjudication.clone() },
            sprt: None,
            concurrency: settings.concurrency,
            record: None,
            resume: false,
            log: None,
        };
        say!("{}", row(high, low, &contest.play(&|_| ())?));
    }
    Ok(())
}

fn side(settings: &Settings, elo: u32) -> Side {
    let mut options = settings.options.clone();
    options.push("UCI_LimitStrength=true".to_owned());
    options.push(format!("UCI_Elo={elo}"));
    let budget = match settings.movetime {
        Some(time) => Budget::Time(Duration::from_millis(time)),
        None => Budget::Nodes(settings.nodes),
    };
    let ingredients = Ingredients::Engine(settings.engine.clone(), options);
    Side { name: format!("level {elo}"), ingredients, budget }
}

/// Score and difference of the higher level, with what the difference should be.
fn row(high: u32, low: u32, tally: &Tally) -> String {
    let counts = tally.counts();
    let games = counts.games();
    let points = counts.wins as f64 + counts.draws as f64 / 2.0;
    let estimate = tally.pairs.estimate();
    format!(
        "| {high} | {low} | {games} | {counts} | {:.1} % | {:+.0} [{:+.0}, {:+.0}] | {} |",
        100.0 * points / games.max(1) as f64,
        estimate.elo,
        estimate.low,
        estimate.high,
        high - low
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::Counts;
    use crate::statistics::Pairs;

    #[test]
    fn a_row_tells_score_and_difference() {
        let by_color = [Counts { wins: 50, draws: 0, losses: 0 }, Counts { wins: 0, draws: 50, losses: 0 }];
        let tally = Tally { pairs: Pairs([0, 0, 0, 50, 0]), by_color, ..Tally::default() };
        assert_eq!(
            row(1000, 800, &tally),
            "| 1000 | 800 | 100 | +50 =50 -0 | 75.0 % | +191 [+190, +192] | 200 |"
        );
    }
}
