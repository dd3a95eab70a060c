//! Chains of jumps.
//!
//! In the middle of a chain the General must continue if it can, so the result there follows from the landings with a Rebel less, in the
//! same ply. Where it can't continue, or chooses not to, the move ends and the Rebels are to move.

use rayon::prelude::*;

use privy_base::best_instructions;

use super::block::{BitRow, Block, EMPTY, FULL, LANES, ROWS, Rows, StateResults, or_row};
use super::compiled_states::{Landing, MoveEnd};

/// The planes of a landing: not every way on is won for the Rebels; a way on is lost for them.
pub(super) const NOT_WON: usize = 0;
pub(super) const LOST: usize = 1;

/// In the middle of chains, by block; empty where there are none.
#[derive(Debug)]
pub(super) struct JumpChains(Vec<BlockChains>);

/// By landing, then by plane.
#[derive(Debug, Clone, Default)]
struct BlockChains {
    planes: Vec<[Block; 2]>,
    /// The rows that the last ply changed.
    changed: Vec<[Rows; 2]>,
}

impl JumpChains {
    pub(super) fn new(landings: usize, blocks: usize) -> JumpChains {
        let chains = BlockChains { planes: vec![[FULL, EMPTY]; landings], changed: vec![[Rows::NONE; 2]; landings] };
        JumpChains(if landings == 0 { Vec::new() } else { vec![chains; blocks] })
    }

    #[inline(always)]
    pub(super) fn planes(&self, block: usize, landing: usize) -> &[Block; 2] {
        &self.0[block].planes[landing]
    }

    /// The rows that the last ply changed.
    #[inline(always)]
    pub(super) fn changed(&self, block: usize, landing: usize) -> [Rows; 2] {
        self.0[block].changed[landing]
    }

    /// Carries a ply of the Rebels into the middle of chains; `results` are by state and image, `is_new` tells for each plane whether any of them
    /// has changed, and `ends_are_new` as long as landings that end the game count as changed. A jump takes a Rebel, so it reads a lower index: blocks whose numbers have as many ones do not
    /// depend on each other, those with fewer come before.
    pub(super) fn pass(
        &mut self,
        landings: &[Landing],
        ends_are_new: bool,
        is_new: [bool; 2],
        results: &[StateResults],
    ) {
        let blocks = self.0.len();
        if blocks == 0 {
            return;
        }
        for ones in 0..=blocks.trailing_zeros() {
            let numbers = (0..blocks).filter(|block| block.count_ones() == ones);
            let mut level: Vec<_> = numbers.map(|block| (block, std::mem::take(&mut self.0[block]))).collect();
            level.par_iter_mut().for_each(|(block, chains)| {
                let pass = BlockPass { all: self, block: *block, landings, ends_are_new, is_new, results };
                dispatch_block(&pass, chains);
            });
            level.into_iter().for_each(|(block, chains)| self.0[block] = chains);
        }
    }
}

/// A pass through a block, whose chains are apart from the others.
struct BlockPass<'a> {
    all: &'a JumpChains,
    block: usize,
    landings: &'a [Landing],
    ends_are_new: bool,
    is_new: [bool; 2],
    results: &'a [StateResults],
}

impl BlockPass<'_> {
    /// A row of one of the planes of a landing.
    #[inline(always)]
    fn row<const PLANE: usize>(&self, row: usize, chains: &BlockChains, landing: &Landing) -> BitRow {
        let (block, results) = (self.block, self.results);
        let (mut result, mut can_jump) = (EMPTY, EMPTY[row]);
        for (onto, shift) in &landing.jumps {
            let Some(source) = shift.source(block).filter(|_| shift.rows(Rows::ALL).contains(row)) else { continue };
            let from = if source == block { chains } else { &self.all.0[source] };
            shift.add(block, &from.planes[*onto][PLANE], Rows::one(row), &mut result);
            or_row(&mut can_jump, shift.admitted(block, row));
        }
        let end = match (landing.end, PLANE) {
            (MoveEnd::State(state), NOT_WON) => &results[state].not_won[block],
            (MoveEnd::State(state), _) => &results[state].all_lost[block],
            (MoveEnd::GeneralWins, _) => &FULL,
            (MoveEnd::RebelsWin, _) => &EMPTY,
        };
        for lane in 0..LANES {
            let must_jump = if landing.may_stop { 0 } else { can_jump[lane] };
            result[row][lane] |= end[row][lane] & !must_jump;
        }
        result[row]
    }

    /// Carries a ply into a plane of all landings, from the blocks below and the ends of the moves: only the rows for which one of
    /// these has changed, the lowest first, since jumps read no higher ones.
    #[inline(always)]
    fn advance<const PLANE: usize>(&self, chains: &mut BlockChains) {
        let BlockPass { all, block, landings, ends_are_new, is_new, results } = *self;
        let changed_by_others = |landing: &Landing| {
            let at_end = match (landing.end, PLANE) {
                (MoveEnd::State(state), NOT_WON) => results[state].won.rows(block),
                (MoveEnd::State(state), _) => results[state].lost.rows(block),
                _ if ends_are_new => Rows::ALL,
                _ => Rows::NONE,
            };
            landing.jumps.iter().fold(at_end, |rows, (onto, shift)| match shift.source(block) {
                Some(source) if source != block => rows.or(shift.rows(all.0[source].changed[*onto][PLANE])),
                _ => rows,
            })
        };
        chains.changed.iter_mut().for_each(|changed| changed[PLANE] = Rows::NONE);
        if !ends_are_new && !is_new[PLANE] {
            return;
        }
        let mut due = vec![Rows::NONE; landings.len()];
        for (due, landing) in due.iter_mut().zip(landings) {
            *due = changed_by_others(landing);
        }
        for row in 0..ROWS {
            while let Some(number) = due.iter().position(|due| due.contains(row)) {
                due[number] = due[number].without(row);
                let found = self.row::<PLANE>(row, chains, &landings[number]);
                let known = &mut chains.planes[number][PLANE][row];
                if *known == found {
                    continue;
                }
                *known = found;
                chains.changed[number][PLANE] = chains.changed[number][PLANE].or(Rows::one(row));
                for (before, jump) in &landings[number].before {
                    let (_, shift) = &landings[*before].jumps[*jump];
                    if shift.source(block) == Some(block) {
                        due[*before] = due[*before].or(shift.rows(Rows::one(row)));
                    }
                }
            }
        }
    }
}

best_instructions! {
    fn dispatch_block(pass: &BlockPass<'_>, chains: &mut BlockChains) {
        pass.advance::<NOT_WON>(chains);
        pass.advance::<LOST>(chains);
    }
}
