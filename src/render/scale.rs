//! Where points stand in the picture, and how large a piece is.

use crate::board::{Board, Point, Spot};

use super::canvas::Place;

/// The part of the distance between the two nearest points that a piece fills.
const FILLING: f64 = 0.47;
/// A piece is no larger than this, however far apart the points stand (hundredths of a file).
const LARGEST_RADIUS: f64 = 32.0;

/// The picture's coordinates: hundredths of a file as in [`Spot`], but with y downwards.
pub(super) struct Scale<'a> {
    pub(super) board: &'a Board,
    /// The radius of a piece, the same for all so that the General is not smaller in the privy.
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

    /// The upper left and the lower right corner of a box around some points; the board has points.
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
