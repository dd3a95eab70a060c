//! Files of tables and of checkpoints: written whole or not at all; damage is detected.
//!
//! A file is a magic number, the sections, the header as JSON, a checksum for every 64 KiB of all this, and a trailer: the lengths of header
//! and checksums, the checksum of the checksums, the magic number again. A section has the compressed codes of a layer of a state of the
//! General by rank. Sections are in the order of states, and for each in that of layers.
//!
//! A reader checks the trailer when it opens the file, and each 64 KiB when it first reads there: opening is cheap, and no wrong byte is
//! ever used.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use privy_base::atomic_file::AtomicFile;
use privy_base::bounded_read::open_file;
use privy_base::json::fault;

use super::coding::Layer;
use super::compression::{CHUNK, chunk_range, chunks_range, code, decompress, decompress_chunks, directory_range};
use super::error::TableError;
use super::interrupt::Interrupt;
use super::numbering::Numbering;

pub const TABLE_MAGIC: &[u8; 8] = b"PrivyTbl";
pub(super) const CHECKPOINT_MAGIC: &[u8; 8] = b"PrivyChk";
/// The magic number of tables of earlier programs, in formats 1 to 4.
const OLD_MAGIC: &[u8; 8] = b"PrivyTab";
/// The version of the format.
pub const FORMAT: u32 = 7;

const MAGIC_BYTES: usize = 8;
const TRAILER_BYTES: usize = 32;
/// Bytes with a separate checksum.
const SEGMENT: usize = 1 << 16;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub format: u32,
    pub variant: String,
    pub fingerprint: String,
    /// The most plies to the end of any position with the Rebels to move.
    pub max_plies: u32,
    pub layers: Vec<Layer>,
    /// By section, its bytes.
    pub sections: Vec<u64>,
}

impl Header {
    /// A header without sections, which are counted as they are written.
    pub(super) fn new(numbering: &Numbering, layers: Vec<Layer>, max_plies: u32) -> Header {
        let (variant, fingerprint) = (numbering.variant.id().to_owned(), numbering.variant.fingerprint().to_owned());
        Header { format: FORMAT, variant, fingerprint, max_plies, layers, sections: Vec::new() }
    }

    pub(super) fn most_rebels(&self) -> u32 {
        self.layers.last().map_or(0, |layer| layer.rebels)
    }
}

/// A writer that keeps a checksum of every segment.
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

    fn flush(&mut self) -> io::Result<()> {
        if !self.segment.is_empty() {
            self.checksums.extend(xxh3_64(&self.segment).to_le_bytes());
            self.inner.write_all(&self.segment)?;
            self.segment.clear();
        }
        Ok(())
    }
}

/// Begins a file, in a new folder if need be.
pub fn create(path: &Path) -> Result<AtomicFile, TableError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| TableError::system(folder, error))?;
    }
    AtomicFile::create(path).map_err(|error| TableError::system(path, error))
}

/// Writes a file of sections, one at a time. On failure its path keeps what it held.
pub fn write<'a>(
    file: AtomicFile,
    magic: &'static [u8; 8],
    header: Header,
    sections: impl IntoIterator<Item = Result<Cow<'a, [u8]>, TableError>>,
    interrupt: &Interrupt<'_>,
) -> Result<(), TableError> {
    let path = file.path().to_owned();
    let file = write_to(file, &path, magic, header, sections, interrupt)?;
    file.commit().map_err(|error| TableError::system(&path, error))
}

/// Writes what such a file holds, one section at a time.
pub(super) fn write_to<'a, W: Write>(
    file: W,
    path: &Path,
    magic: &'static [u8; 8],
    header: Header,
    sections: impl IntoIterator<Item = Result<Cow<'a, [u8]>, TableError>>,
    interrupt: &Interrupt<'_>,
) -> Result<W, TableError> {
    let mut writer = SectionWriter::begin(file, path, magic)?;
    for section in sections {
        let section = section?;
        interrupt.check()?;
        writer.add(&section)?;
    }
    writer.end(header)
}

/// Takes the sections of a file, then their header.
pub(super) struct SectionWriter<'a, W> {
    file: Checksums<W>,
    path: &'a Path,
    magic: &'static [u8; 8],
    lengths: Vec<u64>,
}

