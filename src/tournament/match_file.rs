//! The match file: a line of JSON with the settings, then a line for every finished game.
//!
//! Every line is written in one piece and brought to the disk before the next game counts. So whatever happens, all that
//! can be wrong with the file is that its last line is not complete; that game is played again. Who plays the match has the
//! file locked: two matches that write games into one file would make it unreadable.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::file_lock::lock_alone;
use crate::foreign_file::{open_file, open_file_with};
use crate::record::Record;

use super::engine_spec::EngineSpec;
use super::fault::Fault;
use super::settings::Settings;
use super::statistics::GameReport;

/// The version of the form of match files.
const FORM: u32 = 1;

/// The longest line that is read, in bytes. A game of the longest kind takes a hundredth of it.
const LONGEST_LINE: u64 = 1 << 26;

/// A finished game: a line of the match file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameEntry {
    /// What statistics count.
    pub(crate) report: GameReport,
    pub(crate) record: Record,
    /// What went wrong without an influence on the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) remarks: Vec<Remark>,
}

/// A fault that cost nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Remark {
    pub(crate) engine: String,
    pub(crate) fault: Fault,
}

/// What is wrong with a match file: its path and, where it is known, the line.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub(crate) struct MatchFileError {
    path: PathBuf,
    reason: String,
}

impl MatchFileError {
    fn new(path: &Path, reason: impl ToString) -> MatchFileError {
        MatchFileError { path: path.to_owned(), reason: reason.to_string() }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    privy_match: u32,
    settings: Settings,
}

/// A match file that is open for more games.
#[derive(Debug)]
pub(crate) struct MatchFile {
    path: PathBuf,
    file: File,
}

impl MatchFile {
    /// Begins a file with the settings. An empty file, which is all that is left of a match that could not begin, is taken
    /// for none; a match that can't begin leaves no file.
    ///
    /// # Errors
    /// When there is such a file already, or the system refuses.
    pub(crate) fn create(path: &Path, settings: &Settings) -> Result<MatchFile, MatchFileError> {
        let there_is_one = || MatchFileError::new(path, "there is such a file; --resume takes up the match in it");
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(there_is_one());
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(system(path))?;
        lock_alone(&file).map_err(system(path))?;
        if file.metadata().map_err(system(path))?.len() > 0 {
            return Err(there_is_one());
        }
        let mut created = MatchFile { path: path.to_owned(), file };
        created.add(&Head { privy_match: FORM, settings: settings.clone() }).inspect_err(|_| {
            // What is left is an empty file, or a line that is no settings: of no use to anybody.
            let _ = fs::remove_file(path);
        })?;
        Ok(created)
    }

    /// Reads a file and opens it for more games. A last line that is not complete is taken off.
    ///
    /// # Errors
    /// When it is no match file, a match is writing it, or the system refuses.
    pub(crate) fn open(path: &Path) -> Result<(MatchFile, Settings, Vec<GameEntry>), MatchFileError> {
        let mut file = open_file_with(OpenOptions::new().read(true).write(true), path).map_err(system(path))?;
        lock_alone(&file).map_err(system(path))?;
        let Contents { settings, games, complete } = read(&file, path)?;
        file.set_len(complete).map_err(system(path))?;
        file.seek(SeekFrom::End(0)).map_err(system(path))?;
        Ok((MatchFile { path: path.to_owned(), file }, settings, games))
    }

    /// Reads a file, which a match may be writing. A last line that is not complete says nothing.
    ///
    /// # Errors
    /// When it is no match file, or the system refuses.
    pub(crate) fn read(path: &Path) -> Result<(Settings, Vec<GameEntry>), MatchFileError> {
        let Contents { settings, games, .. } = read(&open_file(path).map_err(system(path))?, path)?;
        Ok((settings, games))
    }

    /// Adds a game, or another line, and sees to it that it is on the disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn add(&mut self, line: &impl Serialize) -> Result<(), MatchFileError> {
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            self.file.write_all(&bytes)?;
            self.file.sync_data()
        });
        written.map_err(system(&self.path))
    }
}

/// What a match file says.
struct Contents {
    settings: Settings,
    games: Vec<GameEntry>,
    /// Bytes up to the last line feed.
    complete: u64,
}

/// Reads a match file: its games are those of its part, each at most once.
fn read(file: &File, path: &Path) -> Result<Contents, MatchFileError> {
    let bad_line = |line: usize, expected: &str, reason: String| {
        MatchFileError::new(path, format!("line {line}: expected {expected}: {reason}"))
    };
    let bad_head = |reason| bad_line(1, "the settings of a match", reason);
    let mut lines = CompleteLines { reader: BufReader::new(file), length: 0 };
    let head = lines.next_line().map_err(system(path))?;
    let head = head.ok_or_else(|| bad_head("the file is empty, or its first line is torn".into()))?;
    let head: Head = serde_json::from_slice(&head).map_err(|error| bad_head(error.to_string()))?;
    if head.privy_match != FORM {
        return Err(bad_head(format!("expected version {FORM}, found {}", head.privy_match)));
    }
    if !head.settings.engines.iter().all(EngineSpec::has_showable_name) {
        return Err(bad_head("the name of an engine cannot be shown".into()));
    }
    let settings = head.settings;
    let (schedule, part) = (settings.schedule(), settings.part());
    let mut games: Vec<GameEntry> = Vec::new();
    let mut numbers = HashSet::new();
    while let Some(line) = lines.next_line().map_err(system(path))? {
        let bad = |reason| bad_line(games.len() + 2, "a finished game", reason);
        let game: GameEntry = serde_json::from_slice(&line).map_err(|error| bad(error.to_string()))?;
        let number = game.report.number;
        if !numbers.insert(number) {
            return Err(bad(format!("game {number} is there twice")));
        }
        if !schedule.game(number).is_some_and(|scheduled| part.has(scheduled.pair)) {
            return Err(bad(format!("game {number} is none of part {part} of the match")));
        }
        games.push(game);
    }
    Ok(Contents { settings, games, complete: lines.length })
}

/// The lines of a file up to the last line feed.
struct CompleteLines<R> {
    reader: R,
    /// Bytes of all lines so far.
    length: u64,
}

impl<R: BufRead> CompleteLines<R> {
    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let length = self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        if line.pop() != Some(b'\n') {
            let too_long = || io::Error::new(io::ErrorKind::FileTooLarge, "a line of it is too long");
            return if length < LONGEST_LINE { Ok(None) } else { Err(too_long()) };
        }
        self.length += length;
        Ok(Some(line))
    }
}

fn system(path: &Path) -> impl Fn(io::Error) -> MatchFileError + '_ {
    |error| MatchFileError::new(path, error)
}
