//! Sets of rows by high part: the rows that a ply has changed, and those whose moves lead to them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::sets::OCCUPIED;

use super::cells::Cell;
use super::index::StateIndex;
use super::moves::{HighMove, RebelMoves};
use super::ones;
use super::places::PlaceMirror;

/// Beyond this number of high places, high parts share bits: a row then counts as changed with another one, which costs
/// time alone.
const MOST_BITS: u32 = 22;

/// Rows of a slot, a bit each.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotRows {
    /// Those with positions that are not decided yet.
    pub(super) open: u8,
    /// Those of them that the ply looks at.
    pub(super) touched: u8,
}

impl SlotRows {
    /// The rows of each slot of a state: before the first ply all are open, and looked at.
    pub(super) fn of(index: &StateIndex<'_>) -> Vec<SlotRows> {
        (0..index.slots()).map(|slot| index.rows(slot)).map(|rows| SlotRows { open: rows, touched: rows }).collect()
    }

    /// Those of a kind of cells, by piece; empty pieces after the last.
    pub(super) fn pieces<'a, C: Cell>(
        all: &'a mut [SlotRows],
        index: &StateIndex<'_>,
    ) -> impl Iterator<Item = &'a mut [SlotRows]> {
        let of_kind = all.get_mut(C::slots(index)).unwrap_or_default();
        of_kind.chunks_mut(C::PIECE).chain(std::iter::repeat_with(Default::default))
    }

    #[inline(always)]
    pub(super) fn touch(&mut self, rows: u8) {
        self.touched |= rows & self.open;
    }

    /// All open rows are looked at.
    pub(super) fn touch_all(&mut self) {
        self.touched = self.open;
    }
}

/// Rows of a state: those that a ply has changed, to which several threads may add some, or those to look at.
#[derive(Debug)]
pub(super) struct RowSet {
    /// The number of high places, and of the bits by which the set knows their high parts.
    places: u32,
    bits: u32,
    words: Vec<AtomicU64>,
    is_any: AtomicBool,
}

impl RowSet {
    pub(super) fn new(places: u32) -> RowSet {
        let words = (0..RowSet::bytes(places) / 8).map(|_| AtomicU64::new(0)).collect();
        RowSet { places, bits: places.clamp(6, MOST_BITS), words, is_any: AtomicBool::new(false) }
    }

    /// The bytes of a set.
    pub(super) fn bytes(places: u32) -> u64 {
        1 << (places.clamp(6, MOST_BITS) - 3)
    }

    fn is_exact(&self) -> bool {
        self.places <= self.bits
    }

    /// The bit of a high part. That of an exclusive or is the exclusive or of the bits.
    #[inline(always)]
    fn bit(&self, high: u64) -> usize {
        let bits = self.bits;
        let folded = || (high ^ high >> bits ^ high >> (2 * bits)) & ((1 << bits) - 1);
        (if self.is_exact() { high } else { folded() }) as usize
    }

    #[inline(always)]
    pub(super) fn has(&self, high: u64) -> bool {
        let bit = self.bit(high);
        self.words[bit / 64].load(Ordering::Relaxed) >> (bit % 64) & 1 != 0
    }

    /// Adds a row that is kept, and its image if it is kept for that, too.
    #[inline(always)]
    pub(super) fn add_kept(&self, index: &StateIndex<'_>, high: u64) {
        self.add(high);
        if let Some(other) = index.other(high) {
            self.add(other);
        }
    }

    #[inline(always)]
    pub(super) fn add(&self, high: u64) {
        let bit = self.bit(high);
        self.words[bit / 64].fetch_or(1 << (bit % 64), Ordering::Relaxed);
        if !self.is_any() {
            self.is_any.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn is_any(&self) -> bool {
        self.is_any.load(Ordering::Relaxed)
    }

    pub(super) fn clear(&self) {
        if self.is_any.swap(false, Ordering::Relaxed) {
            self.words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        }
    }

    /// Adds rows of the same high parts.
    pub(super) fn add_all(&mut self, changed: &RowSet) {
        if changed.is_any() {
            for (word, changed) in self.words.iter_mut().zip(&changed.words) {
                *word.get_mut() |= changed.load(Ordering::Relaxed);
            }
        }
    }

    /// Adds rows of the mirror images of the high parts.
    pub(super) fn add_images(&mut self, changed: &RowSet, mirror: &PlaceMirror) {
        if !changed.is_any() {
            return;
        }
        if !self.is_exact() {
            return self.words.fill_with(|| AtomicU64::new(!0));
        }
        for (number, word) in (0..).zip(&changed.words) {
            for bit in ones(word.load(Ordering::Relaxed)) {
                let image = mirror.high(number << 6 | u64::from(bit));
                *self.words[image as usize / 64].get_mut() |= 1 << (image % 64);
            }
        }
    }

    /// Adds the rows whose Rebels' moves lead to changed ones.
    pub(super) fn add_before(&mut self, changed: &RowSet, moves: &RebelMoves) {
        if !changed.is_any() {
            return;
        }
        self.add_all(changed);
        // Few Rebels leave most words empty.
        let words = changed.words.iter().map(|word| word.load(Ordering::Relaxed)).enumerate();
        let words: Vec<(usize, u64)> = words.filter(|(_, word)| *word != 0).collect();
        for step in &moves.high {
            self.add_flipped(&words, step.flip, Some(step));
        }
        for steps in &moves.mixed {
            self.add_flipped(&words, steps.place, None);
        }
    }

    /// Adds the rows of some words with some places flipped, those from which a step leads there.
    fn add_flipped(&mut self, words: &[(usize, u64)], flip: u64, step: Option<&HighMove>) {
        let by = self.bit(flip);
        let step = step.filter(|_| self.is_exact());
        for (number, mut flipped) in words.iter().copied() {
            let number = number ^ by >> 6;
            for (bit, occupied) in OCCUPIED.iter().enumerate().filter(|(bit, _)| by >> bit & 1 != 0) {
                flipped = (flipped & occupied) >> (1 << bit) | (flipped & !occupied) << (1 << bit);
            }
            *self.words[number].get_mut() |= flipped & step.map_or(!0, |step| step.legal_in_word(number as u64));
        }
    }
}

privy_base::best_instructions! {
    /// Touches these rows of a state and no other, and forgets them.
    pub(super) fn take(taken: &mut RowSet, index: &StateIndex<'_>, rows: &mut [SlotRows]) {
        rows.iter_mut().for_each(|rows| rows.touched = 0);
        if taken.is_exact() {
            for (number, word) in (0..).zip(&mut taken.words) {
                for bit in ones(std::mem::take(word.get_mut())) {
                    let high = number << 6 | u64::from(bit);
                    if index.has(high, high.count_ones()) {
                        let (slot, is_image) = index.place(high, high.count_ones());
                        rows[slot].touch(u8::from(!is_image) << index.bit(high.count_ones()));
                    }
                }
            }
        } else {
            for (slot, rows) in rows.iter_mut().enumerate() {
                for bit in ones(index.rows(slot)) {
                    rows.touch(u8::from(taken.has(index.row(slot, bit).high)) << bit);
                }
            }
            taken.words.fill_with(AtomicU64::default);
        }
    }
}
