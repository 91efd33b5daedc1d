use std::fs;
use std::path::{Path, PathBuf};

use kingchess::notation::records::{GameReader, GameRecord};

use crate::program::{Done, engine, file, file_with, run};

/// A mate in one missed by each side, then found: any search sees that.
const MATES: &str = "[White \"A\"]\n[FEN \"6k1/5ppp/8/8/8/8/1K6/R7[] w - - 0 40\"]\n\n\
                     40. Kb2-b3 {a pity [%eval 3.00] $2 really} g7-g6 $6 $14 41. Ra1-a8+ Kg8-g7 *\n\n";
/// Mate on the second action, Black's.
const SHORT: &str = "[White \"B\"]\n\n1. Kh4 Ka8, Qh5, Rh8, Bd6 0-1\n\n";

fn annotate(input: &str, options: &[&str]) -> Done {
    let arguments: Vec<&str> =
        ["annotate", "-", "--depth", "2"].into_iter().chain(options.iter().copied()).collect();
    run(&arguments, input)
}

fn games(text: &str) -> Vec<GameRecord> {
    GameReader::new(text.as_bytes())
        .map(|game| game.unwrap_or_else(|error| panic!("{error}\n{text}")))
        .collect()
}

fn comments(record: &GameRecord, index: usize) -> Vec<String> {
    record.entries()[index].notes().map(|notes| notes.comments.clone()).unwrap_or_default()
}

fn nags(record: &GameRecord, index: usize) -> Vec<u8> {
    record.entries()[index].notes().map(|notes| notes.nags.clone()).unwrap_or_default()
}

