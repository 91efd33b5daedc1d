//! Runs the command lines of the documents and of the program's own help, and compares what they write.
//!
//! In a `console` block `$` is a call of the program, with `< FILE` if it reads that; its output follows, standard output
//! first and standard error after it. `…` stands for any characters, and alone on a line for any lines. An exit code
//! that is not 0 is written `(exit code N)`.

#[path = "common/shell.rs"]
mod shell;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use shell::arguments;

/// The documents, and how many calls each has at least.
const DOCUMENTS: [(&str, usize); 3] = [("README.md", 5), ("records.md", 3), ("terminal.md", 4)];
/// Files that command lines in documents and help name.
const FILES: [(&str, &str); 3] =
    [("docs/suite.epd", "suite.epd"), ("docs/game.pgn", "game.pgn"), ("docs/game.pgn", "games.pgn")];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A folder with copies of the files that the documents name, so that nothing is written into the real ones.
fn workplace(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder goes");
    }
    for files in ["docs", "tests/records", "tests/suites"] {
        fs::create_dir_all(folder.join(files)).expect("a folder");
        for entry in fs::read_dir(root().join(files)).expect("a folder of the project") {
            let path = entry.expect("a file").path();
            let copy = folder.join(files).join(path.file_name().expect("its name"));
            fs::copy(&path, copy).expect("a copy");
        }
    }
    for (file, copy) in FILES {
        fs::copy(root().join(file), folder.join(copy)).expect(file);
    }
    folder
}

/// A call of the program, and what it must write.
#[derive(Debug)]
struct Call {
    command: String,
    expected: Vec<String>,
    code: i32,
}

/// What a call has written, and its exit code.
struct Done {
    lines: Vec<String>,
    code: Option<i32>,
}

fn run(command: &str, folder: &Path) -> Done {
    let (command, input) = match command.split_once(" < ") {
        Some((command, file)) => (command, File::open(folder.join(file)).expect(file).into()),
        None => (command, Stdio::null()),
    };
    let words = arguments(command);
    let (program, rest) = words.split_first().expect("a program");
    assert_eq!(program, "engine", "{command}");
    let done = Command::new(env!("CARGO_BIN_EXE_engine"))
        .args(rest)
        .current_dir(folder)
        .stdin(input)
        .output()
        .unwrap_or_else(|error| panic!("{command}: {error}"));
    let text = String::from_utf8([done.stdout, done.stderr].concat()).expect("text");
    Done { lines: text.lines().map(str::to_owned).collect(), code: done.status.code() }
}

/// The calls in the `console` blocks of a document.
fn calls(text: &str) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    for line in blocks.flat_map(str::lines) {
        let code = line.strip_prefix("(exit code ").and_then(|rest| rest.strip_suffix(')'));
        match (line.strip_prefix("$ "), code, calls.last_mut()) {
            (Some(command), ..) => {
                calls.push(Call { command: command.to_owned(), expected: Vec::new(), code: 0 });
            }
            (None, Some(code), Some(call)) => call.code = code.parse().expect("an exit code"),
            (None, None, Some(call)) => call.expected.push(line.to_owned()),
            (None, _, None) => panic!("expected a call, got '{line}'"),
        }
    }
    calls
}

/// Do the lines look like this?
fn lines_fit(pattern: &[String], lines: &[String]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((any, rest)) if any == "…" => {
            (0..=lines.len()).any(|skipped| lines_fit(rest, &lines[skipped..]))
        }
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, others)| fits(first, line) && lines_fit(rest, others))
        }
    }
}

/// Does the line look like this?
fn fits(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().any(|(at, letter)| fits(after, &rest[at + letter.len_utf8()..]))
        }),
    }
}

/// Without the blank lines at the end, which a block does not have.
fn trimmed(lines: &[String]) -> &[String] {
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    &lines[..end]
}

fn check(call: &Call, folder: &Path) {
    let Done { lines, code } = run(&call.command, folder);
    assert!(
        lines_fit(trimmed(&call.expected), trimmed(&lines)),
        "$ {}\nwrote\n{}\nwhich is not\n{}",
        call.command,
        lines.join("\n"),
        call.expected.join("\n")
    );
    assert_eq!(code, Some(call.code), "{}", call.command);
}

