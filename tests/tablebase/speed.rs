//! Speed of a probe of the table: a measurement, not part of the default run.
//!
//! ```text
//! cargo test --release --test all tablebase::speed:: -- --ignored --nocapture
//! ```
//!
//! The variant is sixteen-rebels, or `PRIVY_VARIANT`. Its table is in the folder `PRIVY_TABLES`, or is solved first. 200,000
//! random positions, half with either side to move, are probed once to load the file into memory. Then each probe is timed. Each
//! figure includes one reading of the clock.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use privy::board::{Point, PointSet};
use privy::rules::{Position, Side, Variant};
use privy::tablebase::{Table, table_path};

use crate::support::random;
use crate::support::tables;

use random::Random;

const PROBES: usize = 200_000;

/// A random position of the table that is not over.
fn random_state(variant: &Variant, table: &Table, random: &mut Random, side: Side) -> Position {
    let (board, rules) = (variant.board(), variant.rules());
    let remembers = !rules.return_apex().is_empty();
    loop {
        let rebels: PointSet = rules.ground().into_iter().filter(|_| random.one_in(2)).collect();
        let general = Point::new(random.below(board.len()));
        let free_jumps = random.below(usize::from(variant.rule_set().free_jumps) + 1) as u8;
        let apex_visited = remembers && board.privy().contains(general) && random.one_in(2);
        let state = Position::new(rebels.without(general), general, side, apex_visited, free_jumps);
        let covered = table.layers().iter().any(|layer| layer.rebels == state.rebels().len());
        let remembered = apex_visited || !rules.return_apex().contains(general);
        let over = rules.outcome::<privy::rules::family::Every>(&state, None).is_some()
            || rules.goal_after_general(&state).is_some();
        if covered && remembered && !over {
            return state;
        }
    }
}

fn median_and_99th(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

#[test]
#[ignore = "measures; needs a quiet machine and the release profile"]
fn random_probes() {
    let id = std::env::var("PRIVY_VARIANT").unwrap_or_else(|_| "sixteen-rebels".to_owned());
    let variant = Variant::builtin(&id).unwrap();
    let folder = std::env::var("PRIVY_TABLES").unwrap_or_else(|_| env!("CARGO_TARGET_TMPDIR").to_owned());
    let path = table_path(Path::new(&folder), &variant);
    if !path.exists() {
        tables::solve_into(&path, &variant);
    }
    let start = Instant::now();
    let table = Table::open(&path, &variant).unwrap();
    println!("{id}: {} bytes, opened in {:?}", table.bytes(), start.elapsed());
    let start = Instant::now();
    table.probe(&variant.start()).unwrap();
    println!("first probe {:?}", start.elapsed());
    let mut random = Random::new(16);
    let side = |number: usize| if number.is_multiple_of(2) { Side::General } else { Side::Rebels };
    let states: Vec<Position> =
        (0..PROBES).map(|number| random_state(&variant, &table, &mut random, side(number))).collect();
    for state in &states {
        table.probe_state(state).unwrap();
    }
    let times: Vec<Duration> = states
        .iter()
        .map(|state| {
            let start = Instant::now();
            let _ = black_box(table.probe_state(black_box(state)));
            start.elapsed()
        })
        .collect();
    for (name, side_to_move) in
        [("general to move", Some(Side::General)), ("rebels to move", Some(Side::Rebels)), ("both", None)]
    {
        let chosen =
            states.iter().zip(&times).filter(|(state, _)| side_to_move.is_none_or(|side| side == state.side()));
        let (median, most) = median_and_99th(chosen.map(|(_, time)| *time).collect());
        println!("{name}: median {median:?}, 99th percentile {most:?}");
        if side_to_move.is_none() {
            assert!(median < Duration::from_micros(5) && most < Duration::from_micros(50));
        }
    }
}
