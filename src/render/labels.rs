//! Labels: file letters and row numbers along the edges, names beside points.

use std::collections::HashSet;

use crate::board::{Point, PointSet};

use super::canvas::Canvas;
use super::geometry::{ARRIVED_RING, Place, Scale};

/// The background of the picture and of labels.
pub(super) const PAPER: &str = "#f5ecd9";
const LABEL_INK: &str = "#7d6a54";

/// The radius of an empty point in hundredths of a file, and that of the ring of an apex in radii of a piece.
const EMPTY_ROOM: f64 = 8.0;
const RING_ROOM: f64 = 0.6;

/// Font sizes in hundredths of a file.
const EDGE_SIZE: f64 = 24.0;
const NAME_SIZE: f64 = 15.0;
/// The distance of letters and numbers from the field.
const EDGE_DISTANCE: f64 = 52.0;

/// Slanted directions round a point, the preferred first, each in four quadrants: lower right first, as on sea charts. Constants
/// instead of sines make pictures equal on all machines.
const SLANTS: [(f64, f64); 3] = [(0.707, 0.707), (0.924, 0.383), (0.383, 0.924)];
const QUADRANTS: [(f64, f64); 4] = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
const STRAIGHT: [(f64, f64); 4] = [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0)];

fn directions() -> impl Iterator<Item = (f64, f64)> {
    SLANTS.into_iter().flat_map(|(x, y)| QUADRANTS.map(|(right, down)| (right * x, down * y))).chain(STRAIGHT)
}

/// The labels of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Labels {
    /// None.
    None,
    /// File letters and row numbers along the field, and the names of the privy's points, which lie off them.
    #[default]
    Edges,
    /// The name of every point beside it.
    Points,
}

/// The room for labels beside the board: left, below, and on the two other sides.
pub(super) fn room(labels: Labels) -> (f64, f64, f64) {
    match labels {
        Labels::None => (60.0, 60.0, 60.0),
        Labels::Edges => (88.0, 88.0, 60.0),
        Labels::Points => (70.0, 70.0, 70.0),
    }
}

/// What the names of points must not cover.
pub(super) struct Covered {
    /// The points with a piece or a mark of the last move.
    pub(super) points: PointSet,
    /// The point with a ring round its piece.
    pub(super) ringed: Option<Point>,
}

pub(super) fn draw_labels(canvas: &mut Canvas, scale: &Scale, labels: Labels, covered: &Covered) {
    if labels == Labels::None {
        return;
    }
    canvas.open("g", &[("class", "labels"), ("fill", LABEL_INK), ("text-anchor", "middle")]);
    if labels == Labels::Edges {
        edges(canvas, scale);
    }
    // The privy lies off the rows and files of the field: letters at the edge would mislead.
    let named = if labels == Labels::Edges { scale.board.privy() } else { scale.board.all() };
    names(canvas, scale, named, covered);
    canvas.close();
}

fn edges(canvas: &mut Canvas, scale: &Scale) {
    let board = scale.board;
    let (low, high) = scale.bounds(board.field());
    let (mut files, mut rows) = (HashSet::new(), HashSet::new());
    for point in board.field() {
        let (place, name) = (scale.place(point), board.name(point));
        if files.insert(name.file()) {
            let below = Place { y: high.y + EDGE_DISTANCE, ..place };
            canvas.label(below, EDGE_SIZE, &[], &name.letter().to_string());
        }
        if rows.insert(name.row()) {
            let left = Place { x: low.x - EDGE_DISTANCE, ..place };
            canvas.label(left, EDGE_SIZE, &[], &name.row().to_string());
        }
    }
}

fn names(canvas: &mut Canvas, scale: &Scale, points: PointSet, covered: &Covered) {
    // An outline in the colour of the paper keeps a name readable on a line.
    canvas.open(
        "g",
        &[("stroke", PAPER), ("stroke-width", "4"), ("paint-order", "stroke"), ("stroke-linejoin", "round")],
    );
    for point in points {
        let size = NAME_SIZE.min(scale.radius * 0.7);
        let room = match () {
            () if covered.ringed == Some(point) => scale.radius + ARRIVED_RING,
            () if covered.points.contains(point) => scale.radius,
            () if scale.board.apex().contains(point) => (RING_ROOM * scale.radius).max(EMPTY_ROOM),
            () => EMPTY_ROOM,
        };
        let name = scale.board.name(point).to_string();
        canvas.label(beside(scale, point, room, size), size, &[], &name);
    }
    canvas.close();
}

/// The place of a point's name: the nearest distance that is clear of lines and other points, in the clearest direction.
fn beside(scale: &Scale, point: Point, room: f64, size: f64) -> Place {
    let place = scale.place(point);
    let length = scale.board.name(point).to_string().len() as f64;
    let mut best = (f64::MIN, place);
    for away in [0.75, 1.1, 1.5].map(|step| room + step * size) {
        // Beside the point half the width of the name counts.
        let sideways = away + 0.12 * size * length;
        for (x, y) in directions() {
            let candidate = Place { x: place.x + x * sideways, y: place.y + y * away };
            let clear = clearance(scale, point, candidate);
            if clear > best.0 + 0.5 {
                best = (clear, candidate);
            }
        }
        if best.0 >= 0.65 * size {
            break;
        }
    }
    best.1
}

/// The distance from the nearest line, or from the nearest piece on another point.
fn clearance(scale: &Scale, point: Point, candidate: Place) -> f64 {
    let lines = scale.edges().map(|(a, b)| candidate.distance_to_line(a, b));
    let others = scale.board.all().without(point);
    let pieces = others.into_iter().map(|other| candidate.distance(scale.place(other)) - scale.radius);
    lines.chain(pieces).fold(f64::MAX, f64::min)
}