#[test]
fn mistakes_are_marked_and_better_lines_named() {
    let done = annotate(MATES, &[]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let game = &games(&done.out)[0];
    // White has missed a mate; words of others stay.
    let first = comments(game, 0);
    assert!(
        first[0].starts_with("[%eval ") && first[0].contains("better: 40. Ra1-a8+ (mate 1)"),
        "{first:?}"
    );
    assert_eq!(first[1], "a pity $2 really");
    // Glyphs that judge are replaced, others stay.
    assert_eq!(nags(game, 1).last(), Some(&14));
    assert!(nags(game, 1).len() <= 2, "{:?}", nags(game, 1));
    // The best action has no mark.
    assert!(nags(game, 2).is_empty(), "{:?}", nags(game, 2));
    assert_eq!(game.tags.get("Annotator"), Some(concat!("Kingchess ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_blunder_into_mate_is_a_blunder() {
    let done = annotate(SHORT, &["--multipv", "2"]);
    let game = &games(&done.out)[0];
    assert_eq!(nags(game, 0), [4], "{}", done.out);
    let blunder = &comments(game, 0)[0];
    assert!(blunder.starts_with("[%eval #-1] better: 1. ") && blunder.contains("; 1. "), "{blunder}");
    // After a mate there is no value, and nothing was better.
    assert!(game.entries()[1].notes().is_none());
    assert_eq!(game.tags.get("BlackAccuracy"), Some("100.0"));
    let white: f64 = game.tags.get("WhiteAccuracy").and_then(|text| text.parse().ok()).expect("a number");
    assert!(white < 50.0, "{white}");
    // The games are on standard output, so the summary is not.
    let rows: Vec<Vec<&str>> = done.err.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["game", "side", "actions", "accuracy", "?!", "?", "??", "!?", "player"]);
    assert_eq!(rows[1][..3], ["1", "White", "1"]);
    assert_eq!(rows[1][4..], ["0", "0", "1", "0", "B"]);
    assert_eq!(rows[2], ["1", "Black", "1", "100.0%", "0", "0", "0", "0"]);
}

#[test]
fn every_action_has_a_value_that_other_programs_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/game.pgn");
    let done = annotate(&fs::read_to_string(path).expect("the game"), &[]);
    let game = &games(&done.out)[0];
    assert!(game.warnings.is_empty(), "{:?}", game.warnings);
    let last = game.entries().len() - 1;
    for index in 0..last {
        let comment = &comments(game, index)[0];
        let (value, _) =
            comment.strip_prefix("[%eval ").and_then(|rest| rest.split_once(']')).expect(comment);
        let is_number = match value.strip_prefix('#') {
            Some(mate) => mate.parse::<i32>().is_ok(),
            None => value.parse::<f64>().is_ok_and(|pawns| pawns.abs() < 100.0),
        };
        assert!(is_number && !value.contains('+'), "{comment}");
    }
    // A value is on one line with its name.
    assert_eq!(done.out.matches("[%eval ").count(), done.out.matches("[%eval").count());
    assert!(done.out.lines().all(|line| !line.ends_with("[%eval")));
    let converted = run(&["convert", "-", "--to", "openchess"], &done.out);
    assert_eq!((converted.err.as_str(), converted.code), ("", Some(0)));
    // To annotate again replaces what was written.
    let again = annotate(&done.out, &[]);
    let (first, second) = (game, &games(&again.out)[0]);
    for index in 0..=last {
        assert_eq!(
            comments(first, index).len(),
            comments(second, index).len(),
            "{:?}",
            comments(second, index)
        );
    }
}

/// A file with two games.
fn two_games(name: &str) -> PathBuf {
    file_with(name, &format!("{MATES}{SHORT}"))
}

#[test]
fn an_interrupted_run_goes_on_where_it_ended() {
    let (input, out) = (two_games("two.pgn"), file("two out.pgn"));
    let [input, name] = [input, out.clone()].map(|path| path.display().to_string());
    let call = ["annotate", &input, "--depth", "2", "--out", &name];
    let done = run(&call, "");
    assert_eq!((done.err.as_str(), done.code), ("", Some(0)));
    assert_eq!(done.out.lines().count(), 5, "{}", done.out);
    let whole = fs::read_to_string(&out).expect("the file");
    assert_eq!(games(&whole).len(), 2);
    // The second game breaks off in its middle.
    let cut = whole.rfind("1. K@h4").expect("the second game") + 30;
    fs::write(&out, &whole[..cut]).expect("the file");
    let resume = [&call[..], &["--resume"]].concat();
    let done = run(&resume, "");
    assert_eq!(done.out.lines().count(), 3, "{}", done.out);
    assert!(done.out.contains("\n   2  White"), "{}", done.out);
    let resumed = fs::read_to_string(&out).expect("the file");
    let begin = whole
        .find("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"B\"]")
        .expect("a tag");
    assert_eq!(resumed[..begin], whole[..begin]);
    assert_eq!(games(&resumed).len(), 2);
    // Nothing is left to be done.
    let done = run(&resume, "");
    assert_eq!((done.out.lines().count(), done.code), (1, Some(0)));
    assert_eq!(fs::read_to_string(&out).expect("the file"), resumed);
    // Without the option everything is done again.
    assert_eq!(run(&call, "").out.lines().count(), 5);
}

#[test]
fn a_run_does_not_go_on_in_the_file_of_other_games() {
    let (input, out) = (file_with("one.pgn", SHORT), file("other out.pgn"));
    let [input, name] = [input, out.clone()].map(|path| path.display().to_string());
    fs::write(&out, annotate(MATES, &[]).out).expect("the file");
    let done = run(&["annotate", &input, "--depth", "1", "--out", &name, "--resume"], "");
    assert!(done.err.contains("its game 1 is not that of"), "{}", done.err);
    assert_eq!(done.code, Some(1));
    let done = run(&["annotate", &input, "--out", &input], "");
    assert!(done.err.contains("would be overwritten while it is read"), "{}", done.err);
    assert_eq!(run(&["annotate", &input, "--resume"], "").code, Some(2));
    let missing = run(&["annotate", "no such file", "--depth", "1"], "");
    assert!(missing.err.starts_with("error: no such file: "), "{}", missing.err);
}

#[test]
fn each_game_has_a_graph() {
    let input = two_games("graphs.pgn").display().to_string();
    for kind in ["svg", "png"] {
        let first = file(&format!("graph.{kind}"));
        let second = file(&format!("graph-2.{kind}"));
        let done = run(&["annotate", &input, "--depth", "1", "--graph", &first.display().to_string()], "");
        assert_eq!(done.code, Some(0), "{}", done.err);
        let pictures = [&first, &second].map(|path| fs::read(path).expect("a picture"));
        let begin: &[u8] = if kind == "svg" { b"<svg " } else { b"\x89PNG\r\n" };
        assert!(pictures.iter().all(|picture| picture.starts_with(begin)));
        assert_ne!(pictures[0], pictures[1]);
    }
    let refused = run(&["annotate", &input, "--graph", "graph.jpg"], "");
    assert_eq!(refused.err, "error: graph.jpg: expected a name that ends in .svg or .png\n");
    let nowhere = run(&["annotate", &input, "--depth", "1", "--graph", "no/such/folder.svg"], "");
    assert!(
        nowhere.err.contains("error: no/such/folder.svg: ") && nowhere.code == Some(1),
        "{}",
        nowhere.err
    );
}

#[test]
fn a_wrong_game_is_annotated_up_to_its_fault() {
    let done = annotate(&format!("1. Kh4 Ka8 2. Kh4-h9 *\n\n{SHORT}"), &[]);
    assert!(done.err.contains("error: game 1, line 1, column 15, action 2. 'Kh4-h9': "), "{}", done.err);
    assert!(done.err.ends_with("error: 1 of 2 games could not be read to the end\n"), "{}", done.err);
    assert_eq!(done.code, Some(1));
    let games = games(&done.out);
    assert_eq!(games.iter().map(|game| game.entries().len()).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn a_pipe_gets_no_progress_and_no_colours() {
    let done = Done::from(
        engine(&["annotate", &two_games("pipe.pgn").display().to_string(), "--nodes", "500"])
            .output()
            .expect("it runs"),
    );
    assert!(!format!("{}{}", done.out, done.err).contains('\u{1b}'), "{}", done.err);
    assert_eq!(done.err.lines().count(), 5, "{}", done.err);
}
