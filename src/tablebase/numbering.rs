//! How the positions of a table are numbered: by the bits of the set of Rebels, or by its rank among those of as many.

use crate::board::{Point, PointSet};
use crate::rules::Variant;

use super::compression::Entries;
use super::index::Index;
use super::layout::{Coverage, Method, index_of};
use super::ranking::Ranking;

/// The numbers of the positions in which the General stands on a point.
#[derive(Debug, Clone)]
pub(super) enum Numbering {
    /// The set itself is the number, as retrograde analysis over whole tables wants it.
    Bits(Index),
    /// Layer by layer, the rank of the set.
    Ranks(Box<Ranking>),
}

impl Numbering {
    /// The numbering of a variant's tables; none where it has more positions than can be numbered.
    pub(super) fn new(variant: &Variant, method: Method, coverage: Coverage) -> Option<Numbering> {
        Some(match method {
            Method::WholeBoard => Numbering::Bits(index_of(variant)),
            Method::ByLayers => Numbering::Ranks(Box::new(Ranking::new(variant, coverage)?)),
        })
    }

    /// One more than the highest number.
    pub(super) fn len(&self, general: Point) -> usize {
        match self {
            Numbering::Bits(index) => index.sets(),
            Numbering::Ranks(ranking) => ranking.entries(general),
        }
    }

    /// The number of a set; none when captures lead to no such number of Rebels.
    #[inline(always)]
    pub(super) fn number(&self, general: Point, rebels: PointSet) -> Option<usize> {
        match self {
            Numbering::Bits(index) => index.number(rebels),
            Numbering::Ranks(ranking) => ranking.entry(general, rebels),
        }
    }

    /// The set with a number, which may be of no legal position.
    #[inline(always)]
    pub(super) fn set(&self, general: Point, number: usize) -> PointSet {
        match self {
            Numbering::Bits(index) => index.set(number),
            Numbering::Ranks(ranking) => ranking.set(general, number),
        }
    }

    /// The entries of a section.
    pub(super) fn entries(&self, general: Point, on_ground: bool) -> Entries {
        match self {
            Numbering::Bits(index) => Entries::new(index, general, on_ground),
            Numbering::Ranks(ranking) => Entries::all(ranking.entries(general)),
        }
    }
}
