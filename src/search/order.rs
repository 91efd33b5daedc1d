//! The order in which a node tries its moves and single drops, handed out one by one.
//!
//! The hash action; captures and promotions that do not lose material; killers; quiet moves and single drops together,
//! by history, moves that give check ahead of others; captures that lose material. Drop sets come after all of these,
//! from the node itself.

use arrayvec::ArrayVec;

use super::exchange::{self, material};
use super::history::{Context, History};
use super::parameters::{capture_history, check_bonus, check_loss, drop_penalty};
use super::table::Table;
use crate::rules::{Position, Wanted};
use crate::types::{Drop, Kind, Move, Short};

/// The most moves and single drops a position can have: 218 of chess, and seven kinds on 32 squares.
const MAX_SHORTS: usize = 218 + 224;

/// An action with its score in one number, so that the best of many is simply the largest: the score, the action, and its
/// place in the list.
#[derive(Clone, Copy)]
struct Scored(i64);

impl Scored {
    #[inline]
    fn new(short: Short, score: i32, place: usize) -> Self {
        Self(i64::from(score) << 32 | i64::from(short.code()) << 16 | place as i64)
    }

    #[inline]
    fn short(self) -> Option<Short> {
        Short::from_code((self.0 >> 16) as u16)
    }

    #[inline]
    fn place(self) -> usize {
        usize::from(self.0 as u16)
    }

    #[inline]
    fn at(self, place: usize) -> Self {
        Self(self.0 & !0xFFFF | place as i64)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Hash,
    MakeNoisy,
    Noisy,
    Killers,
    MakeQuiet,
    Quiet,
    LosingNoisy,
    Done,
}

/// Hands out the moves and single drops of a node, best first as far as is known.
pub struct Picker {
    stage: Stage,
    hash: Option<Short>,
    killers: [Option<Short>; 2],
    next_killer: usize,
    list: ArrayVec<Scored, MAX_SHORTS>,
    losing: ArrayVec<Short, 64>,
    next: usize,
    /// The best of those left in the list.
    ahead: Option<Scored>,
    noisy_only: bool,
}

impl Picker {
    /// Everything, the hash action first.
    pub fn new(hash: Option<Short>, killers: [Option<Short>; 2]) -> Self {
        let stage = if hash.is_some() { Stage::Hash } else { Stage::MakeNoisy };
        Self {
            stage,
            hash,
            killers,
            next_killer: 0,
            list: ArrayVec::new(),
            losing: ArrayVec::new(),
            next: 0,
            ahead: None,
            noisy_only: false,
        }
    }

    /// Only captures and promotions that do not lose material.
    pub fn noisy(hash: Option<Short>) -> Self {
        Self { noisy_only: true, ..Self::new(hash, [None; 2]) }
    }

    /// Are those captures being handed out that lose material?
    pub fn is_losing(&self) -> bool {
        self.stage == Stage::LosingNoisy
    }

