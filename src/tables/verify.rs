//! Every position of a table compared with its successors.
//!
//! A table is right when each value follows from those of its successors: a win in n plies has a move to a loss in n -
//! 1 and none to a shorter one, a loss has only moves to wins, and a draw has no move to a loss but one to a draw.
//! Lengths count down to ends of games, so by induction only the true values fulfil this everywhere.
//!
//! Moves are made position by position by the code that plays games, not by shifts of whole sets. A file does not hold
//! the positions with the General to move: their values are computed for each state of the General by itself, and the
//! Rebels' steps, which never change the state, are compared with them. Of a table too large for that, a random sample
//! is compared.

use privy_protocol::Stop;
use std::sync::OnceLock;

use serde::Deserialize;

use privy_base::random::Random;
use privy_base::threads::{self, on_all_cores};
use privy_rules::family::Every;
use privy_rules::games;
use privy_rules::{Game, Outcome, Position, Side};

use super::coding::{Coding, Counts, Layer};
use super::compression::CODES;
use super::error::TableError;
use super::numbering::Numbering;
use super::states::GeneralState;
use super::table::{Decompressed, Table};
use super::value::TableValue;

/// Positions that a thread checks between two looks at the stop flag.
const TASK_POSITIONS: usize = 1 << 13;
/// Positions between two progress reports, whole tasks.
const PROGRESS_PART: usize = TASK_POSITIONS << 7;
/// Random positions between two progress reports.
const SAMPLE_PART: u64 = 1 << 16;
/// Drawn positions of a task.
const SAMPLE_OF_TASK: usize = 1 << 8;
/// The most wrong positions that a report names.
const EXAMPLES: usize = 8;

/// A position whose stored value does not follow from its successors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The position's text.
    pub position: String,
    /// The value in the file.
    pub stored: TableValue,
    /// The value that follows from the successors' values in the file.
    pub right: TableValue,
}

/// The kept counts of a built-in game's table: its `table_counts.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownCounts {
    /// The fingerprint of its rules.
    pub fingerprint: String,
    /// The most plies to the end of any position with the Rebels to move.
    pub max_plies: u32,
    /// Bytes of the file.
    pub bytes: u64,
    /// The number of Rebels; won, drawn and lost with the General to move; the same with the Rebels to move.
    pub layers: Vec<(u32, [u64; 3], [u64; 3])>,
}

/// The kept counts of the game with these rules, if there are any.
#[must_use]
pub fn known_counts(fingerprint: &str) -> Option<KnownCounts> {
    let read = |text| toml::from_str::<KnownCounts>(text).expect("a test reads all counts");
    games::all().iter().filter_map(|files| files.table_counts).map(read).find(|known| known.fingerprint == fingerprint)
}

/// The result of a verification, of all positions or of a sample.
#[derive(Debug, Clone)]
pub struct Verified {
    /// Positions with the General to move whose values were computed, mirror images counted; 0 for a sample.
    pub general: u64,
    /// Positions with the Rebels to move that were compared, mirror images counted.
    pub rebels: u64,
    /// How many of these are wrong.
    pub mismatches: u64,
    /// The first few of them.
    pub examples: Vec<Mismatch>,
    /// The counts of the checked values; none of a sample.
    pub layers: Vec<Layer>,
    /// True if the counts and the longest distance agree with the file's header, or are those of a sample.
    pub agrees_with_header: bool,
    /// True if they agree with those kept with the program; `None` where it keeps none, and for a sample.
    pub agrees_with_known: Option<bool>,
}

impl Verified {
    /// No mismatch, and all counts agree.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.mismatches == 0 && self.agrees_with_header && self.agrees_with_known != Some(false)
    }
}

/// Checks every position of a table against its successors, and counts anew. `progress` gets the positions done and
/// their total. Takes the memory of [`Decompressed`] and two bytes for each Rebel set, and the rayon threads of the
/// caller, or all cores.
///
/// # Errors
/// When the file is damaged, or `stop` was set.
pub fn verify(table: &Table, progress: &mut (dyn FnMut(u64, u64) + Send), stop: &Stop) -> Result<Verified, TableError> {
    let verifier = Verifier::new(table, true, stop)?;
    on_all_cores(|| verifier.run(progress))
}

