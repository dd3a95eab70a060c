//! The labels of a picture: file letters and row numbers at its edges, names beside points. None lies on a line, a
//! piece or another label. A name stands beside its point, nearer to it than to any other; where there is no room, it
//! stands farther away, and a short line leads to it.

use std::collections::BTreeMap;

use crate::board::{Board, Point, PointSet, Spot};

use super::shapes::{ARRIVED_RING, Coord, Scale};

/// Font sizes in hundredths of a file, the least and the largest.
const EDGE_SIZES: (f64, f64) = (24.0, 90.0);
const NAME_SIZES: (f64, f64) = (15.0, 60.0);
/// Font sizes in pixels that are easy to read. Where the scale of a picture makes labels smaller, they are drawn
/// larger, if there is room.
const EDGE_PIXELS: f64 = 13.0;
const NAME_PIXELS: f64 = 11.0;

/// The least distance of letters and numbers from the outermost points, and of their end from the edge of the picture.
const EDGE_DISTANCE: f64 = 52.0;
const EDGE_MARGIN: f64 = 24.0;
/// The room round the board without labels: a piece and the ring round it.
const BARE_ROOM: f64 = 60.0;

/// The radius of an empty point in hundredths of a file, and that of the ring of an apex in radii of a piece.
const EMPTY_ROOM: f64 = 8.0;
const RING_ROOM: f64 = 0.6;
/// The least distance of a name from lines and pieces; half the width of a line is a part of it.
const CLEAR: f64 = 3.0;

/// The distance from other points at which it is clear whose name a label is, and the least one in distances from its
/// own point.
const CLEARLY_APART: f64 = 40.0;
const NEARER: f64 = 1.25;

/// The distances at which a name is tried with a line to its point, in sizes of the smallest name: step and number.
const LED_STEP: f64 = 0.3;
const LED_STEPS: u32 = 40;

/// The labels of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Labels {
    /// None.
    None,
    /// File letters and row numbers along the board, and the names of points that lie off them, as those of the privy;
    /// names alone on boards most of whose points do.
    #[default]
    Edges,
    /// The name of every point beside it.
    Points,
}

/// The pixels of the longer side of a picture in which the labels of [`board_labels`] are readable.
const LEAST_PIXELS: f64 = 480.0;

/// A label of a board, in hundredths of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardLabel {
    /// A file letter, a row number or the name of a point.
    pub words: String,
    /// Its middle.
    pub centre: Coord,
    /// Its font size.
    pub size: f64,
    /// From the label to its point, where it stands farther away.
    pub line: Option<(Coord, Coord)>,
}

/// The labels at the edges and beside points of a board that has a piece on every point, for programs that draw it.
pub fn board_labels(board: &Board) -> Vec<BoardLabel> {
    Labelling::new(&Scale::new(board), Labels::Edges, LEAST_PIXELS).labels(board.all(), board.all())
}

impl BoardLabel {
    /// The distance of a place from the box of the label.
    fn distance(&self, place: Coord) -> f64 {
        distance_to_box(place, self.centre, half_sides(&self.words, self.size))
    }
}

/// The labels that a picture has, and the room that they need.
pub(super) struct Labelling<'a> {
    scale: &'a Scale<'a>,
    /// The letters and numbers at the edges.
    at_edges: Vec<BoardLabel>,
    /// The points with names.
    named: PointSet,
    name_size: f64,
    /// The upper left and the lower right corner of the board with its labels.
    pub(super) corners: (Coord, Coord),
}

