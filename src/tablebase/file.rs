//! Files of tables and checkpoints: written whole or not at all; damage is detected.
//!
//! A file is a magic number, the length of the header, the header as JSON, the sections, a checksum for every 64 KiB of all this, and a
//! trailer with the checksum of the checksums. A reader checks the trailer when it opens the file, and each 64 KiB when it first reads
//! there: opening is cheap, and no wrong byte is ever used.

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
use crate::rules::Variant;

use super::error::TableError;
use super::general_state::GeneralState;
use super::layout::{CODES, Coding, Counts, Coverage, Layer};
use super::value::Value;

/// Format version of a table of all numbers of Rebels.
pub(super) const FORMAT: u32 = 1;
/// Format version of a table of fewer: programs that read whole tables alone must refuse it.
pub(super) const PARTIAL_FORMAT: u32 = 2;
/// Format version of a table by layers, whose entries are ranks of sets.
pub(super) const LAYERED_FORMAT: u32 = 3;
/// Format version of a table by layers whose values have laps.
pub(super) const LONG_FORMAT: u32 = 4;

const TABLE_MAGIC: &[u8; 8] = b"PrivyTab";
const TRAILER: usize = 24;
const SEGMENT: usize = 1 << 16;

/// Where a section stands in the file: the values of one state of the General.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SectionHeader {
    pub(super) general: usize,
    pub(super) apex_visited: bool,
    pub(super) free_jumps: u8,
    /// Bytes after the header.
    pub(super) offset: u64,
    pub(super) length: u64,
    /// Where the laps begin in the section, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) laps: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) variant: String,
    pub(super) title: String,
    pub(super) fingerprint: String,
    pub(super) points: u32,
    /// 0 or 1 where captures take pairs only.
    pub(super) parity: Option<u32>,
    pub(super) coding: Coding,
    /// Of two states that are mirror images one is kept.
    pub(super) mirrored: bool,
    /// The most plies to the end of any position with the Rebels to move.
    pub(super) max_plies: u32,
    pub(super) layers: Vec<Layer>,
    pub(super) sections: Vec<SectionHeader>,
}

/// By number of Rebels, how often each code occurs.
type Histogram = Vec<[u64; CODES]>;

pub(super) fn empty_histogram(coverage: Coverage) -> Histogram {
    vec![[0; CODES]; coverage.most() as usize + 1]
}

pub(super) struct Section {
    pub(super) state: GeneralState,
    pub(super) bytes: Vec<u8>,
    /// Where the laps begin in the bytes, if there are any.
    pub(super) laps: Option<u64>,
    pub(super) histogram: Histogram,
}

/// Header and sections of a table; `general` gives the counts of a layer with the General to move.
pub(super) fn table_of(
    variant: &Variant,
    (coverage, coding, format): (Coverage, Coding, u32),
    compressed: Vec<Section>,
    general: impl Fn(u32) -> Counts,
) -> (Header, Vec<Vec<u8>>) {
    let mut histogram = empty_histogram(coverage);
    let (mut sections, mut headers, mut offset) = (Vec::new(), Vec::new(), 0);
    for Section { state, bytes, laps, histogram: counts } in compressed {
        let GeneralState { general, apex_visited, free_jumps } = state;
        let length = bytes.len() as u64;
        headers.push(SectionHeader { general: general.index(), apex_visited, free_jumps, offset, length, laps });
        offset += length;
        sections.push(bytes);
        let times = state.times(variant);
        for (sum, count) in histogram.iter_mut().flatten().zip(counts.iter().flatten()) {
            *sum += times * count;
        }
    }
    let mut max_plies = 0;
    let mut rebels_to_move = |rebels: u32| {
        let mut counts = Counts::default();
        for (code, count) in (0..).zip(histogram[rebels as usize]).filter(|(_, count)| *count > 0) {
            let (sum, plies) = match coding.value(code) {
                Value::Draw | Value::WinByRepetition | Value::LossByRepetition => (&mut counts.drawn, 0),
                Value::Win(plies) => (&mut counts.won, plies),
                // The game is over.
                Value::Loss(0) => continue,
                Value::Loss(plies) => (&mut counts.lost, plies),
            };
            *sum += count;
            max_plies = max_plies.max(plies);
        }
        counts
    };
    let layer = |rebels| Layer { rebels, general: general(rebels), rebel: rebels_to_move(rebels) };
    let layers = coverage.layers().map(layer).collect();
    let header = Header {
        format,
        variant: variant.id().to_owned(),
        title: variant.title().to_owned(),
        fingerprint: variant.fingerprint().to_owned(),
        points: variant.rules().ground().len(),
        parity: coverage.parity,
        coding,
        mirrored: variant.is_mirrored(),
        max_plies,
        layers,
        sections: headers,
    };
    (header, sections)
}

