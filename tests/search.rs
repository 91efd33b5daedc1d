//! The searcher: whole games by the rules, claims that hold, limits that are kept, an evaluation that prices holding and
//! dropping alike.

mod common;

use std::time::Duration;

use common::naive::Naive;
use common::{operation, position, random, suite};
use kingchess::eval::evaluate;
use kingchess::rules::{Game, Outcome, Position};
use kingchess::search::{Bound, Control, Effort, Limits, Report, SearchResult, Searcher, mate_in_one};
use kingchess::types::{Action, Color, MAX_DROPS, ReserveKind};
use rayon::prelude::*;

fn searcher() -> Searcher {
    let mut searcher = Searcher::new(4).expect("4 MB");
    searcher.overhead = Duration::ZERO;
    searcher
}

fn search(game: &Game, limits: &Limits) -> (SearchResult, Vec<Report>) {
    let mut reports = Vec::new();
    let result =
        searcher().search(game, limits, &Control::default(), &mut |report| reports.push(report.clone()));
    (result, reports)
}

/// Plays a game of the searcher against itself after a few random actions, from the empty board or, for most seeds, from
/// somewhere special. Every action, the position after it and the end are checked by the referee that knows nothing of
/// this crate.
fn self_play(seed: u64, limits: &Limits, threads: usize) -> (Outcome, usize) {
    let (start, opening) = random::game(seed);
    let mut game = Game::new(start);
    let mut naive = Naive::from_fen(&game.position().fen());
    let mut seen = vec![naive.identity()];
    let mut searcher = Searcher::new(1).expect("1 MB");
    searcher.overhead = Duration::ZERO;
    searcher.set_threads(threads);
    let mut opening = opening.into_iter().take(2 + seed as usize % 4);
    loop {
        if let Some(outcome) = game.outcome() {
            check_end(outcome, &naive, &seen);
            return (outcome, game.ply());
        }
        assert!(game.ply() < 1000, "no end: {}", game.position().fen());
        let action = opening.next().unwrap_or_else(|| {
            let result = searcher.search(&game, limits, &Control::default(), &mut |report| {
                check_line(&game, report);
            });
            result.best.expect("the game goes on")
        });
        let token = action.token(game.position().side()).to_string();
        assert!(naive.is_legal(&token), "{token} in {}", naive.fen());
        naive = naive.play(&token);
        game.play(action);
        assert_eq!(game.position().fen(), naive.fen());
        assert_eq!(game.position().key(), game.position().key_from_scratch());
        seen.push(naive.identity());
    }
}

fn check_end(outcome: Outcome, naive: &Naive, seen: &[String]) {
    let position: Position = position(&naive.fen());
    let times = seen.iter().filter(|&identity| *identity == naive.identity()).count();
    match outcome {
        // Large reserves have too many sets to try them all; then no move, no single drop and none of those tried helps.
        Outcome::Checkmate => {
            assert!(naive.in_check() && naive.legal_moves().is_empty() && naive.single_drops().is_empty());
            assert_ne!(naive.has_legal_action(2_000_000), Some(true));
        }
        Outcome::Stalemate => assert!(!naive.in_check() && naive.has_legal_action(2_000_000) == Some(false)),
        Outcome::Fifty => assert_eq!(position.halfmove_clock(), 100),
        Outcome::Repetition => assert!(times >= 3, "{times} times"),
        Outcome::Material => assert!(naive.dead_material()),
    }
}

/// A principal variation is legal to its end and goes on past neither mate nor draw.
fn check_line(game: &Game, report: &Report) {
    let mut game = game.clone();
    for (index, &action) in report.pv.iter().enumerate() {
        assert!(
            game.position().is_legal(action),
            "{action:?} of {:?} in {}",
            report.pv,
            game.position().fen()
        );
        // The root itself may be drawn already; a search still answers there.
        assert!(
            index == 0 || game.outcome().is_none(),
            "{:?} goes on in {}",
            report.pv,
            game.position().fen()
        );
        game.play(action);
    }
}

