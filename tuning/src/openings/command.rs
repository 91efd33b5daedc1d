//! `lab openings`: a file of balanced early positions of several kinds.

use std::io::{self, Write};

use clap::Args;
use thiserror::Error;

use super::balance::{Balance, BalanceError, Balanced};
use super::classes::Class;
use super::file;

/// Which openings.
#[derive(Args)]
pub struct Settings {
    /// A kind of position; can be given several times [default: all]
    #[arg(long = "class", value_name = "CLASS")]
    classes: Vec<Class>,
    /// Openings of each kind
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// The same seed gives the same openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The furthest from even that a search may call them, in centipawns
    #[arg(long, value_name = "CP", default_value_t = Balance::default().centipawns)]
    balance: u32,
    /// How deep that search is
    #[arg(long, default_value_t = Balance::default().nodes)]
    nodes: u64,
}

/// Why no openings were written.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// A kind has too few.
    #[error("class {0}: {1}")]
    Class(Class, BalanceError),
    /// They could not be written.
    #[error("standard output: {0}")]
    Write(#[from] io::Error),
}

/// Writes the openings to standard output, kinds in turn, so that the first lines are of all kinds.
///
/// # Errors
/// If too few openings are balanced, or the output fails.
pub fn run(settings: &Settings) -> Result<(), OpeningsError> {
    let classes = if settings.classes.is_empty() { &Class::ALL[..] } else { &settings.classes };
    let balance = Balance { centipawns: settings.balance, nodes: settings.nodes };
    let mut lists: Vec<(Class, Vec<Balanced>)> = Vec::new();
    for &class in classes {
        if lists.iter().any(|&(done, _)| done == class) {
            continue;
        }
        let list = balance
            .choose(settings.count, |number| class.candidate(settings.seed, number))
            .map_err(|error| OpeningsError::Class(class, error))?;
        lists.push((class, list));
    }
    let mut out = io::stdout().lock();
    for row in 0..settings.count {
        for (class, list) in &lists {
            if let Some(balanced) = list.get(row) {
                writeln!(out, "{}", file::write(&balanced.opening.position(), *class, balanced.value))?;
            }
        }
    }
    Ok(())
}
