//! The values of one state of the General, compressed so that one of them is read without decompressing others.
//!
//! Values stand in chunks of 512 entries. A chunk has a palette of the values that occur in it, and for each entry the number
//! of its value in as few bits as the palette needs. Positions that are not legal take whatever value is cheapest. A directory
//! gives the beginning of each chunk.

use std::ops::Range;

use crate::board::Point;

use super::index::Index;

/// Entries of a chunk.
pub(super) const CHUNK: usize = 512;
/// Bytes of a directory entry.
const ENTRY: usize = 4;

/// The value of a position that is not legal, before it is compressed.
pub(super) const NOT_LEGAL: u8 = u8::MAX;

/// The entries of a section: where the General stands no Rebel can, and that bit of the index is left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entries {
    /// The bits of the index below the one that is left out; all when none is.
    low: usize,
    len: usize,
}

impl Entries {
    /// For a General on a point of the Rebels' ground, or elsewhere.
    pub(super) fn new(index: &Index, general: Point, on_ground: bool) -> Entries {
        // Where the parity tells the General's own point there is no bit to leave out.
        match index.bit(general).filter(|_| on_ground) {
            Some(bit) => Entries { low: (1 << bit) - 1, len: index.sets() / 2 },
            None => Entries::all(index.sets()),
        }
    }

    /// One for each number: none is left out.
    pub(super) fn all(len: usize) -> Entries {
        Entries { low: usize::MAX, len }
    }

    /// How many there are.
    pub(super) fn len(self) -> usize {
        self.len
    }

    /// The entry of the number of a set in which the General's own point is empty.
    #[inline(always)]
    pub(super) fn of(self, number: usize) -> usize {
        number & self.low | number >> 1 & !self.low
    }

    /// The number of the set of an entry.
    #[inline(always)]
    pub(super) fn number(self, entry: usize) -> usize {
        entry & self.low | (entry & !self.low) << 1
    }
}

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

/// Where the directory of a section gives the beginning and the end of the chunk of an entry.
pub(super) fn directory_range(entry: usize) -> Range<usize> {
    let chunk = entry / CHUNK;
    chunk * ENTRY..(chunk + 2) * ENTRY
}

/// Where the chunk stands in the section, from its part of the directory.
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

/// All values of the section at the beginning of some bytes; none when it is damaged.
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

/// How many bytes the directory of a section has.
pub(super) fn directory_length(entries: usize) -> u64 {
    directory_range(entries.saturating_sub(1)).end as u64
}

/// How many bytes the section at the beginning of some bytes has; none when it is damaged.
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

        #[test]
        fn entries_leave_out_the_generals_point_alone(general in 0usize..25, number in 0usize..1 << 25) {
            let entries = Entries::new(&Index::new(25, None), Point::new(general), true);
            let free = number & !(1 << general);
            prop_assert!(entries.of(free) < entries.len());
            prop_assert_eq!(entries.number(entries.of(free)), free);
        }
    }

    #[test]
    fn equal_values_take_no_bits() {
        assert_eq!(compress(CHUNK, |_| 7).len(), 2 * ENTRY + 2);
        assert_eq!(compress(CHUNK, |_| NOT_LEGAL).len(), 2 * ENTRY + 2);
    }
}
