//! `privy match`: matches between engines, played or resumed, and the parts of a match merged.

mod arguments;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use privy_base::bounded_read::open_file;
use privy_base::message::{safe_json, sanitized};
use privy_base::path_choice::PathChoice;
use privy_referee::part::{Part, PartFiles};
use privy_referee::statistics::{Display, SprtVerdict, Standings, Summary};
use privy_referee::{
    Conduct, FaultKind, GameEntry, Match, MatchError, MatchEvent, MatchFile, Remark, Settings, SuspendClock,
};
use privy_rules::Variant;
use privy_tables::{Table, TableError, Tables};

use super::common::{TablesArgument, adopt_orphans, find_variant, interrupt_stop};
use super::error::CliError;

use arguments::{ConductArguments, MatchCommand, MergeArguments};

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
        let (game, file, played) = match &conduct.resume {
            Some(path) => {
                let (file, game, played) = MatchFile::open(path, prepared).map_err(failed)?;
                if !conduct.trust {
                    return Err(CliError::Usage(programs_of(path, &game.settings)));
                }
                (game, Some(file), played)
            }
            None => {
                let (settings, variant) = self.settings.read(tables, &interrupted)?;
                match &conduct.file {
                    Some(path) if settings.part.is_some() && has_text(path) => {
                        let (file, game, played) = resumed_part(path, &settings)?;
                        (game, Some(file), played)
                    }
                    _ => (with_table(settings, variant)?, None, Vec::new()),
                }
            }
        };
        // Before anything is written: a match that can't begin leaves no file.
        game.check().map_err(|error| CliError::Usage(error.to_string()))?;
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
        let known: BTreeSet<u64> = played.iter().map(|entry| entry.report.number).collect();
        game.try_engines(&conducted, |number| known.contains(&number)).map_err(|error| match error {
            MatchError::<CliError>::Interrupted => {
                CliError::Interrupted("before the first game of this run".to_owned())
            }
            error => failed(error),
        })?;
        let file = match (file, &conduct.file) {
            (None, Some(path)) => Some(MatchFile::create(path, &game.settings).map_err(failed)?),
            (file, _) => file,
        };
        let mut ledger = Ledger::new(&game.settings, file, conduct.record.as_deref(), live, conduct.json)?;
        for entry in played {
            ledger.count(&entry)?;
        }
        let finish = if ledger.is_decided() {
            Ok(())
        } else {
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

/// The file, the match and the games of a part that an earlier run of the same command has begun.
fn resumed_part(path: &Path, settings: &Settings) -> Result<(MatchFile, Match, Vec<GameEntry>), CliError> {
    let prepare = |known: Settings| match settings.as_read().difference(&known) {
        None => prepared(known),
        Some(name) => {
            let expected = format!("expected part {} of the match of this command", settings.part());
            Err(CliError::Failed(format!("{expected}, found another: {name} differs")))
        }
    };
    MatchFile::open(path, prepare).map_err(failed)
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

/// The match of a file.
fn prepared(settings: Settings) -> Result<Match, CliError> {
    let variant = find_variant(&settings.variant)?;
    check_rules(&settings, &variant)?;
    with_table(settings, variant)
}

/// The rules of a match in a file must not have changed.
fn check_rules(settings: &Settings, variant: &Variant) -> Result<(), CliError> {
    let (expected, found, name) = (&settings.fingerprint, variant.fingerprint(), &settings.variant);
    if found == expected {
        return Ok(());
    }
    Err(CliError::File(format!("{name}: expected the rules {expected} of the match, found {found}")))
}

fn find_table(settings: &Settings, variant: &Arc<Variant>) -> Result<Arc<Table>, TableError> {
    Tables::new(PathChoice::from(settings.tables.as_str())).find(variant)
}

/// A match with the table of its variant. A missing one is an error only where it decides games.
fn with_table(settings: Settings, variant: Arc<Variant>) -> Result<Match, CliError> {
    let table = match find_table(&settings, &variant) {
        Ok(table) => Some(table),
        Err(error) if settings.adjudication.table_from.is_some() => return Err(error.into()),
        Err(error) => {
            log::debug!("games are not compared with perfect play: {error}");
            None
        }
    };
    Ok(Match { settings, variant, table })
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
        let given = self.variant.as_ref().map(find_variant).transpose()?;
        for path in &self.files {
            let prepare = |settings: Settings| -> Result<Match, CliError> {
                if let Some((first, common)) = &first
                    && let Some(name) = settings.in_common().difference(&common.in_common())
                {
                    let first = first.display();
                    let what = format!("expected a part of the match of {first}, found one of another: {name} differs");
                    return Err(CliError::Failed(what));
                }
                let variant = given.clone().map_or_else(|| find_variant(&settings.variant), Ok)?;
                check_rules(&settings, &variant)?;
                // Games that a table has decided are checked by it if it is here.
                let table = find_table(&settings, &variant).ok();
                Ok(Match { settings, variant, table })
            };
            let (Match { settings, .. }, games) = MatchFile::read(path, prepare).map_err(failed)?;
            files.add(settings.part(), path).map_err(CliError::Failed)?;
            all.extend(games.into_iter().map(|game| (game.report.number, game)));
            first.get_or_insert((path, settings));
        }
        let (_, settings) = first.ok_or_else(|| CliError::Usage("FILES: expected at least one".to_owned()))?;
        Ok((settings, files, all))
    }
}

/// The results of a match: its file, records, standings, and their display.
struct Ledger<'a> {
    settings: &'a Settings,
    /// Games to play, of this part.
    games: u64,
    json: bool,
    file: Option<MatchFile>,
    records: Option<(PathBuf, File)>,
    standings: Standings,
    numbers: BTreeSet<u64>,
    display: Display,
    /// Counts of faults that cost an engine nothing.
    remarks: BTreeMap<(String, FaultKind), u64>,
    /// The fault that has ended the match.
    fatal: Option<String>,
}

