//! Action tokens of the protocol: `e2e4`, `e7e8q`, `K@e1,P@e4`.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use thiserror::Error;

use crate::rules::{Position, attacks};
use crate::types::{Action, Color, Drop, DropSet, Kind, MAX_DROPS, Move, ReserveKind, Square, excerpt};

/// Why a word is no action at all, whatever the position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum ReadError {
    #[error("expected a move like e2e4 or e7e8q, or drops like K@e1,P@e4")]
    Unknown,
    #[error("expected 'PIECE@SQUARE' with a piece of KQRBNP and a square a1-h8, got '{0}'")]
    Drop(String),
    #[error("expected at most {MAX_DROPS} drops, got {0}")]
    TooManyDrops(usize),
    #[error("expected a promotion to q, r, b or n, got '{0}'")]
    Promotion(char),
    #[error("from and to are the same square")]
    SameSquare,
    #[error("{0} is not on the own half of the side to act")]
    WrongHalf(Square),
    #[error("two pieces on {0}")]
    SquareTwice(Square),
}

/// Why an action, though well written, is not legal here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum IllegalReason {
    #[error("{0} is occupied")]
    Occupied(Square),
    #[error("no {0} in reserve")]
    NotInReserve(&'static str),
    #[error("a pawn can't be dropped on {0}")]
    PawnRank(Square),
    #[error("the first action must drop the king")]
    KingMissing,
    #[error("the king would be in check")]
    KingInCheck,
    #[error("no piece of the side to act on {0}")]
    NoPiece(Square),
    #[error("a pawn that reaches the last rank must promote")]
    PromotionMissing,
    #[error("only a pawn that reaches the last rank promotes")]
    NoPromotion,
    #[error("the piece can't go there")]
    CantGo,
}

/// Why a word was not accepted as an action.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ActionError {
    /// It is no action.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is an action, but not legal here.
    #[error("illegal: {0}")]
    Illegal(#[from] IllegalReason),
}

/// Reads a token in any letter case and any order of drops.
///
/// # Errors
/// If the word is no action. Whether the action is legal is not looked at, but drops must be on the half of `color`.
pub fn read_action(word: &str, color: Color) -> Result<Action, ReadError> {
    if word.contains(['@', ',']) { read_drops(word, color) } else { read_move(word) }
}

/// Reads a token and checks that the action is legal.
///
/// # Errors
/// If the word is no action, or the action is not legal; the error says why.
///
/// ```
/// use kingchess::{notation::read_legal_action, rules::Position};
/// let start = Position::start();
/// let action = read_legal_action("p@e4,k@E1", &start)?;
/// assert_eq!(action.token(start.side()).to_string(), "K@e1,P@e4");
/// # Ok::<(), kingchess::notation::ActionError>(())
/// ```
pub fn read_legal_action(word: &str, position: &Position) -> Result<Action, ActionError> {
    let action = read_action(word, position.side())?;
    if position.is_legal(action) { Ok(action) } else { Err(explain(action, position).into()) }
}

fn read_move(word: &str) -> Result<Action, ReadError> {
    let bytes = word.as_bytes();
    let (Some(from), Some(to)) =
        (bytes.get(..2).and_then(Square::parse), bytes.get(2..4).and_then(Square::parse))
    else {
        return Err(ReadError::Unknown);
    };
    let mv = Move::new(from, to).ok_or(ReadError::SameSquare)?;
    // The first four bytes are ASCII, so the rest starts at a character.
    let mut rest = word.chars().skip(4);
    match (rest.next(), rest.next()) {
        (None, _) => Ok(Action::Move(mv)),
        (Some(letter), None) => match u8::try_from(letter).ok().and_then(Kind::from_letter) {
            Some(kind) if Kind::PROMOTIONS.contains(&kind) => Ok(Action::Move(mv.promoting(kind))),
            _ => Err(ReadError::Promotion(letter)),
        },
        _ => Err(ReadError::Unknown),
    }
}

fn read_drops(word: &str, color: Color) -> Result<Action, ReadError> {
    let parts = word.split(',').count();
    if parts > MAX_DROPS {
        return Err(ReadError::TooManyDrops(parts));
    }
    let mut set = DropSet::EMPTY;
    for part in word.split(',') {
        let drop = read_drop(part).ok_or_else(|| ReadError::Drop(excerpt(part)))?;
        if !color.half().has(drop.square) {
            return Err(ReadError::WrongHalf(drop.square));
        }
        if set.drops(color).any(|other| other.square == drop.square) {
            return Err(ReadError::SquareTwice(drop.square));
        }
        set = set.with(drop);
    }
    Ok(Action::Drops(set))
}

fn read_drop(part: &str) -> Option<Drop> {
    let (&[kind, b'@'], square) = part.as_bytes().split_first_chunk::<2>()? else { return None };
    Some(Drop { kind: Kind::from_letter(kind)?, square: Square::parse(square)? })
}

/// Says why an action that is not legal is not.
pub(super) fn explain(action: Action, position: &Position) -> IllegalReason {
    match action {
        Action::Move(mv) => explain_move(mv, position),
        Action::Drops(set) => explain_drops(set, position),
    }
}

fn explain_move(mv: Move, position: &Position) -> IllegalReason {
    let us = position.side();
    if position.king(us).is_none() {
        return IllegalReason::KingMissing;
    }
    let Some(kind) = position.kind_at(mv.from()).filter(|_| position.color(us).has(mv.from())) else {
        return IllegalReason::NoPiece(mv.from());
    };
    let last_rank = kind == Kind::Pawn && mv.to().relative_to(us).rank() == 7;
    match (last_rank, mv.promotion()) {
        (true, None) => return IllegalReason::PromotionMissing,
        (false, Some(_)) => return IllegalReason::NoPromotion,
        _ => {}
    }
    if reaches(position, kind, mv) { IllegalReason::KingInCheck } else { IllegalReason::CantGo }
}

