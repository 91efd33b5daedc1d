//! Whoever acts in a game.

use kingchess::rules::Position;

use super::budget::Allowance;
use super::engine::{Answer, Engine, EngineError};

/// What a player is asked.
pub struct Turn<'a> {
    /// The position now.
    pub position: &'a Position,
    /// The `position` command that leads to it from the start of the game, every action included.
    pub command: &'a str,
    /// What the action may cost.
    pub allowance: Allowance,
}

/// Whoever acts in a game.
pub trait Player {
    /// Prepares for a new game.
    fn new_game(&mut self) -> Result<(), EngineError>;
    /// Chooses an action. The token in the answer is the protocol's; whether it is legal is the referee's to say.
    fn act(&mut self, turn: &Turn) -> Result<Answer, EngineError>;
    /// The last lines of the dialogue behind it, for the log of a fault.
    fn transcript(&self) -> Vec<String>;
}

/// An engine that speaks the protocol of Kingchess (or, of chess, plain UCI).
impl Player for Engine {
    fn new_game(&mut self) -> Result<(), EngineError> {
        Self::new_game(self)
    }

    fn act(&mut self, turn: &Turn) -> Result<Answer, EngineError> {
        let patience = turn.allowance.patience(turn.position.side());
        self.go(turn.command, &turn.allowance.limits(), patience)
    }

    fn transcript(&self) -> Vec<String> {
        Self::transcript(self).map(str::to_owned).collect()
    }
}
