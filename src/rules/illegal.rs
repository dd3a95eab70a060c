//! Why a move is not legal, in words that name the place.

use crate::board::{Board, Point, PointName, PointSet};

use super::family::Every;
use super::rule_set::{JumpRule, LeapRule, StaticRule};
use super::{CompiledRules, MoveKind, MovePath, MoveText, Position, Side, Variant};

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
    /// Both ends are one point.
    #[error("the move goes nowhere")]
    Nowhere,
    /// A step is written where a jump is meant.
    #[error("{0} and {1} are not adjacent; a jump is written {0}x{1}")]
    WrittenAsStep(PointName, PointName),
    /// A jump that ends on the Rebel.
    #[error("{0} is not empty; a jump ends behind the Rebel that it takes")]
    OntoRebel(PointName),
    /// Leaps are for diagonal lines.
    #[error("only diagonal leaps are allowed ({0}-{1})")]
    NotDiagonalLeap(PointName, PointName),
    /// A pair on a diagonal line where only orthogonal lines count.
    #[error("only pairs on orthogonal lines are taken, not {0} and {1}")]
    NotOrthogonal(PointName, PointName),
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
}

/// Says why a text is no legal move of a position that is not over; it matches none of the legal `moves`.
pub(super) fn why_illegal(variant: &Variant, position: &Position, moves: &[MovePath], text: &MoveText) -> IllegalMove {
    Objections { variant, position, moves }.objection(text).unwrap_or_else(|error| error)
}

/// What a look for objections to a move needs.
struct Objections<'a> {
    variant: &'a Variant,
    position: &'a Position,
    moves: &'a [MovePath],
}

