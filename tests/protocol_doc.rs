//! Runs every example of protocol.md against the real program. protocol.md explains how an example is written; what is
//! not said there is said at [`Step`] and [`Matcher`].

#[path = "common/shell.rs"]
mod shell;

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use shell::arguments;

/// How long a line may take: far more than any example needs, for a machine that is busy with other tests.
const LINE_LIMIT: Duration = Duration::from_secs(30);
/// How long after `quit` or the end of input the program may live: the second it is given, and as much for a busy machine.
const EXIT_LIMIT: Duration = Duration::from_secs(2);
/// How long `(no bestmove yet)` listens.
const SILENCE: Duration = Duration::from_millis(250);
/// What stands for something that varies.
const WILD: char = '…';

type Checked<T> = Result<T, String>;

/// A fenced block of protocol.md.
#[derive(Debug)]
struct Block {
    kind: Kind,
    /// Its lines, each with its number in protocol.md.
    lines: Vec<(usize, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Dialogue,
    FenOk,
    FenBad,
    Shell,
    /// A grammar: nothing to run.
    Grammar,
}

impl Kind {
    fn read(word: &str) -> Checked<Self> {
        Ok(match word {
            "dialogue" => Self::Dialogue,
            "fen-ok" => Self::FenOk,
            "fen-bad" => Self::FenBad,
            "shell" => Self::Shell,
            "ebnf" => Self::Grammar,
            _ => return Err(format!("unknown kind of block '{word}'")),
        })
    }
}

/// Something an example does or expects.
#[derive(Clone, Debug)]
enum Step {
    /// A line to the program.
    Send(String),
    /// A line from the program.
    Expect(String),
    /// Any lines from the program, but none that a front end must not miss.
    Any,
    /// No `bestmove` for a while.
    NoBestmove,
    /// The input ends.
    EndOfInput,
    /// The program ends with this code.
    Exit(i32),
}

/// A run of the program, from its start to its end.
struct Script {
    steps: Vec<(usize, Step)>,
}

// Reading protocol.md

fn document() -> String {
    read(&root().join("protocol.md"))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn blocks(text: &str) -> Checked<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(kind), None) => {
                let kind = Kind::read(kind.trim()).map_err(|error| format!("line {number}: {error}"))?;
                open = Some(Block { kind, lines: Vec::new() });
            }
            (Some(_), Some(block)) if block.lines.is_empty() => {
                return Err(format!("line {number}: empty block"));
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push((number, line.to_owned())),
            (None, None) => {}
        }
    }
    match open {
        Some(_) => Err("the last block does not end".to_owned()),
        None => Ok(blocks),
    }
}

/// The examples, which must be there.
fn examples() -> Vec<Block> {
    let blocks = blocks(&document()).unwrap_or_else(|error| panic!("protocol.md: {error}"));
    for kind in [Kind::Dialogue, Kind::FenOk, Kind::FenBad, Kind::Shell] {
        assert!(blocks.iter().any(|block| block.kind == kind), "no example of kind {kind:?}");
    }
    blocks.into_iter().filter(|block| block.kind != Kind::Grammar).collect()
}

fn dialogue(lines: &[(usize, String)]) -> Checked<Script> {
    let mut steps = Vec::new();
    for (number, line) in lines {
        let step = match line.split_at_checked(1) {
            Some((">", command)) => Step::Send(command.strip_prefix(' ').unwrap_or(command).to_owned()),
            Some(("<", " …")) => Step::Any,
            Some(("<", reply)) if reply.len() > 1 => Step::Expect(reply[1..].to_owned()),
            _ if line == "(no bestmove yet)" => Step::NoBestmove,
            _ if line == "(end of input)" => Step::EndOfInput,
            _ => {
                Step::Exit(exit_code(line).ok_or_else(|| at(*number, &format!("not understood: '{line}'")))?)
            }
        };
        steps.push((*number, step));
    }
    if !steps.iter().any(|(_, step)| matches!(step, Step::Expect(_) | Step::NoBestmove | Step::Exit(_))) {
        return Err("a dialogue that expects nothing".to_owned());
    }
    Ok(Script { steps })
}

fn exit_code(line: &str) -> Option<i32> {
    line.strip_prefix("(exit code ")?.strip_suffix(')')?.parse().ok()
}

