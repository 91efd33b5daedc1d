use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::command::{COMMANDS, Command, Input, Known, Level, Seat};
use super::keeper::Keeper;
use super::prompt::{Answer, Prompt, Question};
use super::sitting::Sitting;
use crate::cli::Failure;
use crate::cli::terminal::{BoardView, value};
use crate::cli::thinking::{Event, Task, interruptible, think};
use crate::notation::{Notation, Written, action_text, line_text, read_written};
use crate::rules::Wanted;
use crate::search::{Control, Limits, Report, SearchResult, Searcher};
use crate::types::{Action, Bitboard, Color, Kind};

/// How long is thought about a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// How well the engine plays.
pub(super) struct Strength {
    /// At this level.
    pub level: Level,
    /// As long as this for each action.
    pub limits: Limits,
}

/// Games with one person, one after the other.
pub(super) struct Session<'o> {
    out: &'o mut dyn Write,
    view: BoardView,
    sitting: Sitting,
    searcher: Searcher,
    strength: Strength,
    keeper: Keeper,
    control: Arc<Control>,
    /// What was entered last, if it has to be corrected.
    draft: String,
}

/// Does the session go on?
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Leave,
}

impl<'o> Session<'o> {
    /// A session that begins with this game.
    pub(super) fn new(
        out: &'o mut dyn Write,
        view: BoardView,
        sitting: Sitting,
        searcher: Searcher,
        strength: Strength,
        keeper: Keeper,
    ) -> Result<Self, Failure> {
        let control = interruptible()?;
        let mut session =
            Self { out, view, sitting, searcher, strength, keeper, control, draft: String::new() };
        session.face_person();
        Ok(session)
    }

    /// Plays until the person leaves or the input ends. Games that are in no file are written out then.
    pub(super) fn run(&mut self, prompt: &mut dyn Prompt) -> Result<(), Failure> {
        writeln!(
            self.out,
            "Enter an action, such as Ke1, d4 or K@e1,P@d4 or e2-e4; help lists the commands."
        )?;
        self.draw()?;
        self.tell_ending()?;
        loop {
            if self.sitting.awaits_engine() {
                self.answer()?;
                continue;
            }
            let side = if self.sitting.position().side() == Color::White { "White" } else { "Black" };
            let question = Question {
                prompt: &format!("{}. {side}> ", self.sitting.position().fullmove_number()),
                draft: &self.draft,
                position: self.sitting.position(),
            };
            let next = match prompt.ask(&question, self.out)? {
                Answer::Line(line) => self.take(&line)?,
                Answer::Interrupt => {
                    writeln!(self.out, "quit, or Ctrl-D, leaves")?;
                    Next::GoOn
                }
                Answer::End => Next::Leave,
            };
            if next == Next::Leave {
                return self.leave();
            }
        }
    }

    /// Does what a line says. One that can't be understood is kept to be corrected.
    fn take(&mut self, line: &str) -> Result<Next, Failure> {
        self.draft.clear();
        match Input::read(line) {
            Ok(Input::Nothing) => {}
            Ok(Input::Command(Command::Quit)) => return Ok(Next::Leave),
            Ok(Input::Command(command)) => self.obey(command)?,
            Ok(Input::Action(text)) => self.act(text)?,
            Err(error) => {
                line.clone_into(&mut self.draft);
                writeln!(self.out, "Not done: {error}")?;
            }
        }
        Ok(Next::GoOn)
    }

    fn act(&mut self, text: &str) -> Result<(), Failure> {
        if self.sitting.is_over() {
            return self.tell_ending();
        }
        match read_written(text, self.sitting.position()) {
            Ok(written) => self.play(written),
            Err(error) => {
                text.clone_into(&mut self.draft);
                Ok(writeln!(self.out, "Not played: {error} (help lists the commands)")?)
            }
        }
    }

