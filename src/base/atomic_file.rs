//! Atomic file replacement: a file is written beside its path, synced, and renamed.
//!
//! The file beside `FILE` is `FILE.unfinished`. Who writes it has it locked; what a killed process has left of it is
//! written anew, or continued. On systems without locks two processes must not write one file concurrently.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use privy_protocol::Instant;

use crate::bounded_read::open_file;

/// An unfinished file beside its path. A commit gives it the name of the path; dropped before, it is removed, and the
/// path is unchanged.
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<File>,
    beside: PathBuf,
    path: PathBuf,
    /// True if a killed process had left an unfinished file.
    pub had_leftover: bool,
    /// True if the unfinished file is to be continued: dropped, it is not removed.
    pub stays: bool,
}

impl AtomicFile {
    /// Creates a file with the mode and the owner of the one that it replaces, if there is one. A file that may not be
    /// written is not replaced. Where the path is a link, the file that it names is replaced.
    ///
    /// # Errors
    /// Those of the system; when another process is writing the file.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let created = AtomicFile::open(path)?;
        created.file.get_ref().set_len(0)?;
        Ok(created)
    }

    /// Creates a file as [`create`](AtomicFile::create) does, but leaves what an unfinished one holds.
    ///
    /// # Errors
    /// As [`create`](AtomicFile::create).
    pub fn open(path: &Path) -> io::Result<AtomicFile> {
        let path = behind_links(path)?;
        let replaced = replaced(&path)?;
        let beside = unfinished_path(&path)?;
        let left = beside.symlink_metadata();
        if left.as_ref().is_ok_and(|left| !left.is_file()) {
            // A link or a pipe, which nobody writes.
            fs::remove_file(&beside)?;
        }
        let mut had_leftover = left.is_ok();
        loop {
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&beside)?;
            lock_alone(&file)?;
            // Before it was locked, the process that wrote it may have renamed or removed it.
            if has_name(&file, &beside) {
                let created = AtomicFile { file: BufWriter::new(file), beside, path, had_leftover, stays: false };
                replaced.iter().try_for_each(|replaced| keep_owner_and_mode(created.file.get_ref(), replaced))?;
                return Ok(created);
            }
            had_leftover = false;
        }
    }

    /// Reserves disk space before a long computation, so that a full disk is noticed before the work.
    pub fn reserve(&mut self, bytes: usize) -> io::Result<()> {
        self.file.write_all(&vec![0; bytes])?;
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        self.file.rewind()
    }

    /// The unfinished file, for those who read and write it themselves. A commit ends it where they have written last.
    pub fn file(&self) -> &File {
        self.file.get_ref()
    }

    /// Syncs the file and gives it its name. On errors the path is unchanged.
    pub fn commit(mut self) -> io::Result<()> {
        self.end()?.sync_all()?;
        self.rename()?;
        // The name is on the disk when the folder is. Some systems can't sync a folder; the file is complete all the
        // same.
        if let Some(Ok(folder)) = self.path.parent().map(File::open) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// Gives the file its name and returns it, to be synced later; until then a failure of power may damage it.
    pub fn commit_unsynced(mut self) -> io::Result<File> {
        let file = self.end()?.try_clone()?;
        self.rename()?;
        Ok(file)
    }

    fn rename(&mut self) -> io::Result<()> {
        fs::rename(&self.beside, &self.path)?;
        // From now on the name is that of the next file.
        self.beside = PathBuf::new();
        Ok(())
    }

    /// Releases reserved space that was not written.
    fn end(&mut self) -> io::Result<&File> {
        let end = self.file.stream_position()?;
        self.file.get_ref().set_len(end)?;
        Ok(self.file.get_ref())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.stays {
            // Fails after a commit, when nothing is left to remove.
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Resolves links; refuses folders, devices and pipes, which no file may replace.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        Ok(found) if !found.is_file() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file or a new name, found a device or a pipe"))
        }
        Ok(_) if path.is_symlink() => fs::canonicalize(path),
        // Other errors show when the file is created.
        _ => Ok(path.to_owned()),
    }
}

