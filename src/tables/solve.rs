//! From a variant to its table file, and what that takes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use privy_protocol::{Instant, Stop};

use privy_base::threads::{Threads, cores};
use privy_rules::Variant;
use privy_rules::rule_set::NoMove;

use super::by_layers::{self, Alone, Exchange, GrowingTable, PLIES, Sizes, beside};
use super::coding::Layer;
use super::error::TableError;
use super::file::Header;
use super::kernel::knows;
use super::memory::{MemoryPlan, is_memory_available};
use super::numbering::Numbering;
use super::states::{Coverage, GeneralState, States};
use super::table::Table;
use super::verify::known_counts;

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

/// A solve under way.
pub struct Solve<'a> {
    pub numbering: Numbering,
    pub memory: MemoryPlan,
    /// The path of the table, if it gets a file.
    pub path: Option<&'a Path>,
    pub start: Instant,
    pub stop: &'a Stop,
    pub threads: Threads,
}

impl Solve<'_> {
    /// The path of the log of what the plies of a layer decide in the share of a process.
    pub(super) fn path_of_log(&self, process: usize) -> Option<PathBuf> {
        let number = if process == 0 { String::new() } else { format!("-{process}") };
        self.path.map(|table| beside(table, &(PLIES.to_owned() + &number)))
    }
}

/// Progress of a solve.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The layer under way, by its number of Rebels, where layers are solved one by one.
    pub rebels: Option<u32>,
    /// The last complete ply: all positions decided in that many plies are found.
    pub ply: u32,
    /// Positions decided so far, both sides to move.
    pub decided: u64,
    /// Where this run took over from an interrupted one: all positions with at most this number of Rebels.
    pub resumed_from: Option<u32>,
    /// Bytes of memory in use.
    pub memory: u64,
    /// Bytes sent to other processes of the solve.
    pub sent: u64,
    /// Time since the start.
    pub time: Duration,
}

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

/// Solves a variant and writes its table. Continues the unfinished file of an interrupted run, if that has kept what it has solved. The file
/// is the same for any number of threads.
///
/// # Errors
/// When the variant can't be solved or never has that many Rebels, memory is short, another process solves it into the same file, `stop`
/// was set, or the file can't be written: the path then keeps what it held. After `stop`, or a shortage of memory, the layers that have been
/// solved stay in its unfinished file.
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

/// Solves a variant by layers in several processes, each of which calls this with the same variant and options and a path to the same
/// file. The first of them writes the table and gets the result; the others get none.
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
    let (Header { layers, max_plies, .. }, bytes, _) = table.end()?;
    Ok(Some(Solved { layers, max_plies, bytes, removed_unfinished, solving, time: solve.start.elapsed() }))
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
    let (_, _, bytes) = by_layers::analyse(&solve, &mut Alone, progress)?.end()?;
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
    let coverage = Coverage::up_to(variant, options.rebels)?;
    let threads = Threads::new(options.threads.unwrap_or_else(cores));
    let (least, most) = Sizes::of(variant).memory(coverage, processes);
    let memory = MemoryPlan { variant: variant.id().to_owned(), least, most, allowed: options.memory };
    memory.check_limit()?;
    let is_available = is_memory_available(least);
    if !is_available && least <= USUAL_MEMORY {
        return Err(memory.none_left());
    }
    let numbering = Numbering::new(variant, coverage).filter(|_| is_available);
    let numbering = numbering.ok_or_else(|| too_large(&Sizes::of(variant), coverage, ""))?;
    Ok(Solve { numbering, memory, path, start: Instant::now(), stop, threads })
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
}

impl Effort {
    /// True if the least memory is within a limit in MiB, if there is one, and the system has it.
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
    let coverage = Coverage::up_to(variant, options.rebels)?;
    let (least_bytes, most_bytes) = Sizes::of(variant).memory(coverage, 1);
    Ok(Effort { positions: positions(variant, coverage), least_bytes, most_bytes })
}

