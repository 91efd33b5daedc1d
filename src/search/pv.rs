use arrayvec::ArrayVec;

use crate::types::{Action, MAX_PLY};

/// The best lines from each ply of the path being searched.
pub struct PvTable {
    lines: Vec<ArrayVec<Action, MAX_PLY>>,
}

impl PvTable {
    /// Empty lines for every ply.
    pub fn new() -> Self {
        Self { lines: vec![ArrayVec::new(); MAX_PLY + 2] }
    }

    /// Forgets the line from this ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The line from this ply is this action and the line from the next.
    pub fn update(&mut self, ply: usize, action: Action) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(action);
        line.extend(below[0].iter().copied().take(MAX_PLY - 1));
    }

    /// The line from this ply.
    pub fn line(&self, ply: usize) -> &[Action] {
        &self.lines[ply]
    }
}
