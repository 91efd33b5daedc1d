//! Mean and spread of whole numbers, summed exactly, so that the order does not matter.

use std::fmt;

/// How many values there were, with their sum and the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum: i64,
    squares: i64,
}

impl Moments {
    /// Adds a value.
    pub fn add(&mut self, value: i32) {
        let value = i64::from(value);
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// Adds what others have counted.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// How many values there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// Their standard deviation; 0 of none.
    pub fn spread(&self) -> f64 {
        (self.squares as f64 / self.count.max(1) as f64 - self.mean().powi(2)).max(0.0).sqrt()
    }
}

impl fmt::Display for Moments {
    /// Like `+310 ±42`; `-` of none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return f.write_str("-");
        }
        write!(f, "{:+.0} ±{:.0}", self.mean(), self.spread())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_spread_are_those_of_all() {
        let (mut left, mut right) = (Moments::default(), Moments::default());
        [300, 310].iter().for_each(|&value| left.add(value));
        [-10, 0].iter().for_each(|&value| right.add(value));
        left.merge(&right);
        assert_eq!(left.to_string(), "+150 ±155");
        assert_eq!((left.count(), Moments::default().to_string()), (4, "-".to_owned()));
    }
}
