//! Whatever text comes in, reading it never panics. A FEN that is accepted is a whole position: it is written and read
//! back the same, everything legal in it can be played, and it survives a search of depth 2. An action that is accepted
//! is written in its one form and can be played.
//!
//! Each property runs on 20,000 texts; `PROPTEST_CASES=1000000 cargo test --release --test fuzz` makes it a million.

mod common;

use std::cell::RefCell;

use common::{moves, random};
use kingchess::notation::{read_action, read_legal_action};
use kingchess::rules::{Game, Position};
use kingchess::search::{Control, Limits, Searcher};
use kingchess::types::{Color, Drop, Short};
use proptest::prelude::*;
use proptest::sample::Index;

/// FENs to change: one of every sort of field.
const FENS: [&str; 14] = [
    "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1",
    "8/8/8/8/8/8/8/4K3[QRRBBNNPPPPPPPPkqrrbbnnpppppppp] b E - 0 1",
    "6k1/5pb1/3p2p1/4p3/PP1PP1NN/BB3RP1/Q4PPP/2R3K1[qrrlnnpppp] b - - 0 2",
    "4k2r/2p2ppp/2n2n2/3pp3/3PP3/2N2N2/2P2PPP/4K2R[QRBBPPqrbbpp] w Kk - 0 9",
    "r3k2r/ppp2ppp/2npbn2/4p3/4P3/2NPBN2/PPP2PPP/R3K2R[QLqd] w KQkq - 0 12",
    "4k3/8/8/8/8/8/8/4K3[RRrr] w Ee - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3[Pp] w - d6 0 2",
    "8/8/8/8/4Pp2/8/8/4K2k[2P] b - e3 0 30",
    "7k/8/8/8/8/8/1B6/K6R[np] b - - 0 20",
    "8/P6k/8/8/8/8/p6K/8[Nn] w - - 99 100",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/B3K3/BPp w - -",
    "4k3/8/8/8/8/8/8/4K3[-] w - - 65535 65535",
    "2r5/8/P7/3q2Pk/8/8/8/b1K2r1b[QDP] w - - 0 20",
];

/// What FENs are made of, and some of what they are not.
const PARTS: [&str; 44] = [
    "K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p", "L", "D", "l", "d", "E", "e", "1", "2", "3",
    "4", "5", "6", "7", "8", "9", "0", "/", "[", "]", "-", " ", "w", "b", "a3", "e6", "h9", "é", "К", "\0",
    "\u{202e}", "99999999", "moves",
];

fn config() -> ProptestConfig {
    // The default takes the number of cases from PROPTEST_CASES.
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 20_000 };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

/// A change of a text: where, how many characters go, what comes instead.
type Edit = (Index, usize, Vec<&'static str>);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let part = proptest::sample::select(&PARTS[..]);
    proptest::collection::vec((any::<Index>(), 0..3usize, proptest::collection::vec(part, 0..3)), 0..4)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (at, removed, added) in edits {
        let start = at.index(letters.len() + 1);
        let end = (start + removed).min(letters.len());
        letters.splice(start..end, added.concat().chars());
    }
    letters.into_iter().collect()
}

/// Reads a text; if it is accepted, looks at the position from all sides.
fn check_fen(text: &str) {
    let Ok((position, _)) = Position::read_fen(text) else { return };
    assert_whole(&position);
    for short in shorts(&position) {
        assert!(position.is_legal_short(short), "{}: {short}", position.fen());
        let mut next = position;
        next.play_short(short);
        assert_whole(&next);
    }
    // Searches take longer than everything else here: a tenth of the positions has to do.
    if position.key().is_multiple_of(10) {
        survives_a_search(position);
    }
}

fn survives_a_search(position: Position) {
    thread_local! {
        static SEARCHER: RefCell<Searcher> = RefCell::new(Searcher::new(1).expect("1 MB"));
    }
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let result = SEARCHER.with_borrow_mut(|searcher| {
        searcher.search(&Game::new(position), &limits, &Control::default(), &mut |_| {})
    });
    assert_eq!(result.best.is_some(), position.has_action(), "{}", position.fen());
    assert!(result.best.is_none_or(|best| position.is_legal(best)), "{}", position.fen());
}

