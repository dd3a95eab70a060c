//! Tables of bits, one per Rebel set, and what is done with whole blocks of them.

use crate::board::PointSet;

use super::index::{Block, EMPTY, FULL, Index};

/// A bit per Rebel set.
pub(super) type Bits = Vec<Block>;

pub(super) fn or(into: &mut Block, other: &Block) {
    for (a, b) in into.iter_mut().flatten().zip(other.iter().flatten()) {
        *a |= b;
    }
}

pub(super) fn and(into: &mut Block, other: &Block) {
    for (a, b) in into.iter_mut().flatten().zip(other.iter().flatten()) {
        *a &= b;
    }
}

pub(super) fn minus(into: &mut Block, other: &Block) {
    for (a, b) in into.iter_mut().flatten().zip(other.iter().flatten()) {
        *a &= !b;
    }
}

pub(super) fn is_empty(block: &Block) -> bool {
    block.iter().flatten().fold(0, |all, word| all | word) == 0
}

/// Sets found in one ply, with the blocks that have any.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) bits: Bits,
    /// Per block.
    pub(super) any: Vec<bool>,
}

impl Found {
    pub(super) fn new(blocks: usize) -> Found {
        Found { bits: vec![EMPTY; blocks], any: vec![false; blocks] }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.any.iter().any(|any| *any)
    }

    pub(super) fn count(&self) -> u64 {
        let counted = self.bits.iter().zip(&self.any).filter(|(_, any)| **any).map(|(block, _)| block);
        counted.flatten().flatten().map(|word| u64::from(word.count_ones())).sum()
    }

    #[inline(always)]
    pub(super) fn put(&mut self, block: usize, found: &Block) {
        let any = !is_empty(found);
        if any || self.any[block] {
            self.bits[block] = *found;
        }
        self.any[block] = any;
    }
}

/// The sets of a block in which both ends of a pair hold Rebels.
pub(super) fn held(space: &Index, pair: PointSet, block: usize) -> Block {
    pair.into_iter().fold(FULL, |mut held, point| {
        and(&mut held, &space.occupied(point, block));
        held
    })
}

/// Writes a value at every set of a block.
#[inline(always)]
pub(super) fn note(decided: &Block, value: u8, plies: &mut [u8]) {
    for (word, chunk) in decided.iter().flatten().zip(plies.chunks_exact_mut(64)) {
        let mut bits = *word;
        while bits != 0 {
            chunk[bits.trailing_zeros() as usize] = value;
            bits &= bits - 1;
        }
    }
}
