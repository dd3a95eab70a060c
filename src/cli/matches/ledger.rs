//! What a match leaves behind: its file, records, standings, and what is shown of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::bounded_read::open_file;
use crate::part::Part;
use crate::tournament::statistics::{Display, Sprt, Standings, Summary, Verdict};
use crate::tournament::{FaultKind, GameEntry, MatchFile, Remark, Settings};

use crate::cli::error::CliError;

/// The books of a match.
pub(super) struct Ledger {
    games: u64,
    recover: bool,
    sprt: Option<Sprt>,
    /// All of the match, not a part of it.
    is_whole: bool,
    json: bool,
    file: Option<MatchFile>,
    records: Option<(PathBuf, File)>,
    standings: Standings,
    numbers: BTreeSet<u64>,
    display: Display,
    /// How often engines did what cost them nothing.
    remarks: BTreeMap<(String, FaultKind), u64>,
    /// The fault that has ended the match.
    fatal: Option<String>,
}

impl Ledger {
    /// Books without games. A file of records is begun.
    pub(super) fn new(
        settings: &Settings,
        file: Option<MatchFile>,
        records: Option<&Path>,
        live: bool,
        json: bool,
    ) -> Result<Ledger, CliError> {
        let schedule = settings.schedule();
        let games = schedule.games_of(settings.part()).count() as u64;
        let names = settings.engines.iter().map(|engine| engine.title().to_owned());
        let records = records.map(|path| {
            // When a match is resumed, its games are written anew: the last record may be torn. What holds no records stays.
            let is_again = file.is_some() && path.exists();
            if is_again && !holds_records(path) {
                let reason = "expected a file of game records or a new name";
                return Err(CliError::Save(format!("{}: {reason}", path.display())));
            }
            let opened = if is_again { File::create(path) } else { File::create_new(path) };
            opened.map(|file| (path.to_owned(), file)).map_err(|error| CliError::Save(at(path, &error)))
        });
        Ok(Ledger {
            games,
            recover: settings.recover,
            sprt: settings.sprt,
            is_whole: settings.part() == Part::WHOLE,
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

    /// How much of the match is done, in words.
    pub(super) fn progress(&self) -> String {
        format!("{} of {} games have been played", self.numbers.len(), self.games)
    }

    /// The numbers of the games that have been played.
    pub(super) fn numbers(&self) -> BTreeSet<u64> {
        self.numbers.clone()
    }

    /// Counts a game that is in the file already.
    pub(super) fn count(&mut self, entry: &GameEntry) -> Result<(), CliError> {
        self.standings.add(&entry.report);
        self.numbers.insert(entry.report.number);
        for Remark { engine, fault } in &entry.remarks {
            *self.remarks.entry((engine.clone(), fault.kind)).or_default() += 1;
        }
        if let Some((path, records)) = &mut self.records {
            let between = if self.numbers.len() > 1 { "\n" } else { "" };
            let written = write!(records, "{between}{}", entry.record);
            written.map_err(|error| CliError::Save(at(path, &error)))?;
        }
        Ok(())
    }

    /// Books a game that has just been finished.
    pub(super) fn add(&mut self, entry: GameEntry, output: &mut impl Write) -> Result<ControlFlow<()>, CliError> {
        if let Some(file) = &mut self.file {
            file.add(&entry).map_err(failed)?;
        }
        self.count(&entry)?;
        for remark in &entry.remarks {
            tell(remark);
        }
        self.display.game(&entry.report, &self.standings, output)?;
        Ok(if self.is_over_with(&entry) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Whether the match ends with this game, which has been counted.
    pub(super) fn is_over_with(&mut self, entry: &GameEntry) -> bool {
        if let Some(kind) = entry.report.fault.filter(|kind| !kind.leaves_engine_usable() && !self.recover) {
            self.fatal = Some(format!("game {}: {kind}, and --recover is off", entry.report.number));
        }
        self.is_decided() || self.fatal.is_some()
    }

    /// Books what an engine did when it was ended after its last game.
    pub(super) fn remark(&mut self, remark: Remark) {
        tell(&remark);
        *self.remarks.entry((remark.engine, remark.fault.kind)).or_default() += 1;
    }

    /// Whether the test has found an answer. The games of a part alone give none: it counts those of all parts.
    pub(super) fn is_decided(&self) -> bool {
        if !self.is_whole {
            return false;
        }
        let Some((sprt, sample)) = self.sprt.as_ref().zip(self.standings.sample_of_first()) else { return false };
        sprt.verdict(sprt.log_likelihood_ratio(&sample)) != Verdict::Undecided
    }

    /// Writes the figures.
    pub(super) fn end(&mut self, output: &mut impl Write) -> Result<(), CliError> {
        self.display.end();
        let summary = Summary::new(&self.standings, self.sprt.as_ref());
        if self.json {
            writeln!(output, "{}", serde_json::to_string_pretty(&summary).map_err(std::io::Error::from)?)?;
        } else {
            write!(output, "\n{summary}")?;
            for ((engine, kind), count) in &self.remarks {
                writeln!(output, "{engine}: {kind}, {count} times, at no cost")?;
            }
            write!(output, "\nTimes, which no match repeats:\n{}", summary.times_grid())?;
        }
        Ok(output.flush()?)
    }

    /// Whether the match came to an orderly end.
    pub(super) fn verdict(&self) -> Result<(), CliError> {
        self.fatal.clone().map_or(Ok(()), |fault| Err(CliError::Match(fault)))
    }
}

/// Does a file begin as those that matches write, or is it empty?
fn holds_records(path: &Path) -> bool {
    let text = open_file(path).and_then(|file| {
        let mut first = Vec::new();
        file.take(1).read_to_end(&mut first)?;
        Ok(first)
    });
    text.is_ok_and(|first| first.is_empty() || first == b"[")
}

fn tell(remark: &Remark) {
    log::warn!("{}: {}", remark.engine, remark.fault);
}

fn at(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// What stops a match.
pub(super) fn failed(error: impl std::error::Error) -> CliError {
    CliError::Match(error.to_string())
}
