//! Blocks of Rebel sets by their index, and the shifts by which a move changes it.
//!
//! Of the bits of an index, six choose the bit of a word, three the word of a row (its lane), three the row of a block, and
//! the rest the block.

use crate::numbering::{OCCUPIED, word_sets};
use crate::states::parity;
use privy_rules::Variant;
use privy_rules::board::{Mirror, Point, PointSet};

use super::block::{BLOCK_SETS, BitRow, Block, Decided, EMPTY, LANES, ROWS, Rows, minus_row};

/// Bits of the index within a word, a row, a block.
const WORD_BITS: u32 = 6;
const ROW_BITS: u32 = 9;
const BLOCK_BITS: u32 = 12;

/// The bits of a word whose number has an odd number of ones.
const ODD: u64 = 0x6996_9669_9669_6996;

/// By number of ones, the bits of a word whose number has as many.
const WITH_ONES: [u64; 7] = {
    let mut table = [0; 7];
    let mut bit = 0u32;
    while bit < 64 {
        table[bit.count_ones() as usize] |= 1 << bit;
        bit += 1;
    }
    table
};

#[inline(always)]
fn is_odd(number: usize) -> bool {
    number.count_ones() & 1 != 0
}

#[inline(always)]
fn all_if(condition: bool) -> u64 {
    if condition { !0 } else { 0 }
}

/// Numbers for all sets on the first points of a board: the sets themselves. Where captures take pairs only, the number of Rebels keeps its
/// parity: the first point then follows from the others and is left out, which halves every plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlaneIndex {
    points: u32,
    /// All sets, or those with an even (0) or odd (1) number of Rebels.
    pub(super) parity: Option<u32>,
}

impl PlaneIndex {
    pub(super) fn of(variant: &Variant) -> PlaneIndex {
        PlaneIndex { points: variant.rules().ground().len(), parity: parity(variant) }
    }

    pub(super) fn used_bits(&self) -> u32 {
        self.points.saturating_sub(u32::from(self.parity.is_some()))
    }

    /// Number of sets; part of a block is unused on a field smaller than a block.
    pub(super) fn sets(&self) -> usize {
        1 << self.used_bits().max(BLOCK_BITS)
    }

    /// The bit of a point; `None` for the point that the parity determines.
    pub(super) fn bit(&self, point: Point) -> Option<u32> {
        (point.index() as u32).checked_sub(u32::from(self.parity.is_some()))
    }

    /// The number of a set; `None` when it has the other parity.
    fn number(&self, rebels: PointSet) -> Option<usize> {
        match self.parity {
            None => Some(rebels.0 as usize),
            Some(parity) => (rebels.len() & 1 == parity).then_some((rebels.0 >> 1) as usize),
        }
    }

    fn set(&self, number: usize) -> PointSet {
        match self.parity {
            None => PointSet(number as u64),
            Some(parity) => PointSet((number as u64) << 1 | u64::from(number.count_ones() & 1 != parity)),
        }
    }

    pub(super) fn blocks(&self) -> usize {
        self.sets() / BLOCK_SETS
    }

    /// The sets of a row of a block in which a point holds a Rebel.
    #[inline(always)]
    fn occupied(&self, point: Point, block: usize, row: usize) -> BitRow {
        let mut words = [0; LANES];
        for (lane, word) in words.iter_mut().enumerate() {
            *word = match self.bit(point) {
                Some(bit) if bit < WORD_BITS => OCCUPIED[bit as usize],
                Some(bit) if bit < ROW_BITS => all_if(lane >> (bit - WORD_BITS) & 1 != 0),
                Some(bit) if bit < BLOCK_BITS => all_if(row >> (bit - ROW_BITS) & 1 != 0),
                Some(bit) => all_if(block >> (bit - BLOCK_BITS) & 1 != 0),
                None => self.first_point(lane, is_odd(block) ^ is_odd(row)),
            };
        }
        words
    }

    /// Removes from some rows of a block the sets in which all of the points hold Rebels.
    #[inline(always)]
    pub(super) fn without_held(&self, points: PointSet, block: usize, rows: Rows, sets: &mut Block) {
        for row in rows {
            let mut held = [!0; LANES];
            for point in points {
                let occupied = self.occupied(point, block, row);
                for lane in 0..LANES {
                    held[lane] &= occupied[lane];
                }
            }
            minus_row(&mut sets[row], &held);
        }
    }

