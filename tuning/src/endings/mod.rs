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
/// Endings met in fewer positions than this say nothing.
const FEWEST: usize = 50;

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
    if settings.files.is_empty() {
        return Ok(());
    }
    let drawn = sample::draw(&settings.files, 4 * settings.clock_games as usize, settings.seed)?;
    let late = drawn.into_iter().filter(|position| phase(position) >= 3);
    let starts: Vec<Position> = late.take(settings.clock_games as usize).collect();
    let games = pool.install(|| play(&starts, settings.nodes))?;
    print_clocks(&games);
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
    let (mut value, mut results, mut positions) = (0, [0u32; 3], 0);
    for game in games {
        let of_it = game.iter().filter_map(|moment| {
            let stronger = ending.stronger(&moment.position)?;
            Some(if stronger == moment.position.side() { (moment, 1) } else { (moment, -1) })
        });
        let before = positions;
        for (moment, sign) in of_it {
            scale.add(&moment.position, moment.value, moment.result);
            value += sign * i64::from(moment.value);
            positions += 1;
            if positions == before + 1 {
                results[(sign as i32 * moment.result + 1) as usize] += 1;
            }
        }
    }
    if positions < FEWEST {
        return;
    }
    let met: u32 = results.iter().sum();
    let percent = |count: u32| 100.0 * f64::from(count) / f64::from(met);
    let [lost, drawn, won] = results.map(percent);
    say!(
        "{:<10} {met:>6} {positions:>9} {:>6} {won:>6.1} {drawn:>6.1} {lost:>6.1} {:>5}",
        ending.name(),
        value / positions as i64,
        scale.best(64)
    );
}

fn print_clocks(games: &[Vec<Moment>]) {
    say!(
        "\npart: the share of the network's value, in hundredths, by the fifty-action clock, in {} games",
        games.len()
    );
    let bins = 100 / CLOCK_STEP;
    say!("{:<8} {:>9} {:>5}  by phase: {}", "clock", "positions", "part", PHASES[3..].join("; "));
    for bin in 0..bins {
        let clocks = bin * CLOCK_STEP..(bin + 1) * CLOCK_STEP;
        let (mut all, mut count) = (Scale::default(), 0);
        let mut phases: [Scale; PHASES.len()] = Default::default();
        let moments = games.iter().flatten();
        for moment in moments.filter(|moment| clocks.contains(&usize::from(moment.position.halfmove_clock())))
        {
            all.add(&moment.position, moment.value, moment.result);
            phases[phase(&moment.position)].add(&moment.position, moment.value, moment.result);
            count += 1;
        }
        if count >= FEWEST {
            let by_phase: Vec<String> =
                phases[3..].iter().map(|scale| format!("{:>4}", scale.best(100))).collect();
            say!(
                "{:>2} to {:>2} {count:>9} {:>5}  {}",
                clocks.start,
                clocks.end - 1,
                all.best(100),
                by_phase.join(" ")
            );
        }
    }
}
