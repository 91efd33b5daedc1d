//! The program `engine`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kingchess::cli::main()
}
