//! `lab selfplay` and `lab relabel`: training positions from games of the engine against itself, and from searching those of
//! older games again.

mod game;
pub mod relabel;
mod start;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kingchess::eval::network::{Network, NetworkError};
use kingchess::search::{STACK_BYTES, Searcher, TableError};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use thiserror::Error;

use self::game::Finished;
use super::data::{DataError, Writer};
use super::say::say;

/// Megabytes of transposition table for each game.
const HASH: usize = 4;

/// How the samples are made; it stands in the header of the file.
#[derive(Args, Serialize, Clone, Debug)]
pub struct Recipe {
    /// Nodes for each action
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// The share of the positions that are searched with so many nodes and kept; the others are only played through.
    /// Positions of one game are much alike: fewer of more games teach more
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    keep: f64,
    /// Nodes for each action that is only played through
    #[arg(long, default_value_t = 100)]
    quick_nodes: u64,
    /// Which games: other seeds give other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The network that evaluates, instead of what the engine is built with
    #[arg(long)]
    network: Option<PathBuf>,
}

/// Reads a share that is not nothing.
fn share(text: &str) -> Result<f64, String> {
    let within = |share: &f64| *share > 0.0 && *share <= 1.0;
    text.parse().ok().filter(within).ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}

/// What is made, and where it goes.
#[derive(Args)]
pub struct Settings {
    /// The file: made, or appended to if it is there
    out: PathBuf,
    #[command(flatten)]
    recipe: Recipe,
    /// Games in the file when done
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Games at once; default: as many as there are processors
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Games between two writes
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    block: u32,
}

/// Why no samples were made.
#[derive(Debug, Error)]
pub enum SelfplayError {
    /// The file is at fault.
    #[error(transparent)]
    Data(#[from] DataError),
    /// No memory for a search.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The network can't be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// No threads.
    #[error("threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The settings can't be written down.
    #[error("settings: {0}")]
    Recipe(#[from] serde_json::Error),
}

/// What the games were like.
#[derive(Default)]
struct Statistics {
    games: u64,
    samples: u64,
    searched: u64,
    actions: u64,
    /// White's losses, draws, wins.
    results: [u64; 3],
}

impl Statistics {
    fn add(&mut self, finished: &Finished) {
        self.games += 1;
        self.samples += finished.samples.len() as u64;
        self.searched += finished.searched;
        self.actions += finished.length as u64;
        self.results[(finished.white + 1) as usize] += 1;
    }

    fn print(&self, seconds: f64) {
        let per_game = |sum: u64| sum as f64 / self.games.max(1) as f64;
        let [lost, drawn, won] = self.results;
        say!(
            "{} games: White +{won} ={drawn} -{lost}, {:.1} actions each",
            self.games,
            per_game(self.actions)
        );
        say!(
            "{} positions kept of {} searched, {:.1} a game",
            self.samples,
            self.searched,
            per_game(self.samples)
        );
        say!("{:.0} positions a second kept, in {seconds:.1} s", self.samples as f64 / seconds);
    }
}

/// What samples are made with.
struct Workshop {
    /// Where they go.
    writer: Writer,
    /// Who searches.
    pool: ThreadPool,
    /// What evaluates, if not the embedded network.
    network: Option<Arc<Network>>,
}

impl Workshop {
    /// Opens the file, and says how much it holds; loads the network; starts threads, 0 for as many as there are
    /// processors.
    fn open(out: &Path, header: &str, network: Option<&Path>, threads: usize) -> Result<Self, SelfplayError> {
        let writer = Writer::open(out, header)?;
        if writer.next_game() > 0 {
            say!("resumed: {} games, {} positions", writer.next_game(), writer.held());
        }
        let network = network.map(Network::load).transpose()?.map(Arc::new);
        let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build()?;
        Ok(Self { writer, pool, network })
    }
}

/// Plays games until the file holds as many as wanted.
///
/// # Errors
/// If the file can't be written, or memory or threads can't be had.
pub fn run(settings: &Settings) -> Result<(), SelfplayError> {
    let recipe = serde_json::to_string(&settings.recipe)?;
    let Workshop { mut writer, pool, network } =
        Workshop::open(&settings.out, &recipe, settings.recipe.network.as_deref(), settings.threads)?;
    let bar = progress(settings.games);
    bar.set_position(writer.next_game());
    let start = Instant::now();
    let mut statistics = Statistics::default();
    while writer.next_game() < settings.games {
        let first = writer.next_game();
        let last = (first + u64::from(settings.block)).min(settings.games);
        let block: Result<Vec<Finished>, TableError> = pool.install(|| {
            (first..last)
                .into_par_iter()
                .map_init(
                    || new_searcher(network.clone()),
                    |searcher, number| {
                        let searcher = searcher.as_mut().map_err(|error| *error)?;
                        let finished = game::play(searcher, &settings.recipe, number);
                        bar.inc(1);
                        Ok(finished)
                    },
                )
                .collect()
        });
        let block = block?;
        block.iter().for_each(|finished| statistics.add(finished));
        let samples: Vec<_> = block.iter().flat_map(|finished| &finished.samples).copied().collect();
        writer.append((last - first) as u32, &samples)?;
        bar.set_message(format!(
            "{:.0} positions/s",
            statistics.samples as f64 / start.elapsed().as_secs_f64()
        ));
    }
    bar.finish_and_clear();
    statistics.print(start.elapsed().as_secs_f64().max(1e-3));
    Ok(())
}

/// A searcher with a small table and this network, or the embedded one.
fn new_searcher(network: Option<Arc<Network>>) -> Result<Searcher, TableError> {
    let mut searcher = Searcher::new(HASH)?;
    if let Some(network) = network {
        searcher.network = network;
    }
    Ok(searcher)
}

/// A bar on a terminal, nothing elsewhere.
fn progress(games: u64) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left, {msg}");
    ProgressBar::with_draw_target(Some(games), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
