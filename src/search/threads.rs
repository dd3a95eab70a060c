//! What the threads of one search share beside the transposition table.
//!
//! Every thread searches the whole tree and they meet in the table ("lazy" parallel search). So that they don't do the
//! same work at the same time, a thread leaves a move that another one is searching for the end of its list: T. Kerrigan's
//! simplification ("Simplified ABDADA", 2018) of J.-C. Weill's ABDADA (1996). Proofs don't: a thread that leaves the one move that
//! wins to the other would look at all that don't.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::random::mix;

use super::transposition_table::MoveCode;

/// Places for moves in work. Two moves that share a place are told apart, but only the later one is known to be in work.
const PLACES: usize = 1 << 12;

/// The threads of one search.
#[derive(Debug)]
pub(super) struct Threads {
    /// Nodes of all threads, to within what each has not counted yet.
    nodes: AtomicU64,
    node_limit: u64,
    threads: usize,
    in_work: Box<[AtomicU64]>,
}

/// A move that a thread is searching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveInSearch(u64);

impl MoveInSearch {
    /// The search of a move of a position.
    #[inline(always)]
    pub(super) fn new(hash: u64, action: MoveCode) -> MoveInSearch {
        // Never 0, which stands for no work.
        MoveInSearch((hash ^ mix(action.raw())) | 1)
    }
}

impl Threads {
    /// A threads of so many threads that may visit so many nodes.
    pub(super) fn new(threads: usize, node_limit: u64) -> Threads {
        Threads {
            nodes: AtomicU64::new(0),
            node_limit,
            threads,
            in_work: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Nodes that have been counted.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Counts nodes of a thread. Are there as many as there may be?
    pub(super) fn count(&self, nodes: u64) -> bool {
        self.nodes.fetch_add(nodes, Ordering::Relaxed).saturating_add(nodes) >= self.node_limit
    }

    #[inline(always)]
    fn place(&self, work: MoveInSearch) -> Option<&AtomicU64> {
        self.in_work.get((work.0 >> 1) as usize % PLACES)
    }

    /// Is a thread at this work?
    #[inline(always)]
    pub(super) fn is_in_work(&self, work: MoveInSearch) -> bool {
        self.place(work).is_some_and(|place| place.load(Ordering::Relaxed) == work.0)
    }

    /// Says that a thread is at this work.
    #[inline(always)]
    pub(super) fn begin(&self, work: MoveInSearch) {
        if let Some(place) = self.place(work) {
            place.store(work.0, Ordering::Relaxed);
        }
    }

    /// Says that the work is done.
    #[inline(always)]
    pub(super) fn end(&self, work: MoveInSearch) {
        if let Some(place) = self.place(work).filter(|place| place.load(Ordering::Relaxed) == work.0) {
            place.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_known_from_its_beginning_to_its_end() {
        let threads = Threads::new(2, 10);
        let [a, b] = [0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321].map(|hash| MoveInSearch::new(hash, MoveCode::NONE));
        assert_ne!(a, b);
        assert!(!threads.is_in_work(a));
        threads.begin(a);
        assert!(threads.is_in_work(a) && !threads.is_in_work(b));
        threads.end(b);
        assert!(threads.is_in_work(a));
        threads.end(a);
        assert!(!threads.is_in_work(a));
    }
}
