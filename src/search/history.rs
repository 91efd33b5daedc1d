//! What has cut off before: actions that refuted others are tried earlier elsewhere.

use crate::rules::Position;
use crate::types::{Action, Color, DropSet, Kind, Short};

/// The largest value of an entry; each bonus also draws the old value back, so none passes it.
const LIMIT: i32 = 16_384;
/// Kinds of pieces times moved or dropped times squares: what the continuation tables are indexed by.
const SLOTS: usize = 2 * 6 * 64;

/// Entries of the correction history; a power of two.
const CORRECTIONS: usize = 16_384;
/// The largest correction, in 64ths of what its weight says.
const CORRECTION_LIMIT: i32 = 1024;

/// Which piece went where, and whether it was dropped: what an action is to the one that follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(u16);

impl Slot {
    /// The slot of a move or single drop in a position.
    #[inline]
    pub fn new(position: &Position, short: Short) -> Option<Self> {
        let (kind, dropped) = match (short.as_drop(), short.as_move()) {
            (Some(drop), _) => (drop.kind, 1),
            (None, mv) => (position.kind_at(mv?.from())?, 0),
        };
        Some(Self((dropped * 6 + kind as u16) * 64 + short.to() as u16))
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The histories of one thread.
pub struct History {
    /// Quiet moves, by side, from and to.
    moves: Box<[[i16; 4096]; 2]>,
    /// Drops, by side, kind and square.
    drops: Box<[[[i16; 64]; 6]; 2]>,
    /// Actions, by the action one or two plies before.
    continuation: Box<[[i16; SLOTS]]>,
    /// By how much the evaluation was off, by side and structure of pawns.
    corrections: Box<[[i16; CORRECTIONS]; 2]>,
}

impl History {
    /// Nothing known.
    pub fn new() -> Self {
        Self {
            moves: bytemuck::zeroed_box(),
            drops: bytemuck::zeroed_box(),
            continuation: bytemuck::zeroed_slice_box(SLOTS),
            corrections: bytemuck::zeroed_box(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// What is known of a quiet move or a single drop after these earlier actions.
    #[inline]
    pub fn get(&self, position: &Position, short: Short, earlier: [Option<Slot>; 2]) -> i32 {
        let side = position.side() as usize;
        let own = match (short.as_drop(), short.as_move()) {
            (Some(drop), _) => self.drops[side][drop.kind as usize][drop.square.index()],
            (None, Some(mv)) => self.moves[side][mv.from().index() * 64 + mv.to().index()],
            (None, None) => 0,
        };
        let mut sum = 2 * i32::from(own);
        if let Some(slot) = Slot::new(position, short) {
            for before in earlier.into_iter().flatten() {
                sum += i32::from(self.continuation[before.index()][slot.index()]);
            }
        }
        sum
    }

    /// How far the evaluation was off in positions with these pawns, on the board and in reserve.
    #[inline]
    pub fn correction(&self, position: &Position) -> i32 {
        i32::from(self.corrections[position.side() as usize][correction_index(position)])
    }

    /// The value was this far from the evaluation.
    pub fn learn_correction(&mut self, position: &Position, error: i32, depth: i32) {
        let entry = &mut self.corrections[position.side() as usize][correction_index(position)];
        let old = i32::from(*entry);
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        *entry = (old + bonus - old * bonus.abs() / CORRECTION_LIMIT) as i16;
    }

    /// Rewards (or, below zero, blames) a move or single drop.
    pub fn reward(&mut self, position: &Position, short: Short, earlier: [Option<Slot>; 2], bonus: i32) {
        let side = position.side() as usize;
        match (short.as_drop(), short.as_move()) {
            (Some(drop), _) => {
                add(&mut self.drops[side][drop.kind as usize][drop.square.index()], bonus);
            }
            (None, Some(mv)) => add(&mut self.moves[side][mv.from().index() * 64 + mv.to().index()], bonus),
            (None, None) => {}
        }
        if let Some(slot) = Slot::new(position, short) {
            for before in earlier.into_iter().flatten() {
                add(&mut self.continuation[before.index()][slot.index()], bonus);
            }
        }
    }

    /// Rewards each drop of a set with its share.
    pub fn reward_set(&mut self, color: Color, set: DropSet, bonus: i32) {
        let share = bonus / set.len().clamp(1, 4) as i32;
        for drop in set.drops(color) {
            add(&mut self.drops[color as usize][drop.kind as usize][drop.square.index()], share);
        }
    }

    /// Rewards any action.
    pub fn reward_action(
        &mut self,
        position: &Position,
        action: Action,
        earlier: [Option<Slot>; 2],
        bonus: i32,
    ) {
        match (action.short(position.side()), action) {
            (Some(short), _) => self.reward(position, short, earlier, bonus),
            (None, Action::Drops(set)) => self.reward_set(position.side(), set, bonus),
            (None, Action::Move(_)) => {}
        }
    }
}

fn correction_index(position: &Position) -> usize {
    let [white, black] = Color::ALL.map(|color| position.pieces(color, Kind::Pawn).0);
    let [own, other] = Color::ALL.map(|color| u64::from(position.reserve(color).bits()));
    let mixed = white.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ black.wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ (own << 32 | other).wrapping_mul(0x1656_67B1_9E37_79F9);
    (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 50) as usize % CORRECTIONS
}

/// The usual bonus for a cutoff at this depth.
pub fn bonus(depth: i32) -> i32 {
    (170 * depth - 60).clamp(40, 1700)
}

#[inline]
fn add(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT).clamp(-LIMIT, LIMIT) as i16;
}
