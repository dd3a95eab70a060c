//! How often the search keeps the value of the tablebase, and how often it finds a short win with its exact length.
//!
//! Positions come from random games of the variants with tablebases, spread evenly over sides and numbers of Rebels. Each has
//! moves that keep its value and moves that lose it. The search has no tables. The bars: it keeps the value in 95 % at 100 ms a
//! move and in 80 % at 1 ms; it finds wins in up to 15 plies with their exact length within a second in 99 %.
//!
//! ```text
//! PRIVY_KEEPS_TABLES=FOLDER cargo test --release --test all search::keeps:: -- --ignored --nocapture --test-threads=1
//! ```
//!
//! `PRIVY_KEEPS_NODES` or `PRIVY_KEEPS_MS` set the limit of a move, `PRIVY_KEEPS_POSITIONS` the number of positions (500),
//! `PRIVY_KEEPS_VARIANT` a single variant, `PRIVY_KEEPS_THREADS` (1) the number of concurrent searches,
//! `PRIVY_KEEPS_SEARCH_THREADS` (1) the threads of each, `PRIVY_KEEPS_HASH` (64) the transposition table in MiB.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use privy::path_choice::PathChoice;
use privy::rules::{Game, Side, Variant};
use privy::search::{Limits, Searcher, Stop};
use privy::tablebase::{Table, Tables, Value};
use privy_protocol::Score;

use crate::support::exactness;
use crate::support::random;
use crate::support::settings;

use exactness::SMALL_BOARDS;
use random::Random;

fn class(value: Value) -> i32 {
    value.class().into()
}

/// Positions of random games, by side and number of Rebels.
fn random_positions(variant: &Arc<Variant>, random: &mut Random) -> BTreeMap<(bool, u32), Vec<Game>> {
    let mut found: BTreeMap<(bool, u32), Vec<Game>> = BTreeMap::new();
    for _ in 0..6_000 {
        let mut position = variant.start();
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(&random.choose(&moves));
            if position.outcome().is_none() && random.one_in(6) {
                let key = (position.side() == Side::General, position.position().rebels().len());
                found.entry(key).or_default().push(position.clone());
            }
        }
    }
    found.values_mut().for_each(|positions| random.shuffle(positions));
    found
}

/// Up to `count` positions for which `accepts` is true, spread evenly over sides and numbers of Rebels.
pub(crate) fn balanced(variant: &Arc<Variant>, count: usize, accepts: impl Fn(&Game) -> bool) -> Vec<Game> {
    let mut random = Random::new(2_005);
    let mut kinds = random_positions(variant, &mut random);
    let mut chosen: Vec<Game> = Vec::new();
    while chosen.len() < count && kinds.values().any(|positions| !positions.is_empty()) {
        for positions in kinds.values_mut() {
            while let Some(position) = positions.pop() {
                if accepts(&position) && chosen.iter().all(|other| other.position() != position.position()) {
                    chosen.push(position);
                    break;
                }
            }
        }
    }
    chosen.truncate(count);
    chosen
}

/// Calls `each` for all positions. For each side, counts the positions for which it is true, and all.
pub(crate) fn share(
    positions: &[Game],
    each: impl Fn(&mut Searcher, &Game) -> bool + Sync,
) -> BTreeMap<bool, (usize, usize)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut counts: BTreeMap<bool, (usize, usize)> = BTreeMap::new();
        let mut searcher = Searcher::new(settings::count("PRIVY_KEEPS_HASH", 64));
        searcher.set_threads(settings::count("PRIVY_KEEPS_SEARCH_THREADS", 1));
        while let Some(position) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
            let count = counts.entry(position.side() == Side::General).or_default();
            count.0 += usize::from(each(&mut searcher, position));
            count.1 += 1;
        }
        counts
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..settings::count("PRIVY_KEEPS_THREADS", 1).max(1)).map(|_| scope.spawn(work)).collect();
        let mut all: BTreeMap<bool, (usize, usize)> = BTreeMap::new();
        for (kind, (hits, count)) in threads.into_iter().flat_map(|thread| thread.join().unwrap()) {
            let sum = all.entry(kind).or_default();
            (sum.0, sum.1) = (sum.0 + hits, sum.1 + count);
        }
        all
    })
}

fn limits(milliseconds: usize) -> Limits {
    match settings::count("PRIVY_KEEPS_NODES", 0) {
        0 => Limits {
            time: Some(Duration::from_millis(settings::count("PRIVY_KEEPS_MS", milliseconds) as u64)),
            ..Limits::default()
        },
        nodes => Limits { nodes: Some(nodes as u64), ..Limits::default() },
    }
}

