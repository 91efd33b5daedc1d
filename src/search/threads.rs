//! Lazy SMP: every thread searches the same position; they meet in the transposition table, and leave an iteration that
//! one of them has finished.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::busy::Busy;
use super::history::History;
use super::relay::Relay;
use super::report::{Bound, Report};
use super::root::RootList;
use super::time::Timer;
use super::worker::{Counter, Shared, Worker};
use super::{Control, Limits, Table, TableError};
use crate::eval::network::Network;
use crate::eval::{Evaluator, built_in};
use crate::rules::Game;
use crate::types::{Action, Score};

/// Room for the deepest recursion of a worker.
pub const STACK_BYTES: usize = 16 << 20;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best action; `None` if there is no legal one.
    pub best: Option<Action>,
    /// What the opponent is expected to answer.
    pub ponder: Option<Action>,
    /// The value for the side to act.
    pub score: Score,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

/// What lasts from one search to the next.
pub struct Searcher {
    table: Table,
    megabytes: usize,
    histories: Vec<History>,
    /// How many of the best lines are searched, at least 1.
    pub lines: usize,
    /// Time lost between the engine and the clock for each action.
    pub overhead: Duration,
    /// The network that values positions. The transposition table holds values of the old one until it is cleared.
    pub network: Arc<Network>,
}

impl Searcher {
    /// A searcher with a transposition table of this size and one thread.
    ///
    /// # Errors
    /// If the memory for the table can't be had.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        Ok(Self {
            table: Table::new(megabytes)?,
            megabytes,
            histories: vec![History::new()],
            lines: 1,
            overhead: Duration::from_millis(10),
            network: built_in(),
        })
    }

    /// Sets the number of threads, at least 1.
    pub fn set_threads(&mut self, threads: usize) {
        self.histories.resize_with(threads.max(1), History::new);
    }

    /// Sets the size of the transposition table in MB; what it held is lost.
    ///
    /// # Errors
    /// If the memory can't be had: the old size is kept then.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableError> {
        if megabytes == self.megabytes {
            return Ok(());
        }
        // The old table goes first: both may not fit.
        let old = std::mem::replace(&mut self.megabytes, megabytes);
        self.table = Table::new(Table::MIN_MB)?;
        match Table::new(megabytes) {
            Ok(table) => {
                self.table = table;
                Ok(())
            }
            Err(error) => {
                self.megabytes = old;
                self.table = Table::new(old)?;
                Err(error)
            }
        }
    }

    /// Forgets everything learned: a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(History::clear);
    }

    /// Forgets what is in the transposition table.
    pub fn clear_hash(&mut self) {
        self.table.clear();
    }

    /// Searches the game's position. `control` must be armed; `report` hears of every line found. Comes back when a limit
    /// is reached, but in infinite and ponder mode only when told to.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let start = Instant::now();
        let position = game.position();
        let timer = Timer::new(limits, position, self.overhead, start);
        self.table.begin(limits.mate.is_some());
        let shared = Shared {
            table: &self.table,
            control,
            limits,
            busy: Busy::new(self.histories.len()),
            relay: Relay::new(self.histories.len()),
            nodes: (0..self.histories.len()).map(|_| Counter::default()).collect(),
            done: AtomicBool::new(false),
        };
        let mut evaluator = Evaluator::new(&self.network);
        let root = RootList::new(position, limits, timer.is_long(), &mut evaluator);
        let lines = self.lines;
        let mut workers = self.histories.iter_mut().enumerate().map(|(id, history)| {
            Worker::new(&shared, history, timer.clone(), root.clone(), evaluator.clone(), game, id)
        });
        let found = thread::scope(|scope| {
            let mut main = workers.next()?;
            for mut helper in workers {
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                // Without memory for a thread the search goes on with those that there are.
                let _ = builder.spawn_scoped(scope, move || helper.iterate(position, lines, &mut |_| {}));
            }
            let found = main.iterate(position, lines, report);
            shared.done.store(true, Relaxed);
            found
        });
        if found.is_none() {
            report(&no_action(game, start.elapsed(), limits.searchmoves.is_some()));
        }
        control.wait(limits.infinite);
        let pv = found.as_ref().map(|best| best.pv.as_slice()).unwrap_or_default();
        SearchResult {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            score: found.as_ref().map_or(Score::DRAW, |best| best.score),
            nodes: shared.total_nodes(),
            time: start.elapsed(),
        }
    }
}

/// The report of a position in which nothing can be done: mate, stalemate, or none of the actions asked for is legal.
fn no_action(game: &Game, time: Duration, restricted: bool) -> Report {
    let mated = game.position().is_checkmate() && !restricted;
    let score = if mated { Score::mated_in(0) } else { Score::DRAW };
    Report {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time,
        hashfull: 0,
        pv: Vec::new(),
    }
}
