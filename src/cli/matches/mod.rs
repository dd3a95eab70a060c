//! `privy match`: matches between engines, played or resumed, and the parts of a match merged.

mod arguments;
mod ledger;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::part::{Part, PartFiles};
use crate::path_choice::PathChoice;
use crate::rules::Variant;
use crate::tablebase::{Table, Tables};
use crate::tournament::{Conduct, GameEntry, Match, MatchError, MatchEvent, MatchFile, Settings, SuspendClock};

use super::common::{TablesArgument, adopt_orphans, find_variant, interrupt_stop};
use super::error::CliError;

use arguments::{ConductArguments, MatchCommand, MergeArguments};
use ledger::{Ledger, failed};

pub(super) use arguments::MatchArguments;

impl MatchArguments {
    /// Writes a line about every game, or, on a terminal, a growing table to standard error; at the end the figures.
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        if let Some(MatchCommand::Merge(merge)) = &self.command {
            return merge.run(output);
        }
        let interrupted = interrupt_stop();
        let live = io::stderr().is_terminal();
        let conduct = &self.conduct;
        let (settings, variant, file, played) = match &conduct.resume {
            Some(path) => {
                let (file, settings, played) = MatchFile::open(path).map_err(failed)?;
                if !conduct.trust {
                    return Err(CliError::Usage(programs_of(path, &settings)));
                }
                let variant = same_variant(&settings)?;
                (settings, variant, Some(file), played)
            }
            None => {
                let (settings, variant) = self.settings.read(tables, &interrupted)?;
                match &conduct.file {
                    Some(path) if settings.part.is_some() && has_text(path) => {
                        let (file, played) = resumed_part(path, &settings)?;
                        (settings, variant, Some(file), played)
                    }
                    _ => (settings, variant, None, Vec::new()),
                }
            }
        };
        let table = table(&settings, &variant)?;
        let game = Match { settings, variant, table };
        // Before anything is written: a match that can't begin leaves no file.
        game.check().map_err(|error| CliError::Usage(error.to_string()))?;
        let file = match (file, &conduct.file) {
            (None, Some(path)) => Some(MatchFile::create(path, &game.settings).map_err(failed)?),
            (file, _) => file,
        };
        let mut ledger = Ledger::new(&game.settings, file, conduct.record.as_deref(), live, conduct.json)?;
        for entry in played {
            ledger.count(&entry)?;
        }
        adopt_orphans("what engines start may outlive them");
        let time = SuspendClock::default();
        if let Err(error) = time.watch() {
            log::warn!("the match cannot be suspended with its engines: {error}");
        }
        let conducted = Conduct {
            concurrency: usize::try_from(conduct.concurrency).unwrap_or(1),
            engine_stderr: conduct.stderr.clone().or_else(|| conduct.errors_beside_file()),
            interrupted,
            time,
        };
        let finish = if ledger.is_decided() {
            Ok(())
        } else {
            let known = ledger.numbers().clone();
            game.play(
                &conducted,
                |number| known.contains(&number),
                |event| match event {
                    MatchEvent::Game(entry) => ledger.add(*entry, output),
                    MatchEvent::Remark(remark) => {
                        ledger.remark(&remark);
                        Ok(ControlFlow::Continue(()))
                    }
                },
            )
        };
        ledger.end(output)?;
        match finish {
            Err(MatchError::Caller(error)) => Err(error),
            Err(MatchError::Interrupted) => Err(CliError::Interrupted(conduct.how_to_resume(&ledger))),
            Err(error) => Err(failed(error)),
            Ok(()) => ledger.verdict(),
        }
    }
}

impl ConductArguments {
    /// The match file, new or old.
    fn match_file(&self) -> Option<&Path> {
        self.file.as_deref().or(self.resume.as_deref())
    }

    fn errors_beside_file(&self) -> Option<PathBuf> {
        let mut path = self.match_file()?.as_os_str().to_owned();
        path.push(".stderr");
        Some(PathBuf::from(path))
    }

    fn how_to_resume(&self, ledger: &Ledger<'_>) -> String {
        let progress = ledger.progress();
        match self.match_file() {
            Some(path) => format!("{progress}; privy match --resume {} --trust goes on", path.display()),
            None => format!("{progress}; with --file the match could be resumed"),
        }
    }
}

