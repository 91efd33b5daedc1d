//! The engine as a front end sees it: a process with three pipes. Every line it writes is checked for form, every search
//! for its discipline: one `bestmove` for each `go`, lines as the contract has them, principal variations legal.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kingchess::notation::read_legal_action;
use kingchess::rules::{Game, Position};

use crate::info::{self, Info};

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_engine");
/// How long an answer may take that has no limit of its own.
const PATIENCE: Duration = Duration::from_secs(120);

/// Milliseconds.
pub const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

static GATE: RwLock<()> = RwLock::new(());

/// The turn of a test that may run beside others.
pub fn together() -> RwLockReadGuard<'static, ()> {
    GATE.read().unwrap_or_else(PoisonError::into_inner)
}

/// The turn of a test that measures time, and so runs alone.
pub fn alone() -> RwLockWriteGuard<'static, ()> {
    GATE.write().unwrap_or_else(PoisonError::into_inner)
}

/// A line of output, and when it came.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line without its end.
    pub text: String,
    /// When it was read.
    pub at: Instant,
}

/// A running engine.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    /// Where the system tells of the thread that reads the lines.
    reader: PathBuf,
    errors: Option<JoinHandle<String>>,
    /// Searches asked for, and answered.
    asked: usize,
    answered: usize,
    /// The last lines in and out, for messages.
    dialogue: Vec<String>,
    /// What has come since the last `go`.
    since_go: Vec<Line>,
    game: Game,
}

/// What came between a `go` and its `bestmove`.
pub struct Search {
    /// The lines, `bestmove` last.
    pub lines: Vec<Line>,
    /// The action, unless it was `(none)`.
    pub best: Option<String>,
    /// From the last command to the answer, without the time for which threads waited for a processor.
    pub took: Duration,
}

impl Search {
    /// The lines with a value.
    pub fn infos(&self) -> Vec<Info> {
        self.lines
            .iter()
            .filter_map(|line| info::read(&line.text).unwrap_or_else(|error| panic!("{error}")))
            .collect()
    }

    /// The last line of the best variation.
    #[track_caller]
    pub fn last(&self) -> Info {
        self.infos().into_iter().rfind(|info| info.multipv == 1).expect("no line with a value")
    }

    /// The action, which there must be.
    #[track_caller]
    pub fn action(&self) -> &str {
        self.best.as_deref().expect("bestmove (none)")
    }
}

