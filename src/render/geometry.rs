//! The geometry of a picture: the places of points, the size of pieces, and the outline of places.

use crate::board::{Board, Point, Spot};

/// A place in the picture: hundredths of a file, y downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Place {
    pub(super) fn distance(self, other: Place) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The place at a distance in the direction of another.
    pub(super) fn towards(self, other: Place, length: f64) -> Place {
        let whole = self.distance(other);
        if whole == 0.0 {
            return self;
        }
        Place { x: self.x + (other.x - self.x) * length / whole, y: self.y + (other.y - self.y) * length / whole }
    }

    /// The distance from the line segment between two others.
    pub(super) fn distance_to_line(self, a: Place, b: Place) -> f64 {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let square = dx * dx + dy * dy;
        let along = if square == 0.0 { 0.0 } else { ((self.x - a.x) * dx + (self.y - a.y) * dy) / square };
        let along = along.clamp(0.0, 1.0);
        self.distance(Place { x: a.x + dx * along, y: a.y + dy * along })
    }
}

/// The radius of a piece as a part of the distance between the two nearest points.
const FILLING: f64 = 0.47;
/// The largest radius of a piece, in hundredths of a file.
const LARGEST_RADIUS: f64 = 32.0;

/// The distance of the ring round the piece that moved last, in hundredths of a file.
pub(super) const ARRIVED_RING: f64 = 5.0;

/// The coordinates of a picture: hundredths of a file as in [`Spot`], but with y downwards.
pub(super) struct Scale<'a> {
    pub(super) board: &'a Board,
    /// The radius of all pieces, so that the General is not smaller in the privy.
    pub(super) radius: f64,
}

impl<'a> Scale<'a> {
    pub(super) fn new(board: &'a Board) -> Scale<'a> {
        let mut scale = Scale { board, radius: LARGEST_RADIUS };
        for a in board.all() {
            for b in board.all() {
                if a < b {
                    scale.radius = scale.radius.min(FILLING * scale.place(a).distance(scale.place(b)));
                }
            }
        }
        scale
    }

    pub(super) fn place(&self, point: Point) -> Place {
        let Spot { x, y } = self.board.spot(point);
        Place { x: f64::from(x), y: -f64::from(y) }
    }

    /// The upper left and the lower right corner of the box around some points.
    pub(super) fn bounds(&self, points: impl IntoIterator<Item = Point>) -> (Place, Place) {
        let none = (Place { x: f64::MAX, y: f64::MAX }, Place { x: f64::MIN, y: f64::MIN });
        points.into_iter().map(|p| self.place(p)).fold(none, |(low, high), place| {
            let low = Place { x: low.x.min(place.x), y: low.y.min(place.y) };
            (low, Place { x: high.x.max(place.x), y: high.y.max(place.y) })
        })
    }

    /// All pairs of neighbours, each once.
    pub(super) fn edges(&self) -> impl Iterator<Item = (Place, Place)> {
        self.board.all().into_iter().flat_map(move |a| {
            let later = self.board.neighbours(a).into_iter().filter(move |b| a < *b);
            later.map(move |b| (self.place(a), self.place(b)))
        })
    }
}

/// The corners of the convex hull in order (Andrew's monotone chain, 1979). One or two places stay as they are.
pub(super) fn outline(mut places: Vec<Place>) -> Vec<Place> {
    places.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    places.dedup();
    if places.len() < 3 {
        return places;
    }
    let mut corners = half(places.iter());
    corners.extend(half(places.iter().rev()));
    corners
}

/// Is a place in a convex hull, or at its edge?
pub(super) fn covers(corners: &[Place], place: Place) -> bool {
    let edges = || corners.iter().zip(corners.iter().cycle().skip(1));
    match corners {
        [] | [_] => corners.contains(&place),
        [a, b] => place.distance_to_line(*a, *b) < 1.0,
        _ => edges().all(|(a, b)| (b.x - a.x) * (place.y - a.y) - (b.y - a.y) * (place.x - a.x) >= 0.0),
    }
}

/// One side of the hull, without its last place, which the other side begins with.
fn half<'a>(places: impl Iterator<Item = &'a Place>) -> Vec<Place> {
    let mut side: Vec<Place> = Vec::new();
    for place in places {
        while let [.., a, b] = side.as_slice() {
            if (b.x - a.x) * (place.y - a.y) - (b.y - a.y) * (place.x - a.x) > 0.0 {
                break;
            }
            side.pop();
        }
        side.push(*place);
    }
    side.pop();
    side
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(list: &[(f64, f64)]) -> Vec<Place> {
        list.iter().map(|(x, y)| Place { x: *x, y: *y }).collect()
    }

    #[test]
    fn only_corners_stay() {
        let inside_and_edge = places(&[(0.0, 0.0), (4.0, 0.0), (2.0, 0.0), (2.0, 1.0), (2.0, 4.0), (1.0, 2.0)]);
        assert_eq!(outline(inside_and_edge), places(&[(0.0, 0.0), (4.0, 0.0), (2.0, 4.0)]));
        assert_eq!(outline(places(&[(1.0, 0.0), (0.0, 0.0), (1.0, 0.0)])), places(&[(0.0, 0.0), (1.0, 0.0)]));
        assert_eq!(outline(places(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)])), places(&[(0.0, 0.0), (2.0, 0.0)]));
    }

    #[test]
    fn a_hull_covers_what_is_in_it_and_at_its_edge() {
        let covered = |corners: &[(f64, f64)], x: f64, y: f64| covers(&outline(places(corners)), Place { x, y });
        let triangle = [(0.0, 0.0), (4.0, 0.0), (2.0, 4.0)];
        assert!(covered(&triangle, 2.0, 1.0) && covered(&triangle, 1.0, 2.0) && covered(&triangle, 4.0, 0.0));
        assert!(!covered(&triangle, 0.5, 2.0) && !covered(&triangle, 5.0, 0.0) && !covered(&triangle, 2.0, -1.0));
        assert!(covered(&triangle[..2], 2.0, 0.0) && !covered(&triangle[..2], 200.0, 0.0));
    }
}
