use crate::rules::{Position, reserve_letters};
use crate::types::{Color, Square};

/// The board with both reserves, for people: Black's reserve above, White's below.
pub fn draw(position: &Position) -> Vec<String> {
    let reserve = |color: Color| {
        let letters = reserve_letters(position.reserve(color), color);
        format!("  reserve [{letters}]")
    };
    let border = "  +---+---+---+---+---+---+---+---+";
    let mut lines = vec![reserve(Color::Black), border.to_owned()];
    for rank in (0..8).rev() {
        let mut line = format!("{} |", rank + 1);
        for file in 0..8 {
            let square = Square::at(file, rank);
            let letter = match (position.kind_at(square), position.color_at(square)) {
                (Some(kind), Some(color)) => kind.letter_of(color),
                _ => ' ',
            };
            line.push_str(&format!(" {letter} |"));
        }
        lines.push(line);
        lines.push(border.to_owned());
    }
    lines.push("    a   b   c   d   e   f   g   h".to_owned());
    lines.push(reserve(Color::White));
    lines
}
