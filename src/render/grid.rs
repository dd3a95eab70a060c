//! The board on a grid of characters: where points stand, and the strokes between them.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{Board, Point};

/// Hundredths of a file per character. A file is four characters wide, so that half a file falls on a character.
const HUNDREDTHS_PER_COLUMN: i32 = 25;
/// Between points that differ in height stands at least one line of strokes.
const LINES_PER_HEIGHT: usize = 2;

/// A stroke through the middle of a character.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stroke {
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
        let mut columns = BTreeMap::new();
        let mut previous: Option<(i32, usize)> = None;
        for x in xs {
            let column = previous.map_or(0, |(left, column)| {
                // A wide gap shows as two files: the drawing must fit a terminal.
                column + ((x - left + HUNDREDTHS_PER_COLUMN / 2) / HUNDREDTHS_PER_COLUMN).clamp(2, 8) as usize
            });
            columns.insert(x, column);
            previous = Some((x, column));
        }
        let ys: BTreeSet<i32> = board.all().into_iter().map(|p| board.spot(p).y).collect();
        let lines = ys.into_iter().rev().enumerate().map(|(rank, y)| (y, rank * LINES_PER_HEIGHT)).collect();
        Grid { columns, lines }
    }

    /// Line and column of a point, the top line and the left column being 0.
    pub(super) fn cell(&self, board: &Board, point: Point) -> (usize, usize) {
        let spot = board.spot(point);
        (self.line(spot.y).unwrap_or_default(), self.column(spot.x).unwrap_or_default())
    }

    /// The column of the points with this x, if there are any.
    pub(super) fn column(&self, x: i32) -> Option<usize> {
        self.columns.get(&x).copied()
    }

    fn line(&self, y: i32) -> Option<usize> {
        self.lines.get(&y).copied()
    }

    /// The heights at which points stand, from the top, each with its line.
    pub(super) fn heights(&self) -> impl Iterator<Item = (i32, usize)> {
        self.lines.iter().rev().map(|(y, line)| (*y, *line))
    }

    /// How many columns.
    pub(super) fn width(&self) -> usize {
        self.columns.values().max().map_or(0, |last| last + 1)
    }

    /// How many lines.
    pub(super) fn height(&self) -> usize {
        self.lines.values().max().map_or(0, |last| last + 1)
    }

    /// The strokes of each cell between the points. Cells of points hold none of use: a point covers them.
    pub(super) fn strokes(&self, board: &Board) -> Vec<Vec<BTreeSet<Stroke>>> {
        let mut cells = vec![vec![BTreeSet::new(); self.width()]; self.height()];
        for line in board.lines() {
            for edge in line.windows(2) {
                if let [a, b] = *edge {
                    for (line, column, stroke) in between(self.cell(board, a), self.cell(board, b)) {
                        if let Some(cell) = cells.get_mut(line).and_then(|row| row.get_mut(column)) {
                            cell.insert(stroke);
                        }
                    }
                }
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
