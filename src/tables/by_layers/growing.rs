//! A solve under way, and its table: solved layers, one after the other in the unfinished file of the table, or in
//! memory.
//!
//! The layers above read them for the values of captures. Captures that may continue read *landings*, too, which are no
//! part of the table, and are computed from it.
//!
//! The unfinished file is the checkpoint of a solve. A file beside it, `NAME.privy.resume`, has the header of the table
//! of its layers, and a checksum. It is replaced as a whole, and a solve resumes after the last layer in it. If the
//! unfinished file is not what it says, the solve begins anew.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use privy_base::atomic_file::{AtomicFile, unfinished};
use privy_base::bounded_read::{open_file, read_bytes};
use privy_base::threads::Threads;
use privy_protocol::{Instant, Stop};
use privy_rules::rule_set::JumpRows;

use crate::coding::{Layer, Section};
use crate::compression::CHUNK;
use crate::error::TableError;
use crate::file::{FORMAT, Header, MOST_HELD, TableBytes, Writer};
use crate::numbering::Numbering;

/// Time between two checkpoints of a solve.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// The checkpoint beside a table.
fn resume(table: &Path) -> PathBuf {
    let mut name = table.file_name().unwrap_or_default().to_owned();
    name.push(".resume");
    table.with_file_name(name)
}

/// The folder of a file.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
    /// The folder for what memory should not hold, if the table gets a file.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.path.map(folder_of)
    }
}

/// The table under way.
pub struct GrowingTable<'a> {
    numbering: &'a Numbering,
    /// The path of the table, if it gets a file.
    path: Option<&'a Path>,
    /// Its unfinished file, in the process that writes it.
    unfinished: Option<AtomicFile>,
    writer: Writer,
    /// The header of the table of the layers so far.
    pub header: Header,
    /// By section, where it begins, and the end of the last.
    starts: Vec<u64>,
    /// A checksum of all sections.
    digest: u64,
    landings: Landings,
    /// Where a layer reads those of the one before alone, these, while its own are added.
    landings_before: Landings,
    /// The bytes of the table that have come since the last checkpoint, and its time.
    unkept: (u64, Instant),
}

/// Landings that layers above may read: by number of Rebels, where those of each General are. Once they are too much
/// for memory they are in a file without a name.
#[derive(Default)]
struct Landings {
    writer: Writer,
    places: BTreeMap<u32, Vec<Range<u64>>>,
}

impl Landings {
    /// Adds some of a layer; `folder` is for the file, if there may be one.
    fn add(&mut self, rebels: u32, landings: &[Section], folder: Option<&Path>) -> io::Result<()> {
        let (writer, places) = (&mut self.writer, self.places.entry(rebels).or_default());
        let bytes: u64 = landings.iter().map(|section| section.codes.len() as u64).sum();
        if let Some(folder) = folder.filter(|_| writer.bytes.file.is_none() && writer.length + bytes > MOST_HELD) {
            let file = tempfile::tempfile_in(folder);
            let file = file.and_then(|mut file| file.write_all(&writer.bytes.memory).map(|()| file));
            writer.bytes.file = file.inspect_err(|error| log::warn!("landings stay in memory: {error}")).ok();
        }
        for section in landings {
            let start = writer.length;
            writer.add(&section.codes)?;
            places.push(start..writer.length);
        }
        Ok(())
    }
}

impl<'a> GrowingTable<'a> {
    /// A table in memory.
    pub fn in_memory(numbering: &'a Numbering) -> GrowingTable<'a> {
        let writer = Writer::begin(None).expect("memory takes what is written");
        GrowingTable::new(numbering, None, writer)
    }

    /// The table of a path for a process that reads what another one writes.
    pub(super) fn follow(numbering: &'a Numbering, path: &'a Path) -> GrowingTable<'a> {
        GrowingTable::new(numbering, Some(path), Writer::default())
    }

