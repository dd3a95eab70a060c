//! Elo differences with their errors, and how likely the better score comes of better play.

use serde::Serialize;

use super::tally::{Pairs, Sample, Tally};

/// Standard deviations on either side of the mean that hold 95 % of a normal distribution.
const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

/// Normalized Elo per unit of (score − ½) / standard deviation: 800 / ln 10, by which it equals logistic Elo for small
/// differences in games without draws.
pub(super) const NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The Elo difference at which a score is expected: −400 log₁₀(1 / score − 1) (Arpad Elo, "The Rating of Chessplayers", 1978,
/// with the logistic curve). Infinite at 0 and 1, and beyond.
pub(super) fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The score that is expected at an Elo difference: 1 / (1 + 10^(−elo / 400)).
pub(super) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// An estimate and the interval that holds the true value with 95 % probability. Ends may be infinite: a side that has
/// won all its games may be better by any amount.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Half the width, which stands behind `±`; none when the interval has no end.
    pub fn error(&self) -> Option<f64> {
        let error = (self.high - self.low) / 2.0;
        error.is_finite().then_some(error)
    }
}

/// What a sample says of the difference in strength.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Strength {
    /// The (logistic) Elo difference to the opponents. May be infinite.
    pub elo: f64,
    /// With its error; none as long as all observations are alike, which say nothing of how much they vary.
    pub elo_interval: Option<Interval>,
    /// The normalized Elo difference and its error; none as above.
    pub normalized_elo: Option<Interval>,
    /// Likelihood of superiority, from 0 to 1.
    pub superiority: f64,
}

impl Strength {
    /// The estimate from pairs of games where there are any, otherwise from single games; none without games.
    ///
    /// With the mean score μ of n pairs (or games), the variance σ² of their scores, and N games a pair (2, or 1):
    ///
    /// - Elo is that of μ; its interval that of μ ± 1.96 σ / √n.
    /// - Normalized Elo is 800 / ln 10 · (μ − ½) / (σ √N), its interval likewise with μ ± 1.96 σ / √n: the difference in units of
    ///   the spread of a single game, which does not depend on how many games are drawn (Michel Van den Bergh, "Comments on
    ///   Normalized Elo", 2021, <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
    /// - The likelihood of superiority is Φ((μ − ½) √n / σ); where σ is 0, Φ((wins − losses) / √(wins + losses)) of the single
    ///   games (Chess Programming Wiki, "Match Statistics").
    ///
    /// The first two are what fastchess prints; Fishtest says the same but for a third decimal, by its correction for skewness.
    pub fn new(games: &Tally, pairs: &Pairs) -> Option<Strength> {
        let sample = Sample::new(games, pairs);
        let (mean, variance) = sample.moments()?;
        let deviation = variance.sqrt();
        let varied = deviation > 1e-12;
        let margin = DEVIATIONS_95 * deviation / (sample.size() as f64).sqrt();
        let interval = |convert: &dyn Fn(f64) -> f64| {
            let (estimate, low, high) = (convert(mean), convert(mean - margin), convert(mean + margin));
            varied.then_some(Interval { estimate, low, high })
        };
        let game_deviation = deviation * (sample.games_each() as f64).sqrt();
        Some(Strength {
            elo: elo_of_score(mean),
            elo_interval: interval(&elo_of_score),
            normalized_elo: interval(&|score| NORMALIZED_UNIT * (score - 0.5) / game_deviation),
            superiority: if varied {
                cumulative((mean - 0.5) * (sample.size() as f64).sqrt() / deviation)
            } else {
                superiority(games.wins, games.losses)
            },
        })
    }
}

/// The probability that the side with so many wins and losses is the better one, if nothing was known before and games are
/// independent: ½ (1 + erf((wins − losses) / √(2 (wins + losses)))) (Kai Laskos, Rémi Coulom; Chess Programming Wiki, "Match
/// Statistics"). Draws don't count.
pub(super) fn superiority(wins: u64, losses: u64) -> f64 {
    let decided = (wins + losses) as f64;
    if decided == 0.0 { 0.5 } else { cumulative((wins as f64 - losses as f64) / decided.sqrt()) }
}

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
