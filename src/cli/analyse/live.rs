//! A table that lives while somebody watches it on a terminal.

use std::io::{self, Write};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::table::{conclude, introduce};
use super::{Event, View};
use crate::cli::terminal::{BoardView, Meter, row};
use crate::rules::{Game, Position};
use crate::search::{Bound, Limits, Report, SearchResult};

/// One line: a row stays for each depth. Several: they change in their places, and stay as they are at the end. Below
/// them a bar shows how far the search has come.
pub(super) struct Live<'o> {
    out: &'o mut dyn Write,
    board: BoardView,
    root: Position,
    screen: MultiProgress,
    /// The places of several lines.
    places: Vec<ProgressBar>,
    meter: Meter,
}

impl<'o> Live<'o> {
    /// A table of so many lines. Rows that stay are written there.
    pub(super) fn new(out: &'o mut dyn Write, board: BoardView, lines: u16, limits: &Limits) -> Self {
        let screen = MultiProgress::new();
        let places = if lines > 1 { (0..lines).map(|_| screen.add(place())).collect() } else { Vec::new() };
        let meter = Meter::new(limits, &screen);
        Self { out, board, root: Position::start(), screen, places, meter }
    }

    fn line(&mut self, report: &Report) -> io::Result<()> {
        self.meter.hear(report);
        if report.bound != Bound::Exact {
            return Ok(());
        }
        let row = row(report, &self.root);
        match self.places.get(report.multipv - 1) {
            Some(place) => place.set_message(row),
            None => self.screen.suspend(|| writeln!(self.out, "{row}"))?,
        }
        Ok(())
    }
}

impl View for Live<'_> {
    fn begin(&mut self, game: &Game) -> io::Result<()> {
        self.root = *game.position();
        introduce(self.out, game, &self.board)
    }

    fn hear(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Report(report) => self.line(report),
            Event::Tick => {
                self.meter.tick();
                Ok(())
            }
        }
    }

    fn end(&mut self, result: &SearchResult) -> io::Result<()> {
        self.screen.clear()?;
        for place in &self.places {
            let row = place.message();
            if !row.is_empty() {
                writeln!(self.out, "{row}")?;
            }
        }
        conclude(self.out, result, &self.root)
    }
}

/// A line of the screen, cut at its edge.
fn place() -> ProgressBar {
    let look = ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new_spinner().with_style(look)
}
