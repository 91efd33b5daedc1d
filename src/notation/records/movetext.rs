//! Reads the actions of a game, in any notation, into a record.
//!
//! What makes one action of several dropped pieces differs: tokens and the encyclopedia have commas between them, and
//! openchess has blanks and the reserve in brackets behind the last. So pieces with blanks between them are collected
//! until it is clear: a bracket makes them one action, anything else makes each its own, one of White's and one of
//! Black's in turn.

use super::record::{Variant, comment_text};
use super::result::GameResult;
use super::scan::{Piece, Scanner, Span};
use super::{ActionPlace, Fault, GameRecord, Notes, Remark, Warning};
use crate::notation::bracket::{self, Claim};
use crate::notation::word::{self, Word};
use crate::notation::written::{Drops, castling, drop_all, full_move};
use crate::notation::{ReadError, Written, WrittenError, nag};
use crate::rules::Position;
use crate::types::{Color, Drop, Kind, MAX_DROPS, excerpt};

/// A text and where in the input it begins.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub text: &'t str,
    pub begin: Place,
}

/// A line of the input and a character of the line, both from 1.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// Where an input begins.
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// The place behind this text.
    pub(super) fn after(self, text: &str) -> Self {
        text.chars().fold(self, |Self { line, column }, letter| match letter {
            '\n' => Self { line: line + 1, column: 1 },
            _ => Self { line, column: column + 1 },
        })
    }
}

impl Source<'_> {
    /// The place of this byte.
    pub(super) fn place(&self, at: usize) -> Place {
        self.begin.after(self.text.get(..at).unwrap_or_default())
    }
}

/// Looks up places one after the other, so that many cost no more than the last.
#[derive(Clone, Copy)]
struct Cursor {
    at: usize,
    place: Place,
}

impl Cursor {
    fn go_to(&mut self, text: &str, at: usize) {
        self.place = self.place.after(text.get(self.at..at).unwrap_or_default());
        self.at = at.max(self.at);
    }
}

/// What ended the reading of a game's actions too early.
#[derive(Debug)]
pub(super) struct Misread {
    pub at: usize,
    pub action: Option<ActionPlace>,
    pub fault: Fault,
}

/// Pieces dropped with commas between them, or one alone.
#[derive(Default)]
struct Group {
    span: Span,
    drops: Drops,
    /// One piece in a notation of players: it may be part of a drop with blanks.
    bare: bool,
    notes: Notes,
}

/// Reads the actions of one game.
pub(super) struct Movetext<'t, 'r> {
    source: Source<'t>,
    scanner: Scanner<'t>,
    record: &'r mut GameRecord,
    /// Neither variant nor FEN is known: the first action tells which game it is.
    undecided: bool,
    /// Drops that have not been played yet.
    pending: Vec<Group>,
    /// Where the comma stands that waits for a piece.
    comma: Option<Span>,
    /// Has a wrong number been remarked on?
    misnumbered: bool,
    /// Where the last remark was.
    cursor: Cursor,
}

impl<'t, 'r> Movetext<'t, 'r> {
    /// Reads on in the text from this byte.
    pub(super) fn new(source: Source<'t>, at: usize, record: &'r mut GameRecord, undecided: bool) -> Self {
        Self {
            source,
            scanner: Scanner::new(source.text, at),
            record,
            undecided,
            pending: Vec::new(),
            comma: None,
            misnumbered: false,
            cursor: Cursor { at: 0, place: source.begin },
        }
    }

    /// Reads to the result or the end of the text. Gives the result, if there is one, and the byte after it and its
    /// comments.
    pub(super) fn read(mut self) -> Result<(Option<GameResult>, usize), Misread> {
        while let Some((span, piece)) = self.scanner.next() {
            let piece = match piece {
                Ok(piece) => piece,
                Err(fault) => return Err(self.give_up(span, fault)),
            };
            if let Piece::Word(text) = piece
                && let Some(result) = GameResult::read(text)
            {
                self.settle(None)?;
                return Ok((Some(result), self.read_last_comments()));
            }
            self.take(span, piece)?;
        }
        self.settle(None)?;
        Ok((None, self.scanner.at()))
    }

