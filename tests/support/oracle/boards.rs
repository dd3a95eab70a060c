//! The boards of RULES §5 and of the relatives, written out by points and lines.

use std::collections::{BTreeMap, BTreeSet};

/// An index into `Board::points`.
pub type Spot = usize;

/// A named point. Drawing coordinates are doubled, so that half steps are integers.
#[derive(Clone, Debug)]
pub struct Point {
    pub name: String,
    pub x2: i32,
    pub y2: i32,
    pub in_privy: bool,
}

impl Point {
    /// The file letter of the name.
    pub fn file(&self) -> char {
        self.name.chars().next().unwrap()
    }

    /// The row number of the name.
    pub fn row(&self) -> u32 {
        self.name[1..].parse().unwrap()
    }
}

/// Points and straight lines (RULES §1), with the relations that follow from the lines, computed once per point.
#[derive(Clone, Debug, Default)]
pub struct Board {
    pub points: Vec<Point>,
    /// Each line lists its points in order.
    pub lines: Vec<Vec<Spot>>,
    pub exits: BTreeSet<Spot>,
    pub apex: BTreeSet<Spot>,
    neighbours: Vec<BTreeSet<Spot>>,
    pairs_around: Vec<Vec<(Spot, Spot)>>,
    overs_from: Vec<Vec<(Spot, Spot)>>,
    rays: Vec<Vec<Vec<Spot>>>,
    rows_from_top: Vec<Vec<Spot>>,
}

impl Board {
    pub fn spot(&self, name: &str) -> Spot {
        self.points.iter().position(|p| p.name == name).unwrap_or_else(|| panic!("no point {name}"))
    }

    pub fn name(&self, spot: Spot) -> &str {
        &self.points[spot].name
    }

    /// §1: adjacent points are neighbours on a line.
    pub fn neighbours(&self, spot: Spot) -> &BTreeSet<Spot> {
        &self.neighbours[spot]
    }

    /// The pairs a, b with a-middle-b in line, each pair once.
    pub fn pairs_around(&self, middle: Spot) -> &[(Spot, Spot)] {
        &self.pairs_around[middle]
    }

    /// The pairs m, b with start-m-b in line: over m, to b.
    pub fn overs_from(&self, start: Spot) -> &[(Spot, Spot)] {
        &self.overs_from[start]
    }

    /// The points from `start` outwards, along every line in both directions.
    pub fn rays(&self, start: Spot) -> &[Vec<Spot>] {
        &self.rays[start]
    }

    /// The rows from the top, each from its lowest file.
    pub fn rows_from_top(&self) -> &[Vec<Spot>] {
        &self.rows_from_top
    }

    /// Computes the relations that follow from the lines.
    fn follow_the_lines(&mut self) {
        let spots = 0..self.points.len();
        self.neighbours = spots.clone().map(|spot| self.find_neighbours(spot)).collect();
        let triples = self.find_triples();
        let pairs = |middle: Spot| triples.iter().filter(move |&&(a, m, b)| m == middle && a < b);
        self.pairs_around = spots.clone().map(|spot| pairs(spot).map(|&(a, _, b)| (a, b)).collect()).collect();
        let overs = |start: Spot| triples.iter().filter(move |&&(a, _, _)| a == start);
        self.overs_from = spots.clone().map(|spot| overs(spot).map(|&(_, m, b)| (m, b)).collect()).collect();
        self.rays = spots.map(|spot| self.find_rays(spot)).collect();
        self.rows_from_top = self.find_rows();
    }

    fn find_neighbours(&self, spot: Spot) -> BTreeSet<Spot> {
        let mut found = BTreeSet::new();
        for line in &self.lines {
            for pair in line.windows(2) {
                if pair[0] == spot {
                    found.insert(pair[1]);
                }
                if pair[1] == spot {
                    found.insert(pair[0]);
                }
            }
        }
        found
    }

    /// §1: all triples a-m-b in line, each once in either direction.
    fn find_triples(&self) -> Vec<(Spot, Spot, Spot)> {
        let mut found = Vec::new();
        for line in &self.lines {
            for three in line.windows(3) {
                found.push((three[0], three[1], three[2]));
                found.push((three[2], three[1], three[0]));
            }
        }
        found
    }

    fn find_rays(&self, start: Spot) -> Vec<Vec<Spot>> {
        let mut found = Vec::new();
        for line in &self.lines {
            if let Some(at) = line.iter().position(|&s| s == start) {
                found.push(line[at + 1..].to_vec());
                found.push(line[..at].iter().rev().copied().collect());
            }
        }
        found
    }

