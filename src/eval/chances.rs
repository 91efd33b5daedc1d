//! What a value means in games won, drawn and lost.
//!
//! Logistic curves over the value, one for each phase of the game, fitted to games of self-play (`lab data` fits them, see
//! tuning/RECORD.md). An advantage wins less often in an ending.

use crate::rules::Position;
use crate::types::{Color, Score};

/// What the phases are called, in the order of [`phase`].
pub const PHASES: [&str; 7] = [
    "13-32 in reserve",
    "5-12 in reserve",
    "1-4 in reserve",
    "25-32 pieces, none in reserve",
    "17-24 pieces, none in reserve",
    "9-16 pieces, none in reserve",
    "2-8 pieces, none in reserve",
];

/// For each phase the value at which a win is as likely as not, and the spread of the curve around it, in centipawns.
const CURVES: [(f64, f64); PHASES.len()] = [
    (82.0, 306.0),
    (77.0, 240.0),
    (101.0, 202.0),
    (66.0, 218.0),
    (101.0, 198.0),
    (181.0, 161.0),
    (326.0, 116.0),
];

/// The phase of the game, an index of [`PHASES`]: by the pieces of both sides in reserve, then by those on the board; kings
/// count as pieces.
pub fn phase(position: &Position) -> usize {
    let in_hand: u32 = Color::ALL.iter().map(|&color| position.reserve(color).total()).sum();
    match (in_hand, position.occupied().count()) {
        (13.., _) => 0,
        (5..=12, _) => 1,
        (1..=4, _) => 2,
        (0, 25..) => 3,
        (0, 17..=24) => 4,
        (0, 9..=16) => 5,
        (0, _) => 6,
    }
}

/// The chances of a side to win, draw and lose, in thousandths, where its value is `score`.
pub fn chances(score: Score, position: &Position) -> [u32; 3] {
    let (even, spread) = CURVES[phase(position)];
    let value = f64::from(score.get());
    let chance = |value: f64| (1000.0 / (1.0 + ((even - value) / spread).exp())).round() as u32;
    let (win, loss) = (chance(value), chance(-value));
    [win, 1000u32.saturating_sub(win + loss), loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_end_where_their_names_say() {
        let phase_of = |fen: &str| phase(&fen.parse().unwrap());
        let hands = ["QRRNNPPPPPPP", "QRRNNPPPPPPPP", "QRNP", "QRNPP"]
            .map(|hand| phase_of(&format!("4k3/8/8/8/8/8/8/4K3[{hand}] w - - 0 1")));
        assert_eq!(hands, [1, 0, 2, 1]);
        let boards = [
            "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/1N2K3",
            "rnbqkbnr/pppppppp/8/8/8/8/2PPPPPP/1N2K3",
            "4k3/pppppppp/8/8/8/8/PPPPPPP1/4K3",
            "4k3/1ppppppp/8/8/8/8/PPPPPPP1/4K3",
            "4k3/pppp4/8/8/8/8/PPP5/4K3",
            "4k3/ppp5/8/8/8/8/PPP5/4K3",
        ];
        assert_eq!(boards.map(|board| phase_of(&format!("{board}[] w - - 0 1"))), [3, 4, 4, 5, 5, 6]);
    }

    #[test]
    fn chances_are_thousandths_and_follow_the_value() {
        let fens = [
            "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3[QRNqrn] w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3[Qq] w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[] w - - 0 1",
            "4k3/pppp4/8/8/8/8/PPPP4/4K3[] w - - 0 1",
            "4k3/8/8/8/8/8/P7/4K3[] w - - 0 1",
        ];
        for (index, fen) in fens.into_iter().enumerate() {
            let position: Position = fen.parse().unwrap();
            assert_eq!(phase(&position), index, "{fen}");
            let mut before = 0;
            for value in (-3000..=3000).step_by(50) {
                let [win, draw, loss] = chances(Score::cp(value), &position);
                assert_eq!(win + draw + loss, 1000);
                assert!(win >= before);
                before = win;
                assert_eq!(chances(Score::cp(-value), &position), [loss, draw, win]);
            }
            assert_eq!(chances(Score::mate_in(1), &position), [1000, 0, 0]);
            assert_eq!(chances(Score::mated_in(2), &position), [0, 0, 1000]);
        }
    }
}
