//! A game that is played half move by half move.

use crate::board::{Point, PointSet};
use crate::engine::Engine;
use crate::rules::{MovePath, Position, Side};

use super::vertex;
use crate::rules::half_moves::{HalfMoves, Way};

/// Why a half move can't be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum IllegalHalfMove {
    /// The game has ended.
    #[error("game over")]
    GameOver,
    /// It is the other side's turn.
    #[error("{0} to move")]
    OtherSide(Side),
    /// Who is to move must move.
    #[error("{0} to move, who may not pass")]
    Pass(Side),
    /// A pass behind a pass.
    #[error("two passes in a row")]
    SecondPass,
    /// The board has no such point.
    #[error("there is no point {0} on the board {1}")]
    NoPoint(String, String),
    /// No move begins with the point.
    #[error("no move begins with {0}; {1} may")]
    NoBeginning(String, String),
    /// The move that has begun does not go on like this.
    #[error("a move that begins with {begun} goes on with {expected}, not {found}")]
    NoContinuation {
        /// The points entered before.
        begun: String,
        /// The points that may follow.
        expected: String,
        /// What was given.
        found: String,
    },
}

/// What has been played: a point, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A half move. The first one of a move says so.
    Point { point: Point, begins: bool },
    /// A pass, which changes nothing: clients that alternate strictly need it between the half moves of one side.
    Pass(Side),
}

/// A move that the engine has chosen, of which not all points have been played.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// All its points.
    pub(super) points: Vec<Point>,
    /// How long it took to find.
    pub(super) spent: std::time::Duration,
}

/// The engine with its game, the half moves played, and those of a move that has begun.
#[derive(Debug)]
pub(super) struct HalfMoveGame {
    engine: Engine,
    steps: Vec<Step>,
    begun: Vec<Point>,
    plan: Option<Plan>,
    /// The ways of the position to move in, once they are needed.
    half_moves: Option<HalfMoves>,
}

impl HalfMoveGame {
    /// The game of an engine, in which no half move has been played.
    pub(super) fn new(engine: Engine) -> HalfMoveGame {
        HalfMoveGame { engine, steps: Vec::new(), begun: Vec::new(), plan: None, half_moves: None }
    }

    /// The engine, to look at.
    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, to search with or to ask. Its game is to stay as it is.
    pub(super) fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Lets `change` begin another game. When that fails, everything stays as it was.
    pub(super) fn begin<T, E>(&mut self, change: impl FnOnce(&mut Engine) -> Result<T, E>) -> Result<T, E> {
        let done = change(&mut self.engine)?;
        self.steps.clear();
        self.forget();
        self.begun.clear();
        Ok(done)
    }

    fn forget(&mut self) {
        self.plan = None;
        self.half_moves = None;
    }

    /// Have no half moves been played, and no moves before them?
    pub(super) fn is_fresh(&self) -> bool {
        self.steps.is_empty() && self.engine.game().moves().len() == 0
    }

    /// Whose half move it is, also when the game is over.
    pub(super) fn side(&self) -> Side {
        self.engine.game().side()
    }

    /// Has the game ended?
    pub(super) fn is_over(&self) -> bool {
        self.engine.game().outcome().is_some()
    }

    /// The points of the move that has begun.
    pub(super) fn begun(&self) -> &[Point] {
        &self.begun
    }

    /// The ways of the legal moves.
    pub(super) fn half_moves(&mut self) -> &HalfMoves {
        let game = self.engine.game();
        self.half_moves.get_or_insert_with(|| HalfMoves::of(game, game.legal_moves()))
    }

    /// The ways that go on with the move that has begun.
    pub(super) fn ways(&mut self) -> Vec<Way> {
        let begun = self.begun.clone();
        self.half_moves().beginning_with(&begun).cloned().collect()
    }

    /// The points that may be played now; none when the game is over.
    pub(super) fn legal_points(&mut self) -> PointSet {
        let begun = std::mem::take(&mut self.begun);
        let points = self.half_moves().continuations(&begun);
        self.begun = begun;
        points
    }

    /// The pieces as they stand, a chain of jumps that has begun included.
    pub(super) fn position(&mut self) -> Position {
        let begun = self.begun.clone();
        let game = self.engine.game().clone();
        self.half_moves().position_within(&game, &begun)
    }

    /// The plan, if the half moves played so far are its beginning.
    pub(super) fn planned(&self) -> Option<&Plan> {
        self.plan.as_ref().filter(|plan| !self.begun.is_empty() && plan.points.starts_with(&self.begun))
    }

