//! The bits of a layer, and its plies.

use std::io;
use std::path::Path;

use privy_base::threads::{each, map, try_map};
use privy_rules::rule_set::NoMove;

use crate::by_layers::exchange::{Shares, message_of, take_bytes, take_number};
use crate::error::TableError;

use super::captures::{CaptureReader, ReadyCaptures};
use super::cells::{Cell, Cells};
use super::free_jumps::{Arrivals, refresh};
use super::general::{GeneralPass, GeneralPiece, general_pass, write_found};
use super::index::StateIndex;
use super::light::Light;
use super::log::{Log, LogFile, Queue, QueueMaker};
use super::moves::Moves;
use super::ones;
use super::plane::Plane;
use super::ply::{Bits, Ply};
use super::rebels::{RebelsPass, RebelsPiece, rebels_pass, write_decided};
use super::rows::{HighParts, Touched};

/// The cells of a layer.
pub(super) struct LayerBits<'a> {
    rebels: Vec<Bits>,
    arrivals: Vec<Bits>,
    general: Vec<Bits>,
    /// By state, cells that only some games have; else empty.
    rebels_stuck: Vec<Cells>,
    general_stuck: Vec<Cells>,
    held: Vec<Cells>,
    must: Vec<Cells>,
    /// By state, with the Rebels to move and with the General to move, by slot the rows to look at.
    touched: Vec<[Vec<u32>; 2]>,
    free_jumps: Vec<Arrivals<'a>>,
    /// By state and piece: those of planes, then those of light rows.
    captures: Vec<Vec<Queue>>,
    due_arrivals: Vec<Vec<Queue>>,
    pub(super) logs: Vec<Vec<Log>>,
    /// By state: true if this process solves it. Of others it has at most what the General may read, with the Rebels to
    /// move.
    is_own: Vec<bool>,
}

/// The pieces of a kind of cells of a state: their first slots, and how many each has.
pub(super) fn pieces<C: Cell>(index: &StateIndex<'_>) -> impl Iterator<Item = (usize, usize)> {
    let (first, slots) = (C::first(index), C::count_in(index));
    (0..slots).step_by(C::PIECE).map(move |from| (first + from, C::PIECE.min(slots - from)))
}

/// The part of one kind of cells in what all pieces of a state have.
fn of_kind<'a, C: Cell, T>(index: &StateIndex<'_>, all: &'a mut [T]) -> &'a mut [T] {
    if all.is_empty() {
        return all;
    }
    let planes = pieces::<Plane>(index).count();
    let (planes, light) = all.split_at_mut(planes);
    if C::IS_PLANE { planes } else { light }
}

/// A piece of cells; empty if there are none.
fn part<C: Cell>(cells: &mut Cells, piece: usize) -> &mut [C] {
    C::of_mut(cells).chunks_mut(C::PIECE).nth(piece).unwrap_or_default()
}

