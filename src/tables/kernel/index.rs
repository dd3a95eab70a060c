//! The index of a layer: where the bit of a position is, and what number the position has.
//!
//! A layer has a number of Rebels. For each state it has all sets of them but those with a Rebel on the General's
//! point. A set has a low part, the bit of a plane, and a high part; the sets with one high part are a *row*. The rows
//! whose high parts have as many Rebels are a *class*, and in it they are numbered by rank (the combinatorial number
//! system, D. H. Lehmer, 1964). The General's point is left out of the high places, so that no row is empty.
//!
//! Rows of different classes have low parts with different numbers of Rebels, so that they may lie upon each other
//! without sharing a bit: in a plane if these numbers are all even, or all odd, in a light cell if they are neighbours
//! (see `light`). Classes that do are a *column*, and a *slot* of it is where their rows with one rank lie:
//!
//! ```text
//! slot     ┌ row 0 with 4 low Rebels ┬ row 0 with 6 ┬ row 0 with 8 ┐
//!          ├ row 1                   ┼ row 1        ┼ (none)       ┤
//!          └ row 2                   ┴ ...          ┴ (none)       ┘
//! ```
//!
//! A state with the General on the axis is its own mirror image, and what a row is worth its image is, too. So of two
//! such rows the layer *keeps* that whose high part is the lower number.
//!
//! The *number* of a position is its rank in the numbering of the table, whose places are those of the index: the
//! positions of a row follow one another in the order of their low parts.

use std::ops::Range;

use privy_rules::board::Point;

use crate::numbering::Numbering;
use crate::sets::{Ranks, binomial, sets_from, with_bit, without_bit};

use super::bits_where;
use super::light::{LowParts, LowSets};
use super::places::{COLUMNS, PlaceMirror, Places};
use super::plane::MOST_LOW;

/// The index of all layers of a game.
#[derive(Debug)]
pub(super) struct Index<'a> {
    numbering: &'a Numbering,
    pub(super) places: Places,
    /// Of high parts with the General on a low point or elsewhere, and on a high one.
    ranks: [Ranks; 2],
    /// The same high parts, by class in the order of their ranks.
    high_parts: [Vec<Vec<u64>>; 2],
    /// By the General's high place, and at last elsewhere, where it is its own image: the rows that are kept.
    halves: Vec<Option<HalfRows>>,
    /// With the General on no low place, and on each of them.
    low_parts: Vec<(LowParts, LowSets)>,
}

/// The rows that a state keeps which is its own mirror image.
#[derive(Debug)]
struct HalfRows {
    /// By class, the ranks of their high parts.
    ranks: Vec<Vec<u32>>,
    /// By class and rank, twice the number of the row that is kept, one more where it is the image.
    places: Vec<Vec<u32>>,
}

impl HalfRows {
    fn new(mirror: &PlaceMirror, high_parts: &[Vec<u64>], all: &Ranks, below: u64) -> HalfRows {
        let of_class = |parts: &Vec<u64>| {
            let (mut ranks, mut places) = (Vec::new(), Vec::new());
            for (rank, part) in (0..).zip(parts) {
                let image = all.rank(without_bit(mirror.high(with_bit(*part, below)), below));
                // Ranks ascend with the numbers of the sets.
                places.push(if image < rank { places[image as usize] | 1 } else { (ranks.len() as u32) << 1 });
                ranks.extend((image >= rank).then_some(rank));
            }
            (ranks, places)
        };
        let (ranks, places) = high_parts.iter().map(of_class).unzip();
        HalfRows { ranks, places }
    }
}

