//! From a variant to its table file.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::atomic_file::{AtomicFile, process_writing, remove_unfinished};
use crate::rules::Variant;

use super::by_layers::{self, FinishedLayers};
use super::effort::{needs, too_large};
use super::error::TableError;
use super::exchange::{Alone, Exchange};
use super::file::{self, Header};
use super::layout::{Coding, Coverage, Layer, Method, check_solvable};
use super::memory::Memory;
use super::ranking::Ranking;
use super::run::{Progress, Run};
use super::whole_board::{self, checkpoint_path};

/// What a solve made.
#[derive(Debug, Clone)]
pub struct Solved {
    /// Won, drawn and lost positions by number of Rebels.
    pub layers: Vec<Layer>,
    /// The most plies to the end of any position with the Rebels to move.
    pub max_plies: u32,
    /// Bytes of the file.
    pub bytes: u64,
    /// An interrupted run had left an unfinished file, which was removed.
    pub removed_unfinished: bool,
    /// Time of the analysis alone.
    pub solving: Duration,
    /// Time of all, up to the synced and renamed file.
    pub time: Duration,
}

/// How to solve.
#[derive(Debug, Clone, Default)]
pub struct SolveOptions {
    /// Threads; all cores when none.
    pub threads: Option<usize>,
    /// MiB that may be taken; no limit when none.
    pub memory: Option<u64>,
    /// The most Rebels of a position that is solved; those of the opening when none.
    pub rebels: Option<u32>,
    /// Solve one number of Rebels after the other even where all at once would do.
    pub by_layers: bool,
}

/// Solves a variant and writes its table, going on from where an interrupted run ended and removing what it left unfinished. The file is the same for any number
/// of threads.
///
/// # Errors
/// When the variant is of a kind that is not solved or never has that many Rebels, memory is short, another process solves it into the same file,
/// `stop` was set, or the file can't be written; what the path held before stays then. Where memory is found to be short after some plies these are
/// kept, as with `stop`.
pub fn solve(
    variant: &Arc<Variant>,
    path: &Path,
    options: &SolveOptions,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &AtomicBool,
) -> Result<Solved, TableError> {
    let method = if options.by_layers { Method::ByLayers } else { Method::of(variant) };
    let solved = solve_by((method, Coding::of(variant)), variant, path, options, &mut Alone, progress, stop)?;
    Ok(solved.expect("one process is the first"))
}

/// Solves a variant in several processes, all of which call this with the same variant and options and a path that is the same file for
/// all. The first of them writes the table, which is that of [`solve`] with `by_layers`, and gets what was made; the others get none.
///
/// # Errors
/// As [`solve`], and when one of the processes has ended.
pub fn solve_among(
    variant: &Arc<Variant>,
    path: &Path,
    options: &SolveOptions,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &AtomicBool,
) -> Result<Option<Solved>, TableError> {
    solve_by((Method::ByLayers, Coding::of(variant)), variant, path, options, exchange, progress, stop)
}

/// [`solve_among`] by a method, with values in a coding; the whole board is for one process, and has no laps.
pub(super) fn solve_by(
    (method, coding): (Method, Coding),
    variant: &Arc<Variant>,
    path: &Path,
    options: &SolveOptions,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &AtomicBool,
) -> Result<Option<Solved>, TableError> {
    check_solvable(variant)?;
    let coverage = Coverage::up_to(variant, options.rebels)?;
    let memory = Memory { needs: needs(variant, method, coverage, exchange.processes()), allowed: options.memory };
    match memory.check(variant) {
        Err(TableError::NoMemory { .. }) if method == Method::ByLayers => return Err(too_large(variant, coverage)),
        checked => checked?,
    }
    let system = |error| TableError::system(path, error);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| system(std::io::Error::other(error)))?;
    let start = Instant::now();
    let run = Run { variant, coverage, coding, memory, path, start, stop, pool: &pool };
    let begun = (exchange.number() == 0).then(|| begin(path)).transpose()?;
    let (header, sections, solving, layers) = match method {
        Method::WholeBoard => pool.install(|| {
            let analysis = whole_board::analyse(&run, progress)?;
            let solving = start.elapsed();
            let (header, sections) = whole_board::table(&analysis, variant);
            Ok::<_, TableError>((header, sections, solving, None))
        })?,
        Method::ByLayers => {
            let ranking = Ranking::new(variant, coverage).ok_or_else(|| too_large(variant, coverage))?;
            let (analysis, layers) = by_layers::analyse(&run, ranking, exchange, progress)?;
            let solving = start.elapsed();
            if begun.is_none() {
                return Ok(None);
            }
            let (header, sections) = pool.install(|| by_layers::table(&analysis, &layers, variant, coverage))?;
            (header, sections, solving, Some(layers))
        }
    };
    let Some((file, removed_unfinished)) = begun else { return Ok(None) };
    file::write_table(file, &header, &sections)?;
    // What was kept on the way goes when the table is there. That it stays does no harm: only a solve of the same rules reads it.
    let _ = std::fs::remove_file(checkpoint_path(path));
    layers.iter().for_each(FinishedLayers::remove);
    let bytes = std::fs::metadata(path).map_err(system)?.len();
    let Header { layers, max_plies, .. } = header;
    Ok(Some(Solved { layers, max_plies, bytes, removed_unfinished, solving, time: start.elapsed() }))
}

/// Begins the file of a table, which another process may be writing; tells as well whether one had left it unfinished.
fn begin(path: &Path) -> Result<(AtomicFile, bool), TableError> {
    let system = |error| TableError::system(path, error);
    if let Some(process) = process_writing(path).map_err(system)? {
        return Err(TableError::InUse { path: path.to_owned(), process });
    }
    let removed_unfinished = remove_unfinished(path).map_err(system)?;
    // Before minutes of work: can there be a file? It also tells others that this process is at work.
    Ok((file::create(path)?, removed_unfinished))
}
