//! Exact wins: a bounded AND/OR search with its admissible bounds.

pub(super) mod bounds;
mod distance_to_win;
pub(super) mod proof_budget;
pub(super) mod prover;
mod rebel_distance;
pub(super) mod root_proof;
