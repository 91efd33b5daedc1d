//! Games played to their end.

use kingchess::eval::{built_in, network};
use kingchess::rules::{Game, Outcome, Position};
use kingchess::search::{Control, Limits, Searcher, TableError, action_is_quiet};
use kingchess::types::Color;

/// Megabytes of transposition table for each game.
const HASH: usize = 4;
/// Longer games are drawn.
const LONGEST: usize = 400;

/// A quiet position of a game.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The position.
    pub position: Position,
    /// What the network alone says, in centipawns for the side to act.
    pub value: i32,
    /// The result of the game for the side to act: 1, 0 or -1.
    pub result: i32,
}

/// Plays games one after another.
pub struct Player {
    searcher: Searcher,
}

impl Player {
    /// A player.
    ///
    /// # Errors
    /// If there is no memory for the search.
    pub fn new() -> Result<Self, TableError> {
        Ok(Self { searcher: Searcher::new(HASH)? })
    }

    /// Plays from a position to the end by rule or to a proven mate. Gives the quiet positions on the way.
    pub fn play(&mut self, start: &Position, nodes: u64) -> Vec<Moment> {
        self.searcher.clear();
        let network = built_in();
        let mut game = Game::new(*start);
        let mut moments = Vec::new();
        let mut white = 0;
        while game.ply() < LONGEST {
            let position = *game.position();
            match game.outcome() {
                Some(Outcome::Checkmate) => white = if position.side() == Color::White { -1 } else { 1 },
                Some(_) => {}
                None => {
                    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                    let found = self.searcher.search(&game, &limits, &Control::default(), &mut |_| {});
                    let Some(best) = found.best else { break };
                    if let Some(mate) = found.score.mate_distance() {
                        let won = (mate > 0) == (position.side() == Color::White);
                        white = if won { 1 } else { -1 };
                        break;
                    }
                    if !position.in_check() && action_is_quiet(&position, best) {
                        let value = network::evaluate_fresh(&network, &position);
                        moments.push(Moment { position, value, result: 0 });
                    }
                    game.play(best);
                    continue;
                }
            }
            break;
        }
        for moment in &mut moments {
            moment.result = if moment.position.side() == Color::White { white } else { -white };
        }
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_won_ending_is_won_and_a_drawn_one_drawn() -> Result<(), Box<dyn std::error::Error>> {
        let mut player = Player::new()?;
        let won = player.play(&"8/8/8/3k4/8/8/8/KQ6[] b - - 0 1".parse()?, 500);
        assert!(!won.is_empty());
        for moment in won {
            let sign = if moment.position.side() == Color::White { 1 } else { -1 };
            assert!(moment.result == sign && moment.value * sign > 0, "{moment:?}");
        }
        let drawn = player.play(&"8/8/8/3k4/8/8/8/KNN5[] w - - 80 1".parse()?, 300);
        assert!(drawn.len() > 5 && drawn.iter().all(|moment| moment.result == 0));
        Ok(())
    }
}
