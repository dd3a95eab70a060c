//! Boards: named points, straight lines through them, and the geometry that follows.
//!
//! A board is a TOML file. The built-in games bring theirs; a variant file may name another beside it. Neighbours,
//! points in line, exits and the mirror symmetry are computed when the file is read.
//!
//! ```
//! use privy_rules::board::Board;
//!
//! let board = Board::builtin("privy").expect("a built-in board");
//! assert_eq!(board.len(), 29);
//! let c3 = board.point("c3".parse().unwrap()).unwrap();
//! assert_eq!(board.neighbours(c3).len(), 8);
//! ```

mod file;
mod geometry;
mod inherited;
mod mistakes;
mod point;

use std::sync::Arc;

use once_cell::sync::{Lazy, OnceCell};

use crate::games;
use crate::toml_file::{Entry, FileFaults, Problem};
use privy_base::message::{did_you_mean, sanitized};

pub(crate) use file::Id;
pub use file::{is_id, like_id};
pub use geometry::{Mirror, Spot, Triple};
pub use point::PointTable;
pub(crate) use point::point_name;
pub use point::{MAX_POINTS, Point, PointName, PointSet, Points};

/// The most pairs of neighbours in line with a point.
pub(crate) const MAX_LINES: usize = 8;

/// A board: its points, its lines, and the sets that follow from them (RULES §1).
#[derive(Debug)]
pub struct Board {
    /// The id, as variant files name it.
    pub id: String,
    /// The name for people.
    pub title: String,
    /// The text of the file.
    pub source: String,
    points: Vec<(PointName, Spot)>,
    /// The points of each row, from the top row down, each row from file `a` on: the order of position texts.
    pub rows: Vec<Vec<Point>>,
    /// The straight lines, as the file has them.
    pub lines: Vec<Vec<Point>>,
    /// Chains of points of which each is adjacent to the next, but not in line: rings and arcs, as the file has them.
    pub edges: Vec<Vec<Point>>,
    /// All triples of points in line, each once.
    pub triples: Vec<Triple>,
    neighbours: [PointSet; MAX_POINTS],
    /// The main part: a rectangle, possibly with points missing.
    pub field: PointSet,
    /// The extension.
    pub privy: PointSet,
    /// The field points adjacent to a privy point.
    pub exits: PointSet,
    /// The privy points farthest from the field, none on some boards.
    pub apex: PointSet,
    /// The field points of row 1.
    pub bottom: PointSet,
    mirror: Option<Mirror>,
}

/// The built-in boards, each once it has been read.
static BOARDS: Lazy<Vec<OnceCell<Arc<Board>>>> = Lazy::new(|| vec![OnceCell::new(); games::boards().len()]);

impl Board {
    /// The built-in board with this id. It is read when it is first used.
    pub fn builtin(id: &str) -> Option<Arc<Board>> {
        let mut boards = games::boards().iter().zip(&*BOARDS);
        let ((_, text), board) = boards.find(|((known, _), _)| *known == id)?;
        let read = || Arc::new(Board::from_toml(text).expect("a test reads all built-in boards"));
        Some(Arc::clone(board.get_or_init(read)))
    }

