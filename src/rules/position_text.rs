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

use crate::board::{Board, Point, PointSet};
use crate::noun::noun;

use super::registry::DEFAULT_VARIANT;
use super::{Game, Outcome, Position, Side, Variant};

/// Why a position text is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Nothing there.
    #[error("empty; expected rows such as 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr")]
    Empty,
    /// More than six fields.
    #[error("field 7: expected at most 6 fields, found \"{0}\"")]
    TooManyFields(String),
    /// The number of rows is not the board's.
    #[error("rows: expected {expected} rows joined by /, found {found}")]
    Rows {
        /// Rows of the board.
        expected: usize,
        /// Rows of the text.
        found: usize,
    },
    /// A row with characters that mean nothing.
    #[error("row {row}: \"{text}\": expected r, G and numbers of empty points")]
    RowText {
        /// The row's number on the board.
        row: u8,
        /// The row as found.
        text: String,
    },
    /// A row that does not add up.
    #[error("row {row}: \"{text}\" has {found} points, expected {expected}")]
    RowLength {
        /// The row's number on the board.
        row: u8,
        /// The row as found.
        text: String,
        /// Points in the text.
        found: u64,
        /// Points on the board.
        expected: usize,
    },
    /// No General.
    #[error("there is no General")]
    NoGeneral,
    /// More than one General.
    #[error("there are two Generals, on {0} and {1}")]
    TwoGenerals(String, String),
    /// A Rebel where none may stand.
    #[error("Rebels may not stand in the privy ({0})")]
    RebelInPrivy(String),
    /// More Rebels than the opening has.
    #[error("{found} {}, the opening has {limit}", noun((*found).into(), "Rebel"))]
    TooManyRebels {
        /// Rebels of the text.
        found: u32,
        /// Rebels of the opening.
        limit: u32,
    },
    /// The second field.
    #[error("side to move: expected g or r, found \"{0}\"")]
    Side(String),
    /// The third field.
    #[error("flags: expected {expected}, found \"{found}\"")]
    Flags {
        /// What the variant's flags look like.
        expected: String,
        /// What was there.
        found: String,
    },
    /// The fourth or fifth field.
    #[error("{field}: expected a number from 0 to 4294967295, found \"{found}\"")]
    Number {
        /// Which of the two.
        field: &'static str,
        /// What was there.
        found: String,
    },
    /// The sixth field names no variant.
    #[error("unknown variant: \"{0}\"")]
    UnknownVariant(String),
    /// No game can reach the position.
    #[error("no game can reach it, it would have ended before: {0}")]
    Unreachable(Outcome),
}

/// One character or number of a row.
#[derive(Clone, Copy)]
enum Item {
    Rebel,
    General,
    Empty(u32),
}

impl Item {
    /// How many points it stands for.
    fn len(self) -> u64 {
        if let Item::Empty(run) = self { u64::from(run) } else { 1 }
    }
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

/// Reads a row of so many points. Runs may be written in any way that adds up, `12` for three points too; on a board
/// with ten files or more a number is read as one run if that adds up.
fn row_items(text: &str, row: u8, expected: usize) -> Result<Vec<Item>, PositionError> {
    let digit = satisfy(|c| c.is_ascii_digit()).map(|c| c.to_digit(10).unwrap_or(0));
    let length = |items: &Vec<Item>| items.iter().map(|item| item.len()).sum::<u64>();
    let readings = [items(number, text), items(digit, text)];
    let fits = |reading: &&Vec<Item>| length(reading) == expected as u64;
    let Some(first) = readings.iter().flatten().next() else {
        return Err(PositionError::RowText { row, text: text.to_owned() });
    };
    // The reading digit by digit is the one that people mean on most boards.
    let found = readings.iter().flatten().next_back().map_or(length(first), length);
    let fitting = readings.iter().flatten().find(fits).cloned();
    fitting.ok_or(PositionError::RowLength { row, text: text.to_owned(), found, expected })
}

/// Reads the first field of a position text.
pub(super) fn read_rows(text: &str, board: &Board, ground: PointSet) -> Result<(PointSet, Point), PositionError> {
    let rows = board.rows_from_top();
    let texts: Vec<&str> = text.split('/').collect();
    if texts.len() != rows.len() {
        return Err(PositionError::Rows { expected: rows.len(), found: texts.len() });
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
                        let name = |p| board.name(p).to_string();
                        return Err(PositionError::TwoGenerals(name(other), name(*point)));
                    }
                }
                // The run has one point already.
                (Item::Empty(run), _) => points.by_ref().take(run as usize - 1).for_each(drop),
                (_, None) => {}
            }
        }
    }
    if let Some(point) = rebels.minus(ground).first() {
        return Err(PositionError::RebelInPrivy(board.name(point).to_string()));
    }
    Ok((rebels, general.ok_or(PositionError::NoGeneral)?))
}

