//! The notations, and writing single actions and lines of them.

use std::fmt::Write;

use super::{Written, encyclopedia, openchess};
use crate::rules::Position;
use crate::types::{Action, Color};

/// A way to write actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Tokens of the protocol: `K@g1,P@e4`, `e2e4`.
    Token,
    /// As on openchess.ru: `Kg1 e4 (Q, 2R, 2B, 2N, 7P)`, `e2-e4`, `d4xe5`.
    Openchess,
    /// As in the encyclopedia: `Kg1, e4`, `e2-e4`, `d4:e5`.
    Encyclopedia,
}

/// An action with the positions around it.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub written: Written,
    pub before: &'a Position,
    pub after: &'a Position,
}

impl Step<'_> {
    /// Writes the action.
    pub(super) fn write(&self, out: &mut String, notation: Notation) {
        match notation {
            Notation::Token => self.write_token(out),
            Notation::Openchess => openchess::write(out, self),
            Notation::Encyclopedia => encyclopedia::write(out, self),
        }
    }

    /// Writes the token, its drops in the order in which they were written.
    fn write_token(&self, out: &mut String) {
        if let Action::Move(mv) = self.written.action() {
            // Writing to a string can't fail.
            let _ = write!(out, "{mv}");
        }
        for (index, drop) in self.written.drops(self.before.side()).enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(out, "{comma}{drop}");
        }
    }
}

/// Writes the number of an action where one belongs: before White's actions, and before Black's where `alone` says that
/// no action of White's stands right before. A blank follows.
pub(super) fn push_number(out: &mut String, position: &Position, notation: Notation, alone: bool) {
    let dots = match (position.side(), notation) {
        (Color::White, _) => ".",
        (Color::Black, _) if !alone => return,
        (Color::Black, Notation::Token) => "...",
        (Color::Black, _) => ". ...",
    };
    let _ = write!(out, "{}{dots} ", position.fullmove_number());
}

/// A legal action as it is written in a notation.
///
/// ```
/// use kingchess::notation::{Notation, action_text, read_written};
/// use kingchess::rules::Position;
/// let start = Position::start();
/// let action = read_written("Kg1, f2, h2", &start)?;
/// assert_eq!(action_text(action, &start, Notation::Openchess), "Kg1 f2 h2 (Q, 2R, 2B, 2N, 6P)");
/// # Ok::<(), kingchess::notation::WrittenError>(())
/// ```
pub fn action_text(action: impl Into<Written>, before: &Position, notation: Notation) -> String {
    let written = action.into();
    let mut text = String::new();
    Step { written, before, after: &before.after(written.action()) }.write(&mut text, notation);
    text
}

/// A line of legal actions from a position, with numbers: `7. ... Kg8 (0) 8. e2-e4`.
pub fn line_text(actions: &[Action], start: &Position, notation: Notation) -> String {
    let mut text = String::new();
    let mut before = *start;
    for (index, &action) in actions.iter().enumerate() {
        let after = before.after(action);
        if index > 0 {
            text.push(' ');
        }
        push_number(&mut text, &before, notation, index == 0);
        Step { written: action.into(), before: &before, after: &after }.write(&mut text, notation);
        before = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_written;

    /// Each action in the three notations.
    fn forms(fen: &str, text: &str) -> [String; 3] {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let action = read_written(text, &position).unwrap_or_else(|error| panic!("{text}: {error}"));
        [Notation::Token, Notation::Openchess, Notation::Encyclopedia]
            .map(|notation| action_text(action, &position, notation))
    }

    #[test]
    fn every_sort_of_action() {
        for (fen, written) in [
            ("4k3/8/8/3p4/4P3/8/8/4K2R[] w K - 0 9", ["e4d5", "e4xd5", "e4:d5"]),
            ("4k3/8/8/3p4/4P3/8/8/4K2R[] w K - 0 9", ["e1g1", "O-O", "O-O"]),
            ("r3k3/8/8/8/8/8/8/4K3[] b q - 0 9", ["e8c8", "O-O-O", "O-O-O"]),
            ("4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 9", ["e5d6", "e5xd6", "e5:d6"]),
            ("4k3/8/8/8/8/8/8/R3K3[] w Q - 0 9", ["a1a8", "Ra1-a8+", "Ra1-a8+"]),
            ("4k3/P7/8/8/8/8/8/4K3[] w - - 0 9", ["a7a8n", "a7-a8N", "a7-a8N"]),
            ("1r2k3/P7/8/8/8/8/8/4K3[] w - - 0 9", ["a7b8q", "a7xb8Q+", "a7:b8Q+"]),
            ("7k/8/8/8/8/8/8/4K3[RLN] w - - 0 9", ["R@h1,N@a1", "Rh1+ Na1 (wB)", "Rh1+, Na1"]),
            ("7k/8/8/8/8/8/8/4K3[RDN] w - - 0 9", ["R@a1", "Ra1 (bB, N)", "Ra1"]),
            ("7k/8/8/8/8/8/8/4K3[P] w - - 0 9", ["P@e4", "e4 (0)", "e4 (0)"]),
        ] {
            for text in written {
                assert_eq!(forms(fen, text), written, "{text}");
            }
        }
    }

    #[test]
    fn lines_are_numbered() {
        let position: Position = "4k3/8/8/8/8/8/8/4K3[Pp] b - - 0 7".parse().expect("a FEN");
        let mut actions = Vec::new();
        let mut now = position;
        for text in ["e5", "e4", "Ke8-d8"] {
            let action = read_written(text, &now).expect(text).action();
            actions.push(action);
            now = now.after(action);
        }
        assert_eq!(line_text(&actions, &position, Notation::Openchess), "7. ... e5 (0) 8. e4 (0) Ke8-d8");
        assert_eq!(line_text(&actions, &position, Notation::Token), "7... P@e5 8. P@e4 e8d8");
        assert_eq!(line_text(&[], &position, Notation::Token), "");
    }
}
