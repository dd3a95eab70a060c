//! Every position of a table compared with its successors.
//!
//! A table is right when each value follows from those of its successors: a win in n plies has a move to a loss in n - 1 and none to a
//! shorter one, a loss has only moves to wins, and a draw has no move to a loss but one to a draw. Lengths count down to ends of games,
//! so by induction only the true values fulfil this everywhere.
//!
//! Moves are made one position at a time by the code that plays games, not by shifts of whole sets. A file does not hold the positions
//! with the General to move: their values are computed for one state of the General at a time, and the Rebels' steps, which never
//! change the state, are compared with them. Of a table too large for that, a random sample is compared.

use privy_protocol::Stop;
use std::sync::Arc;

use rayon::prelude::*;
use serde::Deserialize;

use crate::games;
use crate::random::Random;
use crate::rules::family::for_family;
use crate::rules::{Family, Game, Outcome, Position, Side, Variant};

use super::error::TableError;
use super::general_state::GeneralState;
use super::layout::{CODES, Coding, Counts, Layer};
use super::table::{Decompressed, Directory, Table};
use super::value::Value;

/// Positions that a thread checks between two looks at the stop flag.
const TASK_POSITIONS: usize = 1 << 13;
/// Progress reports per state of the General and side to move.
const PROGRESS_PARTS: usize = 8;
/// Random positions between two progress reports.
const SAMPLE_PART: u64 = 1 << 16;
/// The most wrong positions that a report names.
const EXAMPLES: usize = 8;

/// A position whose stored value does not follow from its successors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The position's text.
    pub position: String,
    /// The value in the file.
    pub stored: Value,
    /// The value that follows from the successors' values in the file.
    pub right: Value,
}

/// The kept counts of a built-in game's table: its `table_counts.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownCounts {
    /// The fingerprint of its rules.
    pub fingerprint: String,
    /// The most plies to the end of any position with the Rebels to move.
    pub max_plies: u32,
    /// Won, drawn and lost positions by number of Rebels.
    pub layers: Vec<KnownLayer>,
}

/// The number of Rebels; won, drawn and lost with the General to move; the same with the Rebels to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct KnownLayer(u32, [u64; 3], [u64; 3]);

impl PartialEq<Layer> for KnownLayer {
    fn eq(&self, layer: &Layer) -> bool {
        let counts = |counts: &Counts| [counts.won, counts.drawn, counts.lost];
        *self == KnownLayer(layer.rebels, counts(&layer.general), counts(&layer.rebel))
    }
}

/// The kept counts of the game with these rules, if there are any.
#[must_use]
pub fn known_counts(fingerprint: &str) -> Option<KnownCounts> {
    let read = |text| toml::from_str::<KnownCounts>(text).expect("a test reads all counts");
    games::all().iter().filter_map(|files| files.table_counts).map(read).find(|known| known.fingerprint == fingerprint)
}

/// The result of a verification.
#[derive(Debug, Clone)]
pub struct Verified {
    /// Positions with the General to move whose values were computed, mirror images counted.
    pub general: u64,
    /// Positions with the Rebels to move that were compared, mirror images counted.
    pub rebels: u64,
    /// How many of these are wrong.
    pub mismatches: u64,
    /// The first few of them.
    pub examples: Vec<Mismatch>,
    /// The counts of the checked values.
    pub layers: Vec<Layer>,
    /// Do the counts and the longest distance agree with the file's header?
    pub agrees_with_header: bool,
    /// Do they agree with those kept with the program? None where it keeps none.
    pub agrees_with_known: Option<bool>,
}

impl Verified {
    /// No mismatch, and all counts agree.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.mismatches == 0 && self.agrees_with_header && self.agrees_with_known != Some(false)
    }
}

/// The result of checking a sample.
#[derive(Debug, Clone)]
pub struct Sampled {
    /// Positions with the Rebels to move that were compared.
    pub positions: u64,
    /// How many of these are wrong.
    pub mismatches: u64,
    /// The first few of them.
    pub examples: Vec<Mismatch>,
}

/// Checks every position of a table against its successors, and counts anew. `progress` gets the positions done and their total. Takes
/// the memory of [`Decompressed`] and two bytes for each Rebel set, and the threads of the current rayon pool.
///
/// # Errors
/// When the file is damaged, or `stop` was set.
pub fn verify(table: &Table, progress: &mut (dyn FnMut(u64, u64) + Send), stop: &Stop) -> Result<Verified, TableError> {
    let verifier = Verifier::new(table, stop)?;
    for_family!(verifier.variant.family(), F => verifier.run::<F>(progress))
}

/// Checks a random sample, with replacement, of the positions with the Rebels to move. The same seed draws the same positions. `progress`
/// and threads are as for [`verify`]; takes the memory of [`Decompressed`].
///
/// # Errors
/// When the file is damaged, or `stop` was set.
pub fn verify_sample(
    table: &Table,
    positions: u64,
    seed: u64,
    progress: &mut (dyn FnMut(u64, u64) + Send),
    stop: &Stop,
) -> Result<Sampled, TableError> {
    let verifier = Verifier::new(table, stop)?;
    for_family!(verifier.variant.family(), F => verifier.sample::<F>(positions, seed, progress))
}

/// The score of a game that is over and won. Scores are values in two bytes, higher is better for the side to move: a win or a loss
/// is this bound less the plies, 0 where no side can force an end.
const TOP: i16 = 2000;
const GAME_LOST: i16 = -TOP;
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

/// By code, the score for the Rebels, to move.
fn scores(coding: Coding) -> [i16; CODES] {
    std::array::from_fn(|code| score(coding.value(code as u16)))
}

