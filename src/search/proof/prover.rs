//! Forced wins within n plies: a depth-first AND/OR search with a bound on the plies.
//!
//! It leaves out only moves that the [bounds](super::distance_to_win) show to be too slow. Asked for one ply more each
//! time, the first "yes" is the length of the shortest win. An answer holds in every game without positions that must
//! not come again, so it is kept in the transposition table.

use crate::context::{Context, NodeCounter};
use crate::move_picker::{MAX_PLY, MoveList};
use crate::transposition_table::{MoveCode, ProofEntry};
use privy_base::best_instructions;
use privy_rules::board::{MAX_POINTS, Point, PointSet};
use privy_rules::{Move, Position, Side};

use super::distance_to_win::winning_targets;

/// Answers for at most this many plies are not stored: searching is faster than a look-up.
const UNKEPT: usize = 3;
/// From this many plies on all moves are looked up before one is tried ("enhanced transposition cutoffs", A. Plaat et
/// al., 1996).
const LOOKED_UP_FIRST: usize = 5;
/// The same for moves of the winner: with fewer plies left few of them win.
const WINS_LOOKED_UP_FIRST: usize = 8;
/// With at most this many plies left nearly no step of attacking Rebels wins, and ordering them costs more than it
/// gains.
const UNORDERED: usize = 5;
/// The rank of a step next to the General, as a power of two.
const CLOSER: u32 = 10;
/// The rank of an empty point next to the General, as a power of two.
const FREER: u32 = 10;

pub(crate) struct Prover<'a> {
    pub(super) context: Context<'a>,
    /// How often a move was the answer: by winner, side to move, from and to, then by General and to. Empty before the
    /// first answer that is kept: a short search has none.
    history: Vec<i32>,
    /// By plies left.
    lists: Vec<MoveList>,
    /// The present question is aborted at its limit.
    pub(super) counter: NodeCounter,
    /// Positions with a value of the prober.
    pub(crate) table_hits: u64,
}

/// A limit or a stop ended the question without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Aborted;

