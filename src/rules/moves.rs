//! Moves as the search sees them, and moves as players write them.

use crate::board::{Point, PointSet};

/// The kinds of move (RULES §2 and §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MoveKind {
    /// A step or a slide.
    Walk,
    /// A capturing jump, or a chain of them.
    Jump,
    /// A leap without capture.
    Leap,
    /// The General removes a pair without moving.
    Static,
    /// The General goes to any empty field point.
    FreeJump,
}

/// What a move does. Two chains of jumps that take the same Rebels and end on the same point are one action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The kind of move.
    pub kind: MoveKind,
    /// Where the piece stands before.
    pub from: Point,
    /// Where it stands after.
    pub to: Point,
    /// The Rebels that go.
    pub captured: PointSet,
}

impl Move {
    /// A Rebel's step.
    #[inline(always)]
    #[must_use]
    pub fn rebel_step(from: Point, to: Point) -> Move {
        Move { kind: MoveKind::Walk, from, to, captured: PointSet::EMPTY }
    }
}

/// A legal move of a position, whole: what it does, and the way it goes.
///
/// ```
/// use privy::rules::Game;
///
/// let game = Game::from_text("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels", None).unwrap();
/// let move_ = game.parse_move(None, "c3-b2").unwrap();
/// assert_eq!(game.board().names(move_.action().captured), "c1 a3");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MovePath {
    action: Move,
    landings: Vec<Point>,
}

impl MovePath {
    pub(super) fn new(action: Move, landings: Vec<Point>) -> MovePath {
        MovePath { action, landings }
    }

    /// What the move does.
    #[must_use]
    pub fn action(&self) -> &Move {
        &self.action
    }

    /// Every landing of a chain of jumps in turn; of any other move the one point it goes to.
    #[must_use]
    pub fn landings(&self) -> &[Point] {
        &self.landings
    }
}
