//! How actions are written.

mod token;

pub use token::{ActionError, IllegalReason, ReadError, read_action, read_legal_action};
