//! What the rule tests share: reading positions and tokens, an independent referee, an independent count, random games.

// Each test file is a program of its own and uses only a part of this.
#![allow(dead_code)]

pub mod count;
pub mod naive;
pub mod random;

use std::ops::ControlFlow;

use kingchess::rules::{Game, Position, Wanted};
use kingchess::types::{Action, Drop, DropSet, Kind, MAX_DROPS, Move, Square};

/// The position of a FEN that must be accepted.
pub fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Reads a token like `e7e8q` or `K@e1,P@e4`, its drops in any order. `None` if no action of the side to act is
/// written like this, as when a drop names the other half of the board.
pub fn action(position: &Position, token: &str) -> Option<Action> {
    if !token.contains('@') {
        let text = token.as_bytes();
        let mv = Move::new(Square::parse(text.get(..2)?)?, Square::parse(text.get(2..4)?)?)?;
        return match *text.get(4..)? {
            [] => Some(Action::Move(mv)),
            [letter] => Some(Action::Move(mv.promoting(Kind::from_letter(letter)?))),
            _ => None,
        };
    }
    let mut codes = Vec::new();
    for drop in token.split(',') {
        let (kind, square) = drop.split_once('@')?;
        let &[letter] = kind.as_bytes() else { return None };
        let square = Square::parse(square.as_bytes())?;
        if !position.side().half().has(square) {
            return None;
        }
        codes.push(Drop { kind: Kind::from_letter(letter)?, square }.code());
    }
    DropSet::from_codes(&codes).map(Action::Drops)
}

/// Is the token a legal action here?
pub fn is_legal(position: &Position, token: &str) -> bool {
    action(position, token).is_some_and(|action| position.is_legal(action))
}

/// The token of an action of the side to act.
pub fn token(position: &Position, action: Action) -> String {
    action.token(position.side()).to_string()
}

/// Plays these tokens, separated by blanks, each of which must be legal.
pub fn play(game: &mut Game, tokens: &str) {
    for token in tokens.split_whitespace() {
        let position = game.position();
        let action = action(position, token).filter(|&action| position.is_legal(action));
        game.play(action.unwrap_or_else(|| panic!("{token} is illegal in {}", position.fen())));
    }
}

/// The game from the empty board that these tokens make.
pub fn game(tokens: &str) -> Game {
    let mut game = Game::new(Position::start());
    play(&mut game, tokens);
    game
}

/// All legal moves, in generation order.
pub fn moves(position: &Position) -> Vec<Move> {
    selected_moves(position, Wanted::ALL)
}

/// The legal moves with wanted targets, in generation order.
pub fn selected_moves(position: &Position, wanted: Wanted) -> Vec<Move> {
    let mut moves = Vec::new();
    position.visit_moves(wanted, |targets| {
        moves.extend(targets.moves());
        false
    });
    moves
}

/// All legal drop sets, in generation order; look at their number first.
pub fn sets(position: &Position) -> Vec<DropSet> {
    let mut sets = Vec::new();
    let _ = position.visit_sets(MAX_DROPS, |set| {
        sets.push(set);
        ControlFlow::Continue(())
    });
    sets
}

/// The lines of a test suite: the FEN and the operations behind it as (name, value).
pub fn suite(text: &str) -> impl Iterator<Item = (&str, Vec<(&str, &str)>)> {
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).map(|line| {
        let mut parts = line.split(';').map(str::trim);
        let fen = parts.next().unwrap_or_default();
        (fen, parts.filter_map(|part| part.split_once(' ')).collect())
    })
}

/// The value of an operation of a suite line, if the line has it.
pub fn operation<'a>(operations: &[(&str, &'a str)], name: &str) -> Option<&'a str> {
    operations.iter().find(|(other, _)| *other == name).map(|&(_, value)| value)
}
