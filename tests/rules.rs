//! The rules, row by row as the rules document numbers them, then the facts that follow from them, the rows of the
//! conformance list that are about rules, the published games, the suites of evasions and mates, and FEN: what is read
//! leniently and what is refused.

mod common;

use common::{action, count, game, is_legal, moves, operation, play, position, random, sets, suite, token};
use kingchess::rules::{FenError, FenNote, Game, Outcome, Position, ValidityError};
use kingchess::types::{Action, Color, DropSet, Kind, MAX_DROPS, Move, ReserveKind, Short, Square};

const FIRST_ACTIONS: u64 = 5_301_704_096_885_440;

/// The board of many a position whose point is in the reserves.
const LONE_KINGS: &str = "4k3/8/8/8/8/8/8/4K3";

fn fen(tokens: &str) -> String {
    game(tokens).position().fen()
}

/// Is the last token legal after the others? Asked twice: of the game, and of what its FEN says.
fn last_is_legal(tokens: &str) -> bool {
    let (before, last) = tokens.rsplit_once(' ').unwrap_or(("", tokens));
    let mut game = game("");
    for token in before.split(' ').filter(|token| !token.is_empty()) {
        play(&mut game, token);
        let played = game.position();
        assert!(position(&played.fen()) == *played, "{}", played.fen());
    }
    let said = is_legal(game.position(), last);
    assert_eq!(is_legal(&position(&game.position().fen()), last), said, "{tokens}");
    said
}

#[track_caller]
fn assert_legal(fen: &str, tokens: &[&str]) {
    tokens.iter().for_each(|token| assert!(is_legal(&position(fen), token), "{token} is illegal in {fen}"));
}

#[track_caller]
fn assert_illegal(fen: &str, tokens: &[&str]) {
    tokens.iter().for_each(|token| assert!(!is_legal(&position(fen), token), "{token} is legal in {fen}"));
}

#[track_caller]
fn assert_outcome(fen: &str, outcome: Option<Outcome>) {
    assert_eq!(position(fen).outcome(), outcome, "{fen}");
    assert_eq!(Game::new(position(fen)).outcome(), outcome, "{fen}");
}

// The rows of the rules.

#[test]
fn row_01_empty_board_full_reserves_white_first() {
    let start = Position::start();
    assert!(start.occupied().is_empty());
    assert_eq!(start.side(), Color::White);
    for color in Color::ALL {
        let counts = ReserveKind::ALL.map(|kind| start.reserve(color).count(kind));
        assert_eq!(counts, [1, 1, 2, 1, 1, 2, 8]);
        assert_eq!(start.reserve(color).total(), 16);
    }
    assert_eq!(start.fen(), "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1");
    assert!(position(&start.fen()) == start);
    assert_eq!(start.outcome(), None);
}

#[test]
fn row_02_a_turn_is_a_move_or_a_drop_and_never_nothing() {
    let start = Position::start();
    assert!(!start.is_legal_set(DropSet::EMPTY));
    let both = position("4k3/8/8/8/8/8/P7/4K3[N] w - - 0 9");
    assert!(!both.is_legal_set(DropSet::EMPTY));
    assert_eq!(both.count_actions(), moves(&both).len() as u64 + sets(&both).len() as u64);
    // Whatever is done, the other side acts next: a move leaves the reserve alone, a drop the men on the board.
    for action in both.actions(MAX_DROPS).expect("few actions") {
        let next = both.after(action);
        assert_eq!(next.side(), Color::Black);
        let (dropped, stay) = (next.reserve(Color::White).is_empty(), both.color(Color::White));
        assert_eq!(dropped, matches!(action, Action::Drops(_)));
        assert_eq!(dropped, (stay - next.color(Color::White)).is_empty());
    }
}

#[test]
fn row_03_the_first_action_drops_the_king() {
    let start = Position::start();
    assert!(moves(&start).is_empty());
    for (tokens, legal) in [
        ("K@e1", true),
        ("K@d4,Q@a1,R@b1,P@a2", true),
        ("Q@d1", false),
        ("P@e4,N@f3", false),
        ("e2e4", false),
    ] {
        assert_eq!(is_legal(&start, tokens), legal, "{tokens}");
        let for_black = tokens.replace('4', "5").replace('1', "8").replace('2', "7").replace('3', "6");
        assert_eq!(last_is_legal(&format!("K@h1 {for_black}")), legal, "{for_black}");
    }
    // A king once dropped is gone from the reserve.
    assert!(!last_is_legal("K@e1 K@e8 K@e2"));
}

#[test]
fn row_04_drops_go_to_empty_squares_of_the_own_half() {
    let both = format!("{LONE_KINGS}[QRNPqrnp] w - - 0 9");
    assert_legal(&both, &["Q@a1", "Q@h4", "R@a4", "N@h1", "P@a2", "P@h4"]);
    assert_illegal(&both, &["Q@a5", "Q@h8", "R@d5", "N@d6", "P@a1", "P@h1", "P@d5", "P@d8"]);
    assert_illegal(&both, &["Q@e1", "P@a2,N@a2", "Q@d4,P@a1"]);
    let black = both.replace(" w ", " b ");
    assert_legal(&black, &["Q@a8", "Q@h5", "R@a5", "N@h8", "P@a7", "P@h5"]);
    assert_illegal(&black, &["Q@a4", "Q@h1", "R@d4", "N@d3", "P@a8", "P@h8", "P@d4", "P@d1"]);
    // Enemy men, too, occupy squares; what is not in reserve can't be dropped.
    assert_illegal("4k3/8/8/8/3n4/8/8/4K3[Q] w - - 0 9", &["Q@d4", "R@a1", "Q@a1,Q@b1"]);
    // The other half, asked about in sixteen bits.
    for position in [position(&both), position(&black)] {
        for square in Square::all() {
            let short = Short::from(kingchess::types::Drop { kind: Kind::Knight, square });
            let expected = position.side().half().has(square) && position.kind_at(square).is_none();
            assert_eq!(position.is_legal_short(short), expected, "{short}");
        }
    }
}

#[test]
fn row_05_bishops_are_bound_to_their_colour() {
    let start = Position::start();
    assert!(is_legal(&start, "K@e1,B@c1,B@f1"));
    assert!(!is_legal(&start, "K@e1,B@c1,B@e3") && !is_legal(&start, "K@e1,B@f1,B@h1"));
    // The first stands, has moved, was captured: the second keeps its colour.
    assert!(!last_is_legal("K@e1,B@c1 K@e8 B@a1") && last_is_legal("K@e1,B@c1 K@e8 B@b1"));
    assert!(
        !last_is_legal("K@e1,B@c1 K@e8 c1h6 e8e7 B@a1") && last_is_legal("K@e1,B@c1 K@e8 c1h6 e8e7 B@b1")
    );
    let captured = "K@e1,B@d4 K@e8,Q@d8 e1f1 d8d4";
    assert_eq!(fen(captured), "4k3/8/8/8/3q4/8/8/5K2[QRRLNNPPPPPPPPrrbbnnpppppppp] w e - 0 3");
    assert!(!last_is_legal(&format!("{captured} B@e3")) && last_is_legal(&format!("{captured} B@e2")));
    // A promoted bishop does not count: this one is dark, and so is the reserve's.
    let mut promoted = Game::new(position("8/P3k3/8/8/8/8/8/4K3[D] w - - 0 9"));
    play(&mut promoted, "a7a8b e7e6");
    assert!(is_legal(promoted.position(), "B@a1") && !is_legal(promoted.position(), "B@b1"));
    play(&mut promoted, "B@a1");
    assert!(promoted.position().reserve(Color::White).is_empty());
    // For Black the same.
    assert!(!last_is_legal("K@e1 K@e8,B@f8 e1e2 B@a7,B@d8") && last_is_legal("K@e1 K@e8,B@f8 e1e2 B@c8"));
}

