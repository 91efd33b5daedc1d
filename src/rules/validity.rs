//! Which positions can be: the checks shared by everything that builds a position from outside.

use thiserror::Error;

use super::{Position, attacks};
use crate::types::{Bitboard, Color, Kind, Reserve, ReserveKind, Square};

/// Why a position can't be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum ValidityError {
    #[error("expected one {} king on the board and in reserve together, got {count}", name(*color))]
    Kings { color: Color, count: u32 },
    #[error("the {} king is in reserve while its pieces stand on the board", name(*.0))]
    KingLeftBehind(Color),
    #[error("the {} king is in reserve after the other side has acted out of turn", name(*.0))]
    OutOfTurn(Color),
    #[error("a pawn stands on {0}; pawns never stand on ranks 1 and 8")]
    PawnRank(Square),
    #[error("{} has more than sixteen pieces", name(*.0))]
    TooMany(Color),
    #[error("{} has more than eight pawns", name(*.0))]
    TooManyPawns(Color),
    #[error("{} has more pieces than promotions of its missing pawns explain", name(*.0))]
    TooManyPromotions(Color),
    #[error("the kings stand next to each other")]
    AdjacentKings,
    #[error("{} is in check, but it is not its turn", name(*.0))]
    WrongSideInCheck(Color),
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

impl Position {
    /// Checks pieces, reserves and side to act; castling and en passant are not looked at.
    pub(super) fn validate(&self) -> Result<(), ValidityError> {
        for color in Color::ALL {
            self.validate_counts(color)?;
        }
        if let Some(square) = (self.kind(Kind::Pawn) & Bitboard::EDGE_RANKS).first() {
            return Err(ValidityError::PawnRank(square));
        }
        for color in Color::ALL {
            if self.king(color).is_none() && self.color(color).nonempty() {
                return Err(ValidityError::KingLeftBehind(color));
            }
        }
        self.validate_first_actions()?;
        if let (Some(white), Some(black)) = (self.king(Color::White), self.king(Color::Black))
            && attacks::king(white).has(black)
        {
            return Err(ValidityError::AdjacentKings);
        }
        let waiting = !self.side;
        if let Some(king) = self.king(waiting)
            && self.is_attacked(king, self.side, self.occupied())
        {
            return Err(ValidityError::WrongSideInCheck(waiting));
        }
        Ok(())
    }

    fn validate_counts(&self, color: Color) -> Result<(), ValidityError> {
        let reserve = self.reserve(color);
        let count = |kind: Kind| self.pieces(color, kind).count() + u32::from(reserve.count_of(kind));
        if count(Kind::King) != 1 {
            return Err(ValidityError::Kings { color, count: count(Kind::King) });
        }
        if self.color(color).count() + reserve.total() > 16 {
            return Err(ValidityError::TooMany(color));
        }
        let pawns = count(Kind::Pawn);
        if pawns > 8 {
            return Err(ValidityError::TooManyPawns(color));
        }
        let bishops = self.pieces(color, Kind::Bishop);
        let promoted: u32 = [
            count(Kind::Queen).saturating_sub(1),
            count(Kind::Rook).saturating_sub(2),
            count(Kind::Knight).saturating_sub(2),
            ((bishops & Bitboard::LIGHT).count() + u32::from(reserve.count(ReserveKind::LightBishop)))
                .saturating_sub(1),
            ((bishops & Bitboard::DARK).count() + u32::from(reserve.count(ReserveKind::DarkBishop)))
                .saturating_sub(1),
        ]
        .iter()
        .sum();
        if promoted > 8 - pawns {
            return Err(ValidityError::TooManyPromotions(color));
        }
        Ok(())
    }

    /// White acts first, and a side's first action brings its king.
    fn validate_first_actions(&self) -> Result<(), ValidityError> {
        let acted = Color::ALL.map(|color| self.king(color).is_some());
        match (acted, self.side) {
            ([false, true], _) | ([false, false], Color::Black) => {
                Err(ValidityError::OutOfTurn(Color::White))
            }
            ([true, false], Color::White) => Err(ValidityError::OutOfTurn(Color::Black)),
            _ => Ok(()),
        }
    }

    /// Can a pawn have just stepped over this square, and can it legally be captured there?
    pub(super) fn can_take_en_passant(&self, square: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        let seen = square.relative_to(us);
        if seen.rank() != 5 {
            return false;
        }
        let pawn = Square::at(seen.file(), 4).relative_to(us);
        let origin = Square::at(seen.file(), 6).relative_to(us);
        self.pieces(them, Kind::Pawn).has(pawn)
            && !self.occupied().has(square)
            && !self.occupied().has(origin)
            && (attacks::pawn(them, square) & self.pieces(us, Kind::Pawn))
                .into_iter()
                .any(|from| self.en_passant_is_safe(from, square))
    }

    pub(super) fn set_reserve(&mut self, color: Color, reserve: Reserve) {
        self.reserves[color as usize] = reserve;
    }
}
