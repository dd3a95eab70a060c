//! Nearness of Rebels to the General.

use privy_search::eval::nearness::*;

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
        let [low, high] = [far - CERTAINTY * f64::from(before) / CERTAINTY_FORESIGHT, far + 1e-9];
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
