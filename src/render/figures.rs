//! What a picture shows of a position: the board, the pieces, and the marks of the last move.

use crate::rules::{Position, Variant};

use super::canvas::{Canvas, number};
use super::geometry::{Place, Scale, outline};
use super::view::LastMove;

const PRIVY_GROUND: &str = "#e6d2a8";
const LINE_INK: &str = "#6b5640";
const APEX_INK: &str = "#b9822b";
const MOVE_INK: &str = "#2b8a8f";
const TAKEN_INK: &str = "#b3402f";
const REBEL_EDGE: &str = "#15181d";
const GENERAL_EDGE: &str = "#7c1f17";
const GENERAL_INK: &str = "#fdf3df";

/// How far the privy's ground reaches beyond a piece on it.
const GROUND_MARGIN: f64 = 10.0;
const DOT: f64 = 4.5;

/// Draws everything that does not move.
pub(super) fn draw_board(canvas: &mut Canvas, scale: &Scale, variant: &Variant) {
    privy(canvas, scale, variant);
    lines(canvas, scale);
    points(canvas, scale, variant);
}

/// A soft shade under the privy that reaches to its exits.
fn privy(canvas: &mut Canvas, scale: &Scale, variant: &Variant) {
    let privy = variant.marked_privy();
    if privy.is_empty() {
        return;
    }
    let corners = outline((privy | variant.marked_exits()).into_iter().map(|p| scale.place(p)).collect());
    // The broad seam with round joins gives the margin, and a body to a privy that is a mere line.
    let width = number(2.0 * (scale.radius + GROUND_MARGIN));
    let style = [
        ("class", "privy"),
        ("fill", PRIVY_GROUND),
        ("stroke", PRIVY_GROUND),
        ("stroke-width", width.as_str()),
        ("stroke-linejoin", "round"),
        ("stroke-linecap", "round"),
    ];
    canvas.polygon(&corners, &style);
}

fn lines(canvas: &mut Canvas, scale: &Scale) {
    let style = [("class", "lines"), ("stroke", LINE_INK), ("stroke-width", "3"), ("stroke-linecap", "round")];
    canvas.open("g", &style);
    for line in scale.board.lines() {
        if let (Some(first), Some(last)) = (line.first(), line.last()) {
            canvas.line(scale.place(*first), scale.place(*last), &[]);
        }
    }
    canvas.close();
}

/// Dots; an exit has a larger one, an apex or a point of the goal a ring.
fn points(canvas: &mut Canvas, scale: &Scale, variant: &Variant) {
    let board = scale.board;
    canvas.open("g", &[("class", "points"), ("fill", LINE_INK)]);
    for point in board.all() {
        let place = scale.place(point);
        if variant.marked_goal().contains(point) {
            let ring = [("class", "apex"), ("fill", PRIVY_GROUND), ("stroke", APEX_INK), ("stroke-width", "3")];
            canvas.circle(place, (0.55 * scale.radius).max(2.0 * DOT), &ring);
        }
        let dot = if variant.marked_exits().contains(point) { 1.6 * DOT } else { DOT };
        let class = if variant.marked_exits().contains(point) { "point exit" } else { "point" };
        canvas.circle(place, dot, &[("class", class)]);
    }
    canvas.close();
}

/// The ring on a point that the piece left, in parts of a piece.
const LEFT_RING: f64 = 0.55;

/// How far the ring round the piece that moved stands off it (hundredths of a file).
pub(super) const ARRIVED_RING: f64 = 5.0;

/// A star of five points in a circle of radius 1, one point up: sines and cosines of the multiples of 36 degrees, the
/// inner corners at 0.42.
const STAR: [(f64, f64); 10] = [
    (0.0, -1.0),
    (0.247, -0.340),
    (0.951, -0.309),
    (0.399, 0.130),
    (0.588, 0.809),
    (0.0, 0.42),
    (-0.588, 0.809),
    (-0.399, 0.130),
    (-0.951, -0.309),
    (-0.247, -0.340),
];

