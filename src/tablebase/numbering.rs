//! Positions of a state of the General as numbers.
//!
//! An [`Index`] takes the set of Rebels itself as its number, for the whole board of up to 25 points. A [`Ranking`] numbers the sets of
//! each layer without gaps, on boards of any size. [`Numbering`] is either of them.

use std::ops::Range;

use crate::board::{Point, PointSet};
use crate::rules::Variant;

use super::layout::{Coverage, Method, parity};

/// Bits of the smallest index, that of one block of the analysis.
pub(super) const LEAST_BITS: u32 = 12;

/// Numbers for all sets on the first points of a board. Where captures take pairs only, the number of Rebels keeps its parity: the
/// first point then follows from the others and is left out, which halves every table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Index {
    pub(super) points: u32,
    /// All sets, or those with an even (0) or odd (1) number of Rebels.
    pub(super) parity: Option<u32>,
}

impl Index {
    pub(super) fn of(variant: &Variant) -> Index {
        Index { points: variant.rules().ground().len(), parity: parity(variant) }
    }

    pub(super) fn used_bits(&self) -> u32 {
        self.points.saturating_sub(u32::from(self.parity.is_some()))
    }

    /// Number of sets; part of a block is unused on a field smaller than a block.
    pub(super) fn sets(&self) -> usize {
        1 << self.used_bits().max(LEAST_BITS)
    }

    /// The bit of a point; none for the point that the parity determines.
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

    #[inline(always)]
    pub(super) fn set(&self, number: usize) -> PointSet {
        match self.parity {
            None => PointSet(number as u64),
            Some(parity) => PointSet((number as u64) << 1 | u64::from(number.count_ones() & 1 != parity)),
        }
    }
}

const SUM_PLACES: u32 = 8;

/// Bound on the sets of a layer: ranks fit into 32 bits.
const MOST_SETS: u64 = 1 << 32;

/// Numbers for the covered sets: layer by layer, and in a layer in the order of their binary numbers.
///
/// This is the combinatorial number system (D. H. Lehmer, 1964): the Rebels of a set stand on places p1 < p2 < ... of the free ones, and
/// its rank is the sum of the binomials of p1 over 1, p2 over 2 and so on. A bit for each set of 33 points would take a gigabyte; four
/// Rebels on them take 40,920 entries. The General's point is left out, since no Rebel can stand there.
#[derive(Debug, Clone)]
pub(super) struct Ranking {
    ground: PointSet,
    points: Vec<Point>,
    is_identity: bool,
    /// By chunk of places, and number of Rebels on lower places: what the Rebels on the chunk's places add to the rank.
    sums: Vec<[u32; 1 << SUM_PLACES]>,
    /// By place and number, up to the most Rebels: the binomial.
    binomials: Vec<Vec<u64>>,
    most: u32,
    /// By number of Rebels, the first entry; with the General on the ground, and elsewhere. None where it is not covered.
    first: [Vec<Option<usize>>; 2],
    entries: [usize; 2],
}

