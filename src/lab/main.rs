//! The laboratory of Privy: how strong and how fast the engine is, and fits of its weights, skill levels and win rates.
//!
//! Nothing here is needed to play. `fit` fits the weights of the evaluation to games, which `play` plays. `endgames`,
//! `movers`, `levels` and `win_rates` play games of the engine against perfect play, simple players and itself;
//! `critical` measures the errors of the search in critical positions, `positions` checks the search and proofs in
//! positions of known value, `tables` measures play styles; `processes` times engines as processes; `pages` checks what
//! documents show, `puzzles` makes and checks those of the page.

mod critical;
mod endgames;
mod fit;
mod levels;
mod movers;
mod pages;
mod play;
mod positions;
mod processes;
mod puzzles;
mod tables;
#[cfg(test)]
mod tests;
mod win_rates;

use std::fmt::Display;
use std::io::{LineWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand};
use privy_base::message::safe_json;
use privy_base::threads::{Threads, on_all_cores};
use privy_program::{
    CliError, InterruptibleOutput, MOST_MS, MOST_NODES, TablesArgument, find_variants, interrupt_stop, outlive_limits,
    read_arguments, within,
};
use privy_protocol::Stop;
use privy_rules::Variant;
use privy_search::Limits;
use serde_json::Value;

/// Measures, fits and checks of the engine Privy
///
/// A VARIANT is an id that `privy variants list` shows, or the path of a variant file: a text with / or ending in
/// .toml. Interrupts are obeyed within a second.
#[derive(Parser)]
#[command(name = "privy-lab", version, after_help = "Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted.")]
struct LabCommandLine {
    #[command(subcommand)]
    command: LabCommand,
    #[command(flatten)]
    tables: TablesArgument,
}

#[derive(Subcommand)]
enum LabCommand {
    /// Measure strength, or time an engine
    Measure(MeasureArguments),
    /// Fit the weights of the evaluation, the skill levels or the win rates of a game, or the search
    #[command(subcommand)]
    Fit(FitCommand),
    Ladder(levels::LadderArguments),
    Puzzles(puzzles::PuzzlesArguments),
    Critical(critical::CriticalArguments),
    /// Check a promise of the engine; status 1 where it does not hold
    #[command(subcommand)]
    Check(CheckCommand),
}

#[derive(Args)]
struct MeasureArguments {
    #[command(subcommand)]
    measure: MeasureCommand,
    /// Print the figures of each line as an object of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum MeasureCommand {
    /// Conversion of won positions: games from positions won by the table, against the longest defence
    ///
    /// A position counts as won when the game is won within three times the table's length. A move has 300,000 nodes
    /// unless --nodes or --time says otherwise.
    Conversion(endgames::EndgameArguments),
    /// Defence of lost positions: games from positions lost by the table, against the shortest win
    ///
    /// A move has 300,000 nodes unless --nodes or --time says otherwise.
    Defence(endgames::EndgameArguments),
    /// Games from the opening against simple opponents: random moves, a greedy capturer
    ///
    /// A move has 3,000 nodes unless --nodes or --time says otherwise.
    Movers(movers::MoverArguments),
    /// Predicted win rates beside results: games against itself in which both sides err, other games than win rates are
    /// fitted to
    Calibration(win_rates::CalibrationArguments),
    Critical(critical::ErrorsArguments),
    PlayStyles(tables::PlayStyleArguments),
    Lateness(processes::LatenessArguments),
}

#[derive(Subcommand)]
enum FitCommand {
    Weights(fit::WeightsArguments),
    Levels(levels::LevelsArguments),
    Search(fit::search::SearchFitArguments),
    /// Fit how scores become chances to win; prints win_rates.toml, of several variants also for all together
    WinRates(win_rates::ScoredGamesArguments),
}

#[derive(Subcommand)]
enum CheckCommand {
    Keeps(positions::KeepsArguments),
    ShortWins(positions::ShortWinsArguments),
    Proofs(positions::ProofsArguments),
    Threads(positions::ThreadsArguments),
    Movers(movers::MoverCheckArguments),
    Clock(processes::ClockArguments),
    Docs(pages::PagesArguments),
    Puzzles(puzzles::check::ShippedPuzzlesArguments),
}

/// What every command gets.
struct Lab<'a> {
    tables: &'a TablesArgument,
    stop: &'a Stop,
    /// Figures are printed as JSON.
    json: bool,
    output: &'a mut (dyn Write + Send),
}

impl Lab<'_> {
    /// Prints a line, or its figures.
    fn tell(&mut self, line: impl Display, figures: impl FnOnce() -> Value) -> Result<(), CliError> {
        let written = match self.json {
            true => writeln!(self.output, "{}", safe_json(&figures().to_string())),
            false => writeln!(self.output, "{line}"),
        };
        Ok(written?)
    }
}

