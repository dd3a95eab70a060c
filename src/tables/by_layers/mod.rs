//! Retrograde analysis layer by layer, for boards of any size, by one process or several.
//!
//! [`ByLayers`] solves a layer after those below it, position by position; `positions` is the layer under way, `preparation` what it is
//! before the first ply, `quiet_moves` the General's moves within it, `exchange` the processes and their shares. [`ByRows`] does the same
//! several times as fast for games of steps and jumps alone: by `rows` of bits. Solved layers are compressed ([`StoredLayers`]), and written
//! as checkpoints.
//!
//! # Invariants
//!
//! - The table is the same for any number of threads and of processes, and for a solve that was interrupted; and that of the whole board.
//! - Only the first process writes layers; the others read its files. By rows each keeps the records of its own share.
//!
//! Tests: `tablebase::tests::layers`, also with processes; `.ci/mpi`.

pub mod analysis;
pub mod exchange;
pub mod positions;
mod preparation;
pub mod quiet_moves;
pub mod rows;
mod stored_layers;

pub use exchange::Alone;
pub use exchange::Exchange;
pub use stored_layers::StoredLayers;

use privy_protocol::Instant;

use privy_rules::Variant;

use super::checkpoint::CHECKPOINT_INTERVAL;
use super::checkpoint::{Progress, Resumed, Solve};
use super::coding::Coding;
use super::error::TableError;
use super::states::{Coverage, States};
use analysis::ByLayers;
use exchange::{Processes, Shares};
use quiet_moves::{Compiled, compile};
use rows::{ByRows, PlyRecords};
use stored_layers::MOST_HELD;

/// What the analysis of a variant takes, whatever the layers. Making it takes a millisecond or two, asking it nothing.
pub(super) struct Sizes<'a> {
    pub(super) variant: &'a Variant,
    states: Vec<Compiled>,
}

impl Sizes<'_> {
    pub(super) fn of(variant: &Variant) -> Sizes<'_> {
        Sizes { variant, states: compile(variant, &States::of(variant)) }
    }

    /// Bytes of memory in each of some processes: the least for the largest layer, the most with laps, and with the solved layers that are
    /// not in files.
    pub(super) fn memory(&self, coverage: Coverage, processes: usize) -> (u64, u64) {
        let (variant, states) = (self.variant, &self.states);
        let (by_rows, shares) =
            (rows::is_for(variant), (0..processes).map(|process| Shares::of(states, process, processes)));
        let of_shares = shares.flat_map(|shares| {
            coverage.layers().map(move |rebels| bytes_of_layer(variant, states, &shares, rebels, by_rows))
        });
        let layer = of_shares.max().unwrap_or(0);
        let all =
            coverage.layers().flat_map(|rebels| states.iter().map(move |state| state.state.sets(variant, rebels)));
        let held = all.fold(0, u64::saturating_add).min(MOST_HELD);
        // By rows there are the records of plies beside the layers; else laps take a sixth more, two bits for either side to move.
        let more = if by_rows { held.min(rows::MOST_RECORDS) } else { layer / 6 };
        (layer, layer.saturating_add(more).saturating_add(held))
    }
}

/// Bytes of memory of a layer in a process.
fn bytes_of_layer(variant: &Variant, states: &[Compiled], shares: &Shares, rebels: u32, by_rows: bool) -> u64 {
    if by_rows {
        return rows::bytes_of_layer(variant, states, shares, rebels);
    }
    let bits = |state: &Compiled| {
        let positions = state.state.sets(variant, rebels);
        positions.saturating_mul(state.bits_of_position(variant, Coding::of(variant)))
    };
    shares.own().into_iter().map(|state| bits(&states[state])).fold(0, u64::saturating_add) / 8
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
    let states = compile(variant, &solve.numbering.states);
    let mut processes = Processes::new(&states, exchange);
    let by_rows = ByRows::of(solve, &processes.shares);
    let by_positions = ByLayers::new(solve, &states);
    let sections_of_state = by_rows.as_ref().map_or(1, |_| rows::sections_of_state(variant));
    let mut stored = StoredLayers::new(solve.checkpoints(), sections_of_state);
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
        let bytes = bytes_of_layer(variant, &states, &processes.shares, rebels, by_rows.is_some());
        let before = stored.bytes_held();
        if let Err(error) = solve.memory.check_layer(rebels, bytes, before) {
            stored.keep()?;
            return Err(error);
        }
        let records = by_rows.as_ref().map(|rows| rows.records_of(rebels, &mut processes)).transpose()?;
        let kept = if by_rows.is_some() || processes.are_several() { None } else { stored.kept_ply(rebels) };
        let ply = records.as_ref().and_then(|records| records.plies_before().checked_sub(1));
        if let Some(ply) = ply.or_else(|| kept.as_ref()?.header.ply) {
            resumed_from = Some(Resumed::PlyOf { rebels, ply });
        }
        let mut of_layer = 0;
        let mut progress = |ply, decided, sent| {
            of_layer = decided;
            let (rebels, decided, time) = (Some(rebels), decided_below + decided, solve.start.elapsed());
            progress(&Progress { rebels, ply, decided, resumed_from, memory: bytes + before, sent, time });
        };
        let solved = match by_rows.as_ref().zip(records.as_ref()) {
            Some((rows, records)) => rows.solve_layer(rebels, &stored, records, &mut processes, &mut progress),
            None => by_positions.solve_layer(rebels, &stored, kept, &mut processes, &mut progress),
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
