//! The command line of `privy`: the protocol loops, and a file for each other subcommand or group of them, its
//! arguments and its work together.
//!
//! The comments of arguments are the help texts. A subcommand writes its result to a writer and
//! returns errors; [`main`] turns them into words and an exit status.

mod analyze;
mod board;
mod common;
mod compliance;
mod effort;
mod go;
mod hints;
mod matches;
mod perft;
mod play;
mod prove;
mod puzzles;
mod replay;
mod review;
mod solve;
mod tables;
mod variants;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, LineWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use privy_base::atomic_file::AtomicFile;
use privy_base::message::sanitized;
use privy_engine::{Engine, Options, session};
#[cfg(unix)]
use privy_program::when_unread;
use privy_program::{
    CliError, InterruptibleOutput, TablesArgument, VariantWord, find_variant, outlive_limits, read_arguments,
};
use privy_protocol::Command;
use privy_rules::render::{self, Charset};
use privy_rules::{Game, Variant};

use common::{OptionArguments, find_position, option_number};
use hints::HintedInput;

/// MiB for the transposition table of the half-move session: a client may start it several times over.
const GOGUI_HASH: u64 = 8;

/// Engine for the hunt games of one General against many Rebels.
///
/// Without a command it is the protocol loop: it reads requests on standard input and answers on standard output, in
/// the framing of the Go Text Protocol. Type `help` there for its commands. With a command it does one thing and ends.
///
/// A VARIANT is an id that `privy variants list` shows, or the path of a variant file: a text with / or ending in
/// .toml.
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
    session: SessionArguments,
    /// Show the board on standard error after every move
    #[arg(long)]
    show_board: bool,
    /// Write diagnostics to a file instead of standard error, in detail
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,
    #[command(flatten)]
    tables: TablesArgument,
}

#[derive(Args, Default, PartialEq)]
struct SessionArguments {
    /// Begin with this variant instead of sixteen-rebels
    #[arg(long, value_name = "VARIANT", value_parser = VariantWord, hide_possible_values = true)]
    variant: Option<OsString>,
    /// Threads of a search
    #[arg(long, value_name = "N", value_parser = option_number("threads"))]
    threads: Option<u64>,
    #[command(flatten)]
    options: OptionArguments,
}

// The half-move loop takes a first position as well: its clients can't give one that their board shows.
#[derive(Args)]
struct GoguiArguments {
    #[command(flatten)]
    session: SessionArguments,
    /// Begin each game with this position text instead of the opening
    #[arg(long, value_name = "TEXT")]
    fen: Option<String>,
}

#[derive(Subcommand)]
enum PrivyCommand {
    /// The protocol loop for GoGui, in which a move is entered point by point
    ///
    /// Reads and answers requests like the protocol loop, but a move is two half moves or more, each a single point, so
    /// that GoGui and the referees that come with it and with GNU Go can play. In GoGui: Program, New Program, and as
    /// the command the full path of this program and `gogui`.
    Gogui(GoguiArguments),
    Play(play::PlayArguments),
    Go(go::GoCommandArguments),
    Analyze(analyze::AnalyzeArguments),
    Perft(perft::PerftArguments),
    Solve(solve::SolveArguments),
    /// List, verify or delete tables of perfect play
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    Probe(tables::ProbeArguments),
    Prove(prove::ProveArguments),
    CheckProof(prove::CheckProofArguments),
    Bench(perft::BenchArguments),
    /// The built-in variants; your own files: begin one, check it, try it out
    #[command(subcommand)]
    Variants(variants::VariantsCommand),
    Board(board::BoardArguments),
    Replay(replay::ReplayArguments),
    Review(review::ReviewArguments),
    Puzzles(puzzles::PuzzlesArguments),
    Match(Box<matches::MatchArguments>),
    Compliance(compliance::ComplianceArguments),
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

impl SessionArguments {
    /// The session of whole moves; with `show_board` the board is drawn beside the answers.
    fn run(&self, show_board: bool, tables: &TablesArgument) -> Result<(), CliError> {
        let commands = "showboard, legal_moves, play c3-b2, go time 1000, help, or quit";
        let engine = self.engine(None, None, tables, commands)?;
        let draw = draw_changes(show_board, io::stderr());
        let ended = if io::stdin().is_terminal() {
            let commands = Command::names().collect();
            session::run(engine, HintedInput::new(io::stdin(), commands), io::stdout(), draw)
        } else {
            session::run(engine, io::stdin(), io::stdout(), draw)
        };
        Ok(ended?)
    }

