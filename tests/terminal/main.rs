//! The commands for people, run as they are run in a pipe.

mod analyse;
mod annotate;
mod messages;
mod play;
mod program;
