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

use crate::board::{Point, PointName, point_name};
use crate::position::{Move, MoveKind, MovePath, Position};
use crate::toml_file::alternatives;
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

privy_protocol::serialized_as_text!(MoveText);

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

    /// Why a text is none of the legal moves: no piece of the mover on its first point, or the rule word that forbids
    /// it, or else what can be played instead.
    fn objection(&self, position: &Position, text: &MoveText, moves: &[MovePath]) -> MoveError {
        let (board, names) = (self.board(), text.points());
        if let Some(name) = names.iter().find(|name| board.point(**name).is_none()) {
            return forbidden(format!("there is no point {name} on the board {}", board.id));
        }
        let is_on_board = !matches!(text, MoveText::Drop(_));
        let first = names.first().filter(|_| is_on_board).and_then(|name| board.point(*name));
        match (first, position.side()) {
            (Some(from), _) if !position.occupied().contains(from) => {
                return forbidden(format!("{} is empty", board.name(from)));
            }
            (Some(from), side) if (from == position.general()) != (side == Side::General) => {
                return MoveError::OtherSide(side);
            }
            _ => {}
        }
        let is_legal = |moves: &[MovePath]| !self.meant(text, moves).is_empty();
        // The words come back one by one, until the move is illegal.
        let culprit = self.relaxed().iter().find(|(rules, _)| !is_legal(&rules.legal_moves(position)));
        let Some(word) = culprit.and_then(|(_, word)| *word) else {
            return forbidden(format!("expected {}", self.legal_from(first, moves)));
        };
        let reason = word.sentence(self.rule_set()).trim_end_matches('.').to_owned();
        MoveError::Forbidden { reason, word: Some(word.key.name) }
    }

    /// The legal moves from a point, or all where there is none, in words.
    fn legal_from(&self, from: Option<Point>, moves: &[MovePath]) -> String {
        const SHOWN: usize = 8;
        let (of_piece, others): (Vec<&MovePath>, Vec<&MovePath>) =
            moves.iter().partition(|move_| Some(move_.action().from) == from);
        let shown = if of_piece.is_empty() { others } else { of_piece };
        let mut texts: Vec<String> = shown.into_iter().map(|move_| self.move_text(move_)).collect();
        texts.sort();
        if texts.len() > SHOWN {
            texts.truncate(SHOWN);
            texts.push("another legal move".to_owned());
        }
        alternatives(&texts)
    }
}

fn forbidden(reason: String) -> MoveError {
    MoveError::Forbidden { reason, word: None }
}
