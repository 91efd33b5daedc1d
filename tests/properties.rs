//! Properties that must hold in every position, proven on more than 100,000 random reachable ones with drops of all
//! sizes, and agreement with two independent programs: a naive referee (tests/common/naive.rs) and a count square by
//! square (tests/common/count.rs).
//!
//! Each position is determined by the seed of its game, so a failure repeats. The slow forms run with
//! `cargo test --release --test properties -- --ignored`.

mod common;

use std::collections::HashMap;
use std::ops::ControlFlow;

use common::naive::Naive;
use common::{count, moves, random, selected_moves, sets};
use kingchess::rules::{Game, PackedPosition, Position};
use kingchess::types::{Action, Bitboard, Color, Drop, DropSet, Kind, MAX_DROPS, Move, ReserveKind, Short};
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rayon::prelude::*;

/// Random games of the ordinary run; their positions number more than 100,000.
const GAMES: u64 = 6_000;

/// Below this number, sets are enumerated.
const FEW: u64 = 20_000;

/// Looks at every position of these games, on all processors, and adds up what `check` returns.
fn for_positions<const N: usize>(
    games: impl ParallelIterator<Item = u64>,
    check: impl Fn(&Position) -> [u64; N] + Sync,
) -> [u64; N] {
    games.map(|seed| random::positions(seed).iter().map(&check).fold([0; N], add)).reduce(|| [0; N], add)
}

/// Every n-th game; an odd n meets every sort of start.
fn every(nth: u64) -> impl ParallelIterator<Item = u64> {
    (0..GAMES).into_par_iter().filter(move |seed| seed.is_multiple_of(nth))
}

fn add<const N: usize>(left: [u64; N], right: [u64; N]) -> [u64; N] {
    std::array::from_fn(|index| left[index] + right[index])
}

/// What a side attacks is what its pieces attack, square by square.
#[test]
fn attacks_together_are_those_of_the_squares() {
    let [attacked, quiet] = for_positions(every(7), |position| {
        let mut counts = [0; 2];
        for side in Color::ALL {
            let together = position.attacked_by(side);
            for square in !Bitboard::EMPTY {
                let alone = position.is_attacked(square, side, position.occupied());
                assert_eq!(together.has(square), alone, "{square} by {side:?} in {}", position.fen());
                counts = add(counts, [alone.into(), (!alone).into()]);
            }
        }
        counts
    });
    assert!(attacked > 10_000 && quiet > 10_000, "{attacked} {quiet}");
}

/// Without a piece it is a position again, and none only without a king or where the waiting king would be attacked.
#[test]
fn a_piece_less_is_a_position_again() {
    let [removed, refused, rights] = for_positions(every(7), |position| {
        let mut counts = [0; 3];
        let mut look = |left: Option<Position>, can_be: bool, what: &dyn std::fmt::Display| {
            assert_eq!(left.is_some(), can_be, "{} without {what}", position.fen());
            let Some(left) = left else { return counts[1] += 1 };
            assert_read_back(&left);
            assert_eq!(left.key(), left.key_from_scratch(), "{} without {what}", position.fen());
            counts = add(counts, [1, 0, (left.castling() != position.castling()).into()]);
        };
        let waiting = position.king(!position.side());
        for square in position.occupied() {
            let rest = position.occupied() - square;
            let attacked = waiting.is_some_and(|king| position.is_attacked(king, position.side(), rest));
            let king = position.kind_at(square) == Some(Kind::King);
            let left = position.without(square);
            if let Some(left) = left {
                assert_eq!((left.occupied(), left.kind_at(square)), (rest, None));
            }
            look(left, !king && !attacked, &square);
        }
        for color in Color::ALL {
            for kind in ReserveKind::ALL {
                let left = position.without_reserve(color, kind);
                let reserve = position.reserve(color);
                if let Some(left) = left {
                    assert_eq!(left.reserve(color).with(kind), reserve);
                    assert_eq!(left.reserve(!color), position.reserve(!color));
                }
                look(left, kind != ReserveKind::King && reserve.has(kind), &kind.letter_of(color));
            }
        }
        counts
    });
    println!("{removed} removed, {refused} refused, {rights} with other castling rights");
    assert!(removed > 100_000 && refused > 1000 && rights > 1000);
}

