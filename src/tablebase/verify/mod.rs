//! Every position of a table compared with its successors.
//!
//! A table is right when each value follows from those of the positions that its moves lead to: a win in n plies has a move
//! to a loss in n - 1 and none to a shorter one, a loss has only moves to wins, and a draw has no move to a loss but one to
//! a draw. Lengths count down to ends of games, so by induction nothing but the truth fulfils this everywhere.
//!
//! Moves are made one position at a time by the same code that plays games, not by the solver's operations on whole sets.
//! The values of the positions with the General to move, which a file does not hold, are worked out place by place; then
//! the Rebels' steps are held against them, for no step of theirs changes the place.

mod scores;
mod states;
mod tally;

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::board::Mirror;
use crate::rules::family::for_family;
use crate::rules::{Family, Position, Side, Variant};

use self::scores::{GAME_LOST, NO_MOVE, Scores, score, value_of};
use self::states::{places, text};
use self::tally::{EXAMPLES, Tally};
use super::counts::{KnownCounts, known_counts};
use super::coverage::Coverage;
use super::decompressed::Decompressed;
use super::header::Layer;
use super::table::{Table, over};
use super::{TableError, Value};

/// Positions that one thread looks at before it asks whether to stop.
const CHUNK: usize = 1 << 13;
/// How often progress is reported, per place and side.
const PARTS: usize = 8;

/// A position whose stored value does not follow from its successors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The position's text.
    pub position: String,
    /// What the file says.
    pub stored: Value,
    /// What follows from the successors, as the file has them.
    pub right: Value,
}

/// What became of a table that was verified.
#[derive(Debug, Clone)]
pub struct Verified {
    /// Positions with the General to move whose moves were looked at, mirror images counted.
    pub general: u64,
    /// Positions with the Rebels to move that were compared, mirror images counted.
    pub rebels: u64,
    /// How many of these are wrong.
    pub mismatches: u64,
    /// The first few of them.
    pub examples: Vec<Mismatch>,
    /// The counts as they are.
    pub layers: Vec<Layer>,
    /// Are these the counts of the file's header, the longest distance included?
    pub agrees_with_header: bool,
    /// Are they those kept with the program, for as many Rebels as the table covers? None where it keeps none.
    pub agrees_with_known: Option<bool>,
}

impl Verified {
    /// Is everything as it should be?
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.mismatches == 0 && self.agrees_with_header && self.agrees_with_known != Some(false)
    }
}

/// Checks every position of a table against its successors, and counts anew. `progress` is told how many positions of how
/// many were looked at. Takes the memory of [`Decompressed`] and a byte for each Rebel set. Threads are those of the rayon pool
/// that it is called in.
///
/// # Errors
/// When the file is damaged, or `stop` was set.
pub fn verify(
    table: &Table,
    progress: &mut (dyn FnMut(u64, u64) + Send),
    stop: &AtomicBool,
) -> Result<Verified, TableError> {
    table.check()?;
    let unpacked = Decompressed::of(table)?;
    for_family!(table.variant().family(), F => Verifier::new(table, &unpacked, stop)?.run::<F>(progress))
}

/// Where the values of a place stand: its own, or those of its mirror image.
#[derive(Clone, Copy)]
struct Values<'a> {
    bytes: &'a [u8],
    mirror: Option<&'a Mirror>,
}

struct Verifier<'a> {
    table: &'a Table,
    variant: &'a Variant,
    scores: Scores,
    stop: &'a AtomicBool,
    /// By slot.
    values: Vec<Option<Values<'a>>>,
    /// The places that the file holds, each with 2 if its mirror image is another.
    places: Vec<(Position, u64)>,
    coverage: Coverage,
}

