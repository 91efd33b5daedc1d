//! `lab match`, played by the real engine and by small fake ones.

mod common;

use std::fs;
use std::path::Path;

use common::{engine, lab, lab_fails, place, text};
use kingchess::notation::read_legal_action;
use kingchess::rules::{Game, Outcome, Position};

/// A recorded game, read by the plain rules of PGN.
struct Pgn {
    tags: Vec<(String, String)>,
    tokens: Vec<String>,
}

impl Pgn {
    fn tag(&self, name: &str) -> &str {
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        &found.unwrap_or_else(|| panic!("no tag {name}")).1
    }
}

fn read(path: &Path) -> Vec<Pgn> {
    let text = fs::read_to_string(path).expect("a record");
    let parts: Vec<&str> = text.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).collect();
    assert!(parts.len().is_multiple_of(2), "{text}");
    parts
        .chunks(2)
        .map(|game| {
            let tag = |line: &str| {
                let (name, value) = line.trim_matches(['[', ']']).split_once(' ').expect("a tag");
                (name.to_owned(), value.trim_matches('"').to_owned())
            };
            let words = game[1].split_whitespace().filter(|word| !word.ends_with('.'));
            Pgn { tags: game[0].lines().map(tag).collect(), tokens: words.map(str::to_owned).collect() }
        })
        .collect()
}

/// Plays the game again: every action must be legal, and an end by the rules must be one.
#[track_caller]
fn replay(pgn: &Pgn) -> Game {
    let start: Position = pgn.tag("FEN").parse().expect("a FEN");
    let mut game = Game::new(start);
    let (result, tokens) = pgn.tokens.split_last().expect("a result");
    assert_eq!(result, pgn.tag("Result"));
    for token in tokens {
        assert_eq!(game.outcome(), None);
        let action = read_legal_action(token, game.position()).unwrap_or_else(|e| panic!("{token}: {e}"));
        assert_eq!(&action.token(game.position().side()).to_string(), token);
        game.play(action);
    }
    if pgn.tag("Termination") == "normal" {
        let outcome = game.outcome().expect("an end by the rules");
        assert_eq!(outcome.to_string(), pgn.tag("Ending"));
        assert_eq!(outcome == Outcome::Checkmate, result != "1/2-1/2");
    }
    game
}

#[test]
fn a_match_is_played_counted_and_recorded() {
    let record = place("plain.pgn");
    let arguments = ["match", engine(), engine(), "--nodes", "100", "--games", "4", "--concurrency", "2"];
    let output = lab(&[&arguments[..], &["--option2", "Hash=2", "--record", text(&record)]].concat());
    assert!(output.starts_with("4 games: +"), "{output}");
    for part in ["first as White +", ", as Black +", "mean length ", "mean time per action: first "] {
        assert!(output.contains(part), "{output}");
    }
    assert!(!output.contains("faults"), "{output}");
    let games = read(&record);
    let mut rounds: Vec<&str> = games.iter().map(|game| game.tag("Round")).collect();
    rounds.sort_unstable();
    assert_eq!(rounds, ["1.1", "1.2", "2.1", "2.2"]);
    for game in &games {
        let first_is_white = game.tag("Round").ends_with(".1");
        let (first, second) = if first_is_white { ("White", "Black") } else { ("Black", "White") };
        assert!(game.tag(first).ends_with("engine"), "{}", game.tag(first));
        assert!(game.tag(second).ends_with("engine Hash=2"), "{}", game.tag(second));
        assert_eq!((game.tag("Variant"), game.tag("SetUp")), ("Kingchess", "1"));
        assert_eq!(game.tag("TimeControl"), "100 nodes");
        replay(game);
    }
    let wins = |result: &str, game: &str| {
        games.iter().filter(|pgn| pgn.tag("Result") == result && pgn.tag("Round").ends_with(game)).count()
    };
    let total = wins("1-0", ".1") + wins("0-1", ".2");
    assert!(output.contains(&format!("4 games: +{total} =")), "{output}");
    assert!(output.contains(&format!("first as White +{} =", wins("1-0", ".1"))), "{output}");
}

/// Everything but the times, which are never the same.
fn without_times(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a record");
    text.lines().filter(|line| !line.contains("TimeUsed")).map(str::to_owned).collect()
}