/// Key, checkers and pins kept up while playing are those found from scratch, and a FEN brings everything back.
#[test]
fn playing_keeps_what_a_fresh_start_finds() {
    let [positions, checks, pins, castling, en_passant] = for_positions(every(1), |position| {
        assert_eq!(position.key(), position.key_from_scratch(), "{}", position.fen());
        assert_read_back(position);
        [
            1,
            position.in_check().into(),
            position.pinned().nonempty().into(),
            (position.castling_letters() != "-").into(),
            position.en_passant().is_some().into(),
        ]
    });
    println!("{positions} positions, {checks} checks, {pins} pins, {castling} castling, {en_passant} ep");
    assert!(positions >= 100_000, "{positions}");
    assert!(checks > 10_000 && pins > 10_000 && castling > 10_000 && en_passant > 500);
}

/// Position equality covers board, reserves, castling, en passant, clocks, side, key, checkers and pins.
fn assert_read_back(position: &Position) {
    let fen = position.fen();
    let (read, notes) = Position::read_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert!(notes.is_empty(), "{fen}: {notes:?}");
    assert_eq!(read.fen(), fen);
    assert_eq!((read.checkers(), read.pinned()), (position.checkers(), position.pinned()), "{fen}");
    assert!(read == *position, "{fen}: not the position it was");
    assert_unpacked(position);
}

/// A packed position comes back whole but for the number of the action; bytes that lie about it do not pass.
fn assert_unpacked(position: &Position) {
    let packed = position.pack();
    let unpacked = packed.unpack().unwrap_or_else(|| panic!("{position:?}: does not unpack"));
    let board = |position: &Position| {
        let fen = position.fen();
        fen.rsplit_once(' ').map(|(board, _)| board.to_owned())
    };
    assert_eq!(board(&unpacked), board(position));
    assert_eq!((unpacked.key(), unpacked.checkers()), (position.key(), position.checkers()));
    let mut bytes: [u8; size_of::<PackedPosition>()] = bytemuck::cast(packed);
    let kind = (8, 7);
    let reserve = (27, 0xFF);
    let en_passant = (34, 65);
    let side = (35, 2);
    let empty = position.occupied().is_empty();
    for (index, wrong) in [kind, reserve, en_passant, side].into_iter().skip(usize::from(empty)) {
        let kept = std::mem::replace(&mut bytes[index], wrong);
        assert!(bytemuck::cast::<_, PackedPosition>(bytes).unpack().is_none(), "{position:?}: byte {index}");
        bytes[index] = kept;
    }
}

/// Undoing a whole game goes back through every position it had.
#[test]
fn undo_restores_everything() {
    let undone: usize = (0..GAMES)
        .into_par_iter()
        .map(|seed| {
            let (start, actions) = random::game(seed);
            let mut game = Game::new(start);
            let mut before = Vec::new();
            for &action in &actions {
                assert!(game.position().is_legal(action), "seed {seed}: {action:?}");
                before.push((*game.position(), game.occurrences(), game.outcome()));
                game.play(action);
            }
            assert_eq!(game.ply(), actions.len());
            for (position, occurrences, outcome) in before.iter().rev() {
                assert!(game.undo());
                assert!(game.position() == position, "seed {seed}: {}", position.fen());
                assert_eq!((game.occurrences(), game.outcome()), (*occurrences, *outcome), "seed {seed}");
            }
            assert!(!game.undo(), "seed {seed}: nothing is left to undo");
            actions.len()
        })
        .sum();
    assert!(undone >= 100_000, "{undone}");
}

/// What may and may not change with an action: clocks, side, the number of pieces.
#[test]
fn actions_move_the_clocks_and_keep_the_pieces() {
    let [castlings, captures, en_passants, promotions, drops] = (0..GAMES)
        .into_par_iter()
        .map(|seed| {
            let (mut position, actions) = random::game(seed);
            let mut seen = [0; 5];
            for action in actions {
                let next = position.after(action);
                seen = add(seen, compare(&position, action, &next));
                position = next;
            }
            seen
        })
        .reduce(|| [0; 5], add);
    println!(
        "{castlings} castlings, {captures} captures, {en_passants} ep, {promotions} promotions, {drops} drops"
    );
    assert!(castlings > 300 && captures > 5_000 && en_passants > 300 && promotions > 500 && drops > 5_000);
}

