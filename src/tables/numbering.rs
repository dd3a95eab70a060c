//! Numbers for the positions with the Rebels to move: layer, state of the General, and the rank of the set of Rebels in
//! its layer.
//!
//! A rank counts the sets with as many Rebels and a lower binary number. This is the combinatorial number system (D. H.
//! Lehmer, 1964): the Rebels of a set stand on places p1 < p2 < ... of the free ones, and its rank is the sum of the
//! binomials of p1 over 1, p2 over 2 and so on. The General's point is left out, since no Rebel can stand there. So a
//! section of a file (a layer of a state) has exactly as many entries as positions: four Rebels on 33 points take
//! 40,920, where a bit for each set would take a gigabyte.

use std::sync::Arc;

use privy_rules::board::{Point, PointSet, PointTable};
use privy_rules::{Position, Side, Variant};

use super::coding::Coding;
use super::error::NotCovered;
use super::kernel::Places;
use super::states::{Coverage, GeneralState, States, binomial};

/// Places whose contribution to a rank is read from a table at once.
const SUM_PLACES: u32 = 8;

/// Bound on the sets of a layer: ranks fit into 32 bits.
const MOST_SETS: u64 = 1 << 32;

/// The numbers of the positions of a variant that a table covers.
#[derive(Debug, Clone)]
pub struct Numbering {
    pub variant: Arc<Variant>,
    pub(super) coding: Coding,
    pub(super) coverage: Coverage,
    pub states: States,
    /// The numbers of Rebels that are covered, ascending.
    pub layers: Vec<u32>,
    /// By number of Rebels, its place among these.
    layer_of: Vec<Option<u32>>,
    ground: PointSet,
    /// By point, its place, if it has one.
    place_of: PointTable<Option<u32>>,
    /// By eight points at once, their places as bits; and by eight places at once, their points.
    gathered: Vec<[u64; 256]>,
    scattered: Vec<[u64; 256]>,
    /// By chunk of places, and number of Rebels on lower places: what the Rebels on the chunk's places add to the rank.
    sums: Vec<[u32; 1 << SUM_PLACES]>,
    /// By place and number, up to the most Rebels: the binomial.
    binomials: Vec<Vec<u64>>,
}

impl Numbering {
    /// Returns `None` if a layer has more sets than 32 bits count.
    pub fn new(variant: &Arc<Variant>, coverage: Coverage) -> Option<Numbering> {
        Numbering::with_places(variant, coverage, Places::of(variant).points)
    }

