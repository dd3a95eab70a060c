//! Compression of bytes, each readable without decompressing the others.
//!
//! A chunk of 512 bytes has a palette of its values, and for each byte the number of its value in as few bits as the palette needs: the
//! size of the palette less 1, the palette, the numbers from the low bits up. Before the chunks a directory has the beginning of each of
//! them, and the end of the last, in four bytes.

use std::ops::Range;

use privy_base::huge_pages::advise;
use privy_protocol::Stop;

/// Bytes of a chunk, before compression.
pub(super) const CHUNK: usize = 512;
/// Bytes of an entry of the directory.
const ENTRY: usize = 4;

/// Compresses `len` bytes, which are asked for in their order. Once `stop` is set the result is incomplete.
#[inline(always)]
pub(super) fn compress(len: usize, stop: &Stop, mut byte: impl FnMut(usize) -> u8) -> Vec<u8> {
    let chunks = len.div_ceil(CHUNK);
    // Most sections take less than half a byte of each.
    let mut section = Vec::with_capacity((chunks + 1) * ENTRY + len / 2);
    advise(section.spare_capacity_mut());
    section.resize((chunks + 1) * ENTRY, 0);
    let mut values = [0; CHUNK];
    for chunk in 0..=chunks {
        if stop.is_set() {
            break;
        }
        let beginning = u32::try_from(section.len()).expect("a section has less than 4 GiB").to_le_bytes();
        section[chunk * ENTRY..(chunk + 1) * ENTRY].copy_from_slice(&beginning);
        let first = chunk * CHUNK;
        let values = &mut values[..len.saturating_sub(first).min(CHUNK)];
        (first..).zip(&mut *values).for_each(|(place, value)| *value = byte(place));
        if !values.is_empty() {
            compress_chunk(values, &mut section);
        }
    }
    section.shrink_to_fit();
    section
}

/// Bits of a number in a palette.
fn width(palette: usize) -> u32 {
    palette.next_power_of_two().trailing_zeros()
}

fn compress_chunk(values: &[u8], section: &mut Vec<u8>) {
    let mut number_of = [0u8; 256];
    let mut occurs = [false; 256];
    values.iter().for_each(|value| occurs[usize::from(*value)] = true);
    let palette: Vec<u8> = (0..=u8::MAX).filter(|value| occurs[usize::from(*value)]).collect();
    (0..).zip(&palette).for_each(|(number, value)| number_of[usize::from(*value)] = number);
    section.push((palette.len() - 1) as u8);
    section.extend(&palette);
    let width = width(palette.len());
    let (mut bits, mut filled) = (0u64, 0);
    for value in values {
        bits |= u64::from(number_of[usize::from(*value)]) << filled;
        filled += width;
        while filled >= 8 {
            section.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        section.push(bits as u8);
    }
}

/// The part of the directory that gives the beginnings and the ends of some chunks.
pub(super) fn directory_range(chunks: Range<usize>) -> Range<usize> {
    chunks.start * ENTRY..(chunks.end + 1) * ENTRY
}

/// The place in the section of all chunks of a part of the directory.
pub(super) fn chunks_range(directory: &[u8]) -> Option<Range<usize>> {
    Some(chunk_range(directory)?.start..chunk_range(directory.get(directory.len().checked_sub(2 * ENTRY)?..)?)?.end)
}

/// The place in the section of the first chunk of a part of the directory.
pub(super) fn chunk_range(directory: &[u8]) -> Option<Range<usize>> {
    let (start, rest) = directory.split_first_chunk::<ENTRY>()?;
    let end = rest.first_chunk::<ENTRY>()?;
    Some(u32::from_le_bytes(*start) as usize..u32::from_le_bytes(*end) as usize)
}

/// A byte in its chunk; `None` when the chunk is damaged.
#[inline]
pub(super) fn value(chunk: &[u8], place: usize) -> Option<u8> {
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
pub(super) fn decompress(section: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut values = vec![0; len];
    let range = directory_range(0..len.div_ceil(CHUNK));
    if len > 0 {
        let directory = section.get(range)?;
        decompress_chunks(directory, section.get(chunk_range(directory)?.start..)?, &mut values)?;
    }
    Some(values)
}
