//! Retrograde analysis, a ply at a time, over whole tables of Rebel sets.
//!
//! Every ply has a pass for each side to move, which finds the positions decided in exactly that many plies. A position is won when a
//! move leads to one lost a ply earlier, and lost when all moves lead to positions won by then. For a fixed state of the General a step
//! of a Rebel is a constant offset in the index, so a pass is a sequence of shifted reads of whole blocks; blocks and rows that the last
//! ply did not change are skipped.

use std::sync::Arc;

use privy_base::best_instructions;
use privy_base::huge_pages::{vec_of, zeros};
use privy_base::threads;
use privy_rules::board::PointSet;
use privy_rules::{CompiledRules, Variant};

use crate::coding::{Coding, Counts};
use crate::memory::Shortage;
use crate::states::{Coverage, GeneralState};

use super::block::{
    BLOCK_SETS, BLOCKS_OF_TASK, Bits, Block, Decided, EMPTY, FULL, Found, Pool, Rows, StateResults, and,
    bytes_of_decided, dispatch_add_up, each_block, with_value, write_value,
};
use super::compiled_states::{CompiledState, GeneralMove, GeneralStates, MoveEnd, Target};
use super::free_jumps::FreeJumps;
use super::jump_chains::JumpChains;
use super::passes::{
    GeneralToMove, MoveSources, OpenSets, PlyContext, RebelsToMove, StateValues, dispatch_arrivals_pass,
    dispatch_general_pass, dispatch_rebels_pass,
};
use super::plane_index::{MOST_POINTS, PlaneIndex, Renumbered};

pub(crate) struct Retrograde<'a> {
    variant: &'a Variant,
    index: PlaneIndex,
    /// The numbers of ranked sets in the planes.
    pub(super) renumbered: Renumbered,
    states: GeneralStates,
    rebels: Vec<RebelsToMove>,
    results: Vec<StateResults>,
    arrivals: Vec<StateResults>,
    chains: JumpChains,
    free_jumps: Vec<FreeJumps>,
    general: Vec<GeneralToMove>,
    ply: u32,
    pool: Arc<Pool>,
}

fn clear(lists: [&mut Decided; 2]) {
    lists.into_iter().for_each(Decided::clear);
}

/// Bytes set aside for the end of a solve that runs out of the system's memory: enough to compress the values of a state.
pub(crate) fn spare_bytes(variant: &Variant) -> u64 {
    (16 << 20).max(4 * PlaneIndex::of(variant).sets() as u64)
}

/// True if a pass reads where the Rebels have not won.
fn reads_not_won(states: &GeneralStates) -> bool {
    let is_plain = |move_: &GeneralMove| matches!(move_.target, Target::End(MoveEnd::State(_)) | Target::Landing(_));
    !states.landings.is_empty() || states.states.iter().any(|state| state.moves.iter().any(is_plain))
}

/// The least and the most bytes of the analysis: a bit for each set of Rebels in every plane, and a byte for each in the blocks of values.
/// The lists of single plies take what the plies decide.
pub(crate) fn memory(variant: &Variant, coverage: Coverage) -> (u64, u64) {
    let (rules, index) = (variant.rules(), PlaneIndex::of(variant));
    let states = GeneralStates::new(variant, &index);
    let count = |list: usize| list as u64;
    // `RebelsToMove` and `GeneralToMove`, `StateResults` of states and of arrivals, `JumpChains`.
    let solved = count(states.states.len());
    let planes_of_results = u64::from(reads_not_won(&states)) + u64::from(!states.landings.is_empty());
    let planes = solved * (1 + 2 + planes_of_results) + count(states.arrivals.len());
    let decided = solved * (2 + 3 + 2) + count(states.arrivals.len()) * 2;
    let chains = count(states.landings.len()) * 2;
    let blocks_with_values = |compiled: &CompiledState| {
        let general = Some(compiled.state.general).filter(|general| rules.ground().contains(*general));
        count((0..index.blocks()).filter(|block| index.has_sets(*block, general, coverage.most())).count())
    };
    let values = states.states.iter().map(blocks_with_values).sum::<u64>() * BLOCK_SETS as u64;
    let (least, most) = bytes_of_decided(count(index.blocks()));
    let free_jumps = count(states.groups.len()) * count(index.blocks()) * FreeJumps::bytes_of_block();
    let fixed = (planes + chains) * (index.sets() as u64 / 8) + free_jumps + values;
    (fixed + decided * least, fixed + decided * most)
}

