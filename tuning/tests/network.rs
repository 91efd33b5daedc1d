//! `lab selfplay`, `lab relabel`, `lab data` and `lab train`: from nothing to a network, in little.

mod common;

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use common::{lab, lab_fails, place, text};
use kingchess::eval::network::Network;

fn selfplay(file: &str, games: &str) -> String {
    lab(&["selfplay", file, "--nodes", "60", "--seed", "5", "--block", "4", "--games", games])
}

#[test]
fn self_play_goes_on_where_it_was_broken_off() {
    let (whole, parts) = (place("whole.kc"), place("parts.kc"));
    let report = selfplay(text(&whole), "12");
    assert!(report.contains("12 games: White +"), "{report}");
    selfplay(text(&parts), "8");
    let bytes = fs::read(&parts).expect("samples");
    // Cut within the second block of four games.
    fs::write(&parts, &bytes[..bytes.len() - 100]).expect("a shorter file");
    let report = selfplay(text(&parts), "12");
    assert!(report.starts_with("resumed: 4 games, "), "{report}");
    assert_eq!(fs::read(&parts).expect("samples"), fs::read(&whole).expect("samples"));

    let census = lab(&["data", text(&whole)]);
    assert!(census.contains("games 12, positions ") && census.contains(", damaged 0"), "{census}");
    let error = lab_fails(&["selfplay", text(&whole), "--nodes", "61", "--games", "13"]);
    assert!(error.contains("made with other settings"), "{error}");
}

#[test]
fn a_network_comes_of_the_games_and_plays_more() {
    let (data, network, curve) = (place("first.kc"), place("first.nnue"), place("first.svg"));
    selfplay(text(&data), "40");
    let train = ["train", text(&data), "--out", text(&network), "--epochs", "6", "--batch", "128"];
    let report =
        lab(&[&train[..], &["--reports", "3", "--validation", "0.2", "--curve", text(&curve)]].concat());
    assert!(report.contains("positions a second") && report.contains("as integers: loss"), "{report}");
    assert!(fs::read_to_string(&curve).expect("a picture").starts_with("<svg"));
    let bytes = fs::read(&network).expect("a network");
    assert!(Network::from_bytes(&bytes).is_ok());
    // Rows of step, epoch, rate, training loss, validation loss.
    let losses: Vec<f64> = report
        .lines()
        .map(|line| line.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>())
        .filter_map(|row| row.ok().filter(|row| row.len() == 5).map(|row| row[3]))
        .collect();
    assert!(losses.len() == 3 && losses[2] < losses[0], "{report}");

    let next = place("second.kc");
    let options = ["--nodes", "60", "--games", "2", "--network", text(&network)];
    let report = lab(&[&["selfplay", text(&next)], &options[..]].concat());
    assert!(report.contains("2 games: "), "{report}");
    let error = lab_fails(&["selfplay", text(&place("third.kc")), "--network", text(&data)]);
    assert!(error.contains("network"), "{error}");
}

#[test]
fn old_positions_are_searched_again() {
    let (data, whole, parts) = (place("old.kc"), place("again.kc"), place("again-parts.kc"));
    selfplay(text(&data), "12");
    let relabel = |out: &str, nodes: &str, threads: &str| {
        lab(&["relabel", text(&data), out, "--nodes", nodes, "--keep", "0.5", "--threads", threads])
    };
    let report = relabel(text(&whole), "300", "1");
    let counts: Vec<usize> =
        report.split_whitespace().filter_map(|word| word.trim_end_matches(',').parse().ok()).collect();
    assert!(counts[0] > 20 && counts[0] <= counts[1], "{report}");
    // Broken off, and gone on with by two threads: the same file.
    relabel(text(&parts), "300", "2");
    let bytes = fs::read(&parts).expect("samples");
    fs::write(&parts, &bytes[..bytes.len() - 100]).expect("a shorter file");
    let report = relabel(text(&parts), "300", "2");
    assert!(report.starts_with("resumed: 8 games, "), "{report}");
    assert_eq!(fs::read(&parts).expect("samples"), fs::read(&whole).expect("samples"));

    let census = lab(&["data", text(&whole)]);
    assert!(census.contains("games 12, positions ") && census.contains(", damaged 0"), "{census}");
    let old = fs::read(&data).expect("samples");
    assert!(old.len() > fs::metadata(&whole).expect("a file").len() as usize);
    let error = lab_fails(&["relabel", text(&data), text(&whole), "--nodes", "301"]);
    assert!(error.contains("made with other settings"), "{error}");
}

#[test]
fn few_games_are_enough_to_judge() {
    let (data, network) = (place("few.kc"), place("few.nnue"));
    let train = ["train", text(&data), "--out", text(&network), "--epochs", "1", "--validation", "0.000001"];
    selfplay(text(&data), "4");
    let error = lab_fails(&train);
    assert!(error.starts_with("error: 0 samples to train and "), "{error}");
    selfplay(text(&data), "24");
    let report = lab(&train);
    let (training, rest) = report.split_once(" positions to train, ").expect("counts");
    let (judging, _) = rest.split_once(" to judge").expect("counts");
    let count = |word: &str| word.parse::<usize>().expect("a number");
    assert!(count(training) > count(judging) && count(judging) > 0, "{report}");
}

#[test]
fn a_reader_may_leave() {
    let data = place("read.kc");
    selfplay(text(&data), "2");
    let mut lab = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["data", text(&data)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the lab starts");
    drop(lab.stdout.take());
    let mut errors = String::new();
    let read = lab.stderr.take().expect("a pipe").read_to_string(&mut errors);
    assert!(read.is_ok() && lab.wait().expect("it ends").success(), "{errors}");
    assert_eq!(errors, "");
}
