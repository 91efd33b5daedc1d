//! `lab match`: pairs of games, several at once, until the number or the test is done.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Args;
use thiserror::Error;

use super::engine::{Engine, EngineError};
use super::game::{Budget, Played, play};
use super::openings::{self, Opening};
use super::statistics::{Pairs, SPRT_BOUND};

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
    /// Games at the most; a pair is two
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Nodes for each action
    #[arg(long)]
    nodes: Option<u64>,
    /// Milliseconds for each action
    #[arg(long)]
    movetime: Option<u64>,
    /// A clock: seconds for the game + seconds for each action, like 10+0.1
    #[arg(long)]
    clock: Option<String>,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Which openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ordinary chess instead of Kingchess
    #[arg(long)]
    chess: bool,
    /// Stop when the test of these two Elo differences is decided, like 0,10
    #[arg(long)]
    sprt: Option<String>,
    /// Append each game to this file
    #[arg(long)]
    record: Option<PathBuf>,
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A setting could not be read.
    #[error("{0}")]
    Setting(String),
    /// An engine did not start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The record could not be written.
    #[error("record: {0}")]
    Record(#[from] std::io::Error),
}

struct Table<'s> {
    settings: &'s Settings,
    budget: Budget,
    sprt: Option<(f64, f64)>,
    openings: Vec<Opening>,
    next: AtomicUsize,
    decided: AtomicBool,
    tally: Mutex<Tally>,
}

#[derive(Default)]
struct Tally {
    pairs: Pairs,
    wins: usize,
    draws: usize,
    losses: usize,
    faults: [usize; 2],
}

/// Plays the match and prints its course.
pub fn run(settings: &Settings) -> Result<(), MatchError> {
    let budget = budget(settings)?;
    let sprt = settings.sprt.as_deref().map(read_sprt).transpose()?;
    let openings = openings::generate(settings.games.div_ceil(2), settings.seed, settings.chess);
    let table = Table {
        settings,
        budget,
        sprt,
        openings,
        next: AtomicUsize::new(0),
        decided: AtomicBool::new(false),
        tally: Mutex::new(Tally::default()),
    };
    let results: Vec<Result<(), MatchError>> = thread::scope(|scope| {
        let seats: Vec<_> =
            (0..settings.concurrency.max(1)).map(|_| scope.spawn(|| table.play_pairs())).collect();
        seats
            .into_iter()
            .map(|seat| {
                seat.join().unwrap_or_else(|_| Err(MatchError::Setting("a game thread failed".to_owned())))
            })
            .collect()
    });
    println!("{}", table.summary());
    results.into_iter().collect()
}

fn budget(settings: &Settings) -> Result<Budget, MatchError> {
    match (settings.nodes, settings.movetime, &settings.clock) {
        (Some(nodes), None, None) => Ok(Budget::Nodes(nodes)),
        (None, Some(time), None) => Ok(Budget::Time(Duration::from_millis(time))),
        (None, None, Some(clock)) => {
            let seconds = |text: &str| text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
            clock
                .split_once('+')
                .and_then(|(time, increment)| Some(Budget::Clock(seconds(time)?, seconds(increment)?)))
                .ok_or_else(|| MatchError::Setting(format!("clock: expected SECONDS+SECONDS, got '{clock}'")))
        }
        _ => Err(MatchError::Setting("give one of --nodes, --movetime, --clock".to_owned())),
    }
}

fn read_sprt(text: &str) -> Result<(f64, f64), MatchError> {
    text.split_once(',')
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)))
        .ok_or_else(|| MatchError::Setting(format!("sprt: expected ELO0,ELO1, got '{text}'")))
}

impl Table<'_> {
    fn start(&self) -> Result<[Engine; 2], EngineError> {
        let settings = self.settings;
        Ok([
            Engine::start(&settings.first, &settings.options1)?,
            Engine::start(&settings.second, &settings.options2)?,
        ])
    }

    fn play_pairs(&self) -> Result<(), MatchError> {
        let mut engines = self.start()?;
        while !self.decided.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = self.openings.get(number) else { break };
            let mut half_points = 0;
            for first_is_white in [true, false] {
                for engine in &mut engines {
                    if engine.new_game().is_err() {
                        // It will be started anew, and lose the game it does not answer in.
                        continue;
                    }
                }
                let [first, second] = &mut engines;
                let seats = if first_is_white { [first, second] } else { [second, first] };
                let played = play(seats, [self.budget; 2], opening, self.settings.chess);
                let points = if first_is_white { played.white } else { 2 - played.white };
                half_points += points;
                self.note(number, first_is_white, points, &played)?;
                if played.fault {
                    engines = self.start()?;
                }
            }
            self.note_pair(half_points);
        }
        Ok(())
    }

    fn note(
        &self,
        number: usize,
        first_is_white: bool,
        points: usize,
        played: &Played,
    ) -> Result<(), MatchError> {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        match points {
            0 => tally.losses += 1,
            1 => tally.draws += 1,
            _ => tally.wins += 1,
        }
        if played.fault {
            tally.faults[usize::from(points != 0)] += 1;
            eprintln!("fault in game {number}: {} after {}", played.reason, played.actions.join(" "));
        }
        if let Some(path) = &self.settings.record {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            let colour = if first_is_white { "white" } else { "black" };
            writeln!(file, "{number} {colour} {points}/2 {} {}", played.reason, played.actions.join(" "))?;
        }
        Ok(())
    }

    fn note_pair(&self, half_points: usize) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.pairs.add(half_points);
        if let Some((low, high)) = self.sprt
            && tally.pairs.likelihood_ratio(low, high).abs() >= SPRT_BOUND
        {
            self.decided.store(true, Ordering::Relaxed);
        }
        let count = tally.pairs.count();
        drop(tally);
        if count.is_multiple_of(10) {
            eprintln!("{}", self.summary());
        }
    }

    fn summary(&self) -> String {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        let games = tally.wins + tally.draws + tally.losses;
        let mut text = format!(
            "{games} games: +{} ={} -{}, {}, pairs {:?}",
            tally.wins,
            tally.draws,
            tally.losses,
            tally.pairs.estimate(),
            tally.pairs.0
        );
        if let Some((low, high)) = self.sprt {
            let ratio = tally.pairs.likelihood_ratio(low, high);
            text.push_str(&format!(", LLR {ratio:.2} of ±{SPRT_BOUND:.2} for [{low}, {high}]"));
        }
        if tally.faults != [0, 0] {
            text.push_str(&format!(", faults {} and {}", tally.faults[0], tally.faults[1]));
        }
        text
    }
}
