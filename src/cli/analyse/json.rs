//! JSON Lines, by the schema in protocol.md.

use std::io::{self, Write};

use serde::Serialize;

use super::{Event, View};
use crate::eval::chances;
use crate::notation::{Notation, line_text};
use crate::protocol::rate;
use crate::rules::{Game, Outcome, Position};
use crate::search::{Bound, Report, SearchResult};
use crate::types::{Action, Color, Score};

/// The version of the JSON schema in protocol.md.
pub(super) const SCHEMA: u32 = 1;

/// One line of the output.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Record<'a> {
    Position {
        schema: u32,
        fen: String,
        side: &'a str,
        actions: u64,
        result: Option<String>,
    },
    Line {
        depth: u32,
        seldepth: u32,
        multipv: usize,
        #[serde(flatten)]
        score: Value,
        bound: &'a str,
        wdl: [u32; 3],
        nodes: u64,
        nps: u64,
        time_ms: u64,
        hashfull: u32,
        pv: Vec<String>,
        text: String,
    },
    Result {
        best: Option<String>,
        ponder: Option<String>,
        nodes: u64,
        time_ms: u64,
    },
}

/// A field `cp` or `mate`.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Value {
    /// Centipawns.
    Cp(i32),
    /// Own actions to mate.
    Mate(i32),
}

impl From<Score> for Value {
    fn from(score: Score) -> Self {
        score.mate_distance().map_or(Self::Cp(score.get()), Self::Mate)
    }
}

/// Writes one record of any sort as a line.
pub(super) fn write_record(out: &mut dyn Write, record: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(record).map_err(io::Error::other)?;
    writeln!(out, "{text}")?;
    out.flush()
}

/// An analysis as JSON Lines.
pub(super) struct Json<'o> {
    out: &'o mut dyn Write,
    root: Position,
}

impl<'o> Json<'o> {
    /// Writes there.
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        Self { out, root: Position::start() }
    }

    fn line(&mut self, report: &Report) -> io::Result<()> {
        let record = Record::Line {
            depth: report.depth,
            seldepth: report.seldepth,
            multipv: report.multipv,
            score: report.score.into(),
            bound: match report.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            wdl: chances(report.score, &self.root),
            nodes: report.nodes,
            nps: rate(report),
            time_ms: milliseconds(report.time),
            hashfull: report.hashfull,
            pv: tokens(&report.pv, self.root.side()),
            text: line_text(&report.pv, &self.root, Notation::Openchess),
        };
        write_record(self.out, &record)
    }
}

impl View for Json<'_> {
    fn begin(&mut self, game: &Game) -> io::Result<()> {
        self.root = *game.position();
        let side = if self.root.side() == Color::White { "white" } else { "black" };
        let result = game.outcome().map(|outcome: Outcome| outcome.to_string());
        let (fen, actions) = (self.root.fen(), self.root.count_actions());
        write_record(self.out, &Record::Position { schema: SCHEMA, fen, side, actions, result })
    }

    fn hear(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Report(report) => self.line(report),
            Event::Tick => Ok(()),
        }
    }

    fn end(&mut self, result: &SearchResult) -> io::Result<()> {
        let token = |action: Option<Action>, side| action.map(|action| action.token(side).to_string());
        let side = self.root.side();
        let record = Record::Result {
            best: token(result.best, side),
            ponder: token(result.ponder, !side),
            nodes: result.nodes,
            time_ms: milliseconds(result.time),
        };
        write_record(self.out, &record)
    }
}

fn tokens(line: &[Action], mut side: Color) -> Vec<String> {
    let mut token = |action: &Action| {
        let token = action.token(side).to_string();
        side = !side;
        token
    };
    line.iter().map(&mut token).collect()
}

/// A time in whole milliseconds.
pub(super) fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
