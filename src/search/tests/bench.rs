//! The bench.

use privy_protocol::Stop;
use privy_rules::Variant;
use privy_search::bench::*;

/// The opening of twenty-six-murray alone is over.
#[test]
fn every_position_reads_and_can_be_searched() {
    assert_eq!(positions().len(), Variant::builtin_ids().count() - 1 + 17);
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let nodes = || run(4, &Stop::default()).map(|result| result.nodes());
    assert_eq!(nodes(), nodes());
}
