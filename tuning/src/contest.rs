//! A match under way: pairs of games, several at once, until the number or the test is done.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use super::budget::{Budget, Times};
use super::engine::{Engine, EngineError};
use super::foreign::{Foreign, Recipe};
use super::game::{Conditions, Ending, Played, Seat, play};
use super::openings::Opening;
use super::player::Player;
use super::record::{self, Heading, Record, RecordError, Round};
use super::say::tell;
use super::statistics::Sprt;
use super::tally::{Counted, Tally};

/// What a match needs to know.
pub struct Contest {
    /// Its name.
    pub event: String,
    /// The first and the second engine: the result is the first's.
    pub sides: [Side; 2],
    /// One for each pair of games.
    pub openings: Vec<Opening>,
    /// What games are played by.
    pub conditions: Conditions,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Games at once.
    pub concurrency: usize,
    /// Where games are recorded.
    pub record: Option<PathBuf>,
    /// Go on with the match in the record.
    pub resume: bool,
    /// Where faults are described; on standard error otherwise.
    pub log: Option<PathBuf>,
}

/// One of the two engines.
#[derive(Clone, Debug)]
pub struct Side {
    /// What it is called in records.
    pub name: String,
    /// What it is made of.
    pub ingredients: Ingredients,
    /// What its actions may cost.
    pub budget: Budget,
}

/// What a player is made of.
#[derive(Clone, Debug)]
pub enum Ingredients {
    /// A program that speaks the protocol, and its options, `NAME=VALUE`.
    Engine(String, Vec<String>),
    /// Programs that do not know the game.
    Foreign(Recipe),
}

impl Side {
    fn seat(&self, times: Times) -> Result<Seat, EngineError> {
        let player: Box<dyn Player> = match &self.ingredients {
            Ingredients::Engine(path, options) => Box::new(Engine::start(path, options)?),
            Ingredients::Foreign(recipe) => Box::new(Foreign::start(recipe)?),
        };
        Ok(Seat { player, budget: self.budget, times })
    }

    fn time_control(&self) -> String {
        let query = if matches!(self.ingredients, Ingredients::Foreign(_)) { " a query" } else { "" };
        match self.budget {
            Budget::Nodes(nodes) => format!("{nodes} nodes{query}"),
            Budget::Time(time) => format!("{} ms{query}", time.as_millis()),
            Budget::Clock(clock) => {
                format!("{}+{}", clock.time.as_secs_f64(), clock.increment.as_secs_f64())
            }
            Budget::Mirror => "mirror".to_owned(),
        }
    }
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum ContestError {
    /// An engine did not start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file could not be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The record can't be understood.
    #[error("{0}: {1}")]
    Record(PathBuf, RecordError),
    /// The record is that of another match.
    #[error("{path}: round {}.{} is not of this match: {what} differs", .round.pair + 1, .round.game + 1)]
    OtherMatch {
        /// The record.
        path: PathBuf,
        /// Which game.
        round: Round,
        /// What is not the same.
        what: &'static str,
    },
    /// A thread has ended by itself.
    #[error("a game thread failed")]
    Thread,
}

impl Contest {
    /// Plays what is left to play; `progress` is told the result so far after every tenth pair.
    ///
    /// # Errors
    /// If an engine does not start, a file fails, or the record to go on with is that of another match.
    pub fn play(&self, progress: &(dyn Fn(&Tally) + Sync)) -> Result<Tally, ContestError> {
        let mut tally = Tally { sprt: self.sprt, ..Tally::default() };
        let done = if self.resume { self.take_up(&mut tally)? } else { BTreeSet::new() };
        let hall = Hall {
            contest: self,
            left: (0..self.openings.len()).filter(|pair| !done.contains(pair)).collect(),
            next: AtomicUsize::new(0),
            decided: AtomicBool::new(tally.is_decided()),
            tally: Mutex::new(tally),
            progress,
        };
        let results: Vec<Result<(), ContestError>> = thread::scope(|scope| {
            let tables: Vec<_> =
                (0..self.concurrency.max(1)).map(|_| scope.spawn(|| hall.play_pairs())).collect();
            tables.into_iter().map(|table| table.join().unwrap_or(Err(ContestError::Thread))).collect()
        });
        results.into_iter().collect::<Result<(), _>>()?;
        Ok(hall.tally.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts the pairs that the record holds whole, and leaves only them in it. Gives their numbers.
    fn take_up(&self, tally: &mut Tally) -> Result<BTreeSet<usize>, ContestError> {
        let Some(path) = self.record.as_deref().filter(|path| path.exists()) else {
            return Ok(BTreeSet::new());
        };
        let failed = |error| ContestError::File(path.to_owned(), error);
        let text = fs::read_to_string(path).map_err(failed)?;
        let mut records =
            record::read_all(&text).map_err(|error| ContestError::Record(path.to_owned(), error))?;
        records.sort_by_key(|record| record.round);
        records.dedup_by_key(|record| record.round);
        let mut done = BTreeSet::new();
        let mut kept = String::new();
        for pair in records.chunk_by(|left, right| left.round.pair == right.round.pair) {
            let [first, second] = pair else { continue };
            for game in [first, second] {
                self.check(path, game)?;
                kept.push_str(&game.pgn());
                tally.add(&counted(game));
            }
            tally.pairs.add(counted(first).half_points + counted(second).half_points);
            done.insert(first.round.pair);
        }
        // Written beside and renamed, so that the games are never lost.
        let beside = path.with_extension("part");
        fs::write(&beside, kept).and_then(|()| fs::rename(&beside, path)).map_err(failed)?;
        Ok(done)
    }

    /// Is the recorded game one that this match would play?
    fn check(&self, path: &Path, game: &Record) -> Result<(), ContestError> {
        let heading = self.heading(game.round);
        let opening = self.openings.get(game.round.pair);
        let differs = |what| ContestError::OtherMatch { path: path.to_owned(), round: game.round, what };
        let Some(opening) = opening else { return Err(differs("the number of games")) };
        let tokens = tokens(opening);
        let start = self.fen(opening);
        if game.names != heading.names {
            Err(differs("an engine"))
        } else if game.time_control != heading.time_control {
            Err(differs("the time control"))
        } else if game.fen != start || !game.actions.starts_with(&tokens) {
            Err(differs("the opening"))
        } else {
            Ok(())
        }
    }

    fn fen(&self, opening: &Opening) -> String {
        if self.conditions.chess { opening.start.chess_fen() } else { opening.start.fen() }
    }

    fn heading(&self, round: Round) -> Heading {
        let [first, second] = &self.sides;
        let [white, black] = if round.game == 0 { [first, second] } else { [second, first] };
        let controls = [white.time_control(), black.time_control()];
        let time_control = if controls[0] == controls[1] {
            controls[0].clone()
        } else {
            format!("White {}, Black {}", controls[0], controls[1])
        };
        Heading {
            event: self.event.clone(),
            round,
            names: [white.name.clone(), black.name.clone()],
            time_control,
        }
    }
}

/// The actions of an opening as tokens.
fn tokens(opening: &Opening) -> Vec<String> {
    let mut position = opening.start;
    opening
        .actions
        .iter()
        .map(|&action| {
            let token = action.token(position.side()).to_string();
            position.play(action);
            token
        })
        .collect()
}

fn counted(record: &Record) -> Counted {
    let first = record.round.first();
    Counted {
        first,
        half_points: record.result.half_points(first),
        fault: record.is_fault(),
        actions: record.actions.len(),
        times: record.times,
    }
}

/// Where the games of a match are played.
struct Hall<'c> {
    contest: &'c Contest,
    /// Pairs to be played.
    left: Vec<usize>,
    next: AtomicUsize,
    decided: AtomicBool,
    tally: Mutex<Tally>,
    progress: &'c (dyn Fn(&Tally) + Sync),
}

impl Hall<'_> {
    fn seats(&self, times: [Times; 2]) -> Result<[Seat; 2], EngineError> {
        let [first, second] = &self.contest.sides;
        Ok([first.seat(times[0])?, second.seat(times[1])?])
    }

