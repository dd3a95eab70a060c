//! Tables of few Rebels: what they cover is what the table of the whole game says, and the rest they know nothing of.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::reference::Reference;
use super::small_games::{games, rule_set};
use super::{Folder, game, interrupted_up_to, solve_up_to, solved};
use crate::rules::{Outcome, Variant};
use crate::tablebase::{Decompressed, NotCovered, Table, TableError, TableFileInfo, verify};

fn solved_up_to(variant: &Arc<Variant>, path: &Path, rebels: u32) -> Result<Table, TableError> {
    solve_up_to(variant, path, 1, Some(rebels))?;
    Table::open(path, variant)
}

/// Compares the table of at most so many Rebels with that of the whole game.
fn check(variant: &Arc<Variant>, rebels: u32) -> Result<(), TestCaseError> {
    let folder = Folder::new();
    let path = folder.file("part.privy");
    let whole = solved(variant, &folder.file("whole.privy"));
    let least = whole.layers().first().unwrap().rebels;
    let part = match solved_up_to(variant, &path, rebels) {
        Ok(part) => part,
        Err(error) => {
            prop_assert!(rebels < least, "{}", error);
            prop_assert!(!path.exists());
            return Ok(());
        }
    };
    let covered: Vec<_> = whole.layers().iter().take_while(|layer| layer.rebels <= rebels).copied().collect();
    prop_assert_eq!(part.layers(), covered.as_slice());
    let most = covered.last().unwrap().rebels;
    prop_assert_eq!(TableFileInfo::read(&path).unwrap().most_rebels, most);
    prop_assert_eq!(part.limit(), (most < variant.opening().rebels().len()).then_some(most));

    let unpacked = Decompressed::of(&part).unwrap();
    let reference = Reference::of(variant);
    for (state, outcome) in reference.states.iter().zip(&reference.outcomes) {
        if outcome.is_some_and(|outcome| outcome != Outcome::GeneralNoMove) {
            continue;
        }
        match (part.probe_state(state), whole.probe_state(state)) {
            (Ok(found), Ok(value)) => {
                prop_assert_eq!(found, value, "{:?}", state);
                prop_assert_eq!(unpacked.value(state), Some(value), "unpacked {:?}", state);
                prop_assert!(state.rebels().len() <= most);
            }
            (Err(TableError::NotCovered(NotCovered::Rebels { .. })), _) => {
                prop_assert!(state.rebels().len() > most, "not covered: {:?}", state);
                prop_assert_eq!(unpacked.value(state), None);
            }
            (found, value) => prop_assert_eq!(found.unwrap_err().to_string(), value.unwrap_err().to_string()),
        }
    }
    let verified = verify(&part, &mut |_, _| {}, &AtomicBool::new(false)).unwrap();
    prop_assert!(verified.is_sound(), "{:?}", verified);
    prop_assert_eq!(verified.layers.as_slice(), part.layers());
    Ok(())
}

proptest! {
    #![proptest_config(games(40))]

    #[test]
    fn few_rebels_are_solved_as_in_the_whole_game(words in rule_set(), rebels in 2u32..=6, most in 0u32..=6) {
        match game("hut", &words, "b2", rebels) {
            Some(variant) => check(&variant, most.min(rebels))?,
            None => return Err(TestCaseError::reject("words that say nothing on this board")),
        }
    }

    #[test]
    fn on_a_board_of_no_symmetry(words in rule_set(), most in 1u32..=4) {
        match game("lodge", &words, "b2", 4) {
            Some(variant) => check(&variant, most)?,
            None => return Err(TestCaseError::reject("words that say nothing on this board")),
        }
    }
}

/// Jumps take Rebels one by one, so every number is covered.
fn jumping() -> Arc<Variant> {
    let jump = crate::rules::rule_set::JumpRule::Single;
    game("barn", &crate::rules::rule_set::RuleSet { jump, rebels_at_most: Some(0), ..super::plain() }, "b2", 4).unwrap()
}

#[test]
fn numbers_that_no_game_has_are_refused() {
    let (folder, variant) = (Folder::new(), jumping());
    let path = folder.file("part.privy");
    for wrong in [0, 5] {
        let error = solve_up_to(&variant, &path, 1, Some(wrong)).unwrap_err().to_string();
        assert_eq!(error, format!("value out of range: rebels: expected 1 to 4 for small, found {wrong}"));
    }
    assert!(!path.exists());
}

#[test]
fn a_table_for_all_rebels_is_that_of_the_whole_game() {
    let (folder, variant) = (Folder::new(), jumping());
    let (whole, all) = (folder.file("whole.privy"), folder.file("all.privy"));
    solved(&variant, &whole);
    assert_eq!(solved_up_to(&variant, &all, 4).unwrap().limit(), None);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&all).unwrap());
}

/// What an interrupted solve of few Rebels knew would be wrong for more.
#[test]
fn a_solve_goes_on_only_from_one_of_as_many_rebels() {
    let (folder, variant) = (Folder::new(), jumping());
    let (alone, after) = (folder.file("alone.privy"), folder.file("after.privy"));
    for (first, then) in [(Some(2), None), (None, Some(2)), (Some(2), Some(3))] {
        assert!(matches!(interrupted_up_to(&variant, &after, 1, first), Err(TableError::Interrupted)));
        solve_up_to(&variant, &alone, 1, then).unwrap();
        solve_up_to(&variant, &after, 1, then).unwrap();
        assert!(std::fs::read(&alone).unwrap() == std::fs::read(&after).unwrap(), "{first:?} {then:?}");
    }
}
