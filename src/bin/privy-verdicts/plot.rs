//! Line plots as SVG.

use std::fmt::Write as _;

use super::overview::VariantFigures;
use super::verdict::share;

/// Names of the plots' files, and what they show.
pub(super) const CAPTIONS: [(&str, &str); 3] = [
    ("verdicts-shares.svg", "Share of the positions that the Rebels win, by number of Rebels"),
    (
        "verdicts-mistakes.svg",
        "Share of the Rebels' moves in won positions that give the win away, by number of Rebels",
    ),
    (
        "verdicts-distances.svg",
        "Share of the decided positions with the Rebels to move that take more than so many plies",
    ),
];

/// Okabe and Ito's colours (2008), which most people tell apart, and two greys.
const COLOURS: [&str; 9] =
    ["#000000", "#e69f00", "#56b4e9", "#009e73", "#b8a800", "#0072b2", "#d55e00", "#cc79a7", "#808080"];

/// Drawing area.
const LEFT: f64 = 60.0;
const TOP: f64 = 44.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 330.0;
/// Where the names of the lines stand.
const NAMES: f64 = LEFT + WIDTH + 24.0;
const WHOLE_WIDTH: f64 = NAMES + 200.0;
const WHOLE_HEIGHT: f64 = TOP + HEIGHT + 56.0;

/// A plot of a line for each variant: what it shows, what runs across, and a variant's points. Dots mark the points.
struct Plot {
    title: &'static str,
    across: &'static str,
    points: fn(&VariantFigures) -> Vec<(f64, f64)>,
    dots: bool,
}

const PLOTS: [Plot; 3] = [
    Plot { title: "Positions that the Rebels win", across: "Rebels on the board", points: shares, dots: true },
    Plot {
        title: "Rebel moves that give a won position away",
        across: "Rebels on the board",
        points: mistakes,
        dots: true,
    },
    Plot {
        title: "Decided positions, Rebels to move, that take more plies than so many",
        across: "plies",
        points: distances,
        dots: false,
    },
];

/// The plots as SVG, with the names of their files.
pub(super) fn all(variants: &[VariantFigures]) -> Vec<(&'static str, String)> {
    CAPTIONS.iter().zip(&PLOTS).map(|((name, _), plot)| (*name, plot.svg(variants))).collect()
}

fn shares(variant: &VariantFigures) -> Vec<(f64, f64)> {
    variant.layers.iter().map(|layer| (f64::from(layer.rebels), layer.share().number())).collect()
}

fn mistakes(variant: &VariantFigures) -> Vec<(f64, f64)> {
    let layers = variant.census.iter().flat_map(|census| &census.layers).filter(|layer| layer.moves > 0);
    layers.map(|layer| (f64::from(layer.rebels), share(layer.throwing, layer.moves).number())).collect()
}

fn distances(variant: &VariantFigures) -> Vec<(f64, f64)> {
    let all: u64 = variant.distances.iter().map(|distance| distance.positions).sum();
    let longest = variant.distances.last().map_or(0, |distance| distance.plies);
    let longer = |plies: u32| {
        let later = variant.distances.iter().filter(|distance| distance.plies > plies);
        share(later.map(|distance| distance.positions).sum(), all).number()
    };
    (0..=longest).filter(|_| all > 0).map(|plies| (f64::from(plies), longer(plies))).collect()
}

/// A round step that divides a range into at most so many parts.
fn step(range: f64, parts: f64) -> f64 {
    let least = range / parts;
    let mut step = 1.0;
    let mut factors = [2.0, 2.5, 2.0].into_iter().cycle();
    while step < least {
        step *= factors.next().unwrap_or(2.0);
    }
    step
}

impl Plot {
    fn svg(&self, variants: &[VariantFigures]) -> String {
        let lines = variants.iter().zip(COLOURS.iter().cycle());
        let lines = lines.map(|(variant, colour)| (variant.id.as_str(), colour, (self.points)(variant)));
        let lines: Vec<_> = lines.filter(|(.., points)| !points.is_empty()).collect();
        let all = || lines.iter().flat_map(|(.., points)| points);
        let widest = all().map(|point| point.0).fold(1.0, f64::max);
        let highest = all().map(|point| point.1).fold(1.0, f64::max);
        let (step_x, step_y) = (step(widest, 12.0), step(highest, 10.0));
        let (most_x, most_y) = ((widest / step_x).ceil() * step_x, (highest / step_y).ceil() * step_y);
        let x = |value: f64| LEFT + value / most_x * WIDTH;
        let y = |value: f64| TOP + HEIGHT - value / most_y * HEIGHT;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WHOLE_WIDTH} {WHOLE_HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<title>{}</title>\n<rect width=\"{WHOLE_WIDTH}\" height=\"{WHOLE_HEIGHT}\" fill=\"#fff\"/>\n",
            self.title
        );
        // Writing to a string does not fail.
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{}</text>", self.title);
        let mut value = 0.0;
        while value <= most_y {
            let at = y(value);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                LEFT + WIDTH,
                LEFT - 8.0,
                at + 4.0
            );
            value += step_y;
        }
        let mut value = 0.0;
        while value <= most_x {
            let (at, below) = (x(value), TOP + HEIGHT);
            let _ = writeln!(
                svg,
                "<line x1=\"{at:.1}\" y1=\"{below}\" x2=\"{at:.1}\" y2=\"{}\" stroke=\"#666\"/>\
                 <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
                below + 5.0,
                below + 20.0
            );
            value += step_x;
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">%</text>",
            LEFT + WIDTH / 2.0,
            TOP + HEIGHT + 42.0,
            self.across,
            LEFT - 8.0,
            TOP - 12.0,
        );
        for (number, (name, colour, points)) in lines.iter().enumerate() {
            let path: Vec<String> = points.iter().map(|(a, b)| format!("{:.1},{:.1}", x(*a), y(*b))).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                path.join(" ")
            );
            for (a, b) in points.iter().filter(|_| self.dots) {
                let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", x(*a), y(*b));
            }
            let at = TOP + 10.0 + 22.0 * number as f64;
            let _ = writeln!(
                svg,
                "<line x1=\"{NAMES}\" y1=\"{at}\" x2=\"{}\" y2=\"{at}\" stroke=\"{colour}\" stroke-width=\"3\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text>",
                NAMES + 22.0,
                NAMES + 30.0,
                at + 4.0,
                name
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}
