//! Chains of jumps.
//!
//! In the middle of a chain the General must go on if he can, so what becomes of him there follows from the landings with
//! a Rebel less, in the same ply; where he can't go on the move ends, and the Rebels are to move.

use rayon::prelude::*;

use super::bits::{minus, or};
use super::general_states::Target;
use super::index::{Block, EMPTY, FULL, Shift};
use super::retrograde::Solver;

/// What becomes of the General in the middle of chains of jumps, block by block.
#[derive(Debug)]
pub(super) struct Chains {
    /// Per block and landing.
    pub(super) blocks: Vec<Vec<ChainBlock>>,
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

impl Chains {
    /// Nothing is known yet.
    pub(super) fn new(landings: usize, blocks: usize) -> Chains {
        let unknown = ChainBlock { not_won: FULL, lost: EMPTY, changed: false };
        Chains { blocks: if landings == 0 { Vec::new() } else { vec![vec![unknown; landings]; blocks] } }
    }
}

impl Solver<'_> {
    /// What the Rebels' last ply means in the middle of chains. A jump takes a Rebel, so it asks a lower index: blocks
    /// whose numbers have as many ones do not depend on each other, those with fewer come before.
    pub(super) fn landings_pass(&mut self) {
        if self.chains.blocks.is_empty() {
            return;
        }
        let blocks = self.space.blocks();
        for ones in 0..=blocks.trailing_zeros() {
            let numbers: Vec<usize> = (0..blocks).filter(|block| block.count_ones() == ones).collect();
            let solved: Vec<(usize, Vec<ChainBlock>)> =
                numbers.into_par_iter().map(|block| (block, self.chain_block(block))).collect();
            for (block, chains) in solved {
                self.chains.blocks[block] = chains;
            }
        }
    }

    /// All landings of a block, from the blocks below and the ends of the moves.
    fn chain_block(&self, block: usize) -> Vec<ChainBlock> {
        let before = &self.chains.blocks[block];
        let mut now = before.clone();
        now.iter_mut().for_each(|chain| chain.changed = false);
        let found = |end: Target| match end {
            Target::GeneralState(place) => self.rebels[place].won.any[block] || self.rebels[place].lost.any[block],
            _ => self.ply < 2,
        };
        let stirred = |(onto, shift): &(usize, Shift)| {
            shift.source(block).is_some_and(|source| source != block && self.chains.blocks[source][*onto].changed)
        };
        if !self.places.landings.iter().any(|landing| found(landing.end) || landing.jumps.iter().any(stirred)) {
            return now;
        }
        loop {
            let mut stable = true;
            for (number, landing) in self.places.landings.iter().enumerate() {
                let mut can_jump = EMPTY;
                let (mut not_won, mut lost) = (EMPTY, EMPTY);
                for (onto, shift) in &landing.jumps {
                    let Some(source) = shift.source(block) else { continue };
                    let from = if source == block { &now[*onto] } else { &self.chains.blocks[source][*onto] };
                    shift.add(block, &FULL, &mut can_jump);
                    shift.add(block, &from.not_won, &mut not_won);
                    shift.add(block, &from.lost, &mut lost);
                }
                let (mut end_not_won, mut end_lost) = match landing.end {
                    Target::GeneralState(place) => {
                        (self.rebels[place].not_won[block], self.rebels[place].all_lost[block])
                    }
                    Target::GeneralWins => (FULL, FULL),
                    Target::RebelsWin => (EMPTY, EMPTY),
                };
                minus(&mut end_not_won, &can_jump);
                minus(&mut end_lost, &can_jump);
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
