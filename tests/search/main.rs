//! The search: exactness of its scores, history, repeatability, strength.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod baselines;
mod exact;
mod history;
mod keeps;
mod play_style;
mod progress;
mod proofs;
mod repeatable;
mod signature;
mod strength;
mod strength_ladder;
#[path = "../support/mod.rs"]
mod support;
mod threads_speed;
