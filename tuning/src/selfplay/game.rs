//! One game of the engine against itself, and the samples it leaves.

use kingchess::rules::{Game, Outcome, Position, Wanted};
use kingchess::search::{Control, Limits, Searcher, action_is_quiet};
use kingchess::types::{Action, Color, Drop, DropSet, Score};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::Recipe;
use super::start::{play_random, random_start};
use crate::data::Sample;

/// A start that a short search sees further from even, in centipawns, is not played.
const EVEN: i32 = 350;
/// Nodes of that search.
const EVEN_NODES: u64 = 400;
/// A side this many centipawns ahead for this many actions in a row has won, in most games.
const WON: i32 = 800;
const WON_ACTIONS: u32 = 4;
/// … and in this share of the games, so that winning what is won is learned too.
const FULL: f64 = 0.25;
const FULL_WON: i32 = 1500;
/// This share of the games with drops ends when nothing has been in reserve for so many actions: the side that is then so
/// far ahead has won. Else seven positions of ten would be ordinary chess.
const SHORT: f64 = 0.5;
const SHORT_ACTIONS: u32 = 14;
const SHORT_WON: i32 = 200;
/// In this share of the games at least one side drops one piece at a time, as weaker players do: reserves last longer
/// then.
const SLOW: f64 = 0.4;
/// Values this close to 0, in centipawns, for this many actions in a row, everything dropped and well into the game, are a
/// draw.
const DRAWN: i32 = 8;
const DRAWN_ACTIONS: u32 = 12;
const DRAWN_FROM: usize = 80;
/// Longer games are drawn.
const LONGEST: usize = 300;
/// Samples with values beyond this, in centipawns, teach nothing.
const DECIDED: i32 = 3000;
/// This share of the actions in this early part are random.
const EARLY: usize = 40;
const RANDOM: f64 = 0.02;

/// A finished game.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// What it teaches.
    pub samples: Vec<Sample>,
    /// White's result: 1, 0 or -1.
    pub white: i8,
    /// How many positions were searched.
    pub searched: u64,
    /// How many actions it had.
    pub length: usize,
}

