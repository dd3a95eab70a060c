//! How near its end an evaluation says a game is: what evaluations are fitted to.
//!
//! An evaluation that tells who wins alone has the engine stand well and not come closer. So the logarithm of the odds that a
//! won position is fitted to falls with the plies to its end.

/// Hundredths of a Rebel to a unit of the logarithm of the odds: in all variants the same, so that the margins of the search mean the
/// same everywhere.
pub const SCALE: f64 = 600.0;

/// The logarithm of the odds of a won position is the first number, and the second one more at the very end, falling to one e-th of
/// that in so many plies.
const CERTAINTY: f64 = 0.3;
const NEARNESS: f64 = 2.2;
const FORESIGHT: f64 = 35.0;

/// What a position is worth that is not nearer its end than certainty tells falls more slowly: to one e-th in so many plies.
const PATIENCE: f64 = 200.0;

/// So far off a game may end that the evaluation tells no more; one that says less than this adds so many plies for a unit.
const HORIZON: f64 = 120.0;
const BEYOND: f64 = 60.0;

/// The logarithm of the odds that a position won in so many plies is fitted to.
pub(crate) fn log_odds_of_win_in(plies: u32) -> f64 {
    CERTAINTY + NEARNESS * (-f64::from(plies) / FORESIGHT).exp()
}

/// The logarithm of the odds of a position from which so many plies lead to one with these: who stands still comes no nearer.
pub(crate) fn log_odds_before(log_odds: f64, plies: f64) -> f64 {
    let near = (log_odds.abs() - CERTAINTY).max(0.0) * (-plies / FORESIGHT).exp();
    let certain = log_odds.abs().min(CERTAINTY) * (-plies / PATIENCE).exp();
    (near + certain).copysign(log_odds)
}

/// The plies after which a side that has this evaluation may expect to have won, in hundredths of a Rebel; the less it is ahead, the more.
pub(crate) fn expected_plies(hundredths: i32) -> f64 {
    let nearness = (f64::from(hundredths) / SCALE - CERTAINTY) / NEARNESS;
    let least = (-HORIZON / FORESIGHT).exp();
    if nearness >= least {
        -FORESIGHT * nearness.min(1.0).ln()
    } else {
        HORIZON + BEYOND * NEARNESS * (least - nearness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_come_back_from_the_odds_that_they_give() {
        for plies in [0, 1, 16, 40, 100] {
            let hundredths = (log_odds_of_win_in(plies) * SCALE).round() as i32;
            assert!((expected_plies(hundredths) - f64::from(plies)).abs() < 1.0, "{plies}");
        }
    }

    #[test]
    fn plies_before_a_win_make_it_as_far_off_as_it_is() {
        for (plies, before) in [(0, 10), (16, 30), (40, 1)] {
            let odds = log_odds_before(log_odds_of_win_in(plies), f64::from(before));
            let far = log_odds_of_win_in(plies + before);
            let [low, high] = [far - CERTAINTY * f64::from(before) / PATIENCE, far + 1e-9];
            assert!((low..=high).contains(&odds), "{plies} {before}: {odds}");
            assert!((log_odds_before(-log_odds_of_win_in(plies), f64::from(before)) + odds).abs() < 1e-9);
        }
        assert_eq!(log_odds_before(0.0, 5.0), 0.0);
    }

    #[test]
    fn a_side_that_is_less_ahead_expects_a_longer_game() {
        let plies: Vec<f64> = (-3_000..3_000).rev().map(expected_plies).collect();
        assert!(plies.is_sorted() && plies[0] == 0.0 && plies.last().is_some_and(|most| *most > 300.0));
    }
}
