//! Small games under random rules: every position of every game has the value that the plain way finds.
//!
//! By default a dozen games on each board. The long run:
//!
//! ```text
//! PRIVY_CASES=500 cargo test --release --test all tables_unit::small_games
//! ```

use std::sync::Arc;

use proptest::prelude::*;

use super::{Folder, game, interrupted, solved};
use privy_rules::rule_set::{
    ApexRule, BottomRule, ForwardRule, JumpLines, JumpRule, LeapRule, NoMove, NoMoveRule, OrthogonalSteps, RuleSet,
    StandoffRule, StaticRule,
};
use privy_rules::{Side, Variant};
use privy_tables::{SolveOptions, Table, effort_of};
use privy_testing::cases;
use privy_testing::exactness::with_opening;
use privy_testing::tables::Reference;

pub(super) fn rule_set() -> impl Strategy<Value = RuleSet> {
    let captures = (
        any::<bool>(),
        prop::bool::weighted(0.3),
        prop_oneof![4 => Just(StaticRule::None), 1 => Just(StaticRule::Surrounded), 1 => Just(StaticRule::Any)],
        prop::bool::weighted(0.3),
        prop_oneof![2 => Just(JumpRule::None), 1 => Just(JumpRule::Single), 1 => Just(JumpRule::Multi), 1 => Just(JumpRule::Free)],
        prop_oneof![2 => Just(JumpLines::Any), 1 => Just(JumpLines::Diagonal)],
        prop::bool::weighted(0.4),
    );
    let ways = (
        prop_oneof![4 => Just(LeapRule::None), 1 => Just(LeapRule::Any), 1 => Just(LeapRule::Diagonal)],
        prop::bool::weighted(0.2),
        prop_oneof![3 => Just(0u8), 1 => 1u8..=2],
        prop::bool::weighted(0.3),
        prop::bool::weighted(0.3),
        prop::bool::weighted(0.5),
    );
    let ends = (
        prop_oneof![Just(ApexRule::None), Just(ApexRule::General), Just(ApexRule::Rebels), Just(ApexRule::Return)],
        prop_oneof![3 => Just(BottomRule::None), 1 => Just(BottomRule::General)],
        // Every board has these points.
        prop_oneof![3 => Just(""), 1 => Just("a1"), 1 => Just("a1 b1")],
        prop_oneof![3 => Just(StandoffRule::Draw), 1 => Just(StandoffRule::General), 1 => Just(StandoffRule::Rebels)],
        prop::option::of(0u8..=2),
        any::<bool>(),
    );
    (captures, ways, ends).prop_map(|(captures, ways, ends)| {
        let (intervention, deferred, static_rule, orthogonal, jump, jump_lines, compulsory) = captures;
        let (leap, slide, free_jumps, forward, enter_privy, custodial) = ways;
        let (apex, bottom, goal, repetition, rebels_at_most, close_privy) = ends;
        let pairs = intervention || deferred || static_rule != StaticRule::None;
        RuleSet {
            first: Side::General,
            intervention,
            deferred,
            static_rule,
            orthogonal: orthogonal && pairs,
            jump,
            jump_lines: if jump == JumpRule::None { JumpLines::Any } else { jump_lines },
            leap,
            slide,
            free_jumps,
            compulsory: compulsory && (pairs || jump != JumpRule::None),
            forward: if forward { ForwardRule::NeverBack } else { ForwardRule::Any },
            enter_privy,
            custodial,
            apex,
            bottom,
            goal: goal.split_whitespace().map(str::to_owned).collect(),
            repetition,
            move_limit: None,
            rebels_at_most,
            close_privy,
            ..RuleSet::bare(Side::General)
        }
    })
}

/// Compares the table of a game with the plain way; the message names the first difference.
pub(super) fn check(variant: &Arc<Variant>) -> Result<(), TestCaseError> {
    let (folder, reference) = (Folder::new(), Reference::of(variant));
    let table = solved(variant, &folder.file("small.privy"));
    compare_all(&table, variant, &reference)
}

fn compare_all(table: &Table, variant: &Arc<Variant>, reference: &Reference) -> Result<(), TestCaseError> {
    privy_testing::tables::compare_all(table, variant, reference).map_err(TestCaseError::fail)
}

