//! One game as a `position` line of the protocol.

use super::movetext::{Misread, Movetext, Source};
use super::{Fault, GameRecord, Variant};
use crate::notation::Notation;
use crate::notation::style::Step;
use crate::rules::Position;
use crate::types::excerpt;

/// Writes `position startpos moves …` or `position fen … moves …`. Tags, notes and the result have no place there.
pub(super) fn write(out: &mut String, record: &GameRecord) {
    let variant = record.variant();
    if variant == Variant::Kingchess && *record.start() == variant.start() {
        out.push_str("position startpos");
    } else {
        out.push_str("position fen ");
        out.push_str(&variant.fen(record.start()));
    }
    let mut before = *record.start();
    for (index, entry) in record.entries().iter().enumerate() {
        let mut after = before;
        after.play(entry.action());
        out.push_str(if index == 0 { " moves " } else { " " });
        Step { written: entry.written(), before: &before, after: &after }.write(out, Notation::Token);
        before = after;
    }
    out.push('\n');
}

/// Reads such a line.
pub(super) fn read(source: Source, record: &mut GameRecord) -> Result<(), Misread> {
    let text = source.text;
    let wrong = |at, fault| Misread { at, action: None, fault };
    let begin = text.len() - text.trim_start().len();
    let (setup, actions_at) = match text.split_once("moves") {
        Some((setup, actions)) => (setup, text.len() - actions.len()),
        None => (text, text.len()),
    };
    let unknown = || wrong(begin, Fault::PositionLine(excerpt(text.trim())));
    let setup = setup.trim().strip_prefix("position").map(str::trim).ok_or_else(unknown)?;
    match setup.strip_prefix("fen ") {
        Some(fen) => {
            let start: Position = fen.parse().map_err(|error| wrong(begin, Fault::Fen(error)))?;
            let variant = if fen.contains('[') { Variant::Kingchess } else { Variant::Chess };
            record.set_start(variant, start);
        }
        None if setup == "startpos" => {}
        None => return Err(unknown()),
    }
    Movetext::new(source, actions_at, record, false).read().map(|_| ())
}
