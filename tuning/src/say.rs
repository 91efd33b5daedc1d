//! Results for a reader, who may have left.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Writes a line to the standard output, like [`println!`], which panics where nobody reads any more (`lab data … | head`).
/// That is no reason to lose a match or a training, so errors are ignored.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::say::line(format_args!($($text)*))
    };
}
pub(crate) use say;

/// Writes a line, or doesn't.
pub fn line(text: Arguments) {
    let _ = writeln!(io::stdout(), "{text}");
}
