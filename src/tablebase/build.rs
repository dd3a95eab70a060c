//! From a variant to its table file.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::atomic_file::{process_writing, remove_unfinished};
use crate::cpu::best_instructions;
use crate::rules::Variant;

use super::checkpoint::{self, checkpoint_path};
use super::compression::{Entries, NOT_LEGAL, compress};
use super::error::TableError;
use super::file::{self, FORMAT, Header, PARTIAL_FORMAT, SectionHeader};
use super::general_states::GeneralState;
use super::layout::{Coding, Counts, Coverage, Layer, check_solvable};
use super::retrograde::Retrograde;
use super::value::Value;

/// How far a solve is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The last ply that is complete: positions decided in as many plies or fewer are known.
    pub ply: u32,
    /// Positions decided so far, both sides to move.
    pub decided: u64,
    /// All positions, both sides to move, legal or not.
    pub positions: u64,
    /// The last ply of an earlier run that this one goes on from, if there was one.
    pub resumed_from: Option<u32>,
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
}

/// What it takes to solve a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Positions for each side to move, those in which the game is over included.
    pub positions: u64,
    /// Memory that [`solve`] reserves, in bytes.
    pub bytes: u64,
}

/// What it takes to solve a variant, without doing it.
///
/// # Errors
/// When the variant is of a kind that is not solved.
pub fn effort(variant: &Variant) -> Result<Effort, TableError> {
    check_solvable(variant)?;
    let ground = variant.rules().ground();
    let positions = |state: &GeneralState| {
        let free = u64::from(ground.without(state.general).len());
        let sets =
            |rebels: u32| (0..u64::from(rebels)).fold(1, |sets, taken| sets * free.saturating_sub(taken) / (taken + 1));
        Coverage::whole(variant).layers().map(sets).sum::<u64>()
    };
    let positions = GeneralState::all(variant).iter().map(positions).sum();
    Ok(Effort { positions, bytes: Retrograde::bytes(variant) })
}

/// A longer solve is kept beside the table from time to time.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// Solves a variant and writes its table, going on from where an interrupted run ended and removing what it left unfinished. The file is the same for any number
/// of threads.
///
/// # Errors
/// When the variant is of a kind that is not solved or never has that many Rebels, memory is short, another process solves it into the same file,
/// `stop` was set, or the file can't be written; what the path held before stays then.
pub fn solve(
    variant: &Variant,
    path: &Path,
    options: &SolveOptions,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &AtomicBool,
) -> Result<Solved, TableError> {
    check_solvable(variant)?;
    let coverage = Coverage::up_to(variant, options.rebels)?;
    let bytes = Retrograde::bytes(variant);
    let (id, needed) = (variant.id().to_owned(), bytes.div_ceil(1 << 20));
    match options.memory {
        Some(allowed) if needed > allowed => return Err(TableError::Memory { variant: id, needed, allowed }),
        _ if !can_be_had(bytes) => return Err(TableError::NoMemory { variant: id, needed }),
        _ => {}
    }
    let system = |error| TableError::system(path, error);
    if let Some(process) = process_writing(path).map_err(system)? {
        return Err(TableError::InUse { path: path.to_owned(), process });
    }
    let removed_unfinished = remove_unfinished(path).map_err(system)?;
    // Before minutes of work: can there be a file? It also tells others that this process is at work.
    let file = file::create(path)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| system(std::io::Error::other(error)))?;
    let start = Instant::now();
    pool.install(|| {
        let analysis = analyse(variant, coverage, path, start, progress, stop)?;
        let solving = start.elapsed();
        let (header, sections) = compressed(&analysis, variant);
        drop(analysis);
        file::write_table(file, &header, &sections)?;
        // That an old checkpoint stays does no harm: it is read only by a solve of the same rules.
        let _ = std::fs::remove_file(checkpoint_path(path));
        let bytes = std::fs::metadata(path).map_err(system)?.len();
        let Header { layers, max_plies, .. } = header;
        Ok(Solved { layers, max_plies, bytes, removed_unfinished, solving, time: start.elapsed() })
    })
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

