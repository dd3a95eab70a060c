//! What plies decide: a list of entries for each piece of a state.
//!
//! An entry has the positions of a slot that a ply decides. The log of a layer is written as its plies are computed,
//! and read once, when the values are made of it. The values of captures have the same form, sorted by ply: a *queue*,
//! in which each ply reads what is due.
//!
//! ```text
//! group   0, then the ply twice, one more where the side to move wins (two bytes)
//! entry   how many bytes of gaps, 255 for a whole plane; slots skipped since the last entry (seven bits a byte)
//!         for each position the bits skipped, 255 for each 255 of them; or the words of the plane
//! ```

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

use crate::error::TableError;
use crate::file::read_exact_at;

use super::cells::Cell;
use super::ones;
use super::plane::BITS;

/// More bytes of gaps than this are written as a plane.
const MOST_GAPS: usize = 254;
/// More positions may need more of them.
const MOST_BITS: u32 = (MOST_GAPS - BITS / u8::MAX as usize) as u32;
/// In place of their number.
const WHOLE: u8 = 255;
/// In place of the number begins a group.
const GROUP: u8 = 0;

/// Positions of a slot that a ply decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// The slot in its piece.
    pub(super) slot: usize,
    pub(super) ply: u32,
    /// True if the side to move wins.
    pub(super) wins: bool,
    /// Gaps between the bits, or a plane.
    bits: &'a [u8],
}

impl Entry<'_> {
    /// The positions of the slot.
    pub(super) fn cell<C: Cell>(&self) -> C {
        let mut cell = C::EMPTY;
        self.for_each(|bit| cell.set(bit));
        cell
    }

    /// Calls `each` with the bits.
    #[inline(always)]
    pub(super) fn for_each(&self, mut each: impl FnMut(usize)) {
        if self.bits.len() > MOST_GAPS {
            for (number, byte) in self.bits.iter().enumerate() {
                ones(*byte).for_each(|bit| each(number * 8 + bit as usize));
            }
            return;
        }
        let mut bit = 0;
        for gap in self.bits {
            bit += usize::from(*gap);
            if *gap < u8::MAX {
                each(bit);
                bit += 1;
            }
        }
    }
}

/// The entries of some bytes, in their order.
#[derive(Debug, Clone)]
pub(super) struct Entries<'a> {
    /// Those that are left.
    bytes: &'a [u8],
    /// The ply twice, one more for wins.
    group: u16,
    /// The slot after the last.
    slot: usize,
}

impl<'a> Entries<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Entries<'a> {
        Entries { bytes, group: 0, slot: 0 }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Entry<'a>> {
        let mut byte = || self.bytes.split_off_first().copied();
        let mut length = byte()?;
        if length == GROUP {
            (self.group, self.slot) = (u16::from_le_bytes([byte()?, byte()?]), 0);
            length = byte()?;
        }
        for shift in (0..).step_by(7) {
            let skipped = byte()?;
            self.slot += usize::from(skipped & 127) << shift;
            if skipped < 128 {
                break;
            }
        }
        let bits = self.bytes.split_off(..if length == WHOLE { BITS / 8 } else { length.into() })?;
        let slot = self.slot;
        self.slot += 1;
        Some(Entry { slot, ply: u32::from(self.group >> 1), wins: self.group & 1 != 0, bits })
    }
}

/// The entries of a piece.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The parts of it in a file.
    filed: Vec<Range<u64>>,
    bytes: Vec<u8>,
    /// The ply of the last entry twice, one more for a win, and the slot after it.
    group: u16,
    slot: usize,
    /// Where the entries of the ply begin.
    ply: usize,
}

/// A file without a name for logs that memory should not hold.
#[derive(Debug)]
pub(super) struct LogFile {
    folder: PathBuf,
    file: File,
    end: u64,
}

impl LogFile {
    /// The most bytes of logs in memory.
    pub(super) const MOST_HELD: usize = 64 << 20;

    pub(super) fn create(folder: PathBuf) -> Result<LogFile, TableError> {
        let file = tempfile::tempfile_in(&folder).map_err(|error| TableError::system(&folder, error))?;
        Ok(LogFile { folder, file, end: 0 })
    }

    /// Writes what logs hold in memory. On failure they hold it still.
    pub(super) fn take(&mut self, logs: Vec<&mut Log>) -> Result<(), TableError> {
        let write = || -> io::Result<()> {
            let mut writer = BufWriter::new(&self.file);
            writer.seek(SeekFrom::Start(self.end))?;
            logs.iter().try_for_each(|log| writer.write_all(&log.bytes))?;
            writer.flush()
        };
        write().map_err(|error| TableError::system(&self.folder, error))?;
        for log in logs {
            let start = self.end;
            self.end += log.bytes.len() as u64;
            log.filed.push(start..self.end);
            *log = Log { filed: std::mem::take(&mut log.filed), ..Log::default() };
        }
        Ok(())
    }

