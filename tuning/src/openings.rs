//! Early positions to start games from: each is played twice, with colours swapped.

use kingchess::eval::{DropScorer, evaluate};
use kingchess::rules::{Game, Position, Wanted};
use kingchess::search::{Control, Limits, Searcher};
use kingchess::types::{Action, Drop, DropSet, ReserveKind};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// A start position with the actions that lead to the opening.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The first position.
    pub start: Position,
    /// What is played from there.
    pub actions: Vec<Action>,
}

/// Openings whose value a short search puts further from even than this are not used.
const BALANCED: i32 = 90;
/// How deep that search is, in nodes.
const NODES: u64 = 3000;

/// The openings of a match, the same for the same seed.
pub fn generate(count: usize, seed: u64, chess: bool) -> Vec<Opening> {
    let mut openings = Vec::with_capacity(count);
    let mut number = seed.wrapping_mul(1_000_003);
    let Ok(mut searcher) = Searcher::new(4) else { return openings };
    while openings.len() < count {
        number = number.wrapping_add(1);
        let mut rng = SmallRng::seed_from_u64(number);
        let opening = if chess { chess_opening(&mut rng) } else { drop_opening(&mut rng) };
        if is_balanced(&opening, &mut searcher) {
            openings.push(opening);
        }
    }
    openings
}

fn is_balanced(opening: &Opening, searcher: &mut Searcher) -> bool {
    let mut game = Game::new(opening.start);
    opening.actions.iter().for_each(|&action| game.play(action));
    if game.outcome().is_some() {
        return false;
    }
    searcher.clear();
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let result = searcher.search(&game, &limits, &Control::default(), &mut |_| {});
    result.score.get().abs() <= BALANCED
}

/// Ordinary chess: eight random moves.
fn chess_opening(rng: &mut SmallRng) -> Opening {
    let start = Position::chess_start();
    let mut position = start;
    let mut actions = Vec::new();
    while actions.len() < 8 {
        let Some(action) = random_move(&position, rng) else { break };
        actions.push(action);
        position = position.after(action);
    }
    Opening { start, actions }
}

/// Kingchess: each side drops its king with up to five other pieces on sensible squares; then up to two random actions.
fn drop_opening(rng: &mut SmallRng) -> Opening {
    let start = Position::start();
    let mut position = start;
    let mut actions = Vec::new();
    for _ in 0..2 {
        let pieces = rng.random_range(0..=5);
        let action = random_set(&position, pieces, rng);
        if position.is_legal(action) {
            actions.push(action);
            position = position.after(action);
        }
    }
    for _ in 0..rng.random_range(0..=2) {
        let action = if rng.random_bool(0.6) {
            let pieces = rng.random_range(1..=3);
            Some(random_set(&position, pieces, rng))
        } else {
            random_move(&position, rng)
        };
        if let Some(action) = action.filter(|&action| position.is_legal(action)) {
            actions.push(action);
            position = position.after(action);
        }
    }
    Opening { start, actions }
}

fn random_move(position: &Position, rng: &mut SmallRng) -> Option<Action> {
    let mut moves = Vec::new();
    position.visit_moves(Wanted::ALL, |targets| {
        moves.extend(targets.moves().map(Action::Move));
        false
    });
    // Not a blunder: the evaluation after it must not collapse.
    moves.retain(|&action| evaluate(&position.after(action)).get() < 150);
    moves.choose(rng).copied()
}

/// A king if it is in reserve, and this many other pieces, each on one of the better squares of its kind.
fn random_set(position: &Position, pieces: usize, rng: &mut SmallRng) -> Action {
    let us = position.side();
    let mut scorer = DropScorer::new(position);
    let mut reserve = position.reserve(us);
    let mut set = DropSet::EMPTY;
    let wanted = pieces + usize::from(reserve.has(ReserveKind::King));
    while set.len() < wanted {
        let kinds: Vec<ReserveKind> = reserve.kinds().collect();
        let kind = if reserve.has(ReserveKind::King) {
            Some(ReserveKind::King)
        } else {
            // Pawns are half of a reserve.
            let pawn = reserve.has(ReserveKind::Pawn) && rng.random_bool(0.5);
            if pawn { Some(ReserveKind::Pawn) } else { kinds.choose(rng).copied() }
        };
        let Some(kind) = kind else { break };
        let mut drops: Vec<Drop> =
            scorer.landing(kind).map(|square| Drop { kind: kind.kind(), square }).collect();
        drops.sort_by_key(|&drop| -scorer.score(drop));
        drops.truncate(10);
        let Some(&drop) = drops.choose(rng) else { break };
        reserve = reserve.without(kind);
        scorer.add(drop);
        set = set.with(drop);
    }
    Action::Drops(set)
}
