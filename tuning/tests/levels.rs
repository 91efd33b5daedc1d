//! `lab levels`, `lab suite` and `lab speed`, in small.

mod common;

use std::fs;

#[cfg(unix)]
use common::fake;
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

#[test]
fn speeds_are_compared() {
    let file = place("speed.fens");
    let start = "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1";
    let half = "6k1/5ppp/8/3r4/3R4/8/5PPP/6K1[PPpp] w - - 0 30";
    fs::write(&file, format!("# two\n{start}\n{half}\n")).expect("a file can be written");
    let arguments = ["speed", engine(), engine(), "--positions", text(&file), "--rounds", "2"];
    for (measure, heading) in [
        (["--movetime", "40"], "thousand nodes a second: first, "),
        (["--depth", "3"], "seconds to depth 3: "),
    ] {
        let output = lab(&[&arguments[..], &measure].concat());
        let lines: Vec<&str> = output.lines().collect();
        let [title, one, other, summary] = lines[..] else { panic!("{output}") };
        assert!(title.starts_with(heading), "{output}");
        for (row, fen) in [(one, start), (other, half)] {
            let figures: Vec<f64> =
                row.split_whitespace().take(3).map(|word| word.parse().expect("a figure")).collect();
            assert!(row.ends_with(fen) && figures[2] > 0.0, "{output}");
        }
        assert!(summary.starts_with("2 positions: means ") && summary.contains(" +- "), "{output}");
    }
}

#[cfg(unix)]
#[test]
fn a_speed_that_no_engine_tells_is_an_error() {
    let file = place("silent.fens");
    fs::write(&file, "6k1/5ppp/8/8/8/8/8/K3R3[] w - - 0 9\n").expect("a file can be written");
    let silent = fake("silent", "echo bestmove e1e8");
    let arguments = ["speed", &silent, engine(), "--positions", text(&file)];
    let errors = lab_fails(&[&arguments[..], &["--movetime", "5"]].concat());
    assert!(errors.contains("no nodes told, in 6k1/5ppp"), "{errors}");
    assert!(lab_fails(&arguments).contains("--movetime"));
    fs::write(&file, "# nothing\n").expect("a file can be written");
    assert!(lab_fails(&[&arguments[..], &["--depth", "1"]].concat()).contains("no positions"));
}
