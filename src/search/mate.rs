//! Can the side to act give mate at once: by a move, a drop of one piece, or a drop of several?
//!
//! The answer is exact and enumerates no sets. A mating set is grown from nothing. As long as it does not mate, something
//! is in the way: no check yet, or one certain answer of the defender. In any larger set that mates, one of the added
//! pieces must undo just that answer, and which pieces can is easy to list, since further pieces only ever shorten lines:
//! a piece that guards a square in the final position guards it when it is added first. So the search branches on those
//! pieces only; a piece whose branch has failed is left out of the branches after it (it belongs to no mating set there).

use crate::rules::{Position, Targets, Wanted, attacks};
use crate::types::{Action, Bitboard, Drop, DropSet, Kind, Move, Reserve, ReserveKind, Square};

/// How far a search for a mate may go.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The most pieces a mating drop may have.
    pub pieces: usize,
    /// The most sets looked at.
    pub sets: u32,
}

impl Effort {
    /// Everything: the answer is exact for every position met in practice.
    pub const WHOLE: Self = Self { pieces: 16, sets: 200_000 };
}

/// An action that mates at once, if there is one within the effort.
pub fn mate_in_one(position: &Position, effort: Effort) -> Option<Action> {
    mating_move(position).map(Action::Move).or_else(|| mating_set(position, effort).map(Action::Drops))
}

/// A move that mates.
fn mating_move(position: &Position) -> Option<Move> {
    let mut mate = None;
    position.visit_moves(Wanted::ALL, |targets: Targets| {
        mate = targets.moves().find(|&mv| {
            let mut child = *position;
            child.play_move(mv);
            child.is_checkmate()
        });
        mate.is_some()
    });
    mate
}

/// A drop of one piece or more that mates.
pub(super) fn mating_set(position: &Position, effort: Effort) -> Option<DropSet> {
    let us = position.side();
    let reserve = position.reserve(us);
    let king = position.king(!us)?;
    if reserve.is_empty() || !worth_looking(position, king, effort) {
        return None;
    }
    let mut search = MateSearch { position, king, effort };
    search.extend(DropSet::EMPTY, reserve, [Bitboard::EMPTY; 7])
}

/// Might few pieces mate? From next to the king or as knights they can't be blocked; lines that can be blocked from a
/// reserve mate only if they are more than its pieces.
fn worth_looking(position: &Position, king: Square, effort: Effort) -> bool {
    let (us, them) = (position.side(), !position.side());
    let near = attacks::king(king) | attacks::knight(king);
    let contact = near.meets(us.half() - position.occupied());
    contact || (position.reserve(them).total() as usize) < effort.pieces
}

struct MateSearch<'p> {
    position: &'p Position,
    /// The king to be mated.
    king: Square,
    effort: Effort,
}

/// Squares for each reserve kind.
type Places = [Bitboard; 7];

