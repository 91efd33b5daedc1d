//! The loop: batches of shuffled samples, a step of the optimiser after each, losses now and then.
//!
//! A batch is split into parts whose number does not depend on the number of threads, and their slopes are added in
//! order: the same seed gives the same network to the last bit.

use kingchess::eval::network::VALUES;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::model::Model;
use super::optimizer::Optimizer;
use super::report::Point;
use super::samples::{Input, Samples};
use super::schedule::Schedule;
use super::{Settings, sigmoid};
use crate::data::Sample;

/// Parts of a batch.
const PARTS: usize = 16;

/// A training in progress.
pub struct Training<'a> {
    settings: &'a Settings,
    samples: &'a Samples,
    model: Model,
    optimizer: Optimizer,
    schedule: Schedule,
    /// The numbers of the samples to train with, in the order of this epoch.
    order: Vec<u32>,
    rng: SmallRng,
    /// The slopes of each part of a batch.
    slopes: Vec<Vec<f32>>,
    step: usize,
}

impl<'a> Training<'a> {
    /// A training that begins with this model.
    pub fn new(settings: &'a Settings, samples: &'a Samples, model: Model) -> Self {
        let mut training = Self {
            settings,
            samples,
            model,
            optimizer: Optimizer::new(),
            schedule: Schedule::new(settings.lr, 1),
            order: (0..samples.training.len() as u32).collect(),
            rng: SmallRng::seed_from_u64(settings.seed.wrapping_add(1)),
            slopes: vec![vec![0.0; VALUES]; PARTS],
            step: 0,
        };
        training.schedule = Schedule::new(settings.lr, training.steps());
        training
    }

    /// How many steps there are in all.
    pub fn steps(&self) -> usize {
        self.steps_of_epoch() * self.settings.epochs as usize
    }

    fn steps_of_epoch(&self) -> usize {
        self.order.len().div_ceil(self.settings.batch as usize)
    }

    /// Trains until the next losses are due, telling `progress` of each step; `None` if it is over.
    pub fn next_point(&mut self, progress: impl Fn(usize)) -> Option<Point> {
        let steps = self.steps();
        if self.step >= steps {
            return None;
        }
        let interval = steps.div_ceil(self.settings.reports as usize);
        let last = (self.step + interval).min(steps);
        let (mut error, mut seen) = (0.0, 0);
        let mut rate = 0.0;
        while self.step < last {
            rate = self.schedule.rate(self.step);
            let (sum, count) = self.train_batch(rate);
            error += sum;
            seen += count;
            self.step += 1;
            progress(self.step);
        }
        Some(Point {
            step: self.step,
            epoch: self.step as f64 / self.steps_of_epoch() as f64,
            rate,
            training: error / seen as f64,
            validation: self.validation_loss(),
        })
    }

    /// What was learned.
    pub fn into_model(self) -> Model {
        self.model
    }

    /// One step; gives the sum of the squared errors and the number of samples.
    fn train_batch(&mut self, rate: f32) -> (f64, usize) {
        let place = self.step % self.steps_of_epoch();
        if place == 0 {
            self.order.shuffle(&mut self.rng);
        }
        let size = self.settings.batch as usize;
        let start = place * size;
        let batch = &self.order[start..(start + size).min(self.order.len())];
        let part = batch.len().div_ceil(PARTS);
        let (model, samples, lambda) = (&self.model, &self.samples.training, self.settings.lambda);
        let errors: Vec<f64> = self
            .slopes
            .par_iter_mut()
            .enumerate()
            .map(|(number, slopes)| {
                slopes.fill(0.0);
                let part = batch.chunks(part).nth(number).unwrap_or_default();
                let inputs = part.iter().filter_map(|&at| Input::new(&samples[at as usize], lambda));
                inputs.map(|input| f64::from(model.learn(&input, slopes))).sum()
            })
            .collect();
        self.optimizer.step(&mut self.model, &self.slopes, batch.len(), rate);
        (errors.iter().sum(), batch.len())
    }

    /// The mean squared error on the samples kept apart.
    fn validation_loss(&self) -> f64 {
        let error = |sample: &Sample| {
            let input = Input::new(sample, self.settings.lambda)?;
            let error = sigmoid(self.model.output(&input)) - input.target;
            Some(f64::from(error * error))
        };
        let chunks = self.samples.validation.par_chunks(1024);
        let errors: Vec<f64> = chunks.map(|chunk| chunk.iter().filter_map(error).sum()).collect();
        errors.iter().sum::<f64>() / self.samples.validation.len() as f64
    }
}
