//! Retrograde analysis, a ply at a time, over whole tables of Rebel sets.
//!
//! Every ply has a pass for each side to move; it looks for the positions that are decided in exactly as many plies. A
//! position is won when a move leads to one that was lost a ply earlier, and lost when all moves lead to positions that are
//! won by then. For a fixed state of the General a step of a Rebel is a constant offset in the index, so a pass is a sequence
//! of shifted reads of whole blocks; blocks, and rows of blocks, in which the last ply changed nothing are passed over.

use std::sync::Arc;

use rayon::prelude::*;

use crate::board::PointSet;
use crate::cpu::best_instructions;
use crate::huge_pages::vec_of;
use crate::rules::{CompiledRules, Variant};

use super::block::{
    BLOCK_SETS, Bits, Block, Decided, EMPTY, FULL, Pool, Rows, and, bytes_of_decided, count_common, with_value,
    write_value,
};
use super::compiled_states::{CompiledState, End, GeneralMove, GeneralStates, Target};
use super::general_to_move::{Arrivals, GeneralToMove, Sources, dispatch_arrivals_pass, dispatch_general_pass};
use crate::tablebase::index::Index;

use super::jump_chains::{JumpChains, RebelsBlock};
use super::rebels_to_move::{GeneralSaid, Known, Ply, RebelsToMove, Values, dispatch_add_up, dispatch_rebels_pass};
use super::shifts::MirroredIndex;
use crate::tablebase::general_state::GeneralState;
use crate::tablebase::layout::{Coding, Counts, Coverage, index_of};
use crate::tablebase::memory::{Needs, Shortage};

/// The analysis of one variant.
pub(in crate::tablebase) struct Retrograde<'a> {
    rules: &'a CompiledRules,
    coding: Coding,
    pub(super) index: Index,
    pub(super) coverage: Coverage,
    states: GeneralStates,
    rebels: Vec<RebelsToMove>,
    /// By state, and by image after these.
    known: Vec<Known>,
    /// Where there are images, what leads to them.
    mirror: Option<MirroredIndex>,
    arrivals: Vec<Arrivals>,
    chains: JumpChains,
    general: Vec<GeneralToMove>,
    /// The ply to look at next.
    ply: u32,
    /// The memory of what single plies decide.
    pool: Arc<Pool>,
}

/// Begins a ply: nothing is decided.
fn clear(lists: [&mut Decided; 2]) {
    lists.into_iter().for_each(Decided::clear);
}

/// Set aside for the end of a solve for which the system gives no more memory, in bytes.
const SPARE_BYTES: usize = 16 << 20;

/// Is it asked where the Rebels have not won yet?
fn reads_not_won(states: &GeneralStates) -> bool {
    let is_plain = |move_: &GeneralMove| matches!(move_.target, Target::End(End::State(_)) | Target::Landing(_));
    !states.landings.is_empty() || states.states.iter().any(|state| state.moves.iter().any(is_plain))
}

