//! From a variant to its table file.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::board::PointSet;
use crate::rules::Variant;

use super::TableError;
use super::checkpoint::{self, checkpoint_path};
use super::compression::{Compression, NOT_LEGAL, pack};
use super::coverage::Coverage;
use super::file;
use super::header::{Coding, Counts, FORMAT, Header, Layer, PARTIAL_FORMAT, SectionHeader, space_of};
use super::index::{BLOCK_SETS, Index};
use super::retrograde::Solver;

/// Where a solve stands.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The ply that was looked at last: positions decided in so many plies are known.
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
    /// Time of the solving alone, and of everything up to the synced and renamed file.
    pub solving: Duration,
    /// Time of all.
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

/// Is the variant of a kind that can be solved?
#[must_use]
pub fn is_solvable(variant: &Variant) -> bool {
    objection(variant).is_none()
}

/// Refuses variants that can't be solved.
pub(super) fn check_solvable(variant: &Variant) -> Result<(), TableError> {
    objection(variant).map_or(Ok(()), |reason| Err(TableError::Unsolvable(variant.id().to_owned(), reason)))
}

/// Why a variant is not solved, or nothing.
fn objection(variant: &Variant) -> Option<&'static str> {
    let rules = variant.rules();
    let ground = rules.ground;
    if ground.len() > 25 {
        return Some("Rebels may stand on more than 25 points");
    }
    if ground != PointSet((1 << ground.len()) - 1) {
        return Some("the points of the Rebels are not the first of the board");
    }
    None
}

