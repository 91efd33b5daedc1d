//! Early positions to start games from: each is played twice, with colours swapped.

mod balance;
mod classes;
mod command;
mod file;
mod random;

pub use balance::{Balance, BalanceError};
pub use command::{Settings, run};
pub use file::{FileError, read};

use kingchess::rules::{Game, Position};
use kingchess::types::Action;

/// A start position with the actions that lead to the opening.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The first position.
    pub start: Position,
    /// What is played from there.
    pub actions: Vec<Action>,
}

impl Opening {
    /// The opening as a game in which its actions have been played.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        self.actions.iter().for_each(|&action| game.play(action));
        game
    }

    /// Where it leads.
    pub fn position(&self) -> Position {
        *self.game().position()
    }
}

/// The openings of a match, the same for the same seed.
///
/// # Errors
/// If there is no memory for the search, or too few random openings are balanced.
pub fn generate(count: usize, seed: u64, chess: bool) -> Result<Vec<Opening>, BalanceError> {
    let first = seed.wrapping_mul(1_000_003).wrapping_add(1);
    let balanced = Balance::default()
        .choose(count, |number| random::match_opening(first.wrapping_add(number), chess))?;
    Ok(balanced.into_iter().map(|balanced| balanced.opening).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn match_openings_are_the_same_for_the_same_seed() {
        for chess in [false, true] {
            let keys = |seed| -> Vec<u64> {
                let openings = generate(6, seed, chess).expect("enough openings");
                openings.iter().map(|opening| opening.position().key()).collect()
            };
            assert_eq!(keys(1), keys(1));
            assert_ne!(keys(1), keys(2));
            // Fewer are the beginning of more.
            let fewer = generate(3, 1, chess).expect("enough openings");
            assert_eq!(fewer[2].position().key(), keys(1)[2]);
        }
    }
}
