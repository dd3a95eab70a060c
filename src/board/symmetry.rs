//! The mirror symmetry of a board.

use std::collections::HashSet;

use super::{Board, MAX_POINTS, Point, PointSet, Spot};

/// A reflection that maps a board onto itself: left and right on the boards with the privy above, top and bottom on gonu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirror {
    image: [Point; MAX_POINTS],
    /// The images of sets of eight neighbouring indices, by the byte that holds them.
    bytes: Vec<[PointSet; 256]>,
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
        let images = |byte: usize, bits: usize| -> PointSet {
            let points = (0..8).filter(|bit| bits >> bit & 1 != 0).map(|bit| byte * 8 + bit);
            points.map(Point::new).filter(|p| board.all().contains(*p)).map(|p| image[p.index()]).collect()
        };
        let bytes = (0..MAX_POINTS / 8).map(|byte| std::array::from_fn(|bits| images(byte, bits))).collect();
        let mirror = Mirror { image, bytes, upright };
        let kept = |set: PointSet| mirror.set(set) == set;
        let lines: HashSet<Vec<Point>> = board.lines().iter().map(|line| line_key(line)).collect();
        let mut images =
            board.lines().iter().map(|line| line_key(&line.iter().map(|p| mirror.point(*p)).collect::<Vec<_>>()));
        (kept(board.field()) && kept(board.apex()) && images.all(|line| lines.contains(&line))).then_some(mirror)
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

    /// Left and right change places; every point keeps its row and its height.
    pub fn is_left_right(&self) -> bool {
        self.upright
    }
}

/// A line reads the same from both ends.
fn line_key(line: &[Point]) -> Vec<Point> {
    let back: Vec<Point> = line.iter().rev().copied().collect();
    back.min(line.to_vec())
}
