//! Stochastic gradient descent on the cross entropy of results, which trains the linear terms and the network.
//!
//! Each round goes through all positions, with a step size for each parameter (Adam, D. Kingma and J. Ba, 2014).
use privy_protocol::Stop;

use privy_base::random::Random;

/// Positions in a step.
const BATCH: usize = 512;
/// Rounds without gain, each of which halves the step size, before the last one.
const HALVINGS: u32 = 4;
/// Decay of the running means of the gradient and of its square.
pub(super) const DECAY: [f64; 2] = [0.9, 0.999];

/// The probability of a logit.
#[must_use]
pub(crate) fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The cross entropy of a result and a logit, in nats, minus that of a draw with itself: a perfect prediction has loss
/// 0.
#[must_use]
pub(crate) fn loss(logit: f64, result: f64) -> f64 {
    let least = if result == 0.5 { std::f64::consts::LN_2 } else { 0.0 };
    // ln(1 + exp(logit)) - result * logit, written so that nothing overflows.
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - result * logit - least
}

/// Offset and slope of a logistic regression on one number, by Newton's method. A sample is the number, the result from
/// 0 to 1 and its weight. A weak prior keeps both finite where one side wins every game; the slope is at least
/// `least_slope`.
#[must_use]
pub(crate) fn fit_line(samples: &[[f64; 3]], least_slope: f64) -> (f64, f64) {
    const PRIOR: f64 = 0.5;
    let (mut offset, mut slope) = (0.0f64, 0.3f64);
    for _ in 0..100 {
        let (mut g0, mut g1, mut h00, mut h01, mut h11) = (-PRIOR * offset, -PRIOR * slope, PRIOR, 0.0, PRIOR);
        for [x, result, weight] in samples {
            let p = probability(offset + slope * x);
            let (error, curve) = (weight * (result - p), weight * p * (1.0 - p));
            g0 += error;
            g1 += error * x;
            h00 += curve;
            h01 += curve * x;
            h11 += curve * x * x;
        }
        let determinant = h00 * h11 - h01 * h01;
        let steeper = (slope + ((h00 * g1 - h01 * g0) / determinant).clamp(-0.2, 0.2)).max(least_slope);
        // At the least slope the offset is fitted alone: a joint step would oscillate.
        let step = if steeper > least_slope { (h11 * g0 - h01 * g1) / determinant } else { g0 / h00 };
        offset += step.clamp(-1.0, 1.0);
        slope = steeper;
    }
    (offset, slope)
}

/// A model trained by stochastic gradient descent.
pub(super) trait Descent {
    type Example;
    type Parameters: Clone;

    /// The size of the first steps; a round without gain halves it.
    const FIRST_RATE: f64;
    /// The loss must fall by more than this to count as a gain, in nats.
    const LEAST_GAIN: f64;
    const MOST_ROUNDS: u32;

    fn parameters(&self) -> &Self::Parameters;

    /// A step against the mean gradient of a batch.
    fn step(&mut self, batch: &[&Self::Example], rate: f64);

    /// The loss on a position, in nats.
    fn loss(&self, example: &Self::Example) -> f64;

    /// Shuffles and goes through all positions each round until the loss on those held out no longer falls; returns the
    /// parameters of the best round. Ends early when `stop` is set; the parameters are meaningless then.
    fn train(
        &mut self,
        training: &[Self::Example],
        held_out: &[Self::Example],
        seed: u64,
        round_ends: &dyn Fn(u32, f64),
        stop: &Stop,
    ) -> Self::Parameters {
        let mean_loss = |model: &Self| {
            let losses = held_out.iter().map(|example| model.loss(example));
            losses.sum::<f64>() / held_out.len().max(1) as f64
        };
        let mut best = (mean_loss(self), self.parameters().clone());
        let mut order: Vec<&Self::Example> = training.iter().collect();
        let mut random = Random::new(seed);
        let (mut rate, mut halvings) = (Self::FIRST_RATE, 0);
        for round in 1..=Self::MOST_ROUNDS {
            random.shuffle(&mut order);
            for batch in order.chunks(BATCH).take_while(|_| !stop.is_set()) {
                self.step(batch, rate);
            }
            let loss = mean_loss(self);
            round_ends(round, loss);
            if loss < best.0 - Self::LEAST_GAIN {
                best = (loss, self.parameters().clone());
            } else {
                rate /= 2.0;
                halvings += 1;
            }
            if halvings > HALVINGS || stop.is_set() {
                break;
            }
        }
        best.1
    }
}
