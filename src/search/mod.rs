//! The searcher: alpha-beta over actions. One action is one ply, whatever its size.
//!
//! From the outside: [`Searcher`] holds what lasts between searches (the transposition table, the histories of each
//! thread), [`Limits`] say when to end, a [`Control`] reaches into a running search, [`Report`]s come out of it.
//!
//! Inside, the way of a search: `threads` starts one worker a thread; `iterate` deepens, `root` searches the actions of
//! the position itself, `node` those of every position below until its depth is used up (its steps are numbered; `prune`,
//! `reduce`, `singular` and `mate` hold some of them), `quiesce` plays out captures.
//! `busy` keeps threads from doing the same work at the same time, `relay` from doing what has been done.
//! `order` hands out a node's actions one by one, `sets` grows drop sets from the best single drops.

mod busy;
mod control;
mod exchange;
mod history;
mod iterate;
mod limits;
mod mate;
mod memory;
mod node;
mod order;
pub mod parameters;
mod prune;
mod pv;
mod quiesce;
mod reduce;
mod relay;
mod report;
mod root;
mod sets;
mod singular;
mod strength;
mod table;
mod threads;
mod time;
mod worker;

pub use control::Control;
pub use limits::{Clock, Limits};
pub use mate::{Effort, mate_in_one};
pub use node::action_is_quiet;
pub use report::{Bound, Report};
pub use table::{Table, TableError};
pub use threads::{STACK_BYTES, SearchResult, Searcher};
