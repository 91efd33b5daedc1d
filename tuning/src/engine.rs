//! An engine as a child process that speaks the protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

/// What an engine did wrong.
#[derive(Debug, Error)]
pub enum EngineError {
    /// It could not be started.
    #[error("{path}: {source}")]
    Start {
        /// The program.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// It has gone.
    #[error("{0}: the engine has ended")]
    Gone(String),
    /// It did not answer in time.
    #[error("{0}: no answer in time")]
    Silent(String),
}

/// A running engine.
pub struct Engine {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// What an engine answered to `go`.
pub struct Answer {
    /// The token after `bestmove`.
    pub token: String,
    /// The last value it gave, in centipawns; mates as ±32,000 less the distance.
    pub value: Option<i32>,
    /// How long it took.
    pub time: Duration,
}

impl Answer {
    /// The mate it claimed, in its own actions; negative when it is mated.
    pub fn mate(&self) -> Option<i32> {
        match self.value? {
            value if value > 30_000 + 500 => Some(MATE - value),
            value if value < -(30_000 + 500) => Some(-MATE - value),
            _ => None,
        }
    }
}

/// A mate in no action, as a value.
const MATE: i32 = 32_000;
/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(20);

impl Engine {
    /// Starts an engine and sets its options, given as `NAME=VALUE`.
    pub fn start(path: &str, options: &[String]) -> Result<Self, EngineError> {
        let start = |source| EngineError::Start { path: path.to_owned(), source };
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(start)?;
        let missing = || start(std::io::Error::other("no pipe"));
        let (input, output) =
            (child.stdin.take().ok_or_else(missing)?, child.stdout.take().ok_or_else(missing)?);
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Self { name: path.to_owned(), child, input, lines };
        engine.send("uci")?;
        engine.wait_for("uciok")?;
        for option in options {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        Ok(engine)
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) -> Result<(), EngineError> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|_| EngineError::Gone(self.name.clone()))
    }

    fn line(&mut self, deadline: Instant) -> Result<String, EngineError> {
        self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())).map_err(|error| {
            match error {
                RecvTimeoutError::Timeout => EngineError::Silent(self.name.clone()),
                RecvTimeoutError::Disconnected => EngineError::Gone(self.name.clone()),
            }
        })
    }

    fn wait_for(&mut self, word: &str) -> Result<(), EngineError> {
        let deadline = Instant::now() + HANDSHAKE;
        while self.line(deadline)?.trim() != word {}
        Ok(())
    }

    /// Prepares for a new game.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok")
    }

    /// Asks for an action; `patience` is how long the answer may take at all.
    pub fn go(&mut self, position: &str, limits: &str, patience: Duration) -> Result<Answer, EngineError> {
        self.send(position)?;
        let start = Instant::now();
        self.send(&format!("go {limits}"))?;
        let mut value = None;
        loop {
            let line = self.line(start + patience)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => {
                    let token = words.next().unwrap_or_default().to_owned();
                    return Ok(Answer { token, value, time: start.elapsed() });
                }
                Some("info") => value = read_value(words).or(value),
                _ => {}
            }
        }
    }
}

/// The value in an `info` line.
fn read_value<'a>(words: impl Iterator<Item = &'a str>) -> Option<i32> {
    let mut words = words.skip_while(|&word| word != "score").skip(1);
    let (unit, number) = (words.next()?, words.next()?.parse::<i32>().ok()?);
    Some(match unit {
        "mate" if number > 0 => MATE - number.min(500),
        "mate" => -MATE - number.max(-500),
        _ => number.clamp(-30_000, 30_000),
    })
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let deadline = Instant::now() + Duration::from_millis(500);
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
