//! Positions with a piece less, to see what the piece is worth.

use super::Position;
use crate::types::{Color, Kind, ReserveKind, Square};

impl Position {
    /// The position without the piece on a square, everything else as it is; castling that needs the piece is gone.
    /// `None` if nothing stands there, if it is a king, or if the side that is not to act would then be in check.
    ///
    /// ```
    /// use kingchess::rules::Position;
    /// use kingchess::types::Square;
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R[] w K - 0 9".parse().unwrap();
    /// assert_eq!(position.without(Square::H1).unwrap().fen(), "4k3/8/8/8/8/8/8/4K3[] w - - 0 9");
    /// assert_eq!(position.without(Square::E1), None);
    /// ```
    pub fn without(&self, square: Square) -> Option<Self> {
        let kind = self.kind_at(square).filter(|&kind| kind != Kind::King)?;
        let mut left = *self;
        left.take(self.color_at(square)?, kind, square);
        left.castling = left.castling.touched(square);
        left.settle(self)
    }

    /// The position with one piece of a kind less in the reserve of a side, everything else as it is; castling that
    /// waits for the piece is gone. `None` if there is none or it is the king.
    pub fn without_reserve(&self, color: Color, kind: ReserveKind) -> Option<Self> {
        if kind == ReserveKind::King || !self.reserve(color).has(kind) {
            return None;
        }
        let mut left = *self;
        left.set_reserve(color, self.reserve(color).without(kind));
        left.settle(self)
    }

    /// Brings in order what depends on the piece that `whole` still had.
    fn settle(mut self, whole: &Self) -> Option<Self> {
        self.validate().ok()?;
        for color in Color::ALL {
            let (virgin, rook) = (whole.castling.virgin_king(color), self.rook_in_reserve(color));
            self.castling = self.castling.settled(color, virgin, rook);
        }
        self.update_checks();
        self.en_passant = self.en_passant.filter(|&square| self.can_take_en_passant(square));
        self.refresh();
        Some(self)
    }
}
