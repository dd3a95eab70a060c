//! A position as text.

use std::collections::{BTreeMap, BTreeSet};

use crate::Game;
use crate::board::{Board, Point, Spot};

use super::{LastMove, heading, status};

/// Hundredths of a file per character. A file is four characters wide, so that half a file falls on a character.
const HUNDREDTHS_PER_COLUMN: i32 = 25;
/// So that a line of strokes fits between two heights.
const LINES_PER_HEIGHT: usize = 2;

/// The columns and lines of a drawing in characters.
///
/// Heights count by rank, not by distance: each height with points is two lines below the next. So half steps of a
/// privy get the same room as whole steps of the field, and a line that rises half a file per half row looks as
/// straight as a diagonal of the field. Widths count by distance, with a minimum of two columns. The outer columns are
/// for brackets.
pub struct TextGrid {
    columns: BTreeMap<i32, usize>,
    /// The heights with points, from the top.
    heights: Vec<i32>,
}

impl TextGrid {
    /// The cells of the points of a board.
    pub fn new(board: &Board) -> TextGrid {
        let xs: BTreeSet<i32> = board.all().into_iter().map(|p| board.spot(p).x).collect();
        let ys: BTreeSet<i32> = board.all().into_iter().map(|p| board.spot(p).y).collect();
        let mut columns: BTreeMap<i32, usize> = BTreeMap::new();
        for x in xs {
            let column = columns.last_key_value().map_or(1, |(left, column)| {
                let steps = (x - left + HUNDREDTHS_PER_COLUMN / 2) / HUNDREDTHS_PER_COLUMN;
                // At most two files, since the drawing must fit a terminal.
                column + steps.clamp(2, 8) as usize
            });
            columns.insert(x, column);
        }
        TextGrid { columns, heights: ys.into_iter().rev().collect() }
    }

    /// Line and column of a point, from 0 at the top left.
    pub fn cell(&self, board: &Board, point: Point) -> (usize, usize) {
        let Spot { x, y } = board.spot(point);
        (self.heights.iter().filter(|height| **height > y).count() * LINES_PER_HEIGHT, self.columns[&x])
    }

    /// The number of lines of text.
    pub fn line_count(&self) -> usize {
        (self.heights.len() * LINES_PER_HEIGHT).saturating_sub(LINES_PER_HEIGHT - 1)
    }

    /// The height of the points in a line, if it has any.
    fn height(&self, line: usize) -> Option<i32> {
        self.heights.get(line / LINES_PER_HEIGHT).copied().filter(|_| line.is_multiple_of(LINES_PER_HEIGHT))
    }

    /// The strokes of all lines of a board.
    fn strokes(&self, board: &Board) -> Vec<Vec<char>> {
        let width = self.columns.values().max().map_or(0, |last| last + 2);
        let mut cells = vec![vec![' '; width]; self.line_count()];
        for edge in board.lines.iter().chain(&board.edges).flat_map(|line| line.windows(2)) {
            for (line, column, stroke) in between(self.cell(board, edge[0]), self.cell(board, edge[1])) {
                cells[line][column] = crossed(cells[line][column], stroke);
            }
        }
        cells
    }
}

/// The character of two strokes in a cell. Slants come first.
fn crossed(one: char, other: char) -> char {
    match (one, other) {
        ('╱', '╲') | ('╲', '╱') | ('╳', _) => '╳',
        ('╱' | '╲', _) | (_, ' ') => one,
        (_, '╱' | '╲') => other,
        ('─', '│') | ('│', '─') | ('┼', _) => '┼',
        _ => other,
    }
}

