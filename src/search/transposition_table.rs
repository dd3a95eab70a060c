//! The transposition table: results of alpha-beta and of proofs, by position.
//!
//! Threads share it without locks. Bits of an entry, from the lowest: 16 of the value or of the proved plies, 16 of the
//! best move, 8 of the depth, 2 of the bound, and the 16 highest of the generation.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;
use privy_protocol::Bound;

use crate::eval::Value;
use privy_base::random::mix;
use privy_base::{huge_pages, memory};
use privy_rules::{Move, MoveKind};

/// Enough of a move to find it among the legal ones; jump chains with the same ends share a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveCode(pub u16);

impl MoveCode {
    pub const NONE: MoveCode = MoveCode(0xffff);

    #[inline(always)]
    pub(super) fn of(move_: &Move) -> MoveCode {
        let kind = match move_.kind {
            MoveKind::Walk | MoveKind::Leap | MoveKind::Drop | MoveKind::Pass => 0,
            MoveKind::Jump => 1,
            MoveKind::Static => 2,
            MoveKind::FreeJump => 3,
        };
        // A static intervention stays on its point, so the second field can hold a point of the pair.
        let to = if move_.kind == MoveKind::Static { move_.captured.first().unwrap_or(move_.to) } else { move_.to };
        MoveCode((move_.from.index() | to.index() << 6) as u16 | kind << 12)
    }

    #[inline(always)]
    pub(super) fn raw(self) -> u64 {
        u64::from(self.0)
    }

    #[inline(always)]
    fn of_data(data: u64) -> MoveCode {
        MoveCode((data >> 16) as u16)
    }
}

const LOWER: u64 = 1;
const UPPER: u64 = 2;
const EXACT: u64 = 3;

/// Packs an entry without its generation.
#[inline(always)]
fn pack(known: u16, best: MoveCode, depth: i32, bound: u64) -> u64 {
    u64::from(known) | best.raw() << 16 | (depth.clamp(0, 255) as u64) << 32 | bound << 40
}

#[inline(always)]
fn depth_of(data: u64) -> i32 {
    (data >> 32 & 0xff) as i32
}

/// A result of alpha-beta.
#[derive(Debug, Clone, Copy)]
pub struct SearchEntry {
    /// A win or loss is counted from the position, not from the root.
    pub value: Value,
    /// `None` if the value is exact.
    pub bound: Option<Bound>,
    pub depth: i32,
    pub best: MoveCode,
}

impl SearchEntry {
    #[inline(always)]
    fn unpack(data: u64) -> SearchEntry {
        let bound = match data >> 40 & 3 {
            LOWER => Some(Bound::Lower),
            UPPER => Some(Bound::Upper),
            _ => None,
        };
        let value = Value::from_raw(data as u16 as i16);
        SearchEntry { value, bound, depth: depth_of(data), best: MoveCode::of_data(data) }
    }

    /// Returns the value for a window and depth at a ply, if the entry decides it.
    #[inline(always)]
    pub(super) fn cutoff(&self, alpha: Value, beta: Value, depth: i32, ply: usize) -> Option<Value> {
        let value = self.value.at_root(ply);
        // A bound that is a win or loss holds at any depth.
        let (is_enough, is_decided) = match self.bound {
            None => (true, false),
            Some(Bound::Lower) => (value >= beta, value.is_win()),
            Some(Bound::Upper) => (value <= alpha, value.is_loss()),
        };
        (is_enough && (self.depth >= depth || is_decided)).then_some(value)
    }
}

/// The proved facts of a position, for one side as the winner.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProofEntry {
    /// The winner has a forced win within this number of plies; 255 without a proof.
    proved: u8,
    /// The winner has no forced win within this number of plies.
    refuted: u8,
    /// The move that proved or refuted it.
    pub(super) best: MoveCode,
}

impl ProofEntry {
    pub(super) const UNKNOWN: ProofEntry = ProofEntry { proved: u8::MAX, refuted: 0, best: MoveCode::NONE };

    /// True if the winner has a forced win within this number of plies; `None` if unknown.
    #[inline(always)]
    pub(super) fn wins_within(&self, plies: usize) -> Option<bool> {
        if usize::from(self.proved) <= plies {
            return Some(true);
        }
        (usize::from(self.refuted) >= plies).then_some(false)
    }

    pub(super) fn set(&mut self, is_won: bool, plies: usize) {
        *(if is_won { &mut self.proved } else { &mut self.refuted }) = plies.min(254) as u8;
    }
}

/// A packed entry and its check: the key xor the entry, so that a slot torn by two writers matches neither key (R.
/// Hyatt, T. Mann, 2002). Aligned to its own size, so that a cluster can begin at a cache line.
#[derive(Debug, Default, Zeroable)]
#[repr(align(16))]
pub struct Slot {
    pub check: AtomicU64,
    pub data: AtomicU64,
}

