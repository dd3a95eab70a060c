//! Chains of jumps.
//!
//! In the middle of a chain the General must continue if it can, so the result there follows from the landings with a Rebel less, in the
//! same ply. Where it can't continue, or chooses not to, the move ends and the Rebels are to move.

use rayon::prelude::*;

use privy_base::best_instructions;

use super::block::{Block, EMPTY, FULL, Rows, StateResults, minus_row, or_row};
use super::compiled_states::{Landing, MoveEnd};

#[derive(Debug)]
pub(super) struct JumpChains {
    /// By block and landing; empty where there are no chains.
    blocks: Vec<Vec<ChainBlock>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ChainBlock {
    /// Not every way on is won for the Rebels.
    pub(super) not_won: Block,
    /// A way on is lost for them.
    pub(super) lost: Block,
    /// The rows that the last ply changed.
    pub(super) changed: Rows,
}

impl JumpChains {
    pub(super) fn new(landings: usize, blocks: usize) -> JumpChains {
        let unknown = ChainBlock { not_won: FULL, lost: EMPTY, changed: Rows::NONE };
        JumpChains { blocks: if landings == 0 { Vec::new() } else { vec![vec![unknown; landings]; blocks] } }
    }

    #[inline(always)]
    pub(super) fn get(&self, block: usize, landing: usize) -> &ChainBlock {
        &self.blocks[block][landing]
    }

    /// Carries a ply of the Rebels into the middle of chains; `results` are by state and image, and `ends_are_new` as long as
    /// landings that end the game count as changed. A jump takes a Rebel, so it reads a lower index: blocks whose numbers have as many ones do not
    /// depend on each other, those with fewer come before.
    pub(super) fn pass(&mut self, landings: &[Landing], ends_are_new: bool, results: &[StateResults]) {
        let blocks = self.blocks.len();
        if blocks == 0 {
            return;
        }
        for ones in 0..=blocks.trailing_zeros() {
            let numbers = (0..blocks).filter(|block| block.count_ones() == ones);
            let mut level: Vec<_> = numbers.map(|block| (block, std::mem::take(&mut self.blocks[block]))).collect();
            level.par_iter_mut().for_each(|(block, chains)| {
                dispatch_block(self, *block, chains, landings, ends_are_new, results);
            });
            level.into_iter().for_each(|(block, chains)| self.blocks[block] = chains);
        }
    }

    /// Not won and lost at a landing, in some rows of a block whose landings are `chains`.
    #[inline(always)]
    fn landing(
        &self,
        block: usize,
        chains: &[ChainBlock],
        landing: &Landing,
        rows: Rows,
        results: &[StateResults],
    ) -> (Block, Block) {
        let mut can_jump = EMPTY;
        let (mut not_won, mut lost) = (EMPTY, EMPTY);
        for (onto, shift) in &landing.jumps {
            let Some(source) = shift.source(block) else { continue };
            let from = if source == block { &chains[*onto] } else { &self.blocks[source][*onto] };
            let rows = rows.and(shift.rows(Rows::ALL));
            shift.add(block, &FULL, rows, &mut can_jump);
            shift.add(block, &from.not_won, rows, &mut not_won);
            shift.add(block, &from.lost, rows, &mut lost);
        }
        let (end_not_won, end_lost) = match landing.end {
            MoveEnd::State(state) => (&results[state].not_won[block], &results[state].all_lost[block]),
            MoveEnd::GeneralWins => (&FULL, &FULL),
            MoveEnd::RebelsWin => (&EMPTY, &EMPTY),
        };
        for row in rows {
            for (into, end) in [(&mut not_won[row], &end_not_won[row]), (&mut lost[row], &end_lost[row])] {
                let mut end = *end;
                if !landing.may_stop {
                    minus_row(&mut end, &can_jump[row]);
                }
                or_row(into, &end);
            }
        }
        (not_won, lost)
    }
}

best_instructions! {
    /// All landings of a block, from the blocks below and the ends of the moves: only the rows for which one of these has changed.
    fn dispatch_block(
        all: &JumpChains,
        block: usize,
        chains: &mut [ChainBlock],
        landings: &[Landing],
        ends_are_new: bool,
        results: &[StateResults],
    ) {
        let changed_by_others = |landing: &Landing| {
            let at_end = match landing.end {
                MoveEnd::State(state) => results[state].won.rows(block).or(results[state].lost.rows(block)),
                MoveEnd::GeneralWins | MoveEnd::RebelsWin if ends_are_new => Rows::ALL,
                MoveEnd::GeneralWins | MoveEnd::RebelsWin => Rows::NONE,
            };
            landing.jumps.iter().fold(at_end, |rows, (onto, shift)| match shift.source(block) {
                Some(source) if source != block => rows.or(shift.rows(all.blocks[source][*onto].changed)),
                _ => rows,
            })
        };
        let mut due: Vec<Rows> = landings.iter().map(changed_by_others).collect();
        chains.iter_mut().for_each(|chain| chain.changed = Rows::NONE);
        while let Some(number) = due.iter().position(|due| !due.is_empty()) {
            let rows = std::mem::replace(&mut due[number], Rows::NONE);
            let (not_won, lost) = all.landing(block, chains, &landings[number], rows, results);
            let chain = &mut chains[number];
            let mut changed = Rows::NONE;
            for row in rows {
                if chain.not_won[row] != not_won[row] || chain.lost[row] != lost[row] {
                    (chain.not_won[row], chain.lost[row]) = (not_won[row], lost[row]);
                    changed = changed.or(Rows::one(row));
                }
            }
            chain.changed = chain.changed.or(changed);
            if changed.is_empty() {
                continue;
            }
            for (due, landing) in due.iter_mut().zip(landings) {
                for (_, shift) in landing.jumps.iter().filter(|(onto, _)| *onto == number) {
                    if shift.source(block) == Some(block) {
                        *due = due.or(shift.rows(changed));
                    }
                }
            }
        }
    }
}
