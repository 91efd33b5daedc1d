//! One word of a record: a dropped piece or a move, as players write them or as a token of the protocol.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::letters::latin;
use super::written::WrittenError;
use super::{ReadError, nag};
use crate::types::{Drop, Kind, Move, Square, Wing, excerpt};

/// What a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// `Kg1`, `e4`.
    Drop(Drop),
    /// `K@g1`.
    TokenDrop(Drop),
    /// `e2-e4`, `Ng1:f3`, `e2e4`.
    Move(FullMove),
    /// `O-O`, `0-0-0`.
    Castling(Wing),
}

/// A move with both its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FullMove {
    /// The piece, if its letter is written.
    pub kind: Option<Kind>,
    pub mv: Move,
}

/// A word and the judgement written behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marked {
    pub word: Word,
    /// `!`, `?` and the like as a numeric annotation glyph.
    pub nag: Option<u8>,
}

/// Reads a word; marks of check and mate behind it are not looked at.
pub(super) fn read(text: &str) -> Result<Marked, WrittenError> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let nag = nag::from_marks(text.get(bare.len()..).unwrap_or_default());
    let word = if bare.is_ascii() {
        read_ascii(bare.as_bytes(), text)
    } else {
        match latin(bare) {
            Some(latin) => read_ascii(&latin, text),
            None => Err(WrittenError::Unknown(excerpt(text))),
        }
    };
    Ok(Marked { word: word?, nag })
}

fn read_ascii(word: &[u8], text: &str) -> Result<Word, WrittenError> {
    if let Some(wing) = castling(word) {
        return Ok(Word::Castling(wing));
    }
    let unknown = || unknown(word, text);
    let (kind, rest) = match word {
        // A square first: b4 is a square and no bishop.
        [file, rank, ..] if Square::parse(&[*file, *rank]).is_some() => (None, word),
        [letter, rest @ ..] => (Some(Kind::from_letter(*letter).ok_or_else(unknown)?), rest),
        [] => return Err(unknown()),
    };
    if let (Some(kind), [b'@', square @ ..]) = (kind, rest) {
        let square = Square::parse(square).ok_or_else(|| ReadError::Drop(excerpt(text)))?;
        return Ok(Word::TokenDrop(Drop { kind, square }));
    }
    let (first, rest) = square(rest).ok_or_else(unknown)?;
    if rest.is_empty() {
        return Ok(Word::Drop(Drop { kind: kind.unwrap_or(Kind::Pawn), square: first }));
    }
    let rest = match rest {
        [b'-' | b':' | b'x' | b'X', rest @ ..] => rest,
        _ => rest,
    };
    let (second, rest) = square(rest).ok_or_else(unknown)?;
    let mv = Move::new(first, second).ok_or(ReadError::SameSquare)?;
    Ok(Word::Move(FullMove { kind, mv: promoted(mv, rest).ok_or_else(unknown)?? }))
}

/// The move with what is written behind its squares: `None` if that is no single letter.
fn promoted(mv: Move, rest: &[u8]) -> Option<Result<Move, WrittenError>> {
    let letter = match rest {
        [] => return Some(Ok(mv)),
        [b'=', letter] | [letter] => *letter,
        _ => return None,
    };
    let kind = Kind::from_letter(letter).filter(|kind| Kind::PROMOTIONS.contains(kind));
    Some(kind.map(|kind| mv.promoting(kind)).ok_or(ReadError::Promotion(letter.into()).into()))
}

fn square(text: &[u8]) -> Option<(Square, &[u8])> {
    let (square, rest) = text.split_at_checked(2)?;
    Some((Square::parse(square)?, rest))
}

fn castling(word: &[u8]) -> Option<Wing> {
    let is_o = |letter: &u8| matches!(letter, b'O' | b'o' | b'0');
    match word {
        [a, b'-', b] if is_o(a) && is_o(b) => Some(Wing::King),
        [a, b'-', b, b'-', c] if is_o(a) && is_o(b) && is_o(c) => Some(Wing::Queen),
        _ => None,
    }
}

/// Says what is wrong with a word that is none.
fn unknown(word: &[u8], text: &str) -> WrittenError {
    if word.contains(&b'@') {
        return ReadError::Drop(excerpt(text)).into();
    }
    if is_short(word) { WrittenError::Short(excerpt(text)) } else { WrittenError::Unknown(excerpt(text)) }
}

