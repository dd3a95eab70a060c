//! Checkpoints, from which an interrupted solve continues: files in the format of tables, beside the table's path.
//!
//! A solve of the whole board keeps the values of all decided positions after a ply (`NAME.privy.resume`), one by layers keeps each solved
//! layer (`NAME.privy.resume-07`). A checkpoint serves only a solve of the same rules, coding and layers; another one is ignored.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::coding::Coding;
use super::error::TableError;
use super::file::{self, CHECKPOINT_MAGIC, Header, TableFile};
use super::numbering::Numbering;

/// Time between two checkpoints of a solve.
pub(super) const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// The checkpoints of a solve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checkpoints<'a> {
    pub(super) table: &'a Path,
    pub(super) numbering: &'a Numbering,
    pub(super) coding: Coding,
}

impl Checkpoints<'_> {
    /// The path of the checkpoint of a layer, or of the whole board.
    fn path(&self, layer: Option<u32>) -> PathBuf {
        let mut name = self.table.file_name().unwrap_or_default().to_owned();
        name.push(layer.map_or_else(|| ".resume".to_owned(), |rebels| format!(".resume-{rebels:02}")));
        self.table.with_file_name(name)
    }

    pub(super) fn write<'b>(
        &self,
        layer: Option<u32>,
        header: Header,
        sections: impl IntoIterator<Item = Result<[Cow<'b, [u8]>; 2], TableError>>,
    ) -> Result<(), TableError> {
        file::write(file::create(&self.path(layer))?, CHECKPOINT_MAGIC, header, sections)
    }

    /// Opens the checkpoint of a layer, or of the whole board.
    pub(super) fn open(&self, layer: Option<u32>) -> Result<TableFile, TableError> {
        let path = self.path(layer);
        let file = TableFile::open(&path, CHECKPOINT_MAGIC)?;
        let Header { fingerprint, coding, ply, layers, sections, .. } = &file.header;
        let expected = layer.as_ref().map_or(self.numbering.layers.as_slice(), std::slice::from_ref);
        let is_of_solve = fingerprint == self.numbering.variant.fingerprint()
            && *coding == self.coding
            && ply.is_none() == layer.is_some()
            && layers.iter().map(|layer| layer.rebels).eq(expected.iter().copied())
            && sections.len() == self.numbering.states.solved.len() * expected.len();
        if is_of_solve { Ok(file) } else { Err(TableError::foreign(&path, "a checkpoint of another solve")) }
    }

    /// Removes all files. One that can't be removed does no harm: only a solve of the same rules reads it.
    pub(super) fn remove(&self) {
        for layer in std::iter::once(None).chain(self.numbering.layers.iter().copied().map(Some)) {
            let _ = std::fs::remove_file(self.path(layer));
        }
    }
}