    /// The engine of a session, with this size of the transposition table unless another is named. At a terminal it is
    /// introduced with some commands.
    fn engine(
        &self,
        fen: Option<&str>,
        usual_hash: Option<u64>,
        tables: &TablesArgument,
        commands: &str,
    ) -> Result<Engine, CliError> {
        let mut engine = match (&self.variant, fen) {
            (Some(word), fen) => Engine::at(find_position(&find_variant(word)?, fen)?),
            (None, Some(text)) => Engine::at(Game::from_text(text, Some(Engine::new().variant()))?),
            (None, None) => Engine::new(),
        };
        let others = |options: &mut Options| {
            options.threads = self.threads.unwrap_or(options.threads);
            options.hash = usual_hash.unwrap_or(options.hash);
        };
        self.options.apply(&mut engine, others, tables)?;
        if io::stdin().is_terminal() {
            let (version, variant) = (env!("CARGO_PKG_VERSION"), engine.variant().id());
            let _ = writeln!(io::stderr(), "Privy {version}, variant {variant}. Type {commands}.");
        }
        #[cfg(unix)]
        when_unread(io::stdout(), || std::process::exit(0))?;
        Ok(engine)
    }
}

/// Draws the position after every change, if enabled.
fn draw_changes(is_enabled: bool, mut output: impl Write) -> impl FnMut(&Engine) {
    let mut drawn = String::new();
    move |engine| {
        let position = engine.game().to_string();
        if is_enabled && position != drawn {
            let drawing = render::text(engine.game(), Charset::Unicode);
            let _ = writeln!(output, "{}\n", drawing.trim_end()).and_then(|()| output.flush());
            drawn = position;
        }
    }
}

impl GoguiArguments {
    fn run(&self, tables: &TablesArgument, output: &mut (impl Write + Send)) -> Result<(), CliError> {
        let commands = "showboard, gogui-rules_legal_moves, play w c3, genmove b, help, or quit";
        let engine = self.session.engine(self.fen.as_deref(), Some(GOGUI_HASH), tables, commands)?;
        Ok(privy_gogui::run(engine, io::stdin(), output, io::stderr())?)
    }
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
            PrivyCommand::Board(arguments) => arguments.run(output),
            PrivyCommand::Replay(arguments) => arguments.run(output).map_err(CliError::of_verdict),
            PrivyCommand::Review(arguments) => arguments.run(tables, output).map_err(CliError::of_verdict),
            PrivyCommand::Puzzles(arguments) => arguments.run(output),
            PrivyCommand::Match(arguments) => arguments.run(tables, output).map_err(CliError::of_verdict),
            PrivyCommand::Compliance(arguments) => arguments.run(output).map_err(CliError::of_verdict),
            PrivyCommand::Completions { shell } => {
                // Into memory first: the generator would panic when the reader closes the pipe.
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut command_line(), "privy", &mut script);
                let script = String::from_utf8(script).expect("scripts are text");
                Ok(output.write_all(with_files_of_variants(&script).as_bytes())?)
            }
            PrivyCommand::Man { folder: Some(folder) } => {
                std::fs::create_dir_all(&folder).map_err(CliError::cannot_save(&folder))?;
                let mut command = command_line().disable_help_subcommand(true);
                command.build();
                write_pages(&command, &folder)
            }
            PrivyCommand::Man { folder: None } => {
                let mut page = Vec::new();
                clap_mangen::Man::new(command_line()).render(&mut page)?;
                Ok(output.write_all(&page)?)
            }
        }
    }
}

/// Writes the manual pages of a command and of those within it, each whole or not at all.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<(), CliError> {
    for within in command.get_subcommands().filter(|within| !within.is_hide_set()) {
        write_pages(within, folder)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let path = folder.join(page.get_filename());
    let write = || {
        let mut file = AtomicFile::create(&path)?;
        page.render(&mut file)?;
        file.commit()
    };
    write().map_err(CliError::cannot_save(&path))
}

/// A completion script that offers files beside the ids of variants. Bash does where no id fits; for the others the
/// generator has either words or files.
fn with_files_of_variants(script: &str) -> String {
    let ids: Vec<&str> = Variant::all_ids().collect();
    let (words, lines) = (ids.join(" "), ids.join("\\t''\n"));
    let in_zsh = script.replace(&format!(":({words})"), &format!(":{{_files; compadd -- {words}}}"));
    in_zsh.replace(&format!("-f -a \"{lines}"), &format!("-F -a \"{lines}"))
}

/// The commands in the order of the help, by their use.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["play", "review", "puzzles"]),
    ("Analyse", &["go", "analyze", "board"]),
    ("Perfect play", &["solve", "tables", "probe", "prove", "check-proof"]),
    ("Games", &["variants", "replay"]),
    ("Engines", &["match", "compliance", "gogui"]),
    ("Tools", &["perft", "bench", "completions", "man"]),
];

/// The command line as clap knows it, its commands in groups.
pub(crate) fn command_line() -> clap::Command {
    let command = CommandLine::command();
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups += &format!("{heading}:\n");
        for command in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            groups += &format!("  {:13}{about}\n", command.get_name());
        }
        groups += "\n";
    }
    let template = "{about-with-newline}\n{usage-heading} {usage}\n\n";
    command.help_template(format!("{template}{groups}Options:\n{{options}}{{after-help}}"))
}

/// Runs the command line of the process to its exit status.
pub(crate) fn main() -> ExitCode {
    let CommandLine { command, session, show_board, log, tables } = match read_arguments("privy", command_line()) {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    // A player hears about the game, not about missing tables.
    let level = if matches!(command, Some(PrivyCommand::Play(_))) { "error" } else { "warn" };
    if let Err(error) = start_log(log.as_deref(), level) {
        log::error!("cannot write the log: {error}");
        return ExitCode::from(2);
    }
    outlive_limits();
    let result = match command {
        None => session.run(show_board, &tables),
        Some(_) if show_board || session != SessionArguments::default() => {
            Err(CliError::Usage("--variant and the like before a command are for the protocol loop alone".to_owned()))
        }
        Some(command) => {
            let mut output = LineWriter::new(InterruptibleOutput::default());
            command.run(&tables, &mut output).and_then(|()| Ok(output.flush()?))
        }
    };
    CliError::exit_code("privy", result)
}

/// Starts the log. Warnings go to standard error, in the form of this program's errors; with a file everything from
/// `debug` up goes there, with time and place. `RUST_LOG` overrides the level.
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
