//! Every message about suites and at the terminal is tried.

use std::fs;
use std::path::{Path, PathBuf};

/// Only a fault of the program gives these.
const UNTRIED: [&str; 1] = [": can't draw: "];

/// The files of Rust in a folder and those below.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a file").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_message_is_tried() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests: String = files(&root.join("tests/terminal")).iter().map(|path| read(path)).collect();
    let mut sources = files(&root.join("src/cli"));
    sources.push(root.join("src/notation/epd.rs"));
    let mut messages = 0;
    for source in sources.iter().filter(|path| !path.ends_with("bench.rs")) {
        for attribute in read(source).split("#[error(\"").skip(1) {
            let message = attribute.split('"').next().unwrap_or_default();
            let literal =
                message.split(['{', '}']).step_by(2).max_by_key(|part| part.len()).unwrap_or_default();
            if literal.len() > 2 && !UNTRIED.contains(&literal) {
                assert!(tests.contains(literal.trim_end_matches(['\'', ' '])), "'{message}' is not tried");
                messages += 1;
            }
        }
    }
    assert!(messages >= 10, "only {messages} messages");
}
