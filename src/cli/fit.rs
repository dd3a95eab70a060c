//! `fit`: weights of the evaluation, levels of skill and win rates, from games of the engine against itself.
use privy_protocol::Stop;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use crate::atomic_file::AtomicFile;
use crate::eval::{SCALE, Weights};
use crate::part::Part;
use crate::rules::Variant;
use crate::tablebase::Tables;
use crate::tuning::{
    FitError, FitProgress, FitRequest, Fitted, FittedLevels, PlayedGames, Rung, ScoredGames, TrialRequest, fit_weights,
    play_into,
};

use super::common::{TablesArgument, cores, find_variant, find_variants, interrupt_stop, progress_bar};
use super::error::CliError;

// What to fit; without a word the weights.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct FitArguments {
    #[command(subcommand)]
    what: Option<FitCommand>,
    #[command(flatten)]
    weights: Option<WeightsArguments>,
}

#[derive(Subcommand)]
enum FitCommand {
    /// Fit weights, as without this word
    Weights(WeightsArguments),
    /// Fit how far each level of skill looks and how often it errs; takes hours, and prints skill_levels.toml
    Levels {
        /// Ids or files of variants
        #[arg(value_name = "VARIANT", required = true)]
        variants: Vec<String>,
        /// Games of each pairing of players
        #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
        games: u32,
    },
    /// Measure each level of skill against the one below
    Ladder {
        /// Ids or files of variants
        #[arg(value_name = "VARIANT", required = true)]
        variants: Vec<String>,
        /// Pairs of games, sides swapped
        #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
        pairs: u64,
        /// The lowest level, against the one below; level 0 takes the most Rebels it can and else moves at random
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10))]
        from: u32,
        /// The highest level
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10))]
        to: u32,
    },
    /// Fit how scores become chances to win; prints win_rates.toml, of several variants also for all together
    WinRates {
        /// Ids or files of variants
        #[arg(value_name = "VARIANT", required = true)]
        variants: Vec<String>,
        /// Games of each variant
        #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
        games: u32,
        /// Positions that the engine looks at for a move
        #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
        nodes: u64,
    },
}

impl FitArguments {
    pub(super) fn run(self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let stop = &interrupt_stop();
        match self.what {
            None => self.weights.expect("clap demands a variant").run(tables, output, stop),
            Some(FitCommand::Weights(weights)) => weights.run(tables, output, stop),
            Some(FitCommand::Levels { variants, games }) => {
                for variant in find_variants(&variants)? {
                    let fitted = FittedLevels::fit(&variant, games, stop)?;
                    writeln!(output, "# {}\n{fitted}", variant.id())?;
                }
                Ok(())
            }
            Some(FitCommand::Ladder { variants, pairs, from, to }) => {
                for variant in find_variants(&variants)? {
                    for level in from..=to {
                        let rung = Rung::measure(&variant, level, pairs, &tables.choice().to_string(), stop)?;
                        writeln!(output, "{}: {rung}", variant.id())?;
                    }
                }
                Ok(())
            }
            Some(FitCommand::WinRates { variants, games, nodes }) => {
                let mut all = Vec::new();
                for variant in find_variants(&variants)? {
                    let scored = ScoredGames::play(&variant, 0, games, nodes, stop)?;
                    writeln!(output, "# {}\n{scored}", variant.id())?;
                    all.push(scored);
                }
                if all.len() > 1 {
                    writeln!(output, "# all\n{}", all.into_iter().sum::<ScoredGames>())?;
                }
                Ok(())
            }
        }
    }
}

