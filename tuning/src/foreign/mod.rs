//! Engines that do not know Kingchess as opponents: one that plays the game with single drops only, a wrapper that makes
//! drops of several from them, and a chess engine for the end.

mod greedy;
mod text;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use kingchess::rules::{Position, Wanted};
use kingchess::types::{Action, Color, Drop, DropSet, MAX_DROPS};

use super::budget::Allowance;
use super::engine::{Answer, Engine, EngineError};
use super::player::{Player, Turn};

/// How a foreign engine plays Kingchess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Style {
    /// One move or one drop a turn
    Single,
    /// Drops of several pieces, made greedily from single ones
    Greedy,
}

/// What a foreign player is made of.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The engine that knows single drops.
    pub path: String,
    /// Its options, `NAME=VALUE`.
    pub options: Vec<String>,
    /// How it plays.
    pub style: Style,
    /// The file that explains the game to it.
    pub variants: PathBuf,
    /// The chess engine that plays once both reserves are empty.
    pub handover: Option<String>,
}

/// The section of the file that explains the game.
const VARIANT: &str = "kingchess-exactbishop";

/// A foreign player: what it is asked is a FEN each turn, so it knows of no repetition.
pub struct Foreign {
    engine: Engine,
    style: Style,
    chess: Option<Engine>,
}

/// Starts an engine that knows single drops, and has the file explain the game to it.
///
/// # Errors
/// If it does not start, does not say that it plays the variant, or refuses an option.
pub fn start(path: &str, options: &[String], variants: &Path) -> Result<Engine, EngineError> {
    let mut engine = Engine::start(path, &[])?;
    // The file first: an unknown name of a variant is ignored without a word.
    engine.set("VariantPath", &variants.display().to_string())?;
    engine.set("UCI_Variant", VARIANT)?;
    let said = engine.ask("isready", "readyok")?;
    let confirmed = format!("info string variant {VARIANT} ");
    if !said.iter().any(|line| line.starts_with(&confirmed)) {
        let reason = format!(
            "did not answer '{confirmed}…': it does not know options VariantPath and UCI_Variant, or {} has no \
             section {VARIANT}",
            variants.display()
        );
        return Err(EngineError::Unfit { path: path.to_owned(), reason });
    }
    engine.set_all(options)?;
    Ok(engine)
}

/// The command that tells such an engine of a position.
pub fn command(position: &Position) -> String {
    format!("position fen {}", text::fen(position))
}

impl Foreign {
    /// Starts the engines.
    ///
    /// # Errors
    /// If one does not start, or the first does not say that it plays the variant.
    pub fn start(recipe: &Recipe) -> Result<Self, EngineError> {
        let engine = start(&recipe.path, &recipe.options, &recipe.variants)?;
        let chess = recipe.handover.as_deref().map(|path| Engine::start(path, &[])).transpose()?;
        Ok(Self { engine, style: recipe.style, chess })
    }
}

impl Player for Foreign {
    fn new_game(&mut self) -> Result<(), EngineError> {
        self.engine.new_game()?;
        self.chess.as_mut().map_or(Ok(()), Engine::new_game)
    }

    fn act(&mut self, turn: &Turn) -> Result<Answer, EngineError> {
        let (position, allowance) = (turn.position, turn.allowance);
        if let Some(chess) = self.chess.as_mut().filter(|_| reserves_are_empty(position)) {
            let command = format!("position fen {}", position.chess_fen());
            return chess.go(&command, &allowance.limits(), allowance.patience(position.side()));
        }
        let start = Instant::now();
        let mut peer = Asked { engine: &mut self.engine, allowance };
        let choice = match self.style {
            Style::Single => peer.choose(position, &single_actions(position))?,
            Style::Greedy => greedy::act(position, &mut peer)?,
        };
        let value = choice.map(|choice| choice.value);
        // It may see no answer where only several drops at once will do; that is no verdict.
        let action = choice.map(|choice| choice.action).or_else(|| any_action(position));
        let token = action.map_or("(none)".to_owned(), |action| action.token(position.side()).to_string());
        Ok(Answer { token, value, nodes: None, time: start.elapsed() })
    }

    fn transcript(&self) -> Vec<String> {
        let chess = self.chess.iter().flat_map(Engine::transcript);
        self.engine.transcript().chain(chess).map(str::to_owned).collect()
    }
}

