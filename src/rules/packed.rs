//! Positions in few bytes, for large collections of them.

use bytemuck::{Pod, Zeroable};

use super::Position;
use crate::types::{Bitboard, Castling, Color, Kind, Reserve, ReserveKind, Square, Wing};

/// A position in 36 bytes: everything but the number of the action. Little-endian where it matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct PackedPosition {
    /// The occupied squares, the low half first.
    occupied: [u32; 2],
    /// A nibble for each of them in the order of the squares, low nibble first: kind, and 8 for Black.
    pieces: [u8; 16],
    /// The reserves of White and Black.
    reserves: [u32; 2],
    /// The fifty-action clock.
    halfmove: u8,
    /// Castling rights.
    castling: u8,
    /// The en passant square, or 64.
    en_passant: u8,
    /// 0 when White is to act, 1 when Black is.
    side: u8,
}

const NO_SQUARE: u8 = 64;
const BLACK: u8 = 8;

impl Position {
    /// The position in few bytes. The number of the action is lost, and a fifty-action clock beyond 255 is cut.
    pub fn pack(&self) -> PackedPosition {
        let occupied = self.occupied();
        let mut pieces = [0; 16];
        for (index, square) in occupied.into_iter().enumerate().take(32) {
            let black = self.color(Color::Black).has(square);
            let kind = self.kind_at(square).map_or(0, |kind| kind as u8);
            pieces[index / 2] |= (kind | if black { BLACK } else { 0 }) << (index % 2 * 4);
        }
        PackedPosition {
            occupied: [occupied.0 as u32, (occupied.0 >> 32) as u32].map(u32::to_le),
            pieces,
            reserves: self.reserves.map(|reserve| reserve.bits().to_le()),
            halfmove: self.halfmove.min(255) as u8,
            castling: self.castling.index() as u8,
            en_passant: self.en_passant.map_or(NO_SQUARE, |square| square.index() as u8),
            side: self.side as u8,
        }
    }
}

impl PackedPosition {
    /// The position again, as action 1; `None` if these bytes hold none that can be.
    pub fn unpack(&self) -> Option<Position> {
        let mut position = Position::empty();
        let [low, high] = self.occupied.map(|half| u64::from(u32::from_le(half)));
        let occupied = Bitboard(low | high << 32);
        if occupied.count() > 32 {
            return None;
        }
        for (index, square) in occupied.into_iter().enumerate() {
            let nibble = self.pieces[index / 2] >> (index % 2 * 4);
            let color = if nibble & BLACK == 0 { Color::White } else { Color::Black };
            position.put(color, *Kind::ALL.get(usize::from(nibble & 7))?, square);
        }
        for (color, bits) in Color::ALL.into_iter().zip(self.reserves) {
            position.set_reserve(color, Reserve::from_bits(u32::from_le(bits))?);
        }
        position.side = *Color::ALL.get(usize::from(self.side))?;
        position.halfmove = self.halfmove.into();
        position.validate().ok()?;
        position.castling =
            Castling::from_index(self.castling.into()).filter(|&castling| position.can_have(castling))?;
        position.update_checks();
        if self.en_passant != NO_SQUARE {
            let square = (self.en_passant < NO_SQUARE).then(|| Square::new(self.en_passant))?;
            position.en_passant = position.can_take_en_passant(square).then_some(square);
            position.en_passant?;
        }
        position.refresh();
        Some(position)
    }
}

impl Position {
    /// Do kings, rooks and reserves stand as these castling rights say?
    fn can_have(&self, castling: Castling) -> bool {
        Color::ALL.into_iter().all(|color| {
            let home = self.king(color) == Some(Wing::King.king_from(color));
            let rook = |wing: Wing| self.pieces(color, Kind::Rook).has(wing.rook_from(color));
            (home || !castling.virgin_king(color))
                && Wing::ALL.into_iter().all(|wing| rook(wing) || !castling.has(color, wing))
                && (self.reserve(color).has(ReserveKind::Rook) || !castling.to_be(color))
        })
    }
}
