use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// The way into a running search, from another thread.
#[derive(Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Changes of the two flags are made under this lock, so that nobody who waits misses one.
    gate: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// Makes ready for the next search. Call it before handing the search to its thread, so that a stop which comes at
    /// once is not lost.
    pub fn arm(&self, ponder: bool) {
        self.stop.store(false, Ordering::Release);
        self.pondering.store(ponder, Ordering::Release);
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// The opponent has played the expected action: from now on the clock counts.
    pub fn ponder_hit(&self) {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.pondering.store(false, Ordering::Release);
        self.changed.notify_all();
    }

    /// Has the search been told to end?
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Is it still the opponent's turn?
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Waits for a stop or, unless `infinite`, for a ponder hit.
    pub fn wait(&self, infinite: bool) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            gate = self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
