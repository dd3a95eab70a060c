//! Logistic regression: the parameters that make the results of positions likeliest.
//!
//! Stochastic gradient descent with steps of a size of its own for each parameter ("Adam", D. Kingma and J. Ba, 2014), in
//! rounds through all positions (`descent`).

use std::sync::atomic::AtomicBool;

use super::descent::{Descent, Rounds};
use super::logistic::{chance, surprise};
use super::parameters::{Example, Layout, PARAMETERS};

/// The size of the first steps, and rounds at most.
const ROUNDS: Rounds = Rounds { first_rate: 0.02, least_gain: 0.0, rounds: 60 };

/// How fast the means of the gradient and of its square forget.
const FORGETS: [f64; 2] = [0.9, 0.999];

/// Fits parameters. Ends early when `stop` is set; what it gives then means nothing.
pub(super) fn fit(
    layout: &Layout,
    training: &[Example],
    held_out: &[Example],
    seed: u64,
    round_ends: &dyn Fn(u32, f64),
    stop: &AtomicBool,
) -> Vec<f64> {
    let mut regression = Regression::new(layout, training.len());
    ROUNDS.descend(&mut regression, training, held_out, seed, round_ends, stop)
}

/// The descent: parameters, their gradient, and the means of it.
struct Regression<'a> {
    layout: &'a Layout,
    parameters: Vec<f64>,
    gradient: Vec<f64>,
    means: Vec<[f64; 2]>,
    priors: Vec<f64>,
    positions: f64,
    steps: i32,
}

impl Regression<'_> {
    fn new(layout: &Layout, positions: usize) -> Regression<'_> {
        Regression {
            layout,
            parameters: vec![0.0; PARAMETERS],
            gradient: vec![0.0; PARAMETERS],
            means: vec![[0.0; 2]; PARAMETERS],
            priors: layout.priors(),
            positions: positions.max(1) as f64,
            steps: 0,
        }
    }
}

impl Descent for Regression<'_> {
    type Example = Example;
    type Parameters = Vec<f64>;

    fn parameters(&self) -> &Vec<f64> {
        &self.parameters
    }

    fn loss(&self, example: &Example) -> f64 {
        surprise(self.layout.sum(example, &self.parameters), f64::from(example.result))
    }

    fn step<'e>(&mut self, batch: impl Iterator<Item = &'e Example>, rate: f64) {
        let mut count = 0.0f64;
        for example in batch {
            let error = chance(self.layout.sum(example, &self.parameters)) - f64::from(example.result);
            let gradient = &mut self.gradient;
            self.layout.for_each(example, |at, share| gradient[at] += error * share);
            count += 1.0;
        }
        self.steps += 1;
        let [first, second] = FORGETS;
        let (fresh_first, fresh_second) = (1.0 - first.powi(self.steps), 1.0 - second.powi(self.steps));
        let all = self.parameters.iter_mut().zip(&mut self.gradient).zip(&mut self.means).zip(&self.priors);
        for (((parameter, slope), means), prior) in all {
            let gradient = *slope / count.max(1.0) + *parameter * prior / self.positions;
            *slope = 0.0;
            let [mean, square] = means;
            *mean = first * *mean + (1.0 - first) * gradient;
            *square = second * *square + (1.0 - second) * gradient * gradient;
            *parameter -= rate * (*mean / fresh_first) / ((*square / fresh_second).sqrt() + 1e-8);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use crate::board::{Point, PointSet};
    use crate::random::Random;
    use crate::rules::{Position, Side, Variant};

    use super::super::training_games::Sample;
    use super::*;

    fn random_state(random: &mut Random) -> Position {
        let general = Point::new(random.below(25) as usize);
        let bits = random.next_number() & random.next_number() & ((1 << 25) - 1);
        Position::new(PointSet(bits).without(general), general, Side::General, false, 0)
    }

    /// A General near the bottom of the board is well off, and so he is without Rebels in the corner a1 or its image.
    fn planted(state: &Position, variant: &Variant) -> f64 {
        let bottom = variant.board().bottom();
        let corners = variant.board().exits().len();
        let low = if bottom.contains(state.general()) { 1.5 } else { -0.5 };
        low - f64::from((state.rebels() & bottom).len()) + 0.4 * f64::from(state.rebels().len() + corners) - 2.0
    }

    #[test]
    fn planted_weights_are_recovered() {
        let variant = Variant::builtin("sixteen-rebels").unwrap();
        let layout = Layout::new(&variant);
        let mut random = Random::new(9);
        let mut examples = |count: usize| -> Vec<Example> {
            let samples = (0..count).map(|_| {
                let state = random_state(&mut random);
                let drawn = random.below(1 << 32) as f64 / (1u64 << 32) as f64;
                let result = f64::from(u8::from(drawn < chance(planted(&state, &variant))));
                layout.example(&Sample { state, result, ply: 0, game: 0 })
            });
            samples.collect()
        };
        let (training, held_out) = (examples(40_000), examples(4_000));
        let stop = AtomicBool::new(false);
        let parameters = fit(&layout, &training, &held_out, 1, &|_, _| {}, &stop);
        assert_eq!(fit(&layout, &training, &held_out, 1, &|_, _| {}, &stop), parameters);
        let weights = layout.weights(&parameters, 1_000.0);
        let bottom = variant.board().bottom();
        let mean = |points: PointSet| {
            let weights = points.into_iter().map(|point| weights.rebels[12][point.index()]);
            f64::from(weights.sum::<i32>()) / f64::from(points.len())
        };
        let general = Point::new(12);
        let difference = mean(variant.rules().field().minus(bottom).without(general)) - mean(bottom.without(general));
        assert!((difference - 1_000.0).abs() < 150.0, "{difference}");
        let [low, high] = [0, 13].map(|index| weights.general[index]);
        // The weights of the Rebels around him tell some of it.
        assert!((1_000..2_500).contains(&(low - high)), "{low} {high}");
    }
}
