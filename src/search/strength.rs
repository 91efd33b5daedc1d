//! Weaker play, still human-like: a few nodes, and now and then the second-best idea.

use std::hash::{BuildHasher, RandomState};

use super::report::{Bound, Report};
use super::{Control, Limits, SearchResult, Searcher};
use crate::rules::Game;
use crate::types::{Action, Score};

/// The weakest level.
const WEAKEST: u32 = 800;
/// Nodes of the weakest level, and the rating that doubles them.
const WEAKEST_NODES: f64 = 60.0;
const NODES_DOUBLE: f64 = 170.0;
/// By how many centipawns the weakest level can misjudge, and the rating that halves it.
const WORST_ERROR: f64 = 560.0;
const ERROR_HALVES: f64 = 300.0;

/// Among how many lines a level chooses: the weakest may think of nearly anything.
fn lines(elo: u32) -> usize {
    4 + 2400usize.saturating_sub(elo as usize) / 80
}

/// How many nodes a level may search, when the first iteration is over.
fn nodes(elo: u32) -> u64 {
    let doublings = f64::from(elo.saturating_sub(WEAKEST)) / NODES_DOUBLE;
    (WEAKEST_NODES * doublings.exp2()) as u64
}

/// By how many centipawns a level can misjudge.
fn error(elo: u32) -> f64 {
    let halvings = f64::from(elo.saturating_sub(WEAKEST)) / ERROR_HALVES;
    WORST_ERROR * (-halvings).exp2()
}

impl Searcher {
    /// Searches as [`Searcher::search`] does, or weaker if an Elo is given.
    pub fn search_at_strength(
        &mut self,
        game: &Game,
        limits: &Limits,
        elo: Option<u32>,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let Some(elo) = elo else { return self.search(game, limits, control, report) };
        let budget = nodes(elo).min(limits.nodes.unwrap_or(u64::MAX));
        // A choice needs all lines of the first iteration.
        let limited = Limits {
            nodes: Some(budget),
            infinite: false,
            ponder: false,
            whole_first: true,
            ..limits.clone()
        };
        let before = self.lines;
        self.lines = before.max(lines(elo));
        let mut last = None;
        let mut found: Vec<Line> = Vec::new();
        let mut result = self.search(game, &limited, control, &mut |line| {
            if line.bound == Bound::Exact {
                found.resize(found.len().max(line.multipv), Line::default());
                found[line.multipv - 1] = Line { score: line.score, pv: line.pv.clone() };
            }
            last = Some(line.clone());
            report(line);
        });
        self.lines = before;
        let choice = choose(&found, elo);
        if let (Some(choice), Some(last)) = (choice, last)
            && result.best.is_some()
        {
            result.best = choice.pv.first().copied();
            result.ponder = choice.pv.get(1).copied();
            result.score = choice.score;
            // The last line before the answer begins with it.
            report(&Report {
                multipv: 1,
                score: choice.score,
                bound: Bound::Exact,
                pv: choice.pv.clone(),
                ..last
            });
        }
        control.wait(limits.infinite);
        result
    }
}

/// A line the search has reported.
#[derive(Clone, Default)]
struct Line {
    score: Score,
    pv: Vec<Action>,
}

/// The best line after each value has been misjudged by a random amount.
fn choose(lines: &[Line], elo: u32) -> Option<&Line> {
    let mut state = RandomState::new().hash_one(elo);
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let judged = |score: Score, noise: f64| f64::from(score.get()) + noise * error(elo);
    lines
        .iter()
        .filter(|line| !line.pv.is_empty())
        .map(|line| (judged(line.score, uniform() + uniform() - 1.0), line))
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, line)| line)
}
