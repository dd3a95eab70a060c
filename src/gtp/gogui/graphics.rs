//! Drawing commands, as GoGui's analyze commands of type `gfx` understand them, one a line; and live graphics, which draw what the
//! engine thinks while it thinks.

use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

use privy_protocol::{Bound, Score};

use crate::board::{Board, Point, PointName, PointSet};
use crate::rules::{Game, MovePath, Side};
use crate::search::SearchInfo;

use super::vertex;
use crate::rules::half_moves::HalfMoves;

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

    /// The same for points of the square, whether the board has them or not.
    pub(super) fn colour_names(&mut self, colour: &str, names: impl IntoIterator<Item = PointName>) {
        let names: Vec<String> = names.into_iter().map(vertex::text_of).collect();
        if !names.is_empty() {
            self.lines.push(format!("COLOR {colour} {}", names.join(" ")));
        }
    }

    /// Marks points.
    pub(super) fn mark(&mut self, mark: Mark, points: PointSet) {
        self.points(mark.command(), points);
    }

    /// Writes texts without spaces on points.
    pub(super) fn labels(&mut self, labels: &[(Point, String)]) {
        let named: Vec<_> = labels.iter().map(|(point, text)| (self.board.name(*point), text.clone())).collect();
        self.label_names(&named);
    }

    /// The same for points of the square.
    pub(super) fn label_names(&mut self, labels: &[(PointName, String)]) {
        if !labels.is_empty() {
            let pairs: Vec<String> =
                labels.iter().map(|(name, text)| format!("{} {text}", vertex::text_of(*name))).collect();
            self.lines.push(format!("LABEL {}", pairs.join(" ")));
        }
    }

    /// Shows half moves one after another as numbered stones; it takes away all labels drawn before. A point that is played twice
    /// has both numbers, and the line ends before one is played a third time.
    pub(super) fn variation(&mut self, half_moves: &[(Side, Point)]) {
        let mut numbers: Vec<(Point, String)> = Vec::new();
        for (place, (_, point)) in half_moves.iter().enumerate() {
            match numbers.iter_mut().find(|(numbered, _)| numbered == point) {
                Some((_, text)) if text.contains(',') => break,
                Some((_, text)) => *text += &format!(",{}", place + 1),
                None => numbers.push((*point, (place + 1).to_string())),
            }
        }
        let shown: usize = numbers.iter().map(|(_, text)| text.split(',').count()).sum();
        if shown > 0 {
            self.lines.push(format!("VAR {}", variation_text(self.board, &half_moves[..shown])));
        }
        numbers.retain(|(_, text)| text.contains(','));
        self.labels(&numbers);
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
fn colour_letter(side: Side) -> char {
    match side {
        Side::General => 'w',
        Side::Rebels => 'b',
    }
}

/// Half moves as colours and points: `w C3 w B2 b A5 b B5`.
fn variation_text(board: &Board, half_moves: &[(Side, Point)]) -> String {
    let word = |(side, point): &(Side, Point)| format!("{} {}", colour_letter(*side), vertex::text(board, *point));
    half_moves.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// At least so long between two drawings: people can't read faster, and the client has to draw.
const PAUSE: Duration = Duration::from_millis(100);

/// How many moves of a line are drawn: GoGui numbers ten stones and shows no more of a longer line than its end.
const MOVES_SHOWN: usize = 5;

/// Drawings on standard error. Nothing is drawn before it is switched on: a client that does not ask for graphics would
/// show them to its user as error messages.
#[derive(Debug)]
pub(super) struct Live<E> {
    errors: E,
    on: bool,
    last: Option<Instant>,
}

impl<E: Write> Live<E> {
    /// Live graphics that are switched off.
    pub(super) fn new(errors: E) -> Live<E> {
        Live { errors, on: false, last: None }
    }

    /// Switches them on.
    pub(super) fn switch_on(&mut self) {
        self.on = true;
    }

    /// Draws the line of a report, unless the last drawing is too fresh.
    pub(super) fn show(&mut self, root: &Game, begun: usize, report: &SearchInfo) {
        if !self.on || self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let graphics = line_graphics(root, begun, report);
        self.write(&format!("gogui-gfx:\n{graphics}\n\n"));
    }

    /// Takes back what has been drawn.
    pub(super) fn clear(&mut self) {
        if self.last.take().is_some() {
            self.write("gogui-gfx: CLEAR\n");
        }
    }

    fn write(&mut self, text: &str) {
        // In one piece, so that no diagnostics get in between. A client may have closed its end; there is nobody to tell.
        let _ = self.errors.write_all(text.as_bytes()).and_then(|()| self.errors.flush());
    }
}

/// The line of a report as stones, its value and depth in words. `begun` half moves of its first move stand already.
pub(super) fn line_graphics<'a>(root: &'a Game, begun: usize, report: &SearchInfo) -> Graphics<'a> {
    let half_moves = half_moves_of_line(root, &report.line);
    let mut graphics = Graphics::new(root.board());
    graphics.variation(half_moves.get(begun..).unwrap_or_default());
    let value = match (report.score, report.bound) {
        (Score::Draw, Some(Bound::Lower)) => "draw at least".to_owned(),
        (Score::Draw, Some(Bound::Upper)) => "draw at most".to_owned(),
        (Score::Draw, None) => "draw".to_owned(),
        (score, _) => score.to_string(),
    };
    let nodes = report.nodes;
    let side = if root.side() == Side::General { "White" } else { "Black" };
    graphics.text(&format!("{side} {value}, depth {}, {nodes} nodes", report.depth));
    graphics
}

/// The half moves of the first moves of a line.
pub(super) fn half_moves_of_line(root: &Game, line: &[MovePath]) -> Vec<(Side, Point)> {
    let mut position = root.clone();
    let mut all = Vec::new();
    for move_ in line.iter().take(MOVES_SHOWN) {
        let half_moves = HalfMoves::of(&position, position.legal_moves());
        // A move that can't be entered ends what can be shown.
        let Some(points) = half_moves.points_of(move_) else { break };
        all.extend(points.iter().map(|point| (position.side(), *point)));
        position = position.after(move_);
    }
    all
}
