//! The conformance rows: what broke other engines, as dialogues with the real binary, one test or more for each row, then
//! (in `conformance/contract.rs`) the points of the text contract.
//!
//! In every dialogue every line is checked for its form, every principal variation for its legality to the end, every
//! answer for its agreement with the last line, and in the end one `bestmove` for each `go`, exit code 0 and nothing on
//! standard error. Times are measured without the time for which ready threads waited for a processor.
//!
//! Long rows are shortened here and whole in ignored tests:
//!
//! ```text
//! cargo test --release --test conformance -- --ignored --test-threads 1
//! ```

#[path = "conformance/contract.rs"]
mod contract;
#[path = "conformance/engine.rs"]
mod engine;
#[path = "conformance/games.rs"]
mod games;
#[path = "conformance/info.rs"]
mod info;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};
use std::{fs, thread};

use engine::{BINARY, Engine, Search, alone, ms, run, together};
use games::Match;
use info::Value;
use kingchess::notation::read_legal_action;
use kingchess::rules::{Game, Outcome, Position, Wanted};
use kingchess::types::Short;

const M1: &str = "fen 6k1/5ppp/8/8/8/8/1K6/R7[] w - - 0 40";
const MATED: &str = "fen R5k1/5ppp/8/8/8/8/1K6/8[] b - - 1 40";
const STALE: &str = "fen 7k/5Q2/6K1/8/8/8/8/8[] b - - 0 60";
const MID: &str = "fen 6k1/5pb1/3p2p1/4p3/3PP3/6P1/5P2/6K1[QRRBBNNPPPPqrrlnnpppp] w - - 0 2";

/// Two developed sides and `n` times the knights there and back.
fn shuffle(n: usize) -> String {
    format!("startpos moves K@e1,N@g1 K@e8,N@g8{}", " g1f3 g8f6 f3g1 f6g8".repeat(n))
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

// A. Input thread, lifetime

#[test]
fn c01_isready_during_search() {
    let _turn = alone();
    let mut engine = Engine::start();
    engine.position("startpos");
    engine.send("go infinite");
    engine.alive();
    engine.alive();
    let lines = engine.silent(ms(2000));
    assert!(lines.iter().any(|line| line.text.starts_with("info depth")), "{}", engine.report());
    let watch = engine.watch();
    engine.send("stop");
    engine.answer(watch);
    engine.quit();
}

#[test]
fn c02_end_of_input_ends_the_process() {
    let _turn = alone();
    for threads in [1, 8] {
        for search in ["go infinite", "go ponder", ""] {
            let mut engine = Engine::start();
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.send("uci");
            engine.send("position startpos");
            if !search.is_empty() {
                engine.send(search);
            }
            if threads > 1 {
                engine.listen(ms(200));
            }
            let folder = engine.proc_folder();
            engine.close_input();
            engine.gone(Duration::from_secs(1));
            assert!(!folder.exists(), "something of the process is left");
        }
    }
}

#[test]
fn c02_quit_during_search_ends_the_process() {
    let _turn = alone();
    for threads in [1, 8] {
        for search in ["go infinite", "go ponder", "go depth 50", "go movetime 60000"] {
            let mut engine = Engine::start();
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.position("startpos");
            engine.send(search);
            engine.silent(ms(100));
            let folder = engine.proc_folder();
            engine.send("quit");
            engine.gone(Duration::from_secs(1));
            assert!(!folder.exists(), "something of the process is left");
        }
    }
}

#[test]
fn c03_stop_when_idle_is_not_remembered() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.send("stop");
    engine.send("stop");
    engine.position("startpos");
    engine.go_stop("infinite", ms(1000));
    engine.send("stop");
    engine.alive();
    engine.silent(ms(300));
    engine.quit();
}

// B. bestmove discipline

#[test]
fn c07_no_bestmove_in_ponder() {
    let _turn = together();
    for end in ["ponderhit", "stop"] {
        let mut engine = Engine::start();
        engine.position(M1);
        engine.send("go ponder wtime 1000 btime 1000");
        engine.silent(ms(3000));
        let watch = engine.watch();
        engine.send(end);
        let search = engine.answer(watch);
        assert_eq!(search.action(), "a1a8");
        assert!(search.took < ms(50), "{end}: {:?}", search.took);
        engine.quit();
    }
}

#[test]
fn c09_no_legal_action_at_the_root() {
    let _turn = together();
    let mut engine = Engine::start();
    for (fen, line) in [(MATED, "info depth 0 score mate 0"), (STALE, "info depth 0 score cp 0")] {
        engine.position(fen);
        let searches = [
            engine.go("depth 5"),
            engine.go("movetime 100"),
            engine.go_stop("ponder", ms(500)),
            engine.go_stop("infinite", ms(500)),
        ];
        for search in searches {
            let lines: Vec<&str> = search.lines.iter().map(|line| line.text.as_str()).collect();
            assert_eq!(lines, [line, "bestmove (none)"]);
        }
    }
    engine.quit();
}

