//! The linear terms of the evaluation: the features of a position, their parameters, and the logistic regression that
//! finds these.
//!
//! A weight of the evaluation is the sum of several parameters, so that the shared ones are learned from more
//! positions: a table by number of Rebels is a straight line plus deviations; a Rebel's point has a weight for every
//! General, plus a deviation for each point of the General. Mirror images share all parameters.

use std::sync::Arc;

use privy_rules::board::{MAX_POINTS, Point, PointSet};
use privy_rules::{Position, Variant};
use privy_search::eval::{Patterns, SideWeights, TABLES, TERMS, Terms};

use super::descent::{DECAY, Descent, loss, probability};
use super::games::LabelledPosition;
use super::network::NetworkExample;

/// Number of linear terms, beside points and tables.
const COUNTS: usize = TABLES.len() + TERMS.len();

/// Features of a position: of one of two mirror images.
#[derive(Clone, Copy)]
pub(super) struct LinearExample {
    rebels: PointSet,
    /// Index of the General's point.
    general: usize,
    /// Number of Rebels, mobility, freedom.
    tables: [u8; 3],
    /// Linear terms, scaled to a similar size.
    counts: [f32; COUNTS],
    /// For the General: 1 won, 0 lost, 0.5 drawn.
    pub(super) result: f32,
}

const BIAS: usize = 0;
const COUNT: usize = BIAS + 1;
const TABLE: usize = COUNT + COUNTS;
const GENERAL: usize = TABLE + 3 * MAX_POINTS;
const POINT: usize = GENERAL + MAX_POINTS;
const OWN_POINT: usize = POINT + MAX_POINTS;
pub(super) const PARAMETERS: usize = OWN_POINT + MAX_POINTS * MAX_POINTS;
/// Divisors of the counts: material, mobility, freedom, ring, tempo, threats, weak points, custody, apex visited, free
/// jumps.
const SIZES: [f64; COUNTS] = [4.0, 3.0, 6.0, 6.0, 8.0, 1.0, 2.0, 1.0, 1.0, 1.0];
/// Priors towards zero, in positions' worth of evidence, by the first parameter that has them.
const PRIORS: [(usize, f64); 5] = [(COUNT, 0.1), (TABLE, 2.0), (GENERAL, 2.0), (POINT, 2.0), (OWN_POINT, 6.0)];

/// The parameters of a variant.
pub(super) struct Features {
    variant: Arc<Variant>,
    patterns: Patterns,
    /// By point: the lower one of it and its mirror image.
    lower: [usize; MAX_POINTS],
    /// By point: true if it lies on the axis.
    central: [bool; MAX_POINTS],
    ground: PointSet,
}

impl Features {
    pub(super) fn new(variant: &Arc<Variant>) -> Features {
        let image = |index: usize| variant.image(Point::new(index)).index();
        Features {
            variant: Arc::clone(variant),
            patterns: Patterns::of(variant.board(), variant.rules()),
            lower: std::array::from_fn(|index| index.min(image(index))),
            central: std::array::from_fn(|index| image(index) == index),
            ground: variant.rules().ground,
        }
    }

    pub(super) fn example(&self, position: &LabelledPosition) -> LinearExample {
        let mirrored = self.variant.mirror(&position.state);
        let state: &Position = if mirrored.general() < position.state.general() { &mirrored } else { &position.state };
        let terms = Terms::of(self.variant.rules(), &self.patterns, state);
        let counts = terms.tables.into_iter().map(f64::from).chain(terms.counts.into_iter().map(f64::from));
        let scaled: Vec<f32> = counts.zip(SIZES).map(|(count, size)| (count / size) as f32).collect();
        LinearExample {
            rebels: state.rebels(),
            general: state.general().index(),
            tables: terms.tables.map(|count| count as u8),
            counts: std::array::from_fn(|at| scaled[at]),
            result: position.result as f32,
        }
    }

    /// The example for the network, with the logit of the terms.
    pub(super) fn network_example(&self, example: &LinearExample, parameters: &[f64]) -> NetworkExample {
        let [.., apex, jumps] = example.counts;
        NetworkExample {
            rebels: example.rebels,
            general: Point::new(example.general),
            flags: [apex as u8, jumps as u8],
            terms: self.sum(example, parameters) as f32,
            result: example.result,
        }
    }

    /// The shared and the own parameter of a Rebel's point.
    fn point_parameters(&self, general: usize, point: usize) -> [usize; 2] {
        let lower = self.lower[point];
        [POINT + lower, OWN_POINT + general * MAX_POINTS + if self.central[general] { lower } else { point }]
    }

