//! The pieces, the side to move and the flags: all that the future of a game depends on.

use crate::board::{Point, PointSet};

use super::{Move, MoveKind, Side};

/// What stands where, who moves, and the flags (RULES §4). Two equal states are the same position in the sense of the
/// repetition rule. Cheap to copy; making a move gives a new state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// Where the Rebels stand.
    pub rebels: PointSet,
    /// Where the General stands.
    pub general: Point,
    /// Who is to move.
    pub side: Side,
    /// Has the General stood on an apex? Always false where that means nothing.
    pub apex_visited: bool,
    /// How many free jumps the General has left.
    pub free_jumps: u8,
}

impl State {
    /// The points with a piece.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> PointSet {
        self.rebels.with(self.general)
    }

    /// The state after an action of the side to move. `return_apex` are the apex points of a variant in which the visit
    /// of an apex is remembered, else the empty set.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, action: &Move, return_apex: PointSet) -> State {
        match self.side {
            Side::Rebels => self.after_rebel_step(action.from, action.to),
            Side::General => State {
                rebels: self.rebels.minus(action.captured),
                general: action.to,
                side: Side::Rebels,
                apex_visited: self.apex_visited | return_apex.contains(action.to),
                free_jumps: self.free_jumps.saturating_sub(u8::from(action.kind == MoveKind::FreeJump)),
            },
        }
    }

    /// The state after a Rebel's step.
    #[inline(always)]
    #[must_use]
    pub fn after_rebel_step(&self, from: Point, to: Point) -> State {
        State { rebels: self.rebels ^ PointSet::of(from) ^ PointSet::of(to), side: Side::General, ..*self }
    }
}
