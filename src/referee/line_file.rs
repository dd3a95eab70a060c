//! Files of lines of JSON: a head, then a line for each piece of work that is done.
//!
//! Each line is written at once. So at worst the last line is incomplete, and its work is done again. A process that
//! writes has the file locked, since lines of two processes would mix.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use privy_base::atomic_file::lock_alone;
use privy_base::bounded_read::{TextLines, open_file, open_file_with};
use privy_base::json::fault;

/// The longest line, in bytes: a hundred times that of the longest game.
const LONGEST_LINE: u64 = 1 << 26;

/// A fault of a file, with the line where it is known.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct LineFileError {
    path: PathBuf,
    reason: String,
}

impl LineFileError {
    /// The error of a file with its reason.
    pub(crate) fn new(path: &Path, reason: impl ToString) -> LineFileError {
        LineFileError { path: path.to_owned(), reason: reason.to_string() }
    }
}

fn system(path: &Path) -> impl Fn(io::Error) -> LineFileError + '_ {
    |error| LineFileError::new(path, error)
}

/// A file open for more lines.
#[derive(Debug)]
pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
    /// Its bytes, if nobody else changes it.
    length: u64,
}

impl LineFile {
    /// Creates a file with its head, or uses an empty one, the leftover of a run that failed here. Errors remove the
    /// file; one that exists already fails with the reason `exists`.
    pub(crate) fn create(path: &Path, head: &impl Serialize, exists: &str) -> Result<LineFile, LineFileError> {
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(LineFileError::new(path, exists));
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(system(path))?;
        // Another process may write its head until this one has the file locked.
        lock_alone(&file).map_err(system(path))?;
        if file.metadata().map_err(system(path))?.len() > 0 {
            return Err(LineFileError::new(path, exists));
        }
        let mut created = LineFile { path: path.to_owned(), file, length: 0 };
        created.add(head).and_then(|()| created.sync()).inspect_err(|_| {
            // An empty file, or an incomplete head.
            let _ = fs::remove_file(path);
        })?;
        Ok(created)
    }

    /// Reads a file and opens it for more lines. An incomplete last line is cut off.
    pub(crate) fn open<T>(
        path: &Path,
        read: impl FnOnce(&mut Lines<'_>) -> Result<T, LineFileError>,
    ) -> Result<(LineFile, T), LineFileError> {
        let mut file = open_file_with(OpenOptions::new().read(true).write(true), path).map_err(system(path))?;
        lock_alone(&file).map_err(system(path))?;
        let mut lines = Lines::of(path, &file);
        let contents = read(&mut lines)?;
        let complete = lines.complete;
        file.set_len(complete).map_err(system(path))?;
        let length = file.seek(SeekFrom::End(0)).map_err(system(path))?;
        Ok((LineFile { path: path.to_owned(), file, length }, contents))
    }

    /// Reads a file, which another process may be writing. An incomplete last line is ignored.
    pub(crate) fn read<T>(
        path: &Path,
        read: impl FnOnce(&mut Lines<'_>) -> Result<T, LineFileError>,
    ) -> Result<T, LineFileError> {
        read(&mut Lines::of(path, &open_file(path).map_err(system(path))?))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// When it cannot be written, or another program has changed or removed the file.
    pub(crate) fn add(&mut self, line: &impl Serialize) -> Result<(), LineFileError> {
        self.check()?;
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            self.file.write_all(&bytes).map(|()| bytes.len() as u64)
        });
        self.length += written.map_err(system(&self.path))?;
        Ok(())
    }

    /// Checks that the path still has the lines that were written.
    ///
    /// # Errors
    /// When another program has changed the file, removed it, or put another one in its place.
    pub(crate) fn check(&self) -> Result<(), LineFileError> {
        let there = fs::metadata(&self.path).map_err(system(&self.path))?;
        let length = self.file.metadata().map_err(system(&self.path))?.len();
        match length == self.length && there.len() == length {
            true => Ok(()),
            false => {
                let expected = format!("expected {} bytes, found {}", self.length, there.len());
                Err(LineFileError::new(&self.path, format!("another program has changed it: {expected}")))
            }
        }
    }

    /// Writes all lines to the disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(crate) fn sync(&mut self) -> Result<(), LineFileError> {
        self.file.sync_data().map_err(system(&self.path))
    }
}

