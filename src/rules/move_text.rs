//! Moves as text: a text becomes a [`MoveText`], and a position turns that into a legal [`MovePath`], or says which
//! rule forbids it.

use std::fmt;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::char;
use nom::combinator::{all_consuming, opt, value};
use nom::multi::many1;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use privy_protocol::Side;

use crate::board::{Board, Point, PointName, PointSet, point_name};
use crate::compiled::CompiledRules;
use crate::position::{Move, MoveKind, MovePath, Position};
use crate::rule_set::{JumpRows, JumpRule, Refusal, RuleSet, StaticRule};
use crate::variant::Variant;

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

impl MoveText {
    /// The points as they are written; none of a pass.
    fn points(&self) -> Vec<PointName> {
        match self {
            MoveText::Walk(from, to) | MoveText::FreeJump(from, to) | MoveText::Ends(from, to) => vec![*from, *to],
            MoveText::Jump(from, landings) => [&[*from], landings.as_slice()].concat(),
            MoveText::Static(at, [a, b]) => vec![*at, *a, *b],
            MoveText::Drop(to) => vec![*to],
            MoveText::Pass => Vec::new(),
        }
    }
}

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
    type Err = MoveError;

    fn from_str(text: &str) -> Result<MoveText, MoveError> {
        let parsed: IResult<&str, MoveText> = all_consuming(move_text).parse(text);
        parsed.map(|(_, move_)| move_).map_err(|_| MoveError::NotAMove(text.to_owned()))
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

/// The reason why a text is no legal move of a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move.
    #[error("\"{0}\" is not a move: expected a form such as c3-b2, c3xe5xc5, c5:b5d5, c3~a1, c3b2, @c3 or pass")]
    NotAMove(String),
    /// The game has ended.
    #[error("game over")]
    GameOver,
    /// The piece belongs to the other side.
    #[error("{0} to move")]
    OtherSide(Side),
    /// The text could mean several moves.
    #[error("ambiguous: {0}")]
    Ambiguous(String),
    /// The board, the pieces or a rule forbid the move: the reason, with the points concerned.
    #[error("{reason}")]
    Forbidden {
        /// In words.
        reason: String,
        /// The rule word without which the move would be legal, if there is one.
        word: Option<&'static str>,
    },
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
    pub fn find_move(&self, position: &Position, text: &MoveText) -> Result<MovePath, MoveError> {
        let moves = self.legal_moves(position);
        let mut found = self.meant(text, &moves);
        match *found {
            [] => Err(self.objection(position, text, &moves)),
            [move_] => Ok(move_.clone()),
            _ => {
                found.sort_by_key(|move_| (move_.action().kind, self.move_text(move_)));
                Err(MoveError::Ambiguous(found.iter().map(|m| self.move_text(m)).collect::<Vec<_>>().join(" ")))
            }
        }
    }

    /// The moves that a text can mean.
    fn meant<'a>(&self, text: &MoveText, moves: &'a [MovePath]) -> Vec<&'a MovePath> {
        let is_meant = |move_: &&MovePath| match (text, self.describe(move_)) {
            (MoveText::Ends(..), MoveText::Drop(_) | MoveText::Pass) => false,
            (MoveText::Ends(from, to), _) => {
                [move_.action().from, move_.action().to].map(|point| self.board().name(point)) == [*from, *to]
            }
            (text, canonical) => *text == canonical,
        };
        moves.iter().filter(is_meant).collect()
    }

    /// Why a text is none of the legal moves: what is asked of any move, then the rule word that forbids it, then the
    /// board and the pieces.
    fn objection(&self, position: &Position, text: &MoveText, moves: &[MovePath]) -> MoveError {
        let [(loose, _), stricter @ ..] = self.relaxed() else { return forbidden("no such move") };
        let (words, board) = (self.rule_set(), self.board().as_ref());
        let judge = Judge { words, board, rules: loose, position, moves };
        if let Err(refused) = judge.asks_of_any_move(text) {
            return refused;
        }
        let is_legal = |moves: Vec<MovePath>| !self.meant(text, &moves).is_empty();
        if !is_legal(loose.legal_moves(position)) {
            return judge.asks_of_the_board(text).err().unwrap_or_else(|| forbidden("no such move"));
        }
        // The words come back one by one, until the move is illegal.
        let culprit = stricter.iter().find(|(rules, _)| !is_legal(rules.legal_moves(position)));
        let Some(word) = culprit.and_then(|(_, word)| *word) else { return forbidden("no such move") };
        let to = text.points().last().map_or_else(String::new, PointName::to_string);
        let text = match text {
            MoveText::Ends(from, to) => MoveText::Walk(*from, *to).to_string(),
            other => other.to_string(),
        };
        let reason = (word.why)(&Refusal { words, board, position, text, to });
        MoveError::Forbidden { reason, word: Some(word.key.name) }
    }
}

