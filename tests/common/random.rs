//! Random positions and games, each wholly determined by its seed, biased towards what goes wrong: checks from several
//! lines, castling, en passant, promotions, small reserves.

use std::ops::ControlFlow;

use kingchess::rules::Position;
use kingchess::types::{
    Action, Bitboard, Color, Drop, DropSet, Kind, MAX_DROPS, Move, Reserve, ReserveKind, Square,
};
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

use super::moves;

/// The most actions of a random game.
const LONGEST_GAME: usize = 36;

/// Positions in which something special is near.
const SPECIAL: [&str; 15] = [
    "4k3/8/8/8/8/8/8/4K3[RRPrrp] w Ee - 0 1",
    "r3k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R[RNrn] w Kq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R[Pp] w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    "4k3/2p1p1p1/8/1P1P1P2/1p1p1p2/8/P1P1P1P1/4K3[Rr] w - - 0 1",
    "8/8/8/8/8/8/8/8[KRPkrp] w - - 0 1",
    "8/8/8/8/8/8/8/8[KQLkqd] w - - 0 1",
    "8/8/8/8/8/8/8/8[KQPPkqpp] w - - 0 1",
    "8/PP5k/8/8/8/8/pp5K/8[Nn] w - - 0 1",
    "7k/8/8/8/8/8/1B6/K6R[np] b - - 0 20",
    "k3r3/8/8/8/1b6/8/8/4K3[RNP] w - - 0 3",
    "7k/8/8/8/8/2p5/8/K1N5[l] w - - 0 60",
    "k7/2K5/8/1P6/8/8/8/8[] w - - 0 60",
    "8/8/8/3k4/3p4/8/3K4/8[] w - - 0 60",
];

/// A generator for this seed.
pub fn generator(seed: u64) -> SmallRng {
    SmallRng::seed_from_u64(seed)
}

/// The start and the legal actions of the random game with this seed.
pub fn game(seed: u64) -> (Position, Vec<Action>) {
    let mut rng = generator(seed);
    let start = match seed % 8 {
        0 | 1 => Position::start(),
        2 | 3 => super::position(SPECIAL.choose(&mut rng).unwrap_or(&SPECIAL[0])),
        4 => position_in_check(&mut rng),
        _ => scattered(&mut rng),
    };
    let mut position = start;
    let mut actions = Vec::new();
    while actions.len() < LONGEST_GAME && !position.is_dead() {
        let Some(action) = choose(&mut rng, &position) else { break };
        actions.push(action);
        position = position.after(action);
    }
    (start, actions)
}

/// The actions of a random game from the empty board that is as long as games of players are: 40 to 80 actions.
pub fn long_game(seed: u64) -> Vec<Action> {
    let mut rng = generator(seed);
    let length = rng.random_range(40..=80);
    loop {
        let mut position = Position::start();
        let mut actions = Vec::with_capacity(length);
        while actions.len() < length
            && !position.is_dead()
            && let Some(action) = choose(&mut rng, &position)
        {
            actions.push(action);
            position = position.after(action);
        }
        // Some end too early.
        if actions.len() >= 40 {
            return actions;
        }
    }
}

/// Every position of the random game with this seed.
pub fn positions(seed: u64) -> Vec<Position> {
    let (start, actions) = game(seed);
    let mut positions = vec![start];
    for action in actions {
        positions.push(positions[positions.len() - 1].after(action));
    }
    positions
}

/// A legal action, `None` if there is none.
fn choose(rng: &mut SmallRng, position: &Position) -> Option<Action> {
    let moves = moves(position);
    let reserve = position.reserve(position.side());
    let drops_first = moves.is_empty() || rng.random_bool(0.3);
    if drops_first
        && !reserve.is_empty()
        && let Some(set) = choose_set(rng, position)
    {
        return Some(Action::Drops(set));
    }
    choose_move(rng, position, &moves).map(Action::Move)
}

fn choose_move(rng: &mut SmallRng, position: &Position, moves: &[Move]) -> Option<Move> {
    let special: Vec<Move> = moves.iter().copied().filter(|&mv| is_special(position, mv)).collect();
    if !special.is_empty() && rng.random_bool(0.4) {
        return special.choose(rng).copied();
    }
    let few: Vec<Move> = (0..4).filter_map(|_| moves.choose(rng).copied()).collect();
    let check = few.iter().copied().find(|&mv| position.after(Action::Move(mv)).in_check());
    check.filter(|_| rng.random_bool(0.5)).or(few.first().copied())
}

/// Castling, promotion, a capture en passant or a move that allows one.
fn is_special(position: &Position, mv: Move) -> bool {
    let kind = position.kind_at(mv.from());
    mv.promotion().is_some()
        || kind == Some(Kind::King) && mv.from().file().abs_diff(mv.to().file()) == 2
        || kind == Some(Kind::Pawn)
            && (position.en_passant() == Some(mv.to())
                || position.after(Action::Move(mv)).en_passant().is_some())
}

