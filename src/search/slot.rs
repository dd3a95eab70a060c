//! A place of the transposition table: a word and its key, read and written by all threads without a lock.
//!
//! What is kept beside the word is the key xor the word, so that a slot torn by two writers holds neither of their keys
//! (R. Hyatt, T. Mann, 2002). Tested by `tests/reliability/interleavings.rs`, in every order that the threads' reads and writes can meet.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

/// A number that threads share; nothing follows from it for the order of other reads and writes.
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

/// Aligned to its own size, so that a cluster can begin with a line of the processor's cache.
#[derive(Debug, Default, Zeroable)]
#[repr(align(16))]
pub(super) struct Slot<W = AtomicU64> {
    check: W,
    data: W,
}

impl<W: SharedWord> Slot<W> {
    /// The word that is kept.
    #[inline(always)]
    pub(super) fn data(&self) -> u64 {
        self.data.read()
    }

    /// Was a word that was read here stored with a key?
    #[inline(always)]
    pub(super) fn holds(&self, key: u64, data: u64) -> bool {
        self.check.read() ^ data == key
    }

    /// Keeps a word with its key, in place of the last.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, data: u64) {
        self.check.write(key ^ data);
        self.data.write(data);
    }
}
