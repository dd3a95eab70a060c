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
use privy_protocol::{ErrorCode, ProtocolError, Side};

use crate::board::{Board, Point, PointName, point_name};
use crate::compiled::CompiledRules;
use crate::in_line::Hop;
use crate::position::{Move, MoveKind, MovePath, Position};
use crate::rule_set::{JumpRows, JumpRule, RuleSet, StaticRule};
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

impl From<MoveError> for ProtocolError {
    fn from(error: MoveError) -> ProtocolError {
        let is_move = !matches!(error, MoveError::NotAMove(_));
        let code = if is_move { ErrorCode::IllegalMove } else { ErrorCode::SyntaxError };
        ProtocolError::new(code, error.to_string())
    }
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
        let mut points = Vec::new();
        for name in text.points() {
            let Some(point) = board.point(name) else {
                return forbidden(format!("there is no point {name} on the board {}", board.id()));
            };
            points.push(point);
        }
        let judge = Judge { words, board, rules: loose, position, moves };
        if let Err(refused) = judge.asks_of_any_move(text, &points) {
            return refused;
        }
        let is_legal = |moves: Vec<MovePath>| !self.meant(text, &moves).is_empty();
        if !is_legal(loose.legal_moves(position)) {
            return forbidden(judge.asks_of_the_board(text, &points));
        }
        // The words come back one by one, until the move is illegal.
        let culprit = stricter.iter().find(|(rules, _)| !is_legal(rules.legal_moves(position)));
        let Some(word) = culprit.and_then(|(_, word)| *word) else { return forbidden("no such move") };
        let reason = format!("{text}: {}", word.sentence(words).trim_end_matches('.'));
        MoveError::Forbidden { reason, word: Some(word.key.name) }
    }
}

fn forbidden(reason: impl Into<String>) -> MoveError {
    MoveError::Forbidden { reason: reason.into(), word: None }
}

/// What the board and the pieces ask of a move.
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
    /// One of the mover's pieces, and a drop or a pass where these are all there is.
    fn asks_of_any_move(&self, text: &MoveText, points: &[Point]) -> Result<(), MoveError> {
        let (position, side) = (self.position, self.position.side());
        let must_drop = self.moves.first().is_some_and(|move_| move_.action().kind == MoveKind::Drop);
        match (text, points) {
            (MoveText::Drop(_), _) => Ok(()),
            (_, []) => Err(forbidden("there is another move")),
            _ if must_drop => Err(forbidden("a piece in hand comes first; a drop is written @ and its point")),
            (_, [from, ..]) if !position.occupied().contains(*from) => {
                Err(forbidden(format!("{} is empty", self.board.name(*from))))
            }
            (_, [from, ..]) if (*from == position.general()) != (side == Side::General) => {
                Err(MoveError::OtherSide(side))
            }
            (MoveText::Walk(..) | MoveText::Ends(..), _) => Ok(()),
            _ if side == Side::Rebels => Err(forbidden("Rebels only step")),
            _ => Ok(()),
        }
    }

    /// Why a move of a point or more is illegal without any word that narrows the moves.
    fn asks_of_the_board(&self, text: &MoveText, points: &[Point]) -> String {
        let (words, position, board) = (self.words, self.position, self.board);
        let [from, to] = [points.first(), points.last()].map(|point| point.copied().unwrap_or(Point::HAND));
        let (is_free, is_general) = (!position.occupied().contains(to), from == position.general());
        let is_in_hand = match position.side() {
            Side::General => !board.has(position.general()),
            Side::Rebels => position.hand() > 0,
        };
        let absent = match text {
            MoveText::Jump(..) if words.jump == JumpRule::None => "jumps",
            MoveText::Static(..) if words.static_rule == StaticRule::None => "static interventions",
            MoveText::FreeJump(..) if words.free_jumps == 0 => "free jumps",
            _ => "",
        };
        let is_jump = |m: &MovePath| m.action().kind == MoveKind::Jump && m.landings().first() == Some(&to);
        let is_slide = is_general && self.rules.rays[from].iter().any(|ray| ray.contains(&to));
        let is_leap = is_general && self.rules.leaps[from].iter().any(|hop| hop.to == to);
        let (a, b) = (board.name(from), board.name(to));
        match text {
            MoveText::Drop(_) if !is_in_hand => "no piece is in hand".to_owned(),
            MoveText::Drop(_) if is_free => format!("no piece may be put on {b}"),
            // By a rule about sides that cannot move.
            _ if self.moves.iter().any(|move_| move_.action().kind == MoveKind::Pass) => {
                "the one legal move is pass".to_owned()
            }
            _ if !absent.is_empty() => format!("there are no {absent} in this variant"),
            MoveText::Jump(..) => self.no_jump(points),
            MoveText::Static(at, [a, b]) => format!("{a} and {b} are not a pair of Rebels in line with {at}"),
            MoveText::FreeJump(..) if position.free_jumps() == 0 => "no free jump is left".to_owned(),
            MoveText::FreeJump(..) if is_free => format!("a free jump ends on the field, not on {b}"),
            MoveText::Walk(..) | MoveText::Ends(..) if from == to => "the move goes nowhere".to_owned(),
            MoveText::Walk(..) | MoveText::Ends(..) if self.moves.iter().any(is_jump) => {
                format!("{a} and {b} are not adjacent; a jump is written {a}x{b}")
            }
            MoveText::Walk(..) | MoveText::Ends(..) if is_free && is_slide => {
                format!("the way from {a} to {b} is not free")
            }
            MoveText::Walk(..) | MoveText::Ends(..) if is_free && is_leap => self.no_hop(from, to),
            MoveText::Walk(..) | MoveText::Ends(..)
                if !is_slide && !is_leap && !board.neighbours(from).contains(to) =>
            {
                let how = if is_general && words.slide { "on one line" } else { "adjacent" };
                format!("{a} and {b} are not {how}")
            }
            _ => format!("{b} is not empty"),
        }
    }

    /// Why a chain of jumps is illegal: the first of them that is.
    fn no_jump(&self, points: &[Point]) -> String {
        let mut rebels = self.position.rebels();
        for leg in points.windows(2) {
            let is_leg = |hop: &&Hop| hop.to == leg[1] && rebels.contains_all(hop.over) && !rebels.contains(hop.to);
            let Some(hop) = self.rules.jumps[leg[0]].iter().find(is_leg) else { return self.no_hop(leg[0], leg[1]) };
            rebels = rebels.minus(hop.over);
        }
        "no such move".to_owned()
    }

    fn no_hop(&self, from: Point, to: Point) -> String {
        let over = match self.words.jump_rows {
            JumpRows::One => "one adjacent Rebel",
            JumpRows::Odd => "an odd number of Rebels without a gap",
        };
        let (from, to) = (self.board.name(from), self.board.name(to));
        format!("a jump goes over {over} to the empty point beyond, not from {from} to {to}")
    }
}
