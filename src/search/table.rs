//! The transposition table: what earlier searches found, shared by all threads without locks.
//!
//! Two tables of relaxed atomic words. The first holds an entry for each position in two words; the first word is the
//! key xor the second, so an entry torn by two writers fails its test (R. Hyatt, T. Mann, 2002). Its action has sixteen
//! bits, enough for a move or a drop of one piece. The second table holds drop sets of several pieces, for positions
//! whose best action is one.
//!
//! ```text
//!  data  63..48  47..32  31..16  15..8  7..2        1..0
//!        action  score   -       depth  generation  bound
//! ```

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use thiserror::Error;

use super::memory::{CacheLine, CacheLines};
use super::report::Bound;
use crate::rules::Position;
use crate::types::{Action, DropSet, Score, Short};

const ENTRIES: usize = 4;
const GENERATIONS: u8 = 64;
/// The action code that says: look in the table of sets. No [`Short`] has it.
const SET: u16 = 0xF000;

/// The table could not be had in the size asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not enough memory for a hash of {0} MB")]
pub struct TableError(pub usize);

/// The words of an entry: its test, and what it says ([`Data`]).
type Entry = [AtomicU64; 2];

/// The words of an entry of the second table: its test, the set in two halves, and one to spare.
type SetEntry = [AtomicU64; 4];

const _: () = assert!(size_of::<[Entry; ENTRIES]>() == size_of::<CacheLine>());

/// What a search has found out about a position.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// The best action; `None` if none is known.
    pub action: Option<Action>,
    /// The value, mates counted from the root.
    pub score: Score,
    /// The depth that was searched.
    pub depth: i32,
    /// What the value says.
    pub bound: Bound,
}

/// An action as the table holds it: [`Table::action`] makes sure that it is legal.
#[derive(Clone, Copy, Debug)]
pub struct Hint(u16);

/// What the table knows about a position.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The best action.
    pub hint: Hint,
    /// The value, mates counted from the root.
    pub score: Score,
    /// The depth that was searched.
    pub depth: i32,
    /// What the value says.
    pub bound: Bound,
}

impl Known {
    /// The evaluation, or the value if that says that the evaluation is too low or too high.
    pub fn refine(&self, eval: Score) -> Score {
        let better = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > eval,
            Bound::Upper => self.score < eval,
        };
        if better && self.score.get().abs() < Score::MAX_EVAL.get() { self.score } else { eval }
    }
}

/// The transposition table.
pub struct Table {
    clusters: CacheLines,
    sets: CacheLines,
    generation: u8,
    /// Part of every key: searches that may not learn from each other have different ones.
    salt: u64,
}

/// The salt of searches for a mate.
const THOROUGH: u64 = 0x9E6C_63D0_876A_9A75;

impl Table {
    /// The smallest size, in MB.
    pub const MIN_MB: usize = 1;
    /// The largest size, in MB.
    pub const MAX_MB: usize = 65_536;

