//! Reads the games of an input one after the other.

use std::io::{self, BufRead};
use std::mem;

use super::chunk::{Chunk, Line, is_json, is_one_line_game};
use super::movetext::{Misread, Place, Source};
use super::pgn::{self, ReadGame};
use super::{Fault, GameRecord, RecordError, Remark, Variant, Warning, json, uci};

/// What some programs put at the beginning of UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads games from an input, one at a time: memory is needed for one game only.
///
/// Games may be in PGN with tags or without, with actions in any notation, or in one of the other formats that
/// [`write_game`](super::write_game) writes; several sorts may follow each other. A game ends with its result, or where
/// the tags of the next begin, or at a blank line with the number 1 behind it. A game that is wrong somewhere gives a
/// [`RecordError`], and reading goes on with the next.
///
/// ```
/// use kingchess::notation::records::GameReader;
/// let text = "1. Ke1, e4 Ke8 *  1. Kg1 (Q, 2R, 2B, 2N, 8P) 1-0";
/// let games: Vec<_> = GameReader::new(text.as_bytes()).collect::<Result<_, _>>()?;
/// assert_eq!(games.len(), 2);
/// assert_eq!(games[0].entries().len(), 2);
/// # Ok::<(), kingchess::notation::records::RecordError>(())
/// ```
pub struct GameReader<R> {
    input: R,
    /// Lines that have been read: one game, or several if they share a line.
    text: String,
    /// How much of `text` has been made records of, in bytes.
    at: usize,
    /// Were bytes in `text` replaced that are no text?
    replaced: bool,
    /// Where the rest of `text` begins.
    place: Place,
    /// A line that begins the next game.
    ahead: Vec<u8>,
    /// How many games have been read, with those that were wrong.
    games: usize,
    /// Why the input can't be read any further, until it is said.
    failure: Option<io::Error>,
    /// It has been said.
    failed: bool,
}

impl<R: BufRead> GameReader<R> {
    /// Reads the games of this input.
    pub fn new(input: R) -> Self {
        Self {
            input,
            text: String::new(),
            at: 0,
            replaced: false,
            place: Place::START,
            ahead: Vec::new(),
            games: 0,
            failure: None,
            failed: false,
        }
    }

    /// Reads the lines of the next game into `text`.
    fn fill(&mut self) -> Result<(), io::Error> {
        let mut bytes = mem::take(&mut self.text).into_bytes();
        bytes.clear();
        self.at = 0;
        let filled = self.fill_bytes(&mut bytes);
        // What was read before the input failed is still a game.
        (self.text, self.replaced) = match String::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
        };
        filled
    }

    fn fill_bytes(&mut self, bytes: &mut Vec<u8>) -> Result<(), io::Error> {
        let mut chunk = Chunk::default();
        loop {
            if self.ahead.is_empty() && self.input.read_until(b'\n', &mut self.ahead)? == 0 {
                return Ok(());
            }
            if bytes.is_empty() && self.ahead.starts_with(BYTE_ORDER_MARK) {
                self.ahead.drain(..BYTE_ORDER_MARK.len());
            }
            let line = chunk.look_at(&self.ahead);
            if line == Line::Begins {
                return Ok(());
            }
            bytes.append(&mut self.ahead);
            if line == Line::Ends {
                return Ok(());
            }
        }
    }

    /// Makes a record of the first game that is left in `text`. `None` if there is no game in it.
    fn read_game(&mut self) -> Option<Result<GameRecord, RecordError>> {
        let text = mem::take(&mut self.text);
        let source = Source { text: text.get(self.at..).unwrap_or_default(), begin: self.place };
        let ReadGame { mut record, misread, end, is_game } = read(source);
        let read = is_game.then(|| {
            self.games += 1;
            if self.replaced
                && let Some(at) =
                    source.text.get(..end).and_then(|text| text.find(char::REPLACEMENT_CHARACTER))
            {
                let Place { line, column } = source.place(at);
                record.warnings.push(Warning { line, column, action: None, remark: Remark::NotUtf8 });
            }
            match misread {
                None => Ok(record),
                Some(misread) => Err(self.error(source, misread, record)),
            }
        });
        let blank = |text: &str| text.trim_start().is_empty();
        let taken = if source.text.get(end..).is_none_or(blank) { source.text.len() } else { end };
        self.place = source.place(taken);
        self.at += taken;
        self.text = text;
        read
    }

    fn input_error(&mut self, error: io::Error) -> RecordError {
        self.games += 1;
        let record = GameRecord::new(Variant::Kingchess, Variant::Kingchess.start());
        let misread = Misread { at: 0, action: None, fault: Fault::Input(error) };
        self.error(Source { text: "", begin: self.place }, misread, record)
    }

    fn error(&self, source: Source, misread: Misread, record: GameRecord) -> RecordError {
        let Misread { at, action, fault } = misread;
        let Place { line, column } = source.place(at);
        RecordError { game: self.games, line, column, action, fault, record: Box::new(record) }
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while self.at < self.text.len() {
                if let Some(read) = self.read_game() {
                    return Some(read);
                }
            }
            if let Some(error) = self.failure.take() {
                self.failed = true;
                return Some(Err(self.input_error(error)));
            }
            if self.failed {
                return None;
            }
            self.failure = self.fill().err();
            if self.text.is_empty() && self.failure.is_none() {
                return None;
            }
        }
    }
}

/// Reads the first game of a text in the format it is in.
fn read(source: Source) -> ReadGame {
    let text = source.text.trim();
    if !is_one_line_game(text.as_bytes()) {
        return pgn::read(source);
    }
    let mut record = GameRecord::new(Variant::Kingchess, Variant::Kingchess.start());
    let read =
        if is_json(text.as_bytes()) { json::read(text, &mut record) } else { uci::read(source, &mut record) };
    ReadGame { record, misread: read.err(), end: source.text.len(), is_game: true }
}
