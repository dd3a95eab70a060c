//! Positions with the General to move, for one state: the General's pass of a ply, and what it means to arrive in a state.
//!
//! A set is won when a move leads to one that the Rebels lost a ply earlier. It is lost when some move leads to one that was won
//! a ply earlier, and none to one that is not won by then.

use crate::cpu::best_instructions;

use super::block::{Bits, Block, Decided, EMPTY, FULL, Rows, and, minus, or};
use super::compiled_states::{Arrival, CompiledState, End, GeneralMove, Target};
use super::jump_chains::JumpChains;
use super::rebels_to_move::{Known, Ply};
use crate::tablebase::index::Index;

/// The General's arrivals in one state, before what stands around it falls.
#[derive(Debug)]
pub(super) struct Arrivals {
    /// The Rebels have not won there yet.
    pub(super) not_won: Bits,
    pub(super) won: Decided,
    pub(super) lost: Decided,
}

/// Positions with the General to move, for one state.
#[derive(Debug)]
pub(super) struct GeneralToMove {
    pub(super) open: Bits,
    /// The General has not won yet.
    pub(super) not_won: Bits,
    pub(super) won: Decided,
    pub(super) lost: Decided,
    /// The game is over.
    pub(super) over: Decided,
}

best_instructions! {
    pub(super) fn dispatch_arrivals_pass(arrivals: &mut Arrivals, known: &Known, compiled: &Arrival, index: &Index) {
        arrivals.pass(known, compiled, index);
    }
}

best_instructions! {
    pub(super) fn dispatch_general_pass(
        general: &mut GeneralToMove,
        sources: &Sources<'_>,
        compiled: &CompiledState,
        ply: Ply<'_>,
    ) {
        general.pass(sources, compiled, ply);
    }
}

impl Arrivals {
    /// What the last ply of the Rebels, to move where the General arrives, means.
    #[inline(always)]
    fn pass(&mut self, known: &Known, compiled: &Arrival, index: &Index) {
        compiled.spread(&known.won, &mut self.won, index);
        compiled.spread(&known.lost, &mut self.lost, index);
        for (block, won) in self.won.blocks() {
            minus(&mut self.not_won[block], won, self.won.rows(block));
        }
    }
}

impl Arrival {
    /// From sets that are left after the arrival to those before it.
    #[inline(always)]
    fn spread(&self, from: &Decided, into: &mut Decided, index: &Index) {
        if from.is_empty() {
            return;
        }
        for block in 0..index.blocks() {
            let mut found = EMPTY;
            for shift in &self.shifts {
                let Some(source) = shift.source(block) else { continue };
                let rows = from.rows(source);
                if shift.rows(rows).is_empty() {
                    continue;
                }
                let mut unheld = *from.block(source);
                for pair in &self.pairs {
                    index.without_held(*pair, source, rows, &mut unheld);
                }
                shift.add(block, &unheld, shift.rows(rows), &mut found);
            }
            into.put(block, &found);
        }
    }
}

impl GeneralToMove {
    /// The pass of a ply.
    #[inline(always)]
    fn pass(&mut self, sources: &Sources, compiled: &CompiledState, ply: Ply) {
        for block in 0..ply.index.blocks() {
            let (mut won, mut lost) = (EMPTY, EMPTY);
            match ply.ply {
                0 => self.find_over(compiled, ply, block, &mut lost),
                _ => self.find_decided(sources, compiled, ply, block, &mut won, &mut lost),
            }
            let (rows_won, rows_lost) = (Rows::of(&won), Rows::of(&lost));
            minus(&mut self.open[block], &won, rows_won);
            minus(&mut self.open[block], &lost, rows_lost);
            minus(&mut self.not_won[block], &won, rows_won);
            self.won.put(block, &won);
            self.lost.put(block, &lost);
        }
    }

    /// The sets of a block in which the General is closed in.
    #[inline(always)]
    fn find_over(&self, compiled: &CompiledState, ply: Ply, block: usize, over: &mut Block) {
        let moves = &compiled.moves;
        let conditions = Conditions::new(ply, moves, block, Rows::ALL);
        let mut saved = EMPTY;
        for move_ in moves.iter().filter(|move_| move_.shift.source(block).is_some()) {
            let (found, rows) = conditions.read(move_, &FULL, Rows::ALL);
            or(&mut saved, &found, rows);
        }
        if let Some(closing) = compiled.closing {
            ply.index.without_held(closing, block, Rows::ALL, &mut saved);
        }
        *over = self.open[block];
        minus(over, &saved, Rows::ALL);
    }

