//! The index of Rebel sets on small boards: a set is its own number.
//!
//! Rebels stand on the first points of the board, so a set of them is a number below 2^25, and a table with one entry for each
//! set is addressed by the set itself. Where captures take pairs only, the number of Rebels keeps its parity; then the
//! first point follows from the others and is left out of the index, which halves every table.

use crate::board::{Point, PointSet};

/// Bits of the index of the smallest table, which is a block of the analysis.
pub(super) const LEAST_BITS: u32 = 12;

/// Which Rebel sets a table has, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Index {
    /// How many points Rebels may stand on.
    points: u32,
    /// All sets, or those with an even (0) or odd (1) number of Rebels.
    parity: Option<u32>,
}

impl Index {
    /// The index of all sets on the first `points` points, or of those with a parity. A field smaller than a block leaves
    /// the rest of it unused.
    pub(super) fn new(points: u32, parity: Option<u32>) -> Index {
        Index { points, parity }
    }

    /// The parity of the sets, where there is one.
    pub(super) fn parity(&self) -> Option<u32> {
        self.parity
    }

    /// Bits that stand for points.
    pub(super) fn used_bits(&self) -> u32 {
        self.points.saturating_sub(u32::from(self.parity.is_some()))
    }

    /// How many sets a table has.
    pub(super) fn sets(&self) -> usize {
        1 << self.used_bits().max(LEAST_BITS)
    }

    /// The bit of a point; none for the point that the parity tells.
    pub(super) fn bit(&self, point: Point) -> Option<u32> {
        (point.index() as u32).checked_sub(u32::from(self.parity.is_some()))
    }

    /// The number of a set; none when it has the other parity.
    #[inline(always)]
    pub(super) fn number(&self, rebels: PointSet) -> Option<usize> {
        match self.parity {
            None => Some(rebels.0 as usize),
            Some(parity) => (rebels.len() & 1 == parity).then_some((rebels.0 >> 1) as usize),
        }
    }

    /// The set with a number.
    #[inline(always)]
    pub(super) fn set(&self, number: usize) -> PointSet {
        match self.parity {
            None => PointSet(number as u64),
            Some(parity) => PointSet((number as u64) << 1 | u64::from(number.count_ones() & 1 != parity)),
        }
    }
}
