//! Table files: writing them whole or not at all, and knowing a damaged one.
//!
//! A file is a magic number, the length of the header, the header as JSON, the sections, a checksum for every 64 KiB of
//! all this, and a trailer with the checksum of the checksums. A reader checks the trailer and the checksums' checksum when
//! it opens the file, and each 64 KiB when it first looks there; so opening costs nothing and no wrong byte is ever used.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_64;

use super::TableError;
use super::header::{FORMAT, Header, PARTIAL_FORMAT};
use super::map::MappedFile;

const MAGIC: &[u8; 8] = b"PrivyTab";
const TRAILER: usize = 24;
/// Bytes that share a checksum.
const SEGMENT: usize = 1 << 16;

/// Writes what goes through it, and remembers a checksum of every segment.
struct Checked<W: Write> {
    inner: W,
    segment: Vec<u8>,
    checksums: Vec<u64>,
}

impl<W: Write> Checked<W> {
    fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(SEGMENT - self.segment.len()));
            self.segment.extend_from_slice(now);
            bytes = later;
            if self.segment.len() == SEGMENT {
                self.end_segment()?;
            }
        }
        Ok(())
    }

    fn end_segment(&mut self) -> io::Result<()> {
        if !self.segment.is_empty() {
            self.checksums.push(xxh3_64(&self.segment));
            self.inner.write_all(&self.segment)?;
            self.segment.clear();
        }
        Ok(())
    }
}

fn write_all(file: File, header: &[u8], sections: &[Vec<u8>]) -> io::Result<File> {
    let mut checked =
        Checked { inner: BufWriter::new(file), segment: Vec::with_capacity(SEGMENT), checksums: Vec::new() };
    checked.put(MAGIC)?;
    checked.put(&(header.len() as u32).to_le_bytes())?;
    checked.put(header)?;
    sections.iter().try_for_each(|section| checked.put(section))?;
    checked.end_segment()?;
    let Checked { mut inner, checksums, .. } = checked;
    let table: Vec<u8> = checksums.iter().flat_map(|checksum| checksum.to_le_bytes()).collect();
    inner.write_all(&table)?;
    inner.write_all(&(checksums.len() as u64).to_le_bytes())?;
    inner.write_all(&xxh3_64(&table).to_le_bytes())?;
    inner.write_all(MAGIC)?;
    inner.into_inner().map_err(|error| error.into_error())
}

/// The name of an unfinished file beside a path.
pub(super) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    path.with_file_name(name)
}

/// Removes what an interrupted run left beside a path; says whether there was anything.
///
/// # Errors
/// When it can't be removed.
pub fn remove_unfinished(path: &Path) -> Result<bool, TableError> {
    let beside = unfinished(path);
    match fs::remove_file(&beside) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(TableError::system(&beside, error)),
    }
}

/// Does something with a new file beside the path, syncs it, and gives it the path's name. Whatever goes wrong, the path
/// holds what it held before.
pub(super) fn replace(path: &Path, write: impl FnOnce(File) -> io::Result<File>) -> Result<(), TableError> {
    let beside = unfinished(path);
    let failed = |error| TableError::system(&beside, error);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| TableError::system(folder, error))?;
    }
    let written = File::create(&beside).and_then(write).and_then(|file| file.sync_all());
    let named = written.map_err(failed).and_then(|()| {
        // The path itself is in the way, a folder for example.
        fs::rename(&beside, path).map_err(|error| TableError::system(path, error))
    });
    if let Err(error) = named {
        // What is left of it is of no use; that it can't be removed changes nothing.
        let _ = fs::remove_file(&beside);
        return Err(error);
    }
    // The name itself is on the disk when the folder is. Some systems can't sync a folder; the file is whole all the same.
    if let Some(Ok(folder)) = path.parent().map(File::open) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Writes a table.
pub(super) fn write(path: &Path, header: &Header, sections: &[Vec<u8>]) -> Result<(), TableError> {
    let header = serde_json::to_vec(header).map_err(|error| TableError::system(path, error.into()))?;
    replace(path, |file| write_all(file, &header, sections))
}

/// A table file that is open for reading.
#[derive(Debug)]
pub(super) struct TableFile {
    path: PathBuf,
    map: MappedFile,
    pub(super) header: Header,
    /// Where the sections begin.
    body: usize,
    /// Where the checksums begin.
    checksums: usize,
    /// A bit per segment that was found sound.
    sound: Vec<AtomicU64>,
}