#[test]
fn c10_an_action_however_short_the_search() {
    let _turn = together();
    let mut engine = Engine::start();
    for start in ["startpos", MID] {
        engine.position(start);
        for limit in ["movetime 1", "nodes 1", "wtime 1 btime 1", "depth 1"] {
            for _ in 0..100 {
                let search = engine.go(limit);
                assert!(search.best.is_some() && !search.infos().is_empty(), "{start}: {limit}");
            }
        }
    }
    engine.quit();
}

// C. Clock

/// The search, which must find an action within the limit. A busy machine may hold an engine up for longer than that,
/// but not three times in a row.
#[track_caller]
fn in_time(limit: Duration, what: &str, mut search: impl FnMut() -> Search) -> Search {
    let mut tries = Vec::new();
    for _ in 0..3 {
        let search = search();
        assert!(search.best.is_some(), "{what}");
        if search.took <= limit {
            return search;
        }
        tries.push(search.took);
    }
    panic!("{what}: {tries:?}");
}

#[test]
fn c15_negative_and_zero_times() {
    let _turn = alone();
    let mut engine = Engine::start();
    for start in ["startpos", MID] {
        engine.position(start);
        for limit in ["wtime -200 btime -4061 winc 0 binc 0", "movetime 0", "movetime -5", "wtime 0 btime 0"]
        {
            for _ in 0..10 {
                in_time(ms(50), &format!("{start}: {limit}"), || engine.go(limit));
            }
        }
    }
    engine.quit();
}

#[test]
fn c16_increment_above_the_clock() {
    let _turn = alone();
    let mut engine = Engine::start();
    for start in ["startpos", MID] {
        engine.position(start);
        in_time(ms(200), start, || engine.go("wtime 300 btime 300 winc 1000 binc 1000"));
        // The second clock of the row, ten times as fast.
        let search = engine.go("wtime 3260 btime 44342 winc 3000 binc 3000");
        assert!(search.took < ms(2200), "{start}: {:?}", search.took);
    }
    engine.quit();
}

#[test]
#[ignore = "long"]
fn c16_increment_above_the_clock_whole() {
    let _turn = alone();
    let mut engine = Engine::start();
    for start in ["startpos", MID] {
        engine.position(start);
        let search = engine.go("wtime 32607 btime 443426 winc 30000 binc 30000");
        assert!(search.took < ms(22_000), "{start}: {:?}", search.took);
    }
    engine.quit();
}

#[test]
fn c20_stop_is_seen_at_once() {
    let _turn = alone();
    let mut engine = Engine::start();
    for start in ["startpos", MID] {
        engine.position(start);
        let mut times: Vec<Duration> =
            (0..100).map(|_| in_time(ms(50), start, || engine.go_stop("infinite", ms(20))).took).collect();
        times.sort();
        let (median, longest) = (times[50], times[99]);
        println!("{start}: bestmove after stop: median {median:?}, longest {longest:?}");
        assert!(longest <= ms(50) && median <= ms(10), "{start}: median {median:?}, longest {longest:?}");
    }
    engine.quit();
}

#[test]
fn c20_movetime_is_kept() {
    let _turn = alone();
    let mut engine = Engine::start();
    for start in ["startpos", MID] {
        engine.position(start);
        for _ in 0..50 {
            in_time(ms(50), start, || engine.go("movetime 20"));
        }
    }
    engine.quit();
}

// D. Parsing

#[test]
fn c21_carriage_returns_blanks_and_empty_lines() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.send_bytes(
        b" uci \r\n\r\n\tisready\t\r\nposition  startpos   moves   K@e1,P@e4\r\ngo depth 2\r\nquit\r\n",
    );
    let lines = engine.listen(ms(1500));
    engine.gone(Duration::from_secs(1));
    let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let at = |word: &str| lines.iter().position(|line| *line == word).unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(lines[0].starts_with("id name ") && at("uciok") < at("readyok"), "{lines:#?}");
    assert!(
        lines[..at("uciok")].iter().all(|line| line.starts_with("id ") || line.starts_with("option name "))
    );
    assert!(!lines.iter().any(|line| line.starts_with("info string")), "{lines:#?}");
    let best = lines.iter().find_map(|line| line.strip_prefix("bestmove ")).unwrap_or_default();
    assert!(best.starts_with("K@") && best.contains(['5', '6', '7', '8']), "Black acts: {lines:#?}");
}

#[test]
fn c22_go_without_values() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position("startpos");
    for limit in [
        "",
        "ponder wtime 1000 btime 1000",
        "wtime btime 50000",
        "depth",
        "depth x",
        "depth 99999999999999999999",
    ] {
        assert!(engine.go_stop(limit, ms(200)).best.is_some());
        engine.alive();
    }
    let search = engine.go("foo depth 3");
    assert_eq!(search.last().depth, 3);
    // The known part of `wtime btime N` is honoured when Black is to act.
    engine.position("startpos moves K@e1");
    let search = engine.go("wtime btime 300");
    assert!(search.best.is_some() && search.took < ms(250), "{:?}", search.took);
    engine.quit();
}

