//! Looks at every position of a game, and says what each action was worth.

use std::io;

use indicatif::ProgressBar;

use super::judge::{Chance, Judgement};
use crate::cli::thinking::{Event, Task, think};
use crate::notation::records::GameRecord;
use crate::rules::{Game, Outcome, Position};
use crate::search::{Bound, Control, Limits, Searcher};
use crate::types::{Action, Color, Score};

/// By how much a line must be better than what was played to be named, in percent of the chance.
const WORTH_NAMING: f64 = 2.0;

/// A line the search has found, and its value for the side to act.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub score: Score,
    pub actions: Vec<Action>,
}

/// What the search thinks of a position.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// The side to act.
    pub side: Color,
    /// The value for it.
    pub score: Score,
    /// The best lines, best first; none where the game has ended.
    pub lines: Vec<Line>,
}

impl Sight {
    /// The chance of White.
    pub(super) fn white(&self) -> Chance {
        let chance = Chance::of(self.score);
        if self.side == Color::White { chance } else { chance.other() }
    }

    fn best(&self) -> Option<Action> {
        self.lines.first().and_then(|line| line.actions.first().copied())
    }
}

/// What an action was worth.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// Who acted.
    pub side: Color,
    /// The value of the position after the action, for White.
    pub value: Score,
    /// Is the game over after it by mate? Then there is no value to speak of.
    pub mates: bool,
    /// What was lost of the chance, in percent; a gain is negative.
    pub loss: f64,
    /// The judgement, if it deserves one.
    pub judgement: Option<Judgement>,
    /// Lines that are clearly better, best first; values for the side that acted.
    pub better: Vec<Line>,
}

/// Searches every position of a game, the last one first: what is found in later ones helps in those before.
///
/// # Errors
/// If there is no memory for a thread.
pub(super) fn look(
    searcher: &mut Searcher,
    record: &GameRecord,
    limits: &Limits,
    bar: &ProgressBar,
) -> io::Result<Vec<Sight>> {
    let mut game = record.game();
    let mut sights = vec![match game.outcome() {
        Some(outcome) => ended(outcome, game.position()),
        None => search(searcher, &game, limits, bar)?,
    }];
    bar.inc(1);
    while game.undo() {
        sights.push(search(searcher, &game, limits, bar)?);
        bar.inc(1);
    }
    sights.reverse();
    Ok(sights)
}

fn ended(outcome: Outcome, position: &Position) -> Sight {
    let score = if outcome == Outcome::Checkmate { Score::mated_in(0) } else { Score::DRAW };
    Sight { side: position.side(), score, lines: Vec::new() }
}

fn search(searcher: &mut Searcher, game: &Game, limits: &Limits, bar: &ProgressBar) -> io::Result<Sight> {
    let mut lines: Vec<Line> = Vec::new();
    let control = Control::default();
    let task = Task { game, limits, strength: None, control: &control };
    let result = think(searcher, &task, &mut |event| {
        bar.tick();
        if let Event::Report(report) = event
            && report.bound == Bound::Exact
            && !report.pv.is_empty()
        {
            lines.resize(lines.len().max(report.multipv), Line::default());
            if let Some(line) = lines.get_mut(report.multipv - 1) {
                *line = Line { score: report.score, actions: report.pv.clone() };
            }
        }
        Ok(())
    })?;
    lines.retain(|line| !line.actions.is_empty());
    Ok(Sight { side: game.position().side(), score: result.score, lines })
}

/// Says what each action of a game was worth, from what the search thinks of the positions before and after it.
pub(super) fn assess(record: &GameRecord, sights: &[Sight]) -> Vec<Verdict> {
    let mut position = *record.start();
    let mut verdicts = Vec::with_capacity(record.entries().len());
    for (played, pair) in record.actions().zip(sights.windows(2)) {
        let [before, after] = pair else { break };
        verdicts.push(verdict(played, &position, before, after));
        position.play(played);
    }
    verdicts
}

fn verdict(played: Action, position: &Position, before: &Sight, after: &Sight) -> Verdict {
    let side = position.side();
    let reached = Chance::of(after.score).other();
    let forced = before.best() == Some(played) || position.count_actions() == 1;
    let loss = if forced { 0.0 } else { Chance::of(before.score).loss_to(reached) };
    let better = |line: &&Line| {
        line.actions.first() != Some(&played) && Chance::of(line.score).loss_to(reached) >= WORTH_NAMING
    };
    Verdict {
        side,
        value: if after.side == Color::White { after.score } else { -after.score },
        mates: after.lines.is_empty() && after.score.is_loss(),
        loss,
        judgement: Judgement::of(loss),
        better: if forced { Vec::new() } else { before.lines.iter().filter(better).cloned().collect() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_written;
    use crate::notation::records::Variant;

    /// A game of these actions, and what the search is to think of its positions.
    fn case(texts: &[&str], scores: &[i32], best: &[&str]) -> Vec<Verdict> {
        let mut record = GameRecord::new(Variant::Kingchess, Position::start());
        let mut sights = Vec::new();
        for (index, &score) in scores.iter().enumerate() {
            let position = *record.last();
            let line = |text: &&str| {
                let action =
                    read_written(text, &position).unwrap_or_else(|error| panic!("{text}: {error}")).action();
                Line { score: Score::cp(score), actions: vec![action] }
            };
            let lines = best.get(index).iter().copied().map(line).collect();
            sights.push(Sight { side: position.side(), score: Score::cp(score), lines });
            if let Some(text) = texts.get(index) {
                record.push(read_written(text, record.last()).expect(text)).expect(text);
            }
        }
        assess(&record, &sights)
    }

    #[test]
    fn a_blunder_names_what_was_better() {
        let verdicts = case(&["Ke1", "Ke8"], &[50, 600, -600], &["Kg1", "Ke8"]);
        let [white, black] = verdicts.as_slice() else { panic!("{verdicts:?}") };
        assert_eq!((white.side, white.judgement), (Color::White, Some(Judgement::Blunder)));
        assert_eq!((white.value, white.better.len()), (Score::cp(-600), 1));
        assert!(white.loss > 40.0);
        // The best action loses nothing, whatever is found later.
        assert_eq!((black.judgement, black.loss, black.better.len()), (None, 0.0, 0));
        assert_eq!(black.value, Score::cp(-600));
    }

    #[test]
    fn what_turns_out_better_is_interesting() {
        let verdicts = case(&["Ke1", "Ke8"], &[0, -200, 200], &["Kg1", "Kg8"]);
        assert_eq!(verdicts[0].judgement, Some(Judgement::Interesting));
        assert!(verdicts[0].better.is_empty());
    }
}
