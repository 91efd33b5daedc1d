//! How often a value wins: a logistic curve fitted to samples by maximum likelihood.

/// Values are counted in steps of so many centipawns, up to the farthest.
const STEP: i32 = 10;
const FARTHEST: i32 = 2000;
const STEPS: usize = (2 * FARTHEST / STEP + 1) as usize;
/// Newton's method needs only a few rounds.
const ROUNDS: usize = 50;

/// Wins counted by value.
pub struct Chances {
    wins: Vec<f64>,
    all: Vec<f64>,
}

/// The value at which a win is as likely as not, and the spread of the curve around it, in centipawns:
/// the chance is `1 / (1 + exp((even - value) / spread))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Where a win is as likely as not.
    pub even: f64,
    /// How flat the curve is.
    pub spread: f64,
}

impl Default for Chances {
    fn default() -> Self {
        Self { wins: vec![0.0; STEPS], all: vec![0.0; STEPS] }
    }
}

impl Chances {
    /// Counts a sample for both sides: its value and result (1, 0 or -1) for one are the negative ones of the other.
    pub fn add(&mut self, value: i32, result: i32) {
        for (value, won) in [(value, result > 0), (-value, result < 0)] {
            let step = ((value.clamp(-FARTHEST, FARTHEST) + FARTHEST) / STEP) as usize;
            self.all[step] += 1.0;
            self.wins[step] += f64::from(u8::from(won));
        }
    }

    /// The curve that makes what was counted most likely; `None` if nothing sensible does.
    pub fn fit(&self) -> Option<Curve> {
        // The chance is the logistic function of base + slope * value; values in hundreds keep the numbers tame.
        let mut line = (0.0, 0.1);
        for _ in 0..ROUNDS {
            let (base, slope) = self.newton_step(line)?;
            // A step too far is shortened until it is none back.
            let likely = self.likelihood(line);
            let shortened = (0..20).map(|halved| {
                let part = 0.5_f64.powi(halved);
                (line.0 + base * part, line.1 + slope * part)
            });
            line = shortened.into_iter().find(|&line| self.likelihood(line) >= likely).unwrap_or(line);
        }
        let (base, slope) = line;
        let curve = Curve { even: -base / slope * 100.0, spread: 100.0 / slope };
        (curve.even.is_finite() && curve.spread > 0.0).then_some(curve)
    }

    /// Values in hundreds, wins and all samples at them.
    fn counts(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let counts = self.wins.iter().zip(&self.all).enumerate();
        counts.map(|(step, (&wins, &all))| ((step as i32 * STEP - FARTHEST) as f64 / 100.0, wins, all))
    }

    /// The logarithm of the probability of what was counted.
    fn likelihood(&self, (base, slope): (f64, f64)) -> f64 {
        self.counts()
            .map(|(x, wins, all)| {
                let odds: f64 = base + slope * x;
                wins * odds - all * (odds.max(0.0) + (-odds.abs()).exp().ln_1p())
            })
            .sum()
    }

    /// What Newton's method adds to base and slope.
    fn newton_step(&self, (base, slope): (f64, f64)) -> Option<(f64, f64)> {
        let (mut g0, mut g1, mut h00, mut h01, mut h11) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (x, wins, all) in self.counts() {
            let chance = 1.0 / (1.0 + (-(base + slope * x)).exp());
            let (error, weight) = (wins - all * chance, all * chance * (1.0 - chance));
            g0 += error;
            g1 += error * x;
            h00 += weight;
            h01 += weight * x;
            h11 += weight * x * x;
        }
        let determinant = h00 * h11 - h01 * h01;
        let step = ((g0 * h11 - g1 * h01) / determinant, (g1 * h00 - g0 * h01) / determinant);
        (step.0.is_finite() && step.1.is_finite()).then_some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_that_made_the_counts_is_found() {
        let mut chances = Chances::default();
        let (even, spread) = (150.0, 80.0);
        for step in 0..STEPS {
            let value = step as i32 * STEP - FARTHEST;
            chances.all[step] = 1000.0;
            chances.wins[step] = 1000.0 / (1.0 + ((even - f64::from(value)) / spread).exp());
        }
        let found = chances.fit().expect("a curve");
        assert!((found.even - even).abs() < 0.01 && (found.spread - spread).abs() < 0.01, "{found:?}");
    }

    #[test]
    fn nothing_counted_is_no_curve() {
        assert_eq!(Chances::default().fit(), None);
        let mut one = Chances::default();
        one.add(0, 0);
        assert_eq!(one.fit(), None);
    }
}
