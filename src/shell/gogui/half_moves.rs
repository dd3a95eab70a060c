//! The translation between moves and the points by which they are entered.
//!
//! A move is given by the point that the piece moves from, then the point that it moves to. What two points do not
//! determine is told apart like this:
//!
//! - a chain of jumps: every landing in turn;
//! - a static intervention: the General's own point, then either Rebel of the pair;
//! - a capturing jump where a walk or leap goes to the same point: the jumped Rebel in place of the first landing;
//! - a free jump: only to points where no other move goes.
//!
//! So each sequence means one move, and none is the beginning of another.

use crate::board::{Point, PointSet};
use crate::rules::{Move, MoveKind, Position, State};

/// A sequence of points, and the move that it means.
#[derive(Debug, Clone)]
pub(super) struct Way {
    /// At least two points.
    pub(super) points: Vec<Point>,
    /// The move.
    pub(super) move_: Move,
}

/// All ways to enter the legal moves of a position.
#[derive(Debug, Clone)]
pub(super) struct HalfMoves {
    /// Sorted by points.
    ways: Vec<Way>,
}

impl HalfMoves {
    /// The ways of the legal moves of a position; none when there are no moves.
    pub(super) fn of(position: &Position, moves: Vec<Move>) -> HalfMoves {
        let mut ways: Vec<Way> = Vec::with_capacity(moves.len());
        let (jumps, others): (Vec<Move>, Vec<Move>) =
            moves.into_iter().partition(|move_| move_.action().kind == MoveKind::Jump);
        // The second points that are given away, so that two of them determine the move or its first jump. A Rebel's move
        // needs no more: it is a step.
        let mut taken = PointSet::EMPTY;
        for move_ in others.iter().filter(|move_| matches!(move_.action().kind, MoveKind::Walk | MoveKind::Leap)) {
            let action = *move_.action();
            taken = taken.with(action.to);
            ways.push(Way { points: vec![action.from, action.to], move_: move_.clone() });
        }
        let before_jumps = taken;
        for move_ in jumps {
            let Some(points) = jump_points(position, &move_, before_jumps) else { continue };
            taken |= points.iter().copied().skip(1).take(1).collect();
            ways.push(Way { points, move_ });
        }
        for kind in [MoveKind::Static, MoveKind::FreeJump] {
            for move_ in others.iter().filter(|move_| move_.action().kind == kind) {
                let action = *move_.action();
                let seconds =
                    if kind == MoveKind::Static { action.captured } else { PointSet::of(action.to) }.minus(taken);
                taken |= seconds;
                ways.extend(seconds.into_iter().map(|to| Way { points: vec![action.from, to], move_: move_.clone() }));
            }
        }
        ways.sort_by(|a, b| a.points.cmp(&b.points));
        // On a board where two jumps over different points lead to one, the texts of moves don't tell them apart either.
        ways.dedup_by(|later, kept| later.points.starts_with(&kept.points));
        HalfMoves { ways }
    }

    /// The ways that begin with some points, sorted by points.
    pub(super) fn beginning_with<'a>(&'a self, begun: &'a [Point]) -> impl Iterator<Item = &'a Way> {
        self.ways.iter().filter(move |way| way.points.starts_with(begun))
    }

    /// The points that may follow those that have been entered.
    pub(super) fn continuations(&self, begun: &[Point]) -> PointSet {
        self.beginning_with(begun).filter_map(|way| way.points.get(begun.len()).copied()).collect()
    }

    /// The move that some points mean, when they are all of it.
    pub(super) fn completed(&self, points: &[Point]) -> Option<&Move> {
        self.ways.iter().find(|way| way.points == points).map(|way| &way.move_)
    }

    /// The points by which a move is entered; none for a move that can't be.
    pub(super) fn points_of(&self, move_: &Move) -> Option<&[Point]> {
        self.ways.iter().find(|way| way.move_ == *move_).map(|way| way.points.as_slice())
    }

    /// The pieces when some points of a move have been entered: a General who is jumping stands on his last landing, and
    /// the Rebels that he jumped are gone.
    pub(super) fn state_within(&self, position: &Position, begun: &[Point]) -> State {
        let mut state = *position.state();
        let Some(way) = self.beginning_with(begun).next().filter(|_| begun.len() > 1) else { return state };
        for landing in way.move_.landings().iter().take(begun.len() - 1) {
            if let Some(over) = jumped(position, &state, &way.move_, *landing) {
                state.rebels = state.rebels.without(over);
            }
            state.general = *landing;
        }
        state
    }
}

/// The points of a chain of jumps; none when its first jump can't be told from other moves.
fn jump_points(position: &Position, move_: &Move, taken: PointSet) -> Option<Vec<Point>> {
    let mut points = vec![move_.action().from];
    points.extend(move_.landings());
    let first = points.get_mut(1)?;
    if taken.contains(*first) {
        *first = jumped(position, position.state(), move_, *first).filter(|over| !taken.contains(*over))?;
    }
    Some(points)
}

/// The Rebel that the General jumps on his way to a landing of a move.
fn jumped(position: &Position, state: &State, move_: &Move, landing: Point) -> Option<Point> {
    let takes = move_.action().captured & state.rebels;
    let hops = position.variant().masks().jumps.get(state.general.index())?;
    hops.iter().find(|hop| hop.to == landing && takes.contains(hop.over)).map(|hop| hop.over)
}
