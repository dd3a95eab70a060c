//! Forced wins, exactly: can a side win within so many plies?
//!
//! The question has two answers only, so that a search over all moves answers it much deeper than one that also weighs
//! positions. It leaves out no move but where there can't be [time enough](super::distance_to_win). Asked for one ply more each
//! time, the first "yes" is the length of the shortest win. What is found out is true of the position in any game without
//! positions that may not come again, so the answers are kept in the transposition table.

use std::marker::PhantomData;

use crate::board::{MAX_POINTS, Point, PointSet};
use crate::rules::{Family, Move, MoveKind, Position, Side};

use super::distance_to_win::targets;
use crate::search::context::{Context, NODES_PER_LOOK};
use crate::search::move_picker::{MAX_PLY, MoveList};
use crate::search::transposition_table::{MoveCode, ProofEntry};

/// Sets facts apart from what the search itself keeps, by winner.
const SALTS: [u64; 2] = [0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b];

/// Answers for so few plies are not kept.
const UNKEPT: usize = 3;

/// With so many plies left, all moves are looked up before one is tried ("enhanced transposition cutoffs", A. Plaat et al., 1996).
const LOOKED_UP_FIRST: usize = 5;

/// The same for moves of the winner, few of which win when fewer plies are left.
const WINS_LOOKED_UP_FIRST: usize = 8;

/// With so few plies left nearly no step of Rebels who attack wins: they are tried in any order, which takes less time than the best.
const UNORDERED: usize = 5;

/// What a step next to the General is worth in the order of moves, as a power of two.
const CLOSER: u32 = 10;

/// What an empty point next to the General is worth.
const FREER: u32 = 10;

/// A rank above all others.
const FIRST: i32 = i32::MAX;

/// Answers questions about forced wins.
pub(crate) struct Prover<'a, F: Family> {
    context: Context<'a>,
    /// By winner, side to move, from and to: how often a move was the answer.
    history: Vec<i32>,
    lists: Vec<MoveList>,
    nodes: u64,
    table_hits: u64,
    /// Nodes at which the present question is given up.
    node_limit: u64,
    family: PhantomData<F>,
}

/// The question was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GivenUp;

