//! What can be wrong with a board file.

use super::NotAPoint;

/// Why a board file is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BoardError {
    /// The file is not TOML, or a key is missing, unknown or of the wrong type.
    #[error("board file: {0}")]
    Syntax(String),
    /// The id has other characters than lower case letters, digits and `-`.
    #[error("board id \"{0}\": expected lower case letters, digits and -")]
    Id(String),
    /// A name that is not a point name at all.
    #[error("board point: {0}")]
    Name(#[from] NotAPoint),
    /// The field has no points, or more than names or words can hold.
    #[error(
        "board field: {0} files by {1} rows; expected 1 to 23 files, 1 to 52 rows and at most 64 points with the privy"
    )]
    FieldSize(u8, u8),
    /// A privy point carries the name of a field point.
    #[error("board point {0}: a field point can't be a privy point too")]
    Twice(String),
    /// Coordinates that are not multiples of a hundredth or far outside.
    #[error("board point {0}: coordinates must be multiples of 0.01 between -1000 and 1000")]
    Coordinates(String),
    /// Two points stand on one spot.
    #[error("board points {0} and {1}: they have the same coordinates")]
    SameSpot(String, String),
    /// A line names a point that the board does not have.
    #[error("board line {line}: there is no point {point}")]
    UnknownPoint {
        /// The line as the file has it.
        line: String,
        /// The name that is no point.
        point: String,
    },
    /// A line that has fewer than two points, turns, or goes back.
    #[error("board line {0}: expected two points or more, one after the other on a straight line")]
    NotStraight(String),
    /// An apex that is not a privy point.
    #[error("board apex {0}: expected a point of the privy")]
    Apex(String),
    /// More lines go through a point than the tables have room for.
    #[error("board point {0}: more than {max} pairs of neighbours are in line with it", max = super::MAX_LINES)]
    TooManyLines(String),
}