    /// The sets of a block that are won and lost by what the last ply of the Rebels has decided.
    #[inline(always)]
    fn find_decided(
        &self,
        sources: &Sources,
        compiled: &CompiledState,
        ply: Ply,
        block: usize,
        won: &mut Block,
        lost: &mut Block,
    ) {
        let moves = || compiled.moves.iter().filter_map(|move_| Some((move_, move_.shift.source(block)?)));
        // Rows in which there may be moves to what is lost and to what is won for the Rebels.
        let (mut winning, mut losing) = (Rows::NONE, if ply.ply == 1 { Rows::ALL } else { Rows::NONE });
        for (move_, source) in moves() {
            winning = winning.or(move_.shift.rows(sources.lost(move_, source, ply.ply).1));
            losing = losing.or(move_.shift.rows(sources.won_anew(move_, source)));
        }
        if winning.or(losing).is_empty() {
            return;
        }
        let open = &self.open[block];
        let of_open = Rows::of(open);
        (winning, losing) = (winning.and(of_open), losing.and(of_open));
        if winning.or(losing).is_empty() {
            return;
        }
        let conditions = Conditions::new(ply, &compiled.moves, block, winning.or(losing));
        for (move_, source) in moves() {
            let (from, rows) = sources.lost(move_, source, ply.ply);
            let rows = winning.and(move_.shift.rows(rows));
            if !rows.is_empty() {
                let (found, rows) = conditions.read(move_, from, rows);
                or(won, &found, rows);
            }
        }
        and(won, open, winning);
        *lost = EMPTY;
        or(lost, open, losing);
        minus(lost, won, losing);
        for (move_, source) in moves() {
            let Some(from) = sources.not_won(move_, source) else { continue };
            let (found, rows) = conditions.read(move_, from, losing);
            minus(lost, &found, rows);
            losing = Rows::of(lost);
            if losing.is_empty() {
                break;
            }
        }
    }
}

/// What the General's moves lead to.
pub(super) struct Sources<'a> {
    pub(super) known: &'a [Known],
    pub(super) arrivals: &'a [Arrivals],
    pub(super) chains: &'a JumpChains,
}

impl<'a> Sources<'a> {
    /// Won and lost by the last ply, and not won by then, in a target that is no landing; none where the game is over.
    #[inline(always)]
    fn of(&self, target: Target) -> Option<(&'a Decided, &'a Decided, &'a Bits)> {
        match target {
            Target::Arrival(state) => {
                let Arrivals { won, lost, not_won } = &self.arrivals[state];
                Some((won, lost, not_won))
            }
            Target::End(End::State(state)) => {
                let Known { won, lost, not_won, .. } = &self.known[state];
                Some((won, lost, not_won))
            }
            _ => None,
        }
    }

    /// The sets that the last ply found lost for the Rebels, and the rows that may have any.
    #[inline(always)]
    fn lost(&self, move_: &GeneralMove, block: usize, ply: u32) -> (&'a Block, Rows) {
        match (move_.target, self.of(move_.target)) {
            (_, Some((_, lost, _))) if !lost.rows(block).is_empty() => (lost.block(block), lost.rows(block)),
            (Target::Landing(landing), _) => {
                let chain = self.chains.get(block, landing);
                (&chain.lost, if ply == 1 { Rows::ALL } else { chain.changed })
            }
            (Target::End(End::GeneralWins), _) if ply == 1 => (&FULL, Rows::ALL),
            _ => (&EMPTY, Rows::NONE),
        }
    }

    /// The rows in which the last ply found sets won for the Rebels.
    #[inline(always)]
    fn won_anew(&self, move_: &GeneralMove, block: usize) -> Rows {
        match move_.target {
            Target::Landing(landing) => self.chains.get(block, landing).changed,
            target => self.of(target).map_or(Rows::NONE, |(won, _, _)| won.rows(block)),
        }
    }

    /// The sets that are not won for the Rebels yet.
    #[inline(always)]
    fn not_won(&self, move_: &GeneralMove, block: usize) -> Option<&'a Block> {
        match (move_.target, self.of(move_.target)) {
            (_, Some((_, _, not_won))) => Some(&not_won[block]),
            (Target::Landing(landing), _) => Some(&self.chains.get(block, landing).not_won),
            (target, _) => (target == Target::End(End::GeneralWins)).then_some(&FULL),
        }
    }
}

/// In which sets of a block the General's moves are legal.
struct Conditions<'a> {
    index: &'a Index,
    block: usize,
    /// Where it must capture.
    must_capture: Option<Block>,
}

impl<'a> Conditions<'a> {
    /// Those of some rows.
    #[inline(always)]
    fn new(ply: Ply<'a>, moves: &[GeneralMove], block: usize, rows: Rows) -> Conditions<'a> {
        let mut conditions = Conditions { index: ply.index, block, must_capture: None };
        if ply.rules.capture_is_compulsory {
            let mut all = EMPTY;
            for move_ in moves.iter().filter(|move_| move_.captures && move_.shift.source(block).is_some()) {
                let (captures, rows) = conditions.read(move_, &FULL, rows);
                or(&mut all, &captures, rows);
            }
            conditions.must_capture = Some(all);
        }
        conditions
    }

    /// What the source of a move says in some rows, where the move is legal; and in which of them it may be.
    #[inline(always)]
    fn read(&self, move_: &GeneralMove, source: &Block, rows: Rows) -> (Block, Rows) {
        let rows = rows.and(move_.shift.rows(Rows::ALL));
        let mut found = EMPTY;
        move_.shift.add(self.block, source, rows, &mut found);
        for pair in &move_.not_held {
            self.index.without_held(*pair, self.block, rows, &mut found);
        }
        if let Some(forbidden) = self.must_capture.as_ref().filter(|_| !move_.captures) {
            minus(&mut found, forbidden, rows);
        }
        (found, rows)
    }
}
