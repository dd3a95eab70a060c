//! Claims of old sources about these games, proved or refuted by perfect play.
//!
//! Every claim is a computation over whole tables: looking up openings, counting positions, comparing a game with the same
//! game under one changed rule. A verdict holds its figures as integers and names the threshold wherever the claim is
//! vague. The report is the same every time: no times, no dates, and lots drawn from fixed seeds.

mod census;
mod claims;
mod figures;
mod nanking;
mod play;
mod report;
mod study;
mod verdict;

#[cfg(test)]
mod tests;
use privy_protocol::Stop;

use std::fs;
use std::io::{self, IsTerminal, LineWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use privy::cli::{CliError, TablesArgument, interrupt_stop};
use privy::tablebase::Progress;

use claims::COMPUTATIONS;
use figures::{SOLVED, VariantFigures};
use report::Report;
use study::{Listener, Study};
use verdict::Verdict;

/// Decide by computation what the sources claim about the games
///
/// Solves what is missing first, games with one rule changed among it.
#[derive(Parser)]
#[command(name = "privy-verdicts", version)]
struct Arguments {
    /// Numbers of claims, 1 to 16; all without them
    claims: Vec<u8>,
    /// How the report is written
    #[arg(long, value_enum, default_value = "markdown")]
    format: Format,
    /// Also write the report, its figures and its plots into this folder
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    tables: TablesArgument,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// With links to the plots
    Markdown,
    /// All figures
    Json,
}

fn main() -> ExitCode {
    env_logger::init();
    let arguments = Arguments::parse();
    let live = io::stderr().is_terminal();
    let mut listener = |doing: &str, solving: Option<&Progress>| {
        if live {
            let ply = solving.map_or_else(String::new, |solving| format!(", ply {}", solving.ply));
            let _ = write!(io::stderr(), "\r\x1b[K{doing}{ply}");
        }
    };
    let report = arguments
        .tables
        .folder()
        .and_then(|tables| decide(tables, &arguments.claims, &mut listener, &interrupt_stop()));
    if live {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    let result = report.and_then(|report| arguments.write(&report));
    CliError::exit_code("privy-verdicts", result)
}

impl Arguments {
    /// Writes the report to standard output, and to the folder of `--folder`.
    fn write(&self, report: &Report) -> Result<(), CliError> {
        if let Some(folder) = &self.folder {
            fs::create_dir_all(folder)?;
            fs::write(folder.join("VERDICTS.md"), report.markdown())?;
            fs::write(folder.join("verdicts.json"), report.json()?)?;
            for (name, plot) in report.plots() {
                fs::write(folder.join(name), plot)?;
            }
        }
        let text = match self.format {
            Format::Json => report.json()?,
            Format::Markdown => report.markdown(),
        };
        let mut output = LineWriter::new(io::stdout().lock());
        Ok(output.write_all(text.as_bytes()).and_then(|()| output.flush())?)
    }
}

/// Decides claims; all of them where the list is empty.
fn decide<'a>(
    tables: PathBuf,
    claims: &[u8],
    listener: &'a mut Listener<'a>,
    stop: &'a Stop,
) -> Result<Report, CliError> {
    if let Some(claim) = claims.iter().find(|claim| !(1..=COMPUTATIONS.len()).contains(&usize::from(**claim))) {
        return Err(CliError::Usage(format!("claim {claim}: expected 1 to {}", COMPUTATIONS.len())));
    }
    let mut study = Study::new(tables, listener, stop);
    let mut verdicts = Vec::new();
    for (claim, compute) in (1..).zip(COMPUTATIONS).filter(|(claim, _)| claims.is_empty() || claims.contains(claim)) {
        study.say(&format!("claim {claim}"))?;
        let mut verdict = Verdict::on(claim);
        compute(&mut study, &mut verdict)?;
        verdicts.push(verdict);
    }
    // Only the report of all claims has the figures of whole variants.
    let whole: &[&str] = if claims.is_empty() { &SOLVED } else { &[] };
    let variants: Result<_, CliError> = whole.iter().map(|id| VariantFigures::of(&mut study, id)).collect();
    Ok(Report { variants: variants?, verdicts })
}