impl<'a> Labelling<'a> {
    /// `pixels` is the longer side of the picture.
    pub(super) fn new(scale: &'a Scale<'a>, labels: Labels, pixels: f64) -> Labelling<'a> {
        let board = scale.board;
        let (low, high) = scale.bounds(board.all());
        let longest = (high.x - low.x).max(high.y - low.y) + 2.0 * BARE_ROOM;
        let readable =
            |pixels_high: f64, (least, most): (f64, f64)| (pixels_high * longest / pixels).clamp(least, most);
        let (files, rows, aligned) = if labels == Labels::Edges { edge_labels(scale) } else { Default::default() };
        let between = |labels: &AlongEdge| {
            labels.values().zip(labels.values().skip(1)).map(|(a, b)| (a - b).abs()).fold(f64::MAX, f64::min)
        };
        let size = readable(EDGE_PIXELS, EDGE_SIZES).min(0.9 * between(&files).min(between(&rows)));
        let name_size = readable(NAME_PIXELS, NAME_SIZES);
        let named = if labels == Labels::None { PointSet::EMPTY } else { board.all().minus(aligned) };
        let pieces = scale.radius + ARRIVED_RING;
        let outside = if named.is_empty() { BARE_ROOM } else { BARE_ROOM.max(pieces + 2.2 * name_size) };
        let widest = rows.keys().map(|row| half_sides(&row.to_string(), size)[0]).fold(0.0, f64::max);
        let [aside, below] = [widest, 0.4 * size].map(|half| EDGE_DISTANCE.max(pieces + half + CLEAR));
        let room = |labels: &AlongEdge, room: f64| if labels.is_empty() { outside } else { outside.max(room) };
        let left = room(&rows, aside + widest + EDGE_MARGIN);
        let bottom = room(&files, below + 0.5 * size + EDGE_MARGIN);
        let letter = |file: u8| char::from(b'a' + file - 1).to_string();
        let files = files.into_iter().map(|(file, x)| (Coord { x, y: high.y + below }, letter(file)));
        let rows = rows.into_iter().rev().map(|(row, y)| (Coord { x: low.x - aside, y }, row.to_string()));
        let at_edges =
            files.chain(rows).map(|(centre, words)| BoardLabel { centre, size, words, line: None }).collect();
        let corners =
            (Coord { x: low.x - left, y: low.y - outside }, Coord { x: high.x + outside, y: high.y + bottom });
        Labelling { scale, at_edges, named, name_size, corners }
    }

    /// The letters and numbers at the edges, and the names beside points. `covered` are the points with a piece or a
    /// mark of the last move, `ringed` those with a ring round their pieces.
    pub(super) fn labels(&self, covered: PointSet, ringed: PointSet) -> Vec<BoardLabel> {
        let mut labels = self.at_edges.clone();
        for point in self.named {
            let room = if ringed.contains(point) {
                self.scale.radius + ARRIVED_RING
            } else if covered.contains(point) {
                self.scale.radius
            } else if self.scale.board.apex.contains(point) {
                (RING_ROOM * self.scale.radius).max(EMPTY_ROOM)
            } else {
                EMPTY_ROOM
            };
            labels.push(self.next_to(point, room, &labels));
        }
        labels
    }

    /// The name of a point as large as there is room beside it; else in the nearest free place with a line.
    fn next_to(&self, point: Point, room: f64, others: &[BoardLabel]) -> BoardLabel {
        let (place, words) = (self.scale.place(point), self.scale.board.name(point).to_string());
        let away = room + CLEAR;
        let at = |away: f64, size: f64, (x, y): (f64, f64)| {
            let [wide, high] = half_sides(&words, size);
            let centre = Coord { x: place.x + x * (away + wide), y: place.y + y * (away + high) };
            BoardLabel { centre, size, words: words.clone(), line: None }
        };
        let least = NAME_SIZES.0;
        let sizes = std::iter::successors(Some(self.name_size), |size| Some(0.85 * size));
        let sizes = sizes.take_while(|size| *size > least).chain([least]);
        let near = sizes.flat_map(|size| directions().map(move |direction| (away, size, direction)));
        let size = least.max(0.7 * self.name_size);
        let steps = (1..=LED_STEPS).map(|step| away + f64::from(step) * LED_STEP * size);
        let led = steps.flat_map(|away| directions().map(move |direction| (away, size, direction)));
        let near = near.map(|(away, size, direction)| at(away, size, direction));
        let led = led.map(|(away, size, direction)| {
            let label = at(away, size, direction);
            let begin = place.towards(label.centre, label.distance(place) - CLEAR);
            BoardLabel { line: Some((begin, place)), ..label }
        });
        near.chain(led)
            .find(|label| self.is_free(label, (place, room), others))
            .unwrap_or_else(|| at(away, least, SLANTS[0]))
    }

    /// True if nothing is under a label and the line to its point, both are in the picture, and a label without a line
    /// is clearly nearer to its own point than to any other.
    fn is_free(&self, label: &BoardLabel, (place, room): (Coord, f64), others: &[BoardLabel]) -> bool {
        let ([wide, high], (low, upper)) = (half_sides(&label.words, label.size), self.corners);
        let (Coord { x, y }, clear) = (label.centre, [wide + CLEAR, high + CLEAR]);
        let is_inside = x - wide >= low.x && x + wide <= upper.x && y - high >= low.y && y + high <= upper.y;
        let clearly_apart = (NEARER * label.distance(place)).min(CLEARLY_APART);
        let is_clear_of = |point: Point| {
            let other = self.scale.place(point);
            let is_told_apart = match label.line {
                Some((a, b)) => other.distance_to_line(a, b) > self.scale.radius,
                None => label.distance(other) >= clearly_apart,
            };
            other == place || distance_to_box(other, label.centre, clear) >= self.scale.radius && is_told_apart
        };
        let is_over = |other: &BoardLabel| {
            let sides = half_sides(&other.words, other.size);
            let meets =
                |line: Option<(Coord, Coord)>, centre, sides| line.is_some_and(|(a, b)| crosses(a, b, centre, sides));
            (x - other.centre.x).abs() < wide + sides[0] && (y - other.centre.y).abs() < high + sides[1]
                || meets(label.line, other.centre, sides)
                || meets(other.line, label.centre, clear)
        };
        let mut legs = self.scale.ways().iter().flat_map(|way| way.windows(2));
        is_inside
            && label.distance(place) >= room
            && self.scale.board.all().into_iter().all(is_clear_of)
            && !legs.any(|leg| crosses(leg[0], leg[1], label.centre, clear))
            && !others.iter().any(is_over)
    }
}

