//! Playing actions. Nothing here checks legality: callers have it from [`Position::is_legal`] or from generation.

use super::{Position, attacks, keys};
use crate::types::{Action, Bitboard, Color, Drop, DropSet, Kind, Move, Short, Square, Wing};

impl Position {
    /// Plays a legal action.
    pub fn play(&mut self, action: Action) {
        match action {
            Action::Move(mv) => self.play_move(mv),
            Action::Drops(set) => self.play_set(set),
        }
    }

    /// Plays a legal move or drop of one piece.
    #[inline]
    pub fn play_short(&mut self, short: Short) {
        match (short.as_drop(), short.as_move()) {
            (Some(drop), _) => self.play_drop(drop),
            (None, Some(mv)) => self.play_move(mv),
            (None, None) => debug_assert!(false, "{short} is neither a move nor a drop"),
        }
    }

    /// Plays a legal move.
    pub fn play_move(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let Some(kind) = self.kind_at(from) else {
            debug_assert!(false, "{mv}: nothing on {from}");
            return;
        };
        let en_passant = self.begin();
        self.halfmove = self.halfmove.saturating_add(1);
        if let Some(captured) = self.kind_at(to) {
            self.remove(captured, to);
        }
        self.shift(kind, from, to);
        if kind == Kind::Pawn {
            self.halfmove = 0;
            if let Some(promoted) = mv.promotion() {
                self.promote(promoted, to);
            } else if en_passant == Some(to) {
                self.remove(Kind::Pawn, Square::at(to.file(), from.rank()));
            }
        } else if kind == Kind::King && from.file().abs_diff(to.file()) == 2 {
            let wing = if to.file() > from.file() { Wing::King } else { Wing::Queen };
            self.shift(Kind::Rook, wing.rook_from(self.side), wing.rook_to(self.side));
        }
        if self.castling.touched(from).touched(to) != self.castling {
            self.lose_castling(from, to);
        }
        self.end();
        if kind == Kind::Pawn && from.rank().abs_diff(to.rank()) == 2 {
            self.offer_en_passant(Square::new((from as u8).midpoint(to as u8)));
        }
    }

    /// Plays a legal drop of one piece.
    pub fn play_drop(&mut self, drop: Drop) {
        self.begin();
        self.land(drop);
        self.settle_drops();
    }

    /// Plays a legal drop set.
    pub fn play_set(&mut self, set: DropSet) {
        let us = self.side;
        self.begin();
        for drop in set.drops(us) {
            self.land(drop);
        }
        self.settle_drops();
    }

