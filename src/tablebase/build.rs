//! From a variant to its table file, and what that takes.

use privy_protocol::Stop;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::atomic_file::{AtomicFile, process_writing, remove_unfinished};
use crate::rules::Variant;

use super::by_layers::{self, FinishedLayers, Sizes};
use super::error::TableError;
use super::exchange::{Alone, Exchange};
use super::file::{self, Header};
use super::general_state::GeneralState;
use super::layout::{Coding, Coverage, Layer, Method, check_solvable};
use super::numbering::{Ranking, binomial};
use super::run::{Needs, Progress, Run, is_memory_available};
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
    /// Time up to the synced and renamed file.
    pub time: Duration,
}

/// How to solve.
#[derive(Debug, Clone, Default)]
pub struct SolveOptions {
    /// Threads; none: all cores.
    pub threads: Option<usize>,
    /// Memory limit in MiB; none: no limit.
    pub memory: Option<u64>,
    /// The most Rebels of a position that is solved; none: those of the opening.
    pub rebels: Option<u32>,
    /// Solve layer by layer even where the whole board would do.
    pub by_layers: bool,
}

impl SolveOptions {
    fn method(&self, variant: &Variant) -> Method {
        if self.by_layers { Method::ByLayers } else { Method::of(variant) }
    }
}

/// Solves a variant and writes its table. Goes on from the checkpoint of an interrupted run and removes its unfinished file. The file
/// is the same for any number of threads.
///
/// # Errors
/// When the variant can't be solved or never has that many Rebels, memory is short, another process solves it into the same file, `stop`
/// was set, or the file can't be written: the path then keeps what it held. After `stop`, or a shortage after some plies, a checkpoint stays.
pub fn solve(
    variant: &Arc<Variant>,
    path: &Path,
    options: &SolveOptions,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &Stop,
) -> Result<Solved, TableError> {
    let solved =
        solve_by((options.method(variant), Coding::of(variant)), variant, path, options, &mut Alone, progress, stop)?;
    Ok(solved.expect("one process is the first"))
}

/// Solves a variant in several processes, each of which calls this with the same variant and options and a path to the same file. The
/// first of them writes the table, which is that of [`solve`] with `by_layers`, and gets the result; the others get none.
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
    solve_by((Method::ByLayers, Coding::of(variant)), variant, path, options, exchange, progress, stop)
}

/// [`solve_among`] by a method, with values in a coding; the whole board takes one process and has no laps.
pub(super) fn solve_by(
    (method, coding): (Method, Coding),
    variant: &Arc<Variant>,
    path: &Path,
    options: &SolveOptions,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &Stop,
) -> Result<Option<Solved>, TableError> {
    check_solvable(variant)?;
    let coverage = Coverage::up_to(variant, options.rebels)?;
    let system = |error| TableError::system(path, error);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| system(std::io::Error::other(error)))?;
    let needs = needs(variant, method, coverage, exchange.processes());
    let (allowed, start) = (options.memory, Instant::now());
    let run = Run { variant, coverage, coding, needs, allowed, path, start, stop, pool: &pool };
    run.check_limit()?;
    if !is_memory_available(needs.least) {
        return Err(if method == Method::ByLayers {
            too_large(&Sizes::of(variant), coverage, "")
        } else {
            run.no_memory()
        });
    }
    let begun = (exchange.number() == 0).then(|| begin(path)).transpose()?;
    let (header, sections, solving, layers) = match method {
        Method::WholeBoard => pool.install(|| {
            let analysis = whole_board::analyse(&run, progress)?;
            let solving = start.elapsed();
            let (header, sections) = whole_board::table(&analysis, variant);
            Ok::<_, TableError>((header, sections, solving, None))
        })?,
        Method::ByLayers => {
            let ranking =
                Ranking::new(variant, coverage).ok_or_else(|| too_large(&Sizes::of(variant), coverage, ""))?;
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
    // A checkpoint that can't be removed does no harm: only a solve of the same rules reads it.
    let _ = std::fs::remove_file(checkpoint_path(path));
    layers.iter().for_each(FinishedLayers::remove);
    let bytes = std::fs::metadata(path).map_err(system)?.len();
    let Header { layers, max_plies, .. } = header;
    Ok(Some(Solved { layers, max_plies, bytes, removed_unfinished, solving, time: start.elapsed() }))
}

/// Begins the file of a table; true when an unfinished one of an interrupted run was removed. A path that can't be written fails here,
/// before minutes of work, and other processes see that this one is writing.
fn begin(path: &Path) -> Result<(AtomicFile, bool), TableError> {
    let system = |error| TableError::system(path, error);
    if let Some(process) = process_writing(path).map_err(system)? {
        return Err(TableError::InUse(path.to_owned(), process));
    }
    let removed_unfinished = remove_unfinished(path).map_err(system)?;
    Ok((file::create(path)?, removed_unfinished))
}

/// Memory of a usual machine, in bytes: a variant that takes more counts as unsolvable.
const USUAL_MEMORY: u64 = 16 << 30;
/// Memory of a large machine.
const LARGE_MEMORY: u64 = 1 << 40;

/// What it takes to solve a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Positions for each side to move, those in which the game is over included.
    pub positions: u64,
    /// Bytes of memory before the first ply.
    pub least_bytes: u64,
    /// Bytes of memory if one ply decided everything.
    pub most_bytes: u64,
    /// Bytes of disk until the table is finished: an estimate.
    pub disk_bytes: u64,
    /// Solved layer by layer: works on any board, but slower by far.
    pub by_layers: bool,
}

