//! NetworkTraining of the network of the evaluation, which learns what the weighted terms leave unexplained.
//!
//! It has the loss of the regression, to whose logit the output of the network is added. Every point of the General has
//! a separate layer. With the General on the axis of a mirrored board, half of the units see the position and half,
//! with the same weights, its mirror image.

use privy_base::best_instructions;
use privy_base::random::Random;
use privy_rules::Variant;
use privy_rules::board::{MAX_POINTS, Point, PointSet};
use privy_search::eval::{FLAGS, Network, ONE, UNITS, generals};

use super::descent::{DECAY, Descent, loss, probability};

/// Bounds of the weights: of the hidden layer as saved, so that no sum overflows, and of all weights in training.
const LARGEST_HIDDEN: f32 = 2.0;
const LARGEST: f32 = 20.0;

/// A training position.
#[derive(Clone, Copy)]
pub(super) struct NetworkExample {
    pub(super) rebels: PointSet,
    /// The General's point, one that has a layer.
    pub(super) general: Point,
    /// Apex visited, free jumps.
    pub(super) flags: [u8; FLAGS],
    /// The logit of the weighted terms.
    pub(super) terms: f32,
    /// For the General: 1 won, 0 lost.
    pub(super) result: f32,
}

type TrainedRow = [f32; UNITS];

/// Rows of a layer: biases, output weights, flags, then a row for each point of the board.
const BIAS: usize = 0;
const OUTPUT: usize = 1;
const REBELS: usize = 2 + FLAGS;

pub(super) struct NetworkTraining<'a> {
    variant: &'a Variant,
    /// By point: its row among the points, and the first row of the layer of a General on it.
    row: [usize; MAX_POINTS],
    first_row: [usize; MAX_POINTS],
    rows: Vec<TrainedRow>,
    gradient: Vec<TrainedRow>,
    /// Running means of the gradient and of its square.
    means: Vec<[TrainedRow; 2]>,
    steps: i32,
}

