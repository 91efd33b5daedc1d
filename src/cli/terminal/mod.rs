//! What commands for people draw on a terminal.

mod board;
mod meter;
mod screen;
mod table;

pub(super) use board::BoardView;
pub(super) use meter::Meter;
pub(super) use screen::{Screen, ScreenArgs};
pub(super) use table::{HEADING, grouped, row, value};
