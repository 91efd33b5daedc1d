//! Reading one action in any of the notations.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt;

use arrayvec::ArrayVec;
use thiserror::Error;

use super::bracket::Claim;
use super::token::explain;
use super::word::{self, FullMove, Word};
use super::{IllegalReason, ReadError};
use crate::rules::Position;
use crate::types::{Action, Bitboard, Color, Drop, DropSet, MAX_DROPS, Move, Square, Wing, excerpt};

/// An action, and the order in which somebody wrote its drops. The order means nothing in the game, but a record that is
/// converted keeps it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Written {
    action: Action,
    /// The drops of the action in the order written, which need not be the canonical one.
    order: DropSet,
}

impl Written {
    /// The action.
    pub fn action(self) -> Action {
        self.action
    }

    /// The drops of the side that takes the action, in the order written; none if it is a move.
    pub fn drops(self, color: Color) -> impl Iterator<Item = Drop> {
        self.order.drops(color)
    }
}

impl From<Action> for Written {
    /// The drops in canonical order.
    fn from(action: Action) -> Self {
        let order = match action {
            Action::Move(_) => DropSet::EMPTY,
            Action::Drops(set) => set,
        };
        Self { action, order }
    }
}

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} written {:x}", self.action, self.order.bits())
    }
}

/// Why a text was not accepted as an action.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WrittenError {
    /// It looks like a token or a move in full, but is none.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is an action, but not legal here.
    #[error("illegal: {0}")]
    Illegal(#[from] IllegalReason),
    /// It looks like nothing known.
    #[error("expected a move such as e2-e4, Ng1-f3, O-O or e2e4, or drops such as Ke1, d4, got '{0}'")]
    Unknown(String),
    /// It is a move as chess players shorten it.
    #[error("'{0}' is short algebraic notation (SAN), which is not read: write both squares, as in Ng1-f3")]
    Short(String),
    /// The letter before the square is not that of the piece on it.
    #[error("the piece on {square} is a {piece}, not a {letter}")]
    OtherPiece {
        /// Where the move begins.
        square: Square,
        /// What stands there.
        piece: &'static str,
        /// What is written.
        letter: &'static str,
    },
    /// A drop and a move, or several moves, where one action belongs.
    #[error("one action is one move, or drops alone")]
    Mixed,
    /// A drop on the wrong half that may have been meant as part of the action before it.
    #[error(
        "{0} is not on the own half of the side to act; drops of one action have commas between them or the reserve in brackets behind them"
    )]
    Half(Square),
}

/// Reads one legal action in any of the notations: `e2e4`, `K@e1,P@e4`, `Ng1-f3`, `Ke1, d4`, `Ke1 d4 (Q, 2R)`. What
/// stands in brackets must be a reserve, but need not be the true one.
///
/// # Errors
/// If the text is no action or the action is not legal in the position; the error says why.
///
/// ```
/// use kingchess::{notation::read_written, rules::Position};
/// let start = Position::start();
/// let tokens = ["K@e1,N@f3,P@d4", "Ke1, Nf3, d4", "Крe1 Кf3 d4 (Q, 2R, 2B, N, 7P)"];
/// for text in tokens {
///     let action = read_written(text, &start)?.action();
///     assert_eq!(action.token(start.side()).to_string(), tokens[0]);
/// }
/// # Ok::<(), kingchess::notation::WrittenError>(())
/// ```
pub fn read_written(text: &str, position: &Position) -> Result<Written, WrittenError> {
    let unknown = || WrittenError::Unknown(excerpt(text));
    let words = match text.trim_end().strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((words, inside)) => {
            Claim::read(inside).ok_or_else(unknown)?;
            words
        }
        None => text,
    };
    let mut words = words.split([',', ' ', '\t']).filter(|word| !word.is_empty());
    let first = word::read(words.next().ok_or_else(unknown)?)?.word;
    let mut drops = Drops::new();
    let mut next = first;
    loop {
        match next {
            Word::Drop(drop) | Word::TokenDrop(drop) => {
                drops.try_push(drop).map_err(|_| ReadError::TooManyDrops(MAX_DROPS + 1))?;
            }
            Word::Move(_) | Word::Castling(_) if !drops.is_empty() => return Err(WrittenError::Mixed),
            Word::Move(mv) => return only(full_move(mv, position)?, words.next()),
            Word::Castling(wing) => return only(castling(wing, position)?, words.next()),
        }
        match words.next() {
            Some(text) => next = word::read(text)?.word,
            None => return drop_all(&drops, position),
        }
    }
}

