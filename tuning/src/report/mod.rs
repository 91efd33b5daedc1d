//! `lab report`: what the evaluation has learned, in tables: what pieces are worth on the board and in reserve, where
//! the king belongs, and what holding the reserve is worth against dropping it.

mod holding;
mod kings;
mod moments;
mod pieces;
pub mod sample;
mod table;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use kingchess::eval::network::{Network, NetworkError};
use kingchess::eval::{Evaluator, built_in};
use thiserror::Error;

use super::data::DataError;
use super::say::say;

/// What is asked about which positions.
#[derive(Args)]
pub struct Settings {
    /// Files of training positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The network to report on, instead of what the engine is built with
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// How many of the positions are looked at
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Which of them
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file of positions is at fault.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The network can't be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// There is nothing to look at.
    #[error("no positions in {0}")]
    Empty(String),
}

/// Prints the report; the same files, network and seed give the same text.
///
/// # Errors
/// If the positions or the network can't be read, or the output fails.
pub fn run(settings: &Settings) -> Result<(), ReportError> {
    let network = match &settings.network {
        Some(path) => Arc::new(Network::load(path)?),
        None => built_in(),
    };
    let evaluator = || Evaluator::new(&network);
    let positions = sample::draw(&settings.files, settings.positions as usize, settings.seed)?;
    if positions.is_empty() {
        let names: Vec<String> = settings.files.iter().map(|file| file.display().to_string()).collect();
        return Err(ReportError::Empty(names.join(", ")));
    }
    say!("{} positions; values in centipawns, mean ± standard deviation", positions.len());
    say!("\n{}", pieces::report(&positions, evaluator).trim_end());
    say!("\n{}", kings::report(&mut evaluator()).trim_end());
    say!("\n{}", holding::report(&positions, evaluator).trim_end());
    Ok(())
}