    /// Comments behind the result are still of this game.
    fn read_last_comments(&mut self) -> usize {
        let mut end = self.scanner.at();
        while let Some((_, Ok(Piece::Comment(text)))) = self.scanner.next() {
            self.comment(text);
            end = self.scanner.at();
        }
        end
    }

    fn take(&mut self, span: Span, piece: Piece<'t>) -> Result<(), Misread> {
        match piece {
            Piece::Comment(text) => {
                self.comment(text);
                Ok(())
            }
            Piece::Comma => self.take_comma(span),
            Piece::Bracket(text) => match Claim::read(text) {
                Some(claim) => self.settle(Some((span, text, claim))),
                None => {
                    self.warn(span.start, None, Remark::Variation);
                    Ok(())
                }
            },
            Piece::Word(text) => self.take_word(span, text),
        }
    }

    fn take_comma(&mut self, span: Span) -> Result<(), Misread> {
        if self.pending.is_empty() || self.comma.is_some() {
            return Err(Misread { at: span.start, action: None, fault: Fault::Comma });
        }
        self.comma = Some(span);
        Ok(())
    }

    fn take_word(&mut self, span: Span, text: &'t str) -> Result<(), Misread> {
        if let Some(number) = Number::read(text) {
            // The number may be glued to the action.
            self.scanner.go_to(span.start + number.length);
            self.settle(None)?;
            self.check_number(span, &number);
            return Ok(());
        }
        if text.starts_with('.') || text.starts_with('…') {
            let rest = text.trim_start_matches(['.', '…']);
            self.scanner.go_to(span.end - rest.len());
            return self.settle(None);
        }
        if let Some(glyph) = text.strip_prefix('$') {
            let glyph = glyph.parse().ok();
            return self.glyph(span, glyph);
        }
        if text.bytes().all(|byte| matches!(byte, b'!' | b'?')) {
            return self.glyph(span, nag::from_marks(text));
        }
        let marked = match word::read(text) {
            Ok(marked) => marked,
            Err(error) => return Err(self.give_up(span, error.into())),
        };
        match marked.word {
            Word::Drop(drop) => self.take_drop(span, drop, true)?,
            Word::TokenDrop(drop) => self.take_drop(span, drop, false)?,
            Word::Move(_) | Word::Castling(_) if self.comma.is_some() => {
                return Err(self.wrong_action(span, WrittenError::Mixed));
            }
            Word::Move(mv) => {
                self.settle(None)?;
                self.decide(false);
                let written = full_move(mv, self.record.last());
                self.play(span, written, Notes::default())?;
            }
            Word::Castling(wing) => {
                self.settle(None)?;
                self.decide(false);
                let written = castling(wing, self.record.last());
                self.play(span, written, Notes::default())?;
            }
        }
        match marked.nag {
            Some(glyph) => self.glyph(span, Some(glyph)),
            None => Ok(()),
        }
    }

    fn take_drop(&mut self, span: Span, drop: Drop, bare: bool) -> Result<(), Misread> {
        if self.comma.take().is_none() {
            self.pending.push(Group { span, bare, ..Group::default() });
        }
        let Some(group) = self.pending.last_mut() else { return Ok(()) };
        group.span.end = span.end;
        group.bare &= group.drops.is_empty();
        if group.drops.try_push(drop).is_err() {
            let span = group.span;
            return Err(self.wrong_action(span, ReadError::TooManyDrops(MAX_DROPS + 1).into()));
        }
        Ok(())
    }

