//! Three points in line, and directions by the drawing coordinates.

use super::Point;

/// Where a point is drawn, in hundredths of the distance between two files. y grows upwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// To the right; file `a` stands at 100.
    pub x: i32,
    /// Upwards; row 1 stands at 100.
    pub y: i32,
}

impl Spot {
    /// Units per file or row.
    pub const UNIT: i32 = 100;

    /// The direction from here to another spot.
    pub fn to(self, other: Spot) -> Direction {
        Direction { x: other.x - self.x, y: other.y - self.y }
    }
}

/// A direction by the drawing coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Direction {
    x: i32,
    y: i32,
}

impl Direction {
    /// Equal x or equal y at both ends (RULES §1); every other direction is diagonal.
    pub fn is_orthogonal(self) -> bool {
        self.x == 0 || self.y == 0
    }

    /// Do the two directions meet at a right angle?
    pub fn is_perpendicular_to(self, other: Direction) -> bool {
        i64::from(self.x) * i64::from(other.x) + i64::from(self.y) * i64::from(other.y) == 0
    }

    /// Is the other direction the same, whatever the lengths?
    pub fn is_parallel_to(self, other: Direction) -> bool {
        let cross = i64::from(self.x) * i64::from(other.y) - i64::from(self.y) * i64::from(other.x);
        let dot = i64::from(self.x) * i64::from(other.x) + i64::from(self.y) * i64::from(other.y);
        cross == 0 && dot > 0
    }
}

/// Three points in line: `first`, `middle` and `last` follow one another on one straight line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Triple {
    /// One end.
    pub first: Point,
    /// Between the two.
    pub middle: Point,
    /// The other end.
    pub last: Point,
}
