//! Move ordering: the legal moves of a position by rank.

use privy_rules::board::PointSet;
use privy_rules::family::Every;
use privy_rules::{CompiledRules, Move, MoveKind, Position, Side};

/// The deepest ply of a search, counted from the root.
pub(super) const MAX_PLY: usize = 250;

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

    /// The rank of the move at a place.
    #[inline(always)]
    pub(super) fn rank(&self, at: usize) -> i32 {
        self.0[at].0
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
