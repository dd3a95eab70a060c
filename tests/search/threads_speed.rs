//! How much sooner two threads reach a depth than one: a measurement, which needs two idle cores for some minutes.
//!
//! Every bench position is searched by one thread for a time; the last depth that it reached is what two threads have to reach
//! too. The figure is the time of one by that of two, its median over the positions. The bar is 1.35. To run it:
//!
//! ```text
//! cargo test --release --test search threads_speed:: -- --ignored --nocapture
//! ```
//!
//! `PRIVY_THREADS_MS` (2,000) is the time of one thread, `PRIVY_THREADS_REPEATS` (3) how often two threads try: their searches
//! differ, and the median counts.

use std::time::Duration;

use privy::rules::Game;
use privy::search::{Limits, Searcher, Stop, bench};

use crate::support::openings;

use openings::number;

/// MiB of the table. The system takes its time to give memory that is touched first, and more of it for two threads at once: a
/// large table would measure that.
const MEBIBYTES: usize = 32;

/// Shorter searches are over before a second thread is of use.
const LEAST: Duration = Duration::from_millis(300);

/// Depth and time of the last iteration that ended by itself. (One whose proofs the clock cut short is reported too.)
fn last_iteration(game: &Game, threads: usize, limits: &Limits) -> Option<(u32, Duration)> {
    let mut last = None;
    let mut searcher = Searcher::new(MEBIBYTES);
    searcher.set_threads(threads);
    let is_whole = |time| limits.time.is_none_or(|limit| time < limit);
    searcher.search(game, limits, &Stop::default(), &mut |report| {
        if is_whole(report.time) {
            last = Some((report.depth, report.time));
        }
    })?;
    last
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

#[test]
#[ignore = "measures for minutes and needs idle cores: see the head of the file"]
fn two_threads_reach_a_depth_sooner() {
    let time = Duration::from_millis(number("PRIVY_THREADS_MS", 2_000));
    let mut ratios = Vec::new();
    for position in bench::positions() {
        let game = position.without_history();
        let limits = Limits { time: Some(time), ..Limits::default() };
        let Some((depth, one)) = last_iteration(&game, 1, &limits).filter(|(_, one)| *one >= LEAST) else { continue };
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let again = || last_iteration(&game, 2, &limits).map(|(_, two)| one.as_secs_f64() / two.as_secs_f64());
        let ratio = median((0..number("PRIVY_THREADS_REPEATS", 3)).filter_map(|_| again()).collect());
        println!("{ratio:5.2}  depth {depth:2} in {:4} ms  {position}", one.as_millis());
        ratios.push(ratio);
    }
    let all = median(ratios.clone());
    println!("median {all:.2} of {} positions", ratios.len());
    assert!(all >= 1.35, "{all}");
}
