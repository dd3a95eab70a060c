//! The bits of a layer, and its plies.

use std::io;
use std::path::Path;

use privy_base::threads::{each, map, try_map};

use crate::by_layers::exchange::{Shares, message_of, take_bytes, take_number};
use crate::error::TableError;

use super::captures::CaptureReader;
use super::cells::{Cell, KINDS, for_kinds};
use super::free_jumps::{Arrivals, recount};
use super::general::{GeneralPiece, OfGeneral, general_pass};
use super::index::StateIndex;
use super::log::{Entries, Log, LogFile, Queue};
use super::moves::Moves;
use super::ones;
use super::ply::Ply;
use super::rebels::{OfRebels, RebelsPiece, rebels_pass};
use super::rows::{RowSet, SlotRows, take};

/// The cells of a layer.
pub(crate) struct LayerBits<'a> {
    /// By state, with the Rebels to move, and with the General to move. Of a state that another process solves it has
    /// at most what the General may read, with the Rebels to move.
    rebels: Vec<OfRebels>,
    general: Vec<OfGeneral>,
    free_jumps: Vec<Arrivals<'a>>,
}

impl<'a> LayerBits<'a> {
    /// The layer before its first ply.
    pub(super) fn begin(
        moves: &'a Moves,
        indices: &[StateIndex<'_>],
        free_jumps: Vec<Arrivals<'a>>,
        reader: &CaptureReader<'_>,
        shares: &Shares,
    ) -> Result<LayerBits<'a>, TableError> {
        let of_states = try_map(indices.iter().enumerate(), |(state, index)| -> Result<_, TableError> {
            if reader.stop.is_set() {
                return Err(TableError::Interrupted);
            }
            let is_own = shares.is_own(state);
            let rebels = match is_own || shares.reads_from_others(state) {
                true => OfRebels::begin(moves, state, index, reader, is_own)?,
                false => OfRebels::default(),
            };
            let general = if is_own { OfGeneral::begin(moves, state, index, reader)? } else { OfGeneral::default() };
            Ok((rebels, general))
        })?;
        let (rebels, general) = of_states.into_iter().unzip();
        Ok(LayerBits { rebels, general, free_jumps })
    }

    /// Ends the layer: returns the logs of its states.
    pub(super) fn into_logs(self) -> Vec<[Vec<Log>; KINDS]> {
        self.rebels.into_iter().map(|rebels| rebels.logs).collect()
    }

    /// Moves the logs to a file in a folder once they are large.
    pub(super) fn file_logs(
        &mut self,
        file: &mut Option<LogFile>,
        folder: &Path,
        most: usize,
    ) -> Result<(), TableError> {
        let logs = self.rebels.iter_mut().flat_map(|rebels| &mut rebels.logs).flatten();
        let logs: Vec<&mut Log> = logs.filter(|log| log.bytes() > 0).collect();
        if logs.iter().map(|log| log.bytes()).sum::<usize>() <= most {
            return Ok(());
        }
        let to = match file {
            Some(to) => to,
            None => file.insert(LogFile::create(folder.to_owned())?),
        };
        to.take(logs)
    }

    /// The last ply in which a capture is due, or an arrival is read.
    pub(super) fn last_due(&self) -> u32 {
        let last = |queues: &[Vec<Queue>; KINDS]| queues.iter().flatten().flat_map(|queue| queue.keys().copied()).max();
        let captures = self.general.iter().filter_map(|general| last(&general.captures));
        // Arrivals are read in the ply after.
        let arrivals = self.rebels.iter().filter_map(|rebels| Some(last(&rebels.due)? + 1));
        captures.chain(arrivals).max().unwrap_or(1)
    }

    /// Finds the rows that a ply looks at: those whose moves lead to what the last ply has changed.
    pub(super) fn touch(&mut self, ply: Ply<'_>) {
        let (rebels, places) = (&self.rebels, ply.places.high());
        if ply.number > 0 {
            each(&mut self.free_jumps, |arrivals| arrivals.touch(ply, &mut RowSet::new(places)));
            for_kinds!(C => {
                let pieces = self.free_jumps.iter_mut().flat_map(Arrivals::pieces::<C>);
                each(pieces, |mut piece| recount(&mut piece, ply, rebels));
            });
        }
        let free_jumps = &self.free_jumps;
        each(self.rebels.iter_mut().zip(&mut self.general).enumerate(), |(state, (rebels, general))| {
            let (compiled, index) = (&ply.moves.states[state], &ply.indices[state]);
            ply.rebels(state, ply.number).clear();
            ply.general(state, ply.number).clear();
            rebels.logs.iter_mut().flatten().for_each(Log::begin_ply);
            let (of_rebels, of_general) = (&mut rebels.rows, &mut general.rows);
            if of_rebels.is_empty() {
                return;
            }
            if ply.number > 0 {
                let (last, mut touched) = (ply.last(), RowSet::new(places));
                touched.add_before(ply.general(compiled.target, last), ply.moves.rebels(state));
                if ply.moves.rebels_may_pass() {
                    touched.add_all(ply.general(state, last));
                }
                take(&mut touched, index, of_rebels);
                ply.add_targets(&compiled.general_targets, &mut touched);
                if let Some((jumps, _)) = compiled.free_jumps {
                    touched.add_all(&free_jumps[jumps].changed);
                }
                take(&mut touched, index, of_general);
            }
            // Ends without a cause in the ply before.
            if ply.number == 1 && !compiled.custody.is_empty() {
                of_rebels.iter_mut().for_each(SlotRows::touch_all);
            }
            if ply.number == 1 && !compiled.ends.is_empty() {
                of_general.iter_mut().for_each(SlotRows::touch_all);
            }
        });
    }

