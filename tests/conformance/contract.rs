//! The points of the text contract, beyond the rows of the conformance list.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use kingchess::rules::Position;
use kingchess::types::{Color, MAX_DROPS};

use crate::engine::{BINARY, Engine, alone, ms, run, together};
use crate::info::{self, Value};
use crate::{MATED, MID, STALE, position};

const START: &str = "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1";
const FIRST_ACTIONS: &str = "legal actions 5301704096885440";

// The first dialogue and the options

#[test]
fn uci_is_answered_within_100_ms_of_the_start() {
    let _turn = alone();
    let mut times: Vec<Duration> = (0..7)
        .map(|_| {
            let start = std::time::Instant::now();
            let mut engine = Engine::start();
            engine.send("uci");
            let lines = engine.until("uciok", ms(5000));
            let took = lines[lines.len() - 1].at - start;
            engine.quit();
            took
        })
        .collect();
    times.sort();
    assert!(times[3] < ms(100), "{times:?}");
}

#[test]
fn uci_lists_the_options() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok", ms(5000));
    let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert!(lines[0].starts_with("id name ") && lines[1].starts_with("id author "), "{lines:#?}");
    for (name, kind) in [
        ("Hash", "spin"),
        ("Threads", "spin"),
        ("Clear Hash", "button"),
        ("Ponder", "check"),
        ("MultiPV", "spin"),
        ("Move Overhead", "spin"),
        ("UCI_Variant", "combo"),
        ("UCI_AnalyseMode", "check"),
        ("UCI_ShowWDL", "check"),
        ("UCI_LimitStrength", "check"),
        ("UCI_Elo", "spin"),
    ] {
        let head = format!("option name {name} type {kind}");
        let rest: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix(head.as_str())).collect();
        let &[rest] = rest.as_slice() else { panic!("{head}: {lines:#?}") };
        let words: Vec<&str> = rest.split_whitespace().collect();
        match (kind, &words[..]) {
            ("button", []) | ("check", ["default", "true" | "false"]) => {}
            ("spin", ["default", default, "min", min, "max", max]) => {
                let number = |word: &str| word.parse::<i64>().unwrap_or_else(|_| panic!("{head}{rest}"));
                assert!((number(min)..=number(max)).contains(&number(default)), "{head}{rest}");
            }
            ("combo", ["default", "kingchess", "var", "kingchess", "var", "chess"]) => {}
            _ => panic!("{head}{rest}"),
        }
    }
    let head = |line: &&str| line.starts_with("id ") || line.starts_with("option name ");
    assert!(lines[..lines.len() - 1].iter().all(head), "{lines:#?}");
    engine.quit();
}

#[test]
fn option_names_are_case_blind() {
    let _turn = together();
    let mut engine = Engine::start();
    for line in [
        "setoption name hash value 8",
        "setoption name MOVE overhead value 20",
        "SETOPTION NAME multipv VALUE 2",
        "setoption name clear hash",
        "setoption name uci_showwdl value TRUE",
    ] {
        assert_eq!(engine.ask(line), [""; 0], "{line}");
    }
    engine.position("startpos");
    let infos = engine.go("depth 2").infos();
    assert!(infos.iter().any(|info| info.multipv == 2) && infos.iter().all(|info| info.wdl.is_some()));
    engine.quit();
}

#[test]
fn options_out_of_range_are_clamped_with_a_message() {
    let _turn = together();
    let mut engine = Engine::start();
    for (name, value, clamped) in [
        ("Threads", "0", "1"),
        ("Threads", "100000", "256"),
        ("MultiPV", "501", "500"),
        ("Move Overhead", "-1", "0"),
        ("UCI_Elo", "99999999999999999999", "2400"),
        ("Hash", "-99999999999999999999", "1"),
    ] {
        let lines = engine.ask(&format!("setoption name {name} value {value}"));
        let [line] = lines.as_slice() else { panic!("{name}: {lines:#?}") };
        assert!(line.starts_with("info string ") && line.contains(name), "{line}");
        assert!(line.split(|letter: char| !letter.is_ascii_digit()).any(|word| word == clamped), "{line}");
    }
    engine.send("setoption name Threads value 1");
    engine.quit();
}

