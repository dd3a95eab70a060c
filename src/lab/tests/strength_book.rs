//! The strength ladder in docs/strength.toml: its figures follow from its games, and each kept step passed its test.

use privy_referee::statistics::{EloModel, Pairs, ScoreSample, Sprt, SprtParameters, SprtVerdict, Strength, Tally};
use privy_rules::Variant;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StrengthBook {
    step: Vec<BookStep>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BookStep {
    name: String,
    what: String,
    variants: Vec<String>,
    openings: String,
    limit: String,
    games: [u64; 3],
    pairs: [u64; 5],
    elo: f64,
    error: f64,
    kept: bool,
}

fn book() -> StrengthBook {
    toml::from_str(include_str!("../../../docs/strength.toml")).unwrap()
}

fn tally(step: &BookStep) -> Tally {
    let [wins, draws, losses] = step.games;
    Tally { wins, draws, losses }
}

#[test]
fn figures_follow_from_the_pairs() {
    for step in book().step {
        let (games, pairs) = (tally(&step), Pairs(step.pairs));
        assert_eq!(games.games(), 2 * pairs.count(), "{}", step.name);
        let half_points: u64 = pairs.0.iter().zip(0..).map(|(count, points)| count * points).sum();
        assert_eq!(games.half_points(), half_points, "{}", step.name);
        let strength = Strength::new(&games, &pairs).unwrap();
        let error = strength.elo_interval.and_then(|interval| interval.error()).unwrap();
        assert!((strength.elo - step.elo).abs() < 0.06, "{}: {}", step.name, strength.elo);
        assert!((error - step.error).abs() < 0.06, "{}: {error}", step.name);
    }
}

#[test]
fn each_kept_step_has_passed_the_test() {
    let parameters = SprtParameters { model: EloModel::Logistic, elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
    let test = Sprt::try_from(parameters).unwrap();
    for step in book().step {
        let ratio = test.log_likelihood_ratio(&ScoreSample::new(&tally(&step), &Pairs(step.pairs)));
        let verdict = if ratio >= test.upper() { SprtVerdict::H1 } else { SprtVerdict::Undecided };
        assert_eq!(step.kept, verdict == SprtVerdict::H1, "{}: {ratio}", step.name);
    }
}

#[test]
fn each_step_names_its_measurement() {
    for step in book().step {
        assert!(!step.what.is_empty() && !step.openings.is_empty() && step.limit.ends_with(" a move"), "{}", step.name);
        assert!(
            !step.variants.is_empty() && step.variants.iter().all(|id| Variant::builtin(id).is_some()),
            "{}",
            step.name
        );
    }
}
