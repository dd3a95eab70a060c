//! The constants of alpha-beta that are tuned. Everybody plays with the defaults; `privy-lab fit search` tries others.

use serde::{Deserialize, Serialize};

/// Constants of alpha-beta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Half the width of the first aspiration window, in hundredths of a Rebel.
    pub aspiration: i32,
    /// Futility pruning: what a quiet move may gain for each ply to the horizon, in hundredths of a Rebel.
    pub futility_margin: i32,
    /// Late move pruning: the quiet moves that are searched, in hundredths; times the square of the depth.
    pub late_moves: i32,
    /// Late move reductions: hundredths of a ply, times ln(depth) ln(place of the move + 1).
    pub reduction: i32,
    /// What the best history takes from a reduction, and the worst adds to it, in hundredths of a ply.
    pub reduction_by_history: i32,
    /// The weight of continuation history beside that of the plain one, which is 100.
    pub continuation: i32,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            aspiration: 60,
            futility_margin: 150,
            late_moves: 300,
            reduction: 67,
            reduction_by_history: 100,
            continuation: 100,
        }
    }
}
