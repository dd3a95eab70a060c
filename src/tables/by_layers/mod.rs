//! Retrograde analysis layer by layer, for boards of any size.
//!
//! A layer is solved after those below it. [`ByRows`] solves games of steps and jumps alone, by `rows` of bits, in one process or several;
//! `exchange` has the processes and their shares. The [`Kernel`] solves all others, in one process. Solved layers are compressed
//! ([`StoredLayers`]), and written as checkpoints.
//!
//! # Invariants
//!
//! - The table is the same for any number of threads and of processes, and for a solve that was interrupted.
//! - Only the first process writes layers; the others read its files. By rows each keeps the records of its own share.
//!
//! Tests: `tables_unit::layers`, also with processes; `.ci/mpi`.

pub mod exchange;
pub mod rows;
mod stored_layers;

pub use exchange::Alone;
pub use exchange::Exchange;
pub use stored_layers::StoredLayers;
pub(crate) use stored_layers::{LayerReader, OpenLayers};

use privy_protocol::Instant;

use privy_rules::{MoveKind, Variant};

use super::checkpoint::CHECKPOINT_INTERVAL;
use super::checkpoint::{Progress, Resumed, Solve};
use super::coding::Counts;
use super::error::TableError;
use super::kernel::{Kernel, LayerMemory};
use super::states::{Coverage, GeneralState, States};
use exchange::{Processes, Shares};
use rows::{ByRows, PlyRecords};
use stored_layers::MOST_HELD;

/// A state of the General, and the solved states to which its moves without captures lead.
#[derive(Debug)]
pub struct Reach {
    pub(super) state: GeneralState,
    pub(super) targets: Vec<usize>,
}

impl Reach {
    /// The solved states of a game of steps and jumps.
    pub fn of(variant: &Variant, states: &States) -> Vec<Reach> {
        let reach = |state: &GeneralState| {
            let quiet =
                variant.rules().templates(state.general).iter().filter(|template| template.kind != MoveKind::Jump);
            let after = quiet.map(|template| GeneralState { general: template.to, ..*state }.slot(variant));
            let targets = after.filter_map(|slot| Some(states.of_slot[slot]?.0));
            Reach { state: *state, targets: targets.collect() }
        };
        states.solved.iter().map(reach).collect()
    }
}

/// What the analysis of a variant takes, whatever the layers. Making it takes a millisecond or two, asking it nothing.
pub(super) struct Sizes<'a> {
    pub(super) variant: &'a Variant,
    states: Vec<GeneralState>,
    method: MethodSizes,
}

/// What layers of a method take.
enum MethodSizes {
    Rows(Vec<Reach>),
    Kernel(Box<LayerMemory>),
}

impl Sizes<'_> {
    pub(super) fn of(variant: &Variant) -> Sizes<'_> {
        let states = States::of(variant);
        let method = match rows::is_for(variant) {
            true => MethodSizes::Rows(Reach::of(variant, &states)),
            false => MethodSizes::Kernel(Box::new(LayerMemory::new(variant, &states.solved))),
        };
        Sizes { variant, states: states.solved, method }
    }

    /// Bytes of memory of a layer in a process.
    fn of_layer(&self, rebels: u32, shares: &Shares) -> u64 {
        match &self.method {
            MethodSizes::Rows(states) => rows::bytes_of_layer(self.variant, states, shares, rebels),
            MethodSizes::Kernel(memory) => memory.bytes(rebels, self.positions(rebels)),
        }
    }

    /// Stored positions of a layer.
    fn positions(&self, rebels: u32) -> u64 {
        self.states.iter().map(|state| state.sets(self.variant, rebels)).fold(0, u64::saturating_add)
    }

    /// Bytes of memory in each of some processes: the least for the largest layer, the most with what plies decide, and with the solved layers
    /// that are not in files.
    pub(super) fn memory(&self, coverage: Coverage, processes: usize) -> (u64, u64) {
        let of_layer = |rebels: u32| match &self.method {
            MethodSizes::Rows(states) => {
                let shares = (0..processes).map(|process| Shares::of(states, process, processes));
                shares.map(|shares| self.of_layer(rebels, &shares)).max().unwrap_or(0)
            }
            MethodSizes::Kernel(memory) => memory.bytes(rebels, self.positions(rebels)),
        };
        let layer = coverage.layers().map(of_layer).max().unwrap_or(0);
        let all = coverage.layers().map(|rebels| self.positions(rebels)).fold(0, u64::saturating_add);
        let held = all.min(MOST_HELD);
        // By rows there are the records of plies beside the layers.
        let more = if matches!(self.method, MethodSizes::Rows(_)) { held.min(rows::MOST_RECORDS) } else { 0 };
        (layer, layer.saturating_add(more).saturating_add(held))
    }
}

