//! What a board file takes over from the board that it extends: all but the points that it takes away.

use super::{Board, Point, PointName, PointSet, Spot};

/// Points by name, with their places, and ways between them.
#[derive(Default)]
pub(super) struct Inherited {
    pub(super) field: Vec<(PointName, Spot)>,
    pub(super) privy: Vec<(PointName, Spot)>,
    pub(super) apex: Vec<PointName>,
    pub(super) lines: Vec<Vec<PointName>>,
    pub(super) edges: Vec<Vec<PointName>>,
}

impl Inherited {
    /// The board without some points. A line that goes through one of them ends before it, and begins again behind it.
    pub(super) fn of(board: &Board, without: PointSet) -> Inherited {
        let placed = |points: PointSet| {
            points.minus(without).into_iter().map(|p| (board.name(p), board.spot(p))).collect::<Vec<_>>()
        };
        let pieces = |lines: &[Vec<Point>]| {
            let pieces = lines.iter().flat_map(|line| line.split(|p| without.contains(*p)));
            pieces.filter(|piece| piece.len() > 1).map(|piece| piece.iter().map(|p| board.name(*p)).collect()).collect()
        };
        Inherited {
            field: placed(board.field()),
            privy: placed(board.privy()),
            apex: board.apex().minus(without).into_iter().map(|p| board.name(p)).collect(),
            lines: pieces(board.lines()),
            edges: pieces(board.edges()),
        }
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