// What to fit weights to, and how.
#[derive(Args)]
struct WeightsArguments {
    /// Id or file of the variant
    variant: String,
    /// Games to play; one in ten is held out to measure the result
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(10..=10_000_000))]
    games: u32,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The number from which all choices are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most positions to take, evenly from all games
    #[arg(long, value_name = "N", default_value_t = 600_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Threads that play games; all cores without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// Pairs of games, sides swapped, in which the new weights, or else the mean of both, must beat those of before; a sequential test may
    /// end them sooner
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    trial: u32,
    /// Keep the weights untried
    #[arg(long, conflicts_with = "trial")]
    untried: bool,
    /// Play the games and write them to a file, or go on with those in it, and fit nothing
    #[arg(long, conflicts_with_all = ["trial", "untried", "positions"])]
    games_only: bool,
    /// Play the I-th of N parts of the games; fit --from puts them together
    #[arg(long, value_name = "I/N", requires = "games_only")]
    part: Option<Part>,
    /// Fit weights to the games of these files, which are all parts
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["games_only", "games", "nodes", "seed"])]
    from: Vec<PathBuf>,
    /// The file to write; without it VARIANT.weights.toml, beside the file of the variant if it has one, or VARIANT.games.jsonl, or
    /// VARIANT.games-I-of-N.jsonl
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Positions that the engine looks at for a move of a trial.
const TRIAL_NODES: u64 = 2_000;

impl WeightsArguments {
    /// Plays games of a variant, fits weights to them, reports how well they predict results, tries them, and writes them to a file if
    /// they win. Otherwise an older file stays.
    fn run(&self, tables: &TablesArgument, output: &mut impl Write, stop: &Stop) -> Result<(), CliError> {
        /// Bytes for a file of weights: more than the largest has.
        const ROOM: usize = 1 << 20;
        let variant = find_variant(&self.variant)?;
        if self.games_only {
            return self.play_games(variant, tables, output, stop);
        }
        let in_this_folder = || PathBuf::from(format!("{}.weights.toml", variant.id()));
        let path = self.output.clone().or_else(|| Weights::path_beside(&variant)).unwrap_or_else(in_this_folder);
        // Hours of work should not end with a file that can't be written.
        let failed = |error: io::Error| CliError::Failed(format!("cannot write {}: {error}", path.display()));
        let mut file = AtomicFile::create(&path).map_err(failed)?;
        file.reserve(ROOM).map_err(failed)?;
        let mut request = self.request(variant, tables)?;
        let played = match self.from.as_slice() {
            [] => None,
            files => Some(PlayedGames::read(files, &request.variant)?),
        };
        if let Some(PlayedGames { games, nodes, seed, .. }) = played {
            (request.games, request.nodes, request.seed) = (games, nodes, seed);
        }
        let bar = bar(u64::from(request.games), "games", &request);
        let show = |progress| show(&bar, progress);
        let played = played.map_or_else(|| PlayedGames::play(&request, &show, stop), Ok);
        let fitted = played.and_then(|games| fit_weights(games, &request, &show, stop));
        bar.finish_and_clear();
        let fitted = fitted?;
        report(&request, &fitted, output)?;
        let (weights, tried) = match self.untried {
            true => (fitted.weights.clone(), String::new()),
            false => self.better(&request, &fitted.weights, output, stop)?.ok_or_else(|| {
                CliError::Failed(format!("{}: not written, the weights do not play better", path.display()))
            })?,
        };
        let text = format!("{}{tried}{}", origin(&request, &fitted), weights.to_toml(&request.variant));
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.commit()) {
            // The result of hours is printed instead.
            write!(output, "{text}")?;
            return Err(failed(error));
        }
        Ok(writeln!(output, "{}", path.display())?)
    }

    /// Plays the games, or a part of them, into a file.
    fn play_games(
        &self,
        variant: Arc<Variant>,
        tables: &TablesArgument,
        output: &mut impl Write,
        stop: &Stop,
    ) -> Result<(), CliError> {
        let part = self.part.unwrap_or(Part::WHOLE);
        let ending = match part {
            Part::WHOLE => String::new(),
            Part { number, of } => format!("-{number}-of-{of}"),
        };
        let in_this_folder = || PathBuf::from(format!("{}.games{ending}.jsonl", variant.id()));
        let path = self.output.clone().unwrap_or_else(in_this_folder);
        let request = self.request(variant, tables)?;
        let bar = bar(u64::from(request.games).div_ceil(part.of), "games", &request);
        let played = play_into(&path, &request, part, &|progress| show(&bar, progress), stop);
        bar.finish_and_clear();
        let path = path.display();
        let (games, positions) = played.map_err(|error| match error {
            FitError::Interrupted => {
                CliError::Interrupted(format!("what has been played is in {path}; the same command goes on from here"))
            }
            error => error.into(),
        })?;
        Ok(writeln!(output, "{path}: {games} games, {positions} positions")?)
    }

    /// The new weights or else the weights halfway to them, if they beat the weights that the engine has; with a comment for the file.
    fn better(
        &self,
        request: &FitRequest,
        new: &Weights,
        output: &mut impl Write,
        stop: &Stop,
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
            let trial = TrialRequest {
                variant: Arc::clone(&request.variant),
                new: weights.clone(),
                old: old.clone(),
                nodes: TRIAL_NODES,
                most_pairs: u64::from(self.trial),
                seed: request.seed,
            };
            let bar = bar(u64::from(self.trial), "pairs", request);
            bar.set_message("trying");
            let played = trial.play(&|pairs| bar.set_position(pairs), stop);
            bar.finish_and_clear();
            let played = played?;
            writeln!(output, "{which}against the weights before: {played}")?;
            if played.is_won() {
                return Ok(Some((weights, format!("# {comment}, {TRIAL_NODES} nodes a move: {played}.\n"))));
            }
        }
        Ok(None)
    }

    fn request(&self, variant: Arc<Variant>, tables: &TablesArgument) -> Result<FitRequest, CliError> {
        Ok(FitRequest {
            table: Tables::new(tables.choice()).find_any(&variant)?,
            variant,
            games: self.games,
            nodes: self.nodes,
            seed: self.seed,
            positions: self.positions as usize,
            threads: self.threads.and_then(|threads| usize::try_from(threads).ok()).unwrap_or_else(cores),
        })
    }
}

