//! The file of a layer under way: what its plies have decided so far, from which an interrupted run goes on.
//!
//! After a magic number come entries, each with what it is of, its length and a checksum. The first one is the title, which names the
//! layer; then there are the records of plies, and after those of each its end. Entries are only added: whenever a run ends, or the power
//! fails, the complete plies stay.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use privy_base::bounded_read::open_file;

use crate::file::read_exact_at;

const MAGIC: &[u8; 8] = b"PrivyPly";
/// Bytes of an entry before its content: four numbers, and the checksum of these and the content.
const NUMBERS: usize = 16;
const HEAD: usize = NUMBERS + 8;
/// The state of the title and of the ends of plies.
const NO_STATE: u32 = u32::MAX;

/// An entry, without its content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) state: u32,
    ply: u32,
    /// The first row, among all of the state.
    pub(super) row: u32,
    length: u32,
    start: u64,
}

impl Entry {
    fn numbers(&self) -> [u8; NUMBERS] {
        let mut numbers = [0; NUMBERS];
        let all = [self.state, self.ply, self.row, self.length];
        numbers.chunks_exact_mut(4).zip(all).for_each(|(bytes, number)| bytes.copy_from_slice(&number.to_le_bytes()));
        numbers
    }

    fn checksum(&self, content: &[u8]) -> [u8; 8] {
        (xxh3_64(&self.numbers()) ^ xxh3_64(content)).to_le_bytes()
    }

    fn end(&self) -> u64 {
        self.start + HEAD as u64 + u64::from(self.length)
    }
}

#[derive(Debug)]
pub(super) struct PlyLog {
    writer: BufWriter<File>,
    reader: Arc<File>,
    /// Where the next entry will start.
    end: u64,
}

impl PlyLog {
    /// Begins a file in place of any other.
    pub(super) fn create(path: &Path, title: &[u8]) -> io::Result<PlyLog> {
        let _ = fs::remove_file(path);
        let writer = BufWriter::new(OpenOptions::new().write(true).create_new(true).open(path)?);
        let mut log = PlyLog { writer, reader: Arc::new(open_file(path)?), end: MAGIC.len() as u64 };
        log.writer.write_all(MAGIC)?;
        log.add(NO_STATE, 0, 0, title)?;
        Ok(log)
    }

    pub(super) fn add(&mut self, state: u32, ply: u32, row: u32, content: &[u8]) -> io::Result<Entry> {
        let length = u32::try_from(content.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        let entry = Entry { state, ply, row, length, start: self.end };
        self.writer.write_all(&entry.numbers())?;
        self.writer.write_all(&entry.checksum(content))?;
        self.writer.write_all(content)?;
        self.end = entry.end();
        Ok(entry)
    }

    pub(super) fn end_ply(&mut self, ply: u32) -> io::Result<()> {
        self.add(NO_STATE, ply, 0, &[])?;
        self.writer.flush()
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    /// For reading what has been flushed.
    pub(super) fn contents(&self) -> Contents {
        Contents(Arc::clone(&self.reader))
    }

    /// Opens what an earlier run has left: by ply, the records of the complete plies before the first that is not sound, at most so many. An
    /// error where there is no file with this title, or `is_sound` returns one; the file is then as it was.
    pub(super) fn resume(
        path: &Path,
        title: &[u8],
        most_plies: u32,
        is_sound: impl Fn(&[Entry], &Contents) -> io::Result<bool>,
    ) -> io::Result<(PlyLog, Vec<Vec<Entry>>)> {
        let reader = open_file(path)?;
        let file_length = reader.metadata()?.len();
        let writer = BufWriter::new(OpenOptions::new().write(true).open(path)?);
        let mut log = PlyLog { writer, reader: Arc::new(reader), end: 0 };
        let contents = log.contents();
        let mut input = BufReader::new(open_file(path)?);
        let (mut magic, mut content) = ([0; MAGIC.len()], Vec::new());
        input.read_exact(&mut magic)?;
        let mut next_entry = |start: u64| -> io::Result<Entry> {
            let mut head = [0; HEAD];
            input.read_exact(&mut head)?;
            let [state, ply, row, length] =
                [0, 4, 8, 12].map(|at| u32::from_le_bytes(std::array::from_fn(|byte| head[at + byte])));
            input.seek_relative(length.into())?;
            let entry = Entry { state, ply, row, length, start };
            if entry.end() <= file_length { Ok(entry) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
        };
        let entry = next_entry(MAGIC.len() as u64)?;
        let is_title =
            magic == *MAGIC && entry.length as usize == title.len() && contents.read(&entry, &mut content)?;
        if !is_title || content != title {
            return Err(io::ErrorKind::InvalidData.into());
        }
        log.end = entry.end();
        let (mut plies, mut of_ply, mut start) = (Vec::new(), Vec::new(), log.end);
        while plies.len() < most_plies as usize
            && let Ok(entry) = next_entry(start)
        {
            start = entry.end();
            if entry.ply as usize != plies.len() {
                break;
            } else if entry.state != NO_STATE {
                of_ply.push(entry);
            } else if contents.read(&entry, &mut content)? && is_sound(&of_ply, &contents)? {
                plies.push(std::mem::take(&mut of_ply));
                log.end = start;
            } else {
                break;
            }
        }
        log.writer.get_ref().set_len(log.end)?;
        log.writer.seek(SeekFrom::Start(log.end))?;
        Ok((log, plies))
    }
}

/// The contents of a file.
#[derive(Debug, Clone)]
pub(super) struct Contents(Arc<File>);

impl Contents {
    /// Reads the content of an entry; false if it is damaged.
    pub(super) fn read(&self, entry: &Entry, content: &mut Vec<u8>) -> io::Result<bool> {
        let mut checksum = [0; 8];
        read_exact_at(&self.0, &mut checksum, entry.start + NUMBERS as u64)?;
        content.resize(entry.length as usize, 0);
        read_exact_at(&self.0, content, entry.start + HEAD as u64)?;
        Ok(checksum == entry.checksum(content))
    }
}
