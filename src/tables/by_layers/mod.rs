//! A solve: one layer after the other, each after those below it.
//!
//! The [`Kernel`] solves a layer, alone or with other processes, whose shares `exchange` has. Solved layers are
//! compressed, and appended to the table ([`GrowingTable`]).
//!
//! # Invariants
//!
//! - The table is the same for any number of threads and of processes, and for a solve that was interrupted.
//! - Only the first process writes layers; the others read its files.
//!
//! Tests: `tables_unit::layers`, also with processes; `.ci/mpi`.

pub mod exchange;
mod growing;

pub use exchange::Alone;
pub use exchange::Exchange;
pub(crate) use growing::LayerReader;
pub use growing::{GrowingTable, Solve};

use std::time::Duration;

use privy_rules::Variant;

use super::error::TableError;
use super::kernel::{Kernel, LayerMemory};
use super::memory::is_memory_available;
use exchange::Processes;

/// Progress of a solve.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The layer under way, by its number of Rebels.
    pub rebels: u32,
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

/// The complete analysis of a variant by layers, from the first layer that an interrupted run has not kept.
pub(super) fn analyse<'a>(
    solve: &'a Solve<'_>,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<GrowingTable<'a>, TableError> {
    let variant: &Variant = &solve.numbering.variant;
    let (memory, kernel) = (LayerMemory::new(variant), Kernel::new(solve));
    let mut processes = Processes::new(&kernel.reach(), exchange);
    let numbering = &solve.numbering;
    let mut table = match solve.path {
        None => GrowingTable::in_memory(numbering),
        Some(path) if processes.is_first() => GrowingTable::begin(numbering, path, solve.stop)?,
        Some(path) => GrowingTable::follow(numbering, path),
    };
    let layers = &numbering.layers;
    let resumed = processes.as_the_first_says(table.header.layers.len() as u64)? as usize;
    if !processes.is_first() && resumed > 0 {
        table.take_over(solve.stop)?;
    }
    let resumed_from = resumed.checked_sub(1).map(|last| layers[last]);
    let mut decided_below = 0;
    for (number, rebels) in layers.iter().copied().enumerate().skip(resumed) {
        let bytes = memory.bytes(rebels, processes.number());
        let mut of_layer = 0;
        let solved = if is_memory_available(bytes) {
            let landings = kernel.add_landings(rebels, &mut table, processes.number(), &solve.threads);
            let memory = bytes + table.bytes_held();
            let mut progress = |ply, decided, sent| {
                of_layer = decided;
                let (decided, time) = (decided_below + decided, solve.start.elapsed());
                progress(&Progress { rebels, ply, decided, resumed_from, memory, sent, time });
            };
            processes
                .unless_one_stopped(landings)
                .and_then(|()| kernel.solve_layer(rebels, &mut table, &mut processes, &solve.threads, &mut progress))
        } else {
            let mib = bytes.div_ceil(1 << 20);
            let needs = format!(
                "{mib} MiB for {rebels} Rebels, which the system does not give; the same command resumes from here"
            );
            Err(TableError::Memory(variant.id().to_owned(), needs))
        };
        if matches!(solved, Err(TableError::Interrupted | TableError::Memory(..))) {
            table.keep()?;
        }
        solved?;
        decided_below += of_layer;
        if number + 1 == layers.len() {
            break;
        }
        if processes.are_several() {
            table.keep()?;
            // A round: now the first process has written the layer.
            processes.as_the_first_says(0)?;
            if !processes.is_first() {
                table.take_over(solve.stop)?;
            }
        } else if table.is_checkpoint_due() {
            // The solve continues without it; there may be room for the next.
            table.keep().unwrap_or_else(|error| log::warn!("no checkpoint was kept: {error}"));
        }
    }
    Ok(table)
}
