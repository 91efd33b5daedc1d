//! Which part of the network's value foretells results best.

use kingchess::eval::chances;
use kingchess::rules::Position;
use kingchess::types::Score;

/// Parts are compared in steps of one in so many.
const WHOLE: usize = 1600;
/// The largest part that is tried.
const MOST: usize = WHOLE * 3 / 2;
/// Only so many are tried at first, then those around the best; the error has one valley.
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

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// The part that makes the squared error of the expected results least, in so many parts of a whole, at most one and
    /// a half wholes; `None` of fewer than so many positions.
    pub fn best(&self, of: usize, fewest: usize) -> Option<usize> {
        if self.seen.len() < fewest.max(1) {
            return None;
        }
        let near = self.least((0..=MOST).step_by(STRIDE))?;
        let best = self.least((near.saturating_sub(STRIDE)..=(near + STRIDE).min(MOST)).step_by(5))?;
        Some((best * of + WHOLE / 2) / WHOLE)
    }

    /// The one of these parts that makes the error least.
    fn least(&self, parts: impl Iterator<Item = usize>) -> Option<usize> {
        let errors = parts.map(|part| (self.error(part), part));
        Some(errors.min_by(|left, right| left.0.total_cmp(&right.0))?.1)
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
        let found = |of: usize| scale.best(of, 1).expect("a part");
        assert!((31..=33).contains(&found(64)) && (48..=52).contains(&found(100)), "{}", found(100));
    }

    #[test]
    fn too_few_positions_say_nothing_and_no_part_is_too_large() {
        let position = Position::chess_start();
        let mut scale = Scale::default();
        assert_eq!(scale.best(64, 0), None);
        scale.add(&position, 10, 1);
        assert_eq!(scale.best(64, 2), None);
        assert_eq!(scale.best(64, 1), Some(96));
    }
}
