//! Files of weights.

use privy_base::random::Random;
use privy_rules::Variant;
use privy_rules::board::MAX_POINTS;
use privy_search::eval::Evaluation;

use privy_search::eval::weights::*;

#[test]
fn weights_round_trip() {
    for id in Variant::all_ids() {
        let variant = Variant::builtin(id).unwrap();
        let weights = Weights::of(&variant);
        assert_eq!(Weights::from_toml(&weights.to_toml(&variant), &variant), Ok(weights), "{id}");
    }
}

#[test]
fn halfway_weights_give_the_mean_value() {
    let variant = Variant::builtin("sixteen-rebels").unwrap();
    let [fitted, family] = [Weights::of(&variant), Weights::of_family(&variant)];
    assert_eq!(fitted.halfway(&fitted), None, "two networks");
    let halfway = family.halfway(&fitted).unwrap();
    assert_eq!(Some(&halfway), fitted.halfway(&family).as_ref());
    let evaluations = [&fitted, &family, &halfway].map(|weights| Evaluation::new(&variant, weights.clone()));
    let mut random = Random::new(3);
    let mut game = variant.start();
    while let Some(move_) = random.pick(&game.legal_moves()).filter(|_| game.outcome().is_none()) {
        let values = evaluations
            .each_ref()
            .map(|evaluation| f64::from(evaluation.evaluate(variant.rules(), game.position()).raw()));
        let mean = (values[0] + values[1]) / 2.0;
        assert!((values[2] - mean).abs() < 40.0, "{values:?}");
        game.play(move_.clone());
    }
}

#[test]
fn wrong_files_are_refused_with_the_reason() {
    let variant = Variant::builtin("sixteen-rebels").unwrap();
    let right = Weights::of(&variant).to_toml(&variant);
    let error = |from: &str, to: &str| {
        assert!(right.contains(from), "{from}");
        Weights::from_toml(&right.replacen(from, to, 1), &variant).unwrap_err().to_string()
    };
    assert!(error(variant.fingerprint(), "0").contains("expected the rules"));
    assert!(error("tempo", "temper").contains("temper"));
    assert!(error("general = \"a1\"", "general = \"z9\"").contains("\"z9\": expected a point of the board"));
    assert!(error("rebels = [\n", "rebels = [\n    [1],\n").contains("\"a1\": expected a number for each point"));
    let many = format!("freedom = {:?}", [1; MAX_POINTS + 1]);
    let line = right.lines().find(|line| line.starts_with("freedom")).unwrap();
    assert!(error(line, &many).contains("freedom: expected at most 64 numbers, found 65"));
    // The unit of a piece-square table of such weights would have no end.
    let max = i32::MAX;
    assert!(
        error(line, &format!("freedom = [{max}]")).contains("freedom: expected -100000 to 100000, found 2147483647")
    );
    assert!(error("ring = ", "ring = -99999").contains("ring: expected -100000 to 100000, found -99999"));
    assert!(error("weight = -", "weight = -99999").contains("places of a1: expected -100000 to 100000, found -99999"));
    let row = right.lines().find(|line| line.starts_with("    [")).unwrap();
    let large = row.replacen('[', "[ 2147483647, ", 1);
    let large = large.rsplit_once(", ").map(|(kept, _)| format!("{kept}],")).unwrap();
    assert!(error(row, &large).contains("places of a1: expected -100000 to 100000, found 2147483647"));
}