fn choose_set(rng: &mut SmallRng, position: &Position) -> Option<DropSet> {
    let total = position.reserve(position.side()).total() as usize;
    let mut found = Vec::new();
    for _ in 0..12 {
        let pieces = match rng.random_range(0..20) {
            0 => total,
            1..10 => 1,
            _ => rng.random_range(1..=total.min(6)),
        };
        let set = random_set(rng, position, pieces);
        if position.is_legal_set(set) {
            found.push(set);
        }
    }
    let check = found.iter().copied().find(|&set| position.after(Action::Drops(set)).in_check());
    let chosen = check.filter(|_| rng.random_bool(0.6)).or(found.first().copied());
    chosen.or_else(|| {
        // Blocking several lines by chance is rare: look at what there is.
        let mut some = Vec::new();
        let _ = position.visit_sets(MAX_DROPS, |set| {
            some.push(set);
            if some.len() < 200 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        some.choose(rng).copied()
    })
}

/// A set of pieces of the reserve on allowed squares, the king among them if it is in reserve; legal unless in check.
pub fn random_set(rng: &mut SmallRng, position: &Position, pieces: usize) -> DropSet {
    let side = position.side();
    let mut hand = in_hand(position.reserve(side));
    hand.shuffle(rng);
    hand.sort_by_key(|&kind| kind != ReserveKind::King);
    let mut codes = Vec::new();
    let mut free = !position.occupied();
    for kind in hand.into_iter().take(pieces) {
        let squares: Vec<Square> = (kind.squares(side) & free).collect();
        if let Some(&square) = squares.choose(rng) {
            free = free - square;
            codes.push(Drop { kind: kind.kind(), square }.code());
        }
    }
    DropSet::from_codes(&codes).unwrap_or_default()
}

/// Each piece of a reserve.
fn in_hand(reserve: Reserve) -> Vec<ReserveKind> {
    reserve.kinds().flat_map(|kind| vec![kind; reserve.count(kind).into()]).collect()
}

/// A set-up for a FEN, piece by piece.
struct Builder {
    board: [char; 64],
    reserve: String,
}

impl Builder {
    fn new() -> Self {
        Self { board: [' '; 64], reserve: String::new() }
    }

    fn is_free(&self, square: Square) -> bool {
        self.board[square.index()] == ' '
    }

    fn put(&mut self, kind: Kind, color: Color, square: Square) {
        self.board[square.index()] = kind.letter_of(color);
    }

    /// Puts a piece on one of these squares that is free, if there is one.
    fn put_on(&mut self, rng: &mut SmallRng, kind: Kind, color: Color, squares: Bitboard) {
        let free: Vec<Square> = squares.filter(|&square| self.is_free(square)).collect();
        if let Some(&square) = free.choose(rng) {
            self.put(kind, color, square);
        }
    }

    fn hold(&mut self, kind: ReserveKind, color: Color) {
        let letter = kind.letter();
        self.reserve.push(if color == Color::White { letter } else { letter.to_ascii_lowercase() });
    }

    /// The position, if it can be.
    fn position(&self, side: Color) -> Option<Position> {
        let rows: Vec<String> = self.board.chunks(8).rev().map(row).collect();
        let side = if side == Color::White { 'w' } else { 'b' };
        format!("{}[{}] {side} KQkqEe - 0 9", rows.join("/"), self.reserve).parse().ok()
    }
}

fn row(squares: &[char]) -> String {
    squares.iter().map(|&letter| if letter == ' ' { '1' } else { letter }).collect()
}

fn random_color(rng: &mut SmallRng) -> Color {
    if rng.random() { Color::White } else { Color::Black }
}

/// Where a piece of this kind may stand at all.
fn squares_of(kind: ReserveKind) -> Bitboard {
    match kind {
        ReserveKind::LightBishop => Bitboard::LIGHT,
        ReserveKind::DarkBishop => Bitboard::DARK,
        ReserveKind::Pawn => !Bitboard::EDGE_RANKS,
        _ => Bitboard::FULL,
    }
}

/// Both kings on the board, the other pieces captured, in reserve (few) or anywhere on the board.
fn scattered(rng: &mut SmallRng) -> Position {
    loop {
        let mut builder = Builder::new();
        let captured = rng.random_range(0.2..0.7);
        for color in Color::ALL {
            let home = rng.random_bool(0.4);
            let king = if home { Square::E1.relative_to(color).bit() } else { Bitboard::FULL };
            builder.put_on(rng, Kind::King, color, king);
            for corner in [Square::A1, Square::H1] {
                if home && rng.random_bool(0.3) {
                    builder.put(Kind::Rook, color, corner.relative_to(color));
                }
            }
            let mut room = rng.random_range(0..=4);
            for kind in in_hand(Reserve::FULL.without(ReserveKind::King)) {
                if kind == ReserveKind::Rook && home || rng.random_bool(captured) {
                    continue;
                }
                if room > 0 && rng.random_bool(0.3) {
                    room -= 1;
                    builder.hold(kind, color);
                } else {
                    builder.put_on(rng, kind.kind(), color, squares_of(kind));
                }
            }
        }
        let side = random_color(rng);
        if let Some(position) = builder.position(side) {
            return position;
        }
    }
}

/// A king of the side to act in check from up to eight directions, some pieces in reserve to block with.
pub fn position_in_check(rng: &mut SmallRng) -> Position {
    const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    loop {
        let us = random_color(rng);
        let mut builder = Builder::new();
        // Mostly where lines from all sides have squares to block on.
        let fourth = Bitboard::rank(Square::A4.relative_to(us).rank());
        let inside = us.half() - fourth - Bitboard::FILE_A - Bitboard::FILE_H;
        let area = if rng.random_bool(0.8) { inside } else { Bitboard::FULL };
        let king = area.into_iter().nth(rng.random_range(0..area.count() as usize));
        let Some(king) = king else { continue };
        builder.put(Kind::King, us, king);
        let mut directions = DIRECTIONS;
        directions.shuffle(rng);
        let checks = if rng.random_bool(0.05) { 8 } else { rng.random_range(1..=5) };
        for (file, rank) in directions.into_iter().take(checks) {
            let at = |distance: i8| {
                let to = (king.file() as i8 + file * distance, king.rank() as i8 + rank * distance);
                let on_board = (0..8).contains(&to.0) && (0..8).contains(&to.1);
                on_board.then(|| Square::at(to.0 as u8, to.1 as u8))
            };
            let squares: Vec<Square> = (2..8).filter_map(at).collect();
            if let Some(&square) = squares.choose(rng) {
                let straight = file == 0 || rank == 0;
                let slider = if rng.random_bool(0.3) {
                    Kind::Queen
                } else if straight {
                    Kind::Rook
                } else {
                    Kind::Bishop
                };
                builder.put(slider, !us, square);
            }
        }
        builder.put_on(rng, Kind::King, !us, Bitboard::FULL);
        for _ in 0..rng.random_range(0..3) {
            let kind = *[Kind::Knight, Kind::Pawn, Kind::Bishop].choose(rng).unwrap_or(&Kind::Pawn);
            let color = random_color(rng);
            builder.put_on(rng, kind, color, !Bitboard::EDGE_RANKS);
        }
        let mut hand = in_hand(Reserve::FULL.without(ReserveKind::King));
        hand.shuffle(rng);
        let size = rng.random_range(1..=checks.min(6) + 1);
        for kind in hand.into_iter().take(size) {
            builder.hold(kind, us);
        }
        builder.hold(ReserveKind::Queen, !us);
        if let Some(position) = builder.position(us) {
            return position;
        }
    }
}

/// A position after a drop of up to seven pieces that were aimed at the other side's king.
pub fn position_after_barrage(rng: &mut SmallRng) -> Position {
    loop {
        let us = random_color(rng);
        let mut builder = Builder::new();
        // The attackers land on the other half, so the king comes near it.
        let ranks = [2u8, 3, 3, 4, 5];
        let rank = *ranks.choose(rng).unwrap_or(&3);
        let king = Square::at(rng.random_range(0..8), rank).relative_to(us);
        builder.put(Kind::King, us, king);
        builder.put_on(rng, Kind::King, !us, (!us).first_rank());
        let attackers = Reserve::FULL.without(ReserveKind::King);
        for kind in in_hand(attackers) {
            builder.hold(kind, !us);
        }
        let mut hand = in_hand(attackers);
        hand.shuffle(rng);
        for kind in hand.into_iter().take(rng.random_range(1..=4)) {
            builder.hold(kind, us);
        }
        let Some(before) = builder.position(!us) else { continue };
        let mut codes = Vec::new();
        let mut reserve = before.reserve(!us);
        let mut free = !before.occupied();
        for _ in 0..rng.random_range(2..=7) {
            // Singles that check from here are what a barrage is made of.
            let mut checking = Vec::new();
            for kind in reserve.kinds() {
                for square in kind.squares(!us) & free {
                    let drop = Drop { kind: kind.kind(), square };
                    if before.after(Action::Drops(DropSet::one(drop))).in_check() {
                        checking.push((kind, drop));
                    }
                }
            }
            let Some(&(kind, drop)) = checking.choose(rng) else { break };
            reserve = reserve.without(kind);
            free = free - drop.square;
            codes.push(drop.code());
        }
        let Some(set) = DropSet::from_codes(&codes) else { continue };
        if before.is_legal_set(set) {
            return before.after(Action::Drops(set));
        }
    }
}
