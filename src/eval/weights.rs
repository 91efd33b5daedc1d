//! The numbers of the evaluation. A weight is a pair: for the middlegame and for the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::types::{Color, Kind, ReserveKind, Square};

/// A middlegame and an endgame value in centipawns, added and subtracted together in one integer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Weight(i32);

impl Weight {
    /// Both zero.
    pub const ZERO: Self = Self(0);

    /// A pair of values, each within 16 bits.
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        Self((endgame << 16) + middlegame)
    }

    /// The middlegame value.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value.
    #[inline]
    pub const fn endgame(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    /// The value between the two: `phase` of 24 parts middlegame.
    #[inline]
    pub const fn blend(self, phase: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl Add for Weight {
    type Output = Self;
    #[inline]
    fn add(self, right: Self) -> Self {
        Self(self.0 + right.0)
    }
}

impl Sub for Weight {
    type Output = Self;
    #[inline]
    fn sub(self, right: Self) -> Self {
        Self(self.0 - right.0)
    }
}

impl AddAssign for Weight {
    #[inline]
    fn add_assign(&mut self, right: Self) {
        self.0 += right.0;
    }
}

impl SubAssign for Weight {
    #[inline]
    fn sub_assign(&mut self, right: Self) {
        self.0 -= right.0;
    }
}

impl Neg for Weight {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Weight {
    type Output = Self;
    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * factor)
    }
}

const fn w(middlegame: i32, endgame: i32) -> Weight {
    Weight::new(middlegame, endgame)
}

/// The phase of a position with all pieces, on the board or in reserve.
pub const FULL_PHASE: i32 = 24;

/// What a piece of each kind adds to the phase.
pub const PHASE: [i32; 6] = [0, 4, 2, 1, 1, 0];

/// Material, by [`Kind`].
pub const MATERIAL: [Weight; 6] = [w(0, 0), w(1010, 1020), w(490, 550), w(345, 345), w(330, 320), w(88, 118)];

/// Material of a kind in plain centipawns, for exchanges.
#[inline]
pub const fn material(kind: Kind) -> i32 {
    match kind {
        Kind::King => 10_000,
        Kind::Queen => 1000,
        Kind::Rook => 500,
        Kind::Bishop => 340,
        Kind::Knight => 325,
        Kind::Pawn => 100,
    }
}

/// What a piece in reserve is worth above its material: about what the best squares it will find give it.
pub const IN_RESERVE: [Weight; 7] =
    [w(0, 0), w(110, 100), w(100, 88), w(104, 88), w(104, 88), w(102, 86), w(44, 42)];

/// What a reserve costs as long as it is not empty: the tempo that dropping it takes.
pub const UNDEPLOYED: Weight = w(-22, -22);

/// Having the move.
pub const TEMPO: Weight = w(16, 12);

/// Both bishops, wherever they are.
pub const BISHOP_PAIR: Weight = w(28, 42);

/// Mobility, by kind: a weight for each square above or below the usual number.
pub const MOBILITY: [(Weight, i32); 6] =
    [(w(0, 0), 0), (w(2, 4), 13), (w(3, 5), 7), (w(5, 5), 6), (w(5, 5), 4), (w(0, 0), 0)];

/// A rook on a file without pawns, without own pawns.
pub const ROOK_ON_OPEN_FILE: Weight = w(24, 10);
/// A rook on a file without own pawns.
pub const ROOK_ON_HALF_OPEN_FILE: Weight = w(11, 8);

/// A pawn on the file of another own pawn.
pub const DOUBLED: Weight = w(-9, -16);
/// A pawn without own pawns on the neighbouring files.
pub const ISOLATED: Weight = w(-10, -13);
/// A pawn that another own pawn guards or stands beside.
pub const CONNECTED: Weight = w(9, 6);
/// A passed pawn, by rank seen from its side.
pub const PASSED: [Weight; 8] =
    [w(0, 0), w(2, 8), w(4, 14), w(10, 28), w(26, 54), w(58, 98), w(105, 160), w(0, 0)];

/// A piece (not a pawn) attacked by a pawn.
pub const ATTACKED_BY_PAWN: Weight = w(-45, -35);
/// A rook or queen attacked by a knight or bishop.
pub const ATTACKED_BY_MINOR: Weight = w(-35, -30);
/// A piece attacked and not guarded.
pub const HANGING: Weight = w(-32, -28);

/// Pressure on the squares around a king, by attacking kind.
pub const KING_ATTACK: [i32; 6] = [0, 9, 6, 4, 5, 0];
/// A square from which a piece of the kind checks safely.
pub const SAFE_CHECK: [i32; 6] = [0, 12, 11, 7, 9, 0];
/// The most that danger to a king can cost, in centipawns.
pub const MAX_DANGER: i32 = 450;

/// The king's shelter: own pawns in front of it, by distance in ranks (1, 2, further or none).
pub const SHELTER: [i32; 3] = [22, 12, -14];
/// The king on its own first, second, third, fourth or a further rank while the enemy can drop.
pub const KING_DEPTH: [i32; 8] = [0, -8, -45, -95, -130, -150, -150, -150];

const fn abs(x: i32) -> i32 {
    if x < 0 { -x } else { x }
}

/// Twice the distance from the middle of the board along a file or rank: 1, 3, 5 or 7.
const fn off_centre(x: i32) -> i32 {
    abs(2 * x - 7)
}

/// The worth of a square for a kind, from the side of White.
const fn square_weight(kind: Kind, square: Square) -> Weight {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    let (across, along) = (off_centre(file), off_centre(rank));
    let centre = 14 - across - along;
    match kind {
        Kind::Pawn => {
            // Central pawns that have advanced take space; every step is worth more as pieces leave.
            let advance = [0, 0, 4, 12, 20, 34, 60, 0][rank as usize];
            let middle =
                if across <= 3 && rank >= 2 { (5 - across) * (if rank == 3 { 5 } else { 3 }) } else { 0 };
            w(advance / 2 + middle - if across == 7 { 5 } else { 0 }, advance)
        }
        Kind::Knight => {
            let outpost = if rank >= 3 && rank <= 5 { 8 } else { 0 };
            w(centre * 4 - 26 + outpost, centre * 3 - 20)
        }
        Kind::Bishop => w(centre * 2 - 8 - if rank == 0 { 8 } else { 0 }, centre * 2 - 8),
        Kind::Rook => {
            let seventh = if rank == 6 { 18 } else { 0 };
            w(7 - across + seventh - if rank == 2 || rank == 3 { 6 } else { 0 }, seventh)
        }
        Kind::Queen => w(centre - if rank == 0 { 4 } else { 0 }, centre * 3 - 14),
        Kind::King => {
            let hidden = [18, 0, -30, -55, -70, -80, -80, -80][rank as usize] + (across - 3) * 6;
            w(hidden, centre * 5 - 30)
        }
    }
}

/// Squares by kind, from the side of White.
static SQUARES: [[Weight; 64]; 6] = {
    let mut table = [[Weight::ZERO; 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        let mut square = 0;
        while square < 64 {
            table[kind][square as usize] = square_weight(Kind::ALL[kind], Square::new(square));
            square += 1;
        }
        kind += 1;
    }
    table
};

/// What a square adds to a piece of this kind and side that stands on it.
#[inline]
pub fn on_square(color: Color, kind: Kind, square: Square) -> Weight {
    SQUARES[kind as usize][square.relative_to(color).index()]
}

/// What a piece in reserve is worth.
#[inline]
pub fn in_reserve(kind: ReserveKind) -> Weight {
    MATERIAL[kind.kind() as usize] + IN_RESERVE[kind as usize]
}
