//! Looking after table files from the command line.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::rules::{Position, Variant};
use crate::tablebase::{Table, TableError, TableFileInfo, table_files, table_path, verify};

use super::error::{CliError, find_position};
use super::solve::folder_of;

/// A line per table file: variant, fingerprint, most plies, bytes, most Rebels of a position, path; or what is wrong with it.
///
/// # Errors
/// When the folder can't be read, or the result can't be written.
pub(super) fn list_tables(folder: Option<&PathBuf>, output: &mut impl Write) -> Result<(), CliError> {
    for path in table_files(&folder_of(folder)?)? {
        match TableFileInfo::read(&path) {
            Ok(info) => writeln!(
                output,
                "{} {} {} {} {} {}",
                info.variant,
                info.fingerprint,
                info.max_plies,
                info.bytes,
                info.most_rebels,
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
        return Err(TableError::missing(variant, folder));
    }
    Table::open(&path, variant)
}

/// What is in a table: won, drawn and lost positions by number of Rebels and side to move.
///
/// # Errors
/// When there is no table, or it is damaged.
pub(super) fn table_statistics(
    variant: &Arc<Variant>,
    folder: Option<&PathBuf>,
    output: &mut impl Write,
) -> Result<(), CliError> {
    let table = open(variant, folder)?;
    writeln!(output, "{} {} {}", variant.id(), variant.fingerprint(), table.path().display())?;
    writeln!(output, "{}, longest {} plies, {} bytes", about(&table)?, table.max_plies(), table.bytes())?;
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

/// The value of the opening, or what is covered instead of it.
pub(super) fn about(table: &Table) -> Result<String, TableError> {
    match table.limit() {
        Some(most) => Ok(format!("up to {most} Rebels")),
        None => Ok(format!("opening {}", table.probe(&table.variant().start())?)),
    }
}

/// Checks every position of tables against its successors, and their counts against those that are known. Says of each table
/// what was found.
///
/// # Errors
/// When there is no table, `stop` was set, or a table is damaged or wrong: then the others have been looked at first.
pub(super) fn verify_tables(
    variants: &[Arc<Variant>],
    folder: Option<&PathBuf>,
    output: &mut impl Write,
    stop: &AtomicBool,
) -> Result<(), CliError> {
    let mut unsound = Vec::new();
    for variant in variants {
        let start = Instant::now();
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {percent}% [{elapsed}]") {
            bar.set_style(style);
        }
        bar.set_prefix(variant.id().to_owned());
        let verified = open(variant, folder).and_then(|table| {
            let mut progress = |done: u64, all: u64| {
                bar.set_length(all);
                bar.set_position(done);
            };
            Ok((verify(&table, &mut progress, stop)?, table.limit()))
        });
        bar.finish_and_clear();
        let (verified, limit) = match verified {
            Err(TableError::Interrupted) => return Err(TableError::Interrupted.into()),
            Err(error) => {
                writeln!(output, "{}: {error}", variant.id())?;
                unsound.push(variant.id());
                continue;
            }
            Ok(verified) => verified,
        };
        let counts = match (verified.agrees_with_header, verified.agrees_with_known) {
            (false, _) => "counts differ from the header's",
            (true, Some(false)) => "counts differ from the known ones",
            (true, Some(true)) => "counts as known",
            (true, None) => "counts as in the header",
        };
        let part = limit.map(|most| format!(" up to {most} Rebels")).unwrap_or_default();
        writeln!(
            output,
            "{}: {} positions with the General to move, {} with the Rebels, {} wrong, {counts}{part}, {:.1} s",
            variant.id(),
            verified.general,
            verified.rebels,
            verified.mismatches,
            start.elapsed().as_secs_f64()
        )?;
        for mismatch in &verified.examples {
            writeln!(output, "  {}: {} in the table, right is {}", mismatch.position, mismatch.stored, mismatch.right)?;
        }
        if !verified.is_sound() {
            unsound.push(variant.id());
        }
    }
    if unsound.is_empty() { Ok(()) } else { Err(CliError::Unsound(unsound.join(" "))) }
}

/// Deletes a table.
///
/// # Errors
/// When there is none, or it can't be removed.
pub(super) fn delete_table(
    variant: &Arc<Variant>,
    folder: Option<&PathBuf>,
    output: &mut impl Write,
) -> Result<(), CliError> {
    let folder = folder_of(folder)?;
    let path = table_path(&folder, variant);
    if !path.exists() {
        return Err(TableError::missing(variant, folder).into());
    }
    std::fs::remove_file(&path).map_err(|error| TableError::System { path: path.clone(), error })?;
    writeln!(output, "deleted {}", path.display())?;
    Ok(())
}

/// The value of a position from a table, for the side to move.
///
/// # Errors
/// When there is no table, or the text is no position that it covers.
pub(super) fn probe(
    variant: &Arc<Variant>,
    text: Option<&str>,
    folder: Option<&PathBuf>,
    output: &mut impl Write,
) -> Result<(), CliError> {
    let table = open(variant, folder)?;
    let position = find_position(variant, text)?;
    writeln!(output, "{}", answer(&table, &position))?;
    Ok(())
}

/// The values of positions, one a line in and one a line out. What is wrong with a line is its answer.
///
/// # Errors
/// When there is no table, or a line can't be read or written.
pub(super) fn probe_batch(
    variant: &Arc<Variant>,
    input: impl BufRead,
    folder: Option<&PathBuf>,
    output: &mut impl Write,
) -> Result<(), CliError> {
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