/// An action with what it is worth to its side, in centipawns as in [`Answer::value`].
#[derive(Clone, Copy, Debug)]
struct Choice {
    action: Action,
    value: i32,
}

/// Chooses among actions of one piece.
trait Peer {
    /// The best of these actions; `None` if there are none or the engine has no answer.
    fn choose(&mut self, position: &Position, among: &[Action]) -> Result<Option<Choice>, EngineError>;
}

/// The engine, with what it may spend on a query.
struct Asked<'a> {
    engine: &'a mut Engine,
    allowance: Allowance,
}

impl Peer for Asked<'_> {
    fn choose(&mut self, position: &Position, among: &[Action]) -> Result<Option<Choice>, EngineError> {
        if among.is_empty() {
            return Ok(None);
        }
        let us = position.side();
        let words: Vec<String> = among.iter().filter_map(|&action| text::token(action, us)).collect();
        let command = command(position);
        let limits = format!("{} searchmoves {}", self.allowance.limits(), words.join(" "));
        let answer = self.engine.go(&command, &limits, self.allowance.patience(us))?;
        if answer.token == "(none)" {
            return Ok(None);
        }
        let strange = |asked: &str, answer: &str| EngineError::Strange {
            path: self.engine.path().to_owned(),
            asked: asked.to_owned(),
            answer: answer.to_owned(),
        };
        let action = text::read(&answer.token, us)
            .ok()
            .filter(|action| among.contains(action))
            .ok_or_else(|| strange("one of its searchmoves", &answer.token))?;
        let value = answer.value.ok_or_else(|| strange("a score", &answer.token))?;
        Ok(Some(Choice { action, value }))
    }
}

fn reserves_are_empty(position: &Position) -> bool {
    Color::ALL.iter().all(|&color| position.reserve(color).is_empty())
}

/// The legal moves.
fn single_moves(position: &Position) -> Vec<Action> {
    let mut moves = Vec::new();
    position.visit_moves(Wanted::ALL, |targets| {
        moves.extend(targets.moves().map(Action::Move));
        false
    });
    moves
}

/// The legal drops of one piece.
fn single_drops(position: &Position) -> Vec<Action> {
    let mut drops = Vec::new();
    position.visit_single_drops(|kind, squares| {
        let drop = |square| Action::Drops(DropSet::one(Drop { kind: kind.kind(), square }));
        drops.extend(squares.map(drop));
    });
    drops
}

/// The legal actions that move or drop one piece.
fn single_actions(position: &Position) -> Vec<Action> {
    let mut actions = single_moves(position);
    actions.extend(single_drops(position));
    actions
}

/// A legal action: a move if there is one, otherwise a drop of as few pieces as will do.
fn any_action(position: &Position) -> Option<Action> {
    single_moves(position).first().copied().or_else(|| {
        (1..=MAX_DROPS).find_map(|size| {
            let mut found = None;
            let _ = position.visit_sets(size, |set| {
                found = Some(Action::Drops(set));
                ControlFlow::Break(())
            });
            found
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("the FEN is right")
    }

    #[test]
    fn two_lines_of_check_are_answered_by_two_drops() {
        let double = position("4k3/8/8/8/B7/8/8/K2QRR2[BNNPPPPPPPPqrrbbnnpppppppp] b - - 0 3");
        assert!(single_actions(&double).is_empty());
        let action = any_action(&double).expect("not mate");
        assert_eq!(action.drop_count(), 2);
        assert!(double.is_legal(action));
    }

    #[test]
    fn mate_has_no_action() {
        assert!(any_action(&position("4R1k1/5ppp/8/8/8/8/8/K7[] b - - 1 9")).is_none());
    }

    #[test]
    fn single_actions_are_what_perft_counts() {
        for (fen, count) in
            [(Position::start().fen(), 32), ("4k3/8/8/8/8/8/8/4K3[P] w - - 0 9".to_owned(), 29)]
        {
            let position = position(&fen);
            let actions = single_actions(&position);
            assert!(actions.iter().all(|&action| position.is_legal(action)));
            assert_eq!(actions.len(), count, "{fen}");
        }
    }

    #[test]
    fn the_chess_engine_waits_for_both_reserves() {
        assert!(reserves_are_empty(&Position::chess_start()));
        assert!(!reserves_are_empty(&position("4k3/8/8/8/8/8/8/4K3[p] w - - 0 9")));
        assert!(!reserves_are_empty(&Position::start()));
    }
}