#[derive(Default)]
struct Tally {
    counts: Vec<Counts>,
    positions: u64,
    longest: u32,
    mismatches: u64,
    /// Position, stored score, right score.
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

    /// Adds the tally of a state; `times` is 2 with its mirror image.
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
    stop: &'a Stop,
}

impl<'a> Verifier<'a> {
    fn new(table: &'a Table, stop: &'a Stop) -> Result<Verifier<'a>, TableError> {
        table.check()?;
        let (variant, directory) = (table.variant(), &table.directory);
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
            position.expect("endless draws reach a position")
        };
        let mut tally = Tally::default();
        for first in (0..positions).step_by(SAMPLE_PART as usize) {
            progress(first, positions);
            let last = (first + SAMPLE_PART).min(positions);
            let look_at = |number: u64| {
                let mut tally = Tally::default();
                let position = draw(Random::numbered(seed, number));
                let right = self.best_of_rebels(&position, |next| self.best_of_general::<F>(next));
                tally.compare(position, self.stored(&position), right);
                tally
            };
            let looked_at = (first..last).into_par_iter().map(look_at).reduce(Tally::default, |a, b| a.plus(b, 1));
            tally = tally.plus(looked_at, 1);
            if self.stop.is_set() {
                return Err(TableError::Interrupted);
            }
        }
        progress(positions, positions);
        Ok(Sampled { positions: tally.positions, mismatches: tally.mismatches, examples: self.named(&tally.examples) })
    }

    /// The position with the Rebels to move at a place in the sequence of all sets of all states, mirror images counted; none where it is
    /// not legal.
    fn at(&self, states: &[(GeneralState, u64)], mut place: u64) -> Option<Position> {
        for (state, times) in states {
            let sets = self.sets(*state) as u64;
            if place < times * sets {
                return self.directory.position(*state, (place % sets) as usize, Side::Rebels);
            }
            place -= times * sets;
        }
        None
    }

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
            if self.stop.is_set() { Err(TableError::Interrupted) } else { Ok(()) }
        };
        let (mut general, mut rebels) = (Tally::default(), Tally::default());
        let mut values = vec![0; sets().max().unwrap_or(0)];
        let sum = |a: Tally, b: Tally| a.plus(b, 1);
        for (state, times) in states {
            let sets = self.sets(state);
            let values = &mut values[..sets];
            // Parts of whole chunks, so that no set is counted twice; the number of sets is arbitrary where they are ranks.
            let part = (sets / PROGRESS_PARTS).next_multiple_of(TASK_POSITIONS).max(TASK_POSITIONS);
            for first in (0..sets).step_by(part) {
                let values = &mut values[first..(first + part).min(sets)];
                let looked_at = values.len();
                let chunks = values.par_chunks_mut(TASK_POSITIONS).enumerate();
                let tallies =
                    chunks.map(|(chunk, values)| self.general::<F>(state, first + chunk * TASK_POSITIONS, values));
                general = general.plus(tallies.reduce(Tally::default, sum), times);
                report(looked_at)?;
            }
            for first in (0..sets).step_by(part) {
                let last = (first + part).min(sets);
                let tallies =
                    (first..last).into_par_iter().step_by(TASK_POSITIONS).map(|at| self.rebels(state, at, values));
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
        // A partial table is compared by its layers alone: the longest distance is kept for all layers together.
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

    #[inline(always)]
    fn stored(&self, position: &Position) -> i16 {
        let code = self.values.code(position).expect("no move leaves the states and sets of a table");
        self.scores[usize::from(code)]
    }

    /// Computes the scores of positions with the General to move, from a number on.
    fn general<F: Family>(&self, state: GeneralState, first: usize, values: &mut [i16]) -> Tally {
        let mut tally = Tally::default();
        if self.stop.is_set() {
            return tally;
        }
        for (number, value) in (first..).zip(values) {
            if let Some(position) = self.directory.position(state, number, Side::General) {
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

    /// The score of the best step of the Rebels; `general` gives the scores of the positions after the steps.
    #[inline(always)]
    fn best_of_rebels(&self, position: &Position, mut general: impl FnMut(&Position) -> i16) -> i16 {
        let rules = self.variant.rules();
        // Rebels without a move have lost.
        let mut best = GAME_LOST;
        rules.rebel_bundles(position, |from, targets| {
            for to in targets {
                let (next, goal) = rules.play_rebel_step(position, from, to);
                let captured = goal == Some(Outcome::Custodial);
                best = best.max(if captured { score(Value::Win(1)) } else { before(general(&next)) });
            }
        });
        best
    }

    /// Compares a chunk of positions with the Rebels to move, from a number on, with their successors.
    fn rebels(&self, state: GeneralState, first: usize, general: &[i16]) -> Tally {
        let mut tally = Tally::default();
        if self.stop.is_set() {
            return tally;
        }
        for number in first..(first + TASK_POSITIONS).min(general.len()) {
            let Some(position) = self.directory.position(state, number, Side::Rebels) else { continue };
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
        // Every code has a score in bounds.
        let variant = Variant::builtin("kings-gonu").unwrap();
        assert!(scores(Coding::of(&variant)).iter().all(|score| score.abs() <= TOP));
    }

    #[test]
    fn all_games_on_25_points_are_known() {
        let mut known = 0;
        for files in games::all().iter().filter(|files| !files.is_relative) {
            let variant = Variant::builtin(files.id).unwrap();
            let is_counted = variant.board().field().len() == 25 && variant.start().outcome().is_none();
            assert_eq!(files.table_counts.is_some(), is_counted, "{}", files.id);
            assert_eq!(known_counts(variant.fingerprint()).is_some(), is_counted, "{}", files.id);
            known += usize::from(is_counted);
        }
        assert_eq!(known, 9);
    }
}
