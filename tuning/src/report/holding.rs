//! What holding a reserve is worth against dropping it.

use kingchess::eval::Evaluator;
use kingchess::rules::Position;
use kingchess::types::{Action, Drop, DropSet, Reserve};
use rayon::prelude::*;

use super::moments::Moments;
use super::table::table;

/// Pieces in the reserve of the side to act, in steps; each ends with this number.
const STEPS: [u32; 5] = [2, 4, 7, 10, 15];

/// What actions change, in centipawns for the side to act.
#[derive(Clone, Copy, Default)]
struct Gains {
    /// Doing nothing: what the tempo is worth.
    nothing: Moments,
    /// The best drop of one piece.
    single: Moments,
    /// The set grown from it, one best drop after another while each gains.
    set: Moments,
    /// Pieces of that set.
    pieces: Moments,
}

impl Gains {
    fn merge(&mut self, other: &Self) {
        self.nothing.merge(&other.nothing);
        self.single.merge(&other.single);
        self.set.merge(&other.set);
        self.pieces.merge(&other.pieces);
    }
}

/// The gains by the size of the reserve.
type BySize = [Gains; STEPS.len()];

/// A set of drops with its value after it, for the side that drops.
#[derive(Clone, Copy)]
struct Valued {
    set: DropSet,
    value: i32,
}

/// Adds a position if its side to act can drop freely: it has a reserve, and its king on the board and not in check.
fn add(sizes: &mut BySize, position: &Position, evaluator: &mut Evaluator) {
    let us = position.side();
    let size = position.reserve(us).total();
    let step = STEPS.iter().position(|&last| (1..=last).contains(&size));
    let (Some(step), Some(_), false) = (step, position.king(us), position.in_check()) else { return };
    let before = evaluator.evaluate(position, 0).get();
    let mut passed = *position;
    passed.play_null();
    let nothing = -evaluator.evaluate(&passed, 1).get();
    let mut reserve = position.reserve(us);
    let Some(single) = best_drop(position, DropSet::EMPTY, &mut reserve, evaluator) else { return };
    let mut best = single;
    while let Some(more) =
        best_drop(position, best.set, &mut reserve, evaluator).filter(|more| more.value > best.value)
    {
        best = more;
    }
    let gains = &mut sizes[step];
    gains.nothing.add(nothing - before);
    gains.single.add(single.value - before);
    gains.set.add(best.value - before);
    gains.pieces.add(best.set.len() as i32);
}

/// The best drop of one more piece on top of a set; `reserve` is what is left with the set dropped, and then without
/// that piece too. All such drops are legal, since pieces of one's own expose no king.
fn best_drop(
    position: &Position,
    set: DropSet,
    reserve: &mut Reserve,
    evaluator: &mut Evaluator,
) -> Option<Valued> {
    let us = position.side();
    let empty = set.drops(us).fold(!position.occupied(), |empty, drop| empty - drop.square);
    let mut best: Option<(Valued, Reserve)> = None;
    for kind in reserve.kinds() {
        for square in kind.squares(us) & empty {
            let set = set.with(Drop { kind: kind.kind(), square });
            let value = -evaluator.evaluate(&position.after(Action::Drops(set)), 1).get();
            if best.is_none_or(|(best, _)| value > best.value) {
                best = Some((Valued { set, value }, reserve.without(kind)));
            }
        }
    }
    let (best, left) = best?;
    *reserve = left;
    Some(best)
}

/// A row for each size of the reserve.
pub fn report(positions: &[Position], evaluator: impl Fn() -> Evaluator + Sync) -> String {
    let fold = |(mut sizes, mut evaluator): (BySize, Evaluator), position: &Position| {
        add(&mut sizes, position, &mut evaluator);
        (sizes, evaluator)
    };
    let merge = |mut left: BySize, right: BySize| {
        left.iter_mut().zip(&right).for_each(|(left, right)| left.merge(right));
        left
    };
    let sizes = positions
        .par_iter()
        .fold(|| (BySize::default(), evaluator()), fold)
        .map(|(sizes, _)| sizes)
        .reduce(BySize::default, merge);
    let head = ["in reserve", "positions", "nothing", "best drop", "best set", "its pieces"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut first = 1;
    for (gains, last) in sizes.iter().zip(STEPS) {
        rows.push(vec![
            format!("{first}-{last}"),
            gains.nothing.count().to_string(),
            gains.nothing.to_string(),
            gains.single.to_string(),
            gains.set.to_string(),
            format!("{:.1}", gains.pieces.mean()),
        ]);
        first = last + 1;
    }
    format!(
        "Holding against dropping: what the side to act gains by doing nothing, by its best drop of one piece, and by\n\
         the set grown from it while it gains; by the size of its reserve\n{}",
        table(&rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_gain_at_least_what_their_first_drop_does() {
        let position: Position = "4k3/pppppppp/8/8/8/8/8/4K3[QRRNNPPPP] w - - 0 9".parse().expect("a FEN");
        let mut sizes = BySize::default();
        add(&mut sizes, &position, &mut Evaluator::new(&kingchess::eval::built_in()));
        let gains = sizes[3];
        assert_eq!(gains.set.count(), 1);
        assert!(gains.set.mean() >= gains.single.mean() && gains.pieces.mean() >= 1.0, "{}", gains.set);
        assert!(gains.set.mean() > gains.nothing.mean());
        // In check, or with the king in reserve, not every drop is free.
        for fen in [
            "4k3/8/8/8/8/8/4q3/4K3[Q] w - - 0 9",
            "8/8/8/8/8/8/8/4K3[QRRBBNNPPPPPPPPkqrrbbnnpppppppp] b - - 0 1",
        ] {
            let mut none = BySize::default();
            add(&mut none, &fen.parse().expect("a FEN"), &mut Evaluator::new(&kingchess::eval::built_in()));
            assert!(none.iter().all(|gains| gains.set.count() == 0), "{fen}");
        }
    }

    #[test]
    fn a_set_uses_each_piece_once() {
        let position: Position = "4k3/8/8/8/8/8/8/4K3[QN] w - - 0 9".parse().expect("a FEN");
        let mut reserve = position.reserve(position.side());
        let mut evaluator = Evaluator::new(&kingchess::eval::built_in());
        let mut set = DropSet::EMPTY;
        for _ in 0..2 {
            set = best_drop(&position, set, &mut reserve, &mut evaluator).expect("there are pieces").set;
        }
        assert!(position.is_legal_set(set) && set.len() == 2);
        assert!(best_drop(&position, set, &mut reserve, &mut evaluator).is_none());
    }
}
