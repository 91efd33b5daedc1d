//! An engine as a child process that speaks the protocol.

use std::collections::VecDeque;
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
    /// It can't play what is wanted.
    #[error("{path}: {reason}")]
    Unfit {
        /// The program.
        path: String,
        /// What is missing.
        reason: String,
    },
    /// It answered something that was not asked.
    #[error("{path}: asked for {asked}, got '{answer}'")]
    Strange {
        /// The program.
        path: String,
        /// What was expected.
        asked: String,
        /// What came.
        answer: String,
    },
}

/// A running engine.
pub struct Engine {
    path: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    transcript: VecDeque<String>,
}

/// What an engine answered to `go`.
pub struct Answer {
    /// The token after `bestmove`.
    pub token: String,
    /// The last exact value it gave, in centipawns; mates as ±32,000 less the distance.
    pub value: Option<i32>,
    /// The nodes that it counted.
    pub nodes: Option<u64>,
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
/// How lines begin by which engines refuse an option.
const REFUSALS: [&str; 2] = ["info string error", "No such option"];
/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(20);
/// How many lines of a dialogue are kept, for the log of a fault.
const TRANSCRIPT: usize = 40;

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
        let transcript = VecDeque::with_capacity(TRANSCRIPT);
        let mut engine = Self { path: path.to_owned(), child, input, lines, transcript };
        engine.ask("uci", "uciok")?;
        engine.set_all(options)?;
        Ok(engine)
    }

    /// Sets options, given as `NAME=VALUE`.
    ///
    /// # Errors
    /// If the engine refuses one: a match would go on with another value than was meant.
    pub fn set_all(&mut self, options: &[String]) -> Result<(), EngineError> {
        for option in options {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            self.set(name, value)?;
        }
        let lines = self.ask("isready", "readyok")?;
        // Ours complains in the first way, Stockfish and what comes of it in the second.
        let refusal = lines.iter().find(|line| REFUSALS.iter().any(|words| line.starts_with(words)));
        refusal.map_or(Ok(()), |line| {
            Err(EngineError::Unfit { path: self.path.clone(), reason: format!("option refused: {line}") })
        })
    }

    /// The program.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The processor time that all its threads have used; `None` where the system does not tell.
    pub fn processor_time(&self) -> Option<Duration> {
        processor_time(self.child.id())
    }

    /// The last lines of the dialogue: `>` sent, `<` received.
    pub fn transcript(&self) -> impl Iterator<Item = &str> {
        self.transcript.iter().map(String::as_str)
    }

    fn note(&mut self, line: String) {
        if self.transcript.len() == TRANSCRIPT {
            self.transcript.pop_front();
        }
        self.transcript.push_back(line);
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) -> Result<(), EngineError> {
        self.note(format!("> {line}"));
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|_| EngineError::Gone(self.path.clone()))
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        self.send(&format!("setoption name {name} value {value}"))
    }

    fn line(&mut self, deadline: Instant) -> Result<String, EngineError> {
        let line =
            self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())).map_err(|error| {
                match error {
                    RecvTimeoutError::Timeout => EngineError::Silent(self.path.clone()),
                    RecvTimeoutError::Disconnected => EngineError::Gone(self.path.clone()),
                }
            })?;
        self.note(format!("< {line}"));
        Ok(line)
    }

    /// Sends one line and gives what comes before the line that answers it.
    pub fn ask(&mut self, line: &str, answer: &str) -> Result<Vec<String>, EngineError> {
        self.send(line)?;
        let deadline = Instant::now() + HANDSHAKE;
        let mut before = Vec::new();
        loop {
            let line = self.line(deadline)?;
            if line.trim() == answer {
                return Ok(before);
            }
            before.push(line);
        }
    }

    /// Prepares for a new game.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.send("ucinewgame")?;
        self.ask("isready", "readyok").map(drop)
    }

    /// Asks for an action; `patience` is how long the answer may take at all.
    pub fn go(&mut self, position: &str, limits: &str, patience: Duration) -> Result<Answer, EngineError> {
        self.send(position)?;
        let start = Instant::now();
        self.send(&format!("go {limits}"))?;
        let (mut value, mut bound, mut nodes) = (None, None, None);
        loop {
            let line = self.line(start + patience)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => {
                    let token = words.next().unwrap_or_default().to_owned();
                    return Ok(Answer { token, value: value.or(bound), nodes, time: start.elapsed() });
                }
                Some("info") => {
                    nodes = read_nodes(words.clone()).or(nodes);
                    let target = if line.contains("bound") { &mut bound } else { &mut value };
                    *target = read_value(words).or(*target);
                }
                _ => {}
            }
        }
    }
}

/// The processor time that a process has used, in ticks of a hundredth of a second as a rule.
#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> Option<Duration> {
    let used = procfs::process::Process::new(i32::try_from(process).ok()?).ok()?.stat().ok()?;
    let ticks = used.utime + used.stime;
    Some(Duration::from_secs_f64(ticks as f64 / procfs::ticks_per_second() as f64))
}

#[cfg(not(target_os = "linux"))]
fn processor_time(_process: u32) -> Option<Duration> {
    None
}

/// What comes after a word in an `info` line.
fn after<'a>(words: impl Iterator<Item = &'a str>, name: &str) -> impl Iterator<Item = &'a str> {
    words.take_while(|&word| word != "string").skip_while(move |&word| word != name).skip(1)
}

/// The nodes in an `info` line.
fn read_nodes<'a>(words: impl Iterator<Item = &'a str>) -> Option<u64> {
    after(words, "nodes").next()?.parse().ok()
}

/// The value in an `info` line.
fn read_value<'a>(words: impl Iterator<Item = &'a str>) -> Option<i32> {
    let mut words = after(words, "score");
    let (unit, number) = (words.next()?, words.next()?.parse::<i32>().ok()?);
    Some(match unit {
        "mate" if number > 0 => MATE - number.min(500),
        "mate" => -MATE - number.max(-500),
        "cp" => number.clamp(-30_000, 30_000),
        _ => return None,
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
