use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::program::{Done, engine, file_with, run};

/// How long the first line of an analysis may take, with slack for a busy machine and a build for tests; 100 ms is the
/// aim on a machine of its own.
const FIRST_LINE: Duration = Duration::from_millis(1_500);

/// Solves a suite of these lines.
fn solve(name: &str, lines: &str, options: &[&str]) -> Done {
    let path = file_with(name, lines);
    let path = path.display().to_string();
    let arguments: Vec<&str> =
        ["analyse", "--file", &path].into_iter().chain(options.iter().copied()).collect();
    run(&arguments, "")
}

#[test]
fn the_first_line_comes_at_once() {
    let mut times = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        let mut child =
            engine(&["analyse", "--movetime", "300"]).stdout(Stdio::piped()).spawn().expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let mut lines = output.lines().map(|line| line.expect("text"));
        let row = lines.find(|line| line.trim_start().starts_with("1     1 ")).expect("a first row");
        times.push(start.elapsed());
        assert!(row.contains(" 1. K"), "{row}");
        assert_eq!(lines.last().as_deref().map(|line| line.starts_with("best K")), Some(true));
        assert!(child.wait().expect("it ends").success());
    }
    times.sort();
    println!("from call to first line: {:?}", times);
    assert!(times[2] < FIRST_LINE, "{times:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_search_and_not_the_program() {
    let mut child =
        engine(&["analyse", "--movetime", "600000"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let output = BufReader::new(child.stdout.take().expect("its output"));
    let mut lines = output.lines().map(|line| line.expect("text"));
    assert!(lines.any(|line| line.trim_start().starts_with("1     1 ")));
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill is there");
    assert!(sent.success());
    assert!(lines.last().is_some_and(|line| line.starts_with("best K")));
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_pipe_gets_no_colours_unless_they_are_forced() {
    let plain = ["analyse", "--depth", "1"];
    let escape = '\u{1b}';
    for options in [&[][..], &["--unicode"], &["--ascii"], &["--color", "never"]] {
        let done = run(&[&plain, options].concat(), "");
        assert!(!done.out.contains(escape) && done.err.is_empty(), "{options:?} {}", done.out);
    }
    for options in [["--color", "always"], ["--color=always", "--ascii"]] {
        let done = run(&[&plain, &options[..]].concat(), "");
        assert!(done.out.contains("\u{1b}[48;5;180m"), "{}", done.out);
    }
    let both = run(&[&plain[..], &["--ascii", "--unicode"]].concat(), "");
    assert_eq!(both.code, Some(2));
}

#[test]
fn no_color_is_respected_where_colours_would_be_used() {
    // CLICOLOR_FORCE stands in for a terminal.
    let colored = |no_color: Option<&str>| {
        let mut command = engine(&["analyse", "--depth", "1"]);
        command.env("CLICOLOR_FORCE", "1");
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        Done::from(command.output().expect("it runs")).out.contains('\u{1b}')
    };
    assert!(colored(None));
    assert!(!colored(Some("1")));
}

#[test]
fn several_lines_are_ranked() {
    let done = run(&["analyse", "--depth", "3", "--multipv", "3", "--moves", "Ke1,e4 K@e8"], "");
    for rank in 1..=3 {
        let start = format!("    3     {rank} ");
        assert!(done.out.lines().any(|line| line.starts_with(&start)), "{rank}\n{}", done.out);
    }
    assert_eq!((done.err.as_str(), done.code), ("", Some(0)));
}

#[test]
fn the_published_suite_of_mates_is_solved() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites/mate2-drops.epd");
    let text = fs::read_to_string(suite).expect("the suite");
    let some: Vec<&str> = text.lines().take(8).collect();
    let done = solve("mates.epd", &some.join("\n"), &["--movetime", "20000"]);
    assert_eq!(done.code, Some(0), "{}", done.out);
    assert!(
        done.out.lines().last().is_some_and(|line| line.starts_with("solved 7 of 7 in ")),
        "{}",
        done.out
    );
}

/// One that any search solves, and one that asks for nonsense.
const MIXED: &str = "# Two positions.\n\n6k1/5ppp/8/8/8/8/1K6/R7[] w - - bm Ra1-a8; id \"good\";\n\
                     6k1/5ppp/8/8/8/8/1K6/R7[] w - - 3 40 ;am a1a8 ;dm 1 ;id bad\n";

#[test]
fn what_is_not_solved_shows_in_table_and_exit_code() {
    let done = solve("mixed.epd", MIXED, &["--depth", "2"]);
    assert_eq!((done.err.as_str(), done.code), ("", Some(3)));
    let lines: Vec<&str> = done.out.lines().collect();
    let [heading, good, bad, total] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(heading.starts_with("solved depth "));
    assert!(good.starts_with("yes ") && good.ends_with("bm Ra1-a8+") && good.contains(" good "), "{good}");
    assert!(bad.starts_with("no ") && bad.ends_with("dm 1; am Ra1-a8+") && bad.contains(" bad "), "{bad}");
    assert!(total.starts_with("solved 1 of 2 in "), "{total}");
}

#[test]
fn a_suite_as_json_has_the_fields_of_the_document() {
    let done = solve("json.epd", MIXED, &["--depth", "2", "--json"]);
    assert_eq!((done.err.as_str(), done.code), ("", Some(3)));
    let records: Vec<serde_json::Value> =
        done.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [good, bad, total] = records.as_slice() else { panic!("{records:?}") };
    assert_eq!((&good["type"], &good["schema"]), (&"suite".into(), &1.into()));
    assert_eq!((&good["id"], &good["line"], &good["solved"]), (&"good".into(), &3.into(), &true.into()));
    assert_eq!((&good["bm"][0], &good["found"], &good["mate"]), (&"a1a8".into(), &"a1a8".into(), &1.into()));
    assert_eq!((&bad["dm"], &bad["am"][0], &bad["solved"]), (&1.into(), &"a1a8".into(), &false.into()));
    assert_eq!(
        (&total["type"], &total["positions"], &total["solved"]),
        (&"total".into(), &2.into(), &1.into())
    );
    let document =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md")).expect("protocol.md");
    for field in records.iter().flat_map(|record| record.as_object().expect("an object").keys()) {
        assert!(document.contains(&format!("`{field}`")), "the field {field} is not described");
    }
}

#[test]
fn a_wrong_suite_is_refused_with_its_line_and_reason() {
    let fen = "6k1/5ppp/8/8/8/8/1K6/R7[] w - -";
    for (line, reason) in [
        (format!("{fen} id \"x\";"), "expected one of the operations bm, am and dm, got none"),
        (format!("{fen} bm;"), "expected an action after bm, got nothing"),
        (format!("{fen} dm two;"), "expected a number of actions from 1 after dm, got 'two'"),
        (format!("{fen} id \"x"), "the quotation that begins with \"x does not end"),
        (format!("{fen} am a1a9;"), "am 'a1a9': expected a move such as"),
        (format!("{fen} bm Ra1-b2;"), "bm 'Ra1-b2': illegal: the piece can't go there"),
        ("8/8 w - - dm 1".to_owned(), "bad FEN: "),
    ] {
        let done = solve("wrong.epd", &format!("# A suite.\n{line}\n"), &["--depth", "1"]);
        assert_eq!((done.out.as_str(), done.code), ("", Some(1)), "{line}");
        let place = "wrong.epd, line 2: ";
        assert!(
            done.err.starts_with("error: ") && done.err.contains(&format!("{place}{reason}")),
            "{}",
            done.err
        );
    }
    let empty = solve("empty.epd", "# Nothing.\n", &["--depth", "1"]);
    assert!(empty.err.ends_with("empty.epd: no position in it\n"), "{}", empty.err);
    let missing = run(&["analyse", "--file", "no such file"], "");
    assert!(missing.err.starts_with("error: no such file: "), "{}", missing.err);
    assert_eq!((empty.code, missing.code), (Some(1), Some(1)));
}
