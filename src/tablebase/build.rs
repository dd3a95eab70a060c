//! From a variant to its table file.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::atomic_file::{AtomicFile, process_writing, remove_unfinished};
use crate::cpu::best_instructions;
use crate::rules::Variant;

use super::block::Shortage;
use super::by_layers::{self, ByLayers, LayerProgress};
use super::checkpoint::{self, checkpoint_path};
use super::compression::{Entries, NOT_LEGAL, compress};
use super::error::{TableError, USUAL_MEMORY};
use super::exchange::{Alone, Exchange};
use super::file::{self, FORMAT, Header, LAYERED_FORMAT, LONG_FORMAT, PARTIAL_FORMAT, SectionHeader};
use super::finished_layers::FinishedLayers;
use super::general_states::GeneralState;
use super::layout::{CODES, Coding, Counts, Coverage, Layer, Method, check_solvable};
use super::ranking::binomial;
use super::rebels_to_move::Values;
use super::retrograde::{Needs, Retrograde};
use super::value::Value;

/// How far a solve is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The number of Rebels that is being solved, where one is after the other.
    pub rebels: Option<u32>,
    /// The last ply that is complete: positions decided in as many plies or fewer are known.
    pub ply: u32,
    /// Positions decided so far, both sides to move.
    pub decided: u64,
    /// All positions, both sides to move, legal or not.
    pub positions: u64,
    /// What an earlier run had reached that this one goes on from, if there was one.
    pub resumed_from: Option<Resumed>,
    /// Memory that the solve has taken, in bytes.
    pub memory: u64,
    /// Bytes that this process has sent to others that solve with it.
    pub sent: u64,
    /// Time since the start.
    pub time: Duration,
}

/// What an interrupted run had reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resumed {
    /// This ply was complete.
    Ply(u32),
    /// All positions with at most so many Rebels were solved.
    Rebels(u32),
}

impl fmt::Display for Resumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resumed::Ply(ply) => write!(f, "ply {ply}"),
            Resumed::Rebels(rebels) => write!(f, "{rebels} Rebels"),
        }
    }
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

/// What it takes to solve a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Positions for each side to move, those in which the game is over included.
    pub positions: u64,
    /// Memory that [`solve`] takes whatever the plies decide, in bytes.
    pub least_bytes: u64,
    /// Memory that it takes at most, if one ply decides everything, in bytes.
    pub most_bytes: u64,
    /// One number of Rebels is solved after the other, position by position: of any board, but slower by far.
    pub by_layers: bool,
}

/// What it takes to solve a variant, without doing it.
///
/// # Errors
/// When the variant is of a kind that is not solved, or takes more memory than may be expected.
pub fn effort(variant: &Variant) -> Result<Effort, TableError> {
    check_size(variant)?;
    Ok(effort_of(variant, Method::of(variant), Coverage::whole(variant)))
}

/// Is the variant of a kind that can be solved, with memory that may be expected?
#[must_use]
pub fn is_solvable(variant: &Variant) -> bool {
    check_size(variant).is_ok()
}

/// Refuses variants of a kind that is not solved, and those that take more memory than may be expected. Asked at each search without
/// a table.
pub(super) fn check_size(variant: &Variant) -> Result<(), TableError> {
    check_solvable(variant)?;
    // The memory of the whole board is small by the choice of the method.
    if Method::of(variant) == Method::WholeBoard {
        return Ok(());
    }
    let coverage = Coverage::whole(variant);
    match by_layers::needs(variant, coverage, 1).least <= USUAL_MEMORY {
        true => Ok(()),
        false => Err(too_large(variant, coverage)),
    }
}

fn effort_of(variant: &Variant, method: Method, coverage: Coverage) -> Effort {
    let ground = variant.rules().ground();
    let of_places = |places: u32| coverage.layers().map(|rebels| binomial(places, rebels)).fold(0, u64::saturating_add);
    // All states on the ground have as many positions, and so have those elsewhere.
    let [on_ground, elsewhere] = [ground.len().saturating_sub(1), ground.len()].map(of_places);
    let positions = GeneralState::all(variant).iter().fold(0u64, |sum, state| {
        sum.saturating_add(if ground.contains(state.general) { on_ground } else { elsewhere })
    });
    let Needs { least, most } = needs(variant, method, coverage, 1);
    Effort { positions, least_bytes: least, most_bytes: most, by_layers: method == Method::ByLayers }
}

