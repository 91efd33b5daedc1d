//! What the first thread to finish an iteration hands to the others, so that they leave that iteration too and all threads
//! search the next one: no thread spends time on a depth whose result is known.

use std::sync::OnceLock;

use super::root::RootAction;
use crate::types::MAX_PLY;

/// The best lines of each iteration, from the thread that finished it first; empty if there is only one thread.
pub struct Relay(Box<[OnceLock<Vec<RootAction>>]>);

impl Relay {
    /// Room for all iterations of so many threads.
    pub fn new(threads: usize) -> Self {
        let depths = if threads > 1 { MAX_PLY } else { 0 };
        Self((0..depths).map(|_| OnceLock::new()).collect())
    }

    /// Has some thread finished this iteration?
    #[inline]
    pub fn is_finished(&self, depth: u32) -> bool {
        self.get(depth).is_some()
    }

    /// The best lines of an iteration, if some thread has finished it.
    #[inline]
    pub fn get(&self, depth: u32) -> Option<&[RootAction]> {
        self.0.get(depth as usize)?.get().map(Vec::as_slice)
    }

    /// This thread has finished an iteration; only the first to say so is heard.
    pub fn finish(&self, depth: u32, lines: &[RootAction]) {
        if let Some(place) = self.0.get(depth as usize) {
            place.get_or_init(|| lines.to_vec());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;
    use crate::search::Limits;
    use crate::search::root::RootList;
    use crate::types::Score;

    #[test]
    fn the_first_to_finish_is_heard() {
        let (mut evaluator, limits) =
            (crate::eval::Evaluator::new(&crate::eval::built_in()), Limits::default());
        let mut list = RootList::new(&Position::chess_start(), &limits, false, &mut evaluator);
        let all = list.actions.len();
        let (first, second) = (list.actions[7].clone(), list.actions[3].clone());
        let relay = Relay::new(2);
        assert!(!relay.is_finished(5));
        relay.finish(5, &[RootAction { score: Score::cp(55), ..first.clone() }, second.clone()]);
        relay.finish(5, std::slice::from_ref(&second));
        assert!(relay.is_finished(5) && !relay.is_finished(6));
        // Its lines lead, and nothing is there twice.
        list.lead(relay.get(5).unwrap_or_default());
        let leading: Vec<_> = list.actions.iter().take(2).map(|known| known.action).collect();
        assert_eq!(leading, [first.action, second.action]);
        assert_eq!(list.actions[0].score, Score::cp(55));
        assert_eq!(list.actions.len(), all);
    }

    #[test]
    fn one_thread_hands_on_nothing() {
        let relay = Relay::new(1);
        relay.finish(5, &[]);
        assert!(!relay.is_finished(5));
    }
}
