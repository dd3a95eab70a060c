//! Line plots as SVG.

use std::fmt::{Display, Write as _};

/// The colours of Okabe and Ito (2008), which most people can distinguish, and two greys.
const COLOURS: [&str; 9] =
    ["#000000", "#e69f00", "#56b4e9", "#009e73", "#b8a800", "#0072b2", "#d55e00", "#cc79a7", "#808080"];

const LEFT: f64 = 60.0;
const TOP: f64 = 44.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 330.0;
const BOTTOM: f64 = TOP + HEIGHT;
const RIGHT: f64 = LEFT + WIDTH;
/// The left edge of the legend.
const NAMES: f64 = RIGHT + 24.0;
const WHOLE_WIDTH: f64 = NAMES + 200.0;
const WHOLE_HEIGHT: f64 = BOTTOM + 56.0;

/// A plot of lines in percent; both axes begin at 0.
#[derive(Debug, Clone)]
pub struct LinePlot {
    /// The title.
    pub title: String,
    /// The label of the horizontal axis.
    pub across: String,
    /// True if the points of lines are marked.
    pub dots: bool,
    /// Names and points of the lines. A line without points is omitted, but keeps its colour.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
    /// Points that are marked with rings.
    pub marks: Vec<(f64, f64)>,
}

/// The least round step that divides a range into at most `parts` parts.
fn step(range: f64, parts: f64) -> f64 {
    let least = range / parts;
    let mut step = 1.0;
    let mut factors = [2.0, 2.5, 2.0].into_iter().cycle();
    while step < least {
        step *= factors.next().unwrap_or(2.0);
    }
    step
}

impl LinePlot {
    /// The plot as a whole SVG document, the same for the same lines.
    #[must_use]
    pub fn svg(&self) -> String {
        let lines = self.lines.iter().zip(COLOURS.iter().cycle());
        let lines = lines.map(|((name, points), colour)| (name, colour, points));
        let lines: Vec<_> = lines.filter(|(.., points)| !points.is_empty()).collect();
        let all = || lines.iter().flat_map(|(.., points)| *points);
        let widest = all().map(|point| point.0).fold(1.0, f64::max);
        let highest = all().map(|point| point.1).fold(1.0, f64::max);
        let (step_x, step_y) = (step(widest, 12.0), step(highest, 10.0));
        let (most_x, most_y) = ((widest / step_x).ceil() * step_x, (highest / step_y).ceil() * step_y);
        let x = |value: f64| LEFT + value / most_x * WIDTH;
        let y = |value: f64| BOTTOM - value / most_y * HEIGHT;
        let title = &self.title;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WHOLE_WIDTH} {WHOLE_HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n<title>{title}</title>\n<rect width=\"{WHOLE_WIDTH}\" \
             height=\"{WHOLE_HEIGHT}\" fill=\"#fff\"/>\n{}",
            text(LEFT, 24.0, " font-size=\"16\"", title) + "\n"
        );
        // Writing to a string does not fail.
        for (value, at) in ticks(most_y, step_y).map(|value| (value, y(value))) {
            let _ = write!(svg, "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{RIGHT}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>");
            let _ = writeln!(svg, "{}", text(LEFT - 8.0, format!("{:.1}", at + 4.0), END, value));
        }
        for (value, at) in ticks(most_x, step_x).map(|value| (value, format!("{:.1}", x(value)))) {
            let end = BOTTOM + 5.0;
            let _ = write!(svg, "<line x1=\"{at}\" y1=\"{BOTTOM}\" x2=\"{at}\" y2=\"{end}\" stroke=\"#666\"/>");
            let _ = writeln!(svg, "{}", text(at, BOTTOM + 20.0, MIDDLE, value));
        }
        svg.push_str(&text(LEFT + WIDTH / 2.0, BOTTOM + 42.0, MIDDLE, &self.across));
        svg.push_str(&(text(LEFT - 8.0, TOP - 12.0, END, "%") + "\n"));
        for (number, (name, colour, points)) in lines.iter().enumerate() {
            let path: Vec<String> = points.iter().map(|(a, b)| format!("{:.1},{:.1}", x(*a), y(*b))).collect();
            let path = path.join(" ");
            let _ = writeln!(svg, "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
            for (a, b) in points.iter().filter(|_| self.dots) {
                let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", x(*a), y(*b));
            }
            let (at, end) = (TOP + 10.0 + 22.0 * number as f64, NAMES + 22.0);
            let line = format!("x1=\"{NAMES}\" y1=\"{at}\" x2=\"{end}\" y2=\"{at}\" stroke=\"{colour}\"");
            let _ = writeln!(svg, "<line {line} stroke-width=\"3\"/>{}", text(NAMES + 30.0, at + 4.0, "", name));
        }
        for (a, b) in &self.marks {
            let (x, y) = (x(*a), y(*b));
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\" fill=\"none\" stroke=\"#d55e00\" stroke-width=\"2\"/>"
            );
        }
        svg + "</svg>\n"
    }
}

const MIDDLE: &str = " text-anchor=\"middle\"";
const END: &str = " text-anchor=\"end\"";

fn text(x: impl Display, y: impl Display, attributes: &str, text: impl Display) -> String {
    format!("<text x=\"{x}\" y=\"{y}\"{attributes}>{text}</text>")
}

fn ticks(most: f64, step: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(0.0), move |value| Some(value + step)).take_while(move |value| *value <= most)
}