/// A FEN, the FEN the engine makes of it after `=`, what it says it left out after `!`. That FEN in turn is its own.
fn fens_accepted(lines: &[(usize, String)]) -> Checked<Script> {
    let mut steps = Vec::new();
    let mut rest = lines;
    while let Some(((number, fen), after)) = rest.split_first() {
        let Some(((_, canonical), after)) = after.split_first() else {
            return Err(at(*number, "expected '= FEN' after a FEN"));
        };
        let canonical =
            canonical.strip_prefix("= ").ok_or_else(|| at(*number, "expected '= FEN' after a FEN"))?;
        let notes = after.iter().take_while(|(_, line)| line.starts_with("! ")).count();
        let (notes, after) = after.split_at(notes);
        rest = after;
        let mut add = |step| steps.push((*number, step));
        for again in [false, true] {
            let (fen, notes) = if again { (canonical, [].as_slice()) } else { (fen.as_str(), notes) };
            add(Step::Send(format!("position fen {fen}")));
            add(Step::Send("d".to_owned()));
            notes.iter().for_each(|(_, note)| add(Step::Expect(format!("info string {}", &note[2..]))));
            add(Step::Any);
            add(Step::Expect(format!("Fen: {canonical}")));
            add(Step::Any);
            add(Step::Expect("Repetitions: 1".to_owned()));
        }
    }
    Ok(Script { steps })
}

/// A FEN and, after `!`, why it is refused.
fn fens_refused(lines: &[(usize, String)]) -> Checked<Script> {
    let mut steps = Vec::new();
    let (pairs, []) = lines.as_chunks::<2>() else {
        return Err("a FEN without its reason".to_owned());
    };
    for [(number, fen), (_, reason)] in pairs {
        let reason =
            reason.strip_prefix("! ").ok_or_else(|| at(*number, "expected '! REASON' after a FEN"))?;
        steps.push((*number, Step::Send(format!("position fen {fen}"))));
        steps.push((*number, Step::Send("go depth 1".to_owned())));
        steps.push((*number, Step::Expect(format!("info string error position: bad FEN: {reason}"))));
        steps.push((*number, Step::Expect("bestmove (none)".to_owned())));
    }
    Ok(Script { steps })
}

fn at(line: usize, what: &str) -> String {
    format!("line {line}: {what}")
}

// Matching

/// Does a line look like this? The wild character stands for characters of one word; at the end, for the rest of the
/// line. It never stands for nothing.
fn fits(pattern: &str, line: &str) -> bool {
    let Some((before, after)) = pattern.split_once(WILD) else { return pattern == line };
    let Some(rest) = line.strip_prefix(before) else { return false };
    if after.is_empty() {
        return !rest.is_empty();
    }
    let word = rest.find(' ').unwrap_or(rest.len());
    rest[..word]
        .char_indices()
        .map(|(start, letter)| start + letter.len_utf8())
        .any(|end| fits(after, &rest[end..]))
}

/// What `< …` passes over: nothing that answers a command, and no message.
fn may_be_skipped(line: &str) -> bool {
    let answers = [
        "bestmove",
        "readyok",
        "uciok",
        "legalok",
        "valid ",
        "invalid ",
        "info string",
        "Nodes searched",
        "Fen:",
        "Repetitions:",
    ];
    !answers.iter().any(|answer| line.starts_with(answer))
}

/// Compares lines with what is expected, one by one.
#[derive(Default)]
struct Matcher {
    skipping: bool,
    /// In the output of a command of the shell anything may be passed over.
    shell: bool,
}

impl Matcher {
    /// True if the line is the one expected, false if it is passed over.
    fn offer(&mut self, pattern: &str, line: &str) -> Checked<bool> {
        if fits(pattern, line) {
            self.skipping = false;
            Ok(true)
        } else if self.skips(line) {
            Ok(false)
        } else {
            Err(format!("expected '{pattern}', got '{line}'"))
        }
    }

    fn skips(&self, line: &str) -> bool {
        self.skipping && (self.shell || may_be_skipped(line))
    }