    /// In a word, the sets in which the point left out of the index holds a Rebel; `upper` is the parity of block and row.
    #[inline(always)]
    fn first_point(&self, lane: usize, upper: bool) -> u64 {
        ODD ^ all_if(upper ^ is_odd(lane)) ^ all_if(self.parity == Some(1))
    }

    /// True if a block has sets with at most `most` Rebels, none of them on the General's point; `None` is a General off the ground.
    pub(super) fn has_sets(&self, block: usize, general: Option<Point>, most: u32) -> bool {
        let held = |point: Point| {
            self.bit(point).and_then(|bit| bit.checked_sub(BLOCK_BITS)).is_some_and(|bit| block >> bit & 1 != 0)
        };
        // The Rebels common to all sets of the block.
        !general.is_some_and(held) && self.rebels(block.count_ones()) <= most
    }

    /// The Rebels of a set whose number has so many ones: the first point, if it is left out, gives them their parity.
    #[inline(always)]
    pub(super) fn rebels(&self, shown: u32) -> u32 {
        shown + u32::from(self.parity.is_some_and(|parity| shown & 1 != parity))
    }

    /// The sets of a word of a block by their number of Rebels.
    #[inline(always)]
    pub(super) fn sets_by_count(&self, block: usize, word: usize) -> impl Iterator<Item = (u32, u64)> {
        let (outside, index) = (block.count_ones() + word.count_ones(), *self);
        (outside..).zip(WITH_ONES).map(move |(shown, sets)| (index.rebels(shown), sets))
    }

    /// The sets of a block with `least` to `most` Rebels, all on points that exist.
    #[inline(always)]
    pub(super) fn counted(&self, block: usize, least: u32, most: u32) -> Block {
        let mut result = EMPTY;
        let outside = (BLOCK_SETS - 1) & !((1 << self.used_bits().min(BLOCK_BITS)) - 1);
        for (row, words) in result.iter_mut().enumerate() {
            for (lane, word) in words.iter_mut().enumerate() {
                if (row << ROW_BITS | lane << WORD_BITS) & outside != 0 {
                    continue;
                }
                for (count, sets) in self.sets_by_count(block, row * LANES + lane) {
                    if (least..=most).contains(&count) {
                        *word |= sets;
                    }
                }
                for (_, occupied) in OCCUPIED.iter().enumerate().filter(|(bit, _)| outside >> bit & 1 != 0) {
                    *word &= !occupied;
                }
            }
        }
        result
    }
}

/// Mirror images in an index. The image of a number is an affine function of its bits: the sum (exclusive or) of a part for the block and
/// one for the set in it.
#[derive(Debug)]
pub(super) struct MirroredIndex {
    of_block: Vec<u32>,
    of_set: Vec<u32>,
}

impl MirroredIndex {
    pub(super) fn new(index: &PlaneIndex, mirror: &Mirror) -> MirroredIndex {
        let image = |number: usize| {
            let image = index.number(mirror.set(index.set(number)));
            image.expect("a mirror image has as many Rebels") as u32
        };
        let of_bits: Vec<u32> = (0..index.used_bits()).map(|bit| image(1 << bit) ^ image(0)).collect();
        // Unused bits are never set.
        let linear = |number: usize| {
            let bits = of_bits.iter().enumerate().filter(|(bit, _)| number >> bit & 1 != 0);
            bits.fold(0, |sum, (_, image)| sum ^ image)
        };
        MirroredIndex {
            of_block: (0..index.blocks()).map(|block| image(0) ^ linear(block << BLOCK_BITS)).collect(),
            of_set: (0..BLOCK_SETS).map(linear).collect(),
        }
    }

    #[inline(always)]
    pub(super) fn reflect(&self, sets: &Decided, images: &mut Decided) {
        for (block, decided) in sets.blocks() {
            let of_block = self.of_block[block];
            for (word, of_set) in decided.as_flattened().iter().zip(self.of_set.chunks_exact(64)) {
                let mut bits = *word;
                while bits != 0 {
                    let number = (of_block ^ of_set[bits.trailing_zeros() as usize]) as usize;
                    images.insert(number / BLOCK_SETS, number % BLOCK_SETS);
                    bits &= bits - 1;
                }
            }
        }
    }
}

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
}