impl Slot {
    #[inline(always)]
    pub fn data(&self) -> u64 {
        self.data.load(Relaxed)
    }

    /// True if `data`, read from this slot, was stored with this key.
    #[inline(always)]
    pub fn holds(&self, key: u64, data: u64) -> bool {
        self.check.load(Relaxed) ^ data == key
    }

    #[inline(always)]
    pub fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// Slots of a cluster, which fill a cache line.
pub const CLUSTER_SLOTS: usize = 4;

/// The least part of the table that a search uses, in clusters: 4 MiB.
const LEAST_CLUSTERS: u64 = 1 << 16;

/// Slots in huge pages: 256 MiB, the default size. The first touch of a huge page takes as long as a thousand nodes and
/// more, so that a search in a larger part would at first do little else.
const HUGE_SLOTS: usize = (256 << 20) / size_of::<Slot>();

/// The clusters for this number of nodes: a slot for each. A tenth to a fifth of the nodes store an entry, so that few
/// clusters are full.
fn clusters_for(nodes: u64) -> u64 {
    (nodes / CLUSTER_SLOTS as u64).clamp(LEAST_CLUSTERS, 1 << 40).next_power_of_two()
}

/// The table. The system gives its memory page by page, when a search touches it. So a search uses a part of it that it
/// cannot fill: in all of a large table a short one would do little else than to touch new pages.
#[derive(Debug, Default)]
pub struct TranspositionTable {
    /// The size in MiB.
    mebibytes: usize,
    /// Clusters of [`CLUSTER_SLOTS`] entries, one cache line each, from `first_slot` on. Empty before the first search.
    slots: Box<[Slot]>,
    first_slot: usize,
    /// Clusters in use.
    pub clusters: u64,
    /// The number of the search, which separates its entries from older ones.
    generation: u16,
    /// Part of every key, so that entries from before a clear are not found.
    cleared: u64,
}

impl TranspositionTable {
    /// A table of this size, in MiB, which is allocated before the first search.
    pub fn new(mebibytes: usize) -> TranspositionTable {
        TranspositionTable { mebibytes, ..TranspositionTable::default() }
    }

    /// The size in MiB: the requested one, or what the system has given of it.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Changes the size, and clears the table. False if the system has less memory: then the size stays, and the next
    /// search allocates it.
    pub fn resize(&mut self, mebibytes: usize) -> bool {
        if mebibytes == self.mebibytes && !self.slots.is_empty() {
            return true;
        }
        // Two tables at once may be too much.
        self.slots = Box::default();
        self.allocate(mebibytes)
    }

    /// True if the system gives the memory.
    fn allocate(&mut self, mebibytes: usize) -> bool {
        let clusters = (mebibytes << 20) / (CLUSTER_SLOTS * size_of::<Slot>());
        if !memory::is_available((mebibytes as u64) << 20) {
            return false;
        }
        let Ok(mut slots) = try_zeroed_slice_box::<Slot>((clusters + 1) * CLUSTER_SLOTS - 1) else { return false };
        let huge = slots.len().min(HUGE_SLOTS);
        huge_pages::advise(&mut slots[..huge]);
        self.first_slot = slots.as_ptr().align_offset(CLUSTER_SLOTS * size_of::<Slot>()).min(CLUSTER_SLOTS - 1);
        (self.slots, self.mebibytes, self.clusters, self.generation) = (slots, mebibytes, 0, 0);
        true
    }

    /// Clears the table without touching its memory.
    pub fn clear(&mut self) {
        self.cleared = mix(self.cleared.wrapping_add(1));
    }

    /// Allocates the table, unless it is: the size, or else half of it, and so on.
    pub(super) fn make_ready(&mut self) {
        if !self.slots.is_empty() {
            return;
        }
        let mebibytes = self.mebibytes;
        let mut sizes = std::iter::successors(Some(mebibytes), |size| Some(size / 2).filter(|size| *size > 0));
        let given = sizes.find(|size| self.allocate(*size)).unwrap_or(0);
        if given < mebibytes {
            log::warn!("no memory for a transposition table of {mebibytes} MiB: it has {given} MiB");
        }
    }

    /// Begins a search in a part of the table with room for this number of nodes, if the table has it. With `keeps` the
    /// part is at least as large as that of the search before; else it is the same whatever came before.
    pub fn begin_search(&mut self, nodes: u64, keeps: bool) {
        if self.generation == u16::MAX {
            // Memory fresh from the system is zero, and faster to get than to write.
            self.slots = Box::default();
        }
        self.make_ready();
        self.generation += 1;
        let least = if keeps { self.clusters } else { 0 };
        self.clusters = clusters_for(nodes).min(self.all_clusters()).max(least);
    }