    /// Compares a whole output.
    fn compare(mut self, steps: &[(usize, Step)], lines: &[String]) -> Checked<()> {
        let mut lines = lines.iter();
        for (number, step) in steps {
            match step {
                Step::Any => self.skipping = true,
                Step::Expect(pattern) => loop {
                    let line = lines.next().ok_or_else(|| at(*number, &format!("missing: '{pattern}'")))?;
                    if self.offer(pattern, line).map_err(|error| at(*number, &error))? {
                        break;
                    }
                },
                _ => {}
            }
        }
        match lines.find(|line| !self.skips(line)) {
            Some(line) => Err(format!("not expected: '{line}'")),
            None => Ok(()),
        }
    }
}

// Running

/// The program, speaking the protocol.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// Read, but not compared yet.
    waiting: VecDeque<String>,
    /// Everything it has written.
    all: Vec<String>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Engine {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = process.stdin.take();
        let stdout = process.stdout.take().expect("its output is a pipe");
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { process, input, output, waiting: VecDeque::new(), all: Vec::new() }
    }

    fn send(&mut self, command: &str) -> Checked<()> {
        let input = self.input.as_mut().ok_or("nothing can be sent after the end of input")?;
        writeln!(input, "{command}").and_then(|()| input.flush()).map_err(|error| error.to_string())
    }

    /// Reads a line into the queue; false if none comes in time or the output has ended.
    fn receive(&mut self, limit: Duration) -> Checked<bool> {
        match self.output.recv_timeout(limit) {
            Ok(line) => {
                check_line(&line)?;
                self.all.push(line.clone());
                self.waiting.push_back(line);
                Ok(true)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(false),
        }
    }

    fn next(&mut self) -> Checked<Option<String>> {
        if self.waiting.is_empty() {
            self.receive(LINE_LIMIT)?;
        }
        Ok(self.waiting.pop_front())
    }

    /// Waits for the end. Gives the exit code.
    fn end(&mut self) -> Checked<Option<i32>> {
        let start = Instant::now();
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Ok(status.code()),
                Ok(None) if start.elapsed() < EXIT_LIMIT => thread::sleep(Duration::from_millis(2)),
                Ok(None) => return Err(format!("still alive after {EXIT_LIMIT:?}")),
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}

/// What holds for every line the engine writes, whatever the example says.
fn check_line(line: &str) -> Checked<()> {
    if line.is_empty() || line.ends_with(char::is_whitespace) {
        return Err(format!("a blank line or trailing blank: '{line}'"));
    }
    if line.starts_with("info depth") { check_info(line) } else { Ok(()) }
}

/// The format of info lines as protocol.md describes it: these fields, in this order, `pv` last.
fn check_info(line: &str) -> Checked<()> {
    let fail = |what: &str| Err(format!("{what} in '{line}'"));
    let mut words = line.split(' ').skip(1).peekable();
    let mut fields = Vec::new();
    while let Some(key) = words.next() {
        let numbers = match key {
            "lowerbound" | "upperbound" => 0,
            "wdl" => 3,
            "pv" => break,
            "score" if matches!(words.next(), Some("cp" | "mate")) => 1,
            "score" => return fail("a score that is neither cp nor mate"),
            _ => 1,
        };
        for _ in 0..numbers {
            if words.next().is_none_or(|word| word.parse::<i64>().is_err()) {
                return fail("a field that is no integer");
            }
        }
        if numbers == 1 {
            fields.push(key);
        }
    }
    let short = ["depth", "score"];
    let long = ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time"];
    let known = if words.peek().is_some() { fields == long } else { fields == short };
    if known { Ok(()) } else { fail("unknown fields") }
}

/// Plays a script with the program. Gives every line the program wrote.
fn play(script: &Script) -> Checked<Vec<String>> {
    let mut engine = Engine::start();
    let mut matcher = Matcher::default();
    let mut expected_code = 0;
    let mut ended = false;
    for (number, step) in &script.steps {
        play_step(&mut engine, &mut matcher, step).map_err(|error| at(*number, &error))?;
        match step {
            Step::Exit(code) => expected_code = *code,
            Step::Send(command) => ended |= command == "quit",
            Step::EndOfInput => ended = true,
            _ => {}
        }
    }
    if !ended {
        engine.send("quit")?;
    }
    let code = engine.end()?;
    while engine.receive(LINE_LIMIT)? {}
    if let Some(line) = engine.waiting.iter().find(|line| !matcher.skips(line)) {
        return Err(format!("not expected: '{line}'"));
    }
    if code != Some(expected_code) {
        return Err(format!("expected exit code {expected_code}, got {code:?}"));
    }
    Ok(std::mem::take(&mut engine.all))
}

fn play_step(engine: &mut Engine, matcher: &mut Matcher, step: &Step) -> Checked<()> {
    match step {
        Step::Send(command) => engine.send(command)?,
        Step::Any => matcher.skipping = true,
        Step::Expect(pattern) => loop {
            let line = engine.next()?.ok_or_else(|| format!("missing: '{pattern}'"))?;
            if matcher.offer(pattern, &line)? {
                break;
            }
        },
        Step::NoBestmove => {
            let start = Instant::now();
            while let Some(left) = SILENCE.checked_sub(start.elapsed()) {
                engine.receive(left)?;
            }
            if let Some(line) = engine.waiting.iter().find(|line| line.starts_with("bestmove")) {
                return Err(format!("expected no bestmove yet, got '{line}'"));
            }
        }
        Step::EndOfInput => engine.input = None,
        Step::Exit(_) => {}
    }
    Ok(())
}

/// A command of the shell, with its output and exit code.
struct Call {
    number: usize,
    command: String,
    steps: Vec<(usize, Step)>,
    code: i32,
}

fn calls(lines: &[(usize, String)]) -> Checked<Vec<Call>> {
    let mut calls: Vec<Call> = Vec::new();
    for (number, line) in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            calls.push(Call { number: *number, command: command.to_owned(), steps: Vec::new(), code: 0 });
            continue;
        }
        let call = calls.last_mut().ok_or_else(|| at(*number, "expected '$ engine ...'"))?;
        match exit_code(line) {
            Some(code) => call.code = code,
            None if line.chars().eq([WILD]) => call.steps.push((*number, Step::Any)),
            None => call.steps.push((*number, Step::Expect(line.clone()))),
        }
    }
    match calls.iter().find(|call| call.steps.is_empty()) {
        Some(call) => Err(at(call.number, "a command that expects nothing")),
        None => Ok(calls),
    }
}

