//! A file in memory, read by the system page by page as it is used.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// A file mapped for reading.
#[derive(Debug)]
pub(super) struct MappedFile(Mmap);

impl MappedFile {
    #[allow(unsafe_code)]
    pub(super) fn open(path: &Path) -> io::Result<MappedFile> {
        let file = File::open(path)?;
        // SAFETY: a mapping is unsound only if the file changes while it is read. Table files are never written in place:
        // they are written beside and renamed, so that a mapping keeps the file that it was made of.
        let map = unsafe { Mmap::map(&file)? };
        Ok(MappedFile(map))
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
