use std::fmt::Display;
use std::io::{self, Write};
use std::process;
use std::sync::{Mutex, PoisonError};

use crate::types::printable;

/// Words that begin or structure lines of the protocol: free text never contains them.
const RESERVED: [&str; 5] = ["bestmove", "readyok", "uciok", "score", "time"];

/// Where lines go, whole and flushed, from whichever thread.
pub struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
}

impl Output {
    /// Lines to standard output.
    pub fn stdout() -> Self {
        Self::to(Box::new(io::stdout()))
    }

    /// Lines to any writer.
    pub fn to(writer: Box<dyn Write + Send>) -> Self {
        Self { writer: Mutex::new(writer) }
    }

    /// Writes one line. If nobody reads any more the process ends quietly: there is nobody to play for.
    pub fn line(&self, text: impl Display) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writeln!(writer, "{text}").and_then(|()| writer.flush()).is_err() {
            process::exit(0);
        }
    }

    /// Writes free text for people.
    pub fn message(&self, text: impl Display) {
        self.line(format_args!("info string {}", without_reserved(&text.to_string())));
    }

    /// Writes what was wrong with a command.
    pub fn error(&self, text: impl Display) {
        self.message(format_args!("error {text}"));
    }
}

/// Free text with reserved words broken by a dot, should a user's word be one, and without control characters.
fn without_reserved(text: &str) -> String {
    text.split_inclusive(|letter: char| !letter.is_alphanumeric())
        .map(|part| {
            let word = part.trim_end_matches(|letter: char| !letter.is_alphanumeric());
            let reserved = RESERVED.iter().any(|other| other.eq_ignore_ascii_case(word));
            match (reserved, part.split_at_checked(1)) {
                (true, Some((head, tail))) => format!("{head}.{tail}"),
                _ => part.to_owned(),
            }
        })
        .flat_map(|part| part.chars().map(printable).collect::<Vec<_>>())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_broken() {
        assert_eq!(without_reserved("got 'bestmove' or Score, time"), "got 'b.estmove' or S.core, t.ime");
        assert_eq!(without_reserved("score,time x=BestMove"), "s.core,t.ime x=B.estMove");
        assert_eq!(without_reserved("movetime is fine"), "movetime is fine");
    }
}
