use super::{attacks, keys};
use crate::types::{Bitboard, Castling, Color, Kind, Reserve, Square, Wing};

/// A position: everything the rules know except earlier positions (see [`super::Game`] for repetitions).
///
/// Always legal in the sense of the FEN checks: kings are on the board or in reserve, the side that is not to act is
/// not in check. It is small and copied to be played on ("copy-make"), so taking an action back is keeping the old
/// value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) kinds: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    pub(super) board: [Option<Kind>; 64],
    pub(super) key: u64,
    /// Pieces that attack the king of the side to act.
    pub(super) checkers: Bitboard,
    /// Pieces of the side to act that may not leave the line to their king.
    pub(super) pinned: Bitboard,
    pub(super) reserves: [Reserve; 2],
    pub(super) fullmove: u16,
    pub(super) halfmove: u16,
    pub(super) castling: Castling,
    pub(super) en_passant: Option<Square>,
    pub(super) side: Color,
}

impl Position {
    /// The start of Kingchess: an empty board, all pieces in reserve, White to act.
    pub fn start() -> Self {
        let mut position = Self::empty();
        position.reserves = [Reserve::FULL; 2];
        position.refresh();
        position
    }

    /// The start of ordinary chess: all pieces on the board, nothing in reserve.
    pub fn chess_start() -> Self {
        use Kind::*;
        let mut position = Self::empty();
        for (file, kind) in [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook].into_iter().enumerate()
        {
            for color in Color::ALL {
                let (back, front) = (Square::at(file as u8, 0), Square::at(file as u8, 1));
                position.put(color, kind, back.relative_to(color));
                position.put(color, Pawn, front.relative_to(color));
            }
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                position.castling = position.castling.with(color, wing);
            }
        }
        position.refresh();
        position
    }

    /// Nothing anywhere; not a position of the game, but what one is built from.
    pub(super) fn empty() -> Self {
        Self {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            board: [None; 64],
            key: 0,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            reserves: [Reserve::EMPTY; 2],
            fullmove: 1,
            halfmove: 0,
            castling: Castling::NONE,
            en_passant: None,
            side: Color::White,
        }
    }

    /// The side to act.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// All pieces of a kind, of both sides.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind as usize]
    }

    /// All pieces of a side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// A side's pieces of a kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: Kind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// A side's rooks and queens.
    #[inline]
    pub fn orthogonal(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(Kind::Rook) | self.kind(Kind::Queen))
    }

    /// A side's bishops and queens.
    #[inline]
    pub fn diagonal(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(Kind::Bishop) | self.kind(Kind::Queen))
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The kind of piece on a square, of either side.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        self.board[square.index()]
    }

    /// The side whose piece stands on a square.
    #[inline]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.color(color).has(square))
    }

    /// Where a side's king stands; `None` while it is in reserve.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Kind::King).first()
    }

    /// What a side holds in hand.
    #[inline]
    pub fn reserve(&self, color: Color) -> Reserve {
        self.reserves[color as usize]
    }

    /// The pieces that give check to the side to act.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Is the side to act in check?
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.nonempty()
    }

    /// Pieces of the side to act that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The Zobrist key: equal for positions that count as the same for repetition.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// What castling is possible.
    #[inline]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The square behind a pawn that has just moved two squares, when it can legally be captured there.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Actions in a row without capture, pawn move or drop.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove
    }

    /// The number of the current turn, from 1; it grows after Black's actions.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove
    }

    /// The pieces of both sides that attack a square when these squares are occupied.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = self.kind(Kind::Rook) | self.kind(Kind::Queen);
        let diagonal = self.kind(Kind::Bishop) | self.kind(Kind::Queen);
        attacks::knight(square) & self.kind(Kind::Knight)
            | attacks::king(square) & self.kind(Kind::King)
            | attacks::pawn(Color::Black, square) & self.pieces(Color::White, Kind::Pawn)
            | attacks::pawn(Color::White, square) & self.pieces(Color::Black, Kind::Pawn)
            | attacks::rook(square, occupied) & straight
            | attacks::bishop(square, occupied) & diagonal
    }

    /// The squares from which a piece of this kind, of the side to act, attacks the enemy king as the board is now.
    pub fn checking_squares(&self, kind: Kind) -> Bitboard {
        let them = !self.side;
        let Some(king) = self.king(them) else { return Bitboard::EMPTY };
        match kind {
            Kind::Pawn => attacks::pawn(them, king),
            Kind::Knight => attacks::knight(king),
            Kind::Bishop => attacks::bishop(king, self.occupied()),
            Kind::Rook => attacks::rook(king, self.occupied()),
            Kind::Queen => attacks::queen(king, self.occupied()),
            Kind::King => Bitboard::EMPTY,
        }
    }

    /// All squares that a side attacks.
    pub fn attacked_by(&self, side: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut all = attacks::pawns(side, self.pieces(side, Kind::Pawn));
        for square in self.pieces(side, Kind::Knight) {
            all |= attacks::knight(square);
        }
        for square in self.diagonal(side) {
            all |= attacks::bishop(square, occupied);
        }
        for square in self.orthogonal(side) {
            all |= attacks::rook(square, occupied);
        }
        self.king(side).map_or(all, |king| all | attacks::king(king))
    }

    /// Does a side attack a square when these squares are occupied?
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        attacks::knight(square).meets(self.pieces(by, Kind::Knight))
            || attacks::king(square).meets(self.pieces(by, Kind::King))
            || attacks::pawn(!by, square).meets(self.pieces(by, Kind::Pawn))
            || self.is_attacked_by_slider(square, by, occupied)
    }

    /// Does a side attack a square with queen, rook or bishop? Most squares need no look-up of sliding attacks: no such
    /// piece is on their lines.
    #[inline]
    pub(super) fn is_attacked_by_slider(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        attacks::rook_rays(square).meets(self.orthogonal(by))
            && attacks::rook(square, occupied).meets(self.orthogonal(by))
            || attacks::bishop_rays(square).meets(self.diagonal(by))
                && attacks::bishop(square, occupied).meets(self.diagonal(by))
    }

    /// All squares that a side attacks with pawns, knights and king.
    #[inline]
    pub(super) fn leaper_attacks(&self, by: Color) -> Bitboard {
        let pawns = attacks::pawns(by, self.pieces(by, Kind::Pawn));
        let knights = self.pieces(by, Kind::Knight).map(attacks::knight);
        let king = self.king(by).map(attacks::king);
        knights.chain(king).fold(pawns, |all, squares| all | squares)
    }

    /// Puts a piece on an empty square, without touching the key.
    #[inline]
    pub(super) fn put(&mut self, color: Color, kind: Kind, square: Square) {
        self.kinds[kind as usize] |= square;
        self.colors[color as usize] |= square;
        self.board[square.index()] = Some(kind);
    }

    /// Takes a piece from its square, without touching the key.
    #[inline]
    pub(super) fn take(&mut self, color: Color, kind: Kind, square: Square) {
        self.kinds[kind as usize] ^= square;
        self.colors[color as usize] ^= square;
        self.board[square.index()] = None;
    }

    /// Computes from scratch what is kept up to date while playing: key, checkers, pins.
    pub(super) fn refresh(&mut self) {
        self.key = self.key_from_scratch();
        self.update_checks();
    }

    /// The key computed from the facts alone; always equal to [`Position::key`].
    pub fn key_from_scratch(&self) -> u64 {
        let mut key = keys::side(self.side) ^ keys::castling(self.castling);
        for color in Color::ALL {
            key ^= keys::reserve(color, self.reserve(color));
            for kind in Kind::ALL {
                for square in self.pieces(color, kind) {
                    key ^= keys::piece(color, kind, square);
                }
            }
        }
        if let Some(square) = self.en_passant {
            key ^= keys::en_passant(square);
        }
        key
    }

    /// Finds the checkers and the pinned pieces of the side to act.
    #[inline]
    pub(super) fn update_checks(&mut self) {
        let (us, them) = (self.side, !self.side);
        let (mut checkers, mut pinned) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if let Some(king) = self.king(us) {
            checkers = attacks::knight(king) & self.pieces(them, Kind::Knight)
                | attacks::pawn(us, king) & self.pieces(them, Kind::Pawn);
            let snipers = attacks::rook_rays(king) & self.orthogonal(them)
                | attacks::bishop_rays(king) & self.diagonal(them);
            let occupied = self.occupied();
            for sniper in snipers {
                let blockers = attacks::between(king, sniper) & occupied;
                if blockers.is_empty() {
                    checkers |= sniper;
                } else if !blockers.many() {
                    pinned |= blockers;
                }
            }
        }
        self.checkers = checkers;
        self.pinned = pinned & self.color(us);
    }

    /// Would capturing en passant with this pawn leave the king of the side to act safe?
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        let Some(king) = self.king(us) else { return false };
        let captured = Square::at(to.file(), from.rank());
        let occupied = (self.occupied() ^ from ^ captured) | to;
        (self.attackers(king, occupied) & (self.color(them) - captured)).is_empty()
    }
}
