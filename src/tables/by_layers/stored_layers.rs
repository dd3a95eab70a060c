//! Solved layers, compressed: in memory while they are small, then in checkpoints.
//!
//! The layers above read them for the values of captures, and the table is made of them.

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::thread::{self, JoinHandle};

use crate::checkpoint::Checkpoints;
use crate::coding::{Counts, Layer, Section};
use crate::compression::{CHUNK, chunks_range, decompress_chunks, directory_range};
use crate::error::TableError;
use crate::file::{Header, TableFile};

/// The most bytes of layers in memory, unless they can't be written.
pub(super) const MOST_HELD: u64 = 64 << 20;

#[derive(Debug)]
struct StoredLayer {
    layer: Layer,
    max_plies: u32,
    /// By state, then the landings of a chain of jumps by state, if any; `None` where they are in the checkpoint.
    held: Option<Vec<Section>>,
}

impl StoredLayer {
    /// Bytes of the first sections in memory.
    fn bytes_held(&self, sections: usize) -> u64 {
        self.held.iter().flatten().take(sections).map(|section| section.codes.len() as u64).sum()
    }
}

/// The solved layers, fewest Rebels first.
#[derive(Debug)]
pub struct StoredLayers<'a> {
    checkpoints: Checkpoints<'a>,
    /// Sections of a layer: its states, and the landings of chains of jumps, if any.
    sections: usize,
    layers: Vec<StoredLayer>,
    /// Files that this process has written, while they are synced.
    syncs: Vec<JoinHandle<io::Result<()>>>,
}

impl<'a> StoredLayers<'a> {
    pub fn new(checkpoints: Checkpoints<'a>, sections: usize) -> StoredLayers<'a> {
        StoredLayers { checkpoints, sections, layers: Vec::new(), syncs: Vec::new() }
    }

    /// Takes over the layers that an earlier run has written, up to the first that is missing or damaged.
    pub(super) fn resume(&mut self) {
        for rebels in &self.checkpoints.numbering.layers {
            match self.checkpoints.open(*rebels, self.sections).and_then(|file| file.check_all().map(|()| file)) {
                Ok(file) => self.push_file(&file),
                Err(_) => break,
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.layers.len()
    }

    /// Bytes of the layers in memory.
    pub(super) fn bytes_held(&self) -> u64 {
        self.layers.iter().map(|stored| stored.bytes_held(usize::MAX)).sum()
    }

    /// Bytes of each layer of a solve without files, without landings.
    pub(crate) fn bytes_of_layers(&self) -> Vec<u64> {
        let states = self.checkpoints.numbering.states.solved.len();
        self.layers.iter().map(|stored| stored.bytes_held(states)).collect()
    }

    /// Adds a layer with its counts with the General to move and its sections by state. Above the limit of memory all layers are written
    /// to files.
    pub fn push(&mut self, rebels: u32, general: Counts, sections: Vec<Section>) {
        let numbering = self.checkpoints.numbering;
        let mut layer = Layer { rebels, general, rebel: Counts::default() };
        for (state, section) in numbering.states.solved.iter().zip(&sections) {
            layer.rebel.add(section.counts, state.times(&numbering.variant));
        }
        let of_states = sections.iter().take(numbering.states.solved.len());
        let max_plies = of_states.map(|section| section.longest).max().unwrap_or(0);
        self.layers.push(StoredLayer { layer, max_plies, held: Some(sections) });
        if self.bytes_held() > MOST_HELD
            && let Err(error) = self.keep()
        {
            // The solve continues, with more memory.
            log::warn!("no checkpoint was kept: {error}");
        }
    }

    /// Adds a layer that the first process has written.
    pub(super) fn push_written(&mut self, rebels: u32) -> Result<(), TableError> {
        let file = self.checkpoints.open(rebels, self.sections)?;
        file.check_all()?;
        self.push_file(&file);
        Ok(())
    }

    fn push_file(&mut self, file: &TableFile) {
        let Header { layers, max_plies, .. } = &file.header;
        self.layers.push(StoredLayer { layer: layers[0], max_plies: *max_plies, held: None });
    }

    /// Writes the layers in memory to files, which are synced while the solve goes on. On failure they stay in memory.
    pub(super) fn keep(&mut self) -> Result<(), TableError> {
        let numbering = self.checkpoints.numbering;
        for StoredLayer { layer, max_plies, held } in &mut self.layers {
            if let Some(sections) = held {
                let header = Header::new(numbering, vec![*layer], *max_plies);
                let sections = sections.iter().map(|section| Ok(Cow::Borrowed(&*section.codes)));
                if let Some(file) = self.checkpoints.write(layer.rebels, header, sections)? {
                    self.syncs.push(thread::spawn(move || file.sync_all()));
                    *held = None;
                }
            }
        }
        Ok(())
    }

    /// Waits until the files of the layers are on the disk.
    pub(super) fn sync(&mut self) -> Result<(), TableError> {
        for sync in self.syncs.drain(..) {
            let synced = sync.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            synced.map_err(|error| TableError::system(self.checkpoints.table.unwrap_or(Path::new("")), error))?;
        }
        Ok(())
    }

    /// The header of the table of all layers.
    pub(crate) fn header(&self) -> Header {
        let numbering = self.checkpoints.numbering;
        let max_plies = self.layers.iter().map(|stored| stored.max_plies).max().unwrap_or(0);
        Header::new(numbering, self.layers.iter().map(|stored| stored.layer).collect(), max_plies)
    }

    /// Opens the layers. Those in files have been checked, or written by this process: they are read as they are, and little of them is in
    /// memory.
    pub(crate) fn open(&self) -> Result<OpenLayers<'_>, TableError> {
        let mut layers = Vec::new();
        for StoredLayer { layer, held, .. } in &self.layers {
            let open = match held {
                Some(sections) => OpenLayer::Held(sections),
                None => OpenLayer::File(Box::new(self.checkpoints.open(layer.rebels, self.sections)?)),
            };
            layers.resize_with(layer.rebels as usize, || None);
            layers.push(Some(open));
        }
        let states = self.checkpoints.numbering.states.solved.len();
        Ok(OpenLayers { layers, states })
    }
}

#[derive(Debug)]
enum OpenLayer<'a> {
    Held(&'a [Section]),
    File(Box<TableFile>),
}

impl OpenLayer<'_> {
    /// Reads some chunks, from a first one on.
    fn chunks(&self, state: usize, first: usize, codes: &mut [u16]) -> Result<(), TableError> {
        match self {
            OpenLayer::File(file) => file.unchecked_chunks(state, first, codes),
            OpenLayer::Held(sections) => {
                let bytes = &sections[state].codes;
                let directory = &bytes[directory_range(first..first + codes.len() / CHUNK)];
                let read =
                    chunks_range(directory).and_then(|chunks| decompress_chunks(directory, &bytes[chunks], codes));
                read.expect("sections compressed in memory decompress");
                Ok(())
            }
        }
    }
}

/// The layers open for reading, by number of Rebels.
#[derive(Debug)]
pub(crate) struct OpenLayers<'a> {
    layers: Vec<Option<OpenLayer<'a>>>,
    states: usize,
}

