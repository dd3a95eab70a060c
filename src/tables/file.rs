//! Files of tables: written whole or not at all; damage is detected.
//!
//! A file is a magic number, the sections, the header as JSON, a checksum for every 64 KiB of all this, and a trailer:
//! the lengths of header and checksums, the checksum of the checksums, the magic number again. A section has the
//! compressed codes of a layer of a state of the General by rank. Sections are in the order of layers, and for each in
//! that of states: a solve appends a layer after the other.
//!
//! A reader checks the trailer when it opens the file, and each 64 KiB when it first reads there: opening is cheap, and
//! no wrong byte is ever used.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use privy_base::bounded_read::open_file;
use privy_base::json::fault;
use privy_rules::{Variant, games};

use super::coding::Layer;
use super::compression::{read_code, read_codes};
use super::error::TableError;

const MAGIC: &[u8; 8] = b"PrivyTbl";
/// The version of the format.
pub const FORMAT: u32 = 8;

const MAGIC_BYTES: usize = 8;
const TRAILER_BYTES: usize = 32;
/// Bytes with a separate checksum.
const SEGMENT: usize = 1 << 16;

/// What a file says of its table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Header {
    /// The version of the format.
    pub format: u32,
    /// Id of the variant.
    pub variant: String,
    /// Fingerprint of its rules.
    pub fingerprint: String,
    /// The most plies to the end of any position with the Rebels to move.
    pub max_plies: u32,
    /// Won, drawn and lost positions by number of Rebels.
    pub layers: Vec<Layer>,
    /// By section, its bytes.
    pub sections: Vec<u64>,
    /// Bytes of the file.
    #[serde(skip_serializing)]
    pub bytes: u64,
}

impl Header {
    /// Reads the header of a table of any variant.
    ///
    /// # Errors
    /// When the file is not a table, or damaged.
    pub fn read(path: &Path) -> Result<Header, TableError> {
        Ok(TableFile::open(path)?.header)
    }

    /// What is known of the table of a built-in game with these rules: its `table_counts.toml`. It has no sections.
    #[must_use]
    pub fn known(fingerprint: &str) -> Option<Header> {
        let read = |text| toml::from_str::<Header>(text).expect("a test reads all counts");
        let mut known = games::all().iter().filter_map(|files| files.table_counts).map(read);
        known.find(|known| known.fingerprint == fingerprint)
    }

    /// The header of a file without layers.
    pub(super) fn of(variant: &Variant) -> Header {
        let (variant, fingerprint) = (variant.id().to_owned(), variant.fingerprint().to_owned());
        Header { format: FORMAT, variant, fingerprint, ..Header::default() }
    }

    /// By section, where it begins in the file, and the end of the last.
    pub(super) fn starts(&self) -> impl Iterator<Item = u64> {
        let ends = self.sections.iter().scan(MAGIC_BYTES as u64, |next, length| {
            *next = next.saturating_add(*length);
            Some(*next)
        });
        std::iter::once(MAGIC_BYTES as u64).chain(ends)
    }

    /// The most Rebels of a position that the table covers.
    #[must_use]
    pub fn most_rebels(&self) -> u32 {
        self.layers.last().map_or(0, |layer| layer.rebels)
    }
}

/// The bytes of a table: in a file, or in memory. A solve has the first of a file in memory, too.
#[derive(Debug, Default)]
pub(super) struct TableBytes {
    pub(super) memory: Vec<u8>,
    pub(super) file: Option<File>,
}

impl TableBytes {
    pub(super) fn of(memory: Vec<u8>) -> TableBytes {
        TableBytes { memory, file: None }
    }

    /// Reads from a place on: several threads in parallel.
    pub(super) fn read_at(&self, start: u64, length: usize) -> io::Result<Cow<'_, [u8]>> {
        let in_memory = usize::try_from(start).ok().and_then(|start| self.memory.get(start..)?.get(..length));
        match (in_memory, &self.file) {
            (Some(bytes), _) => Ok(Cow::Borrowed(bytes)),
            (None, Some(file)) => {
                let mut bytes = vec![0; length];
                read_exact_at(file, &mut bytes, start).map(|()| Cow::Owned(bytes))
            }
            (None, None) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Reads the codes of some chunks of a section, from a first chunk on, without checks: for a file that this process
    /// wrote or found valid, and that nobody else writes.
    pub(super) fn codes(&self, section: Range<u64>, first: usize, codes: &mut [u16]) -> io::Result<()> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "invalid chunk");
        let read = |part: Range<usize>| {
            let place = place_of(&section, part).ok_or_else(damaged)?;
            self.read_at(place.start, (place.end - place.start) as usize)
        };
        read_codes(first, codes, read, damaged)
    }
}

/// The place in the file of a part of a section; `None` if it is no part.
#[inline(always)]
fn place_of(section: &Range<u64>, part: Range<usize>) -> Option<Range<u64>> {
    let [start, end] = [part.start, part.end].map(|offset| section.start.saturating_add(offset as u64));
    (start <= end && end <= section.end).then_some(start..end)
}

