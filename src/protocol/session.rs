//! The dialogue: commands in, lines out. Everything here is quick; what takes time is handed to the searching thread.

use std::io::{self, BufRead};
use std::process;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::board::draw;
use super::command::{Command, HELP};
use super::explain::explain;
use super::go::read_go;
use super::jobs::{self, GRACE, Job, SearchJob, Ticket};
use super::options::{self, Effect, Options, Variant};
use super::output::Output;
use crate::cli::bench;
use crate::notation::read_legal_action;
use crate::rules::{Game, Position, Wanted};
use crate::types::{Color, Kind, excerpt, printable};

/// How long the program waits for its searching thread at the end before it goes without it.
const LAST_WAIT: Duration = Duration::from_millis(300);
/// How often it looks whether the thread has ended, and whether searches have been answered.
const LOOK: Duration = Duration::from_millis(2);

/// Runs the protocol on these streams until `quit` or the end of input.
///
/// # Errors
/// If the system gives no thread to search on.
pub fn run(input: impl BufRead, output: Output) -> io::Result<()> {
    let output = Arc::new(output);
    let (jobs, handle) = jobs::start(Arc::clone(&output))?;
    let mut session = Session {
        output,
        options: Options::default(),
        game: Some(Game::new(Position::start())),
        jobs,
        open: Vec::new(),
    };
    let quit = session.read(input);
    session.end(quit, handle);
    Ok(())
}

struct Session {
    output: Arc<Output>,
    options: Options,
    /// What `position` has set; `None` after a bad one.
    game: Option<Game>,
    jobs: Sender<Job>,
    /// Searches that have not been answered yet.
    open: Vec<Arc<Ticket>>,
}

