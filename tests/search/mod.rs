//! The search: exactness of its scores, history, repeatability, strength.

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
mod threads_speed;
