//! Where the king belongs: the first action of each side, if it drops nothing else.

use std::fmt::Write;

use kingchess::eval::Evaluator;
use kingchess::rules::Position;
use kingchess::types::{Action, Color, Drop, DropSet, Kind, Square};

use super::moments::Moments;

/// How many of the best squares are named.
const BEST: usize = 6;

/// What the king is worth on each square of its half.
struct Squares([Moments; 64]);

impl Squares {
    /// Of White's first action.
    fn white(evaluator: &mut Evaluator) -> Self {
        let mut squares = Self([Moments::default(); 64]);
        squares.add(&Position::start(), evaluator);
        squares
    }

    /// Of Black's answer, over all first actions in which White has dropped only the king.
    fn black(evaluator: &mut Evaluator) -> Self {
        let mut squares = Self([Moments::default(); 64]);
        for (_, after) in king_drops(&Position::start()) {
            squares.add(&after, evaluator);
        }
        squares
    }

    /// Adds each square's difference from the mean of all, so that only the squares count.
    fn add(&mut self, position: &Position, evaluator: &mut Evaluator) {
        let values: Vec<(Square, i32)> = king_drops(position)
            .map(|(square, after)| (square, -evaluator.evaluate(&after, 0).get()))
            .collect();
        let mean = values.iter().map(|(_, value)| value).sum::<i32>() / values.len().max(1) as i32;
        for (square, value) in values {
            self.0[square.index()].add(value - mean);
        }
    }

    /// The ranks of a side's half, the upper first, and the best squares.
    fn print(&self, side: Color) -> String {
        let mut text = String::new();
        for rank in (0..8).rev().filter(|&rank| side.half().has(Square::at(0, rank))) {
            let _ = write!(text, "{}", rank + 1);
            for file in 0..8 {
                let moments = &self.0[Square::at(file, rank).index()];
                let _ = write!(text, " {:>+6.0}", moments.mean());
            }
            text.push('\n');
        }
        text.push_str("       a      b      c      d      e      f      g      h\nbest:");
        let mut ranking: Vec<Square> = side.half().into_iter().collect();
        ranking.sort_by(|a, b| self.0[b.index()].mean().total_cmp(&self.0[a.index()].mean()));
        for square in ranking.iter().take(BEST) {
            let _ = write!(text, " {square} {:+.0}", self.0[square.index()].mean());
        }
        text.push('\n');
        text
    }
}

/// The legal drops of the king alone, each with the position after it.
fn king_drops(position: &Position) -> impl Iterator<Item = (Square, Position)> {
    position.side().half().into_iter().filter_map(move |square| {
        let action = Action::Drops(DropSet::one(Drop { kind: Kind::King, square }));
        position.is_legal(action).then(|| (square, position.after(action)))
    })
}

/// A board for each side.
pub fn report(evaluator: &mut Evaluator) -> String {
    let (white, black) = (Squares::white(evaluator), Squares::black(evaluator));
    format!(
        "Where the king belongs: dropped alone in the first action, against the mean of all squares\n{}\n\
         The same in Black's answer, mean over all squares of the white king\n{}",
        white.print(Color::White),
        black.print(Color::Black)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_squares_of_a_half_are_compared() {
        let mut evaluator = Evaluator::new(&kingchess::eval::built_in());
        let (white, black) = (Squares::white(&mut evaluator), Squares::black(&mut evaluator));
        for (squares, side, least) in [(white, Color::White, 1), (black, Color::Black, 28)] {
            let counted = |square: &Square| squares.0[square.index()].count() >= least;
            assert_eq!((0..64).map(Square::new).filter(counted).count(), 32);
            let half: Moments = side.half().into_iter().fold(Moments::default(), |mut sum, square| {
                sum.merge(&squares.0[square.index()]);
                sum
            });
            assert!(half.mean().abs() < 1.0, "{side:?}: {half}");
            let text = squares.print(side);
            assert_eq!(text.lines().count(), 6, "{text}");
        }
    }
}
