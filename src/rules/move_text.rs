//! Moves as text: what a player writes becomes a [`MoveText`], and a position turns that into a legal [`MovePath`].

use std::fmt;
use std::str::FromStr;

use nom::branch::alt;
use nom::character::complete::char;
use nom::combinator::{all_consuming, opt};
use nom::multi::many1;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::board::{Point, PointName, point_name};

use super::illegal::{IllegalMove, why_illegal};
use super::{MoveKind, MovePath, Position, Variant};

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
}

/// Text that is no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a move: expected a form such as c3-b2, c3xe5xc5, c5:b5d5, c3~a1 or c3b2")]
pub struct NotAMove(pub String);

fn move_text(text: &str) -> IResult<&str, MoveText> {
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
        }
    }
}

/// Why a text is no move of a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not a move at all.
    #[error(transparent)]
    Text(#[from] NotAMove),
    /// Not legal here.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

impl Variant {
    /// The canonical text of a legal move.
    #[must_use]
    pub fn move_text(&self, move_: &MovePath) -> String {
        self.describe(move_).to_string()
    }

    /// A legal move in the form that its canonical text is written from.
    #[must_use]
    pub fn describe(&self, move_: &MovePath) -> MoveText {
        let name = |p: Point| self.board().name(p);
        let action = move_.action();
        let (from, to) = (name(action.from), name(action.to));
        match action.kind {
            MoveKind::Walk | MoveKind::Leap => MoveText::Walk(from, to),
            MoveKind::Jump => MoveText::Jump(from, move_.landings().iter().map(|p| name(*p)).collect()),
            MoveKind::FreeJump => MoveText::FreeJump(from, to),
            MoveKind::Static => {
                let mut pair: Vec<PointName> = action.captured.into_iter().map(name).collect();
                pair.sort();
                match *pair {
                    [a, b] => MoveText::Static(from, [a, b]),
                    // A static intervention takes a pair; there is no other.
                    _ => MoveText::Static(from, [from, from]),
                }
            }
        }
    }

    /// The legal move that a text means in a position that is not over.
    ///
    /// # Errors
    /// What the rules say against it, or which moves it could mean.
    pub fn find_move(&self, position: &Position, text: &MoveText) -> Result<MovePath, IllegalMove> {
        let moves = self.legal_moves(position);
        let meant = |move_: &&MovePath| match (text, self.describe(move_)) {
            (MoveText::Ends(from, to), _) => {
                let action = move_.action();
                self.board().name(action.from) == *from && self.board().name(action.to) == *to
            }
            (text, canonical) => *text == canonical,
        };
        let mut found: Vec<&MovePath> = moves.iter().filter(meant).collect();
        match *found {
            [] => Err(why_illegal(self, position, &moves, text)),
            [move_] => Ok(move_.clone()),
            _ => {
                found.sort_by_key(|move_| (kind_order(move_.action().kind), self.move_text(move_)));
                Err(IllegalMove::Ambiguous(found.iter().map(|m| self.move_text(m)).collect::<Vec<_>>().join(" ")))
            }
        }
    }
}

/// Captures come first in a list of what a text could mean.
fn kind_order(kind: MoveKind) -> u8 {
    match kind {
        MoveKind::Jump => 0,
        MoveKind::Static => 1,
        MoveKind::Walk => 2,
        MoveKind::Leap => 3,
        MoveKind::FreeJump => 4,
    }
}