fn self_play_games(games: u64, limits: &Limits, threads: usize) {
    let ended: Vec<(Outcome, usize)> =
        (0..games).into_par_iter().map(|seed| self_play(seed, limits, threads)).collect();
    let plies: usize = ended.iter().map(|(_, plies)| plies).sum();
    let mates = ended.iter().filter(|(outcome, _)| *outcome == Outcome::Checkmate).count();
    println!("{games} games, threads {threads}: {plies} actions, {mates} ended by mate");
}

#[test]
fn games_against_itself_end_by_the_rules() {
    self_play_games(12, &Limits { nodes: Some(1500), ..Limits::default() }, 1);
}

#[test]
#[ignore = "some minutes: `cargo test --release --test search -- --ignored --nocapture`"]
fn two_hundred_games_at_20_ms_end_by_the_rules() {
    self_play_games(200, &Limits { movetime: Some(Duration::from_millis(20)), ..Limits::default() }, 1);
}

#[test]
#[ignore = "a quarter of an hour: `cargo test --release --test search thousand_games -- --ignored --nocapture`"]
fn two_thousand_games_at_10_ms_with_one_and_eight_threads() {
    for threads in [1, 8] {
        let limits = Limits { movetime: Some(Duration::from_millis(10)), ..Limits::default() };
        self_play_games(2000, &limits, threads);
    }
}

/// What a table filled by a deep search says stays sensible when an analyst steps along the line and back.
#[test]
fn analysis_is_stable_when_stepping_forward_and_back() {
    let mut changes = Vec::new();
    for fen in [
        "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        "r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R[QNLqnd] w KQkq - 0 1",
        "8/5k2/3p4/8/4P3/8/2K5/8[Rr] w - - 0 1",
    ] {
        let mut searcher = Searcher::new(16).expect("memory");
        let mut game = Game::new(position(fen));
        let mut look = |game: &Game| {
            let limits = Limits { nodes: Some(60_000), ..Limits::default() };
            searcher.search(game, &limits, &Control::default(), &mut |_| {})
        };
        let mut seen = vec![look(&game)];
        for _ in 0..4 {
            game.play(seen.last().and_then(|result| result.best).expect("the game goes on"));
            seen.push(look(&game));
        }
        for before in seen.iter().rev().skip(1) {
            game.undo();
            let again = look(&game);
            let steps = (before.score.get(), again.score.get());
            println!("{steps:?} in {}", game.position().fen());
            changes.push(steps.0.abs_diff(steps.1));
            assert!(again.best.is_some_and(|action| game.position().is_legal(action)));
        }
    }
    // What was learned a few actions on may change a value, but seldom by much.
    let mean = f64::from(changes.iter().sum::<u32>()) / changes.len() as f64;
    assert!(mean <= 30.0, "{mean}");
    assert!(changes.iter().all(|&change| change <= 150), "{changes:?}");
}

#[test]
fn nodes_are_limited_exactly_and_repeat() {
    for fen in
        ["8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[QLdn] w - - 0 1"]
    {
        let game = Game::new(position(fen));
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let (first, lines) = search(&game, &limits);
        let (second, again) = search(&game, &limits);
        assert_eq!(first.nodes, 5000);
        assert_eq!((first.best, first.score), (second.best, second.score));
        assert_eq!(lines.len(), again.len());
    }
}

#[test]
fn the_last_line_is_exact_and_begins_with_the_answer() {
    for step in 1..60 {
        let nodes = step * 97;
        let position = *random::positions(step).last().expect("a position");
        if !position.has_action() {
            continue;
        }
        let (result, lines) =
            search(&Game::new(position), &Limits { nodes: Some(nodes), ..Limits::default() });
        let last = lines.iter().rfind(|line| line.multipv == 1).expect("a line");
        assert_eq!(last.bound, Bound::Exact);
        assert_eq!(last.pv.first().copied(), result.best, "{}", position.fen());
    }
}