    /// The table of a path, with the layers that an earlier run has left. A path that can't be written fails here,
    /// before minutes of work, and other processes see that this one is writing.
    pub(super) fn begin(numbering: &'a Numbering, path: &'a Path, stop: &Stop) -> Result<GrowingTable<'a>, TableError> {
        let system = |error| TableError::system(path, error);
        fs::create_dir_all(folder_of(path)).map_err(|error| TableError::system(folder_of(path), error))?;
        let mut table = GrowingTable::follow(numbering, path);
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
            false => table.writer = Writer::begin(file).map_err(system)?,
        }
        table.unfinished = Some(unfinished);
        Ok(table)
    }

    fn new(numbering: &'a Numbering, path: Option<&'a Path>, mut writer: Writer) -> GrowingTable<'a> {
        // Most tables take less than half a byte of each position.
        let positions = numbering.all_sections().map(|(state, rebels)| numbering.positions(state, rebels));
        writer.bytes.memory.reserve((positions.sum::<usize>() / 2).min(MOST_HELD as usize));
        let header = Header::of(&numbering.variant);
        GrowingTable {
            numbering,
            path,
            unfinished: None,
            writer,
            starts: header.starts().collect(),
            header,
            digest: 0,
            landings: Landings::default(),
            landings_before: Landings::default(),
            unkept: (0, Instant::now()),
        }
    }

    /// True if an earlier run had left an unfinished file without a layer to resume after.
    pub(crate) fn had_leftover(&self) -> bool {
        self.unfinished.as_ref().is_some_and(|file| file.had_leftover && !file.stays)
    }

    /// Bytes in memory.
    pub(super) fn bytes_held(&self) -> u64 {
        let landings = [&self.landings, &self.landings_before].map(|landings| &landings.writer);
        [&self.writer].into_iter().chain(landings).map(|writer| writer.bytes.memory.len() as u64).sum()
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
        let kept = open_file(&resume(path)).and_then(|file| read_bytes(file, MOST_HELD));
        let kept = kept.map_err(|error| TableError::system(&resume(path), error))?;
        let read = || -> Option<(Header, u64)> {
            let (header, checksum) = kept.split_last_chunk()?;
            let digest = u64::from_le_bytes(*checksum) ^ xxh3_64(header);
            let header: Header = serde_json::from_slice(header).ok()?;
            let rebels: Vec<u32> = header.layers.iter().map(|layer| layer.rebels).collect();
            let is_begun = header.format == FORMAT
                && header.fingerprint == self.numbering.variant.fingerprint()
                && self.numbering.layers.starts_with(&rebels)
                && header.sections.len() == rebels.len() * self.numbering.states.len();
            is_begun.then_some((header, digest))
        };
        let foreign = || TableError::unusable(path, "a checkpoint of another solve");
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
        self.starts = header.starts().collect();
        (self.header, self.digest) = (header, digest);
        Ok(())
    }

    /// Adds a layer, the sections of its states as they come. If one fails the table is as before, but for bytes beyond
    /// its end.
    pub fn push(
        &mut self,
        rebels: u32,
        sections: impl Iterator<Item = Result<Section, TableError>>,
    ) -> Result<(), TableError> {
        let Numbering { variant, states, .. } = self.numbering;
        let mut layer = Layer { rebels, ..Layer::default() };
        let (mut longest, mut lengths) = (self.header.max_plies, Vec::new());
        for (state, section) in states.iter().zip(sections) {
            let section = section?;
            layer.rebel.add(section.counts, state.times(variant));
            layer.general.add(section.general, state.times(variant));
            longest = longest.max(section.longest);
            lengths.push(section.codes.len() as u64);
            self.writer.add(&section.codes).map_err(|error| self.system(error))?;
        }
        self.header.layers.push(layer);
        self.header.sections.extend(&lengths);
        self.header.max_plies = longest;
        self.starts = self.header.starts().collect();
        self.digest = self.writer.digest();
        self.unkept.0 += lengths.iter().sum::<u64>();
        Ok(())
    }

    /// Adds some landings of a layer, in their order, after those below.
    pub(crate) fn push_landings(&mut self, rebels: u32, landings: &[Section]) -> Result<(), TableError> {
        // Where a jump takes one Rebel, a layer reads the landings of the one before alone.
        let is_one = self.numbering.variant.rule_set().jump_rows == JumpRows::One;
        if is_one && !self.landings.places.contains_key(&rebels) {
            self.landings_before = std::mem::take(&mut self.landings);
        }
        let added = self.landings.add(rebels, landings, self.path.map(folder_of));
        added.map_err(|error| self.system(error))
    }

    /// The fewest Rebels of which there are no landings yet.
    pub(crate) fn next_landings(&self) -> u32 {
        self.landings.places.last_key_value().map_or(0, |(last, _)| last + 1)
    }

    /// True if much has come, or much time has passed, since the last checkpoint.
    pub(super) fn is_checkpoint_due(&self) -> bool {
        self.unkept.0 > MOST_HELD || self.unkept.1.elapsed() > CHECKPOINT_INTERVAL
    }

    /// Writes a checkpoint, which is synced while the solve continues.
    pub(super) fn keep(&mut self) -> Result<(), TableError> {
        let (Some(table), Some(own)) = (self.path, &mut self.unfinished) else { return Ok(()) };
        if self.header.layers.is_empty() {
            return Ok(());
        }
        let header = serde_json::to_vec(&self.header).expect("a header has a text");
        let checksum = self.digest ^ xxh3_64(&header);
        let write = || -> io::Result<[File; 2]> {
            let mut kept = AtomicFile::create(&resume(table))?;
            kept.write_all(&header)?;
            kept.write_all(&checksum.to_le_bytes())?;
            // Opened anew, the file is not locked when the solve has ended, but is still synced.
            Ok([open_file(&unfinished(table)?)?, kept.commit_unsynced()?])
        };
        let files = write().map_err(|error| TableError::system(&resume(table), error))?;
        self.unkept = (0, Instant::now());
        own.stays = true;
        // Without a thread a failure of power may damage them.
        _ = thread::Builder::new().spawn(move || files.iter().try_for_each(File::sync_all));
        Ok(())
    }

    /// Ends the table, which gets its name, and removes the checkpoint. Returns the number of bytes, and the bytes.
    pub(crate) fn end(mut self) -> Result<(u64, TableBytes), TableError> {
        self.writer.end(&self.header).map_err(|error| self.system(error))?;
        if let (Some(table), Some(unfinished)) = (self.path, self.unfinished.take()) {
            unfinished.commit().map_err(|error| self.system(error))?;
            // A checkpoint that stays does no harm: only a solve of the same rules reads it.
            _ = fs::remove_file(resume(table));
        }
        Ok((self.writer.length, self.writer.bytes))
    }

    /// True if there are codes of a layer by its number of Rebels and a section, of a state or of a landing; false with
    /// so few Rebels that they have lost.
    pub(crate) fn has(&self, rebels: u32, section: usize) -> bool {
        let is_there = match section < self.numbering.states.len() {
            true => self.numbering.layer(rebels).is_some(),
            false => self.landings_of(rebels).is_some(),
        };
        assert!(is_there || rebels < self.numbering.layers[0], "landings are computed before they are read");
        is_there
    }

    fn landings_of(&self, rebels: u32) -> Option<&Landings> {
        [&self.landings, &self.landings_before].into_iter().find(|landings| landings.places.contains_key(&rebels))
    }

    /// Reads codes of a layer and a section, from a chunk on.
    pub fn codes(&self, rebels: u32, section: usize, first: usize, codes: &mut [u16]) -> Result<(), TableError> {
        let states = self.numbering.states.len();
        let read = match section.checked_sub(states) {
            None => {
                let layer = self.numbering.layer(rebels).expect("captures lead to layers of the table");
                let section = layer * states + section;
                self.writer.bytes.codes(self.starts[section]..self.starts[section + 1], first, codes)
            }
            Some(landing) => {
                let landings = self.landings_of(rebels).expect("they are computed before they are read");
                landings.writer.bytes.codes(landings.places[&rebels][landing].clone(), first, codes)
            }
        };
        read.map_err(|error| self.system(error))
    }

    pub(crate) fn reader(&self) -> LayerReader<'_> {
        LayerReader { table: self, runs: vec![(0, Vec::new()); KEPT_RUNS], failure: None }
    }
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
