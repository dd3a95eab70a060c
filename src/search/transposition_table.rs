//! The transposition table: what earlier visits of a position found out, by alpha-beta and by proofs.
//!
//! Shared between threads without locks ([`Slot`]). The word of an entry, from the lowest bit: 16 bits of what is known (a value, or what is proved), 16 of the best move, 8 of the
//! depth, 2 of the bound, and the 16 highest of the generation.

use bytemuck::allocation::try_zeroed_slice_box;

use crate::eval::Value;
use crate::huge_pages;
use crate::random::mix;
use crate::rules::{Move, MoveKind};

use super::slot::Slot;

/// How the stored value bounds the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// At least the value.
    Lower = 1,
    /// At most the value.
    Upper = 2,
    /// The value.
    Exact = 3,
}

/// Enough of a move to find it again among the legal ones; chains with the same ends share a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveCode(u16);

impl MoveCode {
    pub(super) const NONE: MoveCode = MoveCode(0xffff);

    #[inline(always)]
    pub(super) fn of(move_: &Move) -> MoveCode {
        let kind = match move_.kind {
            MoveKind::Walk | MoveKind::Leap => 0,
            MoveKind::Jump => 1,
            MoveKind::Static => 2,
            MoveKind::FreeJump => 3,
        };
        // A static intervention stays on its point, so the second place can tell the pair.
        let to = if move_.kind == MoveKind::Static { move_.captured.first().unwrap_or(move_.to) } else { move_.to };
        MoveCode((move_.from.index() | to.index() << 6) as u16 | kind << 12)
    }

    /// The code as a number.
    #[inline(always)]
    pub(super) fn raw(self) -> u64 {
        u64::from(self.0)
    }

    #[inline(always)]
    fn of_data(data: u64) -> MoveCode {
        MoveCode((data >> 16) as u16)
    }
}

/// The word of an entry, without the generation.
#[inline(always)]
fn pack(known: u16, best: MoveCode, depth: i32, bound: u64) -> u64 {
    u64::from(known) | best.raw() << 16 | (depth.clamp(0, 255) as u64) << 32 | bound << 40
}

#[inline(always)]
fn depth_of(data: u64) -> i32 {
    (data >> 32 & 0xff) as i32
}

#[inline(always)]
fn generation_of(data: u64) -> u16 {
    (data >> 48) as u16
}

/// What alpha-beta knows of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// A win or loss is counted from the position, not from the root.
    pub(super) value: Value,
    pub(super) bound: Bound,
    pub(super) depth: i32,
    pub(super) best: MoveCode,
}

impl Entry {
    #[inline(always)]
    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 40 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        let value = Value::from_raw(data as u16 as i16);
        Some(Entry { value, bound, depth: depth_of(data), best: MoveCode::of_data(data) })
    }

    /// The value for a window and depth at a ply, if the entry decides it.
    #[inline(always)]
    pub(super) fn cutoff(&self, alpha: Value, beta: Value, depth: i32, ply: usize) -> Option<Value> {
        let value = self.value.from_root(ply);
        // A win or loss that is a bound is one at any depth.
        let (is_enough, is_decided) = match self.bound {
            Bound::Exact => (true, false),
            Bound::Lower => (value >= beta, value.is_win()),
            Bound::Upper => (value <= alpha, value.is_loss()),
        };
        (is_enough && (self.depth >= depth || is_decided)).then_some(value)
    }
}

/// What proofs know of a position, for one side as the winner.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProofEntry {
    /// The winner has a forced win within so many plies; 255 when none is known.
    proved: u8,
    /// It has none within so many plies.
    refuted: u8,
    /// The move that proved or refuted it.
    pub(super) best: MoveCode,
}

impl ProofEntry {
    pub(super) const UNKNOWN: ProofEntry = ProofEntry { proved: u8::MAX, refuted: 0, best: MoveCode::NONE };

