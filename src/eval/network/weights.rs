//! The weights of a network, and the weighted sum that gives the value.

use super::features::{Feature, OUTPUTS};
use super::kernel;
use crate::types::Color;

/// Hidden values of each side; a multiple of 32, the width of the largest registers.
pub const HIDDEN: usize = 256;
/// A hidden value of one, as an integer.
pub const QA: i16 = 255;
/// An output weight of one, as an integer. Rounding the few weights of the outputs costs more than rounding all others.
pub const QB: i16 = 256;
/// An output bias of one, as an integer.
pub const QC: i16 = 16_256;
/// What the network's output of one is in centipawns.
pub const SCALE: i32 = 400;
/// The largest output weight.
pub const MAX_OUTPUT_WEIGHT: i16 = 2 * QB - 1;

const _: () = {
    assert!(HIDDEN.is_multiple_of(32));
    assert!(ACTIVATED <= i16::MAX as i32);
    assert!(ACTIVATED * QB as i32 % QC as i32 == 0);
};

/// A hidden value of one, clipped, squared and halved: then it fits 16 bits.
const ACTIVATED: i32 = QA as i32 * QA as i32 / 2;

/// The most that the sizes of all weights of an output may sum up to: then the weighted sum fits 32 bits.
pub const MAX_OUTPUT_SUM: i64 = i32::MAX as i64 / ACTIVATED as i64;

/// One number for each hidden value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Lanes(pub [i16; HIDDEN]);

/// The weights from the hidden values of both sides to one output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Output {
    /// For the hidden values of the side to act, then of the other.
    pub weights: [Lanes; 2],
    /// In units of one in [`QC`].
    pub bias: i16,
}

/// A network with integer weights.
///
/// ```text
///  inputs of the side to act ---> HIDDEN values --.
///                                                  >-- clipped, squared ---> output chosen by the pieces left, in hand too
///  inputs of the other side ----> HIDDEN values --'
/// ```
///
/// Both sides use the same weights from inputs to hidden values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// What each input adds to the hidden values.
    pub(super) columns: Box<[Lanes]>,
    /// The hidden values of nothing.
    pub(super) bias: Lanes,
    pub(super) outputs: [Output; OUTPUTS],
}

impl Network {
    /// What an input adds to the hidden values.
    #[inline]
    pub(super) fn column(&self, feature: Feature) -> &Lanes {
        &self.columns[usize::from(feature)]
    }

    /// The value in centipawns for a side, from the hidden values of both.
    #[inline]
    pub(super) fn value(&self, hidden: &[Lanes; 2], side: Color, output: usize) -> i32 {
        let Output { weights, bias } = &self.outputs[output];
        let sum = kernel::activated_sum([&hidden[side as usize], &hidden[!side as usize]], weights);
        centipawns(sum, *bias)
    }

    /// The value in centipawns for a side, from the hidden values of both, when each has gained an input and lost one.
    #[inline]
    pub(super) fn changed_value(
        &self,
        hidden: &[Lanes; 2],
        changes: [(Feature, Feature); 2],
        side: Color,
        output: usize,
    ) -> i32 {
        let Output { weights, bias } = &self.outputs[output];
        let both = [side, !side].map(|side| {
            let (gained, lost) = changes[side as usize];
            (&hidden[side as usize], self.column(gained), self.column(lost))
        });
        centipawns(kernel::changed_sum(both, weights), *bias)
    }
}

/// The value that a sum of weighted activations and a bias mean.
#[inline]
fn centipawns(sum: i32, bias: i16) -> i32 {
    const ONE: i64 = ACTIVATED as i64 * QB as i64;
    let value = (i64::from(sum) + i64::from(bias) * (ONE / i64::from(QC))) * i64::from(SCALE) / ONE;
    value as i32
}
