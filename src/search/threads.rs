//! Shared work of the threads of one search, beside the transposition table.
//!
//! Every thread searches the whole tree, and they meet in the table (lazy SMP). To do different work, a thread defers a
//! move that another one is searching: T. Kerrigan's simplification ("Simplified ABDADA", 2018) of J.-C. Weill's ABDADA
//! (1996). Proofs do not defer: a thread that leaves the only winning move to another would search all moves that do
//! not win.

use std::sync::atomic::{AtomicU64, Ordering};

use privy_base::random::mix;

use super::transposition_table::MoveCode;

/// Slots for moves in search. Of two moves that share a slot only the later one is seen.
const IN_SEARCH_SLOTS: usize = 1 << 12;
/// Moves are shared out from this depth on, in plies.
pub(super) const LEAST_SHARED_DEPTH: i32 = 6;

#[derive(Debug)]
pub struct SharedWork {
    /// Nodes of all threads, except those that a thread has not added yet.
    nodes: AtomicU64,
    node_limit: u64,
    pub(super) threads: usize,
    in_search: Box<[AtomicU64]>,
}

/// The key of a move of a position. It is never 0, which marks an empty slot.
#[inline(always)]
pub fn move_key(hash: u64, move_: MoveCode) -> u64 {
    (hash ^ mix(move_.raw())) | 1
}

impl SharedWork {
    pub fn new(threads: usize, node_limit: u64) -> SharedWork {
        let in_search = (0..IN_SEARCH_SLOTS).map(|_| AtomicU64::new(0)).collect();
        SharedWork { nodes: AtomicU64::new(0), node_limit, threads, in_search }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds nodes of a thread. True if all threads together have reached the limit.
    pub(super) fn count(&self, nodes: u64) -> bool {
        self.nodes.fetch_add(nodes, Ordering::Relaxed).saturating_add(nodes) >= self.node_limit
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.in_search[(key >> 1) as usize % IN_SEARCH_SLOTS]
    }

    #[inline(always)]
    pub fn is_in_search(&self, key: u64) -> bool {
        self.slot(key).load(Ordering::Relaxed) == key
    }

    #[inline(always)]
    pub fn begin(&self, key: u64) {
        self.slot(key).store(key, Ordering::Relaxed);
    }

    #[inline(always)]
    pub fn end(&self, key: u64) {
        if self.is_in_search(key) {
            self.slot(key).store(0, Ordering::Relaxed);
        }
    }
}
