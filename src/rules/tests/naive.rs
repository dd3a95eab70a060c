//! The fast generator agrees with the naive one.

use proptest::prelude::*;

use crate::rules::naive::Naive;

use super::walks::{Walk, any_walk, any_walk_under_any_rules};
use super::*;

/// Plays a walk by both and compares all moves on the way, with the positions and outcomes after them.
fn compare(walk: &Walk) -> Result<(), TestCaseError> {
    let game = walk.game();
    let variant = game.variant();
    let naive = Naive::of(variant);
    let by_text = |mut moves: Vec<MovePath>| {
        moves.sort_by_key(|move_| (variant.move_text(move_), move_.action().captured));
        moves
    };
    let positions: Vec<Position> = game.positions().copied().collect();
    for position in positions.iter().filter(|position| variant.outcome(position).is_none()) {
        let moves = by_text(variant.legal_moves(position));
        prop_assert_eq!(&moves, &by_text(naive.moves(position)), "{}", variant.position_text(position));
        for move_ in &moves {
            let (fast, slow) = (variant.play_unchecked(position, move_.action()), naive.play(position, move_.action()));
            prop_assert_eq!(fast, slow, "{} {}", variant.position_text(position), variant.move_text(move_));
        }
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
