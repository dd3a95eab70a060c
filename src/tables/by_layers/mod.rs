//! A solve: one layer after the other, each after those below it.
//!
//! The [`Kernel`] solves a layer, alone or with other processes, whose shares `exchange` has. Solved layers are compressed ([`StoredLayers`]), and
//! written as checkpoints.
//!
//! # Invariants
//!
//! - The table is the same for any number of threads and of processes, and for a solve that was interrupted.
//! - Only the first process writes layers; the others read its files.
//!
//! Tests: `tables_unit::layers`, also with processes; `.ci/mpi`.

pub mod exchange;
mod stored_layers;

pub use exchange::Alone;
pub use exchange::Exchange;
pub use stored_layers::StoredLayers;
pub(crate) use stored_layers::{LayerReader, OpenLayers};

use privy_protocol::Instant;

use privy_rules::Variant;

use super::checkpoint::CHECKPOINT_INTERVAL;
use super::checkpoint::{Progress, Solve};
use super::error::TableError;
use super::kernel::{Kernel, LayerMemory};
use super::states::{Coverage, GeneralState, States};
use exchange::Processes;
use stored_layers::MOST_HELD;

/// What the analysis of a variant takes, whatever the layers. Making it takes a millisecond or two, asking it nothing.
pub(super) struct Sizes<'a> {
    pub(super) variant: &'a Variant,
    states: Vec<GeneralState>,
    of_layer: LayerMemory,
}

impl Sizes<'_> {
    pub(super) fn of(variant: &Variant) -> Sizes<'_> {
        let states = States::of(variant).solved;
        Sizes { variant, of_layer: LayerMemory::new(variant, &states), states }
    }

    /// Stored positions of a layer.
    fn positions(&self, rebels: u32) -> u64 {
        self.states.iter().map(|state| state.sets(self.variant, rebels)).fold(0, u64::saturating_add)
    }

    /// Bytes of memory of a layer in each of some processes.
    fn of_layer(&self, rebels: u32, processes: usize) -> u64 {
        self.of_layer.bytes(rebels, self.positions(rebels), processes)
    }

    /// Bytes of memory in each of some processes: the least for the largest layer, the most with the solved layers that are not in files.
    pub(super) fn memory(&self, coverage: Coverage, processes: usize) -> (u64, u64) {
        let layer = coverage.layers().map(|rebels| self.of_layer(rebels, processes)).max().unwrap_or(0);
        let all = coverage.layers().map(|rebels| self.positions(rebels)).fold(0, u64::saturating_add);
        (layer, layer.saturating_add(all.min(MOST_HELD)))
    }
}

/// Bytes of the files of layers beside a table of this size: of its positions, and of the General's landings where jumps make chains.
pub(super) fn bytes_in_files(variant: &Variant, table: u64) -> u64 {
    let layers = table.saturating_mul(1 + u64::from(variant.rules().jumps_go_on));
    if layers > MOST_HELD { layers } else { 0 }
}

/// The complete analysis of a variant by layers, from the first layer that an interrupted run has not written.
pub(super) fn analyse<'a>(
    solve: &'a Solve<'_>,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<StoredLayers<'a>, TableError> {
    let variant: &Variant = &solve.numbering.variant;
    let (sizes, kernel) = (Sizes::of(variant), Kernel::new(solve, exchange.number()));
    let mut processes = Processes::new(&kernel.reach(), exchange);
    let mut stored = StoredLayers::new(solve.checkpoints(), kernel.sections());
    let layers = &solve.numbering.layers;
    if processes.is_first() {
        stored.resume();
    }
    let resumed = processes.as_the_first_says(stored.len() as u64)? as usize;
    if !processes.is_first() {
        layers[..resumed].iter().try_for_each(|rebels| stored.push_written(*rebels))?;
    }
    let resumed_from = resumed.checked_sub(1).map(|last| layers[last]);
    let mut last_checkpoint = Instant::now();
    let mut decided_below = 0;
    for rebels in layers[resumed..].iter().copied() {
        let bytes = sizes.of_layer(rebels, processes.number());
        let before = stored.bytes_held();
        if let Err(error) = solve.memory.check_layer(rebels, bytes, before) {
            stored.keep()?;
            return Err(error);
        }
        let mut of_layer = 0;
        let mut progress = |ply, decided, sent| {
            of_layer = decided;
            let (rebels, decided, time) = (Some(rebels), decided_below + decided, solve.start.elapsed());
            progress(&Progress { rebels, ply, decided, resumed_from, memory: bytes + before, sent, time });
        };
        let solved = kernel.solve_layer(rebels, &stored, &mut processes, &solve.threads, &mut progress);
        if matches!(solved, Err(TableError::Interrupted)) {
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
    }
    // A round: the first process must not remove the files of the layers before all others have read them.
    processes.as_the_first_says(0)?;
    stored.sync()?;
    Ok(stored)
}
