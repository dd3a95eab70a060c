//! The values of captures, and of landings, from solved layers.
//!
//! They are read once, before the first ply of a layer, and kept in queues: what is due in which ply.

use std::ops::Range;

use privy_protocol::Stop;
use privy_rules::Side;

use crate::by_layers::{GrowingTable, LayerReader};
use crate::coding::Coding;
use crate::compression::CODES;
use crate::error::TableError;
use crate::value::TableValue;

use super::cells::{Cell, pieces};
use super::index::{Index, Row, StateIndex};
use super::log::{Queue, QueueMaker};
use super::moves::{Capture, CaptureValue, Moves};
use super::ones;
use super::plane::{BITS, BitSet, Plane};

/// The rank of no capture, below that of any value.
const NONE: i16 = i16::MIN;

/// The rank for the General of a move that ends the game.
fn rank_of_end(winner: Side) -> i16 {
    let of_rebels = if winner == Side::Rebels { TableValue::Win(0) } else { TableValue::Loss(0) };
    of_rebels.before().rank()
}

/// What values of captures are read from.
#[derive(Clone, Copy)]
pub(super) struct CaptureReader<'a> {
    pub(super) index: &'a Index<'a>,
    pub(super) moves: &'a Moves,
    pub(super) coding: Coding,
    pub(super) below: &'a GrowingTable<'a>,
    pub(super) rebels: u32,
    /// Once it is set, what is read is incomplete.
    pub(super) stop: &'a Stop,
}

/// Captures of a state for which there are Rebels enough, with what their values are read from.
pub(super) struct ReadyCaptures<'a, 'b> {
    reader: CaptureReader<'a>,
    captures: Vec<(&'b Capture, Source<'a>)>,
    /// By code, the rank of a move.
    ranks: Vec<i16>,
    layers: LayerReader<'a>,
}

#[derive(Debug)]
enum Source<'a> {
    End(i16),
    Below { index: Box<StateIndex<'a>>, rebels: u32, section: usize, mirrored: bool },
}

impl<'a> CaptureReader<'a> {
    /// The captures of a state, ready to be read.
    pub(super) fn of<'b>(&self, captures: &'b [Capture]) -> ReadyCaptures<'a, 'b> {
        let ready = captures.iter().filter_map(|capture| {
            let rebels = self.rebels.checked_sub(capture.fallen)?;
            let source = match capture.value {
                CaptureValue::End(winner) => Source::End(rank_of_end(winner)),
                CaptureValue::Below { section, mirrored } if self.below.has(rebels, section) => {
                    let state = self.moves.sections[section];
                    let index = Box::new(self.index.state(state.general, state.placed(rebels), false));
                    Source::Below { index, rebels, section, mirrored }
                }
                // So few Rebels have lost.
                CaptureValue::Below { .. } => Source::End(rank_of_end(Side::General)),
            };
            Some((capture, source))
        });
        let ranks = (0..CODES as u16).map(|code| self.coding.value(code).before().rank()).collect();
        ReadyCaptures { reader: *self, captures: ready.collect(), ranks, layers: self.below.reader() }
    }
}

impl ReadyCaptures<'_, '_> {
    /// Calls `each` with the index and the rank of every set of a row in which one of some captures is legal.
    #[inline(always)]
    fn read(&mut self, captures: Range<usize>, sets: &Plane, row: Row, mut each: impl FnMut(usize, i16)) {
        let reader = self.reader;
        for (capture, source) in &self.captures[captures] {
            let sets = capture.when.of(*sets, row);
            match source {
                Source::End(rank) => sets.for_each(|bit| each(bit, *rank)),
                _ if sets.is_empty() => {}
                Source::Below { index, rebels, section, mirrored } => {
                    let after = row.high & !capture.high;
                    let mirror = reader.index.places.mirror().filter(|_| *mirrored);
                    let (numbers, low_ranks) = index.numbers(mirror.map_or(after, |mirror| mirror.high(after)));
                    let low = row.low + capture.high.count_ones() - capture.fallen;
                    let images = mirror.map(|mirror| &mirror.low_images[low as usize & 1]);
                    let codes = self.layers.codes(*rebels, *section, numbers);
                    sets.for_each(|bit| {
                        let bit_after = bit - capture.low;
                        let bit_after = images.map_or(bit_after, |images| images[bit_after].into());
                        each(bit, self.ranks[usize::from(codes[usize::from(low_ranks[bit_after])])]);
                    });
                }
            }
        }
    }