/// The number of sets of `count` out of `places`; saturates.
pub(super) fn binomial(places: u32, count: u32) -> u64 {
    let (places, count) = (u128::from(places), u128::from(count));
    let product = (0..count).fold(1, |product, taken| product * places.saturating_sub(taken) / (taken + 1));
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// A bit of a number left out: the bits below it are `low`.
#[inline(always)]
fn without_bit(number: u64, low: u64) -> u64 {
    number & low | number >> 1 & !low
}

/// The same bit put back as 0.
#[inline(always)]
fn with_bit(number: u64, low: u64) -> u64 {
    number & low | (number & !low) << 1
}

impl Ranking {
    /// None where a layer has more sets than 32 bits count.
    pub(super) fn new(variant: &Variant, coverage: Coverage) -> Option<Ranking> {
        let ground = variant.rules().ground();
        let (places, most) = (ground.len(), coverage.most());
        if coverage.layers().any(|rebels| binomial(places, rebels) >= MOST_SETS) {
            return None;
        }
        let binomials: Vec<Vec<u64>> =
            (0..places).map(|place| (0..=most).map(|count| binomial(place, count)).collect()).collect();
        let added = |chunk: u32, lower: u32, bits: usize| {
            let held = (0..SUM_PLACES).filter(|bit| bits >> bit & 1 != 0).map(|bit| chunk * SUM_PLACES + bit);
            // Sets with more Rebels, or on places that do not exist, are never looked up.
            let of = |(place, count): (u32, u32)| binomials.get(place as usize)?.get(count as usize).copied();
            held.zip(lower + 1..).filter_map(of).fold(0, |sum: u32, more| sum.wrapping_add(more as u32))
        };
        let chunks = places.div_ceil(SUM_PLACES);
        let sums = (0..chunks).flat_map(|chunk| (0..=most).map(move |lower| (chunk, lower)));
        let sums = sums.map(|(chunk, lower)| std::array::from_fn(|bits| added(chunk, lower, bits))).collect();
        let mut first = [vec![None; most as usize + 1], vec![None; most as usize + 1]];
        let mut entries = [0; 2];
        for rebels in coverage.layers() {
            for (elsewhere, (first, entries)) in (0..).zip(first.iter_mut().zip(&mut entries)) {
                first[rebels as usize] = Some(*entries);
                *entries += binomial(places.saturating_sub(1 - elsewhere), rebels) as usize;
            }
        }
        let points = ground.into_iter().collect();
        let is_identity = ground.into_iter().zip(0..).all(|(point, place)| point.index() == place);
        Some(Ranking { ground, points, is_identity, sums, binomials, most, first, entries })
    }

    /// 0 for a General on the ground, 1 elsewhere.
    fn kind(&self, general: Point) -> usize {
        usize::from(!self.ground.contains(general))
    }

    pub(super) fn entries(&self, general: Point) -> usize {
        self.entries[self.kind(general)]
    }

    /// The entries of a number of Rebels; none when it is not covered.
    pub(super) fn layer(&self, general: Point, rebels: u32) -> Option<Range<usize>> {
        let first = (*self.first[self.kind(general)].get(rebels as usize)?)?;
        let places = self.ground.without(general).len();
        Some(first..first + binomial(places, rebels) as usize)
    }

    /// The places of a set, as bits, with that of the General left out.
    #[inline(always)]
    fn places(&self, general: Point, rebels: PointSet) -> u64 {
        let places = if self.is_identity { rebels.0 } else { self.gathered(rebels) };
        self.place(general).map_or(places, |place| without_bit(places, (1 << place) - 1))
    }

    /// The place of a point, if it has one.
    #[inline(always)]
    fn place(&self, point: Point) -> Option<u32> {
        let below = (1 << point.index()) - 1;
        self.ground.contains(point).then(|| (self.ground.0 & below).count_ones())
    }

    #[cold]
    fn gathered(&self, rebels: PointSet) -> u64 {
        rebels.into_iter().filter_map(|point| self.place(point)).fold(0, |bits, place| bits | 1 << place)
    }

    /// The inverse of [`places`](Ranking::places).
    #[inline(always)]
    fn points(&self, general: Point, places: u64) -> PointSet {
        let places = self.place(general).map_or(places, |place| with_bit(places, (1 << place) - 1));
        if self.is_identity { PointSet(places) } else { self.scattered(places) }
    }

    #[cold]
    fn scattered(&self, places: u64) -> PointSet {
        PointSet(places).into_iter().map(|place| self.points[place.index()]).collect()
    }

    /// The rank of a set in its layer; no Rebel of it stands on the General's point.
    #[inline(always)]
    pub(super) fn rank(&self, general: Point, rebels: PointSet) -> usize {
        let (mut places, mut row, mut rank) = (self.places(general, rebels), 0, 0u32);
        while places != 0 {
            let bits = places as u8;
            rank += self.sums[row][usize::from(bits)];
            row += self.most as usize + 1 + bits.count_ones() as usize;
            places >>= SUM_PLACES;
        }
        rank as usize
    }

    /// The entry of a set; none when its number of Rebels is not covered.
    #[inline(always)]
    pub(super) fn entry(&self, general: Point, rebels: PointSet) -> Option<usize> {
        let first = (*self.first[self.kind(general)].get(rebels.len() as usize)?)?;
        Some(first + self.rank(general, rebels))
    }

    /// The inverse of [`rank`](Ranking::rank).
    pub(super) fn set_of_rank(&self, general: Point, rebels: u32, rank: usize) -> PointSet {
        let (mut rest, mut place, mut places) = (rank as u64, self.binomials.len(), 0);
        for count in (1..=rebels as usize).rev() {
            place =
                (0..place).rev().find(|place| self.binomials[*place][count] <= rest).expect("0 is at most any rank");
            rest -= self.binomials[place][count];
            places |= 1 << place;
        }
        self.points(general, places)
    }

    /// The inverse of [`entry`](Ranking::entry).
    pub(super) fn set(&self, general: Point, entry: usize) -> PointSet {
        let layers = self.first[self.kind(general)].iter().enumerate().rev();
        let found = layers.filter_map(|(rebels, first)| Some((rebels, (*first)?))).find(|(_, first)| *first <= entry);
        let (rebels, first) = found.expect("an entry belongs to a number of Rebels");
        self.set_of_rank(general, rebels as u32, entry - first)
    }

    /// The sets of a layer from a rank on, in the order of their ranks.
    pub(super) fn sets_from(&self, general: Point, rebels: u32, rank: usize) -> impl Iterator<Item = PointSet> {
        let mut places = self.places(general, self.set_of_rank(general, rebels, rank));
        std::iter::from_fn(move || {
            let set = self.points(general, places);
            // The next number with as many ones (R. W. Gosper, HAKMEM item 175).
            let lowest = places & places.wrapping_neg();
            let carried = places.wrapping_add(lowest);
            places = if lowest == 0 { 0 } else { carried | (places ^ carried) >> 2 >> lowest.trailing_zeros() };
            Some(set)
        })
    }
}

/// The entries of a section: its numbers, without the bit of the General's own point where it has one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entries {
    /// The bits below the one that is left out; all when none is.
    low: u64,
    pub(super) len: usize,
}

