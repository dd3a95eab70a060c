//! Perft and the benchmark of the search.
//!
//! Perft measures move generation alone, counted in bulk, without hashing. The benchmark searches fixed positions to a
//! fixed depth: its node count is the signature of the search, its speed is for comparison on one machine.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use crate::rules::{self, Variant};
use crate::search::bench as search_bench;

use super::error::{CliError, find_position};

/// Counts the sequences of `depth` moves, move by move if `divided`, and ends with `nodes N time MS nps N`.
///
/// # Errors
/// When the text is no position, or the result can't be written.
pub(super) fn perft(
    variant: &Arc<Variant>,
    depth: u32,
    text: Option<&str>,
    divided: bool,
    output: &mut impl Write,
) -> Result<(), CliError> {
    let position = find_position(variant, text)?;
    let start = Instant::now();
    let nodes = if divided && depth > 0 {
        let divisions = rules::divide(&position, depth);
        for (move_, count) in &divisions {
            writeln!(output, "{move_} {count}")?;
        }
        divisions.iter().map(|(_, count)| count).sum()
    } else {
        rules::perft(&position, depth)
    };
    let time = start.elapsed();
    let per_second = u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1);
    writeln!(output, "nodes {nodes} time {} nps {per_second}", time.as_millis())?;
    Ok(())
}

/// Runs the benchmark of the search.
///
/// # Errors
/// When the result can't be written.
pub(super) fn bench(depth: Option<u32>, output: &mut impl Write) -> Result<(), CliError> {
    writeln!(output, "{}", search_bench::run(depth.unwrap_or(search_bench::DEPTH)))?;
    Ok(())
}
