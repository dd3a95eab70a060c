//! The plots of the report.

use privy::render::LinePlot;

use super::overview::VariantFigures;
use super::verdict::share;

/// A plot of a line for each variant, in a file of its own: what it shows, what runs across, and a variant's points. Dots
/// mark the points.
pub(super) struct Plot {
    pub(super) file: &'static str,
    pub(super) caption: &'static str,
    title: &'static str,
    across: &'static str,
    points: fn(&VariantFigures) -> Vec<(f64, f64)>,
    dots: bool,
}

pub(super) const PLOTS: [Plot; 3] = [
    Plot {
        file: "verdicts-shares.svg",
        caption: "Share of the positions that the Rebels win, by number of Rebels",
        title: "Positions that the Rebels win",
        across: "Rebels on the board",
        points: shares,
        dots: true,
    },
    Plot {
        file: "verdicts-mistakes.svg",
        caption: "Share of the Rebels' moves in won positions that give the win away, by number of Rebels",
        title: "Rebel moves that give a won position away",
        across: "Rebels on the board",
        points: mistakes,
        dots: true,
    },
    Plot {
        file: "verdicts-distances.svg",
        caption: "Share of the decided positions with the Rebels to move that take more than so many plies",
        title: "Decided positions, Rebels to move, that take more plies than so many",
        across: "plies",
        points: distances,
        dots: false,
    },
];

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

impl Plot {
    pub(super) fn svg(&self, variants: &[VariantFigures]) -> String {
        LinePlot {
            title: self.title.to_owned(),
            across: self.across.to_owned(),
            dots: self.dots,
            lines: variants.iter().map(|variant| (variant.id.clone(), (self.points)(variant))).collect(),
        }
        .svg()
    }
}