    /// The ids of the built-in boards.
    pub fn builtin_ids() -> impl Iterator<Item = &'static str> {
        games::boards().iter().map(|(id, _)| *id)
    }

    /// The built-in board with this id, or what is wrong with the word; `file` is what else is right.
    pub(crate) fn builtin_or(word: &str, file: &str) -> Result<Arc<Board>, String> {
        Board::builtin(word).ok_or_else(|| {
            let (ids, meant) = (Vec::from_iter(Board::builtin_ids()), did_you_mean(word, Board::builtin_ids()));
            format!("found \"{}\"; expected {}{file}{meant}", sanitized(word, 60), ids.join(", "))
        })
    }

    /// Reads the text of a board file, which may extend a built-in board. The built-in ones extend none.
    ///
    /// # Errors
    /// Every fault with its line: syntax, a point that does not exist, a line that is not straight.
    pub fn from_toml(text: &str) -> Result<Board, FileFaults> {
        let file = Entry::parse(None, None, text)?;
        let extended = file.text_of("extends").map(|word| {
            let wrong = |text: String| vec![file.fault_of("extends", text)];
            Board::builtin_or(word, "").map_err(wrong)
        });
        Board::from_keys(&file, extended.transpose()?.as_deref(), None).map_err(FileFaults::from)
    }

    fn new(
        points: Vec<(PointName, Spot)>,
        field_size: usize,
        lines: Vec<Vec<Point>>,
        edges: Vec<Vec<Point>>,
        apex: PointSet,
    ) -> Result<Board, Problem> {
        let mut neighbours = [PointSet::EMPTY; MAX_POINTS];
        let mut triples: Vec<Triple> = Vec::new();
        for pair in lines.iter().chain(&edges).flat_map(|line| line.windows(2)) {
            let (a, b) = (pair[0], pair[1]);
            neighbours[a.index()] = neighbours[a.index()].with(b);
            neighbours[b.index()] = neighbours[b.index()].with(a);
        }
        for line in &lines {
            for three in line.windows(3) {
                let triple = Triple { first: three[0], middle: three[1], last: three[2] };
                if !triples.iter().any(|t| t.joins(triple.middle, triple.ends())) {
                    triples.push(triple);
                }
            }
        }
        for (index, (name, _)) in points.iter().enumerate() {
            if triples.iter().filter(|t| t.middle.index() == index).count() > MAX_LINES {
                let found = format!("more than {MAX_LINES} pairs of neighbours are in line with {name}");
                return Err(Problem::new("lines", format!("{found}; expected at most {MAX_LINES}")));
            }
        }
        let field: PointSet = (0..field_size).map(Point::new).collect();
        let privy: PointSet = (field_size..points.len()).map(Point::new).collect();
        let exits = field.into_iter().filter(|p| neighbours[p.index()].meets(privy)).collect();
        let bottom = field.into_iter().filter(|p| points[p.index()].0.row() == 1).collect();
        let (name, mut by_row) =
            (|point: &Point| points[point.index()].0, (field | privy).into_iter().collect::<Vec<_>>());
        by_row.sort_by_key(|point| (std::cmp::Reverse(name(point).row()), name(point).file()));
        let rows = by_row.chunk_by(|a, b| name(a).row() == name(b).row()).map(<[Point]>::to_vec).collect();
        let mut board = Board {
            id: String::new(),
            title: String::new(),
            source: String::new(),
            points,
            rows,
            lines,
            edges,
            triples,
            neighbours,
            field,
            privy,
            exits,
            apex,
            bottom,
            mirror: None,
        };
        board.mirror = Mirror::of(&board);
        Ok(board)
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Never true: a board has a field.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// All points: the field row by row, then the privy.
    pub fn all(&self) -> PointSet {
        self.field | self.privy
    }

    /// The point with this name, if the board has it.
    pub fn point(&self, name: PointName) -> Option<Point> {
        self.points.iter().position(|(other, _)| *other == name).map(Point::new)
    }

    /// The points with these names; other names are left out.
    pub fn named<S: AsRef<str>>(&self, names: &[S]) -> PointSet {
        names.iter().filter_map(|name| self.point(name.as_ref().parse().ok()?)).collect()
    }

    /// True if the board has the point. It does not have [`Point::HAND`] where a game has a hand.
    #[inline(always)]
    pub fn has(&self, point: Point) -> bool {
        point.index() < self.points.len()
    }

    /// The name of a point of this board.
    pub fn name(&self, point: Point) -> PointName {
        self.points[point.index()].0
    }

    /// Where a point is drawn.
    pub fn spot(&self, point: Point) -> Spot {
        self.points[point.index()].1
    }

    /// True if a point is in line with the two points of a set, between them.
    pub(super) fn are_in_line(&self, middle: Point, ends: PointSet) -> bool {
        self.triples.iter().any(|t| t.joins(middle, ends))
    }

    /// The points adjacent to a point.
    pub fn neighbours(&self, point: Point) -> PointSet {
        self.neighbours[point.index()]
    }

    /// The points to which lines lead from some points, these included, through the points of a set.
    pub fn reached(&self, from: PointSet, through: PointSet) -> PointSet {
        let mut reached = from;
        loop {
            let wider = (reached & through).into_iter().fold(reached, |all, point| all | self.neighbours(point));
            if wider == reached {
                return reached;
            }
            reached = wider;
        }
    }

    /// Steps on the empty board from each point to the nearest target; 0 where none can be reached.
    pub fn distances(&self, targets: PointSet) -> PointTable<i32> {
        let mut distances = PointTable::default();
        let (mut seen, mut frontier) = (targets, targets);
        for steps in 1.. {
            let next = frontier.into_iter().fold(PointSet::EMPTY, |next, point| next | self.neighbours(point));
            frontier = next.minus(seen);
            if frontier.is_empty() {
                break;
            }
            seen |= frontier;
            frontier.into_iter().for_each(|point| distances[point] = steps);
        }
        distances
    }

    /// The reflection that maps field, lines and apex onto themselves, if there is one.
    pub fn mirror(&self) -> Option<&Mirror> {
        self.mirror.as_ref()
    }

    /// The side of the smallest square that holds all point names: 7 for the boards with 25 field points, 11 for the
    /// double board, 6 for gonu.
    pub fn square(&self) -> u8 {
        self.points.iter().map(|(name, _)| name.file().max(name.row())).max().unwrap_or(0)
    }

    /// Point names joined by spaces, by row and then file; without points that the board does not have.
    pub fn names(&self, points: PointSet) -> String {
        let mut names: Vec<PointName> = (points & self.all()).into_iter().map(|p| self.name(p)).collect();
        names.sort();
        names.iter().map(PointName::to_string).collect::<Vec<_>>().join(" ")
    }
}