    /// Has the winner a forced win within so many plies? None when that is not known.
    #[inline(always)]
    pub(super) fn wins_within(&self, plies: usize) -> Option<bool> {
        if usize::from(self.proved) <= plies {
            return Some(true);
        }
        (usize::from(self.refuted) >= plies).then_some(false)
    }

    /// Keeps the answer for so many plies.
    pub(super) fn set(&mut self, is_won: bool, plies: usize) {
        *(if is_won { &mut self.proved } else { &mut self.refuted }) = plies.min(254) as u8;
    }
}

const SLOTS: usize = 4;

/// The table. Its memory is taken at the first search, and by the system page by page as it is used.
#[derive(Debug, Default)]
pub(super) struct TranspositionTable {
    /// Clusters of [`SLOTS`] entries, one cache line each, behind a few slots that are left out for that.
    slots: Box<[Slot]>,
    first_slot: usize,
    clusters: u64,
    /// The size that was asked for, in MiB.
    wanted: usize,
    /// The number of the search, to tell its entries from older ones.
    generation: u16,
    /// Sets apart what was kept before the table was cleared.
    cleared: u64,
}

impl TranspositionTable {
    /// Makes the table so large, in MiB, unless it is already. A change of size forgets everything. When the system has
    /// less memory to give, the table is as large as it can be by halving.
    pub(super) fn resize(&mut self, mebibytes: usize) {
        if self.wanted == mebibytes {
            return;
        }
        self.wanted = mebibytes;
        // First free, then take: two tables at once may be too much.
        self.slots = Box::default();
        self.generation = 0;
        self.clusters = 0;
        let mut clusters = ((mebibytes << 20) / (SLOTS * size_of::<Slot>())).max(1);
        while clusters > 0 && self.clusters == 0 {
            if let Ok(mut slots) = try_zeroed_slice_box::<Slot>(clusters * SLOTS + SLOTS - 1) {
                huge_pages::advise(&mut slots);
                self.first_slot = slots.as_ptr().align_offset(SLOTS * size_of::<Slot>()).min(SLOTS - 1);
                self.slots = slots;
                self.clusters = clusters as u64;
            }
            clusters /= 2;
        }
    }

    /// Forgets everything. The memory stays as it is: nothing that is in it will be found.
    pub(super) fn clear(&mut self) {
        self.cleared = mix(self.cleared.wrapping_add(1));
    }

    /// Begins a search: entries from now on are younger than all others.
    pub(super) fn begin_search(&mut self) {
        if self.generation == u16::MAX {
            // Memory fresh from the system is zero, and faster to get than to write.
            let wanted = std::mem::take(&mut self.wanted);
            self.resize(wanted);
        }
        self.generation += 1;
    }

    #[inline(always)]
    fn cluster(&self, hash: u64) -> &[Slot] {
        let first = ((u128::from(hash) * u128::from(self.clusters)) >> 64) as usize * SLOTS + self.first_slot;
        self.slots.get(first..first + SLOTS).unwrap_or(&[])
    }

    /// Begins to bring the cluster of a position into the processor's cache, on processors for which we know how.
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

    /// What alpha-beta knows of a position. `salt` sets apart searches whose results must not mix; it does not change where an
    /// entry is kept, so that a reproducible search finds the same room whatever came before it.
    #[inline(always)]
    pub(super) fn get(&self, hash: u64, salt: u64) -> Option<Entry> {
        self.find(hash, salt).and_then(Entry::unpack)
    }

    /// What proofs know of a position; the salt must be one of proofs alone.
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

    /// Keeps what alpha-beta has found, in place of an older or shallower entry.
    #[inline(always)]
    pub(super) fn put(&self, hash: u64, salt: u64, entry: &Entry) {
        let key = self.key(hash, salt);
        let Some(slot) = self.slot_for(hash, key) else { return };
        let mut best = entry.best;
        if best == MoveCode::NONE {
            // Keep the move that an earlier visit of the same position liked.
            let old = slot.data();
            if slot.holds(key, old) {
                best = Entry::unpack(old).map_or(MoveCode::NONE, |old| old.best);
            }
        }
        let data = pack(entry.value.raw() as u16, best, entry.depth, entry.bound as u64);
        slot.store(key, data | u64::from(self.generation) << 48);
    }