/// Memory that a solve takes in each of some processes.
fn needs(variant: &Variant, method: Method, coverage: Coverage, processes: usize) -> Needs {
    match method {
        Method::WholeBoard => Retrograde::needs(variant, coverage),
        Method::ByLayers => by_layers::needs(variant, coverage, processes),
    }
}

/// Why a variant is not solved, and how far it can be.
fn too_large(variant: &Variant, coverage: Coverage) -> TableError {
    let Effort { positions, least_bytes: bytes, .. } = effort_of(variant, Method::ByLayers, coverage);
    let fits = coverage
        .layers()
        .map(|rebels| (rebels, by_layers::needs(variant, coverage.limited(rebels), 1).least))
        .take_while(|(_, bytes)| *bytes <= USUAL_MEMORY)
        .last();
    TableError::TooLarge {
        variant: variant.id().to_owned(),
        rebels: coverage.most(),
        points: variant.rules().ground().len(),
        positions,
        needed: bytes.div_ceil(1 << 20),
        fits: fits.map(|(rebels, bytes)| (rebels, bytes.div_ceil(1 << 20))),
    }
}

/// A longer solve is kept beside the table from time to time.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

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
            let mut analysis = run.whole_board(progress)?;
            analysis.end();
            let solving = start.elapsed();
            let (header, sections) = compressed(&analysis, variant);
            Ok::<_, TableError>((header, sections, solving, None))
        })?,
        Method::ByLayers => {
            let (analysis, layers) = run.by_layers(exchange, progress)?;
            let solving = start.elapsed();
            if begun.is_none() {
                return Ok(None);
            }
            let (header, sections) = pool.install(|| compressed_layers(&analysis, &layers, variant, coverage))?;
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

/// The memory of a solve.
#[derive(Debug, Clone, Copy)]
struct Memory {
    needs: Needs,
    /// MiB that may be taken.
    allowed: Option<u64>,
}

impl Memory {
    /// Refuses a solve that can't begin.
    fn check(self, variant: &Variant) -> Result<(), TableError> {
        let Needs { least, most } = self.needs.in_mib();
        let variant = variant.id().to_owned();
        match self.allowed {
            Some(allowed) if least > allowed => Err(TableError::Memory { variant, least, most, allowed }),
            _ if !can_be_had(self.needs.least) => Err(TableError::NoMemory { variant, least, most }),
            _ => Ok(()),
        }
    }

    /// Bytes that may be taken for what single plies decide.
    fn of_plies(self) -> u64 {
        self.allowed.map_or(u64::MAX, |mib| mib.saturating_mul(1 << 20).saturating_sub(self.needs.least))
    }

    /// The error of a layer that takes more bytes than are allowed.
    fn short_of_layer(self, variant: &Variant, rebels: u32, needed: u64) -> TableError {
        let (variant, needed) = (variant.id().to_owned(), needed.div_ceil(1 << 20));
        TableError::MemoryOfLayer { variant, rebels, needed, allowed: self.allowed.unwrap_or(u64::MAX) }
    }

    /// The error of a ply that decides more than there is memory for.
    fn short(self, variant: &Variant, shortage: Shortage, ply: u32) -> TableError {
        let (variant, most) = (variant.id().to_owned(), self.needs.in_mib().most);
        match (shortage, self.allowed) {
            (Shortage::Limit, Some(allowed)) => TableError::MemoryOfPly { variant, ply, most, allowed },
            _ => TableError::NoMemoryOfPly { variant, ply, most },
        }
    }
}

/// Does the system give so much memory, and a quarter of it for all else? A program that asks for more than it gets in the middle
/// of its work is aborted.
fn can_be_had(bytes: u64) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let size = usize::try_from(bytes.saturating_add(bytes / 4)).unwrap_or(usize::MAX);
    let is_given = probe.try_reserve_exact(size).is_ok();
    // Or the compiler sees that nothing is done with it, and asks for nothing.
    std::hint::black_box(&probe);
    is_given
}

