//! The distance to the end of a game that evaluations are fitted to.
//!
//! An evaluation that only names the winner makes the engine stand well without progress. So the logarithm of the odds
//! that a won position is fitted to falls with the plies to the end.

/// Hundredths of a Rebel to a unit of log odds: the same in all variants, as the margins of the search are.
pub const SCALE: f64 = 600.0;
/// The log odds of a won position are `CERTAINTY`, plus `NEARNESS` at the very end, which decays by e in `FORESIGHT`
/// plies.
pub const CERTAINTY: f64 = 0.3;
const NEARNESS: f64 = 2.2;
const FORESIGHT: f64 = 35.0;
/// The part of the log odds up to `CERTAINTY` decays more slowly: by e in this many plies.
pub const CERTAINTY_FORESIGHT: f64 = 200.0;
/// Beyond this many plies the evaluation does not reflect the length; lower log odds add `BEYOND` plies for a unit.
const HORIZON: f64 = 120.0;
const BEYOND: f64 = 60.0;

/// Returns the log odds that a position won in this number of plies is fitted to.
pub fn log_odds_of_win_in(plies: u32) -> f64 {
    CERTAINTY + NEARNESS * (-f64::from(plies) / FORESIGHT).exp()
}

/// Returns the log odds of a position this many plies before one with these.
pub fn log_odds_before(log_odds: f64, plies: f64) -> f64 {
    let near = (log_odds.abs() - CERTAINTY).max(0.0) * (-plies / FORESIGHT).exp();
    let certain = log_odds.abs().min(CERTAINTY) * (-plies / CERTAINTY_FORESIGHT).exp();
    (near + certain).copysign(log_odds)
}

/// Returns the expected plies to the win of a side with this evaluation, in hundredths of a Rebel.
pub fn expected_plies(hundredths: i32) -> f64 {
    let nearness = (f64::from(hundredths) / SCALE - CERTAINTY) / NEARNESS;
    let least = (-HORIZON / FORESIGHT).exp();
    if nearness >= least {
        -FORESIGHT * nearness.min(1.0).ln()
    } else {
        HORIZON + BEYOND * NEARNESS * (least - nearness)
    }
}
