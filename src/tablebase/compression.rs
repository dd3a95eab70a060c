//! The values of one place, packed so that one of them is found without unpacking others.
//!
//! Values stand in chunks of 512 positions. A chunk has a palette of the values that occur in it, and for each position
//! the number of its value in as few bits as the palette needs. Positions that are not legal take whatever value is
//! cheapest. A directory gives the beginning of each chunk.

use super::index::Index;
use crate::board::Point;

/// Positions of a chunk.
pub(super) const CHUNK: usize = 512;
/// Bytes of a directory entry.
const ENTRY: usize = 4;

/// The value of a position that is not legal, before it is packed.
pub(super) const NOT_LEGAL: u8 = u8::MAX;

/// How the index of a section follows from the index of the space: where the General stands no Rebel can, and that bit is
/// left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compression {
    bit: Option<u32>,
    entries: usize,
}

impl Compression {
    /// For a General on a point of the Rebels' ground, or elsewhere.
    pub(super) fn new(space: &Index, general: Point, on_ground: bool) -> Compression {
        // Where the parity tells the General's own point there is no bit to leave out.
        let bit = space.place(general).filter(|_| on_ground);
        Compression { bit, entries: if bit.is_some() { space.sets() / 2 } else { space.sets() } }
    }

    /// How many entries a section has.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// The entry of an index in which the General's own point is empty.
    #[inline(always)]
    pub(super) fn entry(&self, index: usize) -> usize {
        match self.bit {
            None => index,
            Some(bit) => {
                let low = (1 << bit) - 1;
                index & low | index >> 1 & !low
            }
        }
    }

    /// The index of an entry.
    #[inline(always)]
    pub(super) fn index(&self, entry: usize) -> usize {
        match self.bit {
            None => entry,
            Some(bit) => {
                let low = (1 << bit) - 1;
                entry & low | (entry & !low) << 1
            }
        }
    }
}

/// How many chunks so many entries fill.
pub(super) fn chunks(entries: usize) -> usize {
    entries.div_ceil(CHUNK)
}

/// Packs a section. `value` gives the value of an entry, or [`NOT_LEGAL`].
pub(super) fn pack(entries: usize, mut value: impl FnMut(usize) -> u8) -> Vec<u8> {
    let count = chunks(entries);
    let mut packed = vec![0; (count + 1) * ENTRY];
    let mut values = [NOT_LEGAL; CHUNK];
    for chunk in 0..count {
        note_beginning(&mut packed, chunk);
        let first = chunk * CHUNK;
        for (place, slot) in values.iter_mut().enumerate() {
            *slot = if first + place < entries { value(first + place) } else { NOT_LEGAL };
        }
        pack_chunk(&values, &mut packed);
    }
    note_beginning(&mut packed, count);
    packed
}

fn note_beginning(packed: &mut [u8], chunk: usize) {
    let offset = packed.len() as u32;
    if let Some(entry) = packed.get_mut(chunk * ENTRY..(chunk + 1) * ENTRY) {
        entry.copy_from_slice(&offset.to_le_bytes());
    }
}

fn width(palette: usize) -> u32 {
    palette.next_power_of_two().trailing_zeros()
}

/// Palette size less 1, palette, numbers from the low bits up.
fn pack_chunk(values: &[u8; CHUNK], packed: &mut Vec<u8>) {
    let mut number_of = [0u8; 256];
    let mut known = [false; 256];
    values.iter().filter(|value| **value != NOT_LEGAL).for_each(|value| known[usize::from(*value)] = true);
    let palette: Vec<u8> = (0..=u8::MAX).filter(|value| known[usize::from(*value)]).collect();
    for (number, value) in palette.iter().enumerate() {
        number_of[usize::from(*value)] = number as u8;
    }
    let Some(last) = palette.len().checked_sub(1) else {
        return packed.extend([0, 0]);
    };
    packed.push(last as u8);
    packed.extend(&palette);
    let width = width(palette.len());
    let (mut bits, mut filled) = (0u64, 0);
    for value in values {
        let number = if *value == NOT_LEGAL { 0 } else { number_of[usize::from(*value)] };
        bits |= u64::from(number) << filled;
        filled += width;
        while filled >= 8 {
            packed.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
}

/// Where the directory entries of the chunk of an entry stand in a section: its beginning and its end.
pub(super) fn directory_range(entry: usize) -> std::ops::Range<usize> {
    let chunk = entry / CHUNK;
    chunk * ENTRY..(chunk + 2) * ENTRY
}

/// The chunk's place in the section, from its directory entries.
pub(super) fn chunk_range(directory: &[u8]) -> Option<std::ops::Range<usize>> {
    let offset = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize);
    Some(offset(directory.get(..ENTRY)?)?..offset(directory.get(ENTRY..2 * ENTRY)?)?)
}

/// The value of an entry in its chunk; none when the chunk is not one.
#[inline]
pub(super) fn unpack(chunk: &[u8], entry: usize) -> Option<u8> {
    let (last, rest) = chunk.split_first()?;
    let size = usize::from(*last) + 1;
    let palette = rest.get(..size)?;
    let width = width(size);
    let bit = (entry % CHUNK) * width as usize;
    let numbers = rest.get(size..)?;
    let low = numbers.get(bit / 8).copied().unwrap_or(0);
    let high = numbers.get(bit / 8 + 1).copied().unwrap_or(0);
    let number = u16::from_le_bytes([low, high]) >> (bit % 8) & ((1 << width) - 1);
    palette.get(usize::from(number)).copied()
}

/// Unpacks all values of a chunk.
pub(super) fn unpack_all(chunk: &[u8], values: &mut [u8]) -> Option<()> {
    for (entry, value) in values.iter_mut().enumerate() {
        *value = unpack(chunk, entry)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(packed: &[u8], entry: usize) -> u8 {
        let range = chunk_range(&packed[directory_range(entry)]).unwrap();
        unpack(&packed[range], entry).unwrap()
    }

    proptest! {
        #[test]
        fn legal_values_come_back(values in proptest::collection::vec(any::<u8>(), 1..2000), few in 1u8..20) {
            for values in [values.clone(), values.iter().map(|value| value % few).collect()] {
                let packed = pack(values.len(), |entry| values[entry]);
                for (entry, value) in values.iter().enumerate() {
                    prop_assert!(*value == NOT_LEGAL || read(&packed, entry) == *value);
                }
            }
        }

        #[test]
        fn damaged_chunks_give_a_value_or_none(chunk in proptest::collection::vec(any::<u8>(), 0..400), entry in 0usize..2000) {
            let _ = unpack(&chunk, entry);
        }

        #[test]
        fn squeezing_leaves_out_the_generals_point_alone(general in 0usize..25, index in 0usize..1 << 25) {
            let space = Index::new(25, None);
            let compression = Compression::new(&space, Point::new(general), true);
            let free = index & !(1 << general);
            prop_assert!(compression.entry(free) < compression.entries());
            prop_assert_eq!(compression.index(compression.entry(free)), free);
        }
    }

    #[test]
    fn equal_values_take_no_bits() {
        assert_eq!(pack(CHUNK, |_| 7).len(), 2 * ENTRY + 2);
        assert_eq!(pack(CHUNK, |_| NOT_LEGAL).len(), 2 * ENTRY + 2);
    }
}