/// A solve that is under way, with checkpoints beside the table's path.
struct Run<'a> {
    variant: &'a Arc<Variant>,
    coverage: Coverage,
    coding: Coding,
    memory: Memory,
    path: &'a Path,
    start: Instant,
    stop: &'a AtomicBool,
    pool: &'a rayon::ThreadPool,
}

impl<'a> Run<'a> {
    /// The complete analysis of a variant on the whole board.
    fn whole_board(&self, progress: &mut (dyn FnMut(&Progress) + Send)) -> Result<Retrograde<'a>, TableError> {
        let Run { variant, coverage, memory, path, start, stop, .. } = *self;
        let new = || Retrograde::new(variant, coverage, memory.of_plies());
        let mut analysis = new();
        let (states, sets) = (analysis.values().count(), analysis.index.sets());
        let positions = 2 * (GeneralState::all(variant).len() * sets) as u64;
        let beside = checkpoint_path(path);
        // What tells a solve from others: the rules, and up to how many Rebels.
        let limit = coverage.limit().map(|most| format!("-{most}")).unwrap_or_default();
        let name = format!("{}{limit}", variant.fingerprint());
        let mut recalled = 0;
        let last_known = checkpoint::read(&beside, &name, states, sets, |state, values| {
            analysis.recall(state, values);
            recalled += 1;
        });
        if last_known.is_none() && recalled > 0 {
            // The first half of a damaged checkpoint.
            drop(analysis);
            analysis = new();
        }
        let resumed_from = last_known.map(Resumed::Ply);
        let mut kept = Instant::now();
        let mut decided = 0;
        for ply in 0.. {
            // While the plies of an earlier run are read again, its checkpoint is the one that knows more.
            let again = last_known.is_some_and(|last| ply <= last);
            let keep = |analysis: &Retrograde, last| {
                checkpoint::write(&beside, &name, last, analysis.values().map(|(_, values)| values))
            };
            let newly_decided = match analysis.step(again) {
                Ok(newly_decided) => newly_decided,
                Err(shortage) => {
                    let error = memory.short(variant, shortage, ply);
                    if let Some(last) = ply.checked_sub(1).filter(|_| !again) {
                        keep(&analysis, last).inspect_err(|_| log::warn!("{error}"))?;
                    }
                    return Err(error);
                }
            };
            decided += newly_decided;
            let memory = memory.needs.least + analysis.bytes_of_plies();
            let time = start.elapsed();
            progress(&Progress { rebels: None, ply, decided, positions, resumed_from, memory, sent: 0, time });
            if ply > 0 && newly_decided == 0 {
                break;
            }
            let most = Coding::of(variant).most_plies_of_byte();
            if ply > most {
                return Err(TableError::too_long(variant, most, "; privy solve --by-layers tells more"));
            }
            if last_known == Some(ply) {
                analysis.forget_open();
            }
            let interrupted = stop.load(Ordering::Relaxed);
            if !again && (interrupted || kept.elapsed() > CHECKPOINT_INTERVAL) {
                match keep(&analysis, ply) {
                    Err(error) if interrupted => return Err(error),
                    // The solve itself needs no checkpoint; there may be room for the next.
                    Err(error) => log::warn!("no checkpoint was kept: {error}"),
                    Ok(()) => {}
                }
                kept = Instant::now();
            }
            if interrupted {
                return Err(TableError::Interrupted);
            }
        }
        Ok(analysis)
    }

    /// The complete analysis of a variant by layers, which go on from those that an interrupted run has kept.
    fn by_layers(
        &self,
        exchange: &mut dyn Exchange,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<(ByLayers<'a>, FinishedLayers), TableError> {
        let Run { variant, coverage, coding, memory, path, start, stop, pool } = *self;
        let mut analysis = ByLayers::new(variant, coverage, coding, exchange, pool, stop)
            .ok_or_else(|| too_large(variant, coverage))?;
        let positions = 2 * analysis.positions();
        let solve = format!("{} {}", variant.fingerprint(), String::from(coding));
        let mut layers = FinishedLayers::new(path, &solve, analysis.states().count());
        if exchange.number() == 0 {
            layers.resume(coverage.layers());
        }
        let known = exchange.as_the_first_says(layers.len() as u64).map_err(TableError::Process)? as usize;
        if exchange.number() > 0 {
            coverage.layers().take(known).try_for_each(|rebels| layers.push_written(rebels))?;
        }
        let resumed_from = layers.general().last().map(|(rebels, _)| Resumed::Rebels(rebels));
        let mut kept = Instant::now();
        for rebels in coverage.layers().skip(known) {
            let needed = analysis.bytes_of_layer(rebels) + layers.bytes();
            if memory.allowed.is_some_and(|allowed| needed > allowed.saturating_mul(1 << 20)) {
                layers.keep()?;
                return Err(memory.short_of_layer(variant, rebels, needed));
            }
            let mut tell = |LayerProgress { ply, decided, sent }: LayerProgress| {
                let (rebels, time) = (Some(rebels), start.elapsed());
                progress(&Progress { rebels, ply, decided, positions, resumed_from, memory: needed, sent, time });
            };
            let solved = analysis.solve_layer(rebels, &layers, exchange, &mut tell);
            let (general, sections) = match solved {
                Err(TableError::Interrupted) => {
                    layers.keep()?;
                    return Err(TableError::Interrupted);
                }
                solved => solved?,
            };
            if exchange.number() == 0 {
                layers.push(rebels, general, sections);
                if exchange.processes() > 1 {
                    layers.keep()?;
                } else if kept.elapsed() > CHECKPOINT_INTERVAL {
                    // The solve itself needs no checkpoint; there may be room for the next.
                    layers.keep().unwrap_or_else(|error| log::warn!("no checkpoint was kept: {error}"));
                    kept = Instant::now();
                }
            }
            // The first process has written the layer when it says something.
            exchange.as_the_first_says(0).map_err(TableError::Process)?;
            if exchange.number() > 0 {
                layers.push_written(rebels)?;
            }
        }
        // The first process removes the files of the layers when it has written the table: not before all others have read them.
        exchange.as_the_first_says(0).map_err(TableError::Process)?;
        Ok((analysis, layers))
    }
}

