//! Positions and actions as a foreign engine writes them.
//!
//! To it light- and dark-squared bishops are different pieces, so that it never forgets a bishop's colour: `B`/`b` are
//! dark-squared, `L`/`l` light-squared, on the board and in reserve alike. A pawn that becomes a bishop becomes an `x`.

use kingchess::notation::{ReadError, read_action};
use kingchess::rules::Position;
use kingchess::types::{Action, Color, Kind, Reserve, ReserveKind, Square};

/// The position as the foreign engine reads it.
pub fn fen(position: &Position) -> String {
    let board: Vec<String> = (0..8).rev().map(|rank| row(position, rank)).collect();
    let reserves: String = Color::ALL.map(|color| reserve_letters(position.reserve(color), color)).concat();
    let side = if position.side() == Color::White { 'w' } else { 'b' };
    // A right to be, E or e, is none yet.
    let mut castling = position.castling_letters().replace(['E', 'e'], "");
    if castling.is_empty() {
        castling.push('-');
    }
    let en_passant = position.en_passant().map_or("-".to_owned(), |square| square.to_string());
    format!(
        "{}[{reserves}] {side} {castling} {en_passant} {} {}",
        board.join("/"),
        position.halfmove_clock(),
        position.fullmove_number()
    )
}

fn row(position: &Position, rank: u8) -> String {
    let mut text = String::new();
    let mut empty = 0;
    let close = |text: &mut String, empty: &mut u8| {
        if *empty > 0 {
            text.push(char::from(b'0' + *empty));
            *empty = 0;
        }
    };
    for file in 0..8 {
        let square = Square::at(file, rank);
        match (position.kind_at(square), position.color_at(square)) {
            (Some(kind), Some(color)) => {
                close(&mut text, &mut empty);
                text.push(in_case(letter(kind.reserve_kind(square)), color));
            }
            _ => empty += 1,
        }
    }
    close(&mut text, &mut empty);
    text
}

fn reserve_letters(reserve: Reserve, color: Color) -> String {
    reserve
        .kinds()
        .flat_map(|kind| std::iter::repeat_n(in_case(letter(kind), color), reserve.count(kind).into()))
        .collect()
}

fn letter(kind: ReserveKind) -> char {
    match kind {
        ReserveKind::DarkBishop => 'B',
        ReserveKind::LightBishop => 'L',
        other => other.kind().letter(),
    }
}

fn in_case(letter: char, color: Color) -> char {
    if color == Color::White { letter } else { letter.to_ascii_lowercase() }
}

/// A move or a drop of one piece as the foreign engine writes it; `None` for a drop of several, which it does not know.
pub fn token(action: Action, color: Color) -> Option<String> {
    match action {
        Action::Move(mv) if mv.promotion() == Some(Kind::Bishop) => {
            Some(format!("{}{}x", mv.from(), mv.to()))
        }
        Action::Move(_) => Some(action.token(color).to_string()),
        Action::Drops(set) => {
            let mut drops = set.drops(color);
            let (drop, None) = (drops.next()?, drops.next()) else { return None };
            Some(format!("{}@{}", letter(drop.kind.reserve_kind(drop.square)), drop.square))
        }
    }
}

/// Reads what the foreign engine answered.
///
/// # Errors
/// If the word is no action.
pub fn read(word: &str, color: Color) -> Result<Action, ReadError> {
    let own = match word.split_once('@') {
        Some(("L" | "l", square)) => format!("B@{square}"),
        Some(_) => word.to_owned(),
        None => match word.strip_suffix('x') {
            Some(squares) => format!("{squares}b"),
            None => word.to_owned(),
        },
    };
    read_action(&own, color)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("the FEN is right")
    }

    #[test]
    fn bishops_are_told_apart_by_colour() {
        let start = "8/8/8/8/8/8/8/8[KQRRBLNNPPPPPPPPkqrrblnnpppppppp] w - - 0 1";
        // The reserve's order is no matter, so it is compared sorted.
        let sorted = |text: &str| {
            let mut letters: Vec<char> = text.chars().collect();
            letters.sort_unstable();
            letters
        };
        assert_eq!(sorted(&fen(&Position::start())), sorted(start));
        let mixed = position("2b1kb2/8/8/8/8/8/8/2B1K3[Lnp] w - - 0 9");
        assert_eq!(fen(&mixed), "2l1kb2/8/8/8/8/8/8/2B1K3[Lnp] w - - 0 9");
        let dark = position("4k3/8/8/8/8/8/8/4KB2[Dl] b - - 3 9");
        assert_eq!(fen(&dark), "4k3/8/8/8/8/8/8/4KL2[Bl] b - - 3 9");
    }

    #[test]
    fn only_real_rights_are_sent() {
        let to_be = position("r3k3/8/8/8/8/8/8/4K3[Rr] w Eq - 0 9");
        assert_eq!(fen(&to_be), "r3k3/8/8/8/8/8/8/4K3[Rr] w q - 0 9");
        let none = position("4k3/8/8/8/8/8/8/4K3[Rr] w Ee - 0 9");
        assert_eq!(fen(&none), "4k3/8/8/8/8/8/8/4K3[Rr] w - - 0 9");
        let step = position("4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 2");
        assert_eq!(fen(&step), "4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 2");
    }

    #[test]
    fn every_single_action_goes_there_and_back() {
        let position = position("4k3/P7/8/8/8/8/5P2/4K2R[QBBNP] w K - 0 9");
        let mut letters = String::new();
        for action in crate::foreign::single_actions(&position) {
            let word = token(action, Color::White).expect("a single action");
            assert_eq!(read(&word, Color::White), Ok(action), "{word}");
            letters.extend(word.chars().next());
            assert!(word.is_ascii() && !word.contains(','));
        }
        assert!(letters.contains('L') && letters.contains('B'));
    }

    #[test]
    fn words_of_the_foreign_engine_are_read() {
        for (foreign, own) in [
            ("L@f1", "B@f1"),
            ("B@c1", "B@c1"),
            ("l@f1", "B@f1"),
            ("K@e1", "K@e1"),
            ("a7a8x", "a7a8b"),
            ("a7a8q", "a7a8q"),
            ("e1g1", "e1g1"),
        ] {
            assert_eq!(read(foreign, Color::White), read_action(own, Color::White), "{foreign}");
        }
        assert!(read("(none)", Color::White).is_err());
        assert!(read("", Color::White).is_err());
    }

    #[test]
    fn a_drop_of_several_is_unknown_to_it() {
        let action = read_action("K@e1,P@e4", Color::White).expect("drops");
        assert_eq!(token(action, Color::White), None);
    }
}
