//! Points, their names, sets of points and tables by point.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use derive_more::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};
use nom::character::complete::{char, satisfy, u8 as number};
use nom::combinator::{all_consuming, not, verify};
use nom::sequence::preceded;
use nom::{IResult, Parser};
use privy_protocol::Unexpected;

/// The most points of a board: a [`PointSet`] is one machine word.
pub const MAX_POINTS: usize = 64;

/// A point of a board, as an index below [`MAX_POINTS`].
///
/// The field comes first, row by row from `a1`, then the points of the privy; so a step has the same index offset
/// wherever it starts on the field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(u8);

impl Point {
    /// The hand, from which pieces are dropped: the last index, which is no point of a board whose game has a hand.
    pub const HAND: Point = Point::new(MAX_POINTS - 1);

    /// The point with this index. Only the lowest six bits count, so that a point always fits its tables.
    #[inline(always)]
    pub const fn new(index: usize) -> Point {
        Point((index & (MAX_POINTS - 1)) as u8)
    }

    /// The index of the point, below [`MAX_POINTS`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask proves to the compiler that a table of 64 needs no bounds check.
        (self.0 as usize) & (MAX_POINTS - 1)
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
    pub(crate) const LAST_ROW: u8 = 52;

    /// The name on file number `file` (1 is `a`) and row `row` (from 1); [`None`] if it would not be a name.
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
    let row = preceded(not(char('0')), verify(number, |row| (1..=PointName::LAST_ROW).contains(row)));
    (letter, row).map(|(letter, row)| PointName { row, file: letter.to_ascii_lowercase() as u8 - b'a' + 1 }).parse(text)
}

impl FromStr for PointName {
    type Err = Unexpected;

    fn from_str(text: &str) -> Result<Self, Unexpected> {
        let parsed: IResult<&str, PointName> = all_consuming(point_name).parse(text);
        let expected = "a file letter and a row number, such as c3";
        parsed.map(|(_, name)| name).map_err(|_| Unexpected::new(expected, text))
    }
}

impl fmt::Display for PointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter(), self.row)
    }
}

/// A set of points in one machine word: bit `i` means the point with index `i`.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    PartialOrd,
    Ord,
    BitAnd,
    BitOr,
    BitXor,
    Not,
    BitAndAssign,
    BitOrAssign,
    BitXorAssign,
)]
pub struct PointSet(pub u64);

impl PointSet {
    /// No point.
    pub const EMPTY: PointSet = PointSet(0);

    /// The set of one point.
    #[inline(always)]
    pub const fn of(point: Point) -> PointSet {
        PointSet(1 << point.index())
    }

    /// True if the point is in the set.
    #[inline(always)]
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.index() & 1 != 0
    }

    /// True if every point of `other` is in this set.
    #[inline(always)]
    pub const fn contains_all(self, other: PointSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// True if the sets share a point.
    #[inline(always)]
    pub const fn meets(self, other: PointSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The points of this set that are not in `other`.
    #[inline(always)]
    pub const fn minus(self, other: PointSet) -> PointSet {
        PointSet(self.0 & !other.0)
    }

    /// The set and one point more.
    #[inline(always)]
    pub const fn with(self, point: Point) -> PointSet {
        PointSet(self.0 | 1 << point.index())
    }

    /// The set less one point.
    #[inline(always)]
    pub const fn without(self, point: Point) -> PointSet {
        PointSet(self.0 & !(1 << point.index()))
    }

    /// How many points.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// True if there is no point.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The point with the lowest index.
    #[inline(always)]
    pub fn first(self) -> Option<Point> {
        (self.0 != 0).then(|| Point::new(self.0.trailing_zeros() as usize))
    }
}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Points;

    #[inline(always)]
    fn into_iter(self) -> Points {
        Points(self.0)
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        points.into_iter().fold(PointSet::EMPTY, PointSet::with)
    }
}

/// The points of a set, lowest index first.
#[derive(Debug, Clone)]
pub struct Points(u64);

impl Iterator for Points {
    type Item = Point;

    #[inline(always)]
    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let point = Point::new(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(point)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// A value for each point, looked up by the point. What is no point of the board has an entry too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointTable<T>([T; MAX_POINTS]);

impl<T> PointTable<T> {
    /// The table of what holds for some points, with the default elsewhere.
    pub fn of(points: PointSet, mut value: impl FnMut(Point) -> T) -> PointTable<T>
    where
        T: Default,
    {
        PointTable(std::array::from_fn(|index| {
            let point = Point::new(index);
            if points.contains(point) { value(point) } else { T::default() }
        }))
    }

    /// All entries, by the index of their point.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T: Default> Default for PointTable<T> {
    fn default() -> PointTable<T> {
        PointTable::of(PointSet::EMPTY, |_| T::default())
    }
}

impl<T> Index<Point> for PointTable<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, point: Point) -> &T {
        &self.0[point.index()]
    }
}

impl<T> IndexMut<Point> for PointTable<T> {
    #[inline(always)]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[point.index()]
    }
}
