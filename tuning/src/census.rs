//! `lab data`: what a file of training positions holds.

use std::path::PathBuf;

use clap::Args;
use kingchess::eval::{PHASES, phase};
use kingchess::types::Color;

use super::chances::Chances;
use super::data::{DataError, Reader, Sample};
use super::say::say;

/// Which files.
#[derive(Args)]
pub struct Settings {
    /// Files of training positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Samples counted by what they are like.
#[derive(Default)]
struct Census {
    games: u64,
    samples: u64,
    /// Samples that hold no position.
    damaged: u64,
    /// Lost, drawn, won by the side to act.
    results: [u64; 3],
    /// By pieces in both reserves: 0, 1-4, 5-12, 13 and more.
    reserves: [u64; 4],
    /// By pieces on the board, kings included, in steps of 4.
    board: [u64; 9],
    /// By the value's distance from 0: below 50, 100, 200, 400, 800, and more.
    scores: [u64; 6],
    /// How often values win, by phase.
    chances: [Chances; PHASES.len()],
    /// Sum of the plies.
    plies: u64,
}

const SCORE_STEPS: [i32; 5] = [50, 100, 200, 400, 800];

impl Census {
    fn add(&mut self, sample: &Sample) {
        self.samples += 1;
        let Some(position) = sample.position() else {
            self.damaged += 1;
            return;
        };
        self.results[(sample.result() + 1) as usize] += 1;
        let in_hand: u32 = Color::ALL.iter().map(|&color| position.reserve(color).total()).sum();
        self.reserves[match in_hand {
            0 => 0,
            1..=4 => 1,
            5..=12 => 2,
            _ => 3,
        }] += 1;
        self.board[position.occupied().count() as usize / 4] += 1;
        let step = SCORE_STEPS.iter().position(|&step| sample.score().abs() < step);
        self.scores[step.unwrap_or(SCORE_STEPS.len())] += 1;
        self.chances[phase(&position)].add(sample.score(), sample.result());
        self.plies += u64::from(sample.ply());
    }

    fn print(&self) {
        let shares = |counts: &[u64]| {
            let percent = |&count: &u64| format!("{:.1}", 100.0 * count as f64 / self.samples.max(1) as f64);
            counts.iter().map(percent).collect::<Vec<_>>().join(" ")
        };
        say!("games {}, positions {}, damaged {}", self.games, self.samples, self.damaged);
        say!("mean ply                               {:.1}", self.plies as f64 / self.samples.max(1) as f64);
        say!("% lost, drawn, won                     {}", shares(&self.results));
        say!("% with 0, 1-4, 5-12, 13+ in reserve    {}", shares(&self.reserves));
        say!("% with 0-3, 4-7, ... 32 on the board   {}", shares(&self.board));
        say!("% below 50, 100, 200, 400, 800, more   {}", shares(&self.scores));
        for (name, chances) in PHASES.into_iter().zip(&self.chances) {
            if let Some(curve) = chances.fit() {
                say!("a win is even at {:>3.0} centipawns, spread {:>3.0}: {name}", curve.even, curve.spread);
            }
        }
    }
}

/// Prints what the files hold.
///
/// # Errors
/// If a file can't be read.
pub fn run(settings: &Settings) -> Result<(), DataError> {
    for file in &settings.files {
        let mut reader = Reader::open(file)?;
        say!("{}: {}", file.display(), reader.settings());
        let mut census = Census::default();
        while let Some(block) = reader.next_block()? {
            census.games += u64::from(block.games);
            block.samples.iter().for_each(|sample| census.add(sample));
        }
        census.print();
    }
    Ok(())
}
