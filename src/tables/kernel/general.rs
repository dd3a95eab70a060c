//! The General's pass of a ply.
//!
//! The General's quiet moves keep the set of Rebels, so a move reads the plane of the target state at the same high
//! part, or at its mirror image. Captures are known from the beginning: they are due in some ply, as a win or as the
//! last of the captures to be lost.

use std::ops::Range;

use privy_rules::Side;
use privy_rules::rule_set::NoMove;

use crate::error::TableError;

use super::captures::{CaptureReader, ReadyCaptures};
use super::cells::{Cell, Cells, KINDS, for_kinds, pieces};
use super::free_jumps::Arrivals as FreeJumps;
use super::index::{Row, StateIndex};
use super::log::{Entries, Queue};
use super::moves::Moves;
use super::ones;
use super::ply::{Bits, Ply};
use super::rebels::OfRebels;
use super::rows::SlotRows;

/// A state with the General to move.
#[derive(Default)]
pub(super) struct OfGeneral {
    pub(super) bits: Bits,
    /// Where a capture is not lost yet, or the General draws; else empty.
    held: Cells,
    /// Where it must capture; else empty.
    must: Cells,
    /// Where it passes since it has no other move; else empty.
    stuck: Cells,
    /// By slot; empty where another process solves the state.
    pub(super) rows: Vec<SlotRows>,
    /// By kind of cells and piece.
    pub(super) captures: [Vec<Queue>; KINDS],
}

impl OfGeneral {
    /// The state before the first ply.
    pub(super) fn begin(
        moves: &Moves,
        state: usize,
        index: &StateIndex<'_>,
        reader: &CaptureReader<'_>,
    ) -> Result<OfGeneral, TableError> {
        let cells = |are_needed: bool| if are_needed { Cells::empty(index) } else { Cells::default() };
        let mut captures = reader.of(&moves.states[state].captures);
        let may_hold = moves.states.iter().any(|state| !state.captures.is_empty());
        let mut made = OfGeneral {
            bits: Bits::open(index),
            held: cells(may_hold || moves.general_stuck == NoMove::Draw),
            must: cells(moves.is_compulsory),
            stuck: cells(moves.general_stuck == NoMove::Pass),
            rows: SlotRows::of(index),
            captures: Default::default(),
        };
        for_kinds!(C => made.add_captures::<C>(&mut captures, index));
        captures.end().map(|()| made)
    }

    fn add_captures<C: Cell>(&mut self, captures: &mut ReadyCaptures<'_, '_>, index: &StateIndex<'_>) {
        self.captures[C::KIND] = captures.queues(index, false, |number, all: C| {
            for cells in [&mut self.held, &mut self.must] {
                C::vec(cells).get_mut(number).into_iter().for_each(|cell| *cell |= all);
            }
        });
    }

    /// The pieces of a kind in a ply.
    pub(super) fn pieces<'a, C: Cell>(
        &'a mut self,
        ply: Ply<'a>,
        state: usize,
        (rebels, free_jumps): (&'a [OfRebels], &'a [FreeJumps<'a>]),
    ) -> impl Iterator<Item = GeneralPiece<'a, C>> {
        let index = &ply.indices[state];
        let Bits { not_won, lost } = &mut self.bits;
        let cells = Cells::pieces([not_won, lost, &mut self.held, &mut self.must, &mut self.stuck]);
        let rows = SlotRows::pieces::<C>(&mut self.rows, index);
        let of_pieces = cells.zip(rows).zip(&mut self.captures[C::KIND]);
        pieces::<C>(index).zip(of_pieces).map(move |(Range { start: first, .. }, ((cells, rows), queue))| {
            let [not_won, lost, held, must, stuck] = cells;
            GeneralPiece { ply, state, index, rebels, free_jumps, first, not_won, lost, held, must, stuck, rows, queue }
        })
    }
}

