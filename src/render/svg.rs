//! A position as SVG.

use std::ops::RangeInclusive;

use crate::board::PointSet;

use super::canvas::{Canvas, number};
use super::figures::{draw_board, draw_pieces, draw_way};
use super::geometry::{Place, Scale};
use super::labels::{Covered, Labels, PAPER, draw_labels, room};
use super::view::View;

const WORDS_INK: &str = "#3b2f23";

/// Heights of letters, hundredths of a file.
const TITLE_SIZE: f64 = 27.0;
const CAPTION_SIZE: f64 = 20.0;
/// The width of a letter in a broad typeface, in parts of its size: words must fit whatever face the reader has.
const LETTER_WIDTH: f64 = 0.56;
const BOLD_LETTER_WIDTH: f64 = 0.64;
/// What stays free on either side of words.
const WORDS_MARGIN: f64 = 24.0;

/// What a picture shows, and how large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SvgOptions {
    /// Labels of points.
    pub labels: Labels,
    /// The longer side of the picture in pixels, within [`SIZES`](SvgOptions::SIZES); what is beyond counts as the
    /// nearer end.
    pub size_px: u32,
    /// Mark the last move, if the view knows it.
    pub last_move: bool,
    /// The variant's title above the board.
    pub title: bool,
    /// Below the board: who is to move or how the game ended, and the last move.
    pub caption: bool,
}

impl SvgOptions {
    /// The sizes that a picture may have, in pixels.
    pub const SIZES: RangeInclusive<u32> = 64..=8192;
}

impl Default for SvgOptions {
    fn default() -> SvgOptions {
        SvgOptions { labels: Labels::Edges, size_px: 640, last_move: true, title: false, caption: false }
    }
}

/// Draws a position as SVG: the lines of the real board, the privy shaded, apexes ringed, exits with larger dots;
/// Rebels are dark discs, the General a red one with a star. The last move is an arrow from a ring to a ringed piece;
/// a chain shows every landing, and faint discs with crosses stand where Rebels were taken.
///
/// The text is a whole XML document, the same for the same input, without scripts, links or fonts. Its `title` and
/// `desc` say what it shows: the game and its state in words, and the position text.
pub fn svg(view: &View, options: &SvgOptions) -> String {
    let scale = Scale::new(view.board());
    let frame = Frame::new(&scale, view, options);
    let mut canvas = Canvas::default();
    let (width, height) = frame.pixels(options.size_px);
    let (left, top) = (number(frame.low.x), number(frame.low.y));
    let (across, down) = (number(frame.width()), number(frame.height()));
    let root = [
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("width", width.as_str()),
        ("height", height.as_str()),
        ("viewBox", &format!("{left} {top} {across} {down}")),
        ("role", "img"),
        ("font-family", "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"),
    ];
    canvas.open("svg", &root);
    canvas.words("title", &[], &format!("{}: {}", view.heading(), view.status()));
    canvas.words("desc", &[], &view.game.to_string());
    gradients(&mut canvas);
    let paper =
        [("x", left.as_str()), ("y", &top), ("width", &across), ("height", &down), ("rx", "22"), ("fill", PAPER)];
    canvas.element("rect", &paper);
    draw_board(&mut canvas, &scale, view.game.variant());
    let (position, last) = (view.position(), view.last_move().filter(|_| options.last_move));
    let traces = last.as_ref().map_or(PointSet::EMPTY, |last| last.left() | last.captured);
    let covered = Covered { points: position.occupied() | traces, ringed: last.as_ref().map(|last| last.to) };
    draw_labels(&mut canvas, &scale, options.labels, &covered);
    if let Some(last) = last {
        draw_way(&mut canvas, &scale, &last);
    }
    draw_pieces(&mut canvas, &scale, position);
    frame.draw_words(&mut canvas);
    canvas.finish()
}

