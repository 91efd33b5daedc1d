//! A player of multi-drops made from one that knows only single drops.
//!
//! It asks for the best move; then, from the same position, for one drop after another as long as each is worth no less
//! to the asked engine than the last, or until the enemy king is attacked; and plays the drops if they are worth at least
//! as much as the move. It does not see what only several drops at once can do.

use kingchess::rules::Position;
use kingchess::types::{Action, DropSet};

use super::{Choice, Peer, single_drops, single_moves};
use crate::engine::EngineError;

/// The action of the greedy player; `None` if the peer finds no single move or drop.
pub fn act(position: &Position, peer: &mut impl Peer) -> Result<Option<Choice>, EngineError> {
    let best = peer.choose(position, &single_moves(position))?;
    let chain = chain(position, peer)?;
    Ok(match (best, chain) {
        (Some(best), Some(chain)) if chain.value >= best.value => Some(chain),
        (Some(best), _) => Some(best),
        (None, chain) => chain,
    })
}

/// Drops, each the peer's best after those before it.
fn chain(position: &Position, peer: &mut impl Peer) -> Result<Option<Choice>, EngineError> {
    let us = position.side();
    let mut position = *position;
    let mut set = DropSet::EMPTY;
    let mut last: Option<Choice> = None;
    while let Some(choice) = peer.choose(&position, &single_drops(&position))? {
        if last.is_some_and(|last| choice.value < last.value) {
            break;
        }
        let Action::Drops(single) = choice.action else { break };
        set = single.drops(us).fold(set, DropSet::with);
        last = Some(Choice { action: Action::Drops(set), value: choice.value });
        position = position.after(choice.action);
        // The other side is in check: it could not do nothing.
        if position.in_check() {
            break;
        }
        position.play_null();
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use kingchess::notation::read_legal_action;

    use super::*;

    /// Answers each question with the next of its answers, `-` for none.
    struct Script(Vec<(&'static str, i32)>);

    impl Peer for Script {
        fn choose(&mut self, position: &Position, among: &[Action]) -> Result<Option<Choice>, EngineError> {
            if among.is_empty() {
                return Ok(None);
            }
            let (word, value) = self.0.remove(0);
            if word == "-" {
                return Ok(None);
            }
            let action = read_legal_action(word, position).expect("the script is legal");
            assert!(among.contains(&action), "{word}");
            Ok(Some(Choice { action, value }))
        }
    }

    #[track_caller]
    fn check(fen: &str, answers: &[(&'static str, i32)], expected: Option<(&str, i32)>) {
        let position: Position = fen.parse().expect("the FEN is right");
        let mut script = Script(answers.to_vec());
        let choice = act(&position, &mut script).expect("a script does not fail");
        let got = choice.map(|choice| (choice.action.token(position.side()).to_string(), choice.value));
        assert_eq!(got, expected.map(|(word, value)| (word.to_owned(), value)));
        assert!(script.0.is_empty(), "not asked: {:?}", script.0);
        if let Some(choice) = choice {
            assert!(position.is_legal(choice.action));
        }
    }

    const QUIET: &str = "4k3/8/8/8/8/8/8/4K3[QNPPp] w - - 0 9";

    #[test]
    fn drops_go_on_while_their_value_does_not_fall() {
        let answers = [("e1d1", 10), ("P@a2", 20), ("P@b2", 20), ("N@c3", 5)];
        check(QUIET, &answers, Some(("P@a2,P@b2", 20)));
    }

    #[test]
    fn drops_worth_less_than_the_move_are_not_played() {
        check(QUIET, &[("e1d1", 30), ("P@a2", 20), ("P@b2", 10)], Some(("e1d1", 30)));
        // Equal is enough, and a higher end counts, not the beginning.
        check(QUIET, &[("e1d1", 30), ("P@a2", 20), ("P@b2", 30), ("N@c3", 29)], Some(("P@a2,P@b2", 30)));
    }

    #[test]
    fn a_check_ends_the_drops() {
        check(QUIET, &[("e1d1", 10), ("P@a2", 20), ("Q@e4", 25)], Some(("Q@e4,P@a2", 25)));
    }

    #[test]
    fn the_whole_reserve_can_go_down() {
        check(
            "4k3/8/8/8/8/8/8/4K3[PP] w - - 0 9",
            &[("e1d1", 0), ("P@a2", 1), ("P@b2", 2)],
            Some(("P@a2,P@b2", 2)),
        );
    }

    #[test]
    fn the_first_action_brings_the_king() {
        let answers = [("K@e1", 5), ("P@d2", 9), ("P@e2", 3)];
        check(&Position::start().fen(), &answers, Some(("K@e1,P@d2", 9)));
    }

    #[test]
    fn no_answer_is_no_action() {
        check(QUIET, &[("-", 0), ("-", 0)], None);
        check(QUIET, &[("-", 0), ("P@a2", -50), ("-", 0)], Some(("P@a2", -50)));
    }
}
