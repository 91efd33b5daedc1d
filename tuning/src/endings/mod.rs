//! `lab endings`: what the network overlooks because it never searches: endings that are hardly won though a side is ahead,
//! and advantages that shrink as the fifty-action rule draws near. Games are played to their end, nothing is
//! adjudicated but a proven mate, and for each kind of position the part of the network's value is found that foretells
//! the results best.

mod material;
mod playout;
mod scale;

use std::path::PathBuf;

use clap::Args;
use kingchess::eval::{PHASES, phase};
use kingchess::rules::Position;
use kingchess::search::{STACK_BYTES, TableError};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rayon::prelude::*;
use thiserror::Error;

use self::material::Material;
use self::playout::{Moment, Player};
use self::scale::Scale;
use super::data::DataError;
use super::report::sample;
use super::say::say;

/// Fifty-action clocks are looked at in steps of so many.
const CLOCK_STEP: usize = 10;
/// The first of [`PHASES`] with nothing in reserve.
const DROPPED: usize = 3;
/// Fewer positions than this say nothing.
const FEWEST: usize = 50;
/// Endings are judged up to this fifty-action clock; what comes later is the clock's part.
const FRESH: u16 = 20;

/// Which games.
#[derive(Args)]
pub struct Settings {
    /// Files of training positions: games for the fifty-action rule begin where nothing is in reserve any more
    files: Vec<PathBuf>,
    /// Games for each ending
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// Games for the fifty-action rule
    #[arg(long, default_value_t = 6000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    clock_games: u32,
    /// Nodes for each action
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games at once; default: as many as there are processors
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Which games: other seeds give other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Why there are no figures.
#[derive(Debug, Error)]
pub enum EndingsError {
    /// A file of positions is at fault.
    #[error(transparent)]
    Data(#[from] DataError),
    /// No memory for a search.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// No threads.
    #[error("threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Plays the games and prints what they say; the same files, settings and seed give the same text.
///
/// # Errors
/// If the positions can't be read, or memory or threads can't be had.
pub fn run(settings: &Settings) -> Result<(), EndingsError> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(settings.threads).stack_size(STACK_BYTES).build()?;
    // The files come first: what is wrong with them should not be said after minutes of play.
    let drawn = sample::draw(&settings.files, 4 * settings.clock_games as usize, settings.seed)?;
    let late = drawn.into_iter().filter(|position| phase(position) >= DROPPED);
    let late: Vec<Position> = late.take(settings.clock_games as usize).collect();
    say!("part: the share of the network's value, in 64ths, that foretells the results best");
    say!(
        "{:<10} {:>6} {:>9} {:>6} {:>6} {:>6} {:>6} {:>5}",
        "ending",
        "games",
        "positions",
        "value",
        "won",
        "drawn",
        "lost",
        "part"
    );
    for ending in material::unequal() {
        let mut rng = SmallRng::seed_from_u64(settings.seed ^ ending.key());
        let starts: Vec<Position> = (0..settings.games).filter_map(|_| ending.place(&mut rng)).collect();
        let games = pool.install(|| play(&starts, settings.nodes))?;
        print_ending(&ending, &games);
    }
    if !settings.files.is_empty() {
        let games = pool.install(|| play(&late, settings.nodes))?;
        print_clocks(&games);
    }
    Ok(())
}

/// Plays a game from each position.
fn play(starts: &[Position], nodes: u64) -> Result<Vec<Vec<Moment>>, TableError> {
    starts
        .par_iter()
        .map_init(Player::new, |player, start| {
            Ok(player.as_mut().map_err(|error| *error)?.play(start, nodes))
        })
        .collect()
}

fn print_ending(ending: &Material, games: &[Vec<Moment>]) {
    let mut scale = Scale::default();
    let (mut value, mut results) = (0, [0u32; 3]);
    for game in games {
        let mut result = None;
        for moment in game.iter().filter(|moment| moment.position.halfmove_clock() < FRESH) {
            let Some(stronger) = ending.stronger(&moment.position) else { continue };
            let sign = if stronger == moment.position.side() { 1 } else { -1 };
            scale.add(&moment.position, moment.value, moment.result);
            value += i64::from(sign * moment.value);
            result = Some(sign * moment.result);
        }
        if let Some(result) = result {
            results[(result + 1) as usize] += 1;
        }
    }
    let Some(part) = scale.best(64, FEWEST) else { return };
    let met: u32 = results.iter().sum();
    let percent = |count: u32| 100.0 * f64::from(count) / f64::from(met);
    let [lost, drawn, won] = results.map(percent);
    let (name, positions) = (ending.name(), scale.len());
    let mean = value / positions as i64;
    say!("{name:<10} {met:>6} {positions:>9} {mean:>6} {won:>6.1} {drawn:>6.1} {lost:>6.1} {part:>5}");
}

fn print_clocks(games: &[Vec<Moment>]) {
    say!(
        "\npart: the share of the network's value, in hundredths, by the fifty-action clock, in {} games",
        games.len()
    );
    say!("{:<8} {:>9} {:>5}  by phase: {}", "clock", "positions", "part", PHASES[DROPPED..].join("; "));
    for first in (0..100).step_by(CLOCK_STEP) {
        let clocks = first..first + CLOCK_STEP as u16;
        let (mut all, mut phases) = (Scale::default(), <[Scale; PHASES.len()]>::default());
        let moments = games.iter().flatten();
        for moment in moments.filter(|moment| clocks.contains(&moment.position.halfmove_clock())) {
            for scale in [&mut all, &mut phases[phase(&moment.position)]] {
                scale.add(&moment.position, moment.value, moment.result);
            }
        }
        let part = |scale: &Scale| scale.best(100, FEWEST).map_or("-".to_owned(), |part| part.to_string());
        let by_phase: Vec<String> =
            phases[DROPPED..].iter().map(|scale| format!("{:>4}", part(scale))).collect();
        let (last, positions, part) = (clocks.end - 1, all.len(), part(&all));
        say!("{first:>2} to {last:>2} {positions:>9} {part:>5}  {}", by_phase.join(" "));
    }
}