#[test]
fn c25_malformed_actions() {
    let _turn = together();
    let mut engine = Engine::start();
    for word in [
        "K@é1",
        "е2е4",
        "K@",
        "@e4",
        "K@e1,",
        ",K@e1",
        "K@e1,,P@e4",
        "K@e1P@e4",
        "K@i1",
        "K@e9",
        "e2",
        "e2e2",
        "e7e8x",
    ] {
        let error = engine.error(&format!("position startpos moves {word}"));
        assert!(error.contains(&format!("'{word}'")), "{error}");
        engine.alive();
    }
    engine.quit();
}

#[test]
fn c25_bytes_that_are_no_text() {
    let _turn = together();
    let mut engine = Engine::start();
    for bytes in [
        &b"position startpos moves K@\xff1"[..],
        b"position startpos moves \xff",
        b"\xff\xfe",
        b"\xff",
        b"position startpos moves K@e1\0",
        b"\0",
        b"position startpos moves \xd0",
        b"setoption name \xff value \xff",
        b"validate \xf0\x9f",
        b"validate K@\0",
        b"position startpos moves e7e8\x01",
        b"position fen 8/8/8/8/8/8/8/7\x01[Kk] w - - 0 1",
        b"position fen 8/8/8/8/8/8/8/8[Kk\x01] w - - 0 1",
        b"position fen 8/8/8/8/8/8/8/8[Kk] \x01 - - 0 1",
        b"position fen 8/8/8/8/8/8/8/8[Kk] w \x01 - 0 1",
        b"position fen 8/8/8/8/8/8/8/8[Kk] w - \x01 0 1",
        b"position fen 8/8/8/8/8/8/8/8[Kk] w - - \x01 1",
    ] {
        engine.send_bytes(&[bytes, b"\n"].concat());
        engine.send("isready");
        let lines = engine.until("readyok", ms(1000));
        assert_eq!(lines.len(), 2, "one line says what is wrong: {}", engine.report());
        let said = &lines[0].text;
        assert!(said.starts_with("info string error ") || said.starts_with("invalid "), "{said}");
        engine.alive();
    }
    engine.position("startpos");
    engine.go("depth 1");
    engine.quit();
}

#[test]
fn c26_an_illegal_action_makes_the_position_invalid() {
    let _turn = together();
    let mut engine = Engine::start();
    let error = engine.error("position startpos moves K@e1,P@e4 K@e8 e4e6 e8e7");
    assert!(error.contains("'e4e6'"), "{error}");
    let lines = engine.ask("d");
    assert!(lines.iter().all(|line| line.starts_with("info string error ")), "{lines:#?}");
    assert_eq!(engine.go("depth 3").best, None);
    engine.position("startpos");
    assert!(engine.go("depth 1").best.is_some());
    engine.quit();
}

// E. Search limits

#[test]
fn c30_searchmoves() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position("startpos");
    let search = engine.go("searchmoves K@e1,P@e4 K@g1 depth 4");
    assert!(["K@e1,P@e4", "K@g1"].contains(&search.action()), "{}", search.action());
    assert_eq!(search.last().depth, 4);
    let search = engine.go("depth 4 searchmoves K@g1");
    assert_eq!((search.action(), search.last().depth), ("K@g1", 4));
    let search = engine.go("searchmoves e2e4 p@e4,k@e1 depth 2");
    assert_eq!(search.action(), "K@e1,P@e4");
    assert_eq!(engine.go("searchmoves e2e4 depth 2").best, None);
    assert_eq!(engine.go("searchmoves 0000").best, None);
    engine.alive();
    engine.quit();
}

#[test]
fn c31_multipv_above_the_number_of_actions() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 10");
    engine.position("fen 7k/8/5Q2/8/8/8/8/K7[] b - - 0 1");
    let infos = engine.go("depth 8").infos();
    assert!(infos.iter().all(|info| (1..=2).contains(&info.multipv)));
    for line in [1, 2] {
        assert!(infos.iter().any(|info| info.multipv == line && info.depth == 8), "line {line}");
    }
    let firsts: Vec<&str> = infos.iter().rev().take(2).map(|info| info.pv[0].as_str()).collect();
    assert_ne!(firsts[0], firsts[1]);
    engine.quit();
}

#[test]
fn c31_many_lines_keep_time_and_memory() {
    let _turn = alone();
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 500");
    engine.position("startpos");
    engine.go("depth 1");
    let before = engine.memory("VmRSS:");
    let search = engine.go("movetime 1000");
    assert!(search.took <= ms(1050), "{:?}", search.took);
    assert!(search.infos().iter().any(|info| info.multipv > 10));
    let grown = engine.memory("VmRSS:").saturating_sub(before);
    assert!(grown < 64 << 10, "memory grew by {grown} kB");
    engine.quit();
}

