//! Every position of a table compared with its successors.
//!
//! A table is right when each value follows from those of the positions that its moves lead to: a win in n plies has a move
//! to a loss in n - 1 and none to a shorter one, a loss has only moves to wins, and a draw has no move to a loss but one to
//! a draw. Lengths count down to ends of games, so by induction nothing but the truth fulfils this everywhere.
//!
//! Moves are made one position at a time by the same code that plays games, not by shifts of whole sets. The values of the
//! positions with the General to move, which a file does not hold, are worked out for one state of the General after another;
//! then the Rebels' steps are compared with them, for no step of theirs changes the state.
//!
//! Of a table too large for that, positions drawn at random are compared in the same way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::random::Random;
use crate::rules::family::for_family;
use crate::rules::{Family, Game, Outcome, Position, Side, Variant};

use super::counts::{KnownCounts, known_counts};
use super::error::TableError;
use super::general_state::GeneralState;
use super::layout::{CODES, Coding, Counts, Layer};
use super::table::{Decompressed, Directory, Table};
use super::value::Value;

/// Positions that one thread looks at before it asks whether to stop.
const CHUNK: usize = 1 << 13;
/// How often progress is reported, per state of the General and side to move.
const PARTS: usize = 8;
/// Positions that are drawn at random before progress is reported.
const DRAWN: u64 = 1 << 16;
/// How many wrong positions a report names.
const EXAMPLES: usize = 8;

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

/// The result of a verification.
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
    /// Are they those kept with the program, for the numbers of Rebels that the table covers? None where it keeps none.
    pub agrees_with_known: Option<bool>,
}

impl Verified {
    /// Is everything as it should be?
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.mismatches == 0 && self.agrees_with_header && self.agrees_with_known != Some(false)
    }
}

/// The result of looking at some positions.
#[derive(Debug, Clone)]
pub struct Sampled {
    /// Positions with the Rebels to move that were compared.
    pub positions: u64,
    /// How many of these are wrong.
    pub mismatches: u64,
    /// The first few of them.
    pub examples: Vec<Mismatch>,
}

/// Checks every position of a table against its successors, and counts anew. `progress` gets the number of positions done
/// and of all. Takes the memory of [`Decompressed`] and two bytes for each Rebel set. Threads are those of the rayon pool that
/// it is called in.
///
/// # Errors
/// When the file is damaged, or `stop` was set.
pub fn verify(
    table: &Table,
    progress: &mut (dyn FnMut(u64, u64) + Send),
    stop: &AtomicBool,
) -> Result<Verified, TableError> {
    let verifier = Verifier::new(table, stop)?;
    for_family!(verifier.variant.family(), F => verifier.run::<F>(progress))
}

/// Checks positions with the Rebels to move that are drawn at random, so many, against their successors: each position of the table
/// is drawn as often as any other. The same seed draws the same ones. `progress` and threads are as for [`verify`]; takes the memory of
/// [`Decompressed`].
///
/// # Errors
/// When the file is damaged, or `stop` was set.
pub fn verify_sample(
    table: &Table,
    positions: u64,
    seed: u64,
    progress: &mut (dyn FnMut(u64, u64) + Send),
    stop: &AtomicBool,
) -> Result<Sampled, TableError> {
    let verifier = Verifier::new(table, stop)?;
    for_family!(verifier.variant.family(), F => verifier.sample::<F>(positions, seed, progress))
}

/// Values as small numbers, the better for the side to move the higher: more than any number of plies, less the plies; 0 where nobody can
/// force an end.
const TOP: i16 = 2000;
/// The score of a game that is over and lost.
const GAME_LOST: i16 = -TOP;
/// No move was looked at yet: worse than anything.
const NO_MOVE: i16 = i16::MIN;

fn score(value: Value) -> i16 {
    match value {
        Value::Win(plies) => TOP - plies as i16,
        Value::Draw | Value::WinByRepetition | Value::LossByRepetition => 0,
        Value::Loss(plies) => plies as i16 - TOP,
    }
}

