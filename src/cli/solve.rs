//! `privy solve`: tables of perfect play, computed and kept.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use privy_base::message::{counted, shown};
use privy_base::threads::cores;
use privy_program::{CliError, SolvableVariants, TablesArgument, interrupt_stop, progress_bar, within};
use privy_rules::Variant;
use privy_tables::{
    Effort, Progress, SolveOptions, Solved, Table, TableError, begun_files, effort_of, find_table, solve, table_path,
};

use super::common::{free_bytes, print_json};
use super::effort::{bound, in_words, left, seconds};
use super::tables::{TableFigures, opening_or_limit};

/// A solve that takes this many seconds on two cores begins with its estimate.
const LONG: f64 = 6.0;

/// Solve variants and keep their tables of perfect play
///
/// Solves every position of a variant exactly, with the number of plies to the end, and writes a table file. The engine
/// finds it and plays perfectly from then on. What is solved already is left alone. With more than 25 points it depends
/// on the number of Rebels whether there is memory for all positions; --rebels makes a table of few.
#[derive(Args)]
pub(super) struct SolveArguments {
    #[command(flatten)]
    variants: SolvableVariants,
    /// Threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = within(1_u64..=1024))]
    threads: Option<u64>,
    /// Memory for the positions, in MiB; by default what the system gives
    ///
    /// A solve that needs more is refused
    #[arg(long, value_name = "MIB", value_parser = within(1_u64..=1 << 30))]
    memory: Option<u64>,
    /// Solve only the positions with at most N Rebels
    #[arg(long, value_name = "N", value_parser = within(1_u32..=63))]
    rebels: Option<u32>,
    /// Solve again, even if there is a table
    #[arg(long)]
    force: bool,
    /// Print one JSON object for each table, as `privy tables list --json` does
    #[arg(long)]
    json: bool,
}

impl SolveArguments {
    /// Skips tables that cover what the arguments ask for; a damaged one is named and solved again.
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let variants = self.variants.find()?;
        let folder = tables.folder()?;
        let stop = interrupt_stop();
        let threads = self.threads.map(|threads| threads as usize);
        let options = SolveOptions { threads, memory: self.memory, rebels: self.rebels };
        let mut refused = Vec::new();
        for variant in &variants {
            let path = table_path(&folder, variant);
            if !self.is_needed(variant, &folder, output)? {
                continue;
            }
            let is_long = |effort: &Effort| seconds(effort, 2) >= LONG;
            let begins = |effort: &Effort| is_long(effort) && effort.fits(self.memory);
            let mut estimate = None;
            if let Some(effort) = effort_of(variant, &options).ok().filter(begins) {
                check_room(&path, effort.disk)?;
                let cores = threads.unwrap_or(usize::MAX).min(cores());
                let (seconds, bound) = (seconds(&effort, cores), bound(variant, &options));
                let words = in_words(&effort, seconds, &format!("on {}{bound}", counted(cores, "core")));
                self.say(&format!("{}: {words}", variant.id()), output)?;
                estimate = Some((seconds, bound));
            }
            let bar = progress_bar(ProgressBar::new_spinner(), "{spinner} {prefix}: {msg} [{elapsed}]", variant);
            let mut resumed_from = None;
            let mut report = |progress: &Progress| {
                resumed_from = progress.resumed_from;
                let left = estimate.map(|(seconds, bound)| left(seconds, bound, progress)).unwrap_or_default();
                let message = progress_message(progress) + &left;
                log::debug!("{}: {message}", variant.id());
                bar.set_message(message);
                bar.tick();
            };
            let solved = solve(variant, &path, &options, &mut report, &stop);
            bar.finish_and_clear();
            match solved {
                Ok(solved) => {
                    let table = Table::open(&path, variant)?;
                    if self.json {
                        print_json(&TableFigures::of(&table, Some(solved.time))?, output)?;
                        continue;
                    }
                    write_solved(variant.id(), &solved, resumed_from, &table, output)?;
                }
                // The others can be.
                Err(error @ TableError::Unsolvable(..)) if variants.len() > 1 => {
                    log::error!("{error}");
                    refused.push(variant.id());
                }
                Err(TableError::Interrupted) => {
                    return Err(interrupted(&path));
                }
                Err(error) => return Err(error.into()),
            }
        }
        if refused.is_empty() { Ok(()) } else { Err(CliError::Failed(format!("not solved: {}", refused.join(", ")))) }
    }

    /// Says something beside the figures.
    fn say(&self, text: &str, output: &mut impl Write) -> Result<(), CliError> {
        if self.json {
            log::info!("{text}");
            return Ok(());
        }
        writeln!(output, "{text}")?;
        Ok(output.flush()?)
    }

    fn is_needed(&self, variant: &Arc<Variant>, folder: &Path, output: &mut impl Write) -> Result<bool, CliError> {
        let Some(path) = find_table(folder, variant).ok().filter(|_| !self.force) else { return Ok(true) };
        let id = variant.id();
        match Table::open(&path, variant).and_then(|table| table.check().map(|()| table)) {
            Ok(table) if table.covers(self.rebels)? && self.json => {
                print_json(&TableFigures::of(&table, None)?, output)?;
                return Ok(false);
            }
            Ok(table) if table.covers(self.rebels)? => {
                let path = privy_base::message::shown(&path);
                writeln!(output, "{id}: solved already, {}, {path}", opening_or_limit(&table)?)?;
                return Ok(false);
            }
            Ok(_) => {}
            Err(error) => self.say(&format!("{id}: {error}; solving again"), output)?,
        }
        Ok(true)
    }
}