/// Reads a text as an action; if it is accepted, it has one form, which reads as the same action.
fn check_action(text: &str, position: &Position) {
    for color in Color::ALL {
        if let Ok(action) = read_action(text, color) {
            let token = action.token(color).to_string();
            assert!(token.len() <= 79, "{token}");
            assert_eq!(read_action(&token, color), Ok(action), "{text}");
            assert_eq!(read_action(&token.to_lowercase(), color), Ok(action), "{text}");
        }
    }
    if let Ok(action) = read_legal_action(text, position) {
        assert!(position.is_legal(action), "{text} in {}", position.fen());
        assert_whole(&position.after(action));
    }
}

/// The position is what its FEN says, and its counts fit its existence tests.
fn assert_whole(position: &Position) {
    let fen = position.fen();
    let read = Position::read_fen(&fen);
    assert!(matches!(&read, Ok((read, notes)) if read == position && notes.is_empty()), "{fen}");
    assert_eq!(position.key(), position.key_from_scratch(), "{fen}");
    assert_eq!(position.has_action(), position.count_actions() > 0, "{fen}");
    let _ = position.outcome();
}

/// The legal moves and drops of one piece.
fn shorts(position: &Position) -> Vec<Short> {
    let mut shorts: Vec<Short> = moves(position).into_iter().map(Short::from).collect();
    position.visit_single_drops(|kind, squares| {
        shorts.extend(squares.map(|square| Short::from(Drop { kind: kind.kind(), square })));
    });
    shorts
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text_as_a_fen(text in ".*") {
        check_fen(&text);
    }

    #[test]
    fn any_fields_as_a_fen(parts in proptest::collection::vec(proptest::sample::select(&PARTS[..]), 0..60)) {
        check_fen(&parts.concat());
    }

    #[test]
    fn changed_fens(fen in proptest::sample::select(&FENS[..]), edits in edits()) {
        check_fen(&edited(fen, &edits));
    }

    #[test]
    fn two_fens_mixed(
        first in proptest::sample::select(&FENS[..]),
        second in proptest::sample::select(&FENS[..]),
        taken in proptest::collection::vec(any::<bool>(), 6),
    ) {
        let fields = first.split(' ').zip(second.split(' ')).zip(taken);
        let mixed: Vec<&str> = fields.map(|((first, second), take)| if take { first } else { second }).collect();
        check_fen(&mixed.join(" "));
    }

    #[test]
    fn changed_fens_of_random_games(seed: u64, at: Index, edits in edits()) {
        let positions = random::positions(seed);
        check_fen(&edited(&positions[at.index(positions.len())].fen(), &edits));
    }
}

/// What action tokens are made of, and some of what they are not.
const TOKEN_PARTS: [&str; 36] = [
    "K@", "Q@", "R@", "B@", "N@", "P@", "k@", "p@", "e1", "a8", "h1", "d4", "c5", "e7", "e8", "b2", "g3",
    "f6", ",", ",", ",", "q", "n", "x", "@", "K", "i9", "e", "4", "0", " ", "é", "К@", "\0", "🦀", "-",
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text_as_an_action(text in ".*", seed in 0..200u64) {
        let positions = random::positions(seed);
        check_action(&text, &positions[positions.len() / 2]);
    }

    #[test]
    fn any_parts_as_an_action(
        parts in proptest::collection::vec(proptest::sample::select(&TOKEN_PARTS[..]), 0..24),
        seed in 0..200u64,
    ) {
        let positions = random::positions(seed);
        check_action(&parts.concat(), &positions[positions.len() / 2]);
    }

    #[test]
    fn changed_actions_of_random_games(seed in 0..2000u64, at: Index, edits in edits()) {
        let (start, actions) = random::game(seed);
        if actions.is_empty() {
            return Ok(());
        }
        let number = at.index(actions.len());
        let position = actions[..number].iter().fold(start, |position, &action| position.after(action));
        let token = actions[number].token(position.side()).to_string();
        check_action(&token, &position);
        check_action(&edited(&token, &edits), &position);
    }
}
