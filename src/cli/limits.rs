//! The options that say how long to search, and with what.

use std::time::Duration;

use clap::Args;

use super::Failure;
use crate::search::{Limits, Searcher};

/// When a search ends: the first limit that is reached counts.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct LimitArgs {
    /// Depth in actions
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Milliseconds
    #[arg(long)]
    pub movetime: Option<u64>,
    /// Positions to visit
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
}

impl LimitArgs {
    /// The limits; this time if none is given.
    pub(super) fn or_time(self, otherwise: Duration) -> Limits {
        let Self { depth, movetime, nodes } = self;
        let unlimited = depth.is_none() && movetime.is_none() && nodes.is_none();
        let movetime = movetime.map(Duration::from_millis).or(unlimited.then_some(otherwise));
        Limits { depth, nodes, movetime, ..Limits::default() }
    }
}

/// What a search may use of the machine.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct MachineArgs {
    /// Threads that search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the transposition table in MB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

impl MachineArgs {
    /// A searcher that looks at this many of the best lines.
    pub(super) fn searcher(self, lines: u16) -> Result<Searcher, Failure> {
        let mut searcher =
            Searcher::new(self.hash as usize).map_err(|error| Failure::Input(error.to_string()))?;
        searcher.set_threads(self.threads.into());
        searcher.lines = lines.into();
        searcher.overhead = Duration::ZERO;
        Ok(searcher)
    }
}
