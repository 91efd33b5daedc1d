use std::time::Duration;

use crate::types::Action;

/// When a search ends. Without any limit it goes on until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The deepest iteration, in actions.
    pub depth: Option<u32>,
    /// The most positions to visit, of all threads together.
    pub nodes: Option<u64>,
    /// The time to use, exactly.
    pub movetime: Option<Duration>,
    /// The clock of the side to act.
    pub clock: Option<Clock>,
    /// End when a mate in this many own actions, or fewer, is proven.
    pub mate: Option<u32>,
    /// Give no result before being stopped.
    pub infinite: bool,
    /// Think on the opponent's time: give no result before a ponder hit or a stop.
    pub ponder: bool,
    /// Finish the first iteration whatever the other limits say.
    pub whole_first: bool,
    /// How much wider than usual: with 1, every node may try twice as many drop sets, with 2 three times as many. Only the
    /// first sets of the root are as many as ever. Slower; meant for checking what was found without.
    pub wider: u32,
    /// Only these actions at the root; all when `None`.
    pub searchmoves: Option<Vec<Action>>,
}

/// What a game's clock says for the side to act.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added after each action.
    pub increment: Duration,
    /// Actions until more time comes; `None`: the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}