/// The cells strictly between two cells. A slant has one stroke a line.
pub fn between(a: (usize, usize), b: (usize, usize)) -> Vec<(usize, usize, char)> {
    let (top, bottom) = (a.min(b), a.max(b));
    if top.0 == bottom.0 {
        return (top.1 + 1..bottom.1).map(|column| (top.0, column, '─')).collect();
    }
    let stroke = match top.1.cmp(&bottom.1) {
        std::cmp::Ordering::Less => '╲',
        std::cmp::Ordering::Equal => '│',
        std::cmp::Ordering::Greater => '╱',
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
    /// ASCII only.
    Ascii,
}

impl Charset {
    /// A character of a drawing in this set.
    fn convert(self, character: char) -> char {
        match (self, character) {
            (Charset::Unicode, _) => character,
            (_, '●') => 'r',
            (_, '·') => '+',
            (_, '○') => 'o',
            (_, '×') => 'x',
            (_, '╳') => 'X',
            (_, '╱') => '/',
            (_, '╲') => '\\',
            (_, '┼' | '│') => '|',
            (_, '─') => '-',
            _ => character,
        }
    }
}

/// Draws the position of a game with its lines, the last move marked, and the state of the game in words.
///
/// Row numbers are at the left, file letters below. A row with points that do not align with their file letters has the
/// names of its points at the right, in the order of the drawing; of the privy's alone, where those of the field align.
/// The piece that moved last is in brackets.
///
/// Lines are joined by line feeds, without one at the end. No line is empty or ends with a space, and there is no other
/// control character, so that the text can be an answer of the protocol.
pub fn text(game: &Game, charset: Charset) -> String {
    drawn(game, charset, str::to_owned)
}

/// The same with the names of the pieces in its captions.
pub fn text_with_names(game: &Game, charset: Charset) -> String {
    drawn(game, charset, |caption| game.variant().heading.names.protocol_text_in_names(caption))
}

fn drawn(game: &Game, charset: Charset, named: impl Fn(&str) -> String) -> String {
    let mut lines = vec![heading(game)];
    lines.extend(board_lines(game.board(), Some(game), charset));
    lines.push(named(&status(game)));
    if let Some(last) = LastMove::of(game) {
        lines.push(format!("last move: {}{}", named(&last.text), legend(&last, charset)));
    }
    lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Draws the pieces of a game on its board, as [`board_text`] does.
pub fn position_text(game: &Game, charset: Charset) -> String {
    board_lines(game.board(), Some(game), charset).join("\n")
}

/// Draws a board without pieces: its rows with their numbers, then the file letters.
pub fn board_text(board: &Board, charset: Charset) -> String {
    board_lines(board, None, charset).join("\n")
}

/// The legend of the marks of the last move.
fn legend(last: &LastMove, charset: Charset) -> String {
    let mut legend = Vec::new();
    let mark = charset.convert('○');
    match last.left().len() {
        0 => {}
        1 => legend.push(format!("{mark} from")),
        _ => legend.push(format!("{mark} from and landings")),
    }
    if last.way.len() > 1 {
        legend.push("[ ] to".to_owned());
    }
    if !last.captured.is_empty() {
        legend.push(format!("{} taken", charset.convert('×')));
    }
    if legend.is_empty() { String::new() } else { format!("  ({})", legend.join(", ")) }
}

/// The rows of a board with their numbers, then the file letters.
pub fn board_lines(board: &Board, game: Option<&Game>, charset: Charset) -> Vec<String> {
    let grid = TextGrid::new(board);
    let cells = filled(board, game, &grid);
    let number = |y: Option<i32>| y.and_then(|y| row_number(board, y)).map_or(String::new(), |row| row.to_string());
    let margin = grid.heights.iter().map(|y| number(Some(*y)).len()).max().unwrap_or(0) + 1;
    let mut lines = Vec::with_capacity(cells.len() + 1);
    for (line, row) in cells.iter().enumerate() {
        let y = grid.height(line);
        let names = y.map_or(String::new(), |y| names_beside(board, y));
        let row: String = row.iter().map(|character| charset.convert(*character)).collect();
        lines.push(format!("{:>margin$} {row}  {names}", number(y)));
    }
    lines.push(format!("{:>margin$} {}", "", letters(board, &grid, cells[0].len())));
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The cells with lines and pieces.
fn filled(board: &Board, game: Option<&Game>, grid: &TextGrid) -> Vec<Vec<char>> {
    let mut cells = grid.strokes(board);
    let (position, last) = (game.map(Game::position), game.and_then(LastMove::of));
    for point in board.all() {
        let (line, column) = grid.cell(board, point);
        cells[line][column] = match &last {
            _ if position.is_some_and(|position| position.general() == point) => 'G',
            _ if position.is_some_and(|position| position.rebels().contains(point)) => '●',
            Some(last) if last.captured.contains(point) => '×',
            Some(last) if last.left().contains(point) => '○',
            _ => '·',
        };
    }
    if let Some(last) = &last {
        // At least one column separates points, so brackets cover lines only.
        let (line, column) = grid.cell(board, last.to);
        (cells[line][column - 1], cells[line][column + 1]) = ('[', ']');
    }
    cells
}

/// The points at a height, from the left.
fn at_height(board: &Board, y: i32) -> Vec<Point> {
    let mut points: Vec<Point> = board.all().into_iter().filter(|p| board.spot(*p).y == y).collect();
    points.sort_by_key(|p| board.spot(*p).x);
    points
}

/// The row number of a height: that of the field, or the common one of all points there.
fn row_number(board: &Board, y: i32) -> Option<u8> {
    let points = at_height(board, y);
    let row = |p: &Point| board.name(*p).row();
    let first = points.iter().find(|p| board.field.contains(**p)).or(points.first()).map(row)?;
    let all_alike = points.iter().all(|p| row(p) == first);
    (all_alike || y % Spot::UNIT == 0 && y / Spot::UNIT == i32::from(first)).then_some(first)
}

/// True if a point is aligned with the letter of its file.
fn is_over_its_letter(board: &Board, point: Point) -> bool {
    board.spot(point).x == i32::from(board.name(point).file()) * Spot::UNIT
}

/// The names of the points at a height, unless row numbers and file letters give them all; of the privy points alone,
/// where they give those of the field.
fn names_beside(board: &Board, y: i32) -> String {
    let points = at_height(board, y);
    let number = row_number(board, y);
    let clear = |p: &Point| is_over_its_letter(board, *p) && number == Some(board.name(*p).row());
    if points.iter().all(clear) {
        return String::new();
    }
    let is_plain = |p: &Point| board.field.contains(*p) && points.iter().all(|q| !board.field.contains(*q) || clear(q));
    let names = points.iter().filter(|p| !is_plain(p)).map(|p| board.name(*p).to_string());
    names.collect::<Vec<_>>().join(" ")
}

/// The file letters, each in the column of its points.
fn letters(board: &Board, grid: &TextGrid, width: usize) -> String {
    let mut letters = vec![' '; width];
    for point in board.all().into_iter().filter(|p| is_over_its_letter(board, *p)) {
        letters[grid.cell(board, point).1] = board.name(point).letter();
    }
    letters.iter().collect()
}
