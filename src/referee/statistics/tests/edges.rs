//! Few games, and games that all end alike: no figure may be NaN.

use proptest::prelude::*;

use super::super::{EloModel, Pairs, ScoreSample, Sprt, SprtParameters, Strength, Tally};
use super::{of_games, of_pairs, tally};

#[test]
fn without_games_there_is_no_strength() {
    assert_eq!(Strength::new(&Tally::default(), &Pairs::default()), None);
    assert_eq!((Tally::default().score(), Tally::default().draw_rate()), (None, None));
}

#[test]
fn wins_alone_are_infinitely_better_without_an_error() {
    let strength = of_games(12, 0, 0);
    assert_eq!((strength.elo, strength.elo_interval, strength.normalized_elo), (f64::INFINITY, None, None));
    // 12 / √12 standard deviations.
    assert!((strength.superiority - 0.999_734).abs() < 1e-6);
    assert_eq!(of_games(0, 0, 12).elo, f64::NEG_INFINITY);
}

#[test]
fn draws_alone_are_equal_without_an_error() {
    let strength = of_games(0, 30, 0);
    assert_eq!((strength.elo, strength.elo_interval, strength.superiority), (0.0, None, 0.5));
}

#[test]
fn one_pair_has_no_error() {
    let strength = of_pairs([0, 0, 0, 1, 0]);
    assert!((strength.elo - 190.848).abs() < 1e-3, "400 log10 3");
    assert_eq!((strength.elo_interval, strength.normalized_elo), (None, None));
}

/// An interval that reaches a score of 1 has no upper end.
#[test]
fn an_interval_may_be_open() {
    let strength = of_pairs([0, 0, 0, 1, 4]);
    let interval = strength.elo_interval.unwrap();
    assert!(interval.low > 0.0 && interval.low < interval.estimate);
    assert_eq!((interval.high, interval.error()), (f64::INFINITY, None));
    // A normalized difference always has ends.
    assert!(strength.normalized_elo.unwrap().error().is_some());
}

#[test]
fn pairs_come_before_games() {
    let games = tally(9, 1, 0);
    assert_eq!(ScoreSample::new(&games, &Pairs::default()).games_each(), 1);
    let sample = ScoreSample::new(&games, &Pairs([0, 0, 1, 0, 0]));
    assert_eq!((sample.games_each(), sample.size()), (2, 1));
}

fn counts() -> impl Strategy<Value = [u64; 5]> {
    let count = prop_oneof![Just(0u64), 1..4u64, 0..1000u64, Just(1_000_000u64)];
    [count.clone(), count.clone(), count.clone(), count.clone(), count]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn estimates_are_numbers(counts in counts(), in_pairs: bool) {
        let games = tally(counts[0], counts[1], counts[2]);
        let pairs = if in_pairs { Pairs(counts) } else { Pairs::default() };
        let Some(strength) = Strength::new(&games, &pairs) else {
            return Ok(());
        };
        prop_assert!(!strength.elo.is_nan());
        prop_assert!((0.0..=1.0).contains(&strength.superiority));
        for interval in strength.elo_interval.into_iter().chain(strength.normalized_elo) {
            prop_assert!(interval.low <= interval.estimate && interval.estimate <= interval.high);
        }
    }

    #[test]
    fn ratios_are_numbers_and_symmetric(
        counts in counts(), model in prop_oneof![Just(EloModel::Logistic), Just(EloModel::Normalized)],
        low in -1.0f64..1.0, width in 0.01f64..1.0,
    ) {
        let limit = model.limit();
        let (elo0, elo1) = (low * limit, (low + width).min(1.0) * limit);
        prop_assume!(elo0 < elo1);
        let test: Sprt = SprtParameters { model, elo0, elo1, alpha: 0.05, beta: 0.05 }.try_into().unwrap();
        let ratio = |counts: [u64; 5]| test.log_likelihood_ratio(&ScoreSample::new(&Tally::default(), &Pairs(counts)));
        let found = ratio(counts);
        prop_assert!(found.is_finite());
        // From the opponent's point of view the hypotheses change places.
        let mirrored = SprtParameters { model, elo0: -elo1, elo1: -elo0, alpha: 0.05, beta: 0.05 };
        let mirrored: Sprt = mirrored.try_into().unwrap();
        let mut reversed = counts;
        reversed.reverse();
        let other = mirrored.log_likelihood_ratio(&ScoreSample::new(&Tally::default(), &Pairs(reversed)));
        prop_assert!((found + other).abs() <= 1e-6 * (1.0 + found.abs()), "{found} {other}");
    }
}
