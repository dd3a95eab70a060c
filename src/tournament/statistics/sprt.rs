//! The sequential probability ratio test: playing on until it is clear which of two hypotheses holds.
//!
//! A hypothesis fixes one property of the distribution of scores: its mean, or its mean in units of its standard deviation.
//! Among all distributions with the property, the one is sought under which the observations are most likely (Michel Van
//! den Bergh, "Comments on Normalized Elo", 2021, <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>: proposition 1.1
//! and section 4.1; Fishtest's `LLRcalc.py` computes the same).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::elo::{NORMALIZED_UNIT, score_of_elo};
use super::tally::{Mass, Sample, moments};

/// What the Elo of the hypotheses means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo as in ratings: it gives the expected score.
    Logistic,
    /// Elo in units of the spread of a game: it gives the number of games that a decision takes, whatever the share of
    /// draws and of openings that one side wins.
    Normalized,
}

impl EloModel {
    /// The greatest Elo of a hypothesis, on both sides of 0. Beyond it a test makes no sense, nor does its computation.
    pub fn limit(self) -> f64 {
        match self {
            EloModel::Logistic => 1000.0,
            EloModel::Normalized => 200.0,
        }
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        })
    }
}

impl FromStr for EloModel {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<EloModel, SprtError> {
        match text {
            "logistic" => Ok(EloModel::Logistic),
            "normalized" | "normalised" => Ok(EloModel::Normalized),
            _ => Err(SprtError(format!("unknown model of Elo: \"{text}\"; expected logistic or normalized"))),
        }
    }
}

/// What makes no test.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct SprtError(String);

/// A test of H0, "the first engine is better by `elo0`", against H1, "by `elo1`" (Abraham Wald, 1945).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Sprt(Parameters);

/// The parameters of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// What Elo means.
    pub model: EloModel,
    /// The Elo difference of H0.
    pub elo0: f64,
    /// The Elo difference of H1.
    pub elo1: f64,
    /// The probability of accepting H1 when H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 when H1 holds.
    pub beta: f64,
}

impl TryFrom<Parameters> for Sprt {
    type Error = SprtError;

    fn try_from(parameters: Parameters) -> Result<Sprt, SprtError> {
        let Parameters { model, elo0, elo1, alpha, beta } = parameters;
        let out_of_range = |what: String| Err(SprtError(format!("value out of range: {what}")));
        let limit = model.limit();
        if let Some(found) = [elo0, elo1].into_iter().find(|elo| !(-limit..=limit).contains(elo)) {
            return out_of_range(format!("{model} Elo of a hypothesis: expected {} to {limit}, found {found}", -limit));
        }
        if elo0 >= elo1 {
            return out_of_range(format!("elo0 must be less than elo1, found {elo0} and {elo1}"));
        }
        for (name, found) in [("alpha", alpha), ("beta", beta)] {
            if !(found > 0.0 && found < 0.5) {
                return out_of_range(format!("{name}: expected a probability above 0 and below 0.5, found {found}"));
            }
        }
        Ok(Sprt(parameters))
    }
}

impl From<Sprt> for Parameters {
    fn from(test: Sprt) -> Parameters {
        test.0
    }
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The first engine is better by `elo0` at most.
    #[serde(rename = "H0 accepted")]
    H0,
    /// The first engine is better by `elo1` at least.
    #[serde(rename = "H1 accepted")]
    H1,
    /// More games are needed.
    #[serde(rename = "undecided")]
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
            Verdict::Undecided => "undecided",
        })
    }
}

impl Sprt {
    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.0
    }

    /// The log-likelihood ratio at which H0 is accepted: ln(β / (1 − α)).
    pub fn lower(&self) -> f64 {
        (self.0.beta / (1.0 - self.0.alpha)).ln()
    }

    /// The log-likelihood ratio at which H1 is accepted: ln((1 − β) / α).
    pub fn upper(&self) -> f64 {
        ((1.0 - self.0.beta) / self.0.alpha).ln()
    }

    /// The logarithm of how much likelier the sample is under H1 than under H0, each at its best: the generalized ratio, with
    /// the most likely distributions of scores that fulfil the hypotheses. 0 without observations.
    ///
    /// This is what Fishtest (`LLR_logistic`, `LLR_normalized`) and fastchess compute. Where the distribution can't be found,
    /// N / 2 · ln((σ² + (μ − s₀)²) / (σ² + (μ − s₁)²)) takes its place, with s the scores of the hypotheses (Michel Van den Bergh,
    /// <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>).
    pub fn log_likelihood_ratio(&self, sample: &Sample) -> f64 {
        if sample.size() == 0 {
            return 0.0;
        }
        let (observed, size) = sample.regularized();
        // Normalized Elo is defined for games; n independent games spread √n times as little as one.
        let spread = (sample.games_each() as f64).sqrt();
        let ratio = |elo: f64| elo / NORMALIZED_UNIT * spread;
        let most_likely = |elo: f64| match self.0.model {
            EloModel::Logistic => with_mean(&observed, score_of_elo(elo)),
            EloModel::Normalized => with_ratio(&observed, ratio(elo)),
        };
        let exact =
            most_likely(self.0.elo0).zip(most_likely(self.0.elo1)).map(|(h0, h1)| mean_ratio(&observed, &h0, &h1));
        let each = exact.filter(|ratio| ratio.is_finite()).unwrap_or_else(|| {
            let (mean, variance) = moments(&observed);
            let score = |elo: f64| match self.0.model {
                EloModel::Logistic => score_of_elo(elo),
                EloModel::Normalized => 0.5 + ratio(elo) * variance.sqrt(),
            };
            let distance = |elo: f64| variance + (mean - score(elo)).powi(2);
            (distance(self.0.elo0) / distance(self.0.elo1)).ln() / 2.0
        });
        size * each
    }

    /// What a log-likelihood ratio says.
    pub fn verdict(&self, log_likelihood_ratio: f64) -> Verdict {
        if log_likelihood_ratio >= self.upper() {
            Verdict::H1
        } else if log_likelihood_ratio <= self.lower() {
            Verdict::H0
        } else {
            Verdict::Undecided
        }
    }
}

/// The mean of ln(h1 / h0) over what is observed.
fn mean_ratio(observed: &[Mass], h0: &[Mass], h1: &[Mass]) -> f64 {
    let hypotheses = h0.iter().zip(h1).map(|(h0, h1)| (h1.probability / h0.probability).ln());
    observed.iter().zip(hypotheses).map(|(mass, ratio)| mass.probability * ratio).sum()
}

/// Halvings of an interval, after which its ends are neighbours among the numbers.
const HALVINGS: u32 = 200;

/// Rounds of [`with_ratio`], which takes about five.
const ROUNDS: u32 = 100;

/// A probability that changes by no more than this between rounds has settled.
const SETTLED: f64 = 1e-12;

/// The most likely distribution with the mean `mean`, given an observed one without empty scores; none when the mean lies
/// outside the scores.
fn with_mean(observed: &[Mass], mean: f64) -> Option<Vec<Mass>> {
    tilted(observed, |score| score - mean)
}

/// The most likely distribution of which (mean − ½) / standard deviation is `ratio`; none where the iteration does not
/// settle, which happens only far from what is observed.
///
/// Each round replaces the condition by its linear approximation at the distribution of the round before.
fn with_ratio(observed: &[Mass], ratio: f64) -> Option<Vec<Mass>> {
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
