use std::fs;

use kingchess::notation::records::{GameReader, GameRecord, GameResult};

use crate::program::{Done, file, run};

/// Plays against a shallow engine with these lines.
fn play(options: &[&str], lines: &str) -> Done {
    let arguments: Vec<&str> = ["play", "--depth", "1"].into_iter().chain(options.iter().copied()).collect();
    run(&arguments, lines)
}

fn games(text: &str) -> Vec<GameRecord> {
    GameReader::new(text.as_bytes())
        .map(|game| game.unwrap_or_else(|error| panic!("{error}\n{text}")))
        .collect()
}

/// The games that were written out at the end because they were in no file.
fn written_out(done: &Done) -> Vec<GameRecord> {
    let (_, text) = done.out.split_once("In no file yet:\n\n").unwrap_or_else(|| panic!("{}", done.out));
    games(text)
}

fn tokens(record: &GameRecord) -> Vec<String> {
    let mut side = record.start().side();
    let token = |action: kingchess::types::Action| {
        let token = action.token(side).to_string();
        side = !side;
        token
    };
    record.actions().map(token).collect()
}

#[test]
fn a_game_in_every_notation() {
    let lines = "Ke1, Nf3, d4\nk@E8,p@e5\nd4xe5\nKe8-d8\nQd1+ Ng4 (2R, 2B, 7P)\nКрd8-e8\nf3d4\n";
    let done = play(&["--side", "both"], lines);
    assert_eq!((done.err.as_str(), done.code), ("", Some(0)), "{}", done.out);
    let game = &written_out(&done)[0];
    let played = ["K@e1,P@d4,N@f3", "K@e8,P@e5", "d4e5", "e8d8", "Q@d1,N@g4", "d8e8", "f3d4"];
    let canonical =
        |token: &str| token.split(',').map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(tokens(game).iter().map(|token| canonical(token)).collect::<Vec<_>>(), played.map(canonical));
}

#[test]
fn the_engine_answers_on_its_side() {
    let done = play(&[], "Ke1,Rh1,e4\n");
    let game = &written_out(&done)[0];
    assert_eq!(game.entries().len(), 2, "{}", done.out);
    assert_eq!(game.tags.get("White"), Some("Player"));
    assert!(game.tags.get("Black").is_some_and(|name| name.starts_with("Kingchess ")));
    let black = play(&["--side", "black", "--level", "800"], "");
    let game = &written_out(&black)[0];
    assert_eq!(game.entries().len(), 1, "{}", black.out);
    assert!(game.tags.get("White").is_some_and(|name| name.ends_with("(level 800)")));
    // The board is turned to the person.
    assert!(black.out.contains("    h   g   f   e   d   c   b   a\n"));
}

#[test]
fn bad_lines_are_explained_and_change_nothing() {
    for (line, message) in [
        ("foo", "Not played: expected a move such as e2-e4"),
        ("e4", "Not played: illegal: the first action must drop the king"),
        ("Ke1, Nxf3", "Not played: 'Nxf3' is short algebraic notation (SAN)"),
        ("K@e9", "Not played: expected 'PIECE@SQUARE'"),
        ("Ke1 e2-e4", "Not played: one action is one move, or drops alone"),
        ("level 9000", "Not done: expected a level from 800 to 2400, or full, got '9000'"),
        ("side left", "Not done: expected white, black or both, got 'left'"),
        ("save", "Not done: expected the name of a file after save"),
        ("undo all", "Not done: expected nothing after undo, got 'all'"),
        ("undo", "There is nothing to take back."),
        ("moves", "Nothing has been played."),
    ] {
        let done = play(&["--side", "both"], &format!("{line}\nfen\n"));
        let answer = done.out.lines().find(|line| line.starts_with(message));
        assert!(answer.is_some(), "{line}: {}", done.out);
        assert!(done.out.contains("1. White> fen\n8/8/8/8/8/8/8/8["), "{line}: {}", done.out);
        assert_eq!((done.err.as_str(), done.code), ("", Some(0)));
    }
    let binary = play(&[], "\u{0}\u{1}\n\n   \nquit\n");
    assert_eq!(binary.code, Some(0));
}

