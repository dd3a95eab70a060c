//! From words to work.

use std::io::{self, BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::CommandFactory;

use privy::render::{Labels, SvgOptions};
use privy::rules::Variant;
use privy::tablebase::SolveOptions;
use privy::tools::{
    self, BoardRequest, GoRequest, SolveRequest, ToolError, VerdictsFormat, VerdictsRequest, VerdictsStep,
};

use super::loops::run_gogui;
use super::{Cli, FormatChoice, LabelChoice, TablesAction, Tool, VariantsAction};

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

/// Runs a tool.
pub(crate) fn run_tool(tool: Tool, tables: Option<&str>, output: &mut impl Write) -> Result<(), ToolError> {
    match tool {
        Tool::Gogui(arguments) => run_gogui(arguments, tables, output),
        Tool::Go { variant, fen, time, depth, nodes, multi_pv, threads, hash, json } => {
            let numbers = [("multi_pv", multi_pv), ("threads", threads), ("hash", hash)];
            let numbers = numbers.into_iter().filter_map(|(name, value)| Some((name, value?.to_string())));
            let options = numbers.chain(tables.map(|choice| ("tables", choice.to_owned()))).collect();
            let request = GoRequest { text: fen, time, depth, nodes, options, json };
            tools::go(&tools::find_variant(&variant)?, &request, output)
        }
        Tool::Perft { variant, depth, fen, divide } => {
            tools::perft(&tools::find_variant(&variant)?, depth, fen.as_deref(), divide, output)
        }
        Tool::Solve { variants, all, threads, memory, rebels, force } => {
            let variants = solvable(&variants, all)?;
            let threads = threads.and_then(|threads| usize::try_from(threads).ok());
            let options = SolveOptions { threads, memory, rebels };
            let request = SolveRequest { folder: tables_folder(tables)?, options, force };
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
        Tool::Replay(arguments) => tools::replay(&arguments, output),
        Tool::Match(arguments) => {
            tools::match_(&arguments, tables, io::stderr().is_terminal(), output, &interrupt_flag())
        }
        Tool::Compliance(arguments) => tools::compliance(&arguments, output, &interrupt_flag()),
        Tool::Fit(arguments) => tools::fit_weights(&arguments, tables, output, &interrupt_flag()),
        Tool::Completions { shell } => {
            // Into memory first: the generator would panic at a reader that goes away.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "privy", &mut script);
            Ok(output.write_all(&script)?)
        }
    }
}
