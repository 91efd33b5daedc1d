//! AdamW (I. Loshchilov, F. Hutter 2017), with weights kept where they can be made integers.

use kingchess::eval::network::{HIDDEN, MAX_OUTPUT_SUM, MAX_OUTPUT_WEIGHT, QB, QC, ValueKind, value_kinds};
use rayon::prelude::*;

use super::model::Model;

/// How slowly the mean of the slopes follows them.
const MOMENTUM: f32 = 0.9;
/// How slowly the mean of their squares follows them.
const VARIANCE: f32 = 0.999;
/// The share of a weight that a step at a learning rate of 1 takes away.
const DECAY: f32 = 0.01;
/// Keeps the division from going astray.
const EPSILON: f32 = 1e-8;
/// The largest weight to a hidden value: thirty-six of them fit 16 bits.
const MAX_HIDDEN_WEIGHT: f32 = 1.98;
/// Values that one thread takes at a time.
const CHUNK: usize = 4096;

/// The state of the optimiser.
pub struct Optimizer {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// The largest magnitude of each value.
    most: Vec<f32>,
    steps: i32,
}

impl Optimizer {
    /// Before the first step.
    pub fn new() -> Self {
        let most: Vec<f32> = value_kinds()
            .into_iter()
            .flat_map(|(kind, count)| std::iter::repeat_n(largest(kind), count))
            .collect();
        Self { mean: vec![0.0; most.len()], square: vec![0.0; most.len()], most, steps: 0 }
    }

    /// One step against the slopes, which are the sum of these lists divided by `count`.
    pub fn step(&mut self, model: &mut Model, slopes: &[Vec<f32>], count: usize, rate: f32) {
        self.steps = self.steps.saturating_add(1);
        let first = 1.0 - MOMENTUM.powi(self.steps);
        let second = 1.0 - VARIANCE.powi(self.steps);
        let share = (count.max(1) as f32).recip();
        let values = model.values.par_chunks_mut(CHUNK).zip(self.most.par_chunks(CHUNK));
        let means = self.mean.par_chunks_mut(CHUNK).zip(self.square.par_chunks_mut(CHUNK));
        values.zip(means).enumerate().for_each(|(chunk, ((values, most), (means, squares)))| {
            let mut sum = [0.0; CHUNK];
            for slopes in slopes {
                let slopes = &slopes[chunk * CHUNK..];
                sum.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
            }
            for (index, value) in values.iter_mut().enumerate() {
                let slope = sum[index] * share;
                let (mean, square) = (&mut means[index], &mut squares[index]);
                *mean += (1.0 - MOMENTUM) * (slope - *mean);
                *square += (1.0 - VARIANCE) * (slope * slope - *square);
                let step = (*mean / first) / ((*square / second).sqrt() + EPSILON);
                let decayed = *value * (1.0 - rate * DECAY);
                *value = (decayed - rate * step).clamp(-most[index], most[index]);
            }
        });
        limit_sums(model);
    }
}

/// Shrinks the weights of an output that together are larger than a network may have them.
fn limit_sums(model: &mut Model) {
    // Rounding may add half a unit to each weight.
    let most = (MAX_OUTPUT_SUM as f32 - (HIDDEN + 1) as f32) / f32::from(QB);
    for weights in model.outputs_mut() {
        let sum: f32 = weights.iter().map(|weight| weight.abs()).sum();
        if sum > most {
            weights.iter_mut().for_each(|weight| *weight *= most / sum);
        }
    }
}

/// The largest magnitude that a value may have.
fn largest(kind: ValueKind) -> f32 {
    match kind {
        ValueKind::Hidden => MAX_HIDDEN_WEIGHT,
        ValueKind::Output => f32::from(MAX_OUTPUT_WEIGHT) / f32::from(QB),
        ValueKind::OutputBias => f32::from(i16::MAX) / f32::from(QC),
    }
}

#[cfg(test)]
mod tests {
    use kingchess::eval::network::VALUES;

    use super::*;

    #[test]
    fn steps_go_against_the_slope_and_stop_at_the_bounds() {
        let mut model = Model { values: vec![0.0; VALUES] };
        let mut optimizer = Optimizer::new();
        let slopes: Vec<f32> = (0..VALUES).map(|index| [1.0, -1.0, 0.0][index % 3]).collect();
        optimizer.step(&mut model, &[slopes.clone(), slopes.clone()], 2, 0.5);
        assert!(model.values[..3].iter().zip([-0.5, 0.5, 0.0]).all(|(value, is)| (value - is).abs() < 1e-3));
        for _ in 0..20 {
            optimizer.step(&mut model, std::slice::from_ref(&slopes), 1, 0.5);
        }
        assert_eq!(model.values[0], -MAX_HIDDEN_WEIGHT);
        assert!(model.values.iter().zip(&optimizer.most).all(|(value, most)| value.abs() <= *most));
        // All as large as they may be, the weights of an output would be too large together.
        assert!(model.quantize().is_ok());
    }
}
