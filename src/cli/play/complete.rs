//! Completion of what is being entered: commands, legal moves, and pieces with the squares they may be dropped on.

use super::command::{COMMANDS, Known};
use crate::notation::{Notation, action_text};
use crate::rules::{Position, Wanted};
use crate::types::{Action, Bitboard, Drop, Kind, Square};

/// Where the word begins that is being entered, in bytes, and what it may become.
pub(super) struct Completion {
    pub start: usize,
    pub words: Vec<String>,
}

/// What the end of a line may become in a position.
pub(super) fn complete(line: &str, position: &Position) -> Completion {
    let start = line.rfind([' ', ',']).map_or(0, |at| at + 1);
    let (before, word) = line.split_at_checked(start).unwrap_or((line, ""));
    let first = before.split_whitespace().next();
    let mut words = match first {
        None => commands(word),
        Some(first) if COMMANDS.iter().any(|known| known.name == first) => {
            let operands =
                COMMANDS.iter().find(|known| known.name == first).map_or("", |known| known.operand);
            // Only words to choose from are in small letters.
            let choices = operands
                .split('|')
                .filter(|choice| choice.starts_with(|letter: char| letter.is_ascii_lowercase()));
            let words = choices.filter(|choice| choice.starts_with(word)).map(str::to_owned).collect();
            return Completion { start, words };
        }
        Some(_) => Vec::new(),
    };
    if first.is_none() {
        words.extend(moves(word, position));
    }
    words.extend(drops(before, word, position));
    Completion { start, words }
}

fn commands(word: &str) -> Vec<String> {
    let names = COMMANDS.iter().map(|Known { name, .. }| *name);
    names.filter(|name| name.starts_with(word)).map(str::to_owned).collect()
}

/// Legal moves that begin like this, as players write them; as tokens if that is how it begins.
fn moves(word: &str, position: &Position) -> Vec<String> {
    let mut written = Vec::new();
    let mut tokens = Vec::new();
    position.visit_moves(Wanted::ALL, |targets| {
        for mv in targets.moves() {
            let text = action_text(Action::Move(mv), position, Notation::Openchess);
            written.extend(text.starts_with(word).then_some(text));
            let token = mv.to_string();
            tokens.extend(token.starts_with(word).then_some(token));
        }
        false
    });
    if written.is_empty() { tokens } else { written }
}

/// Drops that begin like this, of pieces that are still there after the drops before.
fn drops(before: &str, word: &str, position: &Position) -> Vec<String> {
    let dropped: Vec<Drop> = before.split([' ', ',']).filter_map(read_drop).collect();
    let used: Bitboard = dropped.iter().fold(Bitboard::EMPTY, |used, drop| used | drop.square);
    let reserve = position.reserve(position.side());
    let mut words = Vec::new();
    for kind in Kind::ALL {
        let gone = dropped.iter().filter(|drop| drop.kind == kind).count();
        if gone >= usize::from(reserve.count_of(kind)) {
            continue;
        }
        for square in position.drop_squares(kind) - used {
            let token = Drop { kind, square }.to_string();
            let written =
                if kind == Kind::Pawn { square.to_string() } else { format!("{}{square}", kind.letter()) };
            if written.starts_with(word) {
                words.push(written);
            } else if token.starts_with(word) {
                words.push(token);
            }
        }
    }
    words
}

/// A dropped piece in any of the notations.
fn read_drop(word: &str) -> Option<Drop> {
    let (kind, square) = match word.as_bytes() {
        [letter, b'@', square @ ..] => (Kind::from_letter(*letter)?, square),
        square @ [_, _] => (Kind::Pawn, square),
        [letter, square @ ..] => (Kind::from_letter(*letter)?, square),
        [] => return None,
    };
    Some(Drop { kind, square: Square::parse(square)? })
}

/// What is shown behind a line that begins a command.
pub(super) struct CommandHint {
    /// The rest of the command, and what may follow.
    pub text: String,
    /// How many bytes of that the person can take over.
    pub rest: usize,
}

/// The command that a line begins, if it is clear.
pub(super) fn hint(line: &str) -> Option<CommandHint> {
    let word = line.trim_end();
    let mut fitting = COMMANDS.iter().filter(|known| !word.is_empty() && known.name.starts_with(word));
    let Known { name, operand, .. } = fitting.next().filter(|_| fitting.next().is_none())?;
    let rest = name.get(word.len()..)?;
    let blank = if operand.is_empty() || word.len() < line.len() { "" } else { " " };
    let text = format!("{rest}{blank}{operand}");
    (!text.is_empty()).then_some(CommandHint { text, rest: rest.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str, fen: &str) -> Vec<String> {
        complete(line, &fen.parse().expect("a FEN")).words
    }

    #[test]
    fn moves_and_drops_are_completed() {
        let fen = "4k3/8/8/8/8/8/4P3/4K2R[NP] w K - 0 9";
        assert_eq!(words("e2", fen), ["e2-e3", "e2-e4"]);
        assert_eq!(words("e2e", fen), ["e2e3", "e2e4"]);
        assert_eq!(words("O", fen), ["O-O"]);
        assert_eq!(words("Rh1-h8", fen), ["Rh1-h8+"]);
        assert_eq!(words("N@e", fen), ["N@e3", "N@e4"]);
        assert_eq!(words("Ne", fen), ["Ne3", "Ne4"]);
        assert_eq!(words("Ne3, e", fen), ["e4"]);
        assert_eq!(words("Ne3 N", fen), Vec::<String>::new());
        assert_eq!(words("un", fen), ["undo"]);
        assert_eq!(words("side b", fen), ["black", "both"]);
        assert_eq!(words("level ", fen), ["full"]);
        assert_eq!(complete("N@e3,P@a", &fen.parse().expect("a FEN")).start, 5);
    }

    #[test]
    fn every_completed_word_is_legal_alone() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K2R[QLNP] w K - 0 9".parse().expect("a FEN");
        let words = complete("", &position).words;
        let actions: Vec<&String> =
            words.iter().filter(|word| COMMANDS.iter().all(|known| known.name != *word)).collect();
        assert_eq!(actions.len() as u128, position.perft(1, 1).expect("few"));
        for word in actions {
            assert!(crate::notation::read_written(word, &position).is_ok(), "{word}");
        }
    }

    #[test]
    fn commands_are_hinted() {
        let text = |line: &str| hint(line).map(|hint| hint.text);
        assert_eq!(text("un").as_deref(), Some("do"));
        assert_eq!(text("lev").as_deref(), Some("el N|full"));
        assert_eq!(text("level ").as_deref(), Some("N|full"));
        assert_eq!(text("h"), None);
        assert_eq!(text("undo"), None);
        assert_eq!(text(""), None);
        assert_eq!(hint("lev").map(|hint| hint.rest), Some(2));
    }
}
