//! The test of two hypotheses, against figures that others have published.

use crate::fault::BadSetting;

use super::super::{EloModel, Pairs, ScoreSample, Sprt, SprtParameters, SprtVerdict, Tally};
use super::{assert_printed, tally};

fn test_of(model: EloModel, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, BadSetting> {
    SprtParameters { model, elo0, elo1, alpha, beta }.try_into()
}

fn ratio_of_pairs(model: EloModel, elo0: f64, elo1: f64, pairs: [u64; 5]) -> f64 {
    let test = test_of(model, elo0, elo1, 0.05, 0.05).unwrap();
    test.log_likelihood_ratio(&ScoreSample::new(&Tally::default(), &Pairs(pairs)))
}

/// Wald's bounds. With α = β = 0.05 they are ±ln 19 = ±2.9444, which Fishtest and fastchess print as (-2.94, 2.94).
/// With α = 0.05, β = 0.1: ln(0.1 / 0.95) = −2.2513, ln(0.9 / 0.05) = 2.8904; OpenBench prints (-2.25, 2.89).
#[test]
fn bounds_are_those_of_wald() {
    let test = test_of(EloModel::Logistic, 0.0, 5.0, 0.05, 0.05).unwrap();
    assert_printed(test.upper(), 19f64.ln(), 12);
    assert_printed(test.lower(), -2.9444, 4);
    let test = test_of(EloModel::Normalized, 0.0, 5.0, 0.05, 0.1).unwrap();
    assert_printed(test.lower(), -2.2513, 4);
    assert_printed(test.upper(), 2.8904, 4);
}

/// Tests of Stockfish as Fishtest has decided them, with bounds in normalized Elo: `<elo0, elo1>`.
///
/// - official-stockfish/Stockfish, pull requests 4673, 5502 (three tests), 6112
#[test]
fn normalized_pairs_as_fishtest_decides() {
    for (elo0, elo1, pairs, printed) in [
        (-1.75, 0.25, [98, 4277, 9977, 4464, 112], 2.93),
        (0.0, 2.0, [207, 7132, 15665, 7469, 215], 2.93),
        (0.5, 2.5, [64, 11092, 27581, 11514, 80], 2.94),
        (-1.75, 0.25, [18, 3084, 7620, 3273, 33], 2.96),
        (-1.75, 0.25, [977, 42640, 92614, 42599, 930], 2.94),
    ] {
        assert_printed(ratio_of_pairs(EloModel::Normalized, elo0, elo1, pairs), printed, 2);
    }
}

/// Tests from the time when Fishtest's bounds were logistic Elo: `{elo0, elo1}`.
///
/// - official-stockfish/Stockfish, pull requests 2913 (two tests) and 3103
#[test]
fn logistic_pairs_as_fishtest_decides() {
    for (elo0, elo1, pairs, printed) in [
        (-1.5, 0.5, [2073, 13759, 27890, 13977, 1973], 2.97),
        (-1.5, 0.5, [284, 3870, 12995, 3876, 311], 2.95),
        (-1.25, 0.25, [293, 5085, 20082, 5070, 326], 2.95),
    ] {
        assert_printed(ratio_of_pairs(EloModel::Logistic, elo0, elo1, pairs), printed, 2);
    }
}

/// The raw statistics of the test on montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712: "Logistic (exact)
/// -0.53772" for 0 against 2.716 Elo, "Normalized (exact) -0.54912" for 0 against 4.
#[test]
fn both_models_to_five_decimals() {
    let pairs = [13, 37, 50, 25, 3];
    assert_printed(ratio_of_pairs(EloModel::Normalized, 0.0, 4.0, pairs), -0.54912, 5);
    // The page rounds the Elo to three decimals, so the fifth decimal of the ratio is open.
    assert!((ratio_of_pairs(EloModel::Logistic, 0.0, 2.716, pairs) + 0.53772).abs() < 0.0001);
}

/// fastchess with its default, normalized Elo: brunocodutra/cinder, pull requests 727, 836; xu-shawn/Serendipity, pull
/// requests 55, 62; ProgramciDusunur/Potential, pull request 12; OpenBench: PlentyChess 334.
#[test]
fn normalized_pairs_as_fastchess_decides() {
    for (elo0, elo1, pairs, printed) in [
        (0.0, 5.0, [50, 287, 610, 387, 73], 2.97),
        (0.0, 3.0, [835, 6884, 13116, 7201, 852], 2.89),
        (-5.0, 3.0, [283, 1151, 2214, 1221, 281], 2.95),
        (0.0, 8.0, [153, 1043, 2108, 1159, 167], 2.95),
        (0.0, 10.0, [84, 240, 451, 274, 119], 3.01),
        (0.0, 2.5, [214, 8992, 19871, 9102, 235], 0.16),
    ] {
        assert_printed(ratio_of_pairs(EloModel::Normalized, elo0, elo1, pairs), printed, 2);
    }
}

/// The unit test of fastchess (Disservin/fastchess, app/tests/sprt_test.cpp), its relative tolerance being 1 %: pairs
/// and games, both models.
#[test]
fn the_unit_test_of_fastchess() {
    let close = |found: f64, printed: f64| assert!((found - printed).abs() <= 0.01 * (1.0 + printed.abs()), "{found}");
    close(ratio_of_pairs(EloModel::Normalized, 0.0, 2.0, [365, 16618, 36229, 16974, 390]), 2.25);
    close(ratio_of_pairs(EloModel::Normalized, -1.75, 0.25, [127, 4883, 10712, 5150, 104]), 3.01);
    close(ratio_of_pairs(EloModel::Logistic, 0.5, 2.5, [223, 9863, 21279, 10037, 246]), -3.07);
    close(ratio_of_pairs(EloModel::Logistic, 0.0, 2.0, [871, 26175, 55983, 26678, 821]), -4.98);
    let of_games = |model, elo0, elo1, games: Tally| {
        let test = test_of(model, elo0, elo1, 0.05, 0.05).unwrap();
        test.log_likelihood_ratio(&ScoreSample::new(&games, &Pairs::default()))
    };
    close(of_games(EloModel::Normalized, 0.0, 2.0, tally(36433, 68692, 36027)), 0.92);
    close(of_games(EloModel::Normalized, -1.75, 0.25, tally(10871, 20431, 10650)), 2.30);
    close(of_games(EloModel::Logistic, 0.5, 2.5, tally(21404, 40708, 21184)), -1.57);
    close(of_games(EloModel::Logistic, 0.0, 2.0, tally(57433, 106593, 57030)), -2.59);
}

/// Without draws the hypotheses leave nothing open, so the ratio is the plain one of a coin: with s = 1 / (1 + 10^(−Elo
/// / 400)), W ln(s₁ / s₀) + L ln((1 − s₁) / (1 − s₀)). For 60 wins, 40 losses, 0 against 400 ln 3 / ln 10 = 190.85 Elo,
/// at which s₁ = ¾: 60 ln 1.5 + 40 ln 0.5 = 24.3279 − 27.7259 = −3.3980.
#[test]
fn games_without_draws_have_the_ratio_of_a_coin() {
    let elo1 = 400.0 * 3f64.log10();
    let test = test_of(EloModel::Logistic, 0.0, elo1, 0.05, 0.05).unwrap();
    let ratio = test.log_likelihood_ratio(&ScoreSample::new(&tally(60, 0, 40), &Pairs::default()));
    // The draws that are not there count a thousandth of a game.
    assert_printed(ratio, -3.3980, 2);
    assert_eq!(test.verdict(ratio), SprtVerdict::H0);
}

#[test]
fn verdicts_follow_from_the_bounds() {
    let test = test_of(EloModel::Normalized, 0.0, 5.0, 0.05, 0.05).unwrap();
    assert_eq!(test.verdict(0.0), SprtVerdict::Undecided);
    assert_eq!(test.verdict(2.94), SprtVerdict::Undecided);
    assert_eq!(test.verdict(2.95), SprtVerdict::H1);
    assert_eq!(test.verdict(-2.95), SprtVerdict::H0);
}

#[test]
fn invalid_parameters_are_refused() {
    let error = |model, elo0, elo1, alpha, beta| test_of(model, elo0, elo1, alpha, beta).unwrap_err().to_string();
    let model = EloModel::Logistic;
    assert_eq!(error(model, 5.0, 5.0, 0.05, 0.05), "value out of range: elo0 must be less than elo1, found 5 and 5");
    assert_eq!(
        error(model, 0.0, 5.0, 0.0, 0.05),
        "value out of range: alpha: expected a probability above 0 and below 0.5, found 0"
    );
    assert_eq!(
        error(EloModel::Normalized, 0.0, 300.0, 0.05, 0.05),
        "value out of range: normalized Elo of a hypothesis: expected -200 to 200, found 300"
    );
    assert!(test_of(model, f64::NAN, 5.0, 0.05, 0.05).is_err());
    assert!(test_of(model, 0.0, 5.0, 0.05, f64::NAN).is_err());
    assert_eq!("normalised".parse(), Ok(EloModel::Normalized));
    assert!("bayesian".parse::<EloModel>().is_err());
}
