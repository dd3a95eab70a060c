//! What the plies of a layer decide with the Rebels to move: written ply by ply, and read once, in the order of ranks.
//!
//! A ply asks only whether a position is decided, so its value is not kept in memory. A record is what a ply decided in some rows that
//! stand together: for each row its number, its nonempty words less 1, and of each word its number, a bit for each nonempty byte, and
//! these bytes. Records stay in memory while they are small, then they go to a file (`ply_log`). A run that goes on from there reads the
//! Rebels' plies again instead of computing them.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use privy_base::best_instructions;
use privy_base::huge_pages::zeros;
use privy_base::threads::try_map;
use privy_protocol::{Instant, Stop};

use crate::checkpoint::CHECKPOINT_INTERVAL;
use crate::coding::{Coding, Section, code_of};
use crate::error::TableError;

use super::moves::{Geometry, WordSet, take_word};
use super::ply_log::{Contents, Entry, PlyLog};
use super::split::{Class, Layout};

/// Where the bytes of a record are.
#[derive(Debug, Clone)]
enum Place {
    Held(Arc<Vec<u8>>),
    InFile(Entry),
}

#[derive(Debug, Clone)]
struct PlyRecord {
    ply: u32,
    /// The first row, among all of the state.
    row: usize,
    place: Place,
}

#[derive(Debug)]
struct Records {
    /// By state, in the order of plies.
    by_state: Vec<Vec<PlyRecord>>,
    held: u64,
    /// Complete plies.
    plies: u32,
    log: Option<PlyLog>,
    last_try: Instant,
    failure: Option<io::Error>,
}

/// The records of a layer.
#[derive(Debug)]
pub struct PlyRecords {
    coding: Coding,
    /// The path and the title of the file; without them all stays in memory.
    file: Option<(PathBuf, Vec<u8>)>,
    /// The most bytes in memory otherwise.
    most_held: u64,
    /// Plies of an earlier run.
    plies_before: u32,
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

/// Those of a ply among the records of a state.
fn of_ply(records: &[PlyRecord], ply: u32) -> &[PlyRecord] {
    let first = records.partition_point(|record| record.ply < ply);
    let end = records.partition_point(|record| record.ply <= ply);
    &records[first..end]
}

/// True if the rows, words and bits of a record exist.
fn is_sound(record: &[u8], layout: &Layout, first_row: usize) -> bool {
    let Some((class, first)) = layout.row(first_row) else { return false };
    let mut is_sound = true;
    for_each_word(record, |row, word, bits| {
        let exists = first + row < class.rows && word < class.words;
        is_sound &= exists && (bits == 0 || word * 64 + (bits.ilog2() as usize) < class.sets);
    });
    is_sound
}

impl PlyRecords {
    /// The records of a layer, with those of at most so many plies of an earlier run. `file` has its path and its title, which says of what
    /// layer it is.
    pub(super) fn new(
        geometry: &Geometry<'_>,
        coding: Coding,
        file: Option<(PathBuf, Vec<u8>)>,
        most_held: u64,
        most_plies: u32,
        stop: &Stop,
    ) -> Result<PlyRecords, TableError> {
        let is_sound = |entries: &[Entry], contents: &Contents| -> io::Result<bool> {
            let is_sound = |entry: &Entry| {
                let (mut content, layout) = (Vec::new(), geometry.layouts.get(entry.state as usize));
                let is_read = !stop.is_set() && contents.read(entry, &mut content).unwrap_or(false);
                is_read && layout.is_some_and(|layout| is_sound(&content, layout, entry.row as usize))
            };
            let are_sound = try_map(entries, |entry| is_sound(entry).then_some(()).ok_or(())).is_ok();
            if stop.is_set() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(are_sound) }
        };
        let resumed = file.as_ref().and_then(|(path, title)| PlyLog::resume(path, title, most_plies, is_sound).ok());
        if stop.is_set() {
            return Err(TableError::Interrupted);
        }
        let (log, earlier) = resumed.map_or_else(Default::default, |(log, earlier)| (Some(log), earlier));
        let plies_before = earlier.len() as u32;
        let mut by_state = vec![Vec::new(); geometry.layouts.len()];
        for (ply, entry) in
            (0..).zip(earlier).flat_map(|(ply, entries)| entries.into_iter().map(move |entry| (ply, entry)))
        {
            by_state[entry.state as usize].push(PlyRecord {
                ply,
                row: entry.row as usize,
                place: Place::InFile(entry),
            });
        }
        let (plies, last_try) = (plies_before, Instant::now());
        let records = Records { by_state, held: 0, plies, log, last_try, failure: None };
        Ok(PlyRecords { coding, file, most_held, plies_before, records: Mutex::new(records) })
    }

