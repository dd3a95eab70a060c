//! The numbers of Rebel sets in planes.
//!
//! Of the bits of a number, six choose the bit of a word, three the word of a row (its lane), three the row of a block, and
//! the rest the block.
//!
//! Where games have mirror images, points and their images have bits side by side, so that the mirror image of a plane can be read from the
//! plane itself, word by word ([`MirroredPlanes`](super::mirrored_planes::MirroredPlanes)).

use crate::numbering::OCCUPIED;
use crate::states::{mirror, parity};
use privy_rules::Variant;
use privy_rules::board::{MAX_POINTS, Mirror, Point, PointSet};

use super::block::{BLOCK_SETS, BitRow, Block, EMPTY, LANES, Rows, minus_row};

/// Bits of the index within a word, a row, a block.
pub(super) const WORD_BITS: u32 = 6;
pub(super) const ROW_BITS: u32 = 9;
pub(super) const BLOCK_BITS: u32 = 12;

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
pub(super) fn is_odd(number: usize) -> bool {
    number.count_ones() & 1 != 0
}

#[inline(always)]
pub(super) fn all_if(condition: bool) -> u64 {
    if condition { !0 } else { 0 }
}

/// The points of an index at most.
pub(super) const MOST_POINTS: usize = 25;
const NO_BIT: u8 = u8::MAX;

/// Numbers for all sets on the first points of a board: a bit for each point. Where captures take pairs only, the number of Rebels keeps its
/// parity: one point then follows from the others and is left out, which halves every plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaneIndex {
    points: u32,
    /// Of the number of Rebels: any, even (0) or odd (1).
    parity: Option<u32>,
    /// The parity determines a point, which is left out.
    leaves_out: bool,
    /// By point, its bit; [`NO_BIT`] for the point left out. Those of other points of the board are never set.
    bits: [u8; MAX_POINTS],
}

impl PlaneIndex {
    /// The index of the planes of a variant.
    pub fn of(variant: &Variant) -> PlaneIndex {
        match mirror(variant) {
            Some(mirror) => PlaneIndex::beside_images(variant.rules().ground(), mirror, parity(variant)),
            None => PlaneIndex::of_ranks(variant),
        }
    }

    /// The numbers in the order of ranks: the points have bits in their order.
    pub fn of_ranks(variant: &Variant) -> PlaneIndex {
        let parity = parity(variant);
        PlaneIndex::in_order(variant.rules().ground(), parity, parity.is_some())
    }

    /// Gives bits to points in an order, but not to the first if it is left out.
    pub fn in_order(order: impl IntoIterator<Item = Point>, parity: Option<u32>, leaves_out: bool) -> PlaneIndex {
        let bits = std::array::from_fn(|point| point as u8);
        let mut index = PlaneIndex { points: 0, parity, leaves_out, bits };
        for point in order {
            let bit = index.points.checked_sub(u32::from(leaves_out));
            index.bits[point.index()] = bit.map_or(NO_BIT, |bit| bit as u8);
            index.points += 1;
        }
        index
    }

    /// Gives bits to points so that the images of a word's sets are in one word, and those of a block's in one block; where enough points are
    /// their own images, those of a row's are in one row. The point left out is its own image: where there is none, planes are twice as large.
    pub fn beside_images(ground: PointSet, mirror: &Mirror, parity: Option<u32>) -> PlaneIndex {
        let mut fixed: Vec<Point> = ground.into_iter().filter(|point| mirror.point(*point) == *point).collect();
        let mut pairs: Vec<Point> = ground.into_iter().filter(|point| mirror.point(*point) > *point).collect();
        // Taken from the end.
        fixed.reverse();
        pairs.reverse();
        // Where all points are in pairs, none may be left out.
        let left_out = parity.and_then(|_| fixed.pop());
        let mut order: Vec<Point> = left_out.into_iter().collect();
        let rooms: &[usize] = if fixed.len() < 2 { &[6, 6] } else { &[6, 3, 3] };
        for mut room in rooms.iter().copied().chain([MOST_POINTS]) {
            while room > 1
                && let Some(point) = pairs.pop()
            {
                order.extend([point, mirror.point(point)]);
                room -= 2;
            }
            while room > 0
                && let Some(point) = fixed.pop()
            {
                order.push(point);
                room -= 1;
            }
        }
        PlaneIndex::in_order(order, parity, left_out.is_some())
    }

    pub fn used_bits(&self) -> u32 {
        self.points.saturating_sub(u32::from(self.leaves_out))
    }

    /// Number of sets; part of a block is unused on a field smaller than a block.
    pub fn sets(&self) -> usize {
        1 << self.used_bits().max(BLOCK_BITS)
    }

    /// The bit of a point; `None` for the point that the parity determines.
    #[inline(always)]
    pub(super) fn bit(&self, point: Point) -> Option<u32> {
        Some(self.bits[point.index()]).filter(|bit| *bit != NO_BIT).map(u32::from)
    }

