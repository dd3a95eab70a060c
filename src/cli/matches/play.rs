//! A match played from the command line, or taken up again.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use privy_protocol::adopt_orphans;

use crate::cli::common::{TablesArgument, find_variant, interrupt_flag};
use crate::cli::error::CliError;
use crate::path_choice::PathChoice;
use crate::rules::Variant;
use crate::tablebase::{Table, Tables};
use crate::tournament::{Conduct, GameEntry, Match, MatchError, MatchEvent, MatchFile, Settings, SuspendClock};

use super::arguments::{ConductArguments, MatchArguments, MatchCommand};
use super::ledger::{Ledger, failed};

impl MatchArguments {
    /// A line about every game goes to `output`, or, on a terminal, a table that grows goes to standard error; at the end
    /// the figures.
    pub(in crate::cli) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        if let Some(MatchCommand::Merge(merge)) = &self.command {
            return merge.run(output);
        }
        let interrupted = interrupt_flag();
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
                        let (file, played) = part_begun(path, &settings)?;
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
        if let Err(error) = adopt_orphans() {
            log::warn!("what engines start may outlive them: {error}");
        }
        let time = SuspendClock::default();
        if let Err(error) = time.watch() {
            log::warn!("the match cannot be suspended with its engines: {error}");
        }
        let carried_out = Conduct {
            concurrency: usize::try_from(conduct.concurrency).unwrap_or(1),
            engine_stderr: conduct.stderr.clone().or_else(|| conduct.errors_beside_file()),
            interrupted,
            time,
        };
        let finish = if ledger.is_decided() {
            Ok(())
        } else {
            let known = ledger.numbers();
            game.play(
                &carried_out,
                |number| known.contains(&number),
                |event| match event {
                    MatchEvent::Game(entry) => ledger.add(*entry, output),
                    MatchEvent::Remark(remark) => {
                        ledger.remark(remark);
                        Ok(ControlFlow::Continue(()))
                    }
                },
            )
        };
        ledger.end(output)?;
        match finish {
            Err(MatchError::Caller(error)) => Err(error),
            Err(MatchError::Interrupted) => Err(CliError::Interrupted(conduct.how_to_go_on(&ledger))),
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

    fn how_to_go_on(&self, ledger: &Ledger) -> String {
        let progress = ledger.progress();
        match self.match_file() {
            Some(path) => format!("{progress}; privy match --resume {} --trust goes on", path.display()),
            None => format!("{progress}; with --file the match could be resumed"),
        }
    }
}

/// Is it a file that is not empty?
fn has_text(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

/// A part that the same command has begun, and its games.
fn part_begun(path: &Path, settings: &Settings) -> Result<(MatchFile, Vec<GameEntry>), CliError> {
    let (file, known, played) = MatchFile::open(path).map_err(failed)?;
    match settings.as_read().difference(&known) {
        None => Ok((file, played)),
        Some(name) => {
            let part = settings.part();
            let path = path.display();
            Err(CliError::Match(format!(
                "{path}: expected part {part} of the match of this command, found another: {name} differs"
            )))
        }
    }
}

/// The programs that a match file would start. The file may be anybody's; the user has not named them on this command line.
fn programs_of(path: &Path, settings: &Settings) -> String {
    let mut text = format!("{} starts these programs; --trust lets it:", path.display());
    for engine in &settings.engines {
        let folder = engine.folder.as_deref().unwrap_or(Path::new("."));
        text += &format!("\n  {}: {:?} in {}", engine.title(), engine.command, folder.display());
    }
    text
}

/// The variant of a match that is resumed: its rules must be what they were.
fn same_variant(settings: &Settings) -> Result<Arc<Variant>, CliError> {
    let variant = find_variant(&settings.variant)?;
    if variant.fingerprint() != settings.fingerprint {
        let (expected, found) = (&settings.fingerprint, variant.fingerprint());
        let name = &settings.variant;
        return Err(CliError::File(format!("{name}: expected the rules {expected} of the match, found {found}")));
    }
    Ok(variant)
}

/// The table of the variant. A missing one matters only to those who want games decided by it.
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
