//! Positions as text: `1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels`.
//!
//! Six fields: rows from the top, side to move, flags, plies since the last capture, ply number, variant id. Input may
//! leave out fields from the end.

use std::fmt;
use std::sync::Arc;

use nom::branch::alt;
use nom::character::complete::{char, satisfy, u32 as number};
use nom::combinator::{all_consuming, value, verify};
use nom::multi::many0;
use nom::{IResult, Parser};

use crate::board::{Board, Point, PointName, PointSet};
use crate::message::plural;

use super::{DEFAULT_VARIANT, Game, Outcome, Position, Side, Variant};

/// The reason why a position text is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The number of rows is not the board's.
    #[error("rows: expected {0} rows joined by /, found {1}")]
    Rows(usize, usize),
    /// No General, or several.
    #[error("there {0}")]
    Generals(String),
    /// A Rebel where none may stand.
    #[error("Rebels may not stand in the privy ({0})")]
    RebelInPrivy(PointName),
    /// The sixth field names no variant.
    #[error("unknown variant: \"{0}\"")]
    UnknownVariant(String),
    /// No game can reach the position.
    #[error("no game can reach it, it would have ended before: {0}")]
    Unreachable(Outcome),
    /// A field that is malformed or out of range: the field, what was found, what is expected.
    #[error("{0}")]
    Field(String),
}

fn field_error<T>(text: String) -> Result<T, PositionError> {
    Err(PositionError::Field(text))
}

#[derive(Clone, Copy)]
enum Item {
    Rebel,
    General,
    Empty(u32),
}

fn items<'a>(
    run: impl Parser<&'a str, Output = u32, Error = nom::error::Error<&'a str>>,
    text: &'a str,
) -> Option<Vec<Item>> {
    let rebel = value(Item::Rebel, char('r'));
    let general = value(Item::General, char('G'));
    let empty = verify(run, |run| *run > 0).map(Item::Empty);
    let parsed: IResult<&str, Vec<Item>> = all_consuming(many0(alt((rebel, general, empty)))).parse(text);
    parsed.ok().map(|(_, items)| items)
}

/// Reads a row of `expected` points. Runs may be written in any way that adds up, `12` for three points too; on a board
/// with ten files or more a number is read as one run if that adds up.
fn row_items(text: &str, row: u8, expected: usize) -> Result<Vec<Item>, PositionError> {
    let digit = satisfy(|c| c.is_ascii_digit()).map(|c| c.to_digit(10).unwrap_or(0));
    let length = |items: &Vec<Item>| -> u64 {
        items.iter().map(|item| if let Item::Empty(run) = item { u64::from(*run) } else { 1 }).sum()
    };
    let readings: Vec<Vec<Item>> = [items(number, text), items(digit, text)].into_iter().flatten().collect();
    // The reading digit by digit is the usual one on most boards.
    let Some(found) = readings.last().map(length) else {
        return field_error(format!("row {row}: \"{text}\": expected r, G and numbers of empty points"));
    };
    match readings.into_iter().find(|items| length(items) == expected as u64) {
        Some(items) => Ok(items),
        None => field_error(format!("row {row}: \"{text}\" has {found} points, expected {expected}")),
    }
}

pub(super) fn read_rows(text: &str, board: &Board, ground: PointSet) -> Result<(PointSet, Point), PositionError> {
    let rows = board.rows_from_top();
    let texts: Vec<&str> = text.split('/').collect();
    if texts.len() != rows.len() {
        return Err(PositionError::Rows(rows.len(), texts.len()));
    }
    let mut rebels = PointSet::EMPTY;
    let mut general: Option<Point> = None;
    for (points, text) in rows.iter().zip(texts) {
        let row = points.first().map_or(0, |p| board.name(*p).row());
        let mut points = points.iter();
        for item in row_items(text, row, points.len())? {
            match (item, points.next()) {
                (Item::Rebel, Some(point)) => rebels = rebels.with(*point),
                (Item::General, Some(point)) => {
                    if let Some(other) = general.replace(*point) {
                        let text = format!("are two Generals, on {} and {}", board.name(other), board.name(*point));
                        return Err(PositionError::Generals(text));
                    }
                }
                // The run has one point already.
                (Item::Empty(run), _) => points.by_ref().take(run as usize - 1).for_each(drop),
                (_, None) => {}
            }
        }
    }
    if let Some(point) = rebels.minus(ground).first() {
        return Err(PositionError::RebelInPrivy(board.name(point)));
    }
    Ok((rebels, general.ok_or_else(|| PositionError::Generals("is no General".to_owned()))?))
}

pub(super) fn rows_text(position: &Position, board: &Board) -> String {
    let is_empty = |p: &Point| !position.occupied().contains(*p);
    let row_text = |row: Vec<Point>| -> String {
        let runs = row.chunk_by(|a, b| is_empty(a) && is_empty(b));
        let run_text = |run: &[Point]| match run[0] {
            p if p == position.general() => "G".to_owned(),
            p if position.rebels().contains(p) => "r".to_owned(),
            _ => run.len().to_string(),
        };
        runs.map(run_text).collect()
    };
    board.rows_from_top().into_iter().map(row_text).collect::<Vec<_>>().join("/")
}

