//! Running the program.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// What the program has written, and its exit code.
pub struct Done {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Self { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }
}

/// The program with these arguments, not started yet; no colours are forced on it.
pub fn engine(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    command.args(arguments).env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    command
}

/// Runs the program with this input to its end.
pub fn run(arguments: &[&str], input: &str) -> Done {
    let mut child = engine(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input");
    // It may have ended already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends").into()
}

/// A file for this test alone, not there yet.
pub fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("terminal {name}"));
    if path.exists() {
        fs::remove_file(&path).expect("an old file goes");
    }
    path
}

/// A file with this text.
pub fn file_with(name: &str, text: &str) -> PathBuf {
    let path = file(name);
    fs::write(&path, text).expect("a file");
    path
}
