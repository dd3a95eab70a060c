//! Blocks: one bit for each of 4,096 Rebel sets, the unit of work of retrograde analysis; lists of blocks, and their memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::memory::Shortage;
use privy_base::best_instructions;
use privy_base::threads;

/// Words of a row, and rows of a block.
pub const LANES: usize = 8;
pub(super) const ROWS: usize = 8;
/// Rebel sets of a block.
pub const BLOCK_SETS: usize = ROWS * LANES * 64;

/// One bit for each of 512 Rebel sets.
pub(super) type BitRow = [u64; LANES];
/// One bit for each of 4,096 Rebel sets.
pub type Block = [BitRow; ROWS];
/// A bit per Rebel set of an index.
pub(super) type Bits = Vec<Block>;

/// Blocks that a thread takes at a time, where a pass goes by blocks.
pub(super) const BLOCKS_OF_TASK: usize = 64;

/// Does a task with what stands for each block, and the number of the block.
pub(super) fn each_block<T: Send>(blocks: &mut [T], task: impl Fn(usize, &mut T) + Sync) {
    threads::each(blocks.chunks_mut(BLOCKS_OF_TASK).enumerate(), |(number, blocks)| {
        (number * BLOCKS_OF_TASK..).zip(blocks).for_each(|(block, of_block)| task(block, of_block));
    });
}

pub const EMPTY: Block = [[0; LANES]; ROWS];
pub(super) const FULL: Block = [[!0; LANES]; ROWS];

/// Some rows of a block, a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows(u8);

impl Rows {
    pub(super) const NONE: Rows = Rows(0);
    pub const ALL: Rows = Rows(!0);

    /// The rows in which a block has any sets.
    #[inline(always)]
    pub fn of(block: &Block) -> Rows {
        let rows = block.iter().enumerate();
        Rows(rows.fold(0, |rows, (number, row)| rows | u8::from(!is_empty_row(row)) << number))
    }

    pub(super) fn that(condition: impl Fn(usize) -> bool) -> Rows {
        Rows((0..ROWS).fold(0, |rows, number| rows | u8::from(condition(number)) << number))
    }

    #[inline(always)]
    pub fn one(row: usize) -> Rows {
        Rows(1 << row)
    }

