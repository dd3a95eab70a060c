//! Looking after table files from the command line.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::rules::{Position, Variant};
use crate::tables::{Table, TableError, TableFileInfo, table_files, table_path};

use super::solve::folder_of;
use super::{ToolError, find_position};

/// A line per table file: variant, fingerprint, most plies, bytes, path; or what is wrong with it.
///
/// # Errors
/// When the folder can't be read, or the result can't be written.
pub fn list_tables(folder: Option<&PathBuf>, output: &mut impl Write) -> Result<(), ToolError> {
    for path in table_files(&folder_of(folder)?)? {
        match TableFileInfo::read(&path) {
            Ok(info) => writeln!(
                output,
                "{} {} {} {} {}",
                info.variant,
                info.fingerprint,
                info.max_plies,
                info.bytes,
                path.display()
            )?,
            Err(error) => writeln!(output, "unusable: {error}")?,
        }
    }
    Ok(())
}

fn open(variant: &Arc<Variant>, folder: Option<&PathBuf>) -> Result<Table, TableError> {
    let folder = folder_of(folder)?;
    let path = table_path(&folder, variant);
    if !path.exists() {
        return Err(TableError::Missing { variant: variant.id().to_owned(), folder });
    }
    Table::open(&path, variant)
}

/// What is in a table: won, drawn and lost positions by number of Rebels and side to move.
///
/// # Errors
/// When there is no table, or it is damaged.
pub fn table_statistics(
    variant: &Arc<Variant>,
    folder: Option<&PathBuf>,
    output: &mut impl Write,
) -> Result<(), ToolError> {
    let table = open(variant, folder)?;
    writeln!(output, "{} {} {}", variant.id(), variant.fingerprint(), table.path().display())?;
    writeln!(
        output,
        "opening {}, longest {} plies, {} bytes",
        table.probe(&variant.start())?,
        table.max_plies(),
        table.bytes()
    )?;
    writeln!(output, "{:>6} {:>8} {:>12} {:>12} {:>12}", "rebels", "to move", "won", "drawn", "lost")?;
    for layer in table.layers() {
        for (side, counts) in [("general", layer.general), ("rebels", layer.rebel)] {
            writeln!(
                output,
                "{:>6} {side:>8} {:>12} {:>12} {:>12}",
                layer.rebels, counts.won, counts.drawn, counts.lost
            )?;
        }
    }
    Ok(())
}

/// Deletes a table.
///
/// # Errors
/// When there is none, or it can't be removed.
pub fn delete_table(
    variant: &Arc<Variant>,
    folder: Option<&PathBuf>,
    output: &mut impl Write,
) -> Result<(), ToolError> {
    let folder = folder_of(folder)?;
    let path = table_path(&folder, variant);
    if !path.exists() {
        return Err(TableError::Missing { variant: variant.id().to_owned(), folder }.into());
    }
    std::fs::remove_file(&path).map_err(|error| TableError::System { path: path.clone(), error })?;
    writeln!(output, "deleted {}", path.display())?;
    Ok(())
}

/// The value of a position from a table, for the side to move.
///
/// # Errors
/// When there is no table, or the text is no position that it covers.
pub fn probe(
    variant: &Arc<Variant>,
    text: Option<&str>,
    folder: Option<&PathBuf>,
    output: &mut impl Write,
) -> Result<(), ToolError> {
    let table = open(variant, folder)?;
    let position = find_position(variant, text)?;
    writeln!(output, "{}", answer(&table, &position))?;
    Ok(())
}

/// The values of positions, one a line in and one a line out. What is wrong with a line is its answer.
///
/// # Errors
/// When there is no table, or a line can't be read or written.
pub fn probe_batch(
    variant: &Arc<Variant>,
    input: impl BufRead,
    folder: Option<&PathBuf>,
    output: &mut impl Write,
) -> Result<(), ToolError> {
    let table = open(variant, folder)?;
    for line in input.split(b'\n') {
        let line = line?;
        let text = String::from_utf8_lossy(&line);
        match find_position(variant, Some(text.trim())) {
            Ok(position) => writeln!(output, "{}", answer(&table, &position))?,
            Err(error) => writeln!(output, "? {error}")?,
        }
    }
    Ok(())
}

fn answer(table: &Table, position: &Position) -> String {
    match (position.outcome(), table.probe(position)) {
        (Some(outcome), _) => format!("game over: {outcome}"),
        (None, Ok(value)) => value.to_string(),
        (None, Err(error)) => format!("? no table: {error}"),
    }
}
