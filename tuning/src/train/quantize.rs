//! From fractions to the integers of a network, and back.

use kingchess::eval::network::{Network, NetworkError, QA, QB, QC, ValueKind, evaluate_fresh, value_kinds};
use rayon::prelude::*;
use serde::Serialize;

use super::model::Model;
use super::samples::Input;
use super::{SCALE, sigmoid};
use crate::data::Sample;

/// What one is as an integer.
fn unit(kind: ValueKind) -> f32 {
    match kind {
        ValueKind::Hidden => QA.into(),
        ValueKind::Output => QB.into(),
        ValueKind::OutputBias => QC.into(),
    }
}

/// The unit of each value in the order of the file.
fn units() -> impl Iterator<Item = f32> {
    value_kinds().into_iter().flat_map(|(kind, count)| std::iter::repeat_n(unit(kind), count))
}

impl Model {
    /// The weights of a network as fractions.
    pub fn from_network(network: &Network) -> Self {
        let values = network.values().into_iter().zip(units()).map(|(value, unit)| f32::from(value) / unit);
        Self { values: values.collect() }
    }

    /// The nearest network of integers.
    ///
    /// # Errors
    /// If a weight is out of range; the optimiser lets none be.
    pub fn quantize(&self) -> Result<Network, NetworkError> {
        let values = self.values.iter().zip(units()).map(|(value, unit)| (value * unit).round() as i16);
        Network::from_values(&values.collect::<Vec<_>>())
    }
}

/// How much is lost by integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Loss {
    /// The mean squared error of the integers.
    pub validation: f64,
    /// The mean distance to the value of the fractions, in centipawns.
    pub mean: f64,
    /// The largest distance.
    pub most: f64,
}

impl Loss {
    /// Measures it on samples.
    pub fn measure(model: &Model, network: &Network, samples: &[Sample], lambda: f32) -> Self {
        let measured: Vec<[f64; 3]> = samples
            .par_chunks(1024)
            .map(|chunk| {
                chunk
                    .iter()
                    .filter_map(|sample| measure_one(model, network, sample, lambda))
                    .fold([0.0; 3], |[error, mean, most]: [f64; 3], one| {
                        [error + one[0], mean + one[1], most.max(one[1])]
                    })
            })
            .collect();
        let count = samples.len().max(1) as f64;
        let [error, mean, most] = measured
            .into_iter()
            .fold([0.0; 3], |all: [f64; 3], part| [all[0] + part[0], all[1] + part[1], all[2].max(part[2])]);
        Self { validation: error / count, mean: mean / count, most }
    }
}

/// The squared error of the integers on a sample, and their distance from the fractions.
fn measure_one(model: &Model, network: &Network, sample: &Sample, lambda: f32) -> Option<[f64; 2]> {
    let input = Input::new(sample, lambda)?;
    let value = evaluate_fresh(network, &sample.position()?) as f32;
    let error = sigmoid(value / SCALE) - input.target;
    let distance = value - model.output(&input) * SCALE;
    Some([f64::from(error * error), f64::from(distance.abs())])
}
