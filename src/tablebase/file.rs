//! Files of tables and checkpoints: written whole or not at all, and known when they are damaged.
//!
//! A file is a magic number, the length of the header, the header as JSON, the sections, a checksum for every 64 KiB of
//! all this, and a trailer with the checksum of the checksums. A reader checks the trailer and the checksums' checksum when
//! it opens the file, and each 64 KiB when it first reads there; so opening costs nothing and no wrong byte is ever used.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::atomic_file::AtomicFile;
use crate::bounded_read::open_file;

use super::error::TableError;
use super::layout::{Coding, Layer};

/// The version of the format of a table that covers all numbers of Rebels.
pub(super) const FORMAT: u32 = 1;
/// The version of one that covers fewer, which the layers tell. A reader of whole tables alone must not take it for one.
/// Files of other versions are not read.
pub(super) const PARTIAL_FORMAT: u32 = 2;
/// The version of one whose entries are ranks of sets, a number of Rebels after the other: as many as the layers tell.
pub(super) const LAYERED_FORMAT: u32 = 3;

/// The version of one like that whose values have laps: wins take more plies than a byte tells.
pub(super) const LONG_FORMAT: u32 = 4;

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
    /// Where the laps of the values begin in the section, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) laps: Option<u64>,
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
    if ![FORMAT, PARTIAL_FORMAT, LAYERED_FORMAT, LONG_FORMAT].contains(&format) {
        let reason = format!("format {format}, this program reads {FORMAT} to {LONG_FORMAT}");
        return Err(TableError::foreign(path, reason));
    }
    let header = file.header()?;
    Ok((file, header))
}

/// A file that is open for reading. What is asked for is read into memory, 64 KiB at a time, and compared with its checksum
/// there; so what anybody does to the file later (a truncation would end a program that has it mapped) is seen as damage, or not
/// at all.
#[derive(Debug)]
pub(super) struct ChecksummedFile {
    path: PathBuf,
    file: Mutex<File>,
    /// Bytes of the file.
    length: u64,
    header: Range<usize>,
    /// Bytes that have checksums.
    checked: usize,
    /// By segment.
    checksums: Box<[u64]>,
    /// The segments that have been read and found sound.
    segments: Box<[OnceLock<Box<[u8]>>]>,
    /// How often a segment has been read.
    reads: AtomicU64,
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("numbers have eight bytes"))
}

/// Bytes of a file from a place on.
fn read_at(file: &mut File, start: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes).map(|()| bytes)
}

impl ChecksummedFile {
    /// Opens a file and checks its trailer.
    pub(super) fn open(path: &Path, magic: &[u8; 8]) -> Result<ChecksummedFile, TableError> {
        let damaged = |reason: &str| TableError::damaged(path, reason);
        let system = |error| TableError::system(path, error);
        let mut file = open_file(path).map_err(system)?;
        let length = file.metadata().map_err(system)?.len();
        let first = read_at(&mut file, 0, usize::try_from(length.min(8)).expect("at most 8")).map_err(system)?;
        if first != magic {
            return Err(TableError::foreign(path, "not a table file"));
        }
        let end = length.checked_sub(TRAILER as u64).ok_or_else(|| damaged("truncated"))?;
        let trailer = read_at(&mut file, end, TRAILER).map_err(system)?;
        if trailer[16..] != *magic {
            return Err(damaged("truncated, or damaged at its end"));
        }
        let size = number(&trailer[..8]).checked_mul(8);
        let checked = size.and_then(|size| end.checked_sub(size)).ok_or_else(|| damaged("damaged at its end"))?;
        let segments = checked.div_ceil(SEGMENT as u64);
        let sizes = usize::try_from(checked).ok().zip(usize::try_from(end - checked).ok());
        let sizes = sizes.filter(|_| end - checked == segments * 8);
        let wrong_checksums = || damaged("its checksums are damaged, or it is truncated");
        let (checked, size) = sizes.ok_or_else(wrong_checksums)?;
        let checksums = read_at(&mut file, checked as u64, size).map_err(system)?;
        if number(&trailer[8..16]) != xxh3_64(&checksums) {
            return Err(wrong_checksums());
        }
        let checksums: Box<[u64]> = checksums.chunks_exact(8).map(number).collect();
        let segments = checksums.iter().map(|_| OnceLock::new()).collect();
        let (path, file, reads) = (path.to_owned(), Mutex::new(file), AtomicU64::new(0));
        let mut file = ChecksummedFile { path, file, length, header: 0..0, checked, checksums, segments, reads };
        let start = magic.len() + 4;
        let length = file.bytes(magic.len()..start)?;
        let length = length.as_ref().try_into().map(u32::from_le_bytes).expect("a length has four bytes");
        file.header = start..start.saturating_add(length as usize);
        Ok(file)
    }

