//! The evaluation network: values brought up to date are those computed from scratch, whatever was evaluated before;
//! files keep a network as it is and are refused when they are not whole.

mod common;

use std::sync::Arc;

use common::{position, random};
use kingchess::eval::network::{
    Evaluator, HIDDEN, INPUTS, MAX_OUTPUT_WEIGHT, Network, NetworkError, OUTPUTS, VALUES, ValueKind,
    evaluate_fresh, value_kinds,
};
use kingchess::types::{Action, Drop, DropSet, Kind, Square};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

/// A network with random weights.
fn network(seed: u64) -> Network {
    let mut rng = random::generator(seed);
    let mut values = Vec::with_capacity(VALUES);
    for (kind, count) in value_kinds() {
        let most = match kind {
            ValueKind::Hidden => 120,
            ValueKind::Output => 64,
            ValueKind::OutputBias => 3000,
        };
        values.extend((0..count).map(|_| rng.random_range(-most..=most)));
    }
    Network::from_values(&values).expect("as many as there are, within range")
}

fn evaluator(network: &Network) -> Evaluator {
    Evaluator::new(Arc::new(network.clone()))
}

#[test]
fn values_along_games_are_those_from_scratch() {
    let network = network(1);
    let mut evaluator = evaluator(&network);
    let mut values = std::collections::HashSet::new();
    for seed in 0..600 {
        for (ply, position) in random::positions(seed).iter().enumerate() {
            let value = evaluator.evaluate(position, ply);
            assert_eq!(value, evaluate_fresh(&network, position), "game {seed}: {}", position.fen());
            values.insert(value);
        }
    }
    assert!(values.len() > 1000, "only {} different values", values.len());
}

#[test]
fn it_does_not_matter_what_was_evaluated_before() {
    let network = network(2);
    let mut evaluator = evaluator(&network);
    let mut rng = random::generator(2);
    let mut positions: Vec<_> = (0..200).flat_map(random::positions).collect();
    positions.shuffle(&mut rng);
    for position in &positions {
        let ply = rng.random_range(0..5);
        assert_eq!(
            evaluator.evaluate(position, ply),
            evaluate_fresh(&network, position),
            "{}",
            position.fen()
        );
    }
}

#[test]
fn a_null_action_shows_the_same_board_to_the_other_side() {
    let network = network(3);
    let mut evaluator = evaluator(&network);
    let mut seen = 0;
    for before in (0..50).flat_map(random::positions).filter(|position| !position.in_check()) {
        evaluator.evaluate(&before, 3);
        let mut after = before;
        after.play_null();
        assert_eq!(evaluator.evaluate(&after, 4), evaluate_fresh(&network, &after));
        seen += 1;
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn drops_are_valued_as_if_they_were_played() {
    let network = network(4);
    let mut evaluator = evaluator(&network);
    let mut rng = random::generator(4);
    let (mut kings, mut sets) = (0, 0);
    for position in (0..400).flat_map(random::positions) {
        let mut drops = Vec::new();
        position.visit_single_drops(|kind, squares| {
            drops.extend(squares.map(|square| Drop { kind: kind.kind(), square }));
        });
        let Some(&first) = drops.choose(&mut rng) else { continue };
        let after = |set: DropSet| -evaluate_fresh(&network, &position.after(Action::Drops(set)));
        let mut valuer = evaluator.drop_values(&position, 2);
        assert_eq!(valuer.value(first), after(DropSet::one(first)), "{first:?} in {}", position.fen());
        kings += usize::from(first.kind == Kind::King);
        valuer.add(first);
        for &second in &drops {
            let codes = [first, second].map(Drop::code);
            if let Some(set) = DropSet::from_codes(&codes).filter(|&set| position.is_legal_set(set)) {
                assert_eq!(valuer.value(second), after(set), "{first:?}, {second:?} in {}", position.fen());
                sets += 1;
            }
        }
    }
    assert!(kings > 20 && sets > 5000, "{kings} kings, {sets} sets");
}

#[test]
fn castling_with_a_dropped_king_counts() {
    let network = network(5);
    let before = position("8/8/8/8/8/8/8/8[KRRkr] w - - 0 1");
    let mut evaluator = evaluator(&network);
    let mut valuer = evaluator.drop_values(&before, 0);
    let drops = [(Kind::King, Square::E1), (Kind::Rook, Square::H1), (Kind::Rook, Square::A1)]
        .map(|(kind, square)| Drop { kind, square });
    valuer.add(drops[0]);
    valuer.add(drops[1]);
    let set = DropSet::from_codes(&drops.map(Drop::code)).expect("a set");
    let after = before.after(Action::Drops(set));
    assert_eq!(after.castling_letters(), "KQ");
    assert_eq!(valuer.value(drops[2]), -evaluate_fresh(&network, &after));
}

#[test]
fn a_file_keeps_the_network() {
    let network = network(6);
    let bytes = network.to_bytes();
    let read = Network::from_bytes(&bytes).expect("a whole file");
    assert_eq!(read, network);
    assert_eq!(read.to_bytes(), bytes);
}

#[test]
fn broken_files_are_refused_with_the_reason() {
    let bytes = network(7).to_bytes();
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        Network::from_bytes(&bytes).expect_err("it is broken")
    };
    assert!(matches!(refused(&|bytes| bytes.clear()), NetworkError::Magic));
    assert!(matches!(refused(&|bytes| bytes[0] = b'k'), NetworkError::Magic));
    assert!(matches!(refused(&|bytes| bytes.truncate(20)), NetworkError::Length { got: 20, .. }));
    assert!(matches!(refused(&|bytes| bytes[8] = 200), NetworkError::Version(200)));
    let inputs = INPUTS as u32 ^ 1;
    let error = refused(&|bytes| bytes[12] ^= 1);
    assert!(matches!(error, NetworkError::Dimension { what: "inputs", got, .. } if got == inputs));
    let hidden = HIDDEN as u32 ^ 1;
    let error = refused(&|bytes| bytes[16] ^= 1);
    assert!(matches!(error, NetworkError::Dimension { what: "hidden values", got, .. } if got == hidden));
    assert!(matches!(refused(&|bytes| bytes[24] ^= 1), NetworkError::Checksum { .. }));
    assert!(matches!(refused(&|bytes| bytes[5000] ^= 1), NetworkError::Checksum { .. }));
    assert!(matches!(refused(&|bytes| bytes.push(0)), NetworkError::Length { .. }));
    assert!(matches!(refused(&|bytes| bytes.truncate(3000)), NetworkError::Length { .. }));
    let mut values = network(7).values();
    values[(INPUTS + 1) * HIDDEN] = MAX_OUTPUT_WEIGHT + 1;
    assert!(matches!(Network::from_values(&values), Err(NetworkError::OutputWeight(512))));
    values[(INPUTS + 1) * HIDDEN..VALUES - OUTPUTS].fill(-MAX_OUTPUT_WEIGHT);
    assert!(matches!(Network::from_values(&values), Err(NetworkError::OutputSum { output: 0, .. })));
    assert!(matches!(Network::from_values(&values[1..]), Err(NetworkError::Count(_))));
    let missing = std::path::Path::new("no/such/file");
    let error = Network::load(missing).expect_err("there is none").to_string();
    assert!(error.starts_with("network no/such/file: "), "{error}");
}
