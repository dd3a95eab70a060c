//! Text in columns.

use std::fmt;

/// What stands between columns.
const GAP: &str = "  ";

/// Where a cell stands in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// At the left: words.
    Left,
    /// At the right: numbers.
    Right,
}

/// Rows of cells under headings, each column as wide as its widest cell. A character counts as one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// A grid with its headings.
    #[must_use]
    pub fn new<const COLUMNS: usize>(headings: [(&str, Align); COLUMNS]) -> Grid {
        let texts = headings.iter().map(|(heading, _)| (*heading).to_owned()).collect();
        Grid { aligns: headings.iter().map(|(_, align)| *align).collect(), rows: vec![texts] }
    }

    /// Adds a row.
    pub fn row<const COLUMNS: usize>(&mut self, cells: [String; COLUMNS]) {
        self.rows.push(cells.to_vec());
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

/// A line a row, without spaces at its end.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.aligns.len()).map(|column| self.width(column)).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&self.aligns).zip(&widths).map(|((cell, align), width)| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            });
            let line = cells.collect::<Vec<_>>().join(GAP);
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
