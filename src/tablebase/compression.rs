//! Compression of a section: the values of one state of the General, each readable without decompressing the others.
//!
//! A chunk of 512 entries has a palette of its values, and for each entry the number of its value in as few bits as the palette needs.
//! Illegal positions take whatever value is cheapest. A directory gives the beginning of each chunk.

use std::ops::Range;

/// Entries of a chunk.
pub(super) const CHUNK: usize = 512;
const ENTRY: usize = 4;

/// Stands for the value of an illegal position, before compression.
pub(super) const NOT_LEGAL: u8 = u8::MAX;

/// Compresses a section. `value` gives the value of an entry, or [`NOT_LEGAL`].
#[inline(always)]
pub(super) fn compress(entries: usize, mut value: impl FnMut(usize) -> u8) -> Vec<u8> {
    let chunks = entries.div_ceil(CHUNK);
    let mut section = vec![0; (chunks + 1) * ENTRY];
    let mut values = [NOT_LEGAL; CHUNK];
    for chunk in 0..=chunks {
        let beginning = u32::try_from(section.len()).expect("a section has less than 4 GiB").to_le_bytes();
        section[chunk * ENTRY..(chunk + 1) * ENTRY].copy_from_slice(&beginning);
        if chunk < chunks {
            for (entry, slot) in (chunk * CHUNK..).zip(&mut values) {
                *slot = if entry < entries { value(entry) } else { NOT_LEGAL };
            }
            compress_chunk(&values, &mut section);
        }
    }
    section
}

fn width(palette: usize) -> u32 {
    palette.next_power_of_two().trailing_zeros()
}

/// Palette size less 1, palette, numbers from the low bits up.
fn compress_chunk(values: &[u8; CHUNK], section: &mut Vec<u8>) {
    let mut number_of = [0u8; 256];
    let mut occurs = [false; 256];
    values.iter().for_each(|value| occurs[usize::from(*value)] = true);
    let palette: Vec<u8> = (0..NOT_LEGAL).filter(|value| occurs[usize::from(*value)]).collect();
    for (number, value) in palette.iter().enumerate() {
        number_of[usize::from(*value)] = number as u8;
    }
    let Some(last) = palette.len().checked_sub(1) else {
        return section.extend([0, 0]);
    };
    section.push(last as u8);
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
}

/// The part of the directory that gives the beginning and the end of an entry's chunk.
pub(super) fn directory_range(entry: usize) -> Range<usize> {
    let chunk = entry / CHUNK;
    chunk * ENTRY..(chunk + 2) * ENTRY
}

/// The chunk in the section, from its part of the directory.
pub(super) fn chunk_range(directory: &[u8]) -> Option<Range<usize>> {
    let (start, rest) = directory.split_first_chunk::<ENTRY>()?;
    let end = rest.first_chunk::<ENTRY>()?;
    Some(u32::from_le_bytes(*start) as usize..u32::from_le_bytes(*end) as usize)
}

/// The value of an entry in its chunk; none when the chunk is damaged.
#[inline]
pub(super) fn value(chunk: &[u8], entry: usize) -> Option<u8> {
    let (last, rest) = chunk.split_first()?;
    let (palette, numbers) = rest.split_at_checked(usize::from(*last) + 1)?;
    let width = width(palette.len());
    let bit = (entry % CHUNK) * width as usize;
    let low = numbers.get(bit / 8).copied().unwrap_or(0);
    let high = numbers.get(bit / 8 + 1).copied().unwrap_or(0);
    let number = u16::from_le_bytes([low, high]) >> (bit % 8) & ((1 << width) - 1);
    palette.get(usize::from(number)).copied()
}

/// All values of a section, which bytes may follow; none when it is damaged.
pub(super) fn decompress(section: &[u8], entries: usize) -> Option<Vec<u8>> {
    let mut values = vec![0; entries];
    for (first, values) in (0..).step_by(CHUNK).zip(values.chunks_mut(CHUNK)) {
        decompress_chunk(section.get(chunk_range(section.get(directory_range(first))?)?)?, values)?;
    }
    Some(values)
}

/// The first values of a chunk; none when it is damaged.
#[inline]
pub(super) fn decompress_chunk(chunk: &[u8], values: &mut [u8]) -> Option<()> {
    values.iter_mut().enumerate().try_for_each(|(entry, slot)| {
        *slot = value(chunk, entry)?;
        Some(())
    })
}

pub(super) fn directory_length(entries: usize) -> u64 {
    directory_range(entries.saturating_sub(1)).end as u64
}

/// Bytes of the section that begins with a directory; none when it is damaged.
pub(super) fn length(section: &[u8], entries: usize) -> Option<usize> {
    let last = directory_range(entries.checked_sub(1)?);
    Some(chunk_range(section.get(last)?)?.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(packed: &[u8], entry: usize) -> u8 {
        let range = chunk_range(&packed[directory_range(entry)]).unwrap();
        value(&packed[range], entry).unwrap()
    }

    proptest! {
        #[test]
        fn legal_values_come_back(values in proptest::collection::vec(any::<u8>(), 1..2000), few in 1u8..20) {
            for values in [values.clone(), values.iter().map(|value| value % few).collect()] {
                let packed = compress(values.len(), |entry| values[entry]);
                let whole = decompress(&packed, values.len()).unwrap();
                for (entry, value) in values.iter().enumerate() {
                    prop_assert!(*value == NOT_LEGAL || read(&packed, entry) == *value);
                    prop_assert!(*value == NOT_LEGAL || whole[entry] == *value);
                }
            }
        }

        #[test]
        fn damaged_chunks_give_a_value_or_none(chunk in proptest::collection::vec(any::<u8>(), 0..400), entry in 0usize..2000) {
            let _ = value(&chunk, entry);
            let _ = decompress(&chunk, entry);
        }
    }

    #[test]
    fn equal_values_take_no_bits() {
        assert_eq!(compress(CHUNK, |_| 7).len(), 2 * ENTRY + 2);
        assert_eq!(compress(CHUNK, |_| NOT_LEGAL).len(), 2 * ENTRY + 2);
    }
}
