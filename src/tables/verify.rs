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

use std::ops::Range;

use privy_protocol::Stop;

use privy_base::random::Random;
use privy_base::threads::{on_all_cores, try_map};
use privy_rules::family::Every;
use privy_rules::{Game, Outcome, Position, Side};

use super::coding::{Counts, Layer};
use super::error::TableError;
use super::file::Header;
use super::states::GeneralState;
use super::table::Table;
use super::value::TableValue;

/// Positions that a thread checks between two looks at the stop flag.
const TASK: u64 = 1 << 11;
/// Positions between two progress reports, whole tasks.
const PART: u64 = TASK << 7;
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

/// The result of a verification, of all positions or of a sample.
#[derive(Debug, Clone, Default)]
pub struct Verified {
    /// Positions with the Rebels to move that were compared, mirror images counted; but for a sample the values of as
    /// many with the General to move were computed.
    pub positions: u64,
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

/// Checks every position of a table against its successors, and counts anew; or, of the positions with the Rebels to
/// move, a random `sample`, with replacement: a number of positions and a seed, of which the same draws the same ones.
/// `progress` gets the positions done and their total.
///
/// Runs on the rayon threads of the caller, or on all cores. Takes two bytes for each set of Rebels of a layer, and as
/// much as the file holds; a sample, what it reads of it.
///
/// # Errors
/// When the file is damaged, or `stop` was set.
pub fn verify(
    table: &Table,
    sample: Option<(u64, u64)>,
    progress: &mut (dyn FnMut(u64, u64) + Send),
    stop: &Stop,
) -> Result<Verified, TableError> {
    table.check()?;
    let sections = table.counted_sections();
    let (mut done, all) = (0, 2 * sections.iter().map(|(_, positions, _)| positions).sum::<u64>());
    let mut report = |more| {
        done += more;
        progress(done, sample.map_or(all, |(positions, _)| positions));
    };
    report(0);
    on_all_cores(|| match sample {
        None => table.verify_all(&sections, &mut report, stop),
        Some(sample) => table.verify_sample(&sections, sample, &mut report, stop),
    })
}

/// A state of the General and a number of Rebels, its stored positions, and how often each of these counts.
type CountedSection = ((GeneralState, u32), u64, u64);

/// What some positions are worth, and which of their stored values are wrong.
#[derive(Default)]
struct Tally {
    counts: Counts,
    longest: u32,
    mismatches: u64,
    examples: Vec<Mismatch>,
    /// The ranks of the values, in two bytes each.
    ranks: Vec<i16>,
}

impl Tally {
    /// Adds another one; `times` is 2 where the mirror images are other positions.
    fn add(&mut self, other: Tally, times: u64) {
        self.counts.add(other.counts, times);
        self.longest = self.longest.max(other.longest);
        self.mismatches += times * other.mismatches;
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
        self.ranks.extend(other.ranks);
    }
}

impl Table {
    fn counted_sections(&self) -> Vec<CountedSection> {
        let counted = |(state, rebels): (GeneralState, u32)| {
            ((state, rebels), self.numbering.positions(state, rebels) as u64, state.times(self.variant()))
        };
        self.numbering.all_sections().map(counted).collect()
    }

    fn verify_all(
        &self,
        sections: &[CountedSection],
        report: &mut impl FnMut(u64),
        stop: &Stop,
    ) -> Result<Verified, TableError> {
        let mut all = Tally::default();
        let layers = self.numbering.layers.iter().map(|rebels| Layer { rebels: *rebels, ..Layer::default() });
        let mut layers: Vec<Layer> = layers.collect();
        for (number, (section, positions, times)) in sections.iter().enumerate() {
            let (state, _) = *section;
            let from = |side| {
                move |ranks: Range<u64>| {
                    let positions = self.numbering.positions_from(*section, side, ranks.start as usize);
                    positions.take((ranks.end - ranks.start) as usize)
                }
            };
            let compute = |tally: &mut Tally, position: &Position| {
                let value = self.value_of_general(position)?;
                tally.counts.note(value, 1);
                tally.ranks.push(value.rank());
                Ok(())
            };
            let general = for_each(*positions, from(Side::General), compute, report, stop)?;
            // A step stays in the section, a drop does not.
            let after = |next: &Position| match next.hand() == state.hand {
                true => Ok(TableValue::of_rank(general.ranks[self.numbering.rank(state.general, next.rebels())])),
                false => self.value_of_general(next),
            };
            let compare = |tally: &mut Tally, position: &Position| self.compare(tally, position, after);
            let mut compared = for_each(*positions, from(Side::Rebels), compare, report, stop)?;
            let layer = &mut layers[number / self.numbering.states.len()];
            layer.general.add(general.counts, *times);
            layer.rebel.add(std::mem::take(&mut compared.counts), *times);
            all.add(compared, *times);
        }
        // A partial table is compared by its layers alone: the longest distance is kept for all layers together.
        let is_known = |known: Header| {
            known.layers.starts_with(&layers) && (self.limit().is_some() || known.max_plies == all.longest)
        };
        Ok(Verified {
            positions: sections.iter().map(|(_, positions, times)| positions * times).sum(),
            mismatches: all.mismatches,
            examples: all.examples,
            agrees_with_header: layers == self.layers() && all.longest == self.max_plies(),
            agrees_with_known: Header::known(self.variant().fingerprint()).map(is_known),
            layers,
        })
    }

