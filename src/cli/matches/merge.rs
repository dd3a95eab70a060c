//! `privy match merge`: the parts of a match as if it had been played in one run.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::CliError;
use crate::tournament::{GameEntry, MatchFile, Part, Settings};

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
    files: BTreeMap<Part, &'a Path>,
    games: BTreeMap<u64, GameEntry>,
}

impl MergeArguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let mut parts = Parts::read(&self.files)?;
        let settings = Settings { part: None, ..parts.settings.clone() };
        let mut ledger = Ledger::new(&settings, None, self.record.as_deref(), false, self.json)?;
        let number_of_parts = parts.settings.part().of;
        let mut missing: BTreeMap<Part, u64> = BTreeMap::new();
        for scheduled in settings.schedule().games_of(Part::WHOLE) {
            let Some(entry) = parts.games.remove(&scheduled.number) else {
                *missing.entry(Part::with(scheduled.pair, number_of_parts)).or_default() += 1;
                continue;
            };
            ledger.count(&entry)?;
            // Behind a gap nobody knows whether the match has come so far.
            if missing.is_empty() && ledger.is_over_with(&entry) {
                break;
            }
        }
        ledger.end(output)?;
        ledger.verdict()?;
        let what = |(part, games): (&Part, &u64)| match parts.files.get(part) {
            None => format!("part {part}"),
            Some(path) => format!("{games} games of part {part}, {}", path.display()),
        };
        if missing.is_empty() {
            return Ok(());
        }
        let missing: Vec<String> = missing.iter().map(what).collect();
        Err(CliError::Match(format!("the match is not whole: expected all its parts, missing: {}", missing.join("; "))))
    }
}

impl<'a> Parts<'a> {
    /// Reads files, which must be different parts of one match.
    fn read(files: &'a [PathBuf]) -> Result<Parts<'a>, CliError> {
        let mut parts: Option<Parts<'a>> = None;
        for path in files {
            let (settings, games) = MatchFile::read(path).map_err(failed)?;
            let part = settings.part();
            let wrong = |what: String| Err(CliError::Match(format!("{}: {what}", path.display())));
            let parts = parts.get_or_insert_with(|| Parts {
                settings: settings.clone(),
                files: BTreeMap::new(),
                games: BTreeMap::new(),
            });
            if let Some(name) = settings.in_common().difference(&parts.settings.in_common()) {
                let first = files.first().map(|path| path.display().to_string()).unwrap_or_default();
                return wrong(format!("expected a part of the match of {first}, found one of another: {name} differs"));
            }
            let of = parts.settings.part().of;
            if part.of != of {
                return wrong(format!("expected one of {of} parts, found part {part}"));
            }
            if let Some(other) = parts.files.insert(part, path) {
                return wrong(format!("expected another part than that of {}, found part {part}", other.display()));
            }
            parts.games.extend(games.into_iter().map(|game| (game.report.number, game)));
        }
        parts.ok_or_else(|| CliError::Usage("FILES: expected at least one".to_owned()))
    }
}
