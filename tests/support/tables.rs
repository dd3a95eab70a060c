//! Tablebases made by the test process itself.
use privy_protocol::Stop;

use std::path::Path;
use std::sync::Arc;

use privy_rules::Variant;
use privy_tables::{SolveOptions, Solved, Table, solve};

/// Solves a variant into a file.
pub fn solve_into(path: &Path, variant: &Arc<Variant>) -> Solved {
    solve(variant, path, &SolveOptions::default(), &mut |_| {}, &Stop::default()).unwrap()
}

/// Solves a variant into a file and opens its table.
pub fn solved(path: &Path, variant: &Arc<Variant>) -> Table {
    solve_into(path, variant);
    Table::open(path, variant).unwrap()
}
