//! Ordinary moves, generated as sets of targets, legal from the start: check and pin masks, no try-and-undo.

use super::{Position, attacks};
use crate::types::{Bitboard, Kind, Move, Square, Wing};

/// The legal targets of one piece. Handing out sets makes counting and filtering free.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    /// The kind of the moving piece.
    pub kind: Kind,
    /// Where it stands.
    pub from: Square,
    /// Where it may go; a pawn's target on its last rank stands for four promotions.
    pub to: Bitboard,
}

impl Targets {
    /// The moves one by one; promotions queen first.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        let promoting = self.promotions();
        let plain = (self.to ^ promoting).filter_map(move |to| Move::new(self.from, to));
        let promotions = promoting
            .filter_map(move |to| Move::new(self.from, to))
            .flat_map(|mv| Kind::PROMOTIONS.into_iter().map(move |kind| mv.promoting(kind)));
        promotions.chain(plain)
    }

    /// How many moves these are.
    #[inline]
    pub fn count(self) -> u64 {
        u64::from(self.to.count() + 3 * self.promotions().count())
    }

    #[inline]
    fn promotions(self) -> Bitboard {
        if self.kind == Kind::Pawn { self.to & Bitboard::EDGE_RANKS } else { Bitboard::EMPTY }
    }
}

/// Which targets are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Targets of all pieces but pawns.
    pub pieces: Bitboard,
    /// Targets of pawns.
    pub pawns: Bitboard,
}

impl Wanted {
    /// Every move.
    pub const ALL: Self = Self { pieces: Bitboard::FULL, pawns: Bitboard::FULL };
}

impl Position {
    /// The moves that change material: captures and promotions.
    pub fn noisy(&self) -> Wanted {
        let enemies = self.color(!self.side);
        let en_passant = self.en_passant.map_or(Bitboard::EMPTY, Bitboard::from);
        Wanted { pieces: enemies, pawns: enemies | en_passant | Bitboard::EDGE_RANKS }
    }

    /// The moves that do not: the complement of [`Position::noisy`].
    pub fn quiet(&self) -> Wanted {
        let Wanted { pieces, pawns } = self.noisy();
        Wanted { pieces: !pieces, pawns: !pawns }
    }

    /// Hands out the legal wanted targets of each piece, king last, until `visit` returns true; says whether it did.
    /// A piece may come twice: once more for its capture en passant.
    #[inline]
    pub fn visit_moves(&self, wanted: Wanted, mut visit: impl FnMut(Targets) -> bool) -> bool {
        let Some(king) = self.king(self.side) else { return false };
        // Against several checkers only the king can help.
        if !self.checkers.many() {
            let mask = self.target_mask(king);
            if self.visit_kind(Kind::Pawn, king, wanted.pawns & mask, &mut visit)
                || self.visit_pieces(king, wanted.pieces & mask, &mut visit)
                || self.visit_en_passant(wanted.pawns, &mut visit)
            {
                return true;
            }
        }
        let to = self.king_targets(king, wanted.pieces);
        to.nonempty() && visit(Targets { kind: Kind::King, from: king, to })
    }

    /// All pieces but pawns and king.
    #[inline]
    fn visit_pieces(&self, king: Square, allowed: Bitboard, visit: &mut impl FnMut(Targets) -> bool) -> bool {
        self.visit_kind(Kind::Knight, king, allowed, visit)
            || self.visit_kind(Kind::Bishop, king, allowed, visit)
            || self.visit_kind(Kind::Rook, king, allowed, visit)
            || self.visit_kind(Kind::Queen, king, allowed, visit)
    }

    /// All pieces of one kind, captures en passant left out.
    #[inline]
    fn visit_kind(
        &self,
        kind: Kind,
        king: Square,
        allowed: Bitboard,
        visit: &mut impl FnMut(Targets) -> bool,
    ) -> bool {
        for from in self.pieces(self.side, kind) {
            let mut to = self.pseudo_targets(kind, from) & allowed;
            if self.pinned.has(from) {
                to &= attacks::line(king, from);
            }
            if to.nonempty() && visit(Targets { kind, from, to }) {
                return true;
            }
        }
        false
    }

    /// The captures en passant. Rare, so each is tried out on the king's safety.
    #[inline]
    fn visit_en_passant(&self, wanted: Bitboard, visit: &mut impl FnMut(Targets) -> bool) -> bool {
        let us = self.side;
        let Some(square) = self.en_passant.filter(|&square| wanted.has(square)) else { return false };
        let mut capturers = attacks::pawn(!us, square) & self.pieces(us, Kind::Pawn);
        capturers.any(|from| {
            self.en_passant_is_safe(from, square)
                && visit(Targets { kind: Kind::Pawn, from, to: square.bit() })
        })
    }

    /// How many legal moves there are, drops left out.
    pub fn count_moves(&self) -> u64 {
        let Some(king) = self.king(self.side) else { return 0 };
        let mut count = self.king_targets(king, Bitboard::FULL).count();
        if !self.checkers.many() {
            let mask = self.target_mask(king);
            count += self.count_pawn_moves(king, mask);
            let mut add = |targets: Targets| {
                count += targets.to.count();
                false
            };
            self.visit_pieces(king, mask, &mut add);
            self.visit_en_passant(Bitboard::FULL, &mut add);
        }
        u64::from(count)
    }

