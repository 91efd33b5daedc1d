//! What an action is worth, in chances to win.

use crate::types::Score;

/// The score that a side can expect: 1 is a sure win, 0.5 a draw, 0 a sure loss.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Chance(f64);

impl Chance {
    /// The chance of the side to act when the search says this: that to win, and half of that to draw. The same in every
    /// phase of the game, so that what an action loses depends on its value alone.
    pub(super) fn of(score: Score) -> Self {
        /// The value at which a win is as likely as not, and the spread of the curve around it, in centipawns.
        const EVEN: f64 = 170.0;
        const SPREAD: f64 = 240.0;
        let value = f64::from(score.get());
        let win = |value: f64| 1.0 / (1.0 + ((EVEN - value) / SPREAD).exp());
        Self(0.5 + (win(value) - win(-value)) / 2.0)
    }

    /// That of the other side.
    pub(super) fn other(self) -> Self {
        Self(1.0 - self.0)
    }

    /// In percent.
    pub(super) fn percent(self) -> f64 {
        self.0 * 100.0
    }

    /// How much is lost from this chance to that, in percent; a gain is negative.
    pub(super) fn loss_to(self, after: Self) -> f64 {
        self.percent() - after.percent()
    }
}

/// A judgement on an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// `??`
    Blunder,
    /// `?`
    Mistake,
    /// `?!`
    Inaccuracy,
    /// `!?`: better than the search thought before it was played.
    Interesting,
}

impl Judgement {
    /// In the order of a summary.
    pub(super) const ALL: [Self; 4] = [Self::Inaccuracy, Self::Mistake, Self::Blunder, Self::Interesting];

    /// Judges an action that loses this much of the chance, in percent.
    pub(super) fn of(loss: f64) -> Option<Self> {
        match loss {
            30.0.. => Some(Self::Blunder),
            20.0.. => Some(Self::Mistake),
            10.0.. => Some(Self::Inaccuracy),
            ..=-5.0 => Some(Self::Interesting),
            _ => None,
        }
    }

    /// The numeric annotation glyph.
    pub(super) const fn nag(self) -> u8 {
        match self {
            Self::Mistake => 2,
            Self::Blunder => 4,
            Self::Interesting => 5,
            Self::Inaccuracy => 6,
        }
    }
}

/// How good an action is that loses this much of the chance, in percent: 100 if it loses nothing. The curve of
/// lichess.org (its page on accuracy, 2022), which was fitted to how much chances of players drop.
pub(super) fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss.max(0.0)).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_follow_the_score() {
        assert_eq!(Chance::of(Score::DRAW).percent(), 50.0);
        assert_eq!(Chance::of(Score::mate_in(3)).percent(), 100.0);
        assert_eq!(Chance::of(Score::mated_in(2)).percent(), 0.0);
        assert!(Chance::of(Score::cp(100)) > Chance::of(Score::cp(50)));
        let plus = Chance::of(Score::cp(70));
        assert!((plus.other().percent() - Chance::of(Score::cp(-70)).percent()).abs() < 0.2);
    }

    #[test]
    fn judgements_follow_the_loss() {
        for (loss, judgement) in [
            (30.0, Some(Judgement::Blunder)),
            (29.9, Some(Judgement::Mistake)),
            (20.0, Some(Judgement::Mistake)),
            (10.0, Some(Judgement::Inaccuracy)),
            (9.9, None),
            (0.0, None),
            (-4.9, None),
            (-5.0, Some(Judgement::Interesting)),
        ] {
            assert_eq!(Judgement::of(loss), judgement, "{loss}");
        }
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert!((accuracy(0.0) - 100.0).abs() < 0.001 && accuracy(-3.0) == accuracy(0.0));
        assert!(accuracy(10.0) > accuracy(20.0) && accuracy(100.0) < 1.0);
    }
}
