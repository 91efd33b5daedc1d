use super::assess::Verdict;
use super::judge::{Judgement, accuracy};
use crate::notation::records::GameRecord;
use crate::types::{Color, excerpt};

/// What one side has done.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    actions: usize,
    /// The sum of the accuracies of its actions, each 0 to 100.
    accuracy: f64,
    /// How many of each judgement, in the order of [`Judgement::ALL`].
    judgements: [usize; Judgement::ALL.len()],
}

/// What both sides have done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Summary {
    white: Side,
    black: Side,
}

impl Summary {
    /// What stands above the rows.
    pub(super) const HEADING: &str = "game  side   actions  accuracy   ?!    ?   ??   !?  player";

    /// The summary of a game.
    pub(super) fn of(verdicts: &[Verdict]) -> Self {
        let mut summary = Self::default();
        for verdict in verdicts {
            let side = if verdict.side == Color::White { &mut summary.white } else { &mut summary.black };
            side.actions += 1;
            side.accuracy += accuracy(verdict.loss);
            for (count, judgement) in side.judgements.iter_mut().zip(Judgement::ALL) {
                *count += usize::from(verdict.judgement == Some(judgement));
            }
        }
        summary
    }

    fn side(&self, color: Color) -> &Side {
        if color == Color::White { &self.white } else { &self.black }
    }

    /// The mean accuracy of a side's actions, 0 to 100; `None` if it has not acted.
    pub(super) fn accuracy(&self, color: Color) -> Option<f64> {
        let Side { actions, accuracy, .. } = *self.side(color);
        (actions > 0).then(|| accuracy / actions as f64)
    }

    /// A row about one side.
    pub(super) fn row(&self, game: usize, color: Color, record: &GameRecord) -> String {
        let (name, tag) = if color == Color::White { ("White", "White") } else { ("Black", "Black") };
        let accuracy =
            self.accuracy(color).map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1}%"));
        let [inaccuracies, mistakes, blunders, interesting] = self.side(color).judgements;
        let row = format!(
            "{game:>4}  {name} {:>9} {accuracy:>9} {inaccuracies:>4} {mistakes:>4} {blunders:>4} {interesting:>4}  {}",
            self.side(color).actions,
            excerpt(record.tags.get(tag).unwrap_or_default())
        );
        row.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::records::Variant;
    use crate::rules::Position;
    use crate::types::Score;

    #[test]
    fn sides_are_counted_apart() {
        let verdict = |side, loss| Verdict {
            side,
            value: Score::DRAW,
            mates: false,
            loss,
            judgement: Judgement::of(loss),
            better: Vec::new(),
        };
        let summary = Summary::of(&[
            verdict(Color::White, 0.0),
            verdict(Color::Black, 25.0),
            verdict(Color::White, 12.0),
            verdict(Color::White, 40.0),
        ]);
        let record = GameRecord::new(Variant::Kingchess, Position::start());
        let row = |color| summary.row(3, color, &record);
        let words = |row: String| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let white = words(row(Color::White));
        assert_eq!([&white[0], &white[1], &white[2]], ["3", "White", "3"]);
        assert_eq!(white[4..], ["1", "0", "1", "0"]);
        assert_eq!(words(row(Color::Black))[4..], ["0", "1", "0", "0"]);
        assert!(summary.accuracy(Color::White) > summary.accuracy(Color::Black));
        assert_eq!(Summary::default().accuracy(Color::White), None);
    }
}