/// By number of Rebels, how often each code occurs.
type Histogram = Vec<[u64; CODES]>;

/// A section of a table.
struct Section {
    state: GeneralState,
    bytes: Vec<u8>,
    /// Where the laps begin in it, if there are any.
    laps: Option<u64>,
    /// How often each value occurs in it.
    histogram: Histogram,
}

/// The table of an analysis, ready to be written.
fn compressed(analysis: &Retrograde, variant: &Variant) -> (Header, Vec<Vec<u8>>) {
    let coverage = analysis.coverage;
    let states: Vec<(GeneralState, &Values)> = analysis.values().collect();
    let compressed = states.par_iter().map(|(state, values)| {
        let (bytes, histogram) = dispatch_compress_state(analysis, variant, *state, values);
        Section { state: *state, bytes, laps: None, histogram }
    });
    let format = if coverage.limit().is_some() { PARTIAL_FORMAT } else { FORMAT };
    let layout = (coverage, Coding::of(variant), format);
    table_of(variant, layout, compressed.collect(), |rebels| analysis.general_counts(rebels))
}

/// The table of the layers that have been solved, ready to be written.
fn compressed_layers(
    analysis: &ByLayers<'_>,
    layers: &FinishedLayers,
    variant: &Variant,
    coverage: Coverage,
) -> Result<(Header, Vec<Vec<u8>>), TableError> {
    let open = layers.open()?;
    let has_laps = layers.has_laps();
    let states: Vec<(usize, GeneralState)> = analysis.states().collect();
    let compressed = states.par_iter().map(|(number, state)| {
        let mut histogram: Histogram = vec![[0; CODES]; coverage.most() as usize + 1];
        let entries = coverage.layers().map(|rebels| analysis.positions_of(*state, rebels)).sum();
        let of_layer = |rebels| (0..analysis.positions_of(*state, rebels)).map(move |rank| (rebels, rank));
        let mut positions = coverage.layers().flat_map(of_layer);
        let (mut reader, mut all_laps) = (open.reader(), Vec::new());
        // Entries are asked for in their order.
        let mut bytes = compress(entries, |_| {
            let (rebels, rank) = positions.next().expect("as many as there are entries");
            let code = reader.code(rebels, *number, rank);
            histogram[rebels as usize][usize::from(code)] += 1;
            let [byte, laps] = code.to_le_bytes();
            if has_laps {
                all_laps.push(laps);
            }
            byte
        });
        reader.end()?;
        let laps = has_laps.then_some(bytes.len() as u64);
        if has_laps {
            bytes.extend(compress(entries, |entry| all_laps[entry]));
        }
        Ok(Section { state: *state, bytes, laps, histogram })
    });
    let compressed = compressed.collect::<Result<_, TableError>>()?;
    let general = |rebels| layers.general().find(|(layer, _)| *layer == rebels).map(|(_, counts)| counts);
    let general = |rebels| general(rebels).unwrap_or_default();
    let format = if has_laps { LONG_FORMAT } else { LAYERED_FORMAT };
    Ok(table_of(variant, (coverage, analysis.coding(), format), compressed, general))
}

