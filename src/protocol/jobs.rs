//! The thread that searches. Work is queued for it and done in order, so that the input thread never waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::info::info_line;
use super::options::Options;
use super::output::Output;
use crate::cli::bench;
use crate::rules::Game;
use crate::search::{Control, Limits, SearchResult, Searcher};
use crate::types::MAX_DROPS;

/// Something the searching thread does.
pub enum Job {
    /// Searches and answers with one `bestmove`. Without a game there is no action.
    Search(Box<SearchJob>),
    /// Counts actions.
    Perft { game: Box<Game>, depth: u32 },
    /// Runs the benchmark.
    Bench(bench::Settings),
    /// Changes the size of the transposition table.
    Hash(usize),
    /// Changes the number of threads.
    Threads(usize),
    /// Empties the transposition table.
    ClearHash,
    /// Forgets everything.
    NewGame,
}

/// One `go`.
pub struct SearchJob {
    pub game: Option<Game>,
    pub limits: Limits,
    pub options: Options,
    pub ticket: Arc<Ticket>,
}

/// A `go` that has been accepted and not been answered yet.
pub struct Ticket {
    /// Reaches into the search.
    pub control: Control,
    /// It has no end of its own.
    pub endless: bool,
    answered: AtomicBool,
}

impl Ticket {
    /// A ticket for a search with these limits.
    pub fn new(limits: &Limits) -> Self {
        let control = Control::default();
        control.arm(limits.ponder);
        Self { control, endless: limits.infinite || limits.ponder, answered: AtomicBool::new(false) }
    }

    /// Has its `bestmove` been written?
    pub fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }
}

/// Room for a search on the thread's own stack.
const STACK_BYTES: usize = 32 << 20;

/// Starts the searching thread.
///
/// # Errors
/// If the system gives no thread.
pub fn start(output: Arc<Output>) -> std::io::Result<(Sender<Job>, JoinHandle<()>)> {
    let (sender, receiver) = channel();
    let handle = thread::Builder::new()
        .name("search".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || work(&receiver, &output))?;
    Ok((sender, handle))
}

fn work(jobs: &Receiver<Job>, output: &Output) {
    let defaults = Options::default();
    let mut searcher = match Searcher::new(defaults.hash) {
        Ok(searcher) => searcher,
        Err(error) => {
            output.error(error);
            return;
        }
    };
    for job in jobs {
        match job {
            Job::Search(job) => search(&mut searcher, &job, output),
            Job::Perft { game, depth } => perft(&game, depth, output),
            Job::Bench(settings) => {
                if let Err(error) = bench::run(&settings, &mut |line| output.line(line)) {
                    output.error(format_args!("bench: {error}"));
                }
            }
            Job::Hash(megabytes) => {
                if let Err(error) = searcher.set_hash(megabytes) {
                    output.error(format_args!("setoption Hash: {error}; the old size stays"));
                }
            }
            Job::Threads(threads) => searcher.set_threads(threads),
            Job::ClearHash => searcher.clear_hash(),
            Job::NewGame => searcher.clear(),
        }
    }
}

fn search(searcher: &mut Searcher, job: &SearchJob, output: &Output) {
    let control = &job.ticket.control;
    let Some(game) = &job.game else {
        control.wait(job.limits.infinite);
        output.line("bestmove (none)");
        job.ticket.answered.store(true, Ordering::Release);
        return;
    };
    searcher.lines = job.options.multipv;
    searcher.overhead = job.options.overhead;
    #[cfg(feature = "tune")]
    {
        searcher.network = job.options.network.clone().unwrap_or_else(crate::eval::built_in);
    }
    let position = game.position();
    let strength = job.options.limit_strength.then_some(job.options.elo);
    let result = searcher.search_at_strength(game, &job.limits, strength, control, &mut |report| {
        output.line(info_line(report, position, job.options.show_wdl));
    });
    output.line(answer(game, &result));
    job.ticket.answered.store(true, Ordering::Release);
}

fn answer(game: &Game, result: &SearchResult) -> String {
    let side = game.position().side();
    match (result.best, result.ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {}", best.token(side)),
        (Some(best), Some(ponder)) => format!("bestmove {} ponder {}", best.token(side), ponder.token(!side)),
    }
}

fn perft(game: &Game, depth: u32, output: &Output) {
    let position = game.position();
    let divided = if depth < 2 {
        position.perft(depth, MAX_DROPS).map(|count| (Vec::new(), count))
    } else {
        position.perft_divide(depth, MAX_DROPS).map(|parts| {
            let total = parts.iter().map(|(_, count)| count).sum();
            (parts, total)
        })
    };
    match divided {
        Ok((parts, total)) => {
            for (action, count) in parts {
                output.line(format_args!("{}: {count}", action.token(position.side())));
            }
            output.line(format_args!("Nodes searched: {total}"));
        }
        Err(error) => output.error(format_args!("go perft: {error}")),
    }
}

/// How long the end of input waits for searches that end by themselves.
pub const GRACE: Duration = Duration::from_millis(600);