/// Bytes of the files of layers beside a table of this size.
pub(super) fn bytes_in_files(variant: &Variant, table: u64) -> u64 {
    let layers = table.saturating_mul(if is_by_rows(variant) { rows::sections_of_state(variant) as u64 } else { 1 });
    if layers > MOST_HELD { layers } else { 0 }
}

/// True if the layers of a variant are solved by rows of bits.
pub(super) fn is_by_rows(variant: &Variant) -> bool {
    rows::is_for(variant)
}

/// The complete analysis of a variant by layers, from the first layer that an interrupted run has not written.
pub(super) fn analyse<'a>(
    solve: &'a Solve<'_>,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<StoredLayers<'a>, TableError> {
    let variant: &Variant = &solve.numbering.variant;
    let (sizes, states) = (Sizes::of(variant), Reach::of(variant, &solve.numbering.states));
    let mut processes = Processes::new(&states, exchange);
    let by_rows = ByRows::of(solve, &processes.shares);
    let kernel = by_rows.is_none().then(|| Kernel::new(solve));
    let sections = kernel.as_ref().map_or_else(|| rows::sections_of_state(variant) * states.len(), Kernel::sections);
    let mut stored = StoredLayers::new(solve.checkpoints(), sections);
    let layers = &solve.numbering.layers;
    if processes.is_first() {
        stored.resume();
    }
    let resumed = processes.as_the_first_says(stored.len() as u64)? as usize;
    if !processes.is_first() {
        layers[..resumed].iter().try_for_each(|rebels| stored.push_written(*rebels))?;
    }
    let mut resumed_from = resumed.checked_sub(1).map(|last| Resumed::Rebels(layers[last]));
    let mut last_checkpoint = Instant::now();
    let mut decided_below = 0;
    for rebels in layers[resumed..].iter().copied() {
        let bytes = sizes.of_layer(rebels, &processes.shares);
        let before = stored.bytes_held();
        if let Err(error) = solve.memory.check_layer(rebels, bytes, before) {
            stored.keep()?;
            return Err(error);
        }
        let records = by_rows.as_ref().map(|rows| rows.records_of(rebels, &mut processes)).transpose()?;
        if let Some(ply) = records.as_ref().and_then(|records| records.plies_before().checked_sub(1)) {
            resumed_from = Some(Resumed::PlyOf { rebels, ply });
        }
        let mut of_layer = 0;
        let mut progress = |ply, decided, sent| {
            of_layer = decided;
            let (rebels, decided, time) = (Some(rebels), decided_below + decided, solve.start.elapsed());
            progress(&Progress { rebels, ply, decided, resumed_from, memory: bytes + before, sent, time });
        };
        let solved = match (by_rows.as_ref().zip(records.as_ref()), &kernel) {
            (Some((rows, records)), _) => rows.solve_layer(rebels, &stored, records, &mut processes, &mut progress),
            (None, Some(kernel)) if processes.is_first() => {
                let mut progress = |ply, decided| progress(ply, decided, 0);
                solve.threads.run(|| kernel.solve_layer(rebels, &stored, &mut progress))
            }
            _ => Ok((Counts::default(), Vec::new())),
        };
        if matches!(solved, Err(TableError::Interrupted)) {
            records.as_ref().map_or(Ok(()), PlyRecords::keep)?;
            stored.keep()?;
        }
        let (general, sections) = solved?;
        decided_below += of_layer;
        if processes.is_first() {
            stored.push(rebels, general, sections);
            if processes.are_several() {
                stored.keep()?;
            } else if last_checkpoint.elapsed() > CHECKPOINT_INTERVAL {
                // The solve continues without it; there may be room for the next.
                stored.keep().unwrap_or_else(|error| log::warn!("no checkpoint was kept: {error}"));
                last_checkpoint = Instant::now();
            }
        }
        // A round: now the first process has written the layer.
        processes.as_the_first_says(0)?;
        if !processes.is_first() {
            stored.push_written(rebels)?;
        }
        records.into_iter().for_each(PlyRecords::remove);
    }
    // A round: the first process must not remove the files of the layers before all others have read them.
    processes.as_the_first_says(0)?;
    stored.sync()?;
    Ok(stored)
}
