//! Checkpoints, from which an interrupted solve goes on.
//!
//! A checkpoint holds the values of all decided positions with the Rebels to move. Everything else follows: the solve runs through the
//! same plies again, with the Rebels' pass read instead of computed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::passes::Values;
use crate::tablebase::compression::{compress, decompress, directory_length, length};
use crate::tablebase::error::TableError;
use crate::tablebase::file::{self, ChecksummedFile};

const MAGIC: &[u8; 8] = b"PrivyGo3";

#[derive(Serialize, Deserialize)]
struct CheckpointHeader {
    /// Identifies the rules and the coverage.
    solve: String,
    ply: u32,
}

pub(in crate::tablebase) fn checkpoint_path(table: &Path) -> PathBuf {
    file::resume_path(table, "")
}

/// Writes a checkpoint after a ply. Values of later plies may stand in it, and are ignored.
pub(super) fn write<'a>(
    path: &Path,
    solve: &str,
    ply: u32,
    values: impl Iterator<Item = &'a Values>,
) -> Result<(), TableError> {
    let sections = values.map(|values| compress(values.len(), |entry| values.get(entry)));
    file::write(file::create(path)?, MAGIC, &CheckpointHeader { solve: solve.to_owned(), ply }, sections)
}

/// Reads a checkpoint of a solve with `states` states of `sets` positions, and returns its ply. `keep` gets the values of each state, by
/// its number. None when there is no usable file, perhaps after some calls of `keep`: the solve then starts over.
pub(super) fn read(
    path: &Path,
    solve: &str,
    states: usize,
    sets: usize,
    mut keep: impl FnMut(usize, &[u8]),
) -> Option<u32> {
    let file = ChecksummedFile::open(path, MAGIC).ok()?;
    let header: CheckpointHeader = file.header().ok().filter(|header: &CheckpointHeader| header.solve == solve)?;
    let mut offset = 0;
    for state in 0..states {
        // One section at a time, since memory may be short.
        let directory = file.whole_section(offset, directory_length(sets)).ok()?;
        let length = length(&directory, sets)? as u64;
        keep(state, &decompress(&file.whole_section(offset, length).ok()?, sets)?);
        offset += length;
    }
    Some(header.ply)
}
