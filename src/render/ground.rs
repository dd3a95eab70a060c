//! The board of a picture: the privy's ground, the lines, the points.

use super::canvas::{Canvas, Place};
use super::outline::outline;
use super::scale::Scale;
use super::svg::{APEX_INK, LINE_INK, PRIVY_GROUND};

/// How far the privy's ground reaches beyond a piece on it.
const GROUND_MARGIN: f64 = 10.0;
const DOT: f64 = 4.5;

/// Draws everything that does not move.
pub(super) fn draw(canvas: &mut Canvas, scale: &Scale) {
    privy(canvas, scale);
    lines(canvas, scale);
    points(canvas, scale);
}

/// A soft shade under the privy that reaches to its exits.
fn privy(canvas: &mut Canvas, scale: &Scale) {
    let board = scale.board;
    if board.privy().is_empty() {
        return;
    }
    let corners = outline((board.privy() | board.exits()).into_iter().map(|p| scale.place(p)).collect());
    // The broad seam with round joins gives the margin, and a body to a privy that is a mere line.
    let width = super::canvas::number(2.0 * (scale.radius + GROUND_MARGIN));
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

/// Dots; an exit has a larger one, an apex a ring.
fn points(canvas: &mut Canvas, scale: &Scale) {
    let board = scale.board;
    canvas.open("g", &[("class", "points"), ("fill", LINE_INK)]);
    for point in board.all() {
        let place: Place = scale.place(point);
        if board.apex().contains(point) {
            let ring = [("class", "apex"), ("fill", PRIVY_GROUND), ("stroke", APEX_INK), ("stroke-width", "3")];
            canvas.circle(place, (0.55 * scale.radius).max(2.0 * DOT), &ring);
        }
        let dot = if board.exits().contains(point) { 1.6 * DOT } else { DOT };
        let class = if board.exits().contains(point) { "point exit" } else { "point" };
        canvas.circle(place, dot, &[("class", class)]);
    }
    canvas.close();
}