impl Entries {
    /// For a General on a point of the Rebels' ground, or elsewhere.
    pub(super) fn new(index: &Index, general: Point, on_ground: bool) -> Entries {
        // The point that the parity determines has no bit to leave out.
        match index.bit(general).filter(|_| on_ground) {
            Some(bit) => Entries { low: (1 << bit) - 1, len: index.sets() / 2 },
            None => Entries { low: u64::MAX, len: index.sets() },
        }
    }

    /// The entry of a number; the General's own point is empty in its set.
    #[inline(always)]
    pub(super) fn of(self, number: usize) -> usize {
        without_bit(number as u64, self.low) as usize
    }

    /// The inverse of [`of`](Entries::of).
    #[inline(always)]
    pub(super) fn number(self, entry: usize) -> usize {
        with_bit(entry as u64, self.low) as usize
    }
}

#[derive(Debug, Clone)]
pub(super) enum Numbering {
    Index(Index),
    Ranking(Box<Ranking>),
}

impl Numbering {
    /// None where a layer has more positions than can be numbered.
    pub(super) fn new(variant: &Variant, method: Method, coverage: Coverage) -> Option<Numbering> {
        Some(match method {
            Method::WholeBoard => Numbering::Index(Index::of(variant)),
            Method::ByLayers => Numbering::Ranking(Box::new(Ranking::new(variant, coverage)?)),
        })
    }

