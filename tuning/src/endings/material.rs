//! Endings without pawns, by what each side has besides its king.

use kingchess::rules::Position;
use kingchess::types::{Bitboard, Color, Kind};
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

/// Kinds with their letters and their worth in pawns.
const KINDS: [(Kind, char, u32); 4] =
    [(Kind::Queen, 'q', 9), (Kind::Rook, 'r', 5), (Kind::Bishop, 'b', 3), (Kind::Knight, 'n', 3)];
/// The most pieces of the side that is ahead, and of the other.
const MOST: (u32, u32) = (3, 2);
/// The most of each of [`KINDS`] without a promotion.
const UNPROMOTED: Pieces = [1, 2, 2, 2];
/// A side that is further ahead, in pawns, wins.
const DOUBTFUL: u32 = 6;
/// How often squares are drawn before an ending is given up.
const ATTEMPTS: usize = 1000;

/// How many pieces of each of [`KINDS`] a side has.
type Pieces = [u32; 4];

/// An ending: the pieces of the side that is ahead, and of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    stronger: Pieces,
    weaker: Pieces,
}

/// All endings of few pieces in which a side is ahead, but not by so much that there is no doubt.
pub fn unequal() -> Vec<Material> {
    let mut endings = Vec::new();
    for stronger in all(MOST.0) {
        for weaker in all(MOST.1) {
            let ahead = worth(stronger).checked_sub(worth(weaker)).filter(|&ahead| ahead > 0);
            if ahead.is_some_and(|ahead| ahead <= DOUBTFUL) {
                endings.push(Material { stronger, weaker });
            }
        }
    }
    endings
}

/// All choices of at most so many pieces, none of them promoted.
fn all(most: u32) -> Vec<Pieces> {
    let mut choices = vec![[0; 4]];
    for kind in 0..4 {
        let longer: Vec<Pieces> = choices
            .iter()
            .flat_map(|choice| {
                let left = most - choice.iter().sum::<u32>();
                (0..=left.min(UNPROMOTED[kind])).map(move |count| {
                    let mut choice = *choice;
                    choice[kind] = count;
                    choice
                })
            })
            .collect();
        choices = longer;
    }
    choices
}

fn worth(pieces: Pieces) -> u32 {
    pieces.iter().zip(KINDS).map(|(count, (_, _, worth))| count * worth).sum()
}

fn letters(pieces: Pieces) -> String {
    let letters =
        pieces.iter().zip(KINDS).map(|(&count, (_, letter, _))| letter.to_string().repeat(count as usize));
    letters.collect()
}

impl Material {
    /// The letters of both sides.
    pub fn name(&self) -> String {
        format!("{} v {}", letters(self.stronger).to_uppercase(), letters(self.weaker))
    }

    /// A number of its own for each ending.
    pub fn key(&self) -> u64 {
        self.stronger.iter().chain(&self.weaker).fold(0, |key, &count| key << 4 | u64::from(count))
    }

    /// The side that has the stronger pieces; `None` if the position is of another kind.
    pub fn stronger(&self, position: &Position) -> Option<Color> {
        let nothing_else = position.kind(Kind::Pawn).is_empty()
            && Color::ALL.iter().all(|&color| position.reserve(color).is_empty());
        let of = |color: Color| KINDS.map(|(kind, _, _)| position.pieces(color, kind).count());
        Color::ALL
            .into_iter()
            .find(|&color| nothing_else && of(color) == self.stronger && of(!color) == self.weaker)
    }

    /// Such a position at random: nobody is in check, two bishops stand on squares of both colours, the stronger side is
    /// either, and either is to act.
    pub fn place(&self, rng: &mut SmallRng) -> Option<Position> {
        let (white, black) =
            if rng.random_bool(0.5) { (self.stronger, self.weaker) } else { (self.weaker, self.stronger) };
        let pieces = format!("K{}k{}", letters(white).to_uppercase(), letters(black));
        (0..ATTEMPTS).find_map(|_| {
            let mut squares: Vec<usize> = (0..64).collect();
            let (squares, _) = squares.partial_shuffle(rng, pieces.len());
            let mut board = ['1'; 64];
            squares.iter().zip(pieces.chars()).for_each(|(&square, piece)| board[square] = piece);
            let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
            let side = if rng.random_bool(0.5) { 'w' } else { 'b' };
            let position: Position = format!("{}[] {side} - - 0 1", ranks.join("/")).parse().ok()?;
            let alike = |color: Color| {
                let bishops = position.pieces(color, Kind::Bishop);
                bishops.count() == 2 && (bishops & Bitboard::LIGHT).count() != 1
            };
            (!position.in_check() && !Color::ALL.into_iter().any(alike)).then_some(position)
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn endings_are_different_and_can_be_placed() {
        let endings = unequal();
        let names: Vec<String> = endings.iter().map(Material::name).collect();
        for name in ["R v b", "NN v ", "QN v q", "RB v r", "BB v n"] {
            assert!(names.iter().any(|other| other == name), "{name}: {names:?}");
        }
        assert!(!names.iter().any(|name| name == "Q v " || name == "R v r"));
        let mut rng = SmallRng::seed_from_u64(1);
        for ending in &endings {
            assert_eq!(names.iter().filter(|&name| *name == ending.name()).count(), 1);
            let position = ending.place(&mut rng).expect("a position");
            assert!(ending.stronger(&position).is_some());
            assert!(endings.iter().all(|other| other == ending || other.stronger(&position).is_none()));
        }
    }
}
