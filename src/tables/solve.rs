//! From a variant to its table file, and what that takes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use privy_protocol::{Instant, Stop};

use privy_base::memory::HEADROOM;
use privy_base::threads::{Threads, cores};
use privy_rules::Variant;
use privy_rules::rule_set::NoMove;

use super::by_layers::{self, Alone, Exchange, Progress, Solve};
use super::error::TableError;
use super::kernel::{LayerMemory, knows};
use super::memory::{Effort, is_memory_available};
use super::numbering::Numbering;
use super::states::layers;
use super::table::Table;

/// How to solve.
#[derive(Debug, Clone, Default)]
pub struct SolveOptions {
    /// Threads; `None`: all cores.
    pub threads: Option<usize>,
    /// Memory limit in MiB; `None`: no limit.
    pub memory: Option<u64>,
    /// The most Rebels of a position that is solved; `None`: those of the opening.
    pub rebels: Option<u32>,
}

/// What a solve made.
#[derive(Debug, Clone)]
pub struct Solved {
    /// Bytes of the file.
    pub bytes: u64,
    /// An interrupted run had left an unfinished file, which was removed.
    pub removed_unfinished: bool,
    /// Time of the analysis alone.
    pub solving: Duration,
    /// Time up to the synced and renamed file.
    pub time: Duration,
}

/// Solves a variant and writes its table. Continues the unfinished file of an interrupted run, if that has kept what it
/// has solved. The file is the same for any number of threads.
///
/// # Errors
/// When the variant can't be solved or never has that many Rebels, memory is short, another process solves it into the
/// same file, `stop` was set, or the file can't be written: the path then keeps what it held. After `stop`, or a
/// shortage of memory, the layers that have been solved stay in its unfinished file.
pub fn solve(
    variant: &Arc<Variant>,
    path: &Path,
    options: &SolveOptions,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &Stop,
) -> Result<Solved, TableError> {
    let solved = solve_among(variant, path, options, &mut Alone, progress, stop)?;
    Ok(solved.expect("one process is the first"))
}

/// Solves a variant by layers in several processes, each of which calls this with the same variant and options and a
/// path to the same file. The first of them writes the table and gets the result; the others get none.
///
/// # Errors
/// As [`solve`], and when one of the processes has ended.
pub fn solve_among(
    variant: &Arc<Variant>,
    path: &Path,
    options: &SolveOptions,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &Stop,
) -> Result<Option<Solved>, TableError> {
    let solve = prepare(variant, Some(path), options, exchange.processes(), stop)?;
    let table = by_layers::analyse(&solve, exchange, progress)?;
    if exchange.number() != 0 {
        return Ok(None);
    }
    let (solving, removed_unfinished) = (solve.start.elapsed(), table.had_leftover());
    let (bytes, _) = table.end()?;
    Ok(Some(Solved { bytes, removed_unfinished, solving, time: solve.start.elapsed() }))
}

/// Solves a variant into memory, for a session without files.
///
/// # Errors
/// As [`solve`].
pub fn solve_in_memory(
    variant: &Arc<Variant>,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &Stop,
) -> Result<Table, TableError> {
    let solve = prepare(variant, None, &SolveOptions::default(), 1, stop)?;
    let (_, bytes) = by_layers::analyse(&solve, &mut Alone, progress)?.end()?;
    Table::from_memory(bytes.memory, variant)
}

/// Prepares a solve among some processes: the memory must be there, and the positions get their numbers.
fn prepare<'a>(
    variant: &Arc<Variant>,
    path: Option<&'a Path>,
    options: &SolveOptions,
    processes: usize,
    stop: &'a Stop,
) -> Result<Solve<'a>, TableError> {
    check_solvable(variant)?;
    let layers = layers(variant, options.rebels)?;
    let threads = Threads::new(options.threads.unwrap_or_else(cores));
    let Effort { bytes, .. } = LayerMemory::new(variant).effort(&layers, processes);
    let (needed, spare) = (bytes.div_ceil(1 << 20), HEADROOM >> 20);
    let short = |why: String| Err(TableError::Memory(variant.id().to_owned(), format!("{needed} MiB{why}")));
    if let Some(allowed) = options.memory.filter(|allowed| needed > *allowed) {
        return short(format!(", allowed are {allowed}; --memory sets the limit"));
    }
    let is_available = is_memory_available(bytes);
    if !is_available && bytes <= USUAL_MEMORY {
        return short(format!(" of memory, which the system does not give, and {spare} to spare"));
    }
    let numbering = Numbering::new(variant, layers.clone()).filter(|_| is_available);
    let numbering = numbering.ok_or_else(|| too_large(variant, &layers, ""))?;
    Ok(Solve { numbering, path, start: Instant::now(), stop, threads })
}

