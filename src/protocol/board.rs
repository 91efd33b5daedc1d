use crate::rules::{Position, reserve_letters};
use crate::types::{Color, Square};

/// The board with both reserves, for people: Black's reserve above, White's below.
pub fn draw(position: &Position) -> Vec<String> {
    draw_from(position, Color::White)
}

/// The board with both reserves, this side at the bottom.
pub fn draw_from(position: &Position, bottom: Color) -> Vec<String> {
    let files: [u8; 8] =
        if bottom == Color::White { [0, 1, 2, 3, 4, 5, 6, 7] } else { [7, 6, 5, 4, 3, 2, 1, 0] };
    let reserve = |color: Color| {
        let letters = reserve_letters(position.reserve(color), color);
        format!("  reserve [{letters}]")
    };
    let border = "  +---+---+---+---+---+---+---+---+";
    let mut lines = vec![reserve(!bottom), border.to_owned()];
    for row in (0..8).rev() {
        let rank = Square::at(0, row).relative_to(bottom).rank();
        let mut line = format!("{} |", rank + 1);
        for file in files {
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
    lines.push(format!("    {}", files.map(|file| char::from(b'a' + file).to_string()).join("   ")));
    lines.push(reserve(bottom));
    lines
}
