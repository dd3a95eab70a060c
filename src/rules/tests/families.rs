//! Code compiled for a narrow family plays the same games as code that is right for any variant.

use proptest::prelude::*;

use privy_rules::board::Point;

use super::walks::{any_walk, any_walk_under_any_rules};
use super::*;
use privy_rules::family::Every;
use privy_rules::for_family;
use privy_rules::rule_set::{JumpRule, LeapRule, NoMove, RuleSet, StaticRule};

type Actions = Vec<(Move, Vec<Point>)>;

fn moves<F: Family>(rules: &CompiledRules, state: &Position) -> Actions {
    let mut moves = Vec::new();
    rules.general_actions::<F>(state, |action, landings| moves.push((action, landings.to_vec())));
    moves
}

/// The results of all family code for a position with the General to move.
fn asked<F: Family>(rules: &CompiledRules, state: &Position) -> (Actions, u64, bool, bool) {
    (
        moves::<F>(rules, state),
        rules.count_general_moves::<F>(state),
        rules.general_can_move::<F>(state),
        rules.moves_reach_beyond_zone::<F>(state),
    )
}

/// Perft without a shortcut, of a position that is not over: every move is made, every outcome computed.
fn plain_perft<F: Family>(rules: &CompiledRules, state: &Position, depth: u32) -> u64 {
    let Some(rest) = depth.checked_sub(1) else { return 1 };
    let after =
        |next: &Position, moved_to: Option<Point>| match rest > 0 && rules.outcome::<F>(next, moved_to).is_some() {
            true => 0,
            false => plain_perft::<F>(rules, next, rest),
        };
    let mut sum = 0;
    match state.side() {
        Side::General => {
            for (action, _) in moves::<F>(rules, state) {
                sum += after(&rules.play_general_move(state, &action).0, None);
            }
        }
        Side::Rebels => rules.rebel_bundles(state, |from, targets| {
            for to in targets {
                sum += after(&rules.play_rebel_step(state, from, to).0, Some(to));
            }
        }),
    }
    sum
}

