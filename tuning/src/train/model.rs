//! The network with weights as fractions: its output, and how its error changes with each weight.

use kingchess::eval::network::{HIDDEN, INPUTS, OUTPUTS, VALUES};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::samples::Input;
use super::sigmoid;

/// Facts that usually hold for a side; the first weights are as large as suits so many.
const USUAL_FACTS: f32 = 32.0;

/// Hidden values of one side.
type Hidden = [f32; HIDDEN];

/// All weights and biases, in the order of a network's file.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// As one list, for whom they are all the same.
    pub values: Vec<f32>,
}

/// The parts of such a list.
struct Parts<'a> {
    columns: &'a [Hidden],
    bias: &'a Hidden,
    /// For each output the weights of the side to act, then those of the other.
    outputs: &'a [[Hidden; 2]],
    output_biases: &'a [f32],
}

/// The same, to be written.
struct PartsMut<'a> {
    columns: &'a mut [Hidden],
    bias: &'a mut Hidden,
    outputs: &'a mut [[Hidden; 2]],
    output_biases: &'a mut [f32],
}

const BIAS: usize = INPUTS * HIDDEN;
const OUTPUT: usize = BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + OUTPUTS * 2 * HIDDEN;

impl<'a> Parts<'a> {
    fn of(values: &'a [f32]) -> Self {
        Self {
            columns: bytemuck::cast_slice(&values[..BIAS]),
            bias: bytemuck::from_bytes(bytemuck::cast_slice(&values[BIAS..OUTPUT])),
            outputs: bytemuck::cast_slice(&values[OUTPUT..OUTPUT_BIAS]),
            output_biases: &values[OUTPUT_BIAS..],
        }
    }
}

impl<'a> PartsMut<'a> {
    fn of(values: &'a mut [f32]) -> Self {
        let (columns, rest) = values.split_at_mut(BIAS);
        let (bias, rest) = rest.split_at_mut(HIDDEN);
        let (outputs, output_biases) = rest.split_at_mut(OUTPUTS * 2 * HIDDEN);
        Self {
            columns: bytemuck::cast_slice_mut(columns),
            bias: bytemuck::from_bytes_mut(bytemuck::cast_slice_mut(bias)),
            outputs: bytemuck::cast_slice_mut(outputs),
            output_biases,
        }
    }
}

impl Model {
    /// Small random weights, no biases.
    pub fn random(seed: u64) -> Self {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut values = vec![0.0; VALUES];
        let mut fill = |values: &mut [f32], inputs: f32| {
            let most = inputs.sqrt().recip();
            values.iter_mut().for_each(|value| *value = rng.random_range(-most..most));
        };
        fill(&mut values[..BIAS], USUAL_FACTS);
        fill(&mut values[OUTPUT..OUTPUT_BIAS], 2.0 * HIDDEN as f32);
        Self { values }
    }

    /// The weights of each output.
    pub fn outputs_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.values[OUTPUT..OUTPUT_BIAS].chunks_exact_mut(2 * HIDDEN)
    }

    /// The output for a sample: in units of 400 centipawns, for the side to act.
    pub fn output(&self, input: &Input) -> f32 {
        let parts = Parts::of(&self.values);
        parts.output(&parts.hidden(input), input.output)
    }

    /// The squared error of what the network expects of a sample; what it changes by with each weight is added to the
    /// slopes.
    pub fn learn(&self, input: &Input, slopes: &mut [f32]) -> f32 {
        let parts = Parts::of(&self.values);
        let hidden = parts.hidden(input);
        let expected = sigmoid(parts.output(&hidden, input.output));
        let error = expected - input.target;
        let slope = 2.0 * error * expected * (1.0 - expected);
        let slopes = PartsMut::of(slopes);
        slopes.output_biases[input.output] += slope;
        for (side, features) in input.features.iter().enumerate() {
            let weights = &parts.outputs[input.output][side];
            let weight_slopes = &mut slopes.outputs[input.output][side];
            let mut back = [0.0; HIDDEN];
            for index in 0..HIDDEN {
                let value = hidden[side][index];
                let clipped = value.clamp(0.0, 1.0);
                weight_slopes[index] += slope * clipped * clipped;
                let inside = if value > 0.0 && value < 1.0 { 2.0 * clipped } else { 0.0 };
                back[index] = slope * weights[index] * inside;
            }
            add(slopes.bias, &back);
            for &feature in features {
                add(&mut slopes.columns[usize::from(feature)], &back);
            }
        }
        error * error
    }
}

impl Parts<'_> {
    fn hidden(&self, input: &Input) -> [Hidden; 2] {
        [&input.features[0], &input.features[1]].map(|features| {
            let mut hidden = *self.bias;
            for &feature in features {
                add(&mut hidden, &self.columns[usize::from(feature)]);
            }
            hidden
        })
    }

    fn output(&self, hidden: &[Hidden; 2], output: usize) -> f32 {
        // Several sums at once: one would have to be added up number by number.
        let mut sums = [0.0; LANES];
        for (hidden, weights) in hidden.iter().zip(&self.outputs[output]) {
            for (hidden, weights) in hidden.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
                for lane in 0..LANES {
                    let clipped = hidden[lane].clamp(0.0, 1.0);
                    sums[lane] += clipped * clipped * weights[lane];
                }
            }
        }
        sums.iter().sum::<f32>() + self.output_biases[output]
    }
}

/// Partial sums of an output.
const LANES: usize = 16;

#[inline]
fn add(to: &mut Hidden, what: &Hidden) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += what);
}

#[cfg(test)]
mod tests {
    use kingchess::rules::Position;
    use kingchess::types::Score;

    use super::*;
    use crate::data::Sample;

    /// The slopes are what the error does when a weight is changed a little.
    #[test]
    fn slopes_are_differences() {
        let sample = Sample::new(&Position::chess_start(), Score::cp(300), 0);
        let input = Input::new(&sample, 1.0).expect("a position");
        let model = Model::random(3);
        let mut slopes = vec![0.0; VALUES];
        model.learn(&input, &mut slopes);
        let step = 2e-3;
        let error_with = |index: usize, by: f32| {
            let mut changed = model.clone();
            changed.values[index] += by;
            let error = sigmoid(changed.output(&input)) - input.target;
            error * error
        };
        let feature = usize::from(input.features[0][5]);
        let mut seen = 0;
        let hidden = (0..HIDDEN).map(|index| feature * HIDDEN + index);
        let outputs = (0..2 * HIDDEN).map(|index| OUTPUT + input.output * 2 * HIDDEN + index);
        for index in hidden.chain(outputs).chain([OUTPUT_BIAS + input.output]) {
            let difference = (error_with(index, step) - error_with(index, -step)) / (2.0 * step);
            assert!((difference - slopes[index]).abs() < 1e-3, "{index}: {difference} {}", slopes[index]);
            seen += usize::from(slopes[index].abs() > 2e-3);
        }
        assert!(seen > 10, "only {seen} slopes that matter");
        assert!(slopes.iter().filter(|&&slope| slope != 0.0).count() < VALUES / 4);
    }
}
