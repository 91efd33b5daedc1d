//! How actions and games are written: tokens of the protocol, the two notations of players, game records,
//! positions of test suites.

mod bracket;
mod encyclopedia;
pub mod epd;
mod letters;
mod long;
mod nag;
mod openchess;
pub mod records;
mod style;
mod token;
mod word;
mod written;

pub use style::{Notation, action_text, line_text};
pub use token::{ActionError, IllegalReason, ReadError, read_action, read_legal_action};
pub use written::{Written, WrittenError, read_written};

use style::Step;
