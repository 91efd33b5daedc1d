//! How much of the clock an action may use.

use std::time::{Duration, Instant};

use super::Limits;
use super::parameters::{clock_actions, clock_first, clock_reserve};
use crate::rules::Position;
use crate::types::ReserveKind;

/// From here on a search is a long one.
const LONG: Duration = Duration::from_millis(500);
const LONG_NODES: u64 = 1_000_000;

/// Until when a search goes on.
#[derive(Clone, Debug)]
pub struct Timer {
    start: Instant,
    /// No new iteration is begun after this, as long as the best action is settled.
    soft: Option<Duration>,
    /// The search is broken off at this.
    hard: Option<Duration>,
    /// There is time for a closer look at the root.
    long: bool,
}

impl Timer {
    /// The times for a search that starts at `start`.
    pub fn new(limits: &Limits, position: &Position, overhead: Duration, start: Instant) -> Self {
        let (mut soft, mut hard) = (None, None);
        if let Some(clock) = limits.clock {
            let (normal, most) = shares(clock.left, clock.increment, clock.moves_to_go, overhead);
            let wished = normal.mul_f64(importance(position));
            soft = Some(wished.min(most));
            hard = Some(most.min(wished * 4));
        }
        if let Some(time) = limits.movetime {
            let time = time.saturating_sub(overhead.min(time / 10));
            hard = Some(hard.map_or(time, |hard: Duration| hard.min(time)));
        }
        let long = soft.or(hard).is_none_or(|time| time >= LONG)
            && limits.nodes.is_none_or(|nodes| nodes >= LONG_NODES);
        Self { start, soft, hard, long }
    }

    /// When the search started.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The clock counts from now: a ponder hit.
    pub fn restart(&mut self) {
        let used = self.start.elapsed();
        self.soft = self.soft.map(|soft| soft + used);
        self.hard = self.hard.map(|hard| hard + used);
    }

    /// Must the search end now?
    pub fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Is another iteration not worth beginning? `unsettled` above 1 asks for more time, below 1 for less.
    pub fn is_enough(&self, unsettled: f64) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(unsettled))
    }

    /// Do the limits leave half a second and a million nodes, or more?
    pub fn is_long(&self) -> bool {
        self.long
    }

    /// Does a clock decide?
    pub fn has_clock(&self) -> bool {
        self.soft.is_some()
    }
}

/// The usual share of the clock for one action, and the most it may ever take.
fn shares(
    left: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    overhead: Duration,
) -> (Duration, Duration) {
    let usable = left.saturating_sub(overhead.min(left / 2));
    let actions = f64::from(moves_to_go.unwrap_or(clock_actions().unsigned_abs()).clamp(1, 50));
    // An increment larger than the clock can't be spent before it comes.
    let normal = usable.div_f64(actions) + increment.min(usable).mul_f64(0.75);
    let most = if moves_to_go == Some(1) { usable.mul_f64(0.8) } else { usable.mul_f64(0.35) };
    (normal.min(most), most)
}

/// The first actions and those with a large reserve decide the game.
fn importance(position: &Position) -> f64 {
    let reserve = position.reserve(position.side());
    let percent = if reserve.has(ReserveKind::King) {
        clock_first()
    } else {
        100 + clock_reserve() * reserve.total() as i32
    };
    f64::from(percent) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_increment_above_the_clock_does_not_use_it_up() {
        let ms = Duration::from_millis;
        let (normal, most) = shares(ms(300), ms(1000), None, ms(10));
        assert!(normal <= most && most < ms(150));
        let (normal, most) = shares(ms(32_607), ms(30_000), None, ms(10));
        assert!(normal <= most && most < ms(16_000));
    }

    #[test]
    fn no_time_is_no_time() {
        let (normal, most) = shares(Duration::ZERO, Duration::ZERO, None, Duration::from_millis(10));
        assert_eq!((normal, most), (Duration::ZERO, Duration::ZERO));
    }
}
