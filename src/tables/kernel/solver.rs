//! The solver of a game: one layer after the other.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU16, Ordering};

use privy_base::threads::{Threads, try_map};
use privy_protocol::Stop;
use privy_rules::Side;
use privy_rules::board::Point;

use crate::by_layers::exchange::Processes;
use crate::by_layers::{GrowingTable, Solve};
use crate::coding::{Counts, Section};
use crate::compression::PART;
use crate::error::TableError;
use crate::numbering::Numbering;

use super::captures::{CaptureReader, landing};
use super::cells::{Cell, KINDS, for_kinds, pieces};
use super::free_jumps::Arrivals;
use super::index::{Index, StateIndex};
use super::layer::LayerBits;
use super::log::{Log, LogFile};
use super::moves::{Capture, CaptureValue, Moves, State};
use super::ones;
use super::places::Places;
use super::ply::Ply;
use super::rows::RowSet;

/// The solver of a game.
pub struct Kernel<'a> {
    numbering: &'a Numbering,
    index: Index<'a>,
    moves: Moves,
    /// The folder of the log of a layer, and the most bytes of it in memory; `None` where there are no files.
    pub log: Option<(PathBuf, usize)>,
    stop: &'a Stop,
}

impl<'a> Kernel<'a> {
    pub fn new(solve: &'a Solve<'_>) -> Kernel<'a> {
        let places = Places::of(&solve.numbering.variant);
        let log = solve.folder().map(|folder| (folder.to_owned(), LogFile::MOST_HELD));
        Kernel { log, ..Kernel::with_places(&solve.numbering, places, solve.stop) }
    }

    /// The solver with some places, which are those of the numbering.
    pub fn with_places(numbering: &'a Numbering, places: Places, stop: &'a Stop) -> Kernel<'a> {
        let moves = Moves::new(numbering, &places);
        Kernel { numbering, index: Index::new(places, numbering), moves, log: None, stop }
    }

    /// The index of a section: that of a state which is its own mirror image keeps half of the rows.
    fn state_index(&self, section: usize, rebels: u32) -> StateIndex<'_> {
        let state = self.moves.sections[section];
        let is_half = section < self.moves.states.len() && state.image(&self.numbering.variant) == state;
        self.index.state(state.general, state.placed(rebels), is_half)
    }

    fn reader<'b>(&'b self, rebels: u32, below: &'b GrowingTable<'b>) -> CaptureReader<'b> {
        let Kernel { numbering, index, moves, stop, .. } = self;
        CaptureReader { index, moves, coding: numbering.coding, below, rebels, stop }
    }

    fn check_stop(&self) -> Result<(), TableError> {
        if self.stop.is_set() { Err(TableError::Interrupted) } else { Ok(()) }
    }

    /// What processes must know of the states to share them: for each the state with no Rebel in hand, to which drops
    /// lead, and those to which the General's moves do.
    pub fn reach(&self) -> Vec<(usize, Vec<usize>)> {
        let reach = |(number, state): (usize, &State)| {
            let (mut last, mut next) = (number, state.target);
            while next != last {
                (last, next) = (next, self.moves.states[next].target);
            }
            let jumps = state.free_jumps.iter().flat_map(|(number, _)| &self.moves.free_jumps[*number]);
            (last, state.general_targets.iter().chain(jumps).map(|(target, _)| *target).collect())
        };
        self.moves.states.iter().enumerate().map(reach).collect()
    }

    /// Adds the landings that a layer reads, those with fewer Rebels, to the table of the layers below; each of some
    /// processes adds all of them.
    pub fn add_landings(
        &self,
        rebels: u32,
        table: &mut GrowingTable<'_>,
        processes: usize,
        threads: &Threads,
    ) -> Result<(), TableError> {
        let landings: Vec<(usize, &Vec<Capture>)> = (self.moves.states.len()..).zip(&self.moves.landings).collect();
        if landings.is_empty() {
            return Ok(());
        }
        // Too few Rebels have lost, unless the General then comes to a point where it loses.
        let may_lose = |(_, landing): &(usize, &Vec<Capture>)| landing[0].value == CaptureValue::End(Side::Rebels);
        let first = if landings.iter().any(may_lose) { 0 } else { self.numbering.variant.rules().fewest_rebels() };
        for below in table.next_landings().max(first)..rebels {
            // Each takes three bytes of a position, and there is memory for the planes of the states of a process.
            for some in landings.chunks(self.moves.states.len().div_ceil(3 * processes)) {
                let reader = self.reader(below, table);
                let section = |(section, moves): &(usize, &Vec<Capture>)| {
                    self.check_stop()?;
                    let mut captures = reader.of(moves);
                    let codes = landing(&mut captures, &self.state_index(*section, below));
                    captures.end()?;
                    self.section(&[codes])
                };
                let sections = threads.run(|| try_map(some, section))?;
                table.push_landings(below, &sections)?;
            }
        }
        Ok(())
    }

    /// Solves a layer after those below, with their landings; the first process adds it to the table. `progress` gets
    /// the ply, the positions decided up to it, both sides to move, and the bytes sent to other processes since the
    /// solve began.
    pub fn solve_layer(
        &self,
        rebels: u32,
        table: &mut GrowingTable<'_>,
        processes: &mut Processes<'_>,
        threads: &Threads,
        progress: &mut (dyn FnMut(u32, u64, u64) + Send),
    ) -> Result<(), TableError> {
        let (Numbering { variant, coding, .. }, states) = (self.numbering, self.moves.states.len());
        let own: Vec<usize> = (0..states).filter(|state| processes.shares.is_own(*state)).collect();
        let indices: Vec<StateIndex<'_>> = (0..states).map(|state| self.state_index(state, rebels)).collect();
        let places = &self.index.places;
        let empty = || RowSet::new(places.high());
        let changes: Vec<_> = indices.iter().map(|_| [[empty(), empty()], [empty(), empty()]]).collect();
        let free_jumps = self.moves.free_jumps.iter().enumerate().map(|(number, targets)| {
            let makes = |state: &usize| self.moves.states[*state].free_jumps.is_some_and(|(own, _)| own == number);
            let placed = targets.first().and_then(|(state, _)| self.moves.sections[*state].placed(rebels));
            let placed = placed.filter(|_| own.iter().any(makes));
            Arrivals::new(targets, |is_half| self.index.state(Point::HAND, placed, is_half), &indices)
        });
        let (free_jumps, shares) = (free_jumps.collect(), &processes.shares);
        let reader = self.reader(rebels, table);
        let mut bits = threads.run(|| LayerBits::begin(&self.moves, &indices, free_jumps, &reader, shares))?;
        let last_due = bits.last_due();
        let (mut file, mut log) = (None, self.log.as_ref());
        let (mut counts, mut over) = (vec![[0; 2]; states], vec![[0; 2]; states]);
        let mut decided = 0;
        for number in 0.. {
            if number > coding.most_plies() {
                return Err(TableError::too_long(variant, coding.most_plies()));
            }
            let ply = Ply {
                number,
                moves: &self.moves,
                places,
                indices: &indices,
                changes: &changes,
                is_mixed: coding.has_flag,
                stop: self.stop,
            };
            let counts = if number == 0 { &mut over } else { &mut counts };
            let [by_rebels, by_general] = threads.run(|| {
                bits.touch(ply);
                bits.ply(ply, counts)
            });
            let summary = [by_rebels, by_general, last_due.into(), self.stop.is_set().into()];
            let [by_rebels, by_general, longest, stopped] = processes.exchange_ply(summary, &mut bits, ply, threads)?;
            if stopped > 0 {
                return Err(TableError::Interrupted);
            }
            let of_ply = by_rebels + by_general;
            decided += of_ply;
            if let Some(Err(error)) = log.map(|(path, most)| bits.file_logs(&mut file, path, *most)) {
                // The solve continues, with more memory.
                log::warn!("what plies decide stays in memory: {error}");
                log = None;
            }
            progress(number, decided, processes.sent);
            if number > 0 && of_ply == 0 && u64::from(number) >= longest {
                break;
            }
        }
        let logs = bits.into_logs();
        let section = |state: usize| -> Result<Section, TableError> {
            let ([won, lost], over) = (counts[state], over[state][0] + over[state][1]);
            let drawn = indices[state].positions as u64 - won - lost - over;
            let section = self.section(&self.codes(&indices[state], &logs[state], file.as_ref())?)?;
            Ok(Section { general: Counts { won, drawn, lost }, ..section })
        };
        // Codes take two bytes of each position, so the states take turns.
        let (mut own, mut made) = (own.into_iter(), None);
        let is_first = processes.is_first();
        let mut sections = (0..states).map(|state| {
            let next = made.is_none().then(|| own.next()).flatten();
            let next = next.map(|state| threads.run(|| section(state))).transpose();
            made = made.take().or(processes.unless_one_stopped(next)?);
            processes.hand_over(processes.shares.is_own(state).then(|| made.take()).flatten())
        });
        match is_first {
            true => table.push(rebels, sections),
            false => sections.try_for_each(|section| section.map(drop)),
        }
    }

    fn section(&self, codes: &[Vec<u16>]) -> Result<Section, TableError> {
        let section = Section::new(self.numbering.coding, codes, self.stop);
        // What a stop has met is incomplete, and must not become part of a table.
        self.check_stop().map(|()| section)
    }

    /// The codes of the positions of a state with the Rebels to move, in parts.
    fn codes(
        &self,
        index: &StateIndex<'_>,
        logs: &[Vec<Log>; KINDS],
        file: Option<&LogFile>,
    ) -> Result<Vec<Vec<u16>>, TableError> {
        let part = |first: usize| (first..index.positions.min(first + PART)).map(|_| AtomicU16::new(0)).collect();
        let codes: Vec<Vec<AtomicU16>> = (0..index.positions).step_by(PART).map(part).collect();
        for_kinds!(C => {
            let pieces = pieces::<C>(index).zip(&logs[C::KIND]);
            try_map(pieces, |(slots, log)| codes_of::<C>(self, index, slots, log, file, &codes))?;
        });
        Ok(codes.into_iter().map(|part| part.into_iter().map(AtomicU16::into_inner).collect()).collect())
    }
}