/// True once the rest of a ply need not be computed.
type IsOverdue<'a> = dyn Fn() -> bool + Sync + 'a;

impl<'a> Retrograde<'a> {
    /// The analysis of a variant, with at most `most_bytes` beyond the least [`memory`].
    pub(super) fn new(variant: &'a Variant, coverage: Coverage, most_bytes: u64) -> Retrograde<'a> {
        let (rules, index) = (variant.rules(), PlaneIndex::of(variant));
        let states = GeneralStates::new(variant, &index);
        let blocks = index.blocks();
        let (least, most) = (coverage.least(), coverage.most());
        let counted = |least: u32| -> Bits {
            let mut counted = zeros(blocks);
            each_block(&mut counted, |block, sets| *sets = dispatch_counted(&index, block, least, most));
            counted
        };
        let with_any = counted(0);
        let with_enough = counted(least);
        let legal = |state: GeneralState, counted: &Bits| {
            let mut legal = zeros(blocks);
            legal.copy_from_slice(counted);
            dispatch_clear_general(rules, &index, state, &mut legal);
            legal
        };
        let open = |blocks: Bits| OpenSets { rows: blocks.iter().map(Rows::of).collect(), blocks };
        let blocks_if = |wanted: bool| if wanted { blocks } else { 0 };
        let pool = Arc::new(Pool::new(most_bytes, spare_bytes(variant) as usize));
        let none = || Decided::new(blocks, &pool);
        let rebels = threads::map(&states.states, |compiled| {
            let legal = legal(compiled.state, &with_any);
            let values = StateValues::new(&legal);
            RebelsToMove { open: open(legal), won: none(), lost: none(), values }
        });
        let new_results = |reads_not_won: bool, reads_lost: bool| {
            let (not_won, all_lost) = (vec_of(FULL, blocks_if(reads_not_won)), zeros(blocks_if(reads_lost)));
            StateResults { won: none(), lost: none(), not_won, all_lost }
        };
        let (reads_not_won, reads_lost) = (reads_not_won(&states), !states.landings.is_empty());
        let results = threads::map(&states.states, |_| new_results(reads_not_won, reads_lost));
        let arrivals = threads::map(&states.arrivals, |arrival| {
            let mut results = new_results(true, false);
            dispatch_clear_general(rules, &index, arrival.state, &mut results.not_won);
            results
        });
        let general = threads::map(&states.states, |compiled| {
            let legal = || legal(compiled.state, &with_enough);
            GeneralToMove { not_won: legal(), open: open(legal()), won: none(), lost: none(), over: none() }
        });
        let chains = JumpChains::new(states.landings.len(), blocks, states.mirrored.as_deref());
        let free_jumps = states.groups.iter().map(|group| FreeJumps::new(group, blocks)).collect();
        let renumbered = Renumbered::new(&PlaneIndex::of_ranks(variant), &index);
        Retrograde {
            variant,
            index,
            renumbered,
            states,
            rebels,
            results,
            arrivals,
            chains,
            free_jumps,
            general,
            ply: 0,
            pool,
        }
    }

    pub(super) fn bytes_of_plies(&self) -> u64 {
        self.pool.bytes()
    }

    /// The solved states of the General, each with the values of its positions with the Rebels to move.
    pub(super) fn values(&self) -> impl Iterator<Item = (GeneralState, &StateValues)> {
        self.states.states.iter().zip(&self.rebels).map(|(compiled, rebels)| (compiled.state, &rebels.values))
    }

    /// The numbers in the planes, and the values of a state by its number, which are restored from a checkpoint; [`step`](Retrograde::step) reads them again
    /// ply by ply.
    pub(super) fn numbers_and_values(&mut self, state: usize) -> (&Renumbered, &mut StateValues) {
        (&self.renumbered, &mut self.rebels[state].values)
    }

    /// Clears the values of open positions: a run that ended in the middle of a ply had written some of its values.
    pub(super) fn forget_open(&mut self) {
        threads::each(&mut self.rebels, |RebelsToMove { open, values, .. }| {
            for (block, open) in open.blocks.iter().enumerate() {
                if let Some(bytes) = values.block_mut(block) {
                    write_value(open, Rows::ALL, 0, bytes);
                }
            }
        });
    }

    /// Frees the memory that only further plies would need. The values and the counts of the General stay.
    pub(super) fn end(&mut self) {
        self.results = Vec::new();
        self.arrivals = Vec::new();
        self.chains = JumpChains::new(0, 0, None);
        self.free_jumps = Vec::new();
        for RebelsToMove { open, won, lost, values: _ } in &mut self.rebels {
            open.blocks = Vec::new();
            clear([won, lost]);
        }
        for general in &mut self.general {
            general.won.clear();
            general.lost.clear();
        }
        self.pool.give_back();
    }

    /// Runs the next ply and returns the number of positions that it decides. Once a ply after the first decides none, no later one does.
    /// With `again` the ply is one of an earlier run: the values of the Rebels are read, not computed. Those of ply 0 are computed all the
    /// same, since the Rebels have lost in it where they are too few for any layer of a checkpoint.
    ///
    /// After a shortage of memory the values are those of the plies before and some of this one; nothing else can be used. Once `is_overdue`, nothing
    /// can.
    pub(super) fn step(&mut self, again: bool, is_overdue: &IsOverdue<'_>) -> Result<u64, Shortage> {
        let in_memory = |pool: &Pool| pool.shortage().map_or(Ok(()), Err);
        in_memory(&self.pool)?;
        // All lists of a pass are cleared before it begins, so that the memory is the same for any number of threads.
        self.rebels.iter_mut().for_each(|rebels| clear([&mut rebels.won, &mut rebels.lost]));
        match again && self.ply > 0 {
            true => self.rebels_pass_again(),
            false => self.rebels_pass(is_overdue),
        }
        in_memory(&self.pool)?;
        self.arrivals_pass();
        let ends_are_new = self.ply < 2;
        let is_new = [
            self.results.iter().any(|results| !results.won.is_empty()),
            self.results.iter().any(|results| !results.lost.is_empty()),
        ];
        self.chains.pass(&self.states.landings, ends_are_new, is_new, &self.results);
        let mirrored = self.states.mirrored.as_deref();
        self.free_jumps.iter_mut().for_each(|jumps| jumps.pass(&self.arrivals, mirrored, self.ply));
        self.general_pass(is_new, is_overdue);
        let mut decided = 0;
        let states = self.states.states.iter().zip(&mut self.rebels).zip(&mut self.results).zip(&mut self.general);
        for (((compiled, rebels), results), general) in states {
            std::mem::swap(&mut rebels.won, &mut results.won);
            std::mem::swap(&mut rebels.lost, &mut results.lost);
            let of_ply = [&results.won, &results.lost, &general.won, &general.lost];
            decided += compiled.times * of_ply.into_iter().map(Decided::count).sum::<u64>();
            if self.ply == 0 {
                general.over = general.lost.copy();
            }
        }
        in_memory(&self.pool)?;
        self.ply += 1;
        Ok(decided)
    }

    fn values_of_ply(&self) -> [u8; 2] {
        // The plies of a whole board fit into a byte.
        [true, false].map(|rebels_win| Coding::of(self.variant).write(self.ply, rebels_win) as u8)
    }

    fn rebels_pass(&mut self, is_overdue: &IsOverdue<'_>) {
        let values = self.values_of_ply();
        let ply = PlyContext { index: &self.index, rules: self.variant.rules(), ply: self.ply };
        let pass = self.rebels.iter_mut().zip(&self.general).zip(&self.states.states);
        threads::each(pass, |((rebels, general), compiled)| {
            if !is_overdue() {
                dispatch_rebels_pass(rebels, general, compiled, ply, values);
            }
        });
    }

    /// The same pass with its results read from an earlier run.
    fn rebels_pass_again(&mut self) {
        let (coding, values) = (Coding::of(self.variant), self.values_of_ply());
        // Where the parity of plies gives the winner both have the same byte, and only one of them is meant.
        let stands_for =
            |rebels_win: bool, value: u8| coding.value(u16::from(value)).class() == if rebels_win { 1 } else { -1 };
        threads::each(&mut self.rebels, |rebels| {
            for block in 0..rebels.open.blocks.len() {
                let Some(bytes) = rebels.values.block(block) else { continue };
                let decided = |rebels_win: bool, value: u8| {
                    let mut sets = if stands_for(rebels_win, value) { with_value(bytes, value) } else { EMPTY };
                    and(&mut sets, &rebels.open.blocks[block], Rows::ALL);
                    Found { rows: Rows::of(&sets), sets }
                };
                let (won, lost) = (decided(true, values[0]), decided(false, values[1]));
                rebels.decide(block, &won, &lost, values);
            }
        });
    }

    fn arrivals_pass(&mut self) {
        let index = &self.index;
        threads::each(&mut self.results, dispatch_add_up);
        self.arrivals.iter_mut().for_each(|arrivals| clear([&mut arrivals.won, &mut arrivals.lost]));
        let pass = self.arrivals.iter_mut().zip(&self.results).zip(&self.states.arrivals);
        threads::each(pass, |((arrivals, results), compiled)| {
            dispatch_arrivals_pass(arrivals, results, compiled, index);
        });
    }

    fn general_pass(&mut self, [any_won, any_lost]: [bool; 2], is_overdue: &IsOverdue<'_>) {
        self.general.iter_mut().for_each(|general| clear([&mut general.won, &mut general.lost]));
        let ply = PlyContext { index: &self.index, rules: self.variant.rules(), ply: self.ply };
        let sources = MoveSources {
            states: &self.results,
            arrivals: &self.arrivals,
            chains: &self.chains,
            free_jumps: &self.free_jumps,
            any_won,
            any_lost,
        };
        threads::each(self.general.iter_mut().zip(&self.states.states), |(general, compiled)| {
            if !is_overdue() {
                dispatch_general_pass(general, &sources, compiled, ply);
            }
        });
    }

    /// The counts with the General to move, by number of Rebels.
    pub(super) fn general_counts(&self) -> Vec<Counts> {
        let blocks = self.index.blocks();
        let sum = |counts: &mut dyn Iterator<Item = Vec<Counts>>| {
            let none = vec![Counts::default(); MOST_POINTS + 1];
            counts.fold(none, |mut sums, counts| {
                sums.iter_mut().zip(counts).for_each(|(sum, counts)| sum.add(counts, 1));
                sums
            })
        };
        let of_tasks = threads::map((0..blocks).step_by(BLOCKS_OF_TASK), |first| {
            let blocks = first..(first + BLOCKS_OF_TASK).min(blocks);
            sum(&mut blocks.map(|block| dispatch_counts(self, block)))
        });
        sum(&mut of_tasks.into_iter())
    }
}

/// Removes the sets with a Rebel on the General's point.
#[inline(always)]
fn clear_general(rules: &CompiledRules, index: &PlaneIndex, state: GeneralState, block: usize, sets: &mut Block) {
    if rules.ground().contains(state.general) {
        index.without_held(PointSet::of(state.general), block, Rows::ALL, sets);
    }
}

best_instructions! {
    /// The sets of a block with `least` to `most` Rebels.
    fn dispatch_counted(index: &PlaneIndex, block: usize, least: u32, most: u32) -> Block {
        index.counted(block, least, most)
    }
}

best_instructions! {
    /// [`clear_general`] in all blocks.
    fn dispatch_clear_general(rules: &CompiledRules, index: &PlaneIndex, state: GeneralState, blocks: &mut Bits) {
        for (block, sets) in blocks.iter_mut().enumerate() {
            clear_general(rules, index, state, block, sets);
        }
    }
}

best_instructions! {
    fn dispatch_counts(analysis: &Retrograde<'_>, block: usize) -> Vec<Counts> {
        let index = &analysis.index;
        let existing = index.counted(block, 0, u32::MAX);
        let mut counts = vec![Counts::default(); MOST_POINTS + 1];
        for (compiled, general) in analysis.states.states.iter().zip(&analysis.general) {
            let mut legal = existing;
            clear_general(analysis.variant.rules(), index, compiled.state, block, &mut legal);
            let over = general.over.get(block).unwrap_or(&EMPTY);
            let planes = [&legal, &general.open.blocks[block], &general.not_won[block], over];
            let planes = planes.map(|plane| plane.as_flattened());
            // By number of Rebels, how many sets of each plane are legal.
            let mut sums = [[0; 4]; MOST_POINTS + 1];
            for (word, legal) in planes[0].iter().enumerate().filter(|(_, legal)| **legal != 0) {
                for (rebels, sets) in index.sets_by_count(block, word) {
                    for (sum, plane) in sums[rebels as usize].iter_mut().zip(planes) {
                        *sum += u64::from((sets & legal & plane[word]).count_ones());
                    }
                }
            }
            for (counts, [all, open, not_won, over]) in counts.iter_mut().zip(sums) {
                let won = all - not_won;
                counts.add(Counts { won, drawn: open, lost: not_won - open - over }, compiled.times);
            }
        }
        counts
    }
}
