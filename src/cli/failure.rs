use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::types::printable;

/// What ends a command early, or badly.
pub(super) enum Failure {
    /// The input was wrong; the message says how.
    Input(String),
    /// Nobody reads the output any more.
    Output(io::Error),
    /// All is well, but some position of a suite was not solved.
    Unsolved,
}

impl Failure {
    /// The exit code when not all positions of a suite are solved.
    const UNSOLVED: u8 = 3;

    /// A file can't be read or written.
    pub(super) fn file(path: &Path, error: &io::Error) -> Self {
        Self::Input(format!("{}: {error}", path.display()))
    }

    /// Says what was wrong, and gives the exit code for it.
    pub(super) fn report(self) -> ExitCode {
        // Nobody may be reading messages either.
        match self {
            Self::Input(message) => {
                let message: String = message.chars().map(printable).collect();
                let _ = writeln!(io::stderr(), "error: {message}");
                ExitCode::FAILURE
            }
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                let _ = writeln!(io::stderr(), "error: {error}");
                ExitCode::FAILURE
            }
            Self::Unsolved => ExitCode::from(Self::UNSOLVED),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
