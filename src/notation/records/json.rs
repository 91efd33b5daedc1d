//! One game as a line of JSON.

use serde::{Deserialize, Serialize};

use super::movetext::{Misread, place};
use super::record::{comment_text, is_outcome};
use super::{Fault, GameRecord, GameResult, Notes, Tags, Variant};
use crate::notation::style::Step;
use crate::notation::{Notation, read_written};
use crate::rules::Position;
use crate::types::Color;

/// The version of the JSON schema in records.md.
pub const SCHEMA: u32 = 1;

/// A game. What is derived from the rest is written for whoever has no rules, and not read.
#[derive(Serialize, Deserialize)]
struct Game {
    schema: u32,
    variant: String,
    start: String,
    #[serde(default)]
    tags: Tags,
    #[serde(default)]
    comments: Vec<String>,
    actions: Vec<Action>,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    termination: Option<String>,
    #[serde(skip_deserializing)]
    last: String,
}

#[derive(Serialize, Deserialize)]
struct Action {
    #[serde(skip_deserializing)]
    number: u16,
    #[serde(skip_deserializing)]
    side: &'static str,
    token: String,
    #[serde(skip_deserializing)]
    openchess: String,
    #[serde(default)]
    nags: Vec<u8>,
    #[serde(default)]
    comments: Vec<String>,
}

/// Only the version: other versions may have other fields.
#[derive(Deserialize)]
struct Version {
    schema: u32,
}

/// Writes a game.
pub(super) fn write(record: &GameRecord) -> serde_json::Result<String> {
    let mut tags = record.tags.clone();
    tags.set("Termination", "");
    let mut text = serde_json::to_string(&Game {
        schema: SCHEMA,
        variant: record.variant().as_str().to_lowercase(),
        start: record.variant().fen(record.start()),
        tags,
        comments: record.comments.clone(),
        actions: actions(record),
        result: Some(record.final_result().to_string()),
        termination: record.termination(),
        last: record.variant().fen(record.last()),
    })?;
    text.push('\n');
    Ok(text)
}

fn actions(record: &GameRecord) -> Vec<Action> {
    let mut before = *record.start();
    let mut actions = Vec::with_capacity(record.entries().len());
    for entry in record.entries() {
        let after = before.after(entry.action());
        let step = Step { written: entry.written(), before: &before, after: &after };
        let text = |notation| {
            let mut text = String::new();
            step.write(&mut text, notation);
            text
        };
        let Notes { nags, comments } = entry.notes().cloned().unwrap_or_default();
        actions.push(Action {
            number: before.fullmove_number(),
            side: if before.side() == Color::White { "white" } else { "black" },
            token: text(Notation::Token),
            openchess: text(Notation::Openchess),
            nags,
            comments,
        });
        before = after;
    }
    actions
}

/// Comments as a record holds them; those that say nothing are none.
fn comments(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| comment_text(text)).filter(|text| !text.is_empty()).collect()
}

/// Reads a game into a record.
pub(super) fn read(text: &str, record: &mut GameRecord) -> Result<(), Misread> {
    let wrong = |fault| Misread { at: 0, action: None, fault };
    let bad = |error: serde_json::Error| wrong(Fault::Json(error.to_string()));
    let Version { schema } = serde_json::from_str(text).map_err(bad)?;
    if schema != SCHEMA {
        return Err(wrong(Fault::Schema { expected: SCHEMA, got: schema }));
    }
    let game: Game = serde_json::from_str(text).map_err(bad)?;
    let variant = Variant::read(&game.variant).ok_or_else(|| wrong(Fault::Variant(game.variant.clone())))?;
    let start: Position = game.start.parse().map_err(|error| wrong(Fault::Fen(error)))?;
    record.set_start(variant, start);
    record.tags = game.tags;
    record.comments = comments(&game.comments);
    record.result = game.result.as_deref().and_then(GameResult::read).unwrap_or_default();
    if let Some(termination) = game.termination.filter(|termination| !is_outcome(termination)) {
        record.tags.set("Termination", &termination);
    }
    for action in game.actions {
        let written = read_written(&action.token, record.last()).map_err(|error| Misread {
            at: 0,
            action: Some(place(record.last(), &action.token)),
            fault: error.into(),
        })?;
        record.push_legal(written);
        let notes = Notes { nags: action.nags, comments: comments(&action.comments) };
        if !notes.is_empty()
            && let Some(last) = record.last_notes()
        {
            *last = notes;
        }
    }
    Ok(())
}
