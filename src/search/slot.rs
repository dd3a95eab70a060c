//! A slot of the transposition table: a word and its key, shared by all threads without a lock.
//!
//! The word is stored beside the key xor the word, so that a slot torn by two writers matches neither key (R. Hyatt, T. Mann, 2002).
//! Each half is one atomic number, read and written without ordering others: whatever halves a reader sees, of one writer or of two, it
//! takes the word only if they belong together.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

/// Aligned to its own size, so that a cluster can begin at a cache line.
#[derive(Debug, Default, Zeroable)]
#[repr(align(16))]
pub(super) struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline(always)]
    pub(super) fn data(&self) -> u64 {
        self.data.load(Ordering::Relaxed)
    }

    /// True if `data`, read from this slot, was stored with this key.
    #[inline(always)]
    pub(super) fn holds(&self, key: u64, data: u64) -> bool {
        self.check.load(Ordering::Relaxed) ^ data == key
    }

    #[inline(always)]
    pub(super) fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}
