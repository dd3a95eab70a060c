//! Moves as text: a text becomes a [`MoveText`], and a position turns that into a legal [`MovePath`], or says which rule forbids it.

use std::fmt;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::char;
use nom::combinator::{all_consuming, opt, value};
use nom::multi::many1;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::board::{Board, Point, PointName, PointSet, point_name};

use super::family::Every;
use super::rule_set::{ForwardRule, JumpRule, LeapRule, RuleSet, StaticRule};
use super::{CompiledRules, Move, MoveKind, MovePath, Position, Side, Variant};

/// A move as written: well formed, not yet legal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MoveText {
    /// `c3-b2`: a step, a slide, or a leap without capture.
    Walk(PointName, PointName),
    /// `c3xe5xc5`: the start and every landing.
    Jump(PointName, Vec<PointName>),
    /// `c5:b5d5`: the General's point and the pair, the one with the lower row, then the lower file, first.
    Static(PointName, [PointName; 2]),
    /// `c3~a1`.
    FreeJump(PointName, PointName),
    /// `c3b2`: the one legal move with these ends.
    Ends(PointName, PointName),
    /// `@c3`: a piece put on the board from the hand.
    Drop(PointName),
    /// `pass`.
    Pass,
}

/// A text that is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a move: expected a form such as c3-b2, c3xe5xc5, c5:b5d5, c3~a1, c3b2, @c3 or pass")]
pub struct NotAMove(pub String);

fn move_text(text: &str) -> IResult<&str, MoveText> {
    let drop = preceded(char('@'), point_name).map(MoveText::Drop);
    let pass = value(MoveText::Pass, tag_no_case("pass"));
    alt((drop, pass, move_of_a_piece)).parse(text)
}

fn move_of_a_piece(text: &str) -> IResult<&str, MoveText> {
    let (rest, from) = point_name(text)?;
    let to = |mark| preceded(char(mark), point_name);
    let hop = preceded(alt((char('x'), char('X'))), point_name);
    alt((
        to('-').map(|to| MoveText::Walk(from, to)),
        many1(hop).map(|landings| MoveText::Jump(from, landings)),
        (to(':'), point_name).map(|(a, b)| MoveText::Static(from, [a.min(b), a.max(b)])),
        to('~').map(|to| MoveText::FreeJump(from, to)),
        preceded(opt(char(' ')), point_name).map(|to| MoveText::Ends(from, to)),
    ))
    .parse(rest)
}

/// The case of letters does not matter. One space may stand between two points alone.
impl FromStr for MoveText {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<MoveText, NotAMove> {
        let parsed: IResult<&str, MoveText> = all_consuming(move_text).parse(text);
        parsed.map(|(_, move_)| move_).map_err(|_| NotAMove(text.to_owned()))
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveText::Walk(from, to) => write!(f, "{from}-{to}"),
            MoveText::Jump(from, landings) => {
                write!(f, "{from}")?;
                landings.iter().try_for_each(|to| write!(f, "x{to}"))
            }
            MoveText::Static(at, [a, b]) => write!(f, "{at}:{a}{b}"),
            MoveText::FreeJump(from, to) => write!(f, "{from}~{to}"),
            MoveText::Ends(from, to) => write!(f, "{from}{to}"),
            MoveText::Drop(to) => write!(f, "@{to}"),
            MoveText::Pass => f.write_str("pass"),
        }
    }
}

/// The reason why a text is no move of a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move.
    #[error(transparent)]
    Text(#[from] NotAMove),
    /// The move is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// The reason why a well-formed move is not legal in a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("game over")]
    GameOver,
    /// The piece belongs to the other side.
    #[error("{0} to move")]
    OtherSide(Side),
    /// The text could mean several moves.
    #[error("ambiguous: {0}")]
    Ambiguous(String),
    /// A rule forbids the move: the rule, with the points concerned.
    #[error("{0}")]
    Forbidden(String),
}

impl Variant {
    /// The canonical text of a legal move.
    pub fn move_text(&self, move_: &MovePath) -> String {
        self.describe(move_).to_string()
    }

