//! Games in PGN form: tags, then the actions as protocol tokens with move numbers, then the result.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use kingchess::rules::Position;
use kingchess::types::Color;
use thiserror::Error;

use super::budget::Times;
use super::game::{Ending, Played};
use super::result::{GameResult, ResultError};

/// A game as it is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Which match it belongs to.
    pub event: String,
    /// The pair, from 0, and the game in it, 0 or 1; written from 1 as `Round`.
    pub round: Round,
    /// White's and Black's name.
    pub names: [String; 2],
    /// Who has won.
    pub result: GameResult,
    /// The name of the game.
    pub variant: String,
    /// The first position.
    pub fen: String,
    /// How it ended, in PGN's words.
    pub termination: String,
    /// How it ended, in detail.
    pub ending: String,
    /// What actions could cost.
    pub time_control: String,
    /// What White's and Black's actions took.
    pub times: [Times; 2],
    /// The actions.
    pub actions: Vec<String>,
}

/// Which game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Round {
    /// The pair, from 0.
    pub pair: usize,
    /// The first game of a pair, in which the first engine is White, is 0; the second is 1.
    pub game: usize,
}

impl Round {
    /// The colour of the first engine.
    pub fn first(self) -> Color {
        if self.game == 0 { Color::White } else { Color::Black }
    }
}

/// Why a record could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// A tag is not there.
    #[error("game {game}: no tag {tag}")]
    MissingTag {
        /// Which game of the file, from 1.
        game: usize,
        /// Which tag.
        tag: &'static str,
    },
    /// A tag can't be understood.
    #[error("game {game}: tag {tag}: '{value}'")]
    Tag {
        /// Which game of the file, from 1.
        game: usize,
        /// Which tag.
        tag: &'static str,
        /// What it holds.
        value: String,
    },
    /// The result is none.
    #[error("game {0}: {1}")]
    Result(usize, ResultError),
}

/// Lines of the actions are at most this long, unless one token is longer.
const WIDTH: usize = 80;

impl Record {
    /// The record of a game just played.
    pub fn of(played: &Played, start: &Position, chess: bool, heading: Heading) -> Self {
        let fen = if chess { start.chess_fen() } else { start.fen() };
        Self {
            event: heading.event,
            round: heading.round,
            names: heading.names,
            result: played.result,
            variant: if chess { "Standard" } else { "Kingchess" }.to_owned(),
            fen,
            termination: played.ending.termination().to_owned(),
            ending: played.ending.to_string(),
            time_control: heading.time_control,
            times: played.times,
            actions: played.actions.clone(),
        }
    }

    /// Was it lost by a fault?
    pub fn is_fault(&self) -> bool {
        Ending::is_fault(&self.termination)
    }

    /// The PGN text, with an empty line at the end.
    pub fn pgn(&self) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        tag("Event", &self.event);
        tag("Site", "?");
        tag("Date", "????.??.??");
        tag("Round", &format!("{}.{}", self.round.pair + 1, self.round.game + 1));
        tag("White", &self.names[0]);
        tag("Black", &self.names[1]);
        tag("Result", &self.result.to_string());
        tag("Variant", &self.variant);
        tag("SetUp", "1");
        tag("FEN", &self.fen);
        tag("TimeControl", &self.time_control);
        tag("Termination", &self.termination);
        tag("Ending", &self.ending);
        tag("WhiteTimeUsed", &write_times(self.times[0]));
        tag("BlackTimeUsed", &write_times(self.times[1]));
        text.push('\n');
        text.push_str(&self.movetext());
        text.push('\n');
        text
    }

    fn movetext(&self) -> String {
        let mut fields = self.fen.split_whitespace();
        let black_starts = fields.nth(1) == Some("b");
        let first: usize = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
        let mut words = Vec::new();
        for (index, token) in self.actions.iter().enumerate() {
            let half = index + usize::from(black_starts);
            if half % 2 == 0 {
                words.push(format!("{}.", first + half / 2));
            } else if index == 0 {
                words.push(format!("{first}..."));
            }
            words.push(token.clone());
        }
        words.push(self.result.to_string());
        let mut text = String::new();
        let mut width = 0;
        for word in words {
            if width > 0 && width + 1 + word.len() > WIDTH {
                text.push('\n');
                width = 0;
            } else if width > 0 {
                text.push(' ');
                width += 1;
            }
            width += word.len();
            text.push_str(&word);
        }
        text.push('\n');
        text
    }
}

/// What a record says beside the game.
#[derive(Clone, Debug)]
pub struct Heading {
    /// Which match it belongs to.
    pub event: String,
    /// Which game of it.
    pub round: Round,
    /// White's and Black's name.
    pub names: [String; 2],
    /// What actions could cost.
    pub time_control: String,
}

/// Milliseconds and actions, like `1234.567/89`.
fn write_times(times: Times) -> String {
    format!("{:.3}/{}", times.total.as_secs_f64() * 1e3, times.actions)
}

fn read_times(text: &str) -> Option<Times> {
    let (ms, actions) = text.split_once('/')?;
    let total = Duration::try_from_secs_f64(ms.parse::<f64>().ok()? / 1e3).ok()?;
    Some(Times { total, actions: actions.parse().ok()? })
}

