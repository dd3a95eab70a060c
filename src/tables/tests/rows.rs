//! Every layer by rows is that of the kernel, whatever the division of the places.

use std::sync::Arc;

use privy_base::threads::Threads;
use privy_protocol::{Instant, Stop};
use privy_rules::rule_set::{ForwardRule, JumpLines, JumpRule, LeapRule, RuleSet};
use privy_rules::{Side, Variant};
use proptest::prelude::*;

use super::layers::check_together;
use super::{Folder, game};
use privy_tables::by_layers::exchange::Processes;
use privy_tables::by_layers::rows::{ByRows, Places, is_for, sections_of_state};
use privy_tables::by_layers::{Alone, Reach, StoredLayers};
use privy_tables::checkpoint::Solve;
use privy_tables::coding::{Coding, Counts, Section};
use privy_tables::compression::decompress;
use privy_tables::error::TableError;
use privy_tables::interrupt::Interrupt;
use privy_tables::kernel::{self, Kernel};
use privy_tables::memory::MemoryPlan;
use privy_tables::numbering::Numbering;
use privy_tables::states::Coverage;
use privy_testing::cases;

fn solve_of(numbering: Numbering, coding: Coding, stop: &Stop) -> Solve<'_> {
    Solve {
        numbering,
        coding,
        memory: MemoryPlan { variant: String::new(), least: 0, most: 0, allowed: None },
        path: None,
        start: Instant::now(),
        interrupt: Interrupt::new(stop),
        threads: Threads::new(2),
    }
}

/// A layer: what is counted with the General to move, and the sections with the Rebels to move.
type Layer = (Counts, Vec<Section>);

/// The layers by the kernel, in the numbers of another solve.
fn by_kernel(solve: &Solve<'_>, low: u32) -> Vec<Layer> {
    let (numbering, stop) = (&solve.numbering, Stop::default());
    let (variant, coverage) = (&numbering.variant, Coverage::whole(&numbering.variant));
    let places = kernel::Places::new(variant, low, true);
    let points = places.points.clone();
    let own = solve_of(Numbering::with_places(variant, coverage, points).unwrap(), solve.coding, &stop);
    let kernel = Kernel::with_places(&own.numbering, solve.coding, places, &stop);
    let mut stored = StoredLayers::new(own.checkpoints(), kernel.sections());
    let layers = numbering.layers.iter().map(|rebels| {
        let (counts, sections) = kernel.solve_layer(*rebels, &stored, &mut |_, _| {}).unwrap();
        stored.push(*rebels, counts, sections.clone());
        let renumbered = numbering.states.solved.iter().zip(&sections).map(|(state, section)| {
            let positions = numbering.positions(*state, *rebels);
            let in_order = |bytes: &[u8]| -> Vec<u8> {
                let bytes = if bytes.is_empty() { vec![0; positions] } else { decompress(bytes, positions).unwrap() };
                let ranks = numbering.positions_from((*state, *rebels), Side::Rebels, 0);
                ranks.map(|position| bytes[own.numbering.rank(position.general(), position.rebels())]).collect()
            };
            Section::new(solve.coding, &in_order(&section.values), &in_order(&section.laps), &stop)
        });
        (counts, renumbered.collect())
    });
    layers.collect()
}

/// Every layer twice: the second time interrupted in the middle, and when all plies are known.
fn by_rows(solve: &Solve<'_>, places: Places, (window, most_held): (u32, u64)) -> Vec<Layer> {
    let folder = Folder::new();
    let states = Reach::of(&solve.numbering.variant, &solve.numbering.states);
    let mut alone = Alone;
    let mut processes = Processes::new(&states, &mut alone);
    let mut stored = StoredLayers::new(solve.checkpoints(), states.len() * sections_of_state(&solve.numbering.variant));
    let layers = solve.numbering.layers.iter().map(|rebels| {
        // Solves up to a ply, from one that was kept before; returns the positions decided by ply, too.
        let mut solve_layer = |plies_before: u32, until: Option<u32>| {
            let (stop, records) = (Stop::default(), (Some(folder.file("plies")), most_held));
            let mut analysis = ByRows::with_places(solve, &processes.shares, places);
            (analysis.window, analysis.records, analysis.stop) = (window, records, &stop);
            let (records, mut plies) = (analysis.records_of(*rebels, &mut processes).unwrap(), Vec::new());
            assert_eq!(records.plies_before(), plies_before);
            let mut progress = |ply, decided, _| {
                plies.push(decided);
                if until == Some(ply) {
                    stop.set();
                }
            };
            let solved = analysis.solve_layer(*rebels, &stored, &records, &mut processes, &mut progress);
            if solved.is_err() {
                records.keep().unwrap();
            } else {
                records.remove();
            }
            (solved, plies)
        };
        let (once, plies) = solve_layer(0, None);
        let once = once.unwrap();
        let last = plies.len() as u32 - 1;
        assert!(matches!(solve_layer(0, Some(last / 2)).0, Err(TableError::Interrupted)));
        assert!(matches!(solve_layer(last / 2 + 1, Some(last)).0, Err(TableError::Interrupted)));
        let (again, plies_again) = solve_layer(last + 1, None);
        assert!(once == again.unwrap() && plies.last() == plies_again.last());
        let (counts, mut sections) = once;
        stored.push(*rebels, counts, sections.clone());
        sections.truncate(solve.numbering.states.solved.len());
        (counts, sections)
    });
    layers.collect()
}