/// Solves a variant and writes its table, going on from where an interrupted run ended. The file is the same for any number of threads.
///
/// # Errors
/// When the variant is of a kind that is not solved or never has so many Rebels, memory is short, `stop` was set, or the file can't be written; what
/// the path held before stays then.
pub fn solve(
    variant: &Variant,
    path: &Path,
    options: &SolveOptions,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &AtomicBool,
) -> Result<Solved, TableError> {
    check_solvable(variant)?;
    let coverage = Coverage::up_to(variant, options.rebels)?;
    let space = space_of(variant);
    if let Some(allowed) = options.memory {
        let needed = Solver::bytes(variant, &space) >> 20;
        if needed > allowed {
            return Err(TableError::Memory { variant: variant.id().to_owned(), needed, allowed });
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| TableError::system(path, std::io::Error::other(error)))?;
    let start = Instant::now();
    pool.install(|| {
        let mut solver = Solver::new(variant, space, coverage);
        let places = solver.places.places.len();
        let positions = 2 * (places * space.sets()) as u64;
        let beside = checkpoint_path(path);
        let solve_name = solve_name(variant, coverage);
        let known = checkpoint::read(&beside, &solve_name, places, space.sets());
        let mut kept = Instant::now();
        let mut decided = 0;
        for ply in 0.. {
            let counts = solver.step(known.as_ref());
            decided += counts.sum();
            let resumed_from = known.as_ref().map(|known| known.ply);
            progress(&Progress { ply, decided, positions, resumed_from, time: start.elapsed() });
            if ply > 0 && counts.sum() == 0 {
                break;
            }
            if ply > Coding::of(variant).most_plies() {
                let reason = "some wins take more plies than can be written";
                return Err(TableError::Unsolvable(variant.id().to_owned(), reason));
            }
            let interrupted = stop.load(Ordering::Relaxed);
            if interrupted || kept.elapsed() > CHECKPOINT_INTERVAL {
                let plies = solver.rebels.iter().map(|rebels| rebels.plies.as_slice());
                match checkpoint::write(&beside, &solve_name, ply, plies) {
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
        drop(known);
        let solving = start.elapsed();
        let packed = Packed::of(&solver);
        drop(solver);
        let bytes = packed.write(path)?;
        checkpoint::remove(&beside);
        let Packed { header, .. } = packed;
        Ok(Solved { layers: header.layers, max_plies: header.max_plies, bytes, solving, time: start.elapsed() })
    })
}

/// What tells a solve from others: the rules, and up to how many Rebels.
fn solve_name(variant: &Variant, coverage: Coverage) -> String {
    let limit = coverage.limit().map(|most| format!("-{most}")).unwrap_or_default();
    format!("{}{limit}", variant.fingerprint())
}

/// A solve that takes longer is kept beside the table from time to time.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// A table, ready to be written.
struct Packed {
    header: Header,
    sections: Vec<Vec<u8>>,
}

/// How often each value occurs, by number of Rebels.
type Histogram = Vec<[u64; 256]>;

impl Packed {
    fn of(solver: &Solver) -> Packed {
        let (variant, space) = (solver.variant, &solver.space);
        let coding = Coding::of(variant);
        let most = solver.coverage.most();
        let image =
            |point| variant.board().mirror().filter(|_| variant.is_mirrored()).map_or(point, |m| m.point(point));
        let kept: Vec<usize> = (0..solver.places.places.len())
            .filter(|place| {
                let general = solver.places.places[*place].general;
                image(general) >= general
            })
            .collect();
        let packed: Vec<(Vec<u8>, Histogram)> = kept
            .par_iter()
            .map(|place| {
                let general = solver.places.places[*place].general;
                let times = if image(general) == general { 1 } else { 2 };
                pack_place(solver, *place, times, most)
            })
            .collect();
        let mut histogram: Histogram = vec![[0; 256]; most as usize + 1];
        let (mut sections, mut headers, mut offset) = (Vec::new(), Vec::new(), 0);
        for (place, (section, counts)) in kept.iter().zip(packed) {
            let place = solver.places.places[*place];
            headers.push(SectionHeader {
                general: place.general.index(),
                apex_visited: place.apex_visited,
                free_jumps: place.free_jumps,
                offset,
                length: section.len() as u64,
            });
            offset += section.len() as u64;
            sections.push(section);
            for (sum, counts) in histogram.iter_mut().zip(counts) {
                sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
        let values = histogram.iter().flat_map(|counts| counts.iter().enumerate().filter(|(_, count)| **count > 0));
        let max_plies =
            values.filter_map(|(value, _)| coding.read(value as u8)).map(|(plies, _)| plies).max().unwrap_or(0);
        let header = Header {
            format: if solver.coverage.limit().is_some() { PARTIAL_FORMAT } else { FORMAT },
            variant: variant.id().to_owned(),
            title: variant.title().to_owned(),
            fingerprint: variant.fingerprint().to_owned(),
            points: variant.rules().ground.len(),
            parity: space.parity(),
            coding,
            mirrored: variant.is_mirrored(),
            max_plies,
            layers: layers(solver, coding, &histogram),
            sections: headers,
        };
        Packed { header, sections }
    }

    fn write(&self, path: &Path) -> Result<u64, TableError> {
        file::write(path, &self.header, &self.sections)?;
        std::fs::metadata(path).map(|data| data.len()).map_err(|error| TableError::system(path, error))
    }
}

fn pack_place(solver: &Solver, place: usize, times: u64, most: u32) -> (Vec<u8>, Histogram) {
    let (variant, space) = (solver.variant, &solver.space);
    let general = solver.places.places[place].general;
    let ground = variant.rules().ground;
    let compression = Compression::new(space, general, ground.contains(general));
    let mut histogram: Histogram = vec![[0; 256]; most as usize + 1];
    let mut known = vec![false; most as usize + 1];
    for rebels in solver.coverage.layers() {
        if let Some(known) = known.get_mut(rebels as usize) {
            *known = true;
        }
    }
    let plies = &solver.rebels[place].plies;
    let packed = pack(compression.entries(), |entry| {
        let index = compression.index(entry);
        let set = space.set(index);
        let rebels = set.len() as usize;
        let legal = known.get(rebels) == Some(&true) && !set.contains(general) && ground.contains_all(set);
        match plies.get(index) {
            Some(value) if legal => {
                histogram[rebels][usize::from(*value)] += times;
                *value
            }
            _ => NOT_LEGAL,
        }
    });
    (packed, histogram)
}

/// Counts by number of Rebels, positions that are over left out.
fn layers(solver: &Solver, coding: Coding, histogram: &Histogram) -> Vec<Layer> {
    let rebels_to_move = |rebels: u32| {
        let mut counts = Counts::default();
        for (value, count) in histogram[rebels as usize].iter().enumerate() {
            match coding.read(value as u8) {
                None => counts.drawn += count,
                Some((0, _)) => {}
                Some((_, true)) => counts.won += count,
                Some((_, false)) => counts.lost += count,
            }
        }
        counts
    };
    solver
        .coverage
        .layers()
        .map(|rebels| Layer { rebels, general: solver.general_counts(rebels), rebel: rebels_to_move(rebels) })
        .collect()
}

impl Solver<'_> {
    /// Positions with the General to move and so many Rebels.
    fn general_counts(&self, rebels: u32) -> Counts {
        let of_block = |block: usize| {
            let layer = self.space.counted(block, rebels, rebels);
            let mut counts = Counts::default();
            for (place, general) in self.places.places.iter().zip(&self.general) {
                let mut legal = layer;
                if self.variant.rules().ground.contains(place.general) {
                    super::bits::minus(&mut legal, &self.space.occupied(place.general, block));
                }
                let count = |bits: &dyn Fn(usize, usize) -> u64| -> u64 {
                    let words = legal
                        .iter()
                        .enumerate()
                        .flat_map(|(row, words)| words.iter().enumerate().map(move |(lane, word)| (row, lane, word)));
                    words.map(|(row, lane, word)| u64::from((word & bits(row, lane)).count_ones())).sum()
                };
                let open = count(&|row, lane| general.open[block][row][lane]);
                let won = count(&|row, lane| !general.not_won[block][row][lane]);
                let over = general.over.get(block).map_or(0, |over| count(&|row, lane| over[row][lane]));
                counts.drawn += open;
                counts.won += won;
                counts.lost += count(&|_, _| !0) - open - won - over;
            }
            counts
        };
        let add = |a: Counts, b: Counts| Counts { won: a.won + b.won, drawn: a.drawn + b.drawn, lost: a.lost + b.lost };
        (0..self.space.blocks()).into_par_iter().map(of_block).reduce(Counts::default, add)
    }

    /// Memory that the solver of a variant takes, in bytes.
    pub(super) fn bytes(variant: &Variant, space: &Index) -> u64 {
        let places = super::general_states::GeneralStates::new(variant, space);
        let table = (space.blocks() * BLOCK_SETS / 8) as u64;
        let (arrivals, landings) = (u64::from(places.arrivals) * 3, places.landings.len() as u64 * 2);
        let per_place = (5 + 2 + 5 + arrivals) * table + space.sets() as u64;
        places.places.len() as u64 * per_place + landings * table
    }
}