/// The most bytes that a solve has in memory beside its files.
pub(super) const MOST_HELD: u64 = 64 << 20;

/// A file under way, with a checksum for every segment.
#[derive(Default)]
pub struct Writer {
    pub(super) bytes: TableBytes,
    pub(super) length: u64,
    segment: Xxh3,
    checksums: Vec<u8>,
}

impl Writer {
    /// Begins a file; `None`: in memory.
    pub fn begin(file: Option<File>) -> io::Result<Writer> {
        let mut writer = Writer { bytes: TableBytes { file, ..TableBytes::default() }, ..Writer::default() };
        writer.add(MAGIC)?;
        Ok(writer)
    }

    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(mut file) = self.bytes.file.as_ref() {
            file.seek(SeekFrom::Start(self.length))?;
            file.write_all(bytes)?;
        }
        self.note(bytes);
        Ok(())
    }

    /// Takes up to a segment of what the file has already.
    pub(super) fn take_over(&mut self, end: u64) -> io::Result<()> {
        let bytes = self.bytes.read_at(self.length, (end - self.length).min(SEGMENT as u64) as usize)?.into_owned();
        self.note(&bytes);
        Ok(())
    }

    fn note(&mut self, mut bytes: &[u8]) {
        let is_small = self.bytes.file.is_none() || self.length + bytes.len() as u64 <= MOST_HELD;
        if is_small && self.bytes.memory.len() as u64 == self.length {
            self.bytes.memory.extend(bytes);
        }
        while !bytes.is_empty() {
            let taken = bytes.len().min(SEGMENT - self.length as usize % SEGMENT);
            self.segment.update(bytes.split_off(..taken).unwrap_or_default());
            self.length += taken as u64;
            if self.length.is_multiple_of(SEGMENT as u64) {
                self.end_segment();
            }
        }
    }

    fn end_segment(&mut self) {
        self.checksums.extend(self.segment.digest().to_le_bytes());
        self.segment.reset();
    }

    /// A checksum of all bytes so far.
    pub(super) fn digest(&self) -> u64 {
        xxh3_64(&self.checksums) ^ self.segment.digest()
    }

    /// Adds what follows the sections.
    pub fn end(&mut self, header: &Header) -> io::Result<()> {
        let header = serde_json::to_vec(header)?;
        self.add(&header)?;
        if !self.length.is_multiple_of(SEGMENT as u64) {
            self.end_segment();
        }
        let checksums = std::mem::take(&mut self.checksums);
        let numbers = [header.len() as u64, checksums.len() as u64, xxh3_64(&checksums)].map(u64::to_le_bytes);
        self.add(&checksums)?;
        self.add(&[numbers.as_flattened(), MAGIC].concat())
    }
}

#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

/// Where a file has one place for all, one at a time.
#[cfg(not(unix))]
pub(super) fn read_exact_at(mut file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    use std::sync::{Mutex, PoisonError};

    static PLACE: Mutex<()> = Mutex::new(());

    let _one = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(bytes)
}

/// A file open for reading. It is read into memory segment by segment and compared with its checksum there. A change of
/// the file meanwhile is found as damage, or has no effect; the truncation of a mapped file would end the program.
#[derive(Debug)]
pub struct TableFile {
    pub(super) path: PathBuf,
    pub header: Header,
    /// By section, where it begins, and the end of the last.
    starts: Vec<usize>,
    pub(super) source: TableBytes,
    /// Bytes that have checksums.
    checked: usize,
    checksums: Box<[u64]>,
    /// Sound segments that are kept in memory.
    segments: Box<[OnceLock<Box<[u8]>>]>,
    /// Segments read so far.
    pub(super) reads: AtomicU64,
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("numbers have eight bytes"))
}

