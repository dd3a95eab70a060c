//! Rounds of stochastic gradient descent: when they end, how large their steps are, and which parameters are kept.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::random::Random;

/// Positions a step.
const BATCH: usize = 512;

/// So often the size of the steps is halved before the work ends.
const HALVINGS: u32 = 4;

/// What descends.
pub(super) trait Descent {
    /// A position as it sees it.
    type Example;
    /// Its parameters.
    type Parameters: Clone;

    /// The parameters now.
    fn parameters(&self) -> &Self::Parameters;

    /// A step against the gradient of some positions.
    fn step<'e>(&mut self, batch: impl Iterator<Item = &'e Self::Example>, rate: f64)
    where
        Self::Example: 'e;

    /// The loss on a position, in nats.
    fn loss(&self, example: &Self::Example) -> f64;
}

/// How long, and how large the steps are.
pub(super) struct Rounds {
    /// The size of the first steps; it is halved whenever a round brings no gain.
    pub(super) first_rate: f64,
    /// A gain is a loss that falls by more than that.
    pub(super) least_gain: f64,
    /// Rounds at most.
    pub(super) rounds: u32,
}

impl Rounds {
    /// Goes through all positions in a new order each round, until the loss on those held out falls no more: the parameters of
    /// the best round. Ends early when `stop` is set; what it gives then means nothing.
    pub(super) fn descend<D: Descent>(
        &self,
        descent: &mut D,
        training: &[D::Example],
        held_out: &[D::Example],
        seed: u64,
        round_ends: &dyn Fn(u32, f64),
        stop: &AtomicBool,
    ) -> D::Parameters {
        let mean_loss = |descent: &D| {
            let losses = held_out.iter().map(|example| descent.loss(example));
            losses.sum::<f64>() / held_out.len().max(1) as f64
        };
        let mut best = (mean_loss(descent), descent.parameters().clone());
        let mut order: Vec<u32> = (0..training.len() as u32).collect();
        let mut random = Random::new(seed);
        let (mut rate, mut halvings) = (self.first_rate, 0);
        for round in 1..=self.rounds {
            random.shuffle(&mut order);
            for batch in order.chunks(BATCH) {
                descent.step(batch.iter().map(|number| &training[*number as usize]), rate);
            }
            let loss = mean_loss(descent);
            round_ends(round, loss);
            if loss < best.0 - self.least_gain {
                best = (loss, descent.parameters().clone());
            } else {
                rate /= 2.0;
                halvings += 1;
            }
            if halvings > HALVINGS || stop.load(Ordering::Relaxed) {
                break;
            }
        }
        best.1
    }
}
