//! The fast generator agrees with the oracle.

use privy_oracle::{Oracle, Rules};
use proptest::prelude::*;

use super::walks::{Walk, any_walk, any_walk_under_any_rules};
use super::*;

/// The oracle for any rule words: the file that says them.
fn oracle_rules(variant: &Variant) -> Arc<Rules> {
    let words = variant.rule_set().canonical_text();
    let opening = variant.position_text(variant.opening());
    let rows = opening.split(' ').next().unwrap();
    let file = format!("id = \"{}\"\nopening = \"{rows}\"\n{words}", variant.id());
    Arc::new(Rules::read(&[&file], &variant.board().source).unwrap())
}

/// Plays a walk by both and compares positions, results, and all moves with what they take.
fn compare(walk: &Walk) -> Result<(), TestCaseError> {
    let mut game = walk.start().without_history();
    let rules = oracle_rules(game.variant());
    let mut oracle = Oracle::from_text(&rules, &game.to_string()).unwrap();
    for choice in walk.choices() {
        prop_assert_eq!(game.to_string(), oracle.text());
        prop_assert_eq!(game.outcome().map(|outcome| outcome.to_string()), oracle.result(), "{}", game);
        let captured =
            |m: &MovePath| game.board().names(m.action().captured).split_whitespace().map(str::to_owned).collect();
        let described = |m: &MovePath| (game.move_text(m), captured(m));
        let moves = game.legal_moves();
        let mut texts: Vec<(String, Vec<String>)> = moves.iter().map(described).collect();
        texts.sort();
        prop_assert_eq!(texts, oracle.moves_with_captures(), "{}", game);
        if moves.is_empty() {
            break;
        }
        let move_ = choice.get(&moves);
        oracle.play(&game.move_text(move_));
        game.play(move_.clone());
    }
    Ok(())
}

proptest! {
    #[test]
    fn generators_agree_on_built_in_games(walk in any_walk(60)) {
        compare(&walk)?;
    }

    #[test]
    fn generators_agree_under_any_rules(walk in any_walk_under_any_rules(40)) {
        compare(&walk)?;
    }
}
