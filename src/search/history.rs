//! Quiet moves that caused beta cutoffs: two killers a ply (S. Akl, M. Newborn, 1977) and history.
//!
//! History counts by side, from and to (J. Schaeffer, 1983), and once more for each last move of the other side
//! (continuation history): to the Rebels that is the point of the General, to the General the point on which the last
//! Rebel arrived.

use privy_rules::board::{MAX_POINTS, Point, PointSet};
use privy_rules::{Move, Position, Side};

use super::move_picker::MAX_PLY;
use super::parameters::Parameters;
use super::transposition_table::MoveCode;

const TABLE_RANK: i32 = 1 << 30;
const CAPTURE_RANK: i32 = 1 << 26;
/// Above all history.
const KILLER_RANK: i32 = 1 << 24;
const MOST_HISTORY: i32 = 1 << 14;
/// The largest bonus of a move.
const MOST_BONUS: i32 = 2_000;
/// Counts of a row, by from and to.
const ROW: usize = MAX_POINTS * MAX_POINTS;
const ROWS: usize = 1 + MAX_POINTS;

#[derive(Debug)]
pub(super) struct History {
    killers: Vec<[Option<Move>; 2]>,
    /// Of each side: a row for all its moves, then one for each last move of the other side.
    counts: [Vec<i16>; 2],
    /// The plies with killers are below it.
    deepest: usize,
    /// The rows that are not all 0: a short search touches few, and to clear all would take a part of its time.
    touched: [[bool; ROWS]; 2],
}

/// The history of the moves of a position: of a side, and its row after the last move of the other.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    side: usize,
    after: usize,
}

impl Rows {
    /// `arrival` is the point on which the last move ended.
    #[inline(always)]
    pub(super) fn of(position: &Position, arrival: Point) -> Rows {
        match position.side() {
            Side::General => Rows { side: 0, after: 1 + arrival.index() },
            Side::Rebels => Rows { side: 1, after: 1 + position.general().index() },
        }
    }
}

impl History {
    pub(super) fn new() -> History {
        let (killers, counts) = (vec![[None; 2]; MAX_PLY + 1], [0, 1].map(|_| vec![0; ROWS * ROW]));
        History { killers, counts, deepest: 0, touched: [[false; ROWS]; 2] }
    }

    pub(super) fn clear(&mut self) {
        self.forget(|row| row.fill(0));
        self.touched = [[false; ROWS]; 2];
    }

    /// Old counts weigh less in a new search of the same game.
    pub(super) fn age(&mut self) {
        self.forget(|row| row.iter_mut().for_each(|count| *count /= 8));
    }

    fn forget(&mut self, in_row: impl Fn(&mut [i16])) {
        self.killers[..self.deepest].fill([None; 2]);
        self.deepest = 0;
        for (counts, touched) in self.counts.iter_mut().zip(self.touched) {
            let rows = counts.chunks_mut(ROW).zip(touched);
            rows.filter(|(_, is_touched)| *is_touched).for_each(|(row, _)| in_row(row));
        }
    }

    #[inline(always)]
    fn index(row: usize, move_: &Move) -> usize {
        (row * MAX_POINTS + move_.from.index()) * MAX_POINTS + move_.to.index()
    }

    #[inline(always)]
    pub(super) fn rank(&self, parameters: &Parameters, rows: Rows, ply: usize, move_: &Move, table: MoveCode) -> i32 {
        if table != MoveCode::NONE && MoveCode::of(move_) == table {
            return TABLE_RANK;
        }
        if move_.captured != PointSet::EMPTY {
            return CAPTURE_RANK + move_.captured.len() as i32;
        }
        let count = |row| i32::from(self.counts[rows.side][Self::index(row, move_)]);
        match &self.killers[ply] {
            [Some(first), _] if first == move_ => KILLER_RANK + 1,
            [_, Some(second)] if second == move_ => KILLER_RANK,
            _ => count(0) * 100 + count(rows.after) * parameters.continuation,
        }
    }

    /// The hundredths of a ply that a quiet move of this rank is searched deeper, or less deep, by its history.
    #[inline(always)]
    pub(super) fn depth_of(parameters: &Parameters, rank: i32) -> i32 {
        let most = 100 * MOST_HISTORY;
        rank.clamp(-most, most) / MOST_HISTORY * parameters.reduction_by_history / 100
    }

    /// Rewards a quiet move that caused a beta cutoff, and penalises the quiet moves that were tried before it.
    pub(super) fn reward(
        &mut self,
        rows: Rows,
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
        let bonus = (16 * depth * depth).min(MOST_BONUS);
        self.add(rows, best, bonus);
        for move_ in tried.filter(|move_| move_.captured.is_empty()) {
            self.add(rows, &move_, -bonus);
        }
    }

    /// Moves counts towards their limit; the nearer, the slower.
    fn add(&mut self, rows: Rows, move_: &Move, bonus: i32) {
        for row in [0, rows.after] {
            self.touched[rows.side][row] = true;
            let count = &mut self.counts[rows.side][Self::index(row, move_)];
            *count += (bonus - i32::from(*count) * bonus.abs() / MOST_HISTORY) as i16;
        }
    }
}
