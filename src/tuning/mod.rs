//! Tuning: what is fitted to games, each with the check that it helps.
//!
//! - [`fit_weights`]: weights of the evaluation, from games of the engine against itself; their metrics on games held out.
//! - [`TrialRequest`]: are they better than those before?
//! - [`FittedLevels`]: skill levels, from games between players of many kinds; [`Rung`] measures one against the one below.
//! - [`EndgameRequest`]: does the engine without tables win what is won, and hold out in what is lost?
//! - [`MoverRequest`]: does it beat those who do not think?
//! - [`ScoredGames`]: win rates, from the scores and results of games; [`Reliability`] says how often they come true.

mod descent;
mod endgames;
mod games_file;
mod labels;
mod ladder;
mod logistic;
mod metrics;
mod movers;
mod network;
mod parameters;
mod regression;
mod request;
mod self_play;
mod skill_levels;
mod training_games;
mod trial;
mod weights;
mod win_rates;

pub use endgames::{Endgame, EndgameRequest, Endgames};
pub(crate) use games_file::{PlayedGames, play_into};
pub use ladder::Rung;
pub use metrics::Quality;
pub use movers::{Mover, MoverRequest, MoverResult};
pub use request::{FitError, FitProgress, FitRequest};
pub use skill_levels::FittedLevels;
pub use trial::{Trial, TrialRequest};
pub(crate) use weights::fit_weights_to;
pub use weights::{Fitted, fit_weights};
pub use win_rates::{Reliability, ScoredGames};
