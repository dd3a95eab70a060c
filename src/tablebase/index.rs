//! The index of Rebel sets, and blocks of it.
//!
//! Rebels stand on the first points of the board, so a set of them is a number below 2^25, and a table that holds one bit
//! per set is addressed by the set itself. Where Rebels only fall in pairs their number keeps its parity; then the first
//! point follows from the others and is left out of the index, which halves every table.
//!
//! A block is 4,096 sets: eight rows of eight words. A point is known by its place in the index: six points choose the
//! bit of a word, three the word of a row, three the row of a block, the rest the block.

use crate::board::{Point, PointSet};

/// Bits of the index within a word, a row, a block.
const WORD_BITS: u32 = 6;
const ROW_BITS: u32 = 9;
const BLOCK_BITS: u32 = 12;

/// RuleSet of a row, and rows of a block.
pub(super) const LANES: usize = 8;
pub(super) const ROWS: usize = 8;
/// Rebel sets of a block.
pub(super) const BLOCK_SETS: usize = 1 << BLOCK_BITS;

/// One bit for each of 4,096 Rebel sets.
pub(super) type Block = [[u64; LANES]; ROWS];

pub(super) const EMPTY: Block = [[0; LANES]; ROWS];
pub(super) const FULL: Block = [[!0; LANES]; ROWS];

/// Which Rebel sets a table holds, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Index {
    /// How many points Rebels may stand on.
    points: u32,
    /// All sets, or those with an even (0) or odd (1) number of Rebels.
    parity: Option<u32>,
}

/// In a word, the bits of sets in which the point of that place in the index holds a Rebel.
const OCCUPIED: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The bits of a word whose number has an odd number of ones.
const ODD: u64 = 0x6996_9669_9669_6996;

fn odd(number: usize) -> bool {
    number.count_ones() & 1 != 0
}

fn all_if(condition: bool) -> u64 {
    if condition { !0 } else { 0 }
}

impl Index {
    /// The space of all sets on so many points, or of those with a parity. There are at least as many points as a block
    /// needs; a smaller field leaves the rest of a block unused.
    pub(super) fn new(points: u32, parity: Option<u32>) -> Index {
        Index { points, parity }
    }

    /// The parity of the sets, where there is one.
    pub(super) fn parity(&self) -> Option<u32> {
        self.parity
    }

    /// Bits of the index that stand for points.
    fn used_bits(&self) -> u32 {
        self.points.saturating_sub(self.parity.map_or(0, |_| 1))
    }

    fn bits(&self) -> u32 {
        self.used_bits().max(BLOCK_BITS)
    }

    /// How many blocks a table has.
    pub(super) fn blocks(&self) -> usize {
        1 << (self.bits() - BLOCK_BITS)
    }

    /// How many entries a table has.
    pub(super) fn sets(&self) -> usize {
        1 << self.bits()
    }

    /// The place of a point in the index; none for the point that the parity tells.
    pub(super) fn place(&self, point: Point) -> Option<u32> {
        match self.parity {
            None => Some(point.index() as u32),
            Some(_) => (point.index() as u32).checked_sub(1),
        }
    }

    /// The index of a set, if the space holds it.
    #[inline(always)]
    pub(super) fn index(&self, rebels: PointSet) -> Option<usize> {
        match self.parity {
            None => Some(rebels.0 as usize),
            Some(parity) => (rebels.len() & 1 == parity).then_some((rebels.0 >> 1) as usize),
        }
    }

    /// The set with an index.
    #[inline(always)]
    pub(super) fn set(&self, index: usize) -> PointSet {
        match self.parity {
            None => PointSet(index as u64),
            Some(parity) => PointSet((index as u64) << 1 | u64::from(index.count_ones() & 1 != parity)),
        }
    }

    /// The sets of a block in which a point holds a Rebel.
    pub(super) fn occupied(&self, point: Point, block: usize) -> Block {
        let mut result = EMPTY;
        for (row, words) in result.iter_mut().enumerate() {
            for (lane, word) in words.iter_mut().enumerate() {
                *word = match self.place(point) {
                    Some(place) if place < WORD_BITS => OCCUPIED[place as usize],
                    Some(place) if place < ROW_BITS => all_if(lane >> (place - WORD_BITS) & 1 != 0),
                    Some(place) if place < BLOCK_BITS => all_if(row >> (place - ROW_BITS) & 1 != 0),
                    Some(place) => all_if(block >> (place - BLOCK_BITS) & 1 != 0),
                    None => self.first_point(lane, odd(block) ^ odd(row)),
                };
            }
        }
        result
    }

    /// In a word, the sets in which the point left out of the index holds a Rebel; `upper` is the parity of block and row.
    fn first_point(&self, lane: usize, upper: bool) -> u64 {
        ODD ^ all_if(upper ^ odd(lane)) ^ all_if(self.parity == Some(1))
    }

