//! `lab openings`: what it writes is what it claims.

mod common;

use std::collections::BTreeSet;
use std::fs;

use common::{engine, lab, lab_fails, place, text};
use kingchess::rules::Position;
use kingchess::types::Color;

const QUICK: [&str; 6] = ["openings", "--count", "4", "--nodes", "200", "--seed"];

#[test]
fn openings_are_of_their_class_balanced_and_different() {
    let output = lab(&[&QUICK[..], &["7", "--balance", "70"]].concat());
    assert_eq!(output, lab(&[&QUICK[..], &["7", "--balance", "70"]].concat()));
    assert_ne!(output, lab(&[&QUICK[..], &["8", "--balance", "70"]].concat()));
    let mut keys = BTreeSet::new();
    let mut classes = Vec::new();
    for line in output.lines() {
        let parts: Vec<&str> = line.split("; ").collect();
        let [fen, class, value] = parts[..] else { panic!("{line}") };
        let position: Position = fen.parse().expect("a FEN");
        assert_eq!(position.fen(), fen);
        assert_eq!(position.outcome(), None);
        assert!(keys.insert(position.key()), "{line}");
        let value: i32 = value.strip_prefix("ce ").and_then(|value| value.parse().ok()).expect("ce");
        assert!(value.abs() <= 70, "{line}");
        let reserves = Color::ALL.map(|color| position.reserve(color).total());
        let both = |range: std::ops::RangeInclusive<u32>| reserves.iter().all(|count| range.contains(count));
        let men = position.occupied().count();
        let class = class.strip_prefix("class ").expect("class");
        assert!(
            match class {
                "kings" => both(13..=15),
                "half" => both(5..=11),
                "small" => both(1..=3),
                "setup" => both(0..=0) && men == 32,
                "chess" => both(0..=0) && position.fullmove_number() == 5,
                _ => false,
            },
            "{line}"
        );
        classes.push(class.to_owned());
    }
    // Classes come in turn, so that the beginning of the file has them all.
    let turn = ["kings", "half", "small", "setup", "chess"];
    assert_eq!(classes, turn.repeat(4));
}

#[test]
fn classes_can_be_chosen_and_played() {
    let output = lab(&[&QUICK[..], &["1", "--class", "small", "--class", "setup"]].concat());
    assert_eq!(output.lines().count(), 8);
    assert!(output.lines().all(|line| line.contains("; class small;") || line.contains("; class setup;")));
    let file = place("chosen.epd");
    fs::write(&file, output).expect("a file can be written");
    let arguments = ["match", engine(), engine(), "--nodes", "30", "--games", "4", "--longest", "10"];
    let result = lab(&[&arguments[..], &["--openings", text(&file)]].concat());
    assert!(result.starts_with("4 games: ") && !result.contains("faults"), "{result}");
}

#[test]
fn what_is_no_class_or_balance_is_refused() {
    assert!(lab_fails(&["openings", "--class", "none"]).contains("possible values"));
    assert!(lab_fails(&["openings", "--balance=-1"]).contains("invalid value '-1'"));
}