#[test]
fn a_match_broken_off_goes_on_where_whole_pairs_end() {
    let record = place("resumed.pgn");
    let arguments = [
        "match",
        engine(),
        engine(),
        "--nodes",
        "100",
        "--games",
        "6",
        "--name1",
        "a",
        "--name2",
        "b",
        "--record",
        text(&record),
    ];
    let resumed = [&arguments[..], &["--resume"]].concat();
    let whole_output = lab(&arguments);
    let whole = fs::read_to_string(&record).expect("a record");
    let whole_lines = without_times(&record);
    // Broken off in the fourth game: the third has lost its partner and is played again.
    let cut = whole.match_indices("[Event").nth(4).expect("six games").0 - 20;
    fs::write(&record, &whole[..cut]).expect("a file can be written");
    let output = lab(&resumed);
    assert_eq!(without_times(&record), whole_lines);
    let pair = whole.match_indices("[Event").nth(2).expect("six games").0;
    assert_eq!(fs::read_to_string(&record).expect("a record")[..pair], whole[..pair]);
    assert_eq!(output.lines().take(3).collect::<Vec<_>>(), whole_output.lines().take(3).collect::<Vec<_>>());
    // Nothing is left to play.
    assert_eq!(lab(&resumed).lines().next(), output.lines().next());
    assert_eq!(without_times(&record), whole_lines);
}

#[test]
fn a_match_does_not_go_on_with_another_one() {
    let record = place("other.pgn");
    let play = |nodes, seed, name| {
        let start = ["match", engine(), engine(), "--games", "2", "--name2", "x", "--resume", "--record"];
        [&start[..], &[text(&record), "--nodes", nodes, "--seed", seed, "--name1", name]].concat()
    };
    lab(&play("100", "1", "a"));
    assert!(
        lab_fails(&play("200", "1", "a"))
            .contains("round 1.1 is not of this match: the time control differs")
    );
    assert!(lab_fails(&play("100", "2", "a")).contains("the opening differs"));
    assert!(lab_fails(&play("100", "1", "b")).contains("an engine differs"));
    fs::write(&record, "K@e1 1-0\n").expect("a file can be written");
    assert!(lab_fails(&play("100", "1", "a")).contains("game 1: no tag Round"));
}

#[test]
fn settings_that_do_not_fit_are_refused() {
    let own = engine();
    for (arguments, reason) in [
        (&["--nodes", "5", "--movetime", "5"][..], "cannot be used with"),
        (&[], "required"),
        (&["--mirror"], "--mirror needs one foreign engine"),
        (&["--nodes", "5", "--foreign2", "greedy"], "--variants"),
        (&["--clock", "1+0", "--foreign2", "single", "--variants", "x"], "needs --query-nodes or"),
        (&["--nodes", "5", "--chess", "--foreign2", "single", "--variants", "x"], "not for --chess"),
        (&["--clock", "1"], "expected SECONDS+SECONDS"),
        (&["--nodes", "5", "--sprt", "5,0"], "ELO0 below ELO1"),
        (&["--nodes", "5", "--adjudicate-win", "x"], "or off, got 'x'"),
        (&["--nodes", "5", "--resume"], "--record"),
        (&["--nodes", "5", "--openings", "/nowhere/at/all"], "/nowhere/at/all"),
        (&["--nodes", "5", "--option2", "Nothing=3"], "option refused: info string error setoption: unknown"),
        (&["--nodes", "5", "--option1", "Hash=much"], "got 'much'; the old value stays"),
    ] {
        let errors = lab_fails(&[&["match", own, own, "--games", "2"][..], arguments].concat());
        assert!(errors.contains(reason), "{arguments:?}: {errors}");
    }
    let errors = lab_fails(&["match", own, "/nowhere/at/all", "--nodes", "5", "--games", "2"]);
    assert!(errors.contains("/nowhere/at/all"), "{errors}");
}

