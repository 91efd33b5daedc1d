//! `lab report`, on positions of a short self-play.

mod common;

use std::fs;

use common::{lab, lab_fails, place, text};

#[test]
fn a_report_is_the_same_each_time_and_makes_sense() {
    let data = place("report.kc");
    lab(&["selfplay", text(&data), "--nodes", "100", "--games", "12", "--block", "4"]);
    let report = lab(&["report", text(&data), "--positions", "150"]);
    assert!(report.starts_with("150 positions; "), "{report}");
    assert_eq!(lab(&["report", text(&data), "--positions", "150"]), report);
    assert_ne!(lab(&["report", text(&data), "--positions", "150", "--seed", "2"]), report);
    // Means of a row, all phases.
    let means = |name: &str| -> Vec<f64> {
        let row =
            report.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {report}"));
        row.split_whitespace()
            .filter(|word| word.starts_with(['+', '-']))
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    let mean = |name: &str| means(name).iter().sum::<f64>() / means(name).len() as f64;
    assert!(mean("queen") > mean("rook") && mean("rook") > mean("pawn") && mean("pawn") > 0.0, "{report}");
    for part in
        ["in reserve", "on the board", "light bishop", "Where the king belongs", "best: ", "Holding against"]
    {
        assert!(report.contains(part), "{part}: {report}");
    }
}

#[test]
fn what_is_no_data_is_refused() {
    let data = place("report-none.kc");
    fs::write(&data, "K@e1").expect("a file can be written");
    assert!(lab_fails(&["report", text(&data)]).contains("not a file of training positions"));
    assert!(lab_fails(&["report", text(&data), "--network", text(&data)]).contains("begins with KINGNNUE"));
}