    /// How many moves the pawns have, en passant left out. To be counted they need not be told apart: those that are
    /// not pinned step all at once.
    #[inline]
    fn count_pawn_moves(&self, king: Square, allowed: Bitboard) -> u32 {
        let us = self.side;
        let pawns = self.pieces(us, Kind::Pawn);
        let (occupied, enemies) = (self.occupied(), self.color(!us));
        let count = |to: Bitboard| {
            let to = to & allowed;
            to.count() + 3 * (to & Bitboard::EDGE_RANKS).count()
        };
        let free = pawns - self.pinned;
        let one = attacks::ahead(us, free) - occupied;
        let two = attacks::ahead(us, attacks::ahead(us, free & us.second_rank()) - occupied) - occupied;
        let attacked = attacks::ahead(us, free);
        let pinned = (pawns & self.pinned)
            .map(|from| count(self.pawn_targets(from, occupied) & attacks::line(king, from)));
        count(one)
            + count(two)
            + count(attacked.east() & enemies)
            + count(attacked.west() & enemies)
            + pinned.sum::<u32>()
    }

    /// Is there a legal move, drops left out?
    pub fn has_move(&self) -> bool {
        // The king first: in check it is the likeliest to have one.
        self.king(self.side).is_some_and(|king| {
            self.king_targets(king, Bitboard::FULL).nonempty() || self.visit_moves(Wanted::ALL, |_| true)
        })
    }

    /// Is this move legal here? Any move may be asked about.
    pub fn is_legal_move(&self, mv: Move) -> bool {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let (Some(kind), Some(king)) = (self.kind_at(from), self.king(us)) else { return false };
        if !self.color(us).has(from) || self.color(us).has(to) {
            return false;
        }
        let promotes = kind == Kind::Pawn && Bitboard::EDGE_RANKS.has(to);
        if promotes != mv.promotion().is_some() {
            return false;
        }
        if kind == Kind::King {
            return self.king_targets(king, to.bit()).nonempty();
        }
        if self.checkers.many() {
            return false;
        }
        if kind == Kind::Pawn && self.en_passant == Some(to) && attacks::pawn(us, from).has(to) {
            return self.en_passant_is_safe(from, to);
        }
        (self.pseudo_targets(kind, from) & self.target_mask(king)).has(to)
            && (!self.pinned.has(from) || attacks::line(king, from).has(to))
    }

    /// The squares where a piece other than the king may go: not on its own, and in check only where it ends the check.
    #[inline]
    fn target_mask(&self, king: Square) -> Bitboard {
        let mask = match self.checkers.first() {
            None => Bitboard::FULL,
            Some(checker) => attacks::between(king, checker) | checker,
        };
        mask - self.color(self.side)
    }

    /// Where a piece other than the king attacks, or a pawn may go; own pieces and the king's safety are not looked at.
    #[inline]
    fn pseudo_targets(&self, kind: Kind, from: Square) -> Bitboard {
        let occupied = self.occupied();
        match kind {
            Kind::Pawn => self.pawn_targets(from, occupied),
            Kind::Knight => attacks::knight(from),
            Kind::Bishop => attacks::bishop(from, occupied),
            Kind::Rook => attacks::rook(from, occupied),
            Kind::Queen => attacks::queen(from, occupied),
            Kind::King => Bitboard::EMPTY,
        }
    }

    #[inline]
    fn pawn_targets(&self, from: Square, occupied: Bitboard) -> Bitboard {
        let us = self.side;
        let one = attacks::ahead(us, from.bit()) - occupied;
        let two =
            if us.second_rank().has(from) { attacks::ahead(us, one) - occupied } else { Bitboard::EMPTY };
        one | two | attacks::pawn(us, from) & self.color(!us)
    }

    /// Where the king of the side to act may go.
    pub fn king_flights(&self) -> Bitboard {
        self.king(self.side).map_or(Bitboard::EMPTY, |king| self.king_targets(king, Bitboard::FULL))
    }

    /// The king's legal targets, castling included.
    #[inline]
    fn king_targets(&self, king: Square, wanted: Bitboard) -> Bitboard {
        let (us, them) = (self.side, !self.side);
        // The king does not shield the squares behind it.
        let occupied = self.occupied() ^ king;
        let near = self.leaper_attacks(them);
        let is_safe =
            |square: Square| !near.has(square) && !self.is_attacked_by_slider(square, them, occupied);
        let candidates = attacks::king(king) & (wanted - self.color(us));
        let mut to: Bitboard = candidates.filter(|&square| is_safe(square)).collect();
        if self.castling.any(us) && !self.in_check() {
            for wing in Wing::ALL {
                if self.castling.has(us, wing)
                    && wanted.has(wing.king_to(us))
                    && !wing.between(us).meets(occupied)
                    && is_safe(wing.rook_to(us))
                    && is_safe(wing.king_to(us))
                {
                    to |= wing.king_to(us);
                }
            }
        }
        to
    }
}