    /// The same with the points where Rebels may stand in some order.
    pub fn with_places(variant: &Arc<Variant>, coverage: Coverage, points: Vec<Point>) -> Option<Numbering> {
        let ground = variant.rules().ground;
        let (places, most) = (ground.len(), coverage.most());
        if !Numbering::is_possible(variant, coverage) {
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
        let layers: Vec<u32> = coverage.layers().collect();
        let mut layer_of = vec![None; most as usize + 1];
        (0..).zip(&layers).for_each(|(layer, rebels)| layer_of[*rebels as usize] = Some(layer));
        let place_of = PointTable::of(variant.board().all(), |point| {
            points.iter().position(|other| *other == point).map(|place| place as u32)
        });
        let place_of_bit = |bit: usize| Some(1 << place_of[ground.into_iter().find(|point| point.index() == bit)?]?);
        let gathered = by_bytes(64, &place_of_bit);
        let scattered = by_bytes(places, &|bit| Some(PointSet::of(*points.get(bit)?).0));
        Some(Numbering {
            coding: Coding::of(variant),
            states: States::of(variant),
            variant: Arc::clone(variant),
            coverage,
            layers,
            layer_of,
            ground,
            place_of,
            gathered,
            scattered,
            sums,
            binomials,
        })
    }

    /// True if no layer has more sets than 32 bits count.
    pub(super) fn is_possible(variant: &Variant, coverage: Coverage) -> bool {
        let places = variant.rules().ground.len();
        coverage.layers().all(|rebels| binomial(places, rebels) < MOST_SETS)
    }

    /// Sections of a file: the states of each layer.
    pub fn sections(&self) -> usize {
        self.states.solved.len() * self.layers.len()
    }

    /// The sections in their order: the state and the number of Rebels of each.
    pub fn all_sections(&self) -> impl Iterator<Item = (GeneralState, u32)> {
        self.layers.iter().flat_map(|rebels| self.states.solved.iter().map(|state| (*state, *rebels)))
    }

    /// Positions of a state in a layer.
    pub fn positions(&self, state: GeneralState, rebels: u32) -> usize {
        state.sets(&self.variant, rebels) as usize
    }

    /// The place of a number of Rebels among the layers.
    #[inline(always)]
    pub fn layer(&self, rebels: u32) -> Option<usize> {
        self.layer_of.get(rebels as usize)?.map(|layer| layer as usize)
    }

    /// The section of a position with the Rebels to move, and its rank there.
    #[inline(always)]
    pub fn find(&self, position: &Position) -> Result<(usize, usize), NotCovered> {
        self.check_rebels(position)?;
        let Some(layer) = self.layer(position.rebels_left()) else {
            return Err(if position.rebels_left().is_multiple_of(2) { NotCovered::Even } else { NotCovered::Odd });
        };
        let slot = GeneralState::of(position).slot(&self.variant);
        let (state, is_mirrored) = self.states.of_slot.get(slot).copied().flatten().ok_or(NotCovered::GeneralState)?;
        let rebels = position.rebels();
        if !self.ground.without(position.general()).contains_all(rebels) {
            return Err(NotCovered::GeneralState);
        }
        let rebels = match self.variant.board().mirror() {
            Some(mirror) if is_mirrored => mirror.set(rebels),
            _ => rebels,
        };
        let rank = self.rank(self.states.solved[state].general, rebels);
        Ok((layer * self.states.solved.len() + state, rank))
    }

    /// Refuses a position with more Rebels than are covered.
    #[inline(always)]
    pub(super) fn check_rebels(&self, position: &Position) -> Result<(), NotCovered> {
        let (rebels, most) = (position.rebels_left(), self.coverage.most());
        if rebels > most { Err(NotCovered::Rebels { rebels, most }) } else { Ok(()) }
    }

    /// The rank of a set in its layer; no Rebel of it stands on the General's point.
    #[inline(always)]
    pub fn rank(&self, general: Point, rebels: PointSet) -> usize {
        self.rank_of_places(self.places(general, rebels))
    }

    /// The rank of a set by its places, with that of the General left out.
    #[inline(always)]
    pub(super) fn rank_of_places(&self, mut places: u64) -> usize {
        let (mut row, mut rank) = (0, 0u32);
        while places != 0 {
            let bits = places as u8;
            rank += self.sums[row][usize::from(bits)];
            row += self.coverage.most() as usize + 1 + bits.count_ones() as usize;
            places >>= SUM_PLACES;
        }
        rank as usize
    }

    /// The inverse of [`rank`](Numbering::rank).
    pub fn set(&self, general: Point, rebels: u32, rank: usize) -> PointSet {
        let (mut rest, mut place, mut places) = (rank as u64, self.binomials.len(), 0);
        for count in (1..=rebels as usize).rev() {
            place =
                (0..place).rev().find(|place| self.binomials[*place][count] <= rest).expect("0 is at most any rank");
            rest -= self.binomials[place][count];
            places |= 1 << place;
        }
        self.points(general, places)
    }

    /// The sets of some number of Rebels from a rank on, in the order of their ranks.
    pub fn sets_from(&self, general: Point, rebels: u32, rank: usize) -> impl Iterator<Item = PointSet> {
        let mut places = self.places(general, self.set(general, rebels, rank));
        std::iter::from_fn(move || {
            let set = self.points(general, places);
            // The next number with as many ones (R. W. Gosper, HAKMEM item 175).
            let lowest = places & places.wrapping_neg();
            let carried = places.wrapping_add(lowest);
            places = if lowest == 0 { 0 } else { carried | (places ^ carried) >> 2 >> lowest.trailing_zeros() };
            Some(set)
        })
    }

    /// The positions of a layer of a state from a rank on, in the order of their ranks.
    pub fn positions_from(
        &self,
        (state, rebels): (GeneralState, u32),
        side: Side,
        rank: usize,
    ) -> impl Iterator<Item = Position> {
        let count = self.positions(state, rebels).saturating_sub(rank);
        // No set is made beyond the last.
        let placed = state.placed(rebels).filter(|_| count > 0);
        let sets = placed.map(|placed| self.sets_from(state.general, placed, rank));
        sets.into_iter().flatten().take(count).map(move |set| state.position(set, side))
    }

    /// The places of a set, as bits, with that of the General left out.
    #[inline(always)]
    fn places(&self, general: Point, rebels: PointSet) -> u64 {
        let places = of_bytes(&self.gathered, rebels.0);
        self.place_of[general].map_or(places, |place| without_bit(places, (1 << place) - 1))
    }

    /// The inverse of [`places`](Numbering::places).
    #[inline(always)]
    fn points(&self, general: Point, places: u64) -> PointSet {
        let places = self.place_of[general].map_or(places, |place| with_bit(places, (1 << place) - 1));
        PointSet(of_bytes(&self.scattered, places))
    }
}

/// By the number of a byte and its value, the union of what its bits are.
fn by_bytes(bits: u32, of_bit: &dyn Fn(usize) -> Option<u64>) -> Vec<[u64; 256]> {
    let byte = |number: usize, value: usize| {
        let held = (0..8).filter(|bit| value >> bit & 1 != 0);
        held.filter_map(|bit| of_bit(8 * number + bit)).fold(0, |all, bits| all | bits)
    };
    (0..bits.div_ceil(8) as usize).map(|number| std::array::from_fn(|value| byte(number, value))).collect()
}

#[inline(always)]
fn of_bytes(tables: &[[u64; 256]], bits: u64) -> u64 {
    let bytes = tables.iter().zip(bits.to_le_bytes());
    bytes.fold(0, |all, (table, byte)| all | table[usize::from(byte)])
}

/// In a word, the sets in which the place with that bit of the index holds a Rebel.
pub(super) const OCCUPIED: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

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
