//! Letters of records in the one alphabet that is read: Russian letters and printers' signs become the English ones.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use arrayvec::ArrayVec;

/// The longest word of an action in letters, marks aside, with room to spare.
const LONGEST: usize = 24;

/// A word in ASCII.
pub(super) type Latin = ArrayVec<u8, LONGEST>;

/// The word with English letters. `None` if a letter has no equal or the word is too long for an action.
///
/// `Кр Ф Л С К п` are the pieces `K Q R B N P`. `С` before a digit is the file c, whose letter looks the same, as do
/// those of a and e; the letters O and x have their Russian equals too, and a dash of any length is a hyphen.
pub(super) fn latin(word: &str) -> Option<Latin> {
    let mut letters = word.chars().peekable();
    let mut latin = Latin::new();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let read = match letter {
            'К' | 'к' if matches!(next, Some('р' | 'Р' | 'p')) => {
                letters.next();
                b'K'
            }
            // A Latin K in front of a Russian р is a slip of the keyboard.
            'K' if matches!(next, Some('р' | 'Р')) => {
                letters.next();
                b'K'
            }
            'К' | 'к' => b'N',
            'Ф' | 'ф' => b'Q',
            'Л' | 'л' => b'R',
            'С' | 'с' if next.is_some_and(|next| next.is_ascii_digit()) => b'c',
            'С' | 'с' => b'B',
            'П' | 'п' => b'P',
            'А' | 'а' => b'a',
            'Е' | 'е' => b'e',
            'О' | 'о' => b'O',
            'Х' | 'х' | '×' => b'x',
            '‐' | '‑' | '–' | '—' | '−' => b'-',
            other => u8::try_from(other).ok().filter(u8::is_ascii)?,
        };
        latin.try_push(read).ok()?;
    }
    Some(latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn russian_words_become_english() {
        let read = |word: &str| latin(word).map(|latin| String::from_utf8_lossy(&latin).into_owned());
        for (russian, english) in [
            ("Крe1", "Ke1"),
            ("Kрe1", "Ke1"),
            ("Кg1", "Ng1"),
            ("Сс4", "Bc4"),
            ("с2–с4", "c2-c4"),
            ("Лa1:a8", "Ra1:a8"),
            ("е7-е8Ф", "e7-e8Q"),
            ("е7-е8С", "e7-e8B"),
            ("п", "P"),
            ("О—О—О", "O-O-O"),
            ("d4×e5", "d4xe5"),
        ] {
            assert_eq!(read(russian).as_deref(), Some(english), "{russian}");
        }
        assert_eq!(read("Жe1"), None);
        assert_eq!(read(&"Ф".repeat(LONGEST + 1)), None);
    }
}