    /// Calls `each` with every parameter of an example and its factor.
    #[inline(always)]
    pub(super) fn for_each(&self, example: &LinearExample, mut each: impl FnMut(usize, f64)) {
        each(BIAS, 1.0);
        for (at, count) in example.counts.iter().enumerate() {
            each(COUNT + at, f64::from(*count));
        }
        for (table, count) in example.tables.iter().enumerate() {
            each(TABLE + table * MAX_POINTS + usize::from(*count), 1.0);
        }
        each(GENERAL + example.general, 1.0);
        for point in example.rebels {
            for parameter in self.point_parameters(example.general, point.index()) {
                each(parameter, 1.0);
            }
        }
    }

    /// The logit of a position.
    pub(super) fn sum(&self, example: &LinearExample, parameters: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.for_each(example, |at, share| sum += parameters[at] * share);
        sum
    }

    pub(super) fn priors(&self) -> Vec<f64> {
        let prior = |at: usize| PRIORS.iter().rev().find(|(first, _)| at >= *first).map_or(0.0, |(_, prior)| *prior);
        (0..PARAMETERS).map(prior).collect()
    }

    /// The weights of parameters, `scale` hundredths to a logit.
    pub(super) fn weights(&self, parameters: &[f64], scale: f64) -> SideWeights {
        let at = |index: usize| parameters[index];
        let rounded = |value: f64| (value * scale).round() as i32;
        let slope = |count: usize| at(COUNT + count) / SIZES[count];
        let board = self.variant.board();
        let degree = board.all().into_iter().map(|point| board.neighbours(point).len() as usize).max().unwrap_or(0);
        let most = [self.variant.opening().rebels_left() as usize, degree, board.len() - 1];
        let table = |number: usize| -> [i32; MAX_POINTS] {
            let bias = if number == 0 { at(BIAS) } else { 0.0 };
            let value = |count: usize| bias + slope(number) * count as f64 + at(TABLE + number * MAX_POINTS + count);
            std::array::from_fn(|count| if count <= most[number] { rounded(value(count)) } else { 0 })
        };
        let mut weights = SideWeights {
            tables: std::array::from_fn(table),
            terms: std::array::from_fn(|term| rounded(slope(TABLES.len() + term))),
            ..SideWeights::none()
        };
        for general in board.all() {
            let general = general.index();
            weights.general[general] = rounded(at(GENERAL + self.lower[general]));
            for point in self.ground.without(Point::new(general)) {
                // A General on the far side sees the mirror image.
                let seen = if self.lower[general] == general { point } else { self.variant.image(point) };
                let parameters = self.point_parameters(self.lower[general], seen.index());
                weights.rebels[general][point.index()] = rounded(parameters.into_iter().map(at).sum());
            }
        }
        weights
    }
}

/// The regression of results of positions with one side to move.
pub(super) struct Regression<'a> {
    features: &'a Features,
    parameters: Vec<f64>,
    gradient: Vec<f64>,
    /// Running means of the gradient and of its square.
    means: Vec<[f64; 2]>,
    priors: Vec<f64>,
    positions: f64,
    steps: i32,
}

impl Regression<'_> {
    pub(super) fn new(features: &Features, positions: usize) -> Regression<'_> {
        Regression {
            features,
            parameters: vec![0.0; PARAMETERS],
            gradient: vec![0.0; PARAMETERS],
            means: vec![[0.0; 2]; PARAMETERS],
            priors: features.priors(),
            positions: positions.max(1) as f64,
            steps: 0,
        }
    }
}

impl Descent for Regression<'_> {
    type Example = LinearExample;
    type Parameters = Vec<f64>;

    const FIRST_RATE: f64 = 0.02;
    const LEAST_GAIN: f64 = 0.0;
    const MOST_ROUNDS: u32 = 60;

    fn parameters(&self) -> &Vec<f64> {
        &self.parameters
    }

    fn loss(&self, example: &LinearExample) -> f64 {
        loss(self.features.sum(example, &self.parameters), f64::from(example.result))
    }

    fn step(&mut self, batch: &[&LinearExample], rate: f64) {
        for example in batch {
            let error = probability(self.features.sum(example, &self.parameters)) - f64::from(example.result);
            self.features.for_each(example, |at, share| self.gradient[at] += error * share);
        }
        self.steps += 1;
        let [first, second] = DECAY;
        let (unbiased_first, unbiased_second) = (1.0 - first.powi(self.steps), 1.0 - second.powi(self.steps));
        let all = self.parameters.iter_mut().zip(&mut self.gradient).zip(&mut self.means).zip(&self.priors);
        for (((parameter, slope), [mean, square]), prior) in all {
            let gradient = *slope / batch.len().max(1) as f64 + *parameter * prior / self.positions;
            *slope = 0.0;
            *mean = first * *mean + (1.0 - first) * gradient;
            *square = second * *square + (1.0 - second) * gradient * gradient;
            *parameter -= rate * (*mean / unbiased_first) / ((*square / unbiased_second).sqrt() + 1e-8);
        }
    }
}