    /// A bit for each row.
    #[inline(always)]
    pub(super) fn bits(self) -> usize {
        self.0.into()
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(super) fn contains(self, row: usize) -> bool {
        self.0 >> row & 1 != 0
    }

    #[inline(always)]
    pub(super) fn without(self, row: usize) -> Rows {
        Rows(self.0 & !(1 << row))
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Rows) -> Rows {
        Rows(self.0 & !other.0)
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

/// Sets of some rows of a block; what the others hold means nothing.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub sets: Block,
    pub rows: Rows,
}

impl Found {
    pub const NONE: Found = Found { sets: EMPTY, rows: Rows::NONE };

    /// Adds rows, empty ones where they are new.
    #[inline(always)]
    pub(super) fn include(&mut self, rows: Rows) {
        for row in rows.minus(self.rows) {
            self.sets[row] = [0; LANES];
        }
        self.rows = self.rows.or(rows);
    }

    /// Leaves out empty rows.
    #[inline(always)]
    pub(super) fn trim(&mut self) {
        for row in self.rows {
            if is_empty_row(&self.sets[row]) {
                self.rows = self.rows.without(row);
            }
        }
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
pub(super) fn is_empty_row(row: &BitRow) -> bool {
    row.iter().fold(0, |all, word| all | word) == 0
}

#[inline(always)]
pub(super) fn or_row(into: &mut BitRow, other: &BitRow) {
    for lane in 0..LANES {
        into[lane] |= other[lane];
    }
}

#[inline(always)]
pub(super) fn minus_row(into: &mut BitRow, other: &BitRow) {
    for lane in 0..LANES {
        into[lane] &= !other[lane];
    }
}

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

/// Writes a value at every set of some rows of a block; `values` has a byte per set.
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

pub(super) fn with_value(values: &[u8], value: u8) -> Block {
    let mut block = EMPTY;
    for (word, bytes) in block.iter_mut().flatten().zip(values.chunks_exact(64)) {
        *word = bytes.iter().enumerate().fold(0, |word, (bit, byte)| word | u64::from(*byte == value) << bit);
    }
    block
}

/// Blocks of a chunk, the unit of memory of [`Decided`].
pub const CHUNK_BLOCKS: usize = 16;
pub const CHUNK_BYTES: u64 = (CHUNK_BLOCKS * size_of::<Block>()) as u64;

/// The memory of lists of blocks: chunks that the lists exchange, up to a limit. A list that gets no chunk stays incomplete; the pool
/// then has a shortage.
#[derive(Debug)]
pub struct Pool {
    free: Mutex<Vec<Vec<Block>>>,
    /// Chunks made so far, and their limit.
    made: AtomicU64,
    most: u64,
    /// Released when the system has no more memory, so that the solve can end in order.
    spare: Mutex<Vec<u8>>,
    shortage: OnceLock<Shortage>,
}

impl Pool {
    /// A pool of at most `most_bytes`. The spare bytes are never touched, and do not count.
    pub fn new(most_bytes: u64, spare_bytes: usize) -> Pool {
        let (made, most, shortage) = (AtomicU64::new(0), most_bytes / CHUNK_BYTES, OnceLock::new());
        let mut spare = Vec::new();
        if spare.try_reserve_exact(spare_bytes).is_err() {
            let _ = shortage.set(Shortage::System);
        }
        Pool { free: Mutex::default(), made, most, spare: Mutex::new(spare), shortage }
    }

    pub fn bytes(&self) -> u64 {
        self.made.load(Ordering::Relaxed) * CHUNK_BYTES
    }

    /// The reason why a list has stayed incomplete, if one has.
    pub fn shortage(&self) -> Option<Shortage> {
        self.shortage.get().copied()
    }

    fn note(&self, shortage: Shortage) {
        let _ = self.shortage.set(shortage);
        if shortage == Shortage::System {
            *lock(&self.spare) = Vec::new();
        }
    }

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

    /// Returns unused chunks to the system.
    pub(super) fn give_back(&self) {
        *lock(&self.free) = Vec::new();
    }
}

/// A poisoned lock is safe: a list of chunks is valid at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets decided in one ply: only the nonempty blocks, in chunks of a pool.
#[derive(Debug)]
pub struct Decided {
    pool: Arc<Pool>,
    /// By block, the nonempty rows.
    rows: Vec<Rows>,
    /// By nonempty block, its place in the chunks.
    places: Vec<u32>,
    chunks: Vec<Vec<Block>>,
    len: usize,
    count: u64,
}

impl Decided {
    pub fn new(blocks: usize, pool: &Arc<Pool>) -> Decided {
        let (rows, places) = (vec![Rows::NONE; blocks], vec![0; blocks]);
        Decided { pool: Arc::clone(pool), rows, places, chunks: Vec::new(), len: 0, count: 0 }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of sets.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The nonempty rows of a block.
    #[inline(always)]
    pub fn rows(&self, block: usize) -> Rows {
        self.rows[block]
    }

    /// A nonempty block.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> &Block {
        let place = self.places[block] as usize;
        &self.chunks[place / CHUNK_BLOCKS][place % CHUNK_BLOCKS]
    }

    pub fn get(&self, block: usize) -> Option<&Block> {
        (!self.rows[block].is_empty()).then(|| self.block(block))
    }

    pub fn blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        let blocks = if self.is_empty() { 0 } else { self.places.len() };
        (0..blocks).filter_map(|block| self.get(block).map(|decided| (block, decided)))
    }

    pub fn clear(&mut self) {
        if self.len > 0 {
            self.rows.fill(Rows::NONE);
            (self.len, self.count) = (0, 0);
            self.chunks.iter_mut().for_each(Vec::clear);
            lock(&self.pool.free).append(&mut self.chunks);
        }
    }

    /// Sets a block, once after the list was cleared; no row may be empty.
    #[inline(always)]
    pub fn put(&mut self, block: usize, Found { sets, rows }: &Found) {
        if !rows.is_empty() && self.push(block, sets, *rows) {
            for row in *rows {
                for word in sets[row] {
                    self.count += u64::from(word.count_ones());
                }
            }
        }
    }

    /// Adds a new block with its nonempty rows; false when there was no memory.
    #[inline(always)]
    fn push(&mut self, block: usize, decided: &Block, rows: Rows) -> bool {
        if self.len.is_multiple_of(CHUNK_BLOCKS) {
            match self.pool.chunk() {
                Some(chunk) => self.chunks.push(chunk),
                None => return false,
            }
        }
        let (chunk, place) = (&mut self.chunks[self.len / CHUNK_BLOCKS], self.len % CHUNK_BLOCKS);
        chunk.resize(place + 1, EMPTY);
        for row in rows {
            chunk[place][row] = decided[row];
        }
        (self.rows[block], self.places[block]) = (rows, self.len as u32);
        self.len += 1;
        true
    }

    /// A copy in separate chunks.
    pub fn copy(&self) -> Decided {
        let mut copy = Decided::new(self.places.len(), &self.pool);
        self.blocks().for_each(|(block, sets)| copy.put(block, &Found { sets: *sets, rows: self.rows[block] }));
        copy
    }
}

pub(super) fn bytes_of_decided(blocks: u64) -> (u64, u64) {
    let list = blocks * (size_of::<Rows>() + size_of::<u32>()) as u64;
    (list, list + blocks.div_ceil(CHUNK_BLOCKS as u64) * CHUNK_BYTES)
}

/// Positions of a state with the Rebels to move, or of the General's arrivals in it: decided in the last ply, and up to it.
#[derive(Debug)]
pub(super) struct StateResults {
    pub(super) won: Decided,
    pub(super) lost: Decided,
    /// Not won, and lost, up to the last ply; empty where nothing reads them.
    pub(super) not_won: Bits,
    pub(super) all_lost: Bits,
}

best_instructions! {
    /// Adds the last ply to the sums.
    pub(super) fn dispatch_add_up(results: &mut StateResults) {
        let StateResults { won, lost, not_won, all_lost } = results;
        if !not_won.is_empty() {
            for (block, sets) in won.blocks() {
                minus(&mut not_won[block], sets, won.rows(block));
            }
        }
        if !all_lost.is_empty() {
            for (block, sets) in lost.blocks() {
                or(&mut all_lost[block], sets, lost.rows(block));
            }
        }
    }
}
