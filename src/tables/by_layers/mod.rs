//! Retrograde analysis layer by layer, for boards of any size, by one process or several.
//!
//! [`ByLayers`] solves a layer after those below it, position by position; `positions` is the layer under way, `quiet_moves` the General's
//! moves within it, `exchange` the processes and their shares. [`ByRows`] does the same several times as fast, in one process, for games of
//! steps and jumps alone: by `rows` of bits. Solved layers are compressed ([`StoredLayers`]), and written as checkpoints.
//!
//! # Invariants
//!
//! - The table is the same for any number of threads and of processes, and for a solve that was interrupted; and that of the whole board.
//! - Only the first process writes; the others read its files.
//!
//! Tests: `tablebase::tests::layers`, also with processes; `.ci/mpi`.

mod analysis;
mod exchange;
mod positions;
mod quiet_moves;
mod rows;
mod stored_layers;

pub(crate) use exchange::Alone;
pub use exchange::Exchange;
pub(super) use stored_layers::StoredLayers;

use privy_protocol::Instant;

use privy_rules::Variant;

use super::checkpoint::CHECKPOINT_INTERVAL;
use super::checkpoint::{Progress, Resumed, Solve};
use super::coding::Coding;
use super::error::TableError;
use super::states::{Coverage, States};
use analysis::ByLayers;
use exchange::share;
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
        let positions = |rebels: u32, state: &Compiled| state.state.sets(variant, rebels);
        let by_rows = processes == 1 && rows::is_for(variant);
        let bytes_of_layer = |rebels: u32, states: &[Compiled]| {
            if by_rows {
                return rows::bytes_of_layer(variant, states, rebels);
            }
            let bits = |state: &Compiled| {
                positions(rebels, state).saturating_mul(state.bits_of_position(variant, Coding::of(variant)))
            };
            states.iter().map(bits).fold(0, u64::saturating_add) / 8
        };
        let shares = (0..processes).map(|process| &states[share(states.len(), process, processes)]);
        let most_of_share =
            |rebels: u32| shares.clone().map(|states| bytes_of_layer(rebels, states)).max().unwrap_or(0);
        let layer = coverage.layers().map(most_of_share).max().unwrap_or(0);
        let all = coverage.layers().flat_map(|rebels| states.iter().map(move |state| positions(rebels, state)));
        let held = all.fold(0, u64::saturating_add).min(MOST_HELD);
        // By rows there are the records of plies beside the layers; else laps take a sixth more, two bits for either side to move.
        let more = if by_rows { held.min(rows::MOST_RECORDS) } else { layer / 6 };
        (layer, layer.saturating_add(more).saturating_add(held))
    }
}

/// Bytes of the files of layers beside a table of this size.
pub(super) fn bytes_in_files(variant: &Variant, table: u64) -> u64 {
    let layers = table.saturating_mul(if is_by_rows(variant) { rows::sections_of_state(variant) as u64 } else { 1 });
    if layers > MOST_HELD { layers } else { 0 }
}

/// True if one process solves the layers of a variant by rows of bits.
pub(super) fn is_by_rows(variant: &Variant) -> bool {
    rows::is_for(variant)
}

/// The complete analysis of a variant by layers, from the first layer that an interrupted run has not written.
pub(super) fn analyse<'a>(
    solve: &'a Solve<'_>,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<StoredLayers<'a>, TableError> {
    let by_rows = (exchange.processes() == 1).then(|| ByRows::of(solve)).flatten();
    let mut analysis = ByLayers::new(solve, exchange);
    let sections_of_state = by_rows.as_ref().map_or(1, |_| rows::sections_of_state(&solve.numbering.variant));
    let mut stored = StoredLayers::new(solve.checkpoints(), sections_of_state);
    let layers = &solve.numbering.layers;
    let is_first = exchange.number() == 0;
    if is_first {
        stored.resume();
    }
    let resumed = exchange.as_the_first_says(stored.len() as u64).map_err(TableError::Process)? as usize;
    if !is_first {
        layers[..resumed].iter().try_for_each(|rebels| stored.push_written(*rebels))?;
    }
    let mut resumed_from = resumed.checked_sub(1).map(|last| Resumed::Rebels(layers[last]));
    let mut last_checkpoint = Instant::now();
    let mut decided_below = 0;
    for rebels in layers[resumed..].iter().copied() {
        let bytes =
            by_rows.as_ref().map_or_else(|| analysis.bytes_of_layer(rebels), |rows| rows.bytes_of_layer(rebels));
        let before = stored.bytes_held();
        if let Err(error) = solve.memory.check_layer(rebels, bytes, before) {
            stored.keep()?;
            return Err(error);
        }
        let records = by_rows.as_ref().map(|rows| rows.records_of(rebels)).transpose()?;
        if let Some(ply) = records.as_ref().and_then(|records| records.plies_before().checked_sub(1)) {
            resumed_from = Some(Resumed::PlyOf { rebels, ply });
        }
        let mut progress = |ply, decided, sent| {
            let (rebels, time) = (Some(rebels), solve.start.elapsed());
            progress(&Progress { rebels, ply, decided, resumed_from, memory: bytes + before, sent, time });
        };
        let mut of_layer = 0;
        let solved = match by_rows.as_ref().zip(records.as_ref()) {
            Some((rows, records)) => rows.solve_layer(rebels, &stored, records, &mut |ply, decided| {
                of_layer = decided;
                progress(ply, decided_below + decided, 0);
            }),
            None => analysis.solve_layer(rebels, &stored, exchange, &mut progress),
        };
        if matches!(solved, Err(TableError::Interrupted)) {
            records.as_ref().map_or(Ok(()), PlyRecords::keep)?;
            stored.keep()?;
        }
        let (general, sections) = solved?;
        decided_below += of_layer;
        if is_first {
            stored.push(rebels, general, sections);
            records.into_iter().for_each(PlyRecords::remove);
            if exchange.processes() > 1 {
                stored.keep()?;
            } else if last_checkpoint.elapsed() > CHECKPOINT_INTERVAL {
                // The solve continues without it; there may be room for the next.
                stored.keep().unwrap_or_else(|error| log::warn!("no checkpoint was kept: {error}"));
                last_checkpoint = Instant::now();
            }
        }
        // A round: now the first process has written the layer.
        exchange.as_the_first_says(0).map_err(TableError::Process)?;
        if !is_first {
            stored.push_written(rebels)?;
        }
    }
    // A round: the first process must not remove the files of the layers before all others have read them.
    exchange.as_the_first_says(0).map_err(TableError::Process)?;
    stored.sync()?;
    Ok(stored)
}
