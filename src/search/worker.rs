use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;

use super::busy::Busy;
use super::history::{Context, History, Scene, Slot};
use super::pv::PvTable;
use super::relay::Relay;
use super::root::{RootAction, RootList};
use super::sets::Shortlist;
use super::time::Timer;
use super::{Control, Limits, Table};
use crate::eval::Evaluator;
use crate::rules::{Game, Position};
use crate::types::{DropSet, MAX_PLY, Score, Short};

/// How often the clock is looked at, in nodes.
const CLOCK_NODES: u64 = 256;

/// What the workers of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub limits: &'a Limits,
    /// What each worker is at.
    pub busy: Busy,
    /// What iterations have found.
    pub relay: Relay,
    /// Nodes of each worker.
    pub nodes: Vec<Counter>,
    /// The main worker has ended: so should the others.
    pub done: AtomicBool,
}

/// A counter on a cache line of its own, so that workers do not slow each other down.
#[repr(align(64))]
#[derive(Default)]
pub struct Counter(pub AtomicU64);

impl Shared<'_> {
    /// Nodes of all workers together.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

/// What is remembered of one ply of the path being searched.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    /// The static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// Quiet actions that cut off at this ply lately.
    pub killers: [Option<Short>; 2],
    /// Drop sets that did.
    pub killer_sets: [Option<DropSet>; 2],
    /// What was played from here, if it was a move or a single drop.
    pub played: Option<Slot>,
    /// The action that a search for singular ones leaves out.
    pub excluded: Option<Short>,
    /// The action that is tried by a node, if it is quiet; nothing at the root and in quiescence.
    pub quiet: Option<Short>,
    /// What the histories know of the position, once quiet actions are to be tried.
    pub scene: Scene,
    /// The null action was played from here.
    pub null: bool,
}

/// One thread of a search.
pub struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub history: &'a mut History,
    pub timer: Timer,
    pub root: RootList,
    pub evaluator: Evaluator,
    pub pv: PvTable,
    pub frames: Vec<Frame>,
    /// Where drops were good lately, by ply.
    pub shortlists: Vec<Shortlist>,
    /// Keys of the positions before the one being searched, oldest first.
    pub keys: Vec<u64>,
    pub nodes: u64,
    pub seldepth: usize,
    /// The search, or this iteration of it, is being broken off: values are void.
    pub stopped: bool,
    /// There is something to answer, so the search may be broken off.
    pub has_result: bool,
    was_pondering: bool,
    id: usize,
    /// The iteration being searched.
    pub depth: u32,
    /// The root action with the best exact value of the iteration so far.
    pub root_best: Option<RootAction>,
    /// Before this index of `keys` lies a null action: nothing repeats across it.
    pub null_floor: usize,
}

impl<'a> Worker<'a> {
    /// Worker number `id`; number 0 watches the limits.
    pub fn new(
        shared: &'a Shared<'a>,
        history: &'a mut History,
        timer: Timer,
        root: RootList,
        evaluator: Evaluator,
        game: &Game,
        id: usize,
    ) -> Self {
        let mut keys: Vec<u64> = game.repeatable_keys().collect();
        keys.reverse();
        Self {
            shared,
            history,
            timer,
            root,
            evaluator,
            pv: PvTable::new(),
            frames: vec![Frame::default(); MAX_PLY + 4],
            shortlists: vec![Shortlist::default(); MAX_PLY],
            keys,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            has_result: id > 0,
            was_pondering: shared.limits.ponder,
            id,
            depth: 0,
            root_best: None,
            null_floor: 0,
        }
    }

    /// Is this the worker that reports and watches the limits?
    pub fn is_main(&self) -> bool {
        self.id == 0
    }

    /// Is a mate looked for, so that nothing may be left out?
    #[inline]
    pub fn is_thorough(&self) -> bool {
        self.shared.limits.mate.is_some()
    }

    /// Counts a node, and says whether the search is to be broken off.
    #[inline]
    pub fn enter(&mut self, ply: usize) -> bool {
        if self.stopped {
            return true;
        }
        self.pv.clear(ply);
        self.seldepth = self.seldepth.max(ply);
        self.nodes += 1;
        self.shared.nodes[self.id].0.store(self.nodes, Relaxed);
        if self.has_result {
            self.stopped = self.shared.control.is_stopped()
                || self.shared.done.load(Relaxed)
                || self.shared.relay.is_finished(self.depth)
                || self.is_main() && self.limit_reached();
        }
        self.stopped
    }

    fn limit_reached(&mut self) -> bool {
        let look = self.nodes.is_multiple_of(CLOCK_NODES);
        if let Some(limit) = self.shared.limits.nodes
            && (self.shared.nodes.len() == 1 || look)
            && self.shared.total_nodes() >= limit
        {
            return true;
        }
        look && self.time_is_over()
    }

    /// Has the clock run out? While pondering it does not run.
    pub fn time_is_over(&mut self) -> bool {
        if self.shared.control.is_pondering() {
            return false;
        }
        if std::mem::take(&mut self.was_pondering) {
            self.timer.restart();
        }
        self.timer.is_over()
    }

    /// The value of a position that is drawn by the rules or by coming back, or lost on the hundredth action.
    #[inline]
    pub fn drawn(&self, position: &Position, ply: usize) -> Option<Score> {
        if position.halfmove_clock() >= 100 {
            let mated = position.is_checkmate();
            return Some(if mated { Score::mated_in(ply) } else { Score::DRAW });
        }
        (self.repeats(position, ply) || position.is_dead()).then_some(Score::DRAW)
    }

    /// Has the position stood before: once since the root, or twice before it?
    #[inline]
    fn repeats(&self, position: &Position, ply: usize) -> bool {
        let reversible = usize::from(position.halfmove_clock()).min(self.keys.len() - self.null_floor);
        let mut seen = 0;
        for back in (4..=reversible).step_by(2) {
            if self.keys[self.keys.len() - back] == position.key() {
                seen += if back <= ply { 2 } else { 1 };
                if seen >= 2 {
                    return true;
                }
            }
        }
        false
    }

    /// What was played one and two plies before this one.
    #[inline]
    pub fn earlier(&self, ply: usize) -> [Option<Slot>; 2] {
        let at = |back: usize| ply.checked_sub(back).and_then(|ply| self.frames[ply].played);
        [at(1), at(2)]
    }

    /// What the histories look at besides an action.
    #[inline]
    pub fn context(&self, ply: usize) -> Context {
        Context { earlier: self.earlier(ply), scene: self.frames[ply].scene }
    }
}

/// Remembers what cut off at a ply: it comes first, and what was first comes second.
pub fn add_killer<T: Copy + PartialEq>(killers: &mut [Option<T>; 2], killer: T) {
    if killers[0] != Some(killer) {
        killers[1] = killers[0];
        killers[0] = Some(killer);
    }
}

/// Shorts tried at a node without success.
pub type Tried = ArrayVec<Short, 64>;
