//! Elo, its errors, and superiority, against figures that others have published.

use super::super::strength::{cumulative, elo_of_score, score_of_elo, superiority};
use super::super::{Pairs, Strength, Tally};
use super::{assert_printed, of_games, of_pairs, tally};

/// Wikipedia, "Elo rating system", section Theory: "A player whose rating is 100 points greater than their opponent's
/// is expected to score 64%; if the difference is 200 points, then the expected score for the stronger player is 76%."
#[test]
fn expected_scores_of_rating_differences() {
    assert_printed(score_of_elo(100.0), 0.64, 2);
    assert_printed(score_of_elo(200.0), 0.76, 2);
    // 1 / (1 + 10^-1) = 10 / 11.
    assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
    // -400 log10(1 / 0.64 - 1) = -400 log10(0.5625) = -400 * -0.249877 = 99.951.
    assert_printed(elo_of_score(0.64), 99.951, 3);
    assert_eq!(elo_of_score(0.5), 0.0);
}

/// Abramowitz and Stegun, "Handbook of Mathematical Functions", table 26.1.
#[test]
fn the_normal_distribution() {
    for (deviations, probability) in [
        (0.0, 0.5),
        (0.5, 0.691_462_461_274_013),
        (1.0, 0.841_344_746_068_543),
        (2.0, 0.977_249_868_051_821),
        (3.0, 0.998_650_101_968_370),
        (-1.0, 0.158_655_253_931_457),
        (-3.0, 0.001_349_898_031_630),
    ] {
        assert_printed(cumulative(deviations), probability, 14);
    }
    assert_printed(cumulative(1.959_963_984_540_054), 0.975, 12);
    assert_eq!((cumulative(40.0), cumulative(-40.0), cumulative(f64::NAN)), (1.0, 0.0, 0.5));
}

/// talkchess.com, "Calculating the LOS (likelihood of superiority) from results", 22 January 2014: for 5,975 wins and
/// 6,077 losses "the exact LOS is 0.176424…", and the formula with the error function agrees. By hand: (5975 − 6077) /
/// √12052 = −102 / 109.78160 = −0.92912.
#[test]
fn superiority_from_wins_and_losses() {
    assert_printed(superiority(5975, 6077), 0.1764, 4);
    assert_printed(superiority(6077, 5975), 1.0 - 0.1764, 4);
}

/// What cutechess-cli has printed: wins, losses, draws; score; Elo difference and error; superiority; share of draws.
///
/// - talkchess.com, viewtopic.php?t=84211
/// - talkchess.com, viewtopic.php?t=74874
/// - archishou/MidnightChessEngine, changelog.md, the entries "Add History Heuristic" and "History with tighter bounds"
#[test]
fn games_as_cutechess_counts_them() {
    for ((wins, losses, draws), score, elo, error, likely, draw_rate) in [
        ((364, 346, 218), 0.510, 6.7, 19.5, 75.0, 23.5),
        ((5807, 5491, 7081), 0.509, 6.0, 3.9, 99.9, 38.5),
        ((449, 276, 275), 0.587, 60.7, 18.5, 100.0, 27.5),
        ((382, 320, 298), 0.531, 21.6, 18.1, 99.0, 29.8),
    ] {
        let games = tally(wins, draws, losses);
        assert_printed(games.score().unwrap(), score, 3);
        assert_printed(100.0 * games.draw_rate().unwrap(), draw_rate, 1);
        let strength = of_games(wins, draws, losses);
        assert_printed(strength.elo, elo, 1);
        // cutechess-cli works with an approximation of the quantile.
        assert!((strength.elo_interval.unwrap().error().unwrap() - error).abs() < 0.1);
        assert_printed(100.0 * superiority(wins, losses), likely, 1);
        assert!((100.0 * strength.superiority - likely).abs() < 0.2);
    }
}

/// The unit test `EloWDL` of fastchess (Disservin/fastchess, app/tests/elo_test.cpp): wins, losses, draws; normalized
/// Elo and error; superiority.
#[test]
fn normalized_elo_of_games_as_fastchess_computes_it() {
    for ((wins, losses, draws), elo, error, likely) in
        [((76, 89, 123), -20.76, 40.13, 15.53), ((136, 96, 111), 49.77, 36.77, 99.60)]
    {
        let strength = of_games(wins, draws, losses);
        let normalized = strength.normalized_elo.unwrap();
        assert_printed(normalized.estimate, elo, 2);
        assert_printed(normalized.error().unwrap(), error, 2);
        assert_printed(100.0 * strength.superiority, likely, 2);
    }
    let strength = of_games(136, 111, 96);
    assert_printed(strength.elo, 40.70, 2);
    assert_printed(strength.elo_interval.unwrap().error().unwrap(), 30.43, 2);
}

