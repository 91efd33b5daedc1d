//! Finds where one game of an input ends and the next begins, line by line.

use super::result::GameResult;

/// What a line is to the lines before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The first of another game.
    Begins,
    /// It goes on with the game.
    Continues,
    /// The last of the game.
    Ends,
}

/// What has been seen of a game so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunk {
    /// Has anything been seen?
    begun: bool,
    /// Have actions, and not only tags, been seen?
    actions: bool,
    /// Is a comment open?
    comment: bool,
    /// Was the last line blank?
    blank: bool,
}

impl Chunk {
    /// Looks at the next line. One that begins another game is not counted as seen.
    pub(super) fn look_at(&mut self, line: &[u8]) -> Line {
        let line = line.trim_ascii();
        if line.is_empty() {
            self.blank = true;
            return Line::Continues;
        }
        if self.begins_another(line) {
            return Line::Begins;
        }
        self.blank = false;
        if !self.begun && is_one_line_game(line) {
            return Line::Ends;
        }
        self.begun = true;
        if line.starts_with(b"[") && !self.actions {
            return Line::Continues;
        }
        self.actions = true;
        if self.skip_comments(line) && ends_with_result(line) { Line::Ends } else { Line::Continues }
    }

    fn begins_another(&self, line: &[u8]) -> bool {
        if !self.begun {
            return false;
        }
        if self.comment {
            // A comment that was never closed must not swallow the rest of the file.
            return self.blank && line.starts_with(b"[Event \"");
        }
        is_position_line(line)
            || self.actions && (line.starts_with(b"[") || self.blank && is_first_number(line))
    }

    /// Follows the comments of a line; says whether the line ends outside of any.
    fn skip_comments(&mut self, line: &[u8]) -> bool {
        for &byte in line {
            match (self.comment, byte) {
                (true, b'}') => self.comment = false,
                (false, b'{') => self.comment = true,
                (false, b';') => return false,
                _ => {}
            }
        }
        !self.comment
    }
}

/// Is it, at the beginning of a game, all of the game?
pub(super) fn is_one_line_game(line: &[u8]) -> bool {
    is_position_line(line) || is_json(line)
}

fn is_position_line(line: &[u8]) -> bool {
    line.starts_with(b"position ")
}

/// Is it an object of JSON? A comment may begin with a quotation, but hardly with a colon behind it.
pub(super) fn is_json(line: &[u8]) -> bool {
    let name = line.strip_prefix(b"{").and_then(|rest| rest.trim_ascii_start().strip_prefix(b"\""));
    let Some(name) = name else { return false };
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric());
    let rest = end.and_then(|end| name.get(end..)).and_then(|rest| rest.strip_prefix(b"\""));
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
}

/// Does the line begin with the number of White's first action?
fn is_first_number(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"1.") else { return false };
    let rest = rest.trim_ascii_start();
    !rest.starts_with(b".") && !rest.starts_with("…".as_bytes())
}

fn ends_with_result(line: &[u8]) -> bool {
    let start = line.iter().rposition(|byte| byte.is_ascii_whitespace() || b"})".contains(byte));
    let word = line.get(start.map_or(0, |start| start + 1)..).unwrap_or_default();
    str::from_utf8(word).is_ok_and(|word| GameResult::read(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(text: &str) -> Vec<Line> {
        let mut chunk = Chunk::default();
        text.lines().map(|line| chunk.look_at(line.as_bytes())).collect()
    }

    #[test]
    fn games_are_told_apart() {
        use Line::{Begins, Continues, Ends};
        assert_eq!(looks("[A \"1\"]\n\n1. Ke1\nKe8 1-0\r"), [Continues, Continues, Continues, Ends]);
        assert_eq!(looks("1. Ke1\n[A \"1\"]"), [Continues, Begins]);
        assert_eq!(looks("1. Ke1 {\n[A \"1\"]\n*\n} *"), [Continues, Continues, Continues, Ends]);
        assert_eq!(looks("1. Ke1 {\n\n[Event \"1\"]"), [Continues, Continues, Begins]);
        assert_eq!(looks("1. Ke1\n\n1. Ke1"), [Continues, Continues, Begins]);
        assert_eq!(looks("1. Ke1\n\n1. ... Ke8"), [Continues, Continues, Continues]);
        assert_eq!(looks("1. Ke1\n1. Ke1"), [Continues, Continues]);
        assert_eq!(looks("1. Ke1 ; *"), [Continues]);
        assert_eq!(looks("1. Ke1 {*"), [Continues]);
        assert_eq!(looks("position startpos"), [Ends]);
        assert_eq!(looks("1. Ke1\nposition startpos"), [Continues, Begins]);
        assert_eq!(looks("{\"schema\":1}"), [Ends]);
        assert_eq!(looks("{ \"start\" : 1}"), [Ends]);
        assert_eq!(looks("{\"Fine!\": so he said} 1. Ke1"), [Continues]);
        assert_eq!(looks("[A \"1\"]\n{\"schema\":1}"), [Continues, Continues]);
    }
}