/// Header and sections of a table, from the sections and the counts of positions with the General to move.
fn table_of(
    variant: &Variant,
    (coverage, coding, format): (Coverage, Coding, u32),
    compressed: Vec<Section>,
    general: impl Fn(u32) -> Counts,
) -> (Header, Vec<Vec<u8>>) {
    let mut histogram: Histogram = vec![[0; CODES]; coverage.most() as usize + 1];
    let (mut sections, mut headers, mut offset) = (Vec::new(), Vec::new(), 0);
    for Section { state, bytes: section, laps, histogram: counts } in compressed {
        let GeneralState { general, apex_visited, free_jumps } = state;
        let length = section.len() as u64;
        headers.push(SectionHeader { general: general.index(), apex_visited, free_jumps, offset, length, laps });
        offset += length;
        sections.push(section);
        let times = state.times(variant);
        for (sum, count) in histogram.iter_mut().flatten().zip(counts.iter().flatten()) {
            *sum += times * count;
        }
    }
    let mut max_plies = 0;
    let mut rebels_to_move = |rebels: u32| {
        let mut counts = Counts::default();
        for (code, count) in (0..).zip(histogram[rebels as usize]).filter(|(_, count)| *count > 0) {
            let (sum, plies) = match coding.value(code) {
                Value::Draw | Value::WinByRepetition | Value::LossByRepetition => (&mut counts.drawn, 0),
                Value::Win(plies) => (&mut counts.won, plies),
                // The game is over.
                Value::Loss(0) => continue,
                Value::Loss(plies) => (&mut counts.lost, plies),
            };
            *sum += count;
            max_plies = max_plies.max(plies);
        }
        counts
    };
    let layer = |rebels| Layer { rebels, general: general(rebels), rebel: rebels_to_move(rebels) };
    let layers = coverage.layers().map(layer).collect();
    let header = Header {
        format,
        variant: variant.id().to_owned(),
        title: variant.title().to_owned(),
        fingerprint: variant.fingerprint().to_owned(),
        points: variant.rules().ground().len(),
        parity: coverage.parity(),
        coding,
        mirrored: variant.is_mirrored(),
        max_plies,
        layers,
        sections: headers,
    };
    (header, sections)
}

best_instructions! {
    /// [`compress_state`] by the best instructions.
    fn dispatch_compress_state(
        analysis: &Retrograde<'_>,
        variant: &Variant,
        state: GeneralState,
        values: &Values,
    ) -> (Vec<u8>, Histogram) {
        compress_state(analysis, variant, state, values)
    }
}

/// The section of a state, and how often each value occurs in it.
#[inline(always)]
fn compress_state(
    analysis: &Retrograde,
    variant: &Variant,
    state: GeneralState,
    values: &Values,
) -> (Vec<u8>, Histogram) {
    let ground = variant.rules().ground();
    let entries = Entries::new(&analysis.index, state.general, ground.contains(state.general));
    let mut histogram: Histogram = vec![[0; CODES]; analysis.coverage.most() as usize + 1];
    let mut is_covered = vec![false; histogram.len()];
    analysis.coverage.layers().for_each(|rebels| is_covered[rebels as usize] = true);
    let section = compress(entries.len(), |entry| {
        let number = entries.number(entry);
        let set = analysis.index.set(number);
        let rebels = set.len() as usize;
        if is_covered.get(rebels) != Some(&true) || set.contains(state.general) || !ground.contains_all(set) {
            return NOT_LEGAL;
        }
        let value = values.get(number);
        histogram[rebels][usize::from(value)] += 1;
        value
    });
    (section, histogram)
}
