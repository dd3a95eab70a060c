//! The Rebels' pass of a ply.
//!
//! A position is won when some move leads to one that the General lost a ply earlier, and lost when no move leads to
//! one that it has not won. A pass pulls: for each row that such a move can have changed it reads the rows to which its
//! moves lead.
//!
//! - Moves on *low* places stay in the slot. One set of shifts serves all its rows.
//! - Moves on *high* places keep the low part. The planes of the rows to which they lead are or-ed.
//! - *Mixed* moves: for each high place the planes with one Rebel more or fewer there are or-ed over all rows of the
//!   slot, then shifted.

use std::ops::Range;

use privy_rules::rule_set::NoMove;

use crate::error::TableError;

use super::captures::CaptureReader;
use super::cells::{Cell, Cells, KINDS, for_kinds, pieces};
use super::index::StateIndex;
use super::log::{Entries, Log, Queue};
use super::moves::{HighMove, MixedMoves, Moves};
use super::plane::{BitSet, Plane};
use super::ply::{Bits, Ply};
use super::rows::SlotRows;
use super::{bits_where, ones};

/// A state with the Rebels to move.
#[derive(Default)]
pub(super) struct OfRebels {
    pub(super) bits: Bits,
    /// Arrivals of the General, where these are no positions; else empty.
    pub(super) arrivals: Bits,
    /// Where the Rebels have no other move and pass, or draw; else empty.
    stuck: Cells,
    /// By slot; empty where another process solves the state.
    pub(super) rows: Vec<SlotRows>,
    /// By kind of cells and piece, the values of arrivals among pairs.
    pub(super) due: [Vec<Queue>; KINDS],
    pub(super) logs: [Vec<Log>; KINDS],
}

impl OfRebels {
    /// The state before the first ply.
    pub(super) fn begin(
        moves: &Moves,
        state: usize,
        index: &StateIndex<'_>,
        reader: &CaptureReader<'_>,
        is_own: bool,
    ) -> Result<OfRebels, TableError> {
        let may_stay = is_own && matches!(moves.rebels_stuck, NoMove::Draw | NoMove::Pass);
        let mut captures = reader.of(&moves.states[state].arrivals);
        let (mut due, mut logs): ([_; KINDS], [_; KINDS]) = Default::default();
        for_kinds!(C => {
            due[C::KIND] = captures.queues::<C>(index, true, |_, _| {});
            logs[C::KIND] = pieces::<C>(index).map(|_| Log::default()).collect();
        });
        captures.end()?;
        Ok(OfRebels {
            bits: Bits::open(index),
            arrivals: if moves.have_arrivals { Bits::open(index) } else { Bits::default() },
            stuck: if may_stay { Cells::empty(index) } else { Cells::default() },
            rows: if is_own { SlotRows::of(index) } else { Vec::new() },
            due,
            logs,
        })
    }

    /// The General's arrivals.
    #[inline(always)]
    pub(super) fn arrivals(&self, moves: &Moves) -> &Bits {
        if moves.have_arrivals { &self.arrivals } else { &self.bits }
    }

    /// The pieces of a kind in a ply. `after` has the positions with the General to move after a pass, and after a step
    /// or drop.
    pub(super) fn pieces<'a, C: Cell>(
        &'a mut self,
        ply: Ply<'a>,
        state: usize,
        after: [&'a Bits; 2],
    ) -> impl Iterator<Item = RebelsPiece<'a, C>> {
        let index = &ply.indices[state];
        let [Bits { not_won, lost }, arrivals] = [&mut self.bits, &mut self.arrivals];
        let cells = Cells::pieces([not_won, lost, &mut arrivals.not_won, &mut arrivals.lost, &mut self.stuck]);
        let rows = SlotRows::pieces::<C>(&mut self.rows, index);
        let of_pieces = cells.zip(rows).zip(&mut self.logs[C::KIND]);
        pieces::<C>(index).zip(of_pieces).map(move |(Range { start: first, .. }, ((cells, rows), log))| {
            let [not_won, lost, arrivals_not_won, arrivals_lost, stuck] = cells;
            let arrivals = [arrivals_not_won, arrivals_lost];
            RebelsPiece { ply, state, index, after, first, not_won, lost, arrivals, stuck, rows, log }
        })
    }
}