#[test]
fn unknown_options_and_values_give_a_message() {
    let _turn = together();
    let mut engine = Engine::start();
    for (line, word) in [
        ("setoption name Contempt value 3", "Contempt"),
        ("setoption name Ponder value maybe", "maybe"),
        ("setoption name UCI_Variant value shogi", "shogi"),
        ("setoption name Threads value two", "two"),
        ("setoption", "name"),
        ("setoption name", "name"),
    ] {
        let error = engine.error(line);
        assert!(error.contains(word), "{error}");
    }
    engine.quit();
}

#[test]
fn variant_is_announced() {
    let _turn = together();
    let mut engine = Engine::start();
    assert_eq!(
        engine.ask("setoption name UCI_Variant value kingchess"),
        [format!(
            "info string variant kingchess files 8 ranks 8 pocket 6 template crazyhouse startpos {START}"
        )]
    );
    let lines = engine.ask("setoption name UCI_Variant value chess");
    let [line] = lines.as_slice() else { panic!("{lines:#?}") };
    assert!(line.starts_with("info string variant chess files 8 ranks 8 "), "{line}");
    assert!(line.ends_with("startpos rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{line}");
    engine.quit();
}

#[test]
fn chess_is_played_as_chess() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_Variant value chess");
    engine.send("position startpos");
    assert_eq!(engine.shown("Fen"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(perft(&mut engine, 3), "Nodes searched: 8902");
    engine.send("position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
    assert_eq!(perft(&mut engine, 4), "Nodes searched: 43238");
    engine.quit();
}

#[test]
fn new_game_keeps_options() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.ask("setoption name MultiPV value 3");
    engine.ask("ucinewgame");
    engine.position("startpos");
    assert!(engine.go("depth 2").infos().iter().any(|info| info.multipv == 3));
    engine.quit();
}

#[test]
fn limited_strength_answers_like_any_other() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_LimitStrength value true");
    engine.ask("setoption name UCI_Elo value 800");
    for setup in ["startpos", MID] {
        engine.position(setup);
        for _ in 0..10 {
            engine.go("movetime 50");
        }
        engine.go_stop("infinite", ms(200));
        engine.go_stop("ponder wtime 1000 btime 1000", ms(200));
    }
    engine.quit();
}

// legal, validate, perft

/// The lines of `legal`, without the closing one.
fn legal(engine: &mut Engine) -> Vec<String> {
    engine.send("legal");
    let lines = engine.until("legalok", ms(5000));
    lines[..lines.len() - 1].iter().map(|line| line.text.clone()).collect()
}

#[test]
fn legal_at_the_start() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position("startpos");
    let lines = legal(&mut engine);
    assert_eq!(lines[0], "legal moves");
    let all: Vec<String> =
        (1..=4).flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}"))).collect();
    for (line, letter) in lines[1..7].iter().zip("KQRBNP".chars()) {
        let squares = if letter == 'P' { &all[8..] } else { &all[..] };
        assert_eq!(*line, format!("legal drop {letter} {}", squares.join(" ")));
    }
    assert_eq!(lines[7..], [FIRST_ACTIONS, "legal result none"]);
    engine.quit();
}

/// What `legal` must say, by enumeration.
fn legal_by_enumeration(fen: &str) -> Vec<String> {
    let position: Position = position(fen);
    let actions = position.actions(MAX_DROPS).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let tokens: Vec<String> =
        actions.iter().map(|action| action.token(position.side()).to_string()).collect();
    let mut moves: Vec<&str> =
        tokens.iter().map(String::as_str).filter(|token| !token.contains('@')).collect();
    moves.sort_unstable();
    let mut lines = vec![["legal moves"].into_iter().chain(moves).collect::<Vec<_>>().join(" ")];
    let reserve = fen.split(['[', ']']).nth(1).unwrap_or_default();
    for letter in "KQRBNP".chars() {
        let own = |held: char| {
            let mine = held.is_ascii_uppercase() == (position.side() == Color::White);
            let held = held.to_ascii_uppercase();
            mine && (held == letter || letter == 'B' && (held == 'L' || held == 'D'))
        };
        if !reserve.chars().any(own) {
            continue;
        }
        let drops = tokens.iter().flat_map(|token| token.split(','));
        let mut squares: Vec<&str> =
            drops.filter_map(|drop| drop.strip_prefix(letter)?.strip_prefix('@')).collect();
        squares.sort_unstable_by_key(|square| (square.chars().nth(1), square.chars().next()));
        squares.dedup();
        lines.push(format!("legal drop {letter} {}", squares.join(" ")).trim_end().to_owned());
    }
    lines.push(format!("legal actions {}", tokens.len()));
    lines
}