fn has_text(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

/// The file and the games of a part that an earlier run of the same command has begun.
fn resumed_part(path: &Path, settings: &Settings) -> Result<(MatchFile, Vec<GameEntry>), CliError> {
    let (file, known, played) = MatchFile::open(path).map_err(failed)?;
    let Some(name) = settings.as_read().difference(&known) else { return Ok((file, played)) };
    let (part, path) = (settings.part(), path.display());
    Err(CliError::Failed(format!(
        "{path}: expected part {part} of the match of this command, found another: {name} differs"
    )))
}

/// The programs that a match file of unknown origin would start: the user has not named them on this command line.
fn programs_of(path: &Path, settings: &Settings) -> String {
    let mut text = format!("{} starts these programs; --trust lets it:", path.display());
    for engine in &settings.engines {
        let folder = engine.folder.as_deref().unwrap_or(Path::new("."));
        text += &format!("\n  {}: {:?} in {}", engine.title(), engine.command, folder.display());
    }
    text
}

/// The variant of a resumed match, whose rules must not have changed.
fn same_variant(settings: &Settings) -> Result<Arc<Variant>, CliError> {
    let variant = find_variant(&settings.variant)?;
    if variant.fingerprint() != settings.fingerprint {
        let (expected, found) = (&settings.fingerprint, variant.fingerprint());
        let name = &settings.variant;
        return Err(CliError::File(format!("{name}: expected the rules {expected} of the match, found {found}")));
    }
    Ok(variant)
}

/// The table of the variant. A missing one is an error only where it decides games.
fn table(settings: &Settings, variant: &Arc<Variant>) -> Result<Option<Arc<Table>>, CliError> {
    match Tables::new(PathChoice::from(settings.tables.as_str())).find(variant) {
        Ok(table) => Ok(Some(table)),
        Err(error) if settings.adjudication.table_from.is_some() => Err(error.into()),
        Err(error) => {
            log::debug!("games are not compared with perfect play: {error}");
            Ok(None)
        }
    }
}

impl MergeArguments {
    fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let (settings, mut files, mut games) = self.read()?;
        let settings = Settings { part: None, ..settings };
        let mut ledger = Ledger::new(&settings, None, self.record.as_deref(), false, self.json)?;
        for scheduled in settings.schedule().games_of(Part::WHOLE) {
            let Some(entry) = games.remove(&scheduled.number) else {
                files.miss(scheduled.pair);
                continue;
            };
            ledger.count(&entry)?;
            // A missing earlier game may have been played, or not: only games without a gap before them can end the match.
            if files.is_complete() && ledger.is_over_with(&entry) {
                break;
            }
        }
        ledger.end(output)?;
        ledger.verdict()?;
        if files.is_complete() {
            return Ok(());
        }
        let missing = files.missing();
        Err(CliError::Failed(format!("the match is not whole: expected all its parts, missing: {missing}")))
    }

    /// Reads the files, which must be different parts of one match: settings of the first, files, and games by number.
    fn read(&self) -> Result<(Settings, PartFiles<'_>, BTreeMap<u64, GameEntry>), CliError> {
        let (mut first, mut files, mut all) = (None::<(&Path, Settings)>, PartFiles::default(), BTreeMap::new());
        for path in &self.files {
            let (settings, games) = MatchFile::read(path).map_err(failed)?;
            let part = settings.part();
            let (first, common) = first.get_or_insert_with(|| (path, settings.clone()));
            if let Some(name) = settings.in_common().difference(&common.in_common()) {
                let first = first.display();
                let what = format!("expected a part of the match of {first}, found one of another: {name} differs");
                return Err(CliError::Failed(format!("{}: {what}", path.display())));
            }
            files.add(part, path).map_err(CliError::Failed)?;
            all.extend(games.into_iter().map(|game| (game.report.number, game)));
        }
        let (_, settings) = first.ok_or_else(|| CliError::Usage("FILES: expected at least one".to_owned()))?;
        Ok((settings, files, all))
    }
}