impl TableFile {
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let system = |error| TableError::system(path, error);
        let file = open_file(path).map_err(system)?;
        let length = file.metadata().map_err(system)?.len();
        TableFile::read_from(TableBytes { file: Some(file), ..TableBytes::default() }, length, path)
    }

    /// A table in memory, whose path is only its name in errors.
    pub(super) fn in_memory(bytes: Vec<u8>, path: &Path) -> Result<TableFile, TableError> {
        let length = bytes.len() as u64;
        TableFile::read_from(TableBytes::of(bytes), length, path)
    }

    /// All bytes.
    pub(super) fn contents(&self) -> Result<Vec<u8>, TableError> {
        let bytes = self.source.read_at(0, self.header.bytes as usize);
        bytes.map(Cow::into_owned).map_err(|error| TableError::system(&self.path, error))
    }

    fn read_from(source: TableBytes, length: u64, path: &Path) -> Result<TableFile, TableError> {
        let unusable = |reason: &str| TableError::unusable(path, reason);
        let system = |error| TableError::system(path, error);
        let first = source.read_at(0, length.min(MAGIC_BYTES as u64) as usize).map_err(system)?;
        if *first != *MAGIC {
            return Err(unusable("not a table file, or one of an earlier version; solve the variant again"));
        }
        let end = length.checked_sub(TRAILER_BYTES as u64).ok_or_else(|| unusable("truncated"))?;
        let trailer = source.read_at(end, TRAILER_BYTES).map_err(system)?;
        if trailer[24..] != *MAGIC {
            return Err(unusable("truncated, or damaged at its end"));
        }
        let [of_header, of_checksums, checksum] = [0, 8, 16].map(|at| number(&trailer[at..at + 8]));
        let checked = end.checked_sub(of_checksums).ok_or_else(|| unusable("damaged at its end"))?;
        let wrong_checksums = || unusable("its checksums are damaged, or it is truncated");
        let sizes = usize::try_from(checked).ok().zip(usize::try_from(of_checksums).ok());
        let sizes = sizes.filter(|_| Some(of_checksums) == checked.div_ceil(SEGMENT as u64).checked_mul(8));
        let (checked, of_checksums) = sizes.ok_or_else(wrong_checksums)?;
        let checksums = source.read_at(checked as u64, of_checksums).map_err(system)?;
        if checksum != xxh3_64(&checksums) {
            return Err(wrong_checksums());
        }
        let checksums: Box<[u64]> = checksums.chunks_exact(8).map(number).collect();
        let segments = checksums.iter().map(|_| OnceLock::new()).collect();
        let (path, reads) = (path.to_owned(), AtomicU64::new(0));
        let (header, starts) = (Header { bytes: length, ..Header::default() }, Vec::new());
        let mut file = TableFile { path, header, starts, source, checked, checksums, segments, reads };
        file.read_header(usize::try_from(of_header).unwrap_or(usize::MAX))?;
        Ok(file)
    }

    fn read_header(&mut self, length: usize) -> Result<(), TableError> {
        let start = self.checked.checked_sub(length).ok_or_else(|| self.unusable("damaged at its end"))?;
        let text = self.read(start..self.checked)?.into_owned();
        let not_json = |error: serde_json::Error| self.unusable(fault(&error));
        // The rest of a header of another format may be anything.
        let format = serde_json::from_slice::<serde_json::Value>(&text).map_err(not_json)?["format"].clone();
        if format != FORMAT {
            let reason = format!("format {format}, this program reads {FORMAT}; solve the variant again");
            return Err(self.unusable(reason));
        }
        let header = serde_json::from_slice(&text).map_err(not_json)?;
        self.header = Header { bytes: self.header.bytes, ..header };
        self.starts = self.header.starts().map(|start| usize::try_from(start).unwrap_or(usize::MAX)).collect();
        Ok(())
    }

    /// The code of an entry of a section.
    #[inline]
    pub fn code(&self, section: usize, rank: usize) -> Result<u16, TableError> {
        let section = self.starts[section] as u64..self.starts[section + 1] as u64;
        let invalid = || self.unusable("invalid chunk");
        let read = |part: Range<usize>| {
            let place = place_of(&section, part).ok_or_else(invalid)?;
            self.read(place.start as usize..place.end as usize)
        };
        read_code(rank, read, invalid)
    }

    #[cold]
    fn unusable(&self, reason: impl Into<String>) -> TableError {
        TableError::unusable(&self.path, reason)
    }

    /// Checked bytes. The segments that are read for them stay in memory.
    #[inline]
    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, TableError> {
        if range.start > range.end || range.end > self.checked {
            return Err(self.unusable("an offset points outside"));
        }
        let (first, start) = (range.start / SEGMENT, range.start % SEGMENT);
        if !range.is_empty() && start + range.len() <= SEGMENT {
            return Ok(Cow::Borrowed(&self.segment(first)?[start..start + range.len()]));
        }
        let segments = first..range.end.div_ceil(SEGMENT);
        let segments = segments.map(|segment| self.segment(segment)).collect::<Result<Vec<_>, _>>()?;
        Ok(Cow::Owned(segments.concat()[start..][..range.len()].to_vec()))
    }

    #[inline]
    fn segment(&self, segment: usize) -> Result<&[u8], TableError> {
        if let Some(bytes) = self.segments[segment].get() {
            return Ok(bytes);
        }
        let bytes = self.read_segment(segment)?;
        Ok(self.segments[segment].get_or_init(|| bytes.into()))
    }

    /// Reads a segment and compares it with its checksum.
    #[cold]
    fn read_segment(&self, segment: usize) -> Result<Vec<u8>, TableError> {
        let (first, last) = (segment * SEGMENT, ((segment + 1) * SEGMENT).min(self.checked));
        self.reads.fetch_add(1, Ordering::Relaxed);
        let bytes = self.source.read_at(first as u64, last - first).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.unusable("truncated while it was in use"),
            _ => TableError::system(&self.path, error),
        })?;
        if self.checksums[segment] != xxh3_64(&bytes) {
            return Err(self.unusable(format!("damaged between byte {first} and byte {last}")));
        }
        Ok(bytes.into_owned())
    }

    /// Checks the whole file as it is now.
    pub(super) fn check_all(&self) -> Result<(), TableError> {
        (0..self.checksums.len()).try_for_each(|segment| self.read_segment(segment).map(drop))
    }
}