impl Objections<'_> {
    fn board(&self) -> &Board {
        self.variant.board()
    }

    fn rules(&self) -> &CompiledRules {
        self.variant.rules()
    }

    /// The objection as either result: an early one by `?`, else the last that is left.
    fn objection(&self, text: &MoveText) -> Result<IllegalMove, IllegalMove> {
        let from = self.own_piece(match text {
            MoveText::Walk(from, _) | MoveText::Jump(from, _) | MoveText::Static(from, _) => *from,
            MoveText::FreeJump(from, _) | MoveText::Ends(from, _) => *from,
        })?;
        if self.position.side() == Side::Rebels {
            return match text {
                MoveText::Walk(_, to) | MoveText::Ends(_, to) => self.against_rebel_step(from, self.known(*to)?),
                _ => Ok(IllegalMove::RebelsOnlyStep),
            };
        }
        match text {
            MoveText::Walk(_, to) => self.against_walk(from, self.known(*to)?),
            MoveText::Ends(_, to) => self.against_ends(from, self.known(*to)?),
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
            p if p == self.position.general() => Side::General,
            p if self.position.rebels().contains(p) => Side::Rebels,
            _ => return Err(IllegalMove::NoPiece(name)),
        };
        if owner == self.position.side() { Ok(point) } else { Err(IllegalMove::OtherSide(self.position.side())) }
    }

    fn must_be_empty(&self, point: Point) -> Result<(), IllegalMove> {
        if self.position.occupied().contains(point) { Err(IllegalMove::NotEmpty(self.name(point))) } else { Ok(()) }
    }

    /// Two points that are not adjacent: are they on one line at all?
    fn apart(&self, from: Point, to: Point) -> IllegalMove {
        let (a, b) = (self.name(from), self.name(to));
        let on_one_line = self.board().lines().iter().any(|line| line.contains(&from) && line.contains(&to));
        match (from == to, on_one_line) {
            (true, _) => IllegalMove::Nowhere,
            (false, true) => IllegalMove::NotAdjacent(a, b),
            (false, false) => IllegalMove::NoLine(a, b),
        }
    }

    fn against_rebel_step(&self, from: Point, to: Point) -> Result<IllegalMove, IllegalMove> {
        if !self.board().neighbours(from).contains(to) {
            return Ok(self.apart(from, to));
        }
        if !self.rules().ground.contains(to) {
            return Ok(IllegalMove::Privy(self.name(to)));
        }
        self.must_be_empty(to)?;
        Ok(IllegalMove::Down(self.name(from), self.name(to)))
    }

    fn against_walk(&self, from: Point, to: Point) -> Result<IllegalMove, IllegalMove> {
        let (a, b) = (self.name(from), self.name(to));
        let rules = self.rules();
        if self.board().neighbours(from).contains(to) {
            self.must_be_empty(to)?;
            return Ok(IllegalMove::Compulsory);
        }
        if rules.rays[from].iter().any(|ray| ray.contains(&to)) {
            self.must_be_empty(to)?;
            let free = rules.walks::<Every>(self.position).contains(to);
            return Ok(if free { IllegalMove::Compulsory } else { IllegalMove::Blocked(a, b) });
        }
        if self.moves.iter().any(|m| m.action().kind == MoveKind::Jump && m.landings().first() == Some(&to)) {
            return Ok(IllegalMove::WrittenAsStep(a, b));
        }
        let Some(over) = self.between(from, to) else { return Ok(self.apart(from, to)) };
        let over_rebel = self.position.rebels().contains(over);
        if rules.leaps[from].iter().any(|hop| hop.to == to) {
            self.must_be_empty(to)?;
            return Ok(if over_rebel { IllegalMove::Compulsory } else { IllegalMove::NothingToJump(a, b) });
        }
        if self.variant.rule_set().leap != LeapRule::None && over_rebel {
            return Ok(IllegalMove::NotDiagonalLeap(a, b));
        }
        Ok(self.apart(from, to))
    }

    /// Two points alone may mean a walk, a leap or a chain of jumps.
    fn against_ends(&self, from: Point, to: Point) -> Result<IllegalMove, IllegalMove> {
        let passes = |move_: &MovePath| move_.action().kind == MoveKind::Jump && move_.landings().contains(&to);
        if from != to && self.moves.iter().any(passes) {
            return Ok(IllegalMove::Incomplete(self.name(to)));
        }
        self.against_walk(from, to)
    }

    /// The point between two others on one line.
    fn between(&self, from: Point, to: Point) -> Option<Point> {
        let ends = PointSet::of(from).with(to);
        self.board().triples().iter().find(|t| PointSet::of(t.first).with(t.last) == ends).map(|t| t.middle)
    }

    fn against_jump(&self, from: Point, landings: &[PointName]) -> Result<IllegalMove, IllegalMove> {
        if self.variant.rule_set().jump == JumpRule::None {
            return Ok(IllegalMove::NoSuchKind("jumps"));
        }
        if self.variant.rule_set().jump == JumpRule::Single && landings.len() > 1 {
            return Ok(IllegalMove::OneJump);
        }
        let mut at = from;
        let mut rebels = self.position.rebels();
        for landing in landings {
            let to = self.known(*landing)?;
            let (a, b) = (self.name(at), *landing);
            if to == at {
                return Ok(IllegalMove::Nowhere);
            }
            if rebels.contains(to) {
                let adjacent = self.board().neighbours(at).contains(to);
                return Ok(if adjacent { IllegalMove::OntoRebel(b) } else { IllegalMove::NotEmpty(b) });
            }
            let jumped = self.between(at, to).filter(|over| rebels.contains(*over));
            let Some(over) = jumped else { return Ok(IllegalMove::NothingToJump(a, b)) };
            if !self.rules().jumps[at].iter().any(|hop| hop.to == to) {
                return Ok(IllegalMove::NotDiagonal(a, b));
            }
            rebels = rebels.without(over);
            at = to;
        }
        Ok(IllegalMove::Incomplete(self.name(at)))
    }

    fn against_static(&self, from: Point, pair: [PointName; 2]) -> Result<IllegalMove, IllegalMove> {
        let words = self.variant.rule_set();
        if words.static_rule == StaticRule::None {
            return Ok(IllegalMove::NoSuchKind("static interventions"));
        }
        let [a, b] = pair;
        let (first, second) = (self.known(a)?, self.known(b)?);
        let open = self.board().neighbours(from).minus(self.position.rebels()).first();
        if let (StaticRule::Surrounded, Some(open)) = (words.static_rule, open) {
            return Ok(IllegalMove::NotSurrounded(self.name(open)));
        }
        let rebels = self.position.rebels();
        if self.between(first, second) == Some(from) && rebels.contains(first) && rebels.contains(second) {
            return Ok(IllegalMove::NotOrthogonal(a, b));
        }
        Ok(IllegalMove::NoPair(a, b, self.name(from)))
    }

    fn against_free_jump(&self, to: Point) -> Result<IllegalMove, IllegalMove> {
        if self.variant.rule_set().free_jumps == 0 {
            return Ok(IllegalMove::NoSuchKind("free jumps"));
        }
        if self.position.free_jumps() == 0 {
            return Ok(IllegalMove::NoFreeJump);
        }
        self.must_be_empty(to)?;
        if !self.board().field().contains(to) {
            return Ok(IllegalMove::FreeJumpToPrivy(self.name(to)));
        }
        Ok(IllegalMove::Compulsory)
    }
}
