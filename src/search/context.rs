//! What the threads of a search share or borrow for it, and what ends it.

use crate::rules::{CompiledRules, Move, Position};

use super::limits::{Stop, TimeManager};
use super::proof::bounds::Bounds;
use super::tablebase_probing::TablebaseProbing;
use super::threads::Threads;
use super::transposition_table::TranspositionTable;
use crate::eval::Evaluation;

/// The clock is read once in so many nodes, which take a fraction of a millisecond.
pub(super) const NODES_PER_LOOK: u64 = 1024;

/// Threads leave to each other the moves that have at least so many plies to be searched.
const LEAST_SHARED_DEPTH: i32 = 6;

/// What the worker shares with others or borrows for a search.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) rules: &'a CompiledRules,
    pub(super) evaluation: &'a Evaluation,
    pub(super) bounds: &'a Bounds,
    /// Exact values of positions on the way; none where a limit of plies or the history of the game may change them.
    pub(super) leaves: TablebaseProbing<'a>,
    pub(super) table: &'a TranspositionTable,
    pub(super) stop: &'a Stop,
    pub(super) clock: TimeManager,
    pub(super) node_limit: u64,
    /// Sets apart what must not mix in the table.
    pub(super) salt: u64,
    /// Positions that have occurred twice in the game: a third time is a draw.
    pub(super) repeated: &'a [u64],
    /// Plies until the limit makes the game a draw, where the search may come so far.
    pub(super) plies_left: Option<usize>,
    /// The threads of the search, where there are several.
    pub(super) threads: Option<&'a Threads>,
}

impl<'a> Context<'a> {
    /// Has a limit or the outside world ended the search? Every thread calls it once in [`NODES_PER_LOOK`] nodes.
    pub(super) fn look_around(&self) -> bool {
        self.stop.is_set() || self.clock.is_over() || self.threads.is_some_and(|threads| threads.count(NODES_PER_LOOK))
    }

    /// Begins to bring here what the table keeps of the position after an action.
    #[inline(always)]
    pub(super) fn fetch_after(&self, node: &Position, action: &Move) {
        self.table.fetch(self.rules.play_unchecked(node, action).0.hash());
    }

    /// The threads, where work of so many plies is worth sharing.
    #[inline(always)]
    pub(super) fn sharing(&self, plies: i32) -> Option<&'a Threads> {
        self.threads.filter(|_| plies >= LEAST_SHARED_DEPTH)
    }
}