    /// Lets the side to act do nothing; only a search does this. The side must not be in check.
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.begin();
        self.halfmove = self.halfmove.saturating_add(1);
        self.end();
    }

    /// The key after a move or drop of one piece, or nearly: what castling, promotion and en passant change besides is left
    /// out. Good for asking early for what is known of the position to come.
    #[inline]
    pub fn key_soon(&self, short: Short) -> u64 {
        let us = self.side;
        let change = match (short.as_drop(), short.as_move()) {
            (Some(Drop { kind, square }), _) => {
                let reserve_kind = kind.reserve_kind(square);
                let count = self.reserve(us).count(reserve_kind);
                keys::piece(us, kind, square)
                    ^ keys::reserve_count(us, reserve_kind, count)
                    ^ keys::reserve_count(us, reserve_kind, count.wrapping_sub(1))
            }
            (None, Some(mv)) => {
                let (from, to) = (mv.from(), mv.to());
                let captured = self.kind_at(to).map_or(0, |kind| keys::piece(!us, kind, to));
                let moved = self
                    .kind_at(from)
                    .map_or(0, |kind| keys::piece(us, kind, from) ^ keys::piece(us, kind, to));
                captured ^ moved
            }
            (None, None) => 0,
        };
        let passed = self.en_passant.map_or(0, keys::en_passant);
        self.key ^ change ^ passed ^ keys::other_side()
    }

    /// What starts every action: the right to capture en passant is over.
    #[inline]
    fn begin(&mut self) -> Option<Square> {
        let en_passant = self.en_passant.take();
        if let Some(square) = en_passant {
            self.key ^= keys::en_passant(square);
        }
        en_passant
    }

    /// What ends every action: the other side is to act.
    #[inline]
    fn end(&mut self) {
        self.fullmove = self.fullmove.saturating_add(u16::from(self.side == Color::Black));
        self.side = !self.side;
        self.key ^= keys::other_side();
        self.update_checks();
    }

    /// Moves a piece of the side to act.
    #[inline]
    fn shift(&mut self, kind: Kind, from: Square, to: Square) {
        let us = self.side;
        let both = from.bit() | to.bit();
        self.kinds[kind as usize] ^= both;
        self.colors[us as usize] ^= both;
        self.board[from.index()] = None;
        self.board[to.index()] = Some(kind);
        self.key ^= keys::piece(us, kind, from) ^ keys::piece(us, kind, to);
    }

    /// Takes a captured piece from the board.
    #[inline]
    fn remove(&mut self, kind: Kind, square: Square) {
        let them = !self.side;
        self.take(them, kind, square);
        self.key ^= keys::piece(them, kind, square);
        self.halfmove = 0;
    }

    /// Turns a pawn that has reached its last rank into another piece.
    fn promote(&mut self, kind: Kind, square: Square) {
        let us = self.side;
        self.take(us, Kind::Pawn, square);
        self.put(us, kind, square);
        self.key ^= keys::piece(us, Kind::Pawn, square) ^ keys::piece(us, kind, square);
    }

    /// A king or rook has left its home or a rook was captured there: what castling is still possible? Seldom any
    /// change, so out of the way of the other moves.
    #[cold]
    fn lose_castling(&mut self, from: Square, to: Square) {
        let mut castling = self.castling.touched(from).touched(to);
        for color in Color::ALL {
            let king_stays = from != Wing::King.king_from(color);
            let virgin = self.castling.virgin_king(color) && king_stays;
            castling = castling.settled(color, virgin, self.rook_in_reserve(color));
        }
        self.set_castling(castling);
    }

    /// Moves one piece from the reserve to the board.
    #[inline]
    fn land(&mut self, Drop { kind, square }: Drop) {
        let us = self.side;
        let reserve_kind = kind.reserve_kind(square);
        let reserve = self.reserve(us);
        let count = reserve.count(reserve_kind);
        self.reserves[us as usize] = reserve.without(reserve_kind);
        self.put(us, kind, square);
        self.key ^= keys::piece(us, kind, square)
            ^ keys::reserve_count(us, reserve_kind, count)
            ^ keys::reserve_count(us, reserve_kind, count - 1);
        if kind == Kind::Rook || kind == Kind::King {
            // Drops of one set come in written order, so the king lands before its rooks.
            self.set_castling(self.castling.landed(us, kind, square, self.rook_in_reserve(us)));
        }
    }

    #[inline]
    fn settle_drops(&mut self) {
        self.halfmove = 0;
        self.end();
    }

    /// Does a side hold a rook in hand?
    pub(super) fn rook_in_reserve(&self, color: Color) -> bool {
        self.reserve(color).count_of(Kind::Rook) > 0
    }

    fn set_castling(&mut self, castling: crate::types::Castling) {
        self.key ^= keys::castling(self.castling) ^ keys::castling(castling);
        self.castling = castling;
    }

    /// A pawn has stepped over `square`: the right to capture it there exists only if such a capture is legal.
    fn offer_en_passant(&mut self, square: Square) {
        let us = self.side;
        let capturers: Bitboard = attacks::pawn(!us, square) & self.pieces(us, Kind::Pawn);
        for from in capturers {
            if self.en_passant_is_safe(from, square) {
                self.en_passant = Some(square);
                self.key ^= keys::en_passant(square);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Wanted;

    /// For drops and for moves that capture or not, but for castling, promotion and en passant, it is the very key.
    #[test]
    fn the_key_to_come_is_known_before() {
        for fen in [
            "r3k2r/ppp2ppp/8/3pP3/8/8/PPP2PPP/R3K2R[QNLqnd] w KQkq d6 0 1",
            "4k3/P7/8/2b5/8/4N3/8/R3K3[RPPq] w Q - 0 1",
        ] {
            let position: Position = fen.parse().expect("a position");
            let mut seen = (0, 0);
            let mut check = |short: Short| {
                let mut child = position;
                child.play_short(short);
                let same = child.castling == position.castling && child.en_passant.is_none();
                let plain = short.as_move().is_none_or(|mv| {
                    let kind = position.kind_at(mv.from());
                    let two = mv.from().file().abs_diff(mv.to().file()) == 2;
                    let castles = kind == Some(Kind::King) && two;
                    let passes = kind == Some(Kind::Pawn) && position.en_passant == Some(mv.to());
                    mv.promotion().is_none() && !castles && !passes
                });
                seen.0 += 1;
                if same && plain {
                    assert_eq!(position.key_soon(short), child.key(), "{short} in {fen}");
                    seen.1 += 1;
                }
            };
            position.visit_moves(Wanted::ALL, |targets| {
                targets.moves().for_each(|mv| check(mv.into()));
                false
            });
            position.visit_single_drops(|kind, squares| {
                squares.for_each(|square| check(Drop { kind: kind.kind(), square }.into()));
            });
            assert!(seen.1 > 20 && seen.1 <= seen.0, "{seen:?}");
        }
    }
}