/// Checks one step of a game; what it was: castling, capture, en passant, promotion, drop.
fn compare(before: &Position, action: Action, after: &Position) -> [u64; 5] {
    let (fen, us, them) = (before.fen(), before.side(), !before.side());
    let total =
        |position: &Position, color: Color| position.color(color).count() + position.reserve(color).total();
    assert_eq!(after.side(), them, "{fen}");
    assert_eq!(after.fullmove_number(), before.fullmove_number() + (us as u16), "{fen}");
    assert_eq!(total(after, us), total(before, us), "{fen} {action:?}");
    assert_eq!(after.reserve(them), before.reserve(them), "{fen}: captured pieces leave the game");
    let lost = total(before, them) - total(after, them);
    match action {
        Action::Drops(set) => {
            assert_eq!((lost, after.halfmove_clock(), after.en_passant()), (0, 0, None), "{fen} {action:?}");
            let dropped = before.reserve(us).total() - after.reserve(us).total();
            assert_eq!(dropped as usize, set.len(), "{fen} {action:?}");
            if let Some(short) = action.short(us) {
                let mut shortly = *before;
                shortly.play_short(short);
                assert!(shortly == *after, "{fen} {short}");
            }
            [0, 0, 0, 0, 1]
        }
        Action::Move(mv) => {
            assert_eq!(after.reserve(us), before.reserve(us), "{fen} {mv}");
            let pawn = before.kind_at(mv.from()) == Some(Kind::Pawn);
            let clock = if pawn || lost > 0 { 0 } else { before.halfmove_clock() + 1 };
            assert_eq!(after.halfmove_clock(), clock, "{fen} {mv}");
            assert!(lost <= 1, "{fen} {mv}");
            let far = mv.from().file().abs_diff(mv.to().file()) == 2;
            [
                (before.kind_at(mv.from()) == Some(Kind::King) && far).into(),
                lost.into(),
                (pawn && before.en_passant() == Some(mv.to())).into(),
                mv.promotion().is_some().into(),
                0,
            ]
        }
    }
}

/// Doing nothing, as a search may, leaves a position as good as one read from its FEN.
#[test]
fn a_null_action_leaves_a_whole_position() {
    let [tried] = for_positions(every(5), |position| {
        let both_kings = Color::ALL.iter().all(|&color| position.king(color).is_some());
        if position.in_check() || !both_kings {
            return [0];
        }
        let mut next = *position;
        next.play_null();
        assert_eq!(next.key(), next.key_from_scratch(), "{}", position.fen());
        assert_eq!(next.en_passant(), None);
        assert_read_back(&next);
        [1]
    });
    assert!(tried > 10_000, "{tried}");
}

/// Positions have the same key exactly when they count as the same: when the first four fields of their FENs agree.
#[test]
fn keys_are_equal_exactly_for_the_same_position() {
    let mut identities: HashMap<u64, String> = HashMap::new();
    let mut keys: HashMap<String, u64> = HashMap::new();
    for position in (0..GAMES).flat_map(random::positions) {
        let fen = position.fen();
        let identity = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let known = identities.entry(position.key()).or_insert_with(|| identity.clone());
        assert_eq!(*known, identity, "two positions with one key");
        assert_eq!(*keys.entry(identity).or_insert(position.key()), position.key(), "two keys: {fen}");
    }
    assert!(identities.len() > 50_000, "{}", identities.len());
}

/// Moves: their number, no duplicates, captures and quiet moves are a partition, all legal.
#[test]
fn moves_are_counted_and_parted() {
    for_positions(every(1), |position| {
        let fen = position.fen();
        let all = moves(position);
        assert_eq!(position.count_moves(), all.len() as u64, "{fen}");
        assert_eq!(position.has_move(), !all.is_empty(), "{fen}");
        let noisy = selected_moves(position, position.noisy());
        let quiet = selected_moves(position, position.quiet());
        for mv in &noisy {
            let takes = position.kind_at(mv.to()).is_some();
            let pawn = position.kind_at(mv.from()) == Some(Kind::Pawn);
            let en_passant = pawn && position.en_passant() == Some(mv.to());
            assert!(takes || en_passant || mv.promotion().is_some(), "{fen}: {mv} is quiet");
        }
        let code = |mv: &Move| Short::from(*mv).code();
        let mut codes: Vec<u16> = all.iter().map(code).collect();
        let mut parts: Vec<u16> = noisy.iter().chain(&quiet).map(code).collect();
        codes.sort_unstable();
        parts.sort_unstable();
        assert_eq!(codes, parts, "{fen}");
        codes.dedup();
        assert_eq!(codes.len(), all.len(), "{fen}: a move comes twice");
        []
    });
}