fn count_both_ways(position: &Game, depth: u32) -> Result<(), TestCaseError> {
    if position.outcome().is_some() {
        return Ok(());
    }
    let rules = position.variant().rules();
    for depth in 1..=depth {
        let plain = plain_perft::<Every>(rules, position.position(), depth);
        let narrow =
            for_family!(position.variant().rules().family, F => plain_perft::<F>(rules, position.position(), depth));
        prop_assert_eq!(narrow, plain);
        prop_assert_eq!(perft(position, depth, &mut || false), Some(plain), "depth {} of {}", depth, position);
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_narrow_family_has_the_moves_and_outcomes_of_every(walk in any_walk(80)) {
        let position = walk.end();
        let rules = position.variant().rules();
        let state = position.position().with_side(Side::General);
        for_family!(position.variant().rules().family, F => {
            prop_assert_eq!(asked::<F>(rules, &state), asked::<Every>(rules, &state));
            for side in [Side::General, Side::Rebels] {
                let state = state.with_side(side);
                for moved_to in position.board().all().into_iter().map(Some).chain([None]) {
                    prop_assert_eq!(rules.outcome::<F>(&state, moved_to), rules.outcome::<Every>(&state, moved_to));
                }
            }
        });
    }

    #[test]
    fn counts_in_bulk_equal_counts_move_by_move(walk in any_walk(80)) {
        count_both_ways(&walk.end(), 2)?;
    }

    /// The zone of a General depends on every rule word.
    #[test]
    fn counts_in_bulk_are_right_under_any_rules(walk in any_walk_under_any_rules(40)) {
        count_both_ways(&walk.end(), 2)?;
    }

    #[test]
    fn move_texts_round_trip_under_any_rules(walk in any_walk_under_any_rules(40)) {
        let position = walk.end();
        for move_ in position.legal_moves() {
            prop_assert_eq!(position.parse_move(None, &position.move_text(&move_)), Ok(move_.clone()));
            let next = position.after(&move_);
            prop_assert_eq!(*next.position(), made_anew(next.position()));
        }
        let read = Game::from_text(&position.to_string(), Some(position.variant()));
        prop_assert_eq!(read.map(|read| *read.position()), Ok(*position.position()));
    }

    #[test]
    fn can_move_agrees_with_the_list_of_moves(walk in any_walk(80)) {
        let position = walk.end();
        let rules = position.variant().rules();
        let general = position.position().with_side(Side::General);
        prop_assert_eq!(rules.general_can_move::<Every>(&general), !moves::<Every>(rules, &general).is_empty());
        let mut steps = 0;
        rules.rebel_bundles(position.position(), |_, targets| steps += u64::from(targets.len()));
        prop_assert_eq!(rules.rebels_can_move(position.position()), steps > 0);
        prop_assume!(position.position().hand() == 0);
        let counted = rules.count_rebel_steps(position.position().rebels(), rules.empty(position.position()));
        // Where no Rebel can step a pass may be their move.
        let passes = u64::from(counted == 0 && position.variant().rule_set().no_move.rebels == NoMove::Pass);
        prop_assert_eq!(counted + passes, steps);
    }
}

#[test]
fn openings_count_the_same_in_every_family() {
    for variant in variants().filter(|variant| variant.start().outcome().is_none()) {
        let (rules, state) = (variant.rules(), variant.opening());
        let narrow = for_family!(variant.rules().family, F => plain_perft::<F>(rules, state, 4));
        assert_eq!(narrow, plain_perft::<Every>(rules, state, 4), "{}", variant.id());
        assert_eq!(Some(narrow), perft(&variant.start(), 4, &mut || false), "{}", variant.id());
    }
}

#[test]
fn built_in_games_are_in_their_narrow_families() {
    let of = |wanted| -> Vec<String> {
        variants().filter(|v| v.rules().family == wanted).map(|v| v.id().to_owned()).collect()
    };
    assert_eq!(
        of(FamilyName::Intervening),
        [
            "sixteen-rebels",
            "sixteen-rebels-murray",
            "shap-luk-kon",
            "shap-luk-kon-2",
            "twenty-six-murray",
            "juroku-musashi-hasami",
            "monk-and-water",
            "wolf-and-sheep",
            "hare-and-hounds",
            "jeu-militaire",
            "hund-efter-hare-vendsyssel",
            "gioco-dell-orso"
        ]
    );
    assert_eq!(of(FamilyName::Jumping), ["yeung-luk", "juroku-musashi", "coyote"]);
}

/// Each word that a narrow family compiles away, added to a game of the family.
#[test]
fn a_rule_outside_a_narrow_family_selects_every() {
    let rare: [fn(&mut RuleSet); 6] = [
        |w| w.deferred = true,
        |w| w.static_rule = StaticRule::Any,
        |w| w.static_rule = StaticRule::Surrounded,
        |w| w.leap = LeapRule::Diagonal,
        |w| w.slide = true,
        |w| w.free_jumps = 1,
    ];
    let family = |id: &str, change: fn(&mut RuleSet)| {
        let mut words = variant(id).rule_set().clone();
        change(&mut words);
        variant(id).with_words(words).unwrap().rules().family
    };
    for change in rare {
        assert_eq!(family("sixteen-rebels", change), FamilyName::Every);
        assert_eq!(family("juroku-musashi", change), FamilyName::Every);
    }
    assert_eq!(family("sixteen-rebels", |w| w.compulsory = true), FamilyName::Every);
    assert_eq!(family("sixteen-rebels", |w| w.jump = JumpRule::Multi), FamilyName::Every);
    assert_eq!(family("juroku-musashi", |w| w.compulsory = false), FamilyName::Every);
    assert_eq!(family("juroku-musashi", |w| w.intervention = true), FamilyName::Every);
}
