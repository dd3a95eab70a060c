//! Games: hash keys, taking back, repetition, the limit of plies.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;

use super::walks::any_walk;
use super::*;
use privy_rules::rule_set::{MoveLimitRule, StandoffRule};

/// All observable properties of a game.
fn seen(game: &Game) -> (String, u64, Option<Outcome>, usize, Vec<MovePath>, usize) {
    (
        game.to_string(),
        game.position().hash(),
        game.outcome(),
        game.occurrences(),
        game.legal_moves(),
        game.moves().len(),
    )
}

proptest! {
    #[test]
    fn the_incremental_hash_equals_the_recomputed_hash(walk in any_walk(100)) {
        for position in walk.game().positions() {
            prop_assert_eq!(*position, made_anew(position));
        }
    }

    #[test]
    fn the_capture_counter_is_reset_by_a_capture(walk in any_walk(100)) {
        let game = walk.game();
        let mut positions = vec![game.beginning()];
        for move_ in game.moves() {
            positions.push(positions[positions.len() - 1].after(move_));
        }
        for (pair, move_) in positions.windows(2).zip(game.moves()) {
            prop_assert_eq!(pair[1].ply(), pair[0].ply().saturating_add(1));
            let quiet = pair[0].position().rebels_left() == pair[1].position().rebels_left();
            prop_assert_eq!(quiet, move_.action().captured.is_empty());
            let since = if quiet { pair[0].plies_since_capture() + 1 } else { 0 };
            prop_assert_eq!(pair[1].plies_since_capture(), since);
        }
    }

    #[test]
    fn occurrences_are_counted_in_the_whole_history(walk in any_walk(80), backs in prop::collection::vec(any::<Index>(), 4)) {
        let mut game = walk.game();
        for back in backs {
            let played = game.moves().len();
            game.undo(back.index(played + 1)).unwrap();
            let all: Vec<Position> = game.positions().copied().collect();
            prop_assert_eq!(game.occurrences(), all.iter().filter(|then| *then == game.position()).count());
            if let Some(move_) = game.legal_moves().first() {
                game.play(move_.clone());
            }
        }
    }

    #[test]
    fn undo_restores_everything(walk in any_walk(60), back in any::<Index>()) {
        let mut game = walk.start().without_history();
        let mut history = vec![seen(&game)];
        for choice in walk.choices() {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(choice.get(&moves).clone());
            history.push(seen(&game));
        }
        let played = game.moves().len();
        prop_assert_eq!(game.undo(played + 1), Err(played), "all or none");
        prop_assert_eq!(&seen(&game), &history[played]);
        let back = back.index(played + 1);
        let again: Vec<MovePath> = game.moves().skip(played - back).cloned().collect();
        prop_assert_eq!(game.undo(back), Ok(()));
        prop_assert_eq!(&seen(&game), &history[played - back]);
        for move_ in again {
            game.play(move_);
        }
        prop_assert_eq!(&seen(&game), &history[played]);
        prop_assert_eq!(game.undo(played), Ok(()));
        prop_assert_eq!(game.position(), walk.start().position());
    }

    #[test]
    fn occurrences_are_the_equal_positions_of_the_whole_game(walk in any_walk(150)) {
        let mut game = walk.game();
        loop {
            let count = game.positions().filter(|position| *position == game.position()).count();
            prop_assert_eq!(game.occurrences(), count);
            prop_assert!(count < 3 || game.outcome().is_some());
            if game.undo(1).is_err() {
                break;
            }
        }
    }
}

/// Tens of thousands of positions without a collision.
#[test]
fn different_positions_have_different_hashes() {
    let mut met: HashMap<u64, Position> = HashMap::new();
    for (number, variant) in variants().enumerate().filter(|(_, variant)| variant.board().len() != 49) {
        let mut game = variant.start();
        let mut random = number as u64;
        for _ in 0..5000 {
            let moves = game.legal_moves();
            if moves.is_empty() {
                game = variant.start();
                continue;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            game.play(moves[(random >> 33) as usize % moves.len()].clone());
            let state = *game.position();
            let other = *met.entry(game.position().hash()).or_insert(state);
            assert_eq!(other, state, "{game}");
        }
    }
    assert!(met.len() > 20_000, "only {} positions", met.len());
}

/// Positions that differ in one property.
#[test]
fn side_and_flags_are_part_of_the_hash() {
    let hashes = [
        ("shap-luk-kon", "1/1G1/5/5/5/5/r3r g -"),
        ("shap-luk-kon", "1/1G1/5/5/5/5/r3r r -"),
        ("shap-luk-kon", "1/1G1/5/5/5/5/r3r g a"),
        ("shap-luk-kon", "1/1G1/5/5/5/5/r3r r a"),
        ("shap-luk-kon", "1/1G1/5/5/5/5/r2r1 g -"),
        ("shap-luk-kon", "1/G2/5/5/5/5/r3r g -"),
    ]
    .map(|(id, text)| position(id, text).position().hash());
    let gonu =
        ["0", "1", "2", "3"].map(|left| position("kings-gonu", &format!("5/5/2G3/5/r3r g {left}")).position().hash());
    for hashes in [hashes.as_slice(), gonu.as_slice()] {
        let mut different = hashes.to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), hashes.len());
    }
}

