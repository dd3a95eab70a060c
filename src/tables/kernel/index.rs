//! The index of a layer: where the bit of a position is, and what number the position has.
//!
//! A layer has a number of Rebels. For each state it has all sets of them but those with a Rebel on the General's
//! point. A set has a low part, the bit of a plane, and a high part; the sets with one high part are a *row*. The rows
//! whose high parts have as many Rebels are a *class*, and in it they are numbered by rank (the combinatorial number
//! system, D. H. Lehmer, 1964). The General's point is left out of the high places, so that no row is empty.
//!
//! Rows of different classes have low parts with different numbers of Rebels. If these are all even, or all odd, the
//! rows may lie upon each other in one plane without sharing a bit. So a *slot* is the plane of the rows with one rank
//! in all even classes, or in all odd ones:
//!
//! ```text
//! slot     ┌ row 0 of class 0 ┬ row 0 of class 2 ┬ row 0 of class 4 ┐
//!          ├ (none)           ┼ row 1 of class 2 ┼ row 1 of class 4 ┤
//!          └ (none)           ┴ ...              ┴ ...              ┘
//! ```
//!
//! A *light* row, which has few sets, has its own slot, after those with planes (see `cells`).
//!
//! The *number* of a position is its rank in the numbering of the table, whose places are those of the index: the
//! positions of a row follow one another in the order of their low parts.

use std::ops::Range;

use privy_rules::board::Point;

use crate::numbering::Numbering;
use crate::sets::{Ranks, binomial, sets_from, with_bit, without_bit};

use super::light::{LowParts, LowSets};
use super::places::Places;
use super::plane::Parity;

/// The index of all layers of a game.
#[derive(Debug)]
pub(super) struct Index<'a> {
    numbering: &'a Numbering,
    pub(super) places: Places,
    /// Of high parts with the General on a low point or elsewhere, and on a high one.
    ranks: [Ranks; 2],
    /// The same high parts, by class in the order of their ranks.
    high_parts: [Vec<Vec<u64>>; 2],
    /// With the General on no low place, and on each of them.
    low_parts: Vec<(LowParts, LowSets)>,
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
        let high = [high, high.saturating_sub(1)];
        let ranks = high.map(|places| Ranks::new(places, most));
        let class = |places, count| sets_from((1u64 << count) - 1).take(binomial(places, count) as usize).collect();
        let high_parts = high.map(|places| (0..=most.min(places)).map(|count| class(places, count)).collect());
        Index { numbering, ranks, high_parts, low_parts, places }
    }

    /// The index of a state in a layer: the General's point, and the Rebels on the board; `None` if more are in hand
    /// than there are.
    pub(super) fn state(&self, general: Point, placed: Option<u32>) -> StateIndex<'_> {
        let place = self.places.place(general);
        let (low, high) = match place.map(|place| place.checked_sub(self.places.low)) {
            None => (None, None),
            Some(None) => (place, None),
            Some(high) => (None, high),
        };
        let is_high = usize::from(high.is_some());
        let high_parts = &self.high_parts[is_high];
        let (low_parts, low_sets) = &self.low_parts[low.map_or(0, |place| place as usize + 1)];
        // No set is as large as none.
        let placed_or_none = placed.unwrap_or(u32::MAX);
        let (mut rows, mut light, mut of_parity) = (Vec::new(), Vec::new(), [0; 2]);
        let (mut existing, mut positions) = (0, 0);
        for (count, high_parts) in (0..).zip(high_parts) {
            let low = placed_or_none.checked_sub(count).filter(|low| *low <= self.places.low);
            let sets = low.map_or(0, |low| low_parts.indices[low as usize].len());
            // A class without sets has no rows.
            let of_class = if sets == 0 { 0 } else { high_parts.len() as u32 };
            existing |= u64::from(of_class > 0) << count;
            positions += of_class as usize * sets;
            let is_light = low.is_some_and(|low| self.places.is_light(low));
            if is_light && of_class > 0 {
                light.push(count);
            }
            rows.push(if is_light { 0 } else { of_class });
            let slots = &mut of_parity[count as usize & 1];
            *slots = rows[count as usize].max(*slots);
        }
        let (first, planes) = ([0, of_parity[0]], of_parity[0] + of_parity[1]);
        let mut bases: Vec<u32> = (0..rows.len()).map(|count| first[count & 1]).collect();
        let mut slots = planes;
        for class in &light {
            bases[*class as usize] = slots;
            slots += high_parts[*class as usize].len() as u32;
        }
        StateIndex {
            index: self,
            ranks: &self.ranks[is_high],
            high_parts,
            low_parts,
            low_sets,
            below: high.map_or(!0, |place| (1 << place) - 1),
            low_places: self.places.low - u32::from(low.is_some()),
            placed: placed_or_none,
            lowest: placed.map_or(0, |placed| placed.saturating_sub(self.places.low) / 2),
            rows,
            existing,
            first,
            bases,
            light,
            planes,
            slots,
            positions,
        }
    }
}

