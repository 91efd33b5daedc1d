//! Random early actions that make some sense.

use kingchess::eval::evaluate;
use kingchess::rules::{Position, Wanted};
use kingchess::types::{Action, Drop, DropSet, ReserveKind};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::Opening;
use crate::landing::DropScorer;

/// The opening with this number of those that matches are played from.
pub fn match_opening(number: u64, chess: bool) -> Option<Opening> {
    let mut rng = SmallRng::seed_from_u64(number);
    Some(if chess { chess_opening(&mut rng) } else { drop_opening(&mut rng) })
}

/// Random actions from the empty board.
pub struct Line {
    position: Position,
    actions: Vec<Action>,
}

impl Line {
    /// Nothing has been played.
    pub fn start() -> Self {
        Self { position: Position::start(), actions: Vec::new() }
    }

    /// What the side to act has in reserve, in pieces.
    pub fn in_reserve(&self) -> usize {
        self.position.reserve(self.position.side()).total() as usize
    }

    /// Drops the king, if it is in reserve, and this many other pieces; `None` if that is not legal.
    pub fn drop(&mut self, pieces: usize, rng: &mut SmallRng) -> Option<()> {
        let action = random_set(&self.position, pieces, rng);
        self.play(action)
    }

    /// Plays this many moves; `None` if there are not so many.
    pub fn moves(&mut self, count: usize, rng: &mut SmallRng) -> Option<()> {
        (0..count).try_for_each(|_| random_move(&self.position, rng).and_then(|action| self.play(action)))
    }

    fn play(&mut self, action: Action) -> Option<()> {
        self.position.is_legal(action).then(|| {
            self.actions.push(action);
            self.position.play(action);
        })
    }

    /// What has been played.
    pub fn opening(self) -> Opening {
        Opening { start: Position::start(), actions: self.actions }
    }
}

/// Ordinary chess: eight random moves.
pub fn chess_opening(rng: &mut SmallRng) -> Opening {
    let start = Position::chess_start();
    let mut line = Line { position: start, actions: Vec::new() };
    // A side without a sensible move ends it early.
    line.moves(8, rng);
    Opening { start, actions: line.actions }
}

/// Kingchess: each side drops its king with up to five other pieces on sensible squares; then up to two random actions.
/// What is not legal is left out.
fn drop_opening(rng: &mut SmallRng) -> Opening {
    let mut line = Line::start();
    for _ in 0..2 {
        let pieces = rng.random_range(0..=5);
        line.drop(pieces, rng);
    }
    for _ in 0..rng.random_range(0..=2) {
        if rng.random_bool(0.6) {
            let pieces = rng.random_range(1..=3);
            line.drop(pieces, rng);
        } else {
            line.moves(1, rng);
        }
    }
    line.opening()
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
