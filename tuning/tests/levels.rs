//! `lab levels` and `lab suite`, in small.

mod common;

use std::fs;

use common::{engine, lab, lab_fails, place, text};

#[test]
fn each_level_plays_the_next() {
    let arguments = ["levels", engine(), "--from", "800", "--to", "1200", "--games", "2", "--longest", "30"];
    let output = lab(&arguments);
    let rows: Vec<&str> = output.lines().skip(2).collect();
    let [first, second] = rows[..] else { panic!("{output}") };
    assert!(first.starts_with("| 1000 | 800 | 2 | +"), "{output}");
    assert!(second.starts_with("| 1200 | 1000 | 2 | +"), "{output}");
    assert!(rows.iter().all(|row| row.contains(" % | ") && row.ends_with("] | 200 |")), "{output}");
    assert!(
        lab(&[&arguments[..], &["--movetime", "5", "--step", "400"]].concat()).contains("| 1200 | 800 | 2 |")
    );
}

#[test]
fn one_level_is_too_few() {
    let errors = lab_fails(&["levels", engine(), "--from", "800", "--to", "900"]);
    assert!(errors.contains("from 800 to 900 in steps of 200"), "{errors}");
    assert!(lab_fails(&["levels", engine(), "--step", "0"]).contains("--step"));
}

#[test]
fn a_suite_is_solved() {
    let file = place("mates.epd");
    let mate = "6k1/5ppp/8/8/8/8/8/K3R3[] w - - 0 9; dm 1; bm e1e8\n4k3/8/8/8/8/8/8/K6R[] w - - 0 9; dm 1\n";
    fs::write(&file, mate).expect("a file can be written");
    let output = lab(&["suite", engine(), text(&file), "--movetime", "50"]);
    assert!(output.contains("\n1 of 2 solved; ") || output.starts_with("1 of 2 solved; "), "{output}");
    assert!(output.contains("not solved: 4k3/"), "{output}");
}