    fn find_rows(&self) -> Vec<Vec<Spot>> {
        let mut rows: BTreeMap<u32, Vec<Spot>> = BTreeMap::new();
        for (spot, point) in self.points.iter().enumerate() {
            rows.entry(point.row()).or_default().push(spot);
        }
        for row in rows.values_mut() {
            row.sort_by_key(|&s| self.points[s].file());
        }
        rows.into_values().rev().collect()
    }

    /// §1: orthogonal means equal x or equal y.
    pub fn is_orthogonal(&self, a: Spot, b: Spot) -> bool {
        let (a, b) = (&self.points[a], &self.points[b]);
        a.x2 == b.x2 || a.y2 == b.y2
    }

    /// True if the directions a→b and c→d are at right angles in the drawing.
    pub fn at_right_angles(&self, a: Spot, b: Spot, c: Spot, d: Spot) -> bool {
        let p = |s: Spot| &self.points[s];
        (p(b).x2 - p(a).x2) * (p(d).x2 - p(c).x2) + (p(b).y2 - p(a).y2) * (p(d).y2 - p(c).y2) == 0
    }
}

/// A board as the table of §5 gives it.
struct Plan {
    /// The points of each row of the field, row 1 first.
    field: &'static [&'static str],
    /// Name, x and y in half steps.
    privy: &'static [(&'static str, i32, i32)],
    lines: &'static [&'static [&'static str]],
    exits: &'static str,
    apex: &'static str,
}

const FIELD_5X5: &[&str] = &["a1 b1 c1 d1 e1", "a2 b2 c2 d2 e2", "a3 b3 c3 d3 e3", "a4 b4 c4 d4 e4", "a5 b5 c5 d5 e5"];
const FIELD_5X9: &[&str] = &[
    "a1 b1 c1 d1 e1",
    "a2 b2 c2 d2 e2",
    "a3 b3 c3 d3 e3",
    "a4 b4 c4 d4 e4",
    "a5 b5 c5 d5 e5",
    "a6 b6 c6 d6 e6",
    "a7 b7 c7 d7 e7",
    "a8 b8 c8 d8 e8",
    "a9 b9 c9 d9 e9",
];
/// Rows 1 to 7 of the double field.
const FIELD_5X7: &[&str] = FIELD_5X9.split_at(7).0;
const FIELD_CROSS: &[&str] = &[
    "c1 d1 e1",
    "c2 d2 e2",
    "a3 b3 c3 d3 e3 f3 g3",
    "a4 b4 c4 d4 e4 f4 g4",
    "a5 b5 c5 d5 e5 f5 g5",
    "c6 d6 e6",
    "c7 d7 e7",
];
const FIELD_DARK_SQUARES: &[&str] = &[
    "a1 c1 e1 g1",
    "b2 d2 f2 h2",
    "a3 c3 e3 g3",
    "b4 d4 f4 h4",
    "a5 c5 e5 g5",
    "b6 d6 f6 h6",
    "a7 c7 e7 g7",
    "b8 d8 f8 h8",
];

const ROWS_1_TO_5: &[&str] =
    &["a1-b1-c1-d1-e1", "a2-b2-c2-d2-e2", "a3-b3-c3-d3-e3", "a4-b4-c4-d4-e4", "a5-b5-c5-d5-e5"];
const FILES_ABDE: &[&str] = &["a1-a2-a3-a4-a5", "b1-b2-b3-b4-b5", "d1-d2-d3-d4-d5", "e1-e2-e3-e4-e5"];
const FILE_C_5: &[&str] = &["c1-c2-c3-c4-c5"];
const FILE_C_7: &[&str] = &["c1-c2-c3-c4-c5-c6-c7"];
/// The four field diagonals that no privy continues.
const DIAGONALS: &[&str] = &["a1-b2-c3-d4-e5", "c1-d2-e3", "c1-b2-a3", "e1-d2-c3-b4-a5"];
/// The two field diagonals that meet at c5.
const DIAGONALS_TO_C5: &[&str] = &["a3-b4-c5", "e3-d4-c5"];
const DIAGONALS_TO_ROW_6: &[&str] = &["e3-d4-c5-b6", "a3-b4-c5-d6"];
const DIAGONALS_TO_ROW_7: &[&str] = &["e3-d4-c5-b6-a7", "a3-b4-c5-d6-e7"];

const PRIVY: Plan = Plan {
    field: FIELD_5X5,
    privy: &[("b6", 5, 11), ("c6", 6, 11), ("d6", 7, 11), ("c7", 6, 12)],
    lines: &[ROWS_1_TO_5, FILES_ABDE, FILE_C_7, DIAGONALS, DIAGONALS_TO_C5, &["b5-b6-c7", "d5-d6-c7", "b6-c6-d6"]],
    exits: "b5 c5 d5",
    apex: "c7",
};