#[test]
fn the_third_occurrence_is_a_draw_and_the_first_position_counts() {
    let mut game = variant("sixteen-rebels").start();
    play(&mut game, "c3-c2 b1-b2 c2-c3 b2-b1");
    assert_eq!((game.occurrences(), game.outcome()), (2, None));
    play(&mut game, "c3-c2 b1-b2 c2-c3");
    assert_eq!((game.occurrences(), game.outcome()), (2, None));
    play(&mut game, "b2-b1");
    assert_eq!((game.occurrences(), game.outcome()), (3, Some(Outcome::Repetition(None))));
    assert!(game.legal_moves().is_empty());
    assert!(!game.without_history().legal_moves().is_empty(), "the position alone knows no repetition");
    game.undo(1).unwrap();
    assert_eq!(game.outcome(), None);
}

/// The text of a position has no history: a game that begins with it counts from 1.
#[test]
fn a_position_set_up_again_has_not_occurred_before() {
    let mut game = variant("sixteen-rebels").start();
    play(&mut game, "c3-c2 b1-b2 c2-c3 b2-b1 c3-c2 b1-b2 c2-c3 b2-b1");
    let again = Game::from_text(&game.to_string(), None).unwrap();
    assert_eq!(again.outcome(), None);
}

#[test]
fn a_free_jump_or_a_visit_of_the_apex_makes_another_position() {
    let mut game = position("kings-gonu", "r4/5/2G3/5/r4 g 3");
    play(&mut game, "c3~c2 a1-b1 c2-c3 b1-a1");
    assert_eq!(game.occurrences(), 1, "a free jump less: {game}");

    let mut game = position("shap-luk-kon", "1/1G1/5/5/5/5/r3r g -");
    play(&mut game, "c6-c7 a1-b1 c7-c6 b1-a1");
    assert_eq!(game.occurrences(), 1, "the apex visited: {game}");
}

#[test]
fn plies_without_capture_end_a_game_whose_rules_count_them() {
    for (winner, expected) in [
        (StandoffRule::Draw, Outcome::MoveLimit(None)),
        (StandoffRule::General, Outcome::MoveLimit(Some(Side::General))),
        (StandoffRule::Rebels, Outcome::MoveLimit(Some(Side::Rebels))),
    ] {
        let mut words = variant("sixteen-rebels").rule_set().clone();
        words.move_limit = Some(MoveLimitRule { plies: 4, winner });
        let limited = Arc::new(variant("sixteen-rebels").with_words(words).unwrap());
        let at = |text: &str| Game::from_text(text, Some(&limited)).unwrap();
        let mut game = at("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 2 90");
        assert_eq!((game.plies_to_limit(), game.plies_left()), (Some(2), None));
        play(&mut game, "c3-c2");
        assert_eq!((game.outcome(), game.plies_to_limit()), (None, Some(1)));
        game.set_move_limit(Some(9));
        assert_eq!(game.plies_to_limit(), Some(1), "the nearer of two limits");
        play(&mut game, "b1-b2");
        assert_eq!((game.outcome(), expected.winner()), (Some(expected), winner.winner()));
        assert!(game.legal_moves().is_empty());
        game.undo(1).unwrap();
        assert_eq!(game.outcome(), None);

        // A capture resets the counter, and every other outcome takes precedence.
        let mut game = at("1/3/5/5/2G2/r1r2/rrrrr g - 3 90");
        play(&mut game, "c3-b2");
        assert_eq!((game.outcome(), game.plies_since_capture()), (None, 0));
        let mut game = at("1/3/5/5/2G2/5/rrrrr g - 3 90");
        assert!(game.outcome().is_none() && !game.legal_moves().is_empty());
        play(&mut game, "c3-c2");
        assert_eq!(game.outcome(), Some(expected));
        let set = at("1/3/5/5/2G2/5/rrrrr g - 4 90");
        assert_eq!(set.outcome(), Some(expected), "set positions bring their plies with them");
        assert_eq!(at("1/3/5/5/2G2/5/rr3 r - 4 90").outcome(), Some(Outcome::Attrition));
    }
}

#[test]
fn the_limit_of_plies_is_a_draw_when_nothing_else_ends_the_game() {
    let mut game = position("sixteen-rebels", "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 7 90");
    game.set_move_limit(Some(2));
    play(&mut game, "c3-c2");
    assert_eq!(game.outcome(), None, "the plies of this game count, not the ply number of its first position");
    play(&mut game, "b1-b2");
    assert_eq!(game.outcome(), Some(Outcome::MoveLimit(None)));
    assert!(game.legal_moves().is_empty());
    game.set_move_limit(Some(3));
    assert_eq!(game.outcome(), None);
    game.set_move_limit(None);
    assert_eq!(game.outcome(), None);

    let mut game = position("sixteen-rebels", "1/1G1/r3r/r3r/5/5/r4 g -");
    game.set_move_limit(Some(1));
    play(&mut game, "c6-c7");
    assert_eq!(game.outcome(), Some(Outcome::Apex(Side::General)), "the other ends are looked at first");
}

/// The General begins on its goal, which counts once it has come back.
#[test]
fn a_goal_on_return_counts_after_the_first_move() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hunts/neg-tugal-tuux.toml");
    let mut game = Arc::new(Variant::from_file(&path).unwrap()).start();
    let own = Arc::clone(game.variant());
    let mut texts = Vec::new();
    for text in ["a1-a2", "b1-a1", "a2-a3", "a1-b1"] {
        assert_eq!(game.outcome(), None, "{game}");
        texts.push(game.to_string());
        play(&mut game, text);
    }
    assert_eq!(game.outcome(), Some(Outcome::Goal(Side::General)));
    for text in texts {
        assert_eq!(Game::from_text(&text, Some(&own)).unwrap().to_string(), text);
    }
}