impl<W: Write> SectionWriter<'_, W> {
    pub(super) fn begin<'a>(
        file: W,
        path: &'a Path,
        magic: &'static [u8; 8],
    ) -> Result<SectionWriter<'a, W>, TableError> {
        let mut file = Checksums { inner: file, segment: Vec::with_capacity(SEGMENT), checksums: Vec::new() };
        file.write_all(magic).map_err(|error| TableError::system(path, error))?;
        Ok(SectionWriter { file, path, magic, lengths: Vec::new() })
    }

    pub(super) fn add(&mut self, section: &[u8]) -> Result<(), TableError> {
        self.lengths.push(section.len() as u64);
        self.file.write_all(section).map_err(|error| TableError::system(self.path, error))
    }

    pub(super) fn end(self, header: Header) -> Result<W, TableError> {
        let SectionWriter { mut file, path, magic, lengths: sections } = self;
        let end = || -> io::Result<W> {
            let header = serde_json::to_vec(&Header { sections, ..header })?;
            file.write_all(&header)?;
            file.flush()?;
            let Checksums { inner: mut file, checksums, .. } = file;
            file.write_all(&checksums)?;
            file.write_all(&(header.len() as u64).to_le_bytes())?;
            file.write_all(&(checksums.len() as u64).to_le_bytes())?;
            file.write_all(&xxh3_64(&checksums).to_le_bytes())?;
            file.write_all(magic)?;
            Ok(file)
        };
        end().map_err(|error| TableError::system(path, error))
    }
}

/// What a table is read from.
#[derive(Debug)]
enum TableBytes {
    File(File),
    /// Of a session.
    Memory(Vec<u8>),
}

