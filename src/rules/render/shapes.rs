//! The shapes of a picture: the places of points and lines, and a writer of XML and of the shapes of SVG.

use std::cell::OnceCell;
use std::fmt::{Display, Write as _};

use crate::board::{Board, Point, Spot};

/// A place in the picture, in hundredths of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coord {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Coord {
    pub(super) fn distance(self, other: Coord) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The place at a distance in the direction of another.
    pub(super) fn towards(self, other: Coord, length: f64) -> Coord {
        let whole = self.distance(other);
        if whole == 0.0 {
            return self;
        }
        Coord { x: self.x + (other.x - self.x) * length / whole, y: self.y + (other.y - self.y) * length / whole }
    }

    /// The distance from the line segment between two others.
    pub(super) fn distance_to_line(self, a: Coord, b: Coord) -> f64 {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let square = dx * dx + dy * dy;
        let along = if square == 0.0 { 0.0 } else { ((self.x - a.x) * dx + (self.y - a.y) * dy) / square };
        let along = along.clamp(0.0, 1.0);
        self.distance(Coord { x: a.x + dx * along, y: a.y + dy * along })
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
    ways: OnceCell<Vec<Vec<Coord>>>,
}

impl<'a> Scale<'a> {
    pub(super) fn new(board: &'a Board) -> Scale<'a> {
        let mut scale = Scale { board, radius: LARGEST_RADIUS, ways: OnceCell::new() };
        for a in board.all() {
            for b in board.all() {
                if a < b {
                    scale.radius = scale.radius.min(FILLING * scale.place(a).distance(scale.place(b)));
                }
            }
        }
        scale
    }

    pub(super) fn place(&self, point: Point) -> Coord {
        let Spot { x, y } = self.board.spot(point);
        Coord { x: f64::from(x), y: -f64::from(y) }
    }

    /// The upper left and the lower right corner of the box around some points.
    pub(super) fn bounds(&self, points: impl IntoIterator<Item = Point>) -> (Coord, Coord) {
        let none = (Coord { x: f64::MAX, y: f64::MAX }, Coord { x: f64::MIN, y: f64::MIN });
        points.into_iter().map(|p| self.place(p)).fold(none, |(low, high), place| {
            let low = Coord { x: low.x.min(place.x), y: low.y.min(place.y) };
            (low, Coord { x: high.x.max(place.x), y: high.y.max(place.y) })
        })
    }

    /// All lines and edges as they are drawn, each from place to place.
    pub(super) fn ways(&self) -> &[Vec<Coord>] {
        self.ways.get_or_init(|| {
            let lines = self.board.lines.iter().map(|line| line.iter().map(|p| self.place(*p)).collect());
            lines.chain(self.board.edges.iter().map(|edge| self.curve(edge))).collect()
        })
    }

    /// An edge as it is drawn: arcs from point to point, of the circle through three points that follow one another.
    pub(super) fn curve(&self, edge: &[Point]) -> Vec<Coord> {
        let places: Vec<Coord> = edge.iter().map(|p| self.place(*p)).collect();
        let last = places.len() - 1;
        let is_ring = last > 1 && edge[0] == edge[last];
        let bend = |at: usize| match at {
            0 if is_ring => Some(curvature(places[last - 1], places[0], places[1])),
            _ if is_ring && at == last => Some(curvature(places[last - 1], places[0], places[1])),
            _ if at == 0 || at == last => None,
            _ => Some(curvature(places[at - 1], places[at], places[at + 1])),
        };
        let mut curve = vec![places[0]];
        for at in 0..last {
            let bends: Vec<f64> = [bend(at), bend(at + 1)].into_iter().flatten().collect();
            let mean = bends.iter().sum::<f64>() / bends.len().max(1) as f64;
            curve.extend(arc(places[at], places[at + 1], mean));
        }
        curve
    }
}

/// The curvature of the circle through three places (K. Menger, 1930), positive where it turns with the axis of x
/// towards that of y; 0 on a straight line.
fn curvature(a: Coord, b: Coord, c: Coord) -> f64 {
    let turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
    let sides = a.distance(b) * b.distance(c) * c.distance(a);
    if sides == 0.0 { 0.0 } else { 2.0 * turn / sides }
}

/// The angle of a piece of a drawn arc.
const ARC_STEP: f64 = 0.1;

/// The lesser arc between two places with a curvature, as places after the first.
fn arc(a: Coord, b: Coord, curvature: f64) -> Vec<Coord> {
    let length = a.distance(b);
    let half = (0.5 * length * curvature).clamp(-1.0, 1.0).asin();
    let pieces = (2.0 * half.abs() / ARC_STEP).ceil().max(1.0) as u32;
    let radius = 0.5 * length / half.sin().abs().max(1e-9);
    let (ux, uy) = ((b.x - a.x) / length, (b.y - a.y) / length);
    let place = |piece: u32| {
        let angle = half.abs() * (2.0 * f64::from(piece) / f64::from(pieces) - 1.0);
        let along = 0.5 * length + radius * angle.sin();
        // The arc lies on the side away from which it turns.
        let aside = -half.signum() * radius * (angle.cos() - half.cos());
        Coord { x: a.x + along * ux - aside * uy, y: a.y + along * uy + aside * ux }
    };
    (1..pieces).map(place).chain([b]).collect()
}

/// An XML text with each element on its own line. Attributes are written as they stand in the text.
#[derive(Default)]
pub struct Canvas {
    text: String,
    open: Vec<&'static str>,
}

impl Canvas {
    /// Opens an element, which holds what follows.
    pub fn open(&mut self, name: &'static str, attributes: impl Display) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    /// Closes the last open element.
    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            // Writing to a string does not fail.
            let _ = writeln!(self.text, "{}</{name}>", "  ".repeat(self.open.len()));
        }
    }

