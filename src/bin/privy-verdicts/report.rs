//! A whole report, and its forms: JSON, and Markdown with plots.

use std::fmt::Write as _;
use std::io;

use serde::{Deserialize, Serialize};

use privy::cli::CliError;

use super::overview::{VariantFigures, overview};
use super::plot::{PLOTS, Plot};
use super::verdict::{Grid, Verdict};

/// How the Markdown begins, and how its figures are to be read.
const HEAD: &str = include_str!("head.md");
const READING: &str = include_str!("reading.md");

/// Verdicts on claims, and the variants that they are about. It can be written as JSON and read again without loss, so the
/// other forms can be made from its figures alone, without a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) variants: Vec<VariantFigures>,
    pub(super) verdicts: Vec<Verdict>,
}

impl Report {
    /// All figures.
    ///
    /// # Errors
    /// Never in practice: there is nothing in a report that JSON could not hold.
    pub(super) fn json(&self) -> Result<String, CliError> {
        Ok(serde_json::to_string_pretty(self).map_err(io::Error::from)? + "\n")
    }

    /// The plots as SVG, with the names of their files.
    pub(super) fn plots(&self) -> Vec<(&'static str, String)> {
        PLOTS.iter().filter(|_| !self.variants.is_empty()).map(|plot| (plot.file, plot.svg(&self.variants))).collect()
    }

    /// As Markdown that links the plots.
    pub(super) fn markdown(&self) -> String {
        let mut text = HEAD.to_owned();
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n| claim | variant | in short | answer |\n|---|---|---|---|");
        for verdict in &self.verdicts {
            let Verdict { claim, variant, says, answer, .. } = verdict;
            let _ = writeln!(text, "| [{claim}](#claim-{claim}) | `{variant}` | {says} | **{answer}** |");
        }
        let _ = write!(text, "\n{READING}");
        if !self.variants.is_empty() {
            let _ = writeln!(text, "\n## The solved games");
            overview(&self.variants).iter().for_each(|grid| markdown_grid(&mut text, grid));
            for Plot { file, caption, .. } in &PLOTS {
                let _ = writeln!(text, "\n![{caption}]({file})");
            }
        }
        self.verdicts.iter().for_each(|verdict| markdown_verdict(&mut text, verdict));
        text
    }
}

fn markdown_verdict(text: &mut String, verdict: &Verdict) {
    let _ = writeln!(text, "\n## Claim {}\n", verdict.claim);
    let _ = writeln!(text, "`{}`: {}\n", verdict.variant, verdict.says);
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

fn markdown_grid(text: &mut String, grid: &Grid) {
    let _ = writeln!(text, "\n{}:\n", grid.title);
    let _ = writeln!(text, "| {} |", grid.columns.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(grid.columns.len()));
    for row in &grid.rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.short()).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}