/// The slots of a piece of a state.
pub(super) struct GeneralPiece<'a, C> {
    ply: Ply<'a>,
    pub(super) state: usize,
    index: &'a StateIndex<'a>,
    /// By state.
    rebels: &'a [OfRebels],
    free_jumps: &'a [FreeJumps<'a>],
    first: usize,
    not_won: &'a mut [C],
    lost: &'a mut [C],
    held: &'a mut [C],
    must: &'a [C],
    stuck: &'a mut [C],
    rows: &'a mut [SlotRows],
    /// The captures.
    queue: &'a mut Queue,
}

privy_base::widest_instructions! {
    /// Computes a piece; returns the numbers of positions won and lost.
    pub(super) fn general_pass<C: Cell>(piece: &mut GeneralPiece<'_, C>) -> [u64; 2] {
        let ply = piece.ply.number;
        let due = piece.queue.remove(&ply).unwrap_or_default();
        let mut due = Entries::of(&due).peekable();
        while let Some(entry) = due.next_if(|entry| !entry.wins) {
            piece.held[entry.slot] = piece.held[entry.slot].minus(entry.cell());
            piece.rows[entry.slot].touch_all();
        }
        let mut counts = [0; 2];
        for number in 0..piece.not_won.len() {
            let due = due.next_if(|entry| entry.slot == number);
            if piece.rows[number].touched == 0 && due.is_none() {
                continue;
            }
            let found = match ply {
                0 => piece.begin(number),
                _ => piece.find_all(number, due.map_or(C::EMPTY, |entry| entry.cell())),
            };
            if !(found[0] | found[1]).is_empty() {
                piece.write(number, found);
                let slot = piece.first + number;
                counts = [0, 1].map(|lost| counts[lost] + found[lost].positions(piece.index, slot));
            }
        }
        counts
    }
}

impl<'a, C: Cell> GeneralPiece<'a, C> {
    /// The place of the piece in its state, to 16 bits.
    pub(super) fn place(&self) -> u64 {
        ((self.first as u64) << 16) / (C::slots(self.index).len() as u64).max(1)
    }

    /// Ply 0: the game is over where the Rebels have won, the General is past them or has no move.
    fn begin(&mut self, number: usize) -> [C; 2] {
        let (state, index, slot) = (&self.ply.moves.states[self.state], self.index, self.first + number);
        let [mut won, mut lost, mut stuck] = [C::EMPTY; 3];
        for bit in ones(index.rows(slot)) {
            let row = index.row(slot, bit);
            let mut open = self.not_won[number].of_row(index, row);
            for when in &state.rebels_won {
                lost |= when.of(open, row);
            }
            open = open.minus(lost);
            if let Some(condition) = state.general_won.as_ref().filter(|condition| condition.admits(row.high)) {
                won |= condition.of(open, row);
            }
            open = open.minus(won);
            for condition in state.can_move.iter().filter(|condition| condition.admits(row.high)) {
                open = open.minus(condition.of(open, row));
                if open.is_empty() {
                    break;
                }
            }
            stuck |= open;
        }
        match self.ply.moves.general_stuck {
            NoMove::Loss => lost |= stuck,
            NoMove::Win => won |= stuck,
            NoMove::Draw => self.held[number] |= stuck,
            NoMove::Pass => self.stuck[number] = stuck,
        }
        [won, lost]
    }

    /// The positions of a slot that the ply decides: won and lost.
    #[inline(always)]
    fn find_all(&self, number: usize, due: C) -> [C; 2] {
        let (slot, touched) = (self.first + number, self.rows[number].touched);
        let (mut won, mut lost) = (C::EMPTY, C::EMPTY);
        let mut open = self.not_won[number].minus(self.lost[number]);
        let must = self.must.get(number).copied();
        let passes = self.stuck.get(number).copied();
        let (index, own) = (self.index, &self.rebels[self.state].bits);
        if self.ply.brings_wins() {
            won = due & open;
            let quiet = open.minus(won);
            let quiet = if let Some(must) = must { quiet.minus(must) } else { quiet };
            won |= self.find::<true>(slot, touched, quiet);
            if let Some(passes) = passes {
                won |= passes & quiet & own.lost.at(index, slot);
            }
            open = open.minus(won);
        }
        if self.ply.brings_losses() {
            if let Some(held) = self.held.get(number) {
                open = open.minus(*held);
            }
            if let Some(passes) = passes {
                open = open.minus(passes & own.not_won.at(index, slot));
            }
            // Where it must capture quiet moves do not count.
            let must = if let Some(must) = must { open & must } else { C::EMPTY };
            lost = self.find::<false>(slot, touched, open.minus(must));
            lost |= must & C::rows(index, slot, touched);
        }
        [won, lost]
    }

