//! Evaluation: what a position that is not decided is worth, in hundredths of a Rebel.
//!
//! [`Evaluation::evaluate`] is called at every horizon of the search, so it is linear and cheap: a sum of weights times counts.
//! There are three kinds:
//!
//! - *Tables by a count*: the value of each number of Rebels, of empty points next to the General (mobility), of points that it
//!   could walk to (freedom).
//! - *Terms with one weight each* ([`Terms`]): adjacent Rebels, steps of the Rebels, captures that threaten, and so on.
//!   [`Patterns`] counts them at all points of the board at once.
//! - *General-relative piece-square tables*: a weight for the General on each point, and for each point of the General a weight
//!   for a Rebel on every other point. They are kept as bits, so that a sum takes a few population counts.
//!
//! There is one set of weights for either side to move; all are seen from the General. [`Value`] is what comes out: seen from the
//! side to move, in a band of its own below all wins and above all losses.
//!
//! # Where weights come from
//!
//! [`Weights::of`] takes the first that there is: a file beside the variant's own (`NAME.weights.toml`), weights that were fitted
//! to the rules of a built-in game (by fingerprint, whatever the variant is called), and else those of the family of games,
//! a few numbers spread over the tables. `privy fit` makes such files; `docs/EVALUATION.md` says how.
//!
//! # Invariants
//!
//! - Mirror images are worth the same.
//! - An evaluation never reaches the band of wins and losses; the end of its own band is left to wins whose length is not proved.
//! - Weights that can't be read are left aside with a line in the log; built-in ones are read by a test.
//!
//! Tests: beside each file; `tests/cli/fit.rs` fits weights and reads them back.

mod evaluation;
mod family_weights;
mod nearness;
mod network;
mod terms;
mod value;
mod weight_files;
mod weights;

pub use evaluation::Evaluation;
pub use nearness::SCALE;
pub(crate) use nearness::{expected_plies, log_odds_before, log_odds_of_win_in};
pub use network::Network;
pub(crate) use network::{FLAGS, ONE, UNITS, generals};
pub use terms::{Patterns, Terms};
pub use value::{MAX_DISTANCE, Value, plies};
pub use weight_files::WeightsFileError;
pub use weights::{SideWeights, Weights, WeightsError};
