//! The transposition table: what earlier searches found, shared by all threads without locks.
//!
//! Two tables of relaxed atomic words. The first holds an entry for each position in two words; the first word is the
//! key xor the second, so an entry torn by two writers fails its test (R. Hyatt, T. Mann, 2002). Its action has sixteen
//! bits, enough for a move or a drop of one piece. The second table holds drop sets of several pieces, for positions
//! whose best action is one.
//!
//! ```text
//!  data  63..48  47..32  31..16  15..8  7..2        1..0
//!        action  score   eval    depth  generation  bound
//! ```

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;
use rayon::prelude::*;
use thiserror::Error;

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

#[derive(Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

// SAFETY: two atomic integers, for which all zero bits are a value.
#[allow(unsafe_code)]
unsafe impl Zeroable for Entry {}

#[repr(align(64))]
#[derive(Default)]
struct Cluster {
    entries: [Entry; ENTRIES],
}

// SAFETY: an array of entries, for which all zero bits are a value.
#[allow(unsafe_code)]
unsafe impl Zeroable for Cluster {}

#[repr(align(32))]
#[derive(Default)]
struct SetEntry {
    check: AtomicU64,
    low: AtomicU64,
    high: AtomicU64,
}

// SAFETY: three atomic integers, for which all zero bits are a value.
#[allow(unsafe_code)]
unsafe impl Zeroable for SetEntry {}

const _: () = assert!(size_of::<Cluster>() == 64 && size_of::<SetEntry>() == 32);

/// What a search has found out about a position.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// The best action; `None` if none is known.
    pub action: Option<Action>,
    /// The value, mates counted from the root.
    pub score: Score,
    /// The static evaluation; `None` if the side was in check.
    pub eval: Option<Score>,
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
    /// The static evaluation; `None` if the side was in check.
    pub eval: Option<Score>,
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
    clusters: Box<[Cluster]>,
    sets: Box<[SetEntry]>,
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
        let bytes = megabytes.checked_mul(1 << 20).ok_or(error)?;
        let sets = bytes / 8 / size_of::<SetEntry>();
        let clusters = (bytes - bytes / 8) / size_of::<Cluster>();
        // Zeroed pages come from the system untouched: a large table costs nothing before it is used.
        let mut clusters = bytemuck::try_zeroed_slice_box(clusters).map_err(|()| error)?;
        let sets = bytemuck::try_zeroed_slice_box(sets).map_err(|()| error)?;
        ask_for_huge_pages(&mut clusters);
        Ok(Self { clusters, sets, generation: 0, salt: 0 })
    }

    /// Forgets everything, on all processors.
    pub fn clear(&mut self) {
        self.clusters.par_iter_mut().with_min_len(1 << 14).for_each(|cluster| *cluster = Cluster::default());
        self.sets.par_iter_mut().with_min_len(1 << 14).for_each(|entry| *entry = SetEntry::default());
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
        let sample = self.clusters.iter().take(250);
        let fresh = |entry: &&Entry| {
            let data = Data(entry.data.load(Relaxed));
            data.0 != 0 && data.generation() == self.generation
        };
        let count = sample.clone().flat_map(|cluster| &cluster.entries).filter(fresh).count();
        (count * 1000 / (sample.count() * ENTRIES).max(1)) as u32
    }

    #[inline]
    fn index(key: u64, length: usize) -> usize {
        // The upper half of a product spreads keys evenly over any length (D. Lemire).
        ((u128::from(key) * length as u128) >> 64) as usize
    }

    /// Asks the processor to fetch what is known about a position with this key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster = &raw const self.clusters[Self::index(key, self.clusters.len())];
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
        let cluster = &self.clusters[Self::index(key, self.clusters.len())];
        let data = cluster.entries.iter().find_map(|entry| {
            let data = entry.data.load(Relaxed);
            (data != 0 && entry.check.load(Relaxed) ^ data == key).then_some(Data(data))
        })?;
        Some(Known {
            hint: Hint(data.action()),
            score: data.score().from_table(ply),
            eval: data.eval(),
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

    fn set(&self, key: u64) -> Option<DropSet> {
        let entry = &self.sets[Self::index(key, self.sets.len())];
        let (low, high) = (entry.low.load(Relaxed), entry.high.load(Relaxed));
        (entry.check.load(Relaxed) ^ low ^ high.rotate_left(1) == key)
            .then(|| DropSet::from_bits(u128::from(high) << 64 | u128::from(low)))
    }

    /// Records what a search found. An entry of the same position or a cheap one gives way.
    pub fn store(&self, position: &Position, ply: usize, found: Finding) {
        let key = self.key(position);
        let cluster = &self.clusters[Self::index(key, self.clusters.len())];
        let mut code = found.action.map_or(0, |action| match action.short(position.side()) {
            Some(short) => short.code(),
            None => SET,
        });
        let mut victim = &cluster.entries[0];
        let mut cheapest = i32::MAX;
        for entry in &cluster.entries {
            let old = Data(entry.data.load(Relaxed));
            if old.0 == 0 || entry.check.load(Relaxed) ^ old.0 == key {
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
        victim.check.store(key ^ data, Relaxed);
        victim.data.store(data, Relaxed);
    }

    fn store_set(&self, key: u64, set: DropSet) {
        let entry = &self.sets[Self::index(key, self.sets.len())];
        let (low, high) = (set.bits() as u64, (set.bits() >> 64) as u64);
        entry.low.store(low, Relaxed);
        entry.high.store(high, Relaxed);
        entry.check.store(key ^ low ^ high.rotate_left(1), Relaxed);
    }
}

/// Asks the system to back this memory with huge pages, so that a probe seldom misses the TLB. It need not comply.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(clusters: &mut [Cluster]) {
    /// The size of a huge page: less than a few of them are not worth asking.
    const HUGE_PAGE: usize = 2 << 20;
    let bytes = size_of_val(clusters);
    let start = clusters.as_mut_ptr().addr();
    let skipped = start.next_multiple_of(HUGE_PAGE) - start;
    if bytes < skipped + 2 * HUGE_PAGE {
        return;
    }
    let whole = (bytes - skipped) / HUGE_PAGE * HUGE_PAGE;
    // SAFETY: the range lies within the slice, and the advice changes how its pages are backed, not what they hold.
    #[allow(unsafe_code)]
    unsafe {
        libc::madvise(clusters.as_mut_ptr().byte_add(skipped).cast(), whole, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: &mut [Cluster]) {}

/// The second word of an entry; see the module.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    const NO_EVAL: i16 = i16::MIN;

    fn new(code: u16, found: Finding, ply: usize, generation: u8) -> Self {
        let bound: u64 = match found.bound {
            Bound::Exact => 3,
            Bound::Lower => 2,
            Bound::Upper => 1,
        };
        let score = found.score.to_table(ply).get() as i16;
        let eval = found.eval.map_or(Self::NO_EVAL, |eval| eval.get() as i16);
        // One is added so that depth 0 and the shallower quiescence stay positive.
        let depth = (found.depth + 1).clamp(0, 255) as u64;
        Self(
            u64::from(code) << 48
                | u64::from(score as u16) << 32
                | u64::from(eval as u16) << 16
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

    fn eval(self) -> Option<Score> {
        let eval = (self.0 >> 16) as i16;
        (eval != Self::NO_EVAL).then(|| Score::cp(i32::from(eval)))
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