/// The file that one of this path will replace; `None` without one.
fn replaced(path: &Path) -> io::Result<Option<Metadata>> {
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata?,
    };
    // The system lets some users write everything.
    if metadata.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is write-protected"));
    }
    OpenOptions::new().write(true).open(path)?;
    Ok(Some(metadata))
}

#[cfg(unix)]
fn keep_owner_and_mode(file: &File, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let created = file.metadata()?;
    let changed = |old: u32, new: u32| (old != new).then_some(old);
    let (user, group) = (changed(replaced.uid(), created.uid()), changed(replaced.gid(), created.gid()));
    if user.is_some() || group.is_some() {
        let others = "it belongs to another user or group, to whom a new file cannot be given";
        fchown(file, user, group).map_err(|error| io::Error::new(error.kind(), others))?;
    }
    // A change of the owner may have changed the mode.
    file.set_permissions(replaced.permissions())
}

#[cfg(not(unix))]
fn keep_owner_and_mode(file: &File, replaced: &Metadata) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

/// The unfinished file of a path.
///
/// # Errors
/// When the path is a folder, a device or a pipe.
pub fn unfinished(path: &Path) -> io::Result<PathBuf> {
    unfinished_path(&behind_links(path)?)
}

/// The name of the unfinished file of a path.
fn unfinished_path(path: &Path) -> io::Result<PathBuf> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_owned();
    name.push(".unfinished");
    Ok(path.with_file_name(name))
}

/// True if the file has this name.
#[cfg(unix)]
fn has_name(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let id = |found: io::Result<Metadata>| found.ok().map(|found| (found.dev(), found.ino()));
    id(path.symlink_metadata()) == id(file.metadata())
}

