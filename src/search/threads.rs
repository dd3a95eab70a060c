//! What the threads of one search share beside the transposition table.
//!
//! Every thread searches the whole tree and they meet in the table ("lazy" parallel search). To do different work at the same
//! time, a thread puts a move that another one is searching at the end of its list: T. Kerrigan's simplification ("Simplified
//! ABDADA", 2018) of J.-C. Weill's ABDADA (1996). Proofs don't: a thread that leaves the one move that wins to the other would
//! look at all that don't.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::random::mix;

use super::transposition_table::MoveCode;

/// Slots for moves in search. Of two moves that share a slot only the later one is seen.
const SLOTS: usize = 1 << 12;

/// Moves with at least so many plies to be searched are shared out.
const LEAST_SHARED_DEPTH: i32 = 6;

/// What the threads of a search share.
#[derive(Debug)]
pub(super) struct SharedWork {
    /// Nodes of all threads, to within what each has not counted yet.
    nodes: AtomicU64,
    node_limit: u64,
    pub(super) threads: usize,
    in_search: Box<[AtomicU64]>,
}

/// A move of a position that a thread is searching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveInSearch(u64);

impl MoveInSearch {
    #[inline(always)]
    pub(super) fn new(hash: u64, move_: MoveCode) -> MoveInSearch {
        // Never 0, which stands for no move.
        MoveInSearch((hash ^ mix(move_.raw())) | 1)
    }
}

impl SharedWork {
    pub(super) fn new(threads: usize, node_limit: u64) -> SharedWork {
        let in_search = (0..SLOTS).map(|_| AtomicU64::new(0)).collect();
        SharedWork { nodes: AtomicU64::new(0), node_limit, threads, in_search }
    }

    /// Is a search of so many plies worth sharing?
    #[inline(always)]
    pub(super) fn is_worth_sharing(depth: i32) -> bool {
        depth >= LEAST_SHARED_DEPTH
    }

    /// Nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Counts nodes of a thread. Is the limit of all threads reached?
    pub(super) fn count(&self, nodes: u64) -> bool {
        self.nodes.fetch_add(nodes, Ordering::Relaxed).saturating_add(nodes) >= self.node_limit
    }

    #[inline(always)]
    fn slot(&self, move_: MoveInSearch) -> &AtomicU64 {
        &self.in_search[(move_.0 >> 1) as usize % SLOTS]
    }

    /// Is a thread searching this move?
    #[inline(always)]
    pub(super) fn is_in_search(&self, move_: MoveInSearch) -> bool {
        self.slot(move_).load(Ordering::Relaxed) == move_.0
    }

    /// A thread begins to search this move.
    #[inline(always)]
    pub(super) fn begin(&self, move_: MoveInSearch) {
        self.slot(move_).store(move_.0, Ordering::Relaxed);
    }

    /// The search of this move has ended.
    #[inline(always)]
    pub(super) fn end(&self, move_: MoveInSearch) {
        if self.is_in_search(move_) {
            self.slot(move_).store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_in_search_from_its_beginning_to_its_end() {
        let shared = SharedWork::new(2, 10);
        let [a, b] = [0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321].map(|hash| MoveInSearch::new(hash, MoveCode::NONE));
        assert_ne!(a, b);
        assert!(!shared.is_in_search(a));
        shared.begin(a);
        assert!(shared.is_in_search(a) && !shared.is_in_search(b));
        shared.end(b);
        assert!(shared.is_in_search(a));
        shared.end(a);
        assert!(!shared.is_in_search(a));
    }
}
