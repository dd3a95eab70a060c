//! The mirror image of a game is a game.

use std::collections::HashSet;

use proptest::prelude::*;

use privy_rules::board::{Mirror, Point};

use super::walks::any_walk;
use super::*;

fn image(mirror: &Mirror, move_: &MovePath) -> MovePath {
    let action = move_.action();
    let image = |point: Point| if point == Point::HAND { point } else { mirror.point(point) };
    let landings: Vec<Point> = move_.landings().iter().map(|point| image(*point)).collect();
    let (from, to) = (image(action.from), image(action.to));
    MovePath::new(Move { from, to, captured: mirror.set(action.captured), ..*action }, &landings)
}

proptest! {
    #[test]
    fn mirrored_games_have_mirrored_moves_and_outcomes(walk in any_walk(60)) {
        let variant = Arc::clone(walk.start().variant());
        prop_assume!(variant.is_mirrored());
        let mirror = variant.board().mirror().unwrap();
        let game = walk.game();
        let state = variant.mirror(walk.start().position());
        let mut reflected = Game::new(&variant, state, 0, 0);
        let mut played = game.beginning();
        for move_ in game.moves().map(Some).chain([None]) {
            let position = played.position();
            prop_assert_eq!(variant.mirror(&variant.mirror(position)), *position);
            prop_assert_eq!(*reflected.position(), variant.mirror(position));
            prop_assert_eq!(reflected.outcome(), played.outcome());
            let images: HashSet<MovePath> = played.legal_moves().iter().map(|m| image(mirror, m)).collect();
            let moves: HashSet<MovePath> = reflected.legal_moves().into_iter().collect();
            prop_assert_eq!(moves, images);
            if let Some(move_) = move_ {
                reflected.play(image(mirror, move_));
                played.play(move_.clone());
            }
        }
    }
}

#[test]
fn all_built_in_games_are_symmetric() {
    // The dark squares of a chessboard are the same turned round, not mirrored; two Goats of El Perro stand on one
    // side.
    let is_lopsided = |variant: &Variant| variant.board().id == "chessboard-dark" || variant.id() == "el-perro";
    for variant in variants().filter(|variant| !is_lopsided(variant)) {
        assert!(variant.is_mirrored(), "{}", variant.id());
        assert_eq!(variant.mirror(variant.opening()), *variant.opening(), "opening of {}", variant.id());
    }
}

/// The mirror of the gonu board swaps top and bottom, which changes rules about up and down.
#[test]
fn rules_about_up_and_down_exclude_the_top_bottom_mirror() {
    let gonu = variant("kings-gonu");
    let changes: [fn(&mut rule_set::RuleSet); 2] =
        [|w| w.forward = rule_set::ForwardRule::NeverBack, |w| w.bottom = rule_set::BottomRule::General];
    for change in changes {
        let mut words = gonu.rule_set().clone();
        change(&mut words);
        let changed = gonu.with_words(words).unwrap();
        assert!(!changed.is_mirrored());
        let state = *position("kings-gonu", "rr3/5/2G3/5/5 r 3").position();
        assert_eq!(changed.mirror(&state), state);
    }
}