/// Memory of a usual machine, in bytes: a variant that takes more counts as unsolvable.
const USUAL_MEMORY: u64 = 16 << 30;
/// Memory of a large machine.
const LARGE_MEMORY: u64 = 1 << 40;

/// The cost of solving a variant, without doing it. Takes some milliseconds on a large board.
///
/// # Errors
/// When the variant can't be solved, or takes more memory than usual machines have.
pub fn effort(variant: &Variant) -> Result<Effort, TableError> {
    let effort = effort_of(variant, &SolveOptions::default())?;
    if effort.bytes <= USUAL_MEMORY {
        return Ok(effort);
    }
    let layers = layers(variant, None)?;
    let is_possible = effort.bytes <= LARGE_MEMORY && Numbering::is_possible(variant, &layers);
    let advice = if is_possible { "; where there is memory for all, privy solve solves it" } else { "" };
    Err(too_large(variant, &layers, advice))
}

/// What a solve with these options takes, whatever memory there is.
///
/// # Errors
/// When the variant can't be solved, or never has that many Rebels.
pub fn effort_of(variant: &Variant, options: &SolveOptions) -> Result<Effort, TableError> {
    check_solvable(variant)?;
    Ok(LayerMemory::new(variant).effort(&layers(variant, options.rebels)?, 1))
}

/// Refuses variants that can't be solved, whatever the memory.
fn check_solvable(variant: &Variant) -> Result<(), TableError> {
    let refused = |reason: &str| Err(TableError::Unsolvable(variant.id().to_owned(), reason.to_owned()));
    if variant.rules().move_limit().is_some() {
        return refused("a table knows no history, and plies without capture are counted");
    }
    let words = variant.rule_set();
    let can_draw = [words.no_move.general, words.no_move.rebels].contains(&NoMove::Draw);
    if can_draw && variant.rules().winner_by_repetition.is_some() {
        return refused("a table cannot distinguish a draw from a repetition, which wins in this game");
    }
    if words.past_rebels && variant.opening().hand() > 0 {
        return refused("a table knows no General past Rebels of whom some are in hand");
    }
    if !knows(variant) {
        return refused("the solver does not know one of its rule words");
    }
    Ok(())
}

/// A variant takes too much memory by layers: how much, and how many Rebels would fit. `advice` ends the sentence.
fn too_large(variant: &Variant, layers: &[u32], advice: &str) -> TableError {
    let sizes = LayerMemory::new(variant);
    let fits = (1..=layers.len()).map(|count| (layers[count - 1], sizes.effort(&layers[..count], 1).bytes));
    let fits = fits.take_while(|(_, bytes)| *bytes <= USUAL_MEMORY).last();
    let fits = fits.map(|(rebels, bytes)| {
        let mib = bytes.div_ceil(1 << 20);
        format!("; privy solve --rebels {rebels} takes {mib} MiB")
    });
    // Both numbers saturate, that of bytes as one of bits.
    let more_than = |is_saturated: bool| if is_saturated { "more than " } else { "" };
    let Effort { positions, bytes, .. } = sizes.effort(layers, 1);
    let reason = format!(
        "{} Rebels on {} points make {}{positions:.1e} positions, {}{} GiB of memory{}{advice}",
        layers.last().unwrap_or(&0),
        variant.rules().ground.len(),
        more_than(positions == u64::MAX),
        more_than(bytes >= u64::MAX / 8),
        bytes.div_ceil(1 << 20).div_ceil(1 << 10),
        fits.unwrap_or_default()
    );
    TableError::Unsolvable(variant.id().to_owned(), reason)
}
