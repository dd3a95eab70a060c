//! The descent recovers what is planted, labels say what they should, better weights win their trial, and games that
//! can't be played are refused.

use std::sync::Arc;

use privy_protocol::Stop;

use super::descent::Descent;
use super::games::{Course, LabelTurn, LabelledPosition, exact_label};
use super::linear::{Features, LinearExample, Regression};
use super::*;
use crate::play::{check_begins, random_opening};
use privy_base::random::Random;
use privy_referee::statistics::Tally;
use privy_rules::board::{Point, PointSet};
use privy_rules::{Position, Side, Variant};
use privy_search::eval::{SideWeights, Weights};
use privy_tables::TableValue;

#[test]
fn a_certain_result_has_no_loss_and_nothing_overflows() {
    assert!(loss(0.0, 0.5).abs() < 1e-12);
    assert!((loss(0.0, 1.0) - std::f64::consts::LN_2).abs() < 1e-12);
    assert!(loss(50.0, 1.0) < 1e-12 && loss(-50.0, 0.0) < 1e-12);
    assert!((loss(10_000.0, 0.0) - 10_000.0).abs() < 1e-6);
}

#[test]
fn a_line_of_least_slope_matches_the_mean_result() {
    let falling: Vec<[f64; 3]> =
        (0..100).map(|n| [f64::from(n) / 4.0 - 30.0, f64::from(u8::from(n < 49)), 1.0]).collect();
    let (offset, slope) = fit_line(&falling, 0.02);
    assert_eq!(slope, 0.02);
    let expected: f64 = falling.iter().map(|[x, ..]| probability(offset + slope * x)).sum();
    assert!((expected - 49.0).abs() < 1.0, "{expected}");
}

#[test]
fn a_line_through_known_probabilities_is_recovered() {
    let samples: Vec<[f64; 3]> = (-20..=20)
        .flat_map(|n| {
            [1.0, 0.0].map(|won| {
                let p = probability(0.4 + 0.5 * f64::from(n) / 4.0);
                [f64::from(n) / 4.0, won, 1_000.0 * if won == 1.0 { p } else { 1.0 - p }]
            })
        })
        .collect();
    let (offset, slope) = fit_line(&samples, 0.001);
    assert!((offset - 0.4).abs() < 0.01 && (slope - 0.5).abs() < 0.01, "{offset} {slope}");
}

fn random_state(random: &mut Random) -> Position {
    let general = Point::new(random.below(25) as usize);
    let bits = random.next_number() & random.next_number() & ((1 << 25) - 1);
    Position::new(PointSet(bits).without(general), general, Side::General, false, 0)
}

/// A General near the bottom of the board is well off, and so it is without Rebels in the corner a1 or its image.
fn planted(state: &Position, variant: &Variant) -> f64 {
    let bottom = variant.board().bottom;
    let corners = variant.board().exits.len();
    let low = if bottom.contains(state.general()) { 1.5 } else { -0.5 };
    low - f64::from((state.rebels() & bottom).len()) + 0.4 * f64::from(state.rebels().len() + corners) - 2.0
}

#[test]
fn planted_weights_are_recovered() {
    let variant = Variant::builtin("sixteen-rebels").unwrap();
    let features = Features::new(&variant);
    let mut random = Random::new(9);
    let mut examples = |count: usize| -> Vec<LinearExample> {
        let positions = (0..count).map(|_| {
            let state = random_state(&mut random);
            let drawn = random.below(1 << 32) as f64 / (1u64 << 32) as f64;
            let result = f64::from(u8::from(drawn < probability(planted(&state, &variant))));
            features.example(&LabelledPosition { state, result, ply: 0, game: 0 })
        });
        positions.collect()
    };
    let (training, held_out) = (examples(40_000), examples(4_000));
    let stop = Stop::default();
    let fit = || Regression::new(&features, training.len()).train(&training, &held_out, 1, &|_, _| {}, &stop);
    let parameters = fit();
    assert_eq!(fit(), parameters);
    let weights = features.weights(&parameters, 1_000.0);
    let bottom = variant.board().bottom;
    let mean = |points: PointSet| {
        let weights = points.into_iter().map(|point| weights.rebels[12][point.index()]);
        f64::from(weights.sum::<i32>()) / f64::from(points.len())
    };
    let general = Point::new(12);
    let difference = mean(variant.rules().field.minus(bottom).without(general)) - mean(bottom.without(general));
    assert!((difference - 1_000.0).abs() < 150.0, "{difference}");
    let [low, high] = [0, 13].map(|index| weights.general[index]);
    // The weights of the Rebels around it explain a part.
    assert!((1_000..2_500).contains(&(low - high)), "{low} {high}");
}

