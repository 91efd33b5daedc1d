//! One game in PGN, read and written.

use super::header::Header;
use super::movetext::{Misread, Movetext, Source};
use super::record::{GameRecord, comment_text};
use super::{Entry, GameResult, Notes, Variant};
use crate::notation::Notation;
use crate::notation::style::{Step, push_number};
use crate::types::Color;

/// The width of lines of tokens, as PGN has it.
const WIDTH: usize = 79;

/// A game as it was read, and how many bytes it took.
pub(super) struct ReadGame {
    pub record: GameRecord,
    /// Why not more of it was read.
    pub misread: Option<Misread>,
    pub end: usize,
    /// Is there anything but comments?
    pub is_game: bool,
}

/// Reads the game at the beginning of a text.
pub(super) fn read(source: Source) -> ReadGame {
    let mut record = GameRecord::new(Variant::Kingchess, Variant::Kingchess.start());
    let (mut header, tags) = Header::read(source.text);
    let begun = header.begin(source, &mut record);
    let tagged = header.end > 0;
    let read = tags
        .and(begun)
        .and_then(|()| Movetext::new(source, header.end, &mut record, header.is_undecided()).read());
    match read {
        Ok((result, end)) => {
            header.check_end(source, &mut record, result, end);
            let remarked = !record.warnings.is_empty();
            let is_game = tagged || result.is_some() || remarked || !record.entries().is_empty();
            ReadGame { record, misread: None, end, is_game }
        }
        Err(misread) => {
            record.result = header.result();
            ReadGame { record, misread: Some(misread), end: source.text.len(), is_game: true }
        }
    }
}

/// Writes a game with all its tags.
pub(super) fn write(out: &mut String, record: &GameRecord, notation: Notation) {
    write_tags(out, record);
    out.push('\n');
    let mut text = String::new();
    write_movetext(&mut text, record, notation);
    text.push_str(record.final_result().as_str());
    match notation {
        Notation::Token => wrap(out, &text),
        _ => out.push_str(&text),
    }
    out.push('\n');
}

/// Writes a game for reading: with tags only if they say more than the actions do.
pub(super) fn write_plain(out: &mut String, record: &GameRecord, notation: Notation) {
    let usual = record.variant() == Variant::Kingchess && *record.start() == Variant::Kingchess.start();
    // A comment is no beginning of a game that has no tags.
    let begins = record.comments.is_empty() && !record.entries().is_empty();
    if !record.tags.is_empty() || !usual || !begins {
        return write(out, record, notation);
    }
    write_movetext(out, record, notation);
    match record.final_result() {
        GameResult::Unknown => out.truncate(out.trim_end().len()),
        result => out.push_str(result.as_str()),
    }
    out.push('\n');
}

/// Writes the seven tags every game has, those of its start and end, and the others.
fn write_tags(out: &mut String, record: &GameRecord) {
    let tags = &record.tags;
    let given = |name: &str, otherwise: &str| tags.get(name).unwrap_or(otherwise).to_owned();
    let (result, end) = (record.final_result(), record.termination());
    let end =
        end.unwrap_or_else(|| if result == GameResult::Unknown { "unterminated" } else { "?" }.to_owned());
    let first = [
        ("Event", given("Event", "?")),
        ("Site", given("Site", "?")),
        ("Date", given("Date", "????.??.??")),
        ("Round", given("Round", "?")),
        ("White", given("White", "?")),
        ("Black", given("Black", "?")),
        ("Result", result.to_string()),
        ("Variant", record.variant().as_str().to_owned()),
        ("SetUp", "1".to_owned()),
        ("FEN", record.variant().fen(record.start())),
        ("TimeControl", given("TimeControl", "?")),
        ("Termination", end),
    ];
    for (name, value) in &first {
        push_tag(out, name, value);
    }
    for tag in tags.iter().filter(|tag| !first.iter().any(|(name, _)| *name == tag.name)) {
        push_tag(out, &tag.name, &tag.value);
    }
}

fn push_tag(out: &mut String, name: &str, value: &str) {
    out.push('[');
    out.push_str(name);
    out.push_str(" \"");
    for letter in value.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            control if control.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out.push_str("\"]\n");
}

/// Writes the actions with their numbers, glyphs and comments, a blank behind each.
fn write_movetext(out: &mut String, record: &GameRecord, notation: Notation) {
    push_comments(out, &record.comments);
    let mut before = *record.start();
    // Black's action needs its number where no action of White's stands right before it.
    let mut alone = true;
    for entry in record.entries() {
        let mut after = before;
        after.play(entry.action());
        push_number(out, &before, notation, alone);
        Step { written: entry.written(), before: &before, after: &after }.write(out, notation);
        out.push(' ');
        alone = push_notes(out, entry) || before.side() == Color::Black;
        before = after;
    }
}

/// Writes what is remarked about an action; says whether that was a comment.
fn push_notes(out: &mut String, entry: &Entry) -> bool {
    let Some(Notes { nags, comments }) = entry.notes() else { return false };
    for nag in nags {
        out.push_str(&format!("${nag} "));
    }
    push_comments(out, comments);
    !comments.is_empty()
}

fn push_comments(out: &mut String, comments: &[String]) {
    for comment in comments {
        out.push('{');
        // Whoever made the record may not know what a comment can hold.
        out.push_str(&comment_text(comment));
        out.push_str("} ");
    }
}

/// Breaks a text at blanks into lines of at most [`WIDTH`] characters, where it can. Commands to programs, such as
/// `[%eval 0.34]`, stay on one line: not every program finds them otherwise.
fn wrap(out: &mut String, text: &str) {
    let mut width = 0;
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let value = if is_command_name(word) { words.next() } else { None };
        let word = &value.map_or_else(|| word.to_owned(), |value| format!("{word} {value}"));
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
}

/// Does a command begin here whose value follows?
fn is_command_name(word: &str) -> bool {
    word.rfind("[%").and_then(|at| word.get(at..)).is_some_and(|command| !command.contains(']'))
}
