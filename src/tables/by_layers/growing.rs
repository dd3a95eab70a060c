//! A solve under way, and its table: solved layers, one after the other in the unfinished file of the table, or in
//! memory.
//!
//! The layers above read them for the values of captures. Captures that may continue read *landings*, too, which are no
//! part of the table: they stay in memory while they are small.
//!
//! The unfinished file is the checkpoint of a solve. A file beside it, `NAME.privy.resume`, says which layers it has,
//! and holds the landings that the next layer reads. It is replaced as a whole, and a solve resumes after the last
//! layer in it. If the unfinished file is not what it says, the solve begins anew.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use privy_base::atomic_file::{AtomicFile, unfinished};
use privy_base::bounded_read::open_file;
use privy_base::threads::Threads;
use privy_protocol::{Instant, Stop};
use privy_rules::rule_set::JumpRows;

use crate::coding::{Counts, Layer, Section};
use crate::compression::CHUNK;
use crate::error::TableError;
use crate::file::{self, CHECKPOINT_MAGIC, Header, MOST_HELD, TABLE_MAGIC, TableBytes, TableFile, Writer};
use crate::numbering::Numbering;

/// Time between two checkpoints of a solve.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// What follows the name of a table in the name of the checkpoint, and in that of the file of what plies decide.
const RESUME: &str = ".resume";
const PLIES: &str = ".plies";

/// The file beside a table with this ending.
fn path_with(table: &Path, ending: &str) -> PathBuf {
    let mut name = table.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    table.with_file_name(name)
}

/// A solve under way.
pub struct Solve<'a> {
    pub numbering: Numbering,
    /// The path of the table, if it gets a file.
    pub path: Option<&'a Path>,
    pub start: Instant,
    pub stop: &'a Stop,
    pub threads: Threads,
}

impl Solve<'_> {
    /// The path of the log of what the plies of a layer decide in the share of a process.
    pub(crate) fn path_of_log(&self, process: usize) -> Option<PathBuf> {
        let number = if process == 0 { String::new() } else { format!("-{process}") };
        self.path.map(|table| path_with(table, &(PLIES.to_owned() + &number)))
    }
}

/// The table under way.
pub struct GrowingTable<'a> {
    numbering: &'a Numbering,
    /// Landings of a layer.
    landings: usize,
    /// The path of the table, if it gets a file.
    path: Option<&'a Path>,
    /// Its unfinished file, in the process that writes it.
    unfinished: Option<AtomicFile>,
    writer: Writer,
    /// The header of the table of the layers so far.
    pub(super) header: Header,
    /// By section, where it begins, and the end of the last.
    starts: Vec<u64>,
    /// A checksum of all sections.
    digest: u64,
    /// By number of Rebels, landings that a layer above may read; `None` where they are in the checkpoint.
    held: BTreeMap<u32, Option<Vec<TableBytes>>>,
    checkpoint: Option<TableFile>,
    /// The bytes of the table that have come since the last checkpoint, and its time.
    unkept: (u64, Instant),
}

impl<'a> GrowingTable<'a> {
    /// A table in memory, with this number of landings for each layer.
    pub fn in_memory(numbering: &'a Numbering, landings: usize) -> GrowingTable<'a> {
        let writer = Writer::begin(None, TABLE_MAGIC).expect("memory takes what is written");
        GrowingTable::new(numbering, landings, None, writer)
    }

    /// The table of a path for a process that reads what another one writes.
    pub(super) fn follow(numbering: &'a Numbering, landings: usize, path: &'a Path) -> GrowingTable<'a> {
        GrowingTable::new(numbering, landings, Some(path), Writer::default())
    }

