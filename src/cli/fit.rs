//! Fitting the weights of the evaluation from the command line.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::atomic_file::AtomicFile;
use crate::eval::Weights;
use crate::rules::Variant;
use crate::tablebase::{Table, Tables};
use crate::tuning::{FitError, FitProgress, FitRequest, Fitted, SCALE, fit};

use super::common::{TablesArgument, find_variant};
use super::error::CliError;

/// What to fit and how.
#[derive(Debug, Clone, Args)]
pub(super) struct FitArguments {
    /// Id or file of the variant
    pub(super) variant: String,
    /// Games to play; one in ten is held out to measure the result
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(10..=10_000_000))]
    pub(super) games: u32,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
    /// The number from which all choices are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// At most so many positions, evenly from all games
    #[arg(long, value_name = "N", default_value_t = 600_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) positions: u32,
    /// Threads that play games; all cores without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(super) threads: Option<u64>,
    /// The file to write; without it VARIANT.weights.toml, beside the file of the variant if it has one
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

/// Plays games of a variant, fits weights to them, writes these to a file, and says how well they tell results.
///
/// # Errors
/// When the variant can't be played, the file can't be written, the table is damaged, or `stop` was set: then there is no
/// file, or the one that was there before.
pub(super) fn fit_weights(
    arguments: &FitArguments,
    tables: &TablesArgument,
    output: &mut impl Write,
    stop: &AtomicBool,
) -> Result<(), CliError> {
    let variant = find_variant(&arguments.variant)?;
    let in_this_folder = || PathBuf::from(format!("{}.weights.toml", variant.id()));
    let path = arguments.output.clone().or_else(|| Weights::path_beside(&variant)).unwrap_or_else(in_this_folder);
    // Before hours of work: can there be a file?
    let failed = |error: io::Error| CliError::Fit(format!("cannot write {}: {error}", path.display()));
    let mut file = AtomicFile::create(&path).map_err(failed)?;
    let request = arguments.request(variant, tables)?;
    let bar = progress_bar(&request);
    let fitted = fit(&request, &|progress| show(&bar, progress), stop);
    bar.finish_and_clear();
    let fitted = fitted.map_err(|error| match error {
        FitError::Interrupted => CliError::Interrupted("nothing has been written".to_owned()),
        FitError::Table(error) => error.into(),
        other => CliError::Fit(other.to_string()),
    })?;
    let variant = &request.variant;
    let text = format!("{}{}", origin(&request, &fitted), fitted.weights.to_toml(variant));
    file.write_all(text.as_bytes()).and_then(|()| file.commit()).map_err(failed)?;
    writeln!(
        output,
        "{}: {} positions of {} games, {}; {} held out",
        variant.id(),
        fitted.positions,
        request.games,
        labels(&request),
        fitted.held_out
    )?;
    let [won, drawn, lost] = fitted.results;
    writeln!(output, "won by the General {won}, drawn {drawn}, lost {lost}")?;
    let (before, after) = (fitted.before, fitted.after);
    writeln!(output, "before: loss {:.4}, winner told right {:.2} %", before.loss, before.right * 100.0)?;
    writeln!(output, "after: loss {:.4}, winner told right {:.2} %", after.loss, after.right * 100.0)?;
    Ok(writeln!(output, "{}", path.display())?)
}

impl FitArguments {
    fn request(&self, variant: Arc<Variant>, tables: &TablesArgument) -> Result<FitRequest, CliError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(FitRequest {
            table: table(&variant, tables)?,
            variant,
            games: self.games,
            nodes: self.nodes,
            seed: self.seed,
            positions: self.positions as usize,
            threads: self.threads.and_then(|threads| usize::try_from(threads).ok()).unwrap_or(cores),
        })
    }
}

/// The table of the variant, if there is one.
fn table(variant: &Arc<Variant>, tables: &TablesArgument) -> Result<Option<Arc<Table>>, CliError> {
    Ok(Tables::new(tables.choice()).find_any(variant)?)
}

fn labels(request: &FitRequest) -> &'static str {
    if request.table.is_some() { "labelled by perfect play" } else { "labelled by the results of their games" }
}

/// Where the weights come from, as comments of the file.
fn origin(request: &FitRequest, fitted: &Fitted) -> String {
    let FitRequest { games, nodes, seed, positions, .. } = request;
    let (id, before, after) = (request.variant.id(), fitted.before, fitted.after);
    format!(
        "# Evaluation of {id}, seen from the General. Unit: {SCALE} make one side e times as likely to win.\n\
         # Origin: privy fit {id} --games {games} --nodes {nodes} --seed {seed} --positions {positions}\n\
         # {} positions, {}. On the {} of them from games held out\n\
         # the weights before have a loss of {:.4} and tell the winner in {:.2} %, these {:.4} and {:.2} %.\n",
        fitted.positions,
        labels(request),
        fitted.held_out,
        before.loss,
        before.right * 100.0,
        after.loss,
        after.right * 100.0,
    )
}

/// Shown on standard error when that is a terminal.
fn progress_bar(request: &FitRequest) -> ProgressBar {
    let bar = ProgressBar::new(u64::from(request.games));
    if let Ok(style) =
        ProgressStyle::with_template("{prefix}: {wide_bar} {pos}/{len} games, {msg} [{elapsed}, {eta} left]")
    {
        bar.set_style(style);
    }
    bar.set_prefix(request.variant.id().to_owned());
    bar.set_message("playing");
    bar
}

fn show(bar: &ProgressBar, progress: FitProgress) {
    match progress {
        FitProgress::Game { done } => bar.set_position(u64::from(done)),
        FitProgress::Round { side, done, loss } => {
            bar.set_message(format!("{side} to move, round {done}, loss {loss:.4}"));
        }
    }
}
