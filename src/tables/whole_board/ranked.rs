//! The sets of the planes in the order of their ranks.
//!
//! Ranks are in the order of binary numbers, as the index of the planes is. So a walk through the index meets the sets of each layer in
//! the order of their ranks.

use crate::coding::{Coding, Section};
use crate::numbering::Numbering;
use crate::states::GeneralState;
use privy_base::best_instructions;
use privy_base::huge_pages::vec_of;
use privy_protocol::Stop;
use privy_rules::board::Point;

use super::block::BLOCK_SETS;
use super::passes::StateValues;
use super::shifts::PlaneIndex;

const WORD: usize = 64;

/// A walk through the covered positions of a state of the General.
struct RankWalk {
    index: PlaneIndex,
    /// The bit of the General's point in the index, where it has one; else 0.
    general: usize,
    /// The General stands on the point that the parity determines.
    is_hidden: bool,
    /// By number of Rebels, the place of the next position among those of all layers; `usize::MAX` where they are not covered.
    next: [usize; 64],
    /// Positions of all layers.
    all: usize,
}

impl RankWalk {
    fn new(numbering: &Numbering, index: &PlaneIndex, state: GeneralState) -> RankWalk {
        let on_ground = numbering.variant.rules().ground().contains(state.general);
        let general = index.bit(state.general).filter(|_| on_ground).map_or(0, |bit| 1 << bit);
        let is_hidden = on_ground && index.parity.is_some() && state.general == Point::new(0);
        let (mut next, mut all) = ([usize::MAX; 64], 0);
        for rebels in &numbering.layers {
            next[*rebels as usize] = all;
            all += numbering.positions(state, *rebels);
        }
        RankWalk { index: *index, general, is_hidden, next, all }
    }

    /// Calls `each` with the covered sets of the next block, by their number in it and their place among all positions of the state.
    #[inline(always)]
    fn block(&mut self, block: usize, mut each: impl FnMut(usize, usize)) {
        let sets = BLOCK_SETS.min(1 << self.index.used_bits());
        for first in (0..sets).step_by(WORD) {
            let number = block * BLOCK_SETS + first;
            if number & self.general != 0 {
                continue;
            }
            let upper = number.count_ones();
            for low in 0..WORD.min(sets) {
                let shown = upper + (low as u32).count_ones();
                let is_first_held = self.index.parity.is_some_and(|parity| shown & 1 != parity);
                if low & self.general != 0 || is_first_held && self.is_hidden {
                    continue;
                }
                let next = &mut self.next[(shown + u32::from(is_first_held)) as usize & 63];
                if *next != usize::MAX {
                    each(first + low, *next);
                    *next += 1;
                }
            }
        }
    }
}

best_instructions! {
    /// The sections of a state, by layer.
    pub(super) fn dispatch_sections(
        numbering: &Numbering,
        index: &PlaneIndex,
        coding: Coding,
        state: GeneralState,
        values: &StateValues,
    ) -> Vec<Section> {
        let mut walk = RankWalk::new(numbering, index, state);
        let mut ranked = vec_of(0, walk.all);
        for block in 0..index.blocks() {
            // A block without values has no legal position.
            if let Some(bytes) = values.block(block) {
                walk.block(block, |at, place| ranked[place] = bytes[at]);
            }
        }
        let mut rest = ranked.as_slice();
        let mut sections = Vec::with_capacity(numbering.layers.len());
        for rebels in &numbering.layers {
            let (of_layer, others) = rest.split_at(numbering.positions(state, *rebels));
            sections.push(Section::new(coding, of_layer.len(), &Stop::default(), |rank| u16::from(of_layer[rank])));
            rest = others;
        }
        sections
    }
}

best_instructions! {
    /// Restores the values of a state from those of its layers.
    pub(super) fn dispatch_restore(
        numbering: &Numbering,
        index: &PlaneIndex,
        state: GeneralState,
        values: &mut StateValues,
        ranked: &[u8],
    ) {
        let mut walk = RankWalk::new(numbering, index, state);
        for block in 0..index.blocks() {
            if let Some(bytes) = values.block_mut(block) {
                walk.block(block, |at, place| bytes[at] = ranked[place]);
            }
        }
    }
}
