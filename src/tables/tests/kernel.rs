//! The kernel with any number of low places: every position of random games of all words has the value of the plain
//! solver.
//!
//! Small boards have few high places when twelve are low, so that steps between rows, and rows that share a plane, show
//! with fewer.

use std::sync::Arc;

use privy_protocol::Stop;
use privy_rules::{Outcome, Side, Variant};
use privy_testing::cases;
use privy_testing::random::Random;
use privy_testing::tables::Reference;
use privy_testing::variants::random_game;

use super::Folder;
use super::numbers::decompress;
use privy_base::threads::Threads;
use privy_tables::by_layers::exchange::Processes;
use privy_tables::by_layers::{Alone, GrowingTable};
use privy_tables::coding::{Coding, Section};
use privy_tables::kernel::{Kernel, Places};
use privy_tables::numbering::Numbering;
use privy_tables::states::layers;
use privy_tables::{Counts, TableValue, effort};

/// The values of a section with the Rebels to move.
fn values(section: &Section, coding: Coding, positions: usize) -> Vec<TableValue> {
    decompress(&section.codes, positions).unwrap().into_iter().map(|code| coding.value(code)).collect()
}

/// Compares all layers of a game, with so many low places, and with light rows and a file of what plies decide or
/// without; returns the number of positions.
fn compare(variant: &Arc<Variant>, low: u32, has_light: bool, folder: &Folder) -> usize {
    let (stop, coding, reference) = (Stop::default(), Coding::of(variant), Reference::of(variant));
    let places = Places::new(variant, low, has_light);
    let numbering = Numbering::with_places(variant, layers(variant, None).unwrap(), &places.points).unwrap();
    let (numbering, threads) = (&numbering, &Threads::new(1));
    let mut kernel = Kernel::with_places(numbering, places, &stop);
    // What plies decide, in a file from some size on.
    kernel.log = has_light.then(|| (folder.0.path().to_owned(), low as usize * 8));
    let mut alone = Alone;
    let mut processes = Processes::new(&kernel.reach(), &mut alone);
    let mut table = GrowingTable::in_memory(numbering);
    let mut compared = 0;
    for (layer, rebels) in numbering.layers.iter().enumerate() {
        kernel.add_landings(*rebels, &mut table, 1, threads).unwrap();
        let sections = kernel.solve_layer(*rebels, &table, &mut processes, threads, &mut |_, _, _| {}).unwrap();
        assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 1, "beside the board nothing has a name");
        table.push(*rebels, sections.clone(), &stop).unwrap();
        if !reference.reached[*rebels as usize] {
            continue;
        }
        let mut general = Counts::default();
        for (state, section) in numbering.states.iter().zip(&sections) {
            general.add(section.general, state.times(variant));
        }
        assert_eq!(general, reference.counts(Side::General, *rebels), "{rebels} Rebels");
        let states = numbering.states.iter().zip(&sections);
        let found: Vec<Vec<TableValue>> =
            states.map(|(state, section)| values(section, coding, numbering.positions(*state, *rebels))).collect();
        let all = reference.states.iter().zip(&reference.outcomes).zip(&reference.values);
        for ((position, outcome), value) in all {
            let is_held = position.side() == Side::Rebels && position.rebels_left() == *rebels;
            let is_open = outcome.is_none() || matches!(outcome, Some(Outcome::NoMove(_)));
            let Ok((section, rank)) = numbering.find(position) else { continue };
            if is_held && is_open {
                let states = numbering.states.len();
                let found = found[section % states][rank];
                assert_eq!(section / states, layer);
                let expected = if value.plies().is_some() { *value } else { TableValue::Draw };
                assert_eq!(
                    found,
                    expected,
                    "{} with {low} low places, light rows: {has_light}",
                    variant.position_text(position)
                );
                compared += 1;
            }
        }
    }
    compared
}

/// The long run: `PRIVY_CASES=5000 cargo test --release --test all tables_unit::kernel`.
#[test]
fn random_games_have_the_values_of_the_plain_solver() {
    let (folder, mut games, mut positions) = (Folder::new(), 0, 0);
    let mut random = Random::new(67);
    while games < cases(60) {
        let files = random_game(7..=12, &mut random);
        std::fs::write(folder.file("board.toml"), &files.board).unwrap();
        let Ok(variant) = Variant::from_toml(&files.game, Some(&folder.file(""))) else { continue };
        let low = 2 + random.below(11) as u32;
        if effort(&variant).is_ok() && !variant.rule_set().goal_on_return {
            positions += compare(&Arc::new(variant), low, random.below(3) > 0, &folder);
            games += 1;
        }
    }
    assert!(positions > 100 * games as usize, "{positions} positions of {games} games");
}
