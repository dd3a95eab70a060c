//! The labels of a picture: file letters and row numbers at its edges, names beside points. None lies on a line, a
//! piece or another label. A name stands beside its point, nearer to it than to any other; where there is no room, it
//! stands farther away, and a short line leads to it.

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardLabel {
    /// A file letter, a row number or the name of a point.
    pub words: String,
    /// Its middle.
    pub middle: Spot,
    /// Its font size.
    pub size: i32,
    /// The ends of the line that leads from a name to its point.
    pub line: Option<(Spot, Spot)>,
}

/// The labels at the edges and beside points of a board that has a piece on every point, for programs that draw it.
pub fn board_labels(board: &Board) -> Vec<BoardLabel> {
    let scale = Scale::new(board);
    let labels = Labelling::new(&scale, Labels::Edges, LEAST_PIXELS).labels(board.all(), board.all());
    let hundredths = |value: f64| value.round() as i32;
    let place = |Coord { x, y }| Spot { x: hundredths(x), y: hundredths(-y) };
    let placed = labels.into_iter().map(|PlacedLabel { centre, size, words, line }| {
        let line = line.map(|(a, b)| (place(a), place(b)));
        BoardLabel { words, middle: place(centre), size: hundredths(size), line }
    });
    placed.collect()
}

/// A label centred on a place.
#[derive(Clone)]
pub(super) struct PlacedLabel {
    pub(super) centre: Coord,
    pub(super) size: f64,
    pub(super) words: String,
    /// From the label to its point, where it stands farther away.
    pub(super) line: Option<(Coord, Coord)>,
}

impl PlacedLabel {
    /// The distance of a place from the box of the label.
    fn distance(&self, place: Coord) -> f64 {
        distance_to_box(place, self.centre, half_sides(&self.words, self.size))
    }
}