fn only(written: Written, next: Option<&str>) -> Result<Written, WrittenError> {
    if next.is_none() { Ok(written) } else { Err(WrittenError::Mixed) }
}

/// The drops of one action, in the order written.
pub(super) type Drops = ArrayVec<Drop, MAX_DROPS>;

/// The action of these drops, if it is legal.
pub(super) fn drop_all(drops: &[Drop], position: &Position) -> Result<Written, WrittenError> {
    let us = position.side();
    let mut codes = ArrayVec::<u8, MAX_DROPS>::new();
    let mut landed = Bitboard::EMPTY;
    for &drop in drops {
        let square = drop.square;
        if !us.half().has(square) {
            return Err(ReadError::WrongHalf(square).into());
        }
        if landed.has(square) {
            return Err(ReadError::SquareTwice(square).into());
        }
        landed |= square;
        codes.try_push(drop.code()).map_err(|_| ReadError::TooManyDrops(drops.len()))?;
    }
    let set = DropSet::from_codes(&codes).ok_or(ReadError::TooManyDrops(drops.len()))?;
    let order = codes.iter().rev().fold(0, |bits, &code| bits << 8 | u128::from(code));
    let action = Action::Drops(set);
    if position.is_legal(action) {
        Ok(Written { action, order: DropSet::from_bits(order) })
    } else {
        Err(explain(action, position).into())
    }
}

/// The move, if it is legal and of the piece that is written.
pub(super) fn full_move(
    FullMove { kind, mv }: FullMove,
    position: &Position,
) -> Result<Written, WrittenError> {
    let from = mv.from();
    if let (Some(letter), Some(piece)) = (kind, position.kind_at(from))
        && letter != piece
        && position.color(position.side()).has(from)
    {
        return Err(WrittenError::OtherPiece { square: from, piece: piece.name(), letter: letter.name() });
    }
    legal(Action::Move(mv), position)
}

/// Castling, if it is legal.
pub(super) fn castling(wing: Wing, position: &Position) -> Result<Written, WrittenError> {
    let us = position.side();
    let (from, to) = (wing.king_from(us), wing.king_to(us));
    let mv = Move::new(from, to).ok_or(ReadError::SameSquare)?;
    // Another piece may go the same way.
    match position.king(us) {
        Some(king) if king != from => Err(IllegalReason::CantGo.into()),
        _ => legal(Action::Move(mv), position),
    }
}

fn legal(action: Action, position: &Position) -> Result<Written, WrittenError> {
    if position.is_legal(action) { Ok(action.into()) } else { Err(explain(action, position).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_apart() {
        let start = Position::start();
        let read = |text: &str| read_written(text, &start).map(Written::action);
        assert_eq!(read("Ke1 e2-e4"), Err(WrittenError::Mixed));
        assert_eq!(read("Ke1 (e4)"), Err(WrittenError::Unknown("Ke1 (e4)".to_owned())));
        assert_eq!(read(""), Err(WrittenError::Unknown(String::new())));
        assert_eq!(read("Ke1, e5"), Err(ReadError::WrongHalf(Square::E5).into()));
        assert_eq!(read("Ke1, e4 e4"), Err(ReadError::SquareTwice(Square::E4).into()));
        assert_eq!(read(&["Ke1"; 17].join(",")), Err(ReadError::TooManyDrops(17).into()));
        assert_eq!(read("e4"), Err(IllegalReason::KingMissing.into()));
        let middle: Position = "k7/8/8/8/8/4R3/8/4K2R[] w K - 0 9".parse().expect("a FEN");
        let read = |text: &str| read_written(text, &middle).map(Written::action);
        assert_eq!(
            read("Ne3-f3"),
            Err(WrittenError::OtherPiece { square: Square::E3, piece: "rook", letter: "knight" })
        );
        assert_eq!(read("O-O-O"), Err(IllegalReason::CantGo.into()));
        assert_eq!(read("O-O O-O"), Err(WrittenError::Mixed));
        assert_eq!(read("O-O"), read("Ke1-g1"));
    }

    #[test]
    fn another_piece_does_not_castle() {
        let position: Position = "7k/8/8/8/8/8/8/K3R3[] w - - 0 9".parse().expect("a FEN");
        assert_eq!(read_written("O-O", &position), Err(IllegalReason::CantGo.into()));
        assert!(read_written("e1g1", &position).is_ok());
    }
}
