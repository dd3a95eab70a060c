//! A position as SVG: the board, its labels, the pieces, and the marks of the last move.

use std::ops::RangeInclusive;

use crate::board::{Board, Point, PointSet};
use crate::{Game, Position};

use super::labels::{BoardLabel, Labelling, Labels};
use super::shapes::{ARRIVED_RING, Canvas, Coord, Scale, number};
use super::{LastMove, heading, status};

/// The background of the picture and of labels.
const PAPER: &str = "#f5ecd9";
const LABEL_INK: &str = "#7d6a54";
const PRIVY_GROUND: &str = "#e6d2a8";
const LINE_INK: &str = "#6b5640";
const APEX_INK: &str = "#b9822b";
const MOVE_INK: &str = "#2b8a8f";
const TAKEN_INK: &str = "#b3402f";
const REBEL_EDGE: &str = "#15181d";
const GENERAL_EDGE: &str = "#7c1f17";
const GENERAL_INK: &str = "#fdf3df";

/// What a picture shows, and its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SvgOptions {
    /// Labels of points.
    pub labels: Labels,
    /// The longer side of the picture in pixels, clamped to [`SIZES`](SvgOptions::SIZES).
    pub size_px: u32,
}

impl SvgOptions {
    /// The sizes that a picture may have, in pixels.
    pub const SIZES: RangeInclusive<u32> = 64..=8192;
}

impl Default for SvgOptions {
    fn default() -> SvgOptions {
        SvgOptions { labels: Labels::Edges, size_px: 640 }
    }
}

/// Draws the position of a game as SVG: the lines of the board, the privy shaded, apexes ringed, exits with larger
/// dots; Rebels are dark discs, the General a red one with a star; what is in hand lies below the board. The last move
/// is an arrow from a ring to a ringed piece; a chain shows every landing, and faint discs with crosses mark captured
/// Rebels.
///
/// The text is a whole XML document, the same for the same input, without scripts, links or fonts. Its `title` and
/// `desc` hold the game and its state in words, and the position text.
pub fn svg(game: &Game, options: &SvgOptions) -> String {
    let variant = game.variant();
    let marks = [variant.marked_privy(), variant.marked_exits(), variant.marked_goal()];
    let words = (format!("{}: {}", heading(game), status(game)), game.to_string());
    picture(game.board(), Some(game), marks, &words, options)
}

/// Draws a board without pieces as SVG.
pub fn board_svg(board: &Board, options: &SvgOptions) -> String {
    let marks = [board.privy, board.exits, board.apex];
    let words = (format!("{} ({})", board.title, board.id), format!("{} points", board.len()));
    picture(board, None, marks, &words, options)
}

/// The room for pieces in hand, in radii of a piece.
const HAND_ROOM: f64 = 2.8;