// F. Options

#[test]
fn c35_impossible_hash_sizes() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position(M1);
    for value in [" value 99999999", " value -16", " value 0", " value abc", " value", ""] {
        let lines = engine.ask(&format!("setoption name Hash{value}"));
        let messages = lines.iter().filter(|line| line.starts_with("info string ")).count();
        assert!(messages >= 1 && messages == lines.len(), "{value}: {lines:#?}");
        engine.alive();
        assert_eq!(engine.go("depth 2").action(), "a1a8");
    }
    engine.quit();
}

#[test]
fn c35_memory_follows_the_hash_size() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position(M1);
    let mut size = |megabytes: u64| {
        engine.send(&format!("setoption name Hash value {megabytes}"));
        // Emptying touches every page, so that the memory is really used. (The size of the address space tells less: it
        // jumps when a thread first asks for memory of its own.)
        engine.send("setoption name Clear Hash");
        engine.go("depth 1");
        (engine.memory("VmRSS:") / 1024) as i64
    };
    let sizes: Vec<i64> = [1, 128, 32, 128, 1].into_iter().map(&mut size).collect();
    let steps: Vec<i64> = sizes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    for (&step, expected) in steps.iter().zip([127, -96, 96, -127]) {
        assert!(
            (step - expected).abs() <= 16,
            "expected a step of {expected} MB, got {steps:?} of {sizes:?}"
        );
    }
    engine.quit();
}

// G. FEN and rules on set-up

#[test]
fn c42_impossible_castling_letters() {
    let _turn = together();
    let mut engine = Engine::start();
    for (fen, dropped, left) in [
        ("4k3/8/8/8/8/8/8/4K3[] w KQkq - 0 1", "KQkq", "-"),
        ("r3k2r/8/8/8/8/8/8/R4K1R[] w KQkq - 0 1", "KQ", "kq"),
        ("4k2R/8/8/8/8/8/8/4K3[] b k - 0 1", "k", "-"),
    ] {
        let lines = engine.ask(&format!("position fen {fen}"));
        for letter in dropped.chars() {
            let named =
                |line: &String| line.starts_with("info string ") && line.contains(&format!(" {letter} "));
            assert!(lines.iter().any(named), "{letter}: {lines:#?}");
        }
        let shown = engine.shown("Fen");
        assert_eq!(shown.split(' ').nth(2), Some(left), "{shown}");
    }
    engine.quit();
}

/// The last action after the others: its verdict, the same at every step for the FEN that `d` shows.
#[track_caller]
fn verdict(engine: &mut Engine, actions: &str) -> bool {
    let words: Vec<&str> = actions.split(' ').collect();
    let mut last = false;
    for played in 0..words.len() {
        let moves = if played == 0 { String::new() } else { format!(" moves {}", words[..played].join(" ")) };
        engine.position(&format!("startpos{moves}"));
        let (fen, key) = (engine.shown("Fen"), engine.shown("Key"));
        last = engine.is_valid(words[played]);
        engine.position(&format!("fen {fen}"));
        assert_eq!(
            (engine.shown("Fen"), engine.shown("Key")),
            (fen.clone(), key),
            "after {:?}",
            &words[..played]
        );
        // The last word may come back early, and must be judged alike there too.
        for word in &words[played..] {
            let from_fen = engine.is_valid(word);
            engine.position(&format!("startpos{moves}"));
            assert_eq!(engine.is_valid(word), from_fen, "{word} in {fen}");
            engine.position(&format!("fen {fen}"));
        }
    }
    last
}

#[test]
fn c43_castling_after_placing() {
    let _turn = together();
    let mut engine = Engine::start();
    for legal in [
        "K@e1,R@h1 K@e8,P@a7 h1h3 a7a6 R@h1 a6a5 e1g1",
        "K@e1 K@e8,P@a7 R@h1 a7a6 e1g1",
        "K@e1,R@a1 K@e8,R@b8 e1c1",
    ] {
        assert!(verdict(&mut engine, legal), "{legal}");
    }
    for illegal in [
        "K@e1,R@h1 K@e8,P@a7 h1h3 a7a6 h3h1 a6a5 e1g1",
        "K@d1,P@a2 K@e8,P@a7 d1e1 a7a6 R@h1 a6a5 e1g1",
        "K@e1,R@a1 K@e8,R@d8 e1c1",
    ] {
        assert!(!verdict(&mut engine, illegal), "{illegal}");
    }
    engine.quit();
}