/// Refuses a solve whose files have no room on the disk, but for those that an earlier run has kept.
fn check_room(path: &Path, needed: u64) -> Result<(), CliError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let begun = begun_files(folder).unwrap_or_default();
    let own = begun.iter().filter(|file| name(file).starts_with(&name(path)));
    let kept = own.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum::<u64>();
    let needed = needed.saturating_sub(kept);
    match free_bytes(folder).filter(|free| *free < needed) {
        None => Ok(()),
        Some(free) => {
            let [needed, free] = [needed, free].map(|bytes| bytes >> 20);
            let fault = format!("expected {needed} MiB of free disk space for the table, found {free} MiB");
            Err(CliError::Save(format!("{}: {fault}", shown(path))))
        }
    }
}

/// The end of an interrupted solve, which has kept what it has solved, or had no time for that.
fn interrupted(path: &Path) -> CliError {
    let begun = path.parent().map(begun_files).and_then(Result::ok).unwrap_or_default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_own = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().starts_with(&*name);
    CliError::Interrupted(match begun.iter().any(is_own) {
        true => "the same command resumes".to_owned(),
        false => "no progress saved: the same command starts anew".to_owned(),
    })
}

fn progress_message(progress: &Progress) -> String {
    let Progress { rebels, ply, decided, memory, time, resumed_from, .. } = *progress;
    let millions = decided as f64 / 1e6;
    let rate = rate(decided, time, resumed_from);
    let mib = memory.div_ceil(1 << 20);
    format!("{rebels} Rebels, ply {ply}, {millions:.0} million decided{rate}, {mib} MiB")
}

/// Positions a second; unknown for a resumed solve, which has decided some of them in an earlier run.
fn rate(positions: u64, time: Duration, resumed_from: Option<u32>) -> String {
    match resumed_from {
        None => format!(", {:.0} million a second", positions as f64 / time.as_secs_f64().max(1e-3) / 1e6),
        Some(_) => String::new(),
    }
}

fn write_solved(
    id: &str,
    solved: &Solved,
    resumed_from: Option<u32>,
    table: &Table,
    output: &mut impl Write,
) -> Result<(), CliError> {
    if solved.removed_unfinished {
        writeln!(output, "{id}: removed what an interrupted run had left unfinished")?;
    }
    if let Some(reached) = resumed_from {
        writeln!(output, "{id}: resumed from {reached} Rebels, where an interrupted run had stopped")?;
    }
    let positions: u64 = table.layers().iter().map(|layer| layer.general.all() + layer.rebel.all()).sum();
    writeln!(
        output,
        "{id}: {positions} positions in {:.1} s ({:.1} s with the file){}, {:.1} MB, {}",
        solved.solving.as_secs_f64(),
        solved.time.as_secs_f64(),
        rate(positions, solved.solving, resumed_from),
        solved.bytes as f64 / 1e6,
        opening_or_limit(table)?
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_table_without_room_is_refused_before_it_is_solved() {
        let path = std::env::temp_dir().join("no/such/folder/game.privy");
        assert!(check_room(&path, 1).is_ok());
        let refused = check_room(&path, u64::MAX).unwrap_err().to_string();
        assert!(refused.contains("game.privy: expected 17592186044415 MiB of free disk space"), "{refused}");
    }
}