#[test]
fn legal_agrees_with_enumeration() {
    let _turn = together();
    let mut engine = Engine::start();
    for fen in [
        "7k/8/8/8/8/8/1B6/K6R[np] b - - 0 20",
        "4k3/8/8/8/8/8/8/4K3[QLdn] w - - 0 1",
        "k3r3/8/8/8/1b6/8/8/4K3[NP] w - - 0 3",
        "k3r3/8/8/8/1b6/8/8/4K3[RLP] w - - 0 3",
        "8/P5k1/8/8/8/8/8/R3K2R[] w KQ - 0 9",
        "4k3/8/8/3pP3/8/8/8/4K3[P] w - d6 0 2",
        "6k1/5ppp/8/8/8/8/1K6/R7[] w - - 0 40",
        "4k3/8/3N4/8/8/8/8/4K3[rp] b - - 0 9",
    ] {
        engine.position(&format!("fen {fen}"));
        let mut lines = legal(&mut engine);
        assert_eq!(lines.pop().as_deref(), Some("legal result none"), "{fen}");
        let mut words: Vec<&str> = lines[0].split(' ').skip(2).collect();
        words.sort_unstable();
        lines[0] = ["legal moves"].into_iter().chain(words).collect::<Vec<_>>().join(" ");
        assert_eq!(lines, legal_by_enumeration(fen), "{fen}");
    }
    engine.quit();
}

#[test]
fn legal_names_the_result() {
    let _turn = together();
    let mut engine = Engine::start();
    for (setup, actions, result) in [
        (MATED, "0", "checkmate"),
        (STALE, "0", "stalemate"),
        ("fen 7k/8/5K2/8/8/8/8/R7[] w - - 100 90", "", "fifty"),
        ("fen 8/8/8/3k4/8/3K4/8/8[] w - - 0 1", "5", "material"),
        ("startpos moves K@h4 K@a8,Q@h5,R@h8,B@d6", "0", "checkmate"),
    ] {
        engine.position(setup);
        let lines = legal(&mut engine);
        assert_eq!(lines.last(), Some(&format!("legal result {result}")), "{setup}");
        let count = lines[lines.len() - 2].strip_prefix("legal actions ");
        assert!(count.is_some_and(|count| actions.is_empty() || count == actions), "{setup}: {lines:#?}");
    }
    engine.quit();
}

#[test]
fn legal_without_a_position_still_ends() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.error("position fen 8/8");
    let lines = legal(&mut engine);
    assert!(lines.iter().all(|line| line.starts_with("info string error ")), "{lines:#?}");
    engine.quit();
}

#[test]
fn validate_says_why() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position("startpos");
    for (action, expected) in [
        ("K@e1,P@e4,P@d4,N@f3", "valid K@e1,N@f3,P@d4,P@e4"),
        ("p@E4,k@e1", "valid K@e1,P@e4"),
        ("K@a4", "valid K@a4"),
    ] {
        assert_eq!(engine.ask(&format!("validate {action}")), [expected]);
    }
    for action in
        ["P@e4", "K@e1,P@d1", "K@e5", "e2e4", "K@e1,B@c1,B@e3", "K@e1,K@d1", "K@e1,P@e1", "x", "0000"]
    {
        let lines = engine.ask(&format!("validate {action}"));
        let [line] = lines.as_slice() else { panic!("{lines:#?}") };
        let reason = line.strip_prefix(&format!("invalid {action} "));
        assert!(reason.is_some_and(|reason| !reason.is_empty()), "{line}");
    }
    engine.error("validate");
    engine.position("fen 4k3/P7/8/8/8/8/8/R3K3[] w Q - 0 1");
    assert_eq!(engine.ask("validate A7A8Q"), ["valid a7a8q"]);
    assert_eq!(engine.ask("validate E1C1"), ["valid e1c1"]);
    assert!(!engine.is_valid("a7a8"));
    engine.quit();
}

/// The last line of `go perft`.
fn perft(engine: &mut Engine, depth: u32) -> String {
    engine.send(&format!("go perft {depth}"));
    loop {
        let line = engine.next(ms(60_000)).expect("a line of perft").text;
        if line.starts_with("Nodes searched: ") || line.starts_with("info string error ") {
            return line;
        }
    }
}

