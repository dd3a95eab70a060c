//! The rows of a position text, `1/3/rrrrr/r3r/r1G1r/r3r/rrrrr`, from the top, followed by what is in hand, `[Gr8]`.

use nom::character::complete::{char, satisfy, u32 as number};
use nom::combinator::{all_consuming, opt, verify};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};
use privy_base::message::counted;

use crate::board::{Board, MAX_POINTS, Point, PointSet};
use crate::position::Position;

/// The pieces of rows.
#[derive(Debug, Clone, Copy)]
pub struct Pieces {
    /// The Rebels on the board.
    pub rebels: PointSet,
    /// The General's point, [`Point::HAND`] while it is in hand.
    pub general: Point,
    /// The Rebels in hand.
    pub hand: u8,
}

/// The most Rebels in hand.
pub(super) const LARGEST_HAND: u8 = MAX_POINTS as u8 - 1;

const ONE_GENERAL: &str = "expected one G, or [G] at the end for one in hand";

/// Splits rows from the hand after them: true if the General is in hand, and the number of Rebels.
fn split_hand(text: &str) -> Result<(&str, bool, u8), String> {
    let Some((rows, hand)) = text.split_once('[') else { return Ok((text, false, 0)) };
    let rebels = preceded(char('r'), verify(number, |rebels| (1..=u32::from(LARGEST_HAND)).contains(rebels)));
    let pieces = (opt(char('G')), opt(rebels));
    let pieces = verify(pieces, |(general, rebels)| general.is_some() || rebels.is_some());
    let parsed: IResult<&str, _> = all_consuming(terminated(pieces, char(']'))).parse(hand);
    parsed.map(|(_, (general, rebels))| (rows, general.is_some(), rebels.unwrap_or(0) as u8)).map_err(|_| {
        let expected = format!("[G], [r8] or [Gr8] at the end, with 1 to {LARGEST_HAND} Rebels in hand");
        format!("hand: expected {expected}, found \"[{hand}\"")
    })
}

/// Reads a row into a list of pieces and runs of empty points: `r`, `G` and `.`, each with its number of points. False
/// for another text.
fn read_items<'a>(
    mut run: impl Parser<&'a str, Output = u32, Error = nom::error::Error<&'a str>>,
    mut text: &'a str,
    items: &mut Vec<(char, u32)>,
) -> bool {
    items.clear();
    while let Some(first) = text.as_bytes().first() {
        let (rest, item) = match first {
            b'r' | b'G' => (&text[1..], (char::from(*first), 1)),
            _ => match run.parse(text) {
                Ok((rest, run)) if run > 0 => (rest, ('.', run)),
                _ => return false,
            },
        };
        items.push(item);
        text = rest;
    }
    true
}

/// Reads a row of `expected` points into a list. Runs may be written in any way that adds up, `12` for three points
/// too; on a board with ten files or more a number is read as one run if that adds up.
fn read_row(text: &str, row: u8, expected: usize, items: &mut Vec<(char, u32)>) -> Result<(), String> {
    let digit = satisfy(|c| c.is_ascii_digit()).map(|c| c.to_digit(10).unwrap_or(0));
    let length = |items: &[(char, u32)]| items.iter().map(|(_, run)| u64::from(*run)).sum::<u64>();
    if read_items(number, text, items) && length(items) == expected as u64 {
        return Ok(());
    }
    // The reading digit by digit is the usual one on most boards.
    if !(read_items(digit, text, items) || read_items(number, text, items)) {
        return Err(format!("row {row}: \"{text}\": expected r, G and numbers of empty points"));
    }
    let found = length(items);
    let wrong = || format!("row {row}: \"{text}\" has {}, expected {expected}", counted(found, "point"));
    if found == expected as u64 { Ok(()) } else { Err(wrong()) }
}

/// The pieces of the rows of a text; Rebels stand on the ground alone.
pub fn read_rows(text: &str, board: &Board, ground: PointSet) -> Result<Pieces, String> {
    let (text, is_general_in_hand, hand) = split_hand(text)?;
    if (is_general_in_hand || hand > 0) && board.has(Point::HAND) {
        return Err(format!("found a hand on a board of {MAX_POINTS} points; expected at most {LARGEST_HAND}"));
    }
    let rows = &board.rows;
    let found = text.bytes().filter(|byte| *byte == b'/').count() + 1;
    if found != rows.len() {
        return Err(format!("rows: expected {} rows joined by /, found {found}", rows.len()));
    }
    let mut rebels = PointSet::EMPTY;
    let mut general = is_general_in_hand.then_some(Point::HAND);
    let mut items = Vec::with_capacity(board.len());
    for (points, text) in rows.iter().zip(text.split('/')) {
        let row = points.first().map_or(0, |p| board.name(*p).row());
        let mut points = points.iter();
        read_row(text, row, points.len(), &mut items)?;
        for (letter, run) in &items {
            match (letter, points.next()) {
                ('r', Some(point)) => rebels = rebels.with(*point),
                ('G', Some(point)) => {
                    if let Some(other) = general.replace(*point) {
                        let first =
                            if board.has(other) { format!("on {}", board.name(other)) } else { "in hand".to_owned() };
                        let places = format!("{first} and on {}", board.name(*point));
                        return Err(format!("there are two Generals, {places}; {ONE_GENERAL}"));
                    }
                }
                // The run has one point already.
                _ => points.by_ref().take(*run as usize - 1).for_each(drop),
            }
        }
    }
    if let Some(point) = rebels.minus(ground).first() {
        return Err(format!("Rebels may not stand on {}; expected none there", board.name(point)));
    }
    let general = general.ok_or_else(|| format!("there is no General; {ONE_GENERAL}"))?;
    Ok(Pieces { rebels, general, hand })
}

/// The rows of a position, runs of empty points as long as possible, and its hand.
pub fn rows_text(position: &Position, board: &Board) -> String {
    let is_empty = |p: &Point| !position.occupied().contains(*p);
    let row_text = |row: &Vec<Point>| -> String {
        let runs = row.chunk_by(|a, b| is_empty(a) && is_empty(b));
        let run_text = |run: &[Point]| match run[0] {
            p if p == position.general() => "G".to_owned(),
            p if position.rebels().contains(p) => "r".to_owned(),
            _ => run.len().to_string(),
        };
        runs.map(run_text).collect()
    };
    let rows = board.rows.iter().map(row_text).collect::<Vec<_>>().join("/");
    rows + &hand_text(position, board)
}

/// What is in hand, `[Gr8]`; nothing where nothing is.
pub(super) fn hand_text(position: &Position, board: &Board) -> String {
    let general = if board.has(position.general()) { "" } else { "G" };
    match (general, position.hand()) {
        ("", 0) => String::new(),
        (general, 0) => format!("[{general}]"),
        (general, rebels) => format!("[{general}r{rebels}]"),
    }
}