#[test]
fn c44_en_passant_only_when_legal() {
    let _turn = together();
    let mut engine = Engine::start();
    for (fen, capture, legal) in [
        ("4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 2", "e5d6", true),
        ("8/8/8/r2Pp2K/8/8/4k3/8[] w - e6 0 1", "d5e6", false),
        ("4k3/8/8/8/8/8/8/4K3[] w - e6 0 1", "d5e6", false),
    ] {
        let square = fen.split(' ').nth(3).unwrap_or_default();
        let without = fen.replace(&format!(" {square} "), " - ");
        let lines = engine.ask(&format!("position fen {fen}"));
        assert_eq!(lines.is_empty(), legal, "a message says what was left out: {lines:#?}");
        let (shown, key) = (engine.shown("Fen"), engine.shown("Key"));
        assert_eq!(shown, if legal { fen } else { &without });
        assert_eq!(engine.is_valid(capture), legal, "{fen}");
        engine.position(&format!("fen {without}"));
        assert_eq!(engine.shown("Key") == key, !legal, "{fen}");
    }
    assert!(verdict(&mut engine, "K@e1,P@d2 K@e8,P@e5 P@a2 e5e4 d2d4 e4d3"));
    for illegal in ["K@e1,P@a2 K@e8,P@e5 P@b2 e5e4 P@d4 e4d3", "K@e1,P@d3 K@e8 d3d5"] {
        assert!(!verdict(&mut engine, illegal), "{illegal}");
    }
    engine.position("startpos moves K@e1,P@d2 K@e8,P@e5 P@a2 e5e4 d2d4");
    assert_eq!(engine.shown("Fen").split(' ').nth(3), Some("d3"));
    engine.position("startpos moves K@e1,P@d2 K@e8,P@h5 P@a2 h5h4 d2d4");
    assert_eq!(engine.shown("Fen").split(' ').nth(3), Some("-"));
    engine.quit();
}

#[test]
fn c46_impossible_positions() {
    let _turn = together();
    let mut engine = Engine::start();
    for fen in ["4k3/8/8/8/8/8/8/4RK2[] w - - 0 1", "8/8/8/3kK3/8/8/8/8[] w - - 0 1"] {
        engine.error(&format!("position fen {fen}"));
        assert_eq!(engine.go("depth 1").best, None);
    }
    let fen = "k7/8/8/3pP3/8/7n/5K2/8[] w - d6 0 1";
    let lines = engine.ask(&format!("position fen {fen}"));
    assert!(lines.len() == 1 && lines[0].contains("d6"), "{lines:#?}");
    assert_eq!(engine.shown("Fen"), fen.replace("d6", "-"));
    assert_eq!(engine.shown("Checkers"), "h3");
    assert!(!engine.is_valid("e5d6"));
    engine.quit();
}

#[test]
fn c52_evasions_by_several_drops() {
    let _turn = together();
    let mut engine = Engine::start();
    let cases: [(&str, &[&str], &[&str]); 4] = [
        (
            "fen 7k/8/8/8/8/8/1B6/K6R[np] b - - 0 20",
            &["N@g7,P@h7", "P@g7,N@h7", "N@h5,P@e5", "h8g8"],
            &["N@g7", "P@h7"],
        ),
        ("fen k3r3/8/8/8/1b6/8/8/4K3[QRRBBNNPPPPPPPP] w - - 0 3", &["P@e2,P@d2", "N@e3,B@c3"], &["P@e2"]),
        ("startpos moves K@e1,Q@e4", &["K@e8,P@e7"], &["K@e8"]),
        (
            "fen 4k3/8/8/8/B7/8/8/K2QRR2[DNNPPPPPPPPqrrbbnnpppppppp] b - - 0 3",
            &["N@d7,P@e7"],
            &["N@d7", "P@e7"],
        ),
    ];
    for (setup, legal, illegal) in cases {
        engine.position(setup);
        for action in legal {
            assert!(engine.is_valid(action), "{setup}: {action}");
        }
        for action in illegal {
            assert!(!engine.is_valid(action), "{setup}: {action}");
        }
        for depth in 1..=5 {
            let search = engine.go(&format!("depth {depth}"));
            assert!(search.best.is_some());
            assert!(
                !search.infos().iter().any(|info| matches!(info.value, Value::Mate(-1..=0))),
                "{setup}: called mate too early: {}",
                engine.report()
            );
        }
    }
    engine.quit();
}

#[test]
fn c52_a_mate_no_drop_can_parry() {
    let _turn = together();
    let mut engine = Engine::start();
    let fen = "8/8/8/8/7k/5K2/8/8[Qqr] w - - 0 30";
    engine.position(&format!("fen {fen}"));
    assert!(engine.is_valid("Q@g4"));
    let search = engine.go("depth 4");
    assert_eq!(search.last().value, Value::Mate(1));
    let action = read_legal_action(search.action(), &position(fen)).unwrap_or_else(|error| panic!("{error}"));
    assert!(position(fen).after(action).is_checkmate());
    engine.position(&format!("fen {fen} moves Q@g4"));
    assert_eq!(engine.result(), "checkmate");
    engine.quit();
}