privy_base::widest_instructions! {
    /// Notes the codes of the positions of a piece of a state, of which no other piece has any.
    fn codes_of<C: Cell>(
        kernel: &Kernel<'_>,
        index: &StateIndex<'_>,
        slots: Range<usize>,
        log: &Log,
        file: Option<&LogFile>,
        codes: &[Vec<AtomicU16>],
    ) -> Result<(), TableError> {
        kernel.check_stop()?;
        let mut by_bit = vec![0u16; C::BITS * slots.len()];
        log.for_each(file, |entry| {
            let code = kernel.numbering.coding.write(entry.ply, entry.wins);
            let codes = &mut by_bit[entry.slot * C::BITS..][..C::BITS];
            entry.for_each(|bit| codes[bit] = code);
        })?;
        for (slot, by_bit) in slots.zip(by_bit.chunks(C::BITS)) {
            for bit in ones(index.rows(slot)) {
                let (row, places) = (index.row(slot, bit), index.places());
                let write = |number: usize, of_low: u16| {
                    let code = by_bit[C::bit(places, row.low, of_low.into())];
                    codes[number / PART][number % PART].store(code, Ordering::Relaxed);
                };
                let (of_row, indices) = (index.numbers(row.high).0, index.indices(row.low));
                of_row.zip(indices).for_each(|(number, of_low)| write(number, *of_low));
                if let Some((other, mirror)) = index.other(row.high).zip(places.mirror()) {
                    let (of_row, images) = (index.numbers(other).0, &mirror.low_images[row.low as usize & 1]);
                    of_row.zip(indices).for_each(|(number, of_low)| write(number, images[usize::from(*of_low)]));
                }
            }
        }
        Ok(())
    }
}
