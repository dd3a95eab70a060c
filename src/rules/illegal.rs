//! Why a move is not legal, in words that name the place.

use crate::board::{Point, PointName, PointSet};

use super::family::Every;
use super::words::{JumpRule, StaticRule};
use super::{MoveText, Position, Side};

/// Why a well-formed move is not legal in a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("game over")]
    GameOver,
    /// The piece belongs to the other side.
    #[error("{0} to move")]
    OtherSide(Side),
    /// The board has no such point.
    #[error("there is no point {0} on the board {1}")]
    NoPoint(PointName, String),
    /// Nobody stands where the move begins.
    #[error("{0} is empty")]
    NoPiece(PointName),
    /// Somebody stands where the move ends.
    #[error("{0} is not empty")]
    NotEmpty(PointName),
    /// The points are not adjacent, or not on one line.
    #[error("no line joins {0} and {1}")]
    NoLine(PointName, PointName),
    /// They are on one line, but not next to each other.
    #[error("{0} and {1} are not adjacent")]
    NotAdjacent(PointName, PointName),
    /// A piece stands between the ends of a slide.
    #[error("the way from {0} to {1} is not free")]
    Blocked(PointName, PointName),
    /// Rebels stay in the field.
    #[error("Rebels may not enter the privy ({0})")]
    Privy(PointName),
    /// Rebels go up or sideways.
    #[error("Rebels may not step down ({0}-{1})")]
    Down(PointName, PointName),
    /// There is a capture, and this move is none.
    #[error("capture is compulsory")]
    Compulsory,
    /// The variant has no such kind of move.
    #[error("there are no {0} in this variant")]
    NoSuchKind(&'static str),
    /// Rebels only step.
    #[error("Rebels only step")]
    RebelsOnlyStep,
    /// A jump without a Rebel to jump over.
    #[error("no Rebel to jump over between {0} and {1}")]
    NothingToJump(PointName, PointName),
    /// Jumps are for diagonal lines.
    #[error("only diagonal jumps are allowed ({0}x{1})")]
    NotDiagonal(PointName, PointName),
    /// A chain that could go on.
    #[error("the chain must go on from {0}")]
    Incomplete(PointName),
    /// A chain where only single jumps are allowed.
    #[error("a move has one jump only in this variant")]
    OneJump,
    /// Static intervention while a neighbouring point is not held by a Rebel.
    #[error("the General is not surrounded: {0} holds no Rebel")]
    NotSurrounded(PointName),
    /// The two points are not a pair.
    #[error("{0} and {1} are not a pair of Rebels in line with {2}")]
    NoPair(PointName, PointName, PointName),
    /// All free jumps are used.
    #[error("no free jump is left")]
    NoFreeJump,
    /// Free jumps end in the field.
    #[error("a free jump ends on the field, not on {0}")]
    FreeJumpToPrivy(PointName),
    /// The text could mean several moves.
    #[error("ambiguous: {0}")]
    Ambiguous(String),
    /// No legal move has these ends.
    #[error("no legal move goes from {0} to {1}")]
    NoMove(PointName, PointName),
}

impl Position {
    /// Says why a text is no legal move; the game is not over and the text matches no legal move.
    pub(super) fn why_illegal(&self, text: &MoveText) -> IllegalMove {
        self.objection(text).unwrap_or_else(|error| error)
    }

    /// The objection as either result: an early one by `?`, else the last that is left.
    fn objection(&self, text: &MoveText) -> Result<IllegalMove, IllegalMove> {
        let from = self.own_piece(match text {
            MoveText::Walk(from, _) | MoveText::Jump(from, _) | MoveText::Static(from, _) => *from,
            MoveText::FreeJump(from, _) | MoveText::Ends(from, _) => *from,
        })?;
        if self.side() == Side::Rebels {
            return match text {
                MoveText::Walk(_, to) | MoveText::Ends(_, to) => self.against_rebel_step(from, self.known(*to)?),
                _ => Ok(IllegalMove::RebelsOnlyStep),
            };
        }
        match text {
            MoveText::Walk(_, to) => self.against_walk(from, self.known(*to)?),
            MoveText::Ends(_, to) => self.against_walk(from, self.known(*to)?).map(|objection| match objection {
                // He may jump there in other games; the ends alone do not say that a walk was meant.
                IllegalMove::NoLine(a, b) | IllegalMove::NotAdjacent(a, b) => IllegalMove::NoMove(a, b),
                other => other,
            }),
            MoveText::Jump(_, landings) => self.against_jump(from, landings),
            MoveText::Static(_, pair) => self.against_static(from, *pair),
            MoveText::FreeJump(_, to) => self.against_free_jump(self.known(*to)?),
        }
    }

    fn name(&self, point: Point) -> PointName {
        self.board().name(point)
    }

    fn known(&self, name: PointName) -> Result<Point, IllegalMove> {
        self.board().point(name).ok_or_else(|| IllegalMove::NoPoint(name, self.board().id().to_owned()))
    }

