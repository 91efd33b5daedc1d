//! Where games of self-play begin: random early actions, so that every part of the game is met.

use kingchess::rules::{Game, Position, Wanted};
use kingchess::types::{Action, Drop, DropSet, Reserve, ReserveKind};
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::landing::DropScorer;

/// This share of the games is ordinary chess from the start.
const CHESS: f64 = 0.3;
/// This share of the first actions drops everything.
const WHOLE: f64 = 0.2;
/// This share of the drops goes to one of the better squares of their kind, the others anywhere.
const SENSIBLE: f64 = 0.85;
/// The better squares.
const BETTER: usize = 10;

/// A game with a few random actions behind it; it may be over.
pub fn random_start(rng: &mut SmallRng) -> Game {
    if rng.random_bool(CHESS) {
        let mut game = Game::new(Position::chess_start());
        for _ in 0..rng.random_range(6..=9) {
            play_random(&mut game, rng);
        }
        return game;
    }
    let mut game = Game::new(Position::start());
    for _ in 0..2 {
        let pieces = if rng.random_bool(WHOLE) { 15 } else { rng.random_range(0..=13) };
        let set = random_set(game.position(), pieces, rng);
        if game.position().is_legal_set(set) {
            game.play(Action::Drops(set));
        } else {
            play_random(&mut game, rng);
        }
    }
    for _ in 0..rng.random_range(0..=4) {
        play_random(&mut game, rng);
    }
    game
}

/// Plays a random action: a move, or a drop of a few pieces. Nothing happens if there is none.
pub fn play_random(game: &mut Game, rng: &mut SmallRng) {
    let position = game.position();
    let in_hand = position.reserve(position.side());
    if !in_hand.is_empty() && rng.random_bool(0.5) {
        let pieces = rng.random_range(1..=3);
        let set = random_set(position, pieces, rng);
        if !set.is_empty() && position.is_legal_set(set) {
            game.play(Action::Drops(set));
            return;
        }
    }
    let mut moves = Vec::new();
    position.visit_moves(Wanted::ALL, |targets| {
        moves.extend(targets.moves());
        false
    });
    if let Some(&mv) = moves.choose(rng) {
        game.play(Action::Move(mv));
        return;
    }
    // No move: a legal drop, if there is one.
    let mut drops = Vec::new();
    position.visit_single_drops(|kind, squares| {
        drops.extend(squares.map(|square| Drop { kind: kind.kind(), square }));
    });
    if let Some(&drop) = drops.choose(rng) {
        game.play(Action::Drops(DropSet::one(drop)));
    }
}

/// A set of so many pieces (and the king, if it is in reserve), mostly on sensible squares; not always legal.
fn random_set(position: &Position, pieces: usize, rng: &mut SmallRng) -> DropSet {
    let mut reserve = position.reserve(position.side());
    let mut scorer = DropScorer::new(position);
    let mut set = DropSet::EMPTY;
    let wanted = pieces + usize::from(reserve.has(ReserveKind::King));
    while set.len() < wanted {
        let Some(kind) = random_kind(reserve, rng) else { break };
        let mut drops: Vec<Drop> =
            scorer.landing(kind).map(|square| Drop { kind: kind.kind(), square }).collect();
        if rng.random_bool(SENSIBLE) {
            drops.sort_by_key(|&drop| -scorer.score(drop));
            drops.truncate(BETTER);
        }
        let Some(&drop) = drops.choose(rng) else { break };
        reserve = reserve.without(kind);
        scorer.add(drop);
        set = set.with(drop);
    }
    set
}

/// The king first; then any piece in hand is as likely as another.
fn random_kind(reserve: Reserve, rng: &mut SmallRng) -> Option<ReserveKind> {
    if reserve.has(ReserveKind::King) {
        return Some(ReserveKind::King);
    }
    let pieces: Vec<ReserveKind> =
        reserve.kinds().flat_map(|kind| std::iter::repeat_n(kind, reserve.count(kind).into())).collect();
    pieces.choose(rng).copied()
}