fn value_of(score: i16) -> Value {
    match score {
        0 => Value::Draw,
        1.. => Value::Win((TOP - score) as u32),
        _ => Value::Loss((score + TOP) as u32),
    }
}

/// The score a ply earlier, for the other side.
#[inline(always)]
fn before(score: i16) -> i16 {
    score.signum() - score
}

/// By code, the score for the Rebels, who are to move.
fn scores(coding: Coding) -> [i16; CODES] {
    std::array::from_fn(|code| score(coding.value(code as u16)))
}

/// What was counted in some positions.
#[derive(Default)]
struct Tally {
    /// By number of Rebels.
    counts: Vec<Counts>,
    positions: u64,
    longest: u32,
    mismatches: u64,
    /// Position, stored score and right one.
    examples: Vec<(Position, i16, i16)>,
}

impl Tally {
    fn count(&mut self, rebels: u32, score: i16) {
        self.positions += 1;
        let rebels = rebels as usize;
        if self.counts.len() <= rebels {
            self.counts.resize(rebels + 1, Counts::default());
        }
        match score {
            0 => self.counts[rebels].drawn += 1,
            1.. => self.counts[rebels].won += 1,
            GAME_LOST => {}
            _ => self.counts[rebels].lost += 1,
        }
    }

    /// Compares what is stored of a position with the right score.
    fn compare(&mut self, position: Position, stored: i16, right: i16) {
        self.count(position.rebels().len(), right);
        self.longest = self.longest.max(value_of(right).plies().unwrap_or(0));
        if stored != right {
            self.mismatches += 1;
            if self.examples.len() < EXAMPLES {
                self.examples.push((position, stored, right));
            }
        }
    }

    /// With what was counted in a state of the General; `times` 2 with its mirror image.
    fn plus(mut self, other: Tally, times: u64) -> Tally {
        self.counts.resize(self.counts.len().max(other.counts.len()), Counts::default());
        self.counts.iter_mut().zip(other.counts).for_each(|(sum, counts)| sum.add(counts, times));
        self.positions += times * other.positions;
        self.longest = self.longest.max(other.longest);
        self.mismatches += times * other.mismatches;
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
        self
    }
}

struct Verifier<'a> {
    table: &'a Table,
    directory: &'a Directory,
    variant: &'a Arc<Variant>,
    values: Decompressed,
    scores: [i16; CODES],
    stop: &'a AtomicBool,
}

