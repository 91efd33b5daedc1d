//! What each piece adds to the evaluation: one piece after another is taken away, and the rest is evaluated.

use crate::rules::Position;
use crate::types::{Color, ReserveKind, Score, Square};

/// A row of the board between two ranks.
const BORDER: &str = "  +-------+-------+-------+-------+-------+-------+-------+-------+";

/// The evaluation explained for people: the board with what each piece adds in pawns, White's side positive; below it
/// what one piece of each kind in the reserves adds; last the side to act and the evaluation. A king can't be taken
/// away, nor a piece that guards from check the king of the side that is not to act.
pub fn explain(position: &Position, mut evaluate: impl FnMut(&Position) -> Score) -> Vec<String> {
    let total = evaluate(position).get();
    let sign = if position.side() == Color::White { 1 } else { -1 };
    let mut pawns = |left: Option<Position>| {
        left.map_or(String::new(), |left| {
            format!("{:+.2}", f64::from(sign * (total - evaluate(&left).get())) / 100.0)
        })
    };
    let mut lines = vec!["What each piece adds, in pawns for White:".to_owned(), BORDER.to_owned()];
    for rank in (0..8).rev() {
        let (mut letters, mut values) = (format!("{} |", rank + 1), "  |".to_owned());
        for square in (0..8).map(|file| Square::at(file, rank)) {
            let piece = position.kind_at(square).zip(position.color_at(square));
            let letter = piece.map_or(' ', |(kind, color)| kind.letter_of(color));
            letters.push_str(&format!("   {letter}   |"));
            values.push_str(&format!("{:^7}|", pawns(position.without(square))));
        }
        lines.extend([letters, values, BORDER.to_owned()]);
    }
    lines.push("      a       b       c       d       e       f       g       h".to_owned());
    for (color, side) in [(Color::White, "White"), (Color::Black, "Black")] {
        let mut line = format!("{side}'s reserve, one of each:");
        if position.reserve(color).is_empty() {
            line.push_str(" empty");
        }
        for kind in position.reserve(color).kinds().filter(|&kind| kind != ReserveKind::King) {
            let value = pawns(position.without_reserve(color, kind));
            line.push_str(&format!(" {} {value}", kind.letter_of(color)));
        }
        lines.push(line);
    }
    let side = if position.side() == Color::White { "White" } else { "Black" };
    lines.push(format!("{side} to act"));
    lines.push(format!("Evaluation: {total} centipawns for the side to act"));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Kind;

    /// Pieces count by their kind, in reserve twice.
    fn count(position: &Position) -> Score {
        let value = |color: Color| -> i32 {
            let worth = |kind: Kind| [0, 900, 500, 300, 310, 100][kind as usize];
            let of = |kind: Kind| {
                position.pieces(color, kind).count() as i32
                    + 2 * i32::from(position.reserve(color).count_of(kind))
            };
            Kind::ALL.into_iter().map(|kind| worth(kind) * of(kind)).sum()
        };
        Score::cp(value(position.side()) - value(!position.side()))
    }

    #[test]
    fn pieces_add_what_is_missing_without_them() {
        let position: Position = "r3k3/8/8/8/8/8/4R3/4K2N[Pbb] b - - 0 9".parse().unwrap();
        let lines = explain(&position, count);
        let has =
            |line: &str| assert!(lines.iter().any(|other| other == line), "{line}\n{}", lines.join("\n"));
        has("8 |   r   |       |       |       |   k   |       |       |       |");
        has("  | -5.00 |       |       |       |       |       |       |       |");
        has("  |       |       |       |       | +5.00 |       |       |       |");
        has("  |       |       |       |       |       |       |       | +3.10 |");
        has("White's reserve, one of each: P +2.00");
        has("Black's reserve, one of each: l -6.00 d -6.00");
        assert_eq!(
            lines[lines.len() - 2..],
            ["Black to act".to_owned(), "Evaluation: 690 centipawns for the side to act".to_owned()]
        );
        assert!(lines.iter().all(|line| line.trim_end() == line && !line.is_empty()));
    }

    #[test]
    fn a_piece_that_guards_the_king_from_check_shows_no_value() {
        let position: Position = "4k3/4n3/8/8/8/8/4R3/4K3[] w - - 0 9".parse().unwrap();
        let lines = explain(&position, count);
        let row = lines.iter().position(|line| line.starts_with("7 |")).unwrap();
        assert_eq!(lines[row], "7 |       |       |       |       |   n   |       |       |       |");
        assert_eq!(lines[row + 1], "  |       |       |       |       |       |       |       |       |");
        assert!(lines.contains(&"Black's reserve, one of each: empty".to_owned()));
    }
}
