//! What old sources claim about these games, proved or refuted by perfect play.
//!
//! Every claim is a computation over whole tables: looking up openings, counting positions, comparing a game with the same
//! game under one changed rule. A verdict holds its figures as integers and names the threshold wherever the claim is
//! vague. The report is the same every time: no times, no dates, and lots drawn from fixed seeds.

mod balance;
mod census;
mod chinese_rebels;
mod choices;
mod comparison;
mod games;
mod juroku;
mod lines;
mod markdown;
mod murray;
mod nanking;
mod overview;
mod plot;
mod pursuit;
mod report;
mod study;
mod terminal;
mod verdict;
mod water;

#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, IsTerminal, LineWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::{Parser, ValueEnum};

use privy::cli::{CliError, TablesArgument, interrupt_flag};
use privy::tablebase::{Progress, SolveOptions};

use overview::{SOLVED, VariantFigures};
use report::VerdictsReport;
use study::Study;
use verdict::Verdict;

/// The claims of RULES.md §8.
const CLAIMS: std::ops::RangeInclusive<u8> = 1..=16;

/// Decide by computation what the sources claim about the games
///
/// Solves what is missing first, games with one rule changed among it.
#[derive(Parser)]
#[command(name = "privy-verdicts", version)]
struct Arguments {
    /// Numbers of claims, 1 to 16; all without them
    claims: Vec<u8>,
    /// How the report is written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Also write the report, its figures and its plots into this folder
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    tables: TablesArgument,
}

/// How to write the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// For a terminal
    #[default]
    Text,
    /// All figures
    Json,
    /// With links to the plots
    Markdown,
}

/// What to decide and how to say it.
#[derive(Debug, Clone, Default)]
struct Request {
    /// Where tables are. Missing ones are solved; games with a changed rule are kept in the folder `verdicts` beside them.
    tables: PathBuf,
    /// How it is written to the output.
    format: Format,
    /// Numbers of claims; all when empty.
    claims: Vec<u8>,
    /// A folder for the report as `VERDICTS.md`, its figures as `verdicts.json`, and its plots.
    folder: Option<PathBuf>,
}

/// What is being done.
#[derive(Debug)]
struct Step<'a> {
    /// In a few words.
    doing: &'a str,
    /// Where the solve stands, if that is what is being done.
    solving: Option<&'a Progress>,
}

fn main() -> ExitCode {
    env_logger::init();
    let Arguments { claims, format, folder, tables } = Arguments::parse();
    let mut progress = |step: &Step<'_>| {
        if io::stderr().is_terminal() {
            let ply = step.solving.map_or_else(String::new, |solving| format!(", ply {}", solving.ply));
            let _ = write!(io::stderr(), "\r\x1b[K{}{ply}", step.doing);
        }
    };
    let mut output = LineWriter::new(io::stdout().lock());
    let result = tables.folder().and_then(|tables| {
        verdicts(&Request { tables, format, claims, folder }, &mut output, &mut progress, &interrupt_flag())
    });
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    CliError::exit_code("privy-verdicts", result)
}

/// Decides claims and writes the report.
///
/// # Errors
/// When a claim has no such number, a table can't be made or read, `stop` was set, or the report can't be written.
fn verdicts(
    request: &Request,
    output: &mut impl Write,
    progress: &mut (dyn FnMut(&Step<'_>) + Send),
    stop: &AtomicBool,
) -> Result<(), CliError> {
    if let Some(claim) = request.claims.iter().find(|claim| !CLAIMS.contains(claim)) {
        return Err(CliError::Usage(format!("claim {claim}: expected 1 to 16")));
    }
    let study = Study::new(request.tables.clone(), SolveOptions::default(), progress, stop);
    let report = decide(study, &request.claims)?;
    if let Some(folder) = &request.folder {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("VERDICTS.md"), report.markdown())?;
        fs::write(folder.join("verdicts.json"), report.json()?)?;
        for (name, plot) in report.plots() {
            fs::write(folder.join(name), plot)?;
        }
    }
    let text = match request.format {
        Format::Text => report.text(),
        Format::Json => report.json()?,
        Format::Markdown => report.markdown(),
    };
    output.write_all(text.as_bytes())?;
    Ok(())
}

fn decide(mut study: Study<'_>, claims: &[u8]) -> Result<VerdictsReport, CliError> {
    let wanted = |claim: &u8| claims.is_empty() || claims.contains(claim);
    let mut verdicts = Vec::new();
    for claim in CLAIMS.filter(wanted) {
        study.say(&format!("claim {claim}"))?;
        verdicts.extend(verdict(&mut study, claim)?);
    }
    // The variants as a whole belong to the whole report.
    let whole: &[&str] = if claims.is_empty() { &SOLVED } else { &[] };
    let variants: Result<Vec<VariantFigures>, CliError> =
        whole.iter().map(|id| VariantFigures::of(&mut study, id)).collect();
    Ok(VerdictsReport { variants: variants?, verdicts })
}

fn verdict(study: &mut Study<'_>, claim: u8) -> Result<Option<Verdict>, CliError> {
    Ok(Some(match claim {
        1 => murray::claim_1(study)?,
        2 => murray::claim_2(study)?,
        3 => chinese_rebels::claim_3(study)?,
        4 => chinese_rebels::claim_4(study)?,
        5 => chinese_rebels::claim_5(study)?,
        6 => balance::claim_6(study)?,
        7 => balance::claim_7(study)?,
        8 => nanking::claim_8()?,
        12 => juroku::claim_12(study)?,
        13 => pursuit::claim_13(study)?,
        14 => water::claim_14(study)?,
        15 => pursuit::claim_15(study)?,
        other => return Ok(nanking::unsolved(other)),
    }))
}
