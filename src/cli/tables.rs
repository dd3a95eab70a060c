//! `privy tables`, looking after table files, and `privy probe`, the value of positions from a table.
use privy_protocol::Stop;

use std::fs;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use privy_base::bounded_read::TextLines;
use privy_base::message::{sanitized, shown};
use privy_rules::{Game, Side, Variant};
use privy_tables::{
    Mismatch, Sampled, Table, TableError, TableFileInfo, TableValue, Verified, begun_files, delete_table, find_table,
    table_files, verify, verify_sample,
};

use super::common::{
    PositionArguments, SolvableVariants, TablesArgument, VariantWord, find_position, find_variant, interrupt_stop,
    open_input, progress_bar, within,
};
use super::error::CliError;

/// Characters of an error about a table or a position.
const LONGEST_ERROR: usize = 1000;

#[derive(Subcommand)]
pub(super) enum TablesCommand {
    /// A line per table: variant, fingerprint, most plies, bytes, most Rebels, path; then one per file that an interrupted solve has kept
    List,
    /// Won, drawn and lost positions by number of Rebels
    Stat {
        /// Id or file of the variant
        #[arg(value_parser = VariantWord, hide_possible_values = true)]
        variant: String,
    },
    /// Check every position of tables against its successors, and the counts against the known ones
    Verify {
        #[command(flatten)]
        variants: SolvableVariants,
        /// Check N positions drawn at random instead of all
        #[arg(long, value_name = "N", value_parser = within(1_u64..=1_000_000_000_000))]
        sample: Option<u64>,
        /// The number from which they are drawn
        #[arg(long, default_value_t = 1, requires = "sample", value_parser = within(0..=u64::MAX))]
        seed: u64,
    },
    /// Delete the table of a variant, and what an interrupted solve has kept
    Delete {
        /// Id or file of the variant
        #[arg(value_parser = VariantWord, hide_possible_values = true)]
        variant: String,
    },
}

impl TablesCommand {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let folder = tables.folder()?;
        match self {
            TablesCommand::List => list(&folder, output),
            TablesCommand::Stat { variant } => describe(&open_table(&find_variant(variant)?, &folder)?, output),
            TablesCommand::Verify { variants, sample, seed } => {
                verify_tables(variants, &folder, sample.map(|positions| (positions, *seed)), output)
            }
            TablesCommand::Delete { variant } => {
                let deleted = delete_table(&folder, &*find_variant(variant)?)?;
                deleted.iter().try_for_each(|path| Ok(writeln!(output, "deleted {}", shown(path))?))
            }
        }
    }
}

fn open_table(variant: &Arc<Variant>, folder: &Path) -> Result<Table, TableError> {
    Table::open(&find_table(folder, variant)?, variant)
}

/// Lists table files; an unusable one with the reason.
fn list(folder: &Path, output: &mut impl Write) -> Result<(), CliError> {
    for path in table_files(folder)? {
        match TableFileInfo::read(&path) {
            Ok(TableFileInfo { variant, fingerprint, max_plies, bytes, most_rebels, .. }) => {
                let (path, variant, fingerprint) = (shown(&path), sanitized(&variant, 80), sanitized(&fingerprint, 80));
                writeln!(output, "{variant} {fingerprint} {max_plies} {bytes} {most_rebels} {path}")?;
            }
            Err(error) => writeln!(output, "unusable: {}", sanitized(&error.to_string(), LONGEST_ERROR))?,
        }
    }
    for path in begun_files(folder)? {
        // A solve may have removed it meanwhile.
        if let Ok(found) = fs::metadata(&path) {
            writeln!(output, "begun: {}, {} bytes", shown(&path), found.len())?;
        }
    }
    Ok(())
}

