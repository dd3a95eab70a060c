//! Files of lines of JSON: a head, then a line for each piece of work that is done.
//!
//! Every line is written in one piece. So whatever happens, all that can be wrong with a file is that its last line is not complete; that
//! piece is done again. Who does the work has the file locked: two that write lines into one file would make it unreadable.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bounded_read::{open_file, open_file_with};
use crate::file_lock::lock_alone;

/// The longest line that is read, in bytes. A game of the longest kind takes a hundredth of it.
const LONGEST_LINE: u64 = 1 << 26;

/// What is wrong with a file: its path and, where it is known, the line.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub(crate) struct LineFileError {
    path: PathBuf,
    reason: String,
}

impl LineFileError {
    pub(crate) fn new(path: &Path, reason: impl ToString) -> LineFileError {
        LineFileError { path: path.to_owned(), reason: reason.to_string() }
    }
}

fn system(path: &Path) -> impl Fn(io::Error) -> LineFileError + '_ {
    |error| LineFileError::new(path, error)
}

/// A file that is open for more lines.
#[derive(Debug)]
pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// Begins a file with its head. An empty file, which is all that is left of work that could not begin, is taken for none; work that
    /// can't begin leaves no file.
    ///
    /// # Errors
    /// When there is such a file already, as `there_is_one` says then, or the system refuses.
    pub(crate) fn create(path: &Path, head: &impl Serialize, there_is_one: &str) -> Result<LineFile, LineFileError> {
        let there_is_one = || LineFileError::new(path, there_is_one);
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(there_is_one());
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(system(path))?;
        lock_alone(&file).map_err(system(path))?;
        if file.metadata().map_err(system(path))?.len() > 0 {
            return Err(there_is_one());
        }
        let mut created = LineFile { path: path.to_owned(), file };
        created.add(head).and_then(|()| created.sync()).inspect_err(|_| {
            // What is left is an empty file, or a line that is no head: of no use to anybody.
            let _ = fs::remove_file(path);
        })?;
        Ok(created)
    }

    /// Reads a file and opens it for more lines. A last line that is not complete is taken off.
    ///
    /// # Errors
    /// When it can't be read as `read` wants it, somebody is writing it, or the system refuses.
    pub(crate) fn open<T>(
        path: &Path,
        read: impl FnOnce(&mut Lines<'_>) -> Result<T, LineFileError>,
    ) -> Result<(LineFile, T), LineFileError> {
        let mut file = open_file_with(OpenOptions::new().read(true).write(true), path).map_err(system(path))?;
        lock_alone(&file).map_err(system(path))?;
        let mut lines = Lines::of(path, &file);
        let contents = read(&mut lines)?;
        file.set_len(lines.complete).map_err(system(path))?;
        file.seek(SeekFrom::End(0)).map_err(system(path))?;
        Ok((LineFile { path: path.to_owned(), file }, contents))
    }

    /// Reads a file, which somebody may be writing. A last line that is not complete says nothing.
    ///
    /// # Errors
    /// When it can't be read as `read` wants it, or the system refuses.
    pub(crate) fn read<T>(
        path: &Path,
        read: impl FnOnce(&mut Lines<'_>) -> Result<T, LineFileError>,
    ) -> Result<T, LineFileError> {
        read(&mut Lines::of(path, &open_file(path).map_err(system(path))?))
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn add(&mut self, line: &impl Serialize) -> Result<(), LineFileError> {
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            self.file.write_all(&bytes)
        });
        written.map_err(system(&self.path))
    }

    /// Sees to it that all lines are on the disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn sync(&mut self) -> Result<(), LineFileError> {
        self.file.sync_data().map_err(system(&self.path))
    }
}

/// The lines of a file up to the last line feed.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    path: &'a Path,
    reader: BufReader<&'a File>,
    /// Bytes up to the last line feed that has been read.
    complete: u64,
    /// Lines that have been read.
    read: usize,
}

impl<'a> Lines<'a> {
    fn of(path: &'a Path, file: &'a File) -> Lines<'a> {
        Lines { path, reader: BufReader::new(file), complete: 0, read: 0 }
    }

    /// The first line.
    ///
    /// # Errors
    /// When it is not complete, or says something else than was expected.
    pub(crate) fn head<T: DeserializeOwned>(&mut self, expected: &str) -> Result<T, LineFileError> {
        let head = self.next(expected)?;
        head.ok_or_else(|| {
            LineFileError::new(
                self.path,
                format!("line 1: expected {expected}: the file is empty, or its first line is torn"),
            )
        })
    }

    /// The next line; none at the end.
    ///
    /// # Errors
    /// When it says something else than was expected, or the system refuses.
    pub(crate) fn next<T: DeserializeOwned>(&mut self, expected: &str) -> Result<Option<T>, LineFileError> {
        let mut line = Vec::new();
        let length = self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        let length = length.map_err(system(self.path))? as u64;
        if line.pop() != Some(b'\n') {
            let too_long = || LineFileError::new(self.path, "a line of it is too long");
            return if length < LONGEST_LINE { Ok(None) } else { Err(too_long()) };
        }
        self.complete += length;
        self.read += 1;
        serde_json::from_slice(&line).map(Some).map_err(|error| self.bad(expected, error))
    }

    /// What is wrong with the line that was read last.
    pub(crate) fn bad(&self, expected: &str, reason: impl ToString) -> LineFileError {
        LineFileError::new(self.path, format!("line {}: expected {expected}: {}", self.read, reason.to_string()))
    }
}
