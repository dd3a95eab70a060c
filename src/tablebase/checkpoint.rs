//! The state of a solve, kept so that an interrupted one can go on.
//!
//! A checkpoint holds the values of all positions with the Rebels to move that are decided so far. Everything else follows:
//! the solve runs through the same plies again, with the Rebels' pass read instead of computed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::compression::{compress, decompress, length};
use super::error::TableError;
use super::file::{self, ChecksummedFile};

const MAGIC: &[u8; 8] = b"PrivyGo2";

#[derive(Serialize, Deserialize)]
struct Header {
    /// A word that tells the solve from others.
    solve: String,
    /// The last ply that is complete.
    ply: u32,
}

/// The state of a solve after a ply.
#[derive(Debug)]
pub(super) struct Checkpoint {
    /// The last ply that is complete.
    pub(super) ply: u32,
    /// By state of the General, the bytes of its positions.
    pub(super) values: Vec<Vec<u8>>,
}

/// The file of a checkpoint beside a table's path.
pub(super) fn checkpoint_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".resume");
    path.with_file_name(name)
}

/// Writes the state of a solve after a ply.
pub(super) fn write<'a>(
    path: &Path,
    solve: &str,
    ply: u32,
    values: impl Iterator<Item = &'a [u8]>,
) -> Result<(), TableError> {
    let sections = values.map(|values| compress(values.len(), |entry| values[entry]));
    file::write(file::create(path)?, MAGIC, &Header { solve: solve.to_owned(), ply }, sections)
}

/// Reads a checkpoint of a solve with `states` states of `sets` positions. None when there is no file, or one that can't be
/// used: then the solve begins anew.
pub(super) fn read(path: &Path, solve: &str, states: usize, sets: usize) -> Option<Checkpoint> {
    let file = ChecksummedFile::open(path, MAGIC).ok()?;
    let header: Header = file.header().ok().filter(|header: &Header| header.solve == solve)?;
    let sections = file.sections().ok()?;
    let mut rest = sections.as_slice();
    let mut values = Vec::with_capacity(states);
    for _ in 0..states {
        values.push(decompress(rest, sets)?);
        rest = rest.get(length(rest, sets)?..)?;
    }
    Some(Checkpoint { ply: header.ply, values })
}
