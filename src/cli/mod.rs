//! The command line of `privy`: a file for each subcommand or group of them, its arguments and its work together.
//!
//! Only here is clap. The comments of arguments are the help texts. A subcommand writes its result to a writer and
//! returns errors; [`main`] turns them into words and an exit status.

mod analyze;
mod board;
mod common;
mod compliance;
mod effort;
mod error;
mod fit;
mod go;
mod matches;
mod perft;
mod play;
mod prove;
mod puzzles;
mod replay;
mod review;
mod session;
mod solve;
mod tables;
mod terminal;
mod variants;

use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use privy_base::message::sanitized;
use privy_rules::Variant;

pub use common::{
    MOST_MS, MOST_NODES, SolvableVariants, TablesArgument, Within, find_variants, grouped, interrupt_stop,
    outlive_limits, show_ranges, within,
};
pub use error::CliError;
pub use puzzles::{Puzzle, PuzzleGoal};

/// Engine for the hunt games of one General against many Rebels.
///
/// Without a command it is the protocol loop: it reads requests on standard input and answers on standard output, in
/// the framing of the Go Text Protocol. Type `help` there for its commands. With a command it does one thing and ends.
///
/// A VARIANT is an id that `privy variants list` shows, or the path of a variant file: a text with / or ending in .toml.
#[derive(Parser)]
#[command(
    version,
    after_help = "Examples:
  printf 'variant monk-and-water\\ngo time 500\\nquit\\n' | privy
  privy go sixteen-rebels --time 2000
  privy board kings-gonu --svg > board.svg
  privy variants new my-game.toml && privy variants check my-game.toml
Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<PrivyCommand>,
    #[command(flatten)]
    session: session::SessionArguments,
    /// Show the board on standard error after every move
    #[arg(long)]
    show_board: bool,
    /// Write diagnostics to a file instead of standard error, in detail
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,
    #[command(flatten)]
    tables: TablesArgument,
}

#[derive(Subcommand)]
enum PrivyCommand {
    /// The protocol loop for GoGui, in which a move is entered point by point
    ///
    /// Reads and answers requests like the protocol loop, but a move is two half moves or more, each a single point, so that
    /// GoGui and the referees that come with it and with GNU Go can play. In GoGui: Program, New Program, and as the
    /// command the full path of this program and `gogui`.
    Gogui(session::GoguiArguments),
    Play(play::PlayArguments),
    Go(go::GoCommandArguments),
    Analyze(analyze::AnalyzeArguments),
    Perft(perft::PerftArguments),
    Solve(solve::SolveArguments),
    /// List, verify, describe or delete tables of perfect play
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    Probe(tables::ProbeArguments),
    Prove(prove::ProveArguments),
    CheckProof(prove::CheckProofArguments),
    Bench(perft::BenchArguments),
    /// The built-in variants; files of your own: begin one, check it, try it out
    #[command(subcommand)]
    Variants(variants::VariantsCommand),
    /// The built-in boards
    #[command(subcommand)]
    Boards(board::BoardsCommand),
    Board(board::BoardArguments),
    Replay(replay::ReplayArguments),
    Review(review::ReviewArguments),
    Puzzles(puzzles::PuzzlesArguments),
    Match(Box<matches::MatchArguments>),
    Compliance(compliance::ComplianceArguments),
    /// Fit the weights of the evaluation to games of the engine against itself
    ///
    /// Plays games in which both sides err, each at its own rate, labels their positions with the value under perfect play
    /// where the variant has a table, else with the result of the game, and writes the weights that tell these results
    /// best. Ctrl-C ends the work and leaves no file. The same command line gives the same weights.
    Fit(fit::FitArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write the pages of all commands into a folder
    Man {
        /// Folder for the pages, such as ~/.local/share/man/man1
        folder: Option<PathBuf>,
    },
}

impl PrivyCommand {
    fn run(self, tables: &TablesArgument, output: &mut (impl Write + Send)) -> Result<(), CliError> {
        match self {
            PrivyCommand::Gogui(arguments) => arguments.run(tables, output),
            PrivyCommand::Play(arguments) => arguments.run(tables, output),
            PrivyCommand::Go(arguments) => arguments.run(tables, output),
            PrivyCommand::Analyze(arguments) => arguments.run(tables, output),
            PrivyCommand::Perft(arguments) => arguments.run(output),
            PrivyCommand::Solve(arguments) => arguments.run(tables, output),
            PrivyCommand::Tables(command) => command.run(tables, output),
            PrivyCommand::Probe(arguments) => arguments.run(tables, output),
            PrivyCommand::Prove(arguments) => arguments.run(tables, output),
            PrivyCommand::CheckProof(arguments) => arguments.run(output),
            PrivyCommand::Bench(arguments) => arguments.run(output),
            PrivyCommand::Variants(command) => command.run(tables, output),
            PrivyCommand::Boards(command) => command.run(output),
            PrivyCommand::Board(arguments) => arguments.run(output),
            PrivyCommand::Replay(arguments) => arguments.run(output).map_err(CliError::of_verdict),
            PrivyCommand::Review(arguments) => arguments.run(tables, output).map_err(CliError::of_verdict),
            PrivyCommand::Puzzles(arguments) => arguments.run(tables, output),
            PrivyCommand::Match(arguments) => arguments.run(tables, output).map_err(CliError::of_verdict),
            PrivyCommand::Compliance(arguments) => arguments.run(output).map_err(CliError::of_verdict),
            PrivyCommand::Fit(arguments) => arguments.run(tables, output),
            PrivyCommand::Completions { shell } => {
                // Into memory first: the generator would panic when the reader closes the pipe.
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut command_line(), "privy", &mut script);
                let script = String::from_utf8(script).expect("scripts are text");
                Ok(output.write_all(with_files_of_variants(&script).as_bytes())?)
            }
            PrivyCommand::Man { folder: Some(folder) } => {
                let failed = |error: io::Error| CliError::Save(format!("{}: {error}", folder.display()));
                std::fs::create_dir_all(&folder).map_err(failed)?;
                clap_mangen::generate_to(command_line(), &folder).map_err(failed)
            }
            PrivyCommand::Man { folder: None } => {
                let mut page = Vec::new();
                clap_mangen::Man::new(command_line()).render(&mut page)?;
                Ok(output.write_all(&page)?)
            }
        }
    }
}

