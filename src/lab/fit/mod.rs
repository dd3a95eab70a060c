//! Weights of the evaluation, fitted to games of the engine against itself, and kept if they help.
//!
//! From the ground up: `descent` (gradient descent, and logistic regression on one number), `games` (positions with
//! labels), `network` and `linear` (what the evaluation is made of), `weights` (the fit, and the match against the
//! weights before).

mod descent;
mod games;
mod linear;
mod network;
pub(super) mod search;
#[cfg(test)]
mod tests;
mod weights;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use indicatif::ProgressBar;
use privy_program::{CliError, MOST_NODES, VariantWord, find_variant, progress_bar, within};

use privy_base::atomic_file::AtomicFile;
use privy_base::threads::cores;
use privy_search::eval::{SCALE, Weights};
use privy_tables::Tables;

use super::Lab;
pub(crate) use descent::{fit_line, loss, probability};
pub(crate) use games::{FitProgress, FitRequest};
pub(crate) use weights::{Fitted, WeightsTrial, fit_weights};

/// Fit the weights of the evaluation to games of the engine against itself
///
/// Plays games in which both sides err, each at its own rate, labels their positions with the value under perfect play
/// where the variant has a table, else with the result of the game, and writes the weights that tell these results
/// best. Ctrl-C ends the work and leaves no file. The same command line gives the same weights.
#[derive(Args)]
pub(super) struct WeightsArguments {
    /// Id or file of the variant
    #[arg(value_parser = VariantWord, hide_possible_values = true)]
    variant: OsString,
    /// Games to play; one in ten is held out to measure the result
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = within(10_u32..=10_000_000))]
    games: u32,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = within(1_u64..=MOST_NODES))]
    nodes: u64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(0_u64..=u64::MAX))]
    seed: u64,
    /// The most positions to take, evenly from all games
    #[arg(long, value_name = "N", default_value_t = 600_000, value_parser = within(1_usize..=1_000_000_000))]
    positions: usize,
    /// Threads that play games; all cores without it
    #[arg(long, value_name = "N", value_parser = within(1_usize..=1024))]
    threads: Option<usize>,
    /// Pairs of games, sides swapped, in which the new weights, or else the mean of both, must beat those of before; a
    /// sequential test may end them sooner
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = within(1_u32..=1_000_000))]
    trial: u32,
    /// The file to write; without it VARIANT.weights.toml, beside the file of the variant if it has one
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Positions that the engine looks at for a move of a trial.
const TRIAL_NODES: u64 = 2_000;

