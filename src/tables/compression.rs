//! Compression of bytes, each readable without decompressing the others.
//!
//! A chunk of 512 bytes has a palette of its values, and for each byte the number of its value in as few bits as the palette needs: the
//! size of the palette less 1, the palette, the numbers from the low bits up. Before the chunks a directory has the beginning of each of
//! them, and the end of the last, in four bytes.

use std::ops::Range;

use privy_base::huge_pages::advise;
use privy_protocol::Stop;

/// Bytes of a chunk, before compression.
pub const CHUNK: usize = 512;
/// Bytes of an entry of the directory.
const ENTRY: usize = 4;

/// Compresses bytes. Once `stop` is set the result is incomplete.
#[inline(always)]
pub fn compress(values: &[u8], stop: &Stop) -> Vec<u8> {
    let chunks = values.len().div_ceil(CHUNK);
    // Most sections take less than half a byte of each.
    let mut section = Vec::with_capacity((chunks + 1) * ENTRY + values.len() / 2);
    advise(section.spare_capacity_mut());
    section.resize((chunks + 1) * ENTRY, 0);
    let note_end = |chunk: usize, section: &mut Vec<u8>| {
        let end = u32::try_from(section.len()).expect("a section has less than 4 GiB").to_le_bytes();
        section[chunk * ENTRY..(chunk + 1) * ENTRY].copy_from_slice(&end);
    };
    note_end(0, &mut section);
    for (chunk, values) in (1..).zip(values.chunks(CHUNK)) {
        if stop.is_set() {
            break;
        }
        compress_chunk(values, &mut section);
        note_end(chunk, &mut section);
    }
    section.shrink_to_fit();
    section
}

/// Bits of a number in a palette.
fn width(palette: usize) -> u32 {
    palette.next_power_of_two().trailing_zeros()
}

#[inline(always)]
fn compress_chunk(values: &[u8], section: &mut Vec<u8>) {
    if values[1..] == values[..values.len() - 1] {
        section.extend([0, values[0]]);
        return;
    }
    let mut occurs = [false; 256];
    values.iter().for_each(|value| occurs[usize::from(*value)] = true);
    let (mut number_of, mut palette, mut len) = ([0u8; 256], [0; 256], 0);
    for (value, _) in (0..=u8::MAX).zip(occurs).filter(|(_, occurs)| *occurs) {
        number_of[usize::from(value)] = len as u8;
        palette[len] = value;
        len += 1;
    }
    section.push((len - 1) as u8);
    section.extend(&palette[..len]);
    let width = width(len);
    // Eight numbers take as many bytes as one takes bits.
    for eight in values.chunks(8) {
        let mut bits = 0u64;
        for (place, value) in (0..).zip(eight) {
            bits |= u64::from(number_of[usize::from(*value)]) << (place * width);
        }
        section.extend(&bits.to_le_bytes()[..(eight.len() * width as usize).div_ceil(8)]);
    }
}

/// The part of the directory that gives the beginnings and the ends of some chunks.
pub fn directory_range(chunks: Range<usize>) -> Range<usize> {
    chunks.start * ENTRY..(chunks.end + 1) * ENTRY
}

/// The place in the section of all chunks of a part of the directory.
pub(super) fn chunks_range(directory: &[u8]) -> Option<Range<usize>> {
    Some(chunk_range(directory)?.start..chunk_range(directory.get(directory.len().checked_sub(2 * ENTRY)?..)?)?.end)
}

/// The place in the section of the first chunk of a part of the directory.
pub fn chunk_range(directory: &[u8]) -> Option<Range<usize>> {
    let (start, rest) = directory.split_first_chunk::<ENTRY>()?;
    let end = rest.first_chunk::<ENTRY>()?;
    Some(u32::from_le_bytes(*start) as usize..u32::from_le_bytes(*end) as usize)
}

/// A byte in its chunk; `None` when the chunk is damaged.
#[inline]
pub fn value(chunk: &[u8], place: usize) -> Option<u8> {
    let (last, rest) = chunk.split_first()?;
    let (palette, numbers) = rest.split_at_checked(usize::from(*last) + 1)?;
    let width = width(palette.len());
    let bit = (place % CHUNK) * width as usize;
    let low = numbers.get(bit / 8).copied().unwrap_or(0);
    let high = numbers.get(bit / 8 + 1).copied().unwrap_or(0);
    let number = u16::from_le_bytes([low, high]) >> (bit % 8) & ((1 << width) - 1);
    palette.get(usize::from(number)).copied()
}

/// The first bytes of a chunk; `None` when it is damaged.
pub(super) fn decompress_chunk(chunk: &[u8], values: &mut [u8]) -> Option<()> {
    let (last, rest) = chunk.split_first()?;
    let (palette, numbers) = rest.split_at_checked(usize::from(*last) + 1)?;
    if palette.len() == 1 {
        values.fill(palette[0]);
        return Some(());
    }
    let (mut by_number, width) = ([0; 256], width(palette.len()));
    by_number[..palette.len()].copy_from_slice(palette);
    // Eight numbers take as many bytes as one takes bits.
    let mut numbers = numbers.chunks(width as usize);
    let mut highest = 0;
    for values in values.chunks_mut(8) {
        let mut bytes = [0; 8];
        let eight = numbers.next().unwrap_or_default();
        bytes[..eight.len()].copy_from_slice(eight);
        let mut bits = u64::from_le_bytes(bytes);
        for slot in values {
            let number = (bits & ((1 << width) - 1)) as u8;
            bits >>= width;
            highest = highest.max(number);
            *slot = by_number[usize::from(number)];
        }
    }
    (usize::from(highest) < palette.len()).then_some(())
}

/// The bytes of some chunks that stand together, from their part of the directory and their bytes; `None` when one is damaged.
pub(super) fn decompress_chunks(directory: &[u8], chunks: &[u8], values: &mut [u8]) -> Option<()> {
    let first = chunk_range(directory)?.start;
    for (place, values) in (0..).zip(values.chunks_mut(CHUNK)) {
        let Range { start, end } = chunk_range(directory.get(place * ENTRY..)?)?;
        decompress_chunk(chunks.get(start.checked_sub(first)?..end.checked_sub(first)?)?, values)?;
    }
    Some(())
}

/// All bytes of a section; `None` when it is damaged.
pub fn decompress(section: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut values = vec![0; len];
    let range = directory_range(0..len.div_ceil(CHUNK));
    if len > 0 {
        let directory = section.get(range)?;
        decompress_chunks(directory, section.get(chunk_range(directory)?.start..)?, &mut values)?;
    }
    Some(values)
}