    /// A table of this many megabytes (2^20 bytes); an eighth of it is for drop sets.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        let error = TableError(megabytes);
        let lines = megabytes.checked_mul(1 << 20).ok_or(error)? / size_of::<CacheLine>();
        let sets = lines / 8;
        let clusters = CacheLines::new(lines - sets).ok_or(error)?;
        let sets = CacheLines::new(sets).ok_or(error)?;
        Ok(Self { clusters, sets, generation: 0, salt: 0 })
    }

    /// Forgets everything, on all processors.
    pub fn clear(&mut self) {
        self.clusters.clear();
        self.sets.clear();
        self.generation = 0;
    }

    /// A new search begins: what is there becomes older.
    ///
    /// A thorough search, which may leave nothing out, sees only what other thorough searches found: a bound from a search
    /// that prunes can hide a mate, however deep it is.
    pub fn begin(&mut self, thorough: bool) {
        self.generation = (self.generation + 1) % GENERATIONS;
        self.salt = if thorough { THOROUGH } else { 0 };
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        position.key() ^ self.salt
    }

    /// How full the table is with entries of this search, in thousandths.
    pub fn permille(&self) -> u32 {
        let sample = self.clusters.all().iter().take(250);
        let fresh = |[_, data]: &&Entry| {
            let data = Data(data.load(Relaxed));
            data.0 != 0 && data.generation() == self.generation
        };
        let count = sample.clone().flat_map(entries).filter(fresh).count();
        (count * 1000 / (sample.count() * ENTRIES).max(1)) as u32
    }

    #[inline]
    fn cluster(&self, key: u64) -> &CacheLine {
        &self.clusters.all()[index(key, self.clusters.len())]
    }

    /// Asks the processor to fetch what is known about a position with this key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const CacheLine = self.cluster(key);
            // SAFETY: a prefetch reads nothing, and the address is that of an element.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(cluster.cast());
            }
        }
    }

    /// What is known about a position.
    #[inline]
    pub fn probe(&self, position: &Position, ply: usize) -> Option<Known> {
        let key = self.key(position);
        let data = entries(self.cluster(key)).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (data != 0 && check.load(Relaxed) ^ data == key).then_some(Data(data))
        })?;
        Some(Known {
            hint: Hint(data.action()),
            score: data.score().from_table(ply),
            depth: data.depth(),
            bound: data.bound()?,
        })
    }

    /// The action of a hint about this position, if there is one and it is legal here.
    pub fn action(&self, Hint(code): Hint, position: &Position) -> Option<Action> {
        if code == SET {
            return self.set(self.key(position)).filter(|&set| position.is_legal_set(set)).map(Action::Drops);
        }
        let short = Short::from_code(code)?;
        position.is_legal_short(short).then(|| short.action())
    }

    #[inline]
    fn set_entry(&self, key: u64) -> &SetEntry {
        let (entries, _) = self.sets.all().as_flattened().as_chunks();
        &entries[index(key, entries.len())]
    }

    fn set(&self, key: u64) -> Option<DropSet> {
        let [check, low, high, _] = self.set_entry(key);
        let (low, high) = (low.load(Relaxed), high.load(Relaxed));
        (check.load(Relaxed) ^ low ^ high.rotate_left(1) == key)
            .then(|| DropSet::from_bits(u128::from(high) << 64 | u128::from(low)))
    }

    /// Records what a search found. An entry of the same position or a cheap one gives way.
    pub fn store(&self, position: &Position, ply: usize, found: Finding) {
        let key = self.key(position);
        let cluster = entries(self.cluster(key));
        let mut code = found.action.map_or(0, |action| match action.short(position.side()) {
            Some(short) => short.code(),
            None => SET,
        });
        let mut victim = &cluster[0];
        let mut cheapest = i32::MAX;
        for entry in cluster {
            let [check, data] = entry;
            let old = Data(data.load(Relaxed));
            if old.0 == 0 || check.load(Relaxed) ^ old.0 == key {
                if old.0 != 0 {
                    let older = old.generation() != self.generation;
                    if code == 0 {
                        code = old.action();
                    }
                    // A much deeper result of the same search is worth more than a shallow bound.
                    if found.bound != Bound::Exact && !older && old.depth() > found.depth + 4 {
                        return;
                    }
                }
                victim = entry;
                break;
            }
            let age = (self.generation + GENERATIONS - old.generation()) % GENERATIONS;
            let worth = old.depth() - 8 * i32::from(age);
            if worth < cheapest {
                (cheapest, victim) = (worth, entry);
            }
        }
        if let Some(Action::Drops(set)) = found.action
            && code == SET
        {
            self.store_set(key, set);
        }
        let data = Data::new(code, found, ply, self.generation).0;
        victim[0].store(key ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }

    fn store_set(&self, key: u64, set: DropSet) {
        let entry = self.set_entry(key);
        let (low, high) = (set.bits() as u64, (set.bits() >> 64) as u64);
        entry[0].store(key ^ low ^ high.rotate_left(1), Relaxed);
        entry[1].store(low, Relaxed);
        entry[2].store(high, Relaxed);
    }
}

/// The place of a key among so many.
#[inline]
fn index(key: u64, length: usize) -> usize {
    // The upper half of a product spreads keys evenly over any length (D. Lemire).
    ((u128::from(key) * length as u128) >> 64) as usize
}

/// The entries of a cluster.
#[inline]
fn entries(cluster: &CacheLine) -> &[Entry] {
    cluster.as_chunks().0
}

/// The second word of an entry; see the module.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    fn new(code: u16, found: Finding, ply: usize, generation: u8) -> Self {
        let bound: u64 = match found.bound {
            Bound::Exact => 3,
            Bound::Lower => 2,
            Bound::Upper => 1,
        };
        let score = found.score.to_table(ply).get() as i16;
        // One is added so that depth 0, quiescence, is not the same as no entry.
        let depth = (found.depth + 1).clamp(0, 255) as u64;
        Self(
            u64::from(code) << 48
                | u64::from(score as u16) << 32
                | depth << 8
                | u64::from(generation) << 2
                | bound,
        )
    }

    fn action(self) -> u16 {
        (self.0 >> 48) as u16
    }

    fn score(self) -> Score {
        Score::cp(i32::from((self.0 >> 32) as i16))
    }

    fn depth(self) -> i32 {
        (self.0 >> 8 & 255) as i32 - 1
    }

    fn generation(self) -> u8 {
        (self.0 >> 2 & 63) as u8
    }

    fn bound(self) -> Option<Bound> {
        match self.0 & 3 {
            3 => Some(Bound::Exact),
            2 => Some(Bound::Lower),
            1 => Some(Bound::Upper),
            _ => None,
        }
    }
}
