//! Lines for a reader, who may have left.
//!
//! [`println!`] and [`eprintln!`] panic where nobody reads any more (`lab data … | head`). That is no reason to lose a match
//! or a training.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

/// Writes a line to the standard output.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::say::line(format_args!($($text)*))
    };
}
pub(crate) use say;

/// Writes a line to the standard error output.
macro_rules! tell {
    ($($text:tt)*) => {
        $crate::say::note(format_args!($($text)*))
    };
}
pub(crate) use tell;

/// Writes a result. One that can't be written for another reason than that nobody reads it becomes a note.
pub fn line(text: Arguments) {
    if let Err(error) = writeln!(io::stdout(), "{text}")
        && error.kind() != ErrorKind::BrokenPipe
    {
        note(format_args!("{text}\nerror: standard output: {error}"));
    }
}

/// Writes a note, or doesn't.
pub fn note(text: Arguments) {
    let _ = writeln!(io::stderr(), "{text}");
}
