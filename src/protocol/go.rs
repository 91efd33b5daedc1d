//! What follows `go`.

use std::time::Duration;

use crate::notation::read_legal_action;
use crate::rules::Position;
use crate::search::{Clock, Limits};
use crate::types::{Action, Color, excerpt};

const KEYS: [&str; 13] = [
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

/// A `go` command, read leniently: what can't be understood is said and left out.
#[derive(Debug, Default)]
pub struct Go {
    /// When to end.
    pub limits: Limits,
    /// Count actions to this depth instead of searching.
    pub perft: Option<u32>,
    /// What was not understood.
    pub errors: Vec<String>,
}

/// Clock values of both sides, as they were given.
#[derive(Default)]
struct Clocks {
    white: SideClock,
    black: SideClock,
    moves_to_go: Option<u32>,
}

#[derive(Default)]
struct SideClock {
    left: Option<Duration>,
    increment: Duration,
}

/// Reads the words after `go` for a position.
pub fn read_go(words: &[&str], position: Option<&Position>) -> Go {
    let mut go = Go::default();
    let mut clocks = Clocks::default();
    let mut rest = words;
    while let Some((&key, after)) = rest.split_first() {
        rest = after;
        let key = key.to_ascii_lowercase();
        match key.as_str() {
            "infinite" => go.limits.infinite = true,
            "ponder" => go.limits.ponder = true,
            "searchmoves" => rest = go.read_searchmoves(rest, position),
            known if KEYS.contains(&known) => {
                if let Some((number, after)) = go.read_number(known, rest) {
                    rest = after;
                    go.set(known, number, &mut clocks);
                } else if rest.first().is_some_and(|word| !is_key(word)) {
                    // The word that should have been a number.
                    rest = rest.get(1..).unwrap_or_default();
                }
            }
            unknown => go.errors.push(format!("go: unknown word '{}'", excerpt(unknown))),
        }
    }
    go.finish(&clocks, position);
    go
}

fn is_key(word: &str) -> bool {
    KEYS.iter().any(|key| key.eq_ignore_ascii_case(word))
}

impl Go {
    fn read_number<'w>(&mut self, key: &str, words: &'w [&'w str]) -> Option<(i64, &'w [&'w str])> {
        let Some((&word, rest)) = words.split_first().filter(|(word, _)| !is_key(word)) else {
            self.errors.push(format!("go {key}: expected a number, got nothing"));
            return None;
        };
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            self.errors.push(format!("go {key}: expected a number, got '{}'", excerpt(word)));
            return None;
        }
        let saturated = if word.starts_with('-') { i64::MIN } else { i64::MAX };
        Some((word.parse().unwrap_or(saturated), rest))
    }

    fn set(&mut self, key: &str, number: i64, clocks: &mut Clocks) {
        // Below zero there is nothing: no time, no nodes.
        let positive = u64::try_from(number).unwrap_or(0);
        let small = u32::try_from(positive).unwrap_or(u32::MAX);
        // Longer than a year is for ever; so nothing overflows when times are added.
        let time = Duration::from_millis(positive.min(31_536_000_000));
        match key {
            "depth" => self.limits.depth = Some(small),
            "nodes" => self.limits.nodes = Some(positive),
            "movetime" => self.limits.movetime = Some(time),
            "mate" => self.limits.mate = Some(small),
            "perft" => self.perft = Some(small),
            "movestogo" => clocks.moves_to_go = (small > 0).then_some(small),
            "wtime" => clocks.white.left = Some(time),
            "btime" => clocks.black.left = Some(time),
            "winc" => clocks.white.increment = time,
            "binc" => clocks.black.increment = time,
            _ => {}
        }
    }

    /// Reads actions up to the next key.
    fn read_searchmoves<'w>(&mut self, words: &'w [&'w str], position: Option<&Position>) -> &'w [&'w str] {
        let count = words.iter().take_while(|word| !is_key(word)).count();
        let (tokens, rest) = words.split_at(count);
        let actions: &mut Vec<Action> = self.limits.searchmoves.get_or_insert_default();
        for token in tokens {
            match position.map(|position| read_legal_action(token, position)) {
                Some(Ok(action)) => actions.push(action),
                Some(Err(error)) => self.errors.push(format!("go searchmoves: '{}' {error}", excerpt(token))),
                None => {}
            }
        }
        rest
    }

    fn finish(&mut self, clocks: &Clocks, position: Option<&Position>) {
        let own = match position.map_or(Color::White, Position::side) {
            Color::White => &clocks.white,
            Color::Black => &clocks.black,
        };
        if let Some(left) = own.left {
            let (increment, moves_to_go) = (own.increment, clocks.moves_to_go);
            self.limits.clock = Some(Clock { left, increment, moves_to_go });
        } else if clocks.white.left.is_some() || clocks.black.left.is_some() {
            self.errors.push("go: no clock given for the side to act".to_owned());
        }
        let limits = &mut self.limits;
        let bounded = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.movetime.is_some()
            || limits.mate.is_some()
            || limits.clock.is_some();
        let nothing_to_search = limits.searchmoves.as_ref().is_some_and(Vec::is_empty);
        // Without any limit, only a stop ends the search; with no action to search there is nothing to wait for.
        limits.infinite |= !bounded && !limits.ponder && !nothing_to_search;
    }
}
