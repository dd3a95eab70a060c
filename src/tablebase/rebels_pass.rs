//! The stage of the Rebels: what their steps lead to, and what that means for the General's arrivals.

use rayon::prelude::*;

use crate::board::{Point, PointSet};
use crate::rules::CompiledRules;

use super::bits::{Found, and, held, is_empty, minus, note, or};
use super::checkpoint::Checkpoint;
use super::header::Coding;
use super::index::{BLOCK_SETS, Block, EMPTY, FULL, Index, Shift};
use super::retrograde::{RebelsToMove, Solver};

impl Solver<'_> {
    /// The Rebels are to move: who wins in exactly this many plies?
    pub(super) fn rebels_pass(&mut self) {
        let (space, rules, ply) = (&self.space, self.variant.rules(), self.ply);
        let coding = Coding::of(self.variant);
        let values = [coding.write(ply, true), coding.write(ply, false)];
        let stage = (&mut self.rebels, &self.general, &self.places.places, &self.steps);
        stage.into_par_iter().for_each(|(rebels, general, place, steps)| {
            let idle = ply > 1 && general.won.is_empty() && general.lost.is_empty();
            for block in 0..space.blocks() {
                let mut won = EMPTY;
                let mut lost = EMPTY;
                let open = rebels.open[block];
                if !idle && !is_empty(&open) {
                    if ply == 0 {
                        let mut stuck = FULL;
                        for step in steps {
                            if step.source(block).is_some() {
                                let mut can = EMPTY;
                                step.add(block, &FULL, &mut can);
                                minus(&mut stuck, &can);
                            }
                        }
                        if let Ok(most) = u32::try_from(rules.rebels_at_most) {
                            or(&mut stuck, &space.counted(block, 0, most));
                        }
                        lost = open;
                        and(&mut lost, &stuck);
                    } else {
                        gather(steps, block, &general.lost, &mut won);
                        if ply == 1 {
                            or(&mut won, &custodial(space, rules, place.general, block));
                        }
                        and(&mut won, &open);
                        gather(steps, block, &general.won, &mut lost);
                        and(&mut lost, &open);
                        minus(&mut lost, &won);
                        if !is_empty(&lost) {
                            let mut saved = EMPTY;
                            for step in steps {
                                if let Some(source) = step.source(block) {
                                    step.add(block, &general.not_won[source], &mut saved);
                                }
                            }
                            minus(&mut lost, &saved);
                        }
                    }
                }
                rebels.decide(block, &won, &lost, values);
            }
        });
    }

    /// The same stage with its results read from a checkpoint.
    pub(super) fn rebels_pass_again(&mut self, known: &Checkpoint) {
        let (space, ply, coding) = (&self.space, self.ply, Coding::of(self.variant));
        let values = [coding.write(ply, true), coding.write(ply, false)];
        (&mut self.rebels, &known.plies).into_par_iter().for_each(|(rebels, known)| {
            for (block, bytes) in known.chunks_exact(BLOCK_SETS).enumerate().take(space.blocks()) {
                // Where the number of plies tells the winner both have the same byte, and it stands for one of them.
                let decided = |rebels_win: bool, value| match coding.read(value) {
                    Some((_, winner)) if winner == rebels_win => equal_to(bytes, value),
                    _ => EMPTY,
                };
                let (mut won, mut lost) = (decided(true, values[0]), decided(false, values[1]));
                and(&mut won, &rebels.open[block]);
                and(&mut lost, &rebels.open[block]);
                rebels.decide(block, &won, &lost, values);
            }
        });
    }

    /// What the Rebels' last ply means for arrivals.
    pub(super) fn arrivals_pass(&mut self) {
        let (space, rules) = (&self.space, self.variant.rules());
        self.rebels.par_iter_mut().for_each(|rebels| {
            if !rebels.not_won.is_empty() {
                for (block, won) in rebels.won.bits.iter().enumerate().filter(|(block, _)| rebels.won.any[*block]) {
                    minus(&mut rebels.not_won[block], won);
                }
            }
            if !rebels.all_lost.is_empty() {
                for (block, lost) in rebels.lost.bits.iter().enumerate().filter(|(block, _)| rebels.lost.any[*block]) {
                    or(&mut rebels.all_lost[block], lost);
                }
            }
        });
        let stage = (&mut self.arrivals, &self.rebels, &self.places.places);
        stage.into_par_iter().for_each(|(arrivals, rebels, place)| {
            let pairs = rules.interventions[place.general.index()].as_slice();
            let shifts: Vec<Shift> = (0..1u32 << pairs.len())
                .map(|choice| {
                    let chosen = pairs.iter().enumerate().filter(|(n, _)| choice >> n & 1 != 0);
                    let held = chosen.fold(PointSet::EMPTY, |all, (_, pair)| all | *pair);
                    Shift::new(space, held, PointSet::EMPTY, held)
                })
                .collect();
            let spread = |from: &Found, into: &mut Found| {
                if from.is_empty() && into.is_empty() {
                    return;
                }
                for block in 0..space.blocks() {
                    let mut found = EMPTY;
                    for shift in &shifts {
                        if let Some(source) = shift.source(block).filter(|source| from.any[*source]) {
                            let mut unheld = from.bits[source];
                            for pair in pairs {
                                minus(&mut unheld, &held(space, *pair, source));
                            }
                            shift.add(block, &unheld, &mut found);
                        }
                    }
                    into.put(block, &found);
                }
            };
            spread(&rebels.won, &mut arrivals.won);
            spread(&rebels.lost, &mut arrivals.lost);
            for block in 0..space.blocks() {
                if arrivals.won.any[block] {
                    minus(&mut arrivals.not_won[block], &arrivals.won.bits[block]);
                }
            }
        });
    }
}

impl RebelsToMove {
    /// Notes what a ply has decided in a block; `values` are the bytes of won and lost.
    #[inline(always)]
    fn decide(&mut self, block: usize, won: &Block, lost: &Block, values: [u8; 2]) {
        let plies = &mut self.plies[block * BLOCK_SETS..];
        for (decided, value) in [won, lost].into_iter().zip(values) {
            minus(&mut self.open[block], decided);
            note(decided, value, plies);
        }
        self.next_won.put(block, won);
        self.next_lost.put(block, lost);
    }
}

/// The sets of a block whose byte has a value.
fn equal_to(bytes: &[u8], value: u8) -> Block {
    let mut block = EMPTY;
    for (word, bytes) in block.iter_mut().flatten().zip(bytes.chunks_exact(64)) {
        *word = bytes.iter().enumerate().fold(0, |word, (bit, byte)| word | u64::from(*byte == value) << bit);
    }
    block
}

/// Adds up what the steps lead to.
#[inline(always)]
fn gather(steps: &[Shift], block: usize, found: &Found, into: &mut Block) {
    for step in steps {
        if let Some(source) = step.source(block)
            && found.any[source]
        {
            step.add(block, &found.bits[source], into);
        }
    }
}

/// The sets of a block in which a Rebel can capture the General by moving to his other side.
fn custodial(space: &Index, rules: &CompiledRules, general: Point, block: usize) -> Block {
    let mut found = EMPTY;
    for &pair in rules.custody[general.index()].as_slice() {
        for to in pair {
            let other = pair.without(to);
            for from in (rules.ground.minus(pair).without(general))
                .into_iter()
                .filter(|from| rules.rebel_steps[from.index()].contains(to))
            {
                let shift = Shift::new(space, other.with(from), PointSet::of(to), PointSet::EMPTY);
                if shift.source(block).is_some() {
                    shift.add(block, &FULL, &mut found);
                }
            }
        }
    }
    found
}
