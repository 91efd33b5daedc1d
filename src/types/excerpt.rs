/// The longest piece of input that is repeated in a message, in characters.
const LENGTH: usize = 80;

/// A piece of input as it may be repeated in a message: printable, and not too long.
pub fn excerpt(text: &str) -> String {
    let mut letters = text.chars();
    let mut excerpt: String = letters.by_ref().take(LENGTH).map(printable).collect();
    if letters.next().is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// The letter, or `?` for a control character and for what stands in place of bytes that were no text.
pub fn printable(letter: char) -> char {
    if letter.is_control() || letter == char::REPLACEMENT_CHARACTER { '?' } else { letter }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt("a\0b"), "a?b");
        assert_eq!(excerpt(&"x".repeat(200)).chars().count(), LENGTH + 1);
    }
}
