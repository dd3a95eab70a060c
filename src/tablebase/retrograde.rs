//! Retrograde analysis, a ply at a time, over whole tables of Rebel sets.
//!
//! Every stage looks for the positions that are decided in exactly so many plies. A position is won when a move leads to
//! one that was lost in a ply less, and lost when all moves lead to positions that are won by then. For a fixed place of
//! the General a step of a Rebel is a constant offset in the index, so a stage is a sequence of shifted reads of whole
//! blocks; blocks in which the last ply changed nothing are passed over.

use rayon::prelude::*;

use crate::board::PointSet;
use crate::rules::Variant;

use super::bits::{Bits, Found, minus};
use super::checkpoint::Checkpoint;
use super::coverage::Coverage;
use super::general_states::{GeneralStates, Reading};
use super::index::{EMPTY, FULL, Index, Shift};
use super::jump_chains::Chains;

/// Positions with the Rebels to move, for one place.
#[derive(Debug)]
pub(super) struct RebelsToMove {
    /// Legal and not decided yet.
    pub(super) open: Bits,
    /// Found in the last ply, and in this one.
    pub(super) won: Found,
    pub(super) lost: Found,
    pub(super) next_won: Found,
    pub(super) next_lost: Found,
    /// Not won by the last ply, and lost by then; empty where nobody asks.
    pub(super) not_won: Bits,
    pub(super) all_lost: Bits,
    /// Plies to the end plus 1; 0 while open.
    pub(super) plies: Vec<u8>,
}

/// Arrivals of the General at one place, before what stands around him falls.
#[derive(Debug)]
pub(super) struct Arrivals {
    /// The Rebels have not won there yet.
    pub(super) not_won: Bits,
    pub(super) won: Found,
    pub(super) lost: Found,
}

/// Positions with the General to move, for one place.
#[derive(Debug)]
pub(super) struct GeneralToMove {
    pub(super) open: Bits,
    /// The General has not won yet.
    pub(super) not_won: Bits,
    pub(super) won: Found,
    pub(super) lost: Found,
    /// The game is over.
    pub(super) over: Bits,
}

/// What a stage found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PlyCounts {
    pub(super) rebels_won: u64,
    pub(super) rebels_lost: u64,
    pub(super) general_won: u64,
    pub(super) general_lost: u64,
}

impl PlyCounts {
    /// All positions that were decided.
    pub(super) fn sum(&self) -> u64 {
        self.rebels_won + self.rebels_lost + self.general_won + self.general_lost
    }
}

/// The solver of one variant.
pub(super) struct Solver<'a> {
    pub(super) variant: &'a Variant,
    pub(super) space: Index,
    pub(super) coverage: Coverage,
    pub(super) places: GeneralStates,
    /// Per place: the steps of the Rebels.
    pub(super) steps: Vec<Vec<Shift>>,
    pub(super) rebels: Vec<RebelsToMove>,
    pub(super) arrivals: Vec<Arrivals>,
    pub(super) chains: Chains,
    pub(super) general: Vec<GeneralToMove>,
    /// The ply that is looked at next.
    pub(super) ply: u32,
}

impl<'a> Solver<'a> {
    pub(super) fn new(variant: &'a Variant, space: Index, coverage: Coverage) -> Solver<'a> {
        let places = GeneralStates::new(variant, &space);
        let rules = variant.rules();
        let steps: Vec<Vec<Shift>> = places
            .places
            .iter()
            .map(|place| {
                let mut shifts = Vec::new();
                for from in rules.ground.without(place.general) {
                    for to in rules.rebel_steps[from.index()].without(place.general) {
                        let (a, b) = (PointSet::of(from), PointSet::of(to));
                        shifts.push(Shift::new(&space, a, b, a | b));
                    }
                }
                shifts
            })
            .collect();
        let (least, most) = coverage.range().into_inner();
        let blocks = space.blocks();
        let plain = places.moves.iter().flatten().any(|m| m.reading != Reading::Arrival);
        let legal = |place: usize, block: usize, least: u32| {
            let mut legal = space.counted(block, least, most);
            let general = places.places[place].general;
            if rules.ground.contains(general) {
                minus(&mut legal, &space.occupied(general, block));
            }
            legal
        };
        let range = 0..places.places.len();
        let table =
            |place: usize, least: u32| -> Bits { (0..blocks).map(|block| legal(place, block, least)).collect() };
        let rebels = range
            .clone()
            .into_par_iter()
            .map(|place| RebelsToMove {
                open: table(place, 0),
                won: Found::new(blocks),
                lost: Found::new(blocks),
                next_won: Found::new(blocks),
                next_lost: Found::new(blocks),
                not_won: if plain { vec![FULL; blocks] } else { Vec::new() },
                all_lost: if places.landings.is_empty() { Vec::new() } else { vec![EMPTY; blocks] },
                plies: vec![0; space.sets()],
            })
            .collect();
        let general = range
            .clone()
            .into_par_iter()
            .map(|place| GeneralToMove {
                open: table(place, least),
                not_won: vec![FULL; blocks],
                won: Found::new(blocks),
                lost: Found::new(blocks),
                over: Vec::new(),
            })
            .collect();
        let arrivals = if places.arrivals { range } else { 0..0 }
            .map(|_| Arrivals { not_won: vec![FULL; blocks], won: Found::new(blocks), lost: Found::new(blocks) })
            .collect();
        let chains = Chains::new(places.landings.len(), blocks);
        Solver { variant, space, coverage, places, steps, rebels, arrivals, chains, general, ply: 0 }
    }

    /// Finds what is decided in exactly as many plies as have been looked at, and goes on to the next. Once a ply after
    /// the first decides nothing, no later one does.
    ///
    /// Plies that a checkpoint knows are read from it on the Rebels' side.
    pub(super) fn step(&mut self, known: Option<&Checkpoint>) -> PlyCounts {
        match known.filter(|known| self.ply <= known.ply) {
            Some(known) => self.rebels_pass_again(known),
            None => self.rebels_pass(),
        }
        self.arrivals_pass();
        self.landings_pass();
        self.general_pass();
        let mut counts = PlyCounts::default();
        for rebels in &mut self.rebels {
            std::mem::swap(&mut rebels.won, &mut rebels.next_won);
            std::mem::swap(&mut rebels.lost, &mut rebels.next_lost);
            counts.rebels_won += rebels.won.count();
            counts.rebels_lost += rebels.lost.count();
        }
        for general in &self.general {
            counts.general_won += general.won.count();
            counts.general_lost += general.lost.count();
        }
        if self.ply == 0 {
            self.general.iter_mut().for_each(|general| general.over = general.lost.bits.clone());
        }
        self.ply += 1;
        counts
    }
}
