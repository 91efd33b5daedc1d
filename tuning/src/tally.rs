//! What a match has given so far.

use std::fmt;

use kingchess::types::Color;

use super::budget::Times;
use super::result::Counts;
use super::statistics::{Pairs, Sprt};

/// The results of a match, seen from the first engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Finished pairs of games.
    pub pairs: Pairs,
    /// Games with the first engine as White, as Black.
    pub by_color: [Counts; 2],
    /// Games lost by a fault of the first engine, of the second.
    pub faults: [usize; 2],
    /// Actions of all games, openings included.
    pub actions: usize,
    /// What the actions of the first engine took, of the second.
    pub times: [Times; 2],
    /// The test that decides when to stop, if there is one.
    pub sprt: Option<Sprt>,
}

/// What counts of a game.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// Which colour the first engine had.
    pub first: Color,
    /// What it made: 0, 1 or 2.
    pub half_points: usize,
    /// The loser has lost by a fault.
    pub fault: bool,
    /// Actions, the opening included.
    pub actions: usize,
    /// What White's and Black's actions took.
    pub times: [Times; 2],
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: &Counted) {
        self.by_color[game.first as usize].add(game.half_points);
        if game.fault {
            self.faults[usize::from(game.half_points != 0)] += 1;
        }
        self.actions += game.actions;
        self.times[0].merge(game.times[game.first as usize]);
        self.times[1].merge(game.times[!game.first as usize]);
    }

    /// Games of both colours.
    pub fn counts(&self) -> Counts {
        self.by_color[0].plus(&self.by_color[1])
    }

    /// Has the test decided?
    pub fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.decision(&self.pairs).is_some())
    }

    /// The result in one line.
    pub fn line(&self) -> String {
        let counts = self.counts();
        let mut text = format!(
            "{} games: {counts}, {}, pairs {:?}",
            counts.games(),
            self.pairs.estimate(),
            self.pairs.0
        );
        if let Some(sprt) = self.sprt {
            text.push_str(&format!(", {}", sprt.describe(&self.pairs)));
        }
        if self.faults != [0, 0] {
            text.push_str(&format!(", faults {} and {}", self.faults[0], self.faults[1]));
        }
        text
    }
}

impl fmt::Display for Tally {
    /// The result, by colour, with the mean length and the mean times.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = self.by_color;
        let games = self.counts().games().max(1);
        let [first, second] = self.times.map(|times| times.mean().as_secs_f64() * 1e3);
        writeln!(f, "{}", self.line())?;
        writeln!(f, "first as White {white}, as Black {black}")?;
        writeln!(f, "mean length {:.1} actions", self.actions as f64 / games as f64)?;
        write!(f, "mean time per action: first {first:.2} ms, second {second:.2} ms")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn games_are_counted_for_the_first_engine() {
        let mut tally = Tally::default();
        let times = |ms| Times { total: Duration::from_millis(ms), actions: 10 };
        let white = Counted {
            first: Color::White,
            half_points: 2,
            fault: true,
            actions: 20,
            times: [times(10), times(30)],
        };
        let black = Counted { first: Color::Black, half_points: 0, actions: 40, ..white };
        tally.add(&white);
        tally.add(&black);
        tally.pairs.add(2);
        assert_eq!(tally.faults, [1, 1]);
        assert_eq!(tally.by_color[0].to_string(), "+1 =0 -0");
        assert_eq!(tally.by_color[1].to_string(), "+0 =0 -1");
        assert_eq!(tally.times, [times(40), times(40)].map(|t| Times { actions: 20, ..t }));
        let text = tally.to_string();
        assert!(text.starts_with("2 games: +1 =0 -1, Elo +0.0"), "{text}");
        assert!(text.contains("mean length 30.0 actions\n"), "{text}");
    }
}
