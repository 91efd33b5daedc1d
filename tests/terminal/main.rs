//! The commands for people, run as they are run in a pipe.

mod analyse;
mod play;
mod program;