/// Compares the layers of a game with some number of low places, with records in memory and in a file; once more with captures looked at
/// again and again, and with laps so short that the longest win needs all of them.
fn check(variant: &Arc<Variant>, low: u32) -> Result<(), TestCaseError> {
    let (stop, mut coding, mut longest) = (Stop::default(), Coding::of(variant), 0);
    for (window, most_held) in [(252, 100), (4, 0)] {
        let numbering = Numbering::new(variant, Coverage::whole(variant)).unwrap();
        let solve = solve_of(numbering, coding, &stop);
        let expected = by_kernel(&solve, low);
        let places = Places::of(variant, low).or_else(|| Places::usual(variant)).unwrap();
        for (number, (found, expected)) in
            by_rows(&solve, places, (window, most_held)).iter().zip(&expected).enumerate()
        {
            prop_assert!(found == expected, "layer {number}, {places:?}, plies {window}");
            longest = expected.1.iter().map(|section| section.longest).fold(longest, u32::max);
        }
        coding = coding.with_short_laps((longest / 4 + 3) | 1).unwrap();
    }
    Ok(())
}

fn words() -> impl Strategy<Value = RuleSet> {
    let jump = prop_oneof![Just(JumpRule::None), Just(JumpRule::Single), Just(JumpRule::Multi), Just(JumpRule::Free)];
    let lines = prop_oneof![3 => Just(JumpLines::Any), 1 => Just(JumpLines::Diagonal)];
    let leap = prop_oneof![3 => Just(LeapRule::None), 1 => Just(LeapRule::Any)];
    let forward = prop_oneof![Just(ForwardRule::Any), Just(ForwardRule::NeverBack)];
    (jump, lines, leap, forward, any::<[bool; 3]>(), prop::option::of(0u8..=2)).prop_map(
        |(jump, lines, leap, forward, [slide, enter_privy, compulsory], rebels_at_most)| RuleSet {
            jump,
            compulsory: compulsory && jump != JumpRule::None,
            jump_lines: if jump == JumpRule::None { JumpLines::Any } else { lines },
            leap,
            forward,
            slide,
            enter_privy,
            rebels_at_most,
            ..RuleSet::bare(Side::General)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(4), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_and_the_kernel_agree(words in words(), board in 0usize..4, rebels in 1u32..=6, low in 1u32..=8) {
        let (board, general) = [("hut", "b2"), ("barn", "b2"), ("lodge", "b2"), ("short-cuts", "c2")][board];
        match game(board, &words, general, rebels) {
            Some(variant) => {
                prop_assert!(is_for(&variant));
                check(&variant, low)?;
                check_together(&variant, low as usize % 3 + 2)?;
            }
            None => return Err(TestCaseError::reject("words that say nothing on this board")),
        }
    }
}

/// Boards of 31 to 33 points, with chains of jumps and without, and their mirror images.
#[test]
fn rows_and_the_kernel_agree_on_large_boards() {
    let enter_privy = true;
    let free = RuleSet { jump: JumpRule::Free, enter_privy, ..RuleSet::bare(Side::General) };
    let single = RuleSet { jump: JumpRule::Single, ..RuleSet::bare(Side::General) };
    let chessboard =
        RuleSet { jump: JumpRule::Multi, compulsory: true, forward: ForwardRule::NeverBack, ..single.clone() };
    for (board, general, words, rebels) in [
        ("triangle", "c6", &free, 2),
        ("cross-33-diagonals", "d4", &single, 2),
        ("chessboard-dark", "e5", &chessboard, 2),
    ] {
        let variant = game(board, words, general, rebels).unwrap();
        assert!(is_for(&variant));
        check(&variant, 15).unwrap();
    }
}

/// A word that rows do not know leaves a game to the kernel.
#[test]
fn other_words_are_not_for_rows() {
    for id in ["sixteen-rebels", "juroku-musashi-culin", "hare-and-hounds"] {
        assert!(!is_for(&Variant::builtin(id).unwrap()), "{id}");
    }
}