impl Call {
    /// Runs the command. Gives the lines it wrote: on success all on standard output, otherwise all on standard error.
    fn run(&self) -> Checked<Vec<String>> {
        let words = arguments(&self.command);
        let Some((program, rest)) = words.split_first().filter(|(program, _)| *program == "engine") else {
            return Err(at(self.number, "only 'engine' can be called"));
        };
        let done = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(rest)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{program}: {error}"))?;
        if done.status.code() != Some(self.code) {
            return Err(at(
                self.number,
                &format!("expected exit code {}, got {:?}", self.code, done.status.code()),
            ));
        }
        let (full, empty) =
            if self.code == 0 { (done.stdout, done.stderr) } else { (done.stderr, done.stdout) };
        if !empty.is_empty() {
            return Err(at(
                self.number,
                &format!("on the wrong stream: {}", String::from_utf8_lossy(&empty)),
            ));
        }
        let text = String::from_utf8(full).map_err(|error| at(self.number, &error.to_string()))?;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        self.matcher().compare(&self.steps, &lines)?;
        Ok(lines)
    }

    fn matcher(&self) -> Matcher {
        Matcher { shell: true, ..Matcher::default() }
    }
}

/// What an example expects, with the output that fitted.
type Evidence = (Vec<(usize, Step)>, Vec<String>, bool);

fn run(block: &Block) -> Checked<Vec<Evidence>> {
    let script = match block.kind {
        Kind::Dialogue => dialogue(&block.lines)?,
        Kind::FenOk => fens_accepted(&block.lines)?,
        Kind::FenBad => fens_refused(&block.lines)?,
        Kind::Shell => {
            let calls = calls(&block.lines)?;
            return calls.into_iter().map(|call| call.run().map(|lines| (call.steps, lines, true))).collect();
        }
        Kind::Grammar => return Ok(Vec::new()),
    };
    let lines = play(&script)?;
    Ok(vec![(script.steps, lines, false)])
}

