//! What a match says about the difference in strength.
//!
//! Games come in pairs: one opening, both colours. The five results of a pair (0, ½, 1, 1½, 2 points) are the sample, so
//! that an opening that favours a colour widens nothing (the pentanomial model).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

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

    /// The share of each result. None is taken to be impossible only because it has not been seen.
    fn shares(&self) -> [f64; 5] {
        let weights = self.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    }

    /// The Elo difference with its 95 % interval.
    pub fn estimate(&self) -> Estimate {
        let shares = self.shares();
        let mean = sum(|index| shares[index] * VALUES[index]);
        let variance = sum(|index| shares[index] * (VALUES[index] - mean).powi(2));
        let spread = 1.96 * (variance / self.count().max(1) as f64).sqrt();
        Estimate { elo: elo(mean), low: elo(mean - spread), high: elo(mean + spread) }
    }

    /// The log likelihood ratio of `elo1` against `elo0`: how much better the results are explained by the likeliest
    /// shares whose mean score is that of `elo1` than by the likeliest with that of `elo0` (the generalised ratio of
    /// Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution").
    pub fn likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let shares = self.shares();
        let (likely0, likely1) = (likeliest(&shares, score(elo0)), likeliest(&shares, score(elo1)));
        self.count() as f64 * sum(|index| shares[index] * (likely1[index] / likely0[index]).ln())
    }
}

/// The score of a pair, from 0 to 1, by its half points.
const VALUES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn sum(term: impl Fn(usize) -> f64) -> f64 {
    (0..5).map(term).sum()
}

/// Of all shares whose mean is `mean`, those under which the observed shares are likeliest: each is divided by
/// 1 + x (value - mean), with the x that makes the mean right. The terms below fall with x, so halving finds it.
fn likeliest(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let part = |x: f64, index: usize| shares[index] / (1.0 + x * (VALUES[index] - mean));
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = low.midpoint(high);
        if sum(|index| part(middle, index) * (VALUES[index] - mean)) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = low.midpoint(high);
    [0, 1, 2, 3, 4].map(|index| part(x, index))
}

/// A sequential test of two Elo differences with 5 % errors of both kinds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// If the difference is this, the test says so with 95 %.
    pub elo0: f64,
    /// Or if it is this; above `elo0`.
    pub elo1: f64,
}

/// What a test has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// For `elo0`: no gain.
    Low,
    /// For `elo1`.
    High,
}

/// The bound of the log likelihood ratio at which the test ends: ln(0.95 / 0.05).
const BOUND: f64 = 2.944_438_979_166_440_3;

impl Sprt {
    /// What the results decide; `None` while they do not.
    pub fn decision(&self, pairs: &Pairs) -> Option<Decision> {
        let ratio = pairs.likelihood_ratio(self.elo0, self.elo1);
        if ratio >= BOUND {
            Some(Decision::High)
        } else if ratio <= -BOUND {
            Some(Decision::Low)
        } else {
            None
        }
    }

    /// The ratio and its bounds, with the decision.
    pub fn describe(&self, pairs: &Pairs) -> String {
        let decided = match self.decision(pairs) {
            Some(Decision::High) => format!(": for {}", self.elo1),
            Some(Decision::Low) => format!(": for {}", self.elo0),
            None => String::new(),
        };
        let ratio = pairs.likelihood_ratio(self.elo0, self.elo1);
        format!("LLR {ratio:.2} of ±{BOUND:.2} for [{}, {}]{decided}", self.elo0, self.elo1)
    }
}

/// Why a test could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected ELO0,ELO1 with ELO0 below ELO1, got '{0}'")]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        text.split_once(',')
            .and_then(|(low, high)| {
                Some(Self { elo0: low.trim().parse().ok()?, elo1: high.trim().parse().ok()? })
            })
            .filter(|sprt| sprt.elo0 < sprt.elo1 && sprt.elo0.abs().max(sprt.elo1.abs()) < 1000.0)
            .ok_or_else(|| SprtError(text.to_owned()))
    }
}

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
    fn the_test_decides_what_the_results_say() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0 };
        assert_eq!(sprt.decision(&Pairs([50, 180, 400, 260, 110])), Some(Decision::High));
        assert_eq!(sprt.decision(&Pairs([110, 260, 400, 180, 50])), Some(Decision::Low));
        assert_eq!(sprt.decision(&Pairs([5, 20, 40, 21, 5])), None);
        assert_eq!(sprt.decision(&Pairs::default()), None);
    }

    #[test]
    fn the_ratio_of_two_results_is_that_of_wald() {
        // With only lost and won pairs the shares are known from the mean: the binomial test.
        let (lost, won) = (90.0, 110.0);
        let (score0, score1) = (score(0.0), score(40.0));
        let wald: f64 = lost * ((1.0 - score1) / (1.0 - score0)).ln() + won * (score1 / score0).ln();
        let ratio = Pairs([90, 0, 0, 0, 110]).likelihood_ratio(0.0, 40.0);
        assert!((ratio - wald).abs() < 1e-3, "{ratio} {wald}");
    }

    #[test]
    fn ratios_are_those_of_another_program() {
        // Computed with Newton's method in another language.
        for (pairs, elo0, elo1, expected) in [
            ([50, 180, 400, 260, 110], 0.0, 10.0, 9.2014),
            ([1, 7, 19, 15, 8], 0.0, 50.0, 3.9756),
            ([0, 3, 20, 9, 0], 0.0, 10.0, 0.7937),
            ([227, 2000, 4242, 2106, 241], 0.0, 5.0, 0.3026),
        ] {
            let ratio = Pairs(pairs).likelihood_ratio(elo0, elo1);
            assert!((ratio - expected).abs() < 1e-3, "{pairs:?}: {ratio}");
        }
    }

    #[test]
    fn near_the_hypotheses_the_ratio_is_that_of_a_normal_distribution() {
        // n (s1 - s0) (2 mean - s0 - s1) / (2 variance): the first order of the ratio when all are close together.
        let pairs = Pairs([500, 1800, 4000, 1900, 510]);
        let count = pairs.count() as f64;
        let mean = sum(|index| pairs.0[index] as f64 * VALUES[index]) / count;
        let variance = sum(|index| pairs.0[index] as f64 * (VALUES[index] - mean).powi(2)) / count;
        let (score0, score1) = (score(0.0), score(4.0));
        let normal = count * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance);
        assert!((pairs.likelihood_ratio(0.0, 4.0) - normal).abs() < 0.01, "{normal}");
    }

    #[test]
    fn the_likeliest_shares_have_the_mean() {
        let shares = Pairs([3, 0, 50, 7, 1]).shares();
        for mean in [0.3, 0.5, 0.51, 0.9] {
            let likely = likeliest(&shares, mean);
            assert!((sum(|index| likely[index]) - 1.0).abs() < 1e-9);
            assert!((sum(|index| likely[index] * VALUES[index]) - mean).abs() < 1e-9);
        }
    }

    #[test]
    fn tests_are_read() {
        assert_eq!("0,10".parse(), Ok(Sprt { elo0: 0.0, elo1: 10.0 }));
        assert_eq!("-3, 1.5".parse(), Ok(Sprt { elo0: -3.0, elo1: 1.5 }));
        for text in ["", "5", "10,0", "0,0", "0,x", "0,inf", "nan,1"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