    /// Computes a ply; returns the number of positions decided with the Rebels to move, and with the General to move.
    pub(super) fn ply(&mut self, ply: Ply<'_>, counts: &mut [[u64; 2]]) -> [u64; 2] {
        let (mut by_rebels, mut by_general) = (0, 0);
        for_kinds!(C => by_rebels += self.rebels_pass::<C>(ply));
        for_kinds!(C => by_general += self.general_pass::<C>(ply, counts));
        if ply.is_mixed {
            // Either pass reads what the other one writes, so what the Rebels' finds has waited in its logs.
            for_kinds!(C => self.write_logged::<C>(ply));
        }
        each(self.rebels.iter_mut().enumerate(), |(state, of_state)| {
            for_kinds!(C => take_arrivals::<C>(ply, state, of_state));
        });
        [by_rebels, by_general]
    }

    /// The pieces of a kind with the Rebels to move, by state.
    fn rebels_pieces<'b, C: Cell>(
        &'b mut self,
        ply: Ply<'b>,
    ) -> impl Iterator<Item = impl Iterator<Item = RebelsPiece<'b, C>>> {
        let general = &self.general;
        self.rebels.iter_mut().enumerate().map(move |(state, of_state)| {
            let target = ply.moves.states[state].target;
            of_state.pieces(ply, state, [&general[state].bits, &general[target].bits])
        })
    }

    fn rebels_pass<C: Cell>(&mut self, ply: Ply<'_>) -> u64 {
        let pieces = self.rebels_pieces::<C>(ply).flatten();
        let decided = map(pieces, |mut piece| if ply.stop.is_set() { 0 } else { rebels_pass(&mut piece) });
        decided.into_iter().sum()
    }

    /// Writes what the Rebels' pass of the ply has found, from the logs.
    fn write_logged<C: Cell>(&mut self, ply: Ply<'_>) {
        each(self.rebels_pieces::<C>(ply).flatten(), |mut piece| piece.write_logged());
    }

    fn general_pass<C: Cell>(&mut self, ply: Ply<'_>, counts: &mut [[u64; 2]]) -> u64 {
        let read = (&self.rebels[..], &self.free_jumps[..]);
        let states = self.general.iter_mut().enumerate();
        let mut pieces: Vec<GeneralPiece<'_, C>> =
            states.flat_map(|(state, of_state)| of_state.pieces(ply, state, read)).collect();
        // States read each other at the same rows, which are at about the same parts of all.
        pieces.sort_by_key(GeneralPiece::place);
        let done = map(pieces, |mut piece| match ply.stop.is_set() {
            true => (piece.state, [0; 2]),
            false => (piece.state, general_pass(&mut piece)),
        });
        for (state, decided) in &done {
            counts[*state].iter_mut().zip(decided).for_each(|(count, decided)| *count += decided);
        }
        done.iter().flat_map(|(_, decided)| decided).sum()
    }
}

privy_base::widest_instructions! {
    /// Writes the values of the arrivals in a state that are due.
    fn take_arrivals<C: Cell>(ply: Ply<'_>, state: usize, of_state: &mut OfRebels) {
        let (index, OfRebels { arrivals, due, .. }) = (&ply.indices[state], of_state);
        let (not_won, lost) = (C::vec(&mut arrivals.not_won), C::vec(&mut arrivals.lost));
        for (number, queue) in due[C::KIND].iter_mut().enumerate() {
            for entry in Entries::of(&queue.remove(&ply.number).unwrap_or_default()) {
                let (slot, cell) = (number * C::PIECE + entry.slot, entry.cell::<C>());
                if entry.wins {
                    not_won[slot] = not_won[slot].minus(cell);
                } else {
                    lost[slot] |= cell;
                }
                let slot = C::first(index) + slot;
                for bit in ones(index.rows(slot)) {
                    let row = index.row(slot, bit);
                    if !cell.of_row(index, row).is_empty() {
                        ply.rebels(state, ply.number).add_kept(index, row.high);
                    }
                }
            }
        }
    }
}

// What plies have decided with the Rebels to move, for other processes: the entries of the logs, a piece after the
// other.
impl LayerBits<'_> {
    /// Appends what the last ply has decided in a state of this process to a message.
    pub(crate) fn write(&self, state: usize, message: &mut Vec<u8>) {
        for entries in self.rebels[state].logs.iter().flatten().map(Log::of_ply) {
            message.extend(message_of([entries.len() as u64]));
            message.extend(entries);
        }
    }

    /// Takes what another process has decided in a state in a ply.
    pub(crate) fn read(&mut self, ply: Ply<'_>, state: usize, mut message: &[u8]) -> io::Result<()> {
        for_kinds!(C => self.read_cells::<C>(ply, state, &mut message)?);
        Ok(())
    }

    fn read_cells<C: Cell>(&mut self, ply: Ply<'_>, state: usize, message: &mut &[u8]) -> io::Result<()> {
        for mut piece in self.rebels_pieces::<C>(ply).nth(state).into_iter().flatten() {
            let length = take_number(message)?;
            piece.write_entries(Entries::of(take_bytes(message, length)?));
        }
        Ok(())
    }
}