impl Session {
    /// Obeys line after line. Gives true on `quit`, false at the end of input.
    fn read(&mut self, mut input: impl BufRead) -> bool {
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return false,
                // Bytes that are no UTF-8 must not end the reading: they make a word unknown, no more.
                Ok(_) => {
                    if self.obey(&String::from_utf8_lossy(&line)) {
                        return true;
                    }
                }
            }
        }
    }

    /// Obeys one line; true on `quit`.
    fn obey(&mut self, line: &str) -> bool {
        match Command::read(line) {
            Command::Nothing | Command::Ignored => {}
            Command::Uci => self.introduce(),
            Command::IsReady => self.output.line("readyok"),
            Command::NewGame => self.send(Job::NewGame),
            Command::SetOption(words) => self.set_option(&words),
            Command::Position(words) => self.set_position(&words),
            Command::Go(words) => self.go(&words),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(ticket) = self.open.iter().find(|ticket| !ticket.is_answered()) {
                    ticket.control.ponder_hit();
                }
            }
            Command::Quit => return true,
            Command::Display => self.with_game(Self::display),
            Command::Eval => self.with_game(Self::explain),
            Command::Legal => self.legal(),
            Command::Validate(words) => self.validate(&words),
            Command::Bench(words) => match bench::Settings::from_words(&words) {
                Ok(settings) => self.send(Job::Bench(settings)),
                Err(error) => self.output.error(format_args!("bench: {error}")),
            },
            Command::Help => HELP.iter().for_each(|line| self.output.line(line)),
            Command::Unknown(word) => {
                self.output.error(format_args!("unknown command '{}'; try help", excerpt(word)));
            }
        }
        false
    }

    fn send(&self, job: Job) {
        // The thread lives as long as this sender; if it has failed, it has said so.
        let _ = self.jobs.send(job);
    }

    fn stop(&mut self) {
        self.open.iter().for_each(|ticket| ticket.control.stop());
        self.open.retain(|ticket| !ticket.is_answered());
    }

    fn introduce(&self) {
        self.output.line(concat!("id name Kingchess ", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Kingchess authors");
        options::lines().for_each(|line| self.output.line(line));
        self.output.line("uciok");
    }

    fn set_option(&mut self, words: &[&str]) {
        match self.options.set(words) {
            Ok((effect, message)) => {
                if let Some(message) = message {
                    self.output.message(message);
                }
                match effect {
                    Effect::None => {}
                    Effect::Hash => self.send(Job::Hash(self.options.hash)),
                    Effect::Threads => self.send(Job::Threads(self.options.threads)),
                    Effect::ClearHash => self.send(Job::ClearHash),
                    Effect::Variant => self.set_variant(),
                }
            }
            Err(error) => self.output.error(error),
        }
    }

    /// The game changes: so do the start position and everything learned.
    fn set_variant(&mut self) {
        let start = self.start();
        let (pocket, template, fen) = match self.options.variant {
            Variant::Kingchess => (6, "crazyhouse", start.fen()),
            Variant::Chess => (0, "chess", start.chess_fen()),
        };
        let name = self.options.variant.name();
        self.output.message(format_args!(
            "variant {name} files 8 ranks 8 pocket {pocket} template {template} startpos {fen}"
        ));
        self.game = Some(Game::new(start));
        self.send(Job::NewGame);
    }

    fn start(&self) -> Position {
        match self.options.variant {
            Variant::Kingchess => Position::start(),
            Variant::Chess => Position::chess_start(),
        }
    }

    fn set_position(&mut self, words: &[&str]) {
        self.game = match self.read_position(words) {
            Ok(game) => Some(game),
            Err(error) => {
                self.output.error(format_args!("position: {error}"));
                None
            }
        };
    }

    fn read_position(&self, words: &[&str]) -> Result<Game, String> {
        let is_moves = |word: &&str| word.eq_ignore_ascii_case("moves");
        let setup = words.iter().take_while(|word| !is_moves(word)).count();
        let (setup, moves) = words.split_at(setup);
        let start = match setup.split_first() {
            Some((word, [])) if word.eq_ignore_ascii_case("startpos") => self.start(),
            Some((word, [extra, ..])) if word.eq_ignore_ascii_case("startpos") => {
                return Err(format!("expected 'moves' after startpos, got '{}'", excerpt(extra)));
            }
            Some((word, fen)) if word.eq_ignore_ascii_case("fen") => self.read_fen(&fen.join(" "))?,
            Some((word, _)) => return Err(format!("expected 'startpos' or 'fen', got '{}'", excerpt(word))),
            None => return Err("expected 'startpos' or 'fen', got nothing".to_owned()),
        };
        let mut game = Game::new(start);
        for (index, word) in moves.iter().skip(1).enumerate() {
            let action = read_legal_action(word, game.position())
                .map_err(|error| format!("action {} '{}': {error}", index + 1, excerpt(word)))?;
            game.play(action);
        }
        Ok(game)
    }

    fn read_fen(&self, fen: &str) -> Result<Position, String> {
        let (position, notes) = Position::read_fen(fen).map_err(|error| format!("bad FEN: {error}"))?;
        for note in notes {
            self.output.message(note);
        }
        let reserve = Color::ALL.iter().any(|&color| !position.reserve(color).is_empty());
        if self.options.variant == Variant::Chess && reserve {
            return Err("bad FEN: expected empty reserves in chess".to_owned());
        }
        Ok(position)
    }

    fn go(&mut self, words: &[&str]) {
        let go = read_go(words, self.game.as_ref().map(Game::position));
        go.errors.iter().for_each(|error| self.output.error(error));
        if let Some(depth) = go.perft {
            match &self.game {
                Some(game) => self.send(Job::Perft { game: Box::new(game.clone()), depth }),
                None => self.no_position(),
            }
            return;
        }
        self.open.retain(|ticket| !ticket.is_answered());
        let ticket = Arc::new(Ticket::new(&go.limits));
        self.open.push(Arc::clone(&ticket));
        let (game, options) = (self.game.clone(), self.options.clone());
        self.send(Job::Search(Box::new(SearchJob { game, limits: go.limits, options, ticket })));
    }

    fn no_position(&self) {
        self.output.error("no position: the last position command was refused");
    }

    fn with_game(&self, show: impl FnOnce(&Self, &Game)) {
        match &self.game {
            Some(game) => show(self, game),
            None => self.no_position(),
        }
    }

    fn fen(&self, position: &Position) -> String {
        match self.options.variant {
            Variant::Kingchess => position.fen(),
            Variant::Chess => position.chess_fen(),
        }
    }

    fn display(&self, game: &Game) {
        let position = game.position();
        draw(position).iter().for_each(|line| self.output.line(line));
        let checkers: Vec<String> = position.checkers().map(|square| square.to_string()).collect();
        let checkers = if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") };
        self.output.line(format_args!("Fen: {}", self.fen(position)));
        self.output.line(format_args!("Key: {:016X}", position.key()));
        self.output.line(format_args!("Checkers: {checkers}"));
        self.output.line(format_args!("Repetitions: {}", game.occurrences()));
    }

    fn explain(&self, game: &Game) {
        let mut evaluator = self.options.evaluator();
        for line in explain(game.position(), |position| evaluator.evaluate(position, 0)) {
            self.output.line(line);
        }
    }

    fn legal(&self) {
        self.with_game(Self::list_legal);
        self.output.line("legalok");
    }

    fn list_legal(&self, game: &Game) {
        let position = game.position();
        let mut line = "legal moves".to_owned();
        position.visit_moves(Wanted::ALL, |targets| {
            for mv in targets.moves() {
                line.push_str(&format!(" {mv}"));
            }
            false
        });
        self.output.line(line);
        for kind in Kind::ALL {
            if position.reserve(position.side()).count_of(kind) > 0 {
                let mut line = format!("legal drop {}", kind.letter());
                for square in position.drop_squares(kind) {
                    line.push_str(&format!(" {square}"));
                }
                self.output.line(line);
            }
        }
        self.output.line(format_args!("legal actions {}", position.count_actions()));
        match game.outcome() {
            Some(outcome) => self.output.line(format_args!("legal result {outcome}")),
            None => self.output.line("legal result none"),
        }
    }

    fn validate(&self, words: &[&str]) {
        let (word, extra) = match words {
            [word] => (*word, false),
            [word, ..] => (*word, true),
            [] => {
                self.output.error("validate: expected an action, got nothing");
                return;
            }
        };
        let verdict = match &self.game {
            _ if extra => Err("expected one action without blanks".to_owned()),
            Some(game) => read_legal_action(word, game.position())
                .map(|action| action.token(game.position().side()).to_string())
                .map_err(|error| error.to_string()),
            None => Err("no position: the last position command was refused".to_owned()),
        };
        match verdict {
            Ok(token) => self.output.line(format_args!("valid {token}")),
            Err(reason) => {
                let reason: String = reason.chars().map(printable).collect();
                self.output.line(format_args!("invalid {} {reason}", excerpt(word)));
            }
        }
    }

    /// Ends the session: every `go` is still answered, but none may take long.
    fn end(mut self, quit: bool, handle: JoinHandle<()>) {
        let deadline = Instant::now() + if quit { Duration::ZERO } else { GRACE };
        let busy = |open: &[Arc<Ticket>]| open.iter().any(|ticket| !ticket.is_answered() && !ticket.endless);
        while busy(&self.open) && Instant::now() < deadline {
            thread::sleep(LOOK);
        }
        self.stop();
        drop(self.jobs);
        let deadline = Instant::now() + LAST_WAIT;
        while !handle.is_finished() && Instant::now() < deadline {
            thread::sleep(LOOK);
        }
        if !handle.is_finished() {
            // A perft or benchmark does not listen; nobody waits for it any more.
            process::exit(0);
        }
    }
}