/// What captures of a kind of cells of a state are worth, by piece; sets the positions with a capture.
fn captures_of<C: Cell>(
    captures: &mut ReadyCaptures<'_, '_>,
    index: &StateIndex<'_>,
    (held, must): (&mut Cells, &mut Cells),
    queues: &mut Vec<Queue>,
) {
    let mut maker = QueueMaker::default();
    for (number, piece) in pieces::<C>(index).enumerate() {
        queues.push(captures.captures(index, piece, (part::<C>(held, number), part(must, number)), &mut maker));
    }
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
        let is_own: Vec<bool> = (0..indices.len()).map(|state| shares.is_own(state)).collect();
        let is_held = |state: usize| is_own[state] || shares.reads_from_others(state);
        let open = |is_needed: &(dyn Fn(usize) -> bool + Sync)| {
            let of_state = |(state, index)| if is_needed(state) { Bits::open(index) } else { Bits::default() };
            map(indices.iter().enumerate(), of_state)
        };
        let cells = |are_needed: bool| -> Vec<Cells> {
            let of_state = |(index, is_own): (&StateIndex<'_>, &bool)| match are_needed && *is_own {
                true => Cells::empty(index),
                false => Cells::default(),
            };
            indices.iter().zip(&is_own).map(of_state).collect()
        };
        let touched = |(index, is_own): (&StateIndex<'_>, &bool)| {
            [(); 2].map(|()| vec![0; if *is_own { index.slots as usize } else { 0 }])
        };
        let has_captures = moves.states.iter().any(|state| !state.captures.is_empty());
        let mut bits = LayerBits {
            rebels: open(&is_held),
            arrivals: if moves.have_arrivals { open(&is_held) } else { Vec::new() },
            general: open(&|state| is_own[state]),
            rebels_stuck: cells(matches!(moves.rebels_stuck, NoMove::Draw | NoMove::Pass)),
            general_stuck: cells(moves.general_stuck == NoMove::Pass),
            held: cells(has_captures || moves.general_stuck == NoMove::Draw),
            must: cells(moves.is_compulsory),
            touched: indices.iter().zip(&is_own).map(touched).collect(),
            free_jumps,
            captures: Vec::new(),
            due_arrivals: Vec::new(),
            logs: Vec::new(),
            is_own: Vec::new(),
        };
        let of_states = bits.held.iter_mut().zip(&mut bits.must).zip(indices).enumerate();
        bits.captures = try_map(of_states, |(state, ((held, must), index))| {
            let mut queues = Vec::new();
            if !is_own[state] {
                return Ok(queues);
            }
            let mut captures = reader.of(&moves.states[state].captures);
            captures_of::<Plane>(&mut captures, index, (held, must), &mut queues);
            captures_of::<Light>(&mut captures, index, (held, must), &mut queues);
            captures.end().map(|()| queues)
        })?;
        bits.due_arrivals = try_map(indices.iter().enumerate(), |(state, index)| {
            if !is_held(state) {
                return Ok(Vec::new());
            }
            let (mut captures, mut maker) = (reader.of(&moves.states[state].arrivals), QueueMaker::default());
            let planes = pieces::<Plane>(index).map(|piece| captures.arrivals::<Plane>(index, piece, &mut maker));
            let mut queues: Vec<Queue> = planes.collect();
            queues.extend(pieces::<Light>(index).map(|piece| captures.arrivals::<Light>(index, piece, &mut maker)));
            captures.end().map(|()| queues)
        })?;
        let pieces = |index: &StateIndex<'_>| pieces::<Plane>(index).count() + pieces::<Light>(index).count();
        let logs = |(index, is_own): (&StateIndex<'_>, &bool)| {
            (0..if *is_own { pieces(index) } else { 0 }).map(|_| Log::default()).collect()
        };
        bits.logs = indices.iter().zip(&is_own).map(logs).collect();
        bits.is_own = is_own;
        Ok(bits)
    }

    /// Bytes of its cells.
    pub(super) fn bytes(&self) -> u64 {
        let both = [&self.rebels, &self.arrivals, &self.general].into_iter().flatten();
        let more = [&self.rebels_stuck, &self.general_stuck, &self.held, &self.must].into_iter().flatten();
        both.flat_map(|bits| [&bits.not_won, &bits.lost]).chain(more).map(Cells::bytes).sum()
    }

    /// Moves the logs to a file once they are large.
    pub(super) fn file_logs(&mut self, file: &mut Option<LogFile>, path: &Path, most: usize) -> Result<(), TableError> {
        let held: usize = self.logs.iter().flatten().map(Log::bytes).sum();
        if held <= most {
            return Ok(());
        }
        let to = match file {
            Some(to) => to,
            None => file.insert(LogFile::create(path.to_owned())?),
        };
        to.take(self.logs.iter_mut().flatten())
    }

    /// The last ply in which a capture is due, or an arrival is read.
    pub(super) fn last_due(&self) -> u32 {
        let due = |queues: &[Vec<Queue>]| queues.iter().flatten().map(|queue| queue.last).max().unwrap_or(0);
        // Arrivals are read in the ply after.
        due(&self.captures).max(due(&self.due_arrivals) + 1)
    }

    /// Finds the rows that a ply looks at: those whose moves lead to what the last ply has changed.
    pub(super) fn touch(&mut self, ply: Ply<'_>, parts: HighParts) {
        let bits = if self.arrivals.is_empty() { &self.rebels } else { &self.arrivals };
        each(&mut self.free_jumps, |arrivals| {
            if ply.number > 0 {
                arrivals.touch(ply, &mut Touched::new(parts));
                refresh::<Plane>(arrivals, ply, bits);
                refresh::<Light>(arrivals, ply, bits);
            }
        });
        let free_jumps = &self.free_jumps;
        let of_states = self.touched.iter_mut().zip(&mut self.logs).zip(&self.is_own).enumerate();
        each(of_states, |(state, (([of_rebels, of_general], logs), is_own))| {
            let (compiled, index, changes) = (&ply.moves.states[state], &ply.indices[state], ply.changes);
            changes[state].rebels(ply.number).clear();
            changes[state].general(ply.number).clear();
            logs.iter_mut().for_each(Log::begin_ply);
            if !is_own {
                return;
            }
            of_rebels.fill(0);
            of_general.fill(0);
            // Ends without a cause in the ply before.
            let all = |rows: &mut [u32]| (0..).zip(rows).for_each(|(slot, rows)| *rows = index.rows(slot));
            if ply.number == 1 && !compiled.custody.is_empty() {
                all(of_rebels);
            }
            if ply.number == 1 && !compiled.ends.is_empty() {
                all(of_general);
            }
            if ply.number > 0 {
                let (last, mut touched) = (ply.last(), Touched::new(parts));
                touched.add_before(changes[compiled.rebels.target].general(last), &compiled.rebels);
                if ply.moves.rebels_may_pass() {
                    touched.add(changes[state].general(last));
                }
                touched.take(index, of_rebels);
                for (target, mirrored) in &compiled.general_targets {
                    match ply.places.mirror().filter(|_| *mirrored) {
                        Some(mirror) => touched.add_images(changes[*target].rebels(last), mirror),
                        None => touched.add(changes[*target].rebels(last)),
                    }
                }
                if let Some((jumps, _)) = compiled.free_jumps {
                    touched.add(&free_jumps[jumps].changed);
                }
                touched.take(index, of_general);
            }
        });
    }

    /// Computes a ply; returns the number of positions decided with the Rebels to move, and with the General to move.
    pub(super) fn ply(&mut self, ply: Ply<'_>, counts: &mut [[u64; 2]]) -> [u64; 2] {
        let (by_rebels, by_general);
        if ply.number == 0 {
            // While all positions of the General are open, the Rebels without a move are those whose moves lead to
            // none.
            by_rebels = self.rebels_passes(ply);
            by_general = self.general_passes(ply, counts);
        } else if ply.is_mixed {
            // Either pass reads what the other one writes, so what the General's finds waits.
            let planes = self.general_pass::<Plane>(ply, counts, Found::Waits(Vec::new())).1;
            let light = self.general_pass::<Light>(ply, counts, Found::Waits(Vec::new())).1;
            by_rebels = self.rebels_passes(ply);
            by_general = self.general_pass::<Plane>(ply, counts, Found::Waited(planes)).0
                + self.general_pass::<Light>(ply, counts, Found::Waited(light)).0;
        } else {
            by_general = self.general_passes(ply, counts);
            by_rebels = self.rebels_passes(ply);
        }
        self.take_arrivals::<Plane>(ply);
        self.take_arrivals::<Light>(ply);
        [by_rebels, by_general]
    }

    fn rebels_passes(&mut self, ply: Ply<'_>) -> u64 {
        self.rebels_pass::<Plane>(ply) + self.rebels_pass::<Light>(ply)
    }

    fn general_passes(&mut self, ply: Ply<'_>, counts: &mut [[u64; 2]]) -> u64 {
        self.general_pass::<Plane>(ply, counts, Found::Written).0
            + self.general_pass::<Light>(ply, counts, Found::Written).0
    }

    fn rebels_pass<C: Cell>(&mut self, ply: Ply<'_>) -> u64 {
        let mut pieces_of_states = Vec::new();
        let mut arrivals = self.arrivals.iter_mut();
        let of_states =
            self.rebels.iter_mut().zip(&mut self.logs).zip(&mut self.rebels_stuck).zip(&self.touched).enumerate();
        for (state, (((bits, logs), stuck), [touched, _])) in of_states {
            let arrivals = arrivals.next();
            if !self.is_own[state] {
                continue;
            }
            let (target, index) = (&self.general[ply.moves.states[state].rebels.target], &ply.indices[state]);
            let pass = RebelsPass { ply, state, general: &self.general[state], target };
            let (mut stuck, first) = (C::of_mut(stuck).chunks_mut(C::PIECE), C::first(index));
            let mut touched = touched[first..first + C::count_in(index)].chunks(C::PIECE);
            let (not_won, lost): (&mut [C], &mut [C]) = match arrivals {
                Some(Bits { not_won, lost }) => (C::of_mut(not_won), C::of_mut(lost)),
                None => Default::default(),
            };
            let (mut not_won, mut lost) = (not_won.chunks_mut(C::PIECE), lost.chunks_mut(C::PIECE));
            let own =
                C::of_mut(&mut bits.not_won).chunks_mut(C::PIECE).zip(C::of_mut(&mut bits.lost).chunks_mut(C::PIECE));
            for (number, ((open, own_lost), log)) in own.zip(of_kind::<C, _>(index, logs)).enumerate() {
                pieces_of_states.push((
                    pass,
                    RebelsPiece {
                        first: first + number * C::PIECE,
                        not_won: open,
                        lost: own_lost,
                        arrivals_not_won: not_won.next().unwrap_or_default(),
                        arrivals_lost: lost.next().unwrap_or_default(),
                        stuck: stuck.next().unwrap_or_default(),
                        touched: touched.next().unwrap_or_default(),
                        log,
                    },
                ));
            }
        }
        map(pieces_of_states, |(pass, mut piece)| match ply.stop.is_set() {
            true => 0,
            false => rebels_pass(pass, &mut piece),
        })
        .into_iter()
        .sum()
    }

    /// The General's pass: returns the number of positions decided, and what waits.
    fn general_pass<C: Cell>(
        &mut self,
        ply: Ply<'_>,
        counts: &mut [[u64; 2]],
        found: Found<C>,
    ) -> (u64, Vec<FoundInPiece<C>>) {
        let LayerBits {
            rebels,
            arrivals,
            general,
            held,
            must,
            general_stuck,
            touched,
            captures,
            free_jumps,
            is_own,
            ..
        } = self;
        let (rebels, arrivals, free_jumps) = (&*rebels, &*arrivals, &free_jumps[..]);
        let is_write = matches!(found, Found::Waited(_));
        let pieces = pieces_of_general((ply, is_own), (general, held, must, general_stuck, touched, captures), found);
        let done = map(pieces, |(state, mut piece)| {
            let pass = GeneralPass { ply, state, rebels, arrivals, free_jumps };
            if is_write {
                write_found(pass, &mut piece)
            } else {
                general_pass(pass, &mut piece)
            }
            (state, piece.counts, piece.found.unwrap_or_default())
        });
        let (mut decided, mut waits) = (0, Vec::new());
        for (state, [won, lost], found) in done {
            counts[state][0] += won;
            counts[state][1] += lost;
            decided += won + lost;
            waits.push(found);
        }
        (decided, waits)
    }

    /// Writes the values of arrivals that are due.
    fn take_arrivals<C: Cell>(&mut self, ply: Ply<'_>) {
        let of_states = self.arrivals.iter_mut().zip(&mut self.due_arrivals).enumerate();
        each(of_states, |(state, (bits, queues))| {
            let index = &ply.indices[state];
            let (not_won, lost) = (C::of_mut(&mut bits.not_won), C::of_mut(&mut bits.lost));
            for (number, queue) in of_kind::<C, _>(index, queues).iter_mut().enumerate() {
                for entry in queue.take(ply.number) {
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
                            ply.changes[state].rebels(ply.number).add(row.high);
                        }
                    }
                }
            }
        });
    }
}