    /// Plays the drops that are pending; what stands in a bracket behind them is the reserve that is left.
    fn settle(&mut self, claim: Option<(Span, &str, Claim)>) -> Result<(), Misread> {
        if let Some(span) = self.comma.take() {
            return Err(Misread { at: span.start, action: None, fault: Fault::Comma });
        }
        if !self.pending.is_empty() {
            if let Some((_, _, claim)) = claim
                && are_one_drop(&self.pending, claim)
            {
                self.join()?;
            }
            self.decide(true);
            let mut pending = std::mem::take(&mut self.pending);
            for group in pending.drain(..) {
                let written = self.drop_group(&group);
                self.play(group.span, written, group.notes)?;
            }
            // The memory is used again.
            self.pending = pending;
        }
        if let Some((span, text, claim)) = claim {
            self.check_reserve(span, text, claim);
        }
        Ok(())
    }

    /// Makes one drop of all that are pending.
    fn join(&mut self) -> Result<(), Misread> {
        let Some((all, others)) = self.pending.split_first_mut() else { return Ok(()) };
        for group in others {
            all.span.end = group.span.end;
            if all.drops.try_extend_from_slice(&group.drops).is_err() {
                let span = all.span;
                return Err(self.wrong_action(span, ReadError::TooManyDrops(MAX_DROPS + 1).into()));
            }
            all.notes.nags.append(&mut group.notes.nags);
            all.notes.comments.append(&mut group.notes.comments);
        }
        self.pending.truncate(1);
        Ok(())
    }

    /// Which game is it, if nothing has told yet? Kingchess begins with the drop of a king, and chess never does.
    fn decide(&mut self, drops: bool) {
        if !std::mem::take(&mut self.undecided) {
            return;
        }
        let king = |drop: &Drop| drop.kind == Kind::King;
        let first = self.pending.first();
        let kingchess = drops && first.is_some_and(|group| !group.bare || group.drops.iter().any(king));
        if !kingchess {
            self.record.set_start(Variant::Chess, Variant::Chess.start());
        }
    }

    fn drop_group(&self, group: &Group) -> Result<Written, WrittenError> {
        let position = self.record.last();
        if self.record.variant() == Variant::Chess {
            return Err(WrittenError::Short(excerpt(self.scanner.slice(group.span))));
        }
        match drop_all(&group.drops, position) {
            Err(WrittenError::Read(ReadError::WrongHalf(square))) if group.bare => {
                Err(WrittenError::Half(square))
            }
            other => other,
        }
    }

    fn play(
        &mut self,
        span: Span,
        written: Result<Written, WrittenError>,
        notes: Notes,
    ) -> Result<(), Misread> {
        let written = written.map_err(|error| self.wrong_action(span, error))?;
        self.record.push_legal(written);
        if !notes.is_empty()
            && let Some(last) = self.record.last_notes()
        {
            *last = notes;
        }
        Ok(())
    }

    /// Where a remark goes that stands here; `None` before the first action.
    fn notes(&mut self) -> Option<&mut Notes> {
        match self.pending.last_mut() {
            Some(group) => Some(&mut group.notes),
            None => self.record.last_notes(),
        }
    }

    fn comment(&mut self, text: &str) {
        let text = comment_text(text);
        if text.is_empty() {
            return;
        }
        match self.notes() {
            Some(notes) => notes.comments.push(text),
            None => self.record.comments.push(text),
        }
    }

    fn glyph(&mut self, span: Span, glyph: Option<u8>) -> Result<(), Misread> {
        match (glyph, self.notes()) {
            (Some(glyph), Some(notes)) => {
                notes.nags.push(glyph);
                Ok(())
            }
            _ => {
                let text = excerpt(self.scanner.slice(span));
                Err(self.give_up(span, Fault::Glyph(text)))
            }
        }
    }

