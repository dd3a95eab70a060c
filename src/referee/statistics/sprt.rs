//! The sequential probability ratio test: play continues until one of two hypotheses is accepted.
//!
//! A hypothesis fixes one property of the distribution of scores: its mean, or its mean in units of its standard
//! deviation. Of all distributions with this property, the test takes the one that makes the observations most likely
//! (Michel Van den Bergh, "Comments on Normalized Elo", 2021,
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>: proposition 1.1 and section 4.1; Fishtest's
//! `LLRcalc.py` computes the same).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::fault::BadSetting;

use super::strength::{Mass, NORMALIZED_UNIT, ScoreSample, moments, score_of_elo};

/// The meaning of Elo in the hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo of ratings: it determines the expected score.
    Logistic,
    /// Elo in units of the standard deviation of a game: it determines the number of games to a decision, whatever the
    /// share of draws and of openings that one side wins.
    Normalized,
}

impl EloModel {
    /// The greatest absolute Elo of a hypothesis. The computation is not meaningful beyond it.
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
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<EloModel, BadSetting> {
        match text {
            "logistic" => Ok(EloModel::Logistic),
            "normalized" | "normalised" => Ok(EloModel::Normalized),
            _ => Err(BadSetting(format!("unknown model of Elo: \"{text}\"; expected logistic or normalized"))),
        }
    }
}

/// A test of H0, "the first engine is better by `elo0`", against H1, "by `elo1`" (Abraham Wald, 1945).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SprtParameters")]
pub struct Sprt(pub(super) SprtParameters);

/// The parameters of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SprtParameters {
    /// The meaning of `elo0` and `elo1`.
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

impl TryFrom<SprtParameters> for Sprt {
    type Error = BadSetting;

    fn try_from(parameters: SprtParameters) -> Result<Sprt, BadSetting> {
        let SprtParameters { model, elo0, elo1, alpha, beta } = parameters;
        let out_of_range = |what: String| Err(BadSetting(format!("value out of range: {what}")));
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

/// Reads `elo0=0,elo1=10[,alpha=0.05][,beta=0.05][,model=logistic|normalized]`.
impl FromStr for Sprt {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<Sprt, BadSetting> {
        let mut test =
            SprtParameters { model: EloModel::Logistic, elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05 };
        for pair in text.split(',') {
            let wrong = |expected: &str| BadSetting(format!("expected {expected}, found \"{pair}\""));
            let (key, value) = pair.split_once('=').ok_or_else(|| wrong("KEY=VALUE"))?;
            let number =
                || value.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| wrong("a number"));
            match key.trim() {
                "elo0" => test.elo0 = number()?,
                "elo1" => test.elo1 = number()?,
                "alpha" => test.alpha = number()?,
                "beta" => test.beta = number()?,
                "model" => test.model = value.parse()?,
                _ => return Err(wrong("elo0, elo1, alpha, beta or model")),
            }
        }
        if test.elo0.is_nan() || test.elo1.is_nan() {
            return Err(BadSetting(format!("expected elo0 and elo1, found \"{text}\"")));
        }
        Sprt::try_from(test)
    }
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SprtVerdict {
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

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SprtVerdict::H0 => "H0 accepted",
            SprtVerdict::H1 => "H1 accepted",
            SprtVerdict::Undecided => "undecided",
        })
    }
}

impl Sprt {
    /// The log-likelihood ratio at which H0 is accepted: ln(β / (1 − α)).
    pub fn lower(&self) -> f64 {
        (self.0.beta / (1.0 - self.0.alpha)).ln()
    }

    /// The log-likelihood ratio at which H1 is accepted: ln((1 − β) / α).
    pub fn upper(&self) -> f64 {
        ((1.0 - self.0.beta) / self.0.alpha).ln()
    }

    /// The generalized log-likelihood ratio of H1 to H0, each with the most likely distribution of scores that fulfils
    /// it. 0 without observations.
    ///
    /// Fishtest (`LLR_logistic`, `LLR_normalized`) and fastchess compute the same. Where the distribution cannot be
    /// found, it is N / 2 · ln((σ² + (μ − s₀)²) / (σ² + (μ − s₁)²)), with s the scores of the hypotheses (Michel Van
    /// den Bergh, <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>).
    pub fn log_likelihood_ratio(&self, sample: &ScoreSample) -> f64 {
        if sample.size() == 0 {
            return 0.0;
        }
        let (observed, size) = sample.regularized();
        // Normalized Elo is defined for games; the deviation of a mean of n independent games is that of one by √n.
        let root = (sample.games_each() as f64).sqrt();
        let ratio = |elo: f64| elo / NORMALIZED_UNIT * root;
        let most_likely = |elo: f64| match self.0.model {
            EloModel::Logistic => tilted(&observed, |score| score - score_of_elo(elo)),
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

    /// The verdict at a log-likelihood ratio.
    pub fn verdict(&self, log_likelihood_ratio: f64) -> SprtVerdict {
        if log_likelihood_ratio >= self.upper() {
            SprtVerdict::H1
        } else if log_likelihood_ratio <= self.lower() {
            SprtVerdict::H0
        } else {
            SprtVerdict::Undecided
        }
    }
}

/// The mean of ln(h1 / h0) over the observations.
fn mean_ratio(observed: &[Mass], h0: &[Mass], h1: &[Mass]) -> f64 {
    let hypotheses = h0.iter().zip(h1).map(|(h0, h1)| (h1.probability / h0.probability).ln());
    observed.iter().zip(hypotheses).map(|(mass, ratio)| mass.probability * ratio).sum()
}

/// Halvings of an interval after which its ends are adjacent floating-point numbers.
const HALVINGS: u32 = 200;

/// The most rounds of [`with_ratio`], which takes about five.
const ROUNDS: u32 = 100;

/// The iteration has converged when no probability changes by more than this.
const CONVERGED: f64 = 1e-12;

/// The most likely distribution with (mean − ½) / standard deviation = `ratio`; `None` if the iteration does not
/// converge, which happens only far from the observations.
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
        let has_converged = change.fold(0.0, f64::max) < CONVERGED;
        found = next;
        if has_converged {
            return Some(found);
        }
    }
    None
}

/// The most likely distribution with the mean of v = `property(score)` equal to 0; `None` unless v takes both signs.
///
/// Each probability p is divided by 1 + θ v, where θ solves Σ p v / (1 + θ v) = 0 between −1 / max v and −1 / min v.
/// The sum falls from +∞ to −∞ there. If nearly all observations have one score, θ lies so close to an end that one
/// divisor is almost 0. So the search is for the distance of θ from the nearer end, where that divisor is exactly 0.
fn tilted(observed: &[Mass], property: impl Fn(f64) -> f64) -> Option<Vec<Mass>> {
    let values: Vec<f64> = observed.iter().map(|mass| property(mass.score)).collect();
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    if !(least < 0.0 && greatest > 0.0) {
        return None;
    }
    let half = (1.0 / greatest - 1.0 / least) / 2.0;
    let divisors = |end: f64, distance: f64| values.iter().map(move |value| 1.0 - value / end + distance * value);
    let sum = |end: f64, distance: f64| -> f64 {
        let terms = observed.iter().zip(&values).zip(divisors(end, distance));
        terms.map(|((mass, value), divisor)| mass.probability * value / divisor).sum()
    };
    // The sum falls, so its sign in the middle decides the half of its zero.
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
    let divided = observed.iter().zip(divisors(end, direction * near.midpoint(far)));
    Some(divided.map(|(mass, divisor)| Mass { probability: mass.probability / divisor, ..*mass }).collect())
}