/// The lines of a file up to the last line feed.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    path: &'a Path,
    lines: TextLines<BufReader<&'a File>>,
    /// Bytes of the complete lines read.
    complete: u64,
}

impl<'a> Lines<'a> {
    fn of(path: &'a Path, file: &'a File) -> Lines<'a> {
        Lines { path, lines: TextLines::new(BufReader::new(file), LONGEST_LINE), complete: 0 }
    }

    /// The first line.
    pub(crate) fn head<T: DeserializeOwned>(&mut self, expected: &str) -> Result<T, LineFileError> {
        let torn = format!("line 1: expected {expected}: the file is empty, or its first line is torn");
        self.next(expected)?.ok_or_else(|| LineFileError::new(self.path, torn))
    }

    /// The next line; `None` at the end.
    pub(crate) fn next<T: DeserializeOwned>(&mut self, expected: &str) -> Result<Option<T>, LineFileError> {
        let line = match self.lines.next_line() {
            Err(error) if error.kind() != io::ErrorKind::InvalidData || self.lines.is_whole => {
                return Err(system(self.path)(error));
            }
            Ok(Some(line)) if self.lines.is_whole => line,
            _ => return Ok(None),
        };
        self.complete = self.lines.bytes;
        serde_json::from_str(&line).map(Some).map_err(|error| self.bad(expected, fault(&error)))
    }

    /// A fault of the file.
    pub(crate) fn fault(&self, reason: impl ToString) -> LineFileError {
        LineFileError::new(self.path, reason)
    }

    /// A fault of the line read last.
    pub(crate) fn bad(&self, expected: &str, reason: impl ToString) -> LineFileError {
        LineFileError::new(
            self.path,
            format!("line {}: expected {expected}: {}", self.lines.number, reason.to_string()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_file_is_in_use_until_it_is_closed() {
        let path = std::env::temp_dir().join(format!("privy-lock-{}", std::process::id()));
        let first = File::create(&path).unwrap();
        lock_alone(&first).unwrap();
        let second = File::open(&path).unwrap();
        let error = lock_alone(&second).unwrap_err().to_string();
        assert_eq!(error, "in use by another process");
        // A lock that a dying process gives back within a moment is waited for.
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(30));
                drop(first);
            });
            lock_alone(&second).unwrap();
        });
        std::fs::remove_file(path).unwrap();
    }

    /// Otherwise a match would end well and leave a file that has lost its games.
    #[test]
    fn a_file_that_another_program_changes_is_an_error() {
        let path = std::env::temp_dir().join(format!("privy-changed-{}", std::process::id()));
        let changes: [fn(&Path); 4] = [
            |path| fs::remove_file(path).unwrap(),
            |path| File::create(path).map(drop).unwrap(),
            |path| fs::write(path, "7\n8\n9\n").unwrap(),
            |path| OpenOptions::new().write(true).open(path).unwrap().set_len(2).unwrap(),
        ];
        for change in changes {
            let _ = fs::remove_file(&path);
            let mut file = LineFile::create(&path, &7, "exists").unwrap();
            file.add(&8).unwrap();
            file.check().unwrap();
            change(&path);
            assert!(file.check().is_err() && file.add(&9).is_err());
        }
        let _ = fs::remove_file(path);
    }

    /// The file is empty when the second process opens it, and has its head once that has it locked.
    #[test]
    fn a_file_that_another_process_begins_is_not_begun_again() {
        let path = std::env::temp_dir().join(format!("privy-begun-{}", std::process::id()));
        let mut first = File::create(&path).unwrap();
        lock_alone(&first).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(30));
                first.write_all(b"7\n8\n").unwrap();
            });
            let error = LineFile::create(&path, &6, "exists").unwrap_err();
            assert_eq!(error.to_string(), format!("{}: exists", path.display()));
        });
        let (mut second, found) =
            LineFile::open(&path, |lines| Ok([lines.head::<u32>("7")?, lines.next("8")?.unwrap()])).unwrap();
        assert_eq!(found, [7, 8]);
        second.add(&9).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "7\n8\n9\n");
        fs::remove_file(path).unwrap();
    }
}
