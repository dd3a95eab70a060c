//! A table with an entry for each point.

use std::ops::{Index, IndexMut};

use super::{MAX_POINTS, Point, PointSet};

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
