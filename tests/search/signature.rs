//! The search signature: the node count of `privy bench`, recorded in `tests/search/signature.txt`.
//!
//! A change without effect on the search leaves it alone. A change of the search records it anew with `PRIVY_REGENERATE=1 cargo
//! test --test all search::signature::` and says so in its commit.

use std::fmt::Write as _;

use privy_search::{Stop, bench};

#[test]
fn the_bench_visits_the_recorded_nodes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/search/signature.txt");
    let result = bench::run(bench::DEPTH, &Stop::default()).unwrap();
    let mut found = String::new();
    for (id, nodes, _) in &result.by_variant {
        writeln!(found, "{id} {nodes}").unwrap();
    }
    writeln!(found, "signature {}", result.nodes()).unwrap();
    if std::env::var_os("PRIVY_REGENERATE").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(path).unwrap());
}
