//! One game between two engines.

use std::time::Duration;

use kingchess::notation::read_legal_action;
use kingchess::rules::{Game, Outcome};
use kingchess::types::Color;

use super::engine::Engine;
use super::openings::Opening;

/// What an action may cost.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// This many nodes.
    Nodes(u64),
    /// This time.
    Time(Duration),
    /// A clock: time for the game and after each action.
    Clock(Duration, Duration),
}

/// How a game ended.
#[derive(Clone, Debug)]
pub struct Played {
    /// Half points of White: 0, 1 or 2.
    pub white: usize,
    /// Why.
    pub reason: String,
    /// All actions as tokens, the opening's first.
    pub actions: Vec<String>,
    /// An engine crashed, was late or did something illegal.
    pub fault: bool,
}

/// Both engines' values agree on a winner for so many actions in a row, by at least this much: it is won.
const WON: i32 = 900;
const WON_ACTIONS: usize = 6;
/// Time lost on the way to the clock that is forgiven.
const MARGIN: Duration = Duration::from_millis(50);
/// Longer games are drawn.
const LONGEST: usize = 600;

/// Plays a game; `engines` are White's and Black's. A crash, an illegal action or a time loss loses it.
pub fn play(engines: [&mut Engine; 2], budgets: [Budget; 2], opening: &Opening, chess: bool) -> Played {
    let mut game = Game::new(opening.start);
    let mut tokens = Vec::new();
    for &action in &opening.actions {
        tokens.push(action.token(game.position().side()).to_string());
        game.play(action);
    }
    let mut clocks = budgets.map(|budget| match budget {
        Budget::Clock(time, _) => time,
        _ => Duration::ZERO,
    });
    let setup = if chess {
        format!("fen {}", opening.start.chess_fen())
    } else {
        format!("fen {}", opening.start.fen())
    };
    let mut leads = [0; 2];
    loop {
        let side = game.position().side();
        let end = |white, reason: String, fault| Played { white, reason, actions: tokens.clone(), fault };
        if let Some(outcome) = game.outcome() {
            let white = match outcome {
                Outcome::Checkmate if side == Color::White => 0,
                Outcome::Checkmate => 2,
                _ => 1,
            };
            return end(white, outcome.to_string(), false);
        }
        if game.ply() >= LONGEST {
            return end(1, "length".to_owned(), false);
        }
        if let Some(winner) = leads.iter().position(|&lead| lead >= WON_ACTIONS) {
            return end(if winner == 0 { 2 } else { 0 }, "adjudicated".to_owned(), false);
        }
        let lost = if side == Color::White { 0 } else { 2 };
        let position = format!("position {setup} moves {}", tokens.join(" "));
        let (limits, patience) = limits(budgets, clocks, side);
        let answer = match engines[side as usize].go(&position, &limits, patience) {
            Ok(answer) => answer,
            Err(error) => return end(lost, error.to_string(), true),
        };
        if let Budget::Clock(_, increment) = budgets[side as usize] {
            let left = &mut clocks[side as usize];
            if answer.time > *left + MARGIN {
                return end(lost, "time loss".to_owned(), true);
            }
            *left = left.saturating_sub(answer.time) + increment;
        }
        let action = match read_legal_action(&answer.token, game.position()) {
            Ok(action) => action,
            Err(error) => return end(lost, format!("{}: {error}", answer.token), true),
        };
        count_lead(&mut leads, side, answer.value);
        tokens.push(action.token(side).to_string());
        game.play(action);
    }
}

fn limits(budgets: [Budget; 2], clocks: [Duration; 2], side: Color) -> (String, Duration) {
    let ms = |time: Duration| time.as_millis();
    match budgets[side as usize] {
        Budget::Nodes(nodes) => (format!("nodes {nodes}"), Duration::from_secs(120)),
        Budget::Time(time) => (format!("movetime {}", ms(time)), time * 3 + Duration::from_secs(2)),
        Budget::Clock(_, increment) => {
            let [white, black] = clocks;
            let text = format!(
                "wtime {} btime {} winc {} binc {}",
                ms(white),
                ms(black),
                ms(increment),
                ms(increment)
            );
            (text, clocks[side as usize] + Duration::from_secs(5))
        }
    }
}

/// Counts actions in a row after which a side was seen far ahead, by itself and by its opponent.
fn count_lead(leads: &mut [usize; 2], side: Color, value: Option<i32>) {
    let Some(value) = value else { return };
    let white = if side == Color::White { value } else { -value };
    leads[0] = if white >= WON { leads[0] + 1 } else { 0 };
    leads[1] = if white <= -WON { leads[1] + 1 } else { 0 };
}