    /// Compares a number with the turn; the first that is wrong is remarked on, since all after it will be.
    fn check_number(&mut self, span: Span, number: &Number) {
        let (turn, side) = (self.record.last().fullmove_number(), self.record.last().side());
        let unknown = self.undecided && self.record.entries().is_empty();
        if self.misnumbered || unknown || number.value == usize::from(turn) && number.fits(side) {
            return;
        }
        self.misnumbered = true;
        let dots = if side == Color::White { "." } else { "..." };
        let written = excerpt(self.scanner.slice(Span { start: span.start, end: self.scanner.at() }));
        self.warn(span.start, None, Remark::Number { written, truth: format!("{turn}{dots}") });
    }

    fn check_reserve(&mut self, span: Span, text: &str, claim: Claim) {
        let side = !self.record.last().side();
        let reserve = self.record.last().reserve(side);
        if claim.is(reserve) {
            return;
        }
        let mut truth = String::new();
        bracket::write(&mut truth, reserve);
        let number = self.record.last().fullmove_number() - u16::from(side == Color::Black);
        let place = ActionPlace { number, side, text: excerpt(self.scanner.slice(span)) };
        self.warn(span.start, Some(place), Remark::Reserve { written: excerpt(text), truth });
    }

    fn warn(&mut self, at: usize, action: Option<ActionPlace>, remark: Remark) {
        // Remarks come in the order of the text.
        self.cursor.go_to(self.source.text, at);
        let Place { line, column } = self.cursor.place;
        self.record.warnings.push(Warning { line, column, action, remark });
    }

    /// What stands here ends the reading. A drop right before it, if there is just one, is complete and still counts.
    fn give_up(&mut self, span: Span, fault: Fault) -> Misread {
        if self.comma.is_none()
            && self.pending.len() == 1
            && let Err(earlier) = self.settle(None)
        {
            return earlier;
        }
        match fault {
            Fault::Action(error) => self.wrong_action(span, error),
            fault => Misread { at: span.start, action: None, fault },
        }
    }

    fn wrong_action(&self, span: Span, error: WrittenError) -> Misread {
        let place = place(self.record.last(), self.scanner.slice(span));
        Misread { at: span.start, action: Some(place), fault: error.into() }
    }
}

/// The place of an action that is to be played in this position.
pub(super) fn place(position: &Position, text: &str) -> ActionPlace {
    ActionPlace { number: position.fullmove_number(), side: position.side(), text: excerpt(text) }
}

/// Are these pieces, with blanks between them and a reserve behind them, one drop? In openchess, yes. But where the
/// encyclopedia has `d4 e5 (0)`, each side has dropped a pawn, Black its last.
fn are_one_drop(groups: &[Group], claim: Claim) -> bool {
    let on_one_half = |groups: &[Group]| {
        let mut drops = groups.iter().flat_map(|group| &group.drops);
        let half = drops.next().map(|drop| Color::White.half().has(drop.square));
        drops.all(|drop| Some(Color::White.half().has(drop.square)) == half)
    };
    groups.iter().all(|group| group.bare) && (!claim.is_empty() || on_one_half(groups))
}

/// A number in front of an action: `12.`, `12...`.
struct Number {
    value: usize,
    /// Does it have the three dots of Black's actions?
    dots: bool,
    /// How many bytes it takes.
    length: usize,
}

impl Number {
    /// Reads the number that a word begins with, or is.
    fn read(text: &str) -> Option<Self> {
        let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let digits = text.get(..text.len() - rest.len())?;
        let after = rest.trim_start_matches(['.', '…']);
        if digits.is_empty() || rest.len() == after.len() && !rest.is_empty() {
            return None;
        }
        let mark = rest.get(..rest.len() - after.len())?;
        Some(Self {
            // A number too large is a wrong number.
            value: digits.parse().unwrap_or(usize::MAX),
            dots: mark.len() > 1,
            length: text.len() - after.len(),
        })
    }

    /// Can it stand before an action of this side? `12.` may be followed by the dots of Black.
    fn fits(&self, side: Color) -> bool {
        side == Color::Black || !self.dots
    }
}