impl TableBytes {
    /// Reads from a place on: several threads at a time.
    fn read_at(&self, start: u64, length: usize) -> io::Result<Vec<u8>> {
        match self {
            TableBytes::File(file) => {
                let mut bytes = vec![0; length];
                read_exact_at(file, &mut bytes, start).map(|()| bytes)
            }
            TableBytes::Memory(bytes) => {
                let rest = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
                let found = rest.and_then(|rest| rest.get(..length));
                found.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
        }
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

/// A file open for reading. It is read into memory a segment at a time and compared with its checksum there. A change of the file
/// meanwhile is found as damage, or has no effect; the truncation of a mapped file would end the program.
#[derive(Debug)]
pub struct TableFile {
    pub(super) path: PathBuf,
    pub header: Header,
    pub(super) length: u64,
    /// By section, where it begins.
    starts: Vec<usize>,
    source: TableBytes,
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
    pub fn open(path: &Path, magic: &[u8; 8]) -> Result<TableFile, TableError> {
        let system = |error| TableError::system(path, error);
        let file = open_file(path).map_err(system)?;
        let length = file.metadata().map_err(system)?.len();
        TableFile::read_from(TableBytes::File(file), length, path, magic)
    }

    /// A table in memory, whose path is only its name in errors.
    pub(super) fn in_memory(bytes: Vec<u8>, path: &Path) -> Result<TableFile, TableError> {
        let length = bytes.len() as u64;
        TableFile::read_from(TableBytes::Memory(bytes), length, path, TABLE_MAGIC)
    }

    /// All bytes.
    pub(super) fn contents(&self) -> Result<Vec<u8>, TableError> {
        self.source.read_at(0, self.length as usize).map_err(|error| TableError::system(&self.path, error))
    }

    fn read_from(source: TableBytes, length: u64, path: &Path, magic: &[u8; 8]) -> Result<TableFile, TableError> {
        let damaged = |reason: &str| TableError::damaged(path, reason);
        let system = |error| TableError::system(path, error);
        let first = source.read_at(0, length.min(MAGIC_BYTES as u64) as usize).map_err(system)?;
        if first == OLD_MAGIC {
            return Err(TableError::foreign(
                path,
                "a table of an earlier version of the program; solve the variant again",
            ));
        }
        if first != magic {
            return Err(TableError::foreign(path, "not a table file"));
        }
        let end = length.checked_sub(TRAILER_BYTES as u64).ok_or_else(|| damaged("truncated"))?;
        let trailer = source.read_at(end, TRAILER_BYTES).map_err(system)?;
        if trailer[24..] != *magic {
            return Err(damaged("truncated, or damaged at its end"));
        }
        let [of_header, of_checksums, checksum] = [0, 8, 16].map(|at| number(&trailer[at..at + 8]));
        let checked = end.checked_sub(of_checksums).ok_or_else(|| damaged("damaged at its end"))?;
        let wrong_checksums = || damaged("its checksums are damaged, or it is truncated");
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
        let (header, starts) = (Header::default(), Vec::new());
        let mut file = TableFile { path, header, length, starts, source, checked, checksums, segments, reads };
        file.read_header(usize::try_from(of_header).unwrap_or(usize::MAX))?;
        Ok(file)
    }

    fn read_header(&mut self, length: usize) -> Result<(), TableError> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let start =
            self.checked.checked_sub(length).ok_or_else(|| TableError::damaged(&self.path, "damaged at its end"))?;
        let text = self.read(start..self.checked)?;
        let not_json = |error: serde_json::Error| TableError::damaged(&self.path, fault(&error));
        let Version { format } = serde_json::from_slice(&text).map_err(not_json)?;
        if format != FORMAT {
            let reason = format!("format {format}, this program reads {FORMAT}; solve the variant again");
            return Err(TableError::foreign(&self.path, reason));
        }
        self.header = serde_json::from_slice(&text).map_err(not_json)?;
        self.starts = self
            .header
            .sections
            .iter()
            .scan(MAGIC_BYTES as u64, |next, length| {
                let start = *next;
                *next = next.saturating_add(*length);
                Some(usize::try_from(start).unwrap_or(usize::MAX))
            })
            .collect();
        Ok(())
    }

    /// Where a section is in the file.
    #[inline]
    fn place(&self, section: usize) -> Range<usize> {
        let length = usize::try_from(self.header.sections[section]).unwrap_or(usize::MAX);
        self.starts[section]..self.starts[section].saturating_add(length)
    }

    /// A part of a section.
    #[inline]
    fn within(&self, section: &Range<usize>, range: Range<usize>) -> Result<Range<usize>, TableError> {
        let whole = section.start.saturating_add(range.start)..section.start.saturating_add(range.end);
        if whole.end <= section.end && whole.start <= whole.end { Ok(whole) } else { Err(self.damaged_chunk()) }
    }

    /// The code of an entry of a section. The segments that are read for it are kept for further ones.
    #[inline]
    pub(super) fn code(&self, section: usize, rank: usize) -> Result<u16, TableError> {
        let section = self.place(section);
        let chunk = rank / CHUNK;
        let directory = self.bytes(self.within(&section, directory_range(chunk..chunk + 1))?)?;
        let chunk = chunk_range(&directory).ok_or_else(|| self.damaged_chunk())?;
        code(&self.bytes(self.within(&section, chunk)?)?, rank).ok_or_else(|| self.damaged_chunk())
    }

    #[cold]
    fn damaged_chunk(&self) -> TableError {
        TableError::damaged(&self.path, "invalid chunk")
    }

    /// The checked bytes of a section, whose segments are not kept.
    pub(super) fn section(&self, section: usize) -> Result<Vec<u8>, TableError> {
        self.read(self.place(section))
    }

    /// The codes of a section of `len` entries.
    pub(super) fn decompressed(&self, section: usize, len: usize) -> Result<Vec<u16>, TableError> {
        decompress(&self.section(section)?, len).ok_or_else(|| self.damaged_chunk())
    }

    /// Reads some chunks as they are in the file now, from a first one on: for a file that this process wrote or [`check_all`](TableFile::check_all) found sound,
    /// and that nobody else writes. Nothing is kept.
    pub(super) fn unchecked_chunks(&self, section: usize, first: usize, codes: &mut [u16]) -> Result<(), TableError> {
        let section = self.place(section);
        let read = |range: Range<usize>| {
            let range = self.within(&section, range)?;
            self.check_range(&range)?;
            self.read_file(range)
        };
        let directory = read(directory_range(first..first + codes.len().div_ceil(CHUNK)))?;
        let chunks = read(chunks_range(&directory).ok_or_else(|| self.damaged_chunk())?)?;
        // The last chunk of a section has fewer codes; those beyond are never asked for.
        decompress_chunks(&directory, &chunks, codes).ok_or_else(|| self.damaged_chunk())
    }

    fn check_range(&self, range: &Range<usize>) -> Result<(), TableError> {
        match range.start > range.end || range.end > self.checked {
            true => Err(TableError::damaged(&self.path, "an offset points outside")),
            false => Ok(()),
        }
    }

    fn read_file(&self, range: Range<usize>) -> Result<Vec<u8>, TableError> {
        let bytes = self.source.read_at(range.start as u64, range.len());
        self.reads.fetch_add(1, Ordering::Relaxed);
        bytes.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => TableError::damaged(&self.path, "truncated while it was in use"),
            _ => TableError::system(&self.path, error),
        })
    }

    /// Checked bytes, whose segments are kept.
    #[inline]
    fn bytes(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, TableError> {
        let (segment, start) = (range.start / SEGMENT, range.start % SEGMENT);
        if range.start < range.end && range.end <= self.checked && start + range.len() <= SEGMENT {
            return Ok(Cow::Borrowed(&self.segment(segment)?[start..start + range.len()]));
        }
        self.collect(range, |segment| self.segment(segment).map(Cow::Borrowed)).map(Cow::Owned)
    }

    /// Checked bytes; segments that are read for them are not kept.
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
        self.check_range(&range)?;
        let mut bytes = Vec::with_capacity(range.len());
        while bytes.len() < range.len() {
            let at = range.start + bytes.len();
            let part = segment(at / SEGMENT)?;
            let part = &part[at % SEGMENT..];
            bytes.extend_from_slice(&part[..part.len().min(range.len() - bytes.len())]);
        }
        Ok(bytes)
    }

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
        let bytes = self.read_file(first..last)?;
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
