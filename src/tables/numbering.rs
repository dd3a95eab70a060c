//! Numbers for the positions with the Rebels to move: layer, state of the General, and the rank of the set of Rebels in
//! its layer.
//!
//! A rank counts the sets with as many Rebels and a lower binary number. This is the combinatorial number system (D. H.
//! Lehmer, 1964): the Rebels of a set stand on places p1 < p2 < ... of the free ones, and its rank is the sum of the
//! binomials of p1 over 1, p2 over 2 and so on. The General's point is left out, since no Rebel can stand there. So a
//! section of a file (a layer of a state) has exactly as many entries as positions: four Rebels on 33 points take
//! 40,920, where a bit for each set would take a gigabyte.

use std::sync::Arc;

use privy_rules::board::{Point, PointSet};
use privy_rules::{Position, Side, Variant};

use super::coding::Coding;
use super::error::NotCovered;
use super::kernel::Places;
use super::states::{GeneralState, binomial};

/// Places whose part of a rank is looked up at once.
const CHUNK: u32 = 10;

/// Bound on the sets of a layer: ranks fit into 32 bits.
const MOST_SETS: u64 = 1 << 32;

/// Ranks of sets of places among those of as many.
#[derive(Debug, Clone)]
pub(super) struct Ranks {
    /// By chunk, by number of members on lower places, by the bits of the chunk: their part of a rank.
    sums: Vec<[u32; 1 << CHUNK]>,
    /// By chunk, where its sums begin.
    chunks: Vec<u32>,
    /// By place and number, the binomial; the most that there is where it is larger, which no set reaches.
    binomials: Vec<Vec<u32>>,
}

impl Ranks {
    /// The ranks of sets of up to `most` of these places.
    pub(super) fn new(places: u32, most: u32) -> Ranks {
        let most = most.min(places);
        let binomials = |place| (0..=most).map(move |count| binomial(place, count).try_into().unwrap_or(u32::MAX));
        let binomials: Vec<Vec<u32>> = (0..places).map(|place| binomials(place).collect()).collect();
        let part = |chunk: u32, lower: u32, bits: usize| {
            let held = (0..CHUNK).filter(|bit| bits >> bit & 1 != 0).map(|bit| chunk * CHUNK + bit);
            // Sets with more members, or on places that do not exist, are never looked up.
            let of = |(place, count): (u32, u32)| binomials.get(place as usize)?.get(count as usize);
            held.zip(lower + 1..).filter_map(of).fold(0, |sum: u32, more| sum.wrapping_add(*more))
        };
        let (mut sums, mut chunks) = (Vec::new(), Vec::new());
        for chunk in 0..places.div_ceil(CHUNK) {
            chunks.push(sums.len() as u32);
            let lower = 0..=(chunk * CHUNK).min(most);
            sums.extend(
                lower.map(|lower| -> [u32; 1 << CHUNK] { std::array::from_fn(|bits| part(chunk, lower, bits)) }),
            );
        }
        Ranks { sums, chunks, binomials }
    }

    /// The rank of a set.
    #[inline(always)]
    pub(super) fn rank(&self, set: u64) -> u32 {
        let (mut rest, mut lower, mut rank) = (set, 0, 0u32);
        for chunk in &self.chunks {
            let bits = rest as usize & ((1 << CHUNK) - 1);
            rank = rank.wrapping_add(self.sums[*chunk as usize + lower][bits]);
            lower += bits.count_ones() as usize;
            rest >>= CHUNK;
        }
        rank
    }

    /// The set of `count` places with a rank.
    fn set(&self, count: u32, rank: usize) -> u64 {
        let (mut rest, mut place, mut set) = (rank as u32, self.binomials.len(), 0);
        for count in (1..=count as usize).rev() {
            let is_next = |place: &usize| self.binomials[*place][count] <= rest;
            place = (0..place).rev().find(is_next).expect("0 is at most any rank");
            rest -= self.binomials[place][count];
            set |= 1 << place;
        }
        set
    }
}

/// A set and those of as many after it, in the order of their ranks; meaningless after the last.
pub(super) fn sets_from(first: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(first), |set| {
        // The next number with as many ones (R. W. Gosper, HAKMEM item 175).
        let lowest = set & set.wrapping_neg();
        let carried = set.wrapping_add(lowest);
        Some(if lowest == 0 { 0 } else { carried | (set ^ carried) >> 2 >> lowest.trailing_zeros() })
    })
}

/// The numbers of the positions of a variant that a table covers.
#[derive(Debug, Clone)]
pub struct Numbering {
    pub variant: Arc<Variant>,
    pub(super) coding: Coding,
    /// The states that are solved.
    pub states: Vec<GeneralState>,
    /// By slot of a state, its number, and true if the mirror image is solved; `None` where no game continues.
    state_of: Vec<Option<(usize, bool)>>,
    /// The numbers of Rebels that are covered, ascending.
    pub layers: Vec<u32>,
    /// By number of Rebels, its place among these.
    layer_of: Vec<Option<u32>>,
    ground: PointSet,
    /// By eight points at once, their places as bits; and by eight places at once, their points.
    gathered: Vec<[u64; 256]>,
    scattered: Vec<[u64; 256]>,
    /// By index of a point, the places below its own; all if it has none.
    below: Vec<u64>,
    ranks: Ranks,
}

