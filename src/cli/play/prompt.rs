//! Reading lines from a person, or from a pipe.

use std::borrow::Cow;
use std::io::{self, BufRead, Write};

use anstyle::{Effects, Style};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hint, Hinter};
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::complete::{CommandHint, Completion, complete, hint};
use crate::cli::terminal::Screen;
use crate::rules::Position;

/// What is asked for.
pub(super) struct Question<'q> {
    /// Stands before what is entered.
    pub prompt: &'q str,
    /// Entered before, and to be corrected.
    pub draft: &'q str,
    /// The position in which something is to be done.
    pub position: &'q Position,
}

/// What comes back.
pub(super) enum Answer {
    /// A line.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// There is no more.
    End,
}

/// Where lines come from.
pub(super) trait Prompt {
    /// Asks for a line.
    fn ask(&mut self, question: &Question, out: &mut dyn Write) -> io::Result<Answer>;
}

/// Lines from a pipe. They are repeated behind the prompt, so that the output can be read.
#[derive(Default)]
pub(super) struct Plain(Vec<u8>);

impl Prompt for Plain {
    fn ask(&mut self, question: &Question, out: &mut dyn Write) -> io::Result<Answer> {
        self.0.clear();
        if io::stdin().lock().read_until(b'\n', &mut self.0)? == 0 {
            return Ok(Answer::End);
        }
        let line = String::from_utf8_lossy(&self.0).trim_end().to_owned();
        writeln!(out, "{}{line}", question.prompt)?;
        Ok(Answer::Line(line))
    }
}

/// Lines that are edited on a terminal, with history, completion and hints.
pub(super) struct Editing {
    editor: Editor<Help, DefaultHistory>,
}

impl Editing {
    /// Takes over the terminal whenever a line is asked for.
    pub(super) fn new(screen: Screen) -> io::Result<Self> {
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(Help { position: Position::start(), screen }));
        Ok(Self { editor })
    }
}

impl Prompt for Editing {
    fn ask(&mut self, question: &Question, _: &mut dyn Write) -> io::Result<Answer> {
        if let Some(help) = self.editor.helper_mut() {
            help.position = *question.position;
        }
        match self.editor.readline_with_initial(question.prompt, (question.draft, "")) {
            Ok(line) => Ok(Answer::Line(line)),
            Err(ReadlineError::Interrupted) => Ok(Answer::Interrupt),
            Err(ReadlineError::Eof) => Ok(Answer::End),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// Completes and hints.
struct Help {
    position: Position,
    screen: Screen,
}

impl Completer for Help {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context) -> rustyline::Result<(usize, Vec<String>)> {
        let Completion { start, words } = complete(line.get(..at).unwrap_or(line), &self.position);
        Ok((start, words))
    }
}

impl Hint for CommandHint {
    fn display(&self) -> &str {
        &self.text
    }

    fn completion(&self) -> Option<&str> {
        self.text.get(..self.rest).filter(|rest| !rest.is_empty())
    }
}

impl Hinter for Help {
    type Hint = CommandHint;

    fn hint(&self, line: &str, at: usize, _: &Context) -> Option<CommandHint> {
        if at < line.len() { None } else { hint(line) }
    }
}

impl Highlighter for Help {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if !self.screen.color {
            return hint.into();
        }
        let dim = Style::new().effects(Effects::DIMMED);
        format!("{dim}{hint}{dim:#}").into()
    }
}

impl Validator for Help {}

impl Helper for Help {}
