//! Games of the engine against itself, refereed by the rules.

use kingchess::notation::read_legal_action;
use kingchess::rules::{Game, Outcome, Position};
use kingchess::types::{Action, Drop, DropSet};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::engine::Engine;

/// No game may be longer than this, in actions.
const LONGEST_GAME: usize = 600;

/// What is played.
pub struct Match {
    /// How many games.
    pub games: u64,
    /// Threads of the engine.
    pub threads: u32,
    /// Sizes of the hash in MB, changed from game to game.
    pub hash: &'static [u32],
    /// The words after `go`.
    pub limit: &'static str,
    /// The seed of the openings.
    pub seed: u64,
}

impl Match {
    /// Plays the games. Each `go` is checked by [`Engine`]: the action legal, every principal variation legal to its end.
    pub fn play(&self) {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Threads value {}", self.threads));
        let mut plies = 0;
        for number in 0..self.games {
            let hash = self.hash[number as usize % self.hash.len()];
            engine.send(&format!("setoption name Hash value {hash}"));
            engine.send("ucinewgame");
            let mut rng = SmallRng::seed_from_u64(self.seed + number);
            let (game, outcome) = self.game(&mut engine, &mut rng, number);
            plies += game.ply();
            println!("game {number}: {outcome} after {} actions", game.ply());
        }
        println!("{} games, {plies} actions", self.games);
        engine.quit();
    }

    fn game(&self, engine: &mut Engine, rng: &mut SmallRng, number: u64) -> (Game, Outcome) {
        let (mut game, mut words) = opening(rng);
        loop {
            if let Some(outcome) = game.outcome() {
                return (game, outcome);
            }
            let so_far = words.join(" ");
            assert!(game.ply() < LONGEST_GAME, "game {number} does not end: {so_far}");
            let moves = if words.is_empty() { String::new() } else { format!(" moves {so_far}") };
            engine.position(&format!("startpos{moves}"));
            let search = engine.go(self.limit);
            let Some(word) = search.best else {
                panic!("game {number}: bestmove (none), but the game goes on: {so_far}")
            };
            let action = read_legal_action(&word, game.position());
            game.play(action.unwrap_or_else(|error| panic!("game {number}: {word}: {error} after {so_far}")));
            words.push(word);
        }
    }
}

/// None to four random actions, so that games differ.
fn opening(rng: &mut SmallRng) -> (Game, Vec<String>) {
    let mut game = Game::new(Position::start());
    let mut words = Vec::new();
    for _ in 0..rng.random_range(0..=4) {
        let position = *game.position();
        let mut actions = Vec::new();
        position.visit_single_drops(|kind, squares| {
            actions.extend(squares.map(|square| Drop { kind: kind.kind(), square }));
        });
        let Some(&drop) = actions.choose(rng) else { break };
        let action = Action::Drops(DropSet::one(drop));
        words.push(action.token(position.side()).to_string());
        game.play(action);
    }
    (game, words)
}
