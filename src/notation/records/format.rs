use std::io::{self, Write};

use super::{GameRecord, json, pgn, uci};
use crate::notation::Notation;

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PGN: all tags, the actions in this notation.
    Pgn(Notation),
    /// The actions in this notation, for reading: with all tags if they say more than the actions do, otherwise without
    /// any.
    Plain(Notation),
    /// A `position` line of the protocol; without tags, notes and result.
    Uci,
    /// A line of JSON, by the schema in records.md.
    Json,
}

/// Writes a game. One in PGN or plain text ends with a blank line, so that the next can follow.
///
/// # Errors
/// If the output takes no more.
pub fn write_game(out: &mut dyn Write, record: &GameRecord, format: Format) -> io::Result<()> {
    let mut text = String::new();
    match format {
        Format::Pgn(notation) => pgn::write(&mut text, record, notation),
        Format::Plain(notation) => pgn::write_plain(&mut text, record, notation),
        Format::Uci => uci::write(&mut text, record),
        Format::Json => text = json::write(record).map_err(io::Error::other)?,
    }
    if matches!(format, Format::Pgn(_) | Format::Plain(_)) {
        text.push('\n');
    }
    out.write_all(text.as_bytes())
}
