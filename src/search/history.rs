//! What earlier nodes have taught: which actions cut off (or left the other side without a good answer), so that they are
//! tried earlier elsewhere, and by how much the evaluation was off.

use super::parameters::{
    action_correction_weight, correction_weight, history_before, history_bonus, history_last, history_most,
    history_own, history_structure, piece_correction_weight,
};
use crate::rules::Position;
use crate::types::{Action, Bitboard, Color, DropSet, Kind, Move, Short, Square};

/// The largest value of an entry; each bonus also draws the old value back, so none passes it.
const LIMIT: i32 = 16_384;
/// A number for each square.
type Squares = [i16; 64];
/// A number for each kind of piece, moved or dropped, and square: for each [`Slot`].
type Slots = [Squares; 2 * 6];
/// How many slots there are.
const SLOTS: usize = 2 * 6 * 64;

/// Structures of pawns that the histories of actions tell apart; a power of two.
const STRUCTURES: usize = 512;

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
        let square = short.to() as u16;
        Some(match (short.as_drop(), short.as_move()) {
            (Some(drop), _) => Self::dropped(drop.kind, square),
            (None, mv) => Self(position.kind_at(mv?.from())? as u16 * 64 + square),
        })
    }

    /// The slot of a drop.
    const fn dropped(kind: Kind, square: u16) -> Self {
        Self((6 + kind as u16) * 64 + square)
    }

    const fn index(self) -> usize {
        self.0 as usize
    }

    /// Where a table by kind and square has it.
    const fn place(self) -> (usize, usize) {
        (self.0 as usize / 64, self.0 as usize % 64)
    }
}

/// What the histories know of a position.
#[derive(Clone, Copy, Default, Debug)]
pub struct Scene {
    /// The squares that the other side attacks.
    threats: Bitboard,
    /// The structure of pawns, as far as it is told apart.
    structure: u16,
}

impl Scene {
    /// That of a position.
    pub fn new(position: &Position) -> Self {
        let structure = (pawn_index(position) % STRUCTURES) as u16;
        Self { threats: position.attacked_by(!position.side()), structure }
    }
}

/// What quiet actions are judged by besides themselves.
#[derive(Clone, Copy, Default, Debug)]
pub struct Context {
    /// What was played one and two plies before.
    pub earlier: [Option<Slot>; 2],
    /// The position.
    pub scene: Scene,
}

/// The histories of one thread.
pub struct History {
    /// Quiet moves, by side, whether from and to are attacked, from and to.
    moves: Box<[[[Squares; 64]; 4]; 2]>,
    /// Drops, by side, kind and square.
    drops: Box<[[Squares; 6]; 2]>,
    /// Actions, by the action one or two plies before.
    continuation: Box<[Slots]>,
    /// Actions, by structure of pawns and side.
    structures: Box<[[Slots; 2]]>,
    /// Captures and promotions, by side, what moves, where to and what it captures.
    captures: Box<[[[[i16; 7]; 64]; 6]; 2]>,
    /// By how much the evaluation was off, by side and structure of pawns.
    pawns: Box<Corrections>,
    /// … by side, colour and the pieces of that colour but pawns.
    pieces: Box<[Corrections; 2]>,
    /// … by side and the two actions before.
    actions: Box<Corrections>,
}

/// By how much the evaluation was off, by side and something of the position.
type Corrections = [[i16; CORRECTIONS]; 2];

