//! Tuning: weights of the evaluation, fitted to games of the engine against itself, with the check that they help.
//!
//! From the ground up: `play` (games to fit and to measure with, which the laboratory `privy-lab` uses too), `descent` (gradient descent, and
//! logistic regression on one number), `games` (positions with labels), `network` and `linear` (what the evaluation is made of), `weights` (the
//! fit, and the match against the weights before).

mod descent;
mod games;
mod linear;
mod network;
mod play;
mod weights;

pub use descent::{fit_line, loss, probability};
pub use games::{FitProgress, FitRequest};
pub use play::{
    FitError, PairResults, best_by_search, best_by_table, check_begins, check_stop, play_out, play_pair, random_opening,
};
pub use weights::{Fitted, WeightsTrial, fit_weights};

#[cfg(test)]
mod tests;
