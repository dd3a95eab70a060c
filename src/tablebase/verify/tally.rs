//! Counting.

use super::scores::GAME_LOST;
use crate::tablebase::Counts;

/// How many wrong positions a report names.
pub(super) const EXAMPLES: usize = 8;

/// What was counted in some positions.
#[derive(Default)]
pub(super) struct Tally {
    /// By number of Rebels.
    pub(super) counts: Vec<Counts>,
    pub(super) positions: u64,
    pub(super) longest: u32,
    pub(super) mismatches: u64,
    /// Index of the set, stored and right.
    pub(super) examples: Vec<(usize, i16, i16)>,
}

impl Tally {
    pub(super) fn count(&mut self, rebels: u32, score: i16) {
        self.positions += 1;
        let rebels = rebels as usize;
        if self.counts.len() <= rebels {
            self.counts.resize(rebels + 1, Counts::default());
        }
        if let Some(counts) = self.counts.get_mut(rebels) {
            match score {
                0 => counts.drawn += 1,
                1.. => counts.won += 1,
                GAME_LOST => {}
                _ => counts.lost += 1,
            }
        }
    }

    pub(super) fn plus(mut self, other: Tally) -> Tally {
        self.add(other, 1);
        self
    }

    /// Adds what was counted at a place; `times` 2 with its mirror image.
    pub(super) fn add(&mut self, other: Tally, times: u64) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), Counts::default());
        }
        for (sum, counts) in self.counts.iter_mut().zip(&other.counts) {
            sum.won += times * counts.won;
            sum.drawn += times * counts.drawn;
            sum.lost += times * counts.lost;
        }
        self.positions += times * other.positions;
        self.longest = self.longest.max(other.longest);
        self.mismatches += times * other.mismatches;
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
    }
}