/// The labels that a picture has, and the room that they need.
pub(super) struct Labelling<'a> {
    scale: &'a Scale<'a>,
    /// The letters and numbers at the edges.
    at_edges: Vec<PlacedLabel>,
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
        let gaps = [&files, &rows].into_iter().flat_map(|labels| labels.windows(2).map(|pair| pair[1].0 - pair[0].0));
        let size = gaps.fold(readable(EDGE_PIXELS, EDGE_SIZES), |size, gap| size.min(0.9 * gap));
        let name_size = readable(NAME_PIXELS, NAME_SIZES);
        let named = if labels == Labels::None { PointSet::EMPTY } else { board.all().minus(aligned) };
        let pieces = scale.radius + ARRIVED_RING;
        let outside = if named.is_empty() { BARE_ROOM } else { BARE_ROOM.max(pieces + 2.2 * name_size) };
        let widest = rows.iter().map(|(_, words)| half_sides(words, size)[0]).fold(0.0, f64::max);
        let [aside, below] = [widest, 0.4 * size].map(|half| EDGE_DISTANCE.max(pieces + half + CLEAR));
        let room = |labels: &[(f64, String)], room: f64| if labels.is_empty() { outside } else { outside.max(room) };
        let left = room(&rows, aside + widest + EDGE_MARGIN);
        let bottom = room(&files, below + 0.5 * size + EDGE_MARGIN);
        let files = files.into_iter().map(|(x, words)| (Coord { x, y: high.y + below }, words));
        let rows = rows.into_iter().map(|(y, words)| (Coord { x: low.x - aside, y }, words));
        let at_edges =
            files.chain(rows).map(|(centre, words)| PlacedLabel { centre, size, words, line: None }).collect();
        let corners =
            (Coord { x: low.x - left, y: low.y - outside }, Coord { x: high.x + outside, y: high.y + bottom });
        Labelling { scale, at_edges, named, name_size, corners }
    }

    /// The letters and numbers at the edges, and the names beside points. `covered` are the points with a piece or a
    /// mark of the last move, `ringed` those with a ring round their pieces.
    pub(super) fn labels(&self, covered: PointSet, ringed: PointSet) -> Vec<PlacedLabel> {
        let mut labels = self.at_edges.clone();
        for point in self.named {
            let room = if ringed.contains(point) {
                self.scale.radius + ARRIVED_RING
            } else if covered.contains(point) {
                self.scale.radius
            } else if self.scale.board.apex().contains(point) {
                (RING_ROOM * self.scale.radius).max(EMPTY_ROOM)
            } else {
                EMPTY_ROOM
            };
            labels.push(self.beside(point, room, &labels));
        }
        labels
    }

    /// The name of a point as large as there is room beside it, and nearer to it than to any other; else the nearest
    /// free place with a line.
    fn beside(&self, point: Point, room: f64, others: &[PlacedLabel]) -> PlacedLabel {
        let (place, words) = (self.scale.place(point), self.scale.board.name(point).to_string());
        let at = |away: f64, size: f64, (x, y): (f64, f64)| {
            let [wide, high] = half_sides(&words, size);
            let centre = Coord { x: place.x + x * (away + wide), y: place.y + y * (away + high) };
            PlacedLabel { centre, size, words: words.clone(), line: None }
        };
        let away = room + CLEAR;
        let sizes = std::iter::successors(Some(self.name_size), |size| Some(0.85 * size));
        let sizes = sizes.take_while(|size| *size > NAME_SIZES.0).chain([NAME_SIZES.0]);
        let named = sizes.flat_map(|size| directions().map(move |direction| (size, direction)));
        let mut named = named.map(|(size, direction)| at(away, size, direction)).filter(|label| {
            let own = NEARER * label.distance(place);
            let is_nearest = |other: Point| {
                self.scale.place(other) == place || label.distance(self.scale.place(other)) >= own.min(CLEARLY_APART)
            };
            self.scale.board.all().into_iter().all(is_nearest)
        });
        let size = NAME_SIZES.0.max(0.7 * self.name_size);
        let steps = (1..=LED_STEPS).map(|step| away + f64::from(step) * LED_STEP * size);
        let mut led =
            steps.flat_map(|away| directions().map(move |direction| (away, direction))).map(|(away, direction)| {
                let label = at(away, size, direction);
                let begin = place.towards(label.centre, label.distance(place) - CLEAR);
                PlacedLabel { line: Some((begin, place)), ..label }
            });
        let is_free = |label: &PlacedLabel| self.is_free(label, (place, room), others);
        named.find(is_free).or_else(|| led.find(is_free)).unwrap_or_else(|| at(away, NAME_SIZES.0, SLANTS[0]))
    }

    /// True if nothing is under a label and the line to its point, and both are in the picture.
    fn is_free(&self, label: &PlacedLabel, (place, room): (Coord, f64), others: &[PlacedLabel]) -> bool {
        let ([wide, high], (low, upper)) = (half_sides(&label.words, label.size), self.corners);
        let Coord { x, y } = label.centre;
        let is_inside = x - wide >= low.x && x + wide <= upper.x && y - high >= low.y && y + high <= upper.y;
        let clear = [wide + CLEAR, high + CLEAR];
        let is_clear_of = |point: Point| {
            let other = self.scale.place(point);
            let leads_past = label.line.is_none_or(|(a, b)| other.distance_to_line(a, b) > self.scale.radius);
            other == place || distance_to_box(other, label.centre, clear) >= self.scale.radius && leads_past
        };
        let is_over = |other: &PlacedLabel| {
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

/// The least distance between two letters or two numbers.
const LEAST_GAP: f64 = 20.0;

/// Labels, each with its place along an edge.
type AlongEdge = Vec<(f64, String)>;

/// File letters and row numbers, each with its place along the edge, in their order, and the points whose names they
/// give; empty if these are few.
fn edge_labels(scale: &Scale<'_>) -> (AlongEdge, AlongEdge, PointSet) {
    let board = scale.board;
    let files = common(board, |p| (u32::from(board.name(p).file()), scale.place(p).x));
    let rows = common(board, |p| (u32::from(board.name(p).row()), scale.place(p).y));
    let has = |labels: &[(u32, f64)], number: u8, at: f64| labels.contains(&(u32::from(number), at));
    let is_aligned = |p: &Point| {
        let (name, place) = (board.name(*p), scale.place(*p));
        has(&files, name.file(), place.x) && has(&rows, name.row(), place.y)
    };
    let aligned: PointSet = board.field().into_iter().filter(is_aligned).collect();
    if 2 * aligned.len() < board.field().len() {
        return Default::default();
    }
    let sorted = |labels: Vec<(u32, f64)>, words: fn(u32) -> String| {
        let mut labels: Vec<(f64, String)> = labels.into_iter().map(|(number, at)| (at, words(number))).collect();
        labels.sort_by(|a, b| a.0.total_cmp(&b.0));
        labels
    };
    let letter = |number: u32| char::from(b'a' + number as u8 - 1).to_string();
    (sorted(files, letter), sorted(rows, |number| number.to_string()), aligned)
}

/// The place of each file or row along the edge: that of most of its field points, if it is that of two, or the only
/// one; none near another.
fn common(board: &Board, place: impl Fn(Point) -> (u32, f64)) -> Vec<(u32, f64)> {
    let places: Vec<(u32, f64)> = board.field().into_iter().map(place).collect();
    let mut labels: Vec<(u32, f64)> = Vec::new();
    for (number, at) in &places {
        let count = |at: f64| places.iter().filter(|place| **place == (*number, at)).count();
        let of_file = || places.iter().filter(|(other, _)| other == number);
        let is_best = of_file().all(|(_, other)| count(*other) <= count(*at));
        let is_free = labels.iter().all(|(other, taken)| other != number && (taken - at).abs() >= LEAST_GAP);
        if is_best && is_free && (count(*at) > 1 || of_file().count() == 1) {
            labels.push((*number, *at));
        }
    }
    labels
}