/// Reads the games that [`Record::pgn`] wrote. A game that was cut off while it was written, at the end of the text, is
/// left out.
///
/// # Errors
/// If a finished game lacks a tag or a tag can't be understood.
pub fn read_all(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut records = Vec::new();
    let mut tags = BTreeMap::new();
    let mut words: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some((name, value)) = read_tag(line) {
            tags.insert(name, value);
            continue;
        }
        for word in line.split_whitespace() {
            if word.parse::<GameResult>().is_ok() {
                records.push(read_game(&tags, &words, records.len() + 1)?);
                tags.clear();
                words.clear();
            } else if !word.ends_with('.') {
                words.push(word);
            }
        }
    }
    Ok(records)
}

/// A line like `[White "engine"]`.
fn read_tag(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")?;
    let mut text = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        text.push(if letter == '\\' { letters.next()? } else { letter });
    }
    Some((name, text))
}

fn read_game(tags: &BTreeMap<&str, String>, words: &[&str], game: usize) -> Result<Record, RecordError> {
    let tag = |tag: &'static str| tags.get(tag).cloned().ok_or(RecordError::MissingTag { game, tag });
    let bad = |tag: &'static str, value: String| RecordError::Tag { game, tag, value };
    let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    let round = tag("Round")?;
    let round = round
        .split_once('.')
        .and_then(|(pair, game)| Some(Round { pair: number(pair)?, game: number(game)? }))
        .filter(|round| round.game < 2)
        .ok_or_else(|| bad("Round", round))?;
    let times = |name: &'static str| {
        let text = tag(name)?;
        read_times(&text).ok_or_else(|| bad(name, text))
    };
    Ok(Record {
        event: tag("Event")?,
        round,
        names: [tag("White")?, tag("Black")?],
        result: tag("Result")?.parse().map_err(|error| RecordError::Result(game, error))?,
        variant: tag("Variant")?,
        fen: tag("FEN")?,
        termination: tag("Termination")?,
        ending: tag("Ending")?,
        time_control: tag("TimeControl")?,
        times: [times("WhiteTimeUsed")?, times("BlackTimeUsed")?],
        actions: words.iter().map(|&word| word.to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let words = "K@e1,P@a2,P@b2,P@c2,P@d2,P@e2,P@f2,P@g2,P@h2 K@e8 e2e4 P@e5,P@d5 e4d5 e8d8";
        Record {
            event: "first \"a\\b\" v second".to_owned(),
            round: Round { pair: 11, game: 1 },
            names: ["second".to_owned(), "first \"a\\b\"".to_owned()],
            result: GameResult::BlackWins,
            variant: "Kingchess".to_owned(),
            fen: Position::start().fen(),
            termination: "adjudication".to_owned(),
            ending: "adjudicated".to_owned(),
            time_control: "5000 nodes".to_owned(),
            times: [Times { total: Duration::from_micros(1234), actions: 3 }, Times::default()],
            actions: words.split_whitespace().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn a_record_is_read_as_written() {
        let second = Record { result: GameResult::Draw, ..record() };
        let text = record().pgn() + &second.pgn();
        assert_eq!(read_all(&text), Ok(vec![record(), second]));
    }

    #[test]
    fn the_text_is_pgn() {
        let text = record().pgn();
        assert!(text.contains("[Round \"12.2\"]\n") && text.contains("[SetUp \"1\"]\n"), "{text}");
        assert!(text.contains("[Event \"first \\\"a\\\\b\\\" v second\"]\n"), "{text}");
        assert!(text.contains("\n\n1. K@e1,P@a2,P@b2,P@c2,P@d2,P@e2,P@f2,P@g2,P@h2 K@e8 2. e2e4"), "{text}");
        assert!(text.ends_with("3. e4d5\ne8d8 0-1\n\n"), "{text}");
        assert!(text.lines().skip_while(|line| !line.is_empty()).all(|line| line.len() <= WIDTH));
    }

    #[test]
    fn a_game_may_begin_with_black() {
        let fen = "4k3/8/8/8/8/8/8/4K3[Pp] b - - 0 7".to_owned();
        let actions = vec!["P@a7".to_owned(), "e1e2".to_owned()];
        let record = Record { fen, actions, ..record() };
        assert!(record.pgn().contains("\n\n7... P@a7 8. e1e2 0-1\n"));
        assert_eq!(read_all(&record.pgn()), Ok(vec![record]));
    }

    #[test]
    fn a_game_cut_off_is_left_out() {
        let text = record().pgn() + &record().pgn();
        for cut in [text.len() - 6, text.len() - 30, text.len() / 2 + 20] {
            assert_eq!(read_all(&text[..cut]).map(|records| records.len()), Ok(1), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let text = record().pgn();
        let without: String = text
            .lines()
            .filter(|line| !line.starts_with("[FEN"))
            .fold(String::new(), |text, line| text + line + "\n");
        assert_eq!(read_all(&without), Err(RecordError::MissingTag { game: 1, tag: "FEN" }));
        let error = read_all(&text.replace("\"12.2\"", "\"12.3\"")).expect_err("no such game");
        assert_eq!(error.to_string(), "game 1: tag Round: '12.3'");
    }
}
