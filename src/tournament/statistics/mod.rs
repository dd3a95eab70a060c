//! What a match says: results, strength with its error, tests, and what else tells two engines apart.
//!
//! The standings count game reports; a summary makes figures of the counts, for people and, as JSON, for programs.
//!
//! ```
//! use privy::tournament::statistics::{Pairs, Strength, Tally};
//!
//! // Pairs of games that brought the first engine 0, ½, 1, 1½ and 2 points.
//! let pairs = Pairs([34, 54, 63, 64, 75]);
//! let strength = Strength::new(&Tally::default(), &pairs).expect("there are games");
//! let interval = strength.elo_interval.expect("the pairs differ");
//! assert_eq!(format!("{:.1} ± {:.1}", strength.elo, interval.error().unwrap_or(f64::INFINITY)), "55.6 ± 27.7");
//! ```

mod elo;
mod game_report;
mod sprt;
mod standings;
mod summary;
mod tally;
mod text;

pub use elo::{Interval, Strength};
pub(crate) use game_report::{BySide, GameReport, Perfect, PlayerReport};
pub use sprt::{EloModel, Parameters, Sprt, SprtError, Verdict};
pub(crate) use standings::Standings;
pub(crate) use summary::Summary;
pub use tally::{Pairs, Sample, Tally};
pub(crate) use text::Display;

#[cfg(test)]
mod tests;