/// Count, enumeration, legality, squares and existence of drop sets agree wherever there are few.
#[test]
fn few_sets_are_counted_enumerated_and_found() {
    let [positions, enumerated, sets, checks, none] = for_positions(every(1), |position| {
        let checks = u64::from(position.in_check());
        match assert_sets_agree(position) {
            None => [1, 0, 0, 0, 0],
            Some(sets) => [1, 1, sets, checks, (sets == 0 && checks > 0).into()],
        }
    });
    println!(
        "{positions} positions, {enumerated} enumerated ({checks} in check, {none} hopeless), {sets} sets"
    );
    assert!(positions >= 100_000 && enumerated > 50_000 && checks > 5_000 && none > 1_000);
}

/// Compares everything that is said of drop sets with their enumeration; their number, `None` if they are too many.
fn assert_sets_agree(position: &Position) -> Option<u64> {
    let fen = position.fen();
    let by_size = position.count_sets_by_size();
    let total: u64 = by_size.iter().sum();
    assert_eq!(position.count_sets(MAX_DROPS), total, "{fen}");
    assert_eq!(position.has_drop(), total > 0, "{fen}");
    assert_eq!(position.count_actions(), total + position.count_moves(), "{fen}");
    assert_eq!(position.has_action(), position.count_actions() > 0, "{fen}");
    assert_singles_agree(position, by_size[1]);
    if total >= FEW {
        return None;
    }
    let side = position.side();
    let mut found = [0; MAX_DROPS + 1];
    let mut squares = [Bitboard::EMPTY; Kind::ALL.len()];
    let sets = sets(position);
    for &set in &sets {
        assert!(position.is_legal_set(set), "{fen}: {:x}", set.bits());
        found[set.len()] += 1;
        for drop in set.drops(side) {
            squares[drop.kind as usize] |= drop.square;
        }
    }
    assert_eq!(found, by_size, "{fen}");
    for kind in Kind::ALL {
        assert_eq!(position.drop_squares(kind), squares[kind as usize], "{fen}: {kind:?}");
    }
    let mut bits: Vec<u128> = sets.iter().map(|set| set.bits()).collect();
    bits.sort_unstable();
    bits.dedup();
    assert_eq!(bits.len(), sets.len(), "{fen}: a set comes twice");
    Some(total)
}

/// The three ways to the legal drops of one piece agree.
fn assert_singles_agree(position: &Position, number: u64) {
    let fen = position.fen();
    let mut handed = [Bitboard::EMPTY; ReserveKind::ALL.len()];
    position.visit_single_drops(|kind, squares| {
        assert!(!handed[kind as usize].meets(squares), "{fen}: {kind:?} twice");
        handed[kind as usize] |= squares;
    });
    let mut enumerated = [Bitboard::EMPTY; ReserveKind::ALL.len()];
    let _ = position.visit_sets(1, |set| {
        for Drop { kind, square } in set.drops(position.side()) {
            enumerated[kind.reserve_kind(square) as usize] |= square;
        }
        ControlFlow::Continue(())
    });
    for kind in ReserveKind::ALL {
        assert_eq!(position.single_drops(kind), enumerated[kind as usize], "{fen}: {kind:?}");
        assert_eq!(handed[kind as usize], enumerated[kind as usize], "{fen}: {kind:?}");
    }
    assert_eq!(enumerated.iter().map(|squares| u64::from(squares.count())).sum::<u64>(), number, "{fen}");
}

/// The closed form gives what a count square by square gives, for full reserves as for small ones.
#[test]
fn closed_form_equals_count_square_by_square() {
    let [counted, many] = for_positions(every(5), |position| {
        let by_size = position.count_sets_by_size();
        assert_eq!(by_size, count::sets_by_size(position), "{}", position.fen());
        [1, (position.count_sets(MAX_DROPS) >= FEW).into()]
    });
    println!("{counted} positions, {many} of them with too many sets to enumerate");
    assert!(counted > 10_000 && many > 500);
}