impl<'a, F: Family> Prover<'a, F> {
    pub(crate) fn new(context: Context<'a>) -> Prover<'a, F> {
        Prover {
            context,
            history: vec![0; 8 * MAX_POINTS * MAX_POINTS],
            lists: (0..=MAX_PLY).map(|_| MoveList::default()).collect(),
            nodes: 0,
            table_hits: 0,
            node_limit: 0,
            family: PhantomData,
        }
    }

    /// Positions reached by making a move so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Positions whose value a table of perfect play gave.
    pub(crate) fn table_hits(&self) -> u64 {
        self.table_hits
    }

    /// From now on questions are given up at this number of nodes.
    pub(crate) fn set_node_limit(&mut self, nodes: u64) {
        self.node_limit = nodes;
    }

    /// Has the winner a forced win within so many plies from a position that is not over?
    ///
    /// # Errors
    /// When a limit or the outside world ended it.
    pub(crate) fn wins_within(&mut self, node: &Position, winner: Side, plies: usize) -> Result<bool, GivenUp> {
        let (rules, state) = (self.context.rules, node);
        let plies = self.context.bounds.with_last_move(state.side(), winner, plies);
        if plies == 0 {
            return Ok(false);
        }
        let salt = self.salt(winner);
        let known = if plies > UNKEPT { self.context.table.get_fact(node.hash(), salt) } else { None };
        if let Some(answer) = known.and_then(|fact| fact.wins_within(plies)) {
            return Ok(answer);
        }
        let targets = targets(self.context.bounds, rules, state, winner, plies);
        if targets.is_empty() {
            return Ok(false);
        }
        if plies <= UNKEPT {
            return self.wins_soon(node, winner, plies, targets);
        }
        let slot = plies.min(MAX_PLY);
        let mut list = self.lists.get_mut(slot).map(std::mem::take).unwrap_or_default();
        let best = known.map_or(MoveCode::NONE, |fact| fact.best);
        self.generate(&mut list, state, winner, has_order(state, winner, plies).then_some(best), targets);
        let answer = self.look_at_moves(node, &mut list, winner, plies);
        if let Some(place) = self.lists.get_mut(slot) {
            *place = list;
        }
        let (won, best) = answer?;
        let mut fact = known.unwrap_or(ProofEntry { proved: ProofEntry::NEVER, refuted: 0, best: MoveCode::NONE });
        match won {
            true => fact.proved = plies.min(usize::from(ProofEntry::NEVER) - 1) as u8,
            false => fact.refuted = plies.min(usize::from(ProofEntry::NEVER) - 1) as u8,
        }
        if let Some(action) = best {
            fact.best = MoveCode::of(&action);
            let weight = (plies * plies) as i32;
            for index in history_indices(winner, state, &action) {
                if let Some(count) = self.history.get_mut(index) {
                    *count += weight - (i64::from(*count) * i64::from(weight) / (1 << 20)) as i32;
                }
            }
        }
        self.context.table.put_fact(node.hash(), salt, &fact, plies);
        Ok(won)
    }

    /// The answer for so few plies that it is found sooner than looked up.
    fn wins_soon(&mut self, node: &Position, winner: Side, plies: usize, targets: PointSet) -> Result<bool, GivenUp> {
        let mut list = self.lists.get_mut(plies).map(std::mem::take).unwrap_or_default();
        let order = has_order(node, winner, plies).then_some(MoveCode::NONE);
        self.generate(&mut list, node, winner, order, targets);
        let answer = self.look_at_moves(node, &mut list, winner, plies);
        if let Some(place) = self.lists.get_mut(plies) {
            *place = list;
        }
        Ok(answer?.0)
    }

    /// The answer, and the move that gives it: one that wins, or one that escapes.
    fn look_at_moves(
        &mut self,
        node: &Position,
        list: &mut MoveList,
        winner: Side,
        plies: usize,
    ) -> Result<(bool, Option<Move>), GivenUp> {
        let attacks = node.side() == winner;
        if plies >= LOOKED_UP_FIRST {
            list.moves().for_each(|action| self.context.fetch_after(node, &action));
        }
        if plies >= if attacks { WINS_LOOKED_UP_FIRST } else { LOOKED_UP_FIRST } {
            for action in list.moves() {
                self.count_node()?;
                if self.is_known(node, &action, winner, plies - 1, attacks) {
                    return Ok((attacks, Some(action)));
                }
            }
        }
        let in_order = has_order(node, winner, plies);
        for count in 0..list.len() {
            let next = if in_order { list.pick(count) } else { list.get(count) };
            let Some(action) = next else { break };
            if self.move_wins(node, &action, winner, plies)? == attacks {
                return Ok((attacks, Some(action)));
            }
        }
        Ok((!attacks, None))
    }

    /// Is it known already that the position after a move is won within so many plies, or that it is not?
    fn is_known(&self, node: &Position, action: &Move, winner: Side, plies: usize, won: bool) -> bool {
        let (child, goal) = self.context.rules.play_unchecked(node, action);
        if goal.is_some() || self.context.repeated.contains(&child.hash()) {
            return false;
        }
        let plies = self.context.bounds.with_last_move(child.side(), winner, plies);
        let known = self.context.table.get_fact(child.hash(), self.salt(winner));
        known.and_then(|fact| fact.wins_within(plies)) == Some(won)
    }

    /// Has the winner a forced win within so many plies, of which this move is the first?
    ///
    /// # Errors
    /// As [`wins_within`](Prover::wins_within).
    pub(crate) fn move_wins(
        &mut self,
        node: &Position,
        action: &Move,
        winner: Side,
        plies: usize,
    ) -> Result<bool, GivenUp> {
        self.count_node()?;
        let rules = self.context.rules;
        let (child, goal) = rules.play_unchecked(node, action);
        if plies > UNKEPT + 1 {
            self.context.table.fetch(child.hash());
        }
        if let Some(outcome) = goal {
            return Ok(outcome.winner() == Some(winner));
        }
        let stuck = !self.can_move(&child);
        if stuck {
            return Ok(child.side() != winner);
        }
        if self.context.repeated.contains(&child.hash()) {
            return Ok(false);
        }
        if let Some(score) = self.context.leaves.probe(&child) {
            self.table_hits += 1;
            let wins = if child.side() == winner { score.is_win() } else { score.is_loss() };
            return Ok(wins && score.distance().is_some_and(|distance| (distance as usize) < plies));
        }
        self.wins_within(&child, winner, plies - 1)
    }

    /// The position after a move.
    pub(crate) fn after(&self, node: &Position, action: &Move) -> Position {
        self.context.rules.play_unchecked(node, action).0
    }

    /// A best move of a position that the winner wins in exactly so many plies: his shortest way, the other's longest.
    ///
    /// # Errors
    /// As [`wins_within`](Prover::wins_within).
    pub(crate) fn best(&mut self, node: &Position, winner: Side, plies: usize) -> Result<Option<Move>, GivenUp> {
        let attacks = node.side() == winner;
        let asked = if attacks { plies } else { plies - 1 };
        let known = self.context.table.get_fact(node.hash(), self.salt(winner));
        let mut list = MoveList::default();
        self.generate(
            &mut list,
            node,
            winner,
            Some(known.map_or(MoveCode::NONE, |fact| fact.best)),
            self.context.rules.all,
        );
        for count in 0..list.len() {
            let Some(action) = list.pick(count) else { break };
            if (asked > 0 && self.move_wins(node, &action, winner, asked)?) == attacks {
                return Ok(Some(action));
            }
        }
        Ok(None)
    }

    fn salt(&self, winner: Side) -> u64 {
        self.context.salt ^ SALTS[usize::from(winner == Side::Rebels)]
    }

    #[inline(always)]
    fn can_move(&self, state: &Position) -> bool {
        match state.side() {
            Side::General => self.context.rules.general_can_move::<F>(state),
            Side::Rebels => self.context.rules.rebels_can_move(state),
        }
    }

    /// All moves, for Rebels the steps to these targets; with their ranks, if there is an order, by which the best known move is first.
    fn generate(
        &self,
        list: &mut MoveList,
        state: &Position,
        winner: Side,
        order: Option<MoveCode>,
        targets: PointSet,
    ) {
        list.clear();
        let rules = self.context.rules;
        let rank = |action: &Move| {
            if Some(MoveCode::of(action)) == order {
                return FIRST;
            }
            let [a, b] = history_indices(winner, state, action);
            let count = self.history.get(a).copied().unwrap_or(0) + self.history.get(b).copied().unwrap_or(0);
            count + ((action.captured.len() as i32) << 21)
        };
        match state.side() {
            Side::Rebels if order.is_none() => rules.rebel_bundles(state, |from, steps| {
                (steps & targets).into_iter().for_each(|to| list.push(0, Move::rebel_step(from, to)));
            }),
            Side::Rebels => {
                let near = rules.neighbours[state.general().index()];
                rules.rebel_bundles(state, |from, steps| {
                    for to in steps & targets {
                        let action = Move::rebel_step(from, to);
                        let closer = i32::from(near.contains(to)) - i32::from(near.contains(from));
                        list.push(rank(&action).saturating_add(closer << CLOSER), action);
                    }
                });
            }
            Side::General => rules.general_actions::<F>(state, |action, _| {
                if !(F::JUMP && action.kind == MoveKind::Jump && list.contains(&action)) {
                    let free = rules.neighbours[action.to.index()].minus(state.rebels().minus(action.captured)).len();
                    list.push(rank(&action).saturating_add((free as i32) << FREER), action);
                }
            }),
        }
    }

    #[inline(always)]
    fn count_node(&mut self) -> Result<(), GivenUp> {
        self.nodes += 1;
        let look = self.nodes.is_multiple_of(NODES_PER_LOOK);
        if self.nodes >= self.node_limit || look && self.context.look_around() {
            return Err(GivenUp);
        }
        Ok(())
    }
}

/// Are the moves tried in the order of what they promise?
#[inline(always)]
fn has_order(state: &Position, winner: Side, plies: usize) -> bool {
    plies > UNORDERED || state.side() == Side::General || winner == Side::General
}

#[inline(always)]
fn history_indices(winner: Side, state: &Position, action: &Move) -> [usize; 2] {
    let sides = usize::from(winner == Side::Rebels) * 2 + usize::from(state.side() == Side::Rebels);
    let of = |table: usize, point: Point| {
        ((table * 4 + sides) * MAX_POINTS + point.index()) * MAX_POINTS + action.to.index()
    };
    [of(0, action.from), of(1, state.general())]
}