/// Half the width and half the height of a text.
fn half_sides(words: &str, size: f64) -> [f64; 2] {
    // Digits and small letters of common fonts are 0.55 to 0.6 of the size wide.
    [0.29 * size * words.len() as f64, 0.37 * size]
}

fn distance_to_box(place: Coord, centre: Coord, sides: [f64; 2]) -> f64 {
    let beyond = |offset: f64, side: f64| (offset.abs() - side).max(0.0);
    beyond(place.x - centre.x, sides[0]).hypot(beyond(place.y - centre.y, sides[1]))
}

/// True if a segment crosses a box (Liang and Barsky, 1984).
pub fn crosses(a: Coord, b: Coord, centre: Coord, sides: [f64; 2]) -> bool {
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for (start, step, side) in [(a.x - centre.x, b.x - a.x, sides[0]), (a.y - centre.y, b.y - a.y, sides[1])] {
        if step == 0.0 {
            if start.abs() >= side {
                return false;
            }
            continue;
        }
        let (one, other) = ((-side - start) / step, (side - start) / step);
        (enters, leaves) = (enters.max(one.min(other)), leaves.min(one.max(other)));
    }
    enters < leaves
}

/// Directions round a point, the preferred first, each in four quadrants: lower right first, as on sea charts.
/// Constants instead of sines make pictures equal on all machines.
const SLANTS: [(f64, f64); 3] = [(0.707, 0.707), (0.924, 0.383), (0.383, 0.924)];
const QUADRANTS: [(f64, f64); 4] = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
const STRAIGHT: [(f64, f64); 4] = [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0)];

fn directions() -> impl Iterator<Item = (f64, f64)> {
    SLANTS.into_iter().flat_map(|(x, y)| QUADRANTS.map(|(right, down)| (right * x, down * y))).chain(STRAIGHT)
}

/// The numbers of files or rows, each with its place along the edge.
type AlongEdge = BTreeMap<u8, f64>;

/// File letters and row numbers, and the points whose names they give; empty if these are few.
fn edge_labels(scale: &Scale<'_>) -> (AlongEdge, AlongEdge, PointSet) {
    let (board, field) = (scale.board, scale.board.field);
    let files = common(field, |p| (board.name(p).file(), board.spot(p).x));
    let rows = common(field, |p| (board.name(p).row(), board.spot(p).y));
    let is_aligned = |p: &Point| {
        let (name, Spot { x, y }) = (board.name(*p), board.spot(*p));
        files.get(&name.file()) == Some(&x) && rows.get(&name.row()) == Some(&y)
    };
    let aligned: PointSet = field.into_iter().filter(is_aligned).collect();
    if 2 * aligned.len() < field.len() {
        return Default::default();
    }
    let across = files.into_iter().map(|(file, x)| (file, f64::from(x))).collect();
    (across, rows.into_iter().map(|(row, y)| (row, -f64::from(y))).collect(), aligned)
}

/// The place of each file or row, where most of its points are; none for one that has all in different places.
fn common(field: PointSet, place: impl Fn(Point) -> (u8, i32)) -> BTreeMap<u8, i32> {
    let mut places: Vec<(u8, i32)> = field.into_iter().map(place).collect();
    places.sort_unstable();
    let files = places.chunk_by(|a, b| a.0 == b.0);
    let most = |file: &[(u8, i32)]| {
        let alike = file.chunk_by(|a, b| a == b).rev().max_by_key(|alike| alike.len())?;
        (alike.len() > 1 || file.len() == 1).then_some(alike[0])
    };
    files.filter_map(most).collect()
}