    /// The table of a path, with the layers that an earlier run has left. A path that can't be written fails here,
    /// before minutes of work, and other processes see that this one is writing.
    pub(super) fn begin(
        numbering: &'a Numbering,
        landings: usize,
        path: &'a Path,
        stop: &Stop,
    ) -> Result<GrowingTable<'a>, TableError> {
        let system = |error| TableError::system(path, error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| TableError::system(folder, error))?;
        }
        let mut table = GrowingTable::follow(numbering, landings, path);
        let mut unfinished = AtomicFile::open(path).map_err(system)?;
        unfinished.stays = true;
        let taken = match table.take_over(stop) {
            Err(TableError::Interrupted) => return Err(TableError::Interrupted),
            taken => taken.is_ok(),
        };
        unfinished.stays = taken;
        let file = unfinished.file();
        // What the last run has written beyond goes.
        file.set_len(if taken { table.writer.length } else { 0 }).map_err(system)?;
        let file = Some(file.try_clone().map_err(system)?);
        match taken {
            true => table.writer.bytes.file = file,
            false => table.writer = Writer::begin(file, TABLE_MAGIC).map_err(system)?,
        }
        table.unfinished = Some(unfinished);
        Ok(table)
    }

    fn new(numbering: &'a Numbering, landings: usize, path: Option<&'a Path>, mut writer: Writer) -> GrowingTable<'a> {
        // Most tables take less than half a byte of each position.
        let positions = numbering.all_sections().map(|(state, rebels)| numbering.positions(state, rebels));
        writer.bytes.memory.reserve((positions.sum::<usize>() / 2).min(MOST_HELD as usize));
        let header = Header::of(&numbering.variant);
        GrowingTable {
            numbering,
            landings,
            path,
            unfinished: None,
            writer,
            starts: header.starts().collect(),
            header,
            digest: 0,
            held: BTreeMap::new(),
            checkpoint: None,
            unkept: (0, Instant::now()),
        }
    }

    /// True if an earlier run had left an unfinished file without a layer to resume after.
    pub(crate) fn had_leftover(&self) -> bool {
        self.unfinished.as_ref().is_some_and(|file| file.had_leftover && !file.stays)
    }

    /// Bytes of landings in memory.
    fn landings_held(&self) -> u64 {
        self.held.values().flatten().flatten().map(|bytes| bytes.memory.len() as u64).sum()
    }

    /// Bytes in memory.
    pub(super) fn bytes_held(&self) -> u64 {
        self.writer.bytes.memory.len() as u64 + self.landings_held()
    }

    fn system(&self, error: io::Error) -> TableError {
        let path = self.path.unwrap_or(Path::new("memory"));
        match error.kind() {
            io::ErrorKind::InvalidData => TableError::unusable(path, error.to_string()),
            _ => TableError::system(path, error),
        }
    }

    /// Takes over the layers of the checkpoint.
    pub(super) fn take_over(&mut self, stop: &Stop) -> Result<(), TableError> {
        let Some(path) = self.path else { return Ok(()) };
        let checkpoint = TableFile::open(&path_with(path, RESUME), CHECKPOINT_MAGIC)?;
        checkpoint.check_all()?;
        let read = || -> Option<(Header, u64)> {
            let Header { fingerprint, layers, sections, .. } = &checkpoint.header;
            let is_whole = sections.len() == 1 + layers.len() * self.landings;
            let is_own = fingerprint == self.numbering.variant.fingerprint() && is_whole;
            let kept = is_own.then(|| checkpoint.unchecked_section(0).ok()).flatten()?;
            let (header, digest): (Header, u64) = serde_json::from_slice(&kept).ok()?;
            let rebels: Vec<u32> = header.layers.iter().map(|layer| layer.rebels).collect();
            let is_begun = self.numbering.layers.starts_with(&rebels)
                && header.sections.len() == rebels.len() * self.numbering.states.len();
            is_begun.then_some((header, digest))
        };
        let foreign = || TableError::unusable(&checkpoint.path, "a checkpoint of another solve");
        let (header, digest) = read().ok_or_else(foreign)?;
        let file = unfinished(path).and_then(|path| open_file(&path));
        self.writer.bytes.file = Some(file.map_err(|error| self.system(error))?);
        let end = header.starts().last().unwrap_or(0);
        while self.writer.length < end {
            if stop.is_set() {
                return Err(TableError::Interrupted);
            }
            self.writer.take_over(end).map_err(|error| self.system(error))?;
        }
        if self.writer.digest() != digest {
            return Err(TableError::unusable(path, "not what its checkpoint says"));
        }
        self.held = checkpoint.header.layers.iter().map(|layer| (layer.rebels, None)).collect();
        self.starts = header.starts().collect();
        (self.header, self.digest, self.checkpoint) = (header, digest, Some(checkpoint));
        Ok(())
    }

    /// Adds a layer with its counts with the General to move, and its sections: of the states, then the landings.
    pub fn push(
        &mut self,
        rebels: u32,
        general: Counts,
        sections: Vec<Section>,
        stop: &Stop,
    ) -> Result<(), TableError> {
        let Numbering { variant, states, .. } = self.numbering;
        let mut layer = Layer { rebels, general, rebel: Counts::default() };
        let (mut longest, mut lengths, mut sections) = (self.header.max_plies, Vec::new(), sections.into_iter());
        for (state, section) in states.iter().zip(sections.by_ref()) {
            if stop.is_set() {
                return Err(TableError::Interrupted);
            }
            layer.rebel.add(section.counts, state.times(variant));
            longest = longest.max(section.longest);
            lengths.push(section.codes.len() as u64);
            self.writer.add(&section.codes).map_err(|error| self.system(error))?;
        }
        self.header.layers.push(layer);
        self.header.sections.extend(&lengths);
        self.header.max_plies = longest;
        self.starts = self.header.starts().collect();
        self.digest = self.writer.digest();
        if variant.rule_set().jump_rows == JumpRows::One {
            // A jump takes one Rebel, so that the next layer reads no other landings.
            self.held.clear();
        }
        let landings: Vec<TableBytes> = sections.map(|section| TableBytes::of(section.codes)).collect();
        self.unkept.0 += lengths.iter().sum::<u64>();
        self.held.insert(rebels, Some(landings));
        Ok(())
    }

    /// True if much has come, or much time has passed, since the last checkpoint.
    pub(super) fn is_checkpoint_due(&self) -> bool {
        self.unkept.0.max(self.landings_held()) > MOST_HELD || self.unkept.1.elapsed() > CHECKPOINT_INTERVAL
    }

    /// The landing of a layer in the checkpoint: the file, and the number of its section.
    fn in_checkpoint(&self, rebels: u32, landing: usize) -> (&TableFile, usize) {
        let file = self.checkpoint.as_ref().expect("landings are in memory, or in the checkpoint");
        let layer = file.header.layers.iter().position(|layer| layer.rebels == rebels).expect("landings are kept");
        (file, 1 + layer * self.landings + landing)
    }

    /// Writes a checkpoint, which is synced while the solve continues.
    pub(super) fn keep(&mut self) -> Result<(), TableError> {
        let (Some(table), Some(_)) = (self.path, &self.unfinished) else { return Ok(()) };
        if self.header.layers.is_empty() {
            return Ok(());
        }
        let kept = serde_json::to_vec(&(&self.header, self.digest)).expect("a header has a text");
        let landings = self.held.iter().flat_map(|(rebels, held)| {
            (0..self.landings).map(|landing| match held {
                Some(held) => Ok(Cow::Borrowed(&*held[landing].memory)),
                None => {
                    let (file, section) = self.in_checkpoint(*rebels, landing);
                    file.unchecked_section(section).map_err(|error| TableError::system(&file.path, error))
                }
            })
        });
        let layers = self.held.keys().map(|rebels| Layer { rebels: *rebels, ..Layer::default() }).collect();
        let header = Header { layers, ..Header::of(&self.numbering.variant) };
        let path = path_with(table, RESUME);
        let written = file::write(&path, CHECKPOINT_MAGIC, header, std::iter::once(Ok(kept.into())).chain(landings))?;
        // Opened anew, the file is not locked when the solve has ended, but is still synced.
        let file = unfinished(table).and_then(|path| open_file(&path)).map_err(|error| self.system(error))?;
        self.checkpoint = Some(TableFile::open(&path, CHECKPOINT_MAGIC)?);
        self.held.values_mut().for_each(|held| *held = None);
        self.unkept = (0, Instant::now());
        self.unfinished.iter_mut().for_each(|unfinished| unfinished.stays = true);
        // Without a thread a failure of power may damage them.
        _ = thread::Builder::new().spawn(move || file.sync_data().and_then(|()| written.sync_all()));
        Ok(())
    }

    /// Ends the table, which gets its name, and removes what the solve has kept beside it. Returns the number of bytes,
    /// and the bytes.
    pub(crate) fn end(mut self) -> Result<(u64, TableBytes), TableError> {
        self.writer.end(TABLE_MAGIC, &self.header).map_err(|error| self.system(error))?;
        if let (Some(table), Some(unfinished)) = (self.path, self.unfinished.take()) {
            unfinished.commit().map_err(|error| self.system(error))?;
            remove_beside(table);
        }
        Ok((self.writer.length, self.writer.bytes))
    }

    /// Reads codes of a layer by its number of Rebels and a section, from a chunk on.
    fn codes(&self, rebels: u32, section: usize, first: usize, codes: &mut [u16]) -> Result<(), TableError> {
        let states = self.numbering.states.len();
        let read = match (section.checked_sub(states), self.held.get(&rebels)) {
            (None, _) => {
                let layer = self.numbering.layer(rebels).expect("captures lead to layers of the table");
                let section = layer * states + section;
                self.writer.bytes.codes(self.starts[section]..self.starts[section + 1], first, codes)
            }
            (Some(landing), Some(Some(held))) => {
                let bytes = &held[landing];
                bytes.codes(0..bytes.memory.len() as u64, first, codes)
            }
            (Some(landing), _) => {
                let (file, section) = self.in_checkpoint(rebels, landing);
                file.unchecked_codes(section, first, codes)
            }
        };
        read.map_err(|error| self.system(error))
    }

    pub(crate) fn reader(&self) -> LayerReader<'_> {
        LayerReader { table: self, runs: vec![(0, Vec::new()); KEPT_RUNS], failure: None }
    }
}

