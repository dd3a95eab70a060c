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
use privy_base::threads::Threads;
use privy_tables::by_layers::exchange::Processes;
use privy_tables::by_layers::{Alone, GrowingTable};
use privy_tables::coding::Coding;
use privy_tables::kernel::{Kernel, Places};
use privy_tables::numbering::Numbering;
use privy_tables::states::{GeneralState, layers};
use privy_tables::{TableValue, effort};

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
        kernel.solve_layer(*rebels, &mut table, &mut processes, threads, &mut |_, _, _| {}).unwrap();
        assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 1, "beside the board nothing has a name");
        if !reference.reached[*rebels as usize] {
            continue;
        }
        let counts = table.header.layers[layer];
        assert_eq!((counts.rebels, counts.general), (*rebels, reference.counts(Side::General, *rebels)));
        let values = |(number, state): (usize, &GeneralState)| -> Vec<TableValue> {
            let mut codes = vec![0; numbering.positions(*state, *rebels)];
            table.codes(*rebels, number, 0, &mut codes).unwrap();
            codes.into_iter().map(|code| coding.value(code)).collect()
        };
        let found: Vec<Vec<TableValue>> = numbering.states.iter().enumerate().map(values).collect();
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
        let files = random_game(7..=14, &mut random);
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
