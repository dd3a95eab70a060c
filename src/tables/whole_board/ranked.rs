//! The sets of the planes in the order of their ranks.
//!
//! Ranks are in the order of binary numbers. So a walk through these meets the sets of each layer in the order of their ranks; an index of
//! planes may number them in another way.

use crate::coding::{Coding, Section};
use crate::numbering::Numbering;
use crate::states::GeneralState;
use privy_base::best_instructions;
use privy_base::huge_pages::zeros;
use privy_protocol::Stop;

use super::block::BLOCK_SETS;
use super::passes::StateValues;
use super::plane_index::{PlaneIndex, Renumbered};

const WORD: usize = 64;

/// The sets of a word that some states have, by number of Rebels beyond those outside the word: their parts of a number in the planes.
type SetsOfWord = Vec<(u32, Vec<u32>)>;

/// A walk through the covered positions of a state of the General.
struct RankWalk<'a> {
    ranks: PlaneIndex,
    planes: &'a Renumbered,
    /// The bit of the General's point in the order of ranks, where it has one; else 0.
    general: usize,
    /// By the parity of the Rebels outside a word.
    words: [SetsOfWord; 2],
    /// By number of Rebels, the place of the next position among those of all layers; `usize::MAX` where they are not covered.
    next: [usize; 64],
    /// Positions of all layers.
    all: usize,
}

impl RankWalk<'_> {
    fn new<'a>(numbering: &Numbering, planes: &'a Renumbered, state: GeneralState) -> RankWalk<'a> {
        let on_ground = numbering.variant.rules().ground().contains(state.general);
        let ranks = PlaneIndex::of_ranks(&numbering.variant);
        let general = ranks.bit(state.general).filter(|_| on_ground).map_or(0, |bit| 1 << bit);
        // The General stands on the point that the parity determines.
        let is_hidden = on_ground && ranks.bit(state.general).is_none();
        let words = [0, 1].map(|outside: u32| {
            let mut words: SetsOfWord = (0..=WORD.ilog2() + 1).map(|rebels| (rebels, Vec::new())).collect();
            for low in (0..WORD.min(1 << ranks.used_bits())).filter(|low| low & general == 0) {
                let rebels = ranks.rebels(outside + low.count_ones()) - outside;
                let is_first_held = rebels > low.count_ones();
                if !(is_first_held && is_hidden) {
                    words[rebels as usize].1.push(planes.of_set(low));
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
        RankWalk { ranks, planes, general, words, next, all }
    }

    /// Calls `each` with covered positions in the order of their ranks: the place of the first among all positions of the state, a part of their
    /// numbers in the planes that all have, and the other part (by exclusive or) of each.
    #[inline(always)]
    fn for_each(mut self, mut each: impl FnMut(usize, u32, &[u32])) {
        let sets = BLOCK_SETS.min(1 << self.ranks.used_bits());
        for block in 0..self.ranks.blocks() {
            for first in (0..sets).step_by(WORD) {
                let number = block * BLOCK_SETS + first;
                if number & self.general != 0 {
                    continue;
                }
                let outside = number.count_ones();
                let of_word = self.planes.of_block(block) ^ self.planes.of_set(first);
                for (rebels, sets) in &self.words[outside as usize & 1] {
                    let next = &mut self.next[(outside + rebels) as usize & 63];
                    if *next != usize::MAX {
                        each(*next, of_word, sets);
                        *next += sets.len();
                    }
                }
            }
        }
    }
}

best_instructions! {
    /// The sections of a state, by layer.
    pub(super) fn dispatch_sections(
        numbering: &Numbering,
        planes: &Renumbered,
        coding: Coding,
        state: GeneralState,
        values: &StateValues,
    ) -> Vec<Section> {
        let walk = RankWalk::new(numbering, planes, state);
        let mut ranked = zeros(walk.all);
        walk.for_each(|place, of_word, sets| {
            ranked[place..].iter_mut().zip(sets).for_each(|(slot, set)| *slot = values.of_set(of_word ^ set));
        });
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
        planes: &Renumbered,
        state: GeneralState,
        values: &mut StateValues,
        ranked: &[u8],
    ) {
        let walk = RankWalk::new(numbering, planes, state);
        walk.for_each(|place, of_word, sets| {
            sets.iter().zip(&ranked[place..]).for_each(|(set, value)| values.set(of_word ^ set, *value));
        });
    }
}
