//! Solved layers, compressed: in memory while they are small, then in files beside the table's path.
//!
//! The layers above probe them for the values of captures, and the table is assembled from them. The files are also the checkpoint of a
//! solve: after an interruption it goes on after the last complete layer.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::tablebase::compression::{CHUNK, chunk_range, decompress_chunk, directory_range};
use crate::tablebase::error::TableError;
use crate::tablebase::file::{self, ChecksummedFile};
use crate::tablebase::layout::{Counts, code_of};

const MAGIC: &[u8; 8] = b"PrivyLa1";

/// The most bytes of layers in memory, unless they can't be written.
pub(super) const MOST_HELD: u64 = 64 << 20;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct LayerHeader {
    /// The fingerprint of the rules, and the coding.
    solve: String,
    rebels: u32,
    general: Counts,
    /// By state, the bytes of its values; after these, where values have laps, the bytes of its laps.
    sections: Vec<u64>,
}

#[derive(Debug)]
struct Finished {
    header: LayerHeader,
    /// The sections; none where they are in the file.
    held: Option<Vec<Vec<u8>>>,
}

impl Finished {
    fn bytes(&self) -> u64 {
        self.header.sections.iter().sum()
    }
}

/// The solved layers, fewest Rebels first.
#[derive(Debug)]
pub(in crate::tablebase) struct FinishedLayers {
    table: PathBuf,
    solve: String,
    states: usize,
    layers: Vec<Finished>,
}

impl FinishedLayers {
    /// No layers yet; `solve` identifies the rules and the coding.
    pub(super) fn new(table: &Path, solve: &str, states: usize) -> FinishedLayers {
        FinishedLayers { table: table.to_owned(), solve: solve.to_owned(), states, layers: Vec::new() }
    }

    /// Takes over the layers that an earlier run has written, up to the first of these numbers of Rebels that is missing or damaged.
    pub(super) fn resume(&mut self, rebels: impl Iterator<Item = u32>) {
        for rebels in rebels {
            let checked = self.file(rebels).and_then(|(file, header)| file.check_all().map(|()| header));
            match checked {
                Ok(header) if [self.states, 2 * self.states].contains(&header.sections.len()) => {
                    self.layers.push(Finished { header, held: None });
                }
                _ => break,
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.layers.len()
    }

    pub(super) fn has_laps(&self) -> bool {
        self.layers.iter().any(|layer| layer.header.sections.len() > self.states)
    }

    /// Bytes of the layers in memory.
    pub(super) fn held(&self) -> u64 {
        self.layers.iter().filter(|layer| layer.held.is_some()).map(Finished::bytes).sum()
    }

    /// The number of Rebels of each layer, and its counts with the General to move.
    pub(super) fn general(&self) -> impl Iterator<Item = (u32, Counts)> {
        self.layers.iter().map(|layer| (layer.header.rebels, layer.header.general))
    }

    /// Adds a layer. Above the limit of memory all layers are written to files.
    pub(super) fn push(&mut self, rebels: u32, general: Counts, sections: Vec<Vec<u8>>) {
        let lengths = sections.iter().map(|section| section.len() as u64).collect();
        let header = LayerHeader { solve: self.solve.clone(), rebels, general, sections: lengths };
        self.layers.push(Finished { header, held: Some(sections) });
        if self.held() > MOST_HELD
            && let Err(error) = self.keep()
        {
            // The solve goes on, with more memory.
            log::warn!("no checkpoint was kept: {error}");
        }
    }

    pub(super) fn push_written(&mut self, rebels: u32) -> Result<(), TableError> {
        let (_, header) = self.file(rebels)?;
        self.layers.push(Finished { header, held: None });
        Ok(())
    }

    /// Writes the layers in memory to files. On failure they stay in memory.
    pub(super) fn keep(&mut self) -> Result<(), TableError> {
        for layer in &mut self.layers {
            if let Some(sections) = &layer.held {
                let path = layer_path(&self.table, layer.header.rebels);
                file::write(file::create(&path)?, MAGIC, &layer.header, sections)?;
                layer.held = None;
            }
        }
        Ok(())
    }

    /// Removes the files. A file that can't be removed does no harm: only a solve of the same rules reads it.
    pub(in crate::tablebase) fn remove(&self) {
        for layer in &self.layers {
            let _ = std::fs::remove_file(layer_path(&self.table, layer.header.rebels));
        }
    }

    /// Opens the layers, after a check of those in files: they are then read as they are, and little of them is in memory.
    pub(super) fn open(&self) -> Result<OpenLayers<'_>, TableError> {
        let mut layers: Vec<Option<OpenLayer<'_>>> = Vec::new();
        for layer in &self.layers {
            let bytes = match &layer.held {
                Some(sections) => Bytes::Held(sections),
                None => {
                    let (file, _) = self.file(layer.header.rebels)?;
                    file.check_all()?;
                    Bytes::File(file)
                }
            };
            let offsets = layer.header.sections.iter().scan(0, |sum, length| {
                let offset = *sum;
                *sum += length;
                Some(offset)
            });
            let rebels = layer.header.rebels as usize;
            layers.resize_with(rebels + 1, || None);
            layers[rebels] = Some(OpenLayer { bytes, offsets: offsets.collect() });
        }
        Ok(OpenLayers { layers, states: self.states })
    }

    fn file(&self, rebels: u32) -> Result<(ChecksummedFile, LayerHeader), TableError> {
        let path = layer_path(&self.table, rebels);
        let file = ChecksummedFile::open(&path, MAGIC)?;
        let header: LayerHeader = file.header()?;
        match header.solve == self.solve && header.rebels == rebels {
            true => Ok((file, header)),
            false => Err(TableError::foreign(&path, "a layer of other rules")),
        }
    }
}

fn layer_path(table: &Path, rebels: u32) -> PathBuf {
    file::resume_path(table, &format!("-{rebels:02}"))
}

#[derive(Debug)]
enum Bytes<'a> {
    Held(&'a [Vec<u8>]),
    File(ChecksummedFile),
}

#[derive(Debug)]
struct OpenLayer<'a> {
    bytes: Bytes<'a>,
    offsets: Vec<u64>,
}

