//! Which drops are legal, decided without enumerating any.

use super::Position;
use crate::types::{Bitboard, Color, Drop, DropSet, Kind, ReserveKind, Square};

impl Position {
    /// The empty squares of the own half where a piece of this kind could land, king safety aside.
    #[inline]
    pub fn landing(&self, kind: ReserveKind) -> Bitboard {
        kind.squares(self.side) - self.occupied()
    }

    /// The squares where the side to act may drop one piece of this kind and nothing else.
    pub fn single_drops(&self, kind: ReserveKind) -> Bitboard {
        let us = self.side;
        if !self.reserve(us).has(kind) {
            return Bitboard::EMPTY;
        }
        let landing = self.landing(kind);
        let Some(king) = self.king(us) else {
            // The first action must bring the king.
            return match kind {
                ReserveKind::King => {
                    landing.filter(|&s| !self.is_attacked(s, !us, self.occupied())).collect()
                }
                _ => Bitboard::EMPTY,
            };
        };
        if !self.in_check() {
            return landing;
        }
        match self.check_lines(king).lines() {
            Some([line]) => landing & *line,
            _ => Bitboard::EMPTY,
        }
    }

    /// Hands out the legal drops of one piece: each reserve kind with its squares.
    #[inline]
    pub fn visit_single_drops(&self, mut visit: impl FnMut(ReserveKind, Bitboard)) {
        let us = self.side;
        let reserve = self.reserve(us);
        if reserve.is_empty() {
            return;
        }
        let mask = match self.king(us) {
            None => {
                visit(ReserveKind::King, self.single_drops(ReserveKind::King));
                return;
            }
            Some(_) if !self.in_check() => Bitboard::FULL,
            Some(king) => match self.check_lines(king).lines() {
                Some([line]) => *line,
                _ => return,
            },
        };
        for kind in reserve.kinds() {
            let squares = self.landing(kind) & mask;
            if squares.nonempty() {
                visit(kind, squares);
            }
        }
    }

    /// Is this drop set legal here? Any integer may be asked about; only canonical sets are legal.
    pub fn is_legal_set(&self, set: DropSet) -> bool {
        let us = self.side;
        if !set.is_canonical() {
            return false;
        }
        let mut reserve = self.reserve(us);
        let mut landed = Bitboard::EMPTY;
        let mut king = self.king(us);
        for Drop { kind, square } in set.drops(us) {
            let reserve_kind = kind.reserve_kind(square);
            if !reserve.has(reserve_kind) || !self.landing(reserve_kind).has(square) || landed.has(square) {
                return false;
            }
            reserve = reserve.without(reserve_kind);
            landed |= square;
            if kind == Kind::King {
                king = Some(square);
            }
        }
        // Without a king on the board and in the set, the first action has left it behind.
        king.is_some_and(|king| self.king_is_safe_after(king, landed))
    }

    #[inline]
    fn king_is_safe_after(&self, king: Square, landed: Bitboard) -> bool {
        if self.king(self.side).is_some() && !self.in_check() {
            return true;
        }
        self.check_lines(king).are_blocked_by(landed)
    }

    /// Does the side to act have a legal drop, of any size? Decided by matching, never by trying.
    pub fn has_drop(&self) -> bool {
        let us = self.side;
        let reserve = self.reserve(us);
        if reserve.is_empty() {
            return false;
        }
        match self.king(us) {
            Some(king) if self.in_check() => self.check_lines(king).can_be_blocked(reserve, us),
            Some(_) => reserve.kinds().any(|kind| self.landing(kind).nonempty()),
            None => self.king_landings().nonempty(),
        }
    }

    /// The squares where a king in reserve may land in some legal drop.
    fn king_landings(&self) -> Bitboard {
        let us = self.side;
        let rest = self.reserve(us).without(ReserveKind::King);
        self.landing(ReserveKind::King)
            .filter(|&king| self.check_lines(king).can_be_blocked(rest, us))
            .collect()
    }

    /// The squares where a piece of this kind may stand after some legal drop of any size that includes it.
    pub fn drop_squares(&self, kind: Kind) -> Bitboard {
        ReserveKind::ALL
            .into_iter()
            .filter(|reserve_kind| reserve_kind.kind() == kind)
            .fold(Bitboard::EMPTY, |squares, kind| squares | self.reserve_drop_squares(kind))
    }

    fn reserve_drop_squares(&self, kind: ReserveKind) -> Bitboard {
        let us = self.side;
        if !self.reserve(us).has(kind) {
            return Bitboard::EMPTY;
        }
        match self.king(us) {
            Some(_) if !self.in_check() => self.landing(kind),
            Some(king) => self.squares_beside_king(kind, king, us),
            None if kind == ReserveKind::King => self.king_landings(),
            None => self.landing(ReserveKind::King).fold(Bitboard::EMPTY, |squares, king| {
                squares | (self.squares_beside_king(kind, king, us) - king)
            }),
        }
    }

    /// The squares for a piece whose king stands, or lands, on `king`: those from which the rest of the reserve can
    /// block every line that the piece itself does not.
    fn squares_beside_king(&self, kind: ReserveKind, king: Square, us: Color) -> Bitboard {
        let lines = self.check_lines(king);
        let mut rest = self.reserve(us).without(kind);
        if rest.has(ReserveKind::King) {
            rest = rest.without(ReserveKind::King);
        }
        self.landing(kind).filter(|&square| lines.can_be_blocked_with(rest, us, square)).collect()
    }
}