fn read_flags(text: &str, variant: &Variant) -> Result<(bool, u8), PositionError> {
    let (remembers, free_jumps) = (!variant.rules().return_apex.is_empty(), variant.rule_set().free_jumps);
    let wrong = || {
        let expected = match (remembers, free_jumps) {
            (false, 0) => "-".to_owned(),
            (true, 0) => "a or -".to_owned(),
            (false, n) => format!("a digit from 0 to {n}"),
            (true, n) => format!("a digit from 0 to {n}, with or without an a before it"),
        };
        PositionError::Field(format!("flags: expected {expected}, found \"{text}\""))
    };
    let (visited, rest) = match text.strip_prefix('a') {
        Some(rest) if remembers => (true, rest),
        Some(_) => return Err(wrong()),
        None => (false, text),
    };
    let left = match (free_jumps, rest) {
        (0, "") if visited => 0,
        (0, "-") if !visited => 0,
        (n @ 1.., digit) if digit.len() == 1 => digit.parse().ok().filter(|left| *left <= n).ok_or_else(wrong)?,
        _ => return Err(wrong()),
    };
    Ok((visited, left))
}

fn read_number(text: &str, field: &str) -> Result<u32, PositionError> {
    let parsed: IResult<&str, u32> = all_consuming(number).parse(text);
    let wrong = |_| format!("{field}: expected a number from 0 to 4294967295, found \"{text}\"");
    parsed.map(|(_, n)| n).map_err(wrong).or_else(field_error)
}

impl Game {
    /// A game that begins with the position of a text. The sixth field may name any built-in variant, or `current`; where the text has none, the
    /// position is one of `current`, or of the default variant.
    ///
    /// # Errors
    /// The wrong field, what was found there, and what is expected.
    pub fn from_text(text: &str, current: Option<&Arc<Variant>>) -> Result<Game, PositionError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let [rows, ..] = *fields else {
            return field_error("empty; expected rows such as 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr".to_owned());
        };
        if let Some(extra) = fields.get(6) {
            return field_error(format!("field 7: expected at most 6 fields, found \"{extra}\""));
        }
        let id = fields.get(5).copied();
        let variant = match (id, current) {
            (None, Some(current)) => Some(Arc::clone(current)),
            (Some(id), Some(current)) if id == current.id() => Some(Arc::clone(current)),
            (id, _) => Variant::builtin(id.unwrap_or(DEFAULT_VARIANT)),
        };
        let variant = variant.ok_or_else(|| PositionError::UnknownVariant(id.unwrap_or_default().to_owned()))?;
        let (rebels, general) = read_rows(rows, variant.board(), variant.rules().ground)?;
        let (found, limit) = (rebels.len(), variant.opening().rebels().len());
        if found > limit {
            return field_error(format!("{found} {}, the opening has {limit}", plural(found.into(), "Rebel")));
        }
        let side = match fields.get(1).copied() {
            None => variant.rule_set().first,
            Some("g") => Side::General,
            Some("r") => Side::Rebels,
            Some(other) => return field_error(format!("side to move: expected g or r, found \"{other}\"")),
        };
        let (visited, free_jumps) = match fields.get(2) {
            None => (false, variant.rule_set().free_jumps),
            Some(text) => read_flags(text, &variant)?,
        };
        let number = |index: usize, name| fields.get(index).map_or(Ok(0), |text| read_number(text, name));
        let since_capture = number(3, "plies since the last capture")?;
        let ply = number(4, "ply number")?;
        // The flag is set as soon as the General stands there (RULES §4).
        let apex_visited = visited || variant.rules().return_apex.contains(general);
        let position = Position::new(rebels, general, side, apex_visited, free_jumps);
        if side == Side::General
            && let Some(outcome) = variant.rules().goal_after_general(&position)
        {
            return Err(PositionError::Unreachable(outcome));
        }
        Ok(Game::new(&variant, position, since_capture, ply))
    }
}

impl Variant {
    /// The first three fields of the text of a position: pieces, side to move, flags.
    pub fn position_text(&self, position: &Position) -> String {
        let rows = rows_text(position, self.board());
        let apex = if position.apex_visited() { "a" } else { "" };
        let flags = match self.rule_set().free_jumps {
            0 if position.apex_visited() => apex.to_owned(),
            0 => "-".to_owned(),
            _ => format!("{apex}{}", position.free_jumps()),
        };
        format!("{rows} {} {flags}", position.side().letter())
    }
}

/// The canonical text of the position to move in, all six fields.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (since_capture, ply) = (self.plies_since_capture(), self.ply());
        let position = self.variant().position_text(self.position());
        write!(f, "{position} {since_capture} {ply} {}", self.variant().id())
    }
}
