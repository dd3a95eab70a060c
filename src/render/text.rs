//! A position as text.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{Board, Point, Spot};

use super::view::{LastMove, View};

/// Hundredths of a file per character. A file is four characters wide, so that half a file falls on a character.
const HUNDREDTHS_PER_COLUMN: i32 = 25;
/// Between points that differ in height stands at least one line of strokes.
const LINES_PER_HEIGHT: usize = 2;

/// A stroke through the middle of a character.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stroke {
    Level,
    Upright,
    /// From the lower left to the upper right.
    Rising,
    /// From the upper left to the lower right.
    Falling,
}

/// The columns and lines of a drawing in characters.
///
/// Heights are taken by rank, not by measure: every height at which a point stands is two lines below the next. Half
/// steps of a privy so get the same room as whole steps of the field, and a line that rises half a file per half row
/// looks as straight as a diagonal of the field. Widths keep their measure, with two columns as the least.
pub(super) struct Grid {
    columns: BTreeMap<i32, usize>,
    lines: BTreeMap<i32, usize>,
}

impl Grid {
    pub(super) fn new(board: &Board) -> Grid {
        let xs: BTreeSet<i32> = board.all().into_iter().map(|p| board.spot(p).x).collect();
        let ys: BTreeSet<i32> = board.all().into_iter().map(|p| board.spot(p).y).collect();
        let mut columns = BTreeMap::new();
        let (mut left, mut column) = (None, 0);
        for x in xs {
            // A wide gap shows as two files: the drawing must fit a terminal.
            let steps = left.map_or(0, |left| (x - left + HUNDREDTHS_PER_COLUMN / 2) / HUNDREDTHS_PER_COLUMN);
            column += left.map_or(0, |_| steps.clamp(2, 8) as usize);
            columns.insert(x, column);
            left = Some(x);
        }
        let lines = ys.into_iter().rev().enumerate().map(|(rank, y)| (y, rank * LINES_PER_HEIGHT)).collect();
        Grid { columns, lines }
    }

    /// Line and column of a point, the top line and the left column being 0.
    fn cell(&self, board: &Board, point: Point) -> (usize, usize) {
        let Spot { x, y } = board.spot(point);
        (self.lines[&y], self.columns[&x])
    }

    pub(super) fn line_count(&self) -> usize {
        self.lines.values().max().map_or(0, |last| last + 1)
    }

    /// The height of the points in a line, if there are any.
    fn height(&self, line: usize) -> Option<i32> {
        self.lines.iter().find(|(_, other)| **other == line).map(|(y, _)| *y)
    }

    /// The strokes of each cell between the points. Cells of points hold none of use: a point covers them.
    fn strokes(&self, board: &Board) -> Vec<Vec<BTreeSet<Stroke>>> {
        let width = self.columns.values().max().map_or(0, |last| last + 1);
        let mut cells = vec![vec![BTreeSet::new(); width]; self.line_count()];
        for edge in board.lines().iter().flat_map(|line| line.windows(2)) {
            for (line, column, stroke) in between(self.cell(board, edge[0]), self.cell(board, edge[1])) {
                cells[line][column].insert(stroke);
            }
        }
        cells
    }
}

/// The cells strictly between two cells. A slant has one stroke a line, whatever its steepness.
fn between(a: (usize, usize), b: (usize, usize)) -> Vec<(usize, usize, Stroke)> {
    let (top, bottom) = (a.min(b), a.max(b));
    if top.0 == bottom.0 {
        return (top.1 + 1..bottom.1).map(|column| (top.0, column, Stroke::Level)).collect();
    }
    let stroke = match top.1.cmp(&bottom.1) {
        std::cmp::Ordering::Less => Stroke::Falling,
        std::cmp::Ordering::Equal => Stroke::Upright,
        std::cmp::Ordering::Greater => Stroke::Rising,
    };
    let height = bottom.0 - top.0;
    (top.0 + 1..bottom.0)
        .map(|line| {
            let done = line - top.0;
            // The weighted mean of both columns, rounded.
            let column = (top.1 * (height - done) + bottom.1 * done + height / 2) / height;
            (line, column, stroke)
        })
        .collect()
}

