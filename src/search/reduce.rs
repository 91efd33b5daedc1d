//! Step 14 of a node: late actions are searched less deep. The order of a node's actions says that they are unlikely to be
//! the best, and if one surprises it is searched again.

use once_cell::sync::Lazy;

use super::parameters::{
    reduction_base, reduction_check, reduction_cut, reduction_divisor, reduction_history, reduction_losing,
    reduction_noisy_hash, reduction_pv, reduction_worse,
};

/// Reductions by depth and number of the action: the product of their logarithms.
static REDUCTIONS: Lazy<[[i16; 64]; 64]> = Lazy::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| {
            let product = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            (f64::from(reduction_base()) + product * 10_000.0 / f64::from(reduction_divisor())) as i16
        })
    })
});

/// How much less deep the action of this number is searched, in hundredths of a ply.
#[inline]
pub fn reduction(depth: i32, number: usize) -> i32 {
    i32::from(REDUCTIONS[depth.clamp(0, 63) as usize][number.min(63)])
}

/// What a reduction depends on besides depth and number.
pub(super) struct Late {
    /// The node is on the principal variation.
    pub pv: bool,
    /// It is expected to be cut off.
    pub cut: bool,
    /// The evaluation is better than two plies before.
    pub improving: bool,
    /// The hash action is a capture or promotion.
    pub noisy_hash: bool,
    /// How many of these hold: the action gives check, it parries one.
    pub checks: i32,
    /// What is known of a quiet action; `None` for a capture that loses material.
    pub history: Option<i32>,
}

impl Late {
    /// How many plies less deep an action is searched. Below zero: deeper.
    pub fn reduction(&self, depth: i32, number: usize) -> i32 {
        let when = |condition: bool, hundredths: i32| if condition { hundredths } else { 0 };
        let hundredths = reduction(depth, number) - when(self.pv, reduction_pv())
            + when(self.cut, reduction_cut())
            + when(!self.improving, reduction_worse())
            + when(self.noisy_hash, reduction_noisy_hash())
            - self.checks * reduction_check();
        match self.history {
            Some(history) => (hundredths - history * 100 / reduction_history()) / 100,
            None => hundredths * reduction_losing() / 10_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_deeper_and_worse_actions_are_reduced_more() {
        let plain =
            Late { pv: false, cut: false, improving: true, noisy_hash: false, checks: 0, history: Some(0) };
        assert!(plain.reduction(12, 30) > plain.reduction(12, 4));
        assert!(plain.reduction(12, 30) > plain.reduction(4, 30));
        let better = Late { history: Some(2 * reduction_history()), ..plain };
        assert_eq!(better.reduction(12, 30), plain.reduction(12, 30) - 2);
        // Half a ply may vanish in one reduction, not in many.
        let all = |late: &Late| (4..40).map(|number| late.reduction(12, number)).sum::<i32>();
        assert!(all(&Late { pv: true, checks: 1, ..plain }) < all(&plain));
        assert!(all(&Late { cut: true, improving: false, ..plain }) > all(&plain));
        assert!(Late { history: None, ..plain }.reduction(12, 30) >= 0);
    }
}
