use super::{GameResult, Tags, Warning};
use crate::notation::token::explain;
use crate::notation::{IllegalReason, Written};
use crate::rules::{Game, Outcome, Position};
use crate::types::{Action, Color};

/// The game that is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Kingchess.
    Kingchess,
    /// Ordinary chess: nothing is in reserve.
    Chess,
}

impl Variant {
    /// The position games of this variant start from, unless a FEN says otherwise.
    pub fn start(self) -> Position {
        match self {
            Self::Kingchess => Position::start(),
            Self::Chess => Position::chess_start(),
        }
    }

    /// The value of the tag `Variant`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kingchess => "Kingchess",
            Self::Chess => "Standard",
        }
    }

    /// Reads a value of the tag `Variant`, in any letter case.
    pub fn read(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "kingchess" | "king chess" | "кингчесс" => Some(Self::Kingchess),
            "standard" | "chess" | "normal" | "from position" => Some(Self::Chess),
            _ => None,
        }
    }

    /// The position in the FEN of this variant.
    pub(super) fn fen(self, position: &Position) -> String {
        match self {
            Self::Kingchess => position.fen(),
            Self::Chess => position.chess_fen(),
        }
    }
}

/// What is remarked about an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, and so on as in PGN.
    pub nags: Vec<u8>,
    /// Comments, with single blanks between their words.
    pub comments: Vec<String>,
}

impl Notes {
    /// Is nothing remarked?
    pub fn is_empty(&self) -> bool {
        self.nags.is_empty() && self.comments.is_empty()
    }
}

/// A comment as it is kept: one line, single blanks between its words, and without the bracket that would end it.
pub(super) fn comment_text(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('}', ")")
}

/// One action of a record.
#[derive(Clone, Debug)]
pub struct Entry {
    written: Written,
    /// Most actions have no notes, and a game holds many entries.
    notes: Option<Box<Notes>>,
}

impl Entry {
    /// The action.
    pub fn action(&self) -> Action {
        self.written.action()
    }

    /// The action with its drops in the order in which they were written.
    pub fn written(&self) -> Written {
        self.written
    }

    /// What is remarked about it, if anything is.
    pub fn notes(&self) -> Option<&Notes> {
        self.notes.as_deref().filter(|notes| !notes.is_empty())
    }

    /// What is remarked about it, to be added to.
    pub fn notes_mut(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        // Empty notes are no notes.
        self.written == other.written && self.notes() == other.notes()
    }
}

impl Eq for Entry {}

/// A game as it is kept: who played, from where, what was done, how it ended. Every action is legal where it stands.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Players, date, time control and the like.
    pub tags: Tags,
    /// Comments before the first action.
    pub comments: Vec<String>,
    /// What the record says about the result; see [`GameRecord::final_result`] for the truth.
    pub result: GameResult,
    /// What was odd about the text it was read from; empty in a record that was not read.
    pub warnings: Vec<Warning>,
    variant: Variant,
    start: Position,
    entries: Vec<Entry>,
    last: Position,
}

impl GameRecord {
    /// A record without actions that starts from this position.
    pub fn new(variant: Variant, start: Position) -> Self {
        Self {
            tags: Tags::default(),
            comments: Vec::new(),
            result: GameResult::Unknown,
            warnings: Vec::new(),
            variant,
            start,
            entries: Vec::new(),
            last: start,
        }
    }

    /// Adds an action.
    ///
    /// # Errors
    /// If it is not legal in the last position; then nothing is added.
    pub fn push(&mut self, action: impl Into<Written>) -> Result<(), IllegalReason> {
        let written = action.into();
        if !self.last.is_legal(written.action()) {
            return Err(explain(written.action(), &self.last));
        }
        self.push_legal(written);
        Ok(())
    }

    /// Adds an action that is known to be legal.
    pub(super) fn push_legal(&mut self, written: Written) {
        self.last.play(written.action());
        self.entries.push(Entry { written, notes: None });
    }

    /// Starts again elsewhere, before there are actions. Whatever it is called, it is Kingchess if there is a reserve.
    pub(super) fn set_start(&mut self, variant: Variant, start: Position) {
        debug_assert!(self.entries.is_empty());
        let has_reserve = Color::ALL.iter().any(|&color| !start.reserve(color).is_empty());
        let variant = if has_reserve { Variant::Kingchess } else { variant };
        (self.variant, self.start, self.last) = (variant, start, start);
    }

    /// The game that is played.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The position before the first action.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position after the last action.
    pub fn last(&self) -> &Position {
        &self.last
    }

    /// The actions with what is remarked about them.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry at this index, to be remarked on.
    pub fn entry_mut(&mut self, index: usize) -> Option<&mut Entry> {
        self.entries.get_mut(index)
    }

    /// The notes that a remark at the end of the record belongs to; `None` before the first action.
    pub(super) fn last_notes(&mut self) -> Option<&mut Notes> {
        self.entries.last_mut().map(Entry::notes_mut)
    }

    /// The actions.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.entries.iter().map(Entry::action)
    }

    /// The game, with the earlier positions that repetition needs.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for action in self.actions() {
            game.play(action);
        }
        game
    }

    /// How the game has ended on the board after its last action; `None` if it has not.
    pub fn outcome(&self) -> Option<Outcome> {
        // No position stands for the third time sooner than by eight actions that can be undone.
        if self.last.halfmove_clock() < 8 { self.last.outcome() } else { self.game().outcome() }
    }

    /// The result: that of the board if the game has ended there, otherwise the one the record says.
    pub fn final_result(&self) -> GameResult {
        self.outcome().map_or(self.result, |outcome| GameResult::of(outcome, self.last.side()))
    }

    /// Why the game ended: the outcome's word if it ended on the board, otherwise the tag `Termination`, unless that
    /// claims such an outcome. `None` if nobody knows, or it has not ended.
    pub fn termination(&self) -> Option<String> {
        match self.outcome() {
            Some(outcome) => Some(outcome.to_string()),
            None => self.tags.get("Termination").filter(|value| !is_outcome(value)).map(str::to_owned),
        }
    }
}

/// Is it the word of an end on the board?
pub(super) fn is_outcome(termination: &str) -> bool {
    use Outcome::{Checkmate, Fifty, Material, Repetition, Stalemate};
    [Checkmate, Stalemate, Fifty, Repetition, Material]
        .iter()
        .any(|outcome| outcome.to_string() == termination)
}
