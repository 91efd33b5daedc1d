//! A whole training on positions whose value is known: the material in reserve.

use std::path::{Path, PathBuf};

use kingchess::rules::Position;
use kingchess::types::{Color, Kind, Score};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::*;
use crate::data::{Sample, Writer};

const MATERIAL: [(Kind, usize, i32); 5] = [
    (Kind::Queen, 1, 900),
    (Kind::Rook, 2, 500),
    (Kind::Bishop, 2, 300),
    (Kind::Knight, 2, 300),
    (Kind::Pawn, 8, 100),
];

/// A position with random reserves, and its material for the side to act.
fn random_sample(rng: &mut impl Rng) -> Option<Sample> {
    let mut reserve = String::new();
    let mut material = 0;
    for (color, sign) in Color::ALL.into_iter().zip([1, -1]) {
        for (kind, most, value) in MATERIAL {
            // Bishops come in pairs: a single one would need its colour.
            let step = if kind == Kind::Bishop { 2 } else { 1 };
            for _ in (0..most).step_by(step).filter(|_| rng.random_bool(0.4)) {
                (0..step).for_each(|_| reserve.push(kind.letter_of(color)));
                material += sign * value * step as i32;
            }
        }
    }
    let white = rng.random_bool(0.5);
    let side = if white { 'w' } else { 'b' };
    let position: Position = format!("4k3/8/8/8/8/8/8/4K3[{reserve}] {side} - - 0 9").parse().ok()?;
    let mut sample = Sample::new(&position, Score::cp(if white { material } else { -material }), 9);
    sample.set_result(position.side(), material.signum() as i8);
    Some(sample)
}

fn write_samples(path: &Path) -> Result<(), DataError> {
    let mut rng = SmallRng::seed_from_u64(5);
    let mut writer = Writer::open(path, "{}")?;
    for _ in 0..100 {
        let samples: Vec<Sample> = (0..64).filter_map(|_| random_sample(&mut rng)).collect();
        assert_eq!(samples.len(), 64, "every one is a position");
        writer.append(8, &samples)?;
    }
    Ok(())
}

fn settings(data: &Path, out: PathBuf, threads: usize) -> Settings {
    Settings {
        data: vec![data.to_owned()],
        curve: Some(out.with_extension("svg")),
        log: Some(out.with_extension("txt")),
        out,
        epochs: 16,
        batch: 128,
        lr: 0.01,
        lambda: 1.0,
        seed: 4,
        threads,
        validation: 0.1,
        reports: 10,
        start: None,
    }
}

#[test]
fn material_is_learned_and_the_same_seed_gives_the_same_network() -> Result<(), Box<dyn std::error::Error>> {
    let folder = env::temp_dir().join(format!("kingchess-train-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let data = folder.join("data");
    write_samples(&data)?;
    let first = settings(&data, folder.join("first.nnue"), 1);
    run(&first)?;
    let second = settings(&data, folder.join("second.nnue"), 2);
    run(&second)?;
    assert_eq!(fs::read(&first.out)?, fs::read(&second.out)?, "two threads give the same bytes as one");

    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(folder.join("first.json"))?)?;
    let losses = record["losses"].as_array().ok_or("losses")?;
    assert_eq!(losses.len(), 10);
    let loss = |point: &serde_json::Value| point["validation"].as_f64().unwrap_or(f64::NAN);
    assert!(loss(&losses[9]) < 0.0005, "{losses:?}");
    assert!(record["quantized"]["validation"].as_f64().is_some_and(|loss| loss < 0.0006), "{record}");
    let log = fs::read_to_string(folder.join("first.txt"))?;
    assert_eq!(log.lines().count(), 2 + 10 + 2, "{log}");
    let curve = fs::read_to_string(folder.join("first.svg"))?;
    assert!(curve.contains("<svg") && curve.contains("validation"));

    // What was learned is a start for more.
    let third = Settings {
        start: Some(first.out.clone()),
        epochs: 1,
        lr: 1e-5,
        reports: 1,
        ..settings(&data, folder.join("third.nnue"), 1)
    };
    run(&third)?;
    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(folder.join("third.json"))?)?;
    assert!(loss(&record["losses"][0]) < 0.0006, "{record}");
    fs::remove_dir_all(folder)?;
    Ok(())
}
