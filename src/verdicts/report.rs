//! A whole report, and its forms: JSON, and Markdown with plots.

use std::fmt::Write as _;
use std::io;

use serde::{Deserialize, Serialize};

use privy_program::CliError;
use privy_referee::statistics::LinePlot;

use super::figures::{VariantFigures, overview};
use super::verdict::{ClaimVerdict, FigureGrid, share};

const HEAD: &str = include_str!("head.md");
const READING: &str = include_str!("reading.md");

/// Verdicts on claims, and the solved variants. JSON keeps all of it, so the other forms can be made from it without
/// tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct VerdictReport {
    pub(super) variants: Vec<VariantFigures>,
    pub(super) verdicts: Vec<ClaimVerdict>,
}

impl VerdictReport {
    /// All figures.
    pub(super) fn json(&self) -> Result<String, CliError> {
        Ok(serde_json::to_string_pretty(self).map_err(io::Error::from)? + "\n")
    }

    /// The names of the plot files, and their SVG.
    pub(super) fn plots(&self) -> Vec<(&'static str, String)> {
        plots(&self.variants).into_iter().map(|(file, _, plot)| (file, plot.svg())).collect()
    }

    /// As Markdown that links the plots.
    pub(super) fn markdown(&self) -> String {
        let mut text = HEAD.to_owned();
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n| claim | variant | in short | answer |\n|---|---|---|---|");
        for verdict in &self.verdicts {
            let ClaimVerdict { claim, variant, says, answer, .. } = verdict;
            let _ = writeln!(text, "| [{claim}](#claim-{claim}) | `{variant}` | {says} | **{answer}** |");
        }
        let _ = write!(text, "\n{READING}");
        if !self.variants.is_empty() {
            let _ = writeln!(text, "\n## The solved games");
            overview(&self.variants).iter().for_each(|grid| markdown_grid(&mut text, grid));
            for (file, caption, _) in plots(&self.variants) {
                let _ = writeln!(text, "\n![{caption}]({file})");
            }
        }
        self.verdicts.iter().for_each(|verdict| markdown_verdict(&mut text, verdict));
        text
    }
}

fn markdown_verdict(text: &mut String, verdict: &ClaimVerdict) {
    let _ = writeln!(text, "\n## Claim {}\n", verdict.claim);
    let _ = writeln!(text, "`{}`: {}\n", verdict.variant, verdict.says);
    let _ = writeln!(text, "**Source.** {}\n", verdict.source);
    let _ = writeln!(text, "**Computation.** {}\n", verdict.computation);
    let _ = writeln!(text, "**Answer: {}.** {}", verdict.answer, verdict.finding);
    if let Some(measure) = &verdict.measure {
        let _ = writeln!(text, "\n**Measure.** {measure}");
    }
    if !verdict.figures.is_empty() {
        let _ = writeln!(text, "\n| figure | value |\n|---|---|");
        for figure in &verdict.figures {
            let _ = writeln!(text, "| {} | {} |", figure.name, figure.value);
        }
    }
    verdict.grids.iter().for_each(|grid| markdown_grid(text, grid));
}

fn markdown_grid(text: &mut String, grid: &FigureGrid) {
    let _ = writeln!(text, "\n{}:\n", grid.title);
    let _ = writeln!(text, "| {} |", grid.columns.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(grid.columns.len()));
    for row in &grid.rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.short()).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

/// The plots, with a line for each variant: file, caption, plot. None without variants.
fn plots(variants: &[VariantFigures]) -> Vec<(&'static str, &'static str, LinePlot)> {
    if variants.is_empty() {
        return Vec::new();
    }
    let plot = |title: &str, across: &str, dots, points: fn(&VariantFigures) -> Vec<(f64, f64)>| {
        let lines = variants.iter().map(|variant| (variant.id.clone(), points(variant))).collect();
        LinePlot { title: title.to_owned(), across: across.to_owned(), dots, lines, marks: Vec::new() }
    };
    vec![
        (
            "verdicts-shares.svg",
            "Share of the positions that the Rebels win, by number of Rebels",
            plot("Positions that the Rebels win", "Rebels on the board", true, shares),
        ),
        (
            "verdicts-mistakes.svg",
            "Share of the Rebels' moves in won positions that give the win away, by number of Rebels",
            plot("Rebel moves that give a won position away", "Rebels on the board", true, mistakes),
        ),
        (
            "verdicts-distances.svg",
            "Share of the decided positions with the Rebels to move that take more than a given number of plies",
            plot(
                "Decided positions, Rebels to move, that take more than a given number of plies",
                "plies",
                false,
                distances,
            ),
        ),
    ]
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