fn number(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

impl TableFile {
    /// Opens a file, checks its trailer and reads its header.
    pub(super) fn open(path: &Path) -> Result<TableFile, TableError> {
        let damaged = |reason: &str| TableError::damaged(path, reason);
        let map = MappedFile::open(path).map_err(|error| TableError::system(path, error))?;
        if map.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(TableError::foreign(path, "not a table file"));
        }
        let end = map.len().checked_sub(TRAILER).ok_or_else(|| damaged("truncated"))?;
        let trailer = map.get(end..).unwrap_or_default();
        if trailer.get(16..) != Some(MAGIC) {
            return Err(damaged("truncated, or damaged at its end"));
        }
        let count = number(&trailer[..8]).and_then(|count| usize::try_from(count).ok());
        let size = count.and_then(|count| count.checked_mul(8)).filter(|size| *size <= end);
        let checksums = size.map(|size| end - size).ok_or_else(|| damaged("damaged at its end"))?;
        let table = map.get(checksums..end).unwrap_or_default();
        let segments = checksums.div_ceil(SEGMENT);
        if number(&trailer[8..16]) != Some(xxh3_64(table)) || table.len() != segments * 8 {
            return Err(damaged("its checksums are damaged, or it is truncated"));
        }
        let sound = (0..segments.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let header = Header {
            format: FORMAT,
            variant: String::new(),
            title: String::new(),
            fingerprint: String::new(),
            points: 0,
            parity: None,
            coding: super::header::Coding::Parity,
            mirrored: false,
            max_plies: 0,
            layers: Vec::new(),
            sections: Vec::new(),
        };
        let mut file = TableFile { path: path.to_owned(), map, header, body: 0, checksums, sound };
        let start = MAGIC.len() + 4;
        let length = file.bytes(MAGIC.len()..start)?.try_into().map(u32::from_le_bytes).unwrap_or(0) as usize;
        let text = file.bytes(start..start.saturating_add(length))?;
        #[derive(serde::Deserialize)]
        struct Version {
            format: u32,
        }
        let version: Version =
            serde_json::from_slice(text).map_err(|error| TableError::damaged(path, error.to_string()))?;
        if ![FORMAT, PARTIAL_FORMAT].contains(&version.format) {
            let reason = format!("format {}, this program reads {FORMAT} and {PARTIAL_FORMAT}", version.format);
            return Err(TableError::foreign(path, reason));
        }
        file.header = serde_json::from_slice(text).map_err(|error| TableError::damaged(path, error.to_string()))?;
        file.body = start + length;
        Ok(file)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub(super) fn len(&self) -> u64 {
        self.map.len() as u64
    }

    /// Bytes of a section, checked.
    #[inline]
    pub(super) fn section(&self, offset: u64, range: std::ops::Range<usize>) -> Result<&[u8], TableError> {
        let start = self.body.saturating_add(usize::try_from(offset).unwrap_or(usize::MAX));
        self.bytes(start.saturating_add(range.start)..start.saturating_add(range.end))
    }

    /// Checked bytes.
    #[inline]
    fn bytes(&self, range: std::ops::Range<usize>) -> Result<&[u8], TableError> {
        if range.start > range.end || range.end > self.checksums {
            return Err(TableError::damaged(&self.path, "an offset points outside"));
        }
        for segment in range.start / SEGMENT..range.end.div_ceil(SEGMENT) {
            let known = self
                .sound
                .get(segment / 64)
                .is_some_and(|bits| bits.load(Ordering::Relaxed) >> (segment % 64) & 1 != 0);
            if !known {
                self.check(segment)?;
            }
        }
        Ok(self.map.get(range).unwrap_or_default())
    }

    /// Compares a segment with its checksum.
    #[cold]
    fn check(&self, segment: usize) -> Result<(), TableError> {
        let first = segment * SEGMENT;
        let bytes = self.map.get(first..(first + SEGMENT).min(self.checksums)).unwrap_or_default();
        let at = self.checksums + segment * 8;
        if self.map.get(at..at + 8).and_then(number) != Some(xxh3_64(bytes)) {
            let reason = format!("damaged between byte {first} and byte {}", first + bytes.len());
            return Err(TableError::damaged(&self.path, reason));
        }
        if let Some(bits) = self.sound.get(segment / 64) {
            bits.fetch_or(1 << (segment % 64), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Checks the whole file.
    pub(super) fn check_all(&self) -> Result<(), TableError> {
        (0..self.checksums.div_ceil(SEGMENT)).try_for_each(|segment| self.check(segment))
    }
}
