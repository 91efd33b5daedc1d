//! How fast positions are valued by a network of the shipped size: along lines of play, from scratch and with one more
//! drop. Times are for one position or drop.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_main};
use kingchess::eval::network::{Evaluator, Network, VALUES, evaluate_fresh};
use kingchess::rules::Position;
use kingchess::types::Drop;
use rand::Rng;

#[path = "../tests/common/mod.rs"]
mod common;

use common::random;

/// Random games; what they hold is more than the first cache does.
const GAMES: u64 = 60;

/// A network of random weights: as fast as a good one.
fn network() -> Network {
    let mut rng = random::generator(1);
    let values: Vec<i16> = (0..VALUES).map(|_| rng.random_range(-100..=100)).collect();
    Network::from_values(&values).expect("as many weights as there are")
}

/// The drops of single pieces of the side to act.
fn drops(position: &Position) -> Vec<Drop> {
    let mut drops = Vec::new();
    position.visit_single_drops(|kind, squares| {
        drops.extend(squares.map(|square| Drop { kind: kind.kind(), square }));
    });
    drops
}

fn positions(criterion: &mut Criterion) {
    let games: Vec<Vec<Position>> = (0..GAMES).map(random::positions).collect();
    let positions = || games.iter().flatten();
    let network = network();
    let mut evaluator = Evaluator::new(Arc::new(network.clone()));
    let mut group = criterion.benchmark_group("a position");
    group.throughput(Throughput::Elements(positions().count() as u64));
    group.bench_function("network along a game", |bencher| {
        bencher.iter(|| {
            for game in &games {
                for (ply, position) in game.iter().enumerate() {
                    black_box(evaluator.evaluate(position, ply));
                }
            }
        });
    });
    group.bench_function("network from scratch", |bencher| {
        bencher
            .iter(|| positions().map(|position| black_box(evaluate_fresh(&network, position))).sum::<i32>());
    });
    group.finish();
}

fn single_drops(criterion: &mut Criterion) {
    let choices: Vec<(Position, Vec<Drop>)> = (0..GAMES)
        .flat_map(random::positions)
        .map(|position| (position, drops(&position)))
        .filter(|(_, drops)| !drops.is_empty())
        .collect();
    let mut evaluator = Evaluator::new(Arc::new(network()));
    let mut group = criterion.benchmark_group("one more drop");
    group.throughput(Throughput::Elements(choices.iter().map(|(_, drops)| drops.len() as u64).sum()));
    group.bench_function("network", |bencher| {
        bencher.iter(|| {
            for (position, drops) in &choices {
                let values = evaluator.drop_values(position, 1);
                drops.iter().for_each(|&drop| used(values.value(drop)));
            }
        });
    });
    group.finish();
}

fn used(value: i32) {
    black_box(value);
}

fn benches() {
    let mut criterion = Criterion::default().configure_from_args();
    positions(&mut criterion);
    single_drops(&mut criterion);
    criterion.final_summary();
}

criterion_main!(benches);
