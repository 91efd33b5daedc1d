//! Simultaneous perturbation stochastic approximation (J. C. Spall 1992): all parameters are disturbed at once, each up
//! or down by chance, and a pair of games between the two disturbances moves all of them towards the one that has won.
//! How far is set by Spall's gain sequences in the form in which the fishtest of Stockfish states them: by what they are
//! at the end.

use rand::Rng;
use rand::rngs::SmallRng;
use serde::Serialize;

/// How fast steps get smaller.
const ALPHA: f64 = 0.602;
/// How fast disturbances get smaller.
const GAMMA: f64 = 0.101;
/// The part of all pairs by which the first steps are delayed, so that they are not wild.
const STABILITY: f64 = 0.1;

/// A parameter to be tuned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// The name of the option.
    pub name: String,
    /// The smallest value.
    pub min: i32,
    /// The largest.
    pub max: i32,
    /// The value to begin with.
    pub start: i32,
    /// How far it is disturbed in the last pair.
    pub c_end: f64,
    /// How far the last pair moves it for each game that it wins more than it loses, as a part of `c_end`.
    pub r_end: f64,
}

impl Parameter {
    /// How far it is disturbed in a pair, counted from 0, and how far a game moves it.
    fn gains(&self, pair: u64, pairs: u64) -> Gains {
        let (pair, pairs) = (pair as f64 + 1.0, pairs as f64);
        let delay = STABILITY * pairs;
        let disturbance = self.c_end * (pairs / pair).powf(GAMMA);
        let gain = self.r_end * self.c_end.powi(2) * ((delay + pairs) / (delay + pair)).powf(ALPHA);
        Gains { disturbance, step: gain / disturbance }
    }

    fn limit(&self, value: f64) -> f64 {
        value.clamp(self.min.into(), self.max.into())
    }

    /// A whole number next to the value, the nearer one the likelier, so that the mean is the value.
    fn round(&self, value: f64, rng: &mut SmallRng) -> i32 {
        (self.limit(value) + rng.random::<f64>()).floor().min(self.max.into()) as i32
    }
}

struct Gains {
    disturbance: f64,
    step: f64,
}

/// Two sets of values that play against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Which pair plays it, from 0.
    pub pair: u64,
    /// The values of the first engine.
    pub plus: Vec<i32>,
    /// The values of the second.
    pub minus: Vec<i32>,
    /// For each parameter 1 if the first engine has it disturbed upwards, else -1.
    signs: Vec<f64>,
}

/// Values on their way to better ones.
#[derive(Clone, Debug)]
pub struct Optimizer {
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// How many pairs of games there will be in all.
    pub pairs: u64,
    /// The values now, in the order of the parameters.
    pub values: Vec<f64>,
}

impl Optimizer {
    /// An optimizer that begins with the parameters' first values.
    pub fn new(parameters: Vec<Parameter>, pairs: u64) -> Self {
        let values = parameters.iter().map(|parameter| parameter.start.into()).collect();
        Self { parameters, pairs, values }
    }

    /// The names of the parameters.
    pub fn names(&self) -> Vec<&str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
    }

    /// What a pair of games tries.
    pub fn probe(&self, pair: u64, rng: &mut SmallRng) -> Probe {
        let count = self.values.len();
        let mut probe = Probe {
            pair,
            plus: Vec::with_capacity(count),
            minus: Vec::with_capacity(count),
            signs: Vec::with_capacity(count),
        };
        for (parameter, value) in self.parameters.iter().zip(&self.values) {
            let sign = if rng.random::<bool>() { 1.0 } else { -1.0 };
            let away = sign * parameter.gains(pair, self.pairs).disturbance;
            probe.signs.push(sign);
            probe.plus.push(parameter.round(value + away, rng));
            probe.minus.push(parameter.round(value - away, rng));
        }
        probe
    }

    /// Learns from a pair of games: `result` is the games that the first engine has won less those it has lost.
    pub fn learn(&mut self, probe: &Probe, result: i32) {
        for ((parameter, value), sign) in self.parameters.iter().zip(&mut self.values).zip(&probe.signs) {
            let step = parameter.gains(probe.pair, self.pairs).step;
            *value = parameter.limit(*value + step * sign * f64::from(result));
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn parameter(name: &str, range: (i32, i32), start: i32, c_end: f64) -> Parameter {
        Parameter { name: name.to_owned(), min: range.0, max: range.1, start, c_end, r_end: 0.002 }
    }

    /// Two games between players whose strengths differ by so much Elo.
    fn play(elo: f64, rng: &mut SmallRng) -> i32 {
        let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        (0..2).map(|_| if rng.random_bool(score) { 1 } else { -1 }).sum()
    }

    #[test]
    fn the_optimum_of_a_noisy_function_is_found() {
        // The best is 120, -700 and, beyond its range, 30.
        let elo = |values: &[i32]| -> f64 {
            let away =
                [(values[0] - 120) as f64, (values[1] + 700) as f64 / 10.0, (values[2] - 30) as f64 * 4.0];
            -away.iter().map(|away| away * away / 20.0).sum::<f64>()
        };
        let parameters = vec![
            parameter("small", (0, 200), 40, 10.0),
            parameter("large", (-1000, 1000), 100, 100.0),
            parameter("edge", (0, 20), 2, 2.0),
        ];
        let mut optimizer = Optimizer::new(parameters, 40_000);
        let mut rng = SmallRng::seed_from_u64(1);
        for pair in 0..optimizer.pairs {
            let probe = optimizer.probe(pair, &mut rng);
            let result = play(elo(&probe.plus) - elo(&probe.minus), &mut rng);
            optimizer.learn(&probe, result);
        }
        let [small, large, edge] = optimizer.values[..] else { panic!("{:?}", optimizer.values) };
        assert!((small - 120.0).abs() < 8.0, "{small}");
        assert!((large + 700.0).abs() < 80.0, "{large}");
        assert!((19.0..=20.0).contains(&edge), "{edge}");
    }

    #[test]
    fn gains_end_as_stated() {
        let parameter = parameter("x", (0, 200), 40, 10.0);
        let last = parameter.gains(999, 1000);
        assert!((last.disturbance - 10.0).abs() < 1e-9, "{}", last.disturbance);
        assert!((last.step - 0.02).abs() < 1e-9, "{}", last.step);
        let first = parameter.gains(0, 1000);
        // 10 * 1000^0.101, and 0.2 * (1100 / 101)^0.602 divided by it.
        assert!((first.disturbance - 20.091).abs() < 1e-3, "{}", first.disturbance);
        assert!((first.step - 0.041_913).abs() < 1e-5, "{}", first.step);
    }

    #[test]
    fn values_are_rounded_up_and_down_and_stay_in_their_range() {
        let parameter = parameter("x", (0, 10), 4, 1.0);
        let mut rng = SmallRng::seed_from_u64(7);
        let rounded: Vec<i32> = (0..4000).map(|_| parameter.round(4.25, &mut rng)).collect();
        assert!(rounded.iter().all(|value| [4, 5].contains(value)));
        let mean = f64::from(rounded.iter().sum::<i32>()) / 4000.0;
        assert!((mean - 4.25).abs() < 0.05, "{mean}");
        for (value, expected) in [(-3.0, 0), (10.0, 10), (12.5, 10)] {
            assert!((0..100).all(|_| parameter.round(value, &mut rng) == expected), "{value}");
        }
    }
}