impl<'a> NetworkTraining<'a> {
    pub(super) fn new(variant: &'a Variant, seed: u64) -> NetworkTraining<'a> {
        let (mut row, mut first_row) = ([0; MAX_POINTS], [0; MAX_POINTS]);
        let points = variant.board().all();
        points.into_iter().enumerate().for_each(|(at, point)| row[point.index()] = at);
        let per_general = REBELS + points.len() as usize;
        let mut count = 0;
        for general in generals(variant) {
            first_row[general.index()] = count;
            count += per_general;
        }
        // All layers begin alike, so that their units have the same meaning.
        let mut random = Random::new(!seed);
        let mut around = |size: f32| (random.below(2_001) as f32 / 1_000.0 - 1.0) * size;
        let layer: Vec<TrainedRow> = (0..per_general)
            .map(|row| {
                std::array::from_fn(|unit| match row {
                    BIAS => 0.3,
                    OUTPUT if unit % 2 == 0 => 0.2,
                    OUTPUT => -0.2,
                    _ => around(0.15),
                })
            })
            .collect();
        let rows: Vec<TrainedRow> = layer.iter().cycle().take(count).copied().collect();
        let zero = [0.0; UNITS];
        let (gradient, means) = (vec![zero; count], vec![[zero; 2]; count]);
        NetworkTraining { variant, row, first_row, rows, gradient, means, steps: 0 }
    }

    /// The images that the layer sees, their number, and the number of units that see each.
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

    /// Calls `each` with every row of a layer that a position activates, and its factor.
    #[inline(always)]
    fn for_each_row(
        row: &[usize; MAX_POINTS],
        first: usize,
        rebels: PointSet,
        flags: [u8; FLAGS],
        mut each: impl FnMut(usize, f32),
    ) {
        each(first + BIAS, 1.0);
        rebels.into_iter().for_each(|rebel| each(first + REBELS + row[rebel.index()], 1.0));
        for (flag, value) in flags.into_iter().enumerate().filter(|(_, value)| *value > 0) {
            each(first + 2 + flag, f32::from(value));
        }
    }

    #[inline(always)]
    fn hidden(&self, first: usize, rebels: PointSet, flags: [u8; FLAGS]) -> TrainedRow {
        let mut sum = [0.0; UNITS];
        Self::for_each_row(&self.row, first, rebels, flags, |row, factor| {
            sum.iter_mut().zip(&self.rows[row]).for_each(|(sum, weight)| *sum += weight * factor);
        });
        sum
    }

    #[inline(always)]
    fn output(&self, first: usize, hidden: &TrainedRow, units: usize) -> f32 {
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

    #[inline(always)]
    fn add_gradient(&mut self, example: &NetworkExample) {
        let first = self.first_row[example.general.index()];
        let (images, seen, units) = self.images(example);
        let hidden = images.map(|rebels| self.hidden(first, rebels, example.flags));
        let sum: f32 = hidden[..seen].iter().map(|hidden| self.output(first, hidden, units)).sum();
        let error = (probability(f64::from(example.terms + sum)) - f64::from(example.result)) as f32;
        for (rebels, hidden) in images[..seen].iter().zip(&hidden) {
            let output = self.rows[first + OUTPUT];
            let mut slope = [0.0; UNITS];
            for unit in 0..units {
                let size = hidden[unit].clamp(0.0, 1.0);
                self.gradient[first + OUTPUT][unit] += error * size * size;
                let is_open = hidden[unit] > 0.0 && hidden[unit] < 1.0;
                slope[unit] = if is_open { 2.0 * size * error * output[unit] } else { 0.0 };
            }
            Self::for_each_row(&self.row, first, *rebels, example.flags, |row, factor| {
                self.gradient[row].iter_mut().zip(&slope).for_each(|(sum, slope)| *sum += slope * factor);
            });
        }
    }

    /// A step of Adam.
    #[inline(always)]
    fn descend(&mut self, count: f32, rate: f32) {
        self.steps += 1;
        let [first, second] = DECAY.map(|decay| decay as f32);
        let (unbiased_first, unbiased_second) = (1.0 - first.powi(self.steps), 1.0 - second.powi(self.steps));
        for ((row, gradient), [means, squares]) in self.rows.iter_mut().zip(&mut self.gradient).zip(&mut self.means) {
            for unit in 0..UNITS {
                let slope = gradient[unit] / count;
                means[unit] = first * means[unit] + (1.0 - first) * slope;
                squares[unit] = second * squares[unit] + (1.0 - second) * slope * slope;
                row[unit] -= rate * (means[unit] / unbiased_first) / ((squares[unit] / unbiased_second).sqrt() + 1e-8);
                row[unit] = row[unit].clamp(-LARGEST, LARGEST);
            }
            *gradient = [0.0; UNITS];
        }
    }

    /// The network of trained rows in integers, `scale` hundredths to a logit.
    pub(super) fn network(&self, rows: &[TrainedRow], scale: f64) -> Network {
        let per_general = REBELS + self.variant.board().len();
        let rounded = |(at, row): (usize, &TrainedRow)| -> [i16; UNITS] {
            let is_output = at % per_general == OUTPUT;
            let (most, factor) = if is_output { (LARGEST, scale) } else { (LARGEST_HIDDEN, f64::from(ONE)) };
            row.map(|weight| (f64::from(weight.clamp(-most, most)) * factor).round() as i16)
        };
        Network::from_rows(self.variant, &rows.iter().enumerate().map(rounded).collect::<Vec<_>>())
    }
}

impl Descent for NetworkTraining<'_> {
    type Example = NetworkExample;
    type Parameters = Vec<TrainedRow>;

    const FIRST_RATE: f64 = 0.003;
    const LEAST_GAIN: f64 = 1e-5;
    const MOST_ROUNDS: u32 = 40;

    fn parameters(&self) -> &Vec<TrainedRow> {
        &self.rows
    }

    fn loss(&self, example: &NetworkExample) -> f64 {
        loss(f64::from(logit(self, example)), f64::from(example.result))
    }

    fn step(&mut self, batch: &[&NetworkExample], rate: f64) {
        step(self, batch, rate as f32);
    }
}

best_instructions! {
    /// The logit of the terms and the network together.
    fn logit(training: &NetworkTraining<'_>, example: &NetworkExample) -> f32 {
        training.logit(example)
    }
}

best_instructions! {
    fn step(training: &mut NetworkTraining<'_>, batch: &[&NetworkExample], rate: f32) {
        for example in batch {
            training.add_gradient(example);
        }
        training.descend(batch.len().max(1) as f32, rate);
    }
}