    /// Keeps a move that the engine has chosen, so that its next half moves need no search.
    pub(super) fn set_plan(&mut self, plan: Plan) {
        self.plan = Some(plan);
    }

    /// Plays a half move of the engine's plan.
    ///
    /// # Errors
    /// As [`play`](HalfMoveGame::play); not for a point of the plan.
    pub(super) fn play_planned(&mut self, point: Point) -> Result<(), IllegalHalfMove> {
        let plan = self.plan.take();
        let spent = plan.as_ref().map(|plan| plan.spent);
        if let Some(move_) = self.enter(point)? {
            self.engine.play_found(move_, spent.unwrap_or_default());
        } else {
            self.plan = plan;
        }
        Ok(())
    }

    /// Plays a half move of a side.
    ///
    /// # Errors
    /// When the game is over, the other side is to move, or no move goes on like this. Nothing changes then.
    pub(super) fn play(&mut self, side: Side, point: Point) -> Result<(), IllegalHalfMove> {
        if self.is_over() {
            return Err(IllegalHalfMove::GameOver);
        }
        if side != self.side() {
            return Err(IllegalHalfMove::OtherSide(self.side()));
        }
        if let Some(move_) = self.enter(point)? {
            self.engine.play_move(move_);
        }
        self.plan = None;
        Ok(())
    }

    /// Adds a point to the move that has begun; gives the move when it is complete.
    fn enter(&mut self, point: Point) -> Result<Option<MovePath>, IllegalHalfMove> {
        let expected = self.legal_points();
        if !expected.contains(point) {
            return Err(self.refusal(point, expected));
        }
        self.steps.push(Step::Point { point, begins: self.begun.is_empty() });
        let mut points = std::mem::take(&mut self.begun);
        points.push(point);
        let completed = self.half_moves().completed(&points).cloned();
        match completed {
            Some(_) => self.half_moves = None,
            None => self.begun = points,
        }
        Ok(completed)
    }

    fn refusal(&self, point: Point, expected: PointSet) -> IllegalHalfMove {
        let board = self.engine.game().board();
        let found = vertex::text(board, point);
        let expected = vertex::texts(board, expected).join(" ");
        if self.begun.is_empty() {
            return IllegalHalfMove::NoBeginning(found, expected);
        }
        let begun = vertex::sequence(board, &self.begun);
        IllegalHalfMove::NoContinuation { begun, expected, found }
    }

    /// Says whether a side may pass: when it is not to move, at the beginning of a game or between the half moves of the
    /// other side, but not behind another pass; and after the end, in turn.
    ///
    /// # Errors
    /// Why it may not.
    pub(super) fn may_pass(&self, side: Side) -> Result<(), IllegalHalfMove> {
        let over = self.is_over();
        match self.steps.last() {
            _ if !over && side == self.side() => Err(IllegalHalfMove::Pass(side)),
            Some(Step::Pass(passed)) if !over || *passed == side => Err(IllegalHalfMove::SecondPass),
            Some(_) if !over && self.begun.is_empty() => Err(IllegalHalfMove::OtherSide(self.side())),
            _ => Ok(()),
        }
    }

    /// Passes, which changes nothing but the history.
    ///
    /// # Errors
    /// As [`may_pass`](HalfMoveGame::may_pass).
    pub(super) fn pass(&mut self, side: Side) -> Result<(), IllegalHalfMove> {
        self.may_pass(side)?;
        self.steps.push(Step::Pass(side));
        Ok(())
    }

    /// How many half moves and passes have been played.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Takes back half moves and passes; all or none.
    ///
    /// # Errors
    /// How many there are, when they are fewer.
    pub(super) fn undo(&mut self, count: usize) -> Result<(), usize> {
        if count > self.steps.len() {
            return Err(self.steps.len());
        }
        for _ in 0..count {
            match self.steps.pop() {
                Some(Step::Point { .. }) if self.begun.is_empty() => self.reopen()?,
                Some(Step::Point { .. }) => drop(self.begun.pop()),
                Some(Step::Pass(_)) | None => {}
            }
        }
        self.plan = None;
        Ok(())
    }

    /// Takes back the last move, whose last half move has been taken from the steps: the others have begun it.
    fn reopen(&mut self) -> Result<(), usize> {
        self.engine.undo(1).map_err(|_| self.steps.len())?;
        self.half_moves = None;
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
