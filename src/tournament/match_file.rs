//! The match file: a line of JSON with the settings, then a line for every finished game.
//!
//! Every line is written in one piece and brought to the disk before the next game counts. So whatever happens, all that
//! can be wrong with the file is that its last line is not complete; that game is played again.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::record::Record;

use super::fault::Fault;
use super::settings::Settings;
use super::statistics::GameReport;

/// The version of the form of match files.
const FORM: u32 = 1;

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
    /// Begins a file with the settings.
    ///
    /// # Errors
    /// When there is such a file already, or the system refuses.
    pub(crate) fn create(path: &Path, settings: &Settings) -> Result<MatchFile, MatchFileError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                MatchFileError::new(path, "there is such a file; --resume takes up the match in it")
            }
            _ => system(path)(error),
        })?;
        let mut created = MatchFile { path: path.to_owned(), file };
        created.add(&Head { privy_match: FORM, settings: settings.clone() })?;
        Ok(created)
    }

    /// Reads a file and opens it for more games. A last line that is not complete is taken off.
    ///
    /// # Errors
    /// When it is no match file, or the system refuses.
    pub(crate) fn open(path: &Path) -> Result<(MatchFile, Settings, Vec<GameEntry>), MatchFileError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(system(path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(system(path))?;
        let (complete, _torn) = bytes.split_at(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
        let mut lines = (1..).zip(complete.split_inclusive(|byte| *byte == b'\n'));
        let bad_line = |line: usize, expected: &str, reason: String| {
            MatchFileError::new(path, format!("line {line}: expected {expected}: {reason}"))
        };
        let bad_head = |reason| bad_line(1, "the settings of a match", reason);
        let (_, head) = lines.next().ok_or_else(|| bad_head("the file is empty, or its first line is torn".into()))?;
        let head: Head = serde_json::from_slice(head).map_err(|error| bad_head(error.to_string()))?;
        if head.privy_match != FORM {
            return Err(bad_head(format!("expected version {FORM}, found {}", head.privy_match)));
        }
        let mut games: Vec<GameEntry> = Vec::new();
        for (number, line) in lines {
            let bad = |reason| bad_line(number, "a finished game", reason);
            let game: GameEntry = serde_json::from_slice(line).map_err(|error| bad(error.to_string()))?;
            if games.iter().any(|known| known.report.number == game.report.number) {
                return Err(bad(format!("game {} is there twice", game.report.number)));
            }
            games.push(game);
        }
        file.set_len(complete.len() as u64).map_err(system(path))?;
        file.seek(SeekFrom::End(0)).map_err(system(path))?;
        Ok((MatchFile { path: path.to_owned(), file }, head.settings, games))
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

fn system(path: &Path) -> impl Fn(io::Error) -> MatchFileError + '_ {
    |error| MatchFileError::new(path, error)
}