fn forbidden(reason: impl Into<String>) -> MoveError {
    MoveError::Forbidden { reason: reason.into(), word: None }
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, MoveError> {
    Err(forbidden(reason))
}

/// What the board and the pieces ask of a move. Each error is the reason why it is illegal.
struct Judge<'a> {
    words: &'a RuleSet,
    board: &'a Board,
    /// The rules without the words that narrow the moves.
    rules: &'a CompiledRules,
    position: &'a Position,
    /// The legal moves.
    moves: &'a [MovePath],
}

impl Judge<'_> {
    /// Points of the board, one of the mover's pieces, and a drop or a pass where these are all there is.
    fn asks_of_any_move(&self, text: &MoveText) -> Result<(), MoveError> {
        let must_drop = self.moves.first().is_some_and(|move_| move_.action().kind == MoveKind::Drop);
        match (text, text.points().as_slice()) {
            (MoveText::Drop(to), _) => return self.known(*to).map(drop),
            (_, []) => return refuse("there is another move"),
            _ if must_drop => return refuse("a piece in hand comes first; a drop is written @ and its point"),
            (_, [from, others @ ..]) => {
                self.own_piece(*from)?;
                others.iter().try_for_each(|name| self.known(*name).map(drop))?;
            }
        }
        let may_step = matches!(text, MoveText::Walk(..) | MoveText::Ends(..));
        if self.position.side() == Side::Rebels && !may_step {
            return refuse("Rebels only step");
        }
        Ok(())
    }

    /// What a move needs without any word that narrows the moves.
    fn asks_of_the_board(&self, text: &MoveText) -> Result<(), MoveError> {
        let general = self.position.general();
        match text {
            MoveText::Drop(to) => self.drop(self.known(*to)?),
            // The one legal move is a pass, by a rule about sides that cannot move.
            _ if self.moves.iter().any(|move_| move_.action().kind == MoveKind::Pass) => {
                refuse("the one legal move is pass")
            }
            MoveText::Walk(from, to) | MoveText::Ends(from, to) if self.position.side() == Side::Rebels => {
                self.step(self.known(*from)?, self.known(*to)?)
            }
            MoveText::Walk(_, to) | MoveText::Ends(_, to) => self.walk(general, self.known(*to)?),
            MoveText::Jump(_, landings) => self.jump(general, landings),
            MoveText::Static(..) if self.words.static_rule == StaticRule::None => {
                self.no_such_kind("static interventions")
            }
            MoveText::Static(at, [a, b]) => refuse(format!("{a} and {b} are not a pair of Rebels in line with {at}")),
            MoveText::FreeJump(_, to) => self.free_jump(self.known(*to)?),
            MoveText::Pass => refuse("there is another move"),
        }
    }

    fn no_such_kind(&self, kind: &str) -> Result<(), MoveError> {
        refuse(format!("there are no {kind} in this variant"))
    }

    fn name(&self, point: Point) -> PointName {
        self.board.name(point)
    }

    fn known(&self, name: PointName) -> Result<Point, MoveError> {
        let board = self.board;
        board.point(name).ok_or_else(|| forbidden(format!("there is no point {name} on the board {}", board.id())))
    }

    /// A piece of the side to move stands on the point.
    fn own_piece(&self, name: PointName) -> Result<(), MoveError> {
        let point = self.known(name)?;
        let (side, is_general) = (self.position.side(), point == self.position.general());
        match self.position.occupied().contains(point) {
            false => refuse(format!("{name} is empty")),
            true if is_general == (side == Side::General) => Ok(()),
            true => Err(MoveError::OtherSide(side)),
        }
    }

    fn empty(&self, point: Point) -> Result<(), MoveError> {
        let is_occupied = self.position.occupied().contains(point);
        if is_occupied { refuse(format!("{} is not empty", self.name(point))) } else { Ok(()) }
    }

    fn drop(&self, to: Point) -> Result<(), MoveError> {
        let is_in_hand = match self.position.side() {
            Side::General => !self.board.has(self.position.general()),
            Side::Rebels => self.position.hand() > 0,
        };
        if !is_in_hand {
            return refuse("no piece is in hand");
        }
        self.empty(to)?;
        refuse(format!("no piece may be put on {}", self.name(to)))
    }

    /// The points between two points of one line; `None` where no line joins them.
    fn between(&self, from: Point, to: Point) -> Option<PointSet> {
        self.board.lines().iter().find_map(|line| {
            let place = |end| line.iter().position(|point| *point == end);
            let (first, last) = (place(from)?.min(place(to)?), place(from)?.max(place(to)?));
            Some(line[first + 1..last.max(first + 1)].iter().copied().collect())
        })
    }

    /// The points are adjacent.
    fn adjacent(&self, from: Point, to: Point) -> Result<(), MoveError> {
        let (a, b) = (self.name(from), self.name(to));
        match self.between(from, to) {
            _ if from == to => refuse("the move goes nowhere"),
            Some(_) => refuse(format!("{a} and {b} are not adjacent")),
            None => refuse(format!("no line joins {a} and {b}")),
        }
    }

    fn step(&self, from: Point, to: Point) -> Result<(), MoveError> {
        if self.board.neighbours(from).contains(to) {
            self.empty(to)?;
        }
        self.adjacent(from, to)
    }

    /// Two points alone may mean a walk, a leap or a jump.
    fn walk(&self, from: Point, to: Point) -> Result<(), MoveError> {
        let (a, b) = (self.name(from), self.name(to));
        if self.moves.iter().any(|m| m.action().kind == MoveKind::Jump && m.landings().first() == Some(&to)) {
            return refuse(format!("{a} and {b} are not adjacent; a jump is written {a}x{b}"));
        }
        let is_ray = self.rules.rays[from].iter().any(|ray| ray.contains(&to));
        let is_leap = self.rules.leaps[from].iter().any(|hop| hop.to == to);
        if self.board.neighbours(from).contains(to) || is_ray || is_leap {
            self.empty(to)?;
        }
        if is_ray {
            return refuse(format!("the way from {a} to {b} is not free"));
        }
        if is_leap { self.hop(from, to, self.position.rebels()) } else { self.adjacent(from, to) }
    }

    /// A jump or leap could lead from one point to the other, but not over these Rebels.
    fn hop(&self, from: Point, to: Point, rebels: PointSet) -> Result<(), MoveError> {
        let (a, b) = (self.name(from), self.name(to));
        match self.between(from, to) {
            Some(between) if between.meets(rebels) && self.words.jump_rows == JumpRows::Odd => refuse(format!(
                "only an odd number of Rebels without a gap is jumped over, not what stands between {a} and {b}"
            )),
            Some(between) if between.meets(rebels) => {
                refuse(format!("one adjacent Rebel is jumped over, to the point beyond it ({a}x{b})"))
            }
            _ => refuse(format!("no Rebel to jump over between {a} and {b}")),
        }
    }

    fn jump(&self, from: Point, landings: &[PointName]) -> Result<(), MoveError> {
        if self.words.jump == JumpRule::None {
            return self.no_such_kind("jumps");
        }
        let mut at = from;
        let mut rebels = self.position.rebels();
        for landing in landings {
            let to = self.known(*landing)?;
            if to == at {
                return self.adjacent(at, to);
            }
            if rebels.contains(to) {
                let is_adjacent = self.board.neighbours(at).contains(to);
                let cure = if is_adjacent { "; a jump ends beyond the Rebel that it takes" } else { "" };
                return refuse(format!("{landing} is not empty{cure}"));
            }
            let hop = self.rules.jumps[at].iter().find(|hop| hop.to == to && rebels.contains_all(hop.over));
            let Some(hop) = hop else { return self.hop(at, to, rebels) };
            rebels = rebels.minus(hop.over);
            at = to;
        }
        Ok(())
    }

    fn free_jump(&self, to: Point) -> Result<(), MoveError> {
        if self.words.free_jumps == 0 {
            return self.no_such_kind("free jumps");
        }
        if self.position.free_jumps() == 0 {
            return refuse("no free jump is left");
        }
        self.empty(to)?;
        refuse(format!("a free jump ends on the field, not on {}", self.name(to)))
    }
}
