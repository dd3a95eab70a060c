//! Counting results: games one by one, and pairs of games.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::rules::Side;

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
    #[must_use]
    pub fn of_game(side: Side, winner: Option<Side>) -> Tally {
        Tally {
            wins: u64::from(winner == Some(side)),
            draws: u64::from(winner.is_none()),
            losses: u64::from(winner == Some(!side)),
        }
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Twice the points, which are 1 for a win and ½ for a draw.
    #[must_use]
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points: 1 for a win, ½ for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    /// Points per game, from 0 to 1; none without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Draws per game, from 0 to 1; none without games.
    #[must_use]
    pub fn draw_rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games as the opponent counts them.
    #[must_use]
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
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }
}