// H. Draws, hash, repeatability

#[test]
fn c54_mate_on_the_hundredth_ply() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position("fen 8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8[] w - - 99 113");
    let search = engine.go("depth 5");
    assert_eq!((search.action(), search.last().value), ("g3h3", Value::Mate(1)));
    engine.quit();
}

#[test]
fn c56_long_games() {
    let _turn = together();
    let mut engine = Engine::start();
    for n in [64, 128, 400] {
        engine.position(&shuffle(n));
        assert!(engine.go("depth 6").best.is_some());
        // 400 rounds are past the fifty-action rule too; whichever is named, the game is drawn.
        let result = engine.result();
        assert!(result == "repetition" || n > 24 && result == "fifty", "{n}: {result}");
        assert_eq!(engine.shown("Repetitions"), (n + 1).to_string());
        engine.alive();
    }
    engine.quit();
}

#[test]
fn c57_what_repeats_and_what_does_not() {
    let _turn = together();
    let mut engine = Engine::start();
    let cycle = " g1f3 g8f6 f3g1 f6g8";
    let en_passant = "startpos moves K@e1,P@d2,N@g1 K@e8,P@e5,N@g8 P@a2 e5e4 d2d4";
    let black_cycle = " g8f6 g1f3 f6g8 f3g1";
    let castling = "startpos moves K@e1,R@h1 K@e8,N@g8";
    let king_cycle = " e1e2 g8f6 e2e1 f6g8";
    for (setup, times, result) in [
        (shuffle(1), 2, "none"),
        (format!("{} g1f3 g8f6 f3g1", shuffle(1)), 2, "none"),
        (shuffle(2), 3, "repetition"),
        (format!("{} P@a2 P@a7{cycle}", shuffle(1)), 2, "none"),
        (format!("{} P@a2 P@a7{cycle}{cycle}", shuffle(1)), 3, "repetition"),
        (format!("{castling}{}", king_cycle.repeat(2)), 2, "none"),
        (format!("{castling}{}", king_cycle.repeat(3)), 3, "repetition"),
        (format!("{en_passant}{}", black_cycle.repeat(2)), 2, "none"),
        (format!("{en_passant}{}", black_cycle.repeat(3)), 3, "repetition"),
    ] {
        engine.position(&setup);
        assert_eq!(engine.shown("Repetitions"), times.to_string(), "{setup}");
        assert_eq!(engine.result(), result, "{setup}");
    }
    engine.quit();
}

#[test]
fn c57_the_search_knows_the_repetition() {
    let _turn = together();
    let mut engine = Engine::start();
    // White, a rook down, saves itself only by coming back for the third time.
    engine.position(
        "fen 5rk1/5p1p/8/7Q/8/8/q4PPP/6K1[] w - - 0 1 moves h5g5 g8h8 g5f6 h8g8 f6g5 g8h8 g5f6 h8g8",
    );
    let search = engine.go("depth 6");
    assert_eq!((search.action(), search.last().value), ("f6g5", Value::Cp(0)));
    engine.quit();
}

#[test]
fn c58_colliding_entries() {
    let _turn = together();
    Match { games: 6, threads: 8, hash: &[1], limit: "movetime 10", seed: 58 }.play();
}

#[test]
#[ignore = "2,000 games: hours"]
fn c58_colliding_entries_whole() {
    let _turn = together();
    Match { games: 2000, threads: 8, hash: &[1], limit: "movetime 10", seed: 1 }.play();
}

#[test]
fn c58_hash_sizes_that_are_no_powers_of_two() {
    let _turn = together();
    Match { games: 4, threads: 2, hash: &[1, 3, 7, 100], limit: "nodes 500", seed: 580 }.play();
}

#[test]
#[ignore = "long"]
fn c58_hash_sizes_that_are_no_powers_of_two_whole() {
    let _turn = together();
    Match { games: 100, threads: 8, hash: &[1, 3, 7, 100], limit: "movetime 10", seed: 580 }.play();
}

#[test]
fn c58_an_action_code_is_legal_if_and_only_if_generated() {
    let fens = [
        "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1",
        "6k1/5pb1/3p2p1/4p3/3PP3/6P1/5P2/6K1[QRRBBNNPPPPqrrlnnpppp] w - - 0 2",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1",
        "7k/8/8/8/8/8/1B6/K6R[np] b - - 0 20",
        "k3r3/8/8/8/1b6/8/8/4K3[QRRBBNNPPPPPPPP] w - - 0 3",
        "4k3/8/8/3pP3/8/8/8/4K3[RN] w E d6 0 2",
        "4k2r/PP6/8/8/8/8/pp6/R3K2R[Pp] b KQk - 0 9",
    ];
    for fen in fens {
        let position = position(fen);
        let mut generated = vec![false; 1 << 16];
        position.visit_moves(Wanted::ALL, |targets| {
            targets.moves().for_each(|mv| generated[usize::from(Short::from(mv).code())] = true);
            false
        });
        position.visit_single_drops(|kind, squares| {
            for square in squares {
                let drop = kingchess::types::Drop { kind: kind.kind(), square };
                generated[usize::from(Short::from(drop).code())] = true;
            }
        });
        for code in 0..=u16::MAX {
            let legal = Short::from_code(code).is_some_and(|short| position.is_legal_short(short));
            assert_eq!(legal, generated[usize::from(code)], "{code:#06x} in {fen}");
        }
    }
}

