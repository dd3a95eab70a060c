//! Counting results: games one by one, pairs of games, and both as a sample of scores.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::rules::Side;

/// What takes the place of 0 where a frequency must not vanish: a prior so small that it is seen nowhere else
/// (Fishtest, `LLRcalc.regularize`).
const LEAST_COUNT: f64 = 1e-3;

/// Wins, draws and losses of one party.
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
    /// The one game that `side` has played against the other.
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

    /// Points per game, from 0 to 1; none without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Draws per game, from 0 to 1; none without games.
    pub fn draw_rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games as the opponent counts them.
    pub fn reversed(&self) -> Tally {
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

/// Pairs of games from the same opening with the sides swapped, by the points that both games together brought: ½ times
/// the index, so 0, ½, 1, 1½ and 2.
///
/// The two games of a pair are not independent: an opening that one side wins gives a win and a loss, whoever plays. So
/// the pair, not the game, is what is counted once (Michel Van den Bergh's pentanomial statistics, in use at Fishtest
/// since 2019).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pairs(
    /// How many pairs brought 0, ½, 1, 1½ and 2 points.
    pub [u64; 5],
);

impl Pairs {
    /// Adds a pair by its two games.
    pub fn add(&mut self, first: Tally, second: Tally) {
        let both = first.half_points() + second.half_points();
        if let Some(count) = usize::try_from(both).ok().and_then(|index| self.0.get_mut(index)) {
            *count += 1;
        }
    }

    /// All pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// Independent observations of a score between 0 and 1: games, which score 0, ½ or 1, or pairs of games, which score 0, ¼,
/// ½, ¾ or 1 a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// How often each score was observed, from 0 to 1.
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

impl Sample {
    /// Pairs where there are any, since they are what is independent; otherwise single games. Games whose pair is not
    /// complete are then left out.
    pub fn new(games: &Tally, pairs: &Pairs) -> Sample {
        if pairs.count() > 0 {
            return Sample { counts: pairs.0.to_vec() };
        }
        Sample { counts: vec![games.losses, games.draws, games.wins] }
    }

    /// Number of observations.
    pub fn size(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// 2 for pairs, 1 for single games.
    pub fn games_each(&self) -> u64 {
        (self.counts.len() as u64).saturating_sub(1) / 2
    }

    /// The score that stands at a place of the counts.
    fn score_at(&self, index: usize) -> f64 {
        index as f64 / (2 * self.games_each()).max(1) as f64
    }

    /// Mean score and variance, each observation weighing alike; none without observations. The variance is the one of the
    /// observations themselves (divided by their number), as in Fishtest and fastchess.
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
