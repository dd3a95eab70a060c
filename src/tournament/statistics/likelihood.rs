//! The most likely distribution of scores under a hypothesis.
//!
//! A hypothesis fixes one property of the distribution, its mean or its mean in units of its standard deviation. Among all
//! distributions with the property, the one is sought under which the observations are most likely (Michel Van den
//! Bergh, "Comments on Normalized Elo", 2021, <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>: proposition 1.1 and
//! section 4.1; Fishtest's `LLRcalc.py` computes the same).

use super::sample::{Mass, moments};

/// Halvings of an interval, after which its ends are neighbours among the numbers.
const HALVINGS: u32 = 200;

/// Rounds of [`with_ratio`], which takes about five.
const ROUNDS: u32 = 100;

/// A probability that changes by no more than this between rounds has settled.
const SETTLED: f64 = 1e-12;

/// The most likely distribution with the mean `mean`, given an observed one without empty scores; none when the mean lies
/// outside the scores.
pub(super) fn with_mean(observed: &[Mass], mean: f64) -> Option<Vec<Mass>> {
    tilted(observed, |score| score - mean)
}

/// The most likely distribution of which (mean − ½) / standard deviation is `ratio`; none where the iteration does not
/// settle, which happens only far from what is observed.
///
/// Each round replaces the condition by its linear approximation at the distribution of the round before.
pub(super) fn with_ratio(observed: &[Mass], ratio: f64) -> Option<Vec<Mass>> {
    let uniform = 1.0 / observed.len() as f64;
    let mut found: Vec<Mass> = observed.iter().map(|mass| Mass { probability: uniform, ..*mass }).collect();
    for _ in 0..ROUNDS {
        let (mean, variance) = moments(&found);
        let deviation = variance.sqrt();
        let next = tilted(observed, |score| {
            score - 0.5 - ratio * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0
        })?;
        let change = found.iter().zip(&next).map(|(old, new)| (old.probability - new.probability).abs());
        let settled = change.fold(0.0, f64::max) < SETTLED;
        found = next;
        if settled {
            return Some(found);
        }
    }
    None
}

/// The most likely distribution under which the mean of `property` is 0: each probability divided by 1 + θ · property, with
/// the θ that makes it so.
fn tilted(observed: &[Mass], property: impl Fn(f64) -> f64) -> Option<Vec<Mass>> {
    let terms: Vec<Term> =
        observed.iter().map(|mass| Term { value: property(mass.score), probability: mass.probability }).collect();
    let divisors = divisors(&terms)?;
    let divided = observed.iter().zip(divisors);
    Some(divided.map(|(mass, divisor)| Mass { probability: mass.probability / divisor, ..*mass }).collect())
}

struct Term {
    value: f64,
    probability: f64,
}

/// The divisors 1 + θ v, where θ solves Σ p v / (1 + θ v) = 0 between −1 / max v and −1 / min v, between which the sum falls
/// from +∞ to −∞; none unless there are values on both sides of 0.
///
/// Where hardly anything but one score is observed, θ lies so close to an end that one divisor is all but 0. So what is
/// sought is the distance of θ from the nearer end, at which that divisor is exactly 0.
fn divisors(terms: &[Term]) -> Option<Vec<f64>> {
    let greatest = terms.iter().map(|term| term.value).fold(f64::NEG_INFINITY, f64::max);
    let least = terms.iter().map(|term| term.value).fold(f64::INFINITY, f64::min);
    if !(least < 0.0 && greatest > 0.0) {
        return None;
    }
    let half = (1.0 / greatest - 1.0 / least) / 2.0;
    let at = |end: f64, distance: f64| terms.iter().map(move |term| 1.0 - term.value / end + distance * term.value);
    let sum = |end: f64, distance: f64| -> f64 {
        terms.iter().zip(at(end, distance)).map(|(term, divisor)| term.probability * term.value / divisor).sum()
    };
    // The sum falls, so its sign in the middle tells in which half it vanishes.
    let (end, direction) = if sum(greatest, half) < 0.0 { (greatest, 1.0) } else { (least, -1.0) };
    let (mut near, mut far) = (0.0_f64, half);
    for _ in 0..HALVINGS {
        let middle = near.midpoint(far);
        if sum(end, direction * middle) * direction > 0.0 {
            near = middle;
        } else {
            far = middle;
        }
    }
    Some(at(end, direction * near.midpoint(far)).collect())
}
