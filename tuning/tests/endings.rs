//! `lab endings`, with hardly any games.

mod common;

use common::{lab, lab_fails, place, text};

#[test]
fn endings_are_played_out_and_the_same_each_time() {
    let data = place("endings.kc");
    lab(&["selfplay", text(&data), "--nodes", "60", "--games", "12", "--block", "4"]);
    let command = ["endings", text(&data), "--games", "8", "--clock-games", "20", "--nodes", "30"];
    let report = lab(&command);
    assert_eq!(lab(&[&command[..], &["--threads", "1"]].concat()), report);
    let (endings, clocks) = report.split_once("\n\n").unwrap_or_else(|| panic!("{report}"));
    assert!(endings.lines().count() > 5, "{report}");
    for row in endings.lines().skip(2) {
        // Of an ending: games, positions, value, won, drawn and lost in hundredths, part.
        let numbers: Vec<f64> = row.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [games, positions, _, won, drawn, lost, _] = numbers[..] else { panic!("{row}") };
        assert!(games >= 1.0 && positions >= games && (won + drawn + lost - 100.0).abs() < 0.3, "{row}");
    }
    assert!(clocks.contains("by the fifty-action clock, in ") && clocks.contains("\n 0 to  9 "), "{report}");
}

#[test]
fn what_is_no_data_is_refused() {
    assert!(lab_fails(&["endings", "nowhere.kc", "--games", "1", "--nodes", "1"]).contains("nowhere.kc"));
}
