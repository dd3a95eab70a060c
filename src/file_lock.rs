//! Files that one process at a time writes.

use std::fs::{File, TryLockError};
use std::io;

/// Locks a file for this process until it is closed. The lock is advisory: who does not ask for it is not kept out.
///
/// # Errors
/// When another process, or another place of this one, has it locked; it is named where the system tells it. A system
/// without locks refuses nobody.
pub(crate) fn lock_alone(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let holder = holder(file).map_or_else(|| "another process".to_owned(), |id| format!("process {id}"));
            Err(io::Error::new(io::ErrorKind::ResourceBusy, format!("in use by {holder}")))
        }
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The process that has a file locked.
#[cfg(target_os = "linux")]
fn holder(file: &File) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;

    // 1: FLOCK  ADVISORY  WRITE 708 08:01:13142 0 EOF
    let inode = format!(":{}", file.metadata().ok()?.ino());
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let mut locks = locks.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let lock = locks.find(|words| words.get(5).is_some_and(|place| place.ends_with(&inode)))?;
    lock.get(4)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn holder(_: &File) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_file_names_who_has_it_until_it_is_closed() {
        let path = std::env::temp_dir().join(format!("privy-lock-{}", std::process::id()));
        let first = File::create(&path).unwrap();
        lock_alone(&first).unwrap();
        let second = File::open(&path).unwrap();
        let error = lock_alone(&second).unwrap_err().to_string();
        if cfg!(target_os = "linux") {
            assert_eq!(error, format!("in use by process {}", std::process::id()));
        }
        drop(first);
        lock_alone(&second).unwrap();
        std::fs::remove_file(path).unwrap();
    }
}