pub(crate) fn with_tables(each: impl Fn(&Arc<Variant>, &Table)) {
    let folder = std::env::var_os("PRIVY_KEEPS_TABLES").expect("PRIVY_KEEPS_TABLES names the folder of the tables");
    let tables = Tables::new(PathChoice::Path(PathBuf::from(folder)));
    let only = std::env::var("PRIVY_KEEPS_VARIANT").unwrap_or_default();
    for id in SMALL_BOARDS.iter().filter(|id| only.is_empty() || **id == only) {
        let variant = Variant::builtin(id).unwrap();
        each(&variant, &tables.find(&variant).unwrap());
    }
}

fn percent((hits, count): (usize, usize)) -> f64 {
    hits as f64 * 100.0 / count.max(1) as f64
}

pub(crate) fn print(what: &str, shares: &BTreeMap<bool, (usize, usize)>, start: Instant) -> f64 {
    let of = |general| shares.get(&general).copied().unwrap_or_default();
    let (general, rebels) = (of(true), of(false));
    let all = percent((general.0 + rebels.0, general.1 + rebels.1));
    println!(
        "{what:24} {all:5.1} % of {:3}, general {:5.1} % of {:3}, rebels {:5.1} % of {:3}, {:.1} s",
        general.1 + rebels.1,
        percent(general),
        general.1,
        percent(rebels),
        rebels.1,
        start.elapsed().as_secs_f64()
    );
    all
}

fn value_is_kept(milliseconds: usize, bar: f64) {
    let sums = RefCell::new(Vec::new());
    with_tables(|variant, table| {
        let decisive = |position: &Game| {
            let values = table.values(position).unwrap();
            let best = values.iter().map(|valued| class(valued.value)).max().unwrap();
            values.iter().any(|valued| class(valued.value) < best)
        };
        let positions = balanced(variant, settings::count("PRIVY_KEEPS_POSITIONS", 500), decisive);
        let start = Instant::now();
        let shares = share(&positions, |searcher, position| {
            let game = position.without_history();
            let best = searcher.search(&game, &limits(milliseconds), &Stop::default(), &mut |_| {}).unwrap().best;
            let values = table.values(position).unwrap();
            let most = values.iter().map(|valued| class(valued.value)).max().unwrap();
            values.iter().any(|valued| valued.move_ == best && class(valued.value) == most)
        });
        sums.borrow_mut().push(print(variant.id(), &shares, start));
    });
    let sums = sums.into_inner();
    println!("mean {:.2} %, bar {bar} %", sums.iter().sum::<f64>() / sums.len() as f64);
    assert!(sums.iter().all(|share| *share >= bar), "{sums:?}");
}

#[test]
#[ignore = "needs tables and takes minutes: see the head of the file"]
fn the_value_of_the_table_is_kept_in_100_ms() {
    value_is_kept(100, 95.0);
}

#[test]
#[ignore = "needs tables and takes minutes: see the head of the file"]
fn the_value_of_the_table_is_kept_in_1_ms() {
    value_is_kept(1, 80.0);
}

#[test]
#[ignore = "needs tables and takes minutes: see the head of the file"]
fn short_wins_are_found_with_their_exact_length_in_a_second() {
    let sums = RefCell::new(Vec::new());
    with_tables(|variant, table| {
        let short = |position: &Game| matches!(table.probe(position).unwrap(), Value::Win(2..=15));
        let positions = balanced(variant, settings::count("PRIVY_KEEPS_POSITIONS", 200), short);
        let start = Instant::now();
        let shares = share(&positions, |searcher, position| {
            let game = position.without_history();
            let found = searcher.search(&game, &limits(1_000), &Stop::default(), &mut |_| {}).unwrap();
            let Value::Win(plies) = table.probe(position).unwrap() else { return false };
            let is_exact = found.lines.first().is_some_and(|line| line.score == Score::Win(plies));
            if !is_exact && settings::count("PRIVY_KEEPS_SHOW", 0) > 0 {
                println!(
                    "{position}: win {plies}, found {:?}",
                    found.lines.first().map(|line| (line.score, line.depth))
                );
            }
            is_exact
        });
        sums.borrow_mut().push(print(variant.id(), &shares, start));
    });
    let sums = sums.into_inner();
    assert!(sums.iter().all(|share| *share >= 99.0), "{sums:?}");
}