/// The characters of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Charset {
    /// Box drawing characters for lines, discs for Rebels.
    #[default]
    Unicode,
    /// ASCII alone, for terminals and files that know nothing else.
    Ascii,
}

struct Marks {
    general: char,
    rebel: char,
    empty: char,
    left: char,
    taken: char,
}

impl Charset {
    fn marks(self) -> Marks {
        match self {
            Charset::Unicode => Marks { general: 'G', rebel: '●', empty: '·', left: '○', taken: '×' },
            Charset::Ascii => Marks { general: 'G', rebel: 'r', empty: '+', left: 'o', taken: 'x' },
        }
    }

    /// The character for a cell between points. Where lines cross without a point, slants show before others.
    fn stroke(self, strokes: &BTreeSet<Stroke>) -> char {
        let has = |stroke| strokes.contains(&stroke);
        let (unicode, ascii) = match () {
            () if has(Stroke::Rising) && has(Stroke::Falling) => ('╳', 'X'),
            () if has(Stroke::Rising) => ('╱', '/'),
            () if has(Stroke::Falling) => ('╲', '\\'),
            () if has(Stroke::Level) && has(Stroke::Upright) => ('┼', '|'),
            () if has(Stroke::Upright) => ('│', '|'),
            () if has(Stroke::Level) => ('─', '-'),
            () => (' ', ' '),
        };
        match self {
            Charset::Unicode => unicode,
            Charset::Ascii => ascii,
        }
    }
}

