//! What the network sees of a position.
//!
//! A [`Fact`] is something that is so, whoever looks: a piece on a square, a step of a reserve, a castling right. A
//! [`View`] is how one side looks at the board, and turns facts into inputs of the network. The board is turned so that
//! the viewer sits at the bottom with its king on the files a to d: what is left and right means nothing to the rules but
//! for castling.
//!
//! ```text
//!  facts       0 ..  767   (side * 6 + kind) * 64 + square
//!            768 ..  799   side * 16 + step of the reserve: K Q R R L D N N P P P P P P P P
//!            800 ..  805   side * 3 + right to castle with the h-rook, with the a-rook, right to be
//! ```

use arrayvec::ArrayVec;

use crate::rules::Position;
use crate::types::{Bitboard, Castling, Color, Drop, Kind, Reserve, ReserveKind, Square};

/// The number of inputs of one view.
pub const INPUTS: usize = FACTS;

/// Sets of output weights, chosen by [`Snapshot::output`].
pub const OUTPUTS: usize = 8;

/// Facts of pieces on squares.
const PIECES: usize = 768;
/// Facts of one side's pieces on squares.
const SIDE_PIECES: usize = 384;
/// Facts of one side's reserve.
const STEPS: usize = 16;
/// Facts of one side's castling rights.
const RIGHTS: usize = 3;
/// Facts besides the pieces on squares.
const EXTRAS: usize = 2 * (STEPS + RIGHTS);
/// All facts.
const FACTS: usize = PIECES + EXTRAS;
/// Words with a bit for each fact.
const WORDS: usize = FACTS.div_ceil(64);
/// The last of them: everything but the pieces on squares.
const EXTRA_WORD: usize = WORDS - 1;
/// The most facts that can hold at once: 16 pieces a side, on the board or in reserve, and two castling rights.
const MAX_FACTS: usize = 36;

/// The number of an input.
pub type Feature = u16;

/// Something that is so in a position; see the list at the head of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact(u16);

/// Facts that hold together.
pub type Facts = ArrayVec<Fact, MAX_FACTS>;

/// The inputs that stand for them.
pub type Features = ArrayVec<Feature, MAX_FACTS>;

impl Fact {
    fn piece(color: Color, kind: Kind, square: Square) -> Self {
        Self(color as u16 * SIDE_PIECES as u16 + kind as u16 * 64 + square as u16)
    }

    fn extra(bit: u32) -> Self {
        Self(PIECES as u16 + bit as u16)
    }

    /// The step that a side's reserve has with so many pieces of a kind.
    fn step(color: Color, kind: ReserveKind, count: u8) -> Self {
        Self::extra(color as u32 * STEPS as u32 + u32::from(FIRST_STEP[kind as usize] + count) - 1)
    }
}

/// How one side looks at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// side * 2 + mirrored
    turn: u8,
}

impl View {
    fn new(color: Color, king: Option<Square>) -> Self {
        let mirrored = king.is_some_and(|king| king.file() >= 4);
        Self { turn: color as u8 * 2 + u8::from(mirrored) }
    }

    /// The inputs that stand for facts.
    #[inline]
    pub fn features(self, facts: &[Fact]) -> impl Iterator<Item = Feature> + Clone {
        facts.iter().map(move |&fact| self.feature(fact))
    }

    /// The input that stands for a fact.
    #[inline]
    pub fn feature(self, Fact(fact): Fact) -> Feature {
        SEEN[usize::from(self.turn)][usize::from(fact)]
    }
}

/// What turns the index of a square into that of the square as it is seen, by side * 2 + mirrored.
const fn flip(turn: usize) -> u16 {
    [0, 7, 56, 63][turn]
}