impl Numbering {
    /// The numbering of some layers; `None` if one has more sets than 32 bits count.
    pub fn new(variant: &Arc<Variant>, layers: Vec<u32>) -> Option<Numbering> {
        Numbering::with_places(variant, layers, &Places::of(variant).points)
    }

    /// The same with the points where Rebels may stand in some order.
    pub fn with_places(variant: &Arc<Variant>, layers: Vec<u32>, points: &[Point]) -> Option<Numbering> {
        let (ground, most) = (variant.rules().ground, layers.last().copied().unwrap_or(0));
        if !Numbering::is_possible(variant, &layers) {
            return None;
        }
        let mut layer_of = vec![None; most as usize + 1];
        (0..).zip(&layers).for_each(|(layer, rebels)| layer_of[*rebels as usize] = Some(layer));
        let states = GeneralState::solved(variant);
        let mut state_of = Vec::new();
        for (number, state) in states.iter().enumerate() {
            for (state, is_mirrored) in [(state.image(variant), true), (*state, false)] {
                let slot = state.slot(variant);
                state_of.resize(state_of.len().max(slot + 1), None);
                state_of[slot] = Some((number, is_mirrored));
            }
        }
        let place_of = |index: usize| points.iter().position(|point| point.index() == index).map(|place| 1 << place);
        Some(Numbering {
            coding: Coding::of(variant),
            states,
            state_of,
            variant: Arc::clone(variant),
            layers,
            layer_of,
            ground,
            gathered: by_bytes(64, &place_of),
            scattered: by_bytes(ground.len(), &|place| Some(PointSet::of(*points.get(place)?).0)),
            below: (0..64).map(|index| place_of(index).map_or(!0, |place: u64| place - 1)).collect(),
            ranks: Ranks::new(ground.len(), most),
        })
    }

    /// True if no layer has more sets than 32 bits count.
    pub(super) fn is_possible(variant: &Variant, layers: &[u32]) -> bool {
        layers.iter().all(|rebels| binomial(variant.rules().ground.len(), *rebels) < MOST_SETS)
    }

    /// The most Rebels of a layer.
    #[inline(always)]
    pub(super) fn most(&self) -> u32 {
        self.layer_of.len() as u32 - 1
    }

    /// Sections of a file: the states of each layer.
    pub fn sections(&self) -> usize {
        self.states.len() * self.layers.len()
    }

    /// The sections in their order: the state and the number of Rebels of each.
    pub fn all_sections(&self) -> impl Iterator<Item = (GeneralState, u32)> {
        self.layers.iter().flat_map(|rebels| self.states.iter().map(|state| (*state, *rebels)))
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

    /// The number of a state, and true if its mirror image has it.
    #[inline(always)]
    pub(super) fn state(&self, state: GeneralState) -> Option<(usize, bool)> {
        self.state_of.get(state.slot(&self.variant)).copied().flatten()
    }

    /// The section of a position with the Rebels to move, and its rank there.
    #[inline(always)]
    pub fn find(&self, position: &Position) -> Result<(usize, usize), NotCovered> {
        self.check_rebels(position)?;
        let Some(layer) = self.layer(position.rebels_left()) else {
            let parity = ["even", "odd"][position.rebels_left() as usize % 2];
            return Err(NotCovered::Parity(parity));
        };
        let (state, is_mirrored) = self.state(GeneralState::of(position)).ok_or(NotCovered::GeneralState)?;
        let rebels = position.rebels();
        if !self.ground.without(position.general()).contains_all(rebels) {
            return Err(NotCovered::GeneralState);
        }
        let rebels = match self.variant.board().mirror() {
            Some(mirror) if is_mirrored => mirror.set(rebels),
            _ => rebels,
        };
        let rank = self.rank(self.states[state].general, rebels);
        Ok((layer * self.states.len() + state, rank))
    }

    /// Refuses a position with more Rebels than are covered.
    #[inline(always)]
    pub(super) fn check_rebels(&self, position: &Position) -> Result<(), NotCovered> {
        let (rebels, most) = (position.rebels_left(), self.most());
        if rebels > most { Err(NotCovered::Rebels { rebels, most }) } else { Ok(()) }
    }

    /// The rank of a set in its layer; no Rebel of it stands on the General's point.
    #[inline(always)]
    pub fn rank(&self, general: Point, rebels: PointSet) -> usize {
        self.rank_of_places(without_bit(of_bytes(&self.gathered, rebels.0), self.below[general.index()]))
    }

    /// The rank of a set by its places, with that of the General left out.
    #[inline(always)]
    pub(super) fn rank_of_places(&self, places: u64) -> usize {
        self.ranks.rank(places) as usize
    }

    /// The sets of some number of Rebels from a rank on, in the order of their ranks.
    pub fn sets_from(&self, general: Point, rebels: u32, rank: usize) -> impl Iterator<Item = PointSet> {
        let below = self.below[general.index()];
        let sets = sets_from(self.ranks.set(rebels, rank));
        sets.map(move |places| PointSet(of_bytes(&self.scattered, with_bit(places, below))))
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
pub(super) fn without_bit(number: u64, low: u64) -> u64 {
    number & low | number >> 1 & !low
}

/// The same bit put back as 0.
#[inline(always)]
pub(super) fn with_bit(number: u64, low: u64) -> u64 {
    number & low | (number & !low) << 1
}