    /// The header.
    pub(super) fn header<T: DeserializeOwned>(&self) -> Result<T, TableError> {
        let text = self.read(self.header.clone())?;
        serde_json::from_slice(&text).map_err(|error| TableError::damaged(&self.path, error.to_string()))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub(super) fn len(&self) -> u64 {
        self.length
    }

    /// How often a segment has been read.
    pub(super) fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }

    /// The place of a part of a section that begins `offset` bytes after the header.
    #[inline]
    fn place(&self, offset: u64, range: Range<usize>) -> Range<usize> {
        let start = self.header.end.saturating_add(usize::try_from(offset).unwrap_or(usize::MAX));
        start.saturating_add(range.start)..start.saturating_add(range.end)
    }

    /// Checked bytes of a section that begins `offset` bytes after the header. They are kept: there will be more probes.
    #[inline]
    pub(super) fn section(&self, offset: u64, range: Range<usize>) -> Result<Cow<'_, [u8]>, TableError> {
        self.bytes(self.place(offset, range))
    }

    /// The checked bytes of a whole section that begins `offset` bytes after the header, which are not kept.
    pub(super) fn whole_section(&self, offset: u64, length: u64) -> Result<Vec<u8>, TableError> {
        self.read(self.place(offset, 0..usize::try_from(length).unwrap_or(usize::MAX)))
    }

    /// Checked bytes, whose segments are kept.
    #[inline]
    fn bytes(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, TableError> {
        let (segment, start) = (range.start / SEGMENT, range.start % SEGMENT);
        if range.start < range.end && range.end <= self.checked && start + range.len() <= SEGMENT {
            return Ok(Cow::Borrowed(&self.segment(segment)?[start..start + range.len()]));
        }
        self.across_segments(range).map(Cow::Owned)
    }

    #[cold]
    fn across_segments(&self, range: Range<usize>) -> Result<Vec<u8>, TableError> {
        self.collect(range, |segment| self.segment(segment).map(Cow::Borrowed))
    }

    /// Checked bytes; what is not in memory is read and not kept.
    fn read(&self, range: Range<usize>) -> Result<Vec<u8>, TableError> {
        self.collect(range, |segment| match self.segments[segment].get() {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => self.read_segment(segment).map(Cow::Owned),
        })
    }

    fn collect<'a>(
        &self,
        range: Range<usize>,
        segment: impl Fn(usize) -> Result<Cow<'a, [u8]>, TableError>,
    ) -> Result<Vec<u8>, TableError> {
        if range.start > range.end || range.end > self.checked {
            return Err(TableError::damaged(&self.path, "an offset points outside"));
        }
        let mut bytes = Vec::with_capacity(range.len());
        while bytes.len() < range.len() {
            let at = range.start + bytes.len();
            let part = segment(at / SEGMENT)?;
            let part = &part[at % SEGMENT..];
            bytes.extend_from_slice(&part[..part.len().min(range.len() - bytes.len())]);
        }
        Ok(bytes)
    }

    /// A segment in memory.
    #[inline]
    fn segment(&self, segment: usize) -> Result<&[u8], TableError> {
        match self.segments[segment].get() {
            Some(bytes) => Ok(bytes),
            None => self.keep(segment),
        }
    }

    #[cold]
    fn keep(&self, segment: usize) -> Result<&[u8], TableError> {
        let bytes = self.read_segment(segment)?;
        Ok(self.segments[segment].get_or_init(|| bytes.into()))
    }

    /// Reads a segment and compares it with its checksum.
    fn read_segment(&self, segment: usize) -> Result<Vec<u8>, TableError> {
        let (first, last) = (segment * SEGMENT, ((segment + 1) * SEGMENT).min(self.checked));
        let bytes = {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            read_at(&mut file, first as u64, last - first)
        };
        self.reads.fetch_add(1, Ordering::Relaxed);
        let bytes = bytes.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => TableError::damaged(&self.path, "truncated while it was in use"),
            _ => TableError::system(&self.path, error),
        })?;
        if self.checksums[segment] != xxh3_64(&bytes) {
            return Err(TableError::damaged(&self.path, format!("damaged between byte {first} and byte {last}")));
        }
        Ok(bytes)
    }

    /// Checks the whole file as it is now.
    pub(super) fn check_all(&self) -> Result<(), TableError> {
        (0..self.checksums.len()).try_for_each(|segment| self.read_segment(segment).map(drop))
    }
}
