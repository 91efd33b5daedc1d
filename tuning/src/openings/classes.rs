//! Kinds of early positions.

use std::fmt;

use clap::ValueEnum;
use kingchess::rules::Position;
use kingchess::types::Color;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::Opening;
use super::random::{Line, chess_opening};

/// A kind of early position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Class {
    /// Both kings, each with at most two other pieces
    Kings,
    /// Each side has dropped about half: 5 to 11 pieces are in its reserve
    Half,
    /// Each side has 1 to 3 pieces in reserve
    Small,
    /// Both sides have dropped all sixteen pieces at once; nothing has moved
    Setup,
    /// Ordinary chess after eight random moves
    Chess,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Kings, Self::Half, Self::Small, Self::Setup, Self::Chess];

    /// Is the position of this kind?
    pub fn holds(self, position: &Position) -> bool {
        let both = |holds: &dyn Fn(u32) -> bool| {
            Color::ALL
                .iter()
                .all(|&color| position.king(color).is_some() && holds(position.reserve(color).total()))
        };
        match self {
            Self::Kings => both(&|reserve| reserve >= 13),
            Self::Half => both(&|reserve| (5..=11).contains(&reserve)),
            Self::Small => both(&|reserve| (1..=3).contains(&reserve)),
            Self::Setup => both(&|reserve| reserve == 0) && position.occupied().count() == 32,
            Self::Chess => both(&|reserve| reserve == 0),
        }
    }

    /// A random position of this kind, as an opening; the same for the same numbers. `None` if chance did not make one.
    pub fn candidate(self, seed: u64, number: u64) -> Option<Opening> {
        let stream = seed.wrapping_mul(1_000_003).wrapping_add(number);
        let mut rng = SmallRng::seed_from_u64(stream ^ ((1 + self as u64) << 56));
        let opening = self.opening(&mut rng)?;
        Some(opening).filter(|opening| self.holds(&opening.position()))
    }

    fn opening(self, rng: &mut SmallRng) -> Option<Opening> {
        let mut line = Line::start();
        match self {
            Self::Kings => {
                for _ in Color::ALL {
                    let pieces = rng.random_range(0..=2);
                    line.drop(pieces, rng)?;
                }
            }
            Self::Half => {
                for _ in Color::ALL {
                    let pieces = rng.random_range(5..=9);
                    line.drop(pieces, rng)?;
                }
                line.moves(rng.random_range(0..=3), rng)?;
            }
            Self::Small => {
                for _ in Color::ALL {
                    let pieces = rng.random_range(5..=8);
                    line.drop(pieces, rng)?;
                }
                for _ in Color::ALL {
                    let left = rng.random_range(1..=3);
                    let pieces = line.in_reserve().checked_sub(left)?;
                    line.drop(pieces, rng)?;
                }
                line.moves(rng.random_range(0..=2), rng)?;
            }
            Self::Setup => {
                for _ in Color::ALL {
                    line.drop(15, rng)?;
                }
            }
            Self::Chess => return Some(chess_opening(rng)),
        }
        Some(line.opening())
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kings => "kings",
            Self::Half => "half",
            Self::Small => "small",
            Self::Setup => "setup",
            Self::Chess => "chess",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_what_their_class_says_and_can_be_played() {
        for class in Class::ALL {
            let openings: Vec<Opening> = (0..200).filter_map(|number| class.candidate(1, number)).collect();
            assert!(openings.len() >= 20, "{class}: {}", openings.len());
            for opening in &openings {
                let mut position = opening.start;
                for &action in &opening.actions {
                    assert!(position.is_legal(action), "{class}: {}", position.fen());
                    position.play(action);
                }
                assert!(class.holds(&position), "{class}: {}", position.fen());
                // Its FEN alone, without what led to it, is the same position.
                let read: Position = position.fen().parse().expect("a position that can be");
                assert_eq!(read.key(), position.key());
            }
            let first = openings[0].position().key();
            assert!(openings.iter().any(|opening| opening.position().key() != first), "{class}");
        }
    }

    #[test]
    fn classes_exclude_each_other() {
        for class in [Class::Kings, Class::Half, Class::Small, Class::Setup] {
            let opening = (0..200).find_map(|number| class.candidate(5, number)).expect("a candidate");
            let position = opening.position();
            let others = Class::ALL.into_iter().filter(|&other| other != class && other != Class::Chess);
            assert!(others.into_iter().all(|other| !other.holds(&position)), "{}", position.fen());
        }
        assert!(!Class::Kings.holds(&Position::start()));
    }
}
