//! `privy tables`: looking after table files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Subcommand;
use indicatif::ProgressBar;

use crate::message::sanitized;
use crate::rules::Variant;
use crate::tablebase::{
    Mismatch, Table, TableError, TableFileInfo, begun_files, delete_table, find_table, table_files, verify,
    verify_sample,
};

use super::common::{SolvableVariants, TablesArgument, find_variant, interrupt_flag, progress_bar};
use super::error::CliError;

#[derive(Subcommand)]
pub(super) enum TablesCommand {
    /// A line per table: variant, fingerprint, most plies, bytes, most Rebels, path; then one per file that an interrupted solve has kept
    List,
    /// Won, drawn and lost positions by number of Rebels
    Stat {
        /// Id or file of the variant
        variant: String,
    },
    /// Check every position of tables against its successors, and the counts against the known ones
    Verify {
        #[command(flatten)]
        variants: SolvableVariants,
        /// Only so many positions, drawn at random
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        sample: Option<u64>,
        /// The number from which they are drawn
        #[arg(long, default_value_t = 1, requires = "sample")]
        seed: u64,
    },
    /// Delete the table of a variant, and what an interrupted solve has kept
    Delete {
        /// Id or file of the variant
        variant: String,
    },
}

impl TablesCommand {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let folder = tables.folder()?;
        match self {
            TablesCommand::List => list(folder, output),
            TablesCommand::Stat { variant } => describe(&open_table(&find_variant(variant)?, folder)?, output),
            TablesCommand::Verify { variants, sample, seed } => {
                verify_tables(variants, &folder, sample.map(|positions| (positions, *seed)), output)
            }
            TablesCommand::Delete { variant } => {
                let deleted = delete_table(&folder, &*find_variant(variant)?)?;
                deleted.iter().try_for_each(|path| Ok(writeln!(output, "deleted {}", path.display())?))
            }
        }
    }
}

/// The table of a variant in a folder.
///
/// # Errors
/// When there is none, or it is damaged.
pub(super) fn open_table(variant: &std::sync::Arc<Variant>, folder: PathBuf) -> Result<Table, TableError> {
    Table::open(&find_table(&folder, variant)?, variant)
}

/// Lists files; one that can't be used with what is wrong with it.
fn list(folder: PathBuf, output: &mut impl Write) -> Result<(), CliError> {
    for path in table_files(&folder)? {
        match TableFileInfo::read(&path) {
            Ok(TableFileInfo { variant, fingerprint, max_plies, bytes, most_rebels, .. }) => {
                let (path, variant, fingerprint) =
                    (path.display(), sanitized(&variant, 80), sanitized(&fingerprint, 80));
                writeln!(output, "{variant} {fingerprint} {max_plies} {bytes} {most_rebels} {path}")?;
            }
            Err(error) => writeln!(output, "unusable: {}", sanitized(&error.to_string(), 1000))?,
        }
    }
    for path in begun_files(&folder)? {
        // A solve may have removed it meanwhile.
        if let Ok(found) = fs::metadata(&path) {
            writeln!(output, "begun: {}, {} bytes", path.display(), found.len())?;
        }
    }
    Ok(())
}

fn describe(table: &Table, output: &mut impl Write) -> Result<(), CliError> {
    let variant = table.variant();
    writeln!(output, "{} {} {}", variant.id(), variant.fingerprint(), table.path().display())?;
    let (plies, bytes) = (table.max_plies(), table.bytes());
    writeln!(output, "{}, longest {plies} plies, {bytes} bytes", opening_or_limit(table)?)?;
    // Where nobody can force an end.
    let endless = variant.rules().winner_by_repetition().map_or("drawn", |_| "repetition");
    writeln!(output, "{:>6} {:>8} {:>12} {endless:>12} {:>12}", "rebels", "to move", "won", "lost")?;
    for layer in table.layers() {
        for (side, counts) in [("general", layer.general), ("rebels", layer.rebel)] {
            let (rebels, won, drawn, lost) = (layer.rebels, counts.won, counts.drawn, counts.lost);
            writeln!(output, "{rebels:>6} {side:>8} {won:>12} {drawn:>12} {lost:>12}")?;
        }
    }
    Ok(())
}

