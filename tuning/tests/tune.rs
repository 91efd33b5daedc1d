//! `lab tune`, played by the real engine.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{engine, lab, lab_fails, place, text};

const OPENINGS: &str = "\
6k1/5ppp/4p3/3p4/3P4/4P3/5PPP/6K1[RNrn] b - - 0 3
r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1[] w - - 0 9
r2qk2r/ppp2ppp/2n1pn2/3p4/3P4/2P1PN2/PP3PPP/R2QK2R[Dl] w KQkq - 0 8
";

fn openings(name: &str) -> PathBuf {
    let path = place(name);
    fs::write(&path, OPENINGS).expect("a file can be written");
    path
}

/// A short tuning of an option that every build has and that changes games.
fn arguments<'a>(openings: &'a Path, state: &'a Path) -> Vec<&'a str> {
    let start =
        ["tune", engine(), "--parameter", "MultiPV=4:3:0.03", "--nodes", "300", "--openings", text(openings)];
    [&start[..], &["--pairs", "12", "--batch", "2", "--seed", "3", "--state", text(state)]].concat()
}

#[test]
fn tuning_broken_off_goes_on_to_the_same_values() {
    let (whole, broken) = (place("whole.json"), place("broken.json"));
    let openings = openings("broken.epd");
    let arguments = |state| arguments(&openings, state);
    let output = lab(&arguments(&whole));
    assert!(output.starts_with("12 of 12 pairs of games\nparameter"), "{output}");
    let last = output.lines().last().expect("lines");
    assert!(last.starts_with("MultiPV = ") && last.ends_with(", 1..=500;"), "{output}");
    let expected = fs::read_to_string(&whole).expect("a state");
    assert!(!expected.contains("\"values\": [\n    4.0\n"), "nothing was learned: {expected}");

    let mut first = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(arguments(&broken))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the lab starts");
    let deadline = Instant::now() + Duration::from_secs(300);
    while !broken.exists() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    first.kill().expect("it runs or has ended");
    first.wait().expect("it ends");
    let done = fs::read_to_string(&broken).expect("a state");
    assert!(!done.contains("\"done\": 12"), "broken off too late: {done}");
    assert_eq!(lab(&arguments(&broken)), output);
    assert_eq!(fs::read_to_string(&broken).expect("a state"), expected);

    // How many play at once changes nothing, and there is nothing left to play.
    let two = place("two.json");
    lab(&[&arguments(&two)[..], &["--concurrency", "2"]].concat());
    assert_eq!(fs::read_to_string(&two).expect("a state"), expected);
    let again = lab(&arguments(&two));
    assert_eq!(again.lines().last(), output.lines().last());
    let other = lab_fails(&[&arguments(&two)[..], &["--option", "Hash=2"]].concat());
    assert!(other.contains("begun with other settings: options differs"), "{other}");
}

#[test]
fn what_the_engine_does_not_have_is_refused() {
    let state = place("refused.json");
    let choose = |name| {
        let start = ["tune", engine(), "--nodes", "300", "--pairs", "1", "--state", text(&state)];
        lab_fails(&[&start[..], &["--parameter", name]].concat())
    };
    assert!(choose("delta_none").contains("no parameter delta_none; builds with `--features tune`"));
    assert!(choose("x:0").contains(
        "expected NAME[=START][:C_END[:R_END]] (C_END and R_END above 0, no START for several), got 'x:0'"
    ));
    let openings = openings("refused.epd");
    let chess = lab_fails(&[&arguments(&openings, &state)[..], &["--chess"]].concat());
    assert!(chess.contains("refused.epd, line 1: pieces in reserve: not with --chess"), "{chess}");
    assert!(!state.exists());
}