/// Checks from many lines, set up and dropped: legality, number, matching and squares of the answers.
#[test]
fn checks_from_many_lines() {
    const POSITIONS: u64 = 60_000;
    let look = |seed: u64| {
        let mut rng = random::generator(seed);
        let position = if seed.is_multiple_of(4) {
            random::position_after_barrage(&mut rng)
        } else {
            random::position_in_check(&mut rng)
        };
        let fen = position.fen();
        assert_read_back(&position);
        assert_sets_agree(&position);
        if seed.is_multiple_of(8) {
            assert_eq!(position.count_sets_by_size(), count::sets_by_size(&position), "{fen}");
        }
        if seed.is_multiple_of(30) {
            assert_same(&position, &Naive::from_fen(&fen), 3_000);
        }
        let mut seen = [[0; 9]; 3];
        seen[0][(position.checkers().count() as usize).min(8)] = 1;
        if let Some(lines) = position.king(position.side()).and_then(|king| count::lines(&position, king)) {
            seen[if position.has_drop() { 1 } else { 2 }][lines] = 1;
        }
        seen
    };
    let sum = |left: [[u64; 9]; 3], right: [[u64; 9]; 3]| std::array::from_fn(|i| add(left[i], right[i]));
    let [checkers, parried, hopeless] = (0..POSITIONS).into_par_iter().map(look).reduce(|| [[0; 9]; 3], sum);
    println!("checkers {checkers:?}, lines parried {parried:?}, lines not parried {hopeless:?}");
    assert!(checkers[5..].iter().sum::<u64>() > 500);
    assert!((1..=5).all(|lines| parried[lines] > 50 && hopeless[lines] > 50));
}

/// Legality agrees with generation for every sixteen-bit code.
#[test]
fn every_short_code() {
    let tried = check_short_codes(11);
    assert!(tried >= 10_000, "{tried}");
}

/// [`every_short_code`] in all the positions of the other tests.
#[test]
#[ignore = "takes minutes"]
fn every_short_code_everywhere() {
    let tried = check_short_codes(1);
    assert!(tried >= 100_000, "{tried}");
}

/// Asks about every code in the positions of every n-th game; in how many.
fn check_short_codes(nth: u64) -> u64 {
    let [tried] = for_positions(every(nth), |position| {
        let fen = position.fen();
        let mut legal = vec![false; 1 << 16];
        for mv in moves(position) {
            legal[usize::from(Short::from(mv).code())] = true;
        }
        position.visit_single_drops(|kind, squares| {
            for square in squares {
                let drop = Drop { kind: kind.kind(), square };
                legal[usize::from(Short::from(drop).code())] = true;
            }
        });
        for code in 0..=u16::MAX {
            let said = Short::from_code(code).is_some_and(|short| position.is_legal_short(short));
            assert_eq!(said, legal[usize::from(code)], "{fen}: code {code:#06x}");
        }
        [1]
    });
    tried
}

/// Codes, actions and shorts are the same thing in three forms.
#[test]
fn short_codes_are_read_back() {
    for code in 0..=u16::MAX {
        let Some(short) = Short::from_code(code) else { continue };
        assert_eq!(short.code(), code);
        assert_eq!(short.as_move().is_some(), !short.is_drop());
        if let Some(mv) = short.as_move() {
            assert_eq!(Short::from(mv), short);
            assert_eq!(
                Move::new(mv.from(), mv.to()).map(|plain| match mv.promotion() {
                    Some(kind) => plain.promoting(kind),
                    None => plain,
                }),
                Some(mv)
            );
        }
        if let Some(drop) = short.as_drop() {
            assert_eq!(Short::from(drop), short);
            let color = if drop.square.rank() < 4 { Color::White } else { Color::Black };
            assert_eq!(Drop::from_code(drop.code(), color), Some(drop));
            assert_eq!(short.action().short(color), Some(short));
        }
    }
}