/// The facts as each way to look sees them, by side * 2 + mirrored.
static SEEN: [[Feature; FACTS]; 4] = {
    let mut table = [[0; FACTS]; 4];
    let mut turn = 0;
    while turn < 4 {
        let (black, mirrored) = (turn / 2, turn % 2);
        let mut fact = 0;
        while fact < PIECES {
            let own_first = (fact + black * SIDE_PIECES) % PIECES;
            table[turn][fact] = own_first as u16 ^ flip(turn);
            fact += 1;
        }
        while fact < FACTS {
            let extra = fact - PIECES;
            let seen = if extra < 2 * STEPS {
                let (side, step) = (extra / STEPS, extra % STEPS);
                // Each mirroring of the board swaps its light and dark squares.
                let swapped = black != mirrored && (step == LIGHT_STEP || step == LIGHT_STEP + 1);
                (side ^ black) * STEPS + if swapped { 2 * LIGHT_STEP + 1 - step } else { step }
            } else {
                let right = extra - 2 * STEPS;
                let (side, right) = (right / RIGHTS, right % RIGHTS);
                let seen = if mirrored == 1 && right < 2 { 1 - right } else { right };
                2 * STEPS + (side ^ black) * RIGHTS + seen
            };
            table[turn][fact] = (PIECES + seen) as u16;
            fact += 1;
        }
        turn += 1;
    }
    table
};

/// The first step of each kind in a reserve.
const FIRST_STEP: [u8; 7] = {
    let mut steps = [0; 7];
    let mut kind = 1;
    while kind < 7 {
        steps[kind] = steps[kind - 1] + ReserveKind::ALL[kind - 1].full_count();
        kind += 1;
    }
    steps
};

/// The step of the light-squared bishop; that of the dark-squared one follows.
const LIGHT_STEP: usize = FIRST_STEP[ReserveKind::LightBishop as usize] as usize;

/// What the network sees of a position: all but the side to act, the clock and en passant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    /// A bit for each fact, in order.
    facts: [Bitboard; WORDS],
    reserves: [Reserve; 2],
    castling: Castling,
}

impl Snapshot {
    /// Nothing anywhere: no fact holds.
    pub const EMPTY: Self =
        Self { facts: [Bitboard::EMPTY; WORDS], reserves: [Reserve::EMPTY; 2], castling: Castling::NONE };

    /// What is seen of this position.
    #[inline]
    pub fn of(position: &Position) -> Self {
        let mut facts = [Bitboard::EMPTY; WORDS];
        for color in Color::ALL {
            for kind in Kind::ALL {
                facts[place(color, kind)] = position.color(color) & position.kind(kind);
            }
        }
        let reserves = Color::ALL.map(|color| position.reserve(color));
        let castling = position.castling();
        facts[EXTRA_WORD] = extras(reserves, castling);
        Self { facts, reserves, castling }
    }

    /// The same after a side has dropped a piece, which it must hold, on an empty square.
    #[inline]
    #[must_use]
    pub fn after_drop(mut self, color: Color, Drop { kind, square }: Drop) -> Self {
        self.facts[place(color, kind)] |= square;
        let reserve = &mut self.reserves[color as usize];
        *reserve = reserve.without(kind.reserve_kind(square));
        let rooks = reserve.has(ReserveKind::Rook);
        self.castling = self.castling.landed(color, kind, square, rooks);
        self.facts[EXTRA_WORD] = extras(self.reserves, self.castling);
        self
    }

    /// The fact that a drop of a side brings and the one it takes away; `None` if it changes more than that: a king also
    /// changes how its side looks at the board, a rook may change castling rights.
    #[inline]
    pub(super) fn drop_facts(&self, color: Color, Drop { kind, square }: Drop) -> Option<(Fact, Fact)> {
        let castling = kind == Kind::Rook && self.castling.virgin_king(color);
        if kind == Kind::King || castling {
            return None;
        }
        let held = kind.reserve_kind(square);
        let count = self.reserves[color as usize].count(held);
        Some((Fact::piece(color, kind, square), Fact::step(color, held, count)))
    }

    /// How a side looks at it.
    #[inline]
    pub fn view(&self, color: Color) -> View {
        View::new(color, self.facts[place(color, Kind::King)].first())
    }

    /// Which set of output weights is meant for it: by the number of pieces other than kings, on the board and in
    /// reserve, and by whether there is much left to drop.
    #[inline]
    pub fn output(&self) -> usize {
        output(self.size(), self.in_hand())
    }

    /// Which set of output weights is meant for it after a drop of one piece.
    #[inline]
    pub(super) fn output_after_drop(&self) -> usize {
        output(self.size(), self.in_hand().saturating_sub(1))
    }

    #[inline]
    fn in_hand(&self) -> usize {
        (self.reserves[0].total() + self.reserves[1].total()) as usize
    }