/// Elsewhere an open file is neither renamed nor removed.
#[cfg(not(unix))]
fn has_name(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Locks a file until it is closed. Tries for a moment: a process that a dead one was starting may hold its locks until
/// it runs its program. The lock is advisory, and has no effect on systems without locks.
///
/// # Errors
/// When another process has it locked.
pub fn lock_alone(file: &File) -> io::Result<()> {
    const MOMENT: Duration = Duration::from_millis(100);
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < MOMENT => std::thread::sleep(MOMENT / 10),
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, "in use by another process"));
            }
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// Checks that no process is writing a file.
///
/// # Errors
/// When one is.
pub fn ensure_unused(path: &Path) -> io::Result<()> {
    open_file(&unfinished(path)?).map_or(Ok(()), |file| lock_alone(&file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("privy-atomic-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_gets_its_name_by_a_commit() {
        let folder = folder("whole");
        let path = folder.join("file");
        fs::write(&path, "old").unwrap();
        let mut first = AtomicFile::create(&path).unwrap();
        first.write_all(b"first").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        first.commit().unwrap();
        let mut second = AtomicFile::create(&path).unwrap();
        second.write_all(b"second").unwrap();
        drop(second);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names(&folder), ["file"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_has_one_writer() {
        let folder = folder("writer");
        let path = folder.join("file");
        ensure_unused(&path).unwrap();
        ensure_unused(&folder.join("none/file")).unwrap();
        let mut first = AtomicFile::create(&path).unwrap();
        for refused in [AtomicFile::create(&path).map(drop), ensure_unused(&path)] {
            assert_eq!(refused.unwrap_err().to_string(), "in use by another process");
        }
        first.write_all(b"whole").unwrap();
        first.commit().unwrap();
        ensure_unused(&path).unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(&folder)), (b"whole".to_vec(), vec!["file".to_owned()]));
        fs::remove_dir_all(folder).unwrap();
    }

    /// Whoever opens the file beside before its writer renames it, and locks it after, must not write into the file
    /// that has the name now.
    #[test]
    fn a_writer_that_comes_at_a_commit_begins_another_file() {
        let folder = folder("race");
        let path = folder.join("file");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for number in 0..100 {
                        let Ok(mut file) = AtomicFile::create(path) else { continue };
                        let text = format!("{writer} {number}\n").repeat(50 + number);
                        file.write_all(text.as_bytes()).unwrap();
                        drop(file.commit_unsynced().unwrap());
                        let found = fs::read_to_string(path).unwrap();
                        let first = found.lines().next().expect("a whole file");
                        assert!(found.lines().all(|line| line == first), "{found}");
                    }
                });
            }
        });
        assert_eq!(names(&folder), ["file"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_a_killed_process_has_left_is_written_anew() {
        let folder = folder("killed");
        let path = folder.join("file");
        fs::write(folder.join("file.unfinished"), "left by a killed process").unwrap();
        fs::write(folder.join("other.unfinished"), "another's").unwrap();
        for had_leftover in [true, false] {
            let mut file = AtomicFile::create(&path).unwrap();
            assert_eq!(file.had_leftover, had_leftover);
            file.write_all(b"whole").unwrap();
            file.commit().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"whole");
        }
        assert_eq!(names(&folder), ["file", "other.unfinished"]);
        fs::remove_dir_all(folder).unwrap();
    }

    /// A link would lead the writer to a file of somebody else, a pipe would keep it waiting.
    #[test]
    #[cfg(unix)]
    fn a_link_in_place_of_the_unfinished_file_is_removed() {
        let folder = folder("beside");
        let (path, others) = (folder.join("file"), folder.join("others"));
        fs::write(&others, "others").unwrap();
        std::os::unix::fs::symlink(&others, folder.join("file.unfinished")).unwrap();
        AtomicFile::create(&path).unwrap().commit().unwrap();
        assert_eq!(
            (fs::read_to_string(&others).unwrap(), names(&folder)),
            ("others".to_owned(), vec!["file".to_owned(), "others".to_owned()])
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_file_keeps_its_mode_and_a_protected_one_its_contents() {
        use std::os::unix::fs::PermissionsExt;

        let folder = folder("mode");
        let path = folder.join("file");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
        for kept in [0o600, 0o640, 0o664, 0o700] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
            let mut file = AtomicFile::create(&path).unwrap();
            file.write_all(b"new").unwrap();
            file.commit().unwrap();
            assert_eq!((mode(), fs::read_to_string(&path).unwrap().as_str()), (kept, "new"));
        }
        for protected in [0o400, 0o444] {
            fs::set_permissions(&path, fs::Permissions::from_mode(protected)).unwrap();
            let error = AtomicFile::create(&path).unwrap_err();
            assert_eq!(error.to_string(), "it is write-protected");
            assert_eq!((mode(), fs::read_dir(&folder).unwrap().count()), (protected, 1));
        }
        fs::remove_dir_all(folder).unwrap();
    }

    /// Only the superuser can give a file away, and write what others protect.
    #[test]
    #[cfg(unix)]
    fn a_file_of_another_user_keeps_its_owner() {
        use std::os::unix::fs::{MetadataExt, chown};

        let folder = folder("owner");
        let path = folder.join("file");
        fs::write(&path, "old").unwrap();
        if chown(&path, Some(12_345), Some(12_346)).is_ok() {
            AtomicFile::create(&path).unwrap().commit().unwrap();
            let metadata = fs::metadata(&path).unwrap();
            assert_eq!((metadata.uid(), metadata.gid()), (12_345, 12_346));
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn reserved_space_that_was_not_written_is_released() {
        let folder = folder("reserved");
        let path = folder.join("file");
        for (reserved, text) in [(10_000, "short"), (3, "longer than that")] {
            let mut file = AtomicFile::create(&path).unwrap();
            file.reserve(reserved).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.commit().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn links_are_kept_and_devices_are_refused() {
        let folder = folder("links");
        let (target, link) = (folder.join("target"), folder.join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        assert!(ensure_unused(&link).is_err() && ensure_unused(&target).is_err());
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert!(AtomicFile::create(Path::new("/dev/null")).unwrap_err().to_string().contains("found a device"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn folders_and_paths_without_folder_are_refused() {
        let folder = folder("refused");
        assert!(AtomicFile::create(&folder).unwrap_err().to_string().contains("it is a folder"));
        assert!(AtomicFile::create(&folder.join("no/file")).is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(folder).unwrap();
    }
}