#[test]
fn go_perft_counts() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position("startpos");
    assert_eq!(perft(&mut engine, 0), "Nodes searched: 1");
    assert_eq!(perft(&mut engine, 1), "Nodes searched: 5301704096885440");
    let refused = perft(&mut engine, 2);
    assert!(refused.starts_with("info string error ") && refused.contains("5301704096885440"), "{refused}");
    for fen in ["4k3/8/8/8/8/8/8/4K3[Pp] w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1"] {
        engine.position(&format!("fen {fen}"));
        let expected = position(fen).perft(3, MAX_DROPS).unwrap_or_else(|error| panic!("{error}"));
        engine.send("go perft 3");
        let lines = engine.until("Nodes", ms(60_000));
        let parts: u128 = lines[..lines.len() - 1]
            .iter()
            .map(|line| {
                let (action, count) = line.text.split_once(": ").expect("ACTION: N");
                assert!(!action.contains(' '));
                count.parse::<u128>().expect("a number")
            })
            .sum();
        assert_eq!(parts, expected);
        assert_eq!(lines[lines.len() - 1].text, format!("Nodes searched: {expected}"));
    }
    engine.quit();
}

// Lines of output

#[test]
fn info_lines_have_one_form() {
    let _turn = together();
    let mut engine = Engine::start();
    for wdl in [false, true] {
        engine.ask(&format!("setoption name UCI_ShowWDL value {wdl}"));
        for lines in [1, 4] {
            engine.ask(&format!("setoption name MultiPV value {lines}"));
            for setup in ["startpos", MID, "fen 7k/8/5K2/8/8/8/8/R7[] w - - 0 60"] {
                engine.position(setup);
                let mut infos = engine.go("depth 5").infos();
                infos.extend(engine.go_stop("infinite", ms(300)).infos());
                assert!(infos.iter().all(|info| info.wdl.is_some() == wdl && info.multipv <= lines));
                assert!(infos.iter().any(|info| info.nodes > 0 && info.time < 60_000));
            }
        }
    }
    // Bounds are reported in longer searches only.
    engine.position("startpos");
    engine.go("movetime 3000");
    engine.quit();
}