/// The index of a state in a layer.
#[derive(Debug)]
pub(super) struct StateIndex<'a> {
    index: &'a Index<'a>,
    ranks: &'a Ranks,
    high_parts: &'a [Vec<u64>],
    low_parts: &'a LowParts,
    pub(super) low_sets: &'a LowSets,
    /// The high places below the General's; all where it stands on none.
    below: u64,
    /// The low places without the General's.
    low_places: u32,
    /// Rebels on the board.
    pub(super) placed: u32,
    /// Half the first class that may have rows: bit 0 of a slot.
    lowest: u32,
    /// By class, its rows in planes.
    rows: Vec<u32>,
    /// The classes with rows, a bit each.
    existing: u64,
    /// The first slot of planes of even classes, and of odd ones.
    first: [u32; 2],
    /// By class, its first slot.
    bases: Vec<u32>,
    /// The light classes, ascending.
    light: Vec<u32>,
    /// Slots with planes.
    planes: u32,
    pub(super) slots: u32,
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

    /// True if the layer has the row of a high part with this number of Rebels.
    #[inline(always)]
    pub(super) fn has(&self, high: u64, count: u32) -> bool {
        self.existing >> count & 1 != 0 && self.is_free(high)
    }

    /// Slots with planes.
    #[inline(always)]
    pub(super) fn planes(&self) -> usize {
        self.planes as usize
    }

    /// Slots with a light row.
    pub(super) fn light(&self) -> usize {
        (self.slots - self.planes) as usize
    }

    /// Even or odd, as the classes of a slot with a plane.
    #[inline(always)]
    fn class_parity(&self, slot: usize) -> usize {
        usize::from(slot >= self.first[1] as usize)
    }

    /// The parity of the low parts of a slot with a plane.
    #[inline(always)]
    pub(super) fn parity(&self, slot: usize) -> Parity {
        (self.placed as usize ^ self.class_parity(slot)) & 1
    }

    /// The places.
    #[inline(always)]
    pub(super) fn places(&self) -> &'a Places {
        &self.index.places
    }

    /// The rank of a low part among those with as many Rebels.
    #[inline(always)]
    pub(super) fn low_rank(&self, low: u32, index: usize) -> usize {
        self.places().low_parts.ranks[low as usize & 1][index].into()
    }

    /// The row of a slot by its bit.
    #[inline(always)]
    pub(super) fn row(&self, slot: usize, bit: u32) -> Row {
        let class = match slot < self.planes as usize {
            true => (self.lowest + bit) * 2 + self.class_parity(slot) as u32,
            false => {
                let has = |class: &&u32| slot >= self.bases[**class as usize] as usize;
                self.light.iter().rev().find(has).copied().unwrap_or(0)
            }
        };
        let rank = slot - self.bases[class as usize] as usize;
        let high = with_bit(self.high_parts[class as usize][rank], self.below);
        Row { high, count: class, low: self.placed.wrapping_sub(class) }
    }

    /// The bits of all rows of a slot: seven at most, since low parts have up to twelve Rebels.
    pub(super) fn rows(&self, slot: usize) -> u8 {
        if slot >= self.planes as usize {
            return 1;
        }
        let parity = self.class_parity(slot);
        let rank = (slot - self.first[parity] as usize) as u32;
        let classes = self.rows.iter().skip(parity).step_by(2).zip(0u32..);
        classes.filter(|(rows, _)| rank < **rows).fold(0, |all, (_, half)| all | 1 << (half - self.lowest))
    }

    /// The bit of a row of a slot, by its class.
    #[inline(always)]
    pub(super) fn bit(&self, slot: usize, count: u32) -> u32 {
        if slot < self.planes as usize { count / 2 - self.lowest } else { 0 }
    }

    /// The slot of the row of a high part with this number of Rebels, if there is one.
    #[inline(always)]
    pub(super) fn slot(&self, high: u64, count: u32) -> usize {
        (self.bases[count as usize] + self.ranks.rank(without_bit(high, self.below))) as usize
    }

    /// The slot of another state with the same high places whose rows have the high parts of a slot; `None` where it
    /// has none.
    #[inline(always)]
    pub(super) fn aligned(&self, slot: usize, other: &StateIndex<'_>) -> Option<usize> {
        let parity = self.class_parity(slot);
        let rank = slot - self.first[parity] as usize;
        let end = [other.first[1], other.planes][parity] as usize;
        Some(other.first[parity] as usize + rank).filter(|slot| *slot < end)
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
