//! The mirror symmetry of a board.

use std::collections::HashSet;

use super::{Board, MAX_POINTS, Point, PointSet, Spot};

/// A reflection that maps a board onto itself: left and right on the boards with the privy above, top and bottom on gonu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirror {
    image: [Point; MAX_POINTS],
    upright: bool,
}

impl Mirror {
    /// Looks for a reflection of the drawing that keeps field, privy, apexes and lines; first left-right, then top-bottom.
    pub(super) fn of(board: &Board) -> Option<Mirror> {
        Self::reflecting(board, true).or_else(|| Self::reflecting(board, false))
    }

    fn reflecting(board: &Board, upright: bool) -> Option<Mirror> {
        let ends = |coordinate: fn(Spot) -> i32| {
            let values = board.field().into_iter().map(|p| coordinate(board.spot(p)));
            Some(values.clone().min()? + values.max()?)
        };
        let (sum_x, sum_y) = (ends(|s| s.x)?, ends(|s| s.y)?);
        let reflect = |s: Spot| if upright { Spot { x: sum_x - s.x, y: s.y } } else { Spot { x: s.x, y: sum_y - s.y } };
        let mut image = [Point::new(0); MAX_POINTS];
        for point in board.all() {
            let target = reflect(board.spot(point));
            image[point.index()] = board.all().into_iter().find(|other| board.spot(*other) == target)?;
        }
        let mirror = Mirror { image, upright };
        let kept = |set: PointSet| mirror.set(set) == set;
        let lines: HashSet<Vec<Point>> = board.lines().iter().map(|line| line_key(line)).collect();
        let mut images =
            board.lines().iter().map(|line| line_key(&line.iter().map(|p| mirror.point(*p)).collect::<Vec<_>>()));
        (kept(board.field()) && kept(board.apex()) && images.all(|line| lines.contains(&line))).then_some(mirror)
    }

    /// The image of a point.
    #[must_use]
    pub fn point(&self, point: Point) -> Point {
        self.image[point.index()]
    }

    /// The image of a set.
    #[must_use]
    pub fn set(&self, points: PointSet) -> PointSet {
        points.into_iter().map(|p| self.point(p)).collect()
    }

    /// Left and right change places; every point keeps its row and its height.
    #[must_use]
    pub fn is_left_right(&self) -> bool {
        self.upright
    }
}

/// A line reads the same from both ends.
fn line_key(line: &[Point]) -> Vec<Point> {
    let back: Vec<Point> = line.iter().rev().copied().collect();
    back.min(line.to_vec())
}