    /// No more quiet moves and drops, please.
    pub fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::Killers | Stage::MakeQuiet | Stage::Quiet) {
            self.stage = Stage::LosingNoisy;
            self.next = 0;
        }
    }

    /// The next action, and whether it is quiet. The table is asked early for what it knows of the position after it.
    pub fn next(
        &mut self,
        position: &Position,
        history: &History,
        context: &Context,
        table: &Table,
    ) -> Option<(Short, bool)> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::MakeNoisy;
                    if let Some(short) = self.hash {
                        return Some((short, is_quiet(position, short)));
                    }
                }
                Stage::MakeNoisy => {
                    self.make_noisy(position, history);
                    self.look_ahead(position, table);
                    self.stage = Stage::Noisy;
                }
                Stage::Noisy => match self.best(position, table) {
                    Some(short) if Some(short) == self.hash => {}
                    Some(short)
                        if short.as_move().is_some_and(|mv| exchange::wins_at_least(position, mv, 0)) =>
                    {
                        return Some((short, false));
                    }
                    Some(short) => {
                        let _ = self.losing.try_push(short);
                    }
                    None if self.noisy_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => match self.killers.get(self.next_killer) {
                    Some(&killer) => {
                        self.next_killer += 1;
                        let usable = killer.filter(|&short| {
                            Some(short) != self.hash
                                && is_quiet(position, short)
                                && position.is_legal_short(short)
                        });
                        match usable {
                            Some(short) => {
                                table.prefetch(position.key_soon(short));
                                return Some((short, true));
                            }
                            // Not offered here, so the quiet stage may offer it.
                            None => self.killers[self.next_killer - 1] = None,
                        }
                    }
                    None => self.stage = Stage::MakeQuiet,
                },
                Stage::MakeQuiet => {
                    self.make_quiet(position, history, context);
                    self.look_ahead(position, table);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best(position, table) {
                    Some(short) if Some(short) == self.hash || self.killers.contains(&Some(short)) => {}
                    Some(short) => return Some((short, true)),
                    None => {
                        self.stage = Stage::LosingNoisy;
                        self.next = 0;
                    }
                },
                Stage::LosingNoisy => match self.losing.get(self.next) {
                    Some(&short) => {
                        self.next += 1;
                        table.prefetch(position.key_soon(short));
                        return Some((short, false));
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Takes the best of those left in the list, and looks ahead to the next.
    #[inline]
    fn best(&mut self, position: &Position, table: &Table) -> Option<Short> {
        let best = self.ahead?;
        let first = *self.list.get(self.next)?;
        self.list[best.place()] = first.at(best.place());
        self.next += 1;
        self.look_ahead(position, table);
        best.short()
    }

    /// Finds the best of those left in the list. It takes the table longer to answer than one action to be played, so it
    /// is asked while the action before is searched.
    #[inline]
    fn look_ahead(&mut self, position: &Position, table: &Table) {
        let rest = self.list.get(self.next..).unwrap_or_default();
        // Written so that it becomes a few vector instructions.
        let best = rest.iter().fold(i64::MIN, |best, scored| best.max(scored.0));
        self.ahead = (!rest.is_empty()).then_some(Scored(best));
        if let Some(short) = self.ahead.and_then(Scored::short) {
            table.prefetch(position.key_soon(short));
        }
    }

    fn make_noisy(&mut self, position: &Position, history: &History) {
        self.list.clear();
        self.next = 0;
        position.visit_moves(position.noisy(), |targets| {
            for mv in targets.moves() {
                let score = noisy_score(position, mv, targets.kind)
                    + history.capture(position, mv) * capture_history() / 800;
                let _ = self.list.try_push(Scored::new(mv.into(), score, self.list.len()));
            }
            false
        });
    }

    fn make_quiet(&mut self, position: &Position, history: &History, context: &Context) {
        self.list.clear();
        self.next = 0;
        let quiet: Wanted = position.quiet();
        position.visit_moves(quiet, |targets| {
            let checks = position.checking_squares(targets.kind);
            let row = history.move_row(position.side(), targets.kind, targets.from, context);
            for mv in targets.moves() {
                let mut score = row.get(mv.to());
                if checks.has(mv.to()) && exchange::wins_at_least(position, mv, -check_loss()) {
                    score += check_bonus();
                }
                let _ = self.list.try_push(Scored::new(mv.into(), score, self.list.len()));
            }
            false
        });
        position.visit_single_drops(|kind, squares| {
            let kind = kind.kind();
            let row = history.drop_row(position.side(), kind, context);
            for square in squares {
                let score = row.get(square) - drop_penalty();
                let short = Short::from(Drop { kind, square });
                let _ = self.list.try_push(Scored::new(short, score, self.list.len()));
            }
        });
    }
}

/// Neither a capture nor a promotion?
#[inline]
pub fn is_quiet(position: &Position, short: Short) -> bool {
    match short.as_move() {
        None => true,
        Some(mv) => {
            let capture = position.kind_at(mv.to()).is_some()
                || position.en_passant() == Some(mv.to()) && position.kind_at(mv.from()) == Some(Kind::Pawn);
            !capture && mv.promotion().is_none()
        }
    }
}

/// Most valuable victim first, least valuable attacker; queen promotions like a queen won.
fn noisy_score(position: &Position, mv: Move, attacker: Kind) -> i32 {
    let victim = position.kind_at(mv.to()).map_or(100, material);
    let promotion = match mv.promotion() {
        Some(Kind::Queen) => 900,
        Some(_) => -500,
        None => 0,
    };
    16 * (victim + promotion) - material(attacker).min(1200)
}
