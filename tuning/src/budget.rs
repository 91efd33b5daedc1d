//! What an action may cost, and what actions have cost.

use std::str::FromStr;
use std::time::Duration;

use kingchess::types::Color;
use serde::Serialize;
use thiserror::Error;

/// What a player may spend on its actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This many nodes for each action; a foreign engine: for each query.
    Nodes(u64),
    /// This time for each action; a foreign engine: for each query.
    Time(Duration),
    /// A clock.
    Clock(Clock),
    /// As much time as the opponent spends: see [`mirrored`].
    Mirror,
}

/// Time for a game and after each action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Clock {
    /// For the game.
    pub time: Duration,
    /// Added after each action.
    pub increment: Duration,
}

/// Why a clock could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected SECONDS+SECONDS, got '{0}'")]
pub struct ClockError(String);

impl FromStr for Clock {
    type Err = ClockError;

    /// Reads a clock like `10+0.1`.
    fn from_str(text: &str) -> Result<Self, ClockError> {
        let seconds = |text: &str| text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
        text.split_once('+')
            .and_then(|(time, increment)| Some(Self { time: seconds(time)?, increment: seconds(increment)? }))
            .ok_or_else(|| ClockError(text.to_owned()))
    }
}

/// What a player may spend on the action it is asked for now.
#[derive(Clone, Copy, Debug)]
pub enum Allowance {
    /// This many nodes.
    Nodes(u64),
    /// This time.
    Time(Duration),
    /// What is left on both clocks, White's first.
    Clock {
        /// What is left.
        left: [Duration; 2],
        /// Added after each action.
        increment: Duration,
    },
}

impl Allowance {
    /// The arguments of `go`.
    pub fn limits(&self) -> String {
        match self {
            Self::Nodes(nodes) => format!("nodes {nodes}"),
            Self::Time(time) => format!("movetime {}", time.as_millis().max(1)),
            Self::Clock { left: [white, black], increment } => {
                let [white, black, increment] = [white, black, increment].map(Duration::as_millis);
                format!("wtime {white} btime {black} winc {increment} binc {increment}")
            }
        }
    }

    /// How long an engine is waited for before it counts as hanging.
    pub fn patience(&self, side: Color) -> Duration {
        match self {
            Self::Nodes(_) => Duration::from_secs(120),
            Self::Time(time) => *time * 3 + Duration::from_secs(2),
            Self::Clock { left, .. } => left[side as usize] + Duration::from_secs(5),
        }
    }
}

/// What a player's actions have taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// All together.
    pub total: Duration,
    /// How many actions.
    pub actions: u32,
}

impl Times {
    /// Adds an action.
    pub fn add(&mut self, time: Duration) {
        self.total += time;
        self.actions += 1;
    }

    /// Adds what another game took.
    pub fn merge(&mut self, other: Self) {
        self.total += other.total;
        self.actions += other.actions;
    }

    /// For an action.
    pub fn mean(&self) -> Duration {
        self.total.checked_div(self.actions).unwrap_or_default()
    }
}

/// The time for the first action of a match, when there is nothing to mirror yet.
const FIRST: Duration = Duration::from_millis(10);

/// How much of the opponent's mean time is aimed at: its mean falls in the course of a game, as reserves get empty, and
/// the own mean must not end above it.
const AIM: f64 = 0.97;

/// The time for the next action of a player that may not spend more than its opponent: what the opponent's last action
/// in this game took (before it has acted: its mean), but no more than keeps the own mean time per action, this action
/// included, at 97 % of the opponent's mean so far. What is not used is not saved up for later.
pub fn mirrored(own: Times, other: Times, last: Option<Duration>) -> Duration {
    if other.actions == 0 {
        return FIRST;
    }
    let balance = other.mean().mul_f64(AIM * f64::from(own.actions + 1)).saturating_sub(own.total);
    last.unwrap_or(other.mean()).min(balance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn a_mirror_gives_the_last_time_while_the_mean_allows() {
        let other = Times { total: ms(1000), actions: 10 };
        let thrifty = Times { total: ms(500), actions: 10 };
        assert_eq!(mirrored(thrifty, other, Some(ms(130))), ms(130));
        assert_eq!(mirrored(thrifty, other, None), ms(100));
        let even = Times { total: ms(970), actions: 10 };
        assert_eq!(mirrored(even, other, Some(ms(130))), ms(97));
        let spendthrift = Times { total: ms(1200), actions: 10 };
        assert_eq!(mirrored(spendthrift, other, Some(ms(130))), ms(0));
        assert_eq!(mirrored(Times::default(), Times::default(), None), FIRST);
    }

    #[test]
    fn a_mirrored_mean_stays_below() {
        let (mut own, mut other) = (Times::default(), Times::default());
        for _game in 0..4 {
            let mut last = None;
            for turn in 0..50u64 {
                // Each action takes a little longer than it may.
                own.add(mirrored(own, other, last) + Duration::from_micros(200));
                // Long at first, short at the end, as greedy drops are.
                let time = ms(5 + (50 - turn) * (1 + turn % 3));
                other.add(time);
                last = Some(time);
            }
            assert!(own.mean() <= other.mean(), "{own:?} {other:?}");
        }
        assert!(own.mean() > other.mean() * 8 / 10, "{own:?} {other:?}");
    }

    #[test]
    fn clocks_are_read() {
        assert_eq!("10+0.1".parse(), Ok(Clock { time: ms(10_000), increment: ms(100) }));
        for text in ["", "10", "+", "-1+0", "1+x", "1+inf"] {
            assert!(text.parse::<Clock>().is_err(), "{text}");
        }
    }

    #[test]
    fn limits_are_written_for_go() {
        assert_eq!(Allowance::Nodes(7).limits(), "nodes 7");
        assert_eq!(Allowance::Time(Duration::ZERO).limits(), "movetime 1");
        let clock = Allowance::Clock { left: [ms(1500), ms(900)], increment: ms(10) };
        assert_eq!(clock.limits(), "wtime 1500 btime 900 winc 10 binc 10");
        assert_eq!(clock.patience(Color::Black), ms(5900));
    }
}
