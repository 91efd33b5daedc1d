//! Extended FEN: reading is lenient where the meaning is clear, writing has one form for each position.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Position, ValidityError};
use crate::types::{Castling, Color, Kind, Reserve, ReserveKind, Square, Wing, excerpt};

/// Why a FEN was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum FenError {
    #[error("expected 4 to 6 fields (board[reserve] side castling ep halfmove fullmove), got {0}")]
    FieldCount(usize),
    #[error("expected 8 ranks separated by '/', got {0}")]
    RankCount(usize),
    #[error("rank {rank} of the board: expected 8 squares, got {width}")]
    RankWidth { rank: usize, width: u32 },
    #[error("board: expected a piece letter (KQRBNP or kqrbnp) or a digit 1-8, got '{0}'")]
    BoardLetter(char),
    #[error("reserve: expected piece letters (KQRBLDNP or kqrbldnp), counts or '-', got '{0}'")]
    ReserveLetter(char),
    #[error("reserve: expected ']' at the end of '{0}'")]
    OpenBracket(String),
    #[error("reserve: more pieces of kind '{0}' than a side can hold")]
    ReserveCount(char),
    #[error(
        "reserve: which bishop is '{0}'? It is clear only with exactly one own bishop on the board; write L/l (light) or D/d (dark)"
    )]
    AmbiguousBishop(char),
    #[error("side: expected 'w' or 'b', got '{0}'")]
    Side(String),
    #[error("castling: expected '-' or letters of KQkqEe, got '{0}'")]
    Castling(String),
    #[error("en passant: expected '-' or a square, got '{0}'")]
    EnPassant(String),
    #[error("halfmove clock: expected a number from 0 to 65535, got '{0}'")]
    Halfmove(String),
    #[error("fullmove number: expected a number from 1 to 65535, got '{0}'")]
    Fullmove(String),
    #[error("impossible position: {0}")]
    Invalid(#[from] ValidityError),
}

/// Something in a FEN that can't be true here and was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenNote {
    /// A castling letter without king or rook to match.
    CastlingDropped(char),
    /// An en passant square on which no capture is legal.
    EnPassantDropped(Square),
}

impl fmt::Display for FenNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CastlingDropped(letter) => write!(f, "castling letter {letter} dropped: impossible here"),
            Self::EnPassantDropped(square) => {
                write!(f, "en passant square {square} dropped: no such capture is legal")
            }
        }
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::read_fen(text).map(|(position, _)| position)
    }
}