impl<'a> Verifier<'a> {
    fn new(table: &'a Table, stop: &'a AtomicBool) -> Result<Verifier<'a>, TableError> {
        table.check()?;
        let (variant, directory) = (table.variant(), table.directory());
        if let Some(state) = GeneralState::all(variant).into_iter().find(|state| !directory.holds(*state)) {
            let point = variant.board().name(state.general);
            return Err(TableError::damaged(table.path(), format!("nothing about the General on {point}")));
        }
        let values = Decompressed::of(table)?;
        Ok(Verifier { table, directory, variant, values, scores: scores(directory.coding), stop })
    }

    fn sample<F: Family>(
        &self,
        positions: u64,
        seed: u64,
        progress: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Sampled, TableError> {
        let states: Vec<(GeneralState, u64)> = self.directory.states().collect();
        let places = states.iter().map(|(state, times)| times * self.sets(*state) as u64).sum();
        let draw = |mut random: Random| {
            let position = std::iter::repeat_with(|| random.below(places)).find_map(|place| self.at(&states, place));
            position.expect("an endless row of places has one of a position")
        };
        let mut tally = Tally::default();
        for first in (0..positions).step_by(DRAWN as usize) {
            progress(first, positions);
            let last = (first + DRAWN).min(positions);
            let look_at = |number: u64| {
                let mut tally = Tally::default();
                let position = draw(Random::numbered(seed, number));
                let right = self.best_of_rebels(&position, |next| self.best_of_general::<F>(next));
                tally.compare(position, self.stored(&position), right);
                tally
            };
            let looked_at = (first..last).into_par_iter().map(look_at).reduce(Tally::default, |a, b| a.plus(b, 1));
            tally = tally.plus(looked_at, 1);
            if self.stop.load(Ordering::Relaxed) {
                return Err(TableError::Interrupted);
            }
        }
        progress(positions, positions);
        Ok(Sampled { positions: tally.positions, mismatches: tally.mismatches, examples: self.named(&tally.examples) })
    }

    /// The position with the Rebels to move of a place in the row of all sets of all states, mirror images counted; none where it is no
    /// position of the table.
    fn at(&self, states: &[(GeneralState, u64)], mut place: u64) -> Option<Position> {
        for (state, times) in states {
            let sets = self.sets(*state) as u64;
            if place < times * sets {
                return self.position(*state, (place % sets) as usize, Side::Rebels);
            }
            place -= times * sets;
        }
        None
    }

    /// How many numbers of sets a state has.
    fn sets(&self, state: GeneralState) -> usize {
        self.directory.numbering.len(state.general)
    }

    fn run<F: Family>(&self, progress: &mut (dyn FnMut(u64, u64) + Send)) -> Result<Verified, TableError> {
        let states: Vec<(GeneralState, u64)> = self.directory.states().collect();
        let sets = || states.iter().map(|(state, _)| self.sets(*state));
        let (mut done, total) = (0, 2 * sets().sum::<usize>() as u64);
        progress(done, total);
        let mut report = |looked_at: usize| {
            done += looked_at as u64;
            progress(done, total);
            if self.stop.load(Ordering::Relaxed) { Err(TableError::Interrupted) } else { Ok(()) }
        };
        let (mut general, mut rebels) = (Tally::default(), Tally::default());
        let mut values = vec![0; sets().max().unwrap_or(0)];
        let sum = |a: Tally, b: Tally| a.plus(b, 1);
        for (state, times) in states {
            let sets = self.sets(state);
            let values = &mut values[..sets];
            // Whole chunks: sets are any number where they are ranks, and none may be counted twice.
            let part = (sets / PARTS).next_multiple_of(CHUNK).max(CHUNK);
            for first in (0..sets).step_by(part) {
                let values = &mut values[first..(first + part).min(sets)];
                let looked_at = values.len();
                let chunks = values.par_chunks_mut(CHUNK).enumerate();
                let tallies = chunks.map(|(chunk, values)| self.general::<F>(state, first + chunk * CHUNK, values));
                general = general.plus(tallies.reduce(Tally::default, sum), times);
                report(looked_at)?;
            }
            for first in (0..sets).step_by(part) {
                let last = (first + part).min(sets);
                let tallies = (first..last).into_par_iter().step_by(CHUNK).map(|at| self.rebels(state, at, values));
                rebels = rebels.plus(tallies.reduce(Tally::default, sum), times);
                report(last - first)?;
            }
        }
        Ok(self.report(&general, &rebels))
    }

    fn report(&self, general: &Tally, rebels: &Tally) -> Verified {
        let coverage = self.directory.coverage;
        let counts = |tally: &Tally, rebels: u32| tally.counts.get(rebels as usize).copied().unwrap_or_default();
        let layer = |count| Layer { rebels: count, general: counts(general, count), rebel: counts(rebels, count) };
        let layers: Vec<Layer> = coverage.layers().map(layer).collect();
        // Of a table that does not cover all, the layers that it has; the longest way is known for all together.
        let is_known = |known: KnownCounts| {
            known.layers.get(..layers.len()).is_some_and(|known| *known == layers)
                && (coverage.limit().is_some() || known.max_plies == rebels.longest)
        };
        Verified {
            general: general.positions,
            rebels: rebels.positions,
            mismatches: rebels.mismatches,
            examples: self.named(&rebels.examples),
            agrees_with_header: layers == self.table.layers() && rebels.longest == self.table.max_plies(),
            agrees_with_known: known_counts(self.variant.fingerprint()).map(is_known),
            layers,
        }
    }

    fn named(&self, examples: &[(Position, i16, i16)]) -> Vec<Mismatch> {
        let mismatch = |(position, stored, right): &(Position, i16, i16)| Mismatch {
            position: Game::new(self.variant, *position, 0, 0).to_string(),
            stored: self.directory.settled(value_of(*stored)),
            right: self.directory.settled(value_of(*right)),
        };
        examples.iter().map(mismatch).collect()
    }

    /// The position of a state with the set of a number; none where it is no position of the table.
    #[inline(always)]
    fn position(&self, state: GeneralState, number: usize, side: Side) -> Option<Position> {
        let rebels = self.directory.numbering.set(state.general, number);
        let legal = self.variant.rules().ground().contains_all(rebels)
            && !rebels.contains(state.general)
            && self.directory.coverage.range().contains(&rebels.len());
        legal.then(|| state.position(rebels, side))
    }

    /// What the file says of a position with the Rebels to move.
    #[inline(always)]
    fn stored(&self, position: &Position) -> i16 {
        let code = self.values.code(position).expect("no move leaves the states and sets of a table");
        self.scores[usize::from(code)]
    }

    /// Works out the values of positions with the General to move, from a number on.
    fn general<F: Family>(&self, state: GeneralState, first: usize, values: &mut [i16]) -> Tally {
        let mut tally = Tally::default();
        if self.stop.load(Ordering::Relaxed) {
            return tally;
        }
        for (number, value) in (first..).zip(values) {
            if let Some(position) = self.position(state, number, Side::General) {
                *value = self.best_of_general::<F>(&position);
                tally.count(position.rebels().len(), *value);
            }
        }
        tally
    }

    #[inline(always)]
    fn best_of_general<F: Family>(&self, position: &Position) -> i16 {
        let rules = self.variant.rules();
        if let Some(outcome) = rules.outcome::<F>(position, None) {
            return score(Value::of_outcome(outcome, Side::General));
        }
        let mut best = NO_MOVE;
        rules.general_actions::<F>(position, |action, _| {
            let (next, goal) = rules.play_general_move(position, &action);
            let score =
                goal.map_or_else(|| self.stored(&next), |outcome| score(Value::of_outcome(outcome, Side::Rebels)));
            best = best.max(before(score));
        });
        best
    }

    /// What the best step of the Rebels is worth, by what the positions after them are worth to the General.
    #[inline(always)]
    fn best_of_rebels(&self, position: &Position, mut general: impl FnMut(&Position) -> i16) -> i16 {
        let rules = self.variant.rules();
        // Rebels without a move have lost.
        let mut best = GAME_LOST;
        rules.rebel_bundles(position, |from, targets| {
            for to in targets {
                let (next, goal) = rules.play_rebel_step(position, from, to);
                let captured = goal == Some(Outcome::RebelsCustodial);
                best = best.max(if captured { score(Value::Win(1)) } else { before(general(&next)) });
            }
        });
        best
    }

    /// Compares positions with the Rebels to move, from a number on, with where their steps lead.
    fn rebels(&self, state: GeneralState, first: usize, general: &[i16]) -> Tally {
        let mut tally = Tally::default();
        if self.stop.load(Ordering::Relaxed) {
            return tally;
        }
        for number in first..(first + CHUNK).min(general.len()) {
            let Some(position) = self.position(state, number, Side::Rebels) else { continue };
            let right = self.best_of_rebels(&position, |next| {
                let number = self.directory.numbering.number(state.general, next.rebels());
                general[number.expect("a step keeps the number of Rebels")]
            });
            tally.compare(position, self.stored(&position), right);
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_from_scores() {
        for plies in 0..TOP as u32 - 1 {
            for value in [Value::Win(plies), Value::Loss(plies)] {
                assert_eq!(value_of(score(value)), value);
                assert_eq!(value_of(before(score(value))), value.before());
            }
        }
        assert_eq!(value_of(score(Value::Draw)), Value::Draw);
        assert_eq!(before(0), 0);
        // Whatever a code says, its score is one.
        let variant = Variant::builtin("kings-gonu").unwrap();
        assert!(scores(Coding::of(&variant)).iter().all(|score| score.abs() <= TOP));
    }
}