const PRIVY_OPEN: Plan = Plan {
    field: FIELD_5X5,
    privy: &[("b6", 5, 11), ("d6", 7, 11), ("c7", 6, 12)],
    lines: &[ROWS_1_TO_5, FILES_ABDE, FILE_C_5, DIAGONALS, DIAGONALS_TO_C5, &["b5-b6-c7", "d5-d6-c7", "b6-d6"]],
    exits: "b5 d5",
    apex: "c7",
};

const CLOISTER: Plan = Plan {
    field: FIELD_5X5,
    privy: &[("b6", 5, 11), ("c6", 6, 11), ("d6", 7, 11), ("c7", 6, 12)],
    lines: &[ROWS_1_TO_5, FILES_ABDE, FILE_C_7, DIAGONALS, DIAGONALS_TO_ROW_6, &["b6-c6-d6", "b6-c7", "d6-c7"]],
    exits: "c5",
    apex: "c7",
};

const TRIANGLE: Plan = Plan {
    field: FIELD_5X5,
    privy: &[("b6", 5, 11), ("c6", 6, 11), ("d6", 7, 11), ("a7", 4, 12), ("c7", 6, 12), ("e7", 8, 12)],
    lines: &[ROWS_1_TO_5, FILES_ABDE, FILE_C_7, DIAGONALS, DIAGONALS_TO_ROW_7, &["b6-c6-d6", "a7-c7-e7"]],
    exits: "c5",
    apex: "a7 c7 e7",
};

const TRIANGLE_CROSSED: Plan = Plan {
    field: FIELD_5X5,
    privy: &[
        ("b6", 5, 11),
        ("c6", 6, 11),
        ("d6", 7, 11),
        ("a7", 4, 12),
        ("b7", 5, 12),
        ("c7", 6, 12),
        ("d7", 7, 12),
        ("e7", 8, 12),
    ],
    lines: &[
        ROWS_1_TO_5,
        FILES_ABDE,
        FILE_C_7,
        DIAGONALS,
        DIAGONALS_TO_ROW_7,
        &["b6-c6-d6", "a7-b7-c7-d7-e7", "b6-b7", "d6-d7", "b6-c7", "d6-c7"],
    ],
    exits: "c5",
    apex: "a7 b7 c7 d7 e7",
};

const NANKING: Plan = Plan {
    field: FIELD_5X9,
    privy: &[("b10", 5, 19), ("c10", 6, 19), ("d10", 7, 19), ("c11", 6, 20)],
    lines: &[
        ROWS_1_TO_5,
        &["a6-b6-c6-d6-e6", "a7-b7-c7-d7-e7", "a8-b8-c8-d8-e8", "a9-b9-c9-d9-e9"],
        &["a1-a2-a3-a4-a5-a6-a7-a8-a9", "b1-b2-b3-b4-b5-b6-b7-b8-b9"],
        &["c1-c2-c3-c4-c5-c6-c7-c8-c9-c10-c11"],
        &["d1-d2-d3-d4-d5-d6-d7-d8-d9", "e1-e2-e3-e4-e5-e6-e7-e8-e9"],
        &["b9-b10-c11", "d9-d10-c11", "b10-c10-d10"],
    ],
    exits: "b9 c9 d9",
    apex: "c11",
};

const GONU: Plan = Plan {
    field: FIELD_5X5,
    privy: &[("f3", 12, 6)],
    lines: &[
        &["a1-b1-c1-d1-e1", "a2-b2-c2-d2-e2", "a3-b3-c3-d3-e3-f3", "a4-b4-c4-d4-e4", "a5-b5-c5-d5-e5"],
        FILES_ABDE,
        FILE_C_5,
    ],
    exits: "e3",
    apex: "",
};

/// The field of §5 without a privy.
const ALQUERQUE: Plan = Plan {
    field: FIELD_5X5,
    privy: &[],
    lines: &[ROWS_1_TO_5, FILES_ABDE, FILE_C_5, DIAGONALS, DIAGONALS_TO_C5],
    exits: "",
    apex: "",
};

const CROSS_ROWS: &[&str] = &[
    "c1-d1-e1",
    "c2-d2-e2",
    "a3-b3-c3-d3-e3-f3-g3",
    "a4-b4-c4-d4-e4-f4-g4",
    "a5-b5-c5-d5-e5-f5-g5",
    "c6-d6-e6",
    "c7-d7-e7",
];
const CROSS_FILES: &[&str] = &[
    "a3-a4-a5",
    "b3-b4-b5",
    "c1-c2-c3-c4-c5-c6-c7",
    "d1-d2-d3-d4-d5-d6-d7",
    "e1-e2-e3-e4-e5-e6-e7",
    "f3-f4-f5",
    "g3-g4-g5",
];

/// Five squares of three by three points with common sides.
const CROSS: Plan = Plan { field: FIELD_CROSS, privy: &[], lines: &[CROSS_ROWS, CROSS_FILES], exits: "", apex: "" };