impl MateSearch<'_> {
    /// A mating set that contains `set` and none of the `excluded` drops.
    fn extend(&mut self, set: DropSet, reserve: Reserve, excluded: Places) -> Option<DropSet> {
        self.effort.sets = self.effort.sets.checked_sub(1)?;
        let needed = self.needed(set)?;
        match needed {
            Needed::Nothing => Some(set),
            Needed::OneOf(places) => {
                if set.len() >= self.effort.pieces {
                    return None;
                }
                self.branch(set, reserve, excluded, places)
            }
        }
    }

    fn branch(
        &mut self,
        set: DropSet,
        reserve: Reserve,
        mut excluded: Places,
        places: Places,
    ) -> Option<DropSet> {
        let us = self.position.side();
        let taken: Bitboard = set.drops(us).map(|drop| drop.square).collect();
        for kind in reserve.kinds() {
            let squares = places[kind as usize] & (self.position.landing(kind) - taken);
            for square in squares - excluded[kind as usize] {
                let with = set.with(Drop { kind: kind.kind(), square });
                let found = self.extend(with, reserve.without(kind), excluded);
                if found.is_some() {
                    return found;
                }
                excluded[kind as usize] |= square;
            }
        }
        None
    }

    /// What a set still lacks. `None`: nothing can be added to make it mate.
    fn needed(&self, set: DropSet) -> Option<Needed> {
        let us = self.position.side();
        let Some(own_king) = self.own_king(set) else {
            let mut places = [Bitboard::EMPTY; 7];
            places[ReserveKind::King as usize] = Bitboard::FULL;
            return Some(Needed::OneOf(places));
        };
        let landed: Bitboard = set.drops(us).map(|drop| drop.square).collect();
        let checks = self.position.check_lines(own_king);
        if let Some(&open) = checks.lines()?.iter().find(|line| !line.meets(landed)) {
            return Some(Needed::OneOf([open; 7]));
        }
        if set.is_empty() {
            return Some(Needed::OneOf(self.reaching(self.king, self.position.occupied())));
        }
        let mut child = *self.position;
        child.play_set(set);
        if !child.in_check() {
            return Some(Needed::OneOf(self.reaching(self.king, child.occupied())));
        }
        if let Some(places) = self.against_king(&child) {
            return places.iter().any(|squares| squares.nonempty()).then_some(Needed::OneOf(places));
        }
        if let Some(mv) = first_piece_move(&child) {
            return Some(Needed::OneOf(self.against_move(&child, mv)));
        }
        if child.has_drop() {
            // Its blockers must be overcome by one more line, or by a contact check.
            return Some(Needed::OneOf(self.reaching(self.king, child.occupied())));
        }
        Some(Needed::Nothing)
    }

    fn own_king(&self, set: DropSet) -> Option<Square> {
        let us = self.position.side();
        let dropped = || set.drops(us).find(|drop| drop.kind == Kind::King).map(|drop| drop.square);
        self.position.king(us).or_else(dropped)
    }

    /// Where pieces of each kind attack `target` when dropped.
    fn reaching(&self, target: Square, occupied: Bitboard) -> Places {
        let us = self.position.side();
        let straight = attacks::rook(target, occupied);
        let diagonal = attacks::bishop(target, occupied);
        let mut places = [Bitboard::EMPTY; 7];
        places[ReserveKind::Queen as usize] = straight | diagonal;
        places[ReserveKind::Rook as usize] = straight;
        places[ReserveKind::LightBishop as usize] = diagonal;
        places[ReserveKind::DarkBishop as usize] = diagonal;
        places[ReserveKind::Knight as usize] = attacks::knight(target);
        places[ReserveKind::Pawn as usize] = attacks::pawn(!us, target);
        // A king that is yet to land guards squares too.
        places[ReserveKind::King as usize] = attacks::king(target);
        places
    }

    /// Drops that guard a square to which the king can go: that with the fewest. `None` if it can go nowhere.
    fn against_king(&self, child: &Position) -> Option<Places> {
        let mut fewest: Option<(u32, Places)> = None;
        let us = self.position.side();
        let reserve = self.position.reserve(us);
        // The king does not shield the squares behind it.
        let occupied = child.occupied() ^ self.king;
        child.king_flights().for_each(|flight| {
            let mut places = self.reaching(flight, occupied);
            let mut count = 0;
            for kind in ReserveKind::ALL {
                places[kind as usize] &= self.position.landing(kind) - child.occupied();
                if reserve.has(kind) {
                    count += places[kind as usize].count();
                }
            }
            if fewest.is_none_or(|(least, _)| count < least) {
                fewest = Some((count, places));
            }
        });
        fewest.map(|(_, places)| places)
    }

    /// Drops after which this answer (a capture or a block by a piece) no longer ends all checks, or can't be played.
    fn against_move(&self, child: &Position, mv: Move) -> Places {
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = (child.occupied() - from) | to;
        let pawn = child.kind_at(from) == Some(Kind::Pawn);
        if pawn && child.en_passant() == Some(to) {
            occupied = occupied - Square::at(to.file(), from.rank());
        }
        let mut places = self.reaching(self.king, occupied);
        let mut path = attacks::between(from, to);
        if pawn && from.file() == to.file() {
            path |= to;
        }
        places.iter_mut().for_each(|squares| *squares |= path);
        places
    }
}

enum Needed {
    /// It mates.
    Nothing,
    /// One of these drops must be added.
    OneOf(Places),
}

/// A legal move of a piece other than the king.
fn first_piece_move(position: &Position) -> Option<Move> {
    let mut found = None;
    position.visit_moves(Wanted::ALL, |targets| {
        if targets.kind != Kind::King {
            found = targets.moves().next();
        }
        found.is_some()
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(fen: &str) -> Option<String> {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let action = mate_in_one(&position, Effort::WHOLE)?;
        assert!(position.is_legal(action) && position.after(action).is_checkmate());
        Some(action.token(position.side()).to_string())
    }

    #[test]
    fn every_mate_of_the_suite_is_found_and_takes_as_many_pieces() {
        for line in include_str!("../../tests/suites/mate1-drops.epd").lines().filter(|l| !l.starts_with('#'))
        {
            let fen = line.split(';').next().unwrap_or_default();
            assert!(mate(fen).is_some(), "{fen}");
        }
    }

    #[test]
    fn a_contact_check_can_mate() {
        assert_eq!(mate("8/8/8/8/7k/5K2/8/8[Qqr] w - - 0 30").as_deref(), Some("Q@g4"));
    }

    #[test]
    fn a_line_that_can_be_blocked_is_no_mate() {
        assert_eq!(mate("6k1/5ppp/8/8/8/8/8/K7[R] w - - 0 30").as_deref(), None);
        assert_eq!(mate("6k1/5ppp/8/8/8/8/8/K3R3[r] w - - 0 30"), None);
        assert_eq!(mate("6k1/5ppp/8/8/8/8/8/K3R3[] w - - 0 30").as_deref(), Some("e1e8"));
    }

    #[test]
    fn the_second_action_can_mate() {
        assert!(mate("8/8/8/8/7K/8/8/8[QRRBBNNPPPPPPPPkqrrbbnnpppppppp] b - - 0 1").is_some());
    }
}