/// What the General's pass finds: by slot of a piece, won and lost.
type FoundInPiece<C> = Vec<(usize, [C; 2])>;

/// What becomes of what the General's pass finds.
enum Found<C> {
    /// It is written at once.
    Written,
    /// It waits, piece by piece.
    Waits(Vec<FoundInPiece<C>>),
    /// It has waited, and is written.
    Waited(Vec<FoundInPiece<C>>),
}

/// The cells and queues with the General to move.
type OfGeneral<'a> =
    (&'a mut [Bits], &'a mut [Cells], &'a mut [Cells], &'a mut [Cells], &'a mut [[Vec<u32>; 2]], &'a mut [Vec<Queue>]);

/// The General's pieces of all states.
fn pieces_of_general<'a, C: Cell>(
    (ply, is_own): (Ply<'_>, &[bool]),
    (general, held, must, stuck, touched, captures): OfGeneral<'a>,
    found: Found<C>,
) -> Vec<(usize, GeneralPiece<'a, C>)> {
    let (waits, mut found) = match found {
        Found::Written => (false, Vec::new().into_iter()),
        Found::Waits(found) | Found::Waited(found) => (true, found.into_iter()),
    };
    let mut pieces = Vec::new();
    let of_states = general.iter_mut().zip(held).zip(must).zip(stuck).zip(touched).zip(captures).enumerate();
    for (state, (((((bits, held), must), stuck), [_, touched]), captures)) in of_states {
        if !is_own[state] {
            continue;
        }
        let (index, first) = (&ply.indices[state], C::first(&ply.indices[state]));
        let mut touched = touched[first..first + C::count_in(index)].chunks_mut(C::PIECE);
        let [mut held, mut must, mut stuck] = [held, must, stuck].map(|cells| C::of_mut(cells).chunks_mut(C::PIECE));
        let [not_won, lost] = [&mut bits.not_won, &mut bits.lost].map(|cells| C::of_mut(cells).chunks_mut(C::PIECE));
        let of_state = not_won.zip(lost).zip(of_kind::<C, _>(index, captures)).enumerate();
        for (number, ((not_won, lost), captures)) in of_state {
            let piece = GeneralPiece {
                first: first + number * C::PIECE,
                not_won,
                lost,
                held: held.next().unwrap_or_default(),
                must: must.next().unwrap_or_default(),
                stuck: stuck.next().unwrap_or_default(),
                touched: touched.next().unwrap_or_default(),
                captures,
                found: waits.then(|| found.next().unwrap_or_default()),
                counts: [0; 2],
            };
            pieces.push((state, piece));
        }
    }
    pieces
}

