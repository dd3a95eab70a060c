//! Logistic regression of results of positions: the linear terms of the evaluation.

use super::descent::{DECAY, Descent, loss, probability};
use super::parameters::{Example, Layout, PARAMETERS};

pub(super) struct Regression<'a> {
    layout: &'a Layout,
    parameters: Vec<f64>,
    gradient: Vec<f64>,
    /// Running means of the gradient and of its square.
    means: Vec<[f64; 2]>,
    priors: Vec<f64>,
    positions: f64,
    steps: i32,
}

impl Regression<'_> {
    pub(super) fn new(layout: &Layout, positions: usize) -> Regression<'_> {
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

    const FIRST_RATE: f64 = 0.02;
    const LEAST_GAIN: f64 = 0.0;
    const MOST_ROUNDS: u32 = 60;

    fn parameters(&self) -> &Vec<f64> {
        &self.parameters
    }

    fn loss(&self, example: &Example) -> f64 {
        loss(self.layout.sum(example, &self.parameters), f64::from(example.result))
    }

    fn step(&mut self, batch: &[&Example], rate: f64) {
        for example in batch {
            let error = probability(self.layout.sum(example, &self.parameters)) - f64::from(example.result);
            self.layout.for_each(example, |at, share| self.gradient[at] += error * share);
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

#[cfg(test)]
mod tests {
    use privy_protocol::Stop;

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

    /// A General near the bottom of the board is well off, and so it is without Rebels in the corner a1 or its image.
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
                let result = f64::from(u8::from(drawn < probability(planted(&state, &variant))));
                layout.example(&Sample { state, result, ply: 0, game: 0 })
            });
            samples.collect()
        };
        let (training, held_out) = (examples(40_000), examples(4_000));
        let stop = Stop::default();
        let fit = || Regression::new(&layout, training.len()).train(&training, &held_out, 1, &|_, _| {}, &stop);
        let parameters = fit();
        assert_eq!(fit(), parameters);
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
        // The weights of the Rebels around it explain a part.
        assert!((1_000..2_500).contains(&(low - high)), "{low} {high}");
    }
}
