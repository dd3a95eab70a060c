//! Claims of old sources about these games, proved or refuted by perfect play.
//!
//! Every claim is a computation over whole tables: looking up openings, counting positions, comparing a game with the
//! same game under one changed rule. A verdict holds its figures as integers and names the threshold wherever the claim
//! is vague. The report is the same every time: no times, no dates, and random choices from fixed seeds.

mod census;
mod claims;
mod figures;
mod nanking;
mod play;
mod report;
mod study;
#[cfg(test)]
mod tests;
mod verdict;

use std::fs;
use std::io::{self, IsTerminal, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, ValueEnum};
use privy_base::threads::on_all_cores;
use privy_program::{CliError, TablesArgument, interrupt_stop, outlive_limits, read_arguments, within};
use privy_protocol::Stop;
use privy_tables::Progress;

use claims::COMPUTATIONS;
use figures::{SOLVED, VariantFigures};
use report::VerdictReport;
use study::{Listener, Study};
use verdict::ClaimVerdict;

/// Decide by computation what the sources claim about the games
///
/// Solves what is missing first, games with one rule changed among it.
#[derive(Parser)]
#[command(
    name = "privy-verdicts",
    version,
    after_help = "Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."
)]
struct VerdictsCommandLine {
    /// Numbers of claims; all without them
    #[arg(value_parser = within(1..=COMPUTATIONS.len() as u8))]
    claims: Vec<u8>,
    /// How the report is written
    #[arg(long, value_enum, default_value = "markdown")]
    format: ReportFormat,
    /// Also write the report, its figures and its plots into this folder
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    tables: TablesArgument,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReportFormat {
    /// With links to the plots
    Markdown,
    /// All figures
    Json,
}

impl VerdictsCommandLine {
    /// Writes the report to standard output, and to the folder of `--folder`.
    fn run(&self, stop: &Stop) -> Result<(), CliError> {
        let live = io::stderr().is_terminal();
        let mut listener = |doing: &str, solving: Option<&Progress>| {
            if live {
                let ply = solving.map_or_else(String::new, |solving| format!(", ply {}", solving.ply));
                let _ = write!(io::stderr(), "\r\x1b[K{doing}{ply}");
            }
        };
        let report = decide(self.tables.folder()?, &self.claims, &mut listener, stop);
        if live {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        let report = report?;
        if let Some(folder) = &self.folder {
            fs::create_dir_all(folder)?;
            fs::write(folder.join("VERDICTS.md"), report.markdown())?;
            fs::write(folder.join("verdicts.json"), report.json()?)?;
            for (name, plot) in report.plots() {
                fs::write(folder.join(name), plot)?;
            }
        }
        let text = match self.format {
            ReportFormat::Json => report.json()?,
            ReportFormat::Markdown => report.markdown(),
        };
        Ok(io::stdout().write_all(text.as_bytes())?)
    }
}

/// Decides claims; all of them where the list is empty.
fn decide<'a>(
    tables: PathBuf,
    claims: &[u8],
    listener: &'a mut Listener<'a>,
    stop: &'a Stop,
) -> Result<VerdictReport, CliError> {
    let mut study = Study::new(tables, listener, stop);
    let mut verdicts = Vec::new();
    for (claim, compute) in (1..).zip(COMPUTATIONS).filter(|(claim, _)| claims.is_empty() || claims.contains(claim)) {
        study.say(&format!("claim {claim}"))?;
        let mut verdict = ClaimVerdict::on(claim);
        let computed = compute(&mut study, &mut verdict);
        // After a stop figures mean nothing.
        study.say(&format!("claim {claim} is decided"))?;
        computed?;
        verdicts.push(verdict);
    }
    // Only the report of all claims has the figures of whole variants.
    let whole: &[&str] = if claims.is_empty() { &SOLVED } else { &[] };
    let variants: Result<_, CliError> = whole.iter().map(|id| VariantFigures::of(&mut study, id)).collect();
    study.say("all figures are there")?;
    Ok(VerdictReport { variants: variants?, verdicts })
}

fn command_line() -> clap::Command {
    VerdictsCommandLine::command()
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let arguments: VerdictsCommandLine = match read_arguments("privy-verdicts", command_line()) {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    outlive_limits();
    let stop = interrupt_stop();
    CliError::exit_code("privy-verdicts", on_all_cores(|| arguments.run(&stop)))
}
