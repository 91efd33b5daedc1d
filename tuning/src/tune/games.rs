//! The pairs of games that tuning learns from.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rayon::prelude::*;

use super::TuneError;
use super::spsa::{Optimizer, Probe};
use crate::budget::Budget;
use crate::contest::{Contest, ContestError, Ingredients, Side};
use crate::game::Conditions;
use crate::openings::{self, Opening};

/// Who plays, and under which conditions.
pub struct Hall {
    /// The engine.
    pub engine: String,
    /// Its options beside the parameters, `NAME=VALUE`.
    pub options: Vec<String>,
    /// What its actions may cost.
    pub budget: Budget,
    /// What games are played by.
    pub conditions: Conditions,
    /// Openings to be played in turn; random ones if there are none.
    pub openings: Vec<Opening>,
    /// Which random openings and disturbances.
    pub seed: u64,
}

/// What a pair of games has brought.
pub struct Outcome {
    /// The values that played.
    pub probe: Probe,
    /// Games won by the first less games lost.
    pub result: i32,
    /// Games lost by a fault.
    pub faults: usize,
}

/// Far from each other for seeds that are near.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hall {
    /// Plays `count` pairs of games from the pair `first` on, all from the values as they are now, as many at once as
    /// the thread pool has threads. What comes out is in the order of the pairs.
    ///
    /// # Errors
    /// If there are no openings or an engine does not start.
    pub fn play(&self, optimizer: &Optimizer, first: u64, count: u64) -> Result<Vec<Outcome>, TuneError> {
        let openings = self.openings(first, count)?;
        let pairs: Vec<(u64, Opening)> = (first..).zip(openings).collect();
        pairs
            .into_par_iter()
            .map(|(pair, opening)| {
                let mut rng = SmallRng::seed_from_u64(self.seed.wrapping_mul(SPREAD).wrapping_add(pair));
                Ok(self.play_pair(optimizer.probe(pair, &mut rng), &optimizer.names(), opening)?)
            })
            .collect()
    }

    fn openings(&self, first: u64, count: u64) -> Result<Vec<Opening>, TuneError> {
        if self.openings.is_empty() {
            let seed = self.seed.wrapping_mul(SPREAD).wrapping_add(first);
            return Ok(openings::generate(count as usize, seed, self.conditions.chess)?);
        }
        let list = self.openings.iter().cycle().skip((first % self.openings.len() as u64) as usize);
        Ok(list.take(count as usize).cloned().collect())
    }

    /// Each pair has engines of its own: nothing of earlier games is left in them, and what an engine computes from its
    /// parameters once and for all is computed from these.
    fn play_pair(&self, probe: Probe, names: &[&str], opening: Opening) -> Result<Outcome, ContestError> {
        let side = |name: &str, values: &[i32]| {
            let parameters = names.iter().zip(values).map(|(name, value)| format!("{name}={value}"));
            let options = self.options.iter().cloned().chain(parameters).collect();
            let ingredients = Ingredients::Engine(self.engine.clone(), options);
            Side { name: name.to_owned(), ingredients, budget: self.budget }
        };
        let contest = Contest {
            event: format!("tuning, pair {}", probe.pair + 1),
            sides: [side("plus", &probe.plus), side("minus", &probe.minus)],
            openings: vec![opening],
            conditions: self.conditions.clone(),
            sprt: None,
            concurrency: 1,
            record: None,
            resume: false,
            log: None,
        };
        let tally = contest.play(&|_| ())?;
        let counts = tally.counts();
        let result = counts.wins as i32 - counts.losses as i32;
        Ok(Outcome { probe, result, faults: tally.faults.iter().sum() })
    }
}
