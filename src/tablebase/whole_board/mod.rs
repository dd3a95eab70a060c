//! The whole board at once: retrograde analysis of all numbers of Rebels together, with a bit for each set of up to 25 points.
//!
//! [`Retrograde`] goes from ply to ply; the Rebels' pass is in `rebels_to_move`, the General's in `general_to_move`, with what his chains of
//! jumps and his arrivals mean on the way. Their moves are compiled to shifts of the index of sets (`shifts`), so that a pass reads and writes
//! blocks of bits. Beside the table a checkpoint is kept from time to time.
//!
//! # Invariants
//!
//! - The table is the same for any number of threads, and for a solve that was interrupted.
//! - What single plies decide takes memory as it is needed; where there is none left, the plies before are kept.
//!
//! Tests: `tablebase::tests`, against the plain analysis of small games; `tests/tablebase`.

mod block;
mod checkpoint;
mod compiled_states;
mod general_to_move;
mod jump_chains;
mod rebels_to_move;
mod retrograde;
mod shifts;

pub(super) use checkpoint::checkpoint_path;

use std::sync::atomic::Ordering;
use std::time::Instant;

use rayon::prelude::*;

use crate::cpu::best_instructions;
use crate::rules::Variant;

use super::compression::{Entries, NOT_LEGAL, compress};
use super::error::TableError;
use super::file::{FORMAT, Header, PARTIAL_FORMAT};
use super::general_state::GeneralState;
use super::layout::{Coding, Coverage};
use super::memory::Needs;
use super::run::{CHECKPOINT_INTERVAL, Progress, Resumed, Run};
use super::sections::{Section, empty_histogram, table_of};
use rebels_to_move::Values;
use retrograde::Retrograde;

/// Memory that the analysis of a variant takes.
pub(super) fn needs(variant: &Variant, coverage: Coverage) -> Needs {
    Retrograde::needs(variant, coverage)
}

/// The complete analysis of a variant on the whole board.
pub(super) fn analyse<'a>(
    run: &Run<'a>,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Retrograde<'a>, TableError> {
    let Run { variant, coverage, memory, path, start, stop, .. } = *run;
    let new = || Retrograde::new(variant, coverage, memory.of_plies());
    let mut analysis = new();
    let (states, sets) = (analysis.values().count(), analysis.index.sets());
    let positions = 2 * (GeneralState::all(variant).len() * sets) as u64;
    let beside = checkpoint_path(path);
    // What tells a solve from others: the rules, and up to how many Rebels.
    let limit = coverage.limit().map(|most| format!("-{most}")).unwrap_or_default();
    let name = format!("{}{limit}", variant.fingerprint());
    let mut recalled = 0;
    let last_known = checkpoint::read(&beside, &name, states, sets, |state, values| {
        analysis.recall(state, values);
        recalled += 1;
    });
    if last_known.is_none() && recalled > 0 {
        // The first half of a damaged checkpoint.
        drop(analysis);
        analysis = new();
    }
    let resumed_from = last_known.map(Resumed::Ply);
    let mut kept = Instant::now();
    let mut decided = 0;
    for ply in 0.. {
        // While the plies of an earlier run are read again, its checkpoint is the one that knows more.
        let again = last_known.is_some_and(|last| ply <= last);
        let keep = |analysis: &Retrograde, last| {
            checkpoint::write(&beside, &name, last, analysis.values().map(|(_, values)| values))
        };
        let newly_decided = match analysis.step(again) {
            Ok(newly_decided) => newly_decided,
            Err(shortage) => {
                let error = memory.short(variant, shortage, ply);
                if let Some(last) = ply.checked_sub(1).filter(|_| !again) {
                    keep(&analysis, last).inspect_err(|_| log::warn!("{error}"))?;
                }
                return Err(error);
            }
        };
        decided += newly_decided;
        let memory = memory.needs.least + analysis.bytes_of_plies();
        let time = start.elapsed();
        progress(&Progress { rebels: None, ply, decided, positions, resumed_from, memory, sent: 0, time });
        if ply > 0 && newly_decided == 0 {
            break;
        }
        let most = Coding::of(variant).most_plies_of_byte();
        if ply > most {
            return Err(TableError::too_long(variant, most, "; privy solve --by-layers tells more"));
        }
        if last_known == Some(ply) {
            analysis.forget_open();
        }
        let interrupted = stop.load(Ordering::Relaxed);
        if !again && (interrupted || kept.elapsed() > CHECKPOINT_INTERVAL) {
            match keep(&analysis, ply) {
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
    analysis.end();
    Ok(analysis)
}

/// The table of an analysis, ready to be written.
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
    /// [`compress_state`] by the best instructions.
    fn dispatch_compress_state(
        analysis: &Retrograde<'_>,
        variant: &Variant,
        state: GeneralState,
        values: &Values,
    ) -> Section {
        compress_state(analysis, variant, state, values)
    }
}

/// The section of a state.
#[inline(always)]
fn compress_state(analysis: &Retrograde, variant: &Variant, state: GeneralState, values: &Values) -> Section {
    let ground = variant.rules().ground();
    let entries = Entries::new(&analysis.index, state.general, ground.contains(state.general));
    let mut histogram = empty_histogram(analysis.coverage);
    let mut is_covered = vec![false; histogram.len()];
    analysis.coverage.layers().for_each(|rebels| is_covered[rebels as usize] = true);
    let bytes = compress(entries.len(), |entry| {
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