    /// The positions of a slot, of those in `open`, that quiet moves decide.
    #[inline(always)]
    fn find<const WINS: bool>(&self, slot: usize, touched: u8, open: C) -> C {
        let (ply, index, indices, rebels) = (self.ply, self.index, self.ply.indices, self.rebels);
        let state = &ply.moves.states[self.state];
        let mut found = C::EMPTY;
        'rows: for bit in ones(touched) {
            let row = index.row(slot, bit);
            let left = open.of_row(index, row);
            if left.is_empty() {
                continue;
            }
            // Positions from which a move leads to a win, or to what is not lost; by those to mirror images the images
            // of such positions, so that one permutation serves all.
            let (mut reached, mut mirrored) = (C::EMPTY, C::EMPTY);
            if WINS && ply.number == 1 {
                for (when, _) in state.ends.iter().filter(|(_, winner)| *winner == Side::General) {
                    reached |= when.of(left, row);
                }
            }
            if let Some((jumps, own)) = state.free_jumps {
                let jumps = &self.free_jumps[jumps];
                // With the General on the same point the rows are the same.
                let own = own.map(|own| rebels[own].arrivals(ply.moves).asked::<WINS>().at(&indices[own], slot));
                reached |= jumps.besides::<WINS, C>(row, own.unwrap_or(C::EMPTY));
                if !WINS && left.minus(reached).is_empty() {
                    continue;
                }
            }
            let image = Row { high: ply.image(row.high), ..row };
            // First moves to rows that the last ply has changed, which alone can win, and are the likeliest to save.
            for is_fresh in if WINS { &[true][..] } else { &[true, false] } {
                for to in &state.general_moves {
                    let (target, high) = (&indices[to.target], if to.mirrored { image.high } else { row.high });
                    if !target.has(high, row.count) || ply.rebels(to.target, ply.last()).has(high) != *is_fresh {
                        continue;
                    }
                    let (slot, is_image) = target.place(high, row.count);
                    let is_image = to.mirrored | is_image;
                    let bits = if to.arrives { rebels[to.target].arrivals(ply.moves) } else { &rebels[to.target].bits };
                    let cell: C = bits.asked::<WINS>().at(target, slot);
                    let cell = to.when[usize::from(is_image)].of(cell, if is_image { image } else { row });
                    if is_image {
                        mirrored |= cell;
                        continue;
                    }
                    reached |= cell;
                    if !WINS && left.minus(reached).is_empty() {
                        continue 'rows;
                    }
                }
            }
            if !mirrored.is_empty() {
                reached |= mirrored.image(ply.places, row.low);
            }
            found |= if WINS { left & reached } else { left.minus(reached) };
        }
        found
    }

    /// Writes what was found in a slot.
    #[inline(always)]
    fn write(&mut self, number: usize, [won, lost]: [C; 2]) {
        let (index, slot, all) = (self.index, self.first + number, won | lost);
        self.not_won[number] = self.not_won[number].minus(won);
        self.lost[number] |= lost;
        let open = self.not_won[number].minus(self.lost[number]);
        for bit in ones(self.rows[number].open) {
            let row = index.row(slot, bit);
            if !all.of_row(index, row).is_empty() {
                self.ply.general(self.state, self.ply.number).add_kept(index, row.high);
                self.rows[number].open ^= u8::from(open.of_row(index, row).is_empty()) << bit;
            }
        }
    }
}
