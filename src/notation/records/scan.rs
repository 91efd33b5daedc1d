//! Cuts movetext into words, commas, comments and brackets.

use super::Fault;

/// A piece of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Anything without blanks that is none of the others.
    Word(&'t str),
    /// A comma.
    Comma,
    /// What stands between `{` and `}`, or behind `;`.
    Comment(&'t str),
    /// What stands between `(` and its `)`.
    Bracket(&'t str),
}

/// Where something stands in a text: from this byte to before that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
}

/// Reads a text piece by piece.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    /// Reads the text from this byte on.
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// The byte after what has been read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What stands there.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Reads from this byte on again, as when a word has turned out to be two.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The next piece with its place; `None` at the end of the text.
    ///
    /// # Errors
    /// If a comment or a bracket does not end; the place is where it begins.
    pub(super) fn next(&mut self) -> Option<(Span, Result<Piece<'t>, Fault>)> {
        self.skip_blanks();
        let start = self.at;
        let piece = match self.byte(start)? {
            b',' => {
                self.at += 1;
                Ok(Piece::Comma)
            }
            b'{' => self.comment(),
            b';' => Ok(self.comment_to_end_of_line()),
            b'(' => self.bracket(),
            _ => Ok(self.word()),
        };
        Some((Span { start, end: self.at }, piece))
    }

    /// Skips blanks, and lines that begin with `%`, which PGN leaves to other programs.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.byte(self.at) {
            let line_starts = self.at == 0 || self.byte(self.at - 1) == Some(b'\n');
            if byte == b'%' && line_starts {
                self.at = self.end_of_line();
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if byte == 0xC2 && self.byte(self.at + 1) == Some(0xA0) {
                // A no-break space.
                self.at += 2;
            } else {
                break;
            }
        }
    }

    fn end_of_line(&self) -> usize {
        self.find(self.at, |byte| byte == b'\n').unwrap_or(self.text.len())
    }

    fn find(&self, from: usize, wanted: impl Fn(u8) -> bool) -> Option<usize> {
        let rest = self.text.as_bytes().get(from..)?;
        rest.iter().position(|&byte| wanted(byte)).map(|offset| from + offset)
    }

    fn comment(&mut self) -> Result<Piece<'t>, Fault> {
        let start = self.at + 1;
        let end = self.find(start, |byte| byte == b'}').ok_or(Fault::OpenComment)?;
        self.at = end + 1;
        Ok(Piece::Comment(self.slice(Span { start, end })))
    }

    fn comment_to_end_of_line(&mut self) -> Piece<'t> {
        let start = self.at + 1;
        self.at = self.end_of_line();
        Piece::Comment(self.slice(Span { start, end: self.at }))
    }

    /// A bracket to its end; it may hold others, and comments with brackets that don't count.
    fn bracket(&mut self) -> Result<Piece<'t>, Fault> {
        let start = self.at + 1;
        let mut depth = 1;
        let mut at = start;
        loop {
            at = self.find(at, |byte| matches!(byte, b'(' | b')' | b'{')).ok_or(Fault::OpenBracket)?;
            match self.byte(at) {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                _ => at = self.find(at, |byte| byte == b'}').ok_or(Fault::OpenBracket)?,
            }
            if depth == 0 {
                self.at = at + 1;
                return Ok(Piece::Bracket(self.slice(Span { start, end: at })));
            }
            at += 1;
        }
    }

    fn word(&mut self) -> Piece<'t> {
        let start = self.at;
        // What ends a word is ASCII, but for the no-break space; a stray closing bracket is a word of its own.
        let ends = |byte: u8| byte.is_ascii_whitespace() || b",{}();".contains(&byte);
        let end = self.find(start + 1, ends).unwrap_or(self.text.len());
        let word = self.slice(Span { start, end });
        let length = word.find('\u{a0}').unwrap_or(word.len());
        self.at = start + length;
        Piece::Word(self.slice(Span { start, end: self.at }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<Piece<'_>> {
        let mut scanner = Scanner::new(text, 0);
        let mut pieces = Vec::new();
        while let Some((span, piece)) = scanner.next() {
            assert!(span.start < span.end, "{text}");
            pieces.push(piece.unwrap_or_else(|fault| panic!("{text}: {fault}")));
        }
        pieces
    }

    #[test]
    fn pieces_of_every_sort() {
        use Piece::{Bracket, Comma, Comment, Word};
        assert_eq!(
            pieces("1. Ke1,Nf3 (Q, 2R){a (b}e4 ; c\n%d\nКрe8\u{a0}*"),
            [
                Word("1."),
                Word("Ke1"),
                Comma,
                Word("Nf3"),
                Bracket("Q, 2R"),
                Comment("a (b"),
                Word("e4"),
                Comment(" c"),
                Word("Крe8"),
                Word("*")
            ]
        );
        assert_eq!(pieces("(a (b) {)} c)"), [Bracket("a (b) {)} c")]);
        assert_eq!(pieces("a)}"), [Word("a"), Word(")"), Word("}")]);
    }

    #[test]
    fn what_does_not_end() {
        let fault = |text: &str| Scanner::new(text, 0).next().map(|(_, piece)| piece.is_err());
        assert_eq!(fault("{a"), Some(true));
        assert_eq!(fault("(a {)}"), Some(true));
        assert_eq!(fault("(a {)"), Some(true));
        assert_eq!(fault(""), None);
    }
}
