//! A slot of the transposition table: a word and its key, shared by all threads without a lock.
//!
//! The word is stored beside the key xor the word, so that a slot torn by two writers matches neither key (R. Hyatt, T. Mann, 2002).
//! `tests/reliability/interleavings.rs` tries every order of the reads and writes of threads.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

/// An atomic number that orders no other reads and writes.
pub(super) trait SharedWord {
    fn read(&self) -> u64;
    fn write(&self, value: u64);
}

impl SharedWord for AtomicU64 {
    #[inline(always)]
    fn read(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn write(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}

/// Aligned to its own size, so that a cluster can begin at a cache line.
#[derive(Debug, Default, Zeroable)]
#[repr(align(16))]
pub(super) struct Slot<W = AtomicU64> {
    check: W,
    data: W,
}

impl<W: SharedWord> Slot<W> {
    #[inline(always)]
    pub(super) fn data(&self) -> u64 {
        self.data.read()
    }

    /// Was `data`, read from this slot, stored with this key?
    #[inline(always)]
    pub(super) fn holds(&self, key: u64, data: u64) -> bool {
        self.check.read() ^ data == key
    }

    #[inline(always)]
    pub(super) fn store(&self, key: u64, data: u64) {
        self.check.write(key ^ data);
        self.data.write(data);
    }
}