#[test]
fn actions_are_taken_back_and_the_game_is_shown() {
    let done = play(&["--side", "both"], "Ke1\nKe8\ne4\nundo\nd4\nmoves\n");
    assert!(
        done.out.contains("\n1. Ke1 (Q, 2R, 2B, 2N, 8P) Ke8 (Q, 2R, 2B, 2N, 8P) 2. d4 (Q, 2R, 2B, 2N, 7P)\n")
    );
    assert_eq!(tokens(&written_out(&done)[0]), ["K@e1", "K@e8", "P@d4"]);
    let against = play(&[], "Ke1\nundo\nKd1\nundo\nundo\n");
    assert!(against.out.contains("There is nothing to take back."), "{}", against.out);
    assert!(!against.out.contains("In no file yet"), "{}", against.out);
    let against = play(&[], "Ke1\nundo\nKd1\n");
    let kept = tokens(&written_out(&against)[0]);
    assert_eq!((kept.len(), kept[0].as_str()), (2, "K@d1"));
}

#[test]
fn a_game_that_is_over_says_so() {
    let done = play(&["--side", "both"], "Kh4\nKa8, Qh5, Rh8, Bd6\ne4\nundo\nresign\nnew\nKe1\n");
    assert!(done.out.contains("The game is over: checkmate, 0-1."), "{}", done.out);
    assert!(done.out.contains("The game is over: resignation, 1-0."), "{}", done.out);
    let games = written_out(&done);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].final_result(), GameResult::WhiteWins);
    assert_eq!(games[0].termination().as_deref(), Some("resignation"));
    assert_eq!(tokens(&games[1]), ["K@e1"]);
}

#[test]
fn other_commands_answer() {
    let done = play(
        &["--side", "both", "--unicode"],
        "help\nKe1,e2\nKe8\nlegal\nlevel\nlevel 1500\nhint\nflip\nboard\n",
    );
    for expected in [
        "  level N|full           set the strength of the engine",
        "\nmoves e2-e3 e2-e4 Ke1-d1 ",
        "\ndrop P on a2 b2 c2 d2 f2 ",
        "The engine plays with full strength.",
        "The engine plays at level 1500.",
        " 2. ",
        "     h  g  f  e  d  c  b  a\n",
    ] {
        assert!(done.out.contains(expected), "{expected}\n{}", done.out);
    }
}

#[test]
fn games_are_kept_in_a_file_from_action_to_action() {
    let path = file("kept.pgn");
    let name = path.display().to_string();
    let done = play(&["--save", &name, "--side", "both"], "Ke1\nKe8\nnew\nKd1\nquit\nKd8\n");
    assert!(done.out.ends_with(&format!("Saved in {name}.\n")), "{}", done.out);
    let text = fs::read_to_string(&path).expect("the file");
    let kept = games(&text);
    assert_eq!(kept.iter().map(tokens).collect::<Vec<_>>(), [vec!["K@e1", "K@e8"], vec!["K@d1"]]);
    // What is there already is never overwritten.
    let again = play(&["--save", &name], "");
    assert_eq!(again.err, format!("error: {name}: is there already, choose another name\n"));
    assert_eq!(again.code, Some(1));
    let other = play(&["--side", "both"], &format!("Ke1\nsave {name}\n"));
    assert!(other.out.contains(&format!("Not saved: {name}: is there already")), "{}", other.out);
    assert_eq!(fs::read_to_string(&path).expect("the file"), text);
}

#[test]
fn the_file_can_be_named_later_and_converted() {
    let path = file("later.pgn");
    let name = path.display().to_string();
    let done = play(&["--side", "both"], &format!("Ke1, Nf3\nsave {name}\nKe8\n"));
    assert!(done.out.contains(&format!("Saved in {name}, and kept up to date.")), "{}", done.out);
    let converted = run(&["convert", &name, "--to", "wiki"], "");
    assert!(converted.out.contains("1. Ke1, Nf3 Ke8 *"), "{}", converted.out);
    assert_eq!((converted.err.as_str(), converted.code), ("", Some(0)));
    let nowhere = play(&["--save", "no/such/folder/x.pgn"], "");
    assert!(nowhere.err.starts_with("error: no/such/folder/x.pgn: "), "{}", nowhere.err);
}

#[test]
fn a_game_can_start_elsewhere() {
    let mate = "6k1/5ppp/8/8/8/8/1K6/R7[] w - - 0 40";
    let done = play(&["--fen", mate, "--side", "black"], "");
    assert!(
        done.out.contains("\n40. Ra1-a8+\n") && done.out.contains("over: checkmate, 1-0"),
        "{}",
        done.out
    );
    assert_eq!(written_out(&done)[0].start().fen(), mate);
    let over = play(&["--fen", "R5k1/5ppp/8/8/8/8/1K6/8[] b - - 1 40"], "e5\nhint\n");
    assert_eq!(over.out.matches("The game is over: checkmate, 1-0.").count(), 3, "{}", over.out);
    assert_eq!(play(&["--fen", "8/8"], "").code, Some(1));
    assert_eq!(play(&["--level", "100"], "").code, Some(2));
}
