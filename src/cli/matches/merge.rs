//! `privy match merge`: the parts of a match as if it had been played in one run.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::cli::error::CliError;
use crate::part::{Part, PartFiles};
use crate::tournament::{GameEntry, MatchFile, Settings};

use super::ledger::{Ledger, failed};

/// Put the parts of a match together: the figures and records of one run
///
/// Games count in the order of the schedule, up to the one with which a test finds its answer. What is missing is named, and the status is 1
/// then; a part that is still being played may be looked at.
#[derive(Args)]
pub(super) struct MergeArguments {
    /// The files of the parts
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the records of all games, as text, into a new file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write the figures as JSON
    #[arg(long)]
    json: bool,
}

/// A match, as far as its parts are there.
struct Parts<'a> {
    settings: Settings,
    files: PartFiles<'a>,
    games: BTreeMap<u64, GameEntry>,
}

impl MergeArguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let mut parts = Parts::read(&self.files)?;
        let settings = Settings { part: None, ..parts.settings.clone() };
        let mut ledger = Ledger::new(&settings, None, self.record.as_deref(), false, self.json)?;
        for scheduled in settings.schedule().games_of(Part::WHOLE) {
            let Some(entry) = parts.games.remove(&scheduled.number) else {
                parts.files.miss(scheduled.pair);
                continue;
            };
            ledger.count(&entry)?;
            // Behind a gap nobody knows whether the match has come so far.
            if parts.files.is_complete() && ledger.is_over_with(&entry) {
                break;
            }
        }
        ledger.end(output)?;
        ledger.verdict()?;
        if parts.files.is_complete() {
            return Ok(());
        }
        let missing = parts.files.missing();
        Err(CliError::Match(format!("the match is not whole: expected all its parts, missing: {missing}")))
    }
}

impl<'a> Parts<'a> {
    /// Reads files, which must be different parts of one match.
    fn read(files: &'a [PathBuf]) -> Result<Parts<'a>, CliError> {
        let mut parts: Option<Parts<'a>> = None;
        for path in files {
            let (settings, games) = MatchFile::read(path).map_err(failed)?;
            let part = settings.part();
            let parts = parts.get_or_insert_with(|| Parts {
                settings: settings.clone(),
                files: PartFiles::default(),
                games: BTreeMap::new(),
            });
            if let Some(name) = settings.in_common().difference(&parts.settings.in_common()) {
                let first = files.first().map(|path| path.display().to_string()).unwrap_or_default();
                let what = format!("expected a part of the match of {first}, found one of another: {name} differs");
                return Err(CliError::Match(format!("{}: {what}", path.display())));
            }
            parts.files.add(part, path).map_err(CliError::Match)?;
            parts.games.extend(games.into_iter().map(|game| (game.report.number, game)));
        }
        parts.ok_or_else(|| CliError::Usage("FILES: expected at least one".to_owned()))
    }
}