impl OpenLayers<'_> {
    /// No layer.
    pub(crate) const NONE: OpenLayers<'static> = OpenLayers { layers: Vec::new(), states: 0 };

    /// The sections of the table, in the order of its file.
    pub(crate) fn sections(&self) -> impl Iterator<Item = Result<Cow<'_, [u8]>, TableError>> {
        let section = |state: usize, layer: &OpenLayer<'_>| match layer {
            OpenLayer::Held(sections) => Ok(Cow::Owned(sections[state].codes.clone())),
            OpenLayer::File(file) => file.section(state).map(Cow::Owned),
        };
        (0..self.states).flat_map(move |state| self.layers.iter().flatten().map(move |layer| section(state, layer)))
    }

    pub(crate) fn reader(&self) -> LayerReader<'_> {
        LayerReader {
            layers: self,
            keys: vec![0; KEPT_CHUNKS],
            chunks: vec![[0; CHUNK]; KEPT_CHUNKS],
            run: Vec::new(),
            failure: None,
        }
    }
}

const KEPT_CHUNKS: usize = 1 << 10;

/// A thread's view of the layers, with a cache of chunks: a pass through the sets of a layer in order reads, for each kind of capture,
/// the sets of a layer below in order too.
#[derive(Debug)]
pub(crate) struct LayerReader<'a> {
    layers: &'a OpenLayers<'a>,
    /// By place, the key of the chunk in the cache; 0 where there is none.
    keys: Vec<u64>,
    chunks: Vec<[u16; CHUNK]>,
    /// Chunks that stand together, read at once.
    run: Vec<u16>,
    failure: Option<TableError>,
}

impl LayerReader<'_> {
    /// The codes of positions from a rank on, in a layer by its number of Rebels and a section. Arbitrary once reading has failed: see
    /// [`end`](LayerReader::end).
    #[inline(always)]
    pub(crate) fn codes(&mut self, rebels: u32, section: usize, rank: usize, codes: &mut [u16]) {
        let (first, start, len) = (rank / CHUNK, rank % CHUNK, codes.len());
        // A few that stand in one chunk come from the cache.
        if start + len <= CHUNK {
            codes.copy_from_slice(&self.chunk(rebels, section, first)[start..start + len]);
            return;
        }
        let mut run = std::mem::take(&mut self.run);
        run.resize((start + len).next_multiple_of(CHUNK), 0);
        self.read(rebels, section, first, &mut run);
        codes.copy_from_slice(&run[start..start + len]);
        self.run = run;
    }

    #[inline(always)]
    fn chunk(&mut self, rebels: u32, section: usize, chunk: usize) -> &[u16; CHUNK] {
        let key = u64::from(rebels) << 56 | (section as u64) << 40 | (chunk as u64 + 1);
        // The high bits of a product with an odd number spread well (D. E. Knuth, The Art of Computer Programming, 6.4).
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - KEPT_CHUNKS.trailing_zeros())) as usize;
        if self.keys[place] != key {
            let mut codes = [0; CHUNK];
            self.read(rebels, section, chunk, &mut codes);
            (self.chunks[place], self.keys[place]) = (codes, key);
        }
        &self.chunks[place]
    }

    #[cold]
    fn read(&mut self, rebels: u32, section: usize, first: usize, codes: &mut [u16]) {
        let layer =
            self.layers.layers[rebels as usize].as_ref().expect("captures lead to layers that have been solved");
        if let Err(error) = layer.chunks(section, first, codes) {
            self.failure.get_or_insert(error);
        }
    }

    pub(crate) fn end(self) -> Result<(), TableError> {
        self.failure.map_or(Ok(()), Err)
    }
}
