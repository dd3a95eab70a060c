//! Perft: stops, limits of plies, deep trees.

use super::*;
use privy_rules::rule_set::{MoveLimitRule, RuleSet, StandoffRule};

#[test]
fn perft_and_divide_stop_at_any_depth() {
    let game = variant("sixteen-rebels").start();
    for depth in [8, 70, 100_000, u32::MAX] {
        let mut calls = 0;
        let mut stop = || {
            calls += 1;
            calls > 1_000
        };
        assert_eq!(perft(&game, depth, &mut stop), None, "{depth}");
        assert_eq!(divide(&game, depth, &mut stop), None, "{depth}");
    }
}

#[test]
fn a_limit_of_plies_ends_games() {
    fn count(game: &Game, depth: u32) -> u64 {
        match (depth, game.outcome()) {
            (0, _) => 1,
            (_, Some(_)) => 0,
            _ => game
                .legal_moves()
                .iter()
                .map(|move_| {
                    let mut next = game.clone();
                    next.play(move_.clone());
                    count(&next, depth - 1)
                })
                .sum(),
        }
    }
    let variant = variant("sixteen-rebels-murray");
    let limit = MoveLimitRule { plies: 3, winner: StandoffRule::Rebels };
    let words = RuleSet { move_limit: Some(limit), ..variant.rule_set().clone() };
    let game = Arc::new(variant.with_words(words).unwrap()).start();
    let counts: Vec<u64> = (1..=5).map(|depth| perft(&game, depth, &mut || false).unwrap()).collect();
    assert_eq!(counts, (1..=5).map(|depth| count(&game, depth)).collect::<Vec<_>>());
    assert_ne!(counts[3], perft(&variant.start(), 4, &mut || false).unwrap());
    let over = Game::new(game.variant(), *game.position(), 3, 3);
    assert_eq!((over.outcome().is_some(), perft(&over, 1, &mut || false)), (true, Some(0)));
}

#[test]
fn the_stack_counts_what_recursion_counts() {
    for id in ["sixteen-rebels", "juroku-musashi", "kings-gonu"] {
        let game = variant(id).start();
        let whole = perft(&game, 4, &mut || false);
        for recursive in 1..=4 {
            assert_eq!(count_sequences(&game, 4, recursive, &mut || false), whole, "{id}");
        }
    }
}
