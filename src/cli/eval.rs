use std::io::Write;

use clap::Args;

use super::{Failure, read_position};
use crate::eval::evaluate;
use crate::protocol::explain;

/// What to evaluate.
#[derive(Args)]
pub struct Settings {
    /// Position in extended FEN; the start position if left out
    #[arg(long)]
    fen: Option<String>,
}

/// Evaluates without a search and prints what each piece adds.
pub fn run(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let position = read_position(settings.fen.as_deref())?;
    for line in explain(&position, evaluate) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
