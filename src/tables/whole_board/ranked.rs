//! The sets of the planes in the order of their ranks.
//!
//! Ranks are in the order of binary numbers, as the index of the planes is. So a walk through the index meets the sets of each layer in
//! the order of their ranks.

use crate::coding::{Coding, Section};
use crate::numbering::Numbering;
use crate::states::GeneralState;
use privy_base::best_instructions;
use privy_base::huge_pages::zeros;
use privy_protocol::Stop;
use privy_rules::board::Point;

use super::block::BLOCK_SETS;
use super::passes::StateValues;
use super::shifts::PlaneIndex;

const WORD: usize = 64;

/// The sets of a word that some states have, by number of Rebels beyond those outside the word.
type SetsOfWord = Vec<(u32, Vec<u8>)>;

/// A walk through the covered positions of a state of the General.
struct RankWalk {
    index: PlaneIndex,
    /// The bit of the General's point in the index, where it has one; else 0.
    general: usize,
    /// By the parity of the Rebels outside a word.
    words: [SetsOfWord; 2],
    /// By number of Rebels, the place of the next position among those of all layers; `usize::MAX` where they are not covered.
    next: [usize; 64],
    /// Positions of all layers.
    all: usize,
}

impl RankWalk {
    fn new(numbering: &Numbering, index: &PlaneIndex, state: GeneralState) -> RankWalk {
        let on_ground = numbering.variant.rules().ground().contains(state.general);
        let general = index.bit(state.general).filter(|_| on_ground).map_or(0, |bit| 1 << bit);
        // The General stands on the point that the parity determines.
        let is_hidden = on_ground && index.parity.is_some() && state.general == Point::new(0);
        let words = [0, 1].map(|outside: u32| {
            let mut words: SetsOfWord = (0..=WORD.ilog2() + 1).map(|rebels| (rebels, Vec::new())).collect();
            for low in (0..WORD.min(1 << index.used_bits())).filter(|low| low & general == 0) {
                let rebels = index.rebels(outside + low.count_ones()) - outside;
                let is_first_held = rebels > low.count_ones();
                if !(is_first_held && is_hidden) {
                    words[rebels as usize].1.push(low as u8);
                }
            }
            words.retain(|(_, sets)| !sets.is_empty());
            words
        });
        let (mut next, mut all) = ([usize::MAX; 64], 0);
        for rebels in &numbering.layers {
            next[*rebels as usize] = all;
            all += numbering.positions(state, *rebels);
        }
        RankWalk { index: *index, general, words, next, all }
    }

    /// Calls `each` with the first set of each word of the next block, sets of the word in the order of their ranks, and the place of the
    /// first of these among all positions of the state.
    #[inline(always)]
    fn block(&mut self, block: usize, mut each: impl FnMut(usize, &[u8], usize)) {
        let sets = BLOCK_SETS.min(1 << self.index.used_bits());
        for first in (0..sets).step_by(WORD) {
            let number = block * BLOCK_SETS + first;
            if number & self.general != 0 {
                continue;
            }
            let outside = number.count_ones();
            for (rebels, sets) in &self.words[outside as usize & 1] {
                let next = &mut self.next[(outside + rebels) as usize & 63];
                if *next != usize::MAX {
                    each(first, sets, *next);
                    *next += sets.len();
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
        let mut ranked = zeros(walk.all);
        for block in 0..index.blocks() {
            // A block without values has no legal position.
            if let Some(bytes) = values.block(block) {
                walk.block(block, |first, sets, place| {
                    let word = &bytes[first..][..WORD];
                    ranked[place..].iter_mut().zip(sets).for_each(|(slot, set)| *slot = word[usize::from(*set)]);
                });
            }
        }
        let mut rest = ranked.as_slice();
        let mut sections = Vec::with_capacity(numbering.layers.len());
        for rebels in &numbering.layers {
            let (of_layer, others) = rest.split_at(numbering.positions(state, *rebels));
            sections.push(Section::new(coding, of_layer, &[], &Stop::default()));
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
                walk.block(block, |first, sets, place| {
                    let word = &mut bytes[first..][..WORD];
                    sets.iter().zip(&ranked[place..]).for_each(|(set, value)| word[usize::from(*set)] = *value);
                });
            }
        }
    }
}