/// How many games of a kind.
pub(super) fn games(usual: u32) -> ProptestConfig {
    ProptestConfig {
        cases: cases(usual),
        max_shrink_iters: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn with_words(board: &str, general: &str, words: &RuleSet, rebels: u32) -> Result<(), TestCaseError> {
    match game(board, words, general, rebels) {
        Some(variant) => check(&variant),
        None => Err(TestCaseError::reject("words that say nothing on this board")),
    }
}

const GAMES_WITH_A_HAND: [(&str, &str); 4] = [
    ("huli-mane-ata", "win 21"),
    ("mysore-tiger-game", "draw"),
    ("haretavl", "win 17"),
    ("hat-diviyan-keliya", "loss 14"),
];

/// The same words and some of those about hands, passes and ends by where Rebels stand.
fn more_words() -> impl Strategy<Value = (RuleSet, bool, u32)> {
    let blocked = || prop_oneof![2 => Just(NoMove::Loss), 1 => Just(NoMove::Draw), 1 => Just(NoMove::Win), 1 => Just(NoMove::Pass)];
    let points = || prop_oneof![1 => Just(""), 1 => Just("a1"), 1 => Just("a1 b1"), 2 => Just("a1 b2 c1")];
    let ways = (any::<bool>(), any::<bool>(), 0u32..=4, 0usize..3, 0usize..3, points(), points());
    (rule_set(), blocked(), blocked(), ways).prop_map(|(words, general, rebels, ways)| {
        let (is_in_hand, waits, hand, end, steps, general_drops, rebel_drops) = ways;
        let named = |is: bool, names: &str| -> Vec<String> {
            names.split(' ').filter(|name| is && !name.is_empty()).map(str::to_owned).collect()
        };
        let can_draw = [general, rebels].contains(&NoMove::Draw);
        let words = RuleSet {
            no_move: NoMoveRule { general, rebels },
            general_waits: waits && hand > 0,
            general_drops_on: named(is_in_hand, general_drops),
            rebels_drop_on: named(hand > 0, rebel_drops),
            past_rebels: end == 1 && hand == 0,
            rebels_goal: named(end == 2, "a1"),
            general_loses_on: named(steps == 1 && words.goal.is_empty(), "a1"),
            orthogonal_steps: [OrthogonalSteps::None, OrthogonalSteps::General, OrthogonalSteps::Rebels][steps],
            repetition: if can_draw { StandoffRule::Draw } else { words.repetition },
            ..words
        };
        (words, is_in_hand, hand)
    })
}

/// The same game with some pieces in hand.
fn with_hand(variant: &Arc<Variant>, is_general_in_hand: bool, rebels: u32) -> Option<Arc<Variant>> {
    let general = if is_general_in_hand { "G" } else { "" };
    let rebels = if rebels > 0 { format!("r{rebels}") } else { String::new() };
    let hand = if general.is_empty() && rebels.is_empty() { String::new() } else { format!("[{general}{rebels}]") };
    let opening = variant.position_text(variant.opening());
    let mut rows = opening.split(' ').next()?.to_owned();
    if is_general_in_hand {
        rows = rows.replace('G', "1");
    }
    with_opening(variant, &(rows + &hand)).ok()
}

proptest! {
    #![proptest_config(games(10))]

    #[test]
    fn on_nine_points(words in rule_set(), rebels in 1u32..=7) {
        with_words("hut", "b2", &words, rebels)?;
    }

    #[test]
    fn on_twelve_points(words in rule_set(), rebels in 1u32..=5) {
        with_words("barn", "b2", &words, rebels)?;
    }

    #[test]
    fn on_a_board_of_no_symmetry(words in rule_set(), rebels in 1u32..=5) {
        with_words("lodge", "b2", &words, rebels)?;
    }

    #[test]
    fn on_fifteen_and_sixteen_points(words in rule_set(), rebels in 1u32..=3, board in 0usize..3) {
        with_words(["yard", "hall", "aisle"][board], "b2", &words, rebels)?;
    }

    /// Interrupted after some ply and gone on with, a solve makes the same file.
    #[test]
    fn in_two_runs(words in rule_set(), rebels in 1u32..=4, until in (1u32..=4, 0u32..12)) {
        let Some(variant) = game("barn", &words, "b2", rebels) else {
            return Err(TestCaseError::reject("words that say nothing on this board"));
        };
        let folder = Folder::new();
        let (whole, parts) = (folder.file("whole.privy"), folder.file("parts.privy"));
        solved(&variant, &whole);
        // A game that is solved sooner is whole at once.
        let _ = interrupted(&variant, &parts, until);
        solved(&variant, &parts);
        prop_assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap());
    }

    #[test]
    fn where_pairs_share_a_point(words in rule_set(), rebels in 1u32..=5) {
        with_words("short-cuts", "c2", &words, rebels)?;
    }
}

proptest! {
    #![proptest_config(games(4))]

    #[test]
    fn with_hands_passes_and_other_ends((words, is_in_hand, hand) in more_words(), rebels in 1u32..=3, board in 0usize..3) {
        let board = ["hut", "lodge", "barn"][board];
        // The words about hands go with the hand.
        let plain = RuleSet {
            general_waits: false,
            general_drops_on: Vec::new(),
            rebels_drop_on: Vec::new(),
            ..words.clone()
        };
        let Some(variant) = game(board, &plain, "b2", rebels) else {
            return Err(TestCaseError::reject("words that say nothing on this board"));
        };
        let variant = with_hand(&variant, is_in_hand, hand).and_then(|variant| variant.with_words(words).ok());
        match variant {
            Some(variant) => check(&Arc::new(variant))?,
            None => return Err(TestCaseError::reject("words that do not go together")),
        }
    }
}

/// Games with a hand on boards of ten and eleven points, one of them with the General in hand, and their openings.
#[test]
fn games_of_others_with_a_hand() {
    for (name, opening) in GAMES_WITH_A_HAND {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/hunts/{name}.toml"));
        let variant = Variant::builtin(name).unwrap_or_else(|| Arc::new(Variant::from_file(&path).unwrap()));
        let (folder, reference) = (Folder::new(), Reference::of(&variant));
        let table = solved(&variant, &folder.file("hand.privy"));
        compare_all(&table, &variant, &reference).unwrap();
        assert_eq!(table.probe_state(variant.opening()).unwrap().to_string(), opening, "{name}");
    }
}

/// Games with billions of positions, whose tables were made (docs/NOTEBOOK.md).
#[test]
fn large_files_are_estimated_within_a_third() {
    for (id, bytes) in [
        ("fox-and-geese-13", 9_573_459_502),
        ("yaguarete-kora", 6_620_088_350),
        ("adugo", 5_335_065_772),
        ("komikan", 2_324_517_897),
        ("la-yagua", 2_213_000_000u64),
    ] {
        let variant = Variant::builtin(id).unwrap();
        let estimated = effort_of(&variant, &SolveOptions::default()).unwrap().disk;
        assert!(3 * estimated.abs_diff(bytes) <= bytes, "{id}: {estimated}, {bytes}");
    }
}
