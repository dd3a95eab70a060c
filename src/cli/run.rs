//! From words to work.

use std::io::{self, BufReader, IsTerminal, LineWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{CommandFactory, Parser};

use crate::render::{Labels, SvgOptions};
use crate::rules::Variant;
use crate::tablebase::SolveOptions;

use super::arguments::{Cli, LabelChoice, TablesAction, Tool, VariantsAction};
use super::board::{BoardRequest, board};
use super::compliance::compliance;
use super::diagnostics::start_log;
use super::error::{CliError, find_variant};
use super::fit::fit_weights;
use super::go::{GoRequest, go};
use super::loops::{run_gogui, run_loop};
use super::matches::match_;
use super::perft::{bench, perft};
use super::replay::replay;
use super::solve::{SolveRequest, solvable_variants, solve_variants};
use super::tables::{delete_table, list_tables, probe, probe_batch, table_statistics, verify_tables};
use super::variants::{check_variants, list_variants, show_variant};

/// The folder that `--tables` names; none for the user's own.
pub fn tables_folder(choice: Option<&str>) -> Result<Option<PathBuf>, CliError> {
    match choice {
        None | Some("auto") => Ok(None),
        Some("off") => Err(CliError::Usage("--tables off: this needs tables".to_owned())),
        Some(folder) => Ok(Some(PathBuf::from(folder))),
    }
}

/// The variants that a command line names.
fn solvable(words: &[String], all: bool) -> Result<Vec<Arc<Variant>>, CliError> {
    if all { Ok(solvable_variants()) } else { words.iter().map(|word| find_variant(word)).collect() }
}

/// Set by an interrupt; long work looks at it and ends in order.
pub fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    if let Err(error) = ctrlc::set_handler(move || set.store(true, Ordering::Relaxed)) {
        log::warn!("an interrupt will end the program at once: {error}");
    }
    flag
}

/// Runs a tool.
fn run_tool(tool: Tool, tables: Option<&str>, output: &mut impl Write) -> Result<(), CliError> {
    match tool {
        Tool::Gogui(arguments) => run_gogui(arguments, tables, output),
        Tool::Go { variant, fen, time, depth, nodes, multi_pv, threads, hash, json } => {
            let numbers = [("multi_pv", multi_pv), ("threads", threads), ("hash", hash)];
            let numbers = numbers.into_iter().filter_map(|(name, value)| Some((name, value?.to_string())));
            let options = numbers.chain(tables.map(|choice| ("tables", choice.to_owned()))).collect();
            let request = GoRequest { text: fen, time, depth, nodes, options, json };
            go(&find_variant(&variant)?, &request, output)
        }
        Tool::Perft { variant, depth, fen, divide } => {
            perft(&find_variant(&variant)?, depth, fen.as_deref(), divide, output)
        }
        Tool::Solve { variants, all, threads, memory, rebels, force } => {
            let variants = solvable(&variants, all)?;
            let threads = threads.and_then(|threads| usize::try_from(threads).ok());
            let options = SolveOptions { threads, memory, rebels };
            let request = SolveRequest { folder: tables_folder(tables)?, options, force };
            solve_variants(&variants, &request, output, &interrupt_flag())
        }
        Tool::Tables { action } => {
            let folder = tables_folder(tables)?;
            match action {
                TablesAction::List => list_tables(folder.as_ref(), output),
                TablesAction::Stat { variant } => table_statistics(&find_variant(&variant)?, folder.as_ref(), output),
                TablesAction::Verify { variants, all } => {
                    verify_tables(&solvable(&variants, all)?, folder.as_ref(), output, &interrupt_flag())
                }
                TablesAction::Delete { variant } => delete_table(&find_variant(&variant)?, folder.as_ref(), output),
            }
        }
        Tool::Probe { variant, fen, batch } => {
            let variant = find_variant(&variant)?;
            let folder = tables_folder(tables)?;
            match batch {
                None => probe(&variant, fen.as_deref(), folder.as_ref(), output),
                Some(path) if path.as_os_str() == "-" => {
                    probe_batch(&variant, io::stdin().lock(), folder.as_ref(), output)
                }
                Some(path) => {
                    let file = std::fs::File::open(&path)
                        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
                    probe_batch(&variant, BufReader::new(file), folder.as_ref(), output)
                }
            }
        }
        Tool::Bench { depth } => bench(depth, output),
        Tool::Variants { action } => match action {
            VariantsAction::List => list_variants(output),
            VariantsAction::Show { variant } => show_variant(&variant, output),
            VariantsAction::Check { files } => check_variants(&files, output),
        },
        Tool::Board { variant, fen, moves, ascii, svg, labels, size } => {
            let labels = match labels {
                LabelChoice::None => Labels::None,
                LabelChoice::Edges => Labels::Edges,
                LabelChoice::Points => Labels::Points,
            };
            let svg = svg.then(|| SvgOptions { labels, size_px: size, ..SvgOptions::default() });
            let request = BoardRequest { text: fen, moves, svg, ascii };
            board(&find_variant(&variant)?, &request, output)
        }
        Tool::Replay(arguments) => replay(&arguments, output),
        Tool::Match(arguments) => match_(&arguments, tables, io::stderr().is_terminal(), output, &interrupt_flag()),
        Tool::Compliance(arguments) => compliance(&arguments, output, &interrupt_flag()),
        Tool::Fit(arguments) => fit_weights(&arguments, tables, output, &interrupt_flag()),
        Tool::Completions { shell } => {
            // Into memory first: the generator would panic at a reader that goes away.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "privy", &mut script);
            Ok(output.write_all(&script)?)
        }
    }
}

/// The command line of `privy`, to its exit status.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Err(error) = start_log(cli.log.as_ref()) {
        log::error!("cannot write the log: {error}");
        return ExitCode::from(2);
    }
    let result = match cli.tool {
        Some(_) if cli.protocol_loop.is_given() => {
            Err(CliError::Usage("--variant and --hash before a command are for the protocol loop alone".to_owned()))
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
        Err(CliError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed; there is nobody left to tell then.
            let _ = writeln!(io::stderr(), "privy: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
