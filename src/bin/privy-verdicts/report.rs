//! A whole report, and its forms: JSON, text for a terminal, Markdown with plots.

use std::fmt::Write as _;
use std::io;

use serde::{Deserialize, Serialize};

use privy::cli::CliError;

use super::overview::{VariantFigures, overview};
use super::plot;
use super::verdict::{Grid, Verdict};

/// Columns of the text, where grids allow.
const COLUMNS: usize = 100;

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
        if self.variants.is_empty() { Vec::new() } else { plot::all(&self.variants) }
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
            for (name, caption) in plot::CAPTIONS {
                let _ = writeln!(text, "\n![{caption}]({name})");
            }
        }
        self.verdicts.iter().for_each(|verdict| markdown_verdict(&mut text, verdict));
        text
    }

    /// For a terminal.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for verdict in &self.verdicts {
            text_verdict(&mut text, verdict);
        }
        if !self.variants.is_empty() {
            for grid in overview(&self.variants) {
                text_grid(&mut text, &grid);
            }
        }
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

// Writing to a string does not fail.
fn text_verdict(text: &mut String, verdict: &Verdict) {
    let _ = writeln!(text, "Claim {}, {}: {}", verdict.claim, verdict.variant, verdict.answer);
    wrapped(text, "claim     ", &verdict.says);
    wrapped(text, "how       ", &verdict.computation);
    wrapped(text, "answer    ", &verdict.finding);
    if let Some(measure) = &verdict.measure {
        wrapped(text, "measure   ", measure);
    }
    for figure in &verdict.figures {
        wrapped(text, "  ", &format!("{}: {}", figure.name, figure.value));
    }
    text.push('\n');
    for grid in &verdict.grids {
        text_grid(text, grid);
    }
}

/// A paragraph whose further lines are indented as its first.
fn wrapped(text: &mut String, start: &str, paragraph: &str) {
    let mut line = start.to_owned();
    let mut empty = true;
    for word in paragraph.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > COLUMNS {
            let _ = writeln!(text, "{}", line.trim_end());
            line = " ".repeat(start.len());
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    let _ = writeln!(text, "{line}");
}

fn text_grid(text: &mut String, grid: &Grid) {
    let _ = writeln!(text, "{}", grid.title);
    let mut rows: Vec<Vec<String>> = vec![grid.columns.clone()];
    rows.extend(grid.rows.iter().map(|row| row.iter().map(|cell| cell.short()).collect()));
    // Long headings are put on a line of their own, numbered.
    let heads: Vec<String> = (1..=grid.columns.len()).map(|number| format!("({number})")).collect();
    for (head, column) in heads.iter().zip(&grid.columns) {
        let _ = writeln!(text, "  {head} {column}");
    }
    if let Some(first) = rows.first_mut() {
        *first = heads;
    }
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..grid.columns.len()).map(|column| width(column).unwrap_or(0)).collect();
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        let _ = writeln!(text, "  {}", cells.join("  "));
    }
    text.push('\n');
}