    /// How many pieces there are, on the board and in reserve: about as many facts hold.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.facts[..EXTRA_WORD].iter().map(|pieces| pieces.count() as usize).sum::<usize>() + self.in_hand()
    }

    /// The facts that hold.
    #[inline]
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        list(&self.facts, &Self::EMPTY.facts, &mut facts);
        facts
    }

    /// The inputs that a side sees.
    pub fn features(&self, color: Color) -> Features {
        self.view(color).features(&self.facts()).collect()
    }

    /// Adds the facts that hold here and not in another state, which need not be the one before, to `gained`, and those
    /// that hold only there to `lost`.
    #[inline]
    pub fn compare(&self, earlier: &Self, gained: &mut Facts, lost: &mut Facts) {
        list(&self.facts, &earlier.facts, gained);
        list(&earlier.facts, &self.facts, lost);
    }
}

/// Adds the facts that are among the first and not among the second.
///
/// Written with as few branches as there are facts: most actions change two or three.
#[inline]
fn list(now: &[Bitboard; WORDS], before: &[Bitboard; WORDS], facts: &mut Facts) {
    let mut left: [u64; WORDS] = std::array::from_fn(|word| (now[word] - before[word]).0);
    let mut words =
        left.iter().enumerate().fold(0_u32, |words, (word, left)| words | u32::from(*left != 0) << word);
    while words != 0 {
        let word = words.trailing_zeros() as usize;
        let bits = &mut left[word];
        facts.push(Fact((64 * word) as u16 + bits.trailing_zeros() as u16));
        *bits &= *bits - 1;
        words &= words - u32::from(*bits == 0);
    }
}

/// The facts besides the pieces on squares.
#[inline]
fn extras(reserves: [Reserve; 2], castling: Castling) -> Bitboard {
    let [white, black] = reserves.map(|reserve| u64::from(reserve.steps()));
    Bitboard(white | black << STEPS | (castling.index() as u64) << (2 * STEPS))
}

/// Which word of a snapshot has a side's pieces of a kind.
#[inline]
fn place(color: Color, kind: Kind) -> usize {
    color as usize * 6 + kind as usize
}

#[inline]
fn output(pieces: usize, in_hand: usize) -> usize {
    // Each side has one king, here or there.
    (pieces.saturating_sub(2) / 8).min(OUTPUTS / 2 - 1) * 2 + usize::from(in_hand >= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inputs that a side sees in a position, in rising order.
    fn seen(fen: &str, color: Color) -> Vec<Feature> {
        let position: Position = fen.parse().unwrap();
        let mut features = Snapshot::of(&position).features(color).to_vec();
        features.sort_unstable();
        features
    }

    #[test]
    fn the_same_position_from_the_other_end_looks_the_same() {
        let white = "4k3/pp3n2/8/8/3B4/8/5PPP/R3K3[QRLNPPqdnp] w Qe - 0 1";
        // Colours swapped, so ranks are turned, and light bishops become dark ones.
        let black = "r3k3/5ppp/8/3b4/8/8/PP3N2/4K3[QLNPqrdnpp] b Eq - 0 1";
        assert_eq!(seen(white, Color::White), seen(black, Color::Black));
        assert_eq!(seen(white, Color::Black), seen(black, Color::White));
        assert_ne!(seen(white, Color::White), seen(white, Color::Black));
    }

    #[test]
    fn left_and_right_look_the_same() {
        let right = "1k6/pp3n2/8/8/3B4/8/5PPP/6K1[QRLNPPqdnp] w - - 0 1";
        let left = "6k1/2n3pp/8/8/4B3/8/PPP5/1K6[QRDNPPqlnp] w - - 0 1";
        for color in Color::ALL {
            assert_eq!(seen(right, color), seen(left, color));
        }
    }

    #[test]
    fn every_input_is_within_range_and_every_reserve_step_counts() {
        let start = "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1";
        let features = seen(start, Color::Black);
        assert_eq!(features, (PIECES as u16..PIECES as u16 + 32).collect::<Vec<_>>());
        let chess = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R[QBBNN] w KQkq - 0 1";
        for color in Color::ALL {
            let features = seen(chess, color);
            assert_eq!(features.len(), 22 + 5 + 4);
            assert!(features.iter().all(|&feature| usize::from(feature) < INPUTS));
        }
    }
}