    /// The canonical form of a legal move.
    pub fn describe(&self, move_: &MovePath) -> MoveText {
        let name = |p: Point| self.board().name(p);
        let Move { from, to, kind, captured, .. } = *move_.action();
        match kind {
            MoveKind::Walk | MoveKind::Leap => MoveText::Walk(name(from), name(to)),
            MoveKind::Jump => MoveText::Jump(name(from), move_.landings().iter().map(|p| name(*p)).collect()),
            MoveKind::FreeJump => MoveText::FreeJump(name(from), name(to)),
            MoveKind::Static => {
                let pair = captured.into_iter().map(name);
                let [first, last] = [pair.clone().min(), pair.max()].map(|end| end.unwrap_or(name(from)));
                MoveText::Static(name(from), [first, last])
            }
            MoveKind::Drop => MoveText::Drop(name(to)),
            MoveKind::Pass => MoveText::Pass,
        }
    }

    /// The legal move that a text means in a position that is not over.
    ///
    /// # Errors
    /// The rule that forbids the move, or the moves that an ambiguous text could mean.
    pub fn find_move(&self, position: &Position, text: &MoveText) -> Result<MovePath, IllegalMove> {
        let moves = self.legal_moves(position);
        let meant = |move_: &&MovePath| match (text, self.describe(move_)) {
            (MoveText::Ends(..), MoveText::Drop(_) | MoveText::Pass) => false,
            (MoveText::Ends(from, to), _) => {
                [move_.action().from, move_.action().to].map(|point| self.board().name(point)) == [*from, *to]
            }
            (text, canonical) => *text == canonical,
        };
        let mut found: Vec<&MovePath> = moves.iter().filter(meant).collect();
        match *found {
            [] => {
                let (words, board, rules) = (self.rule_set(), self.board().as_ref(), self.rules());
                let objections = Objections { words, board, rules, position, moves: &moves };
                Err(objections.objection(text).unwrap_or_else(|early| early))
            }
            [move_] => Ok(move_.clone()),
            _ => {
                found.sort_by_key(|move_| (move_.action().kind, self.move_text(move_)));
                Err(IllegalMove::Ambiguous(found.iter().map(|m| self.move_text(m)).collect::<Vec<_>>().join(" ")))
            }
        }
    }
}

fn forbidden(rule: impl Into<String>) -> IllegalMove {
    IllegalMove::Forbidden(rule.into())
}

fn compulsory() -> IllegalMove {
    forbidden("capture is compulsory")
}

fn no_such_kind(kind: &str) -> IllegalMove {
    forbidden(format!("there are no {kind} in this variant"))
}

fn nothing_to_jump(from: PointName, to: PointName) -> IllegalMove {
    forbidden(format!("no Rebel to jump over between {from} and {to}"))
}

fn incomplete(at: PointName) -> IllegalMove {
    forbidden(format!("the chain must go on from {at}"))
}

/// Finds the rule that forbids a move; it is none of the legal `moves` of a position that is not over.
struct Objections<'a> {
    words: &'a RuleSet,
    board: &'a Board,
    rules: &'a CompiledRules,
    position: &'a Position,
    moves: &'a [MovePath],
}