impl PlaneShift {
    /// The points of `set` must hold Rebels and those of `clear` none; the points of `flip`, a part of these, differ in the source.
    pub(super) fn new(index: &PlaneIndex, set: PointSet, clear: PointSet, flip: PointSet) -> PlaneShift {
        let bits =
            |points: PointSet| points.into_iter().filter_map(|p| index.bit(p)).fold(0usize, |bits, p| bits | 1 << p);
        let (set_bits, clear_bits, flip_bits) = (bits(set), bits(clear), bits(flip));
        let word = |bits: usize| bits & 63;
        let lane = |bits: usize| bits >> WORD_BITS & (LANES - 1);
        let mut masks = [[0; LANES]; 2];
        let hidden = PointSet::of(Point::new(0));
        for (upper, masks) in masks.iter_mut().enumerate() {
            for (number, mask) in masks.iter_mut().enumerate() {
                let is_admitted = number & lane(set_bits) == lane(set_bits) && number & lane(clear_bits) == 0;
                *mask = all_if(is_admitted) & word_sets(set_bits, clear_bits);
                if index.parity.is_some() {
                    let first = index.first_point(number, upper != 0);
                    *mask &= if set.meets(hidden) { first } else { !0 };
                    *mask &= if clear.meets(hidden) { !first } else { !0 };
                }
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
        }
    }

    /// The source of a block; `None` when no set of the block meets the conditions.
    #[inline(always)]
    pub(super) fn source(&self, block: usize) -> Option<usize> {
        self.block.admits(block).then_some(block ^ self.block.flip)
    }

    /// The rows that may read a set, given the nonempty rows of the source.
    #[inline(always)]
    pub(super) fn rows(&self, rows: Rows) -> Rows {
        self.rows.and(rows.flipped(self.row_flip))
    }

    /// The row of the source that a row reads.
    #[inline(always)]
    pub(super) fn source_row(&self, row: usize) -> usize {
        (row ^ self.row_flip) & (ROWS - 1)
    }

    /// The sets of a row that meet the conditions, where the block and the row do.
    #[inline(always)]
    pub(super) fn admitted(&self, block: usize, row: usize) -> &BitRow {
        &self.masks[usize::from(is_odd(block) ^ is_odd(row))]
    }

    /// The sets of a row that meet the conditions and whose source, in the row of [`source_row`](PlaneShift::source_row), is set.
    #[inline(always)]
    pub(super) fn read_row(&self, block: usize, row: usize, source: &BitRow) -> BitRow {
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
        std::array::from_fn(|lane| source[lane ^ FLIP] << self.left >> self.right & masks[lane])
    }

    /// Reads a word of each row of the source that some rows read, so that it is at hand.
    #[inline(always)]
    pub(super) fn fetch(&self, source: &Block, rows: Rows) -> u64 {
        self.rows.and(rows).fold(0, |read, row| read ^ source[self.source_row(row)][0])
    }

    /// Adds to `result` the sets of `block` that meet the conditions and whose source is set; in rows that [`rows`](PlaneShift::rows) gave.
    #[inline(always)]
    pub(super) fn add(&self, block: usize, source: &Block, rows: Rows, result: &mut Block) {
        self.by_lanes(block, source, rows, result, |into, read| *into |= read);
    }

    /// Removes the same from `result`.
    #[inline(always)]
    pub(super) fn subtract(&self, block: usize, source: &Block, rows: Rows, result: &mut Block) {
        self.by_lanes(block, source, rows, result, |into, read| *into &= !read);
    }

    #[inline(always)]
    fn by_lanes(
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
        combine: impl Fn(&mut u64, u64),
    ) {
        for row in rows {
            let read = self.read_words::<FLIP>(block, row, &source[self.source_row(row)]);
            result[row].iter_mut().zip(read).for_each(|(into, read)| combine(into, read));
        }
    }
}

#[cfg(test)]
mod tests;
