//! Searches while somebody watches: the search has its own thread, and what it finds is heard on the calling one.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::rules::Game;
use crate::search::{Control, Limits, Report, STACK_BYTES, SearchResult, Searcher};

/// How long nothing is heard before a [`Event::Tick`].
const TICK: Duration = Duration::from_millis(100);

/// What is heard of a search.
#[derive(Clone, Copy)]
pub(super) enum Event<'r> {
    /// It has found something.
    Report(&'r Report),
    /// Some time has gone by.
    Tick,
}

/// What is searched, and how.
pub(super) struct Task<'t> {
    pub game: &'t Game,
    pub limits: &'t Limits,
    /// Play at this Elo; with full strength if `None`.
    pub strength: Option<u32>,
    /// Armed already.
    pub control: &'t Control,
}

/// Searches. The search ends early if whoever listens fails.
///
/// # Errors
/// That of the listener, or that there is no memory for a thread.
pub(super) fn think(
    searcher: &mut Searcher,
    task: &Task,
    listen: &mut dyn FnMut(Event) -> io::Result<()>,
) -> io::Result<SearchResult> {
    let &Task { game, limits, strength, control } = task;
    let (sender, reports) = channel();
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("search".to_owned()).stack_size(STACK_BYTES);
        let search = builder.spawn_scoped(scope, move || {
            searcher.search_at_strength(game, limits, strength, control, &mut |report| {
                // A listener that has failed hears no more.
                let _ = sender.send(report.clone());
            })
        })?;
        let heard = hear(&reports, listen);
        if heard.is_err() {
            control.stop();
        }
        let result = search.join().unwrap_or_else(|panic| resume_unwind(panic));
        heard.map(|()| result)
    })
}

fn hear(reports: &Receiver<Report>, listen: &mut dyn FnMut(Event) -> io::Result<()>) -> io::Result<()> {
    loop {
        match reports.recv_timeout(TICK) {
            Ok(report) => listen(Event::Report(&report))?,
            Err(RecvTimeoutError::Timeout) => listen(Event::Tick)?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

/// A control that Ctrl-C reaches: it ends the search that runs, and not the program.
///
/// # Errors
/// If the system does not let signals be caught.
pub(super) fn interruptible() -> io::Result<Arc<Control>> {
    let control = Arc::new(Control::default());
    let handler = Arc::clone(&control);
    ctrlc::set_handler(move || handler.stop()).map_err(io::Error::other)?;
    Ok(control)
}
