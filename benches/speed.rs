//! Benchmarks of move generation, search and evaluation.
//!
//! ```text
//! cargo bench --bench speed                  all
//! cargo bench --bench speed -- perft         those with "perft" in the name
//! ```
//!
//! All but `memory_copy` and `many_…` use one thread. Figures are time per call and, where items are counted, items per
//! second:
//!
//! - `perft_leaves`: move generation without hashing, the last ply in bulk. Items are leaves. The depths are chosen so
//!   that a call takes some tens of milliseconds; deeper counts are faster per leaf.
//! - `perft_by_moves`: the same leaves through the public `legal_moves` and `after`, as in a GUI, to show the gain of
//!   the fast path.
//! - `search`: 300,000 nodes with a new searcher and a transposition table of 16 MiB, from a position of each variant
//!   that this search does not prove. Items are nodes: positions reached by making a move, also beyond the horizon.
//!   Allocating the table is included.
//! - `search_kept`: the same with a searcher that is kept, without the allocation.
//! - `many_searched`, `many_analyzed`: searches of 100 nodes from 20,000 positions of kings-gonu, on one thread and on
//!   two: by the search alone, from the text of a position to that of a move, and by `privy analyze` from lines to
//!   lines. Items are positions.
//! - `evaluation`: the evaluation alone, over positions of pseudo-random games. Items are positions. As in the search,
//!   it is compiled for the narrowest family of the variant.
//! - `memory_copy`: copying 256 MiB on one thread and on two, a yardstick for the memory accesses of the tablebase
//!   solver.
//!
//! Not measured: strength, move ordering (see the signature of `privy bench`: fewer nodes to the same depth), searches
//! with several threads, the protocol. Figures are comparable only between runs on one idle machine.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::process::Command;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

use privy_rules::{Game, Variant, perft};
use privy_search::eval::{Evaluation, Value, Weights};
use privy_search::{Limits, Searcher, Stop, bench};

fn main() {
    divan::main();
}

/// Variant and depth.
const PERFT: [(&str, u32); 13] = [
    ("sixteen-rebels", 8),
    ("sixteen-rebels-murray", 8),
    ("sixteen-rebels-neeley", 8),
    ("shap-luk-kon", 8),
    ("shap-luk-kon-2", 8),
    ("subjugatio", 9),
    ("subjugatio-free", 9),
    ("subjugatio-intervention", 9),
    ("yeung-luk", 9),
    ("juroku-musashi", 8),
    ("juroku-musashi-hasami", 8),
    ("monk-and-water", 8),
    ("kings-gonu", 7),
];

fn opening(id: &str) -> Game {
    Variant::builtin(id).unwrap().start()
}

#[divan::bench(args = PERFT, sample_count = 5)]
fn perft_leaves(bencher: Bencher, (id, depth): (&str, u32)) {
    let position = opening(id);
    let leaves = perft(&position, depth, &mut || false).unwrap();
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| perft(black_box(&position), depth, &mut || false));
}

fn slow_perft(position: &Game, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => position.legal_moves().iter().map(|move_| slow_perft(&position.after(move_), depth - 1)).sum(),
    }
}

#[divan::bench(args = ["sixteen-rebels", "subjugatio", "kings-gonu"], sample_count = 5)]
fn perft_by_moves(bencher: Bencher, id: &str) {
    let position = opening(id);
    let leaves = perft(&position, 5, &mut || false).unwrap();
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| slow_perft(black_box(&position), 5));
}

fn ids() -> Vec<&'static str> {
    PERFT.iter().map(|(id, _)| *id).collect()
}

const NODES: u64 = 300_000;

fn nodes(searcher: &mut Searcher, game: &Game) -> u64 {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    searcher.search(game, limits, &Stop::default(), &mut |_| {}).unwrap().nodes
}

#[divan::bench(args = ids(), sample_count = 5)]
fn search(bencher: Bencher, id: &str) {
    let game = unsettled(id);
    bencher.counter(ItemsCount::new(NODES)).bench_local(|| nodes(&mut Searcher::new(16), black_box(&game)));
}

