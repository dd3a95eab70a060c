//! Retrograde analysis of the whole board: all numbers of Rebels together, with a bit for each set of up to 25 points.
//!
//! `Retrograde` goes from ply to ply; `passes` has the passes of a ply, and `jump_chains` that of the General's chains of jumps. Moves
//! are compiled to shifts of the index of sets (`compiled_states`, `plane_index`, `shifts`), so that a pass reads and writes blocks of bits; those
//! that lead to a mirror image read it from the planes of its original (`mirrored_planes`). The numbers of a file are those of the sets with as many
//! Rebels in the order of binary numbers, so one walk through these ranks them all (`ranked`).
//!
//! # Invariants
//!
//! - The table is the same for any number of threads, and for a solve that was interrupted.
//! - The lists of single plies take memory as needed; when it runs out, the plies before are kept in a checkpoint.
//!
//! Tests: `tablebase::tests`, against the plain analysis of small games; `tests/tablebase`.

pub mod block;
mod compiled_states;
mod free_jumps;
mod jump_chains;
pub mod mirrored_planes;
mod passes;
pub mod plane_index;
mod ranked;
mod retrograde;
mod shifts;

pub(super) use retrograde::{memory, spare_bytes};

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc;

use privy_base::threads;
use privy_protocol::Instant;

use super::checkpoint::CHECKPOINT_INTERVAL;
use super::checkpoint::{Kept, Progress, Resumed, Solve};
use super::coding::{Counts, Layer};
use super::error::TableError;
use super::file::{Header, SectionWriter, TABLE_MAGIC, TableFile};
use ranked::{dispatch_restore, dispatch_sections};
use retrograde::Retrograde;

