//! What the plies of a layer decide with the Rebels to move: written ply by ply, and read once, in the order of ranks.
//!
//! A ply asks only whether a position is decided, so its value is not kept in memory. A record is what a ply decided in some rows that
//! stand together: for each row its number, its nonempty words less 1, and of each word its number, a bit for each nonempty byte, and
//! these bytes. Records stay in memory while they are small, then they go to a file that vanishes with the layer.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use privy_base::atomic_file::AtomicFile;
use privy_base::best_instructions;
use privy_base::huge_pages::zeros;
use privy_protocol::Stop;

use crate::coding::{Coding, Section, code_of};
use crate::error::TableError;

use super::moves::{WordSet, take_word};

/// Where the bytes of a record are.
#[derive(Debug)]
enum Place {
    Held(Vec<u8>),
    InFile { start: u64, len: usize },
}

#[derive(Debug)]
struct PlyRecord {
    value: u16,
    /// The first row, among all of the state.
    row: usize,
    place: Place,
}

#[derive(Debug, Default)]
struct Records {
    by_state: Vec<Vec<PlyRecord>>,
    held: u64,
    file: Option<AtomicFile>,
    written: u64,
    failure: Option<io::Error>,
}

/// The records of a layer.
#[derive(Debug)]
pub(super) struct PlyRecords {
    /// The path beside which the file is; without one all stays in memory.
    path: Option<PathBuf>,
    /// The most bytes in memory otherwise.
    most_held: u64,
    records: Mutex<Records>,
}

/// Adds what a ply decided in a row to a record.
#[inline(always)]
pub(super) fn record_row(record: &mut Vec<u8>, row: usize, mut words: WordSet, sets: &[u64]) {
    record.extend((row as u16).to_le_bytes());
    record.push((words.count_ones() - 1) as u8);
    while let Some(word) = take_word(&mut words) {
        let bytes = sets[word].to_le_bytes();
        let mask = (0..8).fold(0u8, |mask, byte| mask | u8::from(bytes[byte] != 0) << byte);
        record.extend([word as u8, mask]);
        record.extend(bytes.into_iter().filter(|byte| *byte != 0));
    }
}

/// Calls `each` with every row, word and set of bits of a record.
fn for_each_word(mut record: &[u8], mut each: impl FnMut(usize, usize, u64)) {
    while let [low, high, words, rest @ ..] = record {
        record = rest;
        let row = usize::from(u16::from_le_bytes([*low, *high]));
        for _ in 0..=*words {
            let [word, mask, rest @ ..] = record else { return };
            let mut bytes = rest.iter();
            let mut bits = [0; 8];
            for (byte, bits) in bits.iter_mut().enumerate() {
                if mask >> byte & 1 != 0 {
                    *bits = bytes.next().copied().unwrap_or(0);
                }
            }
            record = bytes.as_slice();
            each(row, usize::from(*word), u64::from_le_bytes(bits));
        }
    }
}

impl PlyRecords {
    pub(super) fn new(states: usize, path: Option<PathBuf>, most_held: u64) -> PlyRecords {
        let by_state = std::iter::repeat_with(Vec::new).take(states).collect();
        PlyRecords { path, most_held, records: Mutex::new(Records { by_state, ..Records::default() }) }
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the record of a ply in rows of a state, the first of which has this number among all of the state.
    pub(super) fn add(&self, state: usize, row: usize, value: u16, record: Vec<u8>) {
        let mut records = self.records();
        if record.is_empty() || records.failure.is_some() {
            return;
        }
        let place = match &self.path {
            Some(path) if records.held + record.len() as u64 > self.most_held => {
                let (start, len) = (records.written, record.len());
                if let Err(error) = records.write(path, &record) {
                    records.failure = Some(error);
                    return;
                }
                Place::InFile { start, len }
            }
            _ => {
                records.held += record.len() as u64;
                Place::Held(record)
            }
        };
        records.by_state[state].push(PlyRecord { value, row, place });
    }

    /// Returns the error of a record that was not written.
    pub(super) fn check(&self) -> Result<(), TableError> {
        let failure = self.records().failure.take();
        failure.map_or(Ok(()), |error| Err(self.system(error)))
    }

    fn system(&self, error: io::Error) -> TableError {
        TableError::system(self.path.as_deref().unwrap_or("memory".as_ref()), error)
    }

    /// Takes the codes of a state by rank. `ranks` has the rank of the first set of each row, and the end.
    pub(super) fn take(&self, state: usize, ranks: &[usize], stop: &Stop) -> Result<Codes, TableError> {
        let records = std::mem::take(&mut self.records().by_state[state]);
        let sets = ranks.last().copied().unwrap_or(0);
        let mut codes = Codes { values: zeros(sets), laps: Vec::new() };
        let mut buffer = Vec::new();
        for PlyRecord { value, row: first, place } in records {
            if stop.is_set() {
                return Err(TableError::Interrupted);
            }
            let record = match &place {
                Place::Held(record) => record,
                Place::InFile { start, len } => {
                    buffer.resize(*len, 0);
                    let read = self.records().file.as_mut().map_or(Ok(()), |file| file.read_back(*start, &mut buffer));
                    read.map_err(|error| self.system(error))?;
                    &buffer
                }
            };
            codes.write(record, &ranks[first..], value);
        }
        Ok(codes)
    }
}

impl Records {
    fn write(&mut self, path: &Path, record: &[u8]) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(AtomicFile::create(path)?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(record)?;
            self.written += record.len() as u64;
        }
        Ok(())
    }
}

/// Codes by rank.
#[derive(Debug, Default)]
pub(super) struct Codes {
    pub(super) values: Vec<u8>,
    /// Empty where no code has laps.
    pub(super) laps: Vec<u8>,
}

impl Codes {
    #[inline(always)]
    pub(super) fn code(&self, rank: usize) -> u16 {
        code_of(self.values[rank], self.laps.get(rank).copied().unwrap_or(0))
    }

    #[inline(always)]
    pub(super) fn set(&mut self, rank: usize, code: u16) {
        let [value, laps] = code.to_le_bytes();
        self.values[rank] = value;
        if laps != 0 && self.laps.is_empty() {
            self.laps = zeros(self.values.len());
        }
        if let Some(before) = self.laps.get_mut(rank) {
            *before = laps;
        }
    }

    /// Sets the codes of the positions of a record, which are not set yet. `ranks` has the rank of the first set of each row.
    fn write(&mut self, record: &[u8], ranks: &[usize], code: u16) {
        let [value, laps] = code.to_le_bytes();
        if laps != 0 && self.laps.is_empty() {
            self.laps = zeros(self.values.len());
        }
        let values: &mut [u8] = &mut self.values;
        let of_laps: &mut [u8] = if laps == 0 { &mut [] } else { &mut self.laps };
        for_each_word(record, |row, word, mut bits| {
            let first = ranks[row] + word * 64;
            while bits != 0 {
                let rank = first + bits.trailing_zeros() as usize;
                values[rank] = value;
                if let Some(of_rank) = of_laps.get_mut(rank) {
                    *of_rank = laps;
                }
                bits &= bits - 1;
            }
        });
    }

    pub(super) fn section(&self, coding: Coding, stop: &Stop) -> Result<Section, TableError> {
        let section = dispatch_section(self, coding, stop);
        if stop.is_set() { Err(TableError::Interrupted) } else { Ok(section) }
    }
}

best_instructions! {
    fn dispatch_section(codes: &Codes, coding: Coding, stop: &Stop) -> Section {
        Section::new(coding, &codes.values, &codes.laps, stop)
    }
}