/// A drop set changed at random, and whether the result is still canonical.
fn mutated(rng: &mut SmallRng, position: &Position, set: DropSet) -> DropSet {
    let mut bytes: Vec<u8> = set.codes().collect();
    let at = rng.random_range(0..bytes.len().max(1));
    let any_drop = |rng: &mut SmallRng| rng.random_range(1..=6u8) << 5 | rng.random_range(0..32u8);
    let mut sort = true;
    match rng.random_range(0..11) {
        // Canonical changes: square, kind, bishop colour, more, fewer.
        0 if !bytes.is_empty() => bytes[at] = bytes[at] & 0xE0 | rng.random_range(0..32u8),
        1 if !bytes.is_empty() => bytes[at] = bytes[at] & 31 | rng.random_range(1..=6u8) << 5,
        2 if !bytes.is_empty() => bytes[at] ^= 1,
        3 => bytes.push(any_drop(rng)),
        4 if !bytes.is_empty() => drop(bytes.remove(at)),
        // A square used twice, by the same piece and by another.
        5 if !bytes.is_empty() => bytes.push(bytes[at]),
        6 if !bytes.is_empty() => bytes.push(bytes[at] & 31 | rng.random_range(1..=6u8) << 5),
        // The set of the other side, mirrored: what is first rank is not.
        7 => bytes.iter_mut().for_each(|code| *code ^= 24),
        // No canonical form: another order, a gap, a code that no drop has.
        8 if bytes.len() > 1 => {
            let other = rng.random_range(0..bytes.len());
            bytes.swap(at, other);
            sort = false;
        }
        9 => {
            bytes.insert(at.min(bytes.len()), 0);
            sort = false;
        }
        10 => bytes.push(*[1, 0x1F, 0xE0, 0xFF].choose(rng).unwrap_or(&1)),
        _ => return random::random_set(rng, position, 3),
    }
    bytes.truncate(MAX_DROPS);
    if sort {
        bytes.sort_unstable();
    }
    bytes.resize(MAX_DROPS, 0);
    DropSet::from_bits(u128::from_le_bytes(bytes.try_into().unwrap_or_default()))
}

/// The bytes ascend strictly from the lowest, each names a drop, and nothing but zeros comes after them.
fn is_canonical(set: DropSet) -> bool {
    let bytes = set.bits().to_le_bytes();
    let used = bytes.iter().position(|&code| code == 0).unwrap_or(MAX_DROPS);
    used > 0
        && bytes[used..].iter().all(|&code| code == 0)
        && bytes[..used].iter().all(|code| (0x20..0xE0).contains(code))
        && (1..used).all(|index| bytes[index - 1] < bytes[index])
}

/// Random and mutated drop sets are legal exactly when the naive referee says so; other integers never.
#[test]
fn random_and_mutated_sets_agree_with_the_referee() {
    let counts = (0..GAMES)
        .into_par_iter()
        .map(|seed| {
            let mut rng = random::generator(seed);
            let mut seen = [0; 3];
            for position in random::positions(seed).into_iter().step_by(3) {
                let total = position.reserve(position.side()).total() as usize;
                if total == 0 {
                    continue;
                }
                let referee = Naive::from_fen(&position.fen());
                for _ in 0..12 {
                    let pieces = rng.random_range(1..=total);
                    let mut set = random::random_set(&mut rng, &position, pieces);
                    for _ in 0..rng.random_range(0..3) {
                        set = mutated(&mut rng, &position, set);
                    }
                    seen = add(seen, judge(&position, &referee, set));
                }
            }
            seen
        })
        .reduce(|| [0; 3], add);
    let [not_canonical, illegal, legal] = counts;
    println!("{legal} legal, {illegal} illegal, {not_canonical} not canonical");
    assert!(not_canonical > 10_000 && illegal > 10_000 && legal > 10_000);
}

/// Compares one verdict; what the set was: not canonical, illegal, legal.
fn judge(position: &Position, referee: &Naive, set: DropSet) -> [u64; 3] {
    let canonical = is_canonical(set);
    assert_eq!(set.is_canonical(), canonical, "{:x}", set.bits());
    let said = position.is_legal(Action::Drops(set));
    if !canonical {
        assert!(!said, "{}: {:x}", position.fen(), set.bits());
        return [1, 0, 0];
    }
    let token = common::token(position, Action::Drops(set));
    assert_eq!(common::action(position, &token), Some(Action::Drops(set)), "{token}");
    let expected = referee.is_legal(&token);
    assert_eq!(said, expected, "{}: {token}", position.fen());
    [0, (!said).into(), said.into()]
}