    pub(super) fn len(&self, general: Point) -> usize {
        match self {
            Numbering::Index(index) => index.sets(),
            Numbering::Ranking(ranking) => ranking.entries(general),
        }
    }

    /// The number of a set; none when its number of Rebels is not covered.
    #[inline(always)]
    pub(super) fn number(&self, general: Point, rebels: PointSet) -> Option<usize> {
        match self {
            Numbering::Index(index) => index.number(rebels),
            Numbering::Ranking(ranking) => ranking.entry(general, rebels),
        }
    }

    /// The set with a number; not every set makes a legal position.
    #[inline(always)]
    pub(super) fn set(&self, general: Point, number: usize) -> PointSet {
        match self {
            Numbering::Index(index) => index.set(number),
            Numbering::Ranking(ranking) => ranking.set(general, number),
        }
    }

    pub(super) fn entries(&self, general: Point, on_ground: bool) -> Entries {
        match self {
            Numbering::Index(index) => Entries::new(index, general, on_ground),
            Numbering::Ranking(ranking) => Entries { low: u64::MAX, len: ranking.entries(general) },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ranking(id: &str, most: u32) -> Ranking {
        let variant = Variant::builtin(id).unwrap();
        Ranking::new(&variant, Coverage::up_to(&variant, Some(most)).unwrap()).unwrap()
    }

    /// Every entry has a set, every set an entry, in the order of their numbers.
    #[test]
    fn entries_and_sets_are_one_to_one() {
        for (id, most) in [("hare-and-hounds", 3), ("wolf-and-sheep", 3), ("kings-gonu", 4), ("adugo", 11)] {
            let ranking = ranking(id, most);
            let variant = Variant::builtin(id).unwrap();
            for general in variant.board().all().into_iter().step_by(5) {
                let mut next = 0;
                for rebels in 0..=most {
                    let Some(layer) = ranking.layer(general, rebels) else { continue };
                    assert_eq!(layer.start, next);
                    next = layer.end;
                    let all = ranking.sets_from(general, rebels, 0);
                    let step = (layer.len() / 5_000).max(1);
                    for (entry, set) in layer.zip(all).step_by(step) {
                        assert_eq!(set.len(), rebels);
                        assert!(variant.rules().ground().without(general).contains_all(set));
                        assert_eq!(ranking.entry(general, set), Some(entry), "{id} {general:?} {set:?}");
                        assert_eq!(ranking.set(general, entry), set);
                    }
                }
                assert_eq!(ranking.entries(general), next);
            }
        }
    }

    #[test]
    fn numbers_of_rebels_that_are_not_covered_have_no_entry() {
        let ranking = ranking("wolf-and-sheep", 2);
        let general = Point::new(9);
        assert!(ranking.entry(general, PointSet(0b101)).is_some());
        assert_eq!(ranking.entry(general, PointSet(0b111)), None);
        assert_eq!(ranking.layer(general, 3), None);
    }

    #[test]
    fn layers_with_more_sets_than_32_bits_count_are_refused() {
        let variant = Variant::builtin("subjugatio").unwrap();
        assert!(Ranking::new(&variant, Coverage::whole(&variant)).is_none());
    }

    proptest! {
        #[test]
        fn binomials_follow_from_those_above(places in 1u32..64, count in 1u32..64) {
            let sum = binomial(places - 1, count - 1) + binomial(places - 1, count);
            prop_assert_eq!(binomial(places, count), sum);
        }

        #[test]
        fn entries_leave_out_the_generals_point_alone(general in 0usize..25, number in 0usize..1 << 25) {
            let entries = Entries::new(&Index { points: 25, parity: None }, Point::new(general), true);
            let free = number & !(1 << general);
            prop_assert!(entries.of(free) < entries.len);
            prop_assert_eq!(entries.number(entries.of(free)), free);
        }
    }
}