impl<'a> Retrograde<'a> {
    /// The analysis of a variant, which takes at most so many bytes beyond the least that it [`needs`](Retrograde::needs).
    pub(super) fn new(variant: &'a Variant, coverage: Coverage, most_bytes: u64) -> Retrograde<'a> {
        let (rules, index) = (variant.rules(), index_of(variant));
        let states = GeneralStates::new(variant, &index);
        let blocks = index.blocks();
        let (least, most) = coverage.range().into_inner();
        let legal = |state: GeneralState, least: u32| -> Bits {
            (0..blocks).map(|block| legal(&index, rules, state, block, least, most)).collect()
        };
        let bits_if = |wanted: bool, all: Block| if wanted { vec_of(all, blocks) } else { Vec::new() };
        // Enough to compress the values of a state.
        let pool = Arc::new(Pool::new(most_bytes, SPARE_BYTES.max(4 * index.sets())));
        let none = || Decided::new(blocks, &pool);
        let rebels = states.states.par_iter().map(|compiled| {
            let open = legal(compiled.state, 0);
            let values = Values::new(&open);
            RebelsToMove { open, won: none(), lost: none(), values }
        });
        let known = (0..states.states.len() + states.images.len()).map(|_| Known {
            won: none(),
            lost: none(),
            not_won: bits_if(reads_not_won(&states), FULL),
            all_lost: bits_if(!states.landings.is_empty(), EMPTY),
        });
        let mirror = variant.board().mirror().filter(|_| !states.images.is_empty());
        let mirror = mirror.map(|mirror| MirroredIndex::new(&index, mirror));
        let general = states.states.par_iter().map(|compiled| GeneralToMove {
            open: legal(compiled.state, least),
            not_won: bits_if(true, FULL),
            won: none(),
            lost: none(),
            over: none(),
        });
        let arrivals =
            states.arrivals.iter().map(|_| Arrivals { not_won: bits_if(true, FULL), won: none(), lost: none() });
        let (rebels, known, general, arrivals) =
            (rebels.collect(), known.collect(), general.collect(), arrivals.collect());
        let chains = JumpChains::new(states.landings.len(), blocks);
        let coding = Coding::of(variant);
        Retrograde {
            rules,
            coding,
            index,
            coverage,
            states,
            rebels,
            known,
            mirror,
            arrivals,
            chains,
            general,
            ply: 0,
            pool,
        }
    }

    /// Memory that the analysis of a variant takes: a bit for each set of Rebels in every set of positions, and a byte for each in
    /// the blocks of values. What single plies decide takes only what is decided, which nobody knows before.
    pub(super) fn needs(variant: &Variant, coverage: Coverage) -> Needs {
        let (rules, index) = (variant.rules(), index_of(variant));
        let states = GeneralStates::new(variant, &index);
        let count = |list: usize| list as u64;
        // `RebelsToMove` and `GeneralToMove`, `Known`, `Arrivals`, `JumpChains`.
        let (solved, known) = (count(states.states.len()), count(states.states.len() + states.images.len()));
        let planes_of_known = u64::from(reads_not_won(&states)) + u64::from(!states.landings.is_empty());
        let planes = solved * (1 + 2) + known * planes_of_known + count(states.arrivals.len());
        let decided = solved * (2 + 3) + known * 2 + count(states.arrivals.len()) * 2;
        let chains = count(states.landings.len()) * 2;
        let blocks_with_values = |compiled: &CompiledState| {
            let general = Some(compiled.state.general).filter(|general| rules.ground().contains(*general));
            count((0..index.blocks()).filter(|block| index.has_sets(*block, general, coverage.most())).count())
        };
        let values = states.states.iter().map(blocks_with_values).sum::<u64>() * BLOCK_SETS as u64;
        let (least, most) = bytes_of_decided(count(index.blocks()));
        let fixed = (planes + chains) * (index.sets() as u64 / 8) + values;
        Needs { least: fixed + decided * least, most: fixed + decided * most }
    }

    /// Memory that single plies have taken so far, in bytes.
    pub(super) fn bytes_of_plies(&self) -> u64 {
        self.pool.bytes()
    }

    /// The states of the General that are solved, each with the values of the positions in which the Rebels are to move.
    pub(super) fn values(&self) -> impl Iterator<Item = (GeneralState, &Values)> {
        self.states.states.iter().zip(&self.rebels).map(|(compiled, rebels)| (compiled.state, &rebels.values))
    }

    /// Takes the values of a state, by its number, from an earlier run. They are read again ply by ply.
    pub(super) fn recall(&mut self, state: usize, known: &[u8]) {
        let values = &mut self.rebels[state].values;
        for (block, known) in known.chunks_exact(BLOCK_SETS).enumerate() {
            if let Some(bytes) = values.block_mut(block) {
                bytes.copy_from_slice(known);
            }
        }
    }

    /// Forgets the values of what is not decided yet: a run that ended in the middle of a ply had begun with them.
    pub(super) fn forget_open(&mut self) {
        self.rebels.par_iter_mut().for_each(|RebelsToMove { open, values, .. }| {
            for (block, open) in open.iter().enumerate() {
                if let Some(bytes) = values.block_mut(block) {
                    write_value(open, Rows::ALL, 0, bytes);
                }
            }
        });
    }

    /// Gives back the memory that only further plies would need. The values stay, and the counts of the General.
    pub(super) fn end(&mut self) {
        self.known = Vec::new();
        self.arrivals = Vec::new();
        self.chains = JumpChains::new(0, 0);
        for RebelsToMove { open, won, lost, values: _ } in &mut self.rebels {
            *open = Vec::new();
            clear([won, lost]);
        }
        for general in &mut self.general {
            general.won.clear();
            general.lost.clear();
        }
        self.pool.give_back();
    }

    /// Positions that are decided in exactly as many plies as have been looked at; goes on to the next ply. Once a ply after
    /// the first decides nothing, no later one does.
    ///
    /// With `again` the ply is one of an earlier run, whose values of the Rebels are read, not computed.
    ///
    /// # Errors
    /// When there is not enough memory for what the ply decides. The values then are those of the plies before, and some of this
    /// one; nothing else can be used.
    pub(super) fn step(&mut self, again: bool) -> Result<u64, Shortage> {
        let in_memory = |pool: &Pool| pool.shortage().map_or(Ok(()), Err);
        in_memory(&self.pool)?;
        // What a pass writes is cleared whole before it begins, so that the memory is the same for any number of threads.
        self.rebels.iter_mut().for_each(|rebels| clear([&mut rebels.won, &mut rebels.lost]));
        match again {
            true => self.rebels_pass_again(),
            false => self.rebels_pass(),
        }
        in_memory(&self.pool)?;
        self.arrivals_pass();
        let ends_are_new = self.ply < 2;
        self.chains.pass(&self.states.landings, ends_are_new, |state, block| {
            let Known { won, lost, not_won, all_lost } = &self.known[state];
            let changed = won.rows(block).or(lost.rows(block));
            RebelsBlock { not_won: &not_won[block], lost: &all_lost[block], changed }
        });
        self.general_pass();
        let mut decided = 0;
        let states = self.states.states.iter().zip(&mut self.rebels).zip(&mut self.known).zip(&mut self.general);
        for (((compiled, rebels), known), general) in states {
            std::mem::swap(&mut rebels.won, &mut known.won);
            std::mem::swap(&mut rebels.lost, &mut known.lost);
            let of_ply = [&known.won, &known.lost, &general.won, &general.lost];
            decided += compiled.times * of_ply.into_iter().map(Decided::count).sum::<u64>();
            if self.ply == 0 {
                general.over = general.lost.copy();
            }
        }
        self.reflect();
        in_memory(&self.pool)?;
        self.ply += 1;
        Ok(decided)
    }

    /// What this ply of the Rebels means for mirror images.
    fn reflect(&mut self) {
        let Some(mirror) = &self.mirror else { return };
        let (solved, images) = self.known.split_at_mut(self.states.states.len());
        images.iter_mut().for_each(|image| clear([&mut image.won, &mut image.lost]));
        images.par_iter_mut().zip(&self.states.images).for_each(|(image, original)| {
            let Known { won, lost, .. } = &solved[*original];
            mirror.reflect(won, &mut image.won);
            mirror.reflect(lost, &mut image.lost);
        });
    }

    /// The bytes of positions that are won and lost for the Rebels in this ply.
    fn values_of_ply(&self) -> [u8; 2] {
        // The plies of a whole board fit into a byte.
        [true, false].map(|rebels_win| self.coding.write(self.ply, rebels_win) as u8)
    }

    /// The Rebels are to move.
    fn rebels_pass(&mut self) {
        let values = self.values_of_ply();
        let ply = Ply { index: &self.index, rules: self.rules, ply: self.ply };
        let pass = (&mut self.rebels, &self.general, &self.states.states);
        pass.into_par_iter().for_each(|(rebels, general, compiled)| {
            let GeneralToMove { won, lost, not_won, .. } = general;
            dispatch_rebels_pass(rebels, GeneralSaid { won, lost, not_won }, compiled, ply, values);
        });
    }

    /// The same pass with its results read from an earlier run.
    fn rebels_pass_again(&mut self) {
        let (coding, values) = (self.coding, self.values_of_ply());
        // Where the number of plies tells the winner both have the same byte, and it stands for one of them.
        let stands_for =
            |rebels_win: bool, value: u8| coding.value(u16::from(value)).class() == if rebels_win { 1 } else { -1 };
        self.rebels.par_iter_mut().for_each(|rebels| {
            for block in 0..rebels.open.len() {
                let Some(bytes) = rebels.values.block(block) else { continue };
                let decided = |rebels_win: bool, value: u8| {
                    let mut decided = if stands_for(rebels_win, value) { with_value(bytes, value) } else { EMPTY };
                    and(&mut decided, &rebels.open[block], Rows::ALL);
                    decided
                };
                let (won, lost) = (decided(true, values[0]), decided(false, values[1]));
                rebels.decide(block, &won, &lost, values);
            }
        });
    }

    /// What the last ply of the Rebels means for arrivals.
    fn arrivals_pass(&mut self) {
        let index = &self.index;
        self.known.par_iter_mut().for_each(dispatch_add_up);
        self.arrivals.iter_mut().for_each(|arrivals| clear([&mut arrivals.won, &mut arrivals.lost]));
        let pass = (&mut self.arrivals, &self.known, &self.states.arrivals);
        pass.into_par_iter().for_each(|(arrivals, known, compiled)| {
            dispatch_arrivals_pass(arrivals, known, compiled, index);
        });
    }

    /// The General is to move.
    fn general_pass(&mut self) {
        self.general.iter_mut().for_each(|general| clear([&mut general.won, &mut general.lost]));
        let ply = Ply { index: &self.index, rules: self.rules, ply: self.ply };
        let sources = Sources { known: &self.known, arrivals: &self.arrivals, chains: &self.chains };
        let pass = (&mut self.general, &self.states.states);
        pass.into_par_iter().for_each(|(general, compiled)| dispatch_general_pass(general, &sources, compiled, ply));
    }

    /// How the positions with the General to move and a number of Rebels are decided.
    pub(super) fn general_counts(&self, rebels: u32) -> Counts {
        let blocks = (0..self.index.blocks()).into_par_iter();
        blocks.map(|block| dispatch_counts(self, block, rebels)).reduce(Counts::default, |mut sum, counts| {
            sum.add(counts, 1);
            sum
        })
    }

    /// The same for a block.
    #[inline(always)]
    fn general_counts_of(&self, block: usize, rebels: u32) -> Counts {
        let mut counts = Counts::default();
        let with_many = self.index.counted(block, rebels, rebels);
        let rows = Rows::of(&with_many);
        if rows.is_empty() {
            return counts;
        }
        for (compiled, general) in self.states.states.iter().zip(&self.general) {
            let mut legal = with_many;
            clear_general(self.rules, &self.index, compiled.state, block, &mut legal);
            let all = count_common(&legal, &FULL);
            let open = count_common(&legal, &general.open[block]);
            let won = all - count_common(&legal, &general.not_won[block]);
            let over = general.over.get(block).map_or(0, |over| count_common(&legal, over));
            counts.add(Counts { won, drawn: open, lost: all - open - won - over }, compiled.times);
        }
        counts
    }
}

/// Takes away from the sets of a block those with a Rebel where the General stands.
#[inline(always)]
fn clear_general(rules: &CompiledRules, index: &Index, state: GeneralState, block: usize, sets: &mut Block) {
    if rules.ground().contains(state.general) {
        index.without_held(PointSet::of(state.general), block, Rows::ALL, sets);
    }
}

best_instructions! {
    /// The sets of a block with at least `least` and at most `most` Rebels, none of them where the General stands.
    fn legal(index: &Index, rules: &CompiledRules, state: GeneralState, block: usize, least: u32, most: u32) -> Block {
        let mut legal = index.counted(block, least, most);
        clear_general(rules, index, state, block, &mut legal);
        legal
    }
}

best_instructions! {
    /// [`Retrograde::general_counts_of`] by the best instructions.
    fn dispatch_counts(analysis: &Retrograde<'_>, block: usize, rebels: u32) -> Counts {
        analysis.general_counts_of(block, rebels)
    }
}