impl LabCommand {
    fn run(self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        match self {
            LabCommand::Measure(MeasureArguments { measure, json }) => {
                lab.json = json;
                match measure {
                    MeasureCommand::Conversion(arguments) => arguments.run(true, lab),
                    MeasureCommand::Defence(arguments) => arguments.run(false, lab),
                    MeasureCommand::Movers(arguments) => arguments.run(lab).map(drop),
                    MeasureCommand::Calibration(arguments) => arguments.run(lab),
                    MeasureCommand::Critical(arguments) => arguments.run(lab),
                    MeasureCommand::PlayStyles(arguments) => arguments.run(lab),
                    MeasureCommand::Lateness(arguments) => arguments.run(lab),
                }
            }
            LabCommand::Fit(FitCommand::Weights(arguments)) => arguments.run(lab),
            LabCommand::Fit(FitCommand::Levels(arguments)) => arguments.run(lab),
            LabCommand::Fit(FitCommand::Search(arguments)) => arguments.run(lab),
            LabCommand::Fit(FitCommand::WinRates(arguments)) => arguments.fit(lab),
            LabCommand::Ladder(arguments) => arguments.run(lab),
            LabCommand::Puzzles(arguments) => arguments.run(lab),
            LabCommand::Critical(arguments) => arguments.run(lab),
            LabCommand::Check(command) => match command {
                CheckCommand::Keeps(arguments) => arguments.run(lab),
                CheckCommand::ShortWins(arguments) => arguments.run(lab),
                CheckCommand::Proofs(arguments) => arguments.run(lab),
                CheckCommand::Threads(arguments) => arguments.run(lab),
                CheckCommand::Movers(arguments) => arguments.run(lab),
                CheckCommand::Clock(arguments) => arguments.run(lab),
                CheckCommand::Docs(arguments) => arguments.run(lab),
                CheckCommand::Puzzles(arguments) => arguments.run(lab),
            },
        }
    }
}

// The limit of a move.
#[derive(Args)]
struct MoveLimit {
    /// Wall time of a move in milliseconds
    #[arg(long, value_name = "MS", conflicts_with = "nodes", value_parser = within(1_u64..=MOST_MS))]
    time: Option<u64>,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", value_parser = within(1_u64..=MOST_NODES))]
    nodes: Option<u64>,
}

impl MoveLimit {
    /// The limit, or else a time in milliseconds.
    fn or_time(&self, milliseconds: u64) -> Limits {
        let milliseconds = self.time.unwrap_or(milliseconds);
        let time = self.nodes.is_none().then(|| Duration::from_millis(milliseconds));
        Limits { time, nodes: self.nodes, ..Limits::default() }
    }

    /// The limit, or else a number of nodes.
    fn or_nodes(&self, nodes: u64) -> Limits {
        let time = self.time.map(Duration::from_millis);
        Limits { time, nodes: time.is_none().then(|| self.nodes.unwrap_or(nodes)), ..Limits::default() }
    }
}

/// Finds variants; by default those with these ids.
fn variants_or(named: &[String], ids: &[&str]) -> Result<Vec<Arc<Variant>>, CliError> {
    let usual: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    find_variants(if named.is_empty() { &usual } else { named })
}

/// Does numbered things in parallel, each thread with its own state; returns the results in their order.
fn side_by_side<S, T: Send>(
    count: usize,
    at_a_time: usize,
    new_state: impl Fn() -> S + Sync,
    each: impl Fn(&mut S, usize) -> Result<T, CliError> + Sync,
) -> Result<Vec<T>, CliError> {
    let next = AtomicUsize::new(0);
    let of_threads = Threads::new(at_a_time.min(count.max(1))).run(|| {
        rayon::broadcast(|_| -> Result<Vec<(usize, T)>, CliError> {
            let mut state = new_state();
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            numbers.take_while(|number| *number < count).map(|number| Ok((number, each(&mut state, number)?))).collect()
        })
    });
    let mut numbered: Vec<(usize, T)> =
        of_threads.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    numbered.sort_by_key(|(number, _)| *number);
    Ok(numbered.into_iter().map(|(_, result)| result).collect())
}

/// Fails where figures are below their bar.
fn meets_the_bar(meets: bool, otherwise: impl FnOnce() -> String) -> Result<(), CliError> {
    if meets { Ok(()) } else { Err(CliError::Failed(format!("below the bar: {}", otherwise()))) }
}

/// A part of a whole in per cent; 0 of nothing.
fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn command_line() -> clap::Command {
    LabCommandLine::command()
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let LabCommandLine { command, tables } = match read_arguments("privy-lab", command_line()) {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    let mut output = LineWriter::new(InterruptibleOutput::default());
    outlive_limits();
    let stop = interrupt_stop();
    let ran = on_all_cores(|| command.run(&mut Lab { tables: &tables, stop: &stop, json: false, output: &mut output }));
    CliError::exit_code("privy-lab", ran.and_then(|()| Ok(output.flush()?)))
}