/// An example must not be true of anything: with any one expected line changed, the same output must not fit.
fn check_strictness((steps, lines, shell): &Evidence) -> Checked<()> {
    let matcher = || Matcher { shell: *shell, ..Matcher::default() };
    matcher().compare(steps, lines)?;
    for (index, (number, step)) in steps.iter().enumerate() {
        let Step::Expect(pattern) = step else { continue };
        let mut changed = steps.clone();
        changed[index].1 = Step::Expect(format!("{pattern}?"));
        if matcher().compare(&changed, lines).is_ok() {
            return Err(at(*number, &format!("'{pattern}' can't fail")));
        }
    }
    Ok(())
}

#[test]
fn every_example_is_true() {
    let examples = examples();
    // Most of the time goes by in waiting, so a few run at once.
    let lanes = 4;
    let failures: Vec<String> = thread::scope(|scope| {
        let work = |lane: usize| {
            let blocks = examples.iter().skip(lane).step_by(lanes);
            blocks.filter_map(|block| check(block).err()).collect::<Vec<_>>()
        };
        let handles: Vec<_> = (0..lanes).map(|lane| scope.spawn(move || work(lane))).collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("a lane ends")).collect()
    });
    assert!(
        failures.is_empty(),
        "{} of {} blocks fail:\n{}",
        failures.len(),
        examples.len(),
        failures.join("\n")
    );
}

fn check(block: &Block) -> Checked<()> {
    let first = block.lines.first().map_or(0, |(number, _)| *number);
    run(block)
        .and_then(|evidence| evidence.iter().try_for_each(check_strictness))
        .map_err(|error| format!("protocol.md, {:?} at line {first}: {error}", block.kind))
}

// What protocol.md must not leave out

/// The lines that examples expect.
fn expected_lines() -> Vec<String> {
    let dialogues = examples().into_iter().flat_map(|block| block.lines);
    dialogues.map(|(_, line)| line).filter(|line| !line.starts_with(['>', '$'])).collect()
}

/// Where the messages are about other files than the protocol's: records of games, which tests/records.rs looks after,
/// suites and the terminal, which tests/terminal does, and networks, which the lab and builds for tuning read.
const ELSEWHERE: [&str; 6] = [
    "src/notation/records",
    "src/notation/written.rs",
    "src/notation/epd.rs",
    "src/cli/play",
    "src/cli/annotate",
    "src/eval/network",
];

/// The messages of the error types in the source, `{…}` as wild characters.
fn error_messages() -> BTreeSet<String> {
    let mut messages = BTreeSet::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("a folder can be read").path()) {
            if ELSEWHERE.iter().any(|elsewhere| path.ends_with(elsewhere)) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                for attribute in read(&path).split("#[error(").skip(1) {
                    messages.extend(attribute.trim_start().strip_prefix('"').map(message));
                }
            }
        }
    }
    messages
}

/// The string literal that begins here.
fn message(text: &str) -> String {
    let mut message = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next().filter(|&letter| letter != '"') {
        if letter == '{' {
            message.push(WILD);
            letters.by_ref().find(|&letter| letter == '}');
        } else {
            message.push(letter);
        }
    }
    message
}

/// Does the line hold the parts of the message, in order?
fn holds(line: &str, message: &str) -> bool {
    let mut rest = line;
    message.split(WILD).all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[test]
fn every_error_of_the_source_has_an_example() {
    // No example can make the memory run out; protocol.md says what happens then.
    let text = document();
    let untried = "not enough memory for a hash of … MB";
    assert!(text.contains(untried), "{untried}");
    let lines = expected_lines();
    let messages = error_messages();
    assert!(messages.len() > 30, "only {} messages found", messages.len());
    let mut missing = String::new();
    for message in messages.iter().filter(|message| *message != untried) {
        if !lines.iter().any(|line| holds(line, message)) {
            let _ = writeln!(missing, "{message}");
        }
    }
    assert!(missing.is_empty(), "no example in protocol.md for:\n{missing}");
}

#[test]
fn every_json_field_is_described() {
    let text = document();
    let mut fields = BTreeSet::new();
    for block in examples().iter().filter(|block| block.kind == Kind::Shell) {
        for call in calls(&block.lines).unwrap_or_else(|error| panic!("{error}")) {
            if call.command.contains("--json") && call.code == 0 {
                for line in call.run().unwrap_or_else(|error| panic!("{error}")) {
                    let record: serde_json::Value =
                        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
                    fields.extend(record.as_object().expect("a record is an object").keys().cloned());
                }
            }
        }
    }
    assert!(fields.len() >= 15, "{fields:?}");
    for field in fields {
        assert!(text.contains(&format!("| `{field}` |")), "the field {field} is not described");
    }
}

#[test]
fn every_option_is_in_the_table() {
    let text = document();
    let lines = expected_lines();
    let options = lines.iter().filter_map(|line| line.strip_prefix("< option name ")?.split_once(" type "));
    let names: Vec<&str> = options.map(|(name, _)| name).collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        assert!(text.contains(&format!("| `{name}` |")), "the option {name} is not described");
    }
}

