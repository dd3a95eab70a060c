//! Solving variants from the command line.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::rules::Variant;
use crate::tablebase::{SolveOptions, Table, TableError, default_folder, is_solvable, solve, table_path};

use super::error::CliError;
use super::tables::about;

/// What to solve and how.
#[derive(Debug, Clone, Default)]
pub(super) struct SolveRequest {
    /// Where tables are kept; the user's cache folder when none.
    pub(super) folder: Option<PathBuf>,
    /// Threads, memory, and up to how many Rebels.
    pub(super) options: SolveOptions,
    /// Solve again what is there already.
    pub(super) force: bool,
}

/// The folder of a request.
pub(super) fn folder_of(folder: Option<&PathBuf>) -> Result<PathBuf, TableError> {
    folder.map_or_else(default_folder, |folder| Ok(folder.clone()))
}

/// All built-in variants that can be solved.
#[must_use]
pub(super) fn solvable_variants() -> Vec<Arc<Variant>> {
    Variant::builtin_ids().filter_map(Variant::builtin).filter(|variant| is_solvable(variant)).collect()
}

/// Solves variants one after another and keeps their tables. What is solved already, for as many Rebels at least, is left alone; what
/// lies there damaged is named and solved again.
///
/// # Errors
/// With the first variant that can't be solved, or when `stop` was set.
pub(super) fn solve_variants(
    variants: &[Arc<Variant>],
    request: &SolveRequest,
    output: &mut impl std::io::Write,
    stop: &AtomicBool,
) -> Result<(), CliError> {
    let folder = folder_of(request.folder.as_ref())?;
    for variant in variants {
        let path = table_path(&folder, variant);
        if path.exists() && !request.force {
            match Table::open(&path, variant).and_then(|table| table.check().map(|()| table)) {
                Ok(table) if table.covers(request.options.rebels)? => {
                    writeln!(output, "{}: solved already, {}", variant.id(), path.display())?;
                    continue;
                }
                Ok(_) => {}
                Err(error) => writeln!(output, "{}: {error}; solving again", variant.id())?,
            }
        }
        if crate::tablebase::remove_unfinished(&path)? {
            writeln!(output, "{}: removed what an interrupted run had left unfinished", variant.id())?;
        }
        let bar = progress_bar(variant);
        let mut resumed_from = None;
        let result = solve(
            variant,
            &path,
            &request.options,
            &mut |progress| {
                resumed_from = progress.resumed_from;
                let seconds = progress.time.as_secs_f64().max(1e-3);
                let rate = progress.decided as f64 / seconds / 1e6;
                bar.set_message(format!(
                    "ply {}, {:.0} million decided, {rate:.0} million a second",
                    progress.ply,
                    progress.decided as f64 / 1e6
                ));
                bar.tick();
            },
            stop,
        );
        bar.finish_and_clear();
        let solved = result?;
        if let Some(ply) = resumed_from {
            writeln!(output, "{}: went on from ply {ply}, where an interrupted run had stopped", variant.id())?;
        }
        let positions: u64 = solved.layers.iter().map(|layer| layer.general.all() + layer.rebel.all()).sum();
        let about = about(&Table::open(&path, variant)?)?;
        let seconds = |time: Duration| time.as_secs_f64();
        writeln!(
            output,
            "{}: {positions} positions in {:.1} s ({:.1} s with the file), {:.0} million a second, {:.1} MB, {about}",
            variant.id(),
            seconds(solved.solving),
            seconds(solved.time),
            positions as f64 / seconds(solved.solving) / 1e6,
            solved.bytes as f64 / 1e6,
        )?;
    }
    Ok(())
}

/// Shown on standard error when that is a terminal.
fn progress_bar(variant: &Variant) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {msg} [{elapsed}]") {
        bar.set_style(style);
    }
    bar.set_prefix(variant.id().to_owned());
    bar
}
