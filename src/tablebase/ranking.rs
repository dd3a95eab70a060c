//! Sets of Rebels numbered by how many there are, and among equally many in the order of their binary numbers.
//!
//! This is the combinatorial number system (D. H. Lehmer, 1964): the Rebels of a set stand on places p1 < p2 < ... of those
//! that are open to them, and its rank is the sum of the binomials of p1 over 1, p2 over 2 and so on. So a number of Rebels
//! takes as many entries as it has positions, and no more, on boards of any size: where a bit for each set of 33 points would
//! take a gigabyte, four Rebels take 40,920 entries.
//!
//! Where the General stands no Rebel can: its point is left out.

use crate::board::{Point, PointSet};
use crate::rules::Variant;

use super::layout::Coverage;

/// Places that share a table.
const CHUNK: u32 = 8;

/// The most sets of one number of Rebels: ranks fit into 32 bits.
const MOST_SETS: u64 = 1 << 32;

/// The ranks of the sets that a table covers.
#[derive(Debug, Clone)]
pub(super) struct Ranking {
    ground: PointSet,
    /// By place, the point.
    points: Vec<Point>,
    /// The places are the indices of the points.
    is_identity: bool,
    /// By chunk of places, and number of Rebels on lower places: what the Rebels on the chunk's places add to the rank.
    sums: Vec<[u32; 1 << CHUNK]>,
    /// By place and number, up to the most Rebels: the binomial.
    binomials: Vec<Vec<u64>>,
    most: u32,
    /// By number of Rebels, the first entry; with the General on the ground, and elsewhere. None where it is not covered.
    first: [Vec<Option<usize>>; 2],
    entries: [usize; 2],
}

/// How many sets of `count` out of `places` there are; as many as fit where there are more.
pub(super) fn binomial(places: u32, count: u32) -> u64 {
    let (places, count) = (u128::from(places), u128::from(count));
    let product = (0..count).fold(1, |product, taken| product * places.saturating_sub(taken) / (taken + 1));
    u64::try_from(product).unwrap_or(u64::MAX)
}

impl Ranking {
    /// The ranks of the sets of a variant that are covered; none where a number of Rebels has more sets than 32 bits count.
    pub(super) fn new(variant: &Variant, coverage: Coverage) -> Option<Ranking> {
        let ground = variant.rules().ground();
        let (places, most) = (ground.len(), coverage.most());
        if coverage.layers().any(|rebels| binomial(places, rebels) >= MOST_SETS) {
            return None;
        }
        let binomials: Vec<Vec<u64>> =
            (0..places).map(|place| (0..=most).map(|count| binomial(place, count)).collect()).collect();
        let added = |chunk: u32, lower: u32, bits: usize| {
            let held = (0..CHUNK).filter(|bit| bits >> bit & 1 != 0).map(|bit| chunk * CHUNK + bit);
            // Sets with more Rebels, or on places that are none, are not asked for.
            let of = |(place, count): (u32, u32)| binomials.get(place as usize)?.get(count as usize).copied();
            held.zip(lower + 1..).filter_map(of).fold(0, |sum: u32, more| sum.wrapping_add(more as u32))
        };
        let chunks = places.div_ceil(CHUNK);
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

    /// Which of the two numberings a point of the General has.
    fn kind(&self, general: Point) -> usize {
        usize::from(!self.ground.contains(general))
    }

    /// How many entries there are with the General on a point.
    pub(super) fn entries(&self, general: Point) -> usize {
        self.entries[self.kind(general)]
    }

    /// The entries of a number of Rebels; none when it is not covered.
    pub(super) fn layer(&self, general: Point, rebels: u32) -> Option<std::ops::Range<usize>> {
        let first = (*self.first[self.kind(general)].get(rebels as usize)?)?;
        let places = self.ground.without(general).len();
        Some(first..first + binomial(places, rebels) as usize)
    }

    /// The places of a set, as bits, with that of the General left out.
    #[inline(always)]
    fn places(&self, general: Point, rebels: PointSet) -> u64 {
        let places = if self.is_identity { rebels.0 } else { self.gathered(rebels) };
        match self.place(general) {
            Some(place) => {
                let low = (1 << place) - 1;
                places & low | places >> 1 & !low
            }
            None => places,
        }
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

    /// The points of places, where that of the General was left out.
    #[inline(always)]
    fn points(&self, general: Point, places: u64) -> PointSet {
        let places = match self.place(general) {
            Some(place) => {
                let low = (1 << place) - 1;
                places & low | (places & !low) << 1
            }
            None => places,
        };
        if self.is_identity { PointSet(places) } else { self.scattered(places) }
    }

    #[cold]
    fn scattered(&self, places: u64) -> PointSet {
        PointSet(places).into_iter().map(|place| self.points[place.index()]).collect()
    }

    /// The rank of a set among those of as many Rebels, none of which stands where the General does.
    #[inline(always)]
    pub(super) fn rank(&self, general: Point, rebels: PointSet) -> usize {
        let (mut places, mut row, mut rank) = (self.places(general, rebels), 0, 0u32);
        while places != 0 {
            let bits = places as u8;
            rank += self.sums[row][usize::from(bits)];
            row += self.most as usize + 1 + bits.count_ones() as usize;
            places >>= CHUNK;
        }
        rank as usize
    }

    /// The entry of a set; none when its number of Rebels is not covered.
    #[inline(always)]
    pub(super) fn entry(&self, general: Point, rebels: PointSet) -> Option<usize> {
        let first = (*self.first[self.kind(general)].get(rebels.len() as usize)?)?;
        Some(first + self.rank(general, rebels))
    }

    /// The set with a rank among those of a number of Rebels.
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

    /// The set of an entry.
    pub(super) fn set(&self, general: Point, entry: usize) -> PointSet {
        let layers = self.first[self.kind(general)].iter().enumerate().rev();
        let found = layers.filter_map(|(rebels, first)| Some((rebels, (*first)?))).find(|(_, first)| *first <= entry);
        let (rebels, first) = found.expect("an entry belongs to a number of Rebels");
        self.set_of_rank(general, rebels as u32, entry - first)
    }

    /// All sets of a number of Rebels in the order of their ranks, from one on.
    pub(super) fn sets_from(&self, general: Point, first: PointSet) -> impl Iterator<Item = PointSet> {
        let mut places = self.places(general, first);
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
                    let all = ranking.sets_from(general, ranking.set_of_rank(general, rebels, 0));
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
    fn what_no_rank_can_count_is_refused() {
        let variant = Variant::builtin("subjugatio").unwrap();
        assert!(Ranking::new(&variant, Coverage::whole(&variant)).is_none());
    }

    proptest! {
        #[test]
        fn binomials_follow_from_those_above(places in 1u32..64, count in 1u32..64) {
            let sum = binomial(places - 1, count - 1) + binomial(places - 1, count);
            prop_assert_eq!(binomial(places, count), sum);
        }
    }
}