    fn play(&mut self, written: Written) -> Result<(), Failure> {
        self.sitting.play(written);
        self.keep()?;
        if self.sitting.seat == Seat::Both || self.sitting.is_over() {
            self.draw()?;
        }
        self.tell_ending()
    }

    /// The engine acts.
    fn answer(&mut self) -> Result<(), Failure> {
        let elo = match self.strength.level {
            Level::Full => None,
            Level::Elo(elo) => Some(elo),
        };
        let limits = self.strength.limits.clone();
        let (result, _) = self.think(&limits, elo)?;
        // While the game goes on there is an action.
        let Some(best) = result.best else { return Ok(()) };
        let text = line_text(&[best], self.sitting.position(), Notation::Openchess);
        self.sitting.play(best.into());
        self.keep()?;
        writeln!(self.out, "{}", self.view.screen.bold(&text))?;
        self.draw()?;
        self.tell_ending()
    }

    /// Searches, and gives the last report too. On a terminal something moves meanwhile; Ctrl-C ends it.
    fn think(
        &mut self,
        limits: &Limits,
        strength: Option<u32>,
    ) -> io::Result<(SearchResult, Option<Report>)> {
        let spinner = spinner();
        self.control.arm(false);
        let task = Task { game: self.sitting.game(), limits, strength, control: &self.control };
        let mut last = None;
        let result = think(&mut self.searcher, &task, &mut |event| {
            spinner.tick();
            if let Event::Report(report) = event {
                last = Some(report.clone());
            }
            Ok(())
        });
        spinner.finish_and_clear();
        result.map(|result| (result, last))
    }