/// Marks that lie under the pieces: the ways gone, the points left, the Rebels taken.
pub(super) fn draw_way(canvas: &mut Canvas, scale: &Scale, last: &LastMove) {
    canvas.open("g", &[("class", "last-move")]);
    for point in last.captured {
        let ghost = [("class", "ghost"), ("fill", REBEL_EDGE), ("fill-opacity", "0.22")];
        canvas.circle(scale.place(point), scale.radius, &ghost);
    }
    for point in last.left() {
        let ring = [("class", "left"), ("fill", "none"), ("stroke", MOVE_INK), ("stroke-width", "3.5")];
        canvas.circle(scale.place(point), LEFT_RING * scale.radius, &ring);
    }
    // An arrow keeps off the ring round the piece, also where a chain crosses its end, and off the rings of landings.
    let off = |point| if point == last.to { scale.radius + ARRIVED_RING + 3.0 } else { LEFT_RING * scale.radius + 3.0 };
    for leg in last.way.windows(2) {
        if let [from, to] = *leg {
            arrow(canvas, (scale.place(from), off(from)), (scale.place(to), off(to)), last.flies);
        }
    }
    // A jump goes over what it takes: the crosses stay on top.
    for point in last.captured {
        cross(canvas, scale.place(point), 0.42 * scale.radius);
    }
    canvas.circle(
        scale.place(last.to),
        scale.radius + ARRIVED_RING,
        &[("class", "arrived"), ("fill", "none"), ("stroke", MOVE_INK), ("stroke-width", "4")],
    );
    canvas.close();
}

fn cross(canvas: &mut Canvas, place: Place, arm: f64) {
    let style = [("class", "taken"), ("stroke", TAKEN_INK), ("stroke-width", "4.5"), ("stroke-linecap", "round")];
    canvas.open("g", &style);
    for slope in [1.0, -1.0] {
        let a = Place { x: place.x - arm, y: place.y - slope * arm };
        let b = Place { x: place.x + arm, y: place.y + slope * arm };
        canvas.line(a, b, &[]);
    }
    canvas.close();
}

/// An arrow between two places, each with the distance that it keeps from them.
fn arrow(canvas: &mut Canvas, from: (Place, f64), to: (Place, f64), dashed: bool) {
    let length = from.0.distance(to.0);
    let tip = to.0.towards(from.0, to.1);
    let head = 17.0_f64.min(length - to.1).max(0.0);
    let neck = to.0.towards(from.0, to.1 + head);
    let dashes = if dashed { "3 11" } else { "none" };
    let style = [
        ("class", "way"),
        ("stroke", MOVE_INK),
        ("stroke-width", "6"),
        ("stroke-linecap", "round"),
        ("stroke-dasharray", dashes),
    ];
    // Between near points there is room for the head alone.
    if length - from.1 - to.1 - head > 1.0 {
        canvas.line(from.0.towards(to.0, from.1), neck, &style);
    }
    let across = |side: f64| {
        let scale = if length == 0.0 { 0.0 } else { side * 0.55 * head / length };
        Place { x: neck.x - (to.0.y - from.0.y) * scale, y: neck.y + (to.0.x - from.0.x) * scale }
    };
    canvas.polygon(&[tip, across(1.0), across(-1.0)], &[("class", "head"), ("fill", MOVE_INK)]);
}

/// Draws the pieces, one group each.
pub(super) fn draw_pieces(canvas: &mut Canvas, scale: &Scale, position: &Position) {
    canvas.open("g", &[("class", "pieces")]);
    for point in position.rebels() {
        rebel(canvas, scale.place(point), scale.radius);
    }
    general(canvas, scale.place(position.general()), scale.radius);
    canvas.close();
}

fn shadow(canvas: &mut Canvas, place: Place, radius: f64) {
    let below = Place { x: place.x, y: place.y + 0.1 * radius };
    canvas.circle(below, radius, &[("fill", "#000"), ("fill-opacity", "0.22")]);
}

fn rebel(canvas: &mut Canvas, place: Place, radius: f64) {
    canvas.open("g", &[("class", "rebel")]);
    shadow(canvas, place, radius);
    let style = [("fill", "url(#privy-rebel)"), ("stroke", REBEL_EDGE), ("stroke-width", "2")];
    canvas.circle(place, radius - 1.0, &style);
    canvas.close();
}

fn general(canvas: &mut Canvas, place: Place, radius: f64) {
    canvas.open("g", &[("class", "general")]);
    shadow(canvas, place, radius);
    let style = [("fill", "url(#privy-general)"), ("stroke", GENERAL_EDGE), ("stroke-width", "2")];
    canvas.circle(place, radius - 1.0, &style);
    let rim = [("fill", "none"), ("stroke", GENERAL_INK), ("stroke-opacity", "0.55"), ("stroke-width", "1.5")];
    canvas.circle(place, 0.8 * radius, &rim);
    let star = STAR.map(|(x, y)| Place { x: place.x + 0.58 * radius * x, y: place.y + 0.58 * radius * y });
    canvas.polygon(&star, &[("fill", GENERAL_INK)]);
    canvas.close();
}
