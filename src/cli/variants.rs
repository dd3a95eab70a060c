//! `privy variants`: which there are, what their files say, whether a user's file is right.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;

use crate::foreign_text::{shown, shown_lines};
use crate::rules::Variant;

use super::common::find_variant;
use super::error::CliError;

#[derive(Subcommand)]
pub(super) enum VariantsCommand {
    /// A line per variant: id, fingerprint of its rules, title
    List,
    /// Print the file of a variant
    Show {
        /// Id or file of the variant
        variant: String,
    },
    /// Read variant files and say what is wrong with them
    Check {
        /// Variant files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

impl VariantsCommand {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        match self {
            VariantsCommand::List => {
                for variant in Variant::builtin_ids().filter_map(Variant::builtin) {
                    writeln!(output, "{:24} {}  {}", variant.id(), variant.fingerprint(), variant.title())?;
                }
                Ok(())
            }
            VariantsCommand::Show { variant } => Ok(output.write_all(find_variant(variant)?.source().as_bytes())?),
            VariantsCommand::Check { files } => check_files(files, output),
        }
    }
}

/// A file that is wrong is the error itself where it is the only one; else all are read and the wrong ones named.
fn check_files(files: &[PathBuf], output: &mut impl Write) -> Result<(), CliError> {
    if let [file] = files {
        return check_file(file, output);
    }
    let mut wrong = Vec::new();
    for file in files {
        match check_file(file, output) {
            Err(CliError::Variant(error)) => {
                writeln!(output, "cannot load file: {}", shown_lines(&error.to_string(), 4000))?;
                wrong.push(file.display().to_string());
            }
            other => other?,
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(CliError::Unsound(wrong.join(" "))) }
}

fn check_file(path: &Path, output: &mut impl Write) -> Result<(), CliError> {
    let variant = Arc::new(Variant::from_file(path)?);
    let (board, opening) = (variant.board(), variant.start());
    writeln!(output, "{}: {}", variant.id(), shown(variant.title(), 200))?;
    writeln!(output, "fingerprint {}", variant.fingerprint())?;
    writeln!(output, "board {}: {} points, {} lines", board.id(), board.len(), board.lines().len())?;
    writeln!(output, "opening {opening}")?;
    match opening.outcome() {
        Some(outcome) => writeln!(output, "the opening is over: {outcome}")?,
        None => writeln!(output, "{} to move, {} legal moves", opening.side(), opening.legal_moves().len())?,
    }
    Ok(())
}