/// Checks a random sample, with replacement, of the positions with the Rebels to move. The same seed draws the same
/// positions. `progress` and threads are as for [`verify`]; the values are looked up in the file, as [`Table::probe`]
/// does.
///
/// # Errors
/// When the file is damaged, or `stop` was set.
pub fn verify_sample(
    table: &Table,
    positions: u64,
    seed: u64,
    progress: &mut (dyn FnMut(u64, u64) + Send),
    stop: &Stop,
) -> Result<Verified, TableError> {
    let verifier = Verifier::new(table, false, stop)?;
    on_all_cores(|| verifier.sample(positions, seed, progress))
}

// Values are kept as their ranks in two bytes: a value without end is 0, whoever wins by repetition.

/// The rank of a position without a move that is looked at yet.
const NO_MOVE: i16 = i16::MIN;

/// The rank of a value a ply earlier, for the other side.
#[inline(always)]
pub fn before(rank: i16) -> i16 {
    rank.signum() - rank
}

/// By code, the rank of its value for the Rebels, to move.
pub fn ranks(coding: Coding) -> [i16; CODES] {
    std::array::from_fn(|code| coding.value(code as u16).rank())
}

#[derive(Default)]
struct ValueTally {
    counts: Counts,
    positions: u64,
    longest: u32,
    mismatches: u64,
    /// Position, stored value, right value.
    examples: Vec<(Position, i16, i16)>,
}

impl ValueTally {
    fn count(&mut self, rank: i16) {
        self.positions += 1;
        match rank {
            0 => self.counts.drawn += 1,
            _ if TableValue::of_rank(rank).is_over() => {}
            1.. => self.counts.won += 1,
            _ => self.counts.lost += 1,
        }
    }

    fn compare(&mut self, position: Position, stored: i16, right: i16) {
        self.count(right);
        self.longest = self.longest.max(TableValue::of_rank(right).plies().unwrap_or(0));
        if stored != right {
            self.mismatches += 1;
            if self.examples.len() < EXAMPLES {
                self.examples.push((position, stored, right));
            }
        }
    }

    /// Adds the tally of a state; `times` is 2 with its mirror image.
    fn plus(mut self, other: ValueTally, times: u64) -> ValueTally {
        self.counts.add(other.counts, times);
        self.positions += times * other.positions;
        self.longest = self.longest.max(other.longest);
        self.mismatches += times * other.mismatches;
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
        self
    }
}

/// A state of the General, and a number of Rebels.
type StateAndRebels = (GeneralState, u32);

struct Verifier<'a> {
    table: &'a Table,
    numbering: &'a Numbering,
    /// Every value; `None` where few are wanted, which are looked up in the file.
    values: Option<Decompressed>,
    /// Why the file could not be read.
    failure: OnceLock<TableError>,
    ranks: [i16; CODES],
    stop: &'a Stop,
}

