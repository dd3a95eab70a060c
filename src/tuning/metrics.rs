//! Metrics: how well an evaluation tells results.

use crate::eval::Evaluation;
use crate::rules::family::for_family;
use crate::rules::{Family, Position, Side, Variant};

use super::training_games::Sample;

/// Hundredths of a Rebel to a unit of the logarithm of the odds: in all variants the same, so that the margins of the search mean the
/// same everywhere.
pub const SCALE: f64 = 600.0;

/// An evaluation tells something, if little.
const LEAST_SLOPE: f64 = 0.001;

/// The chance that a sum of weights stands for.
pub(super) fn chance(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// The loss of a sum of weights, in nats: how surprising the result is, beyond what no weights could tell of a draw.
pub(super) fn surprise(sum: f64, result: f64) -> f64 {
    let least = if result == 0.5 { std::f64::consts::LN_2 } else { 0.0 };
    // ln(1 + exp(sum)) - result * sum, written so that nothing overflows.
    sum.max(0.0) + (-sum.abs()).exp().ln_1p() - result * sum - least
}

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

/// Offset and slope of a logistic regression on one number, by Newton's method. Each sample is the number, the result from 0 to 1 and
/// its weight. A weak prior keeps both finite where one side wins every game; the slope is not below the least.
pub(super) fn fit_line(samples: &[[f64; 3]], least_slope: f64) -> (f64, f64) {
    const PRIOR: f64 = 0.5;
    let (mut offset, mut slope) = (0.0f64, 0.3f64);
    for _ in 0..100 {
        let (mut g0, mut g1, mut h00, mut h01, mut h11) = (-PRIOR * offset, -PRIOR * slope, PRIOR, 0.0, PRIOR);
        for [x, result, weight] in samples {
            let p = chance(offset + slope * x);
            let (error, curve) = (weight * (result - p), weight * p * (1.0 - p));
            g0 += error;
            g1 += error * x;
            h00 += curve;
            h01 += curve * x;
            h11 += curve * x * x;
        }
        let determinant = h00 * h11 - h01 * h01;
        let steeper = (slope + ((h00 * g1 - h01 * g0) / determinant).clamp(-0.2, 0.2)).max(least_slope);
        // Where the slope must stay, the offset that suits it: that of both together would go to and fro.
        let step = if steeper > least_slope { (h11 * g0 - h01 * g1) / determinant } else { g0 / h00 };
        offset += step.clamp(-1.0, 1.0);
        slope = steeper;
    }
    (offset, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surprise_is_none_for_what_was_sure_and_never_overflows() {
        assert!(surprise(0.0, 0.5).abs() < 1e-12);
        assert!((surprise(0.0, 1.0) - std::f64::consts::LN_2).abs() < 1e-12);
        assert!(surprise(50.0, 1.0) < 1e-12 && surprise(-50.0, 0.0) < 1e-12);
        assert!((surprise(10_000.0, 0.0) - 10_000.0).abs() < 1e-6);
    }

    #[test]
    fn a_line_that_may_not_fall_is_level_with_the_results() {
        let falling: Vec<[f64; 3]> =
            (0..100).map(|n| [f64::from(n) / 4.0 - 30.0, f64::from(u8::from(n < 49)), 1.0]).collect();
        let (offset, slope) = fit_line(&falling, 0.02);
        assert_eq!(slope, 0.02);
        let told: f64 = falling.iter().map(|[x, ..]| chance(offset + slope * x)).sum();
        assert!((told - 49.0).abs() < 1.0, "{told}");
    }

    #[test]
    fn a_line_through_known_chances_is_found() {
        let samples: Vec<[f64; 3]> = (-20..=20)
            .flat_map(|n| {
                [1.0, 0.0].map(|won| {
                    let p = chance(0.4 + 0.5 * f64::from(n) / 4.0);
                    [f64::from(n) / 4.0, won, 1_000.0 * if won == 1.0 { p } else { 1.0 - p }]
                })
            })
            .collect();
        let (offset, slope) = fit_line(&samples, 0.001);
        assert!((offset - 0.4).abs() < 0.01 && (slope - 0.5).abs() < 0.01, "{offset} {slope}");
    }
}