fn labels(fitted: &Fitted) -> &'static str {
    if fitted.is_exact { "labelled by perfect play" } else { "labelled by searches and what came of them" }
}

/// How well the weights predict results.
fn report(request: &FitRequest, fitted: &Fitted, output: &mut impl Write) -> io::Result<()> {
    let Fitted { positions, held_out, results: [won, drawn, lost], before, after, .. } = fitted;
    let (id, games, labels) = (request.variant.id(), request.games, labels(fitted));
    writeln!(output, "{id}: {positions} positions of {games} games, {labels}; {held_out} held out")?;
    writeln!(output, "won by the General {won}, drawn {drawn}, lost {lost}")?;
    writeln!(output, "before: loss {:.4}, winner told right {:.2} %", before.loss, before.right * 100.0)?;
    writeln!(output, "after: loss {:.4}, winner told right {:.2} %", after.loss, after.right * 100.0)?;
    output.flush()
}

/// The origin of the weights, as comments of the file.
fn origin(request: &FitRequest, fitted: &Fitted) -> String {
    let FitRequest { games, nodes, seed, positions, .. } = request;
    let (id, before, after) = (request.variant.id(), fitted.before, fitted.after);
    format!(
        "# Evaluation of {id}, seen from the General. Unit: {SCALE} to a unit of the logarithm of the odds.\n\
         # Origin: privy fit {id} --games {games} --nodes {nodes} --seed {seed} --positions {positions}\n\
         # {} positions, {}. On the {} of them from games held out\n\
         # the weights before have a loss of {:.4} and tell the winner in {:.2} %, these {:.4} and {:.2} %.\n",
        fitted.positions,
        labels(fitted),
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

impl From<FitError> for CliError {
    fn from(error: FitError) -> CliError {
        match error {
            FitError::Interrupted => CliError::Interrupted("nothing has been written".to_owned()),
            FitError::Table(error) => error.into(),
            other => CliError::Failed(other.to_string()),
        }
    }
}