    /// Keeps what a proof of so many plies has found.
    #[inline(always)]
    pub(super) fn put_proof(&self, hash: u64, salt: u64, entry: &ProofEntry, plies: usize) {
        let key = self.key(hash, salt);
        if let Some(slot) = self.slot_for(hash, key) {
            let known = u16::from_le_bytes([entry.proved, entry.refuted]);
            slot.store(key, pack(known, entry.best, plies as i32, 1) | u64::from(self.generation) << 48);
        }
    }

    /// The slot of a key, or the one whose entry is the least loss: an old one, else the shallowest. None in an empty table.
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
            // All entries of earlier searches are alike, so that what they hold changes nothing.
            let worth = if self.is_young(data) { depth_of(data) } else { -1 };
            if worth < least {
                least = worth;
                chosen = slot;
            }
        }
        Some(chosen)
    }

    /// Is it an entry of the present search?
    #[inline(always)]
    fn is_young(&self, data: u64) -> bool {
        data != 0 && generation_of(data) == self.generation
    }

    /// How full the table is with entries of the present search, in thousandths, from a sample.
    #[must_use]
    pub(super) fn hashfull(&self) -> u32 {
        let sample = self.slots.iter().take(1000);
        let size = sample.len();
        let used = sample.filter(|slot| self.is_young(slot.data())).count();
        (used * 1000).checked_div(size).unwrap_or(0) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry { value: Value::loss_in(7), bound: Bound::Lower, depth, best: MoveCode(0x1234) }
    }

    #[test]
    fn what_is_put_is_got_under_its_own_key_only() {
        let mut table = TranspositionTable::default();
        table.resize(1);
        table.begin_search();
        table.put(0xdead_beef_0000_0001, 5, &entry(9));
        let found = table.get(0xdead_beef_0000_0001, 5).unwrap();
        assert_eq!((found.value, found.bound, found.depth, found.best.0), (Value::loss_in(7), Bound::Lower, 9, 0x1234));
        assert!(table.get(0xdead_beef_0000_0001, 6).is_none());
        assert!(table.get(0xdead_beef_0000_0002, 5).is_none());
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_entry_and_first_the_old_ones() {
        let mut table = TranspositionTable::default();
        table.resize(1);
        table.begin_search();
        for key in 1..=4u64 {
            table.put(key, 0, &entry(key as i32));
        }
        table.put(5, 0, &entry(1));
        assert!(table.get(1, 0).is_none());
        assert!((2..=5).all(|key| table.get(key, 0).is_some()));
        table.begin_search();
        table.put(6, 0, &entry(0));
        assert_eq!((2..=6).filter(|key| table.get(*key, 0).is_some()).count(), 4);
        assert!(table.get(6, 0).is_some());
    }

    #[test]
    fn a_cleared_table_knows_nothing_and_has_room() {
        let mut table = TranspositionTable::default();
        table.resize(1);
        for _ in 0..3 {
            table.begin_search();
            (1..=4u64).for_each(|key| assert!(table.get(key, 0).is_none()));
            (1..=4u64).for_each(|key| table.put(key, 0, &entry(9)));
            (1..=4u64).for_each(|key| assert!(table.get(key, 0).is_some()));
            table.clear();
        }
    }

    #[test]
    fn clusters_begin_with_cache_lines() {
        let mut table = TranspositionTable::default();
        for mebibytes in 1..4 {
            table.resize(mebibytes);
            assert_eq!(table.cluster(0).as_ptr().addr() % 64, 0);
            assert_eq!(table.cluster(u64::MAX).len(), SLOTS);
        }
    }

    #[test]
    fn an_empty_table_takes_nothing_and_knows_nothing() {
        let table = TranspositionTable::default();
        table.put(1, 0, &entry(1));
        assert!(table.get(1, 0).is_none());
        assert_eq!(table.hashfull(), 0);
    }
}
