//! The command line: clap, and the choice between the protocol loop and a tool.

use std::fs::OpenOptions;
use std::io::{self, BufReader, IsTerminal, LineWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use privy::draw::{Labels, SvgOptions};
use privy::engine::Engine;
use privy::rules::Variant;
use privy::shell;
use privy::tables::SolveOptions;
use privy::tools::{
    self, BoardRequest, GoRequest, SolveRequest, ToolError, VerdictsFormat, VerdictsRequest, VerdictsStep,
};

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
Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    tool: Option<Tool>,
    #[command(flatten)]
    protocol_loop: LoopArguments,
    /// Write diagnostics to a file instead of standard error, in detail
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,
    /// Where tables of perfect play are kept: a folder, auto for the user's cache folder, or off
    #[arg(long, value_name = "DIR", global = true)]
    tables: Option<String>,
}

#[derive(Args)]
struct LoopArguments {
    /// Begin with this variant instead of sixteen-rebels
    #[arg(long, value_name = "VARIANT")]
    variant: Option<String>,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB")]
    hash: Option<u64>,
}

impl LoopArguments {
    fn is_given(&self) -> bool {
        self.variant.is_some() || self.hash.is_some()
    }
}

#[derive(Subcommand)]
enum Tool {
    /// The protocol loop for GoGui, in which a move is entered point by point
    ///
    /// Reads and answers requests like the protocol loop, but a move is two half moves or more, each a single point, so that
    /// GoGui and the referees that come with it and with GNU Go can play. In GoGui: Program, New Program, and as the
    /// command the full path of this program and `gogui`.
    Gogui(LoopArguments),
    /// Search one position and print the best move
    ///
    /// Prints the lines that `go` answers in the protocol, the last one being `bestmove MOVE`; or one JSON object. The
    /// first limit reached ends the search; without any it takes one second.
    Go {
        /// Id or file of the variant
        variant: String,
        /// Position text; the opening without it
        #[arg(long, value_name = "TEXT")]
        fen: Option<String>,
        /// Wall time in milliseconds
        #[arg(long, value_name = "MS")]
        time: Option<u64>,
        /// Depth in plies
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        depth: Option<u32>,
        /// Positions reached by making a move
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        nodes: Option<u64>,
        /// How many best lines to report
        #[arg(long, value_name = "N")]
        multi_pv: Option<u64>,
        /// Size of the transposition table
        #[arg(long, value_name = "MIB")]
        hash: Option<u64>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Count the sequences of legal moves of a length
    ///
    /// A check and a measure of move generation: without hashing, the last ply counted in bulk. Ends with a line
    /// `nodes N time MS nps N`.
    Perft {
        /// Id or file of the variant
        variant: String,
        /// Length in plies
        depth: u32,
        /// Position text; the opening without it
        #[arg(long, value_name = "TEXT")]
        fen: Option<String>,
        /// Count for each first move
        #[arg(long)]
        divide: bool,
    },
    /// Solve variants and keep their tables of perfect play
    ///
    /// Solves every position of a variant whose Rebels stand on at most 25 points, exactly, with the number of plies to the
    /// end, and writes a table file. The engine finds it and plays perfectly from then on. What is solved already is left
    /// alone.
    Solve {
        /// Ids or files of variants
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        variants: Vec<String>,
        /// All built-in variants that can be solved
        #[arg(long)]
        all: bool,
        /// Threads; all cores without it
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
        threads: Option<u64>,
        /// Memory that may be taken, in MiB
        #[arg(long, value_name = "MIB")]
        memory: Option<u64>,
        /// Solve again what is solved already
        #[arg(long)]
        force: bool,
    },
    /// List, verify, describe or delete tables of perfect play
    Tables {
        #[command(subcommand)]
        action: TablesAction,
    },
    /// Print the value of a position, or of many, from a table
    ///
    /// The value is for the side to move: `win N`, `loss N` (plies to the end) or `draw`.
    Probe {
        /// Id or file of the variant
        variant: String,
        /// Position text; the opening without it
        #[arg(long, value_name = "TEXT")]
        fen: Option<String>,
        /// A file with a position a line, - for standard input; answers are a line each
        #[arg(long, value_name = "FILE", conflicts_with = "fen")]
        batch: Option<PathBuf>,
    },
    /// Decide by computation what the sources claim about the games
    ///
    /// Solves what is missing first, games with one rule changed among it.
    Verdicts {
        /// Numbers of claims, 1 to 16; all without them
        claims: Vec<u8>,
        /// How the report is written
        #[arg(long, value_enum, default_value = "text")]
        format: FormatChoice,
        /// Also write the report, its figures and its plots into this folder
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Search fixed positions of all variants: nodes, nodes per second, and the signature of the search
    ///
    /// The signature is the sum of all nodes. It depends on the program alone, so it tells whether two programs search
    /// alike; nodes per second are for comparison on one machine.
    Bench {
        /// Depth in plies
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        depth: Option<u32>,
    },
    /// Show the built-in variants, or check a variant file
    Variants {
        #[command(subcommand)]
        action: VariantsAction,
    },
    /// Draw a position as text or SVG
    Board {
        /// Id or file of the variant
        variant: String,
        /// Position text; the opening without it
        #[arg(long, value_name = "TEXT")]
        fen: Option<String>,
        /// Moves to play first; the last one is marked
        #[arg(long, value_name = "MOVE", num_args = 1..)]
        moves: Vec<String>,
        /// Draw in ASCII characters
        #[arg(long, conflicts_with = "svg")]
        ascii: bool,
        /// Draw an SVG picture
        #[arg(long)]
        svg: bool,
        /// Labels of the picture
        #[arg(long, value_enum, default_value = "edges", requires = "svg")]
        labels: LabelChoice,
        /// Longer side of the picture in pixels
        #[arg(long, value_name = "PX", default_value_t = 480, requires = "svg", value_parser = clap::value_parser!(u32).range(64..=8192))]
        size: u32,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Subcommand)]
enum VariantsAction {
    /// A line per variant: id, fingerprint of its rules, title
    List,
    /// Print the file of a variant
    Show {
        /// Id or file of the variant
        variant: String,
    },
    /// Read variant files and say what is wrong with them
    Check {
        /// Variant files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(Subcommand)]
enum TablesAction {
    /// A line per table: variant, fingerprint, most plies, bytes, path
    List,
    /// Won, drawn and lost positions by number of Rebels
    Stat {
        /// Id or file of the variant
        variant: String,
    },
    /// Check every position of tables against its successors, and the counts against the known ones
    Verify {
        /// Ids or files of variants
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        variants: Vec<String>,
        /// All built-in variants that can be solved
        #[arg(long)]
        all: bool,
    },
    /// Delete the table of a variant
    Delete {
        /// Id or file of the variant
        variant: String,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum LabelChoice {
    /// No labels
    None,
    /// File letters and row numbers along the edges
    Edges,
    /// The name of every point
    Points,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatChoice {
    /// For a terminal
    Text,
    /// All figures
    Json,
    /// With links to the plots
    Markdown,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Err(error) = start_log(cli.log.as_ref()) {
        log::error!("cannot write the log: {error}");
        return ExitCode::from(2);
    }
    let result = match cli.tool {
        Some(_) if cli.protocol_loop.is_given() => {
            Err(ToolError::Usage("--variant and --hash before a command are for the protocol loop alone".to_owned()))
        }
        None => run_loop(&cli.protocol_loop, cli.tables.as_deref()),
        Some(tool) => {
            let mut output = LineWriter::new(io::stdout().lock());
            run_tool(tool, cli.tables.as_deref(), &mut output).and_then(|()| Ok(output.flush()?))
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader had enough: that is no failure of ours.
        Err(ToolError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed; there is nobody left to tell then.
            let _ = writeln!(io::stderr(), "privy: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}

/// Diagnostics go to standard error, warnings only and in the form of all that this program says there; or with time and
/// place to a file. `RUST_LOG` chooses otherwise.
fn start_log(file: Option<&PathBuf>) -> io::Result<()> {
    let level = if file.is_some() { "debug" } else { "warn" };
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(level));
    let opened = file.map(|path| {
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    });
    let result = match opened.transpose() {
        Ok(Some(file)) => {
            builder.target(env_logger::Target::Pipe(Box::new(file)));
            Ok(())
        }
        on_standard_error => {
            builder.format(|line, record| match record.level() {
                log::Level::Error | log::Level::Warn => writeln!(line, "privy: {}", record.args()),
                level => writeln!(line, "privy: {level} {}: {}", record.target(), record.args()),
            });
            on_standard_error.map(drop)
        }
    };
    builder.init();
    result
}

/// The folder that `--tables` names; none for the user's own.
fn tables_folder(choice: Option<&str>) -> Result<Option<PathBuf>, ToolError> {
    match choice {
        None | Some("auto") => Ok(None),
        Some("off") => Err(ToolError::Usage("--tables off: this needs tables".to_owned())),
        Some(folder) => Ok(Some(PathBuf::from(folder))),
    }
}

/// The variants that a command line names.
fn solvable(words: &[String], all: bool) -> Result<Vec<Arc<Variant>>, ToolError> {
    if all { Ok(tools::solvable_variants()) } else { words.iter().map(|word| tools::find_variant(word)).collect() }
}

/// Set by an interrupt; long work looks at it and ends in order.
fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    if let Err(error) = ctrlc::set_handler(move || set.store(true, Ordering::Relaxed)) {
        log::warn!("an interrupt will end the program at once: {error}");
    }
    flag
}

/// The engine of a protocol loop.
fn loop_engine(arguments: &LoopArguments, tables: Option<&str>) -> Result<Engine, ToolError> {
    let mut engine = match &arguments.variant {
        Some(word) => Engine::at(tools::find_variant(word)?.start()),
        None => Engine::new(),
    };
    if let Some(hash) = arguments.hash {
        engine.set_option("hash", &hash.to_string()).map_err(|error| ToolError::Usage(format!("--{error}")))?;
    }
    if let Some(tables) = tables {
        engine.set_option("tables", tables).map_err(|error| ToolError::Usage(format!("--{error}")))?;
    }
    Ok(engine)
}

fn run_loop(arguments: &LoopArguments, tables: Option<&str>) -> Result<(), ToolError> {
    let engine = loop_engine(arguments, tables)?;
    greet(&engine, "showboard, legal_moves, play c3-b2, go time 1000, help, or quit");
    #[cfg(unix)]
    shell::when_unread(io::stdout(), || std::process::exit(0))?;
    Ok(shell::run(engine, io::stdin(), io::stdout())?)
}

/// The half-move loop. A client may start it several times over, so that it takes little memory unless told otherwise.
fn run_gogui(arguments: LoopArguments, tables: Option<&str>, output: &mut impl Write) -> Result<(), ToolError> {
    const HASH: u64 = 8;
    let arguments = LoopArguments { hash: arguments.hash.or(Some(HASH)), ..arguments };
    let engine = loop_engine(&arguments, tables)?;
    greet(&engine, "showboard, gogui-rules_legal_moves, play w c3, genmove b, help, or quit");
    #[cfg(unix)]
    shell::when_unread(io::stdout(), || std::process::exit(0))?;
    Ok(shell::gogui::run(engine, io::stdin(), output, io::stderr())?)
}

/// Tells a person at a terminal what to type.
fn greet(engine: &Engine, commands: &str) {
    if io::stdin().is_terminal() {
        let (version, variant) = (env!("CARGO_PKG_VERSION"), engine.variant().id());
        let _ = writeln!(io::stderr(), "Privy {version}, variant {variant}. Type {commands}.");
    }
}

fn run_tool(tool: Tool, tables: Option<&str>, output: &mut impl Write) -> Result<(), ToolError> {
    match tool {
        Tool::Gogui(arguments) => run_gogui(arguments, tables, output),
        Tool::Go { variant, fen, time, depth, nodes, multi_pv, hash, json } => {
            let numbers = [("multi_pv", multi_pv), ("hash", hash)];
            let numbers = numbers.into_iter().filter_map(|(name, value)| Some((name, value?.to_string())));
            let options = numbers.chain(tables.map(|choice| ("tables", choice.to_owned()))).collect();
            let request = GoRequest { text: fen, time, depth, nodes, options, json };
            tools::go(&tools::find_variant(&variant)?, &request, output)
        }
        Tool::Perft { variant, depth, fen, divide } => {
            tools::perft(&tools::find_variant(&variant)?, depth, fen.as_deref(), divide, output)
        }
        Tool::Solve { variants, all, threads, memory, force } => {
            let variants = solvable(&variants, all)?;
            let threads = threads.and_then(|threads| usize::try_from(threads).ok());
            let request =
                SolveRequest { folder: tables_folder(tables)?, options: SolveOptions { threads, memory }, force };
            tools::solve_variants(&variants, &request, output, &interrupt_flag())
        }
        Tool::Tables { action } => {
            let folder = tables_folder(tables)?;
            match action {
                TablesAction::List => tools::list_tables(folder.as_ref(), output),
                TablesAction::Stat { variant } => {
                    tools::table_statistics(&tools::find_variant(&variant)?, folder.as_ref(), output)
                }
                TablesAction::Verify { variants, all } => {
                    tools::verify_tables(&solvable(&variants, all)?, folder.as_ref(), output, &interrupt_flag())
                }
                TablesAction::Delete { variant } => {
                    tools::delete_table(&tools::find_variant(&variant)?, folder.as_ref(), output)
                }
            }
        }
        Tool::Probe { variant, fen, batch } => {
            let variant = tools::find_variant(&variant)?;
            let folder = tables_folder(tables)?;
            match batch {
                None => tools::probe(&variant, fen.as_deref(), folder.as_ref(), output),
                Some(path) if path.as_os_str() == "-" => {
                    tools::probe_batch(&variant, io::stdin().lock(), folder.as_ref(), output)
                }
                Some(path) => {
                    let file = std::fs::File::open(&path)
                        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
                    tools::probe_batch(&variant, BufReader::new(file), folder.as_ref(), output)
                }
            }
        }
        Tool::Verdicts { claims, format, folder } => {
            let format = match format {
                FormatChoice::Text => VerdictsFormat::Text,
                FormatChoice::Json => VerdictsFormat::Json,
                FormatChoice::Markdown => VerdictsFormat::Markdown,
            };
            let solving = SolveOptions::default();
            let request = VerdictsRequest { tables: tables_folder(tables)?, format, claims, folder, solving };
            let mut progress = |step: &VerdictsStep<'_>| {
                if io::stderr().is_terminal() {
                    let ply = step.solving.map_or_else(String::new, |solving| format!(", ply {}", solving.ply));
                    let _ = write!(io::stderr(), "\r\x1b[K{}{ply}", step.doing);
                }
            };
            let result = tools::verdicts(&request, output, &mut progress, &interrupt_flag());
            if io::stderr().is_terminal() {
                let _ = write!(io::stderr(), "\r\x1b[K");
            }
            result
        }
        Tool::Bench { depth } => tools::bench(depth, output),
        Tool::Variants { action } => match action {
            VariantsAction::List => tools::list_variants(output),
            VariantsAction::Show { variant } => tools::show_variant(&variant, output),
            VariantsAction::Check { files } => tools::check_variants(&files, output),
        },
        Tool::Board { variant, fen, moves, ascii, svg, labels, size } => {
            let labels = match labels {
                LabelChoice::None => Labels::None,
                LabelChoice::Edges => Labels::Edges,
                LabelChoice::Points => Labels::Points,
            };
            let svg = svg.then(|| SvgOptions { labels, size_px: size, ..SvgOptions::default() });
            let request = BoardRequest { text: fen, moves, svg, ascii };
            tools::board(&tools::find_variant(&variant)?, &request, output)
        }
        Tool::Completions { shell } => {
            // Into memory first: the generator would panic at a reader that goes away.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "privy", &mut script);
            Ok(output.write_all(&script)?)
        }
    }
}