impl<'a> Ledger<'a> {
    /// A ledger without games. Creates the file of records.
    fn new(
        settings: &'a Settings,
        file: Option<MatchFile>,
        records: Option<&Path>,
        live: bool,
        json: bool,
    ) -> Result<Ledger<'a>, CliError> {
        let schedule = settings.schedule();
        let games = schedule.games_of(settings.part()).count() as u64;
        let names = settings.engines.iter().map(|engine| engine.title().to_owned());
        let records = records.map(|path| {
            // When a match is resumed, its games are written anew: the last record may be incomplete. A file of another kind stays.
            let is_again = file.is_some() && path.exists();
            if is_again && !holds_records(path) {
                return Err(CliError::cannot_save(path)("expected a file of game records or a new name"));
            }
            let opened = if is_again { File::create(path) } else { File::create_new(path) };
            opened.map(|file| (path.to_owned(), file)).map_err(CliError::cannot_save(path))
        });
        Ok(Ledger {
            settings,
            games,
            json,
            file,
            records: records.transpose()?,
            standings: Standings::new(names),
            numbers: BTreeSet::new(),
            display: Display::new(schedule.games(), games, settings.sprt, live),
            remarks: BTreeMap::new(),
            fatal: None,
        })
    }

    fn progress(&self) -> String {
        format!("{} of {} games have been played", self.numbers.len(), self.games)
    }

    /// Counts a game, which is in the file already.
    fn count(&mut self, entry: &GameEntry) -> Result<(), CliError> {
        self.standings.add(&entry.report);
        self.numbers.insert(entry.report.number);
        for remark in &entry.remarks {
            self.count_remark(remark);
        }
        if let Some((path, records)) = &mut self.records {
            let between = if self.numbers.len() > 1 { "\n" } else { "" };
            write!(records, "{between}{}", entry.record).map_err(CliError::cannot_save(path))?;
        }
        Ok(())
    }

    /// Writes a finished game to the file, counts and displays it.
    fn add(&mut self, entry: GameEntry, output: &mut impl Write) -> Result<ControlFlow<()>, CliError> {
        if let Some(file) = &mut self.file {
            file.add(&entry).map_err(failed)?;
        }
        self.count(&entry)?;
        entry.remarks.iter().for_each(warn);
        if self.json {
            // Standard output has the figures alone. On a terminal there is the table.
            self.display.game(&entry.report, &self.standings, &mut std::io::sink())?;
        } else {
            self.display.game(&entry.report, &self.standings, output)?;
        }
        Ok(if self.is_over_with(&entry) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// True if the match ends with this counted game.
    fn is_over_with(&mut self, entry: &GameEntry) -> bool {
        if let Some(kind) = entry.report.fault.filter(|kind| !kind.leaves_engine_usable() && !self.settings.recover) {
            self.fatal = Some(format!("game {}: {kind}, and --recover is off", entry.report.number));
        }
        self.is_decided() || self.fatal.is_some()
    }

    /// Counts a fault of an engine at its end, after its last game.
    fn remark(&mut self, remark: &Remark) {
        warn(remark);
        self.count_remark(remark);
    }

    fn count_remark(&mut self, Remark { engine, fault }: &Remark) {
        *self.remarks.entry((engine.clone(), fault.kind)).or_default() += 1;
    }

    /// True if the sequential test has ended. It never does in a part, since it counts the games of all parts.
    fn is_decided(&self) -> bool {
        let sprt = self.settings.sprt.filter(|_| self.settings.part() == Part::WHOLE);
        let Some((sprt, sample)) = sprt.zip(self.standings.sample_of_first()) else { return false };
        sprt.verdict(sprt.log_likelihood_ratio(&sample)) != SprtVerdict::Undecided
    }

    /// Writes the figures.
    fn end(&mut self, output: &mut impl Write) -> Result<(), CliError> {
        self.display.end();
        let summary = Summary::new(&self.standings, self.settings.sprt.as_ref());
        if self.json {
            let json = serde_json::to_string_pretty(&summary).map_err(std::io::Error::from)?;
            writeln!(output, "{}", safe_json(&json))?;
        } else {
            write!(output, "\n{summary}")?;
            writeln!(output, "\nOpenings: {}", openings_text(self.settings))?;
            for ((engine, kind), count) in &self.remarks {
                writeln!(output, "{engine}: {kind}, {count} times, at no cost")?;
            }
            write!(output, "\nTimes, which no match repeats:\n{}", summary.times_grid())?;
        }
        Ok(output.flush()?)
    }

    fn verdict(&self) -> Result<(), CliError> {
        self.fatal.clone().map_or(Ok(()), |fault| Err(CliError::Failed(fault)))
    }
}

/// The openings of a match in words: their number, and the origin of the first.
fn openings_text(settings: &Settings) -> String {
    let openings = &settings.openings;
    let used = openings.iter().take(usize::try_from(settings.rounds).unwrap_or(usize::MAX)).count();
    let origin = openings.first().map_or("", |opening| opening.origin.as_str());
    match openings.iter().all(|opening| opening.origin == origin) {
        true => format!("{used}, {}", sanitized(origin, LONGEST_ORIGIN)),
        false => format!("{used}, the first: {}", sanitized(origin, LONGEST_ORIGIN)),
    }
}

/// Characters of an origin, which may name a file.
const LONGEST_ORIGIN: usize = 70;

/// True if a file is empty, or begins as a file of records does.
fn holds_records(path: &Path) -> bool {
    let mut first = Vec::new();
    let read = open_file(path).and_then(|file| file.take(1).read_to_end(&mut first));
    read.is_ok() && (first.is_empty() || first == b"[")
}

fn warn(remark: &Remark) {
    log::warn!("{}: {}", remark.engine, remark.fault);
}

fn failed(error: impl std::error::Error) -> CliError {
    CliError::Failed(error.to_string())
}
