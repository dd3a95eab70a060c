//! The constants of the search and of a family of weights, fitted to critical positions.
//!
//! Simultaneous perturbation (J. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
//! Gradient Approximation", 1992): each step searches some positions with all constants a little changed, each up or
//! down at random, then with the opposite changes, and moves the constants towards the better ones.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use privy_base::random::Random;
use privy_base::threads::cores;
use privy_program::{CliError, within};
use privy_rules::Variant;
use privy_search::eval::FamilyWeights;
use privy_search::{Limits, Parameters, PreparedVariant, Searcher, Stop};
use toml::{Table, Value};

use super::super::critical::{Critical, HASH_MEBIBYTES, Half, files, of_half};
use super::super::play::check_stop;
use super::super::{Lab, side_by_side};

/// A change of a constant, as a share of it, and the least one: a constant of a few hundredths changes by one.
const CHANGE: f64 = 0.15;
const LEAST_CHANGE: f64 = 0.7;
/// What a step moves a constant by at most, in changes.
const MOST_MOVED: f64 = 0.5;
/// Half the loss is the error at the end of a search, half its share of the time before: from `nodes / EARLIEST` on,
/// every doubling alike.
const EARLIEST: u64 = 16;
/// Steps between two lines.
const REPORTED: u32 = 20;

/// Fit the constants of the search and of a family of weights to the critical positions for tuning
///
/// Prints the constants after every twentieth step. The same seed gives the same constants.
#[derive(Args)]
pub(in super::super) struct SearchFitArguments {
    /// Files that `privy-lab critical` has printed, one of each game, all of one family; those of five games without
    /// any
    files: Vec<PathBuf>,
    /// Steps
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = within(1_u32..=1_000_000))]
    steps: u32,
    /// Positions of a step
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = within(1_usize..=1_000_000))]
    positions: usize,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = within(16_u64..=1_000_000_000))]
    nodes: u64,
    /// How far a constant moves at first for a difference of one error in a hundred, in hundredths of its value
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = within(1_u32..=1_000))]
    rate: u32,
    /// Constants that stay
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    fixed: Vec<String>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(0_u64..=u64::MAX))]
    seed: u64,
}

/// A constant that is fitted; those of value 0 are not.
struct Constant {
    name: String,
    value: f64,
    change: f64,
}

impl SearchFitArguments {
    pub(in super::super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let games =
            files(&self.files)?.iter().map(|file| of_half(file, Half::Tuning)).collect::<Result<Vec<_>, _>>()?;
        let mut positions: Vec<&Critical> = games.iter().flatten().collect();
        let Some(first) = positions.first() else { return Err(CliError::Failed("no critical positions".to_owned())) };
        let mut constants: Vec<Constant> = table(&Parameters::default())
            .into_iter()
            .chain(table(&FamilyWeights::of(first.game.variant())))
            .filter(|(name, _)| !self.fixed.contains(name))
            .filter_map(|(name, value)| Some((name, value.as_integer().filter(|value| *value != 0)? as f64)))
            .map(|(name, value)| Constant { name, value, change: (value.abs() * CHANGE).max(LEAST_CHANGE) })
            .collect();
        let mut random = Random::new(self.seed);
        let mut losses = 0.0;
        for step in 0..self.steps {
            random.shuffle(&mut positions);
            let batch = &positions[..self.positions.min(positions.len())];
            // The usual falling rates.
            let age = 1.0 + 10.0 * f64::from(step) / f64::from(self.steps);
            let (width, rate) = (age.powf(-0.101), f64::from(self.rate) * age.powf(-0.602));
            let signs: Vec<f64> = constants.iter().map(|_| if random.below(2) == 0 { width } else { -width }).collect();
            let opposite: Vec<f64> = signs.iter().map(|sign| -sign).collect();
            let above = self.loss(batch, &changed(&constants, &signs), lab.stop)?;
            let below = self.loss(batch, &changed(&constants, &opposite), lab.stop)?;
            for (constant, sign) in constants.iter_mut().zip(&signs) {
                let moved = rate * (above - below) / (2.0 * sign * CHANGE);
                constant.value -= moved.clamp(-MOST_MOVED, MOST_MOVED) * constant.change;
            }
            losses += (above + below) / 2.0;
            if (step + 1) % REPORTED == 0 || step + 1 == self.steps {
                let mean = losses / f64::from(step % REPORTED + 1);
                let values = changed(&constants, &vec![0.0; constants.len()]);
                writeln!(lab.output, "# {} steps, loss {mean:.5}\n{values}", step + 1)?;
                losses = 0.0;
            }
        }
        Ok(())
    }

    /// The mean loss in some positions.
    fn loss(&self, batch: &[&Critical], constants: &Table, stop: &Stop) -> Result<f64, CliError> {
        let mut prepared: Vec<(Arc<Variant>, Arc<PreparedVariant>)> = Vec::new();
        for Critical { game, .. } in batch {
            let variant = game.variant();
            if prepared.iter().all(|(other, _)| other.id() != variant.id()) {
                let weights = with(FamilyWeights::of(variant), constants).weights(variant);
                let tuned = PreparedVariant::tuned(variant, weights, with(Parameters::default(), constants));
                prepared.push((Arc::clone(variant), Arc::new(tuned)));
            }
        }
        let new = || -> Vec<Searcher> {
            prepared.iter().map(|(_, tuned)| Searcher::prepared_for(Arc::clone(tuned), HASH_MEBIBYTES)).collect()
        };
        let losses = side_by_side(batch.len(), cores(), new, |searchers, number| {
            let id = batch[number].game.variant().id();
            let place = prepared.iter().position(|(variant, _)| variant.id() == id).expect("all are prepared");
            let loss = self.loss_of(batch[number], &mut searchers[place], stop);
            check_stop(stop)?;
            Ok(loss)
        })?;
        Ok(losses.iter().sum::<f64>() / losses.len().max(1) as f64)
    }

    fn loss_of(&self, Critical { game, keeping }: &Critical, searcher: &mut Searcher, stop: &Stop) -> f64 {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let (all, earliest) = (self.nodes as f64, (self.nodes / EARLIEST) as f64);
        let (mut errs, mut from, mut doublings) = (true, earliest, 0.0);
        let found = searcher.search(game, limits, stop, &mut |info| {
            let nodes = (info.nodes as f64).clamp(from, all);
            doublings += if errs { (nodes / from).log2() } else { 0.0 };
            (errs, from) = (info.pv.first().is_none_or(|best| !keeping.contains(best)), nodes);
        });
        doublings += if errs { (all / from).log2() } else { 0.0 };
        let errs = found.is_none_or(|found| !keeping.contains(&found.best));
        (doublings / (all / earliest).log2() + f64::from(u8::from(errs))) / 2.0
    }
}

fn table(constants: &impl serde::Serialize) -> Table {
    Table::try_from(constants).expect("constants are integers")
}

/// Constants with those of the table that they have.
fn with<T: serde::Serialize + serde::de::DeserializeOwned>(constants: T, others: &Table) -> T {
    let mut all = table(&constants);
    for (name, value) in &mut all {
        if let Some(other) = others.get(name) {
            *value = other.clone();
        }
    }
    all.try_into().expect("the same names, and integers")
}

/// The constants after some changes of each.
fn changed(constants: &[Constant], changes: &[f64]) -> Table {
    let value = |(constant, change): (&Constant, &f64)| {
        let value = (constant.value + change * constant.change).round() as i64;
        (constant.name.clone(), Value::from(value))
    };
    constants.iter().zip(changes).map(value).collect()
}