fn picture(
    board: &Board,
    game: Option<&Game>,
    [privy_points, exits, goal]: [PointSet; 3],
    (title, description): &(String, String),
    options: &SvgOptions,
) -> String {
    let scale = Scale::new(board);
    let size = f64::from(options.size_px.clamp(*SvgOptions::SIZES.start(), *SvgOptions::SIZES.end()));
    let labelling = Labelling::new(&scale, options.labels, size);
    let (low, mut high) = labelling.corners;
    let hand_place = Coord { x: low.x + 2.0 * scale.radius, y: high.y + 0.3 * HAND_ROOM * scale.radius };
    if game.is_some_and(|game| game.variant().has_hand()) {
        high.y += HAND_ROOM * scale.radius;
    }
    let (x, y) = (number(low.x), number(low.y));
    let (width, height) = (high.x - low.x, high.y - low.y);
    let pixels = |side: f64| number((size * side / width.max(height)).round().max(1.0));
    let (across, down) = (number(width), number(height));
    let mut canvas = Canvas::default();
    let (wide, high) = (pixels(width), pixels(height));
    let root = format!(
        r#"xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="{x} {y} {across} {down}""#
    );
    let font = r#"role="img" font-family="system-ui, &#39;Segoe UI&#39;, Helvetica, Arial, sans-serif""#;
    canvas.open("svg", format_args!("{root} {font}"));
    canvas.words("title", "", title);
    canvas.words("desc", "", description);
    gradients(&mut canvas);
    let place = format!(r#"x="{x}" y="{y}" width="{across}" height="{down}""#);
    canvas.element("rect", format_args!(r#"{place} rx="22" fill="{PAPER}""#));
    privy(&mut canvas, &scale, privy_points);
    lines(&mut canvas, &scale);
    points(&mut canvas, &scale, exits, goal);
    let (position, last) = (game.map(Game::position), game.and_then(LastMove::of));
    let traces = last.as_ref().map_or(PointSet::EMPTY, |last| last.left() | last.captured);
    let occupied = position.map_or(PointSet::EMPTY, Position::occupied);
    draw_labels(&mut canvas, labelling.labels(occupied | traces, last.iter().map(|last| last.to).collect()));
    if let Some(last) = last {
        draw_way(&mut canvas, &scale, &last);
    }
    if let Some(position) = position {
        draw_pieces(&mut canvas, &scale, position);
        draw_hand(&mut canvas, &scale, position, hand_place);
    }
    canvas.finish()
}

/// Light from the upper left.
fn gradients(canvas: &mut Canvas) {
    canvas.open("defs", "");
    for (id, light, dark) in [("privy-rebel", "#59616e", "#23272e"), ("privy-general", "#dd5a45", "#a92c20")] {
        canvas.open("radialGradient", format_args!(r#"id="{id}" cx="0.36" cy="0.3" r="0.75""#));
        canvas.element("stop", format_args!(r#"offset="0" stop-color="{light}""#));
        canvas.element("stop", format_args!(r#"offset="1" stop-color="{dark}""#));
        canvas.close();
    }
    canvas.close();
}

/// The margin of the privy's ground around a piece.
const GROUND_MARGIN: f64 = 10.0;
const DOT: f64 = 4.5;

/// A shade under the privy and its exits: the lines between them, so broad that they leave no gap.
fn privy(canvas: &mut Canvas, scale: &Scale, privy: PointSet) {
    if privy.is_empty() {
        return;
    }
    let width = number(2.0 * (scale.radius + GROUND_MARGIN));
    let stroke = format!(r#"stroke="{PRIVY_GROUND}" stroke-width="{width}" stroke-linecap="round""#);
    canvas.open("g", format_args!(r#"class="privy" {stroke}"#));
    let ground = scale.board.reached(privy, privy);
    for from in ground {
        for to in (scale.board.neighbours(from) & ground).into_iter().filter(|to| from < *to) {
            canvas.line(scale.place(from), scale.place(to), "");
        }
    }
    canvas.close();
}

fn lines(canvas: &mut Canvas, scale: &Scale) {
    canvas.open("g", format_args!(r#"class="lines" stroke="{LINE_INK}" stroke-width="3" stroke-linecap="round""#));
    for line in &scale.board.lines {
        if let (Some(first), Some(last)) = (line.first(), line.last()) {
            canvas.line(scale.place(*first), scale.place(*last), "");
        }
    }
    for edge in &scale.board.edges {
        canvas.places("polyline", &scale.curve(edge), r#"class="edge" fill="none""#);
    }
    canvas.close();
}

/// Dots, larger at exits, with a ring at an apex or a point of the goal.
fn points(canvas: &mut Canvas, scale: &Scale, exits: PointSet, goal: PointSet) {
    let board = scale.board;
    canvas.open("g", format_args!(r#"class="points" fill="{LINE_INK}""#));
    for point in board.all() {
        let place = scale.place(point);
        if goal.contains(point) {
            let ring = format!(r#"class="apex" fill="{PRIVY_GROUND}" stroke="{APEX_INK}" stroke-width="3""#);
            canvas.circle(place, (0.55 * scale.radius).max(2.0 * DOT), ring);
        }
        let (dot, class) = if exits.contains(point) { (1.6 * DOT, "point exit") } else { (DOT, "point") };
        canvas.circle(place, dot, format_args!(r#"class="{class}""#));
    }
    canvas.close();
}

/// The radius of the ring on a point that the piece left, in radii of a piece.
const LEFT_RING: f64 = 0.55;

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

/// Marks under the pieces: the way of the piece, the points that it left, the captured Rebels.
fn draw_way(canvas: &mut Canvas, scale: &Scale, last: &LastMove) {
    canvas.open("g", r#"class="last-move""#);
    for point in last.captured {
        let ghost = format_args!(r#"class="ghost" fill="{REBEL_EDGE}" fill-opacity="0.22""#);
        canvas.circle(scale.place(point), scale.radius, ghost);
    }
    for point in last.left() {
        let ring = format_args!(r#"class="left" fill="none" stroke="{MOVE_INK}" stroke-width="3.5""#);
        canvas.circle(scale.place(point), LEFT_RING * scale.radius, ring);
    }
    // An arrow stays clear of the ring round the piece, also where a chain crosses its end, and of the rings of
    // landings.
    let off = |point| if point == last.to { scale.radius + ARRIVED_RING + 3.0 } else { LEFT_RING * scale.radius + 3.0 };
    for leg in last.way.windows(2) {
        if let [from, to] = *leg {
            arrow(canvas, (scale.place(from), off(from)), (scale.place(to), off(to)), last.is_free_jump);
        }
    }
    // A jump passes over its captures: the crosses are drawn on top.
    for point in last.captured {
        cross(canvas, scale.place(point), 0.42 * scale.radius);
    }
    let ring = format_args!(r#"class="arrived" fill="none" stroke="{MOVE_INK}" stroke-width="4""#);
    canvas.circle(scale.place(last.to), scale.radius + ARRIVED_RING, ring);
    canvas.close();
}

fn cross(canvas: &mut Canvas, place: Coord, arm: f64) {
    canvas.open("g", format_args!(r#"class="taken" stroke="{TAKEN_INK}" stroke-width="4.5" stroke-linecap="round""#));
    for slope in [1.0, -1.0] {
        let a = Coord { x: place.x - arm, y: place.y - slope * arm };
        let b = Coord { x: place.x + arm, y: place.y + slope * arm };
        canvas.line(a, b, "");
    }
    canvas.close();
}

/// An arrow between two places, each with its distance from the arrow.
fn arrow(canvas: &mut Canvas, from: (Coord, f64), to: (Coord, f64), dashed: bool) {
    let length = from.0.distance(to.0);
    let tip = to.0.towards(from.0, to.1);
    let head = 17.0_f64.min(length - to.1).max(0.0);
    let neck = to.0.towards(from.0, to.1 + head);
    let dashes = if dashed { "3 11" } else { "none" };
    let style = format!(r#"class="way" stroke="{MOVE_INK}" stroke-width="6" stroke-linecap="round""#);
    // Between near points there is only room for the head.
    if length - from.1 - to.1 - head > 1.0 {
        canvas.line(from.0.towards(to.0, from.1), neck, format_args!(r#"{style} stroke-dasharray="{dashes}""#));
    }
    let across = |side: f64| {
        let scale = if length == 0.0 { 0.0 } else { side * 0.55 * head / length };
        Coord { x: neck.x - (to.0.y - from.0.y) * scale, y: neck.y + (to.0.x - from.0.x) * scale }
    };
    let head = format_args!(r#"class="head" fill="{MOVE_INK}""#);
    canvas.places("polygon", &[tip, across(1.0), across(-1.0)], head);
}

fn draw_pieces(canvas: &mut Canvas, scale: &Scale, position: &Position) {
    canvas.open("g", r#"class="pieces""#);
    for point in position.rebels() {
        canvas.open("g", r#"class="rebel""#);
        disc(canvas, scale.place(point), scale.radius, "url(#privy-rebel)", REBEL_EDGE);
        canvas.close();
    }
    if scale.board.has(position.general()) {
        general(canvas, scale.place(position.general()), scale.radius);
    }
    canvas.close();
}

/// The pieces in hand: the General, and a Rebel with their number.
fn draw_hand(canvas: &mut Canvas, scale: &Scale, position: &Position, first: Coord) {
    let (mut place, radius) = (first, scale.radius);
    if position.general() == Point::HAND && !scale.board.has(Point::HAND) {
        general(canvas, place, radius);
        place.x += 3.0 * radius;
    }
    if position.hand() > 0 {
        canvas.open("g", format_args!(r#"class="in-hand" fill="{LABEL_INK}""#));
        disc(canvas, place, radius, "url(#privy-rebel)", REBEL_EDGE);
        let words = format!("× {}", position.hand());
        canvas.label(Coord { x: place.x + 1.5 * radius, ..place }, 1.1 * radius, r#"text-anchor="start""#, &words);
        canvas.close();
    }
}

/// A disc with its shadow.
fn disc(canvas: &mut Canvas, place: Coord, radius: f64, fill: &str, edge: &str) {
    let below = Coord { x: place.x, y: place.y + 0.1 * radius };
    canvas.circle(below, radius, r##"fill="#000" fill-opacity="0.22""##);
    canvas.circle(place, radius - 1.0, format_args!(r#"fill="{fill}" stroke="{edge}" stroke-width="2""#));
}

fn general(canvas: &mut Canvas, place: Coord, radius: f64) {
    canvas.open("g", r#"class="general""#);
    disc(canvas, place, radius, "url(#privy-general)", GENERAL_EDGE);
    let rim = format_args!(r#"fill="none" stroke="{GENERAL_INK}" stroke-opacity="0.55" stroke-width="1.5""#);
    canvas.circle(place, 0.8 * radius, rim);
    let star = STAR.map(|(x, y)| Coord { x: place.x + 0.58 * radius * x, y: place.y + 0.58 * radius * y });
    canvas.places("polygon", &star, format_args!(r#"fill="{GENERAL_INK}""#));
    canvas.close();
}

fn draw_labels(canvas: &mut Canvas, labels: Vec<BoardLabel>) {
    if labels.is_empty() {
        return;
    }
    canvas.open("g", format_args!(r#"class="labels" fill="{LABEL_INK}" text-anchor="middle""#));
    for BoardLabel { centre, size, words, line } in labels {
        if let Some((a, b)) = line {
            canvas.line(a, b, format_args!(r#"stroke="{LABEL_INK}" stroke-width="1.5""#));
        }
        canvas.label(centre, size, "", &words);
    }
    canvas.close();
}
