//! Durations, counted in classes, so that any number of them takes the same memory.

use std::collections::BTreeMap;

use serde::Serialize;

/// Classes per power of two. A class is narrower than its values by this factor, so figures are exact to 0.4 %; below it,
/// each microsecond has its own class.
const CLASSES: u64 = 256;

/// Counts of durations in microseconds. Classes grow with the durations, as in HdrHistogram (Gil Tene, 2012).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Timings {
    /// By the greatest duration of the class.
    counts: BTreeMap<u64, u64>,
    total: u64,
    longest_us: u64,
}

/// The figures of many durations, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TimingFigures {
    /// How many.
    pub count: u64,
    /// Half of them are no longer than this.
    pub median_ms: f64,
    /// 99 % of them are no longer than this.
    pub p99_ms: f64,
    /// The longest of all.
    pub longest_ms: f64,
}

impl Timings {
    /// Adds a duration.
    pub fn add(&mut self, microseconds: u64) {
        *self.counts.entry(greatest_alike(microseconds)).or_default() += 1;
        self.total += 1;
        self.longest_us = self.longest_us.max(microseconds);
    }

    /// The shortest duration such that the share of durations no longer than it is at least `share`; none without any.
    #[must_use]
    pub fn quantile_us(&self, share: f64) -> Option<u64> {
        let needed = (share * self.total as f64).ceil().max(1.0);
        let mut seen = 0u64;
        let class = self.counts.iter().find(|(_, count)| {
            seen += **count;
            seen as f64 >= needed
        });
        class.map(|(greatest, _)| (*greatest).min(self.longest_us))
    }

    /// The figures; none without durations.
    #[must_use]
    pub fn figures(&self) -> Option<TimingFigures> {
        let ms = |us: u64| us as f64 / 1000.0;
        Some(TimingFigures {
            count: self.total,
            median_ms: ms(self.quantile_us(0.5)?),
            p99_ms: ms(self.quantile_us(0.99)?),
            longest_ms: ms(self.longest_us),
        })
    }
}

/// The greatest duration in the class of a duration.
fn greatest_alike(microseconds: u64) -> u64 {
    let powers = microseconds.checked_ilog2().unwrap_or(0).saturating_sub(CLASSES.ilog2());
    microseconds | ((1u64 << powers) - 1)
}
