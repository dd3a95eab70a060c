//! The evaluation.

use privy_rules::board::{MAX_POINTS, PointSet};
use privy_rules::{Game, Position, Variant};
use privy_search::eval::value::Value;
use privy_search::eval::weights::Weights;
use std::sync::Arc;

use proptest::prelude::*;

use privy_rules::rule_set::RuleSet;
use privy_search::eval::evaluation::*;

/// By the weights of the family: in fitted ones a Rebel more need not be good wherever it stands.
fn family_value(text: &str) -> Value {
    let builtin = Variant::builtin("sixteen-rebels").unwrap();
    let words = RuleSet { rebels_at_most: Some(0), ..builtin.rule_set().clone() };
    let variant = Arc::new(builtin.with_words(words).unwrap());
    let game = Game::from_text(text, Some(&variant)).unwrap();
    Evaluation::new(&variant, Weights::of(&variant)).evaluate(variant.rules(), game.position())
}

#[test]
fn another_rebel_is_good_for_the_rebels_and_bad_for_the_general() {
    let ring = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr";
    let gap = "1/3/rrrrr/r3r/r1G1r/r3r/1rrrr";
    assert!(family_value(&format!("{gap} g")) > family_value(&format!("{ring} g")));
    assert!(family_value(&format!("{gap} r")) < family_value(&format!("{ring} r")));
}

#[test]
fn mirror_images_have_the_same_value() {
    for text in ["1/3/rrrrr/r3r/r1G1r/r2r1/rrr1r g", "1/1G1/r3r/1r3/2r1r/r3r/rrrrr r - 0 0 shap-luk-kon"] {
        let game = Game::from_text(text, None).unwrap();
        let variant = game.variant();
        let evaluation = Evaluation::new(variant, Weights::of(variant));
        let mirrored = variant.mirror(game.position());
        assert_ne!(&mirrored, game.position());
        let value = |position: &Position| evaluation.evaluate(variant.rules(), position);
        assert_eq!(value(&mirrored), value(game.position()));
    }
}

proptest! {
    #[test]
    fn the_sum_is_the_plain_sum(weights in proptest::collection::vec(-1000..1000i32, MAX_POINTS), points: u64) {
        let weights: [i32; MAX_POINTS] = weights.try_into().unwrap();
        let points = PointSet(points);
        let unit = unit_for(1000);
        let plain: i32 = points.into_iter().map(|point| rounded(weights[point.index()], unit)).sum();
        prop_assert_eq!(PieceSquare::new(&weights, unit).sum(points), plain);
    }
}

#[test]
fn units_are_as_small_as_the_weights_allow() {
    assert_eq!([0, 5, 127, 128, 400, u32::MAX].map(unit_for), [1, 1, 1, 2, 4, 1 << 26]);
    assert_eq!([-6, -5, -2, 0, 1, 2, 6].map(|weight| rounded(weight, 4)), [-1, -1, 0, 0, 0, 1, 2]);
}