    fn play_pairs(&self) -> Result<(), ContestError> {
        let mut seats = self.seats([Times::default(); 2])?;
        while !self.decided.load(Ordering::Relaxed) {
            let Some(&pair) = self.left.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            let mut half_points = 0;
            for game in 0..2 {
                half_points += self.play_game(&mut seats, Round { pair, game })?;
            }
            self.note_pair(half_points);
        }
        Ok(())
    }

    /// Plays a game and gives the half points of the first engine.
    fn play_game(&self, seats: &mut [Seat; 2], round: Round) -> Result<usize, ContestError> {
        let contest = self.contest;
        let opening = &contest.openings[round.pair];
        for seat in seats.iter_mut() {
            // If it has gone, it loses the game when it is asked, and is then started anew.
            let _ = seat.player.new_game();
        }
        let [first, second] = seats;
        let order = if round.game == 0 { [first, second] } else { [second, first] };
        let played = play(order, opening, &contest.conditions);
        let record = Record::of(&played, &opening.start, contest.conditions.chess, contest.heading(round));
        let counted = counted(&record);
        self.note(&record, &counted)?;
        if let Ending::Fault(_) = played.ending {
            self.describe_fault(&played, &record, seats)?;
            let times = [seats[0].times, seats[1].times];
            *seats = self.seats(times)?;
        }
        Ok(counted.half_points)
    }

    fn note(&self, record: &Record, counted: &Counted) -> Result<(), ContestError> {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.add(counted);
        match &self.contest.record {
            // Under the lock, so that games do not mix.
            Some(path) => append(path, &record.pgn()),
            None => Ok(()),
        }
    }

    /// Tells what happened: the game, the position in which it ended, and what both engines said last.
    fn describe_fault(
        &self,
        played: &Played,
        record: &Record,
        seats: &[Seat; 2],
    ) -> Result<(), ContestError> {
        let [first, second] = &self.contest.sides;
        let mut text = format!(
            "fault: {}\nround {}.{}, to act: {}\nposition {}\nactions {}\n",
            record.ending,
            record.round.pair + 1,
            record.round.game + 1,
            record.names[played.last.side() as usize],
            played.last.fen(),
            record.actions.join(" ")
        );
        for (side, seat) in [first, second].into_iter().zip(seats) {
            text.push_str(&format!("last lines of {}:\n", side.name));
            for line in seat.player.transcript() {
                text.push_str(&format!("  {line}\n"));
            }
        }
        text.push('\n');
        let _one_at_a_time = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        match &self.contest.log {
            Some(path) => append(path, &text),
            None => {
                tell!("{}", text.trim_end());
                Ok(())
            }
        }
    }

    fn note_pair(&self, half_points: usize) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.pairs.add(half_points);
        if tally.is_decided() {
            self.decided.store(true, Ordering::Relaxed);
        }
        if tally.pairs.count().is_multiple_of(10) {
            (self.progress)(&tally);
        }
    }
}

fn append(path: &Path, text: &str) -> Result<(), ContestError> {
    let open = || -> io::Result<File> { OpenOptions::new().create(true).append(true).open(path) };
    open()
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| ContestError::File(path.to_owned(), error))
}