/// The node total a benchmark ends with.
#[track_caller]
fn total(lines: &[String]) -> u64 {
    let words: Vec<&str> = lines.last().map(|line| line.split(' ').collect()).unwrap_or_default();
    match words[..] {
        [nodes, "nodes", rate, "nps"] if rate.parse::<u64>().is_ok() => {
            nodes.parse().expect("a number of nodes")
        }
        _ => panic!("expected 'N nodes M nps' last, got {lines:#?}"),
    }
}

/// The total of `engine bench` at a depth, by this binary.
#[track_caller]
fn bench_of(binary: &Path, depth: u32) -> u64 {
    let done =
        Command::new(binary).args(["bench", "--depth", &depth.to_string()]).output().expect("it starts");
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    total(&String::from_utf8_lossy(&done.stdout).lines().map(str::to_owned).collect::<Vec<_>>())
}

fn benchmarks_agree(depth: u32) -> u64 {
    let first = bench_of(Path::new(BINARY), depth);
    for _ in 0..2 {
        assert_eq!(bench_of(Path::new(BINARY), depth), first, "another run");
    }
    let mut engine = Engine::start();
    engine.position(MID);
    engine.go("depth 4");
    for _ in 0..2 {
        engine.send(&format!("bench depth {depth}"));
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.ends_with(" nps")) {
            lines.push(engine.next(ms(120_000)).expect("a line of the benchmark").text);
        }
        assert_eq!(total(&lines), first, "in a session, after other positions");
    }
    engine.quit();
    let at_once: Vec<_> = (0..8).map(|_| thread::spawn(move || bench_of(Path::new(BINARY), depth))).collect();
    for thread in at_once {
        assert_eq!(thread.join().expect("a total"), first, "eight at once");
    }
    first
}

/// The binary of the other profile beside this one, if it is there and newer than all sources.
fn other_profile() -> Option<PathBuf> {
    fn newest(folder: &Path) -> Option<SystemTime> {
        let entries = fs::read_dir(folder).ok()?.flatten();
        entries
            .filter_map(|entry| match entry.metadata().ok()? {
                data if data.is_dir() => newest(&entry.path()),
                data => data.modified().ok(),
            })
            .max()
    }
    let other = Path::new(BINARY).parent()?.parent()?.join(OTHER_PROFILE).join("engine");
    let built = other.metadata().ok()?.modified().ok()?;
    let changed = newest(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))?;
    (built > changed).then_some(other)
}

const OTHER_PROFILE: &str = if cfg!(debug_assertions) { "release" } else { "debug" };

#[test]
fn c62_bench_totals_are_identical() {
    let _turn = together();
    let total = benchmarks_agree(3);
    match other_profile() {
        Some(other) => assert_eq!(bench_of(&other, 3), total, "{OTHER_PROFILE} build"),
        None => println!("no fresh {OTHER_PROFILE} build to compare with"),
    }
}

#[test]
#[ignore = "builds the other profile, and takes minutes"]
fn c62_bench_totals_are_identical_whole() {
    let _turn = together();
    let total = benchmarks_agree(8);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--bin", "engine"]);
    cargo.args((OTHER_PROFILE == "release").then_some("--release"));
    let target = Path::new(BINARY).parent().and_then(Path::parent).expect("a target folder");
    cargo.arg("--target-dir").arg(target);
    assert!(cargo.status().is_ok_and(|status| status.success()), "the {OTHER_PROFILE} build");
    assert_eq!(bench_of(&target.join(OTHER_PROFILE).join("engine"), 8), total, "{OTHER_PROFILE} build");
}

#[test]
#[ignore = "only a release build is as fast as it must be"]
fn c62_bench_takes_at_most_15_seconds() {
    let _turn = alone();
    let start = std::time::Instant::now();
    let (code, lines, _) = run(&["bench"]);
    let took = start.elapsed();
    assert_eq!(code, Some(0));
    println!("{} nodes in {took:?}", total(&lines));
    assert!(cfg!(debug_assertions) || took < Duration::from_secs(15), "{took:?}");
}

// I. Output