impl Position {
    /// Reads an extended FEN, and says what it left out.
    ///
    /// # Errors
    /// When the text is no FEN or the position can't be; the error names the field and what was expected.
    ///
    /// ```
    /// use kingchess::rules::Position;
    /// let (position, notes) = Position::read_fen("4k3/8/8/8/8/8/8/4K3[Pp] w K - 0 1")?;
    /// assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K3[Pp] w - - 0 1");
    /// assert_eq!(notes.len(), 1);
    /// # Ok::<(), kingchess::rules::FenError>(())
    /// ```
    pub fn read_fen(text: &str) -> Result<(Self, Vec<FenNote>), FenError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (&[board, side, castling, en_passant], clocks) = fields
            .split_first_chunk::<4>()
            .filter(|(_, clocks)| clocks.len() <= 2)
            .ok_or(FenError::FieldCount(fields.len()))?;
        let mut position = Self::empty();
        let (rows, reserve) = split_board(board)?;
        position.read_rows(&rows)?;
        position.read_reserve(reserve)?;
        position.side = match side {
            "w" | "W" => Color::White,
            "b" | "B" => Color::Black,
            _ => return Err(FenError::Side(excerpt(side))),
        };
        if let Some(text) = clocks.first() {
            position.halfmove = text.parse().map_err(|_| FenError::Halfmove(excerpt(text)))?;
        }
        if let Some(text) = clocks.get(1) {
            // Some programs count from 0.
            position.fullmove = text.parse::<u16>().map_err(|_| FenError::Fullmove(excerpt(text)))?.max(1);
        }
        position.validate()?;
        let mut notes = Vec::new();
        position.read_castling(castling, &mut notes)?;
        position.update_checks();
        position.read_en_passant(en_passant, &mut notes)?;
        position.refresh();
        Ok((position, notes))
    }

    fn read_rows(&mut self, rows: &[&str]) -> Result<(), FenError> {
        for (row, rank) in rows.iter().zip((0..8u8).rev()) {
            let mut file = 0u32;
            for letter in row.chars() {
                if let Some(skip @ 1..=8) = letter.to_digit(10) {
                    file += skip;
                } else {
                    let (kind, color) = piece(letter).ok_or(FenError::BoardLetter(letter))?;
                    if file < 8 {
                        self.put(color, kind, Square::at(file as u8, rank));
                    }
                    file += 1;
                }
                // A row may be of any length: stop before the count could overflow.
                if file > 64 {
                    break;
                }
            }
            if file != 8 {
                return Err(FenError::RankWidth { rank: usize::from(rank) + 1, width: file });
            }
        }
        Ok(())
    }

    fn read_reserve(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        // Bishops whose colour is not said, by side.
        let (mut white_bishops, mut black_bishops) = (0, 0);
        let mut count: Option<u32> = None;
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                count = Some((count.unwrap_or(0) * 10 + digit).min(99));
                continue;
            }
            let color = if letter.is_ascii_lowercase() { Color::Black } else { Color::White };
            let times = count.take().unwrap_or(1);
            let kind = match letter.to_ascii_uppercase() {
                'B' => None,
                'L' => Some(ReserveKind::LightBishop),
                'D' => Some(ReserveKind::DarkBishop),
                _ => {
                    let (kind, _) = piece(letter).ok_or(FenError::ReserveLetter(letter))?;
                    // Not a bishop: the square does not matter.
                    Some(kind.reserve_kind(Square::A1))
                }
            };
            for _ in 0..times {
                match kind {
                    Some(kind) => self.add_to_reserve(color, kind, letter)?,
                    None if color == Color::White => white_bishops += 1,
                    None => black_bishops += 1,
                }
            }
        }
        if let Some(count) = count {
            return Err(FenError::ReserveLetter(char::from_digit(count % 10, 10).unwrap_or('0')));
        }
        self.place_bishops(Color::White, white_bishops)?;
        self.place_bishops(Color::Black, black_bishops)
    }

    /// Gives the bishops written without their colour the one that is left for them.
    fn place_bishops(&mut self, color: Color, count: u32) -> Result<(), FenError> {
        use ReserveKind::{DarkBishop, LightBishop};
        let letter = Kind::Bishop.letter_of(color);
        match (count, self.reserve(color).has(LightBishop), self.reserve(color).has(DarkBishop)) {
            (0, ..) => Ok(()),
            (1, true, false) => self.add_to_reserve(color, DarkBishop, letter),
            (1, false, true) => self.add_to_reserve(color, LightBishop, letter),
            (1, false, false) => {
                let mut on_board = self.pieces(color, Kind::Bishop);
                match (on_board.next(), on_board.next()) {
                    (Some(square), None) if square.is_light() => {
                        self.add_to_reserve(color, DarkBishop, letter)
                    }
                    (Some(_), None) => self.add_to_reserve(color, LightBishop, letter),
                    _ => Err(FenError::AmbiguousBishop(letter)),
                }
            }
            (2, false, false) => {
                self.add_to_reserve(color, LightBishop, letter)?;
                self.add_to_reserve(color, DarkBishop, letter)
            }
            _ => Err(FenError::ReserveCount(letter)),
        }
    }

    fn add_to_reserve(&mut self, color: Color, kind: ReserveKind, letter: char) -> Result<(), FenError> {
        let reserve = self.reserve(color);
        if reserve.count(kind) >= kind.full_count() {
            return Err(FenError::ReserveCount(letter));
        }
        self.set_reserve(color, reserve.with(kind));
        Ok(())
    }

    fn read_castling(&mut self, text: &str, notes: &mut Vec<FenNote>) -> Result<(), FenError> {
        let mut castling = Castling::NONE;
        let mut to_be = Vec::new();
        for letter in text.chars().filter(|_| text != "-") {
            let color = if letter.is_ascii_lowercase() { Color::Black } else { Color::White };
            let king_home = self.king(color) == Some(Wing::King.king_from(color));
            match letter.to_ascii_uppercase() {
                'K' | 'Q' => {
                    let wing = if letter.eq_ignore_ascii_case(&'K') { Wing::King } else { Wing::Queen };
                    if king_home && self.pieces(color, Kind::Rook).has(wing.rook_from(color)) {
                        castling = castling.with(color, wing);
                    } else {
                        notes.push(FenNote::CastlingDropped(letter));
                    }
                }
                'E' => to_be.push((letter, color, king_home)),
                _ => return Err(FenError::Castling(excerpt(text))),
            }
        }
        for (letter, color, king_home) in to_be {
            let settled = castling.settled(color, king_home, self.reserve(color).has(ReserveKind::Rook));
            if settled.to_be(color) {
                castling = settled;
            } else {
                notes.push(FenNote::CastlingDropped(letter));
            }
        }
        self.castling = castling;
        Ok(())
    }

    fn read_en_passant(&mut self, text: &str, notes: &mut Vec<FenNote>) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let square = Square::parse(text.as_bytes()).ok_or_else(|| FenError::EnPassant(excerpt(text)))?;
        self.en_passant = self.can_take_en_passant(square).then_some(square);
        if self.en_passant.is_none() {
            notes.push(FenNote::EnPassantDropped(square));
        }
        Ok(())
    }

    /// The position as its one extended FEN, six fields.
    pub fn fen(&self) -> String {
        self.write_fen(true)
    }

    /// The position as a chess FEN, without the reserve: for `UCI_Variant chess`.
    pub fn chess_fen(&self) -> String {
        self.write_fen(false)
    }

    fn write_fen(&self, with_reserve: bool) -> String {
        let mut text = String::with_capacity(80);
        for rank in (0..8).rev() {
            let mut empty = 0u8;
            for file in 0..8 {
                let square = Square::at(file, rank);
                match (self.kind_at(square), self.color_at(square)) {
                    (Some(kind), Some(color)) => {
                        push_skip(&mut text, &mut empty);
                        text.push(kind.letter_of(color));
                    }
                    _ => empty += 1,
                }
            }
            push_skip(&mut text, &mut empty);
            if rank > 0 {
                text.push('/');
            }
        }
        if with_reserve {
            text.push('[');
            for color in Color::ALL {
                text.push_str(&reserve_letters(self.reserve(color), color));
            }
            text.push(']');
        }
        text.push_str(if self.side == Color::White { " w " } else { " b " });
        text.push_str(&self.castling_letters());
        match self.en_passant {
            Some(square) => text.push_str(&format!(" {square}")),
            None => text.push_str(" -"),
        }
        text.push_str(&format!(" {} {}", self.halfmove, self.fullmove));
        text
    }

    /// The castling field of the FEN.
    pub fn castling_letters(&self) -> String {
        let mut letters = String::new();
        for color in Color::ALL {
            let mut push = |letter: char| {
                letters.push(if color == Color::White { letter } else { letter.to_ascii_lowercase() });
            };
            if self.castling.has(color, Wing::King) {
                push('K');
            }
            if self.castling.has(color, Wing::Queen) {
                push('Q');
            }
            if self.castling.to_be(color) {
                push('E');
            }
        }
        if letters.is_empty() {
            letters.push('-');
        }
        letters
    }
}

