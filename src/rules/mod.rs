//! The rules of Kingchess, as bitboards: positions, moves, drops, their exact number, outcomes.

pub mod attacks;
mod count;
mod drops;
mod edit;
mod enumerate;
mod fen;
mod game;
mod keys;
mod lines;
mod moves;
mod outcome;
mod packed;
mod perft;
mod play;
mod position;
pub mod rays;
mod validity;

pub use fen::{FenError, FenNote, reserve_letters};
pub use game::Game;
pub use lines::CheckLines;
pub use moves::{Targets, Wanted};
pub use outcome::Outcome;
pub use packed::PackedPosition;
pub use perft::{PERFT_LIMIT, TooMany};
pub use position::Position;
pub use validity::ValidityError;