/// Writes the first field of a position text.
pub(super) fn rows_text(position: &Position, board: &Board) -> String {
    let row_text = |row: Vec<Point>| {
        let mut text = String::new();
        let mut run = 0;
        for point in row {
            let piece = match point {
                p if p == position.general() => 'G',
                p if position.rebels().contains(p) => 'r',
                _ => {
                    run += 1;
                    continue;
                }
            };
            if run > 0 {
                text += &run.to_string();
                run = 0;
            }
            text.push(piece);
        }
        if run > 0 {
            text += &run.to_string();
        }
        text
    };
    board.rows_from_top().into_iter().map(row_text).collect::<Vec<_>>().join("/")
}

/// The flags of a variant: is the visit of an apex remembered, and how many free jumps are there?
fn flags_of(variant: &Variant) -> (bool, u8) {
    (!variant.rules().return_apex.is_empty(), variant.rule_set().free_jumps)
}

fn read_flags(text: &str, variant: &Variant) -> Result<(bool, u8), PositionError> {
    let (remembers, free_jumps) = flags_of(variant);
    let wrong = || PositionError::Flags {
        expected: match (remembers, free_jumps) {
            (false, 0) => "-".to_owned(),
            (true, 0) => "a or -".to_owned(),
            (false, n) => format!("a digit from 0 to {n}"),
            (true, n) => format!("a digit from 0 to {n}, with or without an a before it"),
        },
        found: text.to_owned(),
    };
    let (visited, rest) = match text.strip_prefix('a') {
        Some(rest) if remembers => (true, rest),
        Some(_) => return Err(wrong()),
        None => (false, text),
    };
    let left = match (free_jumps, rest) {
        (0, "") if visited => 0,
        (0, "-") if !visited => 0,
        (0, _) => return Err(wrong()),
        (n, digit) if digit.len() == 1 => digit.parse().ok().filter(|left| *left <= n).ok_or_else(wrong)?,
        _ => return Err(wrong()),
    };
    Ok((visited, left))
}

fn read_number(text: &str, field: &'static str) -> Result<u32, PositionError> {
    let parsed: IResult<&str, u32> = all_consuming(number).parse(text);
    parsed.map(|(_, n)| n).map_err(|_| PositionError::Number { field, found: text.to_owned() })
}

impl Game {
    /// A game that begins with the position of a text. The sixth field may name any built-in variant, or `current`; where the text has none, the
    /// position is one of `current`, or of the default variant.
    ///
    /// # Errors
    /// Says which field is wrong, what was found there, and what would be right.
    pub fn from_text(text: &str, current: Option<&Arc<Variant>>) -> Result<Game, PositionError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let [rows, ..] = *fields else { return Err(PositionError::Empty) };
        if let Some(extra) = fields.get(6) {
            return Err(PositionError::TooManyFields((*extra).to_owned()));
        }
        let id = fields.get(5).copied();
        let variant = match (id, current) {
            (None, Some(current)) => Some(Arc::clone(current)),
            (Some(id), Some(current)) if id == current.id() => Some(Arc::clone(current)),
            (id, _) => Variant::builtin(id.unwrap_or(DEFAULT_VARIANT)),
        };
        let variant = variant.ok_or_else(|| PositionError::UnknownVariant(id.unwrap_or_default().to_owned()))?;
        let (rebels, general) = read_rows(rows, variant.board(), variant.rules().ground)?;
        let limit = variant.opening().rebels().len();
        if rebels.len() > limit {
            return Err(PositionError::TooManyRebels { found: rebels.len(), limit });
        }
        let side = match fields.get(1).copied() {
            None => variant.rule_set().first,
            Some("g") => Side::General,
            Some("r") => Side::Rebels,
            Some(other) => return Err(PositionError::Side(other.to_owned())),
        };
        let (visited, free_jumps) = match fields.get(2) {
            None => (false, variant.rule_set().free_jumps),
            Some(text) => read_flags(text, &variant)?,
        };
        let number = |index: usize, name| fields.get(index).map_or(Ok(0), |text| read_number(text, name));
        let since_capture = number(3, "plies since the last capture")?;
        let ply = number(4, "ply number")?;
        // The flag is set as soon as he stands there (RULES §4).
        let apex_visited = visited || variant.rules().return_apex.contains(general);
        let position = Position::new(rebels, general, side, apex_visited, free_jumps);
        variant.reachable(&position)?;
        Ok(Game::new(&variant, position, since_capture, ply))
    }
}

impl Variant {
    /// The first three fields of the text of a position: pieces, side to move, flags.
    #[must_use]
    pub fn position_text(&self, position: &Position) -> String {
        let rows = rows_text(position, self.board());
        let apex = if position.apex_visited() { "a" } else { "" };
        let flags = match flags_of(self) {
            (_, 0) if position.apex_visited() => apex.to_owned(),
            (_, 0) => "-".to_owned(),
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
