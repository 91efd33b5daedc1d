//! What the tests of the lab share: the programs, places for files, and a player made of a few lines of shell.

// Each test file is a program of its own and uses a part of this.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Runs the lab; gives what it wrote to standard output.
#[track_caller]
pub fn lab(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "lab {}: {errors}", arguments.join(" "));
    String::from_utf8(output.stdout).expect("text")
}

/// Runs the lab, which must fail; gives what it wrote to standard error.
#[track_caller]
pub fn lab_fails(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "lab {}", arguments.join(" "));
    String::from_utf8(output.stderr).expect("text")
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).args(arguments).output().expect("the lab starts")
}

/// The engine, which stands beside the lab; it is built if only the lab has been.
pub fn engine() -> &'static str {
    static ENGINE: OnceLock<String> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let lab = Path::new(env!("CARGO_BIN_EXE_lab"));
        let engine = lab.with_file_name(format!("engine{}", std::env::consts::EXE_SUFFIX));
        if !engine.exists() {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--quiet", "--package", "kingchess", "--bin", "engine"]);
            if lab.parent().is_some_and(|folder| folder.ends_with("release")) {
                build.arg("--release");
            }
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
            let built = build.current_dir(root).status().expect("cargo starts");
            assert!(built.success() && engine.exists(), "{} is built", engine.display());
        }
        engine.display().to_string()
    })
}

/// A place for a file; what was there before is removed.
pub fn place(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_file(&path).expect("an old file can be removed");
    }
    path
}

/// Writes a program that answers as a UCI engine does, `go` with these shell commands; `$line` is what was sent.
#[cfg(unix)]
pub fn fake(name: &str, go: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = place(name);
    let text = format!(
        "#!/bin/sh\n\
         while read -r line; do\n\
         case \"$line\" in\n\
         uci) echo uciok;;\n\
         isready) echo readyok;;\n\
         *UCI_Variant*) echo info string variant kingchess-exactbishop files 8;;\n\
         go*) {go};;\n\
         quit) exit 0;;\n\
         esac\n\
         done\n"
    );
    fs::write(&path, text).expect("a file can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a file can be made a program");
    path.display().to_string()
}

/// The text of a path.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}