/// The slots of a piece of a state.
pub(super) struct RebelsPiece<'a, C> {
    ply: Ply<'a>,
    state: usize,
    index: &'a StateIndex<'a>,
    /// With the General to move after a pass, and after a step or drop.
    after: [&'a Bits; 2],
    first: usize,
    not_won: &'a mut [C],
    lost: &'a mut [C],
    /// Arrivals of the General not won and lost, where these are no positions; else empty.
    arrivals: [&'a mut [C]; 2],
    /// Where the Rebels have no other move and pass, or draw; else empty.
    stuck: &'a mut [C],
    /// By slot; empty where another process solves the state.
    rows: &'a mut [SlotRows],
    log: &'a mut Log,
}

privy_base::widest_instructions! {
    /// Computes a piece; returns the number of positions decided.
    pub(super) fn rebels_pass<C: Cell>(piece: &mut RebelsPiece<'_, C>) -> u64 {
        // The planes that are or-ed over the rows of a slot by parity, two for each high place with mixed moves: where
        // they lead to it, and from it.
        let mut scratch = vec![[Plane::EMPTY; 2]; 2 * piece.ply.moves.rebels(piece.state).mixed.len()];
        (0..piece.not_won.len()).map(|number| piece.decide(number, &mut scratch)).sum()
    }
}

impl<C: Cell> RebelsPiece<'_, C> {
    #[inline(always)]
    fn decide(&mut self, number: usize, scratch: &mut [[Plane; 2]]) -> u64 {
        let (slot, is_first) = (self.first + number, self.ply.number == 0);
        let touched = self.rows.get(number).map_or(0, |rows| rows.touched);
        if touched == 0 {
            return 0;
        }
        let mut open = self.not_won[number].minus(self.lost[number]);
        let (mut won, mut lost) = (C::EMPTY, C::EMPTY);
        let stuck = self.stuck.get(number).copied().filter(|_| !is_first);
        let passes = stuck.filter(|_| self.ply.moves.rebels_may_pass());
        if self.ply.brings_wins() && !is_first {
            won = self.find::<true>(slot, touched, open, scratch);
            if let Some(passes) = passes {
                won |= passes & open & self.after[0].lost.at(self.index, slot);
            }
            open = open.minus(won);
        }
        if self.ply.brings_losses() {
            let may_lose = match (stuck, passes) {
                (Some(_), Some(passes)) => open.minus(passes & self.after[0].not_won.at(self.index, slot)),
                (Some(stuck), None) => open.minus(stuck),
                _ => open,
            };
            lost = self.find::<false>(slot, touched, may_lose, scratch);
        }
        if is_first {
            // All positions of the General are open yet, so a loss is a position without a move.
            [won, lost] = self.begin(number, lost);
        }
        self.write(number, won, lost)
    }

    /// Ply 0: the game is over where the Rebels have no move, or the General is past them: won and lost.
    #[inline(always)]
    fn begin(&mut self, number: usize, stuck: C) -> [C; 2] {
        let (index, slot) = (self.index, self.first + number);
        let mut past = C::EMPTY;
        if let Some(condition) = &self.ply.moves.states[self.state].general_won {
            for bit in ones(index.rows(slot)) {
                let row = index.row(slot, bit);
                if condition.admits(row.high) {
                    past |= condition.of(self.not_won[number].of_row(index, row), row);
                }
            }
        }
        let stuck = stuck.minus(past);
        match self.ply.moves.rebels_stuck {
            NoMove::Loss => [C::EMPTY, stuck | past],
            NoMove::Win => [stuck, past],
            NoMove::Draw | NoMove::Pass => {
                self.stuck[number] = stuck;
                [C::EMPTY, past]
            }
        }
    }

    /// The positions of a slot, of those in `open`, that the ply decides.
    #[inline(always)]
    fn find<const WINS: bool>(&self, slot: usize, touched: u8, open: C, scratch: &mut [[Plane; 2]]) -> C {
        let (ply, index, places, moves) = (self.ply, self.index, self.ply.places, self.ply.moves.rebels(self.state));
        let state = &ply.moves.states[self.state];
        let (target, changed) = (&ply.indices[state.target], ply.general(state.target, ply.last()));
        let cells = self.after[1].asked::<WINS>();
        let column = index.column(slot);
        // A step keeps the class, a drop leads to the next.
        let added = target.placed.wrapping_sub(index.placed);
        // Candidates: for a win those not found yet, for a loss those without a move that is not lost.
        let (mut candidates, mut found) = (open, C::EMPTY);
        // A move on low places leads to the row itself.
        let mut may_lead = !WINS;
        for bit in ones(touched) {
            may_lead = may_lead || changed.has(index.row(slot, bit).high);
        }
        let before = match added {
            _ if !may_lead => C::EMPTY,
            0 => cells.at::<C>(target, slot).before_low(&moves.low, &moves.light, column),
            _ => open.by_planes(places, column, |parity, sets| {
                let mut after = Plane::EMPTY;
                for row in ones(index.rows(slot)).map(|bit| index.row(slot, bit)) {
                    if row.low as usize & 1 == parity {
                        cells.add_row(target, row.high, &mut after);
                    }
                }
                moves.low[parity].before(&after) & sets
            }),
        };
        if WINS {
            found = before & open
        } else {
            candidates = candidates.minus(before)
        }
        if candidates.is_empty() {
            return C::EMPTY;
        }
        if WINS && ply.number == 1 {
            found |= self.custody(slot, touched, open);
        }
        let mut used = [0u128; 2];
        for bit in ones(touched) {
            let row = index.row(slot, bit);
            let of_row = candidates.of_row(index, row);
            if of_row.is_empty() {
                continue;
            }
            let (mut after, mut images) = (C::EMPTY, C::EMPTY);
            let count = row.count + added;
            // Which moves lead to changed rows no processor foresees, so that is found out first, without branches.
            for steps in state.high.chunks(64) {
                let leads = |step: &HighMove| step.is_legal(row.high) & (!WINS || changed.has(row.high ^ step.flip));
                for number in ones(bits_where(steps, leads)) {
                    let (slot, is_image) = target.place(row.high ^ steps[number as usize].flip, count);
                    if is_image { cells.add(target, slot, &mut images) } else { cells.add(target, slot, &mut after) }
                }
            }
            if !images.is_empty() {
                after |= images.image(places, row.low);
            }
            if WINS {
                found |= after & of_row;
            } else {
                candidates = candidates.minus(after & of_row);
                if (candidates & of_row).is_empty() {
                    continue;
                }
            }
            let parity = row.low as usize & 1;
            let leads = |steps: &MixedMoves| !WINS || changed.has(row.high ^ steps.place);
            for number in ones(bits_where(&moves.mixed, leads)) {
                let place = moves.mixed[number as usize].place;
                let number = 2 * number as usize + usize::from(row.high & place != 0);
                let all = &mut scratch[number][parity];
                if used[parity] >> number & 1 == 0 {
                    *all = Plane::EMPTY;
                }
                used[parity] |= 1 << number;
                cells.add_row(target, row.high ^ place, all);
            }
        }
        if used != [0; 2] && !candidates.is_empty() {
            let made = candidates.by_planes(places, column, |parity, sets| {
                let mut before = Plane::EMPTY;
                for number in (0..scratch.len()).filter(|number| used[parity] >> number & 1 != 0) {
                    before |= moves.mixed[number / 2].steps[number % 2][parity].before(&scratch[number][parity]);
                }
                if WINS { before & sets } else { sets.minus(before) }
            });
            if WINS { found |= made } else { candidates = made }
        }
        // Only the positions of the rows that were looked at are known not to have such a move.
        if WINS { found } else { candidates & C::rows(index, slot, touched) }
    }

    /// The positions of rows in which a Rebel captures the General.
    fn custody(&self, slot: usize, touched: u8, open: C) -> C {
        let (index, custody, mut found) = (self.index, &self.ply.moves.states[self.state].custody, C::EMPTY);
        if !custody.is_empty() {
            for bit in ones(touched) {
                let row = index.row(slot, bit);
                let open = open.of_row(index, row);
                for condition in custody.iter().filter(|condition| condition.admits(row.high)) {
                    found |= condition.of(open, row);
                }
            }
        }
        found
    }

    /// Writes what was found in a slot.
    #[inline(always)]
    fn write(&mut self, number: usize, won: C, lost: C) -> u64 {
        let all = won | lost;
        if all.is_empty() {
            return 0;
        }
        self.log.push(number, self.ply.number, true, &won);
        self.log.push(number, self.ply.number, false, &lost);
        if !self.ply.is_mixed {
            self.write_decided(number, [won, lost]);
        }
        all.positions(self.index, self.first + number)
    }

    /// Writes what the pass of the ply has found, from the log.
    pub(super) fn write_logged(&mut self) {
        let log = std::mem::take(self.log);
        self.write_entries(Entries::of(log.of_ply()));
        *self.log = log;
    }

    /// Writes entries that the ply has decided.
    pub(super) fn write_entries(&mut self, entries: Entries<'_>) {
        for entry in entries {
            let (cell, none) = (entry.cell::<C>(), C::EMPTY);
            self.write_decided(entry.slot, if entry.wins { [cell, none] } else { [none, cell] });
        }
    }

    /// Writes positions of a slot that the ply has decided: won and lost.
    #[inline(always)]
    fn write_decided(&mut self, number: usize, [won, lost]: [C; 2]) {
        let (index, slot, moves) = (self.index, self.first + number, self.ply.moves);
        self.not_won[number] = self.not_won[number].minus(won);
        self.lost[number] |= lost;
        let (all, open) = (won | lost, self.not_won[number].minus(self.lost[number]));
        // An arrival among pairs is no position of this layer.
        let mut arrivals = all;
        for bit in ones(index.rows(slot)) {
            let row = index.row(slot, bit);
            let mut of_row = all.of_row(index, row);
            if of_row.is_empty() {
                continue;
            }
            if let Some(rows) = self.rows.get_mut(number) {
                rows.open ^= u8::from(open.of_row(index, row).is_empty()) << bit;
            }
            if moves.have_arrivals {
                let mut among = C::EMPTY;
                for pair in moves.states[self.state].pairs.iter().filter(|pair| pair.admits(row.high)) {
                    among |= pair.of(of_row, row);
                }
                arrivals = arrivals.minus(among);
                if !moves.reads_positions {
                    of_row = of_row.minus(among);
                }
            }
            if !of_row.is_empty() {
                self.ply.rebels(self.state, self.ply.number).add_kept(index, row.high);
            }
        }
        if moves.have_arrivals {
            self.arrivals[0][number] = self.arrivals[0][number].minus(won & arrivals);
            self.arrivals[1][number] |= lost & arrivals;
        }
    }
}