#[test]
fn the_examples_of_the_documents_are_true() {
    for (document, least) in DOCUMENTS {
        let folder = workplace(&format!("examples of {document}"));
        let calls = calls(&read(&root().join(document)));
        assert!(calls.len() >= least, "{document}: {} calls", calls.len());
        for call in &calls {
            check(call, &folder);
        }
    }
}

#[test]
fn wrong_examples_are_noticed() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let output = lines("one 1\ntwo 2\nthree");
    for pattern in ["one 1\ntwo 2\nthree", "…\nthree", "one …\n…", "one 1\n…\ntwo …\n…\nthree"] {
        assert!(lines_fit(&lines(pattern), &output), "{pattern}");
    }
    for pattern in ["one 1\ntwo 2", "one 1\ntwo 2\nthree\nfour", "…\ntwo 3\n…", "one 1…\n…", ""] {
        assert!(!lines_fit(&lines(pattern), &output), "{pattern}");
    }
}

/// The command lines of the README's `sh` blocks.
#[test]
fn the_command_lines_of_the_readme_run() {
    let folder = workplace("command lines of the README");
    let text = read(&root().join("README.md"));
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut runs = 0;
    for line in blocks.flat_map(str::lines).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(rest) = line.strip_prefix("cargo run --release -- ") {
            assert_eq!(run(&format!("engine {rest}"), &folder).code, Some(0), "{line}");
            runs += 1;
        } else {
            // This very run, and what is run in other ways: see .ci/run.
            assert!(["cargo test --workspace", "pip install ./clients/python"].contains(&line), "{line}");
        }
    }
    assert!(runs >= 1, "no command line");
}

/// What `engine help` lists.
fn commands() -> Vec<String> {
    let Done { lines, code } = run("engine help", &root());
    assert_eq!(code, Some(0));
    let from = lines.iter().position(|line| line == "Commands:").expect("a list of commands");
    let listed = lines[from + 1..].iter().take_while(|line| !line.is_empty());
    let commands: Vec<String> =
        listed.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    assert!(commands.len() >= 7, "{commands:?}");
    commands
}

fn help(command: &str) -> Vec<String> {
    if command == "help" { Vec::new() } else { run(&format!("engine {command} --help"), &root()).lines }
}

#[test]
fn the_examples_of_the_help_run() {
    let mut runs = 0;
    for command in commands() {
        let folder = workplace(&format!("examples of help {command}"));
        let lines = help(&command);
        for example in lines.iter().filter_map(|line| line.strip_prefix("  ")) {
            if example.starts_with("engine ") {
                let Done { lines, code } = run(example, &folder);
                assert_eq!(code, Some(0), "{example}: {lines:?}");
                runs += 1;
            }
        }
    }
    assert!(runs >= 9, "only {runs} examples");
}

/// The words that begin with two dashes.
fn options(text: &str) -> Vec<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    words.filter(|word| word.len() > 2 && word.starts_with("--") && !word.starts_with("---")).collect()
}

#[test]
fn every_command_and_option_is_described() {
    let documents =
        ["README.md", "protocol.md", "records.md", "terminal.md"].map(|name| read(&root().join(name)));
    let described: Vec<&str> = documents.iter().flat_map(|text| options(text)).collect();
    for command in commands() {
        assert!(
            documents[0].contains(&format!("| `engine {command}")),
            "{command} is not in the table of README.md"
        );
        for line in help(&command) {
            let Some(option) = line.trim_start().strip_prefix("--").and(options(&line).first().copied())
            else {
                continue;
            };
            assert!(described.contains(&option), "{option} of {command} is not described");
        }
    }
}

#[test]
fn every_option_that_is_described_exists() {
    for document in ["README.md", "protocol.md", "records.md", "terminal.md"] {
        for row in read(&root().join(document)).lines().filter(|line| line.starts_with("| `engine ")) {
            let synopsis = row.split(" | ").next().unwrap_or_default();
            let words = synopsis.trim_start_matches("| `engine").trim_start();
            let command = words.split([' ', '`']).next().unwrap_or_default();
            let known = help(command).join("\n");
            for option in options(words) {
                let there =
                    options(&known).contains(&option) || command.starts_with("--") || command == "COMMAND";
                assert!(there, "{document}: {option} in {synopsis}");
            }
        }
    }
}
