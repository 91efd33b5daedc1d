//! What the network can't know, since it never searches: that some advantages don't win, and that all of them shrink as
//! the fifty-action rule draws near. Fitted to games played to their end (`lab endings`, see tuning/RECORD.md).

use crate::rules::Position;
use crate::types::{Color, Kind};

/// Kinds that endings are told apart by.
const KINDS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

/// What a side has besides its king, by [`KINDS`].
type Pieces = [u32; 4];

/// Endings without pawns that the side which is ahead hardly ever wins: its pieces, the other's, and the part of the
/// network's value that foretells the results best, in 64ths.
const HARDLY_WON: [(Pieces, Pieces, i32); 7] = [
    ([0, 0, 0, 2], [0, 0, 0, 0], 0),  // NN v nothing
    ([0, 0, 0, 2], [0, 0, 0, 1], 2),  // NN v n
    ([0, 0, 0, 2], [0, 0, 1, 0], 4),  // NN v b
    ([0, 0, 1, 1], [0, 0, 1, 0], 5),  // BN v b
    ([0, 0, 1, 2], [0, 0, 2, 0], 13), // BNN v bb
    ([0, 0, 2, 1], [0, 0, 2, 0], 19), // BBN v bb
    ([0, 0, 2, 0], [0, 0, 1, 0], 22), // BB v b
];
/// The most pieces on the board in one of them, kings included.
const MOST: u32 = 7;

/// Until this fifty-action clock an advantage is worth all the network says; then a little less with every action.
const WHOLE_UNTIL: i32 = 20;
/// What goes with each of them, in thousandths.
const SHRINKS: i32 = 11;

/// The part of the network's value that is left, in parts of [`WHOLE`].
#[inline]
pub fn part(position: &Position) -> i32 {
    let clock = i32::from(position.halfmove_clock()).min(100);
    let left = WHOLE - SHRINKS * (clock - WHOLE_UNTIL).max(0);
    if position.kind(Kind::Pawn).is_empty() { left * part_of_ending(position) / 64 } else { left }
}

/// What [`part`] is where nothing shrinks.
pub const WHOLE: i32 = 1000;

/// The part that is left in endings that are hardly ever won, in 64ths.
fn part_of_ending(position: &Position) -> i32 {
    let reserved = Color::ALL.iter().any(|&color| !position.reserve(color).is_empty());
    if reserved || position.occupied().count() > MOST {
        return 64;
    }
    let [white, black] = Color::ALL.map(|color| KINDS.map(|kind| position.pieces(color, kind).count()));
    let known = HARDLY_WON.iter().find(|(ahead, behind, _)| {
        (*ahead, *behind) == (white, black) || (*ahead, *behind) == (black, white)
    });
    known.map_or(64, |&(_, _, part)| part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advantages_shrink_with_the_clock_and_never_turn() {
        let part = |clock: u32| part(&format!("4k3/8/8/8/8/8/4P3/4K2R[] w - - {clock} 90").parse().unwrap());
        assert_eq!([0, 10, 20].map(part), [WHOLE; 3]);
        assert_eq!([50, 100, 140].map(part), [670, 120, 120]);
        assert!((0..100).all(|clock| part(clock) >= part(clock + 1) && part(clock + 1) > 0));
    }

    #[test]
    fn endings_that_nobody_wins_are_worth_nothing_to_either_side() {
        let part = |fen: &str| part(&fen.parse().unwrap());
        assert_eq!(part("4k3/8/8/8/8/8/8/1N2K1N1[] w - - 0 90"), 0);
        assert_eq!(part("1n2k1n1/8/8/8/8/8/8/4K3[] w - - 0 90"), 0);
        assert_eq!(part("2b1k3/8/8/8/8/8/8/1N2KB2[] w - - 0 90"), 78);
        // A pawn, or a piece in hand, and nothing is known.
        for fen in ["4k3/8/8/8/8/8/4P3/1N2K1N1[] w - - 0 90", "4k3/8/8/8/8/8/8/1N2K1N1[n] w - - 0 90"] {
            assert_eq!(part(fen), WHOLE, "{fen}");
        }
    }
}