#[test]
fn row_06_a_drop_is_one_set() {
    let start = Position::start();
    let written = action(&start, "K@e1,R@a1,R@h1,N@f3,P@d4,P@e4");
    assert!(written.is_some());
    for order in ["P@e4,P@d4,N@f3,R@h1,R@a1,K@e1", "R@h1,K@e1,P@d4,R@a1,P@e4,N@f3"] {
        assert_eq!(action(&start, order), written, "{order}");
    }
    let written = written.map(|action| token(&start, action));
    assert_eq!(written.as_deref(), Some("K@e1,R@a1,R@h1,N@f3,P@d4,P@e4"));
    // Judged after the whole set: neither blocker is enough, both are, in either order.
    let check = "k3r3/8/8/8/1b6/8/8/4K3[QRRBBNNPPPPPPPP] w - - 0 3";
    assert_illegal(check, &["P@e2", "P@d2"]);
    assert_legal(check, &["P@e2,P@d2", "P@d2,P@e2"]);
    // The king may come before what shields it.
    assert!(last_is_legal("K@e1,Q@e4 K@e8,P@e7") && last_is_legal("K@e1,Q@e4 P@e7,K@e8"));
}

#[test]
fn row_07_the_own_king_may_not_be_attacked() {
    // Dropping into check, with and without a blocker, on one line and on two.
    assert!(!last_is_legal("K@e1,Q@e4 K@e8") && last_is_legal("K@e1,Q@e4 K@e8,P@e7"));
    assert!(!last_is_legal("K@e1,Q@e4,B@a4 K@e8,P@e7") && last_is_legal("K@e1,Q@e4,B@a4 K@e8,P@e7,N@b5"));
    // Knights, pawns and neighbours can't be blocked.
    assert!(!last_is_legal("K@e1,N@d4 K@e6") && !last_is_legal("K@e1,N@d4 K@e6,Q@d5,R@e5,P@d6"));
    assert!(!last_is_legal("K@e1,P@d4 K@e5") && !last_is_legal("K@e4 K@e5") && last_is_legal("K@e4 K@e6"));
    // A drop may parry a check; one piece blocks one line, two pieces two lines at once.
    let one_line = "4r2k/8/8/8/8/8/8/4K3[NP] w - - 0 9";
    assert_legal(one_line, &["N@e2", "P@e3", "P@a2,N@e4", "e1d1"]);
    assert_illegal(one_line, &["N@d2", "P@a2", "P@d2,N@f2", "e1e2"]);
    // A line with no square in the own half can't be blocked.
    let far = "8/8/8/K6r/8/8/8/7k[QRRBBNN] w - - 0 9";
    assert_illegal(far, &["Q@a4", "N@b4", "R@h4"]);
    assert!(!position(far).has_drop());
    // No square of the half but g6 is out of the queens' reach, so only the king can land there.
    let crowded = position("8/8/8/2QQQ3/8/K7/4Q2Q/8[kn] b - - 0 1");
    assert!(is_legal(&crowded, "K@g6") && crowded.count_sets(1) == 1);
    for kind in [Kind::King, Kind::Knight] {
        let dropped = sets(&crowded).into_iter().flat_map(|set| set.drops(Color::Black));
        let squares = dropped.filter(|drop| drop.kind == kind).map(|drop| drop.square).collect();
        assert_eq!(crowded.drop_squares(kind), squares, "{kind:?}");
        assert_eq!(squares.has(Square::G6), kind == Kind::King);
    }
    // Moves obey the same rule.
    let pinned = "4r2k/8/8/8/8/8/4N3/4K3[] w - - 0 9";
    assert_illegal(pinned, &["e2c3", "e2g1"]);
    assert_legal(pinned, &["e1d1", "e1f2"]);
}

#[test]
fn row_08_a_drop_may_give_check_and_mate() {
    let check = game("K@e1 K@e8 Q@e4");
    assert!(check.position().in_check());
    let mut mate = Game::new(position("8/8/8/8/7k/5K2/8/8[Qqr] w - - 0 30"));
    assert_eq!(mate.outcome(), None);
    play(&mut mate, "Q@g4");
    assert_eq!(mate.outcome(), Some(Outcome::Checkmate));
    assert!(mate.position().is_checkmate());
}

#[test]
fn row_09_pawns_step_two_from_the_second_rank_only() {
    // From the second rank, whether dropped there now or earlier; never from ranks 3 and 4.
    let start = "K@e1,P@a2,P@b3,P@c4 K@e8,P@h7,P@g6,P@f5";
    for (last, legal) in [("a2a4", true), ("a2a3", true), ("b3b5", false), ("b3b4", true), ("c4c6", false)] {
        assert_eq!(last_is_legal(&format!("{start} {last}")), legal, "{last}");
    }
    for (last, legal) in [("h7h5", true), ("h7h6", true), ("g6g4", false), ("g6g5", true), ("f5f3", false)] {
        assert_eq!(last_is_legal(&format!("{start} e1e2 {last}")), legal, "{last}");
    }
    // Not over a man nor onto one; a pawn that moves to rank 3 has no second chance.
    assert_illegal("4k3/8/8/8/8/n7/P7/4K3[] w - - 0 9", &["a2a3", "a2a4"]);
    assert_illegal("4k3/8/8/8/n7/8/P7/4K3[] w - - 0 9", &["a2a4"]);
    assert!(!last_is_legal("K@e1,P@a2 K@e8 a2a3 e8e7 a3a5"));
    // Other men as in chess.
    let men = "4k3/8/8/8/3N4/8/8/R2QK2B[] w - - 0 9";
    assert_legal(men, &["d4e6", "d4b5", "a1a8", "a1c1", "d1a4", "d1h5", "d1d3", "h1a8", "e1f2"]);
    assert_illegal(men, &["d4d5", "a1d1", "a1b2", "d1d4", "d1e3", "h1h2", "e1e3", "e8e7"]);
}

#[test]
fn row_10_en_passant_answers_a_double_step_at_once() {
    assert!(last_is_legal("K@e1,P@d2 K@e8,P@e5 P@a2 e5e4 d2d4 e4d3"));
    // A dropped pawn can't be captured so, nor one that came by a single step, nor later.
    assert!(!last_is_legal("K@e1,P@a2 K@e8,P@e5 P@b2 e5e4 P@d4 e4d3"));
    assert!(!last_is_legal("K@e1,P@d3 K@e8,P@e5 P@b2 e5e4 d3d4 e4d3"));
    assert!(!last_is_legal("K@e1,P@d2 K@e8,P@e5 P@a2 e5e4 d2d4 e8e7 e1e2 e4d3"));
    assert!(!last_is_legal("K@e1,P@d2 K@e8,P@e5 P@a2 e5e4 d2d4 P@a7 e1e2 e4d3"));
    let mut taken = game("K@e1,P@d2 K@e8,P@e5 P@a2 e5e4 d2d4");
    assert_eq!(taken.position().en_passant(), Square::parse(b"d3"));
    play(&mut taken, "e4d3");
    assert_eq!(taken.position().fen(), "4k3/8/8/8/8/3p4/P7/4K3[QRRBBNNPPPPPPqrrbbnnppppppp] w Ee - 0 4");
}

