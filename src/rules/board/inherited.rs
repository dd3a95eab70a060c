//! What a board file takes over from the board that it extends: all but the points that it takes away.

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
            field: placed(board.field()),
            privy: placed(board.privy()),
            apex: board.apex().into_iter().map(|p| board.name(p)).collect(),
            lines: board.lines().iter().map(named).collect(),
            edges: board.edges().iter().map(named).collect(),
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
        let quoted = |lines: Vec<String>| lines.iter().map(|line| format!("  \"{line}\",\n")).collect::<String>();
        let chains = |key: &str, chains: &[Vec<Point>]| match chains {
            [] => String::new(),
            all => format!("{key} = [\n{}]\n", quoted(all.iter().map(|line| self.line_text(line)).collect())),
        };
        let places = |key: &str, points: PointSet| {
            let decimal = |hundredths: i32| f64::from(hundredths) / f64::from(Spot::UNIT);
            let place = |p: Point| {
                let Spot { x, y } = self.spot(p);
                format!("{} = [{}, {}]\n", self.name(p), decimal(x), decimal(y))
            };
            let places: String = points.into_iter().map(place).collect();
            if places.is_empty() { places } else { format!("\n[{key}]\n{places}") }
        };
        let apex: Vec<String> = self.apex().into_iter().map(|p| format!("\"{}\"", self.name(p))).collect();
        let apex = if apex.is_empty() { String::new() } else { format!("apex = [{}]\n", apex.join(", ")) };
        let (id, title) = (&self.id, toml::Value::from(self.title.as_str()));
        let (lines, edges) = (chains("lines", &self.lines), chains("edges", &self.edges));
        let (field, privy) = (places("points", self.field), places("privy", self.privy));
        format!("id = \"{id}\"\ntitle = {title}\n{apex}{lines}{edges}{field}{privy}")
    }
}
