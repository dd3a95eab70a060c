//! Points and their names.

use std::fmt;
use std::str::FromStr;

use nom::character::complete::{satisfy, u8 as number};
use nom::combinator::{all_consuming, verify};
use nom::{IResult, Parser};

/// How many points a board may have: a [`PointSet`](super::PointSet) is one machine word.
pub const MAX_POINTS: usize = 64;

/// A point of a board, as an index below [`MAX_POINTS`].
///
/// The field comes first, row by row from `a1`, then the points of the privy; so a step has the same index offset
/// wherever it starts on the field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// The point with this index. Only the lowest six bits count, so that a point always fits its tables.
    #[inline(always)]
    pub const fn new(index: usize) -> Point {
        Point((index & (MAX_POINTS - 1)) as u8)
    }

    /// The index of the point, below [`MAX_POINTS`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask tells the compiler that a table of 64 needs no bounds check.
        (self.0 as usize) & (MAX_POINTS - 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The name of a point: a file letter and a row number, `c3`. Not every name is a point of every board.
///
/// Ordered by row, then by file, as a static intervention names its pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PointName {
    row: u8,
    file: u8,
}

impl PointName {
    /// The last file letter. `x` would make the jump `w3xx5` unreadable.
    pub const LAST_FILE: char = 'w';
    /// The last row number.
    pub const LAST_ROW: u8 = 52;

    /// The name on file number `file` (1 is `a`) and row `row` (from 1); none when it would not be a name.
    pub fn new(file: u8, row: u8) -> Option<PointName> {
        let files = Self::LAST_FILE as u8 - b'a' + 1;
        ((1..=files).contains(&file) && (1..=Self::LAST_ROW).contains(&row)).then_some(PointName { row, file })
    }

    /// The file number; `a` is 1.
    pub fn file(self) -> u8 {
        self.file
    }

    /// The file letter.
    pub fn letter(self) -> char {
        (b'a' + self.file - 1) as char
    }

    /// The row number, from 1.
    pub fn row(self) -> u8 {
        self.row
    }
}

/// Reads a point name at the beginning of `text`; the case of the letter does not matter.
pub(crate) fn point_name(text: &str) -> IResult<&str, PointName> {
    let letter = satisfy(|c| ('a'..=PointName::LAST_FILE).contains(&c.to_ascii_lowercase()));
    let row = verify(number, |row| (1..=PointName::LAST_ROW).contains(row));
    (letter, row).map(|(letter, row)| PointName { row, file: letter.to_ascii_lowercase() as u8 - b'a' + 1 }).parse(text)
}

/// Text that is not the name of a point.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a point: expected a file letter and a row number, such as c3")]
pub struct NotAPoint(pub String);

impl FromStr for PointName {
    type Err = NotAPoint;

    fn from_str(text: &str) -> Result<Self, NotAPoint> {
        let parsed: IResult<&str, PointName> = all_consuming(point_name).parse(text);
        parsed.map(|(_, name)| name).map_err(|_| NotAPoint(text.to_owned()))
    }
}

impl fmt::Display for PointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter(), self.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn names_round_trip(file in 1u8..=23, row in 1u8..=52, upper: bool) {
            let name = PointName::new(file, row).unwrap();
            let text = if upper { name.to_string().to_uppercase() } else { name.to_string() };
            prop_assert_eq!(text.parse::<PointName>().unwrap(), name);
        }

        #[test]
        fn any_text_is_a_name_or_an_error(text in "\\PC{0,6}") {
            if let Ok(name) = text.parse::<PointName>() {
                prop_assert_eq!(name.to_string().parse::<PointName>().unwrap(), name);
            }
        }
    }

    #[test]
    fn wrong_names_are_quoted() {
        for text in ["", "3c", "c", "c0", "x3", "c53", "c3 ", "c300", "cc3"] {
            let error = text.parse::<PointName>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("\"{text}\" is not a point")));
        }
    }
}
