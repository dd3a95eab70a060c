//! What is known in the middle of a solve, kept so that an interrupted one can go on.
//!
//! A checkpoint holds the plies of all positions with the Rebels to move that are decided so far. Everything else follows:
//! the solve runs through the same plies again, with the Rebels' stage read instead of computed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::TableError;
use super::compression::{CHUNK, chunk_range, chunks, directory_range, pack, unpack_all};
use super::file::replace;

const MAGIC: &[u8; 8] = b"PrivyGo1";

/// The state of a solve after a ply.
#[derive(Debug)]
pub(super) struct Checkpoint {
    /// The last ply that is complete.
    pub(super) ply: u32,
    /// Per place, the bytes of its positions.
    pub(super) plies: Vec<Vec<u8>>,
}

/// The file of a checkpoint beside a table's path.
pub(super) fn checkpoint_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".resume");
    path.with_file_name(name)
}

/// Writes the state of a solve with a name: a word that tells it from others.
pub(super) fn write<'a>(
    path: &Path,
    name: &str,
    ply: u32,
    places: impl Iterator<Item = &'a [u8]>,
) -> Result<(), TableError> {
    let put = |output: &mut BufWriter<File>, bytes: &[u8]| -> io::Result<()> {
        output.write_all(&(bytes.len() as u64).to_le_bytes())?;
        output.write_all(&xxh3_64(bytes).to_le_bytes())?;
        output.write_all(bytes)
    };
    replace(path, |file| {
        let mut output = BufWriter::new(file);
        output.write_all(MAGIC)?;
        put(&mut output, format!("{name} {ply}").as_bytes())?;
        for place in places {
            put(&mut output, &pack(place.len(), |entry| place.get(entry).copied().unwrap_or(0)))?;
        }
        output.into_inner().map_err(|error| error.into_error())
    })
}

/// Reads a checkpoint of the solve with a name, with so many places of so many entries. None when there is no file,
/// or one that can't be used: then the solve begins anew.
pub(super) fn read(path: &Path, name: &str, places: usize, entries: usize) -> Option<Checkpoint> {
    let bytes = fs::read(path).ok()?;
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let mut take = || -> Option<&[u8]> {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let (checksum, after) = after.split_first_chunk::<8>()?;
        let (part, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        rest = after;
        (xxh3_64(part) == u64::from_le_bytes(*checksum)).then_some(part)
    };
    let (known, ply) = std::str::from_utf8(take()?).ok()?.split_once(' ')?;
    let ply = ply.parse().ok().filter(|_| known == name)?;
    let plies: Option<Vec<Vec<u8>>> = (0..places).map(|_| unpack_whole(take()?, entries)).collect();
    Some(Checkpoint { ply, plies: plies? })
}

fn unpack_whole(packed: &[u8], entries: usize) -> Option<Vec<u8>> {
    let mut values = vec![0; entries];
    let mut chunk_values = [0; CHUNK];
    for number in 0..chunks(entries) {
        let first = number * CHUNK;
        let chunk = packed.get(chunk_range(packed.get(directory_range(first))?)?)?;
        unpack_all(chunk, &mut chunk_values)?;
        for (slot, value) in values.iter_mut().skip(first).zip(chunk_values) {
            *slot = value;
        }
    }
    Some(values)
}

/// Removes a checkpoint that is of no use any more.
pub(super) fn remove(path: &Path) {
    // That an old checkpoint stays does no harm: it is read only by a solve of the same rules.
    let _ = fs::remove_file(path);
}
