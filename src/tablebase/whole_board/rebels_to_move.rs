//! Positions with the Rebels to move, for one state of the General: the Rebels' pass of a ply.
//!
//! A set is won when a step leads to one that the General lost a ply earlier. It is lost when some step leads to one that was won
//! a ply earlier, and none to one that is not won by then.

use crate::cpu::best_instructions;
use crate::huge_pages::vec_of;
use crate::rules::CompiledRules;

use super::block::{BLOCK_SETS, Bits, Block, Decided, EMPTY, FULL, Rows, and, is_empty_row, minus, or, write_value};
use super::compiled_states::CompiledState;
use crate::tablebase::index::Index;

use super::shifts::Shift;

/// Positions with the Rebels to move, for one state of the General.
#[derive(Debug)]
pub(super) struct RebelsToMove {
    /// Legal and not decided yet.
    pub(super) open: Bits,
    /// Decided in this ply.
    pub(super) won: Decided,
    pub(super) lost: Decided,
    pub(super) values: Values,
}

/// What the last plies found out about the positions of a state with the Rebels to move.
#[derive(Debug)]
pub(super) struct Known {
    /// Decided in the last ply.
    pub(super) won: Decided,
    pub(super) lost: Decided,
    /// Not won by the last ply, and lost by then; empty where nothing reads them.
    pub(super) not_won: Bits,
    pub(super) all_lost: Bits,
}

/// The values of the positions with the Rebels to move as `Coding` writes them, 0 while open; only the blocks with legal
/// positions.
#[derive(Debug)]
pub(super) struct Values {
    /// Per block its place among these.
    places: Vec<Option<u32>>,
    bytes: Vec<u8>,
}

impl Values {
    pub(super) fn new(open: &Bits) -> Values {
        let mut blocks = 0;
        let place = |block: &Block| {
            let place = (*block != EMPTY).then_some(blocks);
            blocks += u32::from(place.is_some());
            place
        };
        let places = open.iter().map(place).collect();
        Values { places, bytes: vec_of(0, blocks as usize * BLOCK_SETS) }
    }

    /// Values, those of blocks without legal positions included.
    pub(super) fn len(&self) -> usize {
        self.places.len() * BLOCK_SETS
    }

    /// The value of a set.
    #[inline(always)]
    pub(super) fn get(&self, number: usize) -> u8 {
        match self.places[number / BLOCK_SETS] {
            Some(place) => self.bytes[place as usize * BLOCK_SETS + number % BLOCK_SETS],
            None => 0,
        }
    }

    /// Those of a block with legal positions.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> Option<&[u8]> {
        self.places[block].map(|place| &self.bytes[place as usize * BLOCK_SETS..][..BLOCK_SETS])
    }

    /// The same, to be written.
    #[inline(always)]
    pub(super) fn block_mut(&mut self, block: usize) -> Option<&mut [u8]> {
        self.places[block].map(|place| &mut self.bytes[place as usize * BLOCK_SETS..][..BLOCK_SETS])
    }
}

/// What the General's last pass found out about its positions in the same state.
#[derive(Clone, Copy)]
pub(super) struct GeneralSaid<'a> {
    /// Decided in the last ply.
    pub(super) won: &'a Decided,
    pub(super) lost: &'a Decided,
    /// Not won by then.
    pub(super) not_won: &'a Bits,
}

/// The ply of a pass, and what holds for all of them.
#[derive(Clone, Copy)]
pub(super) struct Ply<'a> {
    pub(super) index: &'a Index,
    pub(super) rules: &'a CompiledRules,
    pub(super) ply: u32,
}

best_instructions! {
    pub(super) fn dispatch_rebels_pass(
        rebels: &mut RebelsToMove,
        general: GeneralSaid<'_>,
        compiled: &CompiledState,
        ply: Ply<'_>,
        values: [u8; 2],
    ) {
        rebels.pass(general, compiled, ply, values);
    }
}

best_instructions! {
    /// [`Known::add_up`] by the best instructions.
    pub(super) fn dispatch_add_up(known: &mut Known) {
        known.add_up();
    }
}