    /// The points of the sets.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        (0..self.points as usize).map(Point::new)
    }

    /// The bits of a set: its number.
    pub fn number(&self, points: impl IntoIterator<Item = Point>) -> usize {
        points.into_iter().filter_map(|point| self.bit(point)).fold(0, |number, bit| number | 1 << bit)
    }

    /// The set with a number.
    pub fn set(&self, number: usize) -> PointSet {
        let shown: PointSet =
            self.points().filter(|p| self.bit(*p).is_some_and(|bit| number >> bit & 1 != 0)).collect();
        let is_hidden_held = self.leaves_out && self.parity.is_some_and(|parity| shown.len() & 1 != parity);
        self.points().filter(|point| is_hidden_held && self.bit(*point).is_none()).chain(shown).collect()
    }

    pub fn blocks(&self) -> usize {
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
                None => self.hidden_point(lane, is_odd(block) ^ is_odd(row)),
            };
        }
        words
    }

    /// Removes from some rows of a block the sets in which all of the points hold Rebels.
    #[inline(always)]
    pub fn without_held(&self, points: PointSet, block: usize, rows: Rows, sets: &mut Block) {
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
    pub(super) fn hidden_point(&self, lane: usize, upper: bool) -> u64 {
        ODD ^ all_if(upper ^ is_odd(lane)) ^ all_if(self.parity == Some(1))
    }

    /// True if a block has sets with at most `most` Rebels, none of them on the General's point; `None` is a General off the ground.
    pub fn has_sets(&self, block: usize, general: Option<Point>, most: u32) -> bool {
        let held = |point: Point| {
            self.bit(point).and_then(|bit| bit.checked_sub(BLOCK_BITS)).is_some_and(|bit| block >> bit & 1 != 0)
        };
        // The Rebels common to all sets of the block.
        !general.is_some_and(held) && self.with_parity(block.count_ones()) <= most
    }

    /// The Rebels of a set whose number has so many ones: the point left out, if there is one, gives them their parity.
    #[inline(always)]
    pub(super) fn rebels(&self, shown: u32) -> u32 {
        if self.leaves_out { self.with_parity(shown) } else { shown }
    }

    /// The least number of Rebels from a number on.
    #[inline(always)]
    fn with_parity(&self, rebels: u32) -> u32 {
        rebels + u32::from(self.parity.is_some_and(|parity| rebels & 1 != parity))
    }

    /// The sets of a word of a block by their number of Rebels.
    #[inline(always)]
    pub(super) fn sets_by_count(&self, block: usize, word: usize) -> impl Iterator<Item = (u32, u64)> {
        let (outside, index) = (block.count_ones() + word.count_ones(), *self);
        (outside..).zip(WITH_ONES).map(move |(shown, sets)| (index.rebels(shown), sets))
    }

    /// The sets of a block with `least` to `most` Rebels, all on points that exist.
    #[inline(always)]
    pub fn counted(&self, block: usize, least: u32, most: u32) -> Block {
        let mut result = EMPTY;
        let outside = (BLOCK_SETS - 1) & !((1 << self.used_bits().min(BLOCK_BITS)) - 1);
        for (row, words) in result.iter_mut().enumerate() {
            for (lane, word) in words.iter_mut().enumerate() {
                if (row << ROW_BITS | lane << WORD_BITS) & outside != 0 {
                    continue;
                }
                for (count, sets) in self.sets_by_count(block, row * LANES + lane) {
                    if (least..=most).contains(&count) && self.with_parity(count) == count {
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

/// The numbers of an index in another one, an affine function of their bits: the sum (exclusive or) of a part for the block and one for the
/// set in it.
#[derive(Debug)]
pub struct Renumbered {
    of_block: Vec<u32>,
    of_set: Vec<u32>,
}

impl Renumbered {
    pub fn new(from: &PlaneIndex, to: &PlaneIndex) -> Renumbered {
        let image = |number: usize| to.number(from.set(number)) as u32;
        let of_none = image(0);
        let of_bits: Vec<u32> = (0..from.used_bits()).map(|bit| image(1 << bit) ^ of_none).collect();
        // Unused bits are never set.
        let linear = |number: usize| {
            let bits = of_bits.iter().enumerate().filter(|(bit, _)| number >> bit & 1 != 0);
            bits.fold(0, |sum, (_, image)| sum ^ image)
        };
        Renumbered {
            of_block: (0..from.blocks()).map(|block| of_none ^ linear(block << BLOCK_BITS)).collect(),
            of_set: (0..BLOCK_SETS).map(linear).collect(),
        }
    }

    #[inline(always)]
    pub fn of_block(&self, block: usize) -> u32 {
        self.of_block[block]
    }

    #[inline(always)]
    pub fn of_set(&self, set: usize) -> u32 {
        self.of_set[set]
    }
}
