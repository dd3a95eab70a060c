//! Drawing commands of GoGui's analyze commands of type `gfx`, one a line; and live graphics, which draw during a
//! search.

use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

use privy_protocol::{Bound, Score};

use privy_records::half_moves::HalfMoves;
use privy_rules::board::{Board, Point, PointName, PointSet};
use privy_rules::{Game, MovePath, Side};
use privy_search::SearchInfo;

use super::vertex;

/// A drawing on a board.
pub(super) struct Graphics<'a> {
    board: &'a Board,
    lines: Vec<String>,
}

impl<'a> Graphics<'a> {
    pub(super) fn new(board: &'a Board) -> Graphics<'a> {
        Graphics { board, lines: Vec::new() }
    }

    /// Adds a command with words, if there are any.
    fn add(&mut self, command: &str, words: &[String]) {
        if !words.is_empty() {
            self.lines.push(format!("{command} {}", words.join(" ")));
        }
    }

    /// Colours the ground of points; a later colour covers an earlier one. `colour` is `#rrggbb`.
    pub(super) fn colour(&mut self, colour: &str, points: PointSet) {
        self.mark(&format!("COLOR {colour}"), points);
    }

    /// Colours points of the square around the board, whether the board has them or not.
    pub(super) fn colour_names(&mut self, colour: &str, names: &[PointName]) {
        self.add(&format!("COLOR {colour}"), &names.iter().copied().map(vertex::text_of).collect::<Vec<_>>());
    }

    /// Marks points: `CIRCLE`, `MARK` (a cross), `SQUARE` or `TRIANGLE`.
    pub(super) fn mark(&mut self, mark: &str, points: PointSet) {
        self.add(mark, &vertex::texts(self.board, points));
    }

    /// Writes texts without spaces on points.
    pub(super) fn labels(&mut self, labels: &[(Point, String)]) {
        let named: Vec<_> = labels.iter().map(|(point, text)| (self.board.name(*point), text.clone())).collect();
        self.label_names(&named);
    }

    /// Writes texts without spaces on points of the square around the board.
    pub(super) fn label_names(&mut self, labels: &[(PointName, String)]) {
        let pair = |(name, text): &(PointName, String)| format!("{} {text}", vertex::text_of(*name));
        self.add("LABEL", &labels.iter().map(pair).collect::<Vec<_>>());
    }

    /// Shows half moves as numbered stones, which removes all labels drawn before. A point that is played twice has
    /// both numbers, and the line ends before a point is played a third time.
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
        let stone = |(side, point): &(Side, Point)| {
            let colour = if *side == Side::General { 'w' } else { 'b' };
            format!("{colour} {}", vertex::text(self.board, *point))
        };
        let stones: Vec<String> = half_moves.iter().take(shown).map(stone).collect();
        self.add("VAR", &stones);
        numbers.retain(|(_, text)| text.contains(','));
        self.labels(&numbers);
    }

    /// Shows a text in the status line.
    pub(super) fn text(&mut self, text: &str) {
        self.lines.push(format!("TEXT {text}"));
    }
}

impl fmt::Display for Graphics<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}

/// The colour of a side.
pub(super) fn colour_name(side: Side) -> &'static str {
    if side == Side::General { "White" } else { "Black" }
}

/// The least time between two drawings: people can't read faster, and the client has to draw.
const PAUSE: Duration = Duration::from_millis(100);

/// The number of moves drawn of a line. GoGui numbers ten stones, and shows only the end of a longer line.
const MOVES_SHOWN: usize = 5;

/// Drawings on standard error. They must be switched on: a client that does not ask for graphics would show them to its
/// user as error messages.
pub(super) struct Live<'a> {
    errors: &'a mut dyn Write,
    pub(super) is_on: bool,
    last: Option<Instant>,
}

impl<'a> Live<'a> {
    pub(super) fn new(errors: &'a mut dyn Write) -> Live<'a> {
        Live { errors, is_on: false, last: None }
    }

    /// Draws the line of a report, unless the last drawing is too recent.
    pub(super) fn show(&mut self, root: &Game, begun: usize, report: &SearchInfo) {
        if !self.is_on || self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let graphics = line_graphics(root, begun, report);
        self.write(&format!("gogui-gfx:\n{graphics}\n\n"));
    }

    /// Removes the drawing.
    pub(super) fn clear(&mut self) {
        if self.last.take().is_some() {
            self.write("gogui-gfx: CLEAR\n");
        }
    }

    fn write(&mut self, text: &str) {
        // In one piece, so that no diagnostics get in between. It fails when the client has closed its end.
        let _ = self.errors.write_all(text.as_bytes()).and_then(|()| self.errors.flush());
    }
}

/// The line of a report as stones, without the first `begun` half moves; its value and depth in words.
pub(super) fn line_graphics<'a>(root: &'a Game, begun: usize, report: &SearchInfo) -> Graphics<'a> {
    let half_moves = half_moves_of_line(root, &report.pv);
    let mut graphics = Graphics::new(root.board());
    graphics.variation(half_moves.get(begun..).unwrap_or_default());
    let value = match (report.verdict.score, report.verdict.bound) {
        (Score::Draw, Some(Bound::Lower)) => "draw at least".to_owned(),
        (Score::Draw, Some(Bound::Upper)) => "draw at most".to_owned(),
        (Score::Draw, None) => "draw".to_owned(),
        (score, Some(_)) => format!("{score} (within)"),
        (score @ Score::Evaluation(_), None) => {
            format!("{score} ({:.0} %)", 100.0 * report.chance())
        }
        (score, None) => score.to_string(),
    };
    graphics.text(&format!("{} {value}, depth {}, {} nodes", colour_name(root.side()), report.depth, report.nodes));
    graphics
}

/// The half moves of the first moves of a line.
pub(super) fn half_moves_of_line(root: &Game, line: &[MovePath]) -> Vec<(Side, Point)> {
    let mut position = root.clone();
    let mut all = Vec::new();
    for move_ in line.iter().take(MOVES_SHOWN) {
        let half_moves = HalfMoves::of(&position, position.legal_moves());
        // A move without half moves ends the line.
        let Some(points) = half_moves.points_of(move_) else { break };
        all.extend(points.iter().map(|point| (position.side(), *point)));
        position = position.after(move_);
    }
    all
}
