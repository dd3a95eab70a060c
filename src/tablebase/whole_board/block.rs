//! Blocks: one bit for each of 4,096 Rebel sets, the unit of work of retrograde analysis.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cpu::best_instructions;
use crate::tablebase::memory::Shortage;

/// Words of a row, and rows of a block.
pub(super) const LANES: usize = 8;
pub(super) const ROWS: usize = 8;
/// Rebel sets of a block.
pub(super) const BLOCK_SETS: usize = ROWS * LANES * 64;

/// One bit for each of 512 Rebel sets.
pub(super) type Row = [u64; LANES];
/// One bit for each of 4,096 Rebel sets.
pub(super) type Block = [Row; ROWS];
/// A bit per Rebel set of an index.
pub(super) type Bits = Vec<Block>;

pub(super) const EMPTY: Block = [[0; LANES]; ROWS];
pub(super) const FULL: Block = [[!0; LANES]; ROWS];

/// Some rows of a block, a bit for each: those that work is done for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rows(u8);

impl Rows {
    pub(super) const NONE: Rows = Rows(0);
    pub(super) const ALL: Rows = Rows(!0);

    /// Those in which a block has any sets.
    #[inline(always)]
    pub(super) fn of(block: &Block) -> Rows {
        let rows = block.iter().enumerate();
        Rows(rows.fold(0, |rows, (number, row)| rows | u8::from(!is_empty_row(row)) << number))
    }

    /// Those of which a condition holds.
    pub(super) fn that(condition: impl Fn(usize) -> bool) -> Rows {
        Rows((0..ROWS).fold(0, |rows, number| rows | u8::from(condition(number)) << number))
    }

    #[inline(always)]
    pub(super) fn one(row: usize) -> Rows {
        Rows(1 << row)
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(super) fn or(self, other: Rows) -> Rows {
        Rows(self.0 | other.0)
    }

    #[inline(always)]
    pub(super) fn and(self, other: Rows) -> Rows {
        Rows(self.0 & other.0)
    }

    /// The rows whose numbers differ from these in the bits of `flip`.
    #[inline(always)]
    pub(super) fn flipped(self, flip: usize) -> Rows {
        let mut rows = self.0;
        if flip & 1 != 0 {
            rows = (rows & 0x55) << 1 | (rows & 0xaa) >> 1;
        }
        if flip & 2 != 0 {
            rows = (rows & 0x33) << 2 | (rows & 0xcc) >> 2;
        }
        Rows(if flip & 4 != 0 { rows.rotate_left(4) } else { rows })
    }
}

impl Iterator for Rows {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let row = (self.0 != 0).then(|| self.0.trailing_zeros() as usize);
        self.0 &= self.0.wrapping_sub(1);
        row
    }
}

#[inline(always)]
pub(super) fn is_empty_row(row: &Row) -> bool {
    row.iter().fold(0, |all, word| all | word) == 0
}

#[inline(always)]
pub(super) fn or_row(into: &mut Row, other: &Row) {
    for lane in 0..LANES {
        into[lane] |= other[lane];
    }
}

#[inline(always)]
pub(super) fn minus_row(into: &mut Row, other: &Row) {
    for lane in 0..LANES {
        into[lane] &= !other[lane];
    }
}

/// In some rows, like the next two.
#[inline(always)]
pub(super) fn or(into: &mut Block, other: &Block, rows: Rows) {
    for row in rows {
        or_row(&mut into[row], &other[row]);
    }
}

#[inline(always)]
pub(super) fn and(into: &mut Block, other: &Block, rows: Rows) {
    for row in rows {
        for lane in 0..LANES {
            into[row][lane] &= other[row][lane];
        }
    }
}

#[inline(always)]
pub(super) fn minus(into: &mut Block, other: &Block, rows: Rows) {
    for row in rows {
        minus_row(&mut into[row], &other[row]);
    }
}

/// How many sets two blocks have in common.
#[inline(always)]
pub(super) fn count_common(a: &Block, b: &Block) -> u64 {
    let mut count = 0;
    for (a, b) in a.as_flattened().iter().zip(b.as_flattened()) {
        count += u64::from((a & b).count_ones());
    }
    count
}

/// Writes a value at every set of a block, which has some rows; `values` has a byte per set.
#[inline(always)]
pub(super) fn write_value(sets: &Block, rows: Rows, value: u8, values: &mut [u8]) {
    for row in rows {
        let values = &mut values[row * LANES * 64..][..LANES * 64];
        for (word, chunk) in sets[row].iter().zip(values.chunks_exact_mut(64)) {
            let mut bits = *word;
            while bits != 0 {
                chunk[bits.trailing_zeros() as usize] = value;
                bits &= bits - 1;
            }
        }
    }
}

