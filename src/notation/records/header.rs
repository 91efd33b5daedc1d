//! The tags of a game and what they mean.

use super::movetext::{Misread, Place, Source};
use super::record::{GameRecord, Variant, is_outcome};
use super::result::GameResult;
use super::tags::is_name_letter;
use super::{Fault, Remark, Tags, Warning};
use crate::rules::Position;
use crate::types::excerpt;

/// A value and the byte where its tag begins.
struct Value {
    at: usize,
    text: String,
}

/// The tags that the record holds in another form.
#[derive(Default)]
pub(super) struct Header {
    pub tags: Tags,
    variant: Option<Value>,
    fen: Option<Value>,
    result: Option<Value>,
    termination: usize,
    /// Where the tags end.
    pub end: usize,
}

impl Header {
    /// Reads the tags at the beginning of a text.
    pub(super) fn read(text: &str) -> (Self, Result<(), Misread>) {
        let mut header = Self::default();
        loop {
            let rest = text.get(header.end..).unwrap_or_default();
            let tag = rest.trim_start();
            let at = text.len() - tag.len();
            if !tag.starts_with('[') {
                return (header, Ok(()));
            }
            let Some((name, value, length)) = read_tag(tag) else {
                let fault = Fault::Tag(excerpt(tag.lines().next().unwrap_or_default()));
                return (header, Err(Misread { at, action: None, fault }));
            };
            header.add(name, Value { at, text: value });
            header.end = at + length;
        }
    }

    fn add(&mut self, name: &str, value: Value) {
        match name {
            "Variant" => self.variant = Some(value),
            "FEN" => self.fen = Some(value),
            "Result" => self.result = Some(value),
            _ => {
                if name == "Termination" {
                    self.termination = value.at;
                }
                self.tags.set(name, &value.text);
            }
        }
    }

    /// Nothing says which game it is or where it starts.
    pub(super) fn is_undecided(&self) -> bool {
        self.variant.is_none() && self.fen.is_none()
    }

    /// The record that these tags begin; without its actions.
    pub(super) fn begin(&mut self, source: Source, record: &mut GameRecord) -> Result<(), Misread> {
        record.tags = std::mem::take(&mut self.tags);
        let misread = |value: &Value, fault| Misread { at: value.at, action: None, fault };
        let named = match &self.variant {
            Some(value) => Some(
                Variant::read(&value.text)
                    .ok_or_else(|| misread(value, Fault::Variant(excerpt(&value.text))))?,
            ),
            None => None,
        };
        let Some(fen) = &self.fen else {
            let variant = named.unwrap_or(Variant::Kingchess);
            record.set_start(variant, variant.start());
            return Ok(());
        };
        let (start, notes) =
            Position::read_fen(&fen.text).map_err(|error| misread(fen, Fault::Fen(error)))?;
        let Place { line, column } = source.place(fen.at);
        let warning = |note| Warning { line, column, action: None, remark: Remark::Fen(note) };
        record.warnings.extend(notes.into_iter().map(warning));
        // A FEN of chess has no reserve: neither brackets nor a ninth row.
        let board = fen.text.split_whitespace().next().unwrap_or_default();
        let has_reserve = board.contains('[') || board.matches('/').count() > 7;
        let variant = named.unwrap_or(if has_reserve { Variant::Kingchess } else { Variant::Chess });
        record.set_start(variant, start);
        Ok(())
    }

    /// Compares what tags and text say about the end of the game with each other and with the board.
    pub(super) fn check_end(
        &self,
        source: Source,
        record: &mut GameRecord,
        text: Option<GameResult>,
        at: usize,
    ) {
        let mut remarks = Vec::new();
        let tag = self.result.as_ref().and_then(|value| {
            let result = GameResult::read(value.text.trim());
            if result.is_none() && value.text != "?" {
                remarks.push((value.at, Remark::UnknownResult(excerpt(&value.text))));
            }
            result
        });
        let result_at = self.result.as_ref().map_or(at, |value| value.at);
        if let (Some(tag), Some(text)) = (tag, text)
            && tag != text
        {
            remarks.push((result_at, Remark::TwoResults { tag, text }));
        }
        record.result = text.or(tag).unwrap_or_default();
        let outcome = record.outcome();
        if let Some(outcome) = outcome {
            let (written, truth) = (record.result, GameResult::of(outcome, record.last().side()));
            if written != truth && written != GameResult::Unknown {
                remarks.push((result_at, Remark::Result { written, outcome, truth }));
            }
        }
        if let Some(termination) = record.tags.get("Termination") {
            let agrees = match outcome {
                Some(outcome) => {
                    termination.eq_ignore_ascii_case("normal") || termination == outcome.to_string()
                }
                None => !is_outcome(termination),
            };
            if !agrees {
                remarks.push((self.termination, Remark::Termination(excerpt(termination))));
            }
            if outcome.is_some() || !agrees {
                // The record finds out by itself.
                record.tags.set("Termination", "");
            }
        }
        for (at, remark) in remarks {
            let Place { line, column } = source.place(at);
            record.warnings.push(Warning { line, column, action: None, remark });
        }
    }

    /// What the tag says about the result of a game whose actions break off.
    pub(super) fn result(&self) -> GameResult {
        self.result.as_ref().and_then(|value| GameResult::read(value.text.trim())).unwrap_or_default()
    }
}

/// Reads `[Name "value"]` at the beginning of a text, all on one line: the name, the value without escapes, and the
/// length of all.
fn read_tag(text: &str) -> Option<(&str, String, usize)> {
    let inside = text.strip_prefix('[')?;
    let quote = inside.find(['"', '\n']).filter(|&at| inside.as_bytes().get(at) == Some(&b'"'))?;
    let (name, quoted) = (inside.get(..quote)?.trim(), inside.get(quote + 1..)?);
    if name.is_empty() || !name.chars().all(is_name_letter) {
        return None;
    }
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((index, letter)) = letters.next() {
        match letter {
            '\\' => match letters.clone().next() {
                Some((_, escaped @ ('"' | '\\'))) => {
                    letters.next();
                    value.push(escaped);
                }
                _ => value.push(letter),
            },
            '"' => {
                // Some programs leave out the escape: only a quote before the bracket ends the value.
                let rest = quoted.get(index + 1..)?;
                if let Some(after) = rest.trim_start_matches([' ', '\t']).strip_prefix(']') {
                    return Some((name, value, text.len() - after.len()));
                }
                value.push(letter);
            }
            '\n' => return None,
            _ => value.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_leniently() {
        let read = |line: &str| read_tag(line).map(|(name, value, _)| (name.to_owned(), value));
        for (line, name, value) in [
            (r#"[White "A. Player"]"#, "White", "A. Player"),
            (r#"[ White  "A" ]"#, "White", "A"),
            (r#"[Event "The \"Cup\" \\ 1"]"#, "Event", r#"The "Cup" \ 1"#),
            (r#"[Event "The "Cup""]"#, "Event", r#"The "Cup""#),
            (r#"[Event "[1]"] [Site "x"]"#, "Event", "[1]"),
            (r#"[Event ""]"#, "Event", ""),
        ] {
            assert_eq!(read(line), Some((name.to_owned(), value.to_owned())), "{line}");
        }
        for line in ["[Event]", "[Event \"x]", "[\"x\"]", "[A-B \"x\"]", "[Event \"x\"", "["] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
