//! Tests of the statistics. Expected values come from the sources named beside them.

mod edges;
mod estimates;
mod ratios;
mod standings;
mod timings;

use super::{Pairs, Strength, Tally};

/// Wins, draws, losses.
fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
    Tally { wins, draws, losses }
}

fn of_games(wins: u64, draws: u64, losses: u64) -> Strength {
    Strength::new(&tally(wins, draws, losses), &Pairs::default()).unwrap()
}

fn of_pairs(pairs: [u64; 5]) -> Strength {
    Strength::new(&Tally::default(), &Pairs(pairs)).unwrap()
}

/// Checks a figure against one printed with `decimals` decimals.
#[track_caller]
fn assert_printed(figure: f64, printed: f64, decimals: i32) {
    let tolerance = 0.5 * 10f64.powi(-decimals) + 1e-9;
    assert!((figure - printed).abs() <= tolerance, "{figure} is not printed as {printed}");
}
