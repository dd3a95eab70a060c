//! Drawing coordinates, directions, points in line, and the mirror symmetry of a board.

use super::{Board, MAX_POINTS, Point, PointSet};

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
    pub(crate) fn to(self, other: Spot) -> Direction {
        Direction { x: (other.x - self.x).into(), y: (other.y - self.y).into() }
    }
}

/// A direction by the drawing coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Direction {
    x: i64,
    y: i64,
}

impl Direction {
    /// Equal x or equal y at both ends (RULES §1); every other direction is diagonal.
    pub(crate) fn is_orthogonal(self) -> bool {
        self.x == 0 || self.y == 0
    }

    fn dot(self, other: Direction) -> i64 {
        self.x * other.x + self.y * other.y
    }

    /// True if the two directions meet at a right angle.
    pub(crate) fn is_perpendicular_to(self, other: Direction) -> bool {
        self.dot(other) == 0
    }

    /// True if the other direction is the same, at any length.
    pub(crate) fn is_parallel_to(self, other: Direction) -> bool {
        self.x * other.y == self.y * other.x && self.dot(other) > 0
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

impl Triple {
    /// Both ends.
    pub fn ends(&self) -> PointSet {
        PointSet::of(self.first).with(self.last)
    }

    pub(super) fn joins(&self, middle: Point, ends: PointSet) -> bool {
        self.middle == middle && self.ends() == ends
    }
}

/// A reflection that maps a board onto itself: left and right on the boards with the privy above, top and bottom on
/// gonu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirror {
    image: [Point; MAX_POINTS],
    /// The images of sets of eight neighbouring indices, by the byte that holds them.
    bytes: Vec<[PointSet; 256]>,
    /// True if it exchanges left and right, and not top and bottom.
    pub is_left_right: bool,
}

impl Mirror {
    /// Looks for a reflection of the drawing that keeps field, privy, apexes, neighbours and points in line; first
    /// left-right, then top-bottom. How the file writes its lines does not matter, as in the fingerprint.
    pub(super) fn of(board: &Board) -> Option<Mirror> {
        Self::reflecting(board, true).or_else(|| Self::reflecting(board, false))
    }

    fn reflecting(board: &Board, is_left_right: bool) -> Option<Mirror> {
        let ends = |coordinate: fn(Spot) -> i32| {
            let values = board.field.into_iter().map(|p| coordinate(board.spot(p)));
            Some(values.clone().min()? + values.max()?)
        };
        let (sum_x, sum_y) = (ends(|s| s.x)?, ends(|s| s.y)?);
        let mut image = [Point::new(0); MAX_POINTS];
        for point in board.all() {
            let Spot { x, y } = board.spot(point);
            let target = if is_left_right { Spot { x: sum_x - x, y } } else { Spot { x, y: sum_y - y } };
            image[point.index()] = board.all().into_iter().find(|other| board.spot(*other) == target)?;
        }
        let images = |byte: usize, bits: usize| -> PointSet {
            let points = (0..8).filter(|bit| bits >> bit & 1 != 0).map(|bit| byte * 8 + bit);
            points.map(Point::new).filter(|p| board.all().contains(*p)).map(|p| image[p.index()]).collect()
        };
        let bytes = (0..MAX_POINTS / 8).map(|byte| std::array::from_fn(|bits| images(byte, bits))).collect();
        let mirror = Mirror { image, bytes, is_left_right };
        let keeps = |set: PointSet| mirror.set(set) == set;
        let keeps_steps = |p: Point| mirror.set(board.neighbours(p)) == board.neighbours(mirror.point(p));
        let keeps_triple = |t: &Triple| board.are_in_line(mirror.point(t.middle), mirror.set(t.ends()));
        let keeps_lines = board.all().into_iter().all(keeps_steps) && board.triples.iter().all(keeps_triple);
        (keeps(board.field) && keeps(board.apex) && keeps_lines).then_some(mirror)
    }

    /// The image of a point.
    pub fn point(&self, point: Point) -> Point {
        self.image[point.index()]
    }

    /// The image of a set.
    #[inline]
    pub fn set(&self, points: PointSet) -> PointSet {
        let pairs = self.bytes.iter().zip(points.0.to_le_bytes());
        pairs.fold(PointSet::EMPTY, |image, (table, byte)| image | table[usize::from(byte)])
    }
}
