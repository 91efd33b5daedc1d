//! Counts of legal actions, computed by two independent programs (tests/suites/perft.epd, perft-single.epd).

use kingchess::rules::Position;

fn check(file: &str, max_drops: usize) {
    let mut checked = 0;
    for line in file.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let mut parts = line.split(';').map(str::trim);
        let fen = parts.next().expect("a FEN");
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        for part in parts {
            let (depth, count) = part.split_once(' ').expect("a depth and a count");
            let depth: u32 = depth.trim_start_matches('D').parse().expect("a depth");
            let expected: u128 = count.parse().expect("a count");
            let counted = position.perft_parallel(depth, max_drops).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(counted, expected, "{fen} depth {depth}");
            checked += 1;
        }
    }
    assert!(checked > 0, "nothing was checked");
}

#[test]
fn drops_of_all_sizes() {
    check(include_str!("suites/perft.epd"), 16);
}

#[test]
fn at_most_one_piece_a_drop() {
    check(include_str!("suites/perft-single.epd"), 1);
}