    /// The number of plies of an earlier run.
    pub fn plies_before(&self) -> u32 {
        self.plies_before
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the record of a ply in rows of a state, the first of which has this number among all of the state.
    pub(super) fn add(&self, state: usize, row: usize, ply: u32, record: Vec<u8>) {
        let mut records = self.records();
        if record.is_empty() || records.failure.is_some() {
            return;
        }
        if records.log.is_none() && records.held + record.len() as u64 > self.most_held {
            records.failure = self.begin_log(&mut records).err();
        }
        let place = match &mut records.log {
            Some(log) => match log.add(state as u32, ply, row as u32, &record) {
                Ok(entry) => Place::InFile(entry),
                Err(error) => {
                    records.failure = Some(error);
                    return;
                }
            },
            None => {
                records.held += record.len() as u64;
                Place::Held(Arc::new(record))
            }
        };
        records.by_state[state].push(PlyRecord { ply, row, place });
    }

    /// Begins the file with what is in memory, which stays there; nothing where there is none.
    fn begin_log(&self, records: &mut Records) -> io::Result<()> {
        let Some((path, title)) = &self.file else { return Ok(()) };
        let mut log = PlyLog::create(path, title)?;
        for ply in 0..=records.plies {
            for (state, records) in records.by_state.iter().enumerate() {
                for PlyRecord { row, place, .. } in of_ply(records, ply) {
                    if let Place::Held(record) = place {
                        log.add(state as u32, ply, *row as u32, record)?;
                    }
                }
            }
            if ply < records.plies {
                log.end_ply(ply)?;
            }
        }
        records.log = Some(log);
        Ok(())
    }

    /// Notes that a ply is complete. Returns the error of a record that was not written.
    pub(super) fn end_ply(&self, ply: u32) -> Result<(), TableError> {
        let mut records = self.records();
        if let Some(error) = records.failure.take() {
            return Err(self.system(error));
        }
        records.plies = ply + 1;
        if let Some(log) = &mut records.log {
            log.end_ply(ply).map_err(|error| self.system(error))?;
        } else if records.last_try.elapsed() > CHECKPOINT_INTERVAL {
            records.last_try = Instant::now();
            // The solve continues without it; there may be room later.
            self.begin_log(&mut records).unwrap_or_else(|error| log::warn!("no checkpoint was kept: {error}"));
        }
        Ok(())
    }

    /// Sees to it that the complete plies are in the file.
    pub fn keep(&self) -> Result<(), TableError> {
        let mut records = self.records();
        let kept = if records.log.is_none() && records.plies > 0 { self.begin_log(&mut records) } else { Ok(()) };
        kept.map_err(|error| self.system(error))
    }

    /// Removes the file.
    pub fn remove(self) {
        if let Some((path, _)) = self.file.as_ref().filter(|_| self.records().log.is_some()) {
            let _ = fs::remove_file(path);
        }
    }

    fn system(&self, error: io::Error) -> TableError {
        let path = self.file.as_ref().map_or("memory".as_ref(), |(path, _)| path.as_path());
        TableError::system(path, error)
    }

    fn contents(&self) -> Result<Option<Contents>, TableError> {
        let mut records = self.records();
        let flushed = records.log.as_mut().map_or(Ok(()), PlyLog::flush);
        flushed.map_err(|error| self.system(error))?;
        Ok(records.log.as_ref().map(PlyLog::contents))
    }

    /// The bytes of a record, perhaps in a buffer.
    fn read<'b>(
        &self,
        contents: Option<&Contents>,
        place: &'b Place,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], TableError> {
        let entry = match place {
            Place::Held(record) => return Ok(record),
            Place::InFile(entry) => entry,
        };
        let read = contents.map_or(Ok(false), |contents| contents.read(entry, buffer));
        match read.map_err(|error| self.system(error))? {
            true => Ok(buffer),
            false => Err(self.system(io::Error::new(io::ErrorKind::InvalidData, "it changed while it was in use"))),
        }
    }

