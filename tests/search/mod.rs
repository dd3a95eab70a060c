//! The search: exactness of its scores, history, repeatability, strength.

mod exact;
mod history;
mod progress;
mod proofs;
mod repeatable;
mod signature;
mod strength;
