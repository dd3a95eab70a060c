//! What a match says: results, strength with its error, tests, and what else tells two engines apart.
//!
//! [`Standings`] count [`GameReport`]s; [`Summary`] makes figures of the counts, for people ([`Display`](std::fmt::Display)) and
//! for programs (serde).
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

mod display;
mod elo;
mod game_report;
mod grid;
mod likelihood;
mod normal;
mod sample;
mod side_record;
mod sprt;
mod standings;
mod summary;
mod tally;
mod text;
mod timings;

pub use display::Display;
pub use elo::{Interval, Strength, elo_of_score, score_of_elo, superiority};
pub use game_report::{GameReport, Perfect, PlayerReport};
pub use grid::{Align, Grid};
pub use sample::Sample;
pub use side_record::SideRecord;
pub use sprt::{EloModel, Parameters, Sprt, SprtError, Verdict};
pub use standings::{Encounter, EngineRecord, Standings};
pub use summary::{AgainstTable, EncounterSummary, EngineSummary, SideSummary, SprtSummary, Summary};
pub use tally::{Pairs, Tally};
pub use timings::{TimingFigures, Timings};

#[cfg(test)]
mod tests;