/// The sets of a block that have a value.
pub(super) fn with_value(values: &[u8], value: u8) -> Block {
    let mut block = EMPTY;
    for (word, bytes) in block.iter_mut().flatten().zip(values.chunks_exact(64)) {
        *word = bytes.iter().enumerate().fold(0, |word, (bit, byte)| word | u64::from(*byte == value) << bit);
    }
    block
}

best_instructions! {
    fn dispatch_count(decided: &Decided) -> u64 {
        let mut count = 0;
        for (_, block) in decided.blocks() {
            count += count_common(block, &FULL);
        }
        count
    }
}

/// Blocks of a chunk, the unit in which memory for [`Decided`] is taken and given back.
const CHUNK_BLOCKS: usize = 16;
/// Bytes of a chunk.
const CHUNK_BYTES: u64 = (CHUNK_BLOCKS * size_of::<Block>()) as u64;

/// The memory of what is decided in single plies: chunks that go from one list of blocks to another, and a limit to all that
/// are made. A list that gets none stays incomplete, and the pool remembers that.
#[derive(Debug)]
pub(super) struct Pool {
    free: Mutex<Vec<Vec<Block>>>,
    /// Chunks that have been made, and the most that may be.
    made: AtomicU64,
    most: u64,
    /// Room for the work that ends a solve for which the system gives no more memory.
    spare: Mutex<Vec<u8>>,
    shortage: AtomicU8,
}

impl Pool {
    /// A pool of at most so many bytes, which sets some bytes aside for the end. These are never touched, and do not count.
    pub(super) fn new(most_bytes: u64, spare_bytes: usize) -> Pool {
        let mut spare = Vec::new();
        let shortage = if spare.try_reserve_exact(spare_bytes).is_ok() { 0 } else { Shortage::System as u8 + 1 };
        Pool {
            free: Mutex::default(),
            made: AtomicU64::new(0),
            most: most_bytes / CHUNK_BYTES,
            spare: Mutex::new(spare),
            shortage: AtomicU8::new(shortage),
        }
    }

    /// The most bytes that have been in use at a time.
    pub(super) fn bytes(&self) -> u64 {
        self.made.load(Ordering::Relaxed) * CHUNK_BYTES
    }

    /// Has a list stayed incomplete for want of memory?
    pub(super) fn shortage(&self) -> Option<Shortage> {
        match self.shortage.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Shortage::Limit),
            _ => Some(Shortage::System),
        }
    }

    fn note(&self, shortage: Shortage) {
        let _ = self.shortage.compare_exchange(0, shortage as u8 + 1, Ordering::Relaxed, Ordering::Relaxed);
        if shortage == Shortage::System {
            *lock(&self.spare) = Vec::new();
        }
    }

    /// An empty chunk; none when there is no memory for it.
    fn chunk(&self) -> Option<Vec<Block>> {
        if let Some(chunk) = lock(&self.free).pop() {
            return Some(chunk);
        }
        if self.made.fetch_add(1, Ordering::Relaxed) >= self.most {
            self.made.fetch_sub(1, Ordering::Relaxed);
            self.note(Shortage::Limit);
            return None;
        }
        let mut chunk = Vec::new();
        if chunk.try_reserve_exact(CHUNK_BLOCKS).is_err() {
            self.note(Shortage::System);
            return None;
        }
        Some(chunk)
    }

    /// Gives the chunks that no list uses back to the system.
    pub(super) fn give_back(&self) {
        *lock(&self.free) = Vec::new();
    }

    fn take_back(&self, chunks: &mut Vec<Vec<Block>>) {
        chunks.iter_mut().for_each(Vec::clear);
        lock(&self.free).append(chunks);
    }
}

/// A list of chunks is whole whatever a thread did that held its lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets decided in one ply: only the blocks that have any, in chunks of a pool.
#[derive(Debug)]
pub(super) struct Decided {
    pool: Arc<Pool>,
    /// Per block the rows that have any.
    rows: Vec<Rows>,
    /// Per block that has any its place among these.
    places: Vec<u32>,
    chunks: Vec<Vec<Block>>,
    /// Blocks that have any.
    len: usize,
}

impl Decided {
    pub(super) fn new(blocks: usize, pool: &Arc<Pool>) -> Decided {
        let (rows, places) = (vec![Rows::NONE; blocks], vec![0; blocks]);
        Decided { pool: Arc::clone(pool), rows, places, chunks: Vec::new(), len: 0 }
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn count(&self) -> u64 {
        dispatch_count(self)
    }

    /// The rows of a block that have any.
    #[inline(always)]
    pub(super) fn rows(&self, block: usize) -> Rows {
        self.rows[block]
    }

    /// A block, which must have any.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> &Block {
        let place = self.places[block] as usize;
        &self.chunks[place / CHUNK_BLOCKS][place % CHUNK_BLOCKS]
    }