impl<'a> Prover<'a> {
    pub(crate) fn new(context: Context<'a>) -> Prover<'a> {
        Prover {
            context,
            history: Vec::new(),
            lists: MoveList::one_per_ply(),
            counter: NodeCounter::default(),
            table_hits: 0,
        }
    }

    /// A move with which the side to move wins within this number of plies; `None` if there is none, or after a stop.
    pub(crate) fn winning_move(&mut self, position: &Position, plies: u32) -> Option<Move> {
        self.best(position, position.side(), plies as usize).ok().flatten()
    }

    /// True if the winner has a forced win within this number of plies from a position that is not over.
    #[inline(always)]
    fn wins_within(&mut self, position: &Position, winner: Side, plies: usize) -> Result<bool, Aborted> {
        let context = self.context;
        let plies = self.plies_to_last_move(position.side(), winner, plies);
        if plies == 0 {
            return Ok(false);
        }
        let is_kept = plies > UNKEPT;
        let salt = context.proof_salt(winner);
        let known = if is_kept { context.table.get_proof(position.hash(), salt) } else { None };
        if let Some(answer) = known.and_then(|entry| entry.wins_within(plies)) {
            return Ok(answer);
        }
        let targets = if context.may_win_by_repetition(winner) {
            context.rules.all
        } else {
            winning_targets(context.bounds, context.rules, position, winner, plies)
        };
        if targets.is_empty() {
            return Ok(false);
        }
        let slot = plies.min(MAX_PLY);
        let mut list = std::mem::take(&mut self.lists[slot]);
        let best = known.map_or(MoveCode::NONE, |entry| entry.best);
        self.generate(&mut list, position, winner, is_ordered(position, winner, plies).then_some(best), targets);
        let answer = self.try_moves(position, &mut list, winner, plies);
        self.lists[slot] = list;
        let (is_won, best) = answer?;
        if is_kept {
            let mut entry = known.unwrap_or(ProofEntry::UNKNOWN);
            entry.set(is_won, plies);
            if let Some(move_) = best {
                entry.best = MoveCode::of(&move_);
                let weight = (plies * plies) as i32;
                if self.history.is_empty() {
                    self.history.resize(8 * MAX_POINTS * MAX_POINTS, 0);
                }
                for index in history_indices(winner, position, &move_) {
                    let count = &mut self.history[index];
                    *count += weight - (i64::from(*count) * i64::from(weight) / (1 << 20)) as i32;
                }
            }
            context.table.put_proof(position.hash(), salt, &entry, plies);
        }
        Ok(is_won)
    }

    /// See [`Bounds::plies_to_last_move`](super::bounds::Bounds::plies_to_last_move). Bounds know no history: where a
    /// third occurrence wins, either side may bring it about.
    #[inline(always)]
    fn plies_to_last_move(&self, to_move: Side, winner: Side, plies: usize) -> usize {
        if self.context.may_win_by_repetition(winner) {
            plies
        } else {
            self.context.bounds.plies_to_last_move(self.context.rules, to_move, winner, plies)
        }
    }

    /// The answer, and the move that gives it: one that wins, or one that escapes.
    #[inline(always)]
    fn try_moves(
        &mut self,
        position: &Position,
        list: &mut MoveList,
        winner: Side,
        plies: usize,
    ) -> Result<(bool, Option<Move>), Aborted> {
        let attacks = position.side() == winner;
        if plies >= LOOKED_UP_FIRST {
            for move_ in list.moves() {
                self.context.prefetch(position, &move_);
            }
        }
        if plies >= if attacks { WINS_LOOKED_UP_FIRST } else { LOOKED_UP_FIRST } {
            for move_ in list.moves() {
                self.count_node()?;
                if self.is_known(position, &move_, winner, plies - 1, attacks) {
                    return Ok((attacks, Some(move_)));
                }
            }
        }
        let is_ordered = is_ordered(position, winner, plies);
        for count in 0..list.len() {
            let next = if is_ordered { list.pick(count) } else { list.get(count) };
            let Some(move_) = next else { break };
            if self.move_wins(position, &move_, winner, plies)? == attacks {
                return Ok((attacks, Some(move_)));
            }
        }
        Ok((!attacks, None))
    }

    #[inline(always)]
    fn is_known(&self, position: &Position, move_: &Move, winner: Side, plies: usize, is_won: bool) -> bool {
        let (child, goal) = self.context.rules.play_unchecked(position, move_);
        if goal.is_some() || self.context.is_repeated(&child) {
            return false;
        }
        let plies = self.plies_to_last_move(child.side(), winner, plies);
        let known = self.context.table.get_proof(child.hash(), self.context.proof_salt(winner));
        known.and_then(|entry| entry.wins_within(plies)) == Some(is_won)
    }

    /// True if the winner has a forced win within this number of plies that begins with this move.
    #[inline(always)]
    pub(super) fn move_wins(
        &mut self,
        position: &Position,
        move_: &Move,
        winner: Side,
        plies: usize,
    ) -> Result<bool, Aborted> {
        self.count_node()?;
        let (child, goal) = self.context.rules.play_unchecked(position, move_);
        if plies > UNKEPT + 1 {
            self.context.table.prefetch(child.hash());
        }
        if let Some(outcome) = goal {
            return Ok(outcome.winner() == Some(winner));
        }
        if !self.context.can_move(&child) {
            return Ok(self.context.rules.winner_if_stuck(child.side()) == Some(winner));
        }
        if self.context.is_repeated(&child) {
            return Ok(self.context.rules.winner_by_repetition == Some(winner));
        }
        if let Some(value) = self.context.probe(&child) {
            self.table_hits += 1;
            let wins = if child.side() == winner { value.is_win() } else { value.is_loss() };
            return Ok(wins && value.distance().is_some_and(|distance| (distance as usize) < plies));
        }
        dispatch_wins_within(self, &child, winner, plies - 1)
    }

    pub(super) fn after(&self, position: &Position, move_: &Move) -> Position {
        self.context.rules.play_unchecked(position, move_).0
    }

    /// A best move of a position that is won within exactly this number of plies: the winner keeps that length, the
    /// loser holds out as long.
    pub(super) fn best(&mut self, position: &Position, winner: Side, plies: usize) -> Result<Option<Move>, Aborted> {
        let attacks = position.side() == winner;
        let asked = if attacks { plies } else { plies - 1 };
        let known = self.context.table.get_proof(position.hash(), self.context.proof_salt(winner));
        let best = known.map_or(MoveCode::NONE, |entry| entry.best);
        let mut list = MoveList::default();
        self.generate(&mut list, position, winner, Some(best), self.context.rules.all);
        for count in 0..list.len() {
            let Some(move_) = list.pick(count) else { break };
            if (asked > 0 && self.move_wins(position, &move_, winner, asked)?) == attacks {
                return Ok(Some(move_));
            }
        }
        Ok(None)
    }

    /// All moves, of Rebels the steps to `targets`. With an `order` they are ranked, and its move is first.
    #[inline(always)]
    fn generate(
        &self,
        list: &mut MoveList,
        position: &Position,
        winner: Side,
        order: Option<MoveCode>,
        targets: PointSet,
    ) {
        let rules = self.context.rules;
        let Some(best) = order else {
            return list.fill(rules, position, targets, |_| 0);
        };
        let (rebels, near) = (position.rebels(), rules.neighbours[position.general()]);
        list.fill(rules, position, targets, |move_| {
            let rank = if MoveCode::of(move_) == best {
                i32::MAX
            } else {
                let counts =
                    history_indices(winner, position, move_).map(|index| self.history.get(index).unwrap_or(&0));
                counts[0] + counts[1] + ((move_.captured.len() as i32) << 21)
            };
            let bonus = match position.side() {
                Side::Rebels => (i32::from(near.contains(move_.to)) - i32::from(near.contains(move_.from))) << CLOSER,
                Side::General => {
                    let free = rules.neighbours[move_.to].minus(rebels.minus(move_.captured));
                    (free.len() as i32) << FREER
                }
            };
            rank.saturating_add(bonus)
        });
    }

    #[inline(always)]
    fn count_node(&mut self) -> Result<(), Aborted> {
        if self.counter.count(&self.context) { Err(Aborted) } else { Ok(()) }
    }
}

best_instructions! {
    fn dispatch_wins_within(
        prover: &mut Prover<'_>,
        position: &Position,
        winner: Side,
        plies: usize,
    ) -> Result<bool, Aborted> {
        prover.wins_within(position, winner, plies)
    }
}

#[inline(always)]
fn is_ordered(position: &Position, winner: Side, plies: usize) -> bool {
    plies > UNORDERED || position.side() == Side::General || winner == Side::General
}

#[inline(always)]
fn history_indices(winner: Side, position: &Position, move_: &Move) -> [usize; 2] {
    let sides = usize::from(winner == Side::Rebels) * 2 + usize::from(position.side() == Side::Rebels);
    let index =
        |table: usize, point: Point| ((table * 4 + sides) * MAX_POINTS + point.index()) * MAX_POINTS + move_.to.index();
    [index(0, move_.from), index(1, position.general())]
}
