//! The learning rate over time.

use std::f32::consts::PI;

/// The share of the first learning rate that is left at the end.
const LAST: f32 = 0.005;

/// A learning rate that falls along half a cosine wave (I. Loshchilov, F. Hutter 2016).
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    first: f32,
    steps: usize,
}

impl Schedule {
    /// From this rate down in so many steps.
    pub fn new(first: f32, steps: usize) -> Self {
        Self { first, steps: steps.max(1) }
    }

    /// The rate of a step, counted from 0.
    pub fn rate(&self, step: usize) -> f32 {
        let done = step as f32 / self.steps as f32;
        let wave = (1.0 + (PI * done.min(1.0)).cos()) / 2.0;
        self.first * (LAST + (1.0 - LAST) * wave)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_falls_from_first_to_last() {
        let schedule = Schedule::new(0.001, 100);
        let rates: Vec<f32> = (0..=100).map(|step| schedule.rate(step)).collect();
        assert!(rates.windows(2).all(|pair| pair[1] < pair[0]));
        assert!((rates[0] - 0.001).abs() < 1e-9 && (rates[100] - 0.001 * LAST).abs() < 1e-9);
    }
}
