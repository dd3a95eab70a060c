//! A game that is played half move by half move.

use std::time::Duration;

use privy_protocol::{ErrorCode, ProtocolError};

use privy_engine::Engine;
use privy_engine::session::illegal;
use privy_records::half_moves::{EntrySequence, HalfMoves};
use privy_rules::board::{Point, PointSet};
use privy_rules::{MovePath, Position, Side};

use super::vertex;

enum Step {
    /// A half move, perhaps the first of a move.
    Point { point: Point, begins: bool },
    /// A pass, which changes nothing: clients that alternate strictly need it between the half moves of one side.
    Pass(Side),
}

/// The points of a move that the engine has chosen, and the time that it took.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) points: Vec<Point>,
    pub(super) spent: Duration,
}

/// The engine with its game, the half moves played, and those of a move that has begun.
pub(super) struct HalfMoveGame {
    /// Its game changes only through this type.
    pub(super) engine: Engine,
    steps: Vec<Step>,
    /// The points of the move that has begun.
    pub(super) begun: Vec<Point>,
    /// The move of which the next half moves need no search.
    pub(super) plan: Option<Plan>,
    /// The half moves of the legal moves, once they are needed.
    half_moves: Option<HalfMoves>,
}

impl HalfMoveGame {
    pub(super) fn new(engine: Engine) -> HalfMoveGame {
        HalfMoveGame { engine, steps: Vec::new(), begun: Vec::new(), plan: None, half_moves: None }
    }

    /// Begins another game with `change`. When that fails, nothing changes.
    pub(super) fn begin<T, E>(&mut self, change: impl FnOnce(&mut Engine) -> Result<T, E>) -> Result<T, E> {
        let done = change(&mut self.engine)?;
        self.steps.clear();
        self.begun.clear();
        self.plan = None;
        self.half_moves = None;
        Ok(done)
    }

    /// True if no half moves have been played, and no moves before them.
    pub(super) fn is_fresh(&self) -> bool {
        self.steps.is_empty() && self.engine.game().moves().len() == 0
    }

    /// The side to move, also when the game is over.
    pub(super) fn side(&self) -> Side {
        self.engine.game().side()
    }

    pub(super) fn is_over(&self) -> bool {
        self.engine.game().outcome().is_some()
    }

    /// The half moves of the legal moves, and the points of the move that has begun.
    pub(super) fn half_moves(&mut self) -> (&HalfMoves, &[Point]) {
        let game = self.engine.game();
        (self.half_moves.get_or_insert_with(|| HalfMoves::of(game, game.legal_moves())), &self.begun)
    }

    /// The ways that continue the move that has begun.
    pub(super) fn ways(&mut self) -> Vec<EntrySequence> {
        let (half_moves, begun) = self.half_moves();
        half_moves.beginning_with(begun).cloned().collect()
    }

    /// The legal points; empty when the game is over.
    pub(super) fn legal_points(&mut self) -> PointSet {
        let (half_moves, begun) = self.half_moves();
        half_moves.continuations(begun)
    }

    /// The position, with the jumps of a move that has begun.
    pub(super) fn position(&mut self) -> Position {
        let game = self.engine.game().clone();
        let (half_moves, begun) = self.half_moves();
        half_moves.position_within(&game, begun)
    }

    /// The plan, if the half moves played so far are its beginning.
    pub(super) fn planned(&self) -> Option<&Plan> {
        self.plan.as_ref().filter(|plan| !self.begun.is_empty() && plan.points.starts_with(&self.begun))
    }

    /// Plays a point of a plan, and keeps the plan for the next half move.
    pub(super) fn play_planned(&mut self, plan: Plan, point: Point) -> Result<(), ProtocolError> {
        self.plan = None;
        match self.enter(point)? {
            Some(move_) => self.engine.play_found(move_, plan.spent),
            None => self.plan = Some(plan),
        }
        Ok(())
    }

    /// Plays a half move of a side. When it is illegal, nothing changes.
    pub(super) fn play(&mut self, side: Side, point: Point) -> Result<(), ProtocolError> {
        if self.is_over() {
            return Err(illegal("game over"));
        }
        if side != self.side() {
            return Err(illegal(format!("{} to move", self.side())));
        }
        if let Some(move_) = self.enter(point)? {
            self.engine.play_move(move_);
        }
        self.plan = None;
        Ok(())
    }

    /// Adds a point to the move that has begun. Gives the move when it is complete.
    fn enter(&mut self, point: Point) -> Result<Option<MovePath>, ProtocolError> {
        let expected = self.legal_points();
        if !expected.contains(point) {
            return Err(self.refusal(point, expected));
        }
        self.steps.push(Step::Point { point, begins: self.begun.is_empty() });
        self.begun.push(point);
        let (half_moves, begun) = self.half_moves();
        let completed = half_moves.completed(begun).cloned();
        if completed.is_some() {
            self.half_moves = None;
            self.begun.clear();
        }
        Ok(completed)
    }

    fn refusal(&self, point: Point, expected: PointSet) -> ProtocolError {
        let board = self.engine.game().board();
        let (found, expected) = (vertex::text(board, point), vertex::texts(board, expected).join(" "));
        illegal(match vertex::sequence(board, &self.begun).as_str() {
            "" => format!("no move begins with {found}; {expected} may"),
            begun => format!("a move that begins with {begun} continues with {expected}, not {found}"),
        })
    }

    /// Checks that a side may pass: when it is not to move, at the beginning of a game or between the half moves of the
    /// other side, but not after another pass; and after the end, in turn.
    fn may_pass(&self, side: Side) -> Result<(), ProtocolError> {
        let over = self.is_over();
        match self.steps.last() {
            _ if !over && side == self.side() => Err(illegal(format!("{side} to move, who may not pass"))),
            Some(Step::Pass(passed)) if !over || *passed == side => Err(illegal("two passes in a row")),
            Some(_) if !over && self.begun.is_empty() => Err(illegal(format!("{} to move", self.side()))),
            _ => Ok(()),
        }
    }

    pub(super) fn pass(&mut self, side: Side) -> Result<(), ProtocolError> {
        self.may_pass(side)?;
        self.steps.push(Step::Pass(side));
        Ok(())
    }

    /// The number of half moves and passes played.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Takes back half moves and passes; all or none.
    pub(super) fn undo(&mut self, count: usize) -> Result<(), ProtocolError> {
        let played = self.steps.len();
        if count > played {
            let detail = format!("asked for {count}, half moves played: {played}");
            return Err(ProtocolError::new(ErrorCode::CannotUndo, detail));
        }
        for _ in 0..count {
            match self.steps.pop() {
                Some(Step::Point { begins, .. }) if self.begun.is_empty() => self.reopen(begins)?,
                Some(Step::Point { .. }) => drop(self.begun.pop()),
                Some(Step::Pass(_)) | None => {}
            }
        }
        self.plan = None;
        Ok(())
    }

    /// Takes back the last move, whose last half move has been taken from the steps. Its other half moves have begun
    /// it, if that was not its only one, as of a drop.
    fn reopen(&mut self, was_only_one: bool) -> Result<(), ProtocolError> {
        self.engine.undo(1)?;
        self.half_moves = None;
        if was_only_one {
            return Ok(());
        }
        for step in self.steps.iter().rev() {
            if let Step::Point { point, begins } = *step {
                self.begun.push(point);
                if begins {
                    break;
                }
            }
        }
        self.begun.reverse();
        Ok(())
    }
}