/// Estimates in logits, each with whether an error followed.
fn course(turns: &[(f64, bool)]) -> Course {
    Course(turns.iter().map(|(estimate, is_error)| LabelTurn { estimate: *estimate, is_error: *is_error }).collect())
}

#[test]
fn labels_approach_the_result_towards_the_end() {
    let labels = course(&[(0.0, false); 8]).labels(Some(Side::Rebels), 0);
    assert!(labels.is_sorted_by(|before, after| before > after) && labels[0] < 0.5, "{labels:?}");
    let for_general = course(&[(0.0, false); 8]).labels(Some(Side::General), 0);
    labels.iter().zip(&for_general).for_each(|(one, other)| assert!((one + other - 1.0).abs() < 1e-9));
}

#[test]
fn labels_before_an_error_do_not_depend_on_the_result() {
    let turns = [(0.4, false), (0.7, true), (-1.0, false)];
    let (won, lost) = (course(&turns).labels(Some(Side::General), 0), course(&turns).labels(Some(Side::Rebels), 0));
    assert_eq!(won[..2], lost[..2]);
    assert_eq!(won[1], probability(0.7));
    assert!(won[2] > lost[2]);
}

#[test]
fn labels_fall_without_progress() {
    let labels = course(&[(0.9, false); 400]).labels(None, 0);
    assert!(labels.iter().all(|label| *label < probability(0.9) && *label >= 0.5), "{labels:?}");
    let aside = course(&[(0.9, false), (0.9, true)]);
    assert_eq!(aside.labels(Some(Side::Rebels), 0)[1], probability(0.9));
}

#[test]
fn exact_labels_are_those_of_the_general() {
    assert_eq!(exact_label(Side::General, TableValue::Win(4)), exact_label(Side::Rebels, TableValue::Loss(4)));
    assert!(exact_label(Side::Rebels, TableValue::Win(4)) < exact_label(Side::Rebels, TableValue::Win(14)));
    assert_eq!(exact_label(Side::Rebels, TableValue::Draw), 0.5);
}

fn request(new: Weights, old: Weights) -> WeightsTrial {
    let variant = Variant::builtin("shap-luk-kon").unwrap();
    WeightsTrial { variant, new, old, nodes: 300, most_pairs: 60, seed: 1 }
}

#[test]
fn fitted_weights_beat_zero_weights_and_not_themselves() {
    let fitted = Weights::of(&Variant::builtin("shap-luk-kon").unwrap());
    let nothing = Weights { general_to_move: SideWeights::none(), rebels_to_move: SideWeights::none() };
    let stop = Stop::default();
    let won = request(fitted.clone(), nothing.clone()).play(&|_| {}, &stop).unwrap();
    assert!(won.is_won(), "{won}");
    let lost = request(nothing, fitted.clone()).play(&|_| {}, &stop).unwrap();
    assert!(!lost.is_won(), "{lost}");
    let equal = request(fitted.clone(), fitted).play(&|_| {}, &stop).unwrap();
    let Tally { wins, losses, .. } = equal.results.games();
    assert!(!equal.is_won() && wins == losses, "{equal}");
}

/// Random games that all end at once: one error, and no endless search for an opening.
#[test]
fn a_game_without_random_openings_is_refused() {
    let text =
        privy_rules::games::get("sixteen-rebels").unwrap().rules.replace("id = \"sixteen-rebels\"", "id = \"short\"");
    let variant = Arc::new(Variant::from_toml(&(text + "move_limit = { plies = 1 }\n"), None).unwrap());
    assert!(check_begins(&variant).is_ok());
    let refused = random_opening(&variant, &mut Random::new(1), 8, &Stop::default()).unwrap_err();
    assert!(refused.to_string().starts_with("game over: every game of short "), "{refused}");
    let stop = Stop::default();
    stop.set();
    assert!(matches!(random_opening(&variant, &mut Random::new(1), 8, &stop), Err(CliError::Interrupted(_))));
}
