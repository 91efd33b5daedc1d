use super::{Outcome, Position};
use crate::types::{Action, DropSet, Short};

/// A game: a position and what led to it, which repetition needs.
#[derive(Clone)]
pub struct Game {
    position: Position,
    earlier: Vec<Position>,
}

impl Game {
    /// A game that starts from this position.
    pub fn new(position: Position) -> Self {
        Self { position, earlier: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How many actions were played since the start of the game.
    pub fn ply(&self) -> usize {
        self.earlier.len()
    }

    /// Plays a legal action.
    pub fn play(&mut self, action: Action) {
        self.earlier.push(self.position);
        self.position.play(action);
    }

    /// Takes the last action back; false if there is none.
    pub fn undo(&mut self) -> bool {
        match self.earlier.pop() {
            Some(position) => {
                self.position = position;
                true
            }
            None => false,
        }
    }

    /// How often the position now has stood, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.repeatable_keys().filter(|&key| key == self.position.key()).count()
    }

    /// The keys of the earlier positions that could still be repeated, latest first: a capture, pawn move or drop can't
    /// be undone, so they end there.
    pub fn repeatable_keys(&self) -> impl Iterator<Item = u64> {
        let reversible = usize::from(self.position.halfmove_clock());
        self.earlier.iter().rev().take(reversible).map(Position::key)
    }

    /// How the game has ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.position.outcome() {
            Some(outcome @ (Outcome::Checkmate | Outcome::Stalemate | Outcome::Fifty)) => Some(outcome),
            _ if self.occurrences() >= 3 => Some(Outcome::Repetition),
            other => other,
        }
    }
}

impl Position {
    /// Is this action legal here? Any action may be asked about.
    #[inline]
    pub fn is_legal(&self, action: Action) -> bool {
        match action {
            Action::Move(mv) => self.is_legal_move(mv),
            Action::Drops(set) => self.is_legal_set(set),
        }
    }

    /// Is this move or drop of one piece legal here?
    #[inline]
    pub fn is_legal_short(&self, short: Short) -> bool {
        match (short.as_move(), short.as_drop()) {
            (Some(mv), _) => self.is_legal_move(mv),
            (None, Some(drop)) => {
                drop.square.relative_to(self.side()).rank() < 4 && self.is_legal_set(DropSet::one(drop))
            }
            (None, None) => false,
        }
    }
}
