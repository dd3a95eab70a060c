//! The shifts of the index of Rebel sets by which a move changes it.

use std::sync::Arc;

use crate::numbering::word_sets;
use privy_rules::board::PointSet;

use super::block::{BitRow, Block, LANES, ROWS, Rows};
use super::mirrored_planes::MirroredPlanes;
use super::plane_index::{BLOCK_BITS, PlaneIndex, ROW_BITS, WORD_BITS, all_if, is_odd};

/// What a move requires of the bits that choose a block or a row, and does to them.
#[derive(Debug, Clone, Copy)]
struct IndexPart {
    set: usize,
    clear: usize,
    flip: usize,
}

impl IndexPart {
    #[inline(always)]
    fn admits(self, number: usize) -> bool {
        number & self.set == self.set && number & self.clear == 0
    }
}

/// For every set of a block that meets conditions, reads the bit of the set that differs from it in given points.
#[derive(Debug, Clone)]
pub(super) struct PlaneShift {
    block: IndexPart,
    /// The rows in which sets meet the conditions, and the difference (exclusive or) of their numbers from the source's.
    rows: Rows,
    row_flip: usize,
    lane_flip: usize,
    left: u32,
    right: u32,
    /// By the parity of block and row, per word of a row: the sets that meet the conditions.
    masks: [[u64; LANES]; 2],
    /// The source is a mirror image.
    mirrored: Option<Arc<MirroredPlanes>>,
}

impl PlaneShift {
    /// The points of `set` must hold Rebels and those of `clear` none; the points of `flip`, a part of these, differ in the source.
    pub(super) fn new(index: &PlaneIndex, set: PointSet, clear: PointSet, flip: PointSet) -> PlaneShift {
        let [set_bits, clear_bits, flip_bits] = [set, clear, flip].map(|points| index.number(points));
        let word = |bits: usize| bits & 63;
        let lane = |bits: usize| bits >> WORD_BITS & (LANES - 1);
        let [sets_hidden, clears_hidden] =
            [set, clear].map(|points| points.into_iter().any(|p| index.bit(p).is_none()));
        let mut masks = [[0; LANES]; 2];
        for (upper, masks) in masks.iter_mut().enumerate() {
            for (number, mask) in masks.iter_mut().enumerate() {
                let is_admitted = number & lane(set_bits) == lane(set_bits) && number & lane(clear_bits) == 0;
                *mask = all_if(is_admitted) & word_sets(set_bits, clear_bits);
                let hidden = index.hidden_point(number, upper != 0);
                *mask &= if sets_hidden { hidden } else { !0 };
                *mask &= if clears_hidden { !hidden } else { !0 };
            }
        }
        let part = |of: fn(usize) -> usize| IndexPart { set: of(set_bits), clear: of(clear_bits), flip: of(flip_bits) };
        let of_rows = part(|bits| bits >> ROW_BITS & (ROWS - 1));
        PlaneShift {
            block: part(|bits| bits >> BLOCK_BITS),
            rows: Rows::that(|row| of_rows.admits(row)),
            row_flip: of_rows.flip,
            lane_flip: lane(flip_bits),
            // A point set here is empty in the source, whose number is lower: its bit moves up.
            left: (word(flip_bits) & word(set_bits)) as u32,
            right: (word(flip_bits) & word(clear_bits)) as u32,
            masks,
            mirrored: None,
        }
    }

    /// The same shift from the mirror image of a plane, where there is one.
    pub(super) fn mirrored(self, mirrored: Option<&Arc<MirroredPlanes>>) -> PlaneShift {
        PlaneShift { mirrored: mirrored.cloned(), ..self }
    }

    /// The source of a block; `None` when no set of the block meets the conditions.
    #[inline(always)]
    pub(super) fn source(&self, block: usize) -> Option<usize> {
        let source = self.block.admits(block).then_some(block ^ self.block.flip)?;
        Some(self.mirrored.as_ref().map_or(source, |mirrored| mirrored.block(source)))
    }

    /// True if sets of a row meet the conditions.
    #[inline(always)]
    pub(super) fn admits(&self, row: usize) -> bool {
        self.rows.contains(row)
    }

    /// The rows that may read a set, given the nonempty rows of the source.
    #[inline(always)]
    pub(super) fn rows(&self, rows: Rows) -> Rows {
        let rows = self.mirrored.as_ref().map_or(rows, |mirrored| mirrored.rows(rows));
        self.rows.and(rows.flipped(self.row_flip))
    }