/// Draws a position with its lines, the last move marked, and the state of the game in words.
///
/// Row numbers stand at the left, file letters below. A row of the privy whose points do not stand over their file
/// letters has their names at the right, in the order of the drawing. The piece that moved last stands in brackets.
///
/// Lines are joined by line feeds, without one at the end. None is empty, none ends with a space, and there is no other
/// control character, so that the text can stand in an answer of the protocol.
pub fn text(view: &View, charset: Charset) -> String {
    let marks = charset.marks();
    let mut lines = vec![view.heading()];
    lines.extend(board_lines(view, charset));
    lines.push(view.status());
    if let (Some(last), Some((move_, taken))) = (view.last_move(), view.last_move_words()) {
        lines.push(format!("{move_}{taken}{}", legend(&last, &marks)));
    }
    lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Draws a board without pieces: its rows with their numbers, then the file letters.
pub fn board_text(board: &Board, charset: Charset) -> String {
    rows(board, None, charset).join("\n")
}

/// What the marks of the last move mean, so far as they occur; in parentheses, after two spaces.
fn legend(last: &LastMove, marks: &Marks) -> String {
    let mut legend = Vec::new();
    match last.left().len() {
        0 => {}
        1 => legend.push(format!("{} from", marks.left)),
        _ => legend.push(format!("{} from and landings", marks.left)),
    }
    if last.way.len() > 1 {
        legend.push("[ ] to".to_owned());
    }
    if !last.captured.is_empty() {
        legend.push(format!("{} taken", marks.taken));
    }
    format!("  ({})", legend.join(", "))
}

/// The board alone: rows with their numbers, then the file letters.
pub(super) fn board_lines(view: &View, charset: Charset) -> Vec<String> {
    rows(view.board(), Some(view), charset)
}

fn rows(board: &Board, view: Option<&View>, charset: Charset) -> Vec<String> {
    let grid = Grid::new(board);
    let cells = filled(board, view, charset, &grid);
    let number = |y: Option<i32>| y.and_then(|y| row_number(board, y)).map_or(String::new(), |row| row.to_string());
    let margin = grid.lines.keys().map(|y| number(Some(*y)).len()).max().unwrap_or(0) + 1;
    let mut lines = Vec::with_capacity(cells.len() + 1);
    for (line, row) in cells.iter().enumerate() {
        let y = grid.height(line);
        let names = y.map_or(String::new(), |y| names_beside(board, y));
        lines.push(format!("{:>margin$} {}  {names}", number(y), row.iter().collect::<String>()));
    }
    lines.push(format!("{:>margin$} {}", "", letters(board, &grid, cells[0].len())));
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The cells with lines and pieces. One column is added on either side, for the brackets.
fn filled(board: &Board, view: Option<&View>, charset: Charset, grid: &Grid) -> Vec<Vec<char>> {
    let (position, marks) = (view.map(View::position), charset.marks());
    let drawn = |row: &Vec<BTreeSet<Stroke>>| {
        let strokes = row.iter().map(|strokes| charset.stroke(strokes));
        std::iter::once(' ').chain(strokes).chain(std::iter::once(' ')).collect()
    };
    let mut cells: Vec<Vec<char>> = grid.strokes(board).iter().map(drawn).collect();
    let last = view.and_then(View::last_move);
    for point in board.all() {
        let (line, column) = grid.cell(board, point);
        cells[line][column + 1] = match &last {
            _ if position.is_some_and(|position| position.general() == point) => marks.general,
            _ if position.is_some_and(|position| position.rebels().contains(point)) => marks.rebel,
            Some(last) if last.captured.contains(point) => marks.taken,
            Some(last) if last.left().contains(point) => marks.left,
            _ => marks.empty,
        };
    }
    if let Some(last) = &last {
        // Points stand two columns apart at least, so brackets cover lines only.
        let (line, column) = grid.cell(board, last.to);
        cells[line][column] = '[';
        cells[line][column + 2] = ']';
    }
    cells
}

/// The points at a height, from the left.
fn at_height(board: &Board, y: i32) -> Vec<Point> {
    let mut points: Vec<Point> = board.all().into_iter().filter(|p| board.spot(*p).y == y).collect();
    points.sort_by_key(|p| board.spot(*p).x);
    points
}

/// The row number of a height: the field's, else the one that all points there have in their names.
fn row_number(board: &Board, y: i32) -> Option<u8> {
    let points = at_height(board, y);
    let row = |p: &Point| board.name(*p).row();
    let first = points.iter().find(|p| board.field().contains(**p)).or(points.first()).map(row)?;
    let all_alike = points.iter().all(|p| row(p) == first);
    (all_alike || y % Spot::UNIT == 0 && y / Spot::UNIT == i32::from(first)).then_some(first)
}

/// Does the point stand over the letter of its file?
fn over_its_letter(board: &Board, point: Point) -> bool {
    board.spot(point).x == i32::from(board.name(point).file()) * Spot::UNIT
}

/// The names of the privy points at a height, when number and letter do not say them all.
fn names_beside(board: &Board, y: i32) -> String {
    let points = at_height(board, y);
    let number = row_number(board, y);
    let clear = |p: &Point| over_its_letter(board, *p) && number == Some(board.name(*p).row());
    if points.iter().all(clear) {
        return String::new();
    }
    let names = points.iter().filter(|p| board.privy().contains(**p)).map(|p| board.name(*p).to_string());
    names.collect::<Vec<_>>().join(" ")
}

/// The file letters, each in the column of the points that stand over it.
fn letters(board: &Board, grid: &Grid, width: usize) -> String {
    let mut letters = vec![' '; width];
    for point in board.all().into_iter().filter(|p| over_its_letter(board, *p)) {
        letters[grid.cell(board, point).1 + 1] = board.name(point).letter();
    }
    letters.iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_lie_between_the_points() {
        assert_eq!(between((0, 0), (0, 4)), [(0, 1, Stroke::Level), (0, 2, Stroke::Level), (0, 3, Stroke::Level)]);
        assert_eq!(between((2, 4), (0, 4)), [(1, 4, Stroke::Upright)]);
        assert_eq!(between((0, 0), (2, 4)), [(1, 2, Stroke::Falling)]);
        assert_eq!(between((2, 4), (0, 6)), [(1, 5, Stroke::Rising)]);
        assert_eq!(between((0, 0), (4, 4)).len(), 3);
    }

    #[test]
    fn no_two_points_share_a_cell() {
        for id in Board::builtin_ids() {
            let board = Board::builtin(id).unwrap();
            let grid = Grid::new(&board);
            let cells: BTreeSet<_> = board.all().into_iter().map(|p| grid.cell(&board, p)).collect();
            assert_eq!(cells.len(), board.len(), "{id}");
        }
    }
}
