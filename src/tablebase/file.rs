//! Files of tables and checkpoints: written whole or not at all, and known when they are damaged.
//!
//! A file is a magic number, the length of the header, the header as JSON, the sections, a checksum for every 64 KiB of
//! all this, and a trailer with the checksum of the checksums. A reader checks the trailer and the checksums' checksum when
//! it opens the file, and each 64 KiB when it first reads there; so opening costs nothing and no wrong byte is ever used.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::Mmap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::atomic_file::AtomicFile;

use super::error::TableError;
use super::layout::{Coding, Layer};

/// The version of the format of a table that covers all numbers of Rebels.
pub(super) const FORMAT: u32 = 1;
/// The version of one that covers fewer, which the layers tell. A reader of whole tables alone must not take it for one.
/// Files of other versions are not read.
pub(super) const PARTIAL_FORMAT: u32 = 2;

const TABLE_MAGIC: &[u8; 8] = b"PrivyTab";
const TRAILER: usize = 24;
/// Bytes that share a checksum.
const SEGMENT: usize = 1 << 16;

/// The values of one state of the General in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SectionHeader {
    /// The General's point, by index.
    pub(super) general: usize,
    pub(super) apex_visited: bool,
    pub(super) free_jumps: u8,
    /// Where the section begins after the header, and how long it is.
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// The header of a table file: what it is a table of, and what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) variant: String,
    pub(super) title: String,
    pub(super) fingerprint: String,
    /// Points that Rebels may stand on.
    pub(super) points: u32,
    /// 0 or 1 where Rebels only fall in pairs.
    pub(super) parity: Option<u32>,
    pub(super) coding: Coding,
    /// A mirror image is looked up in the mirrored state.
    pub(super) mirrored: bool,
    /// The most plies to the end of any position with the Rebels to move.
    pub(super) max_plies: u32,
    pub(super) layers: Vec<Layer>,
    pub(super) sections: Vec<SectionHeader>,
}

/// Writes what goes through it, and keeps a checksum of every segment.
struct Checksums<W> {
    inner: W,
    segment: Vec<u8>,
    checksums: Vec<u8>,
}

impl<W: Write> Write for Checksums<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(SEGMENT - self.segment.len());
        self.segment.extend_from_slice(&bytes[..taken]);
        if self.segment.len() == SEGMENT {
            self.flush()?;
        }
        Ok(taken)
    }

    /// Ends the segment.
    fn flush(&mut self) -> io::Result<()> {
        if !self.segment.is_empty() {
            self.checksums.extend(xxh3_64(&self.segment).to_le_bytes());
            self.inner.write_all(&self.segment)?;
            self.segment.clear();
        }
        Ok(())
    }
}

/// Begins a file, and makes its folder where there is none.
pub(super) fn create(path: &Path) -> Result<AtomicFile, TableError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| TableError::system(folder, error))?;
    }
    AtomicFile::create(path).map_err(|error| TableError::system(path, error))
}

/// Writes a file. Whatever goes wrong, its path holds what it held before.
pub(super) fn write<S: AsRef<[u8]>>(
    file: AtomicFile,
    magic: &[u8; 8],
    header: &impl Serialize,
    sections: impl IntoIterator<Item = S>,
) -> Result<(), TableError> {
    let path = file.path().to_owned();
    let write = || -> io::Result<()> {
        let mut file = Checksums { inner: file, segment: Vec::with_capacity(SEGMENT), checksums: Vec::new() };
        let header = serde_json::to_vec(header)?;
        file.write_all(magic)?;
        file.write_all(&(header.len() as u32).to_le_bytes())?;
        file.write_all(&header)?;
        sections.into_iter().try_for_each(|section| file.write_all(section.as_ref()))?;
        file.flush()?;
        let Checksums { inner: mut file, checksums, .. } = file;
        file.write_all(&checksums)?;
        file.write_all(&(checksums.len() as u64 / 8).to_le_bytes())?;
        file.write_all(&xxh3_64(&checksums).to_le_bytes())?;
        file.write_all(magic)?;
        file.commit()
    };
    write().map_err(|error| TableError::system(&path, error))
}

/// Writes a table.
pub(super) fn write_table(file: AtomicFile, header: &Header, sections: &[Vec<u8>]) -> Result<(), TableError> {
    write(file, TABLE_MAGIC, header, sections)
}

/// Opens a table and reads its header.
pub(super) fn open_table(path: &Path) -> Result<(ChecksummedFile, Header), TableError> {
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let file = ChecksummedFile::open(path, TABLE_MAGIC)?;
    let Version { format } = file.header()?;
    if ![FORMAT, PARTIAL_FORMAT].contains(&format) {
        let reason = format!("format {format}, this program reads {FORMAT} and {PARTIAL_FORMAT}");
        return Err(TableError::foreign(path, reason));
    }
    let header = file.header()?;
    Ok((file, header))
}

