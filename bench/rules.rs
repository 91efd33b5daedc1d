//! How fast the rules are: perft side by side with two public crates, and the single questions a search or a dialogue
//! asks. The figures and how to read them are in README.md beside this file.

use std::hint::black_box;
use std::time::Duration;

use cozy_chess::Board;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, criterion_main};
use kingchess::rules::{Position, Wanted};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// A position of ordinary chess whose number of lines of play is well known.
struct Tree {
    name: &'static str,
    /// Chess FEN; to Kingchess it means that nothing is in reserve.
    fen: &'static str,
    depth: u32,
    /// Positions at that depth.
    leaves: u64,
}

const TREES: [Tree; 2] = [
    Tree {
        name: "chess start, depth 5",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 5,
        leaves: 4_865_609,
    },
    Tree {
        name: "kiwipete, depth 4",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 4,
        leaves: 4_085_603,
    },
];

/// Positions in check from several lines, mates among them; see the head of the file.
const EVASIONS: &str = include_str!("../tests/suites/evasions.epd");

/// Checks that the king must leave, that one drop parries, that a capture parries, and mates.
const ONE_CHECKER: [&str; 6] = [
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR[] w KQkq - 1 3",
    "6k1/5ppp/8/8/4R3/8/8/K6r[RNPrnp] w - - 0 20",
    "4R1k1/5ppp/8/8/8/8/8/K7[RNPrnp] b - - 0 20",
    "3k4/8/4N3/8/8/8/8/K7[RNPrnp] b - - 0 20",
    "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR[] b KQkq - 0 4",
    "k7/8/8/8/7K/3B4/8/Q6R[RBNNPPPPPPPPqrrbbnnpppppppp] b - - 0 2",
];

/// What perft asks of a move generator. Each crate answers in the way its own documentation recommends.
trait Player: Sized {
    /// Reads a chess FEN.
    fn read(fen: &str) -> Self;

    /// How many legal actions there are.
    fn count(&self) -> u64;

    /// Hands out a copy of the position after each legal move.
    fn each_child(&self, visit: impl FnMut(&Self));
}

impl Player for Position {
    fn read(fen: &str) -> Self {
        fen.parse().expect("a FEN")
    }

    fn count(&self) -> u64 {
        // Moves and drops, though nothing is in reserve here: what the engine's own perft counts.
        self.count_actions()
    }

    fn each_child(&self, mut visit: impl FnMut(&Self)) {
        self.visit_moves(Wanted::ALL, |targets| {
            targets.moves().for_each(|mv| {
                let mut child = *self;
                child.play_move(mv);
                visit(&child);
            });
            false
        });
    }
}

impl Player for Board {
    fn read(fen: &str) -> Self {
        fen.parse().expect("a FEN")
    }

    fn count(&self) -> u64 {
        let mut count = 0;
        self.generate_moves(|moves| {
            count += moves.len() as u64;
            false
        });
        count
    }

    fn each_child(&self, mut visit: impl FnMut(&Self)) {
        self.generate_moves(|moves| {
            for mv in moves {
                let mut child = self.clone();
                child.play_unchecked(mv);
                visit(&child);
            }
            false
        });
    }
}

impl Player for Chess {
    fn read(fen: &str) -> Self {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(CastlingMode::Standard).expect("a legal position")
    }

    fn count(&self) -> u64 {
        self.legal_moves().len() as u64
    }

    fn each_child(&self, mut visit: impl FnMut(&Self)) {
        for mv in self.legal_moves() {
            let mut child = self.clone();
            child.play_unchecked(mv);
            visit(&child);
        }
    }
}

/// Perft that plays every leaf.
fn leaves_made<P: Player>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        // Nothing looks at a leaf: without this the compiler could leave half of it unmade.
        black_box(position);
        return 1;
    }
    let mut leaves = 0;
    position.each_child(|child| leaves += leaves_made(child, depth - 1));
    leaves
}

/// Perft that plays all but the last move and counts the leaves.
fn leaves_counted<P: Player>(position: &P, depth: u32) -> u64 {
    if depth == 1 {
        return position.count();
    }
    let mut leaves = 0;
    position.each_child(|child| leaves += leaves_counted(child, depth - 1));
    leaves
}

/// Every kind of perft on every tree, for the three generators side by side.
fn perft(criterion: &mut Criterion) {
    for tree in &TREES {
        let mut made = side_by_side(criterion, tree, "leaves made");
        run(&mut made, tree, "kingchess", leaves_made::<Position>);
        run(&mut made, tree, "cozy-chess", leaves_made::<Board>);
        run(&mut made, tree, "shakmaty", leaves_made::<Chess>);
        made.finish();
        let mut counted = side_by_side(criterion, tree, "leaves counted");
        run(&mut counted, tree, "kingchess", leaves_counted::<Position>);
        run(&mut counted, tree, "cozy-chess", leaves_counted::<Board>);
        run(&mut counted, tree, "shakmaty", leaves_counted::<Chess>);
        counted.finish();
    }
}

fn side_by_side<'a>(criterion: &'a mut Criterion, tree: &Tree, what: &str) -> Group<'a> {
    let mut group = criterion.benchmark_group(format!("{what}, {}", tree.name));
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group
}

fn run<P: Player>(group: &mut Group, tree: &Tree, name: &str, perft: impl Fn(&P, u32) -> u64) {
    let position = P::read(tree.fen);
    group.bench_function(name, |bencher| {
        bencher.iter(|| assert_eq!(perft(black_box(&position), tree.depth), tree.leaves, "{name}"));
    });
}

fn first_actions(criterion: &mut Criterion) {
    let start = Position::start();
    assert_eq!(start.count_actions(), 5_301_704_096_885_440);
    criterion.bench_function("number of first actions", |bencher| {
        bencher.iter(|| black_box(&start).count_actions());
    });
}

/// The question that tells mate from check, asked of one position after the other.
fn has_action_in_check(criterion: &mut Criterion) {
    let several = EVASIONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(';').next().expect("a FEN"))
        .collect::<Vec<_>>();
    let mut group = criterion.benchmark_group("has a legal action, in check");
    for (name, fens) in [("one checker", &ONE_CHECKER[..]), ("several lines", &several)] {
        let positions: Vec<Position> = fens.iter().map(|fen| Player::read(fen)).collect();
        assert!(positions.iter().all(Position::in_check));
        let mut position = positions.iter().cycle();
        group.bench_function(name, |bencher| {
            bencher.iter(|| position.next().map(|position| black_box(position).has_action()));
        });
    }
    group.finish();
}

fn fen(criterion: &mut Criterion) {
    let fens = [
        ("empty board", "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1"),
        ("half dropped", "r3k3/ppp2p2/2n5/8/3P4/2N2N2/PP3PP1/R3K3[QRBBPPPqrbbnpppp] b Qq - 3 14"),
        ("all on the board", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1"),
    ];
    let mut group = criterion.benchmark_group("FEN parse");
    for (name, fen) in fens {
        assert!(fen.parse::<Position>().is_ok(), "{fen}");
        group.bench_function(name, |bencher| bencher.iter(|| black_box(fen).parse::<Position>()));
    }
    group.finish();
}

/// Short measurements: the whole file runs in a minute or so.
fn configured() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .without_plots()
}

/// The group that criterion's macro defines is public and takes no doc comment; a module of its own hides it.
mod all {
    use super::{configured, fen, first_actions, has_action_in_check, perft};

    criterion::criterion_group! {
        name = benches;
        config = configured();
        targets = perft, first_actions, has_action_in_check, fen
    }
}

criterion_main!(all::benches);
