//! What has been observed, as frequencies of equally spaced scores.

use super::tally::{Pairs, Tally};

/// Independent observations of a score between 0 and 1: games, which score 0, ½ or 1, or pairs of games, which score 0, ¼,
/// ½, ¾ or 1 a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// How often each score was observed, from 0 to 1.
    counts: Vec<u64>,
}

/// What takes the place of 0 where a frequency must not vanish: a prior so small that it is seen nowhere else
/// (Fishtest, `LLRcalc.regularize`).
const LEAST_COUNT: f64 = 1e-3;

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

impl Sample {
    /// Pairs where there are any, since they are what is independent; otherwise single games. Games whose pair is not
    /// complete are then left out.
    #[must_use]
    pub fn new(games: &Tally, pairs: &Pairs) -> Sample {
        if pairs.count() > 0 {
            return Sample { counts: pairs.0.to_vec() };
        }
        Sample { counts: vec![games.losses, games.draws, games.wins] }
    }

    /// Number of observations.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// 2 for pairs, 1 for single games.
    #[must_use]
    pub fn games_each(&self) -> u64 {
        (self.counts.len() as u64).saturating_sub(1) / 2
    }

    /// The score that stands at a place of the counts.
    fn score_at(&self, index: usize) -> f64 {
        index as f64 / (2 * self.games_each()).max(1) as f64
    }

    /// Mean score and variance, each observation weighing alike; none without observations. The variance is the one of the
    /// observations themselves (divided by their number), as in Fishtest and fastchess.
    #[must_use]
    pub fn moments(&self) -> Option<(f64, f64)> {
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
        let counts = self.counts.iter().enumerate();
        counts.map(|(index, count)| Mass { score: self.score_at(index), probability: weight(*count) / size }).collect()
    }
}
