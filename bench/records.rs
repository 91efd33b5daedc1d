//! How fast records of games are read: a file of 10,000 random games of 40 to 80 actions each, parsed and replayed with
//! every action checked, on one core. The figures are in README.md beside this file.

#[path = "../tests/common/mod.rs"]
mod common;

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use common::random;
use criterion::{Criterion, SamplingMode, Throughput, criterion_main};
use kingchess::notation::Notation;
use kingchess::notation::records::{Format, GameReader, GameRecord, Variant, write_game};

const GAMES: u64 = 10_000;

const FORMATS: [(&str, Format); 3] = [
    ("tokens", Format::Pgn(Notation::Token)),
    ("openchess", Format::Pgn(Notation::Openchess)),
    ("encyclopedia", Format::Pgn(Notation::Encyclopedia)),
];

fn record(seed: u64) -> GameRecord {
    let mut record = GameRecord::new(Variant::Kingchess, Variant::Kingchess.start());
    for action in random::long_game(seed) {
        record.push(action).expect("a legal action");
    }
    for (name, value) in [("Event", "Random games"), ("White", "White"), ("Black", "Black")] {
        record.tags.set(name, value);
    }
    record
}

/// Writes the games; the file stays, for `engine convert FILE --to none`.
fn write(name: &str, format: Format, records: &[GameRecord]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.pgn"));
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    for record in records {
        write_game(&mut file, record, format).expect("room for the file");
    }
    file.flush().expect("room for the file");
    println!("{}", path.display());
    path
}

/// Reads the file; gives the number of actions.
fn read(path: &Path) -> usize {
    let games = GameReader::new(BufReader::new(File::open(path).expect("the file")));
    games.map(|game| game.expect("a good game").entries().len()).sum()
}

fn reading(criterion: &mut Criterion) {
    let records: Vec<GameRecord> = (0..GAMES).map(record).collect();
    let actions: usize = records.iter().map(|record| record.entries().len()).sum();
    println!("{GAMES} games, {actions} actions");
    let mut group = criterion.benchmark_group("games read");
    group.throughput(Throughput::Elements(GAMES)).sampling_mode(SamplingMode::Flat).sample_size(10);
    for (name, format) in FORMATS {
        let path = write(name, format, &records);
        assert_eq!(read(&path), actions, "{name}");
        group.bench_function(name, |bencher| bencher.iter(|| read(&path)));
    }
    group.finish();
}

/// The group that criterion's macro defines is public and takes no doc comment; a module of its own hides it.
mod all {
    use super::reading;

    criterion::criterion_group! {
        name = benches;
        config = criterion::Criterion::default().without_plots();
        targets = reading
    }
}

criterion_main!(all::benches);