impl<'a> Verifier<'a> {
    fn new(table: &'a Table, decompresses: bool, stop: &'a Stop) -> Result<Verifier<'a>, TableError> {
        table.check()?;
        let (values, failure) = (decompresses.then(|| Decompressed::of(table)).transpose()?, OnceLock::new());
        let numbering = &table.numbering;
        Ok(Verifier { table, numbering, values, failure, ranks: ranks(numbering.coding), stop })
    }

    fn sample(
        mut self,
        positions: u64,
        seed: u64,
        progress: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Verified, TableError> {
        // All positions, mirror images counted, in the order of their sections.
        let sections: Vec<_> = self.sections().map(|(section, all, times)| (section, all, times * all)).collect();
        let all_places = sections.iter().map(|(.., places)| places).sum();
        let draw = |mut random: Random| {
            let mut place = random.below(all_places);
            let section = sections.iter().find(|(.., places)| {
                let is_here = place < *places;
                place -= if is_here { 0 } else { *places };
                is_here
            });
            let (section, all, _) = section.expect("a place among all");
            let mut from = self.numbering.positions_from(*section, Side::Rebels, (place % all) as usize);
            from.next().expect("a place has a position")
        };
        let mut tally = ValueTally::default();
        for first in (0..positions).step_by(SAMPLE_PART as usize) {
            progress(first, positions);
            let last = (first + SAMPLE_PART).min(positions);
            let looked_at = threads::map((first..last).step_by(SAMPLE_OF_TASK), |first| {
                let mut tally = ValueTally::default();
                for number in first..(first + SAMPLE_OF_TASK as u64).min(last) {
                    let position = draw(Random::numbered(seed, number));
                    let right = self.best_of_rebels(&position, |next| self.best_of_general(next));
                    tally.compare(position, self.stored(&position), right);
                }
                tally
            });
            tally = looked_at.into_iter().fold(tally, |sum, tally| sum.plus(tally, 1));
            if let Some(error) = self.failure.take() {
                return Err(error);
            }
            if self.stop.is_set() {
                return Err(TableError::Interrupted);
            }
        }
        progress(positions, positions);
        Ok(Verified {
            general: 0,
            rebels: tally.positions,
            mismatches: tally.mismatches,
            examples: self.named(&tally.examples),
            layers: Vec::new(),
            agrees_with_header: true,
            agrees_with_known: None,
        })
    }

    /// The sections with their positions and the number of states that each represents.
    fn sections(&self) -> impl Iterator<Item = (StateAndRebels, u64, u64)> {
        self.numbering.all_sections().map(|(state, rebels)| {
            let positions = self.numbering.positions(state, rebels) as u64;
            ((state, rebels), positions, state.times(&self.numbering.variant))
        })
    }

    fn run(&self, progress: &mut (dyn FnMut(u64, u64) + Send)) -> Result<Verified, TableError> {
        let (mut done, total) = (0, 2 * self.sections().map(|(_, positions, _)| positions).sum::<u64>());
        progress(done, total);
        let mut report = |looked_at: usize| {
            done += looked_at as u64;
            progress(done, total);
            if self.stop.is_set() { Err(TableError::Interrupted) } else { Ok(()) }
        };
        let (mut general, mut rebels) = (ValueTally::default(), ValueTally::default());
        let mut layers: Vec<Layer> = Vec::new();
        for (section, positions, times) in self.sections() {
            let mut values = vec![0; positions as usize];
            for (first, values) in (0..).step_by(PROGRESS_PART).zip(values.chunks_mut(PROGRESS_PART)) {
                let looked_at = values.len();
                let tallies = threads::map(values.chunks_mut(TASK_POSITIONS).enumerate(), |(task, values)| {
                    self.general(section, first + task * TASK_POSITIONS, values)
                });
                general = tallies.into_iter().fold(general, |sum, tally| sum.plus(tally, times));
                report(looked_at)?;
            }
            for first in (0..values.len()).step_by(PROGRESS_PART) {
                let last = (first + PROGRESS_PART).min(values.len());
                let tallies =
                    threads::map((first..last).step_by(TASK_POSITIONS), |first| self.rebels(section, first, &values));
                rebels = tallies.into_iter().fold(rebels, |sum, tally| sum.plus(tally, times));
                report(last - first)?;
            }
            if layers.last().is_none_or(|layer| layer.rebels != section.1) {
                layers.push(Layer { rebels: section.1, ..Layer::default() });
            }
            let layer = layers.last_mut().expect("a section is in a layer");
            layer.general.add(std::mem::take(&mut general.counts), 1);
            layer.rebel.add(std::mem::take(&mut rebels.counts), 1);
        }
        Ok(self.report(&general, &rebels, layers))
    }

    fn report(&self, general: &ValueTally, rebels: &ValueTally, layers: Vec<Layer>) -> Verified {
        // A partial table is compared by its layers alone: the longest distance is kept for all layers together.
        let figures = |counts: &Counts| [counts.won, counts.drawn, counts.lost];
        let found: Vec<_> =
            layers.iter().map(|layer| (layer.rebels, figures(&layer.general), figures(&layer.rebel))).collect();
        let is_known = |known: KnownCounts| {
            known.layers.starts_with(&found)
                && (self.numbering.coverage.limit().is_some() || known.max_plies == rebels.longest)
        };
        Verified {
            general: general.positions,
            rebels: rebels.positions,
            mismatches: rebels.mismatches,
            examples: self.named(&rebels.examples),
            agrees_with_header: layers == self.table.layers() && rebels.longest == self.table.max_plies(),
            agrees_with_known: known_counts(self.numbering.variant.fingerprint()).map(is_known),
            layers,
        }
    }

    fn named(&self, examples: &[(Position, i16, i16)]) -> Vec<Mismatch> {
        let mismatch = |(position, stored, right): &(Position, i16, i16)| Mismatch {
            position: Game::new(&self.numbering.variant, *position, 0, 0).to_string(),
            stored: self.numbering.settled(TableValue::of_rank(*stored)),
            right: self.numbering.settled(TableValue::of_rank(*right)),
        };
        examples.iter().map(mismatch).collect()
    }

    #[inline(always)]
    fn stored(&self, position: &Position) -> i16 {
        const COVERED: &str = "no move leaves the states and sets of a table";
        let code = match &self.values {
            Some(values) => values.code(position).expect(COVERED),
            None => {
                let (section, rank) = self.numbering.find(position).expect(COVERED);
                self.table.file.code(section, rank).unwrap_or_else(|error| {
                    _ = self.failure.set(error);
                    0
                })
            }
        };
        self.ranks[usize::from(code)]
    }

    /// Computes the values of positions with the General to move, from a rank on.
    fn general(&self, section: StateAndRebels, first: usize, values: &mut [i16]) -> ValueTally {
        let mut tally = ValueTally::default();
        if self.stop.is_set() {
            return tally;
        }
        for (position, value) in self.numbering.positions_from(section, Side::General, first).zip(values) {
            *value = self.best_of_general(&position);
            tally.count(*value);
        }
        tally
    }

    #[inline(always)]
    fn best_of_general(&self, position: &Position) -> i16 {
        let rules = self.numbering.variant.rules();
        if let Some(outcome) = rules.outcome::<Every>(position, None) {
            return TableValue::of_outcome(outcome, Side::General).rank();
        }
        let mut best = NO_MOVE;
        rules.general_actions::<Every>(position, |action, _| {
            let (next, goal) = rules.play_general_move(position, &action);
            let won = |outcome| TableValue::of_outcome(outcome, Side::Rebels).rank();
            best = best.max(before(goal.map_or_else(|| self.stored(&next), won)));
        });
        best
    }

    /// The value of the best step of the Rebels; `general` gives the values of the positions after the steps.
    #[inline(always)]
    fn best_of_rebels(&self, position: &Position, mut general: impl FnMut(&Position) -> i16) -> i16 {
        let rules = self.numbering.variant.rules();
        if let Some(outcome) = rules.goal_after_general(position) {
            return TableValue::of_outcome(outcome, Side::Rebels).rank();
        }
        let mut best = NO_MOVE;
        rules.rebel_bundles(position, |from, targets| {
            for to in targets {
                let (next, goal) = rules.play_rebel_step(position, from, to);
                let captured = goal == Some(Outcome::Custodial);
                best = best.max(if captured { TableValue::Win(1).rank() } else { before(general(&next)) });
            }
        });
        let stuck = Outcome::NoMove(rules.winner_if_stuck(Side::Rebels));
        if best == NO_MOVE { TableValue::of_outcome(stuck, Side::Rebels).rank() } else { best }
    }

    /// Compares a task of positions with the Rebels to move, from a rank on, with their successors.
    fn rebels(&self, section: StateAndRebels, first: usize, general: &[i16]) -> ValueTally {
        let mut tally = ValueTally::default();
        if self.stop.is_set() {
            return tally;
        }
        for position in self.numbering.positions_from(section, Side::Rebels, first).take(TASK_POSITIONS) {
            // A step stays in the section, a drop does not.
            let after = |next: &Position| match next.hand() == section.0.hand {
                true => general[self.numbering.rank(section.0.general, next.rebels())],
                false => self.best_of_general(next),
            };
            let right = self.best_of_rebels(&position, after);
            tally.compare(position, self.stored(&position), right);
        }
        tally
    }
}
