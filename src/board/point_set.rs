//! Sets of points, one bit a point.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::Point;

/// A set of points in one machine word: bit `i` stands for the point with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct PointSet(pub u64);

impl PointSet {
    /// No point.
    pub const EMPTY: PointSet = PointSet(0);

    /// The set of one point.
    #[inline(always)]
    pub const fn of(point: Point) -> PointSet {
        PointSet(1 << point.index())
    }

    /// Is the point in the set?
    #[inline(always)]
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.index() & 1 != 0
    }

    /// Is every point of `other` in this set?
    #[inline(always)]
    pub const fn contains_all(self, other: PointSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Do the sets share a point?
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

    /// Is there no point?
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

impl ExactSizeIterator for Points {}

macro_rules! word_operations {
    ($($operation:ident $method:ident $assign:ident $assign_method:ident),*) => {$(
        impl $operation for PointSet {
            type Output = PointSet;

            #[inline(always)]
            fn $method(self, other: PointSet) -> PointSet {
                PointSet(self.0.$method(other.0))
            }
        }

        impl $assign for PointSet {
            #[inline(always)]
            fn $assign_method(&mut self, other: PointSet) {
                self.0.$assign_method(other.0);
            }
        }
    )*};
}

word_operations!(BitAnd bitand BitAndAssign bitand_assign, BitOr bitor BitOrAssign bitor_assign, BitXor bitxor BitXorAssign bitxor_assign);

impl Not for PointSet {
    type Output = PointSet;

    /// The complement in all 64 bits, also those that are no point of the board.
    #[inline(always)]
    fn not(self) -> PointSet {
        PointSet(!self.0)
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
