//! Evaluation: the static value of an undecided position, in hundredths of a Rebel.
//!
//! [`Evaluation::evaluate`] is called at every horizon of the search, so it is linear and cheap: a sum of weights times
//! counts. There are three kinds of weights:
//!
//! - *Tables by a count*: the value of each number of Rebels, of empty points next to the General (mobility), of points
//!   that it could walk to (freedom).
//! - *Terms with one weight each* ([`Terms`]): adjacent Rebels, steps of the Rebels, captures that threaten, and so on.
//!   [`Patterns`] counts them at all points of the board at once.
//! - *General-relative piece-square tables*: a weight for the General on each point, and for each point of the General
//!   a weight for a Rebel on every other point. They are kept as bits, so that a sum takes a few population counts.
//!
//! There is a set of weights for either side to move, for the General. The result is a [`Value`] for the side to move,
//! in a separate band below all wins and above all losses.
//!
//! # Where weights come from
//!
//! [`Weights::of`] takes the first of: a file beside the variant's own (`NAME.weights.toml`), weights fitted to the
//! rules of a built-in game (by fingerprint, not by name), the weights of the family of games. `privy-lab fit weights`
//! makes such files; `docs/EVALUATION.md` says how.
//!
//! # Invariants
//!
//! - Mirror images have the same value.
//! - An evaluation never reaches the band of wins and losses; the end of this band is reserved for wins of unproved
//!   length.
//! - Unreadable weights are ignored with a line in the log; a test reads the built-in ones.
//!
//! Tests: in the files and in `tests`; `tests/cli/fit.rs` of the package fits weights and reads them back.

#[doc(hidden)]
pub mod default_weights;
#[doc(hidden)]
pub mod evaluation;
#[doc(hidden)]
pub mod nearness;
#[doc(hidden)]
pub mod network;
#[doc(hidden)]
pub mod terms;
#[doc(hidden)]
pub mod value;
#[doc(hidden)]
pub mod weights;

pub use default_weights::FamilyWeights;
pub use evaluation::Evaluation;
pub use nearness::SCALE;
pub(crate) use nearness::expected_plies;
pub use nearness::{log_odds_before, log_odds_of_win_in};
pub use network::Network;
pub use network::{FLAGS, ONE, UNITS, generals};
pub use terms::{Patterns, TABLES, TERMS, Terms};
pub use value::{MAX_DISTANCE, Value, plies};
pub use weights::{SideWeights, Weights, WeightsError};