fn describe(table: &Table, output: &mut impl Write) -> Result<(), CliError> {
    let variant = table.variant();
    writeln!(output, "{} {} {}", variant.id(), variant.fingerprint(), shown(table.path()))?;
    let (plies, bytes) = (table.max_plies(), table.bytes());
    writeln!(output, "{}, longest {plies} plies with the Rebels to move, {bytes} bytes", opening_or_limit(table)?)?;
    // The heading of positions in which neither side can force an end.
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

/// The value of the opening, or the limit of a table that does not hold it.
pub(super) fn opening_or_limit(table: &Table) -> Result<String, TableError> {
    match table.limit() {
        Some(most) => Ok(format!("up to {most} Rebels")),
        None => {
            let (variant, start) = (table.variant(), table.variant().start());
            let value = table.probe(&start)?;
            let whose = variant.names().told(match start.side() {
                Side::General => "for the General",
                Side::Rebels => "for the Rebels",
            });
            Ok(if value == TableValue::Draw { format!("opening {value}") } else { format!("opening {value} {whose}") })
        }
    }
}

/// Verifies every table, after faults too. `sample` is a number of positions and a seed; without it all positions are verified.
fn verify_tables(
    variants: &SolvableVariants,
    folder: &Path,
    sample: Option<(u64, u64)>,
    output: &mut impl Write,
) -> Result<(), CliError> {
    let stop = interrupt_stop();
    let mut unsound = Vec::new();
    for variant in variants.find()? {
        let (id, start) = (variant.id().to_owned(), Instant::now());
        let bar = progress_bar(ProgressBar::new(0), "{prefix} {wide_bar} {percent}% [{elapsed}]", &variant);
        let mut progress = |done: u64, all: u64| {
            bar.set_length(all);
            bar.set_position(done);
        };
        let verified =
            open_table(&variant, folder).and_then(|table| verify_table(&table, sample, &mut progress, &stop));
        bar.finish_and_clear();
        let is_sound = match verified {
            Err(TableError::Interrupted) => {
                let nothing = format!("nothing is kept of the verification of {id}: the same command begins it anew");
                return Err(CliError::Interrupted(nothing));
            }
            Err(error) => {
                writeln!(output, "{id}: {}", sanitized(&error.to_string(), LONGEST_ERROR))?;
                false
            }
            Ok((summary, examples, is_sound)) => {
                writeln!(output, "{id}: {summary}, {:.1} s", start.elapsed().as_secs_f64())?;
                for Mismatch { position, stored, right } in &examples {
                    writeln!(output, "  {position}: {stored} in the table, right is {right}")?;
                }
                is_sound
            }
        };
        if !is_sound {
            unsound.push(id);
        }
    }
    if unsound.is_empty() { Ok(()) } else { Err(CliError::Unsound(unsound.join(" "))) }
}

/// A summary, some wrong positions, and whether the table is sound.
fn verify_table(
    table: &Table,
    sample: Option<(u64, u64)>,
    progress: &mut (dyn FnMut(u64, u64) + Send),
    stop: &Stop,
) -> Result<(String, Vec<Mismatch>, bool), TableError> {
    let part = table.limit().map(|most| format!(" up to {most} Rebels")).unwrap_or_default();
    if let Some((positions, seed)) = sample {
        let Sampled { positions, mismatches, examples } = verify_sample(table, positions, seed, progress, stop)?;
        let summary = format!("{positions} positions with the Rebels to move at random, {mismatches} wrong{part}");
        return Ok((summary, examples, mismatches == 0));
    }
    let verified = verify(table, progress, stop)?;
    let counts = match (verified.agrees_with_header, verified.agrees_with_known) {
        (false, _) => "counts differ from the header's",
        (true, Some(false)) => "counts differ from the known ones",
        (true, Some(true)) => "counts as known",
        (true, None) => "counts as in the header",
    };
    let (is_sound, Verified { general, rebels, mismatches, examples, .. }) = (verified.is_sound(), verified);
    let positions = format!("{general} positions with the General to move, {rebels} with the Rebels");
    Ok((format!("{positions}, {mismatches} wrong, {counts}{part}"), examples, is_sound))
}

/// Print the value of a position, or of many, from a table
///
/// The value is for the side to move: `win N`, `loss N` (plies to the end) or `draw`; in games in which a repetition wins, `win repetition`
/// and `loss repetition` where neither side can force another end.
#[derive(Args)]
pub(super) struct ProbeArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// A file with a position a line, - for standard input; answers are a line each
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    batch: Option<PathBuf>,
}

impl ProbeArguments {
    /// A faulty line of a batch is answered with its fault.
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        /// Bytes of a line.
        const LONGEST_LINE: u64 = 1 << 16;
        let variant = self.position.variant()?;
        let folder = tables.folder()?;
        let Some(path) = &self.batch else {
            let table = open_table(&variant, &folder)?;
            return Ok(writeln!(output, "{}", probe(&table, &self.position.game()?)?)?);
        };
        let input = open_input(path)?;
        let table = open_table(&variant, &folder)?;
        let mut lines = TextLines::new(BufReader::new(input), LONGEST_LINE);
        loop {
            let answer = match lines.next_line() {
                Ok(None) => return Ok(()),
                Ok(Some(line)) => {
                    let game = find_position(&variant, Some(line.trim()));
                    game.and_then(|game| probe(&table, &game)).map_err(|error| error.to_string())
                }
                Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(format!("illegal position: {error}")),
                Err(error) => return Err(CliError::cannot_load(path)(error)),
            };
            let answer = answer.unwrap_or_else(|error| format!("? {}", sanitized(&error, LONGEST_ERROR)));
            writeln!(output, "{answer}")?;
        }
    }
}

/// The value of a position in words.
fn probe(table: &Table, game: &Game) -> Result<String, CliError> {
    match game.outcome() {
        Some(outcome) => Ok(format!("game over: {outcome}")),
        None => match table.probe(game) {
            Ok(value) => Ok(value.to_string()),
            Err(error) => Err(CliError::Failed(format!("no table: {error}"))),
        },
    }
}