    /// An element without content.
    pub(super) fn element(&mut self, name: &str, attributes: impl Display) {
        self.tag(name, attributes, "/>");
    }

    /// An element with text.
    pub fn words(&mut self, name: &str, attributes: impl Display, words: &str) {
        self.tag(name, attributes, &format!(">{}</{name}>", escaped(words)));
    }

    pub(super) fn circle(&mut self, centre: Coord, radius: f64, attributes: impl Display) {
        let [x, y, radius] = [centre.x, centre.y, radius].map(number);
        self.element("circle", format_args!("cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {attributes}"));
    }

    pub(super) fn line(&mut self, a: Coord, b: Coord, attributes: impl Display) {
        let [x1, y1, x2, y2] = [a.x, a.y, b.x, b.y].map(number);
        self.element("line", format_args!("x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {attributes}"));
    }

    /// A `polygon` or `polyline` through some places.
    pub(super) fn places(&mut self, name: &str, places: &[Coord], attributes: impl Display) {
        let points: Vec<String> = places.iter().map(|c| format!("{},{}", number(c.x), number(c.y))).collect();
        self.element(name, format_args!("points=\"{}\" {attributes}", points.join(" ")));
    }

    /// Text centred on a place.
    pub(super) fn label(&mut self, centre: Coord, size: f64, attributes: impl Display, words: &str) {
        // Digits and capitals are about 0.7 of the size high.
        let [x, y, size] = [centre.x, centre.y + 0.35 * size, size].map(number);
        self.words("text", format_args!("x=\"{x}\" y=\"{y}\" font-size=\"{size}\" {attributes}"), words);
    }

    /// Closes all elements, and gives the text.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn tag(&mut self, name: &str, attributes: impl Display, end: &str) {
        let tag = format!("<{name} {attributes}");
        let _ = writeln!(self.text, "{}{}{end}", "  ".repeat(self.open.len()), tag.trim_end());
    }
}

/// A number with at most one decimal, a thousandth of a file: enough for the eye, and equal on all machines.
pub fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text for an element. Characters that XML forbids become spaces.
fn escaped(text: &str) -> String {
    let allowed = |c: char| if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') { ' ' } else { c };
    let text: String = text.chars().map(allowed).collect();
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}