/// Each search is checked by [`Engine`]: the last line is exact and begins with the action.
fn last_lines_are_exact(rounds: usize) {
    let setups = [
        "startpos",
        MID,
        "startpos moves K@e1,P@e4 K@e8,P@e5",
        "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1",
        "fen 4k3/8/8/8/B7/8/8/K2QRR2[DNNPPPPPPPPqrrbbnnpppppppp] b - - 0 3",
        "fen 7k/8/5K2/8/8/8/8/R7[] w - - 0 60",
        "fen 8/8/8/3k4/8/3K4/8/8[] w - - 0 1",
        "fen 6k1/5pb1/3p2p1/4p3/PP1PP1NN/BB3RP1/Q4PPP/2R3K1[qrrlnnpppp] b - - 0 2",
    ];
    let mut engine = Engine::start();
    let (mut searches, mut single) = (0, 0);
    for round in 0..rounds {
        engine.position(setups[round % setups.len()]);
        for search in [engine.go("nodes 5000"), engine.go("movetime 37"), engine.go_stop("infinite", ms(20))]
        {
            let last = search.last();
            assert!(last.exact && last.pv[0] == search.action());
            searches += 1;
            single += usize::from(last.pv.len() == 1);
        }
    }
    println!("{single} of {searches} last lines had a single action");
    engine.quit();
}

#[test]
fn c63_the_last_line_is_exact() {
    let _turn = together();
    last_lines_are_exact(40);
}

#[test]
#[ignore = "long"]
fn c63_the_last_line_is_exact_whole() {
    let _turn = together();
    last_lines_are_exact(200);
}

#[test]
fn c64_variations_are_legal_one_thread() {
    let _turn = together();
    Match { games: 4, threads: 1, hash: &[16], limit: "nodes 1500", seed: 64 }.play();
}

#[test]
fn c64_variations_are_legal_eight_threads() {
    let _turn = together();
    Match { games: 4, threads: 8, hash: &[16], limit: "nodes 1500", seed: 640 }.play();
}

#[test]
#[ignore = "long"]
fn c64_variations_are_legal_whole() {
    let _turn = together();
    for threads in [1, 8] {
        Match { games: 100, threads, hash: &[16], limit: "movetime 30", seed: 6400 }.play();
    }
}

#[test]
fn c64_games_end_as_the_rules_say() {
    // The referee of the matches itself: a game that has ended is seen to have ended.
    let mated = Game::new(position(MATED.trim_start_matches("fen ")));
    assert_eq!(mated.outcome(), Some(Outcome::Checkmate));
}

// The figures of bench/README.md

/// Wall time and memory as a user meets them, nothing deducted:
/// `cargo test --release --test conformance process_figures -- --ignored --nocapture`.
#[test]
#[ignore = "prints figures; means something on a quiet machine only"]
fn process_figures() {
    let _turn = alone();
    let middle = |mut times: Vec<Duration>| {
        times.sort();
        (times[times.len() / 2], times[times.len() - 1])
    };
    let (median, longest) = middle((0..50).map(|_| raw_handshake()).collect());
    println!("uciok after process start: median {median:.1?}, longest {longest:.1?}");
    assert!(median <= ms(50));
    for start in ["startpos", MID] {
        let (median, longest) = middle((0..100).map(|_| raw_stop(start)).collect());
        println!("bestmove after stop, {start}: median {median:.1?}, longest {longest:.1?}");
        assert!(median <= ms(10));
    }
    for (hash, threads) in [(16, 1), (64, 1), (64, 2)] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Hash value {hash}"));
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.position("startpos");
        engine.go("movetime 5000");
        let beyond = (engine.memory("VmHWM:") as i64) / 1024 - hash;
        println!("peak memory with Hash {hash} and {threads} threads: Hash + {beyond} MB");
        assert!(beyond <= 32);
        engine.quit();
    }
}

/// From the start of a process to `uciok`, over plain pipes.
fn raw_handshake() -> Duration {
    let start = Instant::now();
    let (mut child, mut input, mut output) = raw_engine();
    input.write_all(b"uci\n").expect("a pipe");
    raw_until(&mut output, "uciok");
    let took = start.elapsed();
    drop(input);
    child.wait().expect("an end");
    took
}

/// From `stop` to `bestmove`, 20 ms into a search.
fn raw_stop(position: &str) -> Duration {
    let (mut child, mut input, mut output) = raw_engine();
    write!(input, "position {position}\ngo infinite\n").expect("a pipe");
    std::thread::sleep(ms(20));
    let start = Instant::now();
    input.write_all(b"stop\n").expect("a pipe");
    raw_until(&mut output, "bestmove");
    let took = start.elapsed();
    drop(input);
    child.wait().expect("an end");
    took
}

fn raw_engine() -> (std::process::Child, std::process::ChildStdin, BufReader<std::process::ChildStdout>) {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_engine"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the engine");
    let input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    (child, input, output)
}

fn raw_until(output: &mut impl BufRead, word: &str) {
    let mut line = String::new();
    while !line.starts_with(word) {
        line.clear();
        assert_ne!(output.read_line(&mut line).expect("text"), 0, "the engine has ended");
    }
}
