use anstyle::{Ansi256Color, Color as Paint, Style};

use super::Screen;
use crate::protocol::draw_from;
use crate::rules::Position;
use crate::types::{Bitboard, Color, Kind, ReserveKind, Square};

/// A board with both reserves, as somebody wants to see it.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct BoardView {
    /// Symbols or letters, in colours or not.
    pub screen: Screen,
    /// Whose side is at the bottom.
    pub bottom: Color,
    /// Squares that stand out, where there are colours.
    pub marked: Bitboard,
}

impl BoardView {
    /// White at the bottom, nothing marked.
    pub(in crate::cli) fn new(screen: Screen) -> Self {
        Self { screen, bottom: Color::White, marked: Bitboard::EMPTY }
    }

    /// The lines of the drawing, from the top.
    pub(in crate::cli) fn lines(&self, position: &Position) -> Vec<String> {
        if !self.screen.symbols && !self.screen.color {
            return draw_from(position, self.bottom);
        }
        let mut lines = vec![self.reserve(position, !self.bottom)];
        for row in (0..8).rev() {
            let rank = Square::at(0, row).relative_to(self.bottom).rank();
            let squares: String =
                self.files().map(|file| self.square(position, Square::at(file, rank))).collect();
            lines.push(format!("  {} {squares}", rank + 1).trim_end().to_owned());
        }
        let files: String = self.files().map(|file| format!(" {} ", char::from(b'a' + file))).collect();
        lines.push(format!("    {}", files.trim_end()));
        lines.push(self.reserve(position, self.bottom));
        lines
    }

    /// The files from left to right.
    fn files(&self) -> impl Iterator<Item = u8> {
        let white = self.bottom == Color::White;
        (0..8).map(move |file| if white { file } else { 7 - file })
    }

    fn square(&self, position: &Position, square: Square) -> String {
        let piece = position.kind_at(square).zip(position.color_at(square));
        let Some((kind, color)) = piece else {
            let empty = if self.screen.color { "   " } else { " · " };
            return self.painted(square, Color::White, empty);
        };
        self.painted(square, color, &format!(" {} ", self.letter(kind, color)))
    }

    fn painted(&self, square: Square, piece: Color, text: &str) -> String {
        let ground = match (self.marked.has(square), Bitboard::LIGHT.has(square)) {
            (true, true) => 186,
            (true, false) => 143,
            (false, true) => 180,
            (false, false) => 137,
        };
        let ink = if piece == Color::White { 231 } else { 16 };
        let paint = |code: u8| Some(Paint::Ansi256(Ansi256Color(code)));
        self.screen.styled(Style::new().fg_color(paint(ink)).bg_color(paint(ground)), text)
    }

    /// The letter or symbol of a piece. Where the ink tells the sides apart both have the full symbols, which are easier
    /// to see.
    fn letter(&self, kind: Kind, color: Color) -> char {
        if !self.screen.symbols {
            return kind.letter_of(color);
        }
        let outlined = color == Color::White && !self.screen.color;
        match (kind, outlined) {
            (Kind::King, true) => '♔',
            (Kind::Queen, true) => '♕',
            (Kind::Rook, true) => '♖',
            (Kind::Bishop, true) => '♗',
            (Kind::Knight, true) => '♘',
            (Kind::Pawn, true) => '♙',
            (Kind::King, false) => '♚',
            (Kind::Queen, false) => '♛',
            (Kind::Rook, false) => '♜',
            (Kind::Bishop, false) => '♝',
            (Kind::Knight, false) => '♞',
            (Kind::Pawn, false) => '♟',
        }
    }

    /// `White ♕ ♖♖ ♗♗ ♙♙♙`; a bishop that is alone is told by the colour of its squares.
    fn reserve(&self, position: &Position, color: Color) -> String {
        let reserve = position.reserve(color);
        let mut text = if color == Color::White { "  White" } else { "  Black" }.to_owned();
        for kind in Kind::ALL {
            let count = reserve.count_of(kind);
            if count > 0 {
                text.push(' ');
                text.extend((0..count).map(|_| self.letter(kind, color)));
            }
            if kind == Kind::Bishop && count == 1 {
                let light = reserve.has(ReserveKind::LightBishop);
                text.push_str(if light { "(light)" } else { "(dark)" });
            }
        }
        if reserve.is_empty() {
            text.push_str(" -");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "6k1/5pb1/3p2p1/4p3/3PP3/6P1/5P2/6K1[QRRBBNNPPPPqrrlnnpppp] w - - 0 2";

    fn lines(symbols: bool, color: bool, bottom: Color) -> Vec<String> {
        let position = FEN.parse().expect("a FEN");
        BoardView { bottom, ..BoardView::new(Screen { symbols, color }) }.lines(&position)
    }

    #[test]
    fn symbols_without_colours() {
        let drawn = lines(true, false, Color::White);
        assert_eq!(drawn[0], "  Black ♛ ♜♜ ♝(light) ♞♞ ♟♟♟♟");
        assert_eq!(drawn[1], "  8  ·  ·  ·  ·  ·  ·  ♚  ·");
        assert_eq!(drawn[5], "  4  ·  ·  ·  ♙  ♙  ·  ·  ·");
        assert_eq!(drawn[9], "     a  b  c  d  e  f  g  h");
        assert_eq!(drawn[10], "  White ♕ ♖♖ ♗♗ ♘♘ ♙♙♙♙");
    }

    #[test]
    fn a_board_is_turned_with_everything_on_it() {
        let drawn = lines(true, false, Color::Black);
        assert!(drawn[0].starts_with("  White"));
        assert_eq!(drawn[1], "  1  ·  ♔  ·  ·  ·  ·  ·  ·");
        assert_eq!(drawn[9], "     h  g  f  e  d  c  b  a");
        let letters = lines(false, false, Color::Black);
        assert_eq!(letters[2], "1 |   | K |   |   |   |   |   |   |");
        assert_eq!(letters[16], "8 |   | k |   |   |   |   |   |   |");
        assert_eq!(letters[17], "  +---+---+---+---+---+---+---+---+");
        assert_eq!(letters[18], "    h   g   f   e   d   c   b   a");
    }

    #[test]
    fn colours_only_where_they_are_wanted() {
        for symbols in [true, false] {
            assert!(lines(symbols, true, Color::White)[1].contains("\u{1b}[48;5;"));
            assert!(!lines(symbols, false, Color::White).concat().contains('\u{1b}'));
        }
    }
}