#[test]
fn lines_of_several_threads_are_different_and_in_order() {
    for seed in 0..12 {
        let position = *random::positions(seed).iter().rfind(|position| position.has_action()).expect("one");
        let game = Game::new(position);
        let mut searcher = searcher();
        searcher.set_threads(4);
        searcher.lines = 5;
        let mut reports: Vec<Report> = Vec::new();
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let result =
            searcher.search(&game, &limits, &Control::default(), &mut |report| reports.push(report.clone()));
        let of_iteration = |depth: u32| reports.iter().filter(move |report| report.depth == depth);
        for depth in 1..=7 {
            let lines: Vec<&Report> = of_iteration(depth).collect();
            for (index, line) in lines.iter().enumerate() {
                assert_eq!(line.multipv, index + 1, "{}", position.fen());
                assert!(line.seldepth as usize >= line.pv.len(), "{}", position.fen());
                check_line(&game, line);
                assert!(lines[..index].iter().all(|other| other.pv[0] != line.pv[0]), "{}", position.fen());
            }
            assert!(lines.windows(2).all(|pair| pair[0].score >= pair[1].score), "{}", position.fen());
        }
        let last = of_iteration(7).next().map(|line| line.pv[0]);
        assert!(last.is_none() || last == result.best, "{}", position.fen());
    }
}

#[test]
fn mate_on_the_hundredth_action_is_seen() {
    let game = Game::new(position("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8[] w - - 99 113"));
    let (result, _) = search(&game, &Limits { depth: Some(5), ..Limits::default() });
    assert_eq!(result.score.mate_distance(), Some(1));
    assert_eq!(
        result.best.map(|action| action.token(game.position().side()).to_string()).as_deref(),
        Some("g3h3")
    );
}

/// Forced mates in two against all replies, drops of several pieces included: never claimed to be shorter, and never
/// claimed by another action than the proven ones.
#[test]
fn mates_in_two_are_claimed_only_as_they_are() {
    suite(include_str!("suites/mate2-drops.epd")).collect::<Vec<_>>().par_iter().for_each(
        |(fen, operations)| {
            let game = Game::new(position(fen));
            let (result, _) = search(&game, &Limits { depth: Some(4), ..Limits::default() });
            let Some(distance) = result.score.mate_distance() else { return };
            if distance.abs() <= 2 {
                let best = result.best.expect("mate takes an action");
                let mut keys = operation(operations, "bm").expect("the suite names the keys").split(' ');
                assert_eq!(distance, 2, "{fen}");
                assert!(
                    keys.any(|key| common::action(game.position(), key) == Some(best)),
                    "{fen}: {best:?}"
                );
            }
        },
    );
}

/// A defence that takes two blockers at once is found where it is the only one.
#[test]
fn evasions_of_several_pieces_are_found() {
    suite(include_str!("suites/evasions.epd")).collect::<Vec<_>>().par_iter().for_each(
        |(fen, operations)| {
            let game = Game::new(position(fen));
            let (result, _) = search(&game, &Limits { depth: Some(3), ..Limits::default() });
            let actions = operation(operations, "actions").expect("the suite counts actions");
            match result.best {
                None => assert_eq!(actions, "0", "{fen}"),
                Some(action) => {
                    assert!(game.position().is_legal(action), "{fen}");
                    let fewest = operation(operations, "fewest").expect("the suite tells the smallest");
                    assert!(action.drop_count() >= fewest.parse().expect("a number"), "{fen}");
                }
            }
        },
    );
}

/// Whatever the FEN parser accepts survives a search.
#[test]
fn random_positions_survive_a_search() {
    let positions: Vec<Position> = (0..200).flat_map(random::positions).collect();
    assert!(positions.len() > 3000, "{}", positions.len());
    positions.into_par_iter().for_each(|position| {
        let game = Game::new(position);
        let (result, lines) = search(&game, &Limits { depth: Some(2), ..Limits::default() });
        assert_eq!(result.best.is_some(), game.position().has_action(), "{}", game.position().fen());
        lines.iter().for_each(|line| check_line(&game, line));
    });
}