/// Building a drop set piece by piece, in any order, gives the set of its codes.
#[test]
fn drop_sets_are_built_in_any_order() {
    let mut rng = random::generator(7);
    for _ in 0..100_000 {
        let position = Position::start();
        let pieces = rng.random_range(1..=MAX_DROPS);
        let set = random::random_set(&mut rng, &position, pieces);
        assert!(is_canonical(set) && set.len() == pieces && !set.is_empty());
        let ascending: Vec<Drop> = set.drops(Color::White).collect();
        let last = ascending.iter().fold(DropSet::EMPTY, |set, &drop| set.with_last(drop));
        assert_eq!(last.bits(), set.bits());
        let start = rng.random_range(0..pieces);
        let turned: Vec<Drop> = (0..pieces).map(|i| ascending[(start + i * 7) % pieces]).collect();
        if pieces % 7 != 0 {
            let built = turned.iter().fold(DropSet::EMPTY, |set, &drop| set.with(drop));
            assert_eq!(built.bits(), set.bits(), "{turned:?}");
        }
        let taken = ascending[start];
        let codes: Vec<u8> = set.codes().filter(|&code| code != taken.code()).collect();
        let without = set.without_code(taken.code());
        assert!(DropSet::from_codes(&codes) == Some(without));
        assert_eq!(without.with(taken).bits(), set.bits());
        assert_eq!(without.without_code(taken.code()).bits(), without.bits());
        // The same integer means the same set-up on the other half.
        let far: Vec<u8> = set.drops(Color::Black).map(Drop::code).collect();
        assert!(DropSet::from_codes(&far) == Some(set));
        assert!(set.drops(Color::Black).all(|drop| drop.square.rank() >= 4));
    }
    assert!(DropSet::from_codes(&[0x20; MAX_DROPS + 1]).is_none());
}

/// The engine and the referee say the same of a position: moves, drops, checks, material, and the FEN after playing.
#[test]
fn the_referee_agrees() {
    const LIMIT: usize = 3_000;
    let [positions, sets, mates, stalemates, dead] = every(19)
        .map(|seed| {
            let (mut position, actions) = random::game(seed);
            let mut referee = Naive::from_fen(&position.fen());
            let mut seen = assert_same(&position, &referee, LIMIT);
            for action in actions {
                let token = common::token(&position, action);
                assert!(referee.is_legal(&token), "{}: {token}", position.fen());
                position = position.after(action);
                referee = referee.play(&token);
                seen = add(seen, assert_same(&position, &referee, LIMIT));
            }
            seen
        })
        .reduce(|| [0; 5], add);
    println!("{positions} positions, {sets} with sets, {mates} mates, {stalemates} stalemates, {dead} dead");
    assert!(positions > 5_000 && sets > 1_000 && mates > 30 && stalemates > 0 && dead > 10);
}

/// Compares all that the referee knows; what was seen: the position, its sets, mate, stalemate, dead material.
fn assert_same(position: &Position, referee: &Naive, limit: usize) -> [u64; 5] {
    let fen = position.fen();
    assert_eq!(fen, referee.fen());
    assert_eq!(Naive::from_fen(&fen), *referee, "{fen}");
    assert_eq!(position.in_check(), referee.in_check(), "{fen}");
    assert_eq!(position.checkers().count() as usize, referee.checkers(), "{fen}");
    assert_eq!(position.is_dead(), referee.dead_material(), "{fen}");
    let sorted = |actions: &mut dyn Iterator<Item = Action>| {
        let mut tokens: Vec<String> = actions.map(|action| common::token(position, action)).collect();
        tokens.sort();
        tokens
    };
    assert_eq!(sorted(&mut moves(position).into_iter().map(Action::Move)), referee.legal_moves(), "{fen}");
    let mut singles = Vec::new();
    let _ = position.visit_sets(1, |set| {
        singles.push(Action::Drops(set));
        ControlFlow::Continue(())
    });
    assert_eq!(sorted(&mut singles.into_iter()), referee.single_drops(), "{fen}");
    let all = referee.legal_sets(limit);
    if let Some(all) = &all {
        assert_eq!(&sorted(&mut sets(position).into_iter().map(Action::Drops)), all, "{fen}");
    }
    let decided = referee.has_legal_action(limit);
    if let Some(decided) = decided {
        assert_eq!(position.has_action(), decided, "{fen}");
    }
    let over = decided == Some(false);
    let mate = over && referee.in_check();
    assert_eq!(position.is_checkmate() && decided.is_some(), mate, "{fen}");
    [1, all.is_some().into(), mate.into(), (over && !mate).into(), referee.dead_material().into()]
}