/// A reserve in FEN letters: both bishops `BB`, one `L` or `D`.
pub fn reserve_letters(reserve: Reserve, color: Color) -> String {
    let both = reserve.has(ReserveKind::LightBishop) && reserve.has(ReserveKind::DarkBishop);
    let mut letters = String::new();
    for kind in reserve.kinds() {
        let letter = if both && kind.kind() == Kind::Bishop { 'B' } else { kind.letter() };
        let letter = if color == Color::White { letter } else { letter.to_ascii_lowercase() };
        letters.extend(std::iter::repeat_n(letter, reserve.count(kind).into()));
    }
    letters
}

fn push_skip(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

fn piece(letter: char) -> Option<(Kind, Color)> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    Some((Kind::from_letter(u8::try_from(letter).ok()?)?, color))
}

/// Splits the first field into its eight rows and the reserve, which stands in brackets or as a ninth row.
fn split_board(text: &str) -> Result<(Vec<&str>, &str), FenError> {
    let (board, bracket) = match text.split_once('[') {
        Some((board, rest)) => {
            let inside = rest.strip_suffix(']').ok_or_else(|| FenError::OpenBracket(excerpt(rest)))?;
            (board, Some(inside))
        }
        None => (text, None),
    };
    let mut rows: Vec<&str> = board.split('/').collect();
    let ninth = if rows.len() == 9 && bracket.is_none() { rows.pop() } else { None };
    if rows.len() != 8 {
        return Err(FenError::RankCount(rows.len()));
    }
    Ok((rows, bracket.or(ninth).unwrap_or("")))
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}