/// Does the side to act mate in at most `actions`, whatever the defender does? The attacker's actions come from the
/// searcher, as a certificate; the defender's are all that are legal, sets of every size included.
fn is_proven(searcher: &mut Searcher, position: &Position, actions: u32) -> bool {
    let limits = Limits { mate: Some(actions), nodes: Some(3_000_000), ..Limits::default() };
    let result = searcher.search(&Game::new(*position), &limits, &Control::default(), &mut |_| {});
    let Some(best) = result.best else { return false };
    let defender = position.after(best);
    let answers = defender.actions(MAX_DROPS).expect("few answers");
    if answers.is_empty() {
        return defender.in_check();
    }
    actions > 1 && answers.iter().all(|&answer| is_proven(searcher, &defender.after(answer), actions - 1))
}

/// The first `count` random positions with few pieces in reserve that fulfil the condition.
fn few_in_reserve(count: usize, fits: impl Fn([u32; 2]) -> bool) -> Vec<Position> {
    (0..)
        .flat_map(random::positions)
        .filter(|position| {
            let totals = Color::ALL.map(|color| position.reserve(color).total());
            let kings = Color::ALL.iter().all(|&color| position.king(color).is_some());
            kings && fits(totals) && position.outcome().is_none()
        })
        .take(count)
        .collect()
}

/// Searches positions and proves every mate that is claimed for the side to act or against it.
fn check_claims(positions: &[Position], nodes: u64, longest: u32) {
    let claims: Vec<(usize, usize)> = positions
        .par_iter()
        .map(|position| {
            let mut searcher = searcher();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let result = searcher.search(&Game::new(*position), &limits, &Control::default(), &mut |_| {});
            let Some(distance) = result.score.mate_distance() else { return (0, 0) };
            let actions = distance.unsigned_abs();
            if actions > longest {
                return (1, 0);
            }
            let proven = if distance > 0 {
                is_proven(&mut searcher, position, actions)
            } else {
                let answers = position.actions(MAX_DROPS).expect("few answers");
                answers.iter().all(|&answer| is_proven(&mut searcher, &position.after(answer), actions))
            };
            assert!(proven, "mate {distance} in {}", position.fen());
            (1, 1)
        })
        .collect();
    let claimed: usize = claims.iter().map(|claim| claim.0).sum();
    let proven: usize = claims.iter().map(|claim| claim.1).sum();
    println!(
        "{} positions, {claimed} mates claimed, {proven} of at most {longest} actions, all proven",
        positions.len()
    );
    assert!(proven * 50 > positions.len(), "too few claims to mean anything: {proven}");
}

#[test]
fn mates_are_claimed_only_when_proven() {
    check_claims(&few_in_reserve(400, |[white, black]| (1..=3).contains(&(white + black))), 3000, 2);
}

#[test]
#[ignore = "some minutes: `cargo test --release --test search -- --ignored --nocapture`"]
fn ten_thousand_positions_without_a_false_claim() {
    check_claims(&few_in_reserve(10_000, |[white, black]| (1..=3).contains(&(white + black))), 5000, 3);
}

/// With full or nearly full reserves a claim can't be proven by trying everything; it must stand when the position is
/// searched again three plies deeper than where it came up, with four times as many drop sets in every node.
#[test]
#[ignore = "a minute: `cargo test --release --test search openings -- --ignored --nocapture`"]
fn mate_claims_in_openings_are_not_withdrawn() {
    let full = |position: &Position| {
        let few = Color::ALL.iter().all(|&color| position.reserve(color).total() >= 8);
        few && Color::ALL.iter().all(|&color| position.king(color).is_some()) && position.outcome().is_none()
    };
    let positions: Vec<Position> = (0..).flat_map(random::positions).filter(full).take(1000).collect();
    let claims: usize = positions
        .par_iter()
        .map(|position| {
            let mut searcher = searcher();
            let mut search = |limits: &Limits| {
                searcher.clear();
                let mut first = None;
                let result =
                    searcher.search(&Game::new(*position), limits, &Control::default(), &mut |report| {
                        if first.is_none() && report.score.is_mate() {
                            first = Some(report.depth);
                        }
                    });
                (result.score, first)
            };
            let (claimed, first) = search(&Limits { nodes: Some(20_000), ..Limits::default() });
            let (Some(distance), Some(depth)) = (claimed.mate_distance(), first) else { return 0 };
            let deeper =
                Limits { depth: Some(depth + 3), nodes: Some(20_000_000), wider: 3, ..Limits::default() };
            let (again, _) = search(&deeper);
            let stands = again.mate_distance().is_some_and(|again| (again > 0) == (distance > 0));
            assert!(stands, "{claimed} became {again} in {}", position.fen());
            1
        })
        .sum();
    println!("{} openings, {claims} mates claimed, none withdrawn", positions.len());
    assert!(claims > 10, "{claims}");
}

