use arrayvec::ArrayVec;

use super::{Position, attacks};
use crate::types::{Bitboard, Color, Kind, Reserve, ReserveKind, Square};

/// The most lines that can give check at once: one from each direction.
const MAX_LINES: usize = 8;

/// What a drop must block for a king on a certain square to be safe: one blocker on every checking line.
///
/// Lines from different directions share no square, so `n` lines need `n` blockers, and a set of drops is legal
/// exactly when it puts a piece on every line (rules.md, facts; search-design.md, lemmas 2 and 3).
#[derive(Clone, Debug)]
pub struct CheckLines {
    /// For each checking line, the empty squares of the dropping side's own half on which a piece blocks it.
    lines: ArrayVec<Bitboard, MAX_LINES>,
    /// Can every checker be blocked by a drop at all?
    blockable: bool,
}

impl CheckLines {
    fn new(king: Square, color: Color, checkers: Bitboard) -> Self {
        let mut lines = ArrayVec::new();
        let mut blockable = true;
        for checker in checkers {
            // Empty for knights, pawns and neighbours: no drop parries those.
            let line = attacks::between(king, checker) & color.half();
            blockable &= line.nonempty() && lines.try_push(line).is_ok();
        }
        Self { lines, blockable }
    }

    /// Is the king safe as it stands?
    #[inline]
    pub fn is_safe(&self) -> bool {
        self.blockable && self.lines.is_empty()
    }

    /// The lines to block; `None` if some checker can't be blocked by any drop.
    #[inline]
    pub fn lines(&self) -> Option<&[Bitboard]> {
        self.blockable.then_some(&self.lines)
    }

    /// Does a set that lands on these squares block every line?
    #[inline]
    pub fn are_blocked_by(&self, landed: Bitboard) -> bool {
        self.blockable && self.lines.iter().all(|line| line.meets(landed))
    }

    /// Could `more` further pieces block the lines that pieces on these squares leave open, by their number alone?
    #[inline]
    pub fn can_be_blocked_by_adding(&self, landed: Bitboard, more: usize) -> bool {
        self.blockable && self.lines.iter().filter(|line| !line.meets(landed)).count() <= more
    }

    /// Can pieces of this reserve block every line? A matching of lines to pieces: queens, rooks and knights block
    /// anywhere, pawns not on the own first rank, each bishop only on its colour.
    pub fn can_be_blocked(&self, reserve: Reserve, color: Color) -> bool {
        self.blockable && can_block(self.lines.clone(), reserve, color)
    }

    /// Can they, when another piece of the same drop lands on `square`? It blocks the line it stands on.
    pub fn can_be_blocked_with(&self, reserve: Reserve, color: Color, square: Square) -> bool {
        let mut lines = self.lines.clone();
        lines.retain(|line| !line.has(square));
        self.blockable && can_block(lines, reserve, color)
    }
}

fn can_block(mut lines: ArrayVec<Bitboard, MAX_LINES>, reserve: Reserve, color: Color) -> bool {
    let anywhere =
        reserve.count_of(Kind::Queen) + reserve.count_of(Kind::Rook) + reserve.count_of(Kind::Knight);
    let blockers = Blockers { color, anywhere, pawns: reserve.count(ReserveKind::Pawn) };
    blockers.match_bishops(&mut lines, reserve, &[ReserveKind::LightBishop, ReserveKind::DarkBishop])
}

/// The blockers that are alike.
struct Blockers {
    color: Color,
    anywhere: u8,
    pawns: u8,
}

impl Blockers {
    /// Tries each line for each bishop, or none, and matches the rest by counting.
    fn match_bishops(
        &self,
        lines: &mut ArrayVec<Bitboard, MAX_LINES>,
        reserve: Reserve,
        bishops: &[ReserveKind],
    ) -> bool {
        let Some((&bishop, others)) = bishops.split_first() else { return self.match_rest(lines) };
        if self.match_bishops(lines, reserve, others) {
            return true;
        }
        if !reserve.has(bishop) {
            return false;
        }
        for index in 0..lines.len() {
            if lines[index].meets(bishop.squares(self.color)) {
                let line = lines.swap_remove(index);
                let matched = self.match_bishops(lines, reserve, others);
                lines.push(line);
                let last = lines.len() - 1;
                lines.swap(index, last);
                if matched {
                    return true;
                }
            }
        }
        false
    }

    /// Pawns take what lines they can, pieces that stand anywhere the others.
    fn match_rest(&self, lines: &[Bitboard]) -> bool {
        let pawn_squares = ReserveKind::Pawn.squares(self.color);
        let for_pawns = lines.iter().filter(|line| line.meets(pawn_squares)).count();
        lines.len() - for_pawns.min(self.pawns.into()) <= self.anywhere.into()
    }
}

impl Position {
    /// What a drop of the side to act must block if its king stands, or is dropped, on this square.
    pub fn check_lines(&self, king: Square) -> CheckLines {
        let (us, them) = (self.side, !self.side);
        let checkers = if self.king(us) == Some(king) {
            self.checkers
        } else {
            self.attackers(king, self.occupied()) & self.color(them)
        };
        CheckLines::new(king, us, checkers)
    }
}
