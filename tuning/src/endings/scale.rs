//! Which part of the network's value foretells results best.

use kingchess::eval::chances;
use kingchess::rules::Position;
use kingchess::types::Score;

/// Parts that are compared: every 64th and hundredth up to one and a half.
const STEPS: usize = 2400;
/// So many of them are a whole.
const WHOLE: usize = 1600;
/// Only so many are tried at first; the error has one valley.
const STRIDE: usize = 50;

/// Values with the results of their games.
#[derive(Default)]
pub struct Scale {
    seen: Vec<(Position, i32, i32)>,
}

impl Scale {
    /// A position, its value by the network, and the result of its game (1, 0, -1), both for the side to act.
    pub fn add(&mut self, position: &Position, value: i32, result: i32) {
        self.seen.push((*position, value, result));
    }

    /// The part that makes the squared error of the expected results least, in so many parts of a whole.
    pub fn best(&self, of: usize) -> usize {
        let coarse = (0..=STEPS).step_by(STRIDE);
        let errors = coarse.map(|part| (self.error(part), part));
        let (_, near) = errors.min_by(|left, right| left.0.total_cmp(&right.0)).unwrap_or((0.0, WHOLE));
        let fine = near.saturating_sub(STRIDE)..=near + STRIDE;
        let errors = fine.step_by(STRIDE / 5).map(|part| (self.error(part), part));
        let (_, best) = errors.min_by(|left, right| left.0.total_cmp(&right.0)).unwrap_or((0.0, WHOLE));
        (best * of + WHOLE / 2) / WHOLE
    }

    fn error(&self, part: usize) -> f64 {
        let error = |&(position, value, result): &(Position, i32, i32)| {
            let most = i64::from(Score::MAX_EVAL.get());
            let value = (i64::from(value) * part as i64 / WHOLE as i64).clamp(-most, most);
            let [won, _, lost] = chances(Score::cp(value as i32), &position).map(f64::from);
            ((won - lost) / 1000.0 - f64::from(result)).powi(2)
        };
        self.seen.iter().map(error).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_foretells_is_found() {
        let position = Position::chess_start();
        let mut scale = Scale::default();
        for value in (-600..=600).step_by(20) {
            // As many of each result as half the value is worth.
            let [won, drawn, lost] = chances(Score::cp(value / 2), &position);
            for (count, result) in [(won, 1), (drawn, 0), (lost, -1)] {
                (0..count / 10).for_each(|_| scale.add(&position, value, result));
            }
        }
        assert!((31..=33).contains(&scale.best(64)), "{}", scale.best(64));
        assert!((48..=52).contains(&scale.best(100)), "{}", scale.best(100));
    }

    #[test]
    fn nothing_seen_is_something() {
        assert!(Scale::default().best(64) <= 96);
    }
}
