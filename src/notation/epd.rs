//! Positions of test suites, in EPD: a FEN and operations that say what is to be found.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::str::FromStr;

use thiserror::Error;

use super::{WrittenError, read_written};
use crate::rules::{FenError, Position};
use crate::types::{Action, Score, excerpt};

/// A position and what is asked about it.
///
/// ```
/// use kingchess::notation::epd::Epd;
/// let epd: Epd = "4k3/8/8/8/8/8/8/K2Q4[NP] w - - bm N@d4,P@e4 Qd1-d7; id \"a drop\";".parse()?;
/// assert_eq!(epd.best.len(), 2);
/// assert_eq!(epd.id.as_deref(), Some("a drop"));
/// # Ok::<(), kingchess::notation::epd::EpdError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position.
    pub position: Position,
    /// `id`: its name.
    pub id: Option<String>,
    /// `bm`: the actions one of which is to be found; if empty, any will do.
    pub best: Vec<Action>,
    /// `am`: actions that must not be chosen.
    pub avoid: Vec<Action>,
    /// `dm`: a mate in this many own actions, or fewer, is to be proven.
    pub mate: Option<u32>,
}

/// Why a line is no position of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpdError {
    /// The position is none.
    #[error("bad FEN: {0}")]
    Fen(#[from] FenError),
    /// A text without an end.
    #[error("the quotation that begins with {0} does not end")]
    Quotation(String),
    /// An action that is none, or not legal.
    #[error("{operation} '{action}': {error}")]
    Action {
        /// `bm` or `am`.
        operation: &'static str,
        /// What is written.
        action: String,
        /// Why it is not accepted.
        error: WrittenError,
    },
    /// Nothing behind an operation.
    #[error("expected an action after {0}, got nothing")]
    NoAction(&'static str),
    /// A number of actions that is none.
    #[error("expected a number of actions from 1 after dm, got '{0}'")]
    Mate(String),
    /// Nothing is asked for.
    #[error("expected one of the operations bm, am and dm, got none")]
    NoQuestion,
}

impl Epd {
    /// Is this the action that was asked for, and its value good enough?
    pub fn is_solved_by(&self, action: Action, score: Score) -> bool {
        let mates = |most: u32| {
            score
                .mate_distance()
                .and_then(|distance| u32::try_from(distance).ok())
                .is_some_and(|n| (1..=most).contains(&n))
        };
        (self.best.is_empty() || self.best.contains(&action))
            && !self.avoid.contains(&action)
            && self.mate.is_none_or(mates)
    }

    fn add(&mut self, operation: &str, operands: &[String]) -> Result<(), EpdError> {
        match operation {
            "bm" => self.best = self.actions("bm", operands)?,
            "am" => self.avoid = self.actions("am", operands)?,
            "dm" => {
                let written = operands.join(" ");
                let mate = written.parse().ok().filter(|&mate| mate > 0);
                self.mate = Some(mate.ok_or_else(|| EpdError::Mate(excerpt(&written)))?);
            }
            "id" => self.id = Some(operands.join(" ")),
            // There are many operations, and programs have their own.
            _ => {}
        }
        Ok(())
    }

    fn actions(&self, operation: &'static str, words: &[String]) -> Result<Vec<Action>, EpdError> {
        if words.is_empty() {
            return Err(EpdError::NoAction(operation));
        }
        let read = |word: &String| match read_written(word, &self.position) {
            Ok(written) => Ok(written.action()),
            Err(error) => Err(EpdError::Action { operation, action: excerpt(word), error }),
        };
        words.iter().map(read).collect()
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    /// Reads a line: a FEN of four or six fields, then operations with `;` between or before them. Actions may be in any
    /// notation; one with blanks in it needs quotation marks. Operations that are not known are skipped.
    fn from_str(line: &str) -> Result<Self, EpdError> {
        let (fen, operations) = split_fen(line);
        let position = fen.parse()?;
        let mut epd = Self { position, id: None, best: Vec::new(), avoid: Vec::new(), mate: None };
        for operation in split_operations(operations)? {
            if let Some((name, operands)) = operation.split_first() {
                epd.add(name, operands)?;
            }
        }
        if epd.best.is_empty() && epd.avoid.is_empty() && epd.mate.is_none() {
            return Err(EpdError::NoQuestion);
        }
        Ok(epd)
    }
}

/// The FEN at the beginning of a line, and the rest.
fn split_fen(line: &str) -> (&str, &str) {
    let mut end = 0;
    for field in 0..6 {
        let rest = line.get(end..).unwrap_or_default();
        let begin = end + rest.len() - rest.trim_start().len();
        let word = line.get(begin..).unwrap_or_default();
        let length = word.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(word.len());
        let is_number = word.get(..length).is_some_and(|word| word.parse::<u32>().is_ok());
        // The two counters may be missing.
        if length == 0 || field >= 4 && !is_number {
            break;
        }
        end = begin + length;
    }
    line.split_at_checked(end).unwrap_or((line, ""))
}

/// Splits operations at semicolons, and each into its words; a quotation is one word, without its marks.
fn split_operations(text: &str) -> Result<Vec<Vec<String>>, EpdError> {
    let mut operations = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(letter) = rest.chars().next() {
        if letter == ';' {
            operations.push(Vec::new());
            rest = rest.get(1..).unwrap_or_default().trim_start();
            continue;
        }
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or_else(|| EpdError::Quotation(excerpt(rest)))?,
            None => {
                let end = rest.find(|letter: char| letter.is_whitespace() || letter == ';');
                rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, ""))
            }
        };
        if let Some(operation) = operations.last_mut() {
            operation.push(word.to_owned());
        }
        rest = after.trim_start();
    }
    Ok(operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4k3/8/8/8/8/8/8/K2Q4[NP] w - -";

    fn read(operations: &str) -> Result<Epd, EpdError> {
        format!("{FEN} {operations}").parse()
    }

    fn tokens(actions: &[Action]) -> Vec<String> {
        let side = FEN.parse::<Position>().expect("a FEN").side();
        actions.iter().map(|action| action.token(side).to_string()).collect()
    }

    #[test]
    fn operations_in_any_form() {
        for operations in [
            "bm N@d4,P@e4 d1d7; am d1d2; dm 3; id \"a; b\"; c0 \"bm e9\"; acd 12;",
            "0 1 ;bm N@d4,P@e4 Qd1-d7;am d1d2 ;dm 3;id \"a; b\"",
            ";id \"a; b\";dm 3 ;bm \"Nd4, e4\" \"Qd1-d7+\" ;am Qd1-d2",
            "17 30 bm P@e4,N@d4 Qd1d7; am Qd1-d2; dm 3; id \"a; b\";",
        ] {
            let epd = read(operations).unwrap_or_else(|error| panic!("{operations}: {error}"));
            assert_eq!(tokens(&epd.best), ["N@d4,P@e4", "d1d7"], "{operations}");
            assert_eq!(tokens(&epd.avoid), ["d1d2"], "{operations}");
            assert_eq!((epd.mate, epd.id.as_deref()), (Some(3), Some("a; b")), "{operations}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_apart() {
        assert_eq!(read("id \"x\";").err(), Some(EpdError::NoQuestion));
        assert_eq!(read("bm ;").err(), Some(EpdError::NoAction("bm")));
        assert_eq!(read("dm 0;").err(), Some(EpdError::Mate("0".to_owned())));
        assert_eq!(read("dm x;").err(), Some(EpdError::Mate("x".to_owned())));
        assert_eq!(read("id \"x").err(), Some(EpdError::Quotation("\"x".to_owned())));
        assert!(matches!(read("am e9;").err(), Some(EpdError::Action { operation: "am", .. })));
        assert!(matches!("8/8 w - - dm 1".parse::<Epd>().err(), Some(EpdError::Fen(_))));
        assert!(matches!("".parse::<Epd>().err(), Some(EpdError::Fen(_))));
    }

    #[test]
    fn all_that_is_asked_for_must_be_found() {
        let epd = read("bm d1d7 d1d8; am d1d8; dm 2;").expect("an EPD");
        let [good, bad] = epd.best.as_slice() else { panic!("{epd:?}") };
        assert!(epd.is_solved_by(*good, Score::mate_in(3)));
        assert!(epd.is_solved_by(*good, Score::mate_in(1)));
        assert!(!epd.is_solved_by(*good, Score::mate_in(5)));
        assert!(!epd.is_solved_by(*good, Score::cp(900)));
        assert!(!epd.is_solved_by(*good, Score::mated_in(2)));
        assert!(!epd.is_solved_by(*bad, Score::mate_in(3)));
        let other = read("bm d1e2;").expect("an EPD");
        assert!(!other.is_solved_by(*good, Score::mate_in(3)));
        assert!(other.best.iter().all(|&action| other.is_solved_by(action, Score::cp(-900))));
    }
}
