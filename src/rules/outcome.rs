use std::fmt;

use super::Position;
use crate::types::{Bitboard, Kind, ReserveKind};

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to act is in check and has no legal action: it has lost.
    Checkmate,
    /// The side to act is not in check and has no legal action, not even a drop: a draw.
    Stalemate,
    /// A hundred actions in a row without capture, pawn move or drop: a draw.
    Fifty,
    /// The position stands for the third time: a draw.
    Repetition,
    /// Board and reserves together can't give mate: a draw.
    Material,
}

impl fmt::Display for Outcome {
    /// The word the protocol uses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Fifty => "fifty",
            Self::Repetition => "repetition",
            Self::Material => "material",
        })
    }
}

impl Position {
    /// Has the side to act any legal action?
    #[inline]
    pub fn has_action(&self) -> bool {
        // In check most answers are the king's; otherwise nearly any reserve will do.
        let drops_first = !self.in_check() && self.has_drop();
        drops_first || self.has_move() || self.has_drop()
    }

    /// Is the side to act checkmated?
    #[inline]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_action()
    }

    /// Do board and reserves together hold only K v K, K+N v K, or kings and bishops of one square colour?
    pub fn is_dead(&self) -> bool {
        let reserved = |kind: Kind| self.reserves.iter().any(|reserve| reserve.count_of(kind) > 0);
        let heavy = [Kind::Pawn, Kind::Rook, Kind::Queen];
        if heavy.iter().any(|&kind| self.kind(kind).nonempty() || reserved(kind)) {
            return false;
        }
        let bishops = |shade: Bitboard, kind: ReserveKind| {
            (self.kind(Kind::Bishop) & shade).nonempty()
                || self.reserves.iter().any(|reserve| reserve.has(kind))
        };
        let light = bishops(Bitboard::LIGHT, ReserveKind::LightBishop);
        let dark = bishops(Bitboard::DARK, ReserveKind::DarkBishop);
        let in_hand: u32 =
            self.reserves.iter().map(|reserve| u32::from(reserve.count_of(Kind::Knight))).sum();
        match self.kind(Kind::Knight).count() + in_hand {
            0 => !(light && dark),
            1 => !light && !dark,
            _ => false,
        }
    }

    /// How the game has ended here, repetition aside; `None` while it goes on. Mate on the hundredth action counts
    /// before the draw by the fifty-action rule.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_action() {
            return Some(if self.in_check() { Outcome::Checkmate } else { Outcome::Stalemate });
        }
        if self.halfmove >= 100 {
            Some(Outcome::Fifty)
        } else if self.is_dead() {
            Some(Outcome::Material)
        } else {
            None
        }
    }
}