impl<'a> Index<'a> {
    /// The index of the layers that are numbered.
    pub(super) fn new(places: Places, numbering: &'a Numbering) -> Index<'a> {
        let (low, high, most) = (places.low, places.high(), numbering.most());
        let low_parts = |without: Option<u32>| {
            let is_free = |low: u64| without.is_none_or(|place| low >> place & 1 == 0);
            (LowParts::new(low, without), places.low_sets(is_free))
        };
        let low_parts = std::iter::once(None).chain((0..low).map(Some)).map(low_parts).collect();
        let places_of = [high, high.saturating_sub(1)];
        let ranks = places_of.map(|places| Ranks::new(places, most));
        let class = |places, count| sets_from((1u64 << count) - 1).take(binomial(places, count) as usize).collect();
        let high_parts: [Vec<Vec<u64>>; 2] =
            places_of.map(|places| (0..=most.min(places)).map(|count| class(places, count)).collect());
        let half = |place: u32| {
            let general = if place < high { 1 << place } else { 0 };
            let mirror = places.mirror().filter(|mirror| mirror.high(general) == general)?;
            let is_high = usize::from(place < high);
            Some(HalfRows::new(mirror, &high_parts[is_high], &ranks[is_high], general.wrapping_sub(1)))
        };
        let halves = (0..=high).map(half).collect();
        Index { numbering, ranks, high_parts, halves, low_parts, places }
    }

    /// The index of a state in a layer: the General's point, and the Rebels on the board; `None` if more are in hand
    /// than there are. A state that is its own mirror image may keep half of the rows.
    pub(super) fn state(&self, general: Point, placed: Option<u32>, is_half: bool) -> StateIndex<'_> {
        let place = self.places.place(general);
        let (low, high) = match place.map(|place| place.checked_sub(self.places.low)) {
            None => (None, None),
            Some(None) => (place, None),
            Some(high) => (None, high),
        };
        let is_high = usize::from(high.is_some());
        let high_parts = &self.high_parts[is_high];
        let half = self.halves[high.unwrap_or(self.places.high()) as usize].as_ref().filter(|_| is_half);
        let (low_parts, low_sets) = &self.low_parts[low.map_or(0, |place| place as usize + 1)];
        // No set is as large as none.
        let placed = placed.unwrap_or(u32::MAX);
        let (mut rows, mut columns) = ([[0; ROWS]; COLUMNS], vec![0; high_parts.len()]);
        let (mut existing, mut positions) = (0, 0);
        for (low_count, low_parts) in (0..).zip(&low_parts.indices) {
            let class = placed.wrapping_sub(low_count);
            let Some(high_parts) = high_parts.get(class as usize).filter(|_| !low_parts.is_empty()) else { continue };
            let column = self.places.column(low_count);
            let kept = half.map_or(high_parts.len(), |half| half.ranks[class as usize].len());
            rows[column][self.places.row_bit(low_count) as usize] = kept as u32;
            columns[class as usize] = column;
            existing |= 1 << class;
            positions += high_parts.len() * low_parts.len();
        }
        let mut first = [0; COLUMNS + 1];
        for (column, rows) in rows.iter().enumerate() {
            first[column + 1] = first[column] + rows.iter().max().unwrap_or(&0);
        }
        StateIndex {
            index: self,
            ranks: &self.ranks[is_high],
            high_parts,
            half,
            low_parts,
            low_sets,
            below: high.map_or(!0, |place| (1 << place) - 1),
            low_places: self.places.low - u32::from(low.is_some()),
            placed,
            existing,
            rows,
            first,
            bases: columns.into_iter().map(|column| first[column]).collect(),
            positions,
        }
    }
}

/// The most rows of a slot: low parts have up to twelve Rebels.
const ROWS: usize = MOST_LOW as usize / 2 + 1;

/// The index of a state in a layer.
#[derive(Debug)]
pub(super) struct StateIndex<'a> {
    index: &'a Index<'a>,
    ranks: &'a Ranks,
    high_parts: &'a [Vec<u64>],
    /// If half of the rows are kept, these.
    half: Option<&'a HalfRows>,
    low_parts: &'a LowParts,
    pub(super) low_sets: &'a LowSets,
    /// The high places below the General's; all where it stands on none.
    below: u64,
    /// The low places without the General's.
    low_places: u32,
    /// Rebels on the board.
    pub(super) placed: u32,
    /// The classes with rows, a bit each.
    existing: u64,
    /// By column and bit of a row in its slots, how many slots have it.
    rows: [[u32; ROWS]; COLUMNS],
    /// The first slot of each column, and the number of all.
    pub(super) first: [u32; COLUMNS + 1],
    /// By class, the first slot of its column.
    bases: Vec<u32>,
    pub(super) positions: usize,
}

