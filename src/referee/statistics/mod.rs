//! The statistics of a match: results, strength with its error, tests, and other differences between engines.
//!
//! The standings count game reports; a summary derives figures from them, as text and as JSON.
//!
//! ```
//! use privy_referee::statistics::{Pairs, Strength, Tally};
//!
//! // Pairs of games in which the first engine scored 0, ½, 1, 1½ and 2 points.
//! let pairs = Pairs([34, 54, 63, 64, 75]);
//! let strength = Strength::new(&Tally::default(), &pairs).expect("there are games");
//! let interval = strength.elo_interval.expect("the pairs differ");
//! assert_eq!(format!("{:.1} ± {:.1}", strength.elo, interval.error().unwrap_or(f64::INFINITY)), "55.6 ± 27.7");
//! ```

mod game_report;
mod line_plot;
mod sprt;
mod standings;
mod strength;
mod text;

pub(crate) use game_report::{BySide, PlayerReport};
pub use game_report::{GameReport, Perfect};
pub use line_plot::LinePlot;
pub use sprt::{EloModel, Sprt, SprtParameters, SprtVerdict};
pub use standings::{Standings, Summary};
pub use strength::Interval;
pub use strength::{Pairs, ScoreSample, Strength, Tally};
pub use text::Display;

#[cfg(test)]
mod tests;