/// The complete analysis of a variant, with checkpoints beside the table's path.
fn analyse<'a>(
    variant: &'a Variant,
    coverage: Coverage,
    path: &Path,
    start: Instant,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &AtomicBool,
) -> Result<Retrograde<'a>, TableError> {
    let mut analysis = Retrograde::new(variant, coverage);
    let (states, sets) = (analysis.values().count(), analysis.index.sets());
    let positions = 2 * (states * sets) as u64;
    let beside = checkpoint_path(path);
    // What tells a solve from others: the rules, and up to how many Rebels.
    let limit = coverage.limit().map(|most| format!("-{most}")).unwrap_or_default();
    let name = format!("{}{limit}", variant.fingerprint());
    let known = checkpoint::read(&beside, &name, states, sets);
    let resumed_from = known.as_ref().map(|known| known.ply);
    let mut kept = Instant::now();
    let mut decided = 0;
    for ply in 0.. {
        let known = known.as_ref().filter(|known| ply <= known.ply).map(|known| known.values.as_slice());
        let newly_decided = analysis.step(known);
        decided += newly_decided;
        progress(&Progress { ply, decided, positions, resumed_from, time: start.elapsed() });
        if ply > 0 && newly_decided == 0 {
            break;
        }
        if ply > Coding::of(variant).most_plies() {
            let reason = "some wins take more plies than can be written";
            return Err(TableError::Unsolvable(variant.id().to_owned(), reason));
        }
        let interrupted = stop.load(Ordering::Relaxed);
        // While the plies of an earlier run are read again, its checkpoint is the one that knows more.
        if known.is_none() && (interrupted || kept.elapsed() > CHECKPOINT_INTERVAL) {
            match checkpoint::write(&beside, &name, ply, analysis.values().map(|(_, values)| values)) {
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

/// By number of Rebels, how often each byte occurs.
type Histogram = Vec<[u64; 256]>;

/// The table of an analysis, ready to be written.
fn compressed(analysis: &Retrograde, variant: &Variant) -> (Header, Vec<Vec<u8>>) {
    let (coding, coverage) = (Coding::of(variant), analysis.coverage);
    let mut kept: Vec<(GeneralState, &[u8])> = analysis.values().collect();
    kept.retain(|(state, _)| state.image(variant).general >= state.general);
    let compressed = kept.par_iter().map(|(state, values)| dispatch_compress_state(analysis, variant, *state, values));
    let compressed: Vec<(Vec<u8>, Histogram)> = compressed.collect();
    let mut histogram: Histogram = vec![[0; 256]; coverage.most() as usize + 1];
    let (mut sections, mut headers, mut offset) = (Vec::new(), Vec::new(), 0);
    for ((state, _), (section, counts)) in kept.into_iter().zip(compressed) {
        let GeneralState { general, apex_visited, free_jumps } = state;
        let length = section.len() as u64;
        headers.push(SectionHeader { general: general.index(), apex_visited, free_jumps, offset, length });
        offset += length;
        sections.push(section);
        let times = if state.image(variant) == state { 1 } else { 2 };
        for (sum, count) in histogram.iter_mut().flatten().zip(counts.iter().flatten()) {
            *sum += times * count;
        }
    }
    let mut max_plies = 0;
    let mut rebels_to_move = |rebels: u32| {
        let mut counts = Counts::default();
        for (byte, count) in (0..=u8::MAX).zip(histogram[rebels as usize]).filter(|(_, count)| *count > 0) {
            let (sum, plies) = match coding.value(byte) {
                Value::Draw => (&mut counts.drawn, 0),
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
    let layer = |rebels| Layer { rebels, general: analysis.general_counts(rebels), rebel: rebels_to_move(rebels) };
    let layers = coverage.layers().map(layer).collect();
    let header = Header {
        format: if coverage.limit().is_some() { PARTIAL_FORMAT } else { FORMAT },
        variant: variant.id().to_owned(),
        title: variant.title().to_owned(),
        fingerprint: variant.fingerprint().to_owned(),
        points: variant.rules().ground().len(),
        parity: analysis.index.parity(),
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
        values: &[u8],
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
    values: &[u8],
) -> (Vec<u8>, Histogram) {
    let ground = variant.rules().ground();
    let entries = Entries::new(&analysis.index, state.general, ground.contains(state.general));
    let mut histogram: Histogram = vec![[0; 256]; analysis.coverage.most() as usize + 1];
    let mut is_covered = vec![false; histogram.len()];
    analysis.coverage.layers().for_each(|rebels| is_covered[rebels as usize] = true);
    let section = compress(entries.len(), |entry| {
        let number = entries.number(entry);
        let set = analysis.index.set(number);
        let rebels = set.len() as usize;
        if is_covered.get(rebels) != Some(&true) || set.contains(state.general) || !ground.contains_all(set) {
            return NOT_LEGAL;
        }
        histogram[rebels][usize::from(values[number])] += 1;
        values[number]
    });
    (section, histogram)
}
