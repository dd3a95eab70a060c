//! The search signature: the node count of `privy bench`, recorded in `tests/search/signature.txt`, and that of a bench
//! two plies less deep.
//!
//! A change without effect on the search leaves it alone. A change of the search records it anew with
//! `PRIVY_REGENERATE=1 cargo test --test all search::signature:: -- --include-ignored` and says so in its commit.

use std::fmt::Write as _;

use privy_search::{Stop, bench};

fn visits_the_recorded_nodes(depth: u32, file: &str) {
    let path = format!("{}/tests/search/{file}", env!("CARGO_MANIFEST_DIR"));
    let result = bench::run(depth, &Stop::default()).unwrap();
    let mut found = String::new();
    for (id, nodes, _) in &result.by_variant {
        writeln!(found, "{id} {nodes}").unwrap();
    }
    writeln!(found, "signature {}", result.nodes()).unwrap();
    if std::env::var_os("PRIVY_REGENERATE").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(path).unwrap());
}

#[test]
fn the_bench_visits_the_recorded_nodes_two_plies_before_its_depth() {
    visits_the_recorded_nodes(bench::DEPTH - 2, "signature-short.txt");
}

#[test]
#[ignore = "release: ten seconds; every day two plies less"]
fn the_bench_visits_the_recorded_nodes() {
    visits_the_recorded_nodes(bench::DEPTH, "signature.txt");
}