    /// Calls `each` with the first row, among all of the state, and the bytes of each record of a ply.
    fn for_each_of_ply(&self, state: usize, ply: u32, mut each: impl FnMut(usize, &[u8])) -> Result<(), TableError> {
        let contents = self.contents()?;
        let records = of_ply(&self.records().by_state[state], ply).to_vec();
        let mut buffer = Vec::new();
        for PlyRecord { row, place, .. } in records {
            each(row, self.read(contents.as_ref(), &place, &mut buffer)?);
        }
        Ok(())
    }

    /// Appends the records of a ply to a message: the first row of each, its length and its bytes.
    pub(super) fn write_ply(&self, state: usize, ply: u32, message: &mut Vec<u8>) -> Result<(), TableError> {
        self.for_each_of_ply(state, ply, |row, record| {
            [row as u32, record.len() as u32].iter().for_each(|number| message.extend(number.to_le_bytes()));
            message.extend(record);
        })
    }

    /// The codes of a state by rank. `ranks` has the rank of the first set of each row, and the end.
    pub(super) fn codes(&self, state: usize, ranks: &[usize], stop: &Stop) -> Result<Codes, TableError> {
        let contents = self.contents()?;
        let records = self.records().by_state[state].clone();
        let sets = ranks.last().copied().unwrap_or(0);
        let mut codes = Codes { values: zeros(sets), laps: Vec::new() };
        let mut buffer = Vec::new();
        for PlyRecord { ply, row: first, place } in records {
            if stop.is_set() {
                return Err(TableError::Interrupted);
            }
            let record = self.read(contents.as_ref(), &place, &mut buffer)?;
            codes.write(record, &ranks[first..], self.coding.write(ply, ply % 2 == 1));
        }
        Ok(codes)
    }
}

/// Where it is recorded what a ply has decided in some states.
pub(super) enum PlySource<'a> {
    /// In those of this process.
    InRecords(&'a PlyRecords),
    /// In some of other processes.
    InMessages(&'a [(usize, &'a [u8])]),
}

impl PlySource<'_> {
    pub(super) fn is_of(&self, state: usize, geometry: &Geometry<'_>) -> bool {
        match self {
            PlySource::InRecords(_) => geometry.is_own[state],
            PlySource::InMessages(messages) => messages.iter().any(|(of, _)| *of == state),
        }
    }

    /// Calls `each` with the class, row, word and sets of what was decided in a state.
    pub(super) fn for_each(
        &self,
        state: usize,
        layout: &Layout,
        ply: u32,
        mut each: impl FnMut(&Class, usize, usize, u64),
    ) -> Result<(), TableError> {
        let mut record = |row: usize, record: &[u8]| {
            if let Some((class, first)) = layout.row(row) {
                for_each_word(record, |row, word, bits| each(class, first + row, word, bits));
            }
        };
        match self {
            PlySource::InRecords(records) => records.for_each_of_ply(state, ply, record),
            PlySource::InMessages(messages) => {
                for mut message in messages.iter().filter(|(of, _)| *of == state).map(|(_, message)| *message) {
                    while let Some((head, rest)) = message.split_first_chunk::<8>() {
                        let [row, length] =
                            [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|byte| head[at + byte])));
                        let of_rows =
                            rest.get(..length as usize).filter(|of_rows| is_sound(of_rows, layout, row as usize));
                        let of_rows = of_rows.ok_or_else(|| TableError::Process(io::ErrorKind::InvalidData.into()))?;
                        record(row as usize, of_rows);
                        message = &rest[length as usize..];
                    }
                }
                Ok(())
            }
        }
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
