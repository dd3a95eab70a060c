//! Move ordering: the move of the table, captures, killers, then by history.

use privy_rules::board::{MAX_POINTS, PointSet};
use privy_rules::family::Every;
use privy_rules::{CompiledRules, Move, MoveKind, Position, Side};

use super::transposition_table::MoveCode;

/// The deepest ply of a search, counted from the root.
pub(super) const MAX_PLY: usize = 250;

const DEFERRED_RANK: i32 = i32::MIN;
const TABLE_RANK: i32 = 1 << 30;
const CAPTURE_RANK: i32 = 1 << 26;
const KILLER_RANK: i32 = 1 << 24;
/// History stays below the killers.
const MOST_HISTORY: i32 = 1 << 20;

#[derive(Debug, Default)]
pub struct MoveList(Vec<(i32, Move)>);

impl MoveList {
    pub(super) fn one_per_ply() -> Vec<MoveList> {
        (0..=MAX_PLY).map(|_| MoveList::default()).collect()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, rank: i32, move_: Move) {
        self.0.push((rank, move_));
    }

    /// Fills the list with the ranked legal moves of a position, of Rebels only the steps to `targets`. Of jump chains
    /// with the same result it keeps one.
    #[inline(always)]
    pub fn fill(&mut self, rules: &CompiledRules, position: &Position, targets: PointSet, rank: impl Fn(&Move) -> i32) {
        self.clear();
        match position.side() {
            Side::Rebels => rules.rebel_bundles(position, |from, steps| {
                // A pass leads nowhere.
                for to in if from == position.general() { steps } else { steps & targets } {
                    let move_ = rules.rebel_move(from, to);
                    self.push(rank(&move_), move_);
                }
            }),
            Side::General => rules.general_actions::<Every>(position, |move_, _| {
                if !(move_.kind == MoveKind::Jump && self.moves().any(|other| other == move_)) {
                    self.push(rank(&move_), move_);
                }
            }),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.0.iter().map(|(_, move_)| *move_)
    }

    /// The move at a place, in any order.
    #[inline(always)]
    pub(super) fn get(&self, at: usize) -> Option<Move> {
        self.0.get(at).map(|(_, move_)| *move_)
    }

    /// Moves a picked move to the end of the list.
    pub(super) fn defer(&mut self, move_: Move) {
        self.push(DEFERRED_RANK, move_);
    }

    pub(super) fn was_deferred(&self, at: usize) -> bool {
        self.0[at].0 == DEFERRED_RANK
    }

    /// Swaps the move with the highest rank from place `at` on, the first of equal ones, to that place.
    #[inline(always)]
    pub fn pick(&mut self, at: usize) -> Option<Move> {
        let rest = self.0.get_mut(at..)?;
        let mut best = 0;
        for place in 1..rest.len() {
            if rest[place].0 > rest[best].0 {
                best = place;
            }
        }
        rest.get(best)?;
        rest.swap(0, best);
        Some(rest[0].1)
    }
}

/// Quiet moves that caused beta cutoffs: two killers a ply (S. Akl, M. Newborn, 1977) and the history heuristic by
/// side, from and to (J. Schaeffer, 1983).
#[derive(Debug)]
pub(super) struct History {
    killers: Vec<[Option<Move>; 2]>,
    counts: Vec<i32>,
    /// The plies with killers are below it.
    deepest: usize,
    /// The rows of counts, by side and from, that are not all 0: a short search touches few, and to clear all would
    /// take a part of its time.
    touched: u128,
}

impl History {
    pub(super) fn new() -> History {
        let counts = vec![0; 2 * MAX_POINTS * MAX_POINTS];
        History { killers: vec![[None; 2]; MAX_PLY + 1], counts, deepest: 0, touched: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.clear_killers();
        for (row, counts) in self.counts.chunks_mut(MAX_POINTS).enumerate() {
            if self.touched >> row & 1 == 1 {
                counts.fill(0);
            }
        }
        self.touched = 0;
    }

    fn clear_killers(&mut self) {
        self.killers[..self.deepest].fill([None; 2]);
        self.deepest = 0;
    }

    /// Old counts weigh less in a new search of the same game.
    pub(super) fn age(&mut self) {
        self.clear_killers();
        self.counts.iter_mut().for_each(|count| *count /= 8);
    }

    #[inline(always)]
    fn index(side: Side, move_: &Move) -> usize {
        (usize::from(side == Side::Rebels) * MAX_POINTS + move_.from.index()) * MAX_POINTS + move_.to.index()
    }

    #[inline(always)]
    pub(super) fn rank(&self, side: Side, ply: usize, move_: &Move, table: MoveCode) -> i32 {
        if table != MoveCode::NONE && MoveCode::of(move_) == table {
            return TABLE_RANK;
        }
        if move_.captured != PointSet::EMPTY {
            return CAPTURE_RANK + move_.captured.len() as i32;
        }
        match &self.killers[ply] {
            [Some(first), _] if first == move_ => KILLER_RANK + 1,
            [_, Some(second)] if second == move_ => KILLER_RANK,
            _ => self.counts[Self::index(side, move_)],
        }
    }

    /// Rewards a quiet move that caused a beta cutoff, and penalises the quiet moves that were tried before it.
    pub(super) fn reward(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        best: &Move,
        tried: impl Iterator<Item = Move>,
    ) {
        if !best.captured.is_empty() {
            return;
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(*best) {
            *second = first.replace(*best);
        }
        self.deepest = self.deepest.max(ply + 1);
        let bonus = (depth * depth).min(400);
        self.add(side, best, bonus);
        for move_ in tried.filter(|move_| move_.captured.is_empty()) {
            self.add(side, &move_, -bonus);
        }
    }

    /// Moves a count towards its limit; the nearer, the slower.
    fn add(&mut self, side: Side, move_: &Move, bonus: i32) {
        let index = Self::index(side, move_);
        self.touched |= 1 << (index / MAX_POINTS);
        let count = &mut self.counts[index];
        *count += bonus * 64 - (i64::from(*count) * i64::from(bonus.abs()) * 64 / i64::from(MOST_HISTORY)) as i32;
    }
}