/// Positions, for each side to move, that are solved at most to learn how well the values of a game compress.
const SAMPLE: u64 = 8_000_000;

/// Returns the bytes of disk that a solve with these options takes until its table is finished: an estimate, but for whole tables of built-in
/// games whose size is kept.
///
/// # Errors
/// As [`effort_of`], and when `stop` was set.
pub fn disk_bytes(variant: &Arc<Variant>, options: &SolveOptions, stop: &Stop) -> Result<u64, TableError> {
    let known = known_counts(variant.fingerprint()).filter(|_| options.rebels.is_none());
    let table =
        known.map_or_else(|| estimated_bytes(variant, options.rebels, SAMPLE, stop), |known| Ok(known.bytes))?;
    Ok(table + by_layers::bytes_in_files(variant, table))
}

/// Estimates the bytes of a table. The positions with few Rebels, `sample` at most for each side to move, are solved for it; the bytes of a
/// position are taken to change from there on as a power of the number of Rebels. That says nothing of a layer with many more positions, which
/// takes what such layers take.
pub fn estimated_bytes(
    variant: &Arc<Variant>,
    rebels: Option<u32>,
    sample: u64,
    stop: &Stop,
) -> Result<u64, TableError> {
    /// The usual bytes of a position, where even the fewest Rebels have more positions than a sample: on at most 25 points, and on more
    /// (docs/NOTEBOOK.md).
    const USUAL: [f64; 2] = [0.4, 0.7];
    /// The usual exponent, where one number of Rebels is known.
    const USUAL_POWER: f64 = -0.5;
    /// Positions of a layer, for each side to move, from which on the usual bytes are closer than what follows from the sample.
    const MANY: f64 = (1 << 28) as f64;
    /// Bytes without sections: of the header with its checksums, for each layer, and for each section in it; numbers are longer by digits.
    const HEADER: [u64; 3] = [210, 94, 5];
    check_solvable(variant)?;
    let (states, coverage) = (States::of(variant).solved, Coverage::up_to(variant, rebels)?);
    let is_sample = |rebels: &u32| positions(variant, coverage.limited(*rebels)) <= sample;
    let sampled = match coverage.layers().take_while(is_sample).last() {
        Some(most) => sections_bytes(variant, coverage.limited(most), None, stop)?,
        None => Vec::new(),
    };
    let stored = |rebels: u32| -> f64 { states.iter().map(|state| state.sets(variant, rebels) as f64).sum() };
    let sample: Vec<(f64, f64)> = coverage
        .layers()
        .zip(&sampled)
        .map(|(rebels, bytes)| (rebels.into(), *bytes as f64 / stored(rebels)))
        .collect();
    let usual = USUAL[usize::from(variant.rules().ground.len() > 25)];
    // Bytes of a position by number of Rebels, which is a power function: the last known value, and the exponent.
    let (known, power) = match sample.as_slice() {
        [.., (fewer, before), last] if *fewer > 2.0 => {
            (*last, ((last.1 / before).ln() / (last.0 / fewer).ln()).clamp(-1.5, 0.5))
        }
        [.., last] if last.0 > 2.0 => (*last, USUAL_POWER),
        _ => ((1.0, usual), 0.0),
    };
    let mut table = HEADER[0];
    for (layer, rebels) in coverage.layers().enumerate() {
        let positions = stored(rebels);
        let of_position = if positions < MANY { known.1 * (f64::from(rebels) / known.0).powf(power) } else { usual };
        let sections = sampled.get(layer).copied().unwrap_or((of_position * positions) as u64);
        let digits = |number: u64| u64::from(number.max(1).ilog10()) + 1;
        let of_section = HEADER[2] + digits(sections / states.len().max(1) as u64);
        table += sections + HEADER[1] + 4 * digits(positions as u64) + of_section * states.len() as u64;
    }
    Ok(table)
}

