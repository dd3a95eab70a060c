//! Drawing commands, as GoGui's analyze commands of type `gfx` understand them, one a line.

use std::fmt;

use crate::board::{Board, Point, PointSet};
use crate::rules::Side;

use super::vertex;

/// A mark on points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A ring.
    Circle,
    /// A cross.
    Cross,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
}

impl Mark {
    fn command(self) -> &'static str {
        match self {
            Mark::Circle => "CIRCLE",
            Mark::Cross => "MARK",
            Mark::Square => "SQUARE",
            Mark::Triangle => "TRIANGLE",
        }
    }
}

/// A drawing on a board.
#[derive(Debug)]
pub(super) struct Graphics<'a> {
    board: &'a Board,
    lines: Vec<String>,
}

impl<'a> Graphics<'a> {
    /// Nothing yet.
    pub(super) fn new(board: &'a Board) -> Graphics<'a> {
        Graphics { board, lines: Vec::new() }
    }

    fn points(&mut self, command: &str, points: PointSet) {
        if !points.is_empty() {
            self.lines.push(format!("{command} {}", vertex::texts(self.board, points).join(" ")));
        }
    }

    /// Colours the ground of points; a later colour covers an earlier one. `colour` is `#rrggbb`.
    pub(super) fn colour(&mut self, colour: &str, points: PointSet) {
        self.points(&format!("COLOR {colour}"), points);
    }

    /// Marks points.
    pub(super) fn mark(&mut self, mark: Mark, points: PointSet) {
        self.points(mark.command(), points);
    }

    /// Writes texts without spaces on points.
    pub(super) fn labels(&mut self, labels: &[(Point, String)]) {
        if !labels.is_empty() {
            let pairs: Vec<String> =
                labels.iter().map(|(point, text)| format!("{} {text}", vertex::text(self.board, *point))).collect();
            self.lines.push(format!("LABEL {}", pairs.join(" ")));
        }
    }

    /// Shows half moves one after another as numbered stones.
    pub(super) fn variation(&mut self, half_moves: &[(Side, Point)]) {
        if !half_moves.is_empty() {
            self.lines.push(format!("VAR {}", variation_text(self.board, half_moves)));
        }
    }

    /// Writes a text into the status line.
    pub(super) fn text(&mut self, text: &str) {
        self.lines.push(format!("TEXT {text}"));
    }
}

impl fmt::Display for Graphics<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}

/// The letter of a side where it is a colour: the General is White.
pub(super) fn colour_letter(side: Side) -> char {
    match side {
        Side::General => 'w',
        Side::Rebels => 'b',
    }
}

/// Half moves as colours and points: `w C3 w B2 b A5 b B5`.
pub(super) fn variation_text(board: &Board, half_moves: &[(Side, Point)]) -> String {
    let word = |(side, point): &(Side, Point)| format!("{} {}", colour_letter(*side), vertex::text(board, *point));
    half_moves.iter().map(word).collect::<Vec<_>>().join(" ")
}