/// What a ply has decided with the Rebels to move, for other processes: the entries of its logs, a piece after the
/// other.
pub(crate) struct Decided<'b, 'a> {
    pub(super) bits: &'b mut LayerBits<'a>,
    pub(super) ply: Ply<'b>,
}

impl Decided<'_, '_> {
    /// Appends what was decided in a state of this process to a message.
    pub(crate) fn write(&self, state: usize, message: &mut Vec<u8>) {
        for entries in self.bits.logs[state].iter().map(Log::of_ply) {
            message.extend(message_of([entries.len() as u64]));
            message.extend(entries);
        }
    }

    /// Takes what another process has decided in a state.
    pub(crate) fn read(&mut self, state: usize, mut message: &[u8]) -> io::Result<()> {
        self.read_cells::<Plane>(state, &mut message)?;
        self.read_cells::<Light>(state, &mut message)
    }

    fn read_cells<C: Cell>(&mut self, state: usize, message: &mut &[u8]) -> io::Result<()> {
        for (number, (first, _)) in pieces::<C>(&self.ply.indices[state]).enumerate() {
            let length = take_number(message)?;
            let entries = Log::of(take_bytes(message, length)?);
            let Bits { not_won, lost } = &mut self.bits.rebels[state];
            let (arrivals_not_won, arrivals_lost): (&mut [C], &mut [C]) = match self.bits.arrivals.get_mut(state) {
                Some(Bits { not_won, lost }) => (part(not_won, number), part(lost, number)),
                None => Default::default(),
            };
            let mut piece = RebelsPiece {
                first,
                not_won: part(not_won, number),
                lost: part(lost, number),
                arrivals_not_won,
                arrivals_lost,
                stuck: &mut [],
                touched: &[],
                log: &mut Log::default(),
            };
            entries.read(|entry| {
                let (cell, none) = (entry.cell::<C>(), C::EMPTY);
                let (won, lost) = if entry.wins { (cell, none) } else { (none, cell) };
                write_decided(self.ply, state, &mut piece, entry.slot, won, lost);
            });
        }
        Ok(())
    }
}