    /// The row of the source, or of its image, that a row reads.
    #[inline(always)]
    fn source_row(&self, row: usize) -> usize {
        (row ^ self.row_flip) & (ROWS - 1)
    }

    /// The sets of a row that meet the conditions, where the block and the row do.
    #[inline(always)]
    pub(super) fn admitted(&self, block: usize, row: usize) -> &BitRow {
        &self.masks[usize::from(is_odd(block) ^ is_odd(row))]
    }

    /// The sets of a row that meet the conditions and whose source is set.
    #[inline(always)]
    pub(super) fn read_row(&self, block: usize, row: usize, source: &Block) -> BitRow {
        match &self.mirrored {
            None => self.shift_row(block, row, &source[self.source_row(row)]),
            Some(mirrored) => self.shift_row(block, row, &mirrored.row(source, self.source_row(row))),
        }
    }

    #[inline(always)]
    fn shift_row(&self, block: usize, row: usize, source: &BitRow) -> BitRow {
        match self.lane_flip {
            0 => self.read_words::<0>(block, row, source),
            1 => self.read_words::<1>(block, row, source),
            2 => self.read_words::<2>(block, row, source),
            3 => self.read_words::<3>(block, row, source),
            4 => self.read_words::<4>(block, row, source),
            5 => self.read_words::<5>(block, row, source),
            6 => self.read_words::<6>(block, row, source),
            _ => self.read_words::<7>(block, row, source),
        }
    }

    #[inline(always)]
    fn read_words<const FLIP: usize>(&self, block: usize, row: usize, source: &BitRow) -> BitRow {
        let masks = self.admitted(block, row);
        // A call of `from_fn` is not always inlined.
        let mut read = [0; LANES];
        for lane in 0..LANES {
            read[lane] = source[lane ^ FLIP] << self.left >> self.right & masks[lane];
        }
        read
    }

    /// Reads a word of each row of the source that some rows read, so that it is at hand.
    #[inline(always)]
    pub(super) fn fetch(&self, source: &Block, rows: Rows) -> u64 {
        let rows = self.rows.and(rows).flipped(self.row_flip);
        let rows = self.mirrored.as_ref().map_or(rows, |mirrored| mirrored.rows(rows));
        rows.fold(0, |read, row| read ^ source[row][0])
    }

    /// Adds to `result` the sets of `block` that meet the conditions and whose source is set; in rows that [`rows`](PlaneShift::rows) gave.
    #[inline(always)]
    pub(super) fn add(&self, block: usize, source: &Block, rows: Rows, result: &mut Block) {
        self.by_rows(block, source, rows, result, |into, read| *into |= read);
    }

    /// Removes the same from `result`.
    #[inline(always)]
    pub(super) fn subtract(&self, block: usize, source: &Block, rows: Rows, result: &mut Block) {
        self.by_rows(block, source, rows, result, |into, read| *into &= !read);
    }

    #[inline(always)]
    fn by_rows(
        &self,
        block: usize,
        source: &Block,
        rows: Rows,
        result: &mut Block,
        combine: impl Fn(&mut u64, u64) + Copy,
    ) {
        match self.lane_flip {
            0 => self.by_words::<0>(block, source, rows, result, combine),
            1 => self.by_words::<1>(block, source, rows, result, combine),
            2 => self.by_words::<2>(block, source, rows, result, combine),
            3 => self.by_words::<3>(block, source, rows, result, combine),
            4 => self.by_words::<4>(block, source, rows, result, combine),
            5 => self.by_words::<5>(block, source, rows, result, combine),
            6 => self.by_words::<6>(block, source, rows, result, combine),
            _ => self.by_words::<7>(block, source, rows, result, combine),
        }
    }

    #[inline(always)]
    fn by_words<const FLIP: usize>(
        &self,
        block: usize,
        source: &Block,
        rows: Rows,
        result: &mut Block,
        combine: impl Fn(&mut u64, u64) + Copy,
    ) {
        let add =
            |into: &mut BitRow, read: BitRow| into.iter_mut().zip(read).for_each(|(into, read)| combine(into, read));
        match &self.mirrored {
            None => {
                for row in rows {
                    let from = &source[self.source_row(row)];
                    add(&mut result[row], self.read_words::<FLIP>(block, row, from));
                }
            }
            Some(mirrored) => {
                for row in rows {
                    let from = mirrored.row(source, self.source_row(row));
                    add(&mut result[row], self.read_words::<FLIP>(block, row, &from));
                }
            }
        }
    }
}
