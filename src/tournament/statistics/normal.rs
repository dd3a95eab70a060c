//! The normal distribution.

/// Beyond this many standard deviations a tail is nothing: 6·10⁻¹⁶.
const FAR: f64 = 8.0;

/// The probability that a standard normal variable is at most `deviations`; with the error function,
/// `(1 + erf(deviations / √2)) / 2`.
///
/// The Taylor series about 0, summed until nothing changes (George Marsaglia, "Evaluating the Normal Distribution",
/// Journal of Statistical Software 11(4), 2004).
pub(super) fn cumulative(deviations: f64) -> f64 {
    if deviations.is_nan() {
        return 0.5;
    }
    if deviations.abs() > FAR {
        return if deviations > 0.0 { 1.0 } else { 0.0 };
    }
    let square = deviations * deviations;
    let mut term = deviations;
    let mut sum = deviations;
    let mut odd = 1.0;
    loop {
        odd += 2.0;
        term *= square / odd;
        let next = sum + term;
        if next == sum {
            break;
        }
        sum = next;
    }
    let density = (-0.5 * square).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}
