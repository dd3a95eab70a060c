//! The transposition table: what earlier visits of a position found out.
//!
//! Shared between threads without locks: an entry is two words, and the first is the key xor the second, so that an
//! entry torn by two writers does not match (R. Hyatt, T. Mann, 2002).

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;

use crate::board::Point;
use crate::random::mix;
use crate::rules::{Move, MoveKind};

use super::prefetch::fetch;
use crate::eval::Score;

/// How the stored score bounds the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// At least the score.
    Lower,
    /// At most the score.
    Upper,
    /// The score.
    Exact,
}

/// Enough of an action to find it again among the legal ones; chains with the same ends share a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveCode(u16);

impl MoveCode {
    pub(super) const NONE: MoveCode = MoveCode(0xffff);

    /// The code as a number.
    #[inline(always)]
    pub(super) fn raw(self) -> u64 {
        u64::from(self.0)
    }

    #[inline(always)]
    pub(super) fn of(action: &Move) -> MoveCode {
        let kind = match action.kind {
            MoveKind::Walk | MoveKind::Leap => 0,
            MoveKind::Jump => 1,
            MoveKind::Static => 2,
            MoveKind::FreeJump => 3,
        };
        // A static intervention stays on its point, so the second place can tell the pair.
        let to = if action.kind == MoveKind::Static { action.captured.first().unwrap_or(action.to) } else { action.to };
        MoveCode(code_of_points(action.from, to) | kind << 12)
    }
}

#[inline(always)]
fn code_of_points(from: Point, to: Point) -> u16 {
    (from.index() | to.index() << 6) as u16
}

/// What the table knows of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) depth: i32,
    pub(super) best: MoveCode,
}

impl Entry {
    /// The score for a window and depth at a ply, if the entry settles it.
    #[inline(always)]
    pub(super) fn answer(&self, alpha: Score, beta: Score, depth: i32, ply: usize) -> Option<Score> {
        let score = self.score.seen_from_above(ply);
        let enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        // A proved win or loss is one at any depth.
        let proved = match self.bound {
            Bound::Exact => false,
            Bound::Lower => score.is_win(),
            Bound::Upper => score.is_loss(),
        };
        (enough && (self.depth >= depth || proved)).then_some(score)
    }
}

/// What a proof knows of a position, for one side as the winner.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProofEntry {
    /// He has a forced win within so many plies; [`ProofEntry::NEVER`] when that is not known.
    pub(super) proved: u8,
    /// He has none within so many plies.
    pub(super) refuted: u8,
    /// The move that proved or refuted it.
    pub(super) best: MoveCode,
}

impl ProofEntry {
    pub(super) const NEVER: u8 = u8::MAX;

    /// Has he a forced win within so many plies? None when that is not known.
    #[inline(always)]
    pub(super) fn wins_within(&self, plies: usize) -> Option<bool> {
        if usize::from(self.proved) <= plies {
            return Some(true);
        }
        (usize::from(self.refuted) >= plies).then_some(false)
    }
}

/// Aligned to its own size, so that a cluster can begin with a line of the processor's cache.
#[derive(Debug, Zeroable)]
#[repr(align(16))]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline(always)]
    fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

const SLOTS: usize = 4;

/// The table. Its memory is taken at the first search, and by the system page by page as it is used.
#[derive(Debug, Default)]
pub struct TranspositionTable {
    /// Clusters of [`SLOTS`] entries, one cache line each, behind a few slots that are left out for that.
    slots: Box<[Slot]>,
    first_slot: usize,
    clusters: u64,
    /// The size that was asked for.
    wanted: usize,
    generation: u16,
    /// Sets apart what was kept before the table was told to forget.
    forgotten: u64,
}

fn pack(entry: &Entry, generation: u16) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.score.raw() as u16)
        | u64::from(entry.best.0) << 16
        | (entry.depth.clamp(0, 255) as u64) << 32
        | bound << 40
        | u64::from(generation) << 48
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 40 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        score: Score::from_raw(data as u16 as i16),
        bound,
        depth: (data >> 32 & 0xff) as i32,
        best: MoveCode((data >> 16) as u16),
    })
}

fn pack_fact(fact: &ProofEntry, depth: usize, generation: u16) -> u64 {
    u64::from(fact.proved)
        | u64::from(fact.refuted) << 8
        | u64::from(fact.best.0) << 16
        | (depth.min(255) as u64) << 32
        | 1 << 40
        | u64::from(generation) << 48
}

fn unpack_fact(data: u64) -> ProofEntry {
    ProofEntry { proved: data as u8, refuted: (data >> 8) as u8, best: MoveCode((data >> 16) as u16) }
}