/// A file that is open for reading.
#[derive(Debug)]
pub(super) struct ChecksummedFile {
    path: PathBuf,
    map: Mmap,
    header: Range<usize>,
    /// Where the checksums begin.
    checksums: usize,
    /// A bit per segment that was found sound.
    sound: Vec<AtomicU64>,
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("numbers have eight bytes"))
}

impl ChecksummedFile {
    /// Opens a file and checks its trailer.
    #[allow(unsafe_code)]
    pub(super) fn open(path: &Path, magic: &[u8; 8]) -> Result<ChecksummedFile, TableError> {
        let damaged = |reason: &str| TableError::damaged(path, reason);
        // SAFETY: a mapping is unsound only if the file changes while it is read. These files are never written in place:
        // they are written beside and renamed, so that a mapping keeps the file that it was made of.
        let map = File::open(path).and_then(|file| unsafe { Mmap::map(&file) });
        let map = map.map_err(|error| TableError::system(path, error))?;
        if !map.starts_with(magic) {
            return Err(TableError::foreign(path, "not a table file"));
        }
        let end = map.len().checked_sub(TRAILER).ok_or_else(|| damaged("truncated"))?;
        let (bytes, trailer) = map.split_at(end);
        if trailer[16..] != *magic {
            return Err(damaged("truncated, or damaged at its end"));
        }
        let size = usize::try_from(number(&trailer[..8])).ok().and_then(|count| count.checked_mul(8));
        let checksums = size.and_then(|size| end.checked_sub(size)).ok_or_else(|| damaged("damaged at its end"))?;
        let segments = checksums.div_ceil(SEGMENT);
        if number(&trailer[8..16]) != xxh3_64(&bytes[checksums..]) || end - checksums != segments * 8 {
            return Err(damaged("its checksums are damaged, or it is truncated"));
        }
        let sound = (0..segments.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let mut file = ChecksummedFile { path: path.to_owned(), map, header: 0..0, checksums, sound };
        let start = magic.len() + 4;
        let length =
            file.bytes(magic.len()..start)?.try_into().map(u32::from_le_bytes).expect("a length has four bytes");
        file.header = start..start.saturating_add(length as usize);
        Ok(file)
    }

    /// The header.
    pub(super) fn header<T: DeserializeOwned>(&self) -> Result<T, TableError> {
        let text = self.bytes(self.header.clone())?;
        serde_json::from_slice(text).map_err(|error| TableError::damaged(&self.path, error.to_string()))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub(super) fn len(&self) -> u64 {
        self.map.len() as u64
    }

    /// Checked bytes of a section that begins `offset` bytes after the header.
    #[inline]
    pub(super) fn section(&self, offset: u64, range: Range<usize>) -> Result<&[u8], TableError> {
        let start = self.header.end.saturating_add(usize::try_from(offset).unwrap_or(usize::MAX));
        self.bytes(start.saturating_add(range.start)..start.saturating_add(range.end))
    }

    /// Checked bytes of all sections.
    pub(super) fn sections(&self) -> Result<&[u8], TableError> {
        self.bytes(self.header.end..self.checksums)
    }

    /// Checked bytes.
    #[inline]
    fn bytes(&self, range: Range<usize>) -> Result<&[u8], TableError> {
        if range.start > range.end || range.end > self.checksums {
            return Err(TableError::damaged(&self.path, "an offset points outside"));
        }
        for segment in range.start / SEGMENT..range.end.div_ceil(SEGMENT) {
            if self.sound[segment / 64].load(Ordering::Relaxed) >> (segment % 64) & 1 == 0 {
                self.check(segment)?;
            }
        }
        Ok(&self.map[range])
    }

    /// Compares a segment with its checksum.
    #[cold]
    fn check(&self, segment: usize) -> Result<(), TableError> {
        let (first, last) = (segment * SEGMENT, ((segment + 1) * SEGMENT).min(self.checksums));
        let at = self.checksums + segment * 8;
        if number(&self.map[at..at + 8]) != xxh3_64(&self.map[first..last]) {
            return Err(TableError::damaged(&self.path, format!("damaged between byte {first} and byte {last}")));
        }
        self.sound[segment / 64].fetch_or(1 << (segment % 64), Ordering::Relaxed);
        Ok(())
    }

    /// Checks the whole file.
    pub(super) fn check_all(&self) -> Result<(), TableError> {
        (0..self.checksums.div_ceil(SEGMENT)).try_for_each(|segment| self.check(segment))
    }
}