#[test]
fn the_form_check_is_strict() {
    let good = "info depth 1 seldepth 1 multipv 1 score cp 0 nodes 1 nps 1 hashfull 0 time 0 pv K@e1";
    assert!(matches!(info::read(good), Ok(Some(_))));
    for (from, to) in [
        ("cp 0", "cp 0.5"),
        ("cp 0", "cp +3"),
        ("nodes 1", "nodes"),
        ("time 0", "time -1"),
        (" pv K@e1", ""),
        ("K@e1", "K@e1 "),
        ("depth 1 seldepth 1", "seldepth 1 depth 1"),
        ("cp 0 nodes", "cp 0  nodes"),
        ("cp 0", "cp 0 wdl 1 2 3"),
    ] {
        let line = good.replacen(from, to, 1);
        assert!(info::check_form(&line).is_err(), "{line}");
    }
    for bad in ["", " ", "readyok ", "info string the best score", "info string a\tb"] {
        assert!(info::check_form(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn free_text_has_no_protocol_words() {
    let _turn = together();
    let mut engine = Engine::start();
    for word in [
        "bestmove",
        "readyok",
        "uciok",
        "score",
        "time",
        "BestMove",
        "'time'",
        "score,time",
        "x=bestmove",
        "bestmove=x",
        "time-score",
        "(uciok)",
        "readyok/readyok",
    ] {
        for line in [
            word.to_owned(),
            format!("setoption name {word} value {word}"),
            format!("setoption name Threads value {word}"),
            format!("setoption {word}"),
            format!("position {word}"),
            format!("position startpos {word}"),
            format!("position startpos moves {word}"),
            format!("position fen {word}"),
            format!("position fen 8/8/8/8/8/8/8/8[Kk] {word} - - 0 1"),
            format!("position fen 8/8/8/8/8/8/8/8[Kk] w {word} - 0 1"),
            format!("position fen 8/8/8/8/8/8/8/8[Kk] w - {word} 0 1"),
            format!("position fen 8/8/8/8/8/8/8/8[Kk] w - - {word} 1"),
            format!("bench {word} {word}"),
        ] {
            // Each line is checked as it is read.
            let lines = engine.ask(&line);
            assert!(
                !lines.is_empty() && lines.iter().all(|line| line.starts_with("info string ")),
                "{lines:#?}"
            );
        }
        engine.position("startpos");
        engine.go(&format!("{word} depth 1"));
        engine.go(&format!("depth 1 nodes {word}"));
        engine.go(&format!("depth 1 searchmoves K@e1 {word}"));
    }
    engine.quit();
}

#[test]
fn long_lines_are_read_and_long_words_cut() {
    let _turn = together();
    let mut engine = Engine::start();
    let word = "x".repeat(100_000);
    for line in [
        word.clone(),
        format!("position startpos moves {word}"),
        format!("position startpos moves K@{word}"),
        format!("position startpos moves K@e1,{word}"),
        format!("position fen {word} w - - 0 1"),
        format!("position fen 8/8/8/8/8/8/8/8[Kk {word} - - 0 1"),
        format!("position fen 8/8/8/8/8/8/8/8[Kk{word} w - - 0 1"),
        format!("position fen 8/8/8/8/8/8/8/8[Kk] {word} - - 0 1"),
        format!("position fen 8/8/8/8/8/8/8/8[Kk] w {word} - 0 1"),
        format!("position fen 8/8/8/8/8/8/8/8[Kk] w - {word} 0 1"),
        format!("position fen 8/8/8/8/8/8/8/8[Kk] w - - {word} 1"),
        format!("setoption name {word} value {word}"),
        format!("setoption name Hash value {word}"),
        format!("bench {word}"),
    ] {
        let error = engine.error(&line);
        let shown: String = line.chars().take(60).collect();
        assert!(error.chars().count() < 400, "{} characters after {shown}", error.chars().count());
    }
    engine.position(&crate::shuffle(3000));
    assert_eq!(engine.shown("Repetitions"), "3001");
    engine.quit();
}

#[test]
fn mates_are_counted_in_own_actions() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position("fen 7k/8/5K2/8/8/8/8/R7[] w - - 0 60");
    let search = engine.go("mate 2");
    assert_eq!(search.last().value, Value::Mate(2));
    engine.position("fen 7k/8/5K2/8/8/8/8/R7[] w - - 0 60 moves f6g6");
    assert_eq!(engine.go("depth 6").last().value, Value::Mate(-1));
    engine.position("fen 8/8/8/3k4/8/3K4/8/8[] w - - 0 1");
    assert_eq!(engine.go("depth 4").last().value, Value::Cp(0));
    engine.quit();
}

// One bestmove for each go

#[test]
fn queued_searches_are_all_answered() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position("startpos");
    for (commands, answers) in [
        (&["go depth 3", "go depth 2", "go nodes 100"][..], 3),
        (&["go infinite", "go depth 2", "stop"], 2),
        (&["go infinite", "go infinite", "stop"], 2),
        (&["go ponder", "go movetime 10", "ponderhit", "stop"], 2),
        (&["go infinite", "position startpos moves K@e1", "go depth 1", "stop"], 2),
        (&["go infinite", "stop", "go depth 2"], 2),
        (&["go infinite", "stop", "stop", "go infinite", "stop"], 2),
    ] {
        commands.iter().for_each(|command| engine.send(command));
        for _ in 0..answers {
            engine.until("bestmove", ms(10_000));
        }
        engine.alive();
        engine.silent(ms(100));
        engine.send("position startpos");
    }
    engine.quit();
}

#[test]
fn a_search_answers_for_the_position_it_began_in() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position("startpos");
    engine.send("go infinite");
    engine.send("position startpos moves K@e1");
    engine.send("setoption name MultiPV value 3");
    engine.silent(ms(100));
    let watch = engine.watch();
    engine.send("stop");
    assert!(engine.answer(watch).action().starts_with("K@"));
    engine.quit();
}

#[test]
fn no_bestmove_before_stop_when_the_search_is_through() {
    let _turn = together();
    let mut engine = Engine::start();
    for (setup, limit) in [
        ("fen 6k1/5ppp/8/8/8/8/1K6/R7[] w - - 0 40", "infinite depth 2"),
        ("fen 8/8/8/3k4/8/3K4/8/8[] w - - 0 1", "infinite"),
        ("startpos", "infinite nodes 100"),
        ("startpos", "infinite movetime 10"),
        ("startpos", "ponder depth 1"),
        ("startpos", "ponder movetime 10"),
        ("startpos", "infinite searchmoves K@e1"),
    ] {
        engine.position(setup);
        engine.go_stop(limit, ms(400));
    }
    engine.position("startpos");
    engine.send("go ponder wtime 2000 btime 2000");
    engine.silent(ms(300));
    let watch = engine.watch();
    engine.send("ponderhit");
    let search = engine.answer(watch);
    assert!(search.took < ms(1000), "{:?}", search.took);
    engine.quit();
}

#[test]
fn position_errors_heal() {
    let _turn = together();
    let mut engine = Engine::start();
    for bad in [
        "position",
        "position foo",
        "position startpos K@e1",
        "position startpos moves K@e1 K@e1",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8[KK] w - - 0 1",
    ] {
        engine.error(bad);
        assert_eq!(engine.go("depth 3").best, None, "{bad}");
        assert_eq!(engine.go_stop("infinite", ms(100)).best, None, "{bad}");
        for command in ["d", "eval", "go perft 1", "legal"] {
            let lines = engine.ask(command);
            assert!(
                lines.iter().any(|line| line.starts_with("info string error ")),
                "{bad}: {command}: {lines:#?}"
            );
        }
        engine.position("startpos");
        assert!(engine.go("depth 1").best.is_some(), "{bad}");
    }
    engine.quit();
}

// Actions and FEN, read leniently

#[test]
fn tokens_in_any_case_and_order() {
    let _turn = together();
    let mut engine = Engine::start();
    let canonical = "startpos moves K@e1,R@h1,P@e4 K@e8,P@a7 e1g1";
    engine.position(canonical);
    let fen = engine.shown("Fen");
    for line in [
        "position startpos moves k@e1,r@h1,p@e4 k@e8,p@a7 e1g1",
        "position startpos moves p@e4,k@e1,r@h1 p@a7,k@e8 e1g1",
        "POSITION STARTPOS MOVES K@E1,R@H1,P@E4 K@E8,P@A7 E1G1",
    ] {
        assert_eq!(engine.ask(line), [""; 0], "{line}");
        assert_eq!(engine.shown("Fen"), fen, "{line}");
    }
    engine.quit();
}

#[test]
fn fen_is_read_leniently() {
    let _turn = together();
    let mut engine = Engine::start();
    let kings = "4k3/8/8/8/8/8/8/4K3";
    let with = |reserve: &str| format!("{kings}[{reserve}] w - - 0 1");
    for (given, canonical) in [
        (format!("{kings} w - - 0 1"), with("")),
        (format!("{kings}[-] w - - 0 1"), with("")),
        (format!("{kings}[] w - - 0 1"), with("")),
        (format!("{kings}[pPqQ] w - - 0 1"), with("QPqp")),
        (format!("{kings}[2Pp] w - - 0 1"), with("PPp")),
        (format!("{kings}/Pp w - - 0 1"), with("Pp")),
        (format!("{kings}[Pp] w - -"), with("Pp")),
        (format!("{kings}[Pp] w - - 0"), with("Pp")),
        (format!("{kings}[DL] w - - 0 1"), with("BB")),
        ("4k3/8/8/8/8/8/8/2B1K3[B] w - - 0 1".to_owned(), "4k3/8/8/8/8/8/8/2B1K3[L] w - - 0 1".to_owned()),
        ("2b1k3/8/8/8/8/8/8/4K3[b] w - - 0 1".to_owned(), "2b1k3/8/8/8/8/8/8/4K3[d] w - - 0 1".to_owned()),
        (START.to_owned(), START.to_owned()),
    ] {
        let lines = engine.ask(&format!("position fen {given}"));
        assert!(lines.is_empty(), "{given}: {lines:#?}");
        assert_eq!(engine.shown("Fen"), canonical, "{given}");
    }
    engine.ask(&format!("position fen {kings}[Pp] w - - moves P@e4"));
    assert_eq!(engine.shown("Fen"), "4k3/8/8/8/4P3/8/8/4K3[p] b - - 0 1");
    engine.quit();
}

#[test]
fn impossible_fen_is_refused_with_the_reason() {
    let _turn = together();
    let mut engine = Engine::start();
    for (fen, reason) in [
        ("8/8/8/8/8/8/8/4K3[] w - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "king"),
        ("8/8/8/8/8/8/8/4K2R[k] w - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/R7[K] w - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/8[K] b - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/4RK2[] w - - 0 1", "check"),
        ("8/8/8/3kK3/8/8/8/8[] w - - 0 1", "kings"),
        ("4k2P/8/8/8/8/8/8/4K3[] w - - 0 1", "pawn"),
        ("4k3/8/8/8/8/8/8/4K2p[] w - - 0 1", "pawn"),
        ("4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/4K3[] w - - 0 1", "pieces"),
        ("4k3/8/8/8/8/QQ6/PPPPPPPP/4K3[] w - - 0 1", "promotions"),
        ("4k3/8/8/8/8/8/8/4K3[X] w - - 0 1", "'X'"),
        ("4x3/8/8/8/8/8/8/4K3[] w - - 0 1", "'x'"),
        ("4k4/8/8/8/8/8/8/4K3[] w - - 0 1", "9"),
        ("4k3/8/8/8/8/8/8/4K2[] w - - 0 1", "7"),
        ("4k3/8/8/8/8/8/4K3[] w - - 0 1", "rank"),
        ("4k3/8/8/8/8/8/8/4K3[B] w - - 0 1", "bishop"),
        ("4k3/8/8/8/8/8/8/4K3[QQ] w - - 0 1", "'Q'"),
        ("4k3/8/8/8/8/8/8/4K3[P w - - 0 1", "']'"),
        ("4k3/8/8/8/8/8/8/4K3[] x - - 0 1", "'x'"),
        ("4k3/8/8/8/8/8/8/4K3[] w - - -1 1", "'-1'"),
        ("4k3/8/8/8/8/8/8/4K3[] w", "fields"),
    ] {
        let error = engine.error(&format!("position fen {fen}"));
        assert!(error.contains(reason), "{fen}: expected '{reason}' in {error}");
        engine.alive();
    }
    engine.quit();
}

// Other commands, and the command line

#[test]
fn d_eval_and_help_answer() {
    let _turn = together();
    let mut engine = Engine::start();
    engine.position(MID);
    for name in ["Fen", "Key", "Checkers", "Repetitions"] {
        assert!(!engine.shown(name).is_empty());
    }
    let shown = engine.ask("d").join("\n");
    assert!(shown.contains("QRRBBNNPPPP") && shown.contains("qrrlnnpppp"), "{shown}");
    assert!(engine.ask("eval").len() > 1);
    let help = engine.ask("help").join("\n");
    for command in ["position", "go", "legal", "validate", "bench", "setoption", "quit"] {
        assert!(help.contains(command), "{command}");
    }
    assert!(engine.error("frobnicate").contains("'frobnicate'"));
    engine.quit();
}

#[test]
fn exit_codes() {
    let _turn = together();
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1";
    let (code, lines, errors) = run(&["perft", "2", "--fen", fen]);
    assert_eq!(
        (code, lines.last().map(String::as_str), errors.len()),
        (Some(0), Some("Nodes searched: 568"), 0)
    );
    let (code, _, errors) = run(&["perft", "1", "--fen", "8/8"]);
    assert_eq!((code, errors.len()), (Some(1), 1), "{errors:#?}");
    let (code, _, errors) = run(&["perft", "2"]);
    assert!(code == Some(1) && errors.len() == 1 && errors[0].contains("5301704096885440"), "{errors:#?}");
    let (code, _, errors) = run(&["analyse", "--moves", "K@e1 e2e4", "--depth", "1"]);
    assert!(code == Some(1) && errors.len() == 1 && errors[0].contains("'e2e4'"), "{errors:#?}");
    let (code, lines, errors) = run(&["analyse", "--depth", "2", "--json"]);
    assert_eq!((code, errors.len()), (Some(0), 0));
    assert!(lines.iter().all(|line| line.starts_with('{') && line.ends_with('}')), "{lines:#?}");
    for usage in [&["frobnicate"][..], &["perft"], &["bench", "--depth", "x"], &["--frobnicate"]] {
        assert_eq!(run(usage).0, Some(2), "{usage:?}");
    }
}

#[test]
fn a_broken_pipe_is_quiet() {
    let _turn = together();
    for arguments in [&["bench", "--depth", "2"][..], &["analyse", "--depth", "3"], &[]] {
        let mut child = Command::new(BINARY)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        drop(child.stdout.take());
        if arguments.is_empty() {
            let mut input = child.stdin.take().expect("piped");
            let _ = std::io::Write::write_all(&mut input, b"uci\nisready\ngo depth 3\n");
        }
        let mut errors = String::new();
        let _ = child.stderr.take().expect("piped").read_to_string(&mut errors);
        let status = child.wait().expect("a child");
        assert_eq!((status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    }
}