#[test]
fn ordinary_chess_can_be_played() {
    let record = place("chess.pgn");
    let chess = "UCI_Variant=chess";
    lab(&[
        "match",
        engine(),
        engine(),
        "--chess",
        "--option1",
        chess,
        "--option2",
        chess,
        "--nodes",
        "100",
        "--games",
        "2",
        "--record",
        text(&record),
        "--longest",
        "20",
    ]);
    for game in read(&record) {
        assert_eq!(game.tag("Variant"), "Standard");
        assert_eq!(game.tag("FEN"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        replay(&game);
    }
}

#[test]
fn games_start_from_the_positions_of_a_file() {
    let (openings, record) = (place("own.epd"), place("own.pgn"));
    let fens = [Position::start().fen(), "4k3/8/8/8/8/8/8/4K3[QPqp] b - - 0 7".to_owned()];
    let file = format!("# comment\n{}; class x; ce 3\n\n{}\n", fens[0], fens[1]);
    fs::write(&openings, file).expect("a file can be written");
    let arguments = [
        "match",
        engine(),
        engine(),
        "--nodes",
        "50",
        "--games",
        "10",
        "--openings",
        text(&openings),
        "--adjudicate-win",
        "off",
        "--longest",
        "8",
        "--record",
        text(&record),
    ];
    // There are openings for four games only.
    assert!(lab(&arguments).starts_with("4 games: "));
    let games = read(&record);
    for (game, fen) in games.iter().zip([&fens[0], &fens[0], &fens[1], &fens[1]]) {
        assert_eq!(game.tag("FEN"), fen);
        assert!(replay(game).ply() <= 8);
    }
    fs::write(&openings, format!("{}\n8/8 w\n", fens[0])).expect("a file can be written");
    let errors = lab_fails(&arguments);
    assert!(errors.contains("line 2: expected 4 to 6 fields"), "{errors}");
    fs::write(&openings, "4R1k1/5ppp/8/8/8/8/8/K7[] b - - 1 9").expect("a file can be written");
    assert!(lab_fails(&arguments).contains("line 1: the game is over here"));
}

/// Engines that do wrong: the other must win, and the log must tell what happened.
#[cfg(unix)]
mod faults {
    use super::*;
    use common::fake;

    fn check(name: &str, go: &str, cost: [&str; 2], termination: &str, ending: &str) {
        let (record, log) = (place(&format!("{name}.pgn")), place(&format!("{name}.log")));
        let bad = fake(name, go);
        let ends = ["--games", "2", "--record", text(&record), "--log", text(&log)];
        let output = lab(&[&["match", engine(), bad.as_str()][..], &cost, &ends].concat());
        assert!(output.starts_with("2 games: +2 =0 -0"), "{output}");
        assert!(output.contains(", faults 0 and 2\n"), "{output}");
        for game in read(&record) {
            assert_eq!(game.tag("Termination"), termination);
            assert!(game.tag("Ending").contains(ending), "{}", game.tag("Ending"));
            replay(&game);
        }
        let log = fs::read_to_string(&log).expect("a log");
        for part in ["fault: ", ending, "\nround 1.2, to act: ", "\nposition ", "last lines of ", "> go "] {
            assert!(log.contains(part), "{part}: {log}");
        }
    }

    #[test]
    fn an_engine_that_dies_loses() {
        check("dies", "exit 3", ["--nodes", "50"], "abandoned", "the engine has ended");
    }

    #[test]
    fn an_illegal_action_loses() {
        check("illegal", "echo bestmove e2e5", ["--nodes", "50"], "rules infraction", "'e2e5': illegal: ");
        check("unreadable", "echo bestmove", ["--nodes", "50"], "rules infraction", "'': expected a move");
    }

    #[test]
    fn a_time_loss_loses() {
        check("late", "sleep 0.5; echo bestmove a1a1", ["--clock", "0.2+0"], "time forfeit", "time loss: ");
    }

    #[test]
    fn a_test_that_is_decided_ends_the_match() {
        let bad = fake("hopeless", "echo bestmove e2e5");
        let ends = ["--nodes", "20", "--sprt", "0,100", "--games", "200", "--log", "/dev/null"];
        let output = lab(&[&["match", engine(), bad.as_str()][..], &ends].concat());
        let games: usize = output.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
        assert!((4..100).contains(&games), "{output}");
        assert!(output.contains("LLR ") && output.contains(": for 100"), "{output}");
    }
}

/// A fake that knows single drops only: it plays the first action it may, and all are worth the same to it.
#[cfg(unix)]
mod foreign {
    use super::*;
    use common::fake;

    const FIRST: &str =
        "move=${line#*searchmoves }; echo info depth 1 score cp 0; echo bestmove ${move%% *} ponder a1a1";

    fn play(name: &str, style: &str, go: &str, more: &[&str]) -> (String, Vec<Pgn>) {
        let record = place(&format!("{name}.pgn"));
        let foreign = fake(name, go);
        let start = place(&format!("{name}.epd"));
        fs::write(&start, Position::start().fen()).expect("a file can be written");
        let arguments = [
            "match",
            engine(),
            foreign.as_str(),
            "--foreign2",
            style,
            "--variants",
            "any.ini",
            "--games",
            "2",
            "--openings",
            text(&start),
            "--record",
            text(&record),
            "--log",
            "/dev/null",
        ];
        let output = lab(&[&arguments[..], more].concat());
        let games = read(&record);
        games.iter().for_each(|game| drop(replay(game)));
        (output, games)
    }

    /// The drops in each of its actions.
    fn drops(game: &Pgn) -> Vec<usize> {
        let black = usize::from(game.tag("Black").contains("foreign"));
        let actions = game.tokens[..game.tokens.len() - 1].iter().skip(black).step_by(2);
        actions.map(|token| token.matches('@').count()).collect()
    }

    #[test]
    fn single_drops_are_played() {
        let (output, games) = play("foreign-single", "single", FIRST, &["--nodes", "50"]);
        assert!(!output.contains("faults"), "{output}");
        for game in &games {
            assert!(game.tag("TimeControl").contains("50 nodes a query"), "{}", game.tag("TimeControl"));
            assert_eq!(drops(game)[0], 1);
            // Only where no move or single drop answers a check does it ever drop more.
            assert!(drops(game).iter().filter(|&&count| count > 1).count() <= 1, "{:?}", drops(game));
        }
    }

    #[test]
    fn greedy_drops_are_played_and_a_chess_engine_goes_on() {
        let more = ["--query-nodes", "10", "--mirror", "--handover", engine(), "--longest", "60"];
        let (output, games) = play("foreign-greedy", "greedy", FIRST, &more);
        assert!(!output.contains("faults"), "{output}");
        for game in &games {
            assert!(game.tag("TimeControl").contains("mirror"), "{}", game.tag("TimeControl"));
            assert!(drops(game)[0] > 1, "{:?}", drops(game));
        }
    }

    #[test]
    fn with_both_reserves_empty_the_chess_engine_is_asked() {
        let (start, log) = (place("bare.epd"), place("bare.log"));
        let (foreign, chess) = (fake("bare", FIRST), fake("bare-chess", "echo bestmove a8a8"));
        fs::write(&start, "4k3/8/8/8/8/8/8/4K2R[] w K - 0 9").expect("a file can be written");
        let arguments = [
            [
                "match",
                engine(),
                &foreign,
                "--foreign2",
                "single",
                "--variants",
                "any.ini",
                "--handover",
                &chess,
            ],
            ["--nodes", "50", "--games", "2", "--adjudicate-win", "off", "--openings", text(&start), "--log"],
        ];
        let output = lab(&[&arguments.concat()[..], &[text(&log)]].concat());
        assert!(output.contains("faults 0 and 2"), "{output}");
        let log = fs::read_to_string(&log).expect("a log");
        assert!(log.contains("> position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 9\n"), "{log}");
    }

    #[test]
    fn what_was_not_asked_loses() {
        let strange = "echo info depth 1 score cp 0; echo bestmove L@h8";
        let (output, games) = play("foreign-strange", "greedy", strange, &["--nodes", "50"]);
        assert!(output.contains("faults 0 and 2"), "{output}");
        assert!(games[0].tag("Ending").ends_with("asked for one of its searchmoves, got 'L@h8'"));
    }

    #[test]
    fn no_answer_is_no_verdict() {
        let (output, _) = play("foreign-none", "greedy", "echo bestmove '(none)'", &["--nodes", "50"]);
        assert!(!output.contains("faults"), "{output}");
    }

    #[test]
    fn an_engine_that_does_not_confirm_the_variant_is_refused() {
        // Our own engine knows no such variant.
        let errors = lab_fails(&[
            "match",
            engine(),
            engine(),
            "--foreign2",
            "greedy",
            "--variants",
            "any.ini",
            "--nodes",
            "50",
            "--games",
            "2",
        ]);
        assert!(errors.contains("did not answer 'info string variant kingchess-exactbishop"), "{errors}");
    }
}
