//! Boards (RULES §1): points and straight lines, and what follows from them.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

/// An index into `NaiveBoard::points`.
pub(crate) type PointIndex = usize;

/// A named point. Drawing coordinates are in hundredths, so that half steps are integers.
#[derive(Clone, Debug)]
pub struct NaivePoint {
    /// File letter and row number.
    pub name: String,
    /// To the right.
    pub x: i64,
    /// Upwards.
    pub y: i64,
    /// True for a point of the privy.
    pub in_privy: bool,
}

impl NaivePoint {
    pub(crate) fn row(&self) -> u32 {
        self.name[1..].parse().unwrap_or(0)
    }

    /// Row, then file.
    fn order(&self) -> (u32, &str) {
        (self.row(), &self.name[..1])
    }
}

/// Points and straight lines, with the relations that follow from the lines.
#[derive(Clone, Debug, Default)]
pub struct NaiveBoard {
    /// The field row by row, then the privy by row and file.
    pub points: Vec<NaivePoint>,
    /// The field points adjacent to a privy point.
    pub exits: BTreeSet<PointIndex>,
    /// The privy points farthest from the field.
    pub apex: BTreeSet<PointIndex>,
    neighbours: Vec<BTreeSet<PointIndex>>,
    pairs_around: Vec<Vec<(PointIndex, PointIndex)>>,
    overs_from: Vec<Vec<(PointIndex, PointIndex)>>,
    rays: Vec<Vec<Vec<PointIndex>>>,
    rows_from_top: Vec<Vec<PointIndex>>,
}

fn names(table: &Table, key: &str) -> Vec<String> {
    let items = table.get(key).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_lowercase).collect()
}

/// A coordinate in hundredths.
fn hundredths(value: Option<&Value>) -> Option<i64> {
    let value = value?;
    let number = value.as_float().or_else(|| value.as_integer().map(|number| number as f64))?;
    Some((number * 100.0).round() as i64)
}

/// The points of the rectangle of `field`.
fn rectangle(field: &Table, without: &[String]) -> Result<Vec<NaivePoint>, String> {
    let number = |key: &str| field.get(key).and_then(Value::as_integer).ok_or_else(|| format!("no {key}"));
    let corner = field.get("from").and_then(Value::as_str).unwrap_or("a1").to_lowercase();
    let (first_file, first_row) = (i64::from(corner.as_bytes()[0]), corner[1..].parse().unwrap_or(1));
    let mut points = Vec::new();
    for row in first_row..first_row + number("rows")? {
        for file in first_file..first_file + number("files")? {
            let name = format!("{}{row}", file as u8 as char);
            if !without.contains(&name) {
                points.push(NaivePoint { name, x: (file - 96) * 100, y: row * 100, in_privy: false });
            }
        }
    }
    Ok(points)
}

/// The points of a table of names with coordinates.
fn placed(table: &Table, key: &str, in_privy: bool) -> Result<Vec<NaivePoint>, String> {
    let mut points = Vec::new();
    for (name, place) in table.get(key).and_then(Value::as_table).into_iter().flatten() {
        let (x, y) = (hundredths(place.get(0)), hundredths(place.get(1)));
        let (x, y) = x.zip(y).ok_or_else(|| format!("no coordinates of {name}"))?;
        points.push(NaivePoint { name: name.to_lowercase(), x, y, in_privy });
    }
    Ok(points)
}

impl NaiveBoard {
    /// Reads a board file.
    pub(crate) fn read(text: &str) -> Result<NaiveBoard, String> {
        let table: Table = text.parse().map_err(|error| format!("{error}"))?;
        let (field, free) = (table.get("field").and_then(Value::as_table), placed(&table, "points", false)?);
        if field.is_none() && free.is_empty() {
            return Err("no field".to_owned());
        }
        let mut points = field.map_or(Ok(Vec::new()), |field| rectangle(field, &names(&table, "without")))?;
        points.extend(free);
        points.sort_by(|a, b| a.order().cmp(&b.order()));
        let mut privy = placed(&table, "privy", true)?;
        privy.sort_by(|a, b| a.order().cmp(&b.order()));
        points.extend(privy);
        let mut board = NaiveBoard { points, ..NaiveBoard::default() };
        board.apex = names(&table, "apex").iter().map(|name| board.spot(name)).collect::<Result<_, _>>()?;
        let spots = |line: &String| line.split('-').map(|name| board.spot(name.trim())).collect::<Result<_, _>>();
        let lines = names(&table, "lines").iter().map(spots).collect::<Result<Vec<Vec<PointIndex>>, _>>()?;
        let edges = names(&table, "edges").iter().map(spots).collect::<Result<Vec<Vec<PointIndex>>, _>>()?;
        // A pair of an edge is a line of two points: adjacent, and in line with no third.
        let pairs = edges.iter().flat_map(|edge| edge.windows(2)).map(<[PointIndex]>::to_vec);
        board.follow(&lines.into_iter().chain(pairs).collect::<Vec<_>>());
        Ok(board)
    }