    fn read(&self, part: &Range<u64>) -> Result<Vec<u8>, TableError> {
        let mut bytes = vec![0; (part.end - part.start) as usize];
        let read = read_exact_at(&self.file, &mut bytes, part.start);
        read.map(|()| bytes).map_err(|error| TableError::system(&self.folder, error))
    }
}

impl Log {
    /// Adds positions of a slot of the piece that a ply decides. Slots ascend in each ply.
    #[inline(always)]
    pub(super) fn push<C: Cell>(&mut self, slot: usize, ply: u32, wins: bool, cell: &C) {
        if cell.is_empty() {
            return;
        }
        let group = (ply << 1) as u16 | u16::from(wins);
        if self.bytes.is_empty() || group != self.group || slot < self.slot {
            self.bytes.push(GROUP);
            self.bytes.extend(group.to_le_bytes());
            (self.group, self.slot) = (group, 0);
        }
        let start = self.bytes.len();
        self.bytes.push(WHOLE);
        let mut skipped = slot - self.slot;
        while skipped >= 128 {
            self.bytes.push(skipped as u8 | 128);
            skipped >>= 7;
        }
        self.bytes.push(skipped as u8);
        self.slot = slot + 1;
        if cell.count() > MOST_BITS {
            let mut plane = [0; BITS / 8];
            cell.for_each(|bit| plane[bit / 8] |= 1 << (bit % 8));
            self.bytes.extend(plane);
            return;
        }
        let (mut gaps, mut length, mut next) = ([u8::MAX; MOST_GAPS + 1], 0, 0);
        cell.for_each(|bit| {
            let gap = bit - next;
            length += gap / usize::from(u8::MAX);
            gaps[length] = (gap % usize::from(u8::MAX)) as u8;
            (length, next) = (length + 1, bit + 1);
        });
        self.bytes[start] = length as u8;
        self.bytes.extend(&gaps[..length]);
    }

    /// Begins a ply.
    pub(super) fn begin_ply(&mut self) {
        self.ply = self.bytes.len();
        // The entries of a ply can be read without those before.
        self.group = u16::MAX;
    }

    /// The entries of the ply.
    pub(super) fn of_ply(&self) -> &[u8] {
        &self.bytes[self.ply..]
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Calls `each` with the entries in their order.
    pub(super) fn for_each(&self, file: Option<&LogFile>, mut each: impl FnMut(Entry<'_>)) -> Result<(), TableError> {
        for (file, part) in file.into_iter().flat_map(|file| self.filed.iter().map(move |part| (file, part))) {
            Entries::of(&file.read(part)?).for_each(&mut each);
        }
        Entries::of(&self.bytes).for_each(each);
        Ok(())
    }
}

/// By ply, the entries that are due: first the losses.
pub(super) type Queue = BTreeMap<u32, Vec<u8>>;

/// A queue in the making: the positions of one slot after the other, each with what is due.
#[derive(Debug)]
pub(super) struct QueueMaker<C> {
    /// By ply and winner, positions of the slot, the entries of all slots, and true if the slot has any.
    due: Vec<(C, Log, bool)>,
    /// The plies and winners with any.
    used: Vec<usize>,
}

impl<C: Cell> QueueMaker<C> {
    pub(super) fn new() -> QueueMaker<C> {
        QueueMaker { due: Vec::new(), used: Vec::new() }
    }

    /// Adds a position of the slot.
    #[inline(always)]
    pub(super) fn push(&mut self, bit: usize, ply: u32, wins: bool) {
        let key = (ply << 1) as usize | usize::from(wins);
        if key >= self.due.len() {
            self.due.resize_with(key + 1, || (C::EMPTY, Log::default(), false));
        }
        let (cell, _, is_used) = &mut self.due[key];
        cell.set(bit);
        if !std::mem::replace(is_used, true) {
            self.used.push(key);
        }
    }

    /// Ends a slot of the piece.
    pub(super) fn end_slot(&mut self, slot: usize) {
        for key in self.used.drain(..) {
            let (cell, log, is_used) = &mut self.due[key];
            log.push(slot, key as u32 >> 1, key & 1 != 0, cell);
            (*cell, *is_used) = (C::EMPTY, false);
        }
    }

    /// The queue of the slots.
    pub(super) fn end(&mut self) -> Queue {
        let mut queue = Queue::new();
        for (key, (_, log, _)) in (0..).zip(&mut self.due).filter(|(_, (_, log, _))| !log.bytes.is_empty()) {
            queue.entry(key / 2).or_default().append(&mut std::mem::take(log).bytes);
        }
        queue
    }
}