#[divan::bench(args = ids(), sample_count = 5)]
fn search_kept(bencher: Bencher, id: &str) {
    let game = unsettled(id);
    let mut searcher = Searcher::new(16);
    nodes(&mut searcher, &game);
    bencher.counter(ItemsCount::new(NODES)).bench_local(|| nodes(&mut searcher, black_box(&game)));
}

/// A position that a search of `NODES` nodes does not prove: one of `privy bench`, else one of a game.
fn unsettled(id: &str) -> Game {
    let known = bench::positions().into_iter().rev().filter(|position| position.variant().id() == id);
    let mut games = known.chain(wandering(id, 2_000));
    games.find(|game| nodes(&mut Searcher::new(16), game) == NODES).unwrap()
}

/// Positions of games with pseudo-random moves, the same in each run.
fn wandering(id: &str, count: usize) -> Vec<Game> {
    let start = opening(id);
    let mut positions = vec![start.clone()];
    for step in 1..count {
        let last = positions.last().unwrap();
        let moves = last.legal_moves();
        let next = moves.get(step * 7_919 % moves.len().max(1)).map(|move_| last.after(move_));
        positions.push(next.filter(|next| next.outcome().is_none()).unwrap_or_else(|| start.clone()));
    }
    positions
}

const MANY: usize = 20_000;

#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn many_searched(bencher: Bencher, threads: usize) {
    let texts: Vec<String> = wandering("kings-gonu", MANY).iter().map(Game::to_string).collect();
    let variant = Variant::builtin("kings-gonu").unwrap();
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    bencher.counter(ItemsCount::new(MANY)).bench_local(|| {
        std::thread::scope(|scope| {
            for texts in texts.chunks(MANY / threads) {
                let variant = &variant;
                scope.spawn(move || {
                    let mut searcher = Searcher::new(16);
                    for text in texts {
                        let game = Game::from_text(text, Some(variant)).unwrap();
                        let found = searcher.search(&game, limits, &Stop::default(), &mut |_| {});
                        black_box(found.map(|found| game.move_text(&found.best)));
                    }
                });
            }
        });
    });
}

#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn many_analyzed(bencher: Bencher, threads: usize) {
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/many.jsonl");
    let lines = wandering("kings-gonu", MANY).into_iter().map(|game| format!("{{\"position\":\"{game}\"}}\n"));
    fs::write(path, lines.collect::<String>()).unwrap();
    bencher.counter(ItemsCount::new(MANY)).bench_local(|| {
        let answers = fs::File::create(concat!(env!("CARGO_TARGET_TMPDIR"), "/answers.jsonl")).unwrap();
        let mut analyze = Command::new(env!("CARGO_BIN_EXE_privy"));
        analyze.args(["analyze", path, "--tables", "off", "--nodes", "100", "--threads", &threads.to_string()]);
        assert!(analyze.stdout(answers).status().unwrap().success());
    });
}

#[divan::bench(args = ids(), sample_count = 20)]
fn evaluation(bencher: Bencher, id: &str) {
    let positions = wandering(id, 2_000);
    let variant = positions[0].variant();
    let (rules, evaluation) = (variant.rules(), Evaluation::new(variant, Weights::of(variant)));
    let value = |position: &Game| evaluation.evaluate(rules, position.position());
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        positions.iter().map(|position| black_box(value(black_box(position)))).max().unwrap_or(Value::DRAW)
    });
}

#[divan::bench(args = [1, 2], sample_count = 10)]
fn memory_copy(bencher: Bencher, threads: usize) {
    const BYTES: usize = 256 << 20;
    let source = vec![1u8; BYTES];
    let mut copy = vec![0u8; BYTES];
    let part = BYTES / threads;
    bencher.counter(BytesCount::new(BYTES)).bench_local(|| {
        std::thread::scope(|scope| {
            for (into, from) in copy.chunks_mut(part).zip(source.chunks(part)) {
                scope.spawn(move || black_box(into).copy_from_slice(black_box(from)));
            }
        });
    });
}
