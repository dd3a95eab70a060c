//! Training of the network of the evaluation: it learns what the weighted terms leave unexplained.
//!
//! Stochastic gradient descent with Adam (D. Kingma and J. Ba, 2014) on the same loss as the regression, to whose result the output
//! of the network is added. Every point of the General has a layer of its own. With a General on the axis of a board with a
//! mirror half of the units see the position and the other half, with the same weights, its mirror image.

use std::sync::atomic::AtomicBool;

use crate::board::{MAX_POINTS, Point, PointSet};
use crate::cpu::best_instructions;
use crate::eval::{FLAGS, Network, ONE, UNITS, generals};
use crate::random::Random;
use crate::rules::Variant;

use super::descent::{Descent, Rounds};
use super::logistic::{chance, surprise};

/// The size of the first steps, the gain below which it is halved, and rounds at most.
const ROUNDS: Rounds = Rounds { first_rate: 0.003, least_gain: 1e-5, rounds: 40 };

/// How fast the means of the gradient and of its square forget.
const FORGETS: [f32; 2] = [0.9, 0.999];

/// A weight of the hidden layer is kept as at most that, so that no sum overflows; one of the output is never more than the other.
const LARGEST: f32 = 2.0;
const LARGEST_OUTPUT: f32 = 20.0;

/// A position as the training sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct NetworkExample {
    /// Where the Rebels stand.
    pub(super) rebels: PointSet,
    /// The General's point: one that has a layer.
    pub(super) general: Point,
    /// The flags: apex visited, free jumps.
    pub(super) flags: [u8; FLAGS],
    /// What the terms say, in logits.
    pub(super) terms: f32,
    /// For the General: 1 won, 0 lost.
    pub(super) result: f32,
}

type Row = [f32; UNITS];

/// Where the rows of a point of the General begin, and what they are.
const BIAS: usize = 0;
const OUTPUT: usize = 1;
const REBELS: usize = 2 + FLAGS;

struct Training<'a> {
    variant: &'a Variant,
    /// By point: its place among those of the board, and the first row of the General on it.
    place: [usize; MAX_POINTS],
    first_row: [usize; MAX_POINTS],
    rows: Vec<Row>,
    gradient: Vec<Row>,
    means: Vec<[Row; 2]>,
    steps: i32,
}

/// Trains a network for one side to move, `scale` hundredths to a unit of the logarithm of the odds. Ends early when `stop` is set.
pub(super) fn train(
    variant: &Variant,
    training: &[NetworkExample],
    held_out: &[NetworkExample],
    scale: f64,
    seed: u64,
    round_ends: &dyn Fn(u32, f64),
    stop: &AtomicBool,
) -> Network {
    let mut work = Training::new(variant, seed);
    work.rows = ROUNDS.descend(&mut work, training, held_out, seed, round_ends, stop);
    work.network(scale)
}