/// Solves a small table a few times: returns the positions that this machine solves a second at best, both sides to move.
/// Takes half a second on two cores. More threads than cores count as these.
///
/// # Errors
/// When `stop` was set, or memory is short.
pub fn measured_speed(threads: Option<usize>, stop: &Stop) -> Result<f64, TableError> {
    /// Once with new memory, and often enough for a calm moment.
    const TIMES: u32 = 6;
    let variant = Variant::builtin("orissa-tiger").expect("the game is built in");
    let coverage = Coverage::up_to(&variant, Some(5))?;
    let threads = Some(threads.unwrap_or_else(cores).min(cores()));
    let solved = || {
        let start = Instant::now();
        sections_bytes(&variant, coverage, threads, stop).map(|_| start.elapsed())
    };
    let times: Vec<Duration> = (0..TIMES).map(|_| solved()).collect::<Result<_, _>>()?;
    let least = times.iter().min().expect("there are some").as_secs_f64();
    Ok(2.0 * positions(&variant, coverage) as f64 / least)
}

/// Solves some layers; returns the bytes of the sections of each.
fn sections_bytes(
    variant: &Arc<Variant>,
    coverage: Coverage,
    threads: Option<usize>,
    stop: &Stop,
) -> Result<Vec<u64>, TableError> {
    let threads = Threads::new(threads.unwrap_or_else(cores));
    let (least, most) = Sizes::of(variant).memory(coverage, 1);
    let memory = MemoryPlan { variant: variant.id().to_owned(), least, most, allowed: None };
    let numbering = Numbering::new(variant, coverage).expect("a sample is small");
    let solve = Solve { numbering, memory, path: None, start: Instant::now(), stop, threads };
    let table: GrowingTable<'_> = by_layers::analyse(&solve, &mut Alone, &mut |_| {})?;
    let sections = &table.header.sections;
    Ok(sections.chunks(solve.numbering.states.solved.len().max(1)).map(|layer| layer.iter().sum()).collect())
}

/// True if the variant can be solved with the memory of usual machines.
#[must_use]
pub fn is_solvable(variant: &Variant) -> bool {
    check_size(variant).is_ok()
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
        return refused("a table cannot tell a draw from a repetition, which wins in this game");
    }
    if words.past_rebels && variant.opening().hand() > 0 {
        return refused("a table knows no General past Rebels of whom some are in hand");
    }
    if !knows(variant) {
        return refused("the solver does not know one of its rule words");
    }
    Ok(())
}

/// Refuses variants that can't be solved with the memory of usual machines. Takes some milliseconds on a large board.
pub(super) fn check_size(variant: &Variant) -> Result<(), TableError> {
    check_solvable(variant)?;
    let (sizes, coverage) = (Sizes::of(variant), Coverage::whole(variant));
    match sizes.memory(coverage, 1).0 {
        ..=USUAL_MEMORY => Ok(()),
        ..=LARGE_MEMORY if Numbering::is_possible(variant, coverage) => {
            Err(too_large(&sizes, coverage, "; where there is memory for all, privy solve solves it"))
        }
        _ => Err(too_large(&sizes, coverage, "")),
    }
}

fn positions(variant: &Variant, coverage: Coverage) -> u64 {
    let states = GeneralState::all(variant);
    let of_layer = |rebels: u32| states.iter().map(move |state| state.sets(variant, rebels));
    coverage.layers().flat_map(of_layer).fold(0, u64::saturating_add)
}

/// A variant takes too much memory by layers: how much, and how many Rebels would fit. `advice` ends the sentence.
fn too_large(sizes: &Sizes, coverage: Coverage, advice: &str) -> TableError {
    let variant = sizes.variant;
    let least = |coverage: Coverage| sizes.memory(coverage, 1).0;
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
        variant.rules().ground.len(),
        more_than(positions == u64::MAX),
        more_than(bytes >= u64::MAX / 8),
        bytes.div_ceil(1 << 20).div_ceil(1 << 10),
        fits.unwrap_or_default()
    );
    TableError::Unsolvable(variant.id().to_owned(), reason)
}