impl History {
    /// Nothing known.
    pub fn new() -> Self {
        Self {
            moves: bytemuck::zeroed_box(),
            drops: bytemuck::zeroed_box(),
            continuation: bytemuck::zeroed_slice_box(SLOTS),
            structures: bytemuck::zeroed_slice_box(STRUCTURES),
            captures: bytemuck::zeroed_box(),
            pawns: bytemuck::zeroed_box(),
            pieces: bytemuck::zeroed_box(),
            actions: bytemuck::zeroed_box(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// What is known of a quiet move or a single drop in this context.
    #[inline]
    pub fn get(&self, position: &Position, short: Short, context: &Context) -> i32 {
        let side = position.side();
        match (short.as_drop(), short.as_move()) {
            (Some(drop), _) => self.drop_row(side, drop.kind, context).get(drop.square),
            (None, Some(mv)) => position
                .kind_at(mv.from())
                .map_or(0, |kind| self.move_row(side, kind, mv.from(), context).get(mv.to())),
            (None, None) => 0,
        }
    }

    /// What is known of the quiet moves of a piece, by the square they reach.
    #[inline]
    pub fn move_row(&self, side: Color, kind: Kind, from: Square, context: &Context) -> Row<'_> {
        let leaves_threat = 2 * usize::from(context.scene.threats.has(from));
        let moves = &self.moves[side as usize];
        let own = [0, 1].map(|reaches_threat| &moves[leaves_threat + reaches_threat][from.index()]);
        self.row(own, side, kind as usize, context)
    }

    /// What is known of the drops of a kind, by square.
    #[inline]
    pub fn drop_row(&self, side: Color, kind: Kind, context: &Context) -> Row<'_> {
        let own = &self.drops[side as usize][kind as usize];
        self.row([own; 2], side, 6 + kind as usize, context)
    }

    #[inline]
    fn row<'h>(&'h self, own: [&'h Squares; 2], side: Color, slots: usize, context: &Context) -> Row<'h> {
        let structure = &self.structures[usize::from(context.scene.structure)][side as usize];
        let [last, before] = context.earlier.map(|slot| slot.map(|slot| &self.continuation[slot.index()]));
        let others =
            [(history_structure(), Some(structure)), (history_last(), last), (history_before(), before)]
                .map(|(weight, table)| table.map_or((0, own[0]), |table| (weight, &table[slots])));
        Row { own, others, threats: context.scene.threats }
    }

    /// What is known of a capture or promotion.
    #[inline]
    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        capture_index(position, mv)
            .map_or(0, |(side, kind, to, victim)| i32::from(self.captures[side][kind][to][victim]))
    }

    /// Rewards (or, below zero, blames) a capture or promotion.
    pub fn reward_capture(&mut self, position: &Position, short: Short, bonus: i32) {
        let index = short.as_move().and_then(|mv| capture_index(position, mv));
        if let Some((side, kind, to, victim)) = index {
            add(&mut self.captures[side][kind][to][victim], bonus);
        }
    }

    /// How far the evaluation was off in positions with these pawns, these other pieces and after these actions, in 64ths
    /// of a centipawn.
    #[inline]
    pub fn correction(&self, position: &Position, earlier: [Option<Slot>; 2]) -> i32 {
        let side = position.side() as usize;
        let pawns = self.pawns[side][pawn_index(position)];
        let [white, black] = Color::ALL
            .map(|color| i32::from(self.pieces[color as usize][side][piece_index(position, color)]));
        let actions = action_index(earlier).map_or(0, |index| self.actions[side][index]);
        i32::from(pawns) * correction_weight()
            + (white + black) * piece_correction_weight()
            + i32::from(actions) * action_correction_weight()
    }

    /// The value was this far from the evaluation.
    pub fn learn_correction(
        &mut self,
        position: &Position,
        earlier: [Option<Slot>; 2],
        error: i32,
        depth: i32,
    ) {
        let side = position.side() as usize;
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        let learn = |entry: &mut i16| {
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / CORRECTION_LIMIT) as i16;
        };
        learn(&mut self.pawns[side][pawn_index(position)]);
        for color in Color::ALL {
            learn(&mut self.pieces[color as usize][side][piece_index(position, color)]);
        }
        if let Some(index) = action_index(earlier) {
            learn(&mut self.actions[side][index]);
        }
    }

    /// Rewards (or, below zero, blames) a move or single drop.
    pub fn reward(&mut self, position: &Position, short: Short, context: &Context, bonus: i32) {
        if let Some(slot) = Slot::new(position, short) {
            self.reward_played(position.side(), short, slot, context, bonus);
        }
    }

    /// Rewards (or blames) a move or single drop of a side that has been played: its slot is known.
    pub fn reward_played(&mut self, side: Color, short: Short, slot: Slot, context: &Context, bonus: i32) {
        self.reward_alone(side, short, context, bonus);
        let (kind, square) = slot.place();
        let structure = usize::from(context.scene.structure);
        add(&mut self.structures[structure][side as usize][kind][square], bonus);
        for before in context.earlier.into_iter().flatten() {
            add(&mut self.continuation[before.index()][kind][square], bonus);
        }
    }