/// A completion script that offers files beside the ids of variants. Bash does where no id fits; for the others the generator has either
/// words or files.
fn with_files_of_variants(script: &str) -> String {
    let ids: Vec<&str> = Variant::all_ids().collect();
    let (words, lines) = (ids.join(" "), ids.join("\\t''\n"));
    let in_zsh = script.replace(&format!(":({words})"), &format!(":{{_files; compadd -- {words}}}"));
    in_zsh.replace(&format!("-f -a \"{lines}"), &format!("-F -a \"{lines}"))
}

/// The command line with the range of every number in its help.
pub fn command_line() -> clap::Command {
    common::show_ranges(CommandLine::command())
}

/// Runs the command line of the process to its exit status.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = CommandLine::from_arg_matches(&command_line().get_matches());
    let CommandLine { command, session, show_board, log, tables } = arguments.unwrap_or_else(|error| error.exit());
    // Who plays is told of the game, not of missing tables.
    let level = if matches!(command, Some(PrivyCommand::Play(_))) { "error" } else { "warn" };
    if let Err(error) = start_log(log.as_deref(), level) {
        log::error!("cannot write the log: {error}");
        return ExitCode::from(2);
    }
    outlive_limits();
    let result = match command {
        None => session.run(show_board, &tables),
        Some(_) if show_board || session != session::SessionArguments::default() => {
            Err(CliError::Usage("--variant and the like before a command are for the protocol loop alone".to_owned()))
        }
        Some(command) => {
            let mut output = LineWriter::new(io::stdout());
            command.run(&tables, &mut output).and_then(|()| Ok(output.flush()?))
        }
    };
    CliError::exit_code("privy", result)
}

/// Starts the log. Warnings go to standard error, in the form of this program's errors; with a file everything from `debug` up goes
/// there, with time and place. `RUST_LOG` overrides the level.
fn start_log(file: Option<&Path>, level: &str) -> io::Result<()> {
    /// Characters of a line.
    const LONGEST_LINE: usize = 4000;
    // Words of clients, engines and files may be part of a message.
    let message = |record: &log::Record<'_>| sanitized(&record.args().to_string(), LONGEST_LINE);
    let level = if file.is_some() { "debug" } else { level };
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(level));
    let opened = file.map(|path| {
        let opened = File::options().create(true).append(true).open(path);
        opened.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    });
    let result = match opened.transpose() {
        Ok(Some(file)) => {
            builder.target(env_logger::Target::Pipe(Box::new(file)));
            builder.format(move |line, record| {
                let time = humantime::format_rfc3339_seconds(SystemTime::now());
                let (level, target) = (record.level(), record.target());
                writeln!(line, "[{time} {level:<5} {target}] {}", message(record))
            });
            Ok(())
        }
        on_standard_error => {
            builder.format(move |line, record| match record.level() {
                log::Level::Error | log::Level::Warn => writeln!(line, "privy: {}", message(record)),
                level => writeln!(line, "privy: {level} {}: {}", record.target(), message(record)),
            });
            on_standard_error.map(drop)
        }
    };
    builder.init();
    result
}