fn generation_of(data: u64) -> u16 {
    (data >> 48) as u16
}

impl TranspositionTable {
    /// Makes the table so large, in MiB, unless it is already. A change of size forgets everything. When the system has
    /// less memory to give, the table is as large as it can be by halving.
    pub fn resize(&mut self, mebibytes: usize) {
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
            if let Ok(slots) = try_zeroed_slice_box::<Slot>(clusters * SLOTS + SLOTS - 1) {
                self.first_slot = slots.as_ptr().align_offset(SLOTS * size_of::<Slot>()).min(SLOTS - 1);
                self.slots = slots;
                self.clusters = clusters as u64;
            }
            clusters /= 2;
        }
    }

    /// Forgets everything. The memory stays as it is: nothing that is in it will be found.
    pub fn clear(&mut self) {
        self.forgotten = mix(self.forgotten.wrapping_add(1));
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

    /// Begins to bring here what is kept of a position, so that it need not be waited for when it is asked for.
    #[inline(always)]
    pub(super) fn fetch(&self, hash: u64) {
        fetch(self.cluster(hash));
    }

    /// What is known of a position. `salt` sets apart searches whose results must not mix; it does not change where an
    /// entry is kept, so that a reproducible search finds the same room whatever came before it.
    #[inline(always)]
    pub(super) fn get(&self, hash: u64, salt: u64) -> Option<Entry> {
        self.find(hash, self.key(hash, salt)).and_then(unpack)
    }

    /// What a proof has found out about a position; the salt must be one of proofs alone.
    #[inline(always)]
    pub(super) fn get_fact(&self, hash: u64, salt: u64) -> Option<ProofEntry> {
        self.find(hash, self.key(hash, salt)).map(unpack_fact)
    }

    #[inline(always)]
    fn key(&self, hash: u64, salt: u64) -> u64 {
        hash ^ salt ^ self.forgotten
    }

    #[inline(always)]
    fn find(&self, hash: u64, key: u64) -> Option<u64> {
        for slot in self.cluster(hash) {
            let data = slot.data.load(Ordering::Relaxed);
            if data != 0 && slot.check.load(Ordering::Relaxed) ^ data == key {
                return Some(data);
            }
        }
        None
    }

    /// Keeps what was found out about a position, in place of an older or shallower entry.
    #[inline(always)]
    pub(super) fn put(&self, hash: u64, salt: u64, entry: &Entry) {
        let key = self.key(hash, salt);
        let mut kept = *entry;
        if let Some(victim) = self.victim(hash, key) {
            if kept.best == MoveCode::NONE {
                // Keep the move that an earlier visit of the same position liked.
                let data = victim.data.load(Ordering::Relaxed);
                if victim.check.load(Ordering::Relaxed) ^ data == key {
                    kept.best = unpack(data).map_or(MoveCode::NONE, |old| old.best);
                }
            }
            victim.store(key, pack(&kept, self.generation));
        }
    }

    /// Keeps what a proof has found out.
    #[inline(always)]
    pub(super) fn put_fact(&self, hash: u64, salt: u64, fact: &ProofEntry, depth: usize) {
        let key = self.key(hash, salt);
        if let Some(victim) = self.victim(hash, key) {
            victim.store(key, pack_fact(fact, depth, self.generation));
        }
    }

    /// The slot of a key, or the one whose entry is the least loss.
    #[inline(always)]
    fn victim(&self, hash: u64, key: u64) -> Option<&Slot> {
        let cluster = self.cluster(hash);
        let mut victim = cluster.first()?;
        let mut least = i32::MAX;
        for slot in cluster {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                return Some(slot);
            }
            // All entries of earlier searches are alike, so that what they hold changes nothing.
            let worth =
                if data != 0 && generation_of(data) == self.generation { (data >> 32 & 0xff) as i32 } else { -1 };
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        Some(victim)
    }

    /// How full the table is with entries of the present search, in thousandths, from a sample.
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        let sample = self.slots.iter().take(1000);
        let size = sample.len();
        let used = sample.filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && generation_of(data) == self.generation
        });
        (used.count() * 1000).checked_div(size).unwrap_or(0) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry { score: Score::loss_in(7), bound: Bound::Lower, depth, best: MoveCode(0x1234) }
    }

    #[test]
    fn what_is_put_is_got_under_its_own_key_only() {
        let mut table = TranspositionTable::default();
        table.resize(1);
        table.begin_search();
        table.put(0xdead_beef_0000_0001, 5, &entry(9));
        let found = table.get(0xdead_beef_0000_0001, 5).unwrap();
        assert_eq!((found.score, found.bound, found.depth, found.best.0), (Score::loss_in(7), Bound::Lower, 9, 0x1234));
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