#[test]
fn row_11_castling_needs_an_unmoved_king_and_rook() {
    for legal in [
        "K@e1,R@h1 K@e8,P@a7 e1g1",
        "K@e1,R@a1 K@e8,P@a7 e1c1",
        "K@e1 K@e8,P@a7 R@h1 a7a6 e1g1",
        "K@e1 K@e8,R@a8 e1e2 e8c8",
        // The first rook left, or was captured; a second one was dropped on its corner.
        "K@e1,R@h1 K@e8,P@a7 h1h3 a7a6 R@h1 a6a5 e1g1",
        "K@e1,R@h1 K@e8,B@d5 P@a2 d5h1 N@f3 h1f3 R@h1 f3d5 e1g1",
        // An attack on the rook, or on b1, is no hindrance.
        "K@e1,R@a1 K@e8,R@b8 e1c1",
        "K@e1,R@a1 K@e8,R@a8 e1c1",
    ] {
        assert!(last_is_legal(legal), "{legal}");
    }
    for illegal in [
        // The king has moved, was not dropped on e1; the rook has moved, or came from elsewhere.
        "K@e1,R@h1 K@e8,P@a7 e1e2 a7a6 e2e1 a6a5 e1g1",
        "K@d1,P@a2 K@e8,P@a7 d1e1 a7a6 R@h1 a6a5 e1g1",
        "K@e1,R@h1 K@e8,P@a7 h1h3 a7a6 h3h1 a6a5 e1g1",
        "K@e1,R@h3 K@e8,P@a7 h3h1 a7a6 e1g1",
        "K@d1,R@h1 K@e8,P@a7 d1f1",
        // A king that moved does not regain the right by a later rook.
        "K@e1 K@e8,P@a7 e1e2 a7a6 e2e1 a6a5 R@h1 a5a4 e1g1",
        // Out of, through, into check; something between; no rook there.
        "K@e1,R@h1 K@d8,R@e8 e1g1",
        "K@e1,R@h1 K@e8,R@f8 e1g1",
        "K@e1,R@h1 K@e8,R@g8 e1g1",
        "K@e1,R@a1 K@e8,R@d8 e1c1",
        "K@e1,R@a1 K@e8,R@c8 e1c1",
        "K@e1,R@a1,N@b1 K@e8 e1c1",
        "K@e1,R@h1,N@g1 K@e8 e1g1",
        "K@e1,R@a1 K@e8 e1g1",
    ] {
        assert!(!last_is_legal(illegal), "{illegal}");
    }
    // Rook and king end beside each other; rights are gone.
    assert_eq!(
        fen("K@e1,R@h1 K@e8,R@a8 e1g1 e8c8"),
        "2kr4/8/8/8/8/8/8/5RK1[QRBBNNPPPPPPPPqrbbnnpppppppp] w - - 2 3"
    );
    // How the rights are written while they come and go.
    for (tokens, letters) in [
        ("K@e1", "E"),
        ("K@d1", "-"),
        ("K@e1,R@h1", "K"),
        ("K@e1,R@a1,R@h1", "KQ"),
        ("K@e1,R@b1", "E"),
        ("K@e1,R@b1,R@c1", "-"),
        ("K@e1,R@h1 K@e8 h1h3", "Ee"),
        ("K@e1,R@a1,R@h1 K@e8 h1h3", "Qe"),
        ("K@e1 K@e8,R@a8 e1e2", "q"),
        ("K@e1 K@e8,R@h8 R@a1,R@d1", "Qk"),
        ("K@e1,R@h1 K@e8,R@h8 h1h8", "Ee"),
    ] {
        assert_eq!(game(tokens).position().castling_letters(), letters, "{tokens}");
    }
}

#[test]
fn row_12_promotion_is_free_and_captures_are_final() {
    let fen = "1n4k1/P7/8/8/8/8/8/QRR1K3[] w - - 0 9";
    assert_legal(fen, &["a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8q", "a7b8n"]);
    assert_illegal(fen, &["a7a8", "a7b8", "a7a8k", "a7a8p", "a1a2q"]);
    let mut queens = Game::new(position(fen));
    play(&mut queens, "a7b8q");
    let after = queens.position();
    assert_eq!(after.pieces(Color::White, Kind::Queen).count(), 2);
    assert_eq!(after.kind(Kind::Knight).count(), 0);
    assert!(Color::ALL.iter().all(|&color| after.reserve(color).is_empty()));
    // What is captured goes to neither reserve, what promotes takes nothing from it.
    let mut game = Game::new(position("1n5k/P7/8/8/8/8/8/4K3[Qn] w - - 0 9"));
    play(&mut game, "a7b8q");
    assert_eq!(game.position().fen(), "1Q5k/8/8/8/8/8/8/4K3[Qn] b - - 0 9");
}

#[test]
fn row_13_mate_and_stalemate_count_drops() {
    let back_rank = |reserve: &str| format!("R5k1/5ppp/8/8/8/8/1K6/8[{reserve}] b - - 1 40");
    assert_outcome(&back_rank(""), Some(Outcome::Checkmate));
    assert_outcome(&back_rank("n"), None);
    // A pawn can't stand on its own first rank, so it parries nothing there.
    assert_outcome(&back_rank("p"), Some(Outcome::Checkmate));
    assert_outcome("7k/5Q2/6K1/8/8/8/8/8[] b - - 0 60", Some(Outcome::Stalemate));
    assert_outcome("7k/5Q2/6K1/8/8/8/8/8[p] b - - 0 60", None);
    assert_outcome("7k/5Q2/6K1/8/8/8/8/8[P] b - - 0 60", Some(Outcome::Stalemate));
    assert!(!position("7k/5Q2/6K1/8/8/8/8/8[] b - - 0 60").is_checkmate());
}

