//! Reads the games of an input one after the other.

use std::io::BufRead;
use std::mem;

use super::chunk::{Chunk, Line, is_json, is_one_line_game};
use super::movetext::{Misread, Source};
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
    /// What has been read and not yet made a record of.
    text: Vec<u8>,
    /// The line of the input where `text` begins, from 1.
    line: usize,
    /// A line that begins the next game.
    ahead: Vec<u8>,
    /// How many games have been read.
    games: usize,
    /// The input can't be read any more.
    failed: bool,
}

impl<R: BufRead> GameReader<R> {
    /// Reads the games of this input.
    pub fn new(input: R) -> Self {
        Self { input, text: Vec::new(), line: 1, ahead: Vec::new(), games: 0, failed: false }
    }

    /// How many games have been read, with those that were wrong.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Reads the lines of the next game into `text`.
    fn fill(&mut self) -> Result<(), std::io::Error> {
        let mut chunk = Chunk::default();
        loop {
            if self.ahead.is_empty() && self.input.read_until(b'\n', &mut self.ahead)? == 0 {
                return Ok(());
            }
            if self.text.is_empty() && self.ahead.starts_with(BYTE_ORDER_MARK) {
                self.ahead.drain(..BYTE_ORDER_MARK.len());
            }
            let line = chunk.look_at(&self.ahead);
            if line == Line::Begins {
                return Ok(());
            }
            self.text.append(&mut self.ahead);
            if line == Line::Ends {
                return Ok(());
            }
        }
    }

    /// Makes a record of the first game in `text` and takes its lines out. `None` if there was no game in it.
    fn read_game(&mut self) -> Option<Result<GameRecord, RecordError>> {
        let bytes = mem::take(&mut self.text);
        let text = String::from_utf8_lossy(&bytes);
        let replaced = matches!(text, std::borrow::Cow::Owned(_));
        let source = Source { text: &text, line: self.line };
        let ReadGame { mut record, misread, end, is_game } = read(source);
        let read = is_game.then(|| {
            self.games += 1;
            if replaced {
                let (line, column) = source.place(text.find(char::REPLACEMENT_CHARACTER).unwrap_or(0));
                record.warnings.push(Warning { line, column, action: None, remark: Remark::NotUtf8 });
            }
            match misread {
                None => Ok(record),
                Some(misread) => Err(self.error(source, misread, record)),
            }
        });
        let rest = text.get(end..).unwrap_or_default();
        let taken = if rest.trim().is_empty() { text.len() } else { end };
        self.line += text.bytes().take(taken).filter(|&byte| byte == b'\n').count();
        let rest = text.get(taken..).unwrap_or_default().as_bytes().to_vec();
        // The memory is used again.
        self.text = bytes;
        self.text.clear();
        self.text.extend(rest);
        read
    }

    fn error(&self, source: Source, misread: Misread, record: GameRecord) -> RecordError {
        let Misread { at, action, fault } = misread;
        let (line, column) = source.place(at);
        RecordError { game: self.games, line, column, action, fault, record: Box::new(record) }
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.failed {
                return None;
            }
            if self.text.is_empty()
                && let Err(error) = self.fill()
            {
                self.failed = true;
                self.games += 1;
                let record = GameRecord::new(Variant::Kingchess, Variant::Kingchess.start());
                let source = Source { text: "", line: self.line };
                let misread = Misread { at: 0, action: None, fault: Fault::Input(error) };
                return Some(Err(self.error(source, misread, record)));
            }
            if self.text.is_empty() {
                return None;
            }
            if let Some(read) = self.read_game() {
                return Some(read);
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