impl RebelsToMove {
    /// The pass of a ply; `values` are the bytes of won and lost.
    #[inline(always)]
    fn pass(&mut self, general: GeneralSaid, compiled: &CompiledState, ply: Ply, values: [u8; 2]) {
        if ply.ply > 1 && general.won.is_empty() && general.lost.is_empty() {
            return;
        }
        for block in 0..ply.index.blocks() {
            let (mut won, mut lost) = (EMPTY, EMPTY);
            match ply.ply {
                0 => self.find_stuck(compiled, ply, block, &mut lost),
                _ => self.find_decided(general, compiled, ply, block, &mut won, &mut lost),
            }
            self.decide(block, &won, &lost, values);
        }
    }

    /// The sets of a block that have no step, or too few Rebels.
    #[inline(always)]
    fn find_stuck(&self, compiled: &CompiledState, ply: Ply, block: usize, stuck: &mut Block) {
        let mut saved = EMPTY;
        reach(&compiled.steps, block, &mut saved);
        if let Some(most) = ply.rules.rebels_at_most() {
            minus(&mut saved, &ply.index.counted(block, 0, most), Rows::ALL);
        }
        *stuck = self.open[block];
        minus(stuck, &saved, Rows::ALL);
    }

    /// The sets of a block that are won and lost by what the last ply of the General has decided.
    #[inline(always)]
    fn find_decided(
        &self,
        general: GeneralSaid<'_>,
        compiled: &CompiledState,
        ply: Ply,
        block: usize,
        won: &mut Block,
        lost: &mut Block,
    ) {
        let mut winning = gather(&compiled.steps, block, general.lost, won);
        if ply.ply == 1 {
            winning = winning.or(reach(&compiled.custodial, block, won));
        }
        let losing = gather(&compiled.steps, block, general.won, lost);
        if winning.or(losing).is_empty() {
            return;
        }
        let open = &self.open[block];
        and(won, open, winning);
        and(lost, open, losing);
        minus(lost, won, losing);
        // Not those from which a step leads to a position that the General has not won.
        for row in losing {
            for step in &compiled.steps {
                if is_empty_row(&lost[row]) {
                    break;
                }
                let Some(source) = step.source(block) else { continue };
                let rows = step.rows(Rows::ALL).and(Rows::one(row));
                step.subtract(block, &general.not_won[source], rows, lost);
            }
        }
    }

    /// Notes what a ply has decided in a block; `values` are the bytes of won and lost.
    #[inline(always)]
    pub(super) fn decide(&mut self, block: usize, won: &Block, lost: &Block, values: [u8; 2]) {
        // Where there are no values nothing is legal.
        let Some(bytes) = self.values.block_mut(block) else { return };
        for (decided, value) in [won, lost].into_iter().zip(values) {
            let rows = Rows::of(decided);
            minus(&mut self.open[block], decided, rows);
            write_value(decided, rows, value, bytes);
        }
        self.won.put(block, won);
        self.lost.put(block, lost);
    }
}

impl Known {
    /// Adds what the last ply has decided to what is known by then.
    #[inline(always)]
    fn add_up(&mut self) {
        if !self.not_won.is_empty() {
            for (block, won) in self.won.blocks() {
                minus(&mut self.not_won[block], won, self.won.rows(block));
            }
        }
        if !self.all_lost.is_empty() {
            for (block, lost) in self.lost.blocks() {
                or(&mut self.all_lost[block], lost, self.lost.rows(block));
            }
        }
    }
}

/// Adds up where steps lead to what is decided; in which rows there may be any.
#[inline(always)]
fn gather(steps: &[Shift], block: usize, decided: &Decided, into: &mut Block) -> Rows {
    let mut all = Rows::NONE;
    if decided.is_empty() {
        return all;
    }
    for step in steps {
        let Some(source) = step.source(block) else { continue };
        let rows = step.rows(decided.rows(source));
        if !rows.is_empty() {
            step.add(block, decided.block(source), rows, into);
            all = all.or(rows);
        }
    }
    all
}

/// Adds up where there are steps at all; in which rows there may be any.
#[inline(always)]
fn reach(steps: &[Shift], block: usize, into: &mut Block) -> Rows {
    let mut all = Rows::NONE;
    for step in steps.iter().filter(|step| step.source(block).is_some()) {
        let rows = step.rows(Rows::ALL);
        step.add(block, &FULL, rows, into);
        all = all.or(rows);
    }
    all
}