/// What fastchess has computed from pairs: Elo and error, normalized Elo and error, superiority.
///
/// - its unit test `EloPentanomial` (Disservin/fastchess, app/tests/elo_test.cpp)
/// - Disservin/fastchess, issue 807
/// - xu-shawn/Serendipity, pull requests 55 and 62
/// - ProgramciDusunur/Potential, pull request 12
/// - brunocodutra/cinder, pull requests 727 and 836
#[test]
fn pairs_as_fastchess_counts_them() {
    for (pairs, (elo, elo_error), (normalized, normalized_error), likely) in [
        ([34, 54, 63, 64, 75], (55.58, 27.65), (57.94, 28.28), 100.00),
        ([332, 433, 498, 333, 334], (-8.64, 10.33), (-9.17, 10.96), 5.05),
        ([30, 6, 18, 0, 6], (-168.40, 73.37), (-170.08, 62.16), 0.00),
        ([283, 1151, 2214, 1221, 281], (2.23, 4.50), (3.32, 6.71), 83.40),
        ([153, 1043, 2108, 1159, 167], (5.40, 4.34), (8.82, 7.08), 99.27),
        ([84, 240, 451, 274, 119], (15.48, 10.60), (20.60, 14.09), 99.79),
        ([50, 287, 610, 387, 73], (18.04, 8.23), (28.19, 12.84), 100.00),
        ([835, 6884, 13116, 7201, 852], (2.11, 1.70), (3.52, 2.83), 99.25),
    ] {
        let strength = of_pairs(pairs);
        assert_printed(strength.elo, elo, 2);
        assert_printed(strength.elo_interval.unwrap().error().unwrap(), elo_error, 2);
        let found = strength.normalized_elo.unwrap();
        assert_printed(found.estimate, normalized, 2);
        assert_printed(found.error().unwrap(), normalized_error, 2);
        assert_printed(100.0 * strength.superiority, likely, 2);
    }
}

/// What OpenBench has printed for pairs: Elo and the larger of its two errors, up and down (Yoshie2000/PlentyChess,
/// pull request 334; PGG106/Alexandria, pull requests 504 and 513).
#[test]
fn pairs_as_openbench_counts_them() {
    for (pairs, elo, error) in [
        ([214, 8992, 19871, 9102, 235], 0.69, 1.25),
        ([5, 942, 2469, 1050, 5], 4.20, 3.43),
        ([26, 1038, 2311, 1199, 44], 7.41, 3.70),
        ([95, 3167, 7034, 3403, 95], 2.97, 2.11),
    ] {
        let strength = of_pairs(pairs);
        let interval = strength.elo_interval.unwrap();
        assert_printed(strength.elo, elo, 2);
        assert_printed((interval.high - strength.elo).max(strength.elo - interval.low), error, 2);
    }
}

/// A page of raw statistics of a Fishtest server, montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712: 256 games,
/// pairs [13, 37, 50, 25, 3], expected value 0.43750, variance 0.05762, variance per game 0.11523, Elo -43.6578 and
/// normalized Elo -63.97. By hand: (13·0 + 37·¼ + 50·½ + 25·¾ + 3·1) / 128 = 56 / 128 = 0.4375, and (0.4375 − 0.5) ·
/// 347.4356 / √0.11523 = −63.97.
#[test]
fn pairs_as_fishtest_counts_them() {
    let strength = of_pairs([13, 37, 50, 25, 3]);
    assert_printed(strength.elo, -43.6578, 4);
    assert_printed(strength.normalized_elo.unwrap().estimate, -63.97, 2);
}

/// JSON writes the sign of a zero.
#[test]
fn no_figure_of_an_even_match_is_minus_zero() {
    for games in 1..=8 {
        for tally in [Tally { wins: games, losses: games, draws: 0 }, Tally { wins: 0, losses: 0, draws: games }] {
            let strength = Strength::new(&tally, &Pairs::default());
            let json = serde_json::to_string(&strength).unwrap();
            assert!(json.contains("\"elo\":0.0") && !json.contains("-0.0,"), "{json}");
        }
    }
}
