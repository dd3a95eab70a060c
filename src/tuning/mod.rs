//! Tuning: what is fitted to games, each with the check that it helps.
//!
//! - `weights`: weights of the evaluation, fitted to games of the engine against itself, and tried against the old ones.
//! - `skill_levels`: skill levels, fitted to games between players of many kinds, and measured each against the one below.
//! - `win_rates`: win rates, fitted to scores and results of games; their reliability in other games.
//! - `opponents`: does the engine without tables win won positions, hold out in lost ones, and beat players without search?

mod descent;
mod games_file;
mod network;
mod opponents;
mod parameters;
mod regression;
mod self_play;
mod skill_levels;
mod training_games;
mod weights;
mod win_rates;

pub(crate) use games_file::{PlayedGames, play_into};
pub use opponents::Mover;
pub(crate) use opponents::{EndgameRequest, MoverRequest};
pub(crate) use self_play::FitError;
pub(crate) use skill_levels::{FittedLevels, Rung};
pub(crate) use training_games::{FitProgress, FitRequest};
pub(crate) use weights::{Fitted, TrialRequest, fit_weights};
pub(crate) use win_rates::{ScoredGames, UNSEEN};