impl Engine {
    /// Starts the protocol.
    pub fn start() -> Self {
        let mut child = Command::new(BINARY)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let mut errors = child.stderr.take().expect("piped");
        let (sender, lines) = channel();
        let (name, named) = channel();
        thread::spawn(move || {
            let _ = name.send(fs::read_link("/proc/thread-self").unwrap_or_default());
            let mut bytes = Vec::new();
            while output.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                let at = Instant::now();
                if bytes.pop() != Some(b'\n') {
                    bytes.extend(b" <no end of line>");
                }
                let text = String::from_utf8_lossy(&std::mem::take(&mut bytes)).into_owned();
                if sender.send(Line { text, at }).is_err() {
                    break;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = errors.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            reader: Path::new("/proc").join(named.recv().unwrap_or_default()),
            errors: Some(errors),
            asked: 0,
            answered: 0,
            dialogue: Vec::new(),
            since_go: Vec::new(),
            game: Game::new(Position::start()),
        }
    }

    /// Sends bytes as they are.
    #[track_caller]
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.note(format!("> {}", String::from_utf8_lossy(bytes).trim_end()));
        for line in String::from_utf8_lossy(bytes).lines() {
            let mut words = line.split_whitespace();
            let go = words.next().is_some_and(|word| word.eq_ignore_ascii_case("go"));
            if go && !words.any(|word| word == "perft") {
                self.asked += 1;
                self.since_go.clear();
            }
        }
        let input = self.input.as_mut().expect("input is open");
        let sent = input.write_all(bytes).and_then(|()| input.flush());
        assert!(sent.is_ok(), "the engine has gone: {}", self.report());
    }

    /// Sends a line.
    #[track_caller]
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sets a position that must be accepted: `startpos …` or `fen …`.
    #[track_caller]
    pub fn position(&mut self, words: &str) {
        let (setup, actions) = words.split_once(" moves ").unwrap_or((words, ""));
        let start = match setup.strip_prefix("fen ") {
            Some(fen) => fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")),
            None => Position::start(),
        };
        let mut game = Game::new(start);
        for word in actions.split_whitespace() {
            let action = read_legal_action(word, game.position());
            game.play(action.unwrap_or_else(|error| panic!("{words}: {word}: {error}")));
        }
        self.send(&format!("position {words}"));
        self.game = game;
    }

    /// The next line, `None` if there is none in time.
    #[track_caller]
    pub fn next(&mut self, limit: Duration) -> Option<Line> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => {
                self.note(format!("< {}", line.text));
                self.answered += usize::from(line.text.starts_with("bestmove"));
                if let Err(error) = info::check_form(&line.text) {
                    panic!("{error}: {}", self.report());
                }
                self.since_go.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // The end comes before the limit: wait as if there were more to come.
                thread::sleep(limit.min(ms(20)));
                None
            }
        }
    }

    /// The lines up to one that begins with this word; it must come within the limit.
    #[track_caller]
    pub fn until(&mut self, word: &str, limit: Duration) -> Vec<Line> {
        let deadline = Instant::now() + limit;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.next(left);
            let Some(line) = line else { panic!("no '{word}' in {limit:?}: {}", self.report()) };
            let found = line.text.split(' ').next() == Some(word);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Everything that comes in this time.
    #[track_caller]
    pub fn listen(&mut self, time: Duration) -> Vec<Line> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            lines.extend(self.next(left));
        }
        lines
    }

    /// Everything that comes in this time, no `bestmove` among it.
    #[track_caller]
    pub fn silent(&mut self, time: Duration) -> Vec<Line> {
        let before = self.answered;
        let lines = self.listen(time);
        assert_eq!(self.answered, before, "a bestmove too early or too much: {}", self.report());
        lines
    }

    /// Sends a line, and gives what comes before the `readyok` to an `isready` behind it.
    #[track_caller]
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.until("readyok", PATIENCE);
        lines.pop();
        lines.into_iter().map(|line| line.text).collect()
    }

    /// Sends a line that must be answered by exactly one error line, and gives that.
    #[track_caller]
    pub fn error(&mut self, line: &str) -> String {
        let lines = self.ask(line);
        match lines.as_slice() {
            [error] if error.starts_with("info string error ") => error.clone(),
            _ => panic!("expected one error line after '{line}', got {lines:#?}"),
        }
    }

    /// `readyok` comes within 100 ms.
    #[track_caller]
    pub fn alive(&mut self) {
        let watch = self.watch();
        self.send("isready");
        let lines = self.until("readyok", ms(5000));
        let took = watch.until(self, lines[lines.len() - 1].at);
        assert!(took < ms(100), "readyok after {took:?}: {}", self.report());
    }

    /// Searches until the search ends by itself.
    #[track_caller]
    pub fn go(&mut self, words: &str) -> Search {
        let watch = self.watch();
        self.send(format!("go {words}").trim_end());
        self.answer(watch)
    }

    /// Searches, and stops the search after this time. It may not end by itself.
    #[track_caller]
    pub fn go_stop(&mut self, words: &str, after: Duration) -> Search {
        self.send(format!("go {words}").trim_end());
        self.silent(after);
        let watch = self.watch();
        self.send("stop");
        self.answer(watch)
    }

    /// Waits for the answer to the last `go`, and checks everything that has come since.
    #[track_caller]
    pub fn answer(&mut self, watch: Watch) -> Search {
        let answer = self.until("bestmove", PATIENCE);
        let last = &answer[answer.len() - 1];
        let took = watch.until(self, last.at);
        let best = last.text.split(' ').nth(1).filter(|&word| word != "(none)").map(str::to_owned);
        let lines = std::mem::take(&mut self.since_go);
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        if let Err(error) = info::check_search(&texts, &self.game) {
            panic!("{error}\nin {}\n{}", self.game.position().fen(), self.report());
        }
        Search { lines, best, took }
    }

    /// `d`: the value behind `Fen:`, `Key:` and so on.
    #[track_caller]
    pub fn shown(&mut self, name: &str) -> String {
        let lines = self.ask("d");
        let value = lines.iter().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        value.unwrap_or_else(|| panic!("no {name} in {lines:#?}")).to_owned()
    }

    /// Is the action said to be legal?
    #[track_caller]
    pub fn is_valid(&mut self, action: &str) -> bool {
        let lines = self.ask(&format!("validate {action}"));
        match lines.as_slice() {
            [line] if line.starts_with("valid ") => true,
            [line] if line.starts_with(&format!("invalid {action} ")) => false,
            _ => panic!("validate {action}: {lines:#?}"),
        }
    }

    /// The word after `legal result`.
    #[track_caller]
    pub fn result(&mut self) -> String {
        let lines = self.ask("legal");
        let word = lines.iter().find_map(|line| line.strip_prefix("legal result "));
        word.unwrap_or_else(|| panic!("no result: {lines:#?}")).to_owned()
    }

    /// A figure of `/proc/PID/status` in kB, such as `VmSize`.
    pub fn memory(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the figure exists");
        line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
    }

    /// Where the system tells of the process.
    pub fn proc_folder(&self) -> PathBuf {
        format!("/proc/{}", self.child.id()).into()
    }

    /// Starts to measure time.
    pub fn watch(&self) -> Watch {
        Watch { start: Instant::now(), waited: self.waited() }
    }

    /// How long those threads have waited for a processor through which an answer goes: of the engine the one that reads
    /// and the one that searches, of the test this one and the one that reads.
    fn waited(&self) -> Duration {
        let tasks = fs::read_dir(self.proc_folder().join("task")).into_iter().flatten().flatten();
        let on_the_way = |task: &PathBuf| {
            let name = fs::read_to_string(task.join("comm")).unwrap_or_default();
            task.ends_with(self.child.id().to_string()) || name.trim_end() == "search"
        };
        let engine: Duration =
            tasks.map(|task| task.path()).filter(on_the_way).map(|task| waited(&task)).sum();
        engine + waited(&self.reader) + waited(Path::new("/proc/thread-self"))
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.note("> end of input".to_owned());
        self.input = None;
    }

    /// The process must end within this time with code 0, nothing on standard error, every `go` answered once.
    #[track_caller]
    pub fn gone(&mut self, limit: Duration) {
        let watch = self.watch();
        let status = self.wait(PATIENCE);
        let took = watch.until(self, Instant::now());
        assert!(took < limit, "the process took {took:?} to end: {}", self.report());
        self.listen(ms(100));
        let errors = self.errors.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        assert!(errors.is_empty(), "standard error: {errors}\n{}", self.report());
        assert_eq!(status.code(), Some(0), "{}", self.report());
        assert_eq!(self.answered, self.asked, "one bestmove for each go: {}", self.report());
    }

    #[track_caller]
    fn wait(&mut self, limit: Duration) -> ExitStatus {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < deadline, "the process lives on: {}", self.report());
            thread::sleep(ms(2));
        }
    }

    /// Nothing more comes, then `quit` is obeyed, and the books are balanced.
    #[track_caller]
    pub fn quit(mut self) {
        self.silent(ms(50));
        self.send("quit");
        self.gone(Duration::from_secs(1));
    }

    fn note(&mut self, line: String) {
        if self.dialogue.len() >= 60 {
            self.dialogue.drain(..20);
        }
        self.dialogue.push(line);
    }

    /// The end of the dialogue.
    pub fn report(&self) -> String {
        format!("the dialogue was\n{}", self.dialogue.join("\n"))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A stopwatch that stands still while a thread that is ready to run waits for a processor, so that other work on the
/// machine does not count. (A fault of the engine does: it computes or sleeps too long.)
pub struct Watch {
    start: Instant,
    waited: Duration,
}

impl Watch {
    /// The time from the start to a moment.
    pub fn until(&self, engine: &Engine, moment: Instant) -> Duration {
        let waited = engine.waited().saturating_sub(self.waited);
        moment.saturating_duration_since(self.start).saturating_sub(waited)
    }
}

/// The time a thread has been ready to run without running, as Linux keeps it; zero where it is not kept.
fn waited(task: &Path) -> Duration {
    let text = fs::read_to_string(task.join("schedstat")).unwrap_or_default();
    text.split_whitespace()
        .nth(1)
        .and_then(|word| word.parse().ok())
        .map_or(Duration::ZERO, Duration::from_nanos)
}

/// Runs the binary with arguments to its end: exit code, lines of output, lines of standard error.
pub fn run(arguments: &[&str]) -> (Option<i32>, Vec<String>, Vec<String>) {
    let done = Command::new(BINARY).args(arguments).stdin(Stdio::null()).output().expect("the engine starts");
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
    (done.status.code(), lines(&done.stdout), lines(&done.stderr))
}
