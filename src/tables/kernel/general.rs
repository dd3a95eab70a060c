//! The General's pass of a ply.
//!
//! The General's quiet moves keep the set of Rebels, so a move reads the plane of the target state at the same high
//! part, or at its mirror image. Captures are known from the beginning: they are due in some ply, as a win or as the
//! last of the captures to be lost.

use privy_rules::Side;
use privy_rules::rule_set::NoMove;

use super::cells::Cell;
use super::free_jumps::Arrivals as FreeJumps;
use super::index::Row;
use super::log::Queue;
use super::moves::{GeneralMove, State};
use super::ones;
use super::ply::{Bits, Losses, Ply, Question, Wins};

/// What the pass of a state reads.
#[derive(Clone, Copy)]
pub(super) struct GeneralPass<'a> {
    pub(super) ply: Ply<'a>,
    pub(super) state: usize,
    /// By state, with the Rebels to move, and after the General's arrival.
    pub(super) rebels: &'a [Bits],
    pub(super) arrivals: &'a [Bits],
    pub(super) free_jumps: &'a [FreeJumps<'a>],
}

/// The slots of a piece of a state.
pub(super) struct GeneralPiece<'a, C> {
    pub(super) first: usize,
    pub(super) not_won: &'a mut [C],
    pub(super) lost: &'a mut [C],
    /// Where a capture is not lost yet, or the General draws; else empty.
    pub(super) held: &'a mut [C],
    /// Where it must capture; else empty.
    pub(super) must: &'a [C],
    /// Where it passes since it has no other move; else empty.
    pub(super) stuck: &'a mut [C],
    /// By slot, the bits of the rows to look at.
    pub(super) touched: &'a mut [u32],
    pub(super) captures: &'a mut Queue,
    /// What is found waits here while the Rebels' pass reads; `None`: it is written at once.
    pub(super) found: Option<Vec<(usize, [C; 2])>>,
    /// Won and lost.
    pub(super) counts: [u64; 2],
}

/// Moves, and the slots to which they lead.
type Targets<'a> = Vec<(&'a GeneralMove, usize)>;

privy_base::widest_instructions! {
    /// Computes a piece.
    pub(super) fn general_pass<C: Cell>(pass: GeneralPass<'_>, piece: &mut GeneralPiece<'_, C>) {
        let ply = pass.ply.number;
        let mut due = vec![C::EMPTY; if piece.captures.last >= ply { piece.not_won.len() } else { 0 }];
        for entry in piece.captures.take(ply) {
            let cell = entry.cell();
            if entry.wins {
                due[entry.slot] |= cell;
            } else {
                piece.held[entry.slot] = piece.held[entry.slot].minus(cell);
                piece.touched[entry.slot] = pass.ply.indices[pass.state].rows(piece.first + entry.slot);
            }
        }
        let mut targets = Vec::new();
        for number in 0..piece.not_won.len() {
            let due = due.get(number).copied();
            let [won, lost] = match ply {
                0 => pass.begin(piece, number),
                _ => pass.find_all(piece, number, due.unwrap_or(C::EMPTY), &mut targets),
            };
            if (won | lost).is_empty() {
                continue;
            }
            match &mut piece.found {
                Some(found) => found.push((number, [won, lost])),
                None => pass.write(piece, number, [won, lost]),
            }
        }
    }
}

privy_base::widest_instructions! {
    /// Writes what waits.
    pub(super) fn write_found<C: Cell>(pass: GeneralPass<'_>, piece: &mut GeneralPiece<'_, C>) {
        for (number, found) in piece.found.take().into_iter().flatten() {
            pass.write(piece, number, found);
        }
    }
}