impl Objections<'_> {
    /// The objection as either result: an early one by `?`, else the last that remains.
    fn objection(&self, text: &MoveText) -> Result<IllegalMove, IllegalMove> {
        let kind = self.moves.first().map(|move_| move_.action().kind);
        let from = match text {
            MoveText::Drop(to) => return self.against_drop(self.known(*to)?),
            MoveText::Pass => return Ok(forbidden("there is another move")),
            _ if kind == Some(MoveKind::Pass) => return Ok(forbidden("the one legal move is pass")),
            _ if kind == Some(MoveKind::Drop) => {
                return Ok(forbidden("a piece in hand comes first; a drop is written @ and its point"));
            }
            MoveText::Walk(from, _) | MoveText::Jump(from, _) | MoveText::Static(from, _) => *from,
            MoveText::FreeJump(from, _) | MoveText::Ends(from, _) => *from,
        };
        let from = self.own_piece(from)?;
        if self.position.side() == Side::Rebels {
            return match text {
                MoveText::Walk(_, to) | MoveText::Ends(_, to) => self.against_rebel_step(from, self.known(*to)?),
                _ => Ok(forbidden("Rebels only step")),
            };
        }
        match text {
            MoveText::Walk(_, to) => self.against_walk(from, self.known(*to)?),
            MoveText::Ends(_, to) => self.against_ends(from, self.known(*to)?),
            MoveText::Jump(_, landings) => self.against_jump(from, landings),
            MoveText::Static(_, pair) => self.against_static(from, *pair),
            MoveText::FreeJump(_, to) => self.against_free_jump(self.known(*to)?),
            MoveText::Drop(_) | MoveText::Pass => Ok(forbidden("no such move")),
        }
    }

    fn against_drop(&self, to: Point) -> Result<IllegalMove, IllegalMove> {
        let is_in_hand = match self.position.side() {
            Side::General => !self.board.has(self.position.general()),
            Side::Rebels => self.position.hand() > 0,
        };
        if !is_in_hand {
            return Ok(forbidden("no piece is in hand"));
        }
        self.must_be_empty(to)?;
        Ok(forbidden(format!("no piece may be put on {}", self.name(to))))
    }

    fn name(&self, point: Point) -> PointName {
        self.board.name(point)
    }

    fn known(&self, name: PointName) -> Result<Point, IllegalMove> {
        let board = self.board;
        board.point(name).ok_or_else(|| forbidden(format!("there is no point {name} on the board {}", board.id())))
    }

    /// The point, if a piece of the side to move stands there.
    fn own_piece(&self, name: PointName) -> Result<Point, IllegalMove> {
        let point = self.known(name)?;
        let (side, is_general) = (self.position.side(), point == self.position.general());
        match self.position.occupied().contains(point) {
            false => Err(forbidden(format!("{name} is empty"))),
            true if is_general == (side == Side::General) => Ok(point),
            true => Err(IllegalMove::OtherSide(side)),
        }
    }

    fn must_be_empty(&self, point: Point) -> Result<(), IllegalMove> {
        if self.position.occupied().contains(point) {
            return Err(forbidden(format!("{} is not empty", self.name(point))));
        }
        Ok(())
    }

    fn apart(&self, from: Point, to: Point) -> IllegalMove {
        let (a, b) = (self.name(from), self.name(to));
        let on_one_line = self.board.lines().iter().any(|line| line.contains(&from) && line.contains(&to));
        match (from == to, on_one_line) {
            (true, _) => forbidden("the move goes nowhere"),
            (false, true) => forbidden(format!("{a} and {b} are not adjacent")),
            (false, false) => forbidden(format!("no line joins {a} and {b}")),
        }
    }

    fn against_rebel_step(&self, from: Point, to: Point) -> Result<IllegalMove, IllegalMove> {
        if !self.board.neighbours(from).contains(to) {
            return Ok(self.apart(from, to));
        }
        if !self.rules.ground.contains(to) {
            let name = self.name(to);
            return Ok(forbidden(match self.board.privy().contains(to) {
                true => format!("Rebels may not enter the privy ({name})"),
                false => format!("Rebels may not move onto {name}"),
            }));
        }
        self.must_be_empty(to)?;
        if self.words.forward == ForwardRule::NeverBack || self.board.spot(to).y < self.board.spot(from).y {
            return Ok(forbidden(format!("Rebels may not step down ({}-{})", self.name(from), self.name(to))));
        }
        Ok(forbidden(format!("Rebels may not step in this direction ({}-{})", self.name(from), self.name(to))))
    }

    fn against_walk(&self, from: Point, to: Point) -> Result<IllegalMove, IllegalMove> {
        let (a, b) = (self.name(from), self.name(to));
        if !self.rules.general_ground.contains(to) {
            return Ok(forbidden(format!("the General may not move onto {b}")));
        }
        if self.board.neighbours(from).contains(to) && !self.rules.general_steps[from].contains(to) {
            return Ok(forbidden(format!("the General steps along orthogonal lines alone ({a}-{b})")));
        }
        if self.board.neighbours(from).contains(to) {
            self.must_be_empty(to)?;
            return Ok(compulsory());
        }
        if self.rules.rays[from].iter().any(|ray| ray.contains(&to)) {
            self.must_be_empty(to)?;
            let free = self.rules.walks::<Every>(self.position).contains(to);
            return Ok(if free { compulsory() } else { forbidden(format!("the way from {a} to {b} is not free")) });
        }
        if self.moves.iter().any(|m| m.action().kind == MoveKind::Jump && m.landings().first() == Some(&to)) {
            return Ok(forbidden(format!("{a} and {b} are not adjacent; a jump is written {a}x{b}")));
        }
        let Some(over) = self.between(from, to) else { return Ok(self.apart(from, to)) };
        let over_rebel = self.position.rebels().contains(over);
        if self.rules.leaps[from].iter().any(|hop| hop.to == to) {
            self.must_be_empty(to)?;
            return Ok(if over_rebel { compulsory() } else { nothing_to_jump(a, b) });
        }
        if self.words.leap != LeapRule::None && over_rebel {
            return Ok(forbidden(format!("only diagonal leaps are allowed ({a}-{b})")));
        }
        Ok(self.apart(from, to))
    }

    /// Two points alone may mean a walk, a leap or a chain of jumps.
    fn against_ends(&self, from: Point, to: Point) -> Result<IllegalMove, IllegalMove> {
        let passes = |move_: &MovePath| move_.action().kind == MoveKind::Jump && move_.landings().contains(&to);
        if from != to && self.moves.iter().any(passes) {
            return Ok(incomplete(self.name(to)));
        }
        self.against_walk(from, to)
    }

    fn between(&self, from: Point, to: Point) -> Option<Point> {
        let ends = PointSet::of(from).with(to);
        self.board.triples().iter().find(|t| t.ends() == ends).map(|t| t.middle)
    }

    fn against_jump(&self, from: Point, landings: &[PointName]) -> Result<IllegalMove, IllegalMove> {
        if self.words.jump == JumpRule::None {
            return Ok(no_such_kind("jumps"));
        }
        if self.words.jump == JumpRule::Single && landings.len() > 1 {
            return Ok(forbidden("a move has one jump only in this variant"));
        }
        let mut at = from;
        let mut rebels = self.position.rebels();
        for landing in landings {
            let to = self.known(*landing)?;
            let (a, b) = (self.name(at), *landing);
            if to == at {
                return Ok(self.apart(at, to));
            }
            if rebels.contains(to) {
                let is_adjacent = self.board.neighbours(at).contains(to);
                let cure = if is_adjacent { "; a jump ends behind the Rebel that it takes" } else { "" };
                return Ok(forbidden(format!("{b} is not empty{cure}")));
            }
            let jumped = self.between(at, to).filter(|over| rebels.contains(*over));
            let Some(over) = jumped else { return Ok(nothing_to_jump(a, b)) };
            if !self.rules.jumps[at].iter().any(|hop| hop.to == to) {
                return Ok(forbidden(format!("only diagonal jumps are allowed ({a}x{b})")));
            }
            rebels = rebels.without(over);
            at = to;
        }
        Ok(incomplete(self.name(at)))
    }

    fn against_static(&self, from: Point, pair: [PointName; 2]) -> Result<IllegalMove, IllegalMove> {
        if self.words.static_rule == StaticRule::None {
            return Ok(no_such_kind("static interventions"));
        }
        let [a, b] = pair;
        let (first, second) = (self.known(a)?, self.known(b)?);
        let open = self.board.neighbours(from).minus(self.position.rebels()).first();
        if let (StaticRule::Surrounded, Some(open)) = (self.words.static_rule, open) {
            return Ok(forbidden(format!("the General is not surrounded: {} holds no Rebel", self.name(open))));
        }
        let rebels = self.position.rebels();
        if self.between(first, second) == Some(from) && rebels.contains(first) && rebels.contains(second) {
            return Ok(forbidden(format!("only pairs on orthogonal lines are taken, not {a} and {b}")));
        }
        Ok(forbidden(format!("{a} and {b} are not a pair of Rebels in line with {}", self.name(from))))
    }

    fn against_free_jump(&self, to: Point) -> Result<IllegalMove, IllegalMove> {
        if self.words.free_jumps == 0 {
            return Ok(no_such_kind("free jumps"));
        }
        if self.position.free_jumps() == 0 {
            return Ok(forbidden("no free jump is left"));
        }
        self.must_be_empty(to)?;
        if !self.board.field().contains(to) {
            return Ok(forbidden(format!("a free jump ends on the field, not on {}", self.name(to))));
        }
        Ok(compulsory())
    }
}
