//! What pieces are worth: each is taken away, and what its side loses is its value.

use std::ops::RangeInclusive;

use kingchess::eval::Evaluator;
use kingchess::rules::Position;
use kingchess::types::{Color, Kind, ReserveKind};
use rayon::prelude::*;

use super::moments::Moments;
use super::table::table;

/// A part of the game.
struct Phase {
    label: &'static str,
    /// Pieces in both reserves.
    held: RangeInclusive<u32>,
    /// Pieces on the board.
    board: RangeInclusive<u32>,
}

/// All of them, in the order of a game. No position belongs to two.
const PHASES: [Phase; 6] = [
    Phase { label: "25-32 held", held: 25..=32, board: 0..=32 },
    Phase { label: "13-24 held", held: 13..=24, board: 0..=32 },
    Phase { label: "5-12 held", held: 5..=12, board: 0..=32 },
    Phase { label: "1-4 held", held: 1..=4, board: 0..=32 },
    Phase { label: "none, 17+ left", held: 0..=0, board: 17..=32 },
    Phase { label: "none, 2-16 left", held: 0..=0, board: 0..=16 },
];

impl Phase {
    /// Which phase a position belongs to.
    fn of(position: &Position) -> Option<usize> {
        let held: u32 = Color::ALL.iter().map(|&color| position.reserve(color).total()).sum();
        let board = position.occupied().count();
        PHASES.iter().position(|phase| phase.held.contains(&held) && phase.board.contains(&board))
    }
}

/// The values of one kind of piece, by phase.
type ByPhase = [Moments; PHASES.len()];

/// The values of all kinds.
#[derive(Clone, Copy, Default)]
struct Values {
    /// Positions of each phase.
    positions: [u64; PHASES.len()],
    /// By [`ReserveKind`].
    reserve: [ByPhase; ReserveKind::ALL.len()],
    /// By [`Kind`].
    board: [ByPhase; Kind::ALL.len()],
}

impl Values {
    fn add(&mut self, position: &Position, evaluator: &mut Evaluator) {
        let Some(phase) = Phase::of(position) else { return };
        self.positions[phase] += 1;
        let whole = evaluator.evaluate(position, 0).get();
        // What the owner loses when the side to act is worth `whole` with the piece.
        let mut loss = |owner: Color, left: &Position| {
            let difference = whole - evaluator.evaluate(left, 0).get();
            if owner == position.side() { difference } else { -difference }
        };
        for owner in Color::ALL {
            for kind in position.reserve(owner).kinds() {
                if let Some(left) = position.without_reserve(owner, kind) {
                    self.reserve[kind as usize][phase].add(loss(owner, &left));
                }
            }
            for kind in Kind::ALL {
                for square in position.pieces(owner, kind) {
                    if let Some(left) = position.without(square) {
                        self.board[kind as usize][phase].add(loss(owner, &left));
                    }
                }
            }
        }
    }

    fn merged(mut self, other: &Self) -> Self {
        for (sum, count) in self.positions.iter_mut().zip(other.positions) {
            *sum += count;
        }
        let own = self.reserve.iter_mut().chain(&mut self.board).flatten();
        let others = other.reserve.iter().chain(&other.board).flatten();
        own.zip(others).for_each(|(own, other)| own.merge(other));
        self
    }

    fn rows<'a>(
        &'a self,
        list: &'a [ByPhase],
        name: impl Fn(usize) -> &'static str + 'a,
    ) -> impl Iterator<Item = Vec<String>> + 'a {
        let counted = list.iter().enumerate();
        let counted = counted.filter(|(_, values)| values.iter().any(|moments| moments.count() > 0));
        counted.map(move |(kind, values)| {
            [name(kind).to_owned()].into_iter().chain(values.iter().map(Moments::to_string)).collect()
        })
    }
}

const fn reserve_name(kind: ReserveKind) -> &'static str {
    match kind {
        ReserveKind::LightBishop => "light bishop",
        ReserveKind::DarkBishop => "dark bishop",
        _ => kind.kind().name(),
    }
}

/// A table for pieces in reserve (one of each kind that a side holds) and a table for those on the board.
pub fn report(positions: &[Position], evaluator: impl Fn() -> Evaluator + Sync) -> String {
    let fold = |(mut values, mut evaluator): (Values, Evaluator), position: &Position| {
        values.add(position, &mut evaluator);
        (values, evaluator)
    };
    let values = positions
        .par_iter()
        .fold(|| (Values::default(), evaluator()), fold)
        .map(|(values, _)| values)
        .reduce(Values::default, |left, right| left.merged(&right));
    let head = |first: &str| -> Vec<String> {
        let labels = PHASES.iter().map(|phase| phase.label.to_owned());
        [first.to_owned()].into_iter().chain(labels).collect()
    };
    let counts = ["positions".to_owned()].into_iter().chain(values.positions.map(|count| count.to_string()));
    let mut reserve = vec![head("in reserve"), counts.collect()];
    reserve.extend(values.rows(&values.reserve, |kind| reserve_name(ReserveKind::ALL[kind])));
    let mut board = vec![head("on the board")];
    board.extend(values.rows(&values.board, |kind| Kind::ALL[kind].name()));
    format!(
        "What a piece is worth to its side, by how many pieces both sides hold in reserve or have left\n{}\n{}",
        table(&reserve),
        table(&board)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_position_has_one_phase() {
        for held in 0..=32 {
            for board in 2..=32 - held {
                let fits = |phase: &&Phase| phase.held.contains(&held) && phase.board.contains(&board);
                assert_eq!(PHASES.iter().filter(fits).count(), 1, "{held} {board}");
            }
        }
        assert_eq!(Phase::of(&Position::start()), Some(0));
        assert_eq!(Phase::of(&Position::chess_start()), Some(4));
    }

    #[test]
    fn values_are_those_of_the_owner() {
        let position: Position = "4k2q/8/8/8/8/8/8/R3K3[Nn] b - - 0 30".parse().expect("a FEN");
        let mut values = Values::default();
        values.add(&position, &mut Evaluator::new(&kingchess::eval::built_in()));
        for kind in [Kind::Queen, Kind::Rook] {
            let moments = values.board[kind as usize][3];
            assert!(moments.count() == 1 && moments.mean() > 100.0, "{kind:?}: {moments}");
        }
        let knights = values.reserve[ReserveKind::Knight as usize][3];
        assert!(knights.count() == 2 && knights.mean() > 100.0, "{knights}");
        assert_eq!(values.board[Kind::King as usize], ByPhase::default());
        let twice = values.merged(&values);
        assert_eq!(twice.reserve[ReserveKind::Knight as usize][3].count(), 4);
    }
}