impl<'a> GeneralPass<'a> {
    #[inline(always)]
    fn compiled(&self) -> &'a State {
        &self.ply.moves.states[self.state]
    }

    /// Ply 0: the game is over where the Rebels have won, the General is past them or has no move.
    fn begin<C: Cell>(&self, piece: &mut GeneralPiece<'_, C>, number: usize) -> [C; 2] {
        let (state, index, slot) = (self.compiled(), &self.ply.indices[self.state], piece.first + number);
        let [mut won, mut lost, mut stuck] = [C::EMPTY; 3];
        for bit in ones(index.rows(slot)) {
            let row = index.row(slot, bit);
            let mut open = piece.not_won[number].of_row(index, row);
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
            }
            stuck |= open;
        }
        match self.ply.moves.general_stuck {
            NoMove::Loss => lost |= stuck,
            NoMove::Win => won |= stuck,
            NoMove::Draw => piece.held[number] |= stuck,
            NoMove::Pass => piece.stuck[number] = stuck,
        }
        [won, lost]
    }

    /// The positions of a slot that the ply decides: won and lost.
    #[inline(always)]
    fn find_all<C: Cell>(
        &self,
        piece: &GeneralPiece<'_, C>,
        number: usize,
        due: C,
        targets: &mut Targets<'a>,
    ) -> [C; 2] {
        let slot = piece.first + number;
        let (mut won, mut lost) = (C::EMPTY, C::EMPTY);
        let touched = piece.touched[number];
        if touched == 0 && due.is_empty() {
            return [won, lost];
        }
        let mut open = piece.not_won[number].minus(piece.lost[number]);
        if open.is_empty() {
            return [won, lost];
        }
        let must = piece.must.get(number).copied();
        let passes = piece.stuck.get(number).copied();
        let (index, own) = (&self.ply.indices[self.state], &self.rebels[self.state]);
        if self.ply.brings_wins() {
            won = due & open;
            let quiet = open.minus(won);
            let quiet = if let Some(must) = must { quiet.minus(must) } else { quiet };
            won |= self.find::<Wins, C>(slot, touched, quiet, targets);
            if let Some(passes) = passes {
                won |= passes & quiet & own.lost.at(index, slot);
            }
            open = open.minus(won);
        }
        if self.ply.brings_losses() {
            if let Some(held) = piece.held.get(number) {
                open = open.minus(*held);
            }
            if let Some(passes) = passes {
                open = open.minus(passes & own.not_won.at(index, slot));
            }
            // Where it must capture quiet moves do not count.
            let must = if let Some(must) = must { open & must } else { C::EMPTY };
            lost = self.find::<Losses, C>(slot, touched, open.minus(must), targets);
            lost |= must & C::rows(index, slot, touched);
        }
        [won, lost]
    }

    /// The positions of a slot, of those in `open`, that quiet moves decide.
    #[inline(always)]
    fn find<Q: Question, C: Cell>(&self, slot: usize, touched: u32, open: C, targets: &mut Targets<'a>) -> C {
        let (state, index, indices) = (self.compiled(), &self.ply.indices[self.state], self.ply.indices);
        let mut found = C::EMPTY;
        'rows: for bit in ones(touched) {
            let row = index.row(slot, bit);
            // Positions that no move has been found to save, for a win those without a move found to win.
            let mut left = open.of_row(index, row);
            if left.is_empty() {
                continue;
            }
            let mut won = C::EMPTY;
            if Q::WINS && self.ply.number == 1 {
                for (when, _) in state.ends.iter().filter(|(_, winner)| *winner == Side::General) {
                    won |= when.of(left, row);
                }
            }
            if let Some((jumps, own)) = state.free_jumps {
                let jumps = &self.free_jumps[jumps];
                let own = own.filter(|own| indices[*own].has(row.high, row.count));
                let own = own.map(|own| {
                    let bits = self.arrivals_in(own);
                    let cells = if Q::WINS { &bits.lost } else { &bits.not_won };
                    cells.at(&indices[own], indices[own].slot(row.high, row.count))
                });
                let own = own.unwrap_or(C::EMPTY);
                if Q::WINS {
                    won |= jumps.lost(row.high, own).unwrap_or(C::EMPTY);
                } else {
                    left = left.minus(jumps.not_won(row.high, own));
                    if left.is_empty() {
                        continue;
                    }
                }
            }
            self.find_targets::<Q>(row, targets);
            // Mirror images are or-ed where they need no condition, so that one permutation serves all.
            let (mut mirrored, mut any_mirrored) = (C::EMPTY, false);
            for (to, slot) in targets.iter() {
                let bits = if to.arrives { self.arrivals_in(to.target) } else { &self.rebels[to.target] };
                let cells = if Q::WINS { &bits.lost } else { &bits.not_won };
                let mut cell: C = cells.at(&indices[to.target], *slot);
                if to.mirrored && to.is_always {
                    mirrored |= cell;
                    any_mirrored = true;
                    continue;
                }
                if to.mirrored {
                    cell = cell.image(self.ply.places, row.low);
                }
                if !to.is_always {
                    cell = to.when.of(cell, row);
                }
                if Q::WINS {
                    won |= cell;
                } else {
                    left = left.minus(cell);
                    if left.is_empty() {
                        continue 'rows;
                    }
                }
            }
            if any_mirrored {
                let cell = mirrored.image(self.ply.places, row.low);
                if Q::WINS { won |= cell } else { left = left.minus(cell) }
            }
            found |= if Q::WINS { left & won } else { left };
        }
        found
    }

    /// The General's arrivals in a state.
    #[inline(always)]
    fn arrivals_in(&self, state: usize) -> &'a Bits {
        self.arrivals.get(state).unwrap_or(&self.rebels[state])
    }

    /// Lists the moves with the slots to which they lead: first those to rows that the last ply has changed, which
    /// alone can win, and are the likeliest to save.
    #[inline(always)]
    fn find_targets<Q: Question>(&self, row: Row, targets: &mut Targets<'a>) {
        let (last, image) = (self.ply.last(), self.ply.image(row.high));
        targets.clear();
        let mut fresh = 0;
        for to in &self.compiled().general_moves {
            let (target, high) = (&self.ply.indices[to.target], if to.mirrored { image } else { row.high });
            if !target.has(high, row.count) {
                continue;
            }
            let is_fresh = self.ply.changes[to.target].rebels(last).has(high);
            if is_fresh || !Q::WINS {
                targets.push((to, target.slot(high, row.count)));
            }
            if is_fresh {
                let end = targets.len() - 1;
                targets.swap(fresh, end);
                fresh += 1;
            }
        }
    }

    /// Writes what was found in a slot.
    #[inline(always)]
    fn write<C: Cell>(&self, piece: &mut GeneralPiece<'_, C>, number: usize, [won, lost]: [C; 2]) {
        let (index, slot, all) = (&self.ply.indices[self.state], piece.first + number, won | lost);
        piece.not_won[number] = piece.not_won[number].minus(won);
        piece.lost[number] |= lost;
        piece.counts[0] += u64::from(won.count());
        piece.counts[1] += u64::from(lost.count());
        for bit in ones(index.rows(slot)) {
            let row = index.row(slot, bit);
            if !all.of_row(index, row).is_empty() {
                self.ply.changes[self.state].general(self.ply.number).add(row.high);
            }
        }
    }
}
