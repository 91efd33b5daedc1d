use super::command::{Level, Seat};
use crate::notation::Written;
use crate::notation::records::{GameRecord, GameResult, Variant};
use crate::rules::{Game, Position};
use crate::types::Color;

/// One game between a person and the engine.
pub(super) struct Sitting {
    /// The sides the person takes.
    pub seat: Seat,
    start: Position,
    game: Game,
    actions: Vec<Written>,
    /// The side that has given up.
    resigned: Option<Color>,
}

impl Sitting {
    /// A game from this position.
    pub(super) fn new(start: Position, seat: Seat) -> Self {
        Self { seat, start, game: Game::new(start), actions: Vec::new(), resigned: None }
    }

    /// The same sides, from the same position.
    pub(super) fn again(&self) -> Self {
        Self::new(self.start, self.seat)
    }

    /// The game, with what led to its position.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The position now.
    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    /// The last action, if there is one.
    pub(super) fn last(&self) -> Option<Written> {
        self.actions.last().copied()
    }

    /// Plays a legal action.
    pub(super) fn play(&mut self, written: Written) {
        self.actions.push(written);
        self.game.play(written.action());
    }

    /// The side to act gives up.
    pub(super) fn resign(&mut self) {
        let side = self.position().side();
        self.resigned = Some(match self.seat {
            Seat::White => Color::White,
            Seat::Black => Color::Black,
            Seat::Both => side,
        });
    }

    /// Takes back the person's last action and what came after it; false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let mut side = self.position().side();
        let own = (0..self.actions.len()).rev().find(|_| {
            side = !side;
            self.seat.has(side)
        });
        let Some(own) = own else { return false };
        self.resigned = None;
        while self.actions.len() > own {
            self.actions.pop();
            self.game.undo();
        }
        true
    }

    /// Is it the engine's turn?
    pub(super) fn awaits_engine(&self) -> bool {
        !self.is_over() && !self.seat.has(self.position().side())
    }

    /// Has the game ended?
    pub(super) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game.outcome().is_some()
    }

    /// How the game has ended, in words; `None` while it goes on.
    pub(super) fn ending(&self) -> Option<String> {
        let result = self.result();
        match (self.game.outcome(), self.resigned) {
            (Some(outcome), _) => Some(format!("{outcome}, {result}")),
            (None, Some(_)) => Some(format!("resignation, {result}")),
            (None, None) => None,
        }
    }

    fn result(&self) -> GameResult {
        match (self.game.outcome(), self.resigned) {
            (Some(outcome), _) => GameResult::of(outcome, self.position().side()),
            (None, Some(Color::White)) => GameResult::BlackWins,
            (None, Some(Color::Black)) => GameResult::WhiteWins,
            (None, None) => GameResult::Unknown,
        }
    }

    /// The game as a record; `None` if nothing has been played.
    pub(super) fn record(&self, level: Level) -> Option<GameRecord> {
        if self.actions.is_empty() {
            return None;
        }
        let mut record = GameRecord::new(Variant::Kingchess, self.start);
        for &written in &self.actions {
            // Each was legal when it was played.
            record.push(written).ok()?;
        }
        let engine = match level {
            Level::Full => format!("Kingchess {}", env!("CARGO_PKG_VERSION")),
            Level::Elo(elo) => format!("Kingchess {} (level {elo})", env!("CARGO_PKG_VERSION")),
        };
        for (tag, side) in [("White", Color::White), ("Black", Color::Black)] {
            record.tags.set(tag, if self.seat.has(side) { "Player" } else { &engine });
        }
        record.result = self.result();
        if self.resigned.is_some() {
            record.tags.set("Termination", "resignation");
        }
        Some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_written;

    fn play(sitting: &mut Sitting, texts: &[&str]) {
        for text in texts {
            let written =
                read_written(text, sitting.position()).unwrap_or_else(|error| panic!("{text}: {error}"));
            sitting.play(written);
        }
    }

    #[test]
    fn undo_goes_back_to_the_persons_turn() {
        let mut black = Sitting::new(Position::start(), Seat::Black);
        play(&mut black, &["Ke1"]);
        assert!(!black.undo());
        play(&mut black, &["Ke8", "e4", "e5"]);
        assert!(black.undo() && black.actions.len() == 3);
        play(&mut black, &["e5", "d4"]);
        assert!(black.undo() && black.actions.len() == 3);
        let mut both = Sitting::new(Position::start(), Seat::Both);
        play(&mut both, &["Ke1", "Ke8"]);
        assert!(both.undo() && both.undo() && !both.undo());
        assert_eq!(both.position(), &Position::start());
    }

    #[test]
    fn results_and_resignations_are_recorded() {
        let mut white = Sitting::new(Position::start(), Seat::White);
        assert!(white.record(Level::Full).is_none());
        play(&mut white, &["Kh4"]);
        white.resign();
        assert_eq!(white.ending().as_deref(), Some("resignation, 0-1"));
        let record = white.record(Level::Elo(900)).expect("a game");
        assert_eq!(record.final_result(), GameResult::BlackWins);
        assert_eq!(record.tags.get("White"), Some("Player"));
        assert!(record.tags.get("Black").is_some_and(|name| name.ends_with("(level 900)")));
        assert!(white.undo() && !white.is_over());
        play(&mut white, &["Kh4", "Ka8, Qh5, Rh8, Bd6"]);
        assert_eq!(white.ending().as_deref(), Some("checkmate, 0-1"));
        assert!(!white.awaits_engine());
    }
}
