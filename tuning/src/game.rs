//! One game between two players.

use std::fmt;
use std::time::Duration;

use kingchess::notation::{ActionError, read_legal_action};
use kingchess::rules::{Game, Outcome, Position};
use kingchess::types::{Action, Color};
use thiserror::Error;

use super::adjudication::{Adjudication, Adjudicator, Verdict};
use super::budget::{Allowance, Budget, Times, mirrored};
use super::engine::{Answer, EngineError};
use super::openings::Opening;
use super::player::{Player, Turn};
use super::result::GameResult;

/// A player at the board, with what it may spend and has spent in the match.
pub struct Seat {
    /// Who plays.
    pub player: Box<dyn Player>,
    /// What its actions may cost.
    pub budget: Budget,
    /// What they have taken.
    pub times: Times,
}

/// What a game is played by, beside the rules.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Ordinary chess instead of Kingchess.
    pub chess: bool,
    /// When it is ended before its end.
    pub adjudication: Adjudication,
}

/// A game that has ended.
#[derive(Debug)]
pub struct Played {
    /// Who has won.
    pub result: GameResult,
    /// Why.
    pub ending: Ending,
    /// All actions as tokens, the opening's first.
    pub actions: Vec<String>,
    /// The last position.
    pub last: Position,
    /// What White's and Black's actions took.
    pub times: [Times; 2],
}

/// Why a game has ended.
#[derive(Debug)]
pub enum Ending {
    /// By the rules.
    Rule(Outcome),
    /// The engines' values agree.
    Adjudicated,
    /// It was too long.
    Length,
    /// The side to act has done something it must not.
    Fault(Fault),
}

impl Ending {
    /// The word for it in the tag `Termination` of a PGN.
    pub fn termination(&self) -> &'static str {
        match self {
            Self::Rule(_) => "normal",
            Self::Adjudicated | Self::Length => "adjudication",
            Self::Fault(Fault::TimeLoss(_)) => "time forfeit",
            Self::Fault(Fault::Illegal(..)) => "rules infraction",
            Self::Fault(Fault::Engine(_)) => "abandoned",
        }
    }

    /// Does this word stand for a fault?
    pub fn is_fault(termination: &str) -> bool {
        matches!(termination, "time forfeit" | "rules infraction" | "abandoned")
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(outcome) => outcome.fmt(f),
            Self::Adjudicated => f.write_str("adjudicated"),
            Self::Length => f.write_str("length"),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

/// What loses a game whatever the position.
#[derive(Debug, Error)]
pub enum Fault {
    /// The engine has gone, hangs or answers nonsense.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// More time than was left.
    #[error("time loss: {} ms too many", .0.as_millis())]
    TimeLoss(Duration),
    /// No legal action.
    #[error("'{0}': {1}")]
    Illegal(String, ActionError),
}

/// Time lost on the way to the clock that is forgiven.
const MARGIN: Duration = Duration::from_millis(50);

/// Plays a game; the seats are White's and Black's. A crash, an illegal action or a time loss loses it.
pub fn play(mut seats: [&mut Seat; 2], opening: &Opening, conditions: &Conditions) -> Played {
    let mut table = Table::new([seats[0].budget, seats[1].budget], opening, conditions);
    let mut adjudicator = Adjudicator::new(&conditions.adjudication);
    let (result, ending) = loop {
        let position = table.game.position();
        let side = position.side();
        if let Some(outcome) = table.game.outcome() {
            let result = match outcome {
                Outcome::Checkmate => GameResult::win_of(!side),
                _ => GameResult::Draw,
            };
            break (result, Ending::Rule(outcome));
        }
        match adjudicator.verdict(table.tokens.len(), position.halfmove_clock().into()) {
            Some(Verdict::Values(result)) => break (result, Ending::Adjudicated),
            Some(Verdict::Length) => break (GameResult::Draw, Ending::Length),
            None => {}
        }
        match table.act(&mut seats) {
            Ok(answer) => adjudicator.note(side, answer.value),
            Err(fault) => break (GameResult::win_of(!side), Ending::Fault(fault)),
        }
    };
    Played { result, ending, actions: table.tokens, last: *table.game.position(), times: table.times }
}

/// A game under way.
struct Table {
    game: Game,
    tokens: Vec<String>,
    /// The `position` command so far.
    command: String,
    budgets: [Budget; 2],
    /// What is left on the clocks, if there are any.
    clocks: [Duration; 2],
    /// What the last actions took.
    last: [Option<Duration>; 2],
    times: [Times; 2],
}

impl Table {
    fn new(budgets: [Budget; 2], opening: &Opening, conditions: &Conditions) -> Self {
        let start = &opening.start;
        let fen = if conditions.chess { start.chess_fen() } else { start.fen() };
        let time = |budget| match budget {
            Budget::Clock(clock) => Some(clock.time),
            _ => None,
        };
        // A player without a clock does not make its opponent hurry.
        let [white, black] = budgets.map(time);
        let clocks = [white.or(black), black.or(white)].map(Option::unwrap_or_default);
        let mut table = Self {
            game: Game::new(*start),
            tokens: Vec::new(),
            command: format!("position fen {fen}"),
            budgets,
            clocks,
            last: [None; 2],
            times: [Times::default(); 2],
        };
        for &action in &opening.actions {
            table.play(action);
        }
        table
    }

    fn play(&mut self, action: Action) {
        let token = action.token(self.game.position().side()).to_string();
        self.command.push_str(if self.tokens.is_empty() { " moves " } else { " " });
        self.command.push_str(&token);
        self.tokens.push(token);
        self.game.play(action);
    }

    /// Lets the side to act act.
    fn act(&mut self, seats: &mut [&mut Seat; 2]) -> Result<Answer, Fault> {
        let position = *self.game.position();
        let side = position.side();
        let allowance = self.allowance(seats, side);
        let turn = Turn { position: &position, command: &self.command, allowance };
        let answer = seats[side as usize].player.act(&turn)?;
        seats[side as usize].times.add(answer.time);
        self.times[side as usize].add(answer.time);
        self.last[side as usize] = Some(answer.time);
        if let Budget::Clock(clock) = self.budgets[side as usize] {
            let left = &mut self.clocks[side as usize];
            if let Some(over) = answer.time.checked_sub(*left + MARGIN).filter(|over| !over.is_zero()) {
                return Err(Fault::TimeLoss(over));
            }
            *left = left.saturating_sub(answer.time) + clock.increment;
        }
        let action = read_legal_action(&answer.token, &position)
            .map_err(|error| Fault::Illegal(answer.token.clone(), error))?;
        self.play(action);
        Ok(answer)
    }

    fn allowance(&self, seats: &[&mut Seat; 2], side: Color) -> Allowance {
        match self.budgets[side as usize] {
            Budget::Nodes(nodes) => Allowance::Nodes(nodes),
            Budget::Time(time) => Allowance::Time(time),
            Budget::Clock(clock) => Allowance::Clock { left: self.clocks, increment: clock.increment },
            Budget::Mirror => {
                let (own, other) = (side as usize, !side as usize);
                Allowance::Time(mirrored(seats[own].times, seats[other].times, self.last[other]))
            }
        }
    }
}