/// How much worse the action chosen at depth 2 is than the best of all, by the values of searches of depth 2 after each.
fn regret(position: &Position) -> i32 {
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let mut searcher = searcher();
    let mut search = |limits: &Limits| {
        searcher.clear();
        searcher.search(&Game::new(*position), limits, &Control::default(), &mut |_| {})
    };
    let chosen = search(&limits).best.expect("the game goes on");
    let mut value =
        |action: Action| search(&Limits { searchmoves: Some(vec![action]), ..limits.clone() }).score.get();
    let actions = position.actions(MAX_DROPS).expect("few actions");
    let best = actions.iter().map(|&action| value(action)).max().expect("an action");
    // A mate missed is a pawn's worth of regret many times over, but not thirty thousand.
    (best.min(2000) - value(chosen).clamp(-2000, 2000)).max(0)
}

/// One position a game, so that no missed mate counts for a whole game.
#[test]
#[ignore = "a minute: `cargo test --release --test search chosen -- --ignored --nocapture`"]
fn chosen_actions_are_nearly_the_best_of_all() {
    let fits = |position: &Position| {
        let [white, black] = Color::ALL.map(|color| position.reserve(color).total());
        let kings = Color::ALL.iter().all(|&color| position.king(color).is_some());
        kings && (1..=3).contains(&white) && black <= 3 && position.outcome().is_none()
    };
    let positions: Vec<Position> =
        (0..3000).filter_map(|seed| random::positions(seed).into_iter().find(fits)).take(300).collect();
    let mut regrets: Vec<i32> = positions.par_iter().map(regret).collect();
    regrets.sort_unstable();
    let mean = regrets.iter().sum::<i32>() as f64 / regrets.len() as f64;
    let without = regrets.iter().filter(|&&regret| regret == 0).count();
    println!("{} positions, mean regret {mean:.1} centipawns, none in {without}", regrets.len());
    assert!(mean < 10.0, "{mean}");
}

/// "Can the side to act mate at once" is the same by growing sets and by trying every action.
#[test]
fn mates_in_one_agree_with_trying_every_action() {
    let positions: Vec<Position> = (0..1500).flat_map(random::positions).collect();
    let mates: usize = positions
        .par_iter()
        .filter(|position| position.king(!position.side()).is_some() && position.count_actions() < 5_000)
        .map(|position| {
            let actions = position.actions(MAX_DROPS).expect("few actions");
            let exists = actions.iter().any(|&action| position.after(action).is_checkmate());
            let found = mate_in_one(position, Effort::WHOLE);
            assert_eq!(found.is_some(), exists, "{}", position.fen());
            assert!(
                found.is_none_or(|action| position.is_legal(action) && position.after(action).is_checkmate())
            );
            usize::from(exists)
        })
        .sum();
    println!("{} positions, {mates} with a mate in one", positions.len());
    assert!(mates > 100, "{mates}");
}

/// Whatever the evaluation has learned, a queen or a rook more in hand is worth something nearly everywhere.
#[test]
fn a_heavy_piece_in_hand_is_worth_something() {
    let (mut more, mut all) = (0, 0);
    for position in (0..300).flat_map(random::positions).filter(|position| !position.in_check()) {
        let us = position.side();
        for kind in [ReserveKind::Queen, ReserveKind::Rook] {
            if position.reserve(us).has(kind)
                && let Some(less) = position.without_reserve(us, kind)
            {
                all += 1;
                more += usize::from(evaluate(&position) > evaluate(&less));
            }
        }
    }
    println!("worth something in {more} of {all} cases");
    assert!(all > 500 && more * 20 >= all * 19, "{more} of {all}");
}