    /// A block, if it has any.
    pub(super) fn get(&self, block: usize) -> Option<&Block> {
        (!self.rows[block].is_empty()).then(|| self.block(block))
    }

    /// The blocks that have any, with their numbers.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        let blocks = if self.is_empty() { 0 } else { self.places.len() };
        (0..blocks).filter_map(|block| self.get(block).map(|decided| (block, decided)))
    }

    /// Begins a ply: nothing is decided.
    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.rows.fill(Rows::NONE);
            self.len = 0;
            self.pool.take_back(&mut self.chunks);
        }
    }

    /// Notes what is decided in a block, of which nothing has been noted since the list was cleared.
    #[inline(always)]
    pub(super) fn put(&mut self, block: usize, decided: &Block) {
        let rows = Rows::of(decided);
        if !rows.is_empty() {
            self.push(block, decided, rows);
        }
    }

    /// Notes a set of a block, of which others may have been noted.
    #[inline(always)]
    pub(super) fn insert(&mut self, block: usize, set: usize) {
        let (row, word) = (set / (64 * LANES), set / 64 % LANES);
        let rows = self.rows[block];
        if rows.is_empty() && !self.push(block, &EMPTY, rows) {
            return;
        }
        self.rows[block] = rows.or(Rows::one(row));
        let place = self.places[block] as usize;
        self.chunks[place / CHUNK_BLOCKS][place % CHUNK_BLOCKS][row][word] |= 1 << (set % 64);
    }

    /// Adds a block that the list does not have yet, with what it has in which rows. Was there memory for it?
    #[inline(always)]
    fn push(&mut self, block: usize, decided: &Block, rows: Rows) -> bool {
        if self.len.is_multiple_of(CHUNK_BLOCKS) {
            match self.pool.chunk() {
                Some(chunk) => self.chunks.push(chunk),
                None => return false,
            }
        }
        self.chunks[self.len / CHUNK_BLOCKS].push(*decided);
        (self.rows[block], self.places[block]) = (rows, self.len as u32);
        self.len += 1;
        true
    }

    /// The same blocks in chunks of their own.
    pub(super) fn copy(&self) -> Decided {
        let mut copy = Decided::new(self.places.len(), &self.pool);
        self.blocks().for_each(|(block, decided)| copy.put(block, decided));
        copy
    }
}

/// Bytes that the list of a [`Decided`] takes, whatever is decided, and those that it takes at most.
pub(super) fn bytes_of_decided(blocks: u64) -> (u64, u64) {
    let list = blocks * (size_of::<Rows>() + size_of::<u32>()) as u64;
    (list, list + blocks.div_ceil(CHUNK_BLOCKS as u64) * CHUNK_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block with one set.
    fn one(set: u64) -> Block {
        let mut block = EMPTY;
        block[0][0] = 1 << set;
        block
    }

    #[test]
    fn lists_take_only_the_chunks_that_they_fill() {
        let blocks = 5 * CHUNK_BLOCKS;
        let pool = Arc::new(Pool::new(4 * CHUNK_BYTES, 0));
        let (mut first, mut second) = (Decided::new(blocks, &pool), Decided::new(blocks, &pool));
        (0..blocks).for_each(|block| first.put(block, &EMPTY));
        assert!(first.is_empty() && pool.bytes() == 0);
        (0..=CHUNK_BLOCKS).for_each(|block| first.put(2 * block, &one(1)));
        assert_eq!((first.count(), pool.bytes()), (CHUNK_BLOCKS as u64 + 1, 2 * CHUNK_BYTES));
        assert!(
            first.get(1).is_none()
                && first.get(2) == Some(&one(1))
                && first.rows(2 * CHUNK_BLOCKS) == Rows::of(&one(1))
        );
        assert!(first.copy().blocks().eq(first.blocks()));
        // What a list gives back another takes.
        first.clear();
        (0..2 * CHUNK_BLOCKS).for_each(|block| second.put(block, &one(2)));
        assert_eq!((pool.bytes(), pool.shortage()), (4 * CHUNK_BYTES, None));
    }

    #[test]
    fn a_pool_remembers_that_it_had_none() {
        let pool = Arc::new(Pool::new(2 * CHUNK_BYTES - 1, 1 << 20));
        let mut list = Decided::new(2 * CHUNK_BLOCKS, &pool);
        (0..CHUNK_BLOCKS).for_each(|block| list.put(block, &one(3)));
        assert_eq!(pool.shortage(), None);
        list.put(CHUNK_BLOCKS, &one(3));
        assert_eq!((pool.shortage(), list.count()), (Some(Shortage::Limit), CHUNK_BLOCKS as u64));
        list.clear();
        assert_eq!(pool.shortage(), Some(Shortage::Limit), "the list was incomplete");
        let pool = Pool::new(u64::MAX, usize::MAX / 2);
        assert_eq!(pool.shortage(), Some(Shortage::System));
    }
}
