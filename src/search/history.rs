//! What has cut off before: actions that refuted others are tried earlier elsewhere.

use crate::rules::Position;
use crate::types::{Action, Color, DropSet, Short};

/// The largest value of an entry; each bonus also draws the old value back, so none passes it.
const LIMIT: i32 = 16_384;
/// Kinds of pieces times moved or dropped times squares: what the continuation tables are indexed by.
const SLOTS: usize = 2 * 6 * 64;

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
}

impl History {
    /// Nothing known.
    pub fn new() -> Self {
        Self {
            moves: bytemuck::zeroed_box(),
            drops: bytemuck::zeroed_box(),
            continuation: bytemuck::zeroed_slice_box(SLOTS),
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

/// The usual bonus for a cutoff at this depth.
pub fn bonus(depth: i32) -> i32 {
    (170 * depth - 60).clamp(40, 1700)
}

#[inline]
fn add(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT).clamp(-LIMIT, LIMIT) as i16;
}