/// A writer that keeps a checksum of every segment.
struct Checksums {
    inner: AtomicFile,
    segment: Vec<u8>,
    checksums: Vec<u8>,
}

impl Write for Checksums {
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
pub(super) fn create(path: &Path) -> Result<AtomicFile, TableError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| TableError::system(folder, error))?;
    }
    AtomicFile::create(path).map_err(|error| TableError::system(path, error))
}

/// The path of a checkpoint of a solve beside its table's path.
pub(super) fn resume_path(table: &Path, suffix: &str) -> PathBuf {
    let mut name = table.file_name().unwrap_or_default().to_owned();
    name.push(format!(".resume{suffix}"));
    table.with_file_name(name)
}

/// Writes a file. On failure its path keeps what it held.
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

pub(super) fn write_table(file: AtomicFile, header: &Header, sections: &[Vec<u8>]) -> Result<(), TableError> {
    write(file, TABLE_MAGIC, header, sections)
}

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

/// A file open for reading. It is read into memory a segment at a time and compared with its checksum there. A change of the file
/// meanwhile is found as damage, or has no effect; the truncation of a mapped file would end the program.
#[derive(Debug)]
pub(super) struct ChecksummedFile {
    pub(super) path: PathBuf,
    file: Mutex<File>,
    pub(super) length: u64,
    header: Range<usize>,
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

fn read_at(file: &mut File, start: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes).map(|()| bytes)
}

impl ChecksummedFile {
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

    pub(super) fn header<T: DeserializeOwned>(&self) -> Result<T, TableError> {
        let text = self.read(self.header.clone())?;
        serde_json::from_slice(&text).map_err(|error| TableError::damaged(&self.path, error.to_string()))
    }

    /// The place in the file of a part of the section that begins `offset` bytes after the header.
    #[inline]
    fn place(&self, offset: u64, range: Range<usize>) -> Range<usize> {
        let start = self.header.end.saturating_add(usize::try_from(offset).unwrap_or(usize::MAX));
        start.saturating_add(range.start)..start.saturating_add(range.end)
    }

    /// Checked bytes of the section that begins `offset` bytes after the header. Their segments are kept for further probes.
    #[inline]
    pub(super) fn section(&self, offset: u64, range: Range<usize>) -> Result<Cow<'_, [u8]>, TableError> {
        self.bytes(self.place(offset, range))
    }

    /// The checked bytes of the whole section that begins `offset` bytes after the header; their segments are not kept.
    pub(super) fn whole_section(&self, offset: u64, length: u64) -> Result<Vec<u8>, TableError> {
        self.read(self.place(offset, 0..usize::try_from(length).unwrap_or(usize::MAX)))
    }

    /// Bytes of the section that begins `offset` bytes after the header, as they are in the file now: for a file that
    /// [`check_all`](ChecksummedFile::check_all) has found sound and nobody else writes. Nothing is kept.
    pub(super) fn unchecked(&self, offset: u64, range: Range<usize>) -> Result<Vec<u8>, TableError> {
        let range = self.place(offset, range);
        self.check_range(&range)?;
        self.read_file(range)
    }

    fn check_range(&self, range: &Range<usize>) -> Result<(), TableError> {
        match range.start > range.end || range.end > self.checked {
            true => Err(TableError::damaged(&self.path, "an offset points outside")),
            false => Ok(()),
        }
    }

    fn read_file(&self, range: Range<usize>) -> Result<Vec<u8>, TableError> {
        let bytes = {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            read_at(&mut file, range.start as u64, range.len())
        };
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
