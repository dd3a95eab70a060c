//! Blocks: one bit for each of 4,096 Rebel sets, the unit of work of retrograde analysis.

use crate::cpu::best_instructions;

/// Words of a row, and rows of a block.
pub(super) const LANES: usize = 8;
pub(super) const ROWS: usize = 8;
/// Rebel sets of a block.
pub(super) const BLOCK_SETS: usize = ROWS * LANES * 64;

/// One bit for each of 4,096 Rebel sets.
pub(super) type Block = [[u64; LANES]; ROWS];
/// A bit per Rebel set of an index.
pub(super) type Bits = Vec<Block>;

pub(super) const EMPTY: Block = [[0; LANES]; ROWS];
pub(super) const FULL: Block = [[!0; LANES]; ROWS];

#[inline(always)]
fn combine(into: &mut Block, other: &Block, operation: impl Fn(u64, u64) -> u64) {
    for (a, b) in into.iter_mut().flatten().zip(other.iter().flatten()) {
        *a = operation(*a, *b);
    }
}

#[inline(always)]
pub(super) fn or(into: &mut Block, other: &Block) {
    combine(into, other, |a, b| a | b);
}

#[inline(always)]
pub(super) fn and(into: &mut Block, other: &Block) {
    combine(into, other, |a, b| a & b);
}

#[inline(always)]
pub(super) fn minus(into: &mut Block, other: &Block) {
    combine(into, other, |a, b| a & !b);
}

#[inline(always)]
pub(super) fn is_empty(block: &Block) -> bool {
    block.iter().flatten().fold(0, |all, word| all | word) == 0
}

/// How many sets two blocks have in common.
#[inline(always)]
pub(super) fn count_common(a: &Block, b: &Block) -> u64 {
    let mut count = 0;
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        count += u64::from((a & b).count_ones());
    }
    count
}

/// Writes a value at every set of a block; `values` has a byte per set.
#[inline(always)]
pub(super) fn write_value(sets: &Block, value: u8, values: &mut [u8]) {
    for (word, chunk) in sets.iter().flatten().zip(values.chunks_exact_mut(64)) {
        let mut bits = *word;
        while bits != 0 {
            chunk[bits.trailing_zeros() as usize] = value;
            bits &= bits - 1;
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

/// Sets decided in one ply, with the blocks that have any.
#[derive(Debug)]
pub(super) struct Decided {
    pub(super) bits: Bits,
    /// Per block.
    pub(super) any: Vec<bool>,
}

impl Decided {
    pub(super) fn new(blocks: usize) -> Decided {
        Decided { bits: vec![EMPTY; blocks], any: vec![false; blocks] }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.any.contains(&true)
    }

    pub(super) fn count(&self) -> u64 {
        dispatch_count(self)
    }

    /// The blocks that have any, with their numbers.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.bits.iter().enumerate().filter(|(block, _)| self.any[*block])
    }

    #[inline(always)]
    pub(super) fn put(&mut self, block: usize, decided: &Block) {
        let any = !is_empty(decided);
        if any || self.any[block] {
            self.bits[block] = *decided;
        }
        self.any[block] = any;
    }
}
