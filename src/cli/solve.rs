//! `privy solve`: tables of perfect play, computed and kept.

use std::io::Write;

use clap::Args;
use indicatif::ProgressBar;

use crate::tablebase::{SolveOptions, Table, solve, table_path};

use super::common::{SolvableVariants, TablesArgument, interrupt_flag, progress_bar};
use super::error::CliError;
use super::tables::opening_or_limit;

/// Solve variants and keep their tables of perfect play
///
/// Solves every position of a variant exactly, with the number of plies to the end, and writes a table file. The engine finds it
/// and plays perfectly from then on. What is solved already is left alone. With more than 25 points it depends on the number of
/// Rebels whether there is memory for all positions; --rebels makes a table of few.
#[derive(Args)]
pub(super) struct SolveArguments {
    #[command(flatten)]
    variants: SolvableVariants,
    /// Threads; all cores without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// Memory that the positions may take, in MiB
    ///
    /// A part is taken whatever happens: a solve that needs more than the limit for it is refused. The rest is taken as plies
    /// decide positions: a solve that comes to the limit ends there, and the same command with a higher one goes on.
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// Solve only the positions with at most so many Rebels
    #[arg(long, value_name = "N")]
    rebels: Option<u32>,
    /// Solve again what is solved already
    #[arg(long)]
    force: bool,
}

impl SolveArguments {
    /// Solves one variant after another. What is solved already, for as many Rebels at least, is left alone; what lies there
    /// damaged is named and solved again.
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let variants = self.variants.find()?;
        let folder = tables.folder()?;
        let threads = self.threads.map(|threads| threads as usize);
        let options = SolveOptions { threads, memory: self.memory, rebels: self.rebels };
        let stop = interrupt_flag();
        for variant in &variants {
            let (id, path) = (variant.id(), table_path(&folder, variant));
            if path.exists() && !self.force {
                match Table::open(&path, variant).and_then(|table| table.check().map(|()| table)) {
                    Ok(table) if table.covers(self.rebels)? => {
                        writeln!(output, "{id}: solved already, {}", path.display())?;
                        continue;
                    }
                    Ok(_) => {}
                    Err(error) => writeln!(output, "{id}: {error}; solving again")?,
                }
            }
            let bar = progress_bar(ProgressBar::new_spinner(), "{spinner} {prefix}: {msg} [{elapsed}]", variant);
            let mut resumed_from = None;
            let solved = solve(
                variant,
                &path,
                &options,
                &mut |progress| {
                    resumed_from = progress.resumed_from;
                    let millions = progress.decided as f64 / 1e6;
                    let rate = millions / progress.time.as_secs_f64().max(1e-3);
                    let rebels = progress.rebels.map(|rebels| format!("{rebels} Rebels, ")).unwrap_or_default();
                    let (ply, mib) = (progress.ply, progress.memory.div_ceil(1 << 20));
                    bar.set_message(format!(
                        "{rebels}ply {ply}, {millions:.0} million decided, {rate:.0} million a second, {mib} MiB"
                    ));
                    bar.tick();
                },
                &stop,
            );
            bar.finish_and_clear();
            let solved = solved?;
            if solved.removed_unfinished {
                writeln!(output, "{id}: removed what an interrupted run had left unfinished")?;
            }
            if let Some(reached) = resumed_from {
                writeln!(output, "{id}: went on from {reached}, where an interrupted run had stopped")?;
            }
            let positions: u64 = solved.layers.iter().map(|layer| layer.general.all() + layer.rebel.all()).sum();
            writeln!(
                output,
                "{id}: {positions} positions in {:.1} s ({:.1} s with the file), {:.0} million a second, {:.1} MB, {}",
                solved.solving.as_secs_f64(),
                solved.time.as_secs_f64(),
                positions as f64 / solved.solving.as_secs_f64() / 1e6,
                solved.bytes as f64 / 1e6,
                opening_or_limit(&Table::open(&path, variant)?)?
            )?;
        }
        Ok(())
    }
}