/// Removes what a solve has kept beside a table. What can't be removed does no harm: only a solve of the same rules
/// reads it.
fn remove_beside(table: &Path) {
    let folder = table.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let all = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    // Earlier programs had a file for each layer, and an earlier run may have had more processes.
    let own = [RESUME, PLIES].map(|ending| name(&path_with(table, ending)));
    all.filter(|path| own.iter().any(|own| name(path).starts_with(own))).for_each(|path| _ = fs::remove_file(path));
}

/// Runs of chunks in the cache of a reader.
const KEPT_RUNS: usize = 1 << 10;

/// A thread's view of the layers, with a cache of chunks: a pass through the sets of a layer in their order reads, for
/// each kind of capture, the sets of a layer below in order too.
pub(crate) struct LayerReader<'a> {
    table: &'a GrowingTable<'a>,
    /// The chunks that have been read together, by a key; 0 where there are none.
    runs: Vec<(u64, Vec<u16>)>,
    failure: Option<TableError>,
}

impl LayerReader<'_> {
    /// The codes of some positions, by rank, in a layer by its number of Rebels and a section. Arbitrary once reading
    /// has failed: see [`end`](LayerReader::end).
    #[inline(always)]
    pub(crate) fn codes(&mut self, rebels: u32, section: usize, ranks: Range<usize>) -> &[u16] {
        let (first, end) = (ranks.start / CHUNK, ranks.end.div_ceil(CHUNK));
        let key = u64::from(rebels) << 58 | (section as u64) << 42 | ((end - first) as u64) << 36 | (first as u64 + 1);
        // The high bits of a product with an odd number spread well (D. E. Knuth, The Art of Computer Programming,
        // 6.4).
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - KEPT_RUNS.trailing_zeros())) as usize;
        if self.runs[place].0 != key {
            self.read(place, key, (rebels, section, first), (end - first) * CHUNK);
        }
        &self.runs[place].1[ranks.start - first * CHUNK..ranks.end - first * CHUNK]
    }

    #[cold]
    fn read(&mut self, place: usize, key: u64, (rebels, section, first): (u32, usize, usize), count: usize) {
        let (known, run) = &mut self.runs[place];
        *known = key;
        run.resize(count, 0);
        if let Err(error) = self.table.codes(rebels, section, first, run) {
            self.failure.get_or_insert(error);
        }
    }

    pub(crate) fn end(self) -> Result<(), TableError> {
        self.failure.map_or(Ok(()), Err)
    }
}
