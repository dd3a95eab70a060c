//! Metrics: how well an evaluation tells results.

use crate::eval::{Evaluation, SCALE};
use crate::rules::family::for_family;
use crate::rules::{Family, Position, Side, Variant};

use super::logistic::{fit_line, surprise};
use super::training_games::Sample;

/// An evaluation tells something, if little.
const LEAST_SLOPE: f64 = 0.001;

/// How well an evaluation tells results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// The mean loss in nats; 0.693 is that of a guess.
    pub loss: f64,
    /// The share of won and lost positions of which it names the winner.
    pub right: f64,
}

/// How well an evaluation whose scale is [`SCALE`] and whose zero is even tells results.
pub(super) fn quality(variant: &Variant, evaluation: &Evaluation, samples: &[Sample]) -> Quality {
    measure(samples, |sample| for_general(variant, evaluation, &sample.state) / SCALE)
}

/// The same for an evaluation with another scale and zero: those that suit it best on some positions, by side to move.
pub(super) fn at_its_best(
    variant: &Variant,
    evaluation: &Evaluation,
    training: &[Sample],
    samples: &[Sample],
) -> Quality {
    let of_side = |side| {
        let training = training.iter().filter(|sample| sample.state.side() == side);
        let of = |sample: &Sample| [for_general(variant, evaluation, &sample.state) / SCALE, sample.result, 1.0];
        fit_line(&training.map(of).collect::<Vec<_>>(), LEAST_SLOPE)
    };
    let (general, rebels) = (of_side(Side::General), of_side(Side::Rebels));
    measure(samples, |sample| {
        let (offset, slope) = if sample.state.side() == Side::General { general } else { rebels };
        offset + slope * for_general(variant, evaluation, &sample.state) / SCALE
    })
}

fn measure(samples: &[Sample], sum: impl Fn(&Sample) -> f64) -> Quality {
    let (mut loss, mut right, mut decided) = (0.0, 0.0, 0.0);
    for sample in samples {
        let sum = sum(sample);
        loss += surprise(sum, sample.result);
        if sample.result != 0.5 {
            decided += 1.0;
            right += f64::from(u8::from((sum > 0.0) == (sample.result > 0.5)));
        }
    }
    Quality { loss: loss / samples.len().max(1) as f64, right: right / f64::max(decided, 1.0) }
}

fn for_general(variant: &Variant, evaluation: &Evaluation, state: &Position) -> f64 {
    fn value<F: Family>(variant: &Variant, evaluation: &Evaluation, state: &Position) -> f64 {
        f64::from(evaluation.evaluate::<F>(variant.rules(), state).raw())
    }
    let value = for_family!(variant.family(), F => value::<F>(variant, evaluation, state));
    if state.side() == Side::General { value } else { -value }
}
