//! What a match says about the difference in strength.
//!
//! Games come in pairs: one opening, both colours. The five results of a pair (0, ½, 1, 1½, 2 points) are the sample, so
//! that an opening that favours a colour widens nothing (the pentanomial model).

use std::fmt;

/// Results of pairs, by half points of the first engine: 0 to 4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

/// What is known of the difference in Elo.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The difference.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Elo {:+.1} [{:+.1}, {:+.1}]", self.elo, self.low, self.high)
    }
}

/// The Elo difference that makes this score likely.
fn elo(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score that an Elo difference makes likely.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl Pairs {
    /// Adds a pair in which the first engine made this many half points.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// How many pairs there are.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and variance of the score of a pair, from 0 to 1. A little of every result is assumed, so that a few pairs of
    /// one kind do not look certain.
    fn moments(&self) -> (f64, f64) {
        let weights = self.0.map(|count| count as f64 + 1e-3);
        let total: f64 = weights.iter().sum();
        let value = |index: usize| index as f64 / 4.0;
        let mean = weights.iter().enumerate().map(|(i, w)| w * value(i)).sum::<f64>() / total;
        let variance =
            weights.iter().enumerate().map(|(i, w)| w * (value(i) - mean).powi(2)).sum::<f64>() / total;
        (mean, variance)
    }

    /// The Elo difference with its 95 % interval.
    pub fn estimate(&self) -> Estimate {
        let (mean, variance) = self.moments();
        let spread = 1.96 * (variance / self.count().max(1) as f64).sqrt();
        Estimate { elo: elo(mean), low: elo(mean - spread), high: elo(mean + spread) }
    }

    /// The log likelihood ratio of `elo1` against `elo0` (the generalised test in its normal approximation).
    pub fn likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let (mean, variance) = self.moments();
        let (score0, score1) = (score(elo0), score(elo1));
        self.count() as f64 * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance.max(1e-9))
    }
}

/// The bound of the log likelihood ratio at which a test with 5 % errors of both kinds ends: ln(0.95 / 0.05).
pub const SPRT_BOUND: f64 = 2.944_438_979_166_440_3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_results_are_no_difference() {
        let pairs = Pairs([10, 20, 40, 20, 10]);
        let estimate = pairs.estimate();
        assert!(estimate.elo.abs() < 1e-6 && estimate.low < -20.0 && estimate.high > 20.0);
        assert!((estimate.low + estimate.high).abs() < 1e-6);
    }

    #[test]
    fn a_score_of_three_quarters_is_191_elo() {
        let estimate = Pairs([0, 0, 0, 1000, 0]).estimate();
        assert!((estimate.elo - 190.85).abs() < 0.1, "{estimate}");
    }

    #[test]
    fn the_test_leans_to_what_the_results_say() {
        let good = Pairs([50, 180, 400, 260, 110]);
        assert!(good.likelihood_ratio(0.0, 10.0) > SPRT_BOUND);
        let bad = Pairs([110, 260, 400, 180, 50]);
        assert!(bad.likelihood_ratio(0.0, 10.0) < -SPRT_BOUND);
    }
}