impl Effort {
    /// Is the least memory within a limit in MiB, if there is one, and does the system have it?
    #[must_use]
    pub fn fits(&self, limit: Option<u64>) -> bool {
        let is_allowed = limit.is_none_or(|mib| self.least_bytes.div_ceil(1 << 20) <= mib);
        is_allowed && is_memory_available(self.least_bytes)
    }
}

/// What it takes to solve a variant, without doing it.
///
/// # Errors
/// When the variant can't be solved, or takes more memory than usual machines have.
pub fn effort(variant: &Variant) -> Result<Effort, TableError> {
    check_size(variant)?;
    effort_of(variant, &SolveOptions::default())
}

/// What a solve with these options takes, whatever memory there is.
///
/// # Errors
/// When the variant can't be solved, or never has that many Rebels.
pub fn effort_of(variant: &Variant, options: &SolveOptions) -> Result<Effort, TableError> {
    check_solvable(variant)?;
    let (method, coverage) = (options.method(variant), Coverage::up_to(variant, options.rebels)?);
    let Needs { least, most } = needs(variant, method, coverage, 1);
    let positions = positions(variant, coverage);
    // Of a table two fifths of a byte are the most that a position has taken (docs/TABLES.md); the files of layers take as much.
    let files = if method == Method::ByLayers { 2 } else { 1 };
    let disk_bytes = (positions / 5).saturating_mul(2 * files);
    Ok(Effort { positions, least_bytes: least, most_bytes: most, disk_bytes, by_layers: method == Method::ByLayers })
}

/// Can the variant be solved with the memory of usual machines?
#[must_use]
pub fn is_solvable(variant: &Variant) -> bool {
    check_size(variant).is_ok()
}

/// Refuses variants that can't be solved with the memory of usual machines. Takes some milliseconds on a large board.
pub(super) fn check_size(variant: &Variant) -> Result<(), TableError> {
    check_solvable(variant)?;
    // The memory of the whole board is small by the choice of the method.
    if Method::of(variant) == Method::WholeBoard {
        return Ok(());
    }
    let (sizes, coverage) = (Sizes::of(variant), Coverage::whole(variant));
    match sizes.needs(coverage, 1).least {
        ..=USUAL_MEMORY => Ok(()),
        ..=LARGE_MEMORY if Ranking::new(variant, coverage).is_some() => {
            Err(too_large(&sizes, coverage, "; where there is memory for all, privy solve solves it"))
        }
        _ => Err(too_large(&sizes, coverage, "")),
    }
}

fn positions(variant: &Variant, coverage: Coverage) -> u64 {
    let ground = variant.rules().ground();
    let of_places = |places: u32| coverage.layers().map(|rebels| binomial(places, rebels)).fold(0, u64::saturating_add);
    // All states on the ground have as many positions, and so have those elsewhere.
    let [on_ground, elsewhere] = [ground.len().saturating_sub(1), ground.len()].map(of_places);
    GeneralState::all(variant)
        .iter()
        .fold(0u64, |sum, state| sum.saturating_add(if ground.contains(state.general) { on_ground } else { elsewhere }))
}

fn needs(variant: &Variant, method: Method, coverage: Coverage, processes: usize) -> Needs {
    match method {
        Method::WholeBoard => whole_board::needs(variant, coverage),
        Method::ByLayers => Sizes::of(variant).needs(coverage, processes),
    }
}

/// A variant takes too much memory by layers: how much, and how many Rebels would fit. `advice` ends the sentence.
fn too_large(sizes: &Sizes, coverage: Coverage, advice: &str) -> TableError {
    let variant = sizes.variant;
    let least = |coverage: Coverage| sizes.needs(coverage, 1).least;
    let fits = coverage.layers().map(|rebels| (rebels, least(coverage.limited(rebels))));
    let fits = fits.take_while(|(_, bytes)| *bytes <= USUAL_MEMORY).last();
    let fits = fits.map(|(rebels, bytes)| {
        let mib = bytes.div_ceil(1 << 20);
        format!("; privy solve --rebels {rebels} takes {mib} MiB")
    });
    // Both numbers saturate, that of bytes as one of bits.
    let more_than = |is_saturated: bool| if is_saturated { "more than " } else { "" };
    let (positions, bytes) = (positions(variant, coverage), least(coverage));
    let reason = format!(
        "{} Rebels on {} points make {}{positions:.1e} positions, {}{} GiB of memory{}{advice}",
        coverage.most(),
        variant.rules().ground().len(),
        more_than(positions == u64::MAX),
        more_than(bytes >= u64::MAX / 8),
        bytes.div_ceil(1 << 20).div_ceil(1 << 10),
        fits.unwrap_or_default()
    );
    TableError::Unsolvable(variant.id().to_owned(), reason)
}