/// Plays the game with this number: the same one for the same recipe and number.
pub fn play(searcher: &mut Searcher, recipe: &Recipe, number: u64) -> Finished {
    let mut rng = SmallRng::seed_from_u64(recipe.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut game = even_start(searcher, &mut rng);
    let mut finished = Finished::default();
    let mut sides = Vec::new();
    let style = Style::random(&mut rng, &game);
    let mut verdict = Verdict::new(style.full, style.short);
    finished.white = loop {
        if let Some(white) = result(&game).or_else(|| verdict.white()) {
            break white;
        }
        let position = game.position();
        let slow = style.slow[position.side() as usize] && !position.reserve(position.side()).is_empty();
        let deep = recipe.keep >= 1.0 || rng.random_bool(recipe.keep);
        let nodes = if deep { recipe.nodes } else { recipe.quick_nodes };
        let (best, score) = search(searcher, &game, nodes, slow.then(|| shorts(position)));
        finished.searched += 1;
        let Some(best) = best else { break 0 };
        if deep && teaches(&game, best, score) {
            finished.samples.push(Sample::new(position, score, game.ply()));
            sides.push(position.side());
        }
        verdict.add(&game, score);
        if game.ply() < EARLY && rng.random_bool(RANDOM) {
            play_random(&mut game, &mut rng);
        } else {
            game.play(best);
        }
    };
    for (sample, side) in finished.samples.iter_mut().zip(sides) {
        sample.set_result(side, finished.white);
    }
    finished.length = game.ply();
    finished
}

fn even_start(searcher: &mut Searcher, rng: &mut SmallRng) -> Game {
    loop {
        searcher.clear();
        let game = random_start(rng);
        if result(&game).is_none() && search(searcher, &game, EVEN_NODES, None).1.get().abs() <= EVEN {
            return game;
        }
    }
}

/// How a game is played.
struct Style {
    /// It is played until there is no doubt.
    full: bool,
    /// It ends soon after everything has been dropped.
    short: bool,
    /// The sides that drop one piece at a time.
    slow: [bool; 2],
}

impl Style {
    fn random(rng: &mut SmallRng, game: &Game) -> Self {
        let drops = Color::ALL.iter().any(|&color| !game.position().reserve(color).is_empty());
        let slow = match rng.random_range(0..3) {
            _ if !rng.random_bool(SLOW) => [false, false],
            0 => [true, false],
            1 => [false, true],
            _ => [true, true],
        };
        Self { full: rng.random_bool(FULL), short: drops && rng.random_bool(SHORT), slow }
    }
}

/// All moves and drops of one piece; drops of more if there is nothing else.
fn shorts(position: &Position) -> Vec<Action> {
    let mut actions = Vec::new();
    position.visit_moves(Wanted::ALL, |targets| {
        actions.extend(targets.moves().map(Action::Move));
        false
    });
    position.visit_single_drops(|kind, squares| {
        let drops = squares.map(|square| Drop { kind: kind.kind(), square });
        actions.extend(drops.map(|drop| Action::Drops(DropSet::one(drop))));
    });
    actions
}

/// The best action, of these only if any are given, and its value.
pub fn search(
    searcher: &mut Searcher,
    game: &Game,
    nodes: u64,
    only: Option<Vec<Action>>,
) -> (Option<Action>, Score) {
    let searchmoves = only.filter(|actions| !actions.is_empty());
    let limits = Limits { nodes: Some(nodes), searchmoves, ..Limits::default() };
    let found = searcher.search(game, &limits, &Control::default(), &mut |_| {});
    (found.best, found.score)
}

/// White's result if the game is over by rule.
fn result(game: &Game) -> Option<i8> {
    match game.outcome() {
        Some(Outcome::Checkmate) => Some(if game.position().side() == Color::White { -1 } else { 1 }),
        Some(_) => Some(0),
        None => (game.ply() >= LONGEST).then_some(0),
    }
}

/// Is a position worth keeping? One in check, or whose best action captures or promotes, says little to an evaluation
/// that looks at it without searching.
pub fn teaches(game: &Game, best: Action, score: Score) -> bool {
    let position = game.position();
    let quiet = action_is_quiet(position, best) && !position.in_check();
    quiet && !score.is_mate() && score.get().abs() <= DECIDED
}

/// Counts the actions in a row with values that decide the game.
struct Verdict {
    won: i32,
    won_actions: u32,
    short: bool,
    ahead: [u32; 2],
    even: u32,
    /// Actions since everything was dropped.
    dropped: u32,
    white: i32,
}

impl Verdict {
    fn new(full: bool, short: bool) -> Self {
        let (won, won_actions) = if full { (FULL_WON, WON_ACTIONS + 1) } else { (WON, WON_ACTIONS) };
        Self { won, won_actions, short, ahead: [0; 2], even: 0, dropped: 0, white: 0 }
    }

    fn add(&mut self, game: &Game, score: Score) {
        let position = game.position();
        self.white = if position.side() == Color::White { score } else { -score }.get();
        let count = |before: u32, again: bool| if again { before + 1 } else { 0 };
        self.ahead =
            [count(self.ahead[0], self.white >= self.won), count(self.ahead[1], self.white <= -self.won)];
        let dropped = Color::ALL.iter().all(|&color| position.reserve(color).is_empty());
        self.dropped = count(self.dropped, dropped);
        self.even = count(self.even, dropped && game.ply() >= DRAWN_FROM && self.white.abs() <= DRAWN);
    }

    fn white(&self) -> Option<i8> {
        match self.ahead {
            [white, _] if white >= self.won_actions => Some(1),
            [_, black] if black >= self.won_actions => Some(-1),
            _ if self.short && self.dropped >= SHORT_ACTIONS => {
                let decided = self.white.abs() >= SHORT_WON;
                Some(if decided { self.white.signum() as i8 } else { 0 })
            }
            _ => (self.even >= DRAWN_ACTIONS).then_some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_is_the_same_game() -> Result<(), kingchess::search::TableError> {
        let mut searcher = Searcher::new(1)?;
        let recipe = Recipe { nodes: 60, keep: 0.5, quick_nodes: 30, seed: 7, network: None };
        let first = play(&mut searcher, &recipe, 3);
        let _other = play(&mut searcher, &recipe, 4);
        let again = play(&mut searcher, &recipe, 3);
        assert_eq!(first.samples, again.samples);
        assert_eq!((first.white, first.length), (again.white, again.length));
        assert!(!first.samples.is_empty() && first.searched >= 3 * first.samples.len() as u64 / 2);
        Ok(())
    }

    #[test]
    fn samples_are_quiet_and_know_the_result() -> Result<(), kingchess::search::TableError> {
        let mut searcher = Searcher::new(1)?;
        let recipe = Recipe { nodes: 40, keep: 1.0, quick_nodes: 0, seed: 1, network: None };
        for number in 0..10 {
            let finished = play(&mut searcher, &recipe, number);
            for sample in &finished.samples {
                let position = sample.position().filter(|position| !position.in_check());
                let sign =
                    if position.is_some_and(|position| position.side() == Color::White) { 1 } else { -1 };
                assert!(position.is_some());
                assert_eq!(sample.result(), sign * i32::from(finished.white));
                assert!(sample.score().abs() <= DECIDED);
            }
        }
        Ok(())
    }
}