    /// The point, if a piece of the side to move stands there.
    fn own_piece(&self, name: PointName) -> Result<Point, IllegalMove> {
        let point = self.known(name)?;
        let owner = match point {
            p if p == self.state().general => Side::General,
            p if self.state().rebels.contains(p) => Side::Rebels,
            _ => return Err(IllegalMove::NoPiece(name)),
        };
        if owner == self.side() { Ok(point) } else { Err(IllegalMove::OtherSide(self.side())) }
    }

    fn must_be_empty(&self, point: Point) -> Result<(), IllegalMove> {
        if self.state().occupied().contains(point) { Err(IllegalMove::NotEmpty(self.name(point))) } else { Ok(()) }
    }

    /// Two points that are not adjacent: are they on one line at all?
    fn apart(&self, from: Point, to: Point) -> IllegalMove {
        let (a, b) = (self.name(from), self.name(to));
        let on_one_line = self.board().lines().iter().any(|line| line.contains(&from) && line.contains(&to));
        if on_one_line && from != to { IllegalMove::NotAdjacent(a, b) } else { IllegalMove::NoLine(a, b) }
    }

    fn against_rebel_step(&self, from: Point, to: Point) -> Result<IllegalMove, IllegalMove> {
        self.must_be_empty(to)?;
        if !self.board().neighbours(from).contains(to) {
            return Ok(self.apart(from, to));
        }
        if !self.variant().masks().ground.contains(to) {
            return Ok(IllegalMove::Privy(self.name(to)));
        }
        Ok(IllegalMove::Down(self.name(from), self.name(to)))
    }

    /// Is there a capture that must be played?
    fn must_capture(&self) -> bool {
        self.variant().words().compulsory && self.legal_moves().iter().any(|m| !m.action().captured.is_empty())
    }

    fn against_walk(&self, from: Point, to: Point) -> Result<IllegalMove, IllegalMove> {
        self.must_be_empty(to)?;
        let on_ray = |ray: &Vec<Point>| ray.contains(&to);
        let slides = self.variant().masks().rays[from.index()].iter().any(on_ray);
        if slides && !self.board().neighbours(from).contains(to) {
            let free = self.variant().masks().walks::<Every>(self.state()).contains(to);
            return Ok(if free {
                IllegalMove::Compulsory
            } else {
                IllegalMove::Blocked(self.name(from), self.name(to))
            });
        }
        let leaps = self.variant().masks().leaps[from.index()].iter().any(|hop| hop.to == to);
        if self.board().neighbours(from).contains(to) || leaps && self.must_capture() {
            return Ok(IllegalMove::Compulsory);
        }
        if leaps {
            return Ok(IllegalMove::NothingToJump(self.name(from), self.name(to)));
        }
        Ok(self.apart(from, to))
    }

    fn against_jump(&self, from: Point, landings: &[PointName]) -> Result<IllegalMove, IllegalMove> {
        if self.variant().words().jump == JumpRule::None {
            return Ok(IllegalMove::NoSuchKind("jumps"));
        }
        let mut at = from;
        let mut rebels = self.state().rebels;
        for landing in landings {
            let to = self.known(*landing)?;
            let (a, b) = (self.name(at), *landing);
            if rebels.contains(to) || to == at {
                return Ok(IllegalMove::NotEmpty(b));
            }
            let Some(hop) = self.variant().masks().jumps[at.index()].iter().find(|hop| hop.to == to) else {
                let in_line = self
                    .board()
                    .triples()
                    .iter()
                    .any(|t| PointSet::of(t.first).with(t.last) == PointSet::of(at).with(to));
                return Ok(if in_line { IllegalMove::NotDiagonal(a, b) } else { IllegalMove::NothingToJump(a, b) });
            };
            if !rebels.contains(hop.over) {
                return Ok(IllegalMove::NothingToJump(a, b));
            }
            rebels = rebels.without(hop.over);
            at = to;
        }
        if self.variant().words().jump == JumpRule::Single {
            Ok(IllegalMove::OneJump)
        } else {
            Ok(IllegalMove::Incomplete(self.name(at)))
        }
    }

    fn against_static(&self, from: Point, pair: [PointName; 2]) -> Result<IllegalMove, IllegalMove> {
        let words = self.variant().words();
        if words.static_rule == StaticRule::None {
            return Ok(IllegalMove::NoSuchKind("static interventions"));
        }
        let [a, b] = pair;
        self.known(a)?;
        self.known(b)?;
        let open = self.board().neighbours(from).minus(self.state().rebels).first();
        if let (StaticRule::Surrounded, Some(open)) = (words.static_rule, open) {
            return Ok(IllegalMove::NotSurrounded(self.name(open)));
        }
        Ok(IllegalMove::NoPair(a, b, self.name(from)))
    }

    fn against_free_jump(&self, to: Point) -> Result<IllegalMove, IllegalMove> {
        if self.variant().words().free_jumps == 0 {
            return Ok(IllegalMove::NoSuchKind("free jumps"));
        }
        if self.state().free_jumps == 0 {
            return Ok(IllegalMove::NoFreeJump);
        }
        self.must_be_empty(to)?;
        if !self.board().field().contains(to) {
            return Ok(IllegalMove::FreeJumpToPrivy(self.name(to)));
        }
        Ok(IllegalMove::Compulsory)
    }
}
