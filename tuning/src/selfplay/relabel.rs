//! `lab relabel`: searches the positions of a file again, with another network or more nodes, so that old games teach
//! what the latest network thinks of them.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use kingchess::rules::Game;
use kingchess::search::{Searcher, TableError};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::game::{search, teaches};
use super::{SelfplayError, Workshop, share};
use crate::data::{Reader, Sample};
use crate::say::say;

/// So many positions in a row are searched with one table, emptied before: the result does not depend on the threads.
const CHUNK: usize = 64;

/// How the positions are searched; it stands in the header of the file, with that of the file they come from.
#[derive(Args, Serialize, Clone, Debug)]
pub struct Recipe {
    /// Nodes for each position
    #[arg(long, default_value_t = 800)]
    nodes: u64,
    /// The share of the positions that are searched and kept
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    keep: f64,
    /// Which of them
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The network that evaluates, instead of what the engine is built with
    #[arg(long)]
    network: Option<PathBuf>,
}

/// What is searched, how, and where it goes.
#[derive(Args)]
pub struct Settings {
    /// A file of training positions
    from: PathBuf,
    /// The file: made, or appended to if it is there
    out: PathBuf,
    #[command(flatten)]
    recipe: Recipe,
    /// Searches at once; default: as many as there are processors
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

/// The header: the recipe, and that of the file the positions come from.
#[derive(Serialize)]
struct Header<'a> {
    relabel: &'a Recipe,
    from: &'a Value,
}

/// Searches the positions of a file again; goes on where it was broken off.
///
/// # Errors
/// If a file can't be read or written, or memory or threads can't be had.
pub fn run(settings: &Settings) -> Result<(), SelfplayError> {
    let mut reader = Reader::open(&settings.from)?;
    let from: Value = serde_json::from_str(reader.settings())?;
    let header = serde_json::to_string(&Header { relabel: &settings.recipe, from: &from })?;
    let Workshop { mut writer, pool, network } =
        Workshop::open(&settings.out, &header, settings.recipe.network.as_deref(), settings.threads)?;
    let start = Instant::now();
    let (mut searched, mut kept) = (0, 0);
    while let Some(block) = reader.next_block()? {
        if block.first_game < writer.next_game() {
            continue;
        }
        let mut rng = SmallRng::seed_from_u64(settings.recipe.seed ^ block.first_game);
        let mut samples = block.samples;
        samples.retain(|_| rng.random_bool(settings.recipe.keep));
        let again: Result<Vec<Vec<Sample>>, TableError> = pool.install(|| {
            samples
                .par_chunks(CHUNK)
                .map_init(
                    || super::new_searcher(network.clone()),
                    |searcher, chunk| {
                        let searcher = searcher.as_mut().map_err(|error| *error)?;
                        searcher.clear();
                        Ok(chunk
                            .iter()
                            .filter_map(|sample| search_again(searcher, sample, settings.recipe.nodes))
                            .collect())
                    },
                )
                .collect()
        });
        let again = again?.concat();
        searched += samples.len();
        kept += again.len();
        writer.append(block.games, &again)?;
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-3);
    say!("{kept} positions kept of {searched}, {:.0} a second", searched as f64 / seconds);
    Ok(())
}

/// The same position with what a search thinks of it now; `None` if it teaches nothing any more.
fn search_again(searcher: &mut Searcher, sample: &Sample, nodes: u64) -> Option<Sample> {
    let game = Game::new(sample.position()?);
    let (best, score) = search(searcher, &game, nodes, None);
    teaches(&game, best?, score).then(|| sample.with_score(score))
}
