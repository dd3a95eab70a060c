//! Variants: which there are, what their files say, whether a user's file is right.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::rules::Variant;

use super::error::{CliError, find_variant};

/// A line per built-in variant: id, fingerprint, title.
///
/// # Errors
/// When the result can't be written.
pub(super) fn list_variants(output: &mut impl Write) -> Result<(), CliError> {
    for variant in Variant::builtin_ids().filter_map(Variant::builtin) {
        writeln!(output, "{:24} {}  {}", variant.id(), variant.fingerprint(), variant.title())?;
    }
    Ok(())
}

/// The file of a variant.
///
/// # Errors
/// When there is no such variant, or the result can't be written.
pub(super) fn show_variant(word: &str, output: &mut impl Write) -> Result<(), CliError> {
    output.write_all(find_variant(word)?.source().as_bytes())?;
    Ok(())
}

/// Reads variant files and says what it found in each.
///
/// # Errors
/// When a file is wrong: with the one that is, if there is one only. Or when the result can't be written.
pub(super) fn check_variants(files: &[PathBuf], output: &mut impl Write) -> Result<(), CliError> {
    if let [file] = files {
        return check_variant(file, output);
    }
    let mut wrong = Vec::new();
    for file in files {
        match check_variant(file, output) {
            Err(CliError::Variant(error)) => {
                writeln!(output, "cannot load file: {error}")?;
                wrong.push(file.display().to_string());
            }
            other => other?,
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(CliError::Unsound(wrong.join(" "))) }
}

/// Reads a variant file and says what it found.
fn check_variant(path: &Path, output: &mut impl Write) -> Result<(), CliError> {
    let variant = std::sync::Arc::new(Variant::from_file(path)?);
    let board = variant.board();
    writeln!(output, "{}: {}", variant.id(), variant.title())?;
    writeln!(output, "fingerprint {}", variant.fingerprint())?;
    writeln!(output, "board {}: {} points, {} lines", board.id(), board.len(), board.lines().len())?;
    let opening = variant.start();
    writeln!(output, "opening {opening}")?;
    match opening.outcome() {
        Some(outcome) => writeln!(output, "the opening is over: {outcome}")?,
        None => writeln!(output, "{} to move, {} legal moves", opening.side(), opening.legal_moves().len())?,
    }
    Ok(())
}
