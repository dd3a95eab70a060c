//! Speed of two threads: how much sooner they reach a depth than one. A measurement of some minutes on two idle cores.
//!
//! One thread searches every bench position for a fixed time; two threads must then reach its last depth. The figure is the time
//! of one thread divided by that of two, as the median over the positions. The bar is 1.35. To run it:
//!
//! ```text
//! cargo test --release --test all search::threads_speed:: -- --ignored --nocapture
//! ```
//!
//! `PRIVY_THREADS_MS` (2,000) is the time of one thread. `PRIVY_THREADS_REPEATS` (3) is the number of tries of two threads, whose
//! searches differ; their median counts.

use std::time::Duration;

use privy::rules::Game;
use privy::search::{Limits, Searcher, Stop, bench};

use crate::support::settings;

/// Size of the table in MiB. The system is slow to map fresh memory, the more so for two threads: a large table would measure
/// that.
const MEBIBYTES: usize = 32;

/// In a shorter search a second thread is of no use.
const LEAST: Duration = Duration::from_millis(300);

/// Depth and time of the last complete iteration. An iteration whose proof search the clock cut short is reported but does not
/// count.
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
    let time = Duration::from_millis(settings::number("PRIVY_THREADS_MS", 2_000));
    let mut ratios = Vec::new();
    for position in bench::positions() {
        let game = position.without_history();
        let limits = Limits { time: Some(time), ..Limits::default() };
        let Some((depth, one)) = last_iteration(&game, 1, &limits).filter(|(_, one)| *one >= LEAST) else { continue };
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let again = || last_iteration(&game, 2, &limits).map(|(_, two)| one.as_secs_f64() / two.as_secs_f64());
        let ratio = median((0..settings::number("PRIVY_THREADS_REPEATS", 3)).filter_map(|_| again()).collect());
        println!("{ratio:5.2}  depth {depth:2} in {:4} ms  {position}", one.as_millis());
        ratios.push(ratio);
    }
    let all = median(ratios.clone());
    println!("median {all:.2} of {} positions", ratios.len());
    assert!(all >= 1.35, "{all}");
}
