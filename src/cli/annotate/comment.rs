//! Writes verdicts into a record: glyphs, `[%eval …]` as other programs read it, and better lines in words.

use super::assess::{Line, Verdict};
use super::summary::Summary;
use crate::cli::terminal::value;
use crate::notation::records::{GameRecord, Notes};
use crate::notation::{Notation, line_text};
use crate::rules::Position;
use crate::types::{Color, Score};

/// The most actions of a better line that are named.
const LONGEST: usize = 4;
/// What stands before better lines.
const BETTER: &str = "better: ";

/// Who has annotated, for the tag `Annotator`.
pub(super) const ANNOTATOR: &str = concat!("Kingchess ", env!("CARGO_PKG_VERSION"));

/// Writes verdicts and accuracies into the record. Those of an earlier run, and glyphs that judge actions, are replaced.
pub(super) fn write(record: &mut GameRecord, verdicts: &[Verdict], summary: &Summary) {
    let mut position = *record.start();
    for (index, verdict) in verdicts.iter().enumerate() {
        let Some(entry) = record.entry_mut(index) else { break };
        remark(entry.notes_mut(), verdict, &position);
        position.play(entry.action());
    }
    record.tags.set("Annotator", ANNOTATOR);
    for (tag, side) in [("WhiteAccuracy", Color::White), ("BlackAccuracy", Color::Black)] {
        let accuracy = summary.accuracy(side).map(|accuracy| format!("{accuracy:.1}"));
        record.tags.set(tag, accuracy.as_deref().unwrap_or_default());
    }
}

fn remark(notes: &mut Notes, verdict: &Verdict, before: &Position) {
    notes.nags.retain(|nag| !(1..=6).contains(nag));
    if let Some(judgement) = verdict.judgement {
        notes.nags.insert(0, judgement.nag());
    }
    notes.comments = notes.comments.iter().filter_map(|comment| without_verdict(comment)).collect();
    let mut parts = Vec::new();
    if !verdict.mates {
        parts.push(eval(verdict.value));
    }
    if !verdict.better.is_empty() {
        let lines: Vec<String> = verdict.better.iter().map(|line| better(line, before)).collect();
        parts.push(format!("{BETTER}{}", lines.join("; ")));
    }
    if !parts.is_empty() {
        notes.comments.insert(0, parts.join(" "));
    }
}

/// The value for White, as other programs write and read it: pawns, below a hundred, or `#` and the distance to mate.
fn eval(value: Score) -> String {
    let most = Score::cp(9_999);
    match value.mate_distance() {
        Some(distance) => format!("[%eval #{distance}]"),
        None => format!("[%eval {:.2}]", f64::from(value.clamp(-most, most).get()) / 100.0),
    }
}

/// A line with its value for White.
fn better(line: &Line, before: &Position) -> String {
    let shown = line.actions.get(..LONGEST).unwrap_or(&line.actions);
    let score = if before.side() == Color::White { line.score } else { -line.score };
    format!("{} ({})", line_text(shown, before, Notation::Openchess), value(score))
}

/// A comment without what an earlier run has written; `None` if nothing else is in it.
fn without_verdict(comment: &str) -> Option<String> {
    let Some((before, rest)) = comment.split_once("[%eval") else {
        return (!comment.starts_with(BETTER)).then(|| comment.to_owned());
    };
    let after = rest.split_once(']').map_or("", |(_, after)| after.trim());
    let after = if after.starts_with(BETTER) { "" } else { after };
    let left = format!("{} {after}", before.trim());
    let left = left.trim();
    (!left.is_empty()).then(|| left.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_for_other_programs() {
        for (score, text) in [
            (Score::cp(34), "[%eval 0.34]"),
            (Score::cp(-205), "[%eval -2.05]"),
            (Score::cp(0), "[%eval 0.00]"),
            (Score::UNPROVEN_LOSS, "[%eval -99.99]"),
            (Score::mate_in(5), "[%eval #3]"),
            (Score::mated_in(4), "[%eval #-2]"),
        ] {
            assert_eq!(eval(score), text);
        }
    }

    #[test]
    fn earlier_verdicts_go_and_words_stay() {
        for (comment, left) in [
            ("[%eval 0.34]", None),
            ("[%eval 0.34] better: 1. Ke1 (+0.20)", None),
            ("better: 1. Ke1 (+0.20)", None),
            ("a pity [%eval #-3] really", Some("a pity really")),
            ("no value", Some("no value")),
            ("[%clk 0:01] [%eval 1.00]", Some("[%clk 0:01]")),
        ] {
            assert_eq!(without_verdict(comment).as_deref(), left, "{comment}");
        }
    }
}
