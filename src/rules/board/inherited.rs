//! What a board file takes over from the board that it extends: all but the points that it takes away.

use toml::Value;

use super::{Board, Point, PointName, PointSet, Spot};

/// A point by name, with its place.
pub(super) type PlacedPoint = (PointName, Spot);

/// Points by name, with their places, and ways between them.
#[derive(Default)]
pub(super) struct Inherited {
    pub(super) field: Vec<PlacedPoint>,
    pub(super) privy: Vec<PlacedPoint>,
    pub(super) apex: Vec<PointName>,
    pub(super) lines: Vec<Vec<PointName>>,
    pub(super) edges: Vec<Vec<PointName>>,
}

impl Inherited {
    /// All of a board.
    pub(super) fn of(board: &Board) -> Inherited {
        let placed = |points: PointSet| points.into_iter().map(|p| (board.name(p), board.spot(p))).collect::<Vec<_>>();
        let named = |line: &Vec<Point>| line.iter().map(|p| board.name(*p)).collect();
        Inherited {
            field: placed(board.field),
            privy: placed(board.privy),
            apex: board.apex.into_iter().map(|p| board.name(p)).collect(),
            lines: board.lines.iter().map(named).collect(),
            edges: board.edges.iter().map(named).collect(),
        }
    }

    /// Takes a point away, if it is there. A line that goes through it ends before it, and begins again after it.
    pub(super) fn remove(&mut self, point: PointName) -> bool {
        if self.field.iter().chain(&self.privy).all(|(name, _)| *name != point) {
            return false;
        }
        self.field.retain(|(name, _)| *name != point);
        self.privy.retain(|(name, _)| *name != point);
        self.apex.retain(|name| *name != point);
        for lines in [&mut self.lines, &mut self.edges] {
            let pieces = lines.iter().flat_map(|line| line.split(|name| *name == point));
            *lines = pieces.filter(|piece| piece.len() > 1).map(<[PointName]>::to_vec).collect();
        }
        true
    }
}

impl Board {
    /// A board file that says all of this board by itself.
    pub(super) fn in_full(&self) -> String {
        let chains = |chains: &[Vec<Point>]| Value::from(chains.iter().map(|c| self.line_text(c)).collect::<Vec<_>>());
        let places = |points: PointSet| {
            let place = |p: Point| {
                let Spot { x, y } = self.spot(p);
                let place = [x, y].map(|hundredths| f64::from(hundredths) / f64::from(Spot::UNIT));
                (self.name(p).to_string(), Value::from(place.to_vec()))
            };
            Value::Table(points.into_iter().map(place).collect())
        };
        let apex: Vec<String> = self.apex.into_iter().map(|p| self.name(p).to_string()).collect();
        let keys = [
            ("id", Value::from(self.id.as_str())),
            ("title", Value::from(self.title.as_str())),
            ("apex", Value::from(apex)),
            ("lines", chains(&self.lines)),
            ("edges", chains(&self.edges)),
            ("points", places(self.field)),
            ("privy", places(self.privy)),
        ];
        toml::Table::from_iter(keys.map(|(key, value)| (key.to_owned(), value))).to_string()
    }
}