    fn all_clusters(&self) -> u64 {
        (self.slots.len() / CLUSTER_SLOTS) as u64
    }

    #[inline(always)]
    pub fn cluster(&self, hash: u64) -> &[Slot] {
        let number = (u128::from(hash) * u128::from(self.clusters)) >> 64;
        let first = number as usize * CLUSTER_SLOTS + self.first_slot;
        self.slots.get(first..first + CLUSTER_SLOTS).unwrap_or(&[])
    }

    /// Prefetches the cluster of a position, on processors with a known instruction.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(super) fn prefetch(&self, hash: u64) {
        let cluster = self.cluster(hash);
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch changes nothing that a program can see, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.as_ptr().cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = cluster;
    }

    /// Returns the alpha-beta entry of a position. `salt` separates searches whose results must not mix; it does not
    /// change the place of an entry, so that a reproducible search finds the same free slots whatever came before.
    #[inline(always)]
    pub fn get(&self, hash: u64, salt: u64) -> Option<SearchEntry> {
        self.find(hash, salt).map(SearchEntry::unpack)
    }

    #[inline(always)]
    pub(super) fn get_proof(&self, hash: u64, salt: u64) -> Option<ProofEntry> {
        let data = self.find(hash, salt)?;
        Some(ProofEntry { proved: data as u8, refuted: (data >> 8) as u8, best: MoveCode::of_data(data) })
    }

    #[inline(always)]
    fn key(&self, hash: u64, salt: u64) -> u64 {
        hash ^ salt ^ self.cleared
    }

    #[inline(always)]
    fn find(&self, hash: u64, salt: u64) -> Option<u64> {
        let key = self.key(hash, salt);
        self.cluster(hash).iter().find_map(|slot| {
            let data = slot.data();
            (data != 0 && slot.holds(key, data)).then_some(data)
        })
    }

    /// Stores an alpha-beta entry, in place of an older or shallower one.
    #[inline(always)]
    pub fn put(&self, hash: u64, salt: u64, entry: &SearchEntry) {
        let key = self.key(hash, salt);
        let Some(slot) = self.slot_for(hash, key) else { return };
        let mut best = entry.best;
        if best == MoveCode::NONE {
            // Keep the best move of an earlier visit.
            let old = slot.data();
            if slot.holds(key, old) {
                best = MoveCode::of_data(old);
            }
        }
        let bound = match entry.bound {
            Some(Bound::Lower) => LOWER,
            Some(Bound::Upper) => UPPER,
            None => EXACT,
        };
        let data = pack(entry.value.raw() as u16, best, entry.depth, bound);
        slot.store(key, data | u64::from(self.generation) << 48);
    }

    /// Stores a proof entry with the plies of its last question as depth.
    #[inline(always)]
    pub(super) fn put_proof(&self, hash: u64, salt: u64, entry: &ProofEntry, plies: usize) {
        let key = self.key(hash, salt);
        if let Some(slot) = self.slot_for(hash, key) {
            let known = u16::from_le_bytes([entry.proved, entry.refuted]);
            slot.store(key, pack(known, entry.best, plies as i32, LOWER) | u64::from(self.generation) << 48);
        }
    }

    /// The slot of a key, or else the one to replace: an entry of an earlier search, else the shallowest. None in an
    /// empty table.
    #[inline(always)]
    fn slot_for(&self, hash: u64, key: u64) -> Option<&Slot> {
        let cluster = self.cluster(hash);
        let mut chosen = cluster.first()?;
        let mut least = i32::MAX;
        for slot in cluster {
            let data = slot.data();
            if slot.holds(key, data) {
                return Some(slot);
            }
            // All entries of earlier searches count alike, so that a reproducible search does not depend on them.
            let rank = if self.is_young(data) { depth_of(data) } else { -1 };
            if rank < least {
                least = rank;
                chosen = slot;
            }
        }
        Some(chosen)
    }

    #[inline(always)]
    fn is_young(&self, data: u64) -> bool {
        data != 0 && (data >> 48) as u16 == self.generation
    }

    /// Use of the whole table by entries of the present search, at most `entries`, in thousandths, from a sample.
    pub fn hashfull(&self, entries: u64) -> u32 {
        let (clusters, all) = (self.clusters, self.all_clusters());
        // A short search would take a part of its time to find nothing.
        if entries.saturating_mul(1000) < all * CLUSTER_SLOTS as u64 {
            return 0;
        }
        let sample = self.slots.iter().take(1000);
        let size = sample.len() as u64;
        let used = sample.filter(|slot| self.is_young(slot.data())).count() as u64;
        (used * 1000 * clusters).checked_div(size * all).unwrap_or(0) as u32
    }
}