/// The value of the opening, or what is covered instead of it.
pub(super) fn opening_or_limit(table: &Table) -> Result<String, TableError> {
    match table.limit() {
        Some(most) => Ok(format!("up to {most} Rebels")),
        None => Ok(format!("opening {}", table.probe(&table.variant().start())?)),
    }
}

/// Says of each table what was found, in so many positions drawn by a seed or in every one. All are looked at, whatever is wrong with the
/// first ones.
fn verify_tables(
    variants: &SolvableVariants,
    folder: &Path,
    sample: Option<(u64, u64)>,
    output: &mut impl Write,
) -> Result<(), CliError> {
    let stop = interrupt_flag();
    let mut unsound = Vec::new();
    for variant in variants.find()? {
        let (id, start) = (variant.id().to_owned(), Instant::now());
        let bar = progress_bar(ProgressBar::new(0), "{prefix} {wide_bar} {percent}% [{elapsed}]", &variant);
        let mut progress = |done: u64, all: u64| {
            bar.set_length(all);
            bar.set_position(done);
        };
        let found = open_table(&variant, folder.to_owned()).and_then(|table| match sample {
            None => Findings::of_all(&table, &mut progress, &stop),
            Some((positions, seed)) => Findings::of_sample(&table, positions, seed, &mut progress, &stop),
        });
        bar.finish_and_clear();
        match found {
            Err(TableError::Interrupted) => return Err(TableError::Interrupted.into()),
            Err(error) => {
                writeln!(output, "{id}: {}", sanitized(&error.to_string(), 1000))?;
                unsound.push(id);
            }
            Ok(found) => {
                writeln!(output, "{id}: {}, {:.1} s", found.summary, start.elapsed().as_secs_f64())?;
                for Mismatch { position, stored, right } in &found.examples {
                    writeln!(output, "  {position}: {stored} in the table, right is {right}")?;
                }
                if !found.is_sound {
                    unsound.push(id);
                }
            }
        }
    }
    if unsound.is_empty() { Ok(()) } else { Err(CliError::Unsound(unsound.join(" "))) }
}

/// What a verification says.
struct Findings {
    summary: String,
    examples: Vec<Mismatch>,
    is_sound: bool,
}

type Progress<'a> = &'a mut (dyn FnMut(u64, u64) + Send);

impl Findings {
    fn of_all(table: &Table, progress: Progress, stop: &AtomicBool) -> Result<Findings, TableError> {
        let verified = verify(table, progress, stop)?;
        let counts = match (verified.agrees_with_header, verified.agrees_with_known) {
            (false, _) => "counts differ from the header's",
            (true, Some(false)) => "counts differ from the known ones",
            (true, Some(true)) => "counts as known",
            (true, None) => "counts as in the header",
        };
        let (general, rebels, wrong, part) = (verified.general, verified.rebels, verified.mismatches, part(table));
        let positions = format!("{general} positions with the General to move, {rebels} with the Rebels");
        let is_sound = verified.is_sound();
        Ok(Findings {
            summary: format!("{positions}, {wrong} wrong, {counts}{part}"),
            examples: verified.examples,
            is_sound,
        })
    }

    fn of_sample(
        table: &Table,
        positions: u64,
        seed: u64,
        progress: Progress,
        stop: &AtomicBool,
    ) -> Result<Findings, TableError> {
        let sampled = verify_sample(table, positions, seed, progress, stop)?;
        let (positions, wrong, part) = (sampled.positions, sampled.mismatches, part(table));
        let summary = format!("{positions} positions with the Rebels to move at random, {wrong} wrong{part}");
        Ok(Findings { summary, examples: sampled.examples, is_sound: wrong == 0 })
    }
}

/// What a table covers, if not all.
fn part(table: &Table) -> String {
    table.limit().map(|most| format!(" up to {most} Rebels")).unwrap_or_default()
}
