//! A position as text.

use std::collections::BTreeSet;

use crate::board::{Board, Point, Spot};

use super::grid::{Grid, Stroke};
use super::last_move::LastMove;
use super::view::View;

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
#[must_use]
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
    let board = view.board();
    let grid = Grid::new(board);
    let cells = filled(view, charset, &grid);
    let numbers: Vec<(usize, u8)> =
        grid.heights().filter_map(|(y, line)| Some((line, row_number(board, y)?))).collect();
    let margin = numbers.iter().map(|(_, number)| number.to_string().len()).max().unwrap_or(0) + 1;
    let mut lines: Vec<String> = Vec::with_capacity(cells.len() + 1);
    for (line, row) in cells.iter().enumerate() {
        let number = numbers.iter().find(|(other, _)| *other == line).map(|(_, number)| number.to_string());
        let drawn: String = row.iter().collect();
        let y = grid.heights().find(|(_, other)| *other == line).map(|(y, _)| y);
        let names = y.map(|y| names_beside(board, y)).unwrap_or_default();
        let text = format!("{:>margin$} {drawn}  {names}", number.unwrap_or_default());
        lines.push(text.trim_end().to_owned());
    }
    let letters: String = letters(board, &grid).iter().collect();
    lines.push(format!("{:>margin$} {letters}", "").trim_end().to_owned());
    lines
}

/// The cells with lines and pieces. One column is added on either side, for the brackets.
fn filled(view: &View, charset: Charset, grid: &Grid) -> Vec<Vec<char>> {
    let (board, state, marks) = (view.board(), view.position(), charset.marks());
    let mut cells: Vec<Vec<char>> = grid
        .strokes(board)
        .iter()
        .map(|row| {
            let drawn = row.iter().map(|strokes| charset.stroke(strokes));
            std::iter::once(' ').chain(drawn).chain(std::iter::once(' ')).collect()
        })
        .collect();
    let mut put = |(line, column): (usize, usize), mark: char| {
        if let Some(cell) = cells.get_mut(line).and_then(|row| row.get_mut(column)) {
            *cell = mark;
        }
    };
    let last = view.last_move();
    for point in board.all() {
        let mark = match &last {
            _ if point == state.general() => marks.general,
            _ if state.rebels().contains(point) => marks.rebel,
            Some(last) if last.captured.contains(point) => marks.taken,
            Some(last) if last.left().contains(point) => marks.left,
            _ => marks.empty,
        };
        let (line, column) = grid.cell(board, point);
        put((line, column + 1), mark);
    }
    if let Some(last) = &last {
        // Points stand two columns apart at least, so brackets cover lines only.
        let (line, column) = grid.cell(board, last.to);
        put((line, column), '[');
        put((line, column + 2), ']');
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
fn letters(board: &Board, grid: &Grid) -> Vec<char> {
    let mut letters = vec![' '; grid.width() + 2];
    for point in board.all().into_iter().filter(|p| over_its_letter(board, *p)) {
        let column = grid.column(board.spot(point).x).map(|column| column + 1);
        if let Some(cell) = column.and_then(|column| letters.get_mut(column)) {
            *cell = board.name(point).letter();
        }
    }
    letters
}
