//! Who plays whom, and in which order.

use serde::{Deserialize, Serialize};

/// Which engines meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// The first engine against all others.
    Gauntlet,
}

/// All games of a match. Everything about a game follows from its number, so that a match can be taken up again anywhere.
///
/// In a round every pairing plays two games with the sides swapped, all from the same opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: u64,
}

/// A game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheduled {
    /// Its number, from 1.
    pub number: u64,
    /// The number of the pair of games that it belongs to, from 1.
    pub pair: u64,
    /// Its round, from 0: the place of its opening.
    pub round: u64,
    /// The place of the engine that plays the General.
    pub general: usize,
    /// The place of the engine that plays the Rebels.
    pub rebels: usize,
}

impl Schedule {
    /// The games of so many engines, in so many rounds.
    #[must_use]
    pub fn new(engines: usize, format: Format, rounds: u64) -> Schedule {
        let firsts = match format {
            Format::RoundRobin => engines,
            Format::Gauntlet => engines.min(1),
        };
        let pairings = (0..firsts).flat_map(|first| (first + 1..engines).map(move |second| (first, second)));
        Schedule { pairings: pairings.collect(), rounds }
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.rounds.saturating_mul(2 * self.pairings.len() as u64)
    }

    /// The game of a number; none beyond the last.
    #[must_use]
    pub fn game(&self, number: u64) -> Option<Scheduled> {
        let index = number.checked_sub(1).filter(|index| *index < self.games())?;
        let (pair, swapped) = (index / 2, index % 2 == 1);
        let pairings = self.pairings.len() as u64;
        let place = usize::try_from(pair % pairings).ok()?;
        let (first, second) = *self.pairings.get(place)?;
        let (general, rebels) = if swapped { (second, first) } else { (first, second) };
        Some(Scheduled { number, pair: pair + 1, round: pair / pairings, general, rebels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(schedule: &Schedule) -> Vec<(usize, usize, u64)> {
        (1..=schedule.games())
            .filter_map(|number| schedule.game(number))
            .map(|g| (g.general, g.rebels, g.round))
            .collect()
    }

    #[test]
    fn everybody_meets_everybody_on_both_sides() {
        let schedule = Schedule::new(3, Format::RoundRobin, 2);
        let round = |round| [(0, 1, round), (1, 0, round), (0, 2, round), (2, 0, round), (1, 2, round), (2, 1, round)];
        assert_eq!(players(&schedule), [round(0), round(1)].concat());
        assert_eq!(schedule.game(0), None);
        assert_eq!(schedule.game(13), None);
        assert_eq!(schedule.game(7).map(|game| game.pair), Some(4));
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let schedule = Schedule::new(3, Format::Gauntlet, 1);
        assert_eq!(players(&schedule), [(0, 1, 0), (1, 0, 0), (0, 2, 0), (2, 0, 0)]);
        assert_eq!(Schedule::new(1, Format::Gauntlet, 5).games(), 0);
        assert_eq!(Schedule::new(0, Format::RoundRobin, 5).game(1), None);
    }
}