/// The same with two diagonals in each square: those of the middle square end at its corners, the others continue around the
/// corner of the cross into the next square.
const CROSS_DIAGONALS: Plan = Plan {
    lines: &[
        CROSS_ROWS,
        CROSS_FILES,
        &["c3-d4-e5", "e3-d4-c5"],
        &["a5-b4-c3-d2-e1", "a3-b4-c5-d6-e7", "c1-d2-e3-f4-g5", "c7-d6-e5-f4-g3"],
    ],
    ..CROSS
};

/// Upright: three by three points with two diagonals; the point below and the point above are joined to the three points next to
/// them.
const HARE: Plan = Plan {
    field: &["b1", "a2 b2 c2", "a3 b3 c3", "a4 b4 c4", "b5"],
    privy: &[],
    lines: &[
        &["a2-b2-c2", "a3-b3-c3", "a4-b4-c4"],
        &["a2-a3-a4", "b1-b2-b3-b4-b5", "c2-c3-c4"],
        &["a2-b3-c4", "a4-b3-c2"],
        &["b1-a2", "b1-c2", "b5-a4", "b5-c4"],
    ],
    exits: "",
    apex: "",
};

/// The dark squares as points; a step leads diagonally from square to square.
const DARK_SQUARES: Plan = Plan {
    field: FIELD_DARK_SQUARES,
    privy: &[],
    lines: &[
        // Up to the right.
        &["a7-b8", "a5-b6-c7-d8", "a3-b4-c5-d6-e7-f8", "a1-b2-c3-d4-e5-f6-g7-h8"],
        &["c1-d2-e3-f4-g5-h6", "e1-f2-g3-h4", "g1-h2"],
        // Up to the left.
        &["c1-b2-a3", "e1-d2-c3-b4-a5", "g1-f2-e3-d4-c5-b6-a7"],
        &["h2-g3-f4-e5-d6-c7-b8", "h4-g5-f6-e7-d8", "h6-g7-f8"],
    ],
    exits: "",
    apex: "",
};

/// The double board with seven rows instead of nine.
const FIVE_BY_SEVEN: Plan = Plan {
    field: FIELD_5X7,
    privy: &[("b8", 5, 15), ("c8", 6, 15), ("d8", 7, 15), ("c9", 6, 16)],
    lines: &[
        ROWS_1_TO_5,
        &["a6-b6-c6-d6-e6", "a7-b7-c7-d7-e7"],
        &["a1-a2-a3-a4-a5-a6-a7", "b1-b2-b3-b4-b5-b6-b7"],
        &["c1-c2-c3-c4-c5-c6-c7-c8-c9"],
        &["d1-d2-d3-d4-d5-d6-d7", "e1-e2-e3-e4-e5-e6-e7"],
        &["b7-b8-c9", "d7-d8-c9", "b8-c8-d8"],
    ],
    exits: "b7 c7 d7",
    apex: "c9",
};

/// A point of a field: its coordinates follow from its name.
fn field_point(name: &str) -> Point {
    let file = (1..).zip('a'..='h').find(|(_, letter)| name.starts_with(*letter));
    let (file, _) = file.unwrap_or_else(|| panic!("no file for {name}"));
    let row: i32 = name[1..].parse().unwrap();
    Point { name: name.to_string(), x2: 2 * file, y2: 2 * row, in_privy: false }
}

/// A board by its name in §5 or in the table of the relatives.
pub fn board(name: &str) -> Board {
    let plan = match name {
        "privy" => PRIVY,
        "privy-open" => PRIVY_OPEN,
        "cloister" => CLOISTER,
        "triangle" => TRIANGLE,
        "triangle-crossed" => TRIANGLE_CROSSED,
        "nanking" => NANKING,
        "gonu" => GONU,
        "alquerque" => ALQUERQUE,
        "cross-33" => CROSS,
        "cross-33-diagonals" => CROSS_DIAGONALS,
        "hare-11" => HARE,
        "chessboard-dark" => DARK_SQUARES,
        "rebels-5x7" => FIVE_BY_SEVEN,
        other => panic!("no board {other}"),
    };
    let mut board = Board::default();
    board.points.extend(plan.field.iter().flat_map(|row| row.split_whitespace()).map(field_point));
    for &(name, x2, y2) in plan.privy {
        board.points.push(Point { name: name.to_string(), x2, y2, in_privy: true });
    }
    for text in plan.lines.iter().copied().flatten() {
        let line = text.split('-').map(|name| board.spot(name)).collect();
        board.lines.push(line);
    }
    board.exits = plan.exits.split_whitespace().map(|name| board.spot(name)).collect();
    board.apex = plan.apex.split_whitespace().map(|name| board.spot(name)).collect();
    board.follow_the_lines();
    board
}