/// Is it a move as chess players shorten it: `Nf3`, `exd5`, `Nbd2`, `e8=Q`?
fn is_short(word: &[u8]) -> bool {
    let word = match word {
        [rest @ .., b'=', b'Q' | b'R' | b'B' | b'N'] | [rest @ .., b'Q' | b'R' | b'B' | b'N'] => rest,
        _ => word,
    };
    let word = match word {
        [b'K' | b'Q' | b'R' | b'B' | b'N', rest @ ..] => rest,
        _ => word,
    };
    // What tells pieces of a kind apart, and the sign of a capture.
    word.split_last_chunk::<2>().is_some_and(|(before, to)| {
        Square::parse(to).is_some()
            && before.len() <= 3
            && before.iter().all(|letter| b"abcdefgh12345678x".contains(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Word {
        read(text).unwrap_or_else(|error| panic!("{text}: {error}")).word
    }

    #[test]
    fn drops_are_told_from_moves() {
        let drop = |kind, square| Word::Drop(Drop { kind, square });
        assert_eq!(word("e4"), drop(Kind::Pawn, Square::E4));
        assert_eq!(word("b4"), drop(Kind::Pawn, Square::B4));
        assert_eq!(word("Bb4"), drop(Kind::Bishop, Square::B4));
        assert_eq!(word("Qh5+"), drop(Kind::Queen, Square::H5));
        assert_eq!(word("пe4"), drop(Kind::Pawn, Square::E4));
        assert_eq!(word("k@E1"), Word::TokenDrop(Drop { kind: Kind::King, square: Square::E1 }));
        let mv = |from, to| Move::new(from, to).expect("two squares");
        for text in ["e2-e4", "e2e4", "E2E4", "e2:e4", "e2xe4", "e2–e4!?"] {
            assert_eq!(
                word(text),
                Word::Move(FullMove { kind: None, mv: mv(Square::E2, Square::E4) }),
                "{text}"
            );
        }
        let knight = FullMove { kind: Some(Kind::Knight), mv: mv(Square::G1, Square::F3) };
        for text in ["Ng1-f3", "Кg1-f3", "Ng1xf3+", "Ng1f3#"] {
            assert_eq!(word(text), Word::Move(knight), "{text}");
        }
        let queening = mv(Square::E7, Square::E8).promoting(Kind::Queen);
        for text in ["e7-e8Q", "e7-e8=Q+", "e7e8q", "е7-е8Ф"] {
            assert_eq!(word(text), Word::Move(FullMove { kind: None, mv: queening }), "{text}");
        }
    }

    #[test]
    fn castling_in_any_letters() {
        for text in ["O-O", "0-0", "О-О", "o-o", "0–0", "O-O+"] {
            assert_eq!(word(text), Word::Castling(Wing::King), "{text}");
        }
        for text in ["O-O-O", "0-0-0", "О-О-О"] {
            assert_eq!(word(text), Word::Castling(Wing::Queen), "{text}");
        }
    }

    #[test]
    fn marks_are_judgements() {
        let nag = |text: &str| read(text).unwrap_or_else(|error| panic!("{text}: {error}")).nag;
        assert_eq!(nag("e4"), None);
        assert_eq!(nag("e4+"), None);
        assert_eq!(nag("e2-e4!"), Some(1));
        assert_eq!(nag("Qh5+?!"), Some(6));
    }

    #[test]
    fn what_is_no_word() {
        for text in ["Nxf3", "exd5", "Nbd2", "R1e2", "e8=Q", "exd8=Q+"] {
            assert!(matches!(read(text), Err(WrittenError::Short(_))), "{text}");
        }
        for text in ["", "+", "castle", "Ke", "e9", "e2-", "Жe4", "e2--e4", "\u{fffd}"] {
            assert!(matches!(read(text), Err(WrittenError::Unknown(_))), "{text}: {:?}", read(text));
        }
        assert_eq!(read("e2-e2"), Err(ReadError::SameSquare.into()));
        assert_eq!(read("e7-e8=K"), Err(ReadError::Promotion('K').into()));
        assert!(matches!(read("K@e9"), Err(WrittenError::Read(ReadError::Drop(_)))));
    }
}