/// The complete analysis of a variant, from the ply that an interrupted run has kept.
pub(super) fn analyse<'a>(
    solve: &'a Solve<'_>,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Retrograde<'a>, TableError> {
    let Solve { numbering, coding, memory, start, interrupt, .. } = solve;
    let new = || Retrograde::new(&numbering.variant, numbering.coverage, memory.bytes_of_plies());
    let mut analysis = new();
    let mut last_read = None;
    if let Ok(file) = solve.checkpoints().open(Kept::WholeBoard, 1) {
        match restore(&mut analysis, solve, &file) {
            Ok(()) => last_read = file.header.ply,
            Err(TableError::Interrupted) => return Err(TableError::Interrupted),
            Err(_) => {
                // It is damaged, perhaps after its first states.
                drop(analysis);
                analysis = new();
            }
        }
    }
    let resumed_from = last_read.map(Resumed::Ply);
    let mut last_checkpoint = Instant::now();
    let mut decided = 0;
    for ply in 0.. {
        // A ply of an earlier run is read again; its checkpoint has more plies than a new one would have.
        let again = last_read.is_some_and(|last| ply <= last);
        let newly_decided = match analysis.step(again, &|| interrupt.is_overdue()) {
            Ok(newly_decided) => newly_decided,
            Err(shortage) => {
                let error = memory.short_in_ply(shortage, ply);
                if let Some(last) = ply.checked_sub(1).filter(|_| !again) {
                    keep(&analysis, solve, last).inspect_err(|_| log::warn!("{error}"))?;
                }
                return Err(error);
            }
        };
        decided += newly_decided;
        interrupt.check()?;
        let memory = memory.least + analysis.bytes_of_plies();
        progress(&Progress { rebels: None, ply, decided, resumed_from, memory, sent: 0, time: start.elapsed() });
        if ply > 0 && newly_decided == 0 {
            break;
        }
        let most = coding.most_plies_of_byte();
        if ply > most {
            return Err(TableError::too_long(&numbering.variant, most, "; privy solve --by-layers tells more"));
        }
        if last_read == Some(ply) {
            analysis.forget_open();
        }
        let interrupted = interrupt.is_set();
        if !again && (interrupted || last_checkpoint.elapsed() > CHECKPOINT_INTERVAL) {
            match keep(&analysis, solve, ply) {
                Err(error) if interrupted => return Err(error),
                // The solve continues without it; there may be room for the next.
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

/// Keeps the values of the decided positions with the Rebels to move after a ply. Everything else follows: a solve that continues runs
/// through the same plies again, with the Rebels' pass read instead of computed.
fn keep(analysis: &Retrograde<'_>, solve: &Solve<'_>, ply: u32) -> Result<(), TableError> {
    let numbering = &solve.numbering;
    let layers = numbering.layers.iter().map(|rebels| Layer { rebels: *rebels, ..Layer::default() }).collect();
    let header = Header { ply: Some(ply), ..Header::new(numbering, solve.coding, layers, 0) };
    // Memory may be short, unless the user has asked to stop, who waits.
    let at_a_time = if solve.interrupt.is_set() { rayon::current_num_threads() } else { 1 };
    let states: Vec<_> = analysis.values().collect();
    let sections = states.chunks(at_a_time).flat_map(|states| {
        let sections = threads::map(states, |(state, values)| {
            dispatch_sections(numbering, &analysis.renumbered, solve.coding, *state, values)
        });
        sections.into_iter().flatten().map(|section| Ok([Cow::Owned(section.values), Cow::Owned(section.laps)]))
    });
    // One that a failure of power damages is not used.
    solve.checkpoints().write(Kept::WholeBoard, header, sections).map(drop)
}

fn restore(analysis: &mut Retrograde<'_>, solve: &Solve<'_>, file: &TableFile) -> Result<(), TableError> {
    let numbering = &solve.numbering;
    for (number, state) in numbering.states.solved.iter().enumerate() {
        if solve.interrupt.is_set() {
            return Err(TableError::Interrupted);
        }
        let mut ranked = Vec::new();
        for (layer, rebels) in numbering.layers.iter().enumerate() {
            let positions = numbering.positions(*state, *rebels);
            let [values, _] = file.decompressed(numbering.section(number, layer), positions)?;
            ranked.extend(values);
        }
        let (renumbered, values) = analysis.numbers_and_values(number);
        dispatch_restore(numbering, renumbered, *state, values, &ranked);
    }
    Ok(())
}

/// Writes the table: a state while others are compressed.
pub(super) fn write_table<W: Write + Send>(
    analysis: &Retrograde<'_>,
    solve: &Solve<'_>,
    file: W,
    path: &Path,
) -> Result<W, TableError> {
    let Solve { numbering, coding, interrupt, .. } = solve;
    solve.threads.run(|| {
        let states: Vec<_> = analysis.values().collect();
        let of_general = analysis.general_counts();
        let layer = |rebels| Layer { rebels, general: of_general[rebels as usize], rebel: Counts::default() };
        let mut layers: Vec<Layer> = numbering.layers.iter().copied().map(layer).collect();
        let mut max_plies = 0;
        let mut writer = SectionWriter::begin(file, path, TABLE_MAGIC)?;
        rayon::scope_fifo(|scope| -> Result<(), TableError> {
            let mut compressed = Vec::new();
            for (state, values) in &states {
                let (sender, receiver) = mpsc::sync_channel(1);
                compressed.push((*state, receiver));
                scope.spawn_fifo(move |_| {
                    let sections = interrupt
                        .check()
                        .map(|()| dispatch_sections(numbering, &analysis.renumbered, *coding, *state, values));
                    // Nobody listens once a section was not written.
                    let _ = sender.send(sections);
                });
            }
            for (state, receiver) in compressed {
                for (layer, section) in layers.iter_mut().zip(received(&receiver)?) {
                    interrupt.check()?;
                    layer.rebel.add(section.counts, state.times(&numbering.variant));
                    max_plies = max_plies.max(section.longest);
                    writer.add(section.parts())?;
                }
            }
            Ok(())
        })?;
        writer.end(Header::new(numbering, *coding, layers, max_plies))
    })
}

/// Waits for what another job sends, and works on such jobs meanwhile.
fn received<T>(receiver: &mpsc::Receiver<Result<T, TableError>>) -> Result<T, TableError> {
    loop {
        match receiver.try_recv() {
            Ok(sent) => return sent,
            Err(mpsc::TryRecvError::Disconnected) => return Err(TableError::Interrupted),
            Err(mpsc::TryRecvError::Empty) => {
                if rayon::yield_now() != Some(rayon::Yield::Executed) {
                    std::thread::yield_now();
                }
            }
        }
    }
}
