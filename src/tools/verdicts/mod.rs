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
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::tablebase::{Progress, SolveOptions, default_folder};

use super::ToolError;
use overview::{SOLVED, VariantFigures};
use study::Study;
use verdict::Verdict;

pub use report::VerdictsReport;

/// The claims of RULES.md §8.
const CLAIMS: std::ops::RangeInclusive<u8> = 1..=16;

/// How to write the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VerdictsFormat {
    /// For a terminal.
    #[default]
    Text,
    /// All figures as one JSON object.
    Json,
    /// As Markdown with its plots linked.
    Markdown,
}

/// What to decide and how to say it.
#[derive(Debug, Clone, Default)]
pub struct VerdictsRequest {
    /// Where tables are; the user's cache folder when none. Missing ones are solved; games with a changed rule are kept
    /// in the folder `verdicts` beside them.
    pub tables: Option<PathBuf>,
    /// How it is written to the output.
    pub format: VerdictsFormat,
    /// Numbers of claims; all when empty.
    pub claims: Vec<u8>,
    /// A folder for the report as `VERDICTS.md`, its figures as `verdicts.json`, and its plots.
    pub folder: Option<PathBuf>,
    /// How missing tables are solved.
    pub solving: SolveOptions,
}

/// What is being done.
#[derive(Debug)]
pub struct VerdictsStep<'a> {
    /// In a few words.
    pub doing: &'a str,
    /// Where the solve stands, if that is what is being done.
    pub solving: Option<&'a Progress>,
}

/// Decides claims and writes the report.
///
/// # Errors
/// When a claim has no such number, a table can't be made or read, `stop` was set, or the report can't be written.
pub fn verdicts(
    request: &VerdictsRequest,
    output: &mut impl Write,
    progress: &mut (dyn FnMut(&VerdictsStep<'_>) + Send),
    stop: &AtomicBool,
) -> Result<(), ToolError> {
    if let Some(claim) = request.claims.iter().find(|claim| !CLAIMS.contains(claim)) {
        return Err(ToolError::Usage(format!("claim {claim}: expected 1 to 16")));
    }
    let folder = request.tables.clone().map_or_else(default_folder, Ok)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(request.solving.threads.unwrap_or(0)).build();
    let pool = pool.map_err(io::Error::other)?;
    let study = Study::new(folder, request.solving.clone(), progress, stop);
    let report = pool.install(|| decide(study, &request.claims))?;
    if let Some(folder) = &request.folder {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("VERDICTS.md"), report.markdown())?;
        fs::write(folder.join("verdicts.json"), report.json()?)?;
        for (name, plot) in report.plots() {
            fs::write(folder.join(name), plot)?;
        }
    }
    let text = match request.format {
        VerdictsFormat::Text => report.text(),
        VerdictsFormat::Json => report.json()?,
        VerdictsFormat::Markdown => report.markdown(),
    };
    output.write_all(text.as_bytes())?;
    Ok(())
}

fn decide(mut study: Study<'_>, claims: &[u8]) -> Result<VerdictsReport, ToolError> {
    let wanted = |claim: &u8| claims.is_empty() || claims.contains(claim);
    let mut verdicts = Vec::new();
    for claim in CLAIMS.filter(wanted) {
        study.say(&format!("claim {claim}"))?;
        verdicts.extend(verdict(&mut study, claim)?);
    }
    // The variants as a whole belong to the whole report.
    let whole: &[&str] = if claims.is_empty() { &SOLVED } else { &[] };
    let variants: Result<Vec<VariantFigures>, ToolError> =
        whole.iter().map(|id| VariantFigures::of(&mut study, id)).collect();
    Ok(VerdictsReport { variants: variants?, verdicts })
}

fn verdict(study: &mut Study<'_>, claim: u8) -> Result<Option<Verdict>, ToolError> {
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