    fn verify_sample(
        &self,
        sections: &[CountedSection],
        (positions, seed): (u64, u64),
        report: &mut impl FnMut(u64),
        stop: &Stop,
    ) -> Result<Verified, TableError> {
        // All positions, mirror images counted, in the order of their sections.
        let all = sections.iter().map(|(_, positions, times)| positions * times).sum();
        let draw = |number| {
            let mut place = Random::numbered(seed, number).below(all);
            let section = sections.iter().find(|(_, positions, times)| {
                let is_here = place < positions * times;
                place -= if is_here { 0 } else { positions * times };
                is_here
            });
            let (section, positions, _) = section.expect("a place among all");
            let mut from = self.numbering.positions_from(*section, Side::Rebels, (place % positions) as usize);
            from.next().expect("a place has a position")
        };
        let compare =
            |tally: &mut Tally, position: &Position| self.compare(tally, position, |next| self.value_of_general(next));
        let tally = for_each(positions, |numbers| numbers.map(draw), compare, report, stop)?;
        let Tally { mismatches, examples, .. } = tally;
        Ok(Verified { positions, mismatches, examples, agrees_with_header: true, ..Verified::default() })
    }

    /// The value of a position with the General to move, over or not.
    #[inline(always)]
    fn value_of_general(&self, position: &Position) -> Result<TableValue, TableError> {
        match self.variant().rules().outcome::<Every>(position, None) {
            Some(outcome) => Ok(TableValue::of_outcome(outcome, Side::General)),
            None => self.best_of_general(position),
        }
    }

    /// Compares a position with the Rebels to move with its successors; `after` gives the values of these.
    #[inline(always)]
    fn compare(
        &self,
        tally: &mut Tally,
        position: &Position,
        after: impl Fn(&Position) -> Result<TableValue, TableError>,
    ) -> Result<(), TableError> {
        let (stored, right) = (self.look_up(position)?, self.best_of_rebels(position, after)?);
        tally.counts.note(right, 1);
        tally.longest = tally.longest.max(right.plies().unwrap_or(0));
        if stored != right {
            tally.mismatches += 1;
            if tally.examples.len() < EXAMPLES {
                let position = Game::new(self.variant(), *position, 0, 0).to_string();
                tally.examples.push(Mismatch { position, stored, right });
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn best_of_rebels(
        &self,
        position: &Position,
        after: impl Fn(&Position) -> Result<TableValue, TableError>,
    ) -> Result<TableValue, TableError> {
        let rules = self.variant().rules();
        if let Some(outcome) = rules.goal_after_general(position) {
            return Ok(TableValue::of_outcome(outcome, Side::Rebels));
        }
        let (mut best, mut failure) = (i16::MIN, None);
        rules.rebel_bundles(position, |from, targets| {
            for to in targets {
                let (next, goal) = rules.play_rebel_step(position, from, to);
                match if goal == Some(Outcome::Custodial) { Ok(TableValue::Loss(0)) } else { after(&next) } {
                    Ok(value) => best = best.max(value.before().rank()),
                    Err(error) => failure = Some(error),
                }
            }
        });
        let stuck = Outcome::NoMove(rules.winner_if_stuck(Side::Rebels));
        match failure {
            Some(error) => Err(error),
            None if best == i16::MIN => Ok(TableValue::of_outcome(stuck, Side::Rebels)),
            None => Ok(TableValue::of_rank(best)),
        }
    }
}

/// Runs a task for positions by number, of which `positions` gives some that follow one another, in parallel. `report`
/// gets how many more are done.
fn for_each<P: Iterator<Item = Position>>(
    count: u64,
    positions: impl Fn(Range<u64>) -> P + Sync,
    task: impl Fn(&mut Tally, &Position) -> Result<(), TableError> + Sync,
    report: &mut impl FnMut(u64),
    stop: &Stop,
) -> Result<Tally, TableError> {
    let mut all = Tally::default();
    for first in (0..count).step_by(PART as usize) {
        let last = (first + PART).min(count);
        let tallies = try_map((first..last).step_by(TASK as usize), |first| {
            let mut tally = Tally::default();
            if stop.is_set() {
                return Err(TableError::Interrupted);
            }
            for position in positions(first..(first + TASK).min(last)) {
                task(&mut tally, &position)?;
            }
            Ok(tally)
        })?;
        tallies.into_iter().for_each(|tally| all.add(tally, 1));
        report(last - first);
    }
    Ok(all)
}
