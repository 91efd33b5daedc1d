//! The vocabulary: one type per file.

mod action;
mod bitboard;
mod castling;
mod color;
mod excerpt;
mod kind;
mod reserve;
mod score;
mod square;

pub use action::{Action, Drop, DropSet, MAX_DROPS, Move, Short};
pub use bitboard::Bitboard;
pub use castling::{Castling, Wing};
pub use color::Color;
pub use excerpt::{excerpt, printable};
pub use kind::{Kind, ReserveKind};
pub use reserve::Reserve;
pub use score::{MAX_PLY, Score};
pub use square::Square;