/// A row of a slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The high part, the General's point included.
    pub(super) high: u64,
    /// Its Rebels.
    pub(super) count: u32,
    /// Rebels of the low part.
    pub(super) low: u32,
}

impl<'a> StateIndex<'a> {
    /// True if a high part has no Rebel on the General's point.
    #[inline(always)]
    pub(super) fn is_free(&self, high: u64) -> bool {
        high & self.below.wrapping_add(1) & !self.below == 0
    }

    /// True if half of the rows are kept.
    #[inline(always)]
    pub(super) fn is_half(&self) -> bool {
        self.half.is_some()
    }

    /// The high part of the image of a row, if that is another row for which it is kept.
    #[inline(always)]
    pub(super) fn other(&self, high: u64) -> Option<u64> {
        let mirror = self.half.and(self.places().mirror())?;
        Some(mirror.high(high)).filter(|image| *image != high)
    }

    /// True if the row of a high part with this number of Rebels, or its image, is kept.
    #[inline(always)]
    pub(super) fn has(&self, high: u64, count: u32) -> bool {
        self.existing >> count & 1 != 0 && self.is_free(high)
    }

    /// The slots of all columns.
    pub(super) fn slots(&self) -> usize {
        self.first[COLUMNS] as usize
    }

    /// The column of a slot.
    #[inline(always)]
    pub(super) fn column(&self, slot: usize) -> usize {
        self.first[1..COLUMNS].iter().map(|first| usize::from(slot >= *first as usize)).sum()
    }

    /// The places.
    #[inline(always)]
    pub(super) fn places(&self) -> &'a Places {
        &self.index.places
    }

    /// The row of a slot by its bit.
    #[inline(always)]
    pub(super) fn row(&self, slot: usize, bit: u32) -> Row {
        let column = self.column(slot);
        let low = self.places().low_of(column, bit);
        let count = self.placed.wrapping_sub(low);
        let rank = slot - self.first[column] as usize;
        let rank = self.half.map_or(rank, |half| half.ranks[count as usize][rank] as usize);
        Row { high: with_bit(self.high_parts[count as usize][rank], self.below), count, low }
    }

    /// The bits of all rows of a slot.
    #[inline(always)]
    pub(super) fn rows(&self, slot: usize) -> u8 {
        let column = self.column(slot);
        let rank = slot as u32 - self.first[column];
        bits_where(&self.rows[column], |rows| rank < *rows) as u8
    }

    /// The bit of a row in those of its slot, by its class.
    #[inline(always)]
    pub(super) fn bit(&self, count: u32) -> u32 {
        self.places().row_bit(self.placed - count)
    }

    /// The slot of the row of a high part with this number of Rebels, if there is one, and true if its image is there.
    #[inline(always)]
    pub(super) fn place(&self, high: u64, count: u32) -> (usize, bool) {
        let rank = self.ranks.rank(without_bit(high, self.below));
        let (number, is_image) = match self.half.map(|half| half.places[count as usize][rank as usize]) {
            Some(place) => (place >> 1, place & 1 != 0),
            None => (rank, false),
        };
        ((self.bases[count as usize] + number) as usize, is_image)
    }

    /// The numbers of the positions of the row of a high part, and by index the rank of a low part in it.
    #[inline(always)]
    pub(super) fn numbers(&self, high: u64) -> (Range<usize>, &'a [u16]) {
        let low = (self.placed - high.count_ones()) as usize;
        let first = without_bit(high, self.below) << self.low_places | ((1 << low) - 1);
        let start = self.index.numbering.rank_of_places(first);
        (start..start + self.low_parts.indices[low].len(), &self.low_parts.ranks[low & 1])
    }

    /// The indices of the low parts of a row with a number of low Rebels, in the order of their ranks.
    pub(super) fn indices(&self, low: u32) -> &'a [u16] {
        &self.low_parts.indices[low as usize]
    }
}