    /// Rewards (or blames) a move or single drop of a side for itself, whatever was played before it.
    pub fn reward_alone(&mut self, side: Color, short: Short, context: &Context, bonus: i32) {
        match (short.as_drop(), short.as_move()) {
            (Some(drop), _) => {
                add(&mut self.drops[side as usize][drop.kind as usize][drop.square.index()], bonus);
            }
            (None, Some(mv)) => {
                let [from, to] = [mv.from(), mv.to()];
                let threats = context.scene.threats;
                let attacked = 2 * usize::from(threats.has(from)) + usize::from(threats.has(to));
                add(&mut self.moves[side as usize][attacked][from.index()][to.index()], bonus);
            }
            (None, None) => {}
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
    pub fn reward_action(&mut self, position: &Position, action: Action, context: &Context, bonus: i32) {
        match (action.short(position.side()), action) {
            (Some(short), _) => self.reward(position, short, context, bonus),
            (None, Action::Drops(set)) => self.reward_set(position.side(), set, bonus),
            (None, Action::Move(_)) => {}
        }
    }
}

/// What is known of the quiet moves of a piece or the drops of a kind, by square.
pub struct Row<'h> {
    /// Of themselves, where the square is not attacked and where it is.
    own: [&'h Squares; 2],
    /// By structure of pawns and by the actions before, with weights; those that say nothing weigh nothing.
    others: [(i32, &'h Squares); 3],
    /// The squares that are attacked.
    threats: Bitboard,
}

impl Row<'_> {
    /// What is known of the move or drop that leads to this square.
    #[inline]
    pub fn get(&self, to: Square) -> i32 {
        let own = self.own[usize::from(self.threats.has(to))][to.index()];
        let sum = self.others.iter().fold(history_own() * i32::from(own), |sum, (weight, row)| {
            sum + weight * i32::from(row[to.index()])
        });
        sum / 64
    }
}

/// Side, what moves, where to and what is captured (or that a pawn is promoted, or captures in passing).
fn capture_index(position: &Position, mv: Move) -> Option<(usize, usize, usize, usize)> {
    let kind = position.kind_at(mv.from())?;
    let victim = position.kind_at(mv.to()).map_or(6, |kind| kind as usize);
    Some((position.side() as usize, kind as usize, mv.to().index(), victim))
}

fn pawn_index(position: &Position) -> usize {
    let [white, black] = Color::ALL.map(|color| position.pieces(color, Kind::Pawn).0);
    let [own, other] = Color::ALL.map(|color| u64::from(position.reserve(color).bits()));
    correction_index(
        white.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ black.wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ (own << 32 | other).wrapping_mul(0x1656_67B1_9E37_79F9),
    )
}

fn piece_index(position: &Position, color: Color) -> usize {
    let of = |kind: Kind| position.pieces(color, kind).0;
    correction_index(
        of(Kind::Knight).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ of(Kind::Bishop).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ of(Kind::Rook).wrapping_mul(0x1656_67B1_9E37_79F9)
            ^ of(Kind::Queen).wrapping_mul(0xFF51_AFD7_ED55_8CCD)
            ^ of(Kind::King).wrapping_mul(0xC4CE_B9FE_1A85_EC53),
    )
}

/// The two actions before, if both were moves or single drops.
fn action_index(earlier: [Option<Slot>; 2]) -> Option<usize> {
    let [last, before] = earlier;
    let both = (last?.index() * SLOTS + before?.index()) as u64;
    Some(correction_index(both.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

fn correction_index(mixed: u64) -> usize {
    (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 50) as usize % CORRECTIONS
}

/// The usual bonus for a cutoff at this depth.
pub fn bonus(depth: i32) -> i32 {
    (history_bonus() * depth - 60).clamp(40, history_most())
}

#[inline]
fn add(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT).clamp(-LIMIT, LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Wanted;
    use crate::types::{Drop, Square};

    fn after(earlier: [Option<Slot>; 2]) -> Context {
        Context { earlier, scene: Scene::default() }
    }

    /// The sum of what was learned, from all that ever was, without tables.
    fn told(rewards: &[(Short, Context, i32)], position: &Position, short: Short, context: &Context) -> i32 {
        let entry = |times: &dyn Fn(Short, &Context) -> usize| {
            let mut entry = 0;
            for (rewarded, then, bonus) in rewards {
                (0..times(*rewarded, then)).for_each(|_| add(&mut entry, *bonus));
            }
            i32::from(entry)
        };
        let slot = Slot::new(position, short);
        let threats = |context: &Context| {
            short.as_move().map(|mv| [mv.from(), mv.to()].map(|square| context.scene.threats.has(square)))
        };
        let own = entry(&|other, then| usize::from(other == short && threats(then) == threats(context)));
        let like = |other| Slot::new(position, other) == slot;
        let structure =
            entry(&|other, then| usize::from(like(other) && then.scene.structure == context.scene.structure));
        let [last, before] = context.earlier.map(|earlier| {
            let times = |then: &Context| then.earlier.iter().filter(|&&other| other == earlier).count();
            earlier.map_or(0, |_| entry(&|other, then| if like(other) { times(then) } else { 0 }))
        });
        (history_own() * own
            + history_structure() * structure
            + history_last() * last
            + history_before() * before)
            / 64
    }

    #[test]
    fn rows_hold_what_was_learned() {
        let position: Position = "4k3/pppp4/8/8/8/8/PPPP4/RN2K3[QRNqrl] w - - 0 1".parse().unwrap();
        let mut shorts: Vec<Short> = Vec::new();
        position.visit_moves(Wanted::ALL, |targets| {
            shorts.extend(targets.moves().map(Short::from));
            false
        });
        position.visit_single_drops(|kind, squares| {
            shorts.extend(squares.map(|square| Short::from(Drop { kind: kind.kind(), square })));
        });
        let (one, other) = (Slot::new(&position, shorts[0]), Some(Slot::dropped(Kind::Knight, 9)));
        let scenes = [
            Scene::default(),
            Scene { threats: Bitboard(0x0000_0000_00FF_0081), structure: 7 },
            Scene { threats: Bitboard(0x0000_00FF_0000_1102), structure: 7 },
        ];
        let contexts: Vec<Context> = [[one, other], [other, one], [other, None], [None, None]]
            .into_iter()
            .flat_map(|earlier| scenes.map(|scene| Context { earlier, scene }))
            .collect();
        let mut history = History::new();
        let mut rewards = Vec::new();
        for (index, &short) in shorts.iter().cycle().take(3 * shorts.len()).enumerate() {
            let context = contexts[index * 7 % contexts.len()];
            let bonus = index as i32 * 37 % 1900 - 700;
            history.reward(&position, short, &context, bonus);
            rewards.push((short, context, bonus));
        }
        let mut seen = 0;
        for context in &contexts {
            for &short in &shorts {
                let known = history.get(&position, short, context);
                assert_eq!(known, told(&rewards, &position, short, context), "{short:?} {context:?}");
                seen += usize::from(known != 0);
            }
        }
        assert!(seen > 500, "{seen}");
    }

    #[test]
    fn a_played_action_is_rewarded_like_one_about_to_be_played() {
        let position = Position::chess_start();
        let mut shorts: Vec<Short> = Vec::new();
        position.visit_moves(Wanted::ALL, |targets| {
            shorts.extend(targets.moves().map(Short::from));
            false
        });
        let (short, other) = (shorts[0], shorts[1]);
        let context = after([Some(Slot::dropped(Kind::Queen, 60)), None]);
        let mut history = History::new();
        let slot = Slot::new(&position, short).unwrap();
        history.reward_played(position.side(), short, slot, &context, 900);
        let mut same = History::new();
        same.reward(&position, short, &context, 900);
        assert_eq!(history.get(&position, short, &context), same.get(&position, short, &context));
        assert!(
            history.get(&position, short, &context) > history.get(&position, short, &after([None, None]))
        );
        assert_eq!(history.get(&position, other, &context), 0);
    }

    #[test]
    fn a_move_from_danger_is_not_the_same_move_in_peace() {
        let position = Position::chess_start();
        let knight = Move::new(Square::G1, Square::F3).unwrap();
        let peace = after([None, None]);
        let danger =
            Context { scene: Scene { threats: Bitboard::from(knight.from()), structure: 0 }, ..peace };
        let mut history = History::new();
        history.reward(&position, knight.into(), &danger, 900);
        let [before, after] = [&peace, &danger].map(|context| history.get(&position, knight.into(), context));
        assert!(before < after, "{before} {after}");
    }
}