impl<'a> Verifier<'a> {
    fn new(table: &'a Table, unpacked: &'a Decompressed, stop: &'a AtomicBool) -> Result<Verifier<'a>, TableError> {
        let variant: &Variant = table.variant();
        let mut values = vec![None; Table::slots(variant)];
        let mut kept = Vec::new();
        for place in places(variant) {
            let slot_of =
                |state: &Position| Table::slot(variant, state.general(), state.apex_visited(), state.free_jumps());
            let image = variant.mirror(&place);
            let (own, mirrored) = (unpacked.values(slot_of(&place)), unpacked.values(slot_of(&image)));
            let found = match (own.is_empty(), mirrored.is_empty()) {
                (false, _) => {
                    let twice = image.general() != place.general() && mirrored.is_empty();
                    kept.push((place, if twice { 2 } else { 1 }));
                    Values { bytes: own, mirror: None }
                }
                (true, false) => Values { bytes: mirrored, mirror: variant.board().mirror() },
                (true, true) => {
                    let point = variant.board().name(place.general());
                    return Err(TableError::damaged(table.path(), format!("nothing about the General on {point}")));
                }
            };
            if let Some(slot) = values.get_mut(slot_of(&place)) {
                *slot = Some(found);
            }
        }
        let scores = Scores::new(table.coding());
        Ok(Verifier { table, variant, scores, stop, values, places: kept, coverage: table.coverage() })
    }

    fn run<F: Family>(&self, progress: &mut (dyn FnMut(u64, u64) + Send)) -> Result<Verified, TableError> {
        let sets = self.table.space().sets();
        let total = 2 * (self.places.len() * sets) as u64;
        let mut done = 0;
        progress(done, total);
        let mut report = |looked_at: usize| {
            done += looked_at as u64;
            progress(done, total);
            if self.stop.load(Ordering::Relaxed) { Err(TableError::Interrupted) } else { Ok(()) }
        };
        let (mut general, mut rebels, mut examples) = (Tally::default(), Tally::default(), Vec::new());
        let mut values = vec![0; sets];
        let part = (sets / PARTS).max(CHUNK);
        for (place, times) in &self.places {
            for (number, values) in values.chunks_mut(part).enumerate() {
                let first = number * part;
                let looked_at = values.len();
                let chunks = values.par_chunks_mut(CHUNK).enumerate();
                let tallies = chunks.map(|(chunk, values)| self.general::<F>(place, first + chunk * CHUNK, values));
                general.add(tallies.reduce(Tally::default, Tally::plus), *times);
                report(looked_at)?;
            }
            let mut of_place = Tally::default();
            for first in (0..sets).step_by(part) {
                let last = (first + part).min(sets);
                let tallies = (first..last).into_par_iter().step_by(CHUNK).map(|at| self.rebels(place, at, &values));
                of_place.add(tallies.reduce(Tally::default, Tally::plus), 1);
                report(last - first)?;
            }
            for (index, stored, right) in of_place.examples.drain(..) {
                let state = place.with_pieces(self.table.space().set(index), place.general());
                let position = text(self.table.variant(), &state);
                examples.push(Mismatch { position, stored: value_of(stored), right: value_of(right) });
            }
            examples.truncate(EXAMPLES);
            rebels.add(of_place, *times);
        }
        Ok(self.report(&general, &rebels, examples))
    }

    fn report(&self, general: &Tally, rebels: &Tally, examples: Vec<Mismatch>) -> Verified {
        let counts = |tally: &Tally, rebels: u32| tally.counts.get(rebels as usize).copied().unwrap_or_default();
        let layers: Vec<Layer> = self
            .coverage
            .layers()
            .map(|count| Layer { rebels: count, general: counts(general, count), rebel: counts(rebels, count) })
            .collect();
        // Of a table that does not cover all, the layers that it has; the longest way is known for all together.
        let is_known = |known: KnownCounts| {
            known.layers.get(..layers.len()).is_some_and(|known| *known == layers)
                && (self.coverage.limit().is_some() || known.max_plies == rebels.longest)
        };
        let agrees_with_known = known_counts(self.variant.fingerprint()).map(is_known);
        Verified {
            general: general.positions,
            rebels: rebels.positions,
            mismatches: rebels.mismatches,
            examples,
            agrees_with_header: layers == self.table.layers() && rebels.longest == self.table.max_plies(),
            agrees_with_known,
            layers,
        }
    }

    /// The state of a place with a set of Rebels; none where it is no position of the table.
    #[inline(always)]
    fn state(&self, place: &Position, index: usize, side: Side) -> Option<Position> {
        let rebels = self.table.space().set(index);
        let legal = self.variant.rules().ground.contains_all(rebels)
            && !rebels.contains(place.general())
            && self.coverage.range().contains(&rebels.len());
        legal.then_some(place.with_pieces(rebels, place.general()).with_side(side))
    }

    /// Works out the values of positions with the General to move, from an index on.
    fn general<F: Family>(&self, place: &Position, first: usize, values: &mut [u8]) -> Tally {
        let mut tally = Tally::default();
        if self.stop.load(Ordering::Relaxed) {
            return tally;
        }
        for (offset, value) in values.iter_mut().enumerate() {
            if let Some(state) = self.state(place, first + offset, Side::General) {
                let best = self.best_of_general::<F>(&state);
                tally.count(state.rebels().len(), best);
                *value = self.scores.general_byte(best);
            }
        }
        tally
    }

    #[inline(always)]
    fn best_of_general<F: Family>(&self, state: &Position) -> i16 {
        let rules = self.variant.rules();
        if let Some(outcome) = rules.outcome::<F>(state, None) {
            return score(over(outcome, Side::General));
        }
        let mut best = NO_MOVE;
        rules.general_actions::<F>(state, |action, _| {
            let (next, _) = rules.play_general_move(state, &action);
            best = best.max(match rules.goal_after_general(&next) {
                Some(outcome) => score(over(outcome, Side::Rebels).before()),
                None => self.scores.before_rebels[usize::from(self.stored(&next))],
            });
        });
        best
    }

    /// What the file says of a position with the Rebels to move.
    #[inline(always)]
    fn stored(&self, state: &Position) -> u8 {
        let slot = Table::slot(self.variant, state.general(), state.apex_visited(), state.free_jumps());
        let found = self.values.get(slot).copied().flatten().and_then(|values| {
            let rebels = values.mirror.map_or(state.rebels(), |mirror| mirror.set(state.rebels()));
            values.bytes.get(self.table.space().index(rebels)?).copied()
        });
        // No move leaves the places and sets of a table that was opened.
        found.unwrap_or(0)
    }

    /// Compares positions with the Rebels to move, from an index on, with where their steps lead.
    fn rebels(&self, place: &Position, first: usize, general: &[u8]) -> Tally {
        let mut tally = Tally::default();
        if self.stop.load(Ordering::Relaxed) {
            return tally;
        }
        let rules = self.variant.rules();
        let custody = rules.custody[place.general().index()].union();
        for index in first..(first + CHUNK).min(general.len()) {
            let Some(state) = self.state(place, index, Side::Rebels) else { continue };
            let mut best = NO_MOVE;
            rules.rebel_bundles(&state, |from, targets| {
                for to in targets {
                    let (next, goal) = rules.play_rebel_step(&state, from, to);
                    let captured = custody.contains(to) && goal.is_some();
                    let value = self.table.space().index(next.rebels()).and_then(|index| general.get(index));
                    best = best.max(match value {
                        _ if captured => score(Value::Win(1)),
                        Some(value) => self.scores.before_general[usize::from(*value)],
                        None => NO_MOVE,
                    });
                }
            });
            // Rebels without a move have lost.
            let right = best.max(GAME_LOST);
            let stored = self.scores.rebels[usize::from(self.stored(&state))];
            tally.count(state.rebels().len(), right);
            if let Value::Win(plies) | Value::Loss(plies) = value_of(right) {
                tally.longest = tally.longest.max(plies);
            }
            if stored != right {
                tally.mismatches += 1;
                if tally.examples.len() < EXAMPLES {
                    tally.examples.push((index, stored, right));
                }
            }
        }
        tally
    }
}
