//! What became of a match: its file, its records and its figures.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use privy_base::bounded_read::open_file;
use privy_base::message::{safe_json, sanitized};
use privy_program::CliError;
use privy_referee::statistics::{Display, SprtVerdict, Standings, Summary};
use privy_referee::{FaultKind, GameEntry, MatchFile, Remark, Settings};

use super::failed;

/// The results of a match: its file, records, standings, and their display.
pub(super) struct Ledger<'a> {
    settings: &'a Settings,
    /// Games to play, of this part.
    games: u64,
    json: bool,
    file: Option<MatchFile>,
    records: Option<(PathBuf, File)>,
    standings: Standings,
    /// Games counted.
    counted: usize,
    display: Display,
    /// Counts of faults that cost an engine nothing.
    remarks: BTreeMap<(String, FaultKind), u64>,
    /// The fault that has ended the match.
    fatal: Option<String>,
}

impl<'a> Ledger<'a> {
    /// A ledger without games. Creates the file of records.
    pub(super) fn new(
        settings: &'a Settings,
        file: Option<MatchFile>,
        records: Option<&Path>,
        live: bool,
        json: bool,
    ) -> Result<Ledger<'a>, CliError> {
        let games = settings.scheduled().count() as u64;
        let names = settings.engines.iter().map(|engine| engine.title().to_owned());
        let records = records.map(|path| {
            // When a match is resumed, its games are written anew: the last record may be incomplete. A file of another
            // kind stays.
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
            counted: 0,
            display: Display::new(settings.games(), games, settings.sprt, live),
            remarks: BTreeMap::new(),
            fatal: None,
        })
    }

    pub(super) fn progress(&self) -> String {
        format!("{} of {} games have been played", self.counted, self.games)
    }

    /// Counts a game, which is in the file already.
    pub(super) fn count(&mut self, entry: &GameEntry) -> Result<(), CliError> {
        self.standings.add(&entry.report);
        self.counted += 1;
        for remark in &entry.remarks {
            self.count_remark(remark);
        }
        if let Some((path, records)) = &mut self.records {
            let between = if self.counted > 1 { "\n" } else { "" };
            write!(records, "{between}{}", entry.record).map_err(CliError::cannot_save(path))?;
        }
        Ok(())
    }

    /// Writes a finished game to the file, counts and displays it.
    pub(super) fn add(&mut self, entry: GameEntry, output: &mut impl Write) -> Result<ControlFlow<()>, CliError> {
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
    pub(super) fn is_over_with(&mut self, entry: &GameEntry) -> bool {
        if let Some(kind) = entry.report.fault.filter(|kind| !kind.leaves_engine_usable() && !self.settings.recover) {
            self.fatal = Some(format!("game {}: {kind}, and --recover is off", entry.report.number));
        }
        self.is_decided() || self.fatal.is_some()
    }

    /// Counts a fault of an engine at its end, after its last game.
    pub(super) fn remark(&mut self, remark: &Remark) {
        warn(remark);
        self.count_remark(remark);
    }

    fn count_remark(&mut self, Remark { engine, fault }: &Remark) {
        *self.remarks.entry((engine.clone(), fault.kind)).or_default() += 1;
    }

    /// True if the sequential test has ended. It never does in a part, since it counts the games of all parts.
    pub(super) fn is_decided(&self) -> bool {
        let sprt = self.settings.sprt.filter(|_| self.settings.part.is_none());
        let Some((sprt, sample)) = sprt.zip(self.standings.sample_of_first()) else { return false };
        sprt.verdict(sprt.log_likelihood_ratio(&sample)) != SprtVerdict::Undecided
    }

    /// Writes the figures, and checks that the match file still has the games.
    pub(super) fn end(&mut self, output: &mut impl Write) -> Result<(), CliError> {
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
        output.flush()?;
        self.file.iter().try_for_each(MatchFile::check).map_err(failed)
    }

    pub(super) fn verdict(&self) -> Result<(), CliError> {
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