// The runner itself: each kind of example can fail

fn outcome(text: &str) -> Checked<()> {
    blocks(text)?.iter().try_for_each(check)
}

#[track_caller]
fn must_fail(kind: &str, body: &str, why: &str) {
    let error = outcome(&format!("```{kind}\n{body}\n```\n")).expect_err(body);
    assert!(error.contains(why), "{body}\nfails, but not because of '{why}': {error}");
}

#[test]
fn blocks_are_read_strictly() {
    must_fail("dialog", "> uci", "unknown kind");
    must_fail("dialogue", "> uci\nuciok", "not understood");
    must_fail("dialogue", "> uci", "expects nothing");
    must_fail("shell", "engine perft 1", "expected '$ engine");
    must_fail("shell", "$ engine perft 1", "expects nothing");
    must_fail("shell", "$ cat x\nx", "only 'engine'");
    must_fail("fen-ok", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "expected '= FEN'");
    must_fail("fen-bad", "8/8", "without its reason");
    assert!(outcome("```dialogue\n```\n").is_err_and(|error| error.contains("empty block")));
    assert!(
        outcome("```dialogue\n> isready\n< readyok\n").is_err_and(|error| error.contains("does not end"))
    );
}

#[test]
fn wrong_examples_fail() {
    must_fail("dialogue", "> isready\n< readyoke", "expected 'readyoke', got 'readyok'");
    must_fail("dialogue", "> isready\n> isready\n< readyok", "not expected: 'readyok'");
    must_fail("dialogue", "> isready\n> foo\n< …\n< uciok", "got 'readyok'");
    must_fail("dialogue", "> isready\n< readyok\n(exit code 1)", "expected exit code 1");
    must_fail("dialogue", "> go depth 1\n< …\n(no bestmove yet)", "expected no bestmove yet");
    must_fail("dialogue", "> go depth 1\n> isready\n< …\n< uciok", "expected 'uciok'");
    must_fail("dialogue", "> isready\n< …", "expects nothing");
    must_fail("dialogue", "> isready\n< readyok\n(end of input)\n< readyok", "missing: 'readyok'");
    let bare = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
    must_fail("fen-ok", &format!("{bare}\n= 4k3/8/8/8/8/8/8/4K3[P] w - - 0 1"), "Fen: ");
    must_fail("fen-ok", &format!("4k3/8/8/8/8/8/8/4K3[] w K - 0 1\n= {bare}"), "castling letter K dropped");
    must_fail("fen-bad", &format!("{bare}\n! nonsense"), "nonsense");
    must_fail("shell", "$ engine perft 0\nNodes searched: 2", "got 'Nodes searched: 1'");
    must_fail("shell", "$ engine perft 0\nNodes searched: 1\n(exit code 1)", "expected exit code 1");
    must_fail("shell", "$ engine perft x\n…", "expected exit code 0");
}

#[test]
fn wild_characters_stand_for_a_word_or_the_rest() {
    for (pattern, line, expected) in [
        ("nodes … nps … pv …", "nodes 1 nps 2 pv a1a2 b1b2", true),
        ("nodes … nps", "nodes 1 2 nps", false),
        ("nodes … nps", "nodes  nps", false),
        ("pv …", "pv ", false),
        ("pv a…", "pv a b", true),
        ("pv a…", "pv a", false),
        ("\"n\":…,\"t\":…}", "\"n\":12,\"t\":3}", true),
        ("\"n\":…,\"t\":…}", "\"n\":12,\"t\":}", false),
        ("…", "anything at all", true),
        ("bestmove", "bestmove a1a2", false),
    ] {
        assert_eq!(fits(pattern, line), expected, "'{pattern}' '{line}'");
    }
}