/// Light from the upper left.
fn gradients(canvas: &mut Canvas) {
    canvas.open("defs", &[]);
    for (id, light, dark) in [("privy-rebel", "#59616e", "#23272e"), ("privy-general", "#dd5a45", "#a92c20")] {
        canvas.open("radialGradient", &[("id", id), ("cx", "0.36"), ("cy", "0.3"), ("r", "0.75")]);
        canvas.element("stop", &[("offset", "0"), ("stop-color", light)]);
        canvas.element("stop", &[("offset", "1"), ("stop-color", dark)]);
        canvas.close();
    }
    canvas.close();
}

/// The picture's edges and the words that stand in them above and below the board.
struct Frame {
    low: Place,
    high: Place,
    title: Option<(f64, String)>,
    caption: Vec<(f64, String)>,
}

impl Frame {
    fn new(scale: &Scale, view: &View, options: &SvgOptions) -> Frame {
        let (low, high) = scale.bounds(scale.board.all());
        let (left, below, other) = room(options.labels);
        let mut low = Place { x: low.x - left, y: low.y - other };
        let mut high = Place { x: high.x + other, y: high.y + below };
        let mut title = None;
        if options.title {
            // The room above the board holds most of the title already.
            low.y -= 1.2 * TITLE_SIZE;
            title = Some((low.y + 1.4 * TITLE_SIZE, view.title()));
        }
        let mut caption = Vec::new();
        if options.caption {
            let mut lines = vec![with_capital(&view.status())];
            if let (Some((move_, taken)), true) = (view.last_move_words(), options.last_move) {
                let together = format!("{}{taken}", with_capital(&move_));
                let letters = (high.x - low.x - 2.0 * WORDS_MARGIN) / (LETTER_WIDTH * CAPTION_SIZE);
                // What a long chain took has a line of its own.
                if together.chars().count() as f64 <= letters || taken.is_empty() {
                    lines.push(together);
                } else {
                    lines.extend([with_capital(&move_), taken.trim_start().to_owned()]);
                }
            }
            for line in lines {
                caption.push((high.y + 0.1 * CAPTION_SIZE, line));
                high.y += 1.4 * CAPTION_SIZE;
            }
        }
        Frame { low, high, title, caption }
    }

    fn width(&self) -> f64 {
        self.high.x - self.low.x
    }

    fn height(&self) -> f64 {
        self.high.y - self.low.y
    }

    /// Width and height in pixels, the longer as asked.
    fn pixels(&self, size: u32) -> (String, String) {
        let size = f64::from(size.clamp(*SvgOptions::SIZES.start(), *SvgOptions::SIZES.end()));
        let longer = self.width().max(self.height());
        let pixels = |side: f64| number((size * side / longer).round().max(1.0));
        (pixels(self.width()), pixels(self.height()))
    }

    fn draw_words(&self, canvas: &mut Canvas) {
        if self.title.is_none() && self.caption.is_empty() {
            return;
        }
        canvas.open("g", &[("class", "words"), ("fill", WORDS_INK), ("text-anchor", "middle")]);
        let middle = (self.low.x + self.high.x) / 2.0;
        if let Some((y, words)) = &self.title {
            let size = self.fitting(TITLE_SIZE, BOLD_LETTER_WIDTH, words);
            canvas.label(Place { x: middle, y: *y }, size, &[("font-weight", "600")], words);
        }
        let sizes = self.caption.iter().map(|(_, words)| self.fitting(CAPTION_SIZE, LETTER_WIDTH, words));
        let size = sizes.fold(CAPTION_SIZE, f64::min);
        for (y, words) in &self.caption {
            canvas.label(Place { x: middle, y: *y }, size, &[], words);
        }
        canvas.close();
    }

    /// The size at which words fit into the width of the picture, at most as large as given.
    fn fitting(&self, size: f64, letter_width: f64, words: &str) -> f64 {
        let wanted = words.chars().count() as f64 * letter_width * size;
        size * ((self.width() - 2.0 * WORDS_MARGIN) / wanted.max(1.0)).min(1.0)
    }
}

fn with_capital(words: &str) -> String {
    let mut rest = words.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
