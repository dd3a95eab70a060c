//! Logistic models: chances, how surprising a result is, and the line through results.

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
