//! The weights of the built-in games.

use privy_rules::rule_set::{ApexRule, RuleSet};
use privy_rules::{Side, Variant};
use privy_search::eval::default_weights::{FITTED, general_captures};
use privy_search::eval::evaluation::Evaluation;
use privy_search::eval::weights::Weights;

#[test]
fn every_built_in_file_reads() {
    for (files, _) in FITTED.iter() {
        let (variant, text) = (Variant::builtin(files.id).unwrap(), files.weights.unwrap());
        let weights = Weights::from_toml(text, &variant).unwrap();
        assert_eq!(Weights::of(&variant), weights, "{}", files.id);
        assert!(text.starts_with('#'), "{}: where do the weights come from?", files.id);
    }
    assert_eq!(FITTED.len(), 19);
}

#[test]
fn other_rules_have_the_weights_of_the_family_unless_the_game_is_played_alike() {
    let variant = Variant::builtin("sixteen-rebels").unwrap();
    let limited = RuleSet { rebels_at_most: Some(0), ..variant.rule_set().clone() };
    assert_eq!(Weights::of(&variant.with_words(limited.clone()).unwrap()), Weights::of(&variant));
    let rebels_first = RuleSet { first: Side::Rebels, ..limited.clone() };
    assert_eq!(Weights::of(&variant.with_words(rebels_first).unwrap()), Weights::of(&variant));
    let changed = variant.with_words(RuleSet { apex: ApexRule::None, ..limited }).unwrap();
    assert_eq!(Weights::fitted(&changed), None);
    assert_eq!(Weights::of(&changed), Weights::of_family(&changed));

    // A board of the same id and points with another line is another game.
    let folder = std::env::temp_dir().join(format!("privy-other-lines-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let fitted_on = |lines: &str| {
        let board = variant.board().source.replacen("\"a1-b1-c1-d1-e1\"", lines, 1);
        std::fs::write(folder.join("board.toml"), board).unwrap();
        let game = variant.heading.source.replace("board = \"privy\"", "board = \"board.toml\"");
        Weights::fitted(&Variant::from_toml(&game, Some(&folder)).unwrap()).is_some()
    };
    assert_eq!(["\"e1-d1-c1-b1-a1\"", "\"a1-b1-c1\", \"c1-d1-e1\""].map(fitted_on), [true, false]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_unfitted_game_weighs_rebels_the_more_the_fewer_are_left_and_is_even_after_a_toll() {
    for id in Variant::all_ids() {
        let variant = Variant::builtin(id).unwrap();
        let weights = Weights::of_family(&variant).general_to_move;
        let [material, ..] = weights.tables;
        let most = variant.opening().rebels_left() as usize;
        let worth = |count: usize| material[count - 1] - material[count];
        let least = variant.rules().fewest_rebels() as usize + 1;
        assert!((least + 1..=most).all(|count| worth(count - 1) >= worth(count)), "{id}");
        // Where the first Rebel taken ends the game there is nothing to weigh.
        let has_none = most < least;
        assert!(has_none || (90..=180).contains(&worth(most)), "{id}: {}", worth(most));
        let evaluation = Evaluation::new(&variant, Weights::of_family(&variant));
        let value = |side: Side| {
            let opening = variant.opening().with_side(side);
            evaluation.evaluate(variant.rules(), &opening).raw()
        };
        let opening = (i32::from(value(Side::General)) - i32::from(value(Side::Rebels))) / 2;
        let left = if general_captures(&variant) { most - (most + 1 - least) / 2 } else { most };
        let even = opening + material[left] - material[most];
        assert!(even.abs() < 200, "{id}: {opening} in the opening, {even} with {left} left");
    }
}