/// Does the piece move that way, if the safety of its king is left aside? (Castling is not looked at.)
fn reaches(position: &Position, kind: Kind, mv: Move) -> bool {
    let (us, from, to) = (position.side(), mv.from(), mv.to());
    let occupied = position.occupied();
    let attacked = match kind {
        Kind::King => attacks::king(from),
        Kind::Queen => attacks::queen(from, occupied),
        Kind::Rook => attacks::rook(from, occupied),
        Kind::Bishop => attacks::bishop(from, occupied),
        Kind::Knight => attacks::knight(from),
        Kind::Pawn => attacks::pawn(us, from) & position.color(!us),
    };
    let steps = to.relative_to(us).rank().checked_sub(from.relative_to(us).rank());
    let pushes = match steps {
        Some(1) => true,
        Some(2) => us.second_rank().has(from),
        _ => false,
    };
    let pushed = kind == Kind::Pawn
        && from.file() == to.file()
        && pushes
        && !occupied.meets(attacks::between(from, to) | to);
    (attacked - position.color(us)).has(to) || pushed
}

fn explain_drops(set: DropSet, position: &Position) -> IllegalReason {
    let us = position.side();
    let mut reserve = position.reserve(us);
    for Drop { kind, square } in set.drops(us) {
        let reserve_kind = kind.reserve_kind(square);
        if !reserve.has(reserve_kind) {
            return IllegalReason::NotInReserve(name(reserve_kind));
        }
        reserve = reserve.without(reserve_kind);
        if position.occupied().has(square) {
            return IllegalReason::Occupied(square);
        }
        if !reserve_kind.squares(us).has(square) {
            return IllegalReason::PawnRank(square);
        }
    }
    if reserve.has(ReserveKind::King) { IllegalReason::KingMissing } else { IllegalReason::KingInCheck }
}

const fn name(kind: ReserveKind) -> &'static str {
    match kind {
        ReserveKind::King => "king",
        ReserveKind::Queen => "queen",
        ReserveKind::Rook => "rook",
        ReserveKind::LightBishop => "light-squared bishop",
        ReserveKind::DarkBishop => "dark-squared bishop",
        ReserveKind::Knight => "knight",
        ReserveKind::Pawn => "pawn",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_words_are_told_apart() {
        let read = |word: &str| read_action(word, Color::White);
        for word in ["K@é1", "K@", "@e4", "K@e1,", ",K@e1", "K@e1,,P@e4", "K@e1P@e4", "K@i1", "K@e9", "X@e1"]
        {
            assert!(matches!(read(word), Err(ReadError::Drop(_))), "{word}");
        }
        for word in ["e2", "е2е4", "", "0000", "e2e4qq", "e2é4", "\u{fffd}"] {
            assert_eq!(read(word), Err(ReadError::Unknown), "{word}");
        }
        assert_eq!(read("e2e2"), Err(ReadError::SameSquare));
        assert_eq!(read("e7e8x"), Err(ReadError::Promotion('x')));
        assert_eq!(read("e7e8k"), Err(ReadError::Promotion('k')));
        assert_eq!(read("e7e8é"), Err(ReadError::Promotion('é')));
        assert_eq!(read("P@e7"), Err(ReadError::WrongHalf(Square::E7)));
        assert_eq!(read("P@e4,N@e4"), Err(ReadError::SquareTwice(Square::E4)));
        let many = ["P@a2"; 17].join(",");
        assert_eq!(read(&many), Err(ReadError::TooManyDrops(17)));
    }

    #[test]
    fn reasons_name_the_rule() {
        let reason = |fen: &str, word: &str| {
            let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            match read_legal_action(word, &position) {
                Err(ActionError::Illegal(reason)) => reason,
                other => panic!("{word}: {other:?}"),
            }
        };
        let start = Position::start().fen();
        assert_eq!(reason(&start, "P@e4"), IllegalReason::KingMissing);
        assert_eq!(reason(&start, "e2e4"), IllegalReason::KingMissing);
        assert_eq!(reason(&start, "K@e1,P@d1"), IllegalReason::PawnRank(Square::D1));
        assert_eq!(reason(&start, "K@e1,B@c1,B@e3"), IllegalReason::NotInReserve("dark-squared bishop"));
        let fen = "k3r3/P7/8/8/8/4N3/4P3/4K3[P] w - - 0 9";
        assert_eq!(reason(fen, "P@e2"), IllegalReason::Occupied(Square::E2));
        assert_eq!(reason(fen, "e2e5"), IllegalReason::CantGo);
        assert_eq!(reason(fen, "d2d4"), IllegalReason::NoPiece(Square::D2));
        assert_eq!(reason(fen, "e2e3q"), IllegalReason::NoPromotion);
        let pinned = "k3r3/8/8/8/8/8/4N3/4K3[] w - - 0 9";
        assert_eq!(reason(pinned, "e2c3"), IllegalReason::KingInCheck);
        let checked = "k3r3/8/8/8/8/8/8/4K3[P] w - - 0 9";
        assert_eq!(reason(checked, "P@d2"), IllegalReason::KingInCheck);
        let promoting = "4k3/P7/8/8/8/8/8/4K3[] w - - 0 9";
        assert_eq!(reason(promoting, "a7a8"), IllegalReason::PromotionMissing);
    }
}