impl OpenLayer<'_> {
    fn part(&self, section: usize, range: Range<usize>) -> Result<Cow<'_, [u8]>, TableError> {
        match &self.bytes {
            Bytes::Held(sections) => Ok(Cow::Borrowed(&sections[section][range])),
            Bytes::File(file) => file.unchecked(self.offsets[section], range).map(Cow::Owned),
        }
    }

    fn chunk(&self, section: usize, rank: usize, values: &mut [u8; CHUNK]) -> Result<(), TableError> {
        let directory = self.part(section, directory_range(rank))?;
        let chunk = chunk_range(&directory).map(|range| self.part(section, range)).transpose()?;
        let values = chunk.and_then(|chunk| decompress_chunk(&chunk, values));
        values.ok_or_else(|| match &self.bytes {
            Bytes::File(file) => TableError::damaged(&file.path, "a chunk of values is damaged"),
            Bytes::Held(_) => unreachable!("sections compressed in memory decompress"),
        })
    }
}

#[derive(Debug)]
pub(super) struct OpenLayers<'a> {
    layers: Vec<Option<OpenLayer<'a>>>,
    states: usize,
}

const KEPT_CHUNKS: usize = 1 << 10;

/// A thread's view of the layers, with a cache of chunks: a pass through the sets of a layer in order reads, for each kind of capture,
/// the sets of a layer below in order too.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    layers: &'a OpenLayers<'a>,
    /// By place, the key of the chunk in the cache; 0 where there is none.
    keys: Vec<u64>,
    chunks: Vec<[u8; CHUNK]>,
    failure: Option<TableError>,
}

impl OpenLayers<'_> {
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { layers: self, keys: vec![0; KEPT_CHUNKS], chunks: vec![[0; CHUNK]; KEPT_CHUNKS], failure: None }
    }
}

impl Reader<'_> {
    /// The code of a position in a solved layer by its number of Rebels, the number of its state, and its rank. Arbitrary once reading
    /// has failed: see [`end`](Reader::end).
    #[inline(always)]
    pub(super) fn code(&mut self, rebels: u32, state: usize, rank: usize) -> u16 {
        let states = self.layers.states;
        let has_laps = self.layers.layers[rebels as usize].as_ref().is_some_and(|layer| layer.offsets.len() > states);
        let laps = if has_laps { self.byte(rebels, states + state, rank) } else { 0 };
        code_of(self.byte(rebels, state, rank), laps)
    }

    #[inline(always)]
    fn byte(&mut self, rebels: u32, section: usize, rank: usize) -> u8 {
        let chunk = rank / CHUNK;
        let key = u64::from(rebels) << 56 | (section as u64) << 40 | (chunk as u64 + 1);
        // The high bits of a product with an odd number spread well (D. E. Knuth, The Art of Computer Programming, 6.4).
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - KEPT_CHUNKS.trailing_zeros())) as usize;
        if self.keys[place] != key {
            self.read(rebels, section, rank, place);
            self.keys[place] = key;
        }
        self.chunks[place][rank % CHUNK]
    }

    #[cold]
    fn read(&mut self, rebels: u32, section: usize, rank: usize, place: usize) {
        let layer =
            self.layers.layers[rebels as usize].as_ref().expect("captures lead to layers that have been solved");
        if let Err(error) = layer.chunk(section, rank, &mut self.chunks[place]) {
            self.failure.get_or_insert(error);
        }
    }

    pub(super) fn end(self) -> Result<(), TableError> {
        self.failure.map_or(Ok(()), Err)
    }
}