impl WeightsArguments {
    /// Plays games of a variant, fits weights to them, reports how well they predict results, tries them, and writes
    /// them to a file if they win. Otherwise an older file stays.
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        /// Bytes for a file of weights: more than the largest has.
        const ROOM: usize = 1 << 20;
        let variant = find_variant(&self.variant)?;
        let in_this_folder = || PathBuf::from(format!("{}.weights.toml", variant.id()));
        let path = self.output.clone().or_else(|| Weights::path_beside(&variant)).unwrap_or_else(in_this_folder);
        // Hours of work should not end with a file that can't be written.
        let failed = |error: io::Error| CliError::Failed(format!("cannot write {}: {error}", path.display()));
        let mut file = AtomicFile::create(&path).map_err(failed)?;
        file.reserve(ROOM).map_err(failed)?;
        let request = FitRequest {
            table: Tables::new(lab.tables.choice()).find_any(&variant)?,
            variant,
            games: self.games,
            nodes: self.nodes,
            seed: self.seed,
            positions: self.positions,
            threads: self.threads.unwrap_or_else(cores),
        };
        let bar = bar(u64::from(request.games), "games", &request);
        let show = |progress| show(&bar, progress);
        let fitted = fit_weights(&request, &show, lab.stop);
        bar.finish_and_clear();
        let fitted = fitted?;
        report(&request, &fitted, lab.output)?;
        let (weights, tried) = self.better(&request, &fitted.weights, lab)?.ok_or_else(|| {
            CliError::Failed(format!("{}: not written, the weights do not play better", path.display()))
        })?;
        let text = format!("{}{tried}{}", origin(&request, &fitted), weights.to_toml(&request.variant));
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.commit()) {
            // The result of hours is printed instead.
            write!(lab.output, "{text}")?;
            return Err(failed(error));
        }
        Ok(writeln!(lab.output, "{}", privy_base::message::shown(&path))?)
    }

    /// The new weights or else the weights halfway to them, if they beat the weights that the engine has; with a
    /// comment for the file.
    fn better(
        &self,
        request: &FitRequest,
        new: &Weights,
        lab: &mut Lab<'_>,
    ) -> Result<Option<(Weights, String)>, CliError> {
        let old = Weights::of(&request.variant);
        let candidates = [
            ("", "Against these", Some(new.clone())),
            (
                "halfway to them, ",
                "The weights here are halfway from those before to those. Against those before",
                old.halfway(new),
            ),
        ];
        for (which, comment, weights) in candidates {
            let Some(weights) = weights else { continue };
            let trial = WeightsTrial {
                variant: Arc::clone(&request.variant),
                new: weights.clone(),
                old: old.clone(),
                nodes: TRIAL_NODES,
                most_pairs: u64::from(self.trial),
                seed: request.seed,
            };
            let bar = bar(u64::from(self.trial), "pairs", request);
            bar.set_message("trying");
            let played = trial.play(&|pairs| bar.set_position(pairs), lab.stop);
            bar.finish_and_clear();
            let played = played?;
            writeln!(lab.output, "{which}against the weights before: {played}")?;
            if played.is_won() {
                return Ok(Some((weights, format!("# {comment}, {TRIAL_NODES} nodes a move: {played}.\n"))));
            }
        }
        Ok(None)
    }
}

fn labels(request: &FitRequest) -> &'static str {
    if request.table.is_some() { "labelled by perfect play" } else { "labelled by searches and their results" }
}

/// How well the weights predict results.
fn report(request: &FitRequest, fitted: &Fitted, output: &mut dyn Write) -> io::Result<()> {
    let Fitted { positions, held_out, results: [won, drawn, lost], before, after, .. } = fitted;
    let (id, games, labels) = (request.variant.id(), request.games, labels(request));
    writeln!(output, "{id}: {positions} positions of {games} games, {labels}; {held_out} held out")?;
    writeln!(output, "won by the General {won}, drawn {drawn}, lost {lost}")?;
    writeln!(output, "before: loss {:.4}, winner predicted {:.2} %", before.loss, before.right * 100.0)?;
    writeln!(output, "after: loss {:.4}, winner predicted {:.2} %", after.loss, after.right * 100.0)?;
    output.flush()
}

/// The origin of the weights, as comments of the file.
fn origin(request: &FitRequest, fitted: &Fitted) -> String {
    let FitRequest { games, nodes, seed, positions, .. } = request;
    let (id, before, after) = (request.variant.id(), fitted.before, fitted.after);
    format!(
        "# Evaluation of {id}, seen from the General. Unit: {SCALE} to a unit of the logarithm of the odds.\n\
         # Origin: privy-lab fit weights {id} --games {games} --nodes {nodes} --seed {seed} --positions {positions}\n\
         # {} positions, {}. On the {} of them from games held out\n\
         # the weights before have a loss of {:.4} and predict the winner in {:.2} %, these {:.4} and {:.2} %.\n",
        fitted.positions,
        labels(request),
        fitted.held_out,
        before.loss,
        before.right * 100.0,
        after.loss,
        after.right * 100.0,
    )
}

fn bar(length: u64, unit: &str, request: &FitRequest) -> ProgressBar {
    let template = format!("{{prefix}}: {{wide_bar}} {{pos}}/{{len}} {unit}, {{msg}} [{{elapsed}}, {{eta}} left]");
    progress_bar(ProgressBar::new(length), &template, &request.variant).with_message("playing")
}

fn show(bar: &ProgressBar, progress: FitProgress) {
    match progress {
        FitProgress::Game { done } => bar.set_position(u64::from(done)),
        FitProgress::Round { side, done, loss } => {
            bar.set_message(format!("{side} to move, round {done}, loss {loss:.4}"));
        }
    }
}