#[test]
fn row_14_a_hundred_actions_without_progress() {
    let start = "4k2r/8/8/8/8/8/P7/R3K3[N] w - - 99 120";
    for (token, outcome) in [("a1b1", Some(Outcome::Fifty)), ("a2a3", None), ("N@d4", None)] {
        let mut game = Game::new(position(start));
        assert_eq!(game.outcome(), None);
        play(&mut game, token);
        assert_eq!(game.outcome(), outcome, "{token}");
    }
    let mut capture = Game::new(position("4k2r/8/8/8/8/8/P7/R3K2R[N] w - - 99 120"));
    play(&mut capture, "h1h8");
    assert_eq!((capture.outcome(), capture.position().halfmove_clock()), (None, 0));
    // A hundred in a row, counted from the last drop; here they repeat positions, which ends the game sooner.
    let mut long = game("K@e1,N@g1 K@e8,N@g8");
    for (ply, token) in (0..100).zip(["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle()) {
        assert_eq!((long.position().halfmove_clock(), long.position().outcome()), (ply, None));
        play(&mut long, token);
    }
    assert_eq!(long.position().outcome(), Some(Outcome::Fifty));
    assert_eq!(long.outcome(), Some(Outcome::Fifty));
}

#[test]
fn row_15_third_repetition() {
    let round = " g1f3 g8f6 f3g1 f6g8";
    let twice = format!("K@e1,N@g1 K@e8,N@g8{round}{round}");
    let mut shuffled = game(&twice);
    assert_eq!((shuffled.occurrences(), shuffled.outcome()), (3, Some(Outcome::Repetition)));
    shuffled.undo();
    assert_eq!(shuffled.outcome(), None);
    // No repetition crosses a drop.
    let crossed = game(&format!("K@e1,N@g1 K@e8,N@g8{round} P@a2 P@a7{round}"));
    assert_eq!((crossed.occurrences(), crossed.outcome()), (2, None));
    // Lost castling makes another position: the first stand does not count.
    let kings = " e1e2 e8e7 e2e1 e7e8";
    let mut castling = game(&format!("K@e1,R@h1 K@e8{kings}{kings}"));
    assert_eq!((castling.occurrences(), castling.outcome()), (2, None));
    play(&mut castling, kings);
    assert_eq!(castling.outcome(), Some(Outcome::Repetition));
    // So does the right to be, when only a reserve could have used it.
    let to_be = game(&format!("K@e1,N@g1 K@e8,N@g8{kings}{kings}"));
    assert_eq!(to_be.occurrences(), 2);
    // And the chance to capture en passant.
    let passed = "K@e1,P@d2,N@g1 K@e8,P@e5,N@g8 P@a2 e5e4 d2d4";
    assert_eq!(game(&format!("{passed} g8f6 g1f3 f6g8 f3g1")).occurrences(), 1);
    assert_eq!(game(&format!("{passed} g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1")).occurrences(), 2);
}

#[test]
fn row_16_dead_material() {
    for (board, reserve, dead) in [
        (LONE_KINGS, "", true),
        (LONE_KINGS, "N", true),
        (LONE_KINGS, "d", true),
        (LONE_KINGS, "Ll", true),
        (LONE_KINGS, "Ld", false),
        (LONE_KINGS, "BB", false),
        (LONE_KINGS, "Nn", false),
        (LONE_KINGS, "NN", false),
        (LONE_KINGS, "Nl", false),
        (LONE_KINGS, "P", false),
        (LONE_KINGS, "r", false),
        (LONE_KINGS, "Q", false),
        ("4k3/8/8/8/8/8/8/4K1N1", "", true),
        ("4k3/8/8/8/8/8/8/4K1N1", "n", false),
        ("4k3/8/8/8/8/8/8/4K1N1", "D", false),
        ("4k3/8/8/8/8/8/8/B3K3", "", true),
        ("4k3/b7/8/8/8/2B5/8/B3K3", "", true),
        ("4k3/b7/8/8/8/2B5/8/B3K3", "L", false),
        ("4k3/b7/8/8/8/2B5/8/B3K3", "D", true),
        ("4k3/8/8/8/8/8/8/BB2K3", "", false),
        ("4k3/p7/8/8/8/8/8/4K3", "", false),
    ] {
        let fen = format!("{board}[{reserve}] w - - 0 40");
        let position = position(&fen);
        assert_eq!(position.is_dead(), dead, "{fen}");
        assert_eq!(position.outcome(), dead.then_some(Outcome::Material), "{fen}");
    }
    // A whole reserve is alive on the empty board, two kings are dead before they are dropped.
    assert!(!Position::start().is_dead());
    assert!(position("8/8/8/8/8/8/8/8[Kk] w - - 0 1").is_dead());
}

#[test]
fn row_17_black_always_has_a_first_action() {
    let mut rng = random::generator(17);
    let start = Position::start();
    for _ in 0..20_000 {
        let first = random::random_set(&mut rng, &start, MAX_DROPS);
        assert!(start.is_legal_set(first));
        let black = start.after(Action::Drops(first));
        assert!(is_legal(&black, "K@a8,P@a7,P@b7"), "{}", black.fen());
        assert!(black.has_action() && black.count_actions() > 0);
    }
}

// The facts that follow.

#[test]
fn fact_number_of_first_actions() {
    let start = Position::start();
    let sizes = start.count_sets_by_size();
    assert_eq!(sizes.iter().sum::<u64>(), FIRST_ACTIONS);
    assert_eq!(start.count_actions(), FIRST_ACTIONS);
    assert_eq!(sizes[..5], [0, 32, 4_712, 313_560, 12_426_616]);
    assert_eq!(sizes[16], 1_408_635_301_550_400);
    // The design gives three more to three digits.
    for (size, about) in [(8, 6.77e11), (12, 2.59e14), (15, 1.71e15)] {
        assert!((sizes[size] as f64 / about - 1.0).abs() < 0.005, "size {size}: {}", sizes[size]);
    }
    // All seventeen, counted square by square.
    assert_eq!(sizes, count::sets_by_size(&start));
    for size in 0..=MAX_DROPS {
        assert_eq!(start.count_sets(size), sizes[..=size].iter().sum::<u64>());
    }
}

#[test]
fn fact_number_of_first_actions_for_black() {
    for (white, count, unblocked) in [
        ("K@e1", FIRST_ACTIONS, 32),
        ("K@e1,Q@d4", 4_459_239_881_655_394, 21),
        ("K@e1,Q@d4,R@a4,R@h4,B@c4,B@f4,N@b4,N@e4", 2_976_664_641_258_500, 7),
        (
            "K@e1,Q@d1,R@a1,R@h1,B@c1,B@f1,N@b1,N@g1,P@a2,P@b2,P@c2,P@d2,P@e2,P@f2,P@g2,P@h2",
            FIRST_ACTIONS,
            32,
        ),
    ] {
        let game = game(white);
        let position = game.position();
        assert_eq!(position.count_actions(), count, "{white}");
        assert_eq!(position.count_sets(1), unblocked, "{white}");
        assert_eq!(position.single_drops(ReserveKind::King).count(), unblocked as u32, "{white}");
        assert_eq!(position.count_sets_by_size(), count::sets_by_size(position), "{white}");
    }
}

#[test]
fn fact_number_of_drops_after_both_kings() {
    for (king, singles) in [("K@e1", 148), ("K@a1", 148), ("K@e2", 147), ("K@d3", 147), ("K@h4", 147)] {
        let sizes = game(&format!("{king} K@e8")).position().count_sets_by_size();
        assert_eq!(sizes[1], singles, "{king}");
    }
    let sizes = game("K@e1 K@e8").position().count_sets_by_size();
    assert_eq!(sizes[1..4], [148, 9_906, 395_258]);
    assert!((sizes.iter().sum::<u64>() as f64 / 2.1e14 - 1.0).abs() < 0.03);
}

#[test]
fn fact_perft_of_single_drops() {
    let start = Position::start();
    for (depth, count) in [(1, 32), (2, 1_002), (3, 153_958), (4, 21_214_264)] {
        assert_eq!(start.perft_parallel(depth, 1), Ok(count), "depth {depth}");
    }
    assert_eq!(start.perft(1, MAX_DROPS), Ok(u128::from(FIRST_ACTIONS)));
    let refused = start.perft(2, MAX_DROPS).expect_err("nobody can enumerate the first actions");
    assert_eq!((refused.count, refused.fen), (FIRST_ACTIONS, start.fen()));
}

#[test]
fn fact_not_in_check_every_set_within_the_rules_is_legal() {
    let mut rng = random::generator(3);
    let mut judged = 0;
    for position in (0..400).flat_map(random::positions) {
        let side = position.side();
        if position.in_check() || position.king(side).is_none() || position.reserve(side).is_empty() {
            continue;
        }
        let set = random::random_set(&mut rng, &position, MAX_DROPS);
        assert!(set.is_empty() || position.is_legal_set(set), "{}: {:x}", position.fen(), set.bits());
        judged += 1;
    }
    assert!(judged > 1_000);
}

#[test]
fn fact_five_checking_lines_at_once() {
    // One drop of Black's, seven checkers from five directions: rooks, queen, bishop and pawn, and two knights.
    let mut game = Game::new(position("k7/8/8/4K3/8/8/8/8[QRRBBNNPPPPPPPPqrrbbnnpppppppp] b - - 0 3"));
    play(&mut game, "R@a5,R@h5,Q@e8,B@b8,P@f6,N@d7,N@g6");
    assert_eq!(game.position().checkers().count(), 7);
    assert!(!game.position().has_drop());
    // Five lines that all can be blocked, by exactly five pieces: 48 choices of squares, 60 orders of the pieces.
    let lines = |reserve: &str| position(&format!("3q3k/8/7b/b7/8/8/r2K3r/8[{reserve}] w - - 0 20"));
    let five = lines("QRNPP");
    assert_eq!(five.checkers().count(), 5);
    assert_eq!((five.count_moves(), five.count_actions()), (0, 2_880));
    assert!(!five.is_checkmate() && is_legal(&five, "Q@c2,R@e2,N@d3,P@b4,P@f4"));
    assert!(!is_legal(&five, "Q@c2,R@e2,N@d3,P@b4") && !is_legal(&five, "Q@c2,R@e2,N@d3,P@b4,P@c3"));
    assert!(lines("QRNP").is_checkmate());
    // A bishop blocks on its own colour only: the diagonals here are dark, the other lines have squares of both.
    assert!(lines("DPPPP").has_action() && lines("LPPPP").has_action() && lines("BBPPP").has_action());
    let diagonals_and_file = position("3q3k/8/7b/b7/8/8/3K4/8[LPPP] w - - 0 20");
    assert_eq!(diagonals_and_file.checkers().count(), 3);
    assert!(diagonals_and_file.has_drop() && is_legal(&diagonals_and_file, "B@d3,P@c3,P@e3"));
    assert!(!is_legal(&diagonals_and_file, "B@d4,P@c3,P@e3") && !is_legal(&diagonals_and_file, "P@c3,P@e3"));
}

#[test]
fn fact_not_mate_when_two_drops_parry() {
    let fen = "4k3/8/8/8/B7/8/8/K2QRR2[BNNPPPPPPPPqrrbbnnpppppppp] b - - 0 3";
    // Bishop a4 and rook e1 check; no move and no single drop parries both.
    assert_outcome(fen, None);
    assert_legal(fen, &["N@d7,P@e7"]);
    let position = position(fen);
    assert_eq!(position.checkers().count(), 2);
    assert!(moves(&position).is_empty());
    assert_eq!(position.count_sets(1), 0);
}

#[test]
fn fact_mate_on_the_second_action() {
    let mate = game("K@h4 K@a8,Q@h5,R@h8,B@d6");
    assert_eq!(mate.outcome(), Some(Outcome::Checkmate));
    assert_eq!(mate.position().count_actions(), 0);
}

// The conformance list, as far as it is about rules.

#[test]
fn c42_impossible_castling_letters() {
    for (fen, left, dropped) in [
        ("4k3/8/8/8/8/8/8/4K3[] w KQkq - 0 1", "-", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R4K1R[] w KQkq - 0 1", "kq", "KQ"),
        ("4k2R/8/8/8/8/8/8/4K3[] b k - 0 1", "-", "k"),
    ] {
        let (position, notes) = Position::read_fen(fen).expect("an acceptable FEN");
        assert_eq!(position.castling_letters(), left, "{fen}");
        let expected: Vec<FenNote> = dropped.chars().map(FenNote::CastlingDropped).collect();
        assert_eq!(notes, expected, "{fen}");
    }
}

#[test]
fn c43_castling_after_drops() {
    for legal in [
        "K@e1,R@h1 K@e8,P@a7 h1h3 a7a6 R@h1 a6a5 e1g1",
        "K@e1 K@e8,P@a7 R@h1 a7a6 e1g1",
        "K@e1,R@a1 K@e8,R@b8 e1c1",
    ] {
        assert!(last_is_legal(legal), "{legal}");
    }
    for illegal in [
        "K@e1,R@h1 K@e8,P@a7 h1h3 a7a6 h3h1 a6a5 e1g1",
        "K@d1,P@a2 K@e8,P@a7 d1e1 a7a6 R@h1 a6a5 e1g1",
        "K@e1,R@a1 K@e8,R@d8 e1c1",
    ] {
        assert!(!last_is_legal(illegal), "{illegal}");
    }
}

#[test]
fn c44_en_passant_only_when_capturable() {
    assert_legal("4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 2", &["e5d6"]);
    assert_illegal("8/8/8/r2Pp2K/8/8/4k3/8[] w - e6 0 1", &["d5e6"]);
    for (fen, square, kept) in [
        ("4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 2", "d6", true),
        ("8/8/8/r2Pp2K/8/8/4k3/8[] w - e6 0 1", "e6", false),
        ("4k3/8/8/8/8/8/8/4K3[] w - e6 0 1", "e6", false),
        // No pawn can have stepped so: its square, the one behind it or its first one tells.
        ("4k3/3p4/8/3pP3/8/8/8/4K3[] w - d6 0 1", "d6", false),
        ("4k3/8/3n4/3pP3/8/8/8/4K3[] w - d6 0 1", "d6", false),
        ("4k3/8/8/3nP3/8/8/8/4K3[] w - d6 0 1", "d6", false),
        ("4k3/8/8/8/3pP3/8/8/4K3[] w - e3 0 1", "e3", false),
    ] {
        let (given, notes) = Position::read_fen(fen).expect("an acceptable FEN");
        let without = position(&fen.replace(square, "-"));
        assert_eq!(given.key() == without.key(), !kept, "{fen}");
        assert_eq!(given == without, !kept, "{fen}");
        assert_eq!(given.fen() == fen, kept, "{fen}");
        let note = Square::parse(square.as_bytes()).map(FenNote::EnPassantDropped);
        assert_eq!(notes.first().cloned(), note.filter(|_| !kept), "{fen}");
    }
    assert!(last_is_legal("K@e1,P@d2 K@e8,P@e5 P@a2 e5e4 d2d4 e4d3"));
    assert!(!last_is_legal("K@e1,P@a2 K@e8,P@e5 P@b2 e5e4 P@d4 e4d3"));
    assert!(!last_is_legal("K@e1,P@d3 K@e8 d3d5"));
    // Playing gives the same: a double step that nobody can answer, or only by exposing the king, leaves no square.
    let mut pinned = Game::new(position("8/4p3/8/r2P3K/8/8/4k3/8[] b - - 0 1"));
    play(&mut pinned, "e7e5");
    assert_eq!(pinned.position().fen(), "8/8/8/r2Pp2K/8/8/4k3/8[] w - - 0 2");
    let step = game("K@e1,P@d2 K@e8 d2d4");
    assert_eq!(step.position().en_passant(), None);
    assert!(position(&step.position().fen().replace(" - 0", " d3 0")) == *step.position());
}

#[test]
fn c46_impossible_checks() {
    for (fen, error) in [
        ("4k3/8/8/8/8/8/8/4RK2[] w - - 0 1", ValidityError::WrongSideInCheck(Color::Black)),
        ("8/8/8/3kK3/8/8/8/8[] w - - 0 1", ValidityError::AdjacentKings),
    ] {
        assert_eq!(fen.parse::<Position>().err(), Some(FenError::Invalid(error)), "{fen}");
    }
    // The mover is in check from h3, so capturing en passant is illegal and the field is dropped.
    let (position, notes) = Position::read_fen("k7/8/8/3pP3/8/7n/5K2/8[] w - d6 0 1").expect("a FEN");
    assert_eq!(position.en_passant(), None);
    assert_eq!(notes.len(), 1);
}

#[test]
fn c52_evasions_by_several_drops() {
    let corner = "7k/8/8/8/8/8/1B6/K6R[np] b - - 0 20";
    assert_legal(corner, &["N@g7,P@h7", "P@g7,N@h7", "N@h5,P@e5", "h8g8"]);
    assert_illegal(corner, &["N@g7", "P@h7"]);
    let white = "k3r3/8/8/8/1b6/8/8/4K3[QRRBBNNPPPPPPPP] w - - 0 3";
    assert_legal(white, &["P@e2,P@d2", "N@e3,B@c3"]);
    assert_illegal(white, &["P@e2"]);
    assert!(!last_is_legal("K@e1,Q@e4 K@e8") && last_is_legal("K@e1,Q@e4 K@e8,P@e7"));
    let mut mate = Game::new(position("8/8/8/8/7k/5K2/8/8[Qqr] w - - 0 30"));
    play(&mut mate, "Q@g4");
    assert_eq!(mate.outcome(), Some(Outcome::Checkmate));
}

#[test]
fn c54_mate_on_the_hundredth_action() {
    let mut game = Game::new(position("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8[] w - - 99 113"));
    play(&mut game, "g3h3");
    assert_eq!(game.position().halfmove_clock(), 100);
    assert_eq!(game.outcome(), Some(Outcome::Checkmate));
    game.undo();
    play(&mut game, "g3g1");
    assert_eq!(game.outcome(), Some(Outcome::Fifty));
}

#[test]
fn c57_repetition_looks_at_everything() {
    let shuffle = |rounds: usize| format!("K@e1,N@g1 K@e8,N@g8{}", " g1f3 g8f6 f3g1 f6g8".repeat(rounds));
    assert_eq!(game(&shuffle(1)).outcome(), None);
    assert_eq!(game(&shuffle(2)).outcome(), Some(Outcome::Repetition));
    assert_eq!(game(&shuffle(400)).occurrences(), 401);
    let dropped = "K@e1,N@g1 K@e8,N@g8 g1f3 g8f6 f3g1 f6g8 P@a2 P@a7 g1f3 g8f6 f3g1 f6g8";
    assert_eq!(game(dropped).outcome(), None);
    let castling = "K@e1,R@h1 K@e8 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8";
    assert_eq!((game(castling).occurrences(), game(castling).outcome()), (2, None));
}

// Published games and the suites.

#[test]
fn published_games_play_through() {
    let mut games = 0;
    for (fen, operations) in suite(include_str!("suites/published.epd")) {
        let tokens = operation(&operations, "moves").expect("moves");
        assert_eq!(game(tokens).position().fen(), fen);
        assert!(last_is_legal(tokens));
        games += 1;
    }
    assert_eq!(games, 3);
}

#[test]
fn openchess_example_game() {
    let mut game = game("K@g1,P@g3,P@f2,P@d4,P@e4 K@g8,P@g6,P@f7,B@g7,P@e5,P@d6");
    play(&mut game, "Q@a2,B@b3,R@f3,R@c1,B@a3,N@h4,N@g4,P@a4,P@b4,P@g2,P@h2");
    assert_eq!(game.position().fen(), "6k1/5pb1/3p2p1/4p3/PP1PP1NN/BB3RP1/Q4PPP/2R3K1[qrrlnnpppp] b - - 0 2");
}

#[test]
fn suite_of_evasions() {
    let mut positions = 0;
    for (fen, operations) in suite(include_str!("suites/evasions.epd")) {
        let position = position(fen);
        let number = |name: &str| operation(&operations, name).map(|value| value.parse::<u64>().expect(name));
        let king = position.king(position.side()).expect("a king in check");
        if let Some(lines) = count::lines(&position, king) {
            assert_eq!(number("lines"), Some(lines as u64), "{fen}");
        }
        assert_eq!(number("actions"), Some(position.count_actions()), "{fen}");
        assert_eq!(position.is_checkmate(), position.count_actions() == 0, "{fen}");
        assert!(!position.has_move() && position.count_sets(1) == 0, "{fen}");
        let sets = sets(&position);
        assert_eq!(sets.len() as u64, position.count_actions(), "{fen}");
        let fewest = sets.iter().map(|set| set.len() as u64).min();
        assert_eq!(number("fewest"), fewest, "{fen}");
        let sizes = position.count_sets_by_size();
        assert_eq!(sizes.iter().position(|&count| count > 0).map(|size| size as u64), fewest, "{fen}");
        positions += 1;
    }
    assert_eq!(positions, 60);
}

#[test]
fn suite_of_mates_by_drops() {
    let mut positions = 0;
    for (fen, operations) in suite(include_str!("suites/mate1-drops.epd")) {
        let position = position(fen);
        let mating: Vec<Action> = position
            .actions(MAX_DROPS)
            .expect("few actions")
            .into_iter()
            .filter(|&action| position.after(action).is_checkmate())
            .collect();
        let fewest = mating.iter().map(|action| action.drop_count()).min();
        assert_eq!(operation(&operations, "mates"), Some(mating.len().to_string().as_str()), "{fen}");
        assert_eq!(operation(&operations, "pieces"), fewest.map(|n| n.to_string()).as_deref(), "{fen}");
        positions += 1;
    }
    assert!(positions > 50);
}

// FEN: what is read, and what is refused.

/// Reads the first FEN as the second.
#[track_caller]
fn assert_reads(given: &str, canonical: &str) {
    assert_eq!(position(given).fen(), canonical, "{given}");
    assert!(position(canonical) == position(given));
}

#[test]
fn fen_is_read_leniently() {
    let bare = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
    let pawns = "4k3/8/8/8/8/8/8/4K3[PPp] w - - 0 1";
    // No brackets or a dash: nothing in reserve.
    assert_reads("4k3/8/8/8/8/8/8/4K3 w - - 0 1", bare);
    assert_reads("4k3/8/8/8/8/8/8/4K3[-] w - - 0 1", bare);
    // Any order, counts, a ninth row.
    assert_reads("4k3/8/8/8/8/8/8/4K3[PpP] w - - 0 1", pawns);
    assert_reads("4k3/8/8/8/8/8/8/4K3[2Pp] w - - 0 1", pawns);
    assert_reads("4k3/8/8/8/8/8/8/4K3[p2P] w - - 0 1", pawns);
    assert_reads("4k3/8/8/8/8/8/8/4K3/PPp w - - 0 1", pawns);
    assert_reads("4k3/8/8/8/8/8/8/4K3/2Pp w - - 0 1", pawns);
    assert_reads("4k3/8/8/8/8/8/8/4K3/- w - - 0 1", bare);
    assert_reads("4k3/8/8/8/8/8/8/4K3/ w - - 0 1", bare);
    assert_reads(
        "8/8/8/8/8/8/8/8[8p2n2b2rqk8P2N2B2RQK] w - - 0 1",
        "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1",
    );
    // Four or five fields, more blanks than needed, squares one by one.
    assert_reads("4k3/8/8/8/8/8/8/4K3[] w - -", bare);
    assert_reads("4k3/8/8/8/8/8/8/4K3[] w - - 7", "4k3/8/8/8/8/8/8/4K3[] w - - 7 1");
    assert_reads("  4k3/8/8/8/8/8/8/4K3[]\tw  -  -  0 1 ", bare);
    assert_reads("22k21/8/44/8/8/8/8/1111K111[] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
    assert_reads("4k3/8/8/8/8/8/8/4K3[] w - - 0 0", bare);
    // Bishops: both, one by letter, one that the board decides, one beside its sister.
    let bishops = |given: &str| position(&format!("4k3/8/8/8/8/8/8/4K3[{given}] w - - 0 1")).fen();
    assert_eq!(bishops("BB"), "4k3/8/8/8/8/8/8/4K3[BB] w - - 0 1");
    assert_eq!(bishops("LD"), bishops("BB"));
    assert_eq!(bishops("DL"), bishops("BB"));
    assert_eq!(bishops("2B"), bishops("BB"));
    assert_eq!(bishops("BL"), bishops("BB"));
    assert_eq!(bishops("Ld"), "4k3/8/8/8/8/8/8/4K3[Ld] w - - 0 1");
    assert_reads("4k3/8/8/8/8/8/8/B3K3[B] w - - 0 1", "4k3/8/8/8/8/8/8/B3K3[L] w - - 0 1");
    assert_reads("4k3/8/8/8/8/8/8/1B2K3[B] w - - 0 1", "4k3/8/8/8/8/8/8/1B2K3[D] w - - 0 1");
    assert_reads("b3k3/8/8/8/8/8/8/B3K3[Bb] w - - 0 1", "b3k3/8/8/8/8/8/8/B3K3[Ld] w - - 0 1");
    // Castling: letters kept, a right to be, and one that is none.
    let castling =
        |board: &str, letters: &str| position(&format!("{board} w {letters} - 0 1")).castling_letters();
    assert_eq!(castling("r3k2r/8/8/8/8/8/8/R3K2R[]", "qkQK"), "KQkq");
    assert_eq!(castling("4k3/8/8/8/8/8/8/4K3[Rr]", "Ee"), "Ee");
    assert_eq!(castling("4k3/8/8/8/8/8/8/4K3[r]", "Ee"), "e");
    assert_eq!(castling("3k4/8/8/8/8/8/8/4K3[Rr]", "Ee"), "E");
    assert_eq!(castling("4k3/8/8/8/8/8/8/4K2R[R]", "KE"), "K");
    assert_eq!(castling("4k3/8/8/8/8/8/8/4K2R[R]", "EK"), "K");
    assert_eq!(castling("4k3/8/8/8/8/8/8/4K2R[R]", "E"), "E");
}

#[test]
fn fen_of_chess_has_no_reserve() {
    let start = Position::chess_start();
    assert_eq!(start.chess_fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(position(&start.chess_fen()) == start);
    assert!(position(&start.fen()) == start);
}

#[test]
fn fen_with_broken_fields_is_refused() {
    let text = str::to_owned;
    for (given, error) in [
        ("", FenError::FieldCount(0)),
        ("4k3/8/8/8/8/8/8/4K3 w -", FenError::FieldCount(3)),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0 1 x", FenError::FieldCount(7)),
        ("4k3/8/8/8/8/8/4K3[] w - - 0 1", FenError::RankCount(7)),
        ("4k3/8/8/8/8/8/8/8/4K3/8/8[] w - - 0 1", FenError::RankCount(11)),
        ("4k3/8/8/8/8/8/8/4K3/P[p] w - - 0 1", FenError::RankCount(9)),
        ("4k3/7/8/8/8/8/8/4K3[] w - - 0 1", FenError::RankWidth { rank: 7, width: 7 }),
        ("4k4/8/8/8/8/8/8/4K3[] w - - 0 1", FenError::RankWidth { rank: 8, width: 9 }),
        ("4k3/8/8/8/8/8/8/4KPPPP[] w - - 0 1", FenError::RankWidth { rank: 1, width: 9 }),
        ("4k3/8/8//8/8/8/4K3[] w - - 0 1", FenError::RankWidth { rank: 5, width: 0 }),
        ("4k3/9/8/8/8/8/8/4K3[] w - - 0 1", FenError::BoardLetter('9')),
        ("4k3/0/8/8/8/8/8/4K3[] w - - 0 1", FenError::BoardLetter('0')),
        ("4x3/8/8/8/8/8/8/4K3[] w - - 0 1", FenError::BoardLetter('x')),
        ("4k3/8/8/8/8/8/8/4К3[] w - - 0 1", FenError::BoardLetter('К')),
        ("4k3/8/8/8/8/8/8/4L3[] w - - 0 1", FenError::BoardLetter('L')),
        ("4k3/8/8/8/8/8/8/4K3[Z] w - - 0 1", FenError::ReserveLetter('Z')),
        ("4k3/8/8/8/8/8/8/4K3[P-] w - - 0 1", FenError::ReserveLetter('-')),
        ("4k3/8/8/8/8/8/8/4K3[P3] w - - 0 1", FenError::ReserveLetter('3')),
        ("4k3/8/8/8/8/8/8/4K3[P[] w - - 0 1", FenError::ReserveLetter('[')),
        ("4k3/8/8/8/8/8/8/4K3[Pp w - - 0 1", FenError::OpenBracket(text("Pp"))),
        ("4k3/8/8/8/8/8/8/4K3[Pp]x w - - 0 1", FenError::OpenBracket(text("Pp]x"))),
        ("4k3/8/8/8/8/8/8/4K3[9P] w - - 0 1", FenError::ReserveCount('P')),
        ("4k3/8/8/8/8/8/8/4K3[99999999999999999999p] w - - 0 1", FenError::ReserveCount('p')),
        ("4k3/8/8/8/8/8/8/4K3[QQ] w - - 0 1", FenError::ReserveCount('Q')),
        ("4k3/8/8/8/8/8/8/4K3[rrr] w - - 0 1", FenError::ReserveCount('r')),
        ("4k3/8/8/8/8/8/8/4K3[NNN] w - - 0 1", FenError::ReserveCount('N')),
        ("4k3/8/8/8/8/8/8/4K3[LL] w - - 0 1", FenError::ReserveCount('L')),
        ("4k3/8/8/8/8/8/8/4K3[dd] w - - 0 1", FenError::ReserveCount('d')),
        ("4k3/8/8/8/8/8/8/4K3[BBB] w - - 0 1", FenError::ReserveCount('B')),
        ("4k3/8/8/8/8/8/8/4K3[BBL] w - - 0 1", FenError::ReserveCount('B')),
        ("4k3/8/8/8/8/8/8/4K3[LDb] w - - 0 1", FenError::AmbiguousBishop('b')),
        ("4k3/8/8/8/8/8/8/4K3[B] w - - 0 1", FenError::AmbiguousBishop('B')),
        ("4k3/8/8/8/8/8/8/BB2K3[B] w - - 0 1", FenError::AmbiguousBishop('B')),
        ("4k3/8/8/8/8/8/8/b3K3[B] w - - 0 1", FenError::AmbiguousBishop('B')),
        ("4k3/8/8/8/8/8/8/4K3[] x - - 0 1", FenError::Side(text("x"))),
        ("4k3/8/8/8/8/8/8/4K3[] white - - 0 1", FenError::Side(text("white"))),
        ("4k3/8/8/8/8/8/8/4K3[] w KX - 0 1", FenError::Castling(text("KX"))),
        ("4k3/8/8/8/8/8/8/4K3[] w - e9 0 1", FenError::EnPassant(text("e9"))),
        ("4k3/8/8/8/8/8/8/4K3[] w - é3 0 1", FenError::EnPassant(text("é3"))),
        ("4k3/8/8/8/8/8/8/4K3[] w - - x 1", FenError::Halfmove(text("x"))),
        ("4k3/8/8/8/8/8/8/4K3[] w - - -1 1", FenError::Halfmove(text("-1"))),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 99999 1", FenError::Halfmove(text("99999"))),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0 x", FenError::Fullmove(text("x"))),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0 1.5", FenError::Fullmove(text("1.5"))),
    ] {
        assert_eq!(given.parse::<Position>().err(), Some(error), "{given}");
    }
}

#[test]
fn fen_of_impossible_positions_is_refused() {
    use Color::{Black, White};
    use ValidityError as E;
    for (given, error) in [
        ("8/8/8/8/8/8/8/4K3[] w - - 0 1", E::Kings { color: Black, count: 0 }),
        ("4k3/8/8/8/8/8/8/3KK3[] w - - 0 1", E::Kings { color: White, count: 2 }),
        ("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", E::Kings { color: White, count: 2 }),
        ("4k3/8/8/8/8/8/8/4K3[k] w - - 0 1", E::Kings { color: Black, count: 2 }),
        ("4k3/8/8/8/8/8/8/N7[K] w - - 0 1", E::KingLeftBehind(White)),
        ("8/8/8/4n3/8/8/8/4K3[k] b - - 0 1", E::KingLeftBehind(Black)),
        // White acts first, then Black.
        ("8/8/8/8/8/8/8/8[Kk] b - - 0 1", E::OutOfTurn(White)),
        ("4k3/8/8/8/8/8/8/8[K] w - - 0 1", E::OutOfTurn(White)),
        ("4k3/8/8/8/8/8/8/8[K] b - - 0 1", E::OutOfTurn(White)),
        ("8/8/8/8/8/8/8/4K3[k] w - - 0 1", E::OutOfTurn(Black)),
        ("4k3/8/8/8/8/8/8/P3K3[] w - - 0 1", E::PawnRank(Square::A1)),
        ("4k2P/8/8/8/8/8/8/4K3[] w - - 0 1", E::PawnRank(Square::H8)),
        ("4k3/8/8/8/8/8/8/p3K3[] b - - 0 1", E::PawnRank(Square::A1)),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3[] w - - 0 1", E::TooManyPawns(White)),
        ("4k3/pppppppp/8/8/8/8/8/4K3[p] w - - 0 1", E::TooManyPawns(Black)),
        ("4k3/8/8/8/8/NNNNNNNN/RRRRRRRR/4K3[] w - - 0 1", E::TooMany(White)),
        ("rnbqkbnr/pppppppp/8/8/8/8/8/4K3[q] w - - 0 1", E::TooMany(Black)),
        ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3[] w - - 0 1", E::TooManyPromotions(White)),
        ("4k3/8/8/8/8/8/PPPPPPPP/Q3K3[Q] w - - 0 1", E::TooManyPromotions(White)),
        ("nnn1k3/pppppppp/8/8/8/8/8/4K3[] w - - 0 1", E::TooManyPromotions(Black)),
        // Two bishops of one colour need a promotion; so does one beside its reserve sister.
        ("4k3/8/8/8/8/8/PPPPPPPP/B1B1K3[] w - - 0 1", E::TooManyPromotions(White)),
        ("4k3/8/8/8/8/8/PPPPPPPP/B3K3[D] w - - 0 1", E::TooManyPromotions(White)),
        ("4k3/8/8/8/8/8/PPPPPPP1/B1B1K3[D] w - - 0 1", E::TooManyPromotions(White)),
        ("8/8/8/8/8/8/4k3/4K3[] w - - 0 1", E::AdjacentKings),
        ("8/8/8/8/3k4/4K3/8/8[] b - - 0 1", E::AdjacentKings),
        ("4k3/4R3/8/8/8/8/8/4K3[] w - - 0 1", E::WrongSideInCheck(Black)),
        ("4k3/8/8/8/8/3n4/8/4K3[] b - - 0 1", E::WrongSideInCheck(White)),
    ] {
        assert_eq!(given.parse::<Position>().err(), Some(FenError::Invalid(error)), "{given}");
    }
    // Just possible: eight promotions, and as many as the missing pawns allow beside a bound bishop.
    for given in [
        "4k3/8/8/8/8/8/QQQQQQQQ/RNBQKBNR[] b - - 0 1",
        "4k3/pppppppp/8/8/8/8/8/4K3[qrrbbnn] w - - 0 1",
        "4k3/8/8/8/8/8/PPPPPP2/B1B1K3[D] w - - 0 1",
    ] {
        assert_eq!(given.parse::<Position>().err(), None, "{given}");
    }
}

#[test]
fn fen_errors_say_what_was_expected_and_what_came() {
    for (given, words) in [
        ("4k3/8/8/8/8/8/8/4K3[] x - - 0 1", ["expected 'w' or 'b'", "got 'x'"]),
        ("4k3/7/8/8/8/8/8/4K3[] w - - 0 1", ["expected 8 squares", "got 7"]),
        ("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", ["expected one White king", "got 2"]),
        ("4k3/8/8/8/8/8/8/4K3[B] w - - 0 1", ["which bishop", "L/l"]),
    ] {
        let message = given.parse::<Position>().err().map(|error| error.to_string()).unwrap_or_default();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
        assert!(!message.contains('\n'));
    }
}

#[test]
fn the_largest_clocks_survive_play() {
    let mut game = Game::new(position("4k3/8/8/8/8/8/8/R3K3[] w - - 65535 65535"));
    play(&mut game, "a1a2 e8d8");
    assert_eq!(game.outcome(), Some(Outcome::Fifty));
    assert!(position(&game.position().fen()) == *game.position());
    let mut null = position("4k3/8/8/8/8/8/8/R3K3[] w - - 65535 65535");
    null.play_null();
    assert!(null.halfmove_clock() >= 100);
}

#[test]
fn moves_without_reserves_are_those_of_chess() {
    let start = Position::chess_start();
    let opening = moves(&start);
    assert_eq!(opening.len(), 20);
    let e4 = Move::new(Square::E2, Square::E4).expect("two squares");
    assert!(opening.contains(&e4) && start.count_sets(MAX_DROPS) == 0);
    for (depth, count) in [(1, 20), (2, 400), (3, 8_902), (4, 197_281)] {
        assert_eq!(start.perft(depth, MAX_DROPS), Ok(count));
    }
}
