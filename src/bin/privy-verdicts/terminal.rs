//! A report as plain text, 100 columns or fewer where grids allow.

use std::fmt::Write as _;

use super::overview::overview;
use super::report::VerdictsReport;
use super::verdict::{Grid, Verdict};

const COLUMNS: usize = 100;

pub(super) fn text(report: &VerdictsReport) -> String {
    let mut text = String::new();
    for verdict in &report.verdicts {
        write_verdict(&mut text, verdict);
    }
    if !report.variants.is_empty() {
        for grid in overview(&report.variants) {
            write_grid(&mut text, &grid);
        }
    }
    text
}

// Writing to a string does not fail.
fn write_verdict(text: &mut String, verdict: &Verdict) {
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
        write_grid(text, grid);
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

fn write_grid(text: &mut String, grid: &Grid) {
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
