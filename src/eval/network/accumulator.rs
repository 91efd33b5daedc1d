//! Hidden values kept up to date along the line being searched.

use std::sync::Arc;

use super::drops::DropValues;
use super::features::{Fact, Facts, Snapshot, View};
use super::kernel;
use super::weights::{Lanes, Network};
use crate::rules::Position;
use crate::types::{Color, Drop, MAX_PLY};

/// With so few changes it is not worth asking whether to begin anew would be shorter.
const FEW: usize = 6;

/// The hidden values of both sides, with the state that they belong to.
#[derive(Clone)]
pub(super) struct Entry {
    hidden: [Lanes; 2],
    views: [View; 2],
    snapshot: Snapshot,
}

impl Entry {
    /// The hidden values of nothing.
    pub fn empty(network: &Network) -> Self {
        let snapshot = Snapshot::EMPTY;
        Self { hidden: [network.bias; 2], views: Color::ALL.map(|color| snapshot.view(color)), snapshot }
    }

    /// Makes it the entry of another state, whose values [`Entry::update`] brings.
    #[inline]
    pub fn set_snapshot(&mut self, snapshot: Snapshot) {
        self.snapshot = snapshot;
    }

    /// Brings the values to the snapshot, starting from those of another entry.
    ///
    /// Any state may be the start: the difference is right, though longer the less they have in common. A side begins
    /// anew when it sees the board another way than before, or when that is shorter.
    #[inline]
    pub fn update(&mut self, from: &Self, network: &Network) {
        let now = &self.snapshot;
        let (mut gained, mut lost) = (Facts::new(), Facts::new());
        now.compare(&from.snapshot, &mut gained, &mut lost);
        let changes = gained.len() + lost.len();
        let longer = changes > FEW && changes > now.size();
        for color in Color::ALL {
            let view = now.view(color);
            let facts;
            let (start, gained, lost): (_, &[Fact], &[Fact]) = if longer || view != from.views[color as usize]
            {
                facts = now.facts();
                (&network.bias, &facts, &[])
            } else {
                (&from.hidden[color as usize], &gained, &lost)
            };
            let hidden = &mut self.hidden[color as usize];
            kernel::update(&network.columns, start, hidden, view.features(gained), view.features(lost));
            self.views[color as usize] = view;
        }
    }

    /// Makes it the entry after a drop of a side, which must hold the piece; the square must be empty.
    #[inline]
    pub fn add_drop(&mut self, us: Color, drop: Drop, network: &Network) {
        let changes = self.snapshot.drop_facts(us, drop);
        let snapshot = self.snapshot.after_drop(us, drop);
        let Some((gained, lost)) = changes else {
            let before = self.clone();
            self.set_snapshot(snapshot);
            return self.update(&before, network);
        };
        self.snapshot = snapshot;
        for (hidden, view) in self.hidden.iter_mut().zip(self.views) {
            let [gained, lost] = [gained, lost].map(|fact| network.column(view.feature(fact)));
            kernel::exchange(hidden, gained, lost);
        }
    }

    /// The state that the values belong to.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The value in centipawns for a side.
    #[inline]
    pub fn value(&self, side: Color, network: &Network) -> i32 {
        network.value(&self.hidden, side, self.snapshot.output())
    }

    /// The value in centipawns for a side when a drop has brought one fact and taken another.
    #[inline]
    pub fn value_after_drop(&self, gained: Fact, lost: Fact, side: Color, network: &Network) -> i32 {
        let changes = self.views.map(|view| (view.feature(gained), view.feature(lost)));
        network.changed_value(&self.hidden, changes, side, self.snapshot.output_after_drop())
    }
}

/// Values positions with a network, quickly if one comes after another on a line of play. One for each thread of a
/// search.
#[derive(Clone)]
pub struct Evaluator {
    network: Arc<Network>,
    /// What was last evaluated at each ply.
    entries: Vec<Entry>,
}

impl Evaluator {
    /// An evaluator that uses this network.
    pub fn new(network: Arc<Network>) -> Self {
        let entries = vec![Entry::empty(&network); MAX_PLY + 1];
        Self { network, entries }
    }

    /// The value of a position at a ply of the search, in centipawns for the side to act; not limited to the range of
    /// evaluations.
    ///
    /// Starts from what was last evaluated a ply before. That should be the position before; any other gives the same
    /// value more slowly.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let entry = self.bring_to(position, ply);
        self.entries[entry].value(position.side(), &self.network)
    }

    /// Values drops of the side to act at a ply of the search.
    pub fn drop_values(&mut self, position: &Position, ply: usize) -> DropValues<'_> {
        let entry = self.bring_to(position, ply);
        DropValues::new(&self.network, self.entries[entry].clone(), position.side())
    }

    /// Brings the entry of a ply to a position; gives its index.
    #[inline]
    fn bring_to(&mut self, position: &Position, ply: usize) -> usize {
        // The first entry holds nothing and is what the root starts from.
        let (before, after) = self.entries.split_at_mut(ply + 1);
        if let (Some(before), Some(entry)) = (before.last(), after.first_mut()) {
            entry.set_snapshot(Snapshot::of(position));
            entry.update(before, &self.network);
        }
        ply + 1
    }
}

/// The value of a position in centipawns for the side to act, from scratch.
pub fn evaluate_fresh(network: &Network, position: &Position) -> i32 {
    let nothing = Entry::empty(network);
    let mut entry = nothing.clone();
    entry.set_snapshot(Snapshot::of(position));
    entry.update(&nothing, network);
    entry.value(position.side(), network)
}
