//! The stage of the General: what his moves lead to.

use rayon::prelude::*;

use super::bits::{Bits, Found, and, held, is_empty, minus, or};
use super::general_states::{GeneralMove, Reading, Target};
use super::index::{Block, EMPTY, FULL, Index};
use super::jump_chains::Chains;
use super::retrograde::{Arrivals, RebelsToMove, Solver};

impl Solver<'_> {
    /// The General is to move: who wins in exactly this many plies?
    pub(super) fn general_pass(&mut self) {
        let (space, rules, ply) = (&self.space, self.variant.rules(), self.ply);
        let sources = Sources { rebels: &self.rebels, arrivals: &self.arrivals, chains: &self.chains };
        let stage = (&mut self.general, &self.places.places, &self.places.moves);
        stage.into_par_iter().for_each(|(general, place, moves)| {
            for block in 0..space.blocks() {
                let mut won = EMPTY;
                let mut lost = EMPTY;
                let open = general.open[block];
                if !is_empty(&open) {
                    let conditions = Conditions::new(space, rules.compulsory, moves, block);
                    let mut saved = EMPTY;
                    if ply == 0 {
                        for move_ in moves {
                            conditions.add(move_, |_| Some(&FULL), &mut saved);
                        }
                        lost = open;
                        minus(&mut lost, &saved);
                        if rules.closable.contains(place.general) {
                            let mut closed = open;
                            for point in rules.exits | rules.hop_outs {
                                and(&mut closed, &space.occupied(point, block));
                            }
                            or(&mut lost, &closed);
                        }
                    } else {
                        let mut touched = ply == 1;
                        for move_ in moves {
                            conditions.add(move_, |source| sources.lost(move_, source, ply), &mut won);
                            touched = touched
                                || conditions.source(move_).is_some_and(|source| sources.is_won_anew(move_, source));
                        }
                        and(&mut won, &open);
                        if touched {
                            for move_ in moves {
                                conditions.add(move_, |source| sources.not_won(move_, source), &mut saved);
                            }
                            lost = open;
                            minus(&mut lost, &won);
                            minus(&mut lost, &saved);
                        }
                    }
                    let mut left = open;
                    minus(&mut left, &won);
                    minus(&mut left, &lost);
                    general.open[block] = left;
                    minus(&mut general.not_won[block], &won);
                }
                general.won.put(block, &won);
                general.lost.put(block, &lost);
            }
        });
    }
}

/// What the General's moves lead to.
struct Sources<'a> {
    rebels: &'a [RebelsToMove],
    arrivals: &'a [Arrivals],
    chains: &'a Chains,
}

impl<'a> Sources<'a> {
    fn found(&self, move_: &GeneralMove) -> Option<(&'a Found, &'a Found, &'a Bits)> {
        match (move_.target, move_.reading) {
            (Target::GeneralState(to), Reading::Arrival) => {
                let at = &self.arrivals[to];
                Some((&at.won, &at.lost, &at.not_won))
            }
            (Target::GeneralState(to), Reading::Plain) => {
                let at = &self.rebels[to];
                Some((&at.won, &at.lost, &at.not_won))
            }
            _ => None,
        }
    }

    /// The sets that the last ply found lost for the Rebels.
    #[inline(always)]
    fn lost(&self, move_: &GeneralMove, block: usize, ply: u32) -> Option<&'a Block> {
        if let Reading::Landing(landing) = move_.reading {
            return Some(&self.chains.blocks[block][landing])
                .filter(|chain| chain.changed || ply == 1)
                .map(|chain| &chain.lost);
        }
        match self.found(move_) {
            Some((_, lost, _)) => lost.any[block].then(|| &lost.bits[block]),
            None => (move_.target == Target::GeneralWins && ply == 1).then_some(&FULL),
        }
    }

    /// Did the last ply find sets won for the Rebels?
    #[inline(always)]
    fn is_won_anew(&self, move_: &GeneralMove, block: usize) -> bool {
        match move_.reading {
            Reading::Landing(landing) => self.chains.blocks[block][landing].changed,
            _ => self.found(move_).is_some_and(|(won, _, _)| won.any[block]),
        }
    }

    /// The sets that are not won for the Rebels yet.
    #[inline(always)]
    fn not_won(&self, move_: &GeneralMove, block: usize) -> Option<&'a Block> {
        if let Reading::Landing(landing) = move_.reading {
            return Some(&self.chains.blocks[block][landing].not_won);
        }
        match self.found(move_) {
            Some((_, _, not_won)) => Some(&not_won[block]),
            None => (move_.target == Target::GeneralWins).then_some(&FULL),
        }
    }
}

/// In which sets of a block the General's moves are legal.
struct Conditions<'a> {
    space: &'a Index,
    block: usize,
    /// Where he must capture.
    must_capture: Option<Block>,
}

impl<'a> Conditions<'a> {
    #[inline(always)]
    fn new(space: &'a Index, compulsory: bool, moves: &[GeneralMove], block: usize) -> Conditions<'a> {
        let mut conditions = Conditions { space, block, must_capture: None };
        if compulsory {
            let mut captures = EMPTY;
            for move_ in moves.iter().filter(|move_| move_.captures) {
                conditions.add(move_, |_| Some(&FULL), &mut captures);
            }
            conditions.must_capture = Some(captures);
        }
        conditions
    }

    #[inline(always)]
    fn source(&self, move_: &GeneralMove) -> Option<usize> {
        move_.shift.source(self.block)
    }

    /// Adds what the source of a move says, where the move is legal.
    #[inline(always)]
    fn add<'b>(&self, move_: &GeneralMove, source: impl FnOnce(usize) -> Option<&'b Block>, into: &mut Block) {
        let Some(from) = self.source(move_).and_then(source) else { return };
        let forbidden = self.must_capture.as_ref().filter(|_| !move_.captures);
        if move_.not_held.is_empty() && forbidden.is_none() {
            return move_.shift.add(self.block, from, into);
        }
        let mut found = EMPTY;
        move_.shift.add(self.block, from, &mut found);
        for pair in &move_.not_held {
            minus(&mut found, &held(self.space, *pair, self.block));
        }
        if let Some(forbidden) = forbidden {
            minus(&mut found, forbidden);
        }
        or(into, &found);
    }
}
