//! Results of games and pairs of games, and the strength that they show: Elo differences with their errors, and the
//! likelihood of superiority.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use privy_rules::Side;

/// The count of a score that was not observed, where a frequency must not be 0: a prior too small to show elsewhere
/// (Fishtest, `LLRcalc.regularize`).
const LEAST_COUNT: f64 = 1e-3;

/// Wins, draws and losses of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// A single game, as `side` counts it.
    pub fn of_game(side: Side, winner: Option<Side>) -> Tally {
        Tally {
            wins: u64::from(winner == Some(side)),
            draws: u64::from(winner.is_none()),
            losses: u64::from(winner == Some(!side)),
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Twice the points, which are 1 for a win and ½ for a draw.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    /// Points per game, from 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Draws per game, from 0 to 1; `None` without games.
    pub(crate) fn draw_rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games as the opponent counts them.
    pub(crate) fn reversed(&self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Numbers of pairs of games by their points: 0, ½, 1, 1½ and 2. A pair begins at one opening with the sides swapped.
///
/// The two games of a pair are not independent: an opening that one side wins gives each player a win and a loss. So
/// the observation is the pair, not the game (Michel Van den Bergh's pentanomial statistics, in use at Fishtest since
/// 2019).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Adds a pair by its two games.
    pub fn add(&mut self, first: Tally, second: Tally) {
        let half_points = first.half_points() + second.half_points();
        if let Some(count) = usize::try_from(half_points).ok().and_then(|index| self.0.get_mut(index)) {
            *count += 1;
        }
    }

    /// All pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// Independent observations of a score between 0 and 1: games, which score 0, ½ or 1, or pairs of games, which score 0,
/// ¼, ½, ¾ or 1 a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreSample {
    /// By ascending score.
    counts: Vec<u64>,
}

/// A score and its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mass {
    pub(super) score: f64,
    pub(super) probability: f64,
}

/// Mean and variance of a distribution.
pub(super) fn moments(masses: &[Mass]) -> (f64, f64) {
    let mean: f64 = masses.iter().map(|mass| mass.score * mass.probability).sum();
    let variance = masses.iter().map(|mass| mass.probability * (mass.score - mean).powi(2)).sum();
    (mean, variance)
}

impl ScoreSample {
    /// The pairs if there are any, since they are independent; games of incomplete pairs are then left out. Otherwise
    /// the single games.
    pub fn new(games: &Tally, pairs: &Pairs) -> ScoreSample {
        let in_pairs = pairs.count() > 0;
        ScoreSample { counts: if in_pairs { pairs.0.to_vec() } else { vec![games.losses, games.draws, games.wins] } }
    }

    /// Number of observations.
    pub fn size(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// 2 for pairs, 1 for single games.
    pub(crate) fn games_each(&self) -> u64 {
        if self.counts.len() > 3 { 2 } else { 1 }
    }

    /// Mean score and variance (divided by the number of observations, as in Fishtest and fastchess); `None` without
    /// observations.
    pub(crate) fn moments(&self) -> Option<(f64, f64)> {
        let size = self.size();
        (size > 0).then(|| moments(&self.masses(size as f64, |count| count as f64)))
    }

    /// The distribution with no score impossible, and the number of observations that goes with it.
    pub(super) fn regularized(&self) -> (Vec<Mass>, f64) {
        let weight = |count: u64| if count == 0 { LEAST_COUNT } else { count as f64 };
        let size = self.counts.iter().map(|count| weight(*count)).sum();
        (self.masses(size, weight), size)
    }

    fn masses(&self, size: f64, weight: impl Fn(u64) -> f64) -> Vec<Mass> {
        let greatest = (self.counts.len() - 1) as f64;
        let counts = self.counts.iter().enumerate();
        counts
            .map(|(index, count)| Mass { score: index as f64 / greatest, probability: weight(*count) / size })
            .collect()
    }
}

/// 95 % of a normal distribution lie within this many standard deviations of the mean.
const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

/// Normalized Elo per unit of (score − ½) / standard deviation: 800 / ln 10, by which it equals logistic Elo for small
/// differences in games without draws.
pub(super) const NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The Elo difference at which a score is expected: −400 log₁₀(1 / score − 1) (Arpad Elo, "The Rating of Chessplayers",
/// 1978, with the logistic curve). Infinite at 0 and 1, and beyond.
pub(super) fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Of an even score 0, and not -0.
        0.0 - 400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The expected score at an Elo difference: 1 / (1 + 10^(−elo / 400)).
pub(super) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// An estimate and its 95 % confidence interval. An end may be infinite: a player that has won all its games may be
/// better by any amount.
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
    /// Half the width, the figure after `±`; `None` if an end is infinite.
    pub fn error(&self) -> Option<f64> {
        let error = (self.high - self.low) / 2.0;
        error.is_finite().then_some(error)
    }
}

/// The difference in strength that a sample shows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Strength {
    /// The (logistic) Elo difference to the opponents. May be infinite.
    pub elo: f64,
    /// The same with its interval; `None` while all observations are equal, since their variance is unknown.
    pub elo_interval: Option<Interval>,
    /// The normalized Elo difference; `None` as above.
    pub(crate) normalized_elo: Option<Interval>,
    /// Likelihood of superiority, from 0 to 1.
    pub(crate) superiority: f64,
}

impl Strength {
    /// The estimate from pairs of games if there are any, otherwise from single games; `None` without games.
    ///
    /// With the mean score μ of n pairs (or games), the variance σ² of their scores, and N games a pair (2, or 1):
    ///
    /// - Elo is that of μ; its interval that of μ ± 1.96 σ / √n.
    /// - Normalized Elo is 800 / ln 10 · (μ − ½) / (σ √N), its interval likewise with μ ± 1.96 σ / √n: the difference
    ///   in units of the spread of a single game, which does not depend on how many games are drawn (Michel Van den
    ///   Bergh, "Comments on Normalized Elo", 2021, <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
    /// - The likelihood of superiority is Φ((μ − ½) √n / σ); where σ is 0, Φ((wins − losses) / √(wins + losses)) of the
    ///   single games (Chess Programming Wiki, "Match Statistics").
    ///
    /// The first two are what fastchess prints; Fishtest says the same but for a third decimal, by its correction for
    /// skewness.
    pub fn new(games: &Tally, pairs: &Pairs) -> Option<Strength> {
        let sample = ScoreSample::new(games, pairs);
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

/// The likelihood that the player with these wins and losses is the better one, if games are independent and no prior
/// favours either: ½ (1 + erf((wins − losses) / √(2 (wins + losses)))) (Kai Laskos, Rémi Coulom; Chess Programming
/// Wiki, "Match Statistics"). Draws do not count.
pub(super) fn superiority(wins: u64, losses: u64) -> f64 {
    let decided = (wins + losses) as f64;
    if decided == 0.0 { 0.5 } else { cumulative((wins as f64 - losses as f64) / decided.sqrt()) }
}

/// Beyond this many standard deviations a tail is negligible: 6·10⁻¹⁶.
const FAR: f64 = 8.0;

/// The probability that a standard normal variable is at most `deviations`; with the error function,
/// `(1 + erf(deviations / √2)) / 2`.
///
/// The Taylor series about 0, summed until it no longer changes (George Marsaglia, "Evaluating the Normal
/// Distribution", Journal of Statistical Software 11(4), 2004).
pub(super) fn cumulative(deviations: f64) -> f64 {
    if deviations.is_nan() {
        return 0.5;
    }
    if deviations.abs() > FAR {
        return if deviations > 0.0 { 1.0 } else { 0.0 };
    }
    let square = deviations * deviations;
    let (mut sum, mut term, mut odd) = (0.0, deviations, 1.0);
    while sum + term != sum {
        sum += term;
        odd += 2.0;
        term *= square / odd;
    }
    let density = (-0.5 * square).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}