    /// By piece, the queues of the values of the captures: for the General, or for the Rebels, whose turn comes a ply
    /// earlier. `found` gets the positions with a capture, by cell.
    pub(super) fn queues<C: Cell>(
        &mut self,
        index: &StateIndex<'_>,
        for_rebels: bool,
        mut found: impl FnMut(usize, C),
    ) -> Vec<Queue> {
        // By index, of the positions of a row.
        let (mut best, mut maker) = (Box::new([NONE; BITS]), QueueMaker::<C>::new());
        let of_piece = |slots: Range<usize>| {
            for slot in slots.clone().take_while(|_| !self.reader.stop.is_set()) {
                found(slot - C::first(index), queue_slot(self, index, slot, for_rebels, &mut best, &mut maker));
                maker.end_slot(slot - slots.start);
            }
            maker.end()
        };
        pieces::<C>(index).map(of_piece).collect()
    }

    /// Ends reading.
    ///
    /// # Errors
    /// When a file of a layer could not be read: what was read means nothing.
    pub(super) fn end(self) -> Result<(), TableError> {
        self.layers.end()
    }
}

privy_base::widest_instructions! {
    /// Adds the values of captures in a slot to its queue; returns the positions with a capture.
    fn queue_slot<C: Cell>(
        captures: &mut ReadyCaptures<'_, '_>,
        index: &StateIndex<'_>,
        slot: usize,
        for_rebels: bool,
        best: &mut [i16; BITS],
        maker: &mut QueueMaker<C>,
    ) -> C {
        let (mut all, earlier) = (C::EMPTY, u32::from(for_rebels));
        for bit in ones(index.rows(slot)) {
            let row = index.row(slot, bit);
            let sets = Plane::low(index.low_sets, row.low).of_row(index, row);
            let mut any = Plane::EMPTY;
            captures.read(0..captures.captures.len(), &sets, row, |bit, rank| {
                best[bit] = best[bit].max(rank);
                any.set(bit);
            });
            any.for_each(|of_low| {
                let bit = C::bit(index.places(), row.low, of_low);
                match TableValue::of_rank(std::mem::replace(&mut best[of_low], NONE)) {
                    TableValue::Win(plies) => maker.push(bit, plies - earlier, !for_rebels),
                    TableValue::Loss(plies) => maker.push(bit, plies - earlier, for_rebels),
                    _ => {}
                }
                all.set(bit);
            });
        }
        all
    }
}

privy_base::widest_instructions! {
    /// The codes of the positions of a landing, of which these are the moves.
    pub(super) fn landing(captures: &mut ReadyCaptures<'_, '_>, index: &StateIndex<'_>) -> Vec<u16> {
        let CaptureReader { moves, coding, stop, .. } = captures.reader;
        // By index, of the positions of a row.
        let mut best = Box::new([NONE; BITS]);
        let mut codes = vec![0; index.positions];
        for slot in (0..index.slots()).take_while(|_| !stop.is_set()) {
            for bit in ones(index.rows(slot)) {
                let row = index.row(slot, bit);
                let sets = Plane::low(index.low_sets, row.low).of_row(index, row);
                captures.read(1..captures.captures.len(), &sets, row, |bit, rank| best[bit] = best[bit].max(rank));
                let (numbers, ranks) = index.numbers(row.high);
                captures.read(0..1, &sets, row, |bit, stop| {
                    let jump = std::mem::replace(&mut best[bit], NONE);
                    let rank = if jump == NONE || moves.may_stop { stop.max(jump) } else { jump };
                    codes[numbers.start + usize::from(ranks[bit])] = match TableValue::of_rank(rank) {
                        TableValue::Win(plies) => coding.write(plies - 1, false),
                        TableValue::Loss(plies) => coding.write(plies - 1, true),
                        _ => 0,
                    };
                });
            }
        }
        codes
    }
}