    fn spot(&self, name: &str) -> Result<PointIndex, String> {
        self.points.iter().position(|point| point.name == name).ok_or_else(|| format!("no point {name}"))
    }

    /// The name of a point.
    pub fn name(&self, spot: PointIndex) -> &str {
        &self.points[spot].name
    }

    /// The names of points by row, then file.
    pub(crate) fn names(&self, spots: impl IntoIterator<Item = PointIndex>) -> Vec<String> {
        let mut points: Vec<&NaivePoint> = spots.into_iter().map(|spot| &self.points[spot]).collect();
        points.sort_by_key(|point| point.order());
        points.into_iter().map(|point| point.name.clone()).collect()
    }

    /// §1: adjacent points follow one another on a line.
    pub(crate) fn neighbours(&self, spot: PointIndex) -> &BTreeSet<PointIndex> {
        &self.neighbours[spot]
    }

    /// The pairs a, b with a-middle-b in line, each pair once.
    pub(crate) fn pairs_around(&self, middle: PointIndex) -> &[(PointIndex, PointIndex)] {
        &self.pairs_around[middle]
    }

    /// The pairs m, b with start-m-b in line: over m, to b.
    pub(crate) fn overs_from(&self, start: PointIndex) -> &[(PointIndex, PointIndex)] {
        &self.overs_from[start]
    }

    /// The points from `start` outwards, along every line in both directions, whatever pieces it has in the file.
    pub(crate) fn rays(&self, start: PointIndex) -> &[Vec<PointIndex>] {
        &self.rays[start]
    }

    /// The rows from the top, each from its lowest file.
    pub(crate) fn rows_from_top(&self) -> &[Vec<PointIndex>] {
        &self.rows_from_top
    }

    /// Finds what follows from the lines.
    fn follow(&mut self, lines: &[Vec<PointIndex>]) {
        let count = self.points.len();
        self.neighbours = vec![BTreeSet::new(); count];
        let mut triples = BTreeSet::new();
        self.rays = vec![Vec::new(); count];
        for line in lines.iter().flat_map(|line| [line.clone(), line.iter().rev().copied().collect()]) {
            for pair in line.windows(2) {
                self.neighbours[pair[0]].insert(pair[1]);
            }
            triples.extend(line.windows(3).map(|three| (three[0], three[1], three[2])));
        }
        for start in 0..count {
            let mut open: Vec<Vec<PointIndex>> = self.neighbours[start].iter().map(|next| vec![start, *next]).collect();
            while let Some(ray) = open.pop() {
                let in_line = triples.iter().filter(|(a, m, _)| ray.ends_with(&[*a, *m]));
                let longer: Vec<_> = in_line.map(|(_, _, b)| [ray.clone(), vec![*b]].concat()).collect();
                if longer.is_empty() {
                    self.rays[start].push(ray[1..].to_vec());
                }
                open.extend(longer);
            }
        }
        self.pairs_around = vec![Vec::new(); count];
        self.overs_from = vec![Vec::new(); count];
        for (a, m, b) in triples {
            self.overs_from[a].push((m, b));
            if a < b {
                self.pairs_around[m].push((a, b));
            }
        }
        let in_privy = |spot: &PointIndex| self.points[*spot].in_privy;
        self.exits = (0..count).filter(|s| !in_privy(s) && self.neighbours[*s].iter().any(in_privy)).collect();
        let mut rows: BTreeMap<u32, Vec<PointIndex>> = BTreeMap::new();
        for (spot, point) in self.points.iter().enumerate() {
            rows.entry(point.row()).or_default().push(spot);
        }
        rows.values_mut().for_each(|row| row.sort_by_key(|spot| &self.points[*spot].name[..1]));
        self.rows_from_top = rows.into_values().rev().collect();
    }

    /// §1: orthogonal means equal x or equal y.
    pub(crate) fn is_orthogonal(&self, a: PointIndex, b: PointIndex) -> bool {
        let (a, b) = (&self.points[a], &self.points[b]);
        a.x == b.x || a.y == b.y
    }

    /// True if the directions a→b and c→d are at right angles in the drawing.
    pub(crate) fn at_right_angles(&self, a: PointIndex, b: PointIndex, c: PointIndex, d: PointIndex) -> bool {
        let p = |spot: PointIndex| &self.points[spot];
        (p(b).x - p(a).x) * (p(d).x - p(c).x) + (p(b).y - p(a).y) * (p(d).y - p(c).y) == 0
    }
}
