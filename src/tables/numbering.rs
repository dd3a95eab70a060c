//! Numbers for the positions with the Rebels to move: layer, state of the General, and the rank of the set of Rebels in
//! its layer.
//!
//! The General's point is left out of the places of a set, since no Rebel can stand there. So a section of a file (a
//! layer of a state) has exactly as many entries as positions: four Rebels on 33 points take 40,920, where a bit for
//! each set would take a gigabyte.

use std::sync::Arc;

use privy_rules::board::{Point, PointSet};
use privy_rules::{Position, Side, Variant};

use super::coding::Coding;
use super::error::NotCovered;
use super::kernel::Places;
use super::sets::{Ranks, binomial, by_bytes, of_bytes, sets_from, with_bit, without_bit};
use super::states::GeneralState;

/// Bound on the sets of a layer: ranks fit into 32 bits.
const MOST_SETS: u64 = 1 << 32;

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
        self.layers.last().copied().unwrap_or(0)
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
        self.layers.binary_search(&rebels).ok()
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
