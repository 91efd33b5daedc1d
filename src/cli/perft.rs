use std::io::Write;

use clap::Args;

use super::{Failure, read_position};
use crate::types::MAX_DROPS;

/// What to count.
#[derive(Args)]
pub struct Settings {
    /// Depth in actions
    depth: u32,
    /// Position in extended FEN; the start position if left out
    #[arg(long)]
    fen: Option<String>,
    /// At most this many pieces a drop
    #[arg(long, default_value_t = MAX_DROPS)]
    max_drops: usize,
    /// Print the count after each action
    #[arg(long)]
    divide: bool,
}

/// Counts and prints.
pub fn run(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let position = read_position(settings.fen.as_deref())?;
    let refused = |error| Failure::Input(format!("perft {}: {error}", settings.depth));
    let total = if settings.divide && settings.depth > 0 {
        let parts = position.perft_divide(settings.depth, settings.max_drops).map_err(refused)?;
        for (action, count) in &parts {
            writeln!(out, "{}: {count}", action.token(position.side()))?;
        }
        parts.iter().map(|(_, count)| count).sum()
    } else {
        position.perft_parallel(settings.depth, settings.max_drops).map_err(refused)?
    };
    writeln!(out, "Nodes searched: {total}")?;
    Ok(())
}