    fn obey(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::Help => self.help(),
            Command::Board => self.draw(),
            Command::Moves => self.write_game(),
            Command::Legal => self.list_legal(),
            Command::Fen => Ok(writeln!(self.out, "{}", self.sitting.position().fen())?),
            Command::Undo => self.undo(),
            Command::Hint => self.hint(),
            Command::Level(level) => self.set_level(level),
            Command::New => self.begin_again(),
            Command::Side(seat) => self.take_side(seat),
            Command::Flip => {
                self.view.bottom = !self.view.bottom;
                self.draw()
            }
            Command::Save(path) => self.save(&path),
            Command::Resign => self.resign(),
            // Whoever reads lines leaves.
            Command::Quit => Ok(()),
        }
    }

    fn help(&mut self) -> Result<(), Failure> {
        for Known { name, operand, help } in COMMANDS {
            writeln!(self.out, "  {:22} {help}", format!("{name} {operand}").trim_end())?;
        }
        writeln!(
            self.out,
            "Anything else is an action: e2-e4, Ng1-f3, O-O; drops of several pieces Ke1, Nf3, d4; or e2e4, K@e1,N@f3"
        )?;
        Ok(())
    }

    fn write_game(&mut self) -> Result<(), Failure> {
        match self.sitting.record(self.strength.level) {
            Some(record) => {
                let actions: Vec<Action> = record.actions().collect();
                writeln!(self.out, "{}", line_text(&actions, record.start(), Notation::Openchess))?;
            }
            None => writeln!(self.out, "Nothing has been played.")?,
        }
        Ok(())
    }

    fn list_legal(&mut self) -> Result<(), Failure> {
        let position = self.sitting.position();
        let mut moves = Vec::new();
        position.visit_moves(Wanted::ALL, |targets| {
            moves.extend(
                targets.moves().map(|mv| action_text(Action::Move(mv), position, Notation::Openchess)),
            );
            false
        });
        if !moves.is_empty() {
            writeln!(self.out, "moves {}", moves.join(" "))?;
        }
        for kind in Kind::ALL {
            let squares: Vec<String> = position.drop_squares(kind).map(|square| square.to_string()).collect();
            if !squares.is_empty() {
                writeln!(self.out, "drop {} on {}", kind.letter(), squares.join(" "))?;
            }
        }
        writeln!(self.out, "{} legal actions, drops of several pieces with them", position.count_actions())?;
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Failure> {
        if !self.sitting.undo() {
            return Ok(writeln!(self.out, "There is nothing to take back.")?);
        }
        self.keep()?;
        self.draw()
    }

    fn hint(&mut self) -> Result<(), Failure> {
        if self.sitting.is_over() {
            return self.tell_ending();
        }
        let limits = Limits { movetime: Some(HINT_TIME), ..Limits::default() };
        let (result, last) = self.think(&limits, None)?;
        let line = last.map(|report| report.pv).unwrap_or_default();
        let text = line_text(&line, self.sitting.position(), Notation::Openchess);
        Ok(writeln!(self.out, "{} {text}", value(result.score))?)
    }

    fn set_level(&mut self, level: Option<Level>) -> Result<(), Failure> {
        self.strength.level = level.unwrap_or(self.strength.level);
        match self.strength.level {
            Level::Full => writeln!(self.out, "The engine plays with full strength.")?,
            Level::Elo(elo) => writeln!(self.out, "The engine plays at level {elo}.")?,
        }
        Ok(())
    }

    fn begin_again(&mut self) -> Result<(), Failure> {
        self.keeper.leave(self.sitting.record(self.strength.level));
        self.sitting = self.sitting.again();
        self.searcher.clear();
        self.draw()
    }

    fn take_side(&mut self, seat: Option<Seat>) -> Result<(), Failure> {
        self.sitting.seat = seat.unwrap_or(match self.sitting.seat {
            Seat::White => Seat::Black,
            Seat::Black => Seat::White,
            Seat::Both => Seat::Both,
        });
        self.face_person();
        self.draw()
    }

    fn save(&mut self, path: &Path) -> Result<(), Failure> {
        match self.keeper.move_to(path, self.sitting.record(self.strength.level)) {
            Ok(()) => writeln!(self.out, "Saved in {}, and kept up to date.", path.display())?,
            Err(error) => writeln!(self.out, "Not saved: {error}")?,
        }
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Failure> {
        if !self.sitting.is_over() {
            self.sitting.resign();
            self.keep()?;
        }
        self.tell_ending()
    }

    /// Turns the board to the person.
    fn face_person(&mut self) {
        self.view.bottom = if self.sitting.seat == Seat::Black { Color::Black } else { Color::White };
    }

    fn draw(&mut self) -> Result<(), Failure> {
        self.view.marked = match self.sitting.last().map(Written::action) {
            Some(Action::Move(mv)) => Bitboard::EMPTY | mv.from() | mv.to(),
            Some(Action::Drops(set)) => {
                let side = !self.sitting.position().side();
                set.drops(side).fold(Bitboard::EMPTY, |squares, drop| squares | drop.square)
            }
            None => Bitboard::EMPTY,
        };
        for line in self.view.lines(self.sitting.position()) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn tell_ending(&mut self) -> Result<(), Failure> {
        if let Some(ending) = self.sitting.ending() {
            writeln!(self.out, "The game is over: {ending}. You can undo, begin a new one, or quit.")?;
        }
        Ok(())
    }

    /// Brings the file up to date, if there is one.
    fn keep(&mut self) -> Result<(), Failure> {
        if let Err(error) = self.keeper.save(self.sitting.record(self.strength.level)) {
            writeln!(self.out, "Not saved: {error}")?;
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Failure> {
        let game = self.sitting.record(self.strength.level);
        if let Some(file) = self.keeper.file() {
            self.keeper.save(game).map_err(|error| Failure::Input(error.to_string()))?;
            writeln!(self.out, "Saved in {}.", file.display())?;
            return Ok(());
        }
        let text = self.keeper.text(game)?;
        if !text.is_empty() {
            writeln!(self.out, "In no file yet:\n")?;
            self.out.write_all(&text)?;
        }
        Ok(())
    }
}

/// Something that moves while the engine thinks, on a terminal.
fn spinner() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let look = ProgressStyle::with_template("{spinner} thinking, Ctrl-C: act now")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::new_spinner().with_style(look)
}
