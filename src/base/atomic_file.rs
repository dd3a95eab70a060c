//! Files that are written whole or not at all: beside their path, synced, renamed.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use privy_protocol::Instant;

use crate::bounded_read::open_file;

/// The ending of unfinished files.
const ENDING: &str = ".unfinished";

/// An unfinished file beside its path. A commit gives it the name of the path; dropped before, it is removed, and the path is unchanged.
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<File>,
    beside: PathBuf,
    path: PathBuf,
}

impl AtomicFile {
    /// Creates a file with the mode and the owner of the one that it replaces, if there is one. A file that may not be written is not replaced.
    /// Where the path is a link, the file behind it is replaced. What killed processes have left of earlier ones is removed.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let path = behind_links(path)?;
        let replaced = replaced(&path)?;
        remove_left(&path);
        loop {
            let beside = path_beside(&path)?;
            let file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
            // The lock shows that the file is in use. Before it is held, another process may remove the file as a leftover.
            // On systems without locks nothing is ever removed.
            let _ = file.lock();
            if beside.exists() {
                let created = AtomicFile { file: BufWriter::new(file), beside, path };
                replaced.iter().try_for_each(|replaced| keep_owner_and_mode(created.file.get_ref(), replaced))?;
                return Ok(created);
            }
        }
    }

    /// Reserves disk space before a long computation, so that a full disk is noticed before the work.
    pub fn reserve(&mut self, bytes: usize) -> io::Result<()> {
        self.file.write_all(&vec![0; bytes])?;
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        self.file.rewind()
    }

    /// The unfinished file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the file and gives it its name. On errors the path is unchanged.
    pub fn commit(mut self) -> io::Result<()> {
        self.end()?.sync_all()?;
        fs::rename(&self.beside, &self.path)?;
        // The name is on the disk when the folder is. Some systems can't sync a folder; the file is complete all the same.
        if let Some(Ok(folder)) = self.path.parent().map(File::open) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// Gives the file its name and returns it, to be synced later; until then a failure of power may damage it.
    pub fn commit_unsynced(mut self) -> io::Result<File> {
        let file = self.end()?.try_clone()?;
        fs::rename(&self.beside, &self.path)?;
        Ok(file)
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
        // Fails after a commit, when nothing is left to remove.
        let _ = fs::remove_file(&self.beside);
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

/// The file that one of this path will replace; `None` if there is no such file.
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

/// Removes what killed processes have left of a file: they no longer hold its lock.
fn remove_left(path: &Path) {
    let is_left = |beside: &PathBuf| {
        writer_of(path, beside).is_some() && open_file(beside).is_ok_and(|file| file.try_lock().is_ok())
    };
    unfinished(path).into_iter().flatten().filter(is_left).for_each(|beside| _ = fs::remove_file(beside));
}

/// The process that began an unfinished file of a path, by its name.
fn writer_of(path: &Path, beside: &Path) -> Option<u32> {
    let own = path.file_name()?.to_string_lossy();
    let name = beside.file_name()?.to_str()?.strip_prefix(&*own)?.strip_prefix('.')?.strip_suffix(ENDING)?;
    let (process, number) = name.split_once('-')?;
    number.parse::<u32>().ok()?;
    process.parse().ok()
}

/// A new name for an unfinished file beside a path.
pub fn path_beside(path: &Path) -> io::Result<PathBuf> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_owned();
    name.push(format!(".{}-{}{ENDING}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)));
    Ok(path.with_file_name(name))
}

fn unfinished(path: &Path) -> io::Result<Vec<PathBuf>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let other = entry?.file_name().to_string_lossy().into_owned();
        if other.starts_with(&format!("{name}.")) && other.ends_with(ENDING) {
            found.push(folder.join(other));
        }
    }
    Ok(found)
}

/// Tries to lock a file, for a moment again and again: a process that a dead one was starting may hold its locks until it runs its program.
pub(crate) fn try_lock(lock: impl Fn() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    const MOMENT: Duration = Duration::from_millis(100);
    let start = Instant::now();
    loop {
        match lock() {
            Err(TryLockError::WouldBlock) if start.elapsed() < MOMENT => std::thread::sleep(MOMENT / 10),
            locked => return locked,
        }
    }
}

/// The process that is writing a file now.
pub fn process_writing(path: &Path) -> io::Result<Option<u32>> {
    let path = &behind_links(path)?;
    let process = |beside: PathBuf| -> Option<u32> {
        let process = writer_of(path, &beside)?;
        let file = open_file(&beside).ok()?;
        try_lock(|| file.try_lock_shared()).is_err().then_some(process)
    };
    Ok(unfinished(path)?.into_iter().find_map(process))
}

/// Removes what interrupted runs have left of a file, but not what another process is writing. Returns whether there was anything.
pub fn remove_unfinished(path: &Path) -> io::Result<bool> {
    let path = &behind_links(path)?;
    let mut found = false;
    for beside in unfinished(path)? {
        // The lock is held until the file is removed.
        let file = open_file(&beside);
        if file.as_ref().is_ok_and(|file| try_lock(|| file.try_lock()).is_err()) {
            continue;
        }
        match fs::remove_file(&beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            removed => found |= removed.is_ok(),
        }
    }
    Ok(found)
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

    #[test]
    fn a_file_gets_its_name_by_a_commit() {
        let folder = folder("whole");
        let path = folder.join("file");
        fs::write(&path, "old").unwrap();
        let (mut first, mut second) = (AtomicFile::create(&path).unwrap(), AtomicFile::create(&path).unwrap());
        first.write_all(b"first").unwrap();
        second.write_all(b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        first.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        drop(second);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn leftovers_are_removed_and_files_in_use_stay() {
        let folder = folder("left");
        let path = folder.join("file");
        let mut file = AtomicFile::create(&path).unwrap();
        fs::write(folder.join("file.unfinished"), "left").unwrap();
        fs::write(folder.join("file.7-0.unfinished"), "left").unwrap();
        fs::write(folder.join("other.unfinished"), "another's").unwrap();
        assert!(remove_unfinished(&path).unwrap());
        assert!(!remove_unfinished(&path).unwrap());
        assert_eq!(process_writing(&path).unwrap(), Some(std::process::id()));
        assert_eq!(process_writing(&folder.join("other")).unwrap(), None);
        assert_eq!(process_writing(&folder.join("none/file")).unwrap(), None);
        file.write_all(b"whole").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(process_writing(&path).unwrap(), None);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_next_file_removes_what_a_killed_process_has_left() {
        let folder = folder("killed");
        let path = folder.join("file");
        let kept = ["file.unfinished", "file.mine.unfinished", "file.txt.7-0.unfinished", "file.7-0.unfinished.txt"];
        for name in kept.into_iter().chain(["file.7-0.unfinished", "file.8-12.unfinished"]) {
            fs::write(folder.join(name), "left").unwrap();
        }
        let first = AtomicFile::create(&path).unwrap();
        AtomicFile::create(&path).unwrap().commit().unwrap();
        assert!(first.beside.exists(), "it is in use");
        drop(first);
        let mut names: Vec<String> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(
            names,
            ["file", "file.7-0.unfinished.txt", "file.mine.unfinished", "file.txt.7-0.unfinished", "file.unfinished"]
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
        assert_eq!(process_writing(&link).unwrap(), Some(std::process::id()));
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
