//! The points that a last move marks.

use crate::board::{Point, PointSet};
use crate::rules::{MoveKind, MovePath};

/// What of a move shows on the board after it.
pub(super) struct LastMove {
    /// The start, then every landing; the start alone for a static intervention.
    pub(super) way: Vec<Point>,
    /// Where the piece stands now.
    pub(super) to: Point,
    /// The points that lost a Rebel.
    pub(super) captured: PointSet,
    /// Does the piece leave the lines?
    pub(super) flies: bool,
}

impl LastMove {
    pub(super) fn of(move_: &MovePath) -> LastMove {
        let action = move_.action();
        let mut way = vec![action.from];
        if action.kind != MoveKind::Static {
            way.extend(move_.landings());
        }
        LastMove { way, to: action.to, captured: action.captured, flies: action.kind == MoveKind::FreeJump }
    }

    /// The points that the piece left or touched on its way, the last one apart.
    pub(super) fn left(&self) -> PointSet {
        self.way.iter().copied().collect::<PointSet>().without(self.to)
    }
}
