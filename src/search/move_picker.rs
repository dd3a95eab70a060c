//! Which moves to try first: the move of the table, captures, killers, then by history.

use crate::board::{MAX_POINTS, PointSet};
use crate::rules::{Move, Side};

use super::transposition_table::MoveCode;

/// Actions to try at one node, each with its rank.
#[derive(Debug, Default)]
pub(super) struct MoveList(Vec<(i32, Move)>);

impl MoveList {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, rank: i32, action: Move) {
        self.0.push((rank, action));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.0.iter().map(|(_, action)| *action)
    }

    pub(super) fn contains(&self, action: &Move) -> bool {
        self.0.iter().any(|(_, other)| other == action)
    }

    /// The action at a place, without looking for a better one.
    #[inline(always)]
    pub(super) fn get(&self, at: usize) -> Option<Move> {
        self.0.get(at).map(|(_, action)| *action)
    }

    /// The first `count` moves, in the order in which they were picked.
    pub(super) fn picked(&self, count: usize) -> impl Iterator<Item = &Move> {
        self.0.iter().take(count).map(|(_, action)| action)
    }

    /// Puts an action that was picked to the end of the list, to be tried when all others have been.
    pub(super) fn defer(&mut self, action: Move) {
        self.0.push((DEFERRED_RANK, action));
    }

    /// Is the action at this place, which was picked, one that was put off?
    pub(super) fn was_deferred(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|(rank, _)| *rank == DEFERRED_RANK)
    }

    /// The action with the highest rank from place `at` on, which takes that place.
    #[inline(always)]
    pub(super) fn pick(&mut self, at: usize) -> Option<Move> {
        let rest = self.0.get_mut(at..)?;
        rest.first()?;
        let mut best = 0;
        for (place, (rank, _)) in rest.iter().enumerate() {
            if *rank > rest.get(best).map_or(i32::MIN, |(rank, _)| *rank) {
                best = place;
            }
        }
        rest.swap(0, best);
        rest.first().map(|(_, action)| *action)
    }
}

/// Killers are kept for so many plies.
pub(super) const MAX_PLY: usize = 250;

/// Below all others.
const DEFERRED_RANK: i32 = i32::MIN;
const TABLE_RANK: i32 = 1 << 30;
const CAPTURE_RANK: i32 = 1 << 26;
const KILLER_RANK: i32 = 1 << 24;
/// History stays below the killers.
const MOST_HISTORY: i32 = 1 << 20;

/// Quiet moves that refuted other lines: two killers a ply (S. Akl, M. Newborn, 1977) and a count per side, from and to
/// (J. Schaeffer, 1983).
#[derive(Debug)]
pub(super) struct History {
    killers: Vec<[Option<Move>; 2]>,
    counts: Vec<i32>,
}

impl History {
    pub(super) fn new() -> History {
        History { killers: vec![[None; 2]; MAX_PLY + 1], counts: vec![0; 2 * MAX_POINTS * MAX_POINTS] }
    }

    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.counts.fill(0);
    }

    /// Makes old experience count less in a new search of the same game.
    pub(super) fn age(&mut self) {
        self.killers.fill([None; 2]);
        self.counts.iter_mut().for_each(|count| *count /= 8);
    }

    #[inline(always)]
    fn index(side: Side, action: &Move) -> usize {
        (usize::from(side == Side::Rebels) * MAX_POINTS + action.from.index()) * MAX_POINTS + action.to.index()
    }

    /// How early an action should be tried.
    #[inline(always)]
    pub(super) fn rank(&self, side: Side, ply: usize, action: &Move, table: MoveCode) -> i32 {
        if table != MoveCode::NONE && MoveCode::of(action) == table {
            return TABLE_RANK;
        }
        if action.captured != PointSet::EMPTY {
            return CAPTURE_RANK + action.captured.len() as i32;
        }
        match self.killers.get(ply) {
            Some([Some(first), _]) if first == action => KILLER_RANK + 1,
            Some([_, Some(second)]) if second == action => KILLER_RANK,
            _ => self.counts.get(Self::index(side, action)).copied().unwrap_or(0),
        }
    }

    /// Remembers a quiet action that was good enough to end the search of a node, and the quiet ones tried before it.
    pub(super) fn reward<'a>(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        best: &Move,
        tried: impl Iterator<Item = &'a Move>,
    ) {
        if !best.captured.is_empty() {
            return;
        }
        if let Some([first, second]) = self.killers.get_mut(ply)
            && *first != Some(*best)
        {
            *second = first.replace(*best);
        }
        let bonus = (depth * depth).min(400);
        self.add(side, best, bonus);
        for action in tried.filter(|action| action.captured.is_empty()) {
            self.add(side, action, -bonus);
        }
    }

    /// Moves a count towards its limit, the slower the nearer it is.
    fn add(&mut self, side: Side, action: &Move, bonus: i32) {
        if let Some(count) = self.counts.get_mut(Self::index(side, action)) {
            *count += bonus * 64 - (i64::from(*count) * i64::from(bonus.abs()) * 64 / i64::from(MOST_HISTORY)) as i32;
        }
    }
}
