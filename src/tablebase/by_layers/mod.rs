//! Retrograde analysis layer by layer, position by position: for boards of any size, by one process or several.
//!
//! [`ByLayers`] solves a layer after those below it; `positions` is the layer under way, `quiet_moves` the General's moves within it,
//! `processes` the shares of several processes. Solved layers are compressed and written beside the table ([`FinishedLayers`]), and an
//! interrupted solve goes on from them.
//!
//! # Invariants
//!
//! - The table is the same for any number of threads and of processes, and for a solve that was interrupted.
//! - Only the first process writes; the others read its files.
//!
//! Tests: beside each file; `tablebase::tests::layers`, also with processes; `tests/scale/processes.sh`.

mod analysis;
mod finished_layers;
mod positions;
mod processes;
mod quiet_moves;

pub(super) use finished_layers::FinishedLayers;

use std::time::Instant;

use rayon::prelude::*;

use crate::rules::Variant;

use super::compression::compress;
use super::error::TableError;
use super::exchange::Exchange;
use super::file::{Header, LAYERED_FORMAT, LONG_FORMAT, Section, empty_histogram, table_of};
use super::general_state::GeneralState;
use super::layout::{Coding, Coverage};
use super::numbering::{Ranking, binomial};
use super::run::{CHECKPOINT_INTERVAL, Needs, Progress, Resumed, Run};
use analysis::ByLayers;
use finished_layers::MOST_HELD;
use processes::share;
use quiet_moves::{Compiled, compile};

/// What the analysis of a variant takes, whatever the layers. Making it takes a millisecond or two, asking it nothing.
pub(super) struct Sizes<'a> {
    pub(super) variant: &'a Variant,
    states: Vec<Compiled>,
}

impl Sizes<'_> {
    pub(super) fn of(variant: &Variant) -> Sizes<'_> {
        Sizes { variant, states: compile(variant).0 }
    }

    /// Memory in each of some processes: the least for the largest layer, the most with laps, and with the solved layers that are not in files.
    pub(super) fn needs(&self, coverage: Coverage, processes: usize) -> Needs {
        let (variant, states) = (self.variant, &self.states);
        let ground = variant.rules().ground();
        let positions = |rebels: u32, state: &Compiled| binomial(ground.without(state.state.general).len(), rebels);
        let bytes_of_layer = |rebels: u32, states: &[Compiled]| {
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
        // Laps take a sixth more, two bits for either side to move.
        let held = all.fold(0, u64::saturating_add).min(MOST_HELD);
        Needs { least: layer, most: layer.saturating_add(layer / 6).saturating_add(held) }
    }
}

/// The complete analysis of a variant by layers, from the first layer that an interrupted run has not written.
pub(super) fn analyse<'a>(
    run: &Run<'a>,
    ranking: Ranking,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<(ByLayers<'a>, FinishedLayers), TableError> {
    let Run { variant, coverage, coding, path, start, .. } = *run;
    let mut analysis = ByLayers::new(run, ranking, exchange);
    let solve = format!("{} {}", variant.fingerprint(), String::from(coding));
    let mut layers = FinishedLayers::new(path, &solve, analysis.states().count());
    if exchange.number() == 0 {
        layers.resume(coverage.layers());
    }
    let resumed = exchange.as_the_first_says(layers.len() as u64).map_err(TableError::Process)? as usize;
    if exchange.number() > 0 {
        coverage.layers().take(resumed).try_for_each(|rebels| layers.push_written(rebels))?;
    }
    let resumed_from = layers.general().last().map(|(rebels, _)| Resumed::Rebels(rebels));
    let mut last_checkpoint = Instant::now();
    for rebels in coverage.layers().skip(resumed) {
        let memory = analysis.bytes_of_layer(rebels) + layers.held();
        if let Err(error) = run.check_layer(rebels, memory) {
            layers.keep()?;
            return Err(error);
        }
        let mut progress = |ply, decided, sent| {
            let (rebels, time) = (Some(rebels), start.elapsed());
            progress(&Progress { rebels, ply, decided, resumed_from, memory, sent, time });
        };
        let solved = analysis.solve_layer(rebels, &layers, exchange, &mut progress);
        if matches!(solved, Err(TableError::Interrupted)) {
            layers.keep()?;
        }
        let (general, sections) = solved?;
        if exchange.number() == 0 {
            layers.push(rebels, general, sections);
            if exchange.processes() > 1 {
                layers.keep()?;
            } else if last_checkpoint.elapsed() > CHECKPOINT_INTERVAL {
                // The solve goes on without it; there may be room for the next.
                layers.keep().unwrap_or_else(|error| log::warn!("no checkpoint was kept: {error}"));
                last_checkpoint = Instant::now();
            }
        }
        // A round: now the first process has written the layer.
        exchange.as_the_first_says(0).map_err(TableError::Process)?;
        if exchange.number() > 0 {
            layers.push_written(rebels)?;
        }
    }
    // A round: the first process must not remove the files of the layers before all others have read them.
    exchange.as_the_first_says(0).map_err(TableError::Process)?;
    Ok((analysis, layers))
}

pub(super) fn table(
    analysis: &ByLayers<'_>,
    layers: &FinishedLayers,
    variant: &Variant,
    coverage: Coverage,
) -> Result<(Header, Vec<Vec<u8>>), TableError> {
    let open = layers.open()?;
    let has_laps = layers.has_laps();
    let states: Vec<(usize, GeneralState)> = analysis.states().collect();
    let compressed = states.par_iter().map(|(number, state)| {
        let mut histogram = empty_histogram(coverage);
        let entries = coverage.layers().map(|rebels| analysis.positions_of(*state, rebels)).sum();
        let of_layer = |rebels| (0..analysis.positions_of(*state, rebels)).map(move |rank| (rebels, rank));
        let mut positions = coverage.layers().flat_map(of_layer);
        let (mut reader, mut all_laps) = (open.reader(), Vec::new());
        // Entries are compressed in their order.
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
    Ok(table_of(variant, (coverage, analysis.coding, format), compressed, general))
}