impl<'a> Training<'a> {
    fn new(variant: &'a Variant, seed: u64) -> Training<'a> {
        let (mut place, mut first_row) = ([0; MAX_POINTS], [0; MAX_POINTS]);
        let points = variant.board().all();
        points.into_iter().enumerate().for_each(|(at, point)| place[point.index()] = at);
        let per_general = REBELS + points.len() as usize;
        let mut count = 0;
        for general in generals(variant) {
            first_row[general.index()] = count;
            count += per_general;
        }
        // All layers begin alike, so that their units mean the same.
        let mut random = Random::new(!seed);
        let mut around = |size: f32| (random.below(2_001) as f32 / 1_000.0 - 1.0) * size;
        let layer: Vec<Row> = (0..per_general)
            .map(|row| {
                std::array::from_fn(|unit| match row {
                    BIAS => 0.3,
                    OUTPUT => {
                        if unit % 2 == 0 {
                            0.2
                        } else {
                            -0.2
                        }
                    }
                    _ => around(0.15),
                })
            })
            .collect();
        let rows: Vec<Row> = layer.iter().cycle().take(count).copied().collect();
        let zero = [0.0; UNITS];
        Training {
            variant,
            place,
            first_row,
            gradient: vec![zero; count],
            means: vec![[zero; 2]; count],
            rows,
            steps: 0,
        }
    }

    /// The images of the position that the layer sees, and how many units see each.
    #[inline(always)]
    fn images(&self, example: &NetworkExample) -> ([PointSet; 2], usize, usize) {
        let image = if self.variant.image(example.general) == example.general && self.variant.is_mirrored() {
            self.variant.board().mirror().map(|mirror| mirror.set(example.rebels))
        } else {
            None
        };
        match image {
            Some(image) => ([example.rebels, image], 2, UNITS / 2),
            None => ([example.rebels; 2], 1, UNITS),
        }
    }

    /// Sums of the hidden units.
    #[inline(always)]
    fn hidden(&self, first: usize, rebels: PointSet, flags: [u8; FLAGS]) -> Row {
        let mut sum = self.rows[first + BIAS];
        for rebel in rebels {
            let row = &self.rows[first + REBELS + self.place[rebel.index()]];
            sum.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        for (flag, value) in flags.into_iter().enumerate().filter(|(_, value)| *value > 0) {
            let row = &self.rows[first + 2 + flag];
            sum.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight * f32::from(value));
        }
        sum
    }

    #[inline(always)]
    fn output(&self, first: usize, hidden: &Row, units: usize) -> f32 {
        let weights = &self.rows[first + OUTPUT];
        (0..units).map(|unit| hidden[unit].clamp(0.0, 1.0).powi(2) * weights[unit]).sum()
    }

    #[inline(always)]
    fn logit(&self, example: &NetworkExample) -> f32 {
        let first = self.first_row[example.general.index()];
        let (images, count, units) = self.images(example);
        let outputs =
            images[..count].iter().map(|rebels| self.output(first, &self.hidden(first, *rebels, example.flags), units));
        example.terms + outputs.sum::<f32>()
    }

    /// Adds the gradient of the loss on a position.
    #[inline(always)]
    fn add_gradient(&mut self, example: &NetworkExample) {
        let first = self.first_row[example.general.index()];
        let (images, seen, units) = self.images(example);
        let hidden = images.map(|rebels| self.hidden(first, rebels, example.flags));
        let sum: f32 = hidden[..seen].iter().map(|hidden| self.output(first, hidden, units)).sum();
        let error = (chance(f64::from(example.terms + sum)) - f64::from(example.result)) as f32;
        for (rebels, hidden) in images[..seen].iter().zip(&hidden) {
            let output = self.rows[first + OUTPUT];
            let mut slope = [0.0; UNITS];
            for unit in 0..units {
                let size = hidden[unit].clamp(0.0, 1.0);
                self.gradient[first + OUTPUT][unit] += error * size * size;
                let is_open = hidden[unit] > 0.0 && hidden[unit] < 1.0;
                slope[unit] = if is_open { 2.0 * size * error * output[unit] } else { 0.0 };
            }
            let mut add = |row: usize, share: f32| {
                self.gradient[row].iter_mut().zip(&slope).for_each(|(sum, slope)| *sum += slope * share);
            };
            add(first + BIAS, 1.0);
            for (flag, value) in example.flags.into_iter().enumerate().filter(|(_, value)| *value > 0) {
                add(first + 2 + flag, f32::from(value));
            }
            for rebel in *rebels {
                add(first + REBELS + self.place[rebel.index()], 1.0);
            }
        }
    }

    /// A step of Adam.
    #[inline(always)]
    fn descend(&mut self, count: f32, rate: f32) {
        self.steps += 1;
        let [first, second] = FORGETS;
        let (fresh_first, fresh_second) = (1.0 - first.powi(self.steps), 1.0 - second.powi(self.steps));
        for ((row, gradient), [means, squares]) in self.rows.iter_mut().zip(&mut self.gradient).zip(&mut self.means) {
            for unit in 0..UNITS {
                let slope = gradient[unit] / count;
                means[unit] = first * means[unit] + (1.0 - first) * slope;
                squares[unit] = second * squares[unit] + (1.0 - second) * slope * slope;
                row[unit] -= rate * (means[unit] / fresh_first) / ((squares[unit] / fresh_second).sqrt() + 1e-8);
                row[unit] = row[unit].clamp(-LARGEST_OUTPUT, LARGEST_OUTPUT);
            }
            *gradient = [0.0; UNITS];
        }
    }

    /// The network in whole numbers.
    fn network(&self, scale: f64) -> Network {
        let per_general = REBELS + self.variant.board().len();
        let whole = |(at, row): (usize, &Row)| -> [i16; UNITS] {
            let is_output = at % per_general == OUTPUT;
            let (most, factor) = if is_output { (LARGEST_OUTPUT, scale) } else { (LARGEST, f64::from(ONE)) };
            row.map(|weight| (f64::from(weight.clamp(-most, most)) * factor).round() as i16)
        };
        Network::from_rows(self.variant, &self.rows.iter().enumerate().map(whole).collect::<Vec<_>>())
    }
}

impl Descent for Training<'_> {
    type Example = NetworkExample;
    type Parameters = Vec<Row>;

    fn parameters(&self) -> &Vec<Row> {
        &self.rows
    }

    fn loss(&self, example: &NetworkExample) -> f64 {
        surprise(f64::from(logit(self, example)), f64::from(example.result))
    }

    fn step<'e>(&mut self, batch: impl Iterator<Item = &'e NetworkExample>, rate: f64) {
        let batch: Vec<&NetworkExample> = batch.collect();
        step(self, &batch, rate as f32);
    }
}

best_instructions! {
    /// What the network says of a position, in logits, with the terms.
    fn logit(training: &Training<'_>, example: &NetworkExample) -> f32 {
        training.logit(example)
    }
}

best_instructions! {
    /// A step against the gradient of some positions.
    fn step(training: &mut Training<'_>, batch: &[&NetworkExample], rate: f32) {
        for example in batch {
            training.add_gradient(example);
        }
        training.descend(batch.len().max(1) as f32, rate);
    }
}
