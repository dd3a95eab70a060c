//! Retrograde analysis of the whole board: all numbers of Rebels together, with a bit for each set of up to 25 points.
//!
//! [`Retrograde`] goes from ply to ply; `passes` has the passes of a ply, and `jump_chains` that of the General's chains of jumps. Moves
//! are compiled to shifts of the index of sets (`compiled_states`, `shifts`), so that a pass reads and writes blocks of bits. A checkpoint
//! is written beside the table from time to time.
//!
//! # Invariants
//!
//! - The table is the same for any number of threads, and for a solve that was interrupted.
//! - The lists of single plies take memory as needed; when it runs out, the plies before are kept in a checkpoint.
//!
//! Tests: `tablebase::tests`, against the plain analysis of small games; `tests/tablebase`.

mod block;
mod checkpoint;
mod compiled_states;
mod jump_chains;
mod passes;
mod retrograde;
mod shifts;

pub(super) use checkpoint::checkpoint_path;
pub(super) use retrograde::needs;

use std::time::Instant;

use rayon::prelude::*;

use crate::cpu::best_instructions;
use crate::rules::Variant;

use super::compression::{NOT_LEGAL, compress};
use super::error::TableError;
use super::file::{FORMAT, Header, PARTIAL_FORMAT, Section, empty_histogram, table_of};
use super::general_state::GeneralState;
use super::layout::Coding;
use super::numbering::Entries;
use super::run::{CHECKPOINT_INTERVAL, Progress, Resumed, Run};
use passes::Values;
use retrograde::Retrograde;

pub(super) fn analyse<'a>(
    run: &Run<'a>,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Retrograde<'a>, TableError> {
    let Run { variant, coverage, path, start, stop, .. } = *run;
    let new = || Retrograde::new(variant, coverage, run.bytes_of_plies());
    let mut analysis = new();
    let (states, sets) = (analysis.values().count(), analysis.index.sets());
    let beside = checkpoint_path(path);
    // Identifies the solve: the rules, and the most Rebels.
    let limit = coverage.limit().map(|most| format!("-{most}")).unwrap_or_default();
    let name = format!("{}{limit}", variant.fingerprint());
    let mut states_read = 0;
    let last_read = checkpoint::read(&beside, &name, states, sets, |state, values| {
        analysis.restore(state, values);
        states_read += 1;
    });
    if last_read.is_none() && states_read > 0 {
        // The checkpoint is damaged after its first states.
        drop(analysis);
        analysis = new();
    }
    let resumed_from = last_read.map(Resumed::Ply);
    let mut last_checkpoint = Instant::now();
    let mut decided = 0;
    for ply in 0.. {
        // A ply of an earlier run is read again; its checkpoint has more plies than a new one would have.
        let again = last_read.is_some_and(|last| ply <= last);
        let keep = |analysis: &Retrograde, last| {
            checkpoint::write(&beside, &name, last, analysis.values().map(|(_, values)| values))
        };
        let newly_decided = match analysis.step(again) {
            Ok(newly_decided) => newly_decided,
            Err(shortage) => {
                let error = run.short_in_ply(shortage, ply);
                if let Some(last) = ply.checked_sub(1).filter(|_| !again) {
                    keep(&analysis, last).inspect_err(|_| log::warn!("{error}"))?;
                }
                return Err(error);
            }
        };
        decided += newly_decided;
        let memory = run.needs.least + analysis.bytes_of_plies();
        let time = start.elapsed();
        progress(&Progress { rebels: None, ply, decided, resumed_from, memory, sent: 0, time });
        if ply > 0 && newly_decided == 0 {
            break;
        }
        let most = Coding::of(variant).most_plies_of_byte();
        if ply > most {
            return Err(TableError::too_long(variant, most, "; privy solve --by-layers tells more"));
        }
        if last_read == Some(ply) {
            analysis.forget_open();
        }
        let interrupted = stop.is_set();
        if !again && (interrupted || last_checkpoint.elapsed() > CHECKPOINT_INTERVAL) {
            match keep(&analysis, ply) {
                Err(error) if interrupted => return Err(error),
                // The solve goes on without it; there may be room for the next.
                Err(error) => log::warn!("no checkpoint was kept: {error}"),
                Ok(()) => {}
            }
            last_checkpoint = Instant::now();
        }
        if interrupted {
            return Err(TableError::Interrupted);
        }
    }
    analysis.end();
    Ok(analysis)
}

pub(super) fn table(analysis: &Retrograde, variant: &Variant) -> (Header, Vec<Vec<u8>>) {
    let coverage = analysis.coverage;
    let states: Vec<(GeneralState, &Values)> = analysis.values().collect();
    let compressed =
        states.par_iter().map(|(state, values)| dispatch_compress_state(analysis, variant, *state, values));
    let format = if coverage.limit().is_some() { PARTIAL_FORMAT } else { FORMAT };
    let layout = (coverage, Coding::of(variant), format);
    table_of(variant, layout, compressed.collect(), |rebels| analysis.general_counts(rebels))
}

best_instructions! {
    fn dispatch_compress_state(
        analysis: &Retrograde<'_>,
        variant: &Variant,
        state: GeneralState,
        values: &Values,
    ) -> Section {
        let ground = variant.rules().ground();
        let entries = Entries::new(&analysis.index, state.general, ground.contains(state.general));
        let mut histogram = empty_histogram(analysis.coverage);
        let mut is_covered = vec![false; histogram.len()];
        analysis.coverage.layers().for_each(|rebels| is_covered[rebels as usize] = true);
        let bytes = compress(entries.len, |entry| {
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
        Section { state, bytes, laps: None, histogram }
    }
}
