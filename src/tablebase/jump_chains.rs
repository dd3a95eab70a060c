//! Chains of jumps.
//!
//! In the middle of a chain the General must go on if it can, so its fate there follows from the landings with a Rebel less,
//! in the same ply; where it can't go on, or need not and does not, the move ends, and the Rebels are to move.

use rayon::prelude::*;

use crate::cpu::best_instructions;

use super::block::{Block, EMPTY, FULL, minus, or};
use super::general_states::{End, Landing};

/// The landings of all chains, block by block.
#[derive(Debug)]
pub(super) struct JumpChains {
    /// Per block and landing; empty where there are no chains.
    blocks: Vec<Vec<ChainBlock>>,
}

/// One landing, one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChainBlock {
    /// Not all ways on are won by the Rebels yet.
    pub(super) not_won: Block,
    /// There is a way on that they have lost.
    pub(super) lost: Block,
    /// Did the last ply change anything?
    pub(super) changed: bool,
}

/// What is known of the Rebels, who are to move in a state of the General, in a block of their sets.
pub(super) struct RebelsBlock<'a> {
    pub(super) not_won: &'a Block,
    pub(super) lost: &'a Block,
    /// Did the last ply change anything?
    pub(super) changed: bool,
}

impl JumpChains {
    /// Chains of which nothing is known yet.
    pub(super) fn new(landings: usize, blocks: usize) -> JumpChains {
        let unknown = ChainBlock { not_won: FULL, lost: EMPTY, changed: false };
        JumpChains { blocks: if landings == 0 { Vec::new() } else { vec![vec![unknown; landings]; blocks] } }
    }

    /// Memory that a pass takes for a while, in bytes: the most blocks that it works out at a time.
    pub(super) fn bytes_of_pass(&self) -> usize {
        let at_a_time = self.blocks.len() / 4 + 64;
        self.blocks.first().map_or(0, |chains| at_a_time * chains.len() * size_of::<ChainBlock>())
    }

    #[inline(always)]
    pub(super) fn get(&self, block: usize, landing: usize) -> &ChainBlock {
        &self.blocks[block][landing]
    }

    /// What a ply of the Rebels means in the middle of chains; `rebels` gives what is known of a state and a block, and
    /// `ends_are_new` says whether a win without any more moves is new. A jump takes a Rebel, so it reads a lower index: blocks
    /// whose numbers have as many ones do not depend on each other, those with fewer come before.
    pub(super) fn pass<'a>(
        &mut self,
        landings: &[Landing],
        ends_are_new: bool,
        rebels: impl Fn(usize, usize) -> RebelsBlock<'a> + Sync,
    ) {
        let blocks = self.blocks.len();
        if blocks == 0 {
            return;
        }
        for ones in 0..=blocks.trailing_zeros() {
            let numbers: Vec<usize> = (0..blocks).filter(|block| block.count_ones() == ones).collect();
            let chains = numbers.into_par_iter().map(|block| {
                let rebels = |state| rebels(state, block);
                (block, dispatch_block(self, block, landings, ends_are_new, rebels))
            });
            for (block, chains) in chains.collect::<Vec<_>>() {
                self.blocks[block] = chains;
            }
        }
    }

    /// All landings of a block, from the blocks below and the ends of the moves.
    #[inline(always)]
    fn block<'a>(
        &self,
        block: usize,
        landings: &[Landing],
        ends_are_new: bool,
        rebels: impl Fn(usize) -> RebelsBlock<'a>,
    ) -> Vec<ChainBlock> {
        let before = &self.blocks[block];
        let mut now = before.clone();
        now.iter_mut().for_each(|chain| chain.changed = false);
        let is_new = |landing: &Landing| match landing.end {
            End::State(state) => rebels(state).changed,
            End::GeneralWins | End::RebelsWin => ends_are_new,
        };
        let is_stirred = |landing: &Landing| {
            landing.jumps.iter().any(|(onto, shift)| {
                shift.source(block).is_some_and(|source| source != block && self.blocks[source][*onto].changed)
            })
        };
        if !landings.iter().any(|landing| is_new(landing) || is_stirred(landing)) {
            return now;
        }
        loop {
            let mut stable = true;
            for (number, landing) in landings.iter().enumerate() {
                let mut can_jump = EMPTY;
                let (mut not_won, mut lost) = (EMPTY, EMPTY);
                for (onto, shift) in &landing.jumps {
                    let Some(source) = shift.source(block) else { continue };
                    let from = if source == block { &now[*onto] } else { &self.blocks[source][*onto] };
                    shift.add(block, &FULL, &mut can_jump);
                    shift.add(block, &from.not_won, &mut not_won);
                    shift.add(block, &from.lost, &mut lost);
                }
                let (mut end_not_won, mut end_lost) = match landing.end {
                    End::State(state) => {
                        let RebelsBlock { not_won, lost, .. } = rebels(state);
                        (*not_won, *lost)
                    }
                    End::GeneralWins => (FULL, FULL),
                    End::RebelsWin => (EMPTY, EMPTY),
                };
                if !landing.may_stop {
                    minus(&mut end_not_won, &can_jump);
                    minus(&mut end_lost, &can_jump);
                }
                or(&mut not_won, &end_not_won);
                or(&mut lost, &end_lost);
                stable &= now[number].not_won == not_won && now[number].lost == lost;
                now[number].not_won = not_won;
                now[number].lost = lost;
            }
            if stable {
                break;
            }
        }
        for (now, before) in now.iter_mut().zip(before) {
            now.changed = now.not_won != before.not_won || now.lost != before.lost;
        }
        now
    }
}

best_instructions! {
    fn dispatch_block<'a, R: Fn(usize) -> RebelsBlock<'a>>(
        chains: &JumpChains,
        block: usize,
        landings: &[Landing],
        ends_are_new: bool,
        rebels: R,
    ) -> Vec<ChainBlock> {
        chains.block(block, landings, ends_are_new, rebels)
    }
}