    /// The sets of a block with at least `least` and at most `most` Rebels, all on points that exist.
    pub(super) fn counted(&self, block: usize, least: u32, most: u32) -> Block {
        let mut result = EMPTY;
        let outside = (BLOCK_SETS - 1) & !((1 << self.used_bits().min(BLOCK_BITS)) - 1);
        for (row, words) in result.iter_mut().enumerate() {
            for (lane, word) in words.iter_mut().enumerate() {
                if (row << ROW_BITS | lane << WORD_BITS) & outside != 0 {
                    continue;
                }
                let outer = (block.count_ones() + row.count_ones() + lane.count_ones()) as i32;
                // With parity the first point may add one, which makes the number even or odd as it must be.
                for ones in 0..=6 {
                    let inner = outer + ones;
                    let count = match self.parity {
                        Some(parity) if (inner as u32) & 1 != parity => inner + 1,
                        _ => inner,
                    };
                    if (least as i32..=most as i32).contains(&count) {
                        *word |= WITH_ONES[ones as usize];
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

/// The bits of a word whose number has so many ones.
const WITH_ONES: [u64; 7] = {
    let mut table = [0; 7];
    let mut bit = 0u32;
    while bit < 64 {
        table[bit.count_ones() as usize] |= 1 << bit;
        bit += 1;
    }
    table
};

/// Reads, for every set of a block that meets conditions, the bit of the set that differs from it in given points.
///
/// The points `flipped` differ: in the set that is asked, those of `set` hold no Rebel and those of `clear` hold one.
#[derive(Debug, Clone)]
pub(super) struct Shift {
    block_flip: usize,
    block_set: usize,
    block_clear: usize,
    row_flip: usize,
    row_set: usize,
    row_clear: usize,
    lane_flip: usize,
    left: u32,
    right: u32,
    /// By the parity of block and row, per word of a row: the bits that meet the conditions.
    rules: [[u64; LANES]; 2],
}

impl Shift {
    /// `set` must hold Rebels and `clear` none; the points of `flip`, all of which are in one of these, differ in the
    /// source.
    pub(super) fn new(space: &Index, set: PointSet, clear: PointSet, flip: PointSet) -> Shift {
        let bits =
            |points: PointSet| points.into_iter().filter_map(|p| space.place(p)).fold(0usize, |bits, p| bits | 1 << p);
        let (set_bits, clear_bits, flip_bits) = (bits(set), bits(clear), bits(flip));
        let word = |bits: usize| bits & 63;
        let lane = |bits: usize| bits >> WORD_BITS & (LANES - 1);
        let row = |bits: usize| bits >> ROW_BITS & (ROWS - 1);
        let mut rules = [[0; LANES]; 2];
        let hidden = PointSet::of(Point::new(0));
        for (upper, rules) in rules.iter_mut().enumerate() {
            for (place, mask) in rules.iter_mut().enumerate() {
                *mask = all_if(place & lane(set_bits) == lane(set_bits) && place & lane(clear_bits) == 0);
                for (bit, occupied) in OCCUPIED.iter().enumerate() {
                    *mask &= if word(set_bits) >> bit & 1 != 0 { *occupied } else { !0 };
                    *mask &= if word(clear_bits) >> bit & 1 != 0 { !occupied } else { !0 };
                }
                if space.parity.is_some() {
                    let first = space.first_point(place, upper != 0);
                    *mask &= if set.meets(hidden) { first } else { !0 };
                    *mask &= if clear.meets(hidden) { !first } else { !0 };
                }
            }
        }
        Shift {
            block_flip: flip_bits >> BLOCK_BITS,
            block_set: set_bits >> BLOCK_BITS,
            block_clear: clear_bits >> BLOCK_BITS,
            row_flip: row(flip_bits),
            row_set: row(set_bits),
            row_clear: row(clear_bits),
            lane_flip: lane(flip_bits),
            // A point that is set here is empty in the source, so the source's number is lower: its bit moves up.
            left: (word(flip_bits) & word(set_bits)) as u32,
            right: (word(flip_bits) & word(clear_bits)) as u32,
            rules,
        }
    }

    /// The block that is asked for the sets of `block`; none when no set of the block meets the conditions.
    #[inline(always)]
    pub(super) fn source(&self, block: usize) -> Option<usize> {
        (block & self.block_set == self.block_set && block & self.block_clear == 0).then_some(block ^ self.block_flip)
    }

    /// Adds what the source block says to `result`, in the sets of `block` that meet the conditions.
    #[inline(always)]
    pub(super) fn add(&self, block: usize, source: &Block, result: &mut Block) {
        match self.lane_flip {
            0 => self.add_lanes::<0>(block, source, result),
            1 => self.add_lanes::<1>(block, source, result),
            2 => self.add_lanes::<2>(block, source, result),
            3 => self.add_lanes::<3>(block, source, result),
            4 => self.add_lanes::<4>(block, source, result),
            5 => self.add_lanes::<5>(block, source, result),
            6 => self.add_lanes::<6>(block, source, result),
            _ => self.add_lanes::<7>(block, source, result),
        }
    }

    #[inline(always)]
    fn add_lanes<const FLIP: usize>(&self, block: usize, source: &Block, result: &mut Block) {
        let upper = odd(block);
        for row in 0..ROWS {
            if row & self.row_set != self.row_set || row & self.row_clear != 0 {
                continue;
            }
            let rules = &self.rules[usize::from(upper ^ odd(row))];
            let words = &source[(row ^ self.row_flip) & (ROWS - 1)];
            let into = &mut result[row];
            for lane in 0..LANES {
                into[lane] |= words[lane ^ FLIP] << self.left >> self.right & rules[lane];
            }
        }
    }
}
