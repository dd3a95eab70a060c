//! One number of Rebels after the other, position by position: retrograde analysis for boards of any size, by one process or several.
//!
//! [`ByLayers`] solves a layer when those below it are solved; `positions` is what it knows of a layer meanwhile, `quiet_moves` how the
//! General moves within it, `processes` who solves what and what they tell each other. Layers that are solved are compressed, and kept beside
//! the table ([`FinishedLayers`]): an interrupted solve goes on from them.
//!
//! # Invariants
//!
//! - The table is the same for any number of threads and of processes, and for a solve that was interrupted.
//! - Only the first process writes; what it has written the others read.
//!
//! Tests: beside each file; `tablebase::tests::layers`, also with processes; `tests/scale/processes.sh`.

mod analysis;
mod finished_layers;
mod marks;
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
use super::file::{Header, LAYERED_FORMAT, LONG_FORMAT};
use super::general_state::GeneralState;
use super::layout::{Coding, Coverage};
use super::memory::Needs;
use super::ranking::{Ranking, binomial};
use super::run::{CHECKPOINT_INTERVAL, Progress, Resumed, Run};
use super::sections::{Section, empty_histogram, table_of};
use analysis::{ByLayers, LayerProgress};
use processes::share;
use quiet_moves::{Compiled, compile};

/// Memory that the analysis of a variant takes in each of some processes, in bytes: of the layer with the most positions, and at most
/// of all layers below it, which are compressed.
pub(super) fn needs(variant: &Variant, coverage: Coverage, processes: usize) -> Needs {
    let ground = variant.rules().ground();
    let (states, _) = compile(variant);
    let positions = |rebels: u32, state: &Compiled| binomial(ground.without(state.state.general).len(), rebels);
    let bytes_of_layer = |rebels: u32, states: &[Compiled]| {
        let bits = |state: &Compiled| {
            positions(rebels, state).saturating_mul(state.bits_of_position(variant, Coding::of(variant)))
        };
        states.iter().map(bits).fold(0, u64::saturating_add) / 8
    };
    let shares = (0..processes).map(|process| &states[share(states.len(), process, processes)]);
    let most_of_share = |rebels: u32| shares.clone().map(|states| bytes_of_layer(rebels, states)).max().unwrap_or(0);
    let layer = coverage.layers().map(most_of_share).max().unwrap_or(0);
    let all = coverage.layers().flat_map(|rebels| states.iter().map(move |state| positions(rebels, state)));
    // Laps take a sixth more, two bits for either side to move.
    Needs { least: layer, most: layer.saturating_add(layer / 6).saturating_add(all.fold(0, u64::saturating_add)) }
}

/// The complete analysis of a variant by layers, which go on from those that an interrupted run has kept.
pub(super) fn analyse<'a>(
    run: &Run<'a>,
    ranking: Ranking,
    exchange: &mut dyn Exchange,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<(ByLayers<'a>, FinishedLayers), TableError> {
    let Run { variant, coverage, coding, memory, path, start, .. } = *run;
    let mut analysis = ByLayers::new(run, ranking, exchange);
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

/// The table of the layers that have been solved, ready to be written.
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
