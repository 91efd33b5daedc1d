//! A plain table, for pipes and files.

use std::io::{self, Write};

use super::{Event, View};
use crate::cli::terminal::{BoardView, HEADING, row};
use crate::notation::{Notation, action_text};
use crate::rules::{Game, Position};
use crate::search::{Bound, SearchResult};
use crate::types::Color;

/// The board, then a row for each line that is found.
pub(super) struct Table<'o> {
    out: &'o mut dyn Write,
    board: BoardView,
    root: Position,
}

impl<'o> Table<'o> {
    /// Writes there.
    pub(super) fn new(out: &'o mut dyn Write, board: BoardView) -> Self {
        Self { out, board, root: Position::start() }
    }
}

impl View for Table<'_> {
    fn begin(&mut self, game: &Game) -> io::Result<()> {
        self.root = *game.position();
        introduce(self.out, game, &self.board)
    }

    fn hear(&mut self, event: Event) -> io::Result<()> {
        // Bounds are only a sign of life.
        let Event::Report(report) = event else { return Ok(()) };
        if report.bound == Bound::Exact {
            writeln!(self.out, "{}", row(report, &self.root))?;
        }
        self.out.flush()
    }

    fn end(&mut self, result: &SearchResult) -> io::Result<()> {
        conclude(self.out, result, &self.root)
    }
}

/// Writes what is analysed, and the heading of the table.
pub(super) fn introduce(out: &mut dyn Write, game: &Game, board: &BoardView) -> io::Result<()> {
    let position = game.position();
    for line in board.lines(position) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "Fen: {}", position.fen())?;
    let side = if position.side() == Color::White { "white" } else { "black" };
    writeln!(out, "{side} to act, {} legal actions", position.count_actions())?;
    if let Some(outcome) = game.outcome() {
        writeln!(out, "The game is over: {outcome}")?;
    }
    writeln!(out, "{}", board.screen.bold(HEADING))?;
    out.flush()
}

/// Writes the best action, in words for players and for programs.
pub(super) fn conclude(out: &mut dyn Write, result: &SearchResult, root: &Position) -> io::Result<()> {
    match result.best {
        Some(best) => {
            let text = action_text(best, root, Notation::Openchess);
            writeln!(out, "best {text}, in the protocol {}", best.token(root.side()))?;
        }
        None => writeln!(out, "best (none)")?,
    }
    out.flush()
}
