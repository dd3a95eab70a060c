//! Light rows: sets by rank.
//!
//! A row with few sets would leave a plane nearly empty: one of the 792 low parts with five Rebels has a bit of three,
//! one of the 12 with one Rebel a bit of 170. So the sets of such rows are packed by rank. Those with up to three low
//! Rebels lie behind each other in one cell, and so do those with all but three:
//!
//! ```text
//! bits    0 │ 1 to 12 │ 13 to 78 │ 79 to 298
//! Rebels  0 │    1    │     2    │     3       or 12, 11, 10, 9
//! ```
//!
//! What leads from light rows to light rows is a map of bits, looked up by bytes.

use super::plane::{BITS, BitSet, Plane, bit_operators, low_of_index};

pub(super) const WORDS: usize = 5;

/// The sets of the light rows of a slot, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Light([u64; WORDS]);

bit_operators!(Light);

impl BitSet for Light {
    const EMPTY: Light = Light([0; WORDS]);

    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    #[inline(always)]
    fn with(mut self, other: Light, word: impl Fn(u64, u64) -> u64) -> Light {
        for (one, other) in self.0.iter_mut().zip(other.0) {
            *one = word(*one, other);
        }
        self
    }
}

/// The low parts, of all low places or without one of them.
#[derive(Debug)]
pub(super) struct LowParts {
    /// By number of Rebels, the indices in ascending order.
    pub(super) indices: Vec<Vec<u16>>,
    /// By parity and index, the number of earlier ones with as many Rebels.
    pub(super) ranks: [Vec<u16>; 2],
}

impl LowParts {
    pub(super) fn new(places: u32, without: Option<u32>) -> LowParts {
        let mut indices = vec![Vec::new(); places as usize + 1];
        let ranks = [0, 1].map(|parity| {
            let rank = |index: usize| {
                let low = low_of_index(index, parity);
                if index >= 1 << places >> 1 || without.is_some_and(|place| low >> place & 1 != 0) {
                    return 0;
                }
                let of_count = &mut indices[low.count_ones() as usize];
                of_count.push(index as u16);
                of_count.len() as u16 - 1
            };
            (0..BITS).map(rank).collect()
        });
        LowParts { indices, ranks }
    }
}

/// A map of light rows: what some sets lead to is what each of them leads to, together.
#[derive(Debug)]
pub(super) struct LightMap(Vec<[Light; 256]>);

impl LightMap {
    /// The map by the images of the bits.
    pub(super) fn new(of_bits: &[Light]) -> LightMap {
        let of_byte = |of_bits: &[Light]| {
            let mut images = [Light::EMPTY; 256];
            for bits in 1..256usize {
                let first = of_bits.get(bits.trailing_zeros() as usize).unwrap_or(&Light::EMPTY);
                images[bits] = images[bits & (bits - 1)] | *first;
            }
            images
        };
        LightMap(of_bits.chunks(8).map(of_byte).collect())
    }

    #[inline(always)]
    pub(super) fn of(&self, light: Light) -> Light {
        let bytes = light.0.iter().flat_map(|word| word.to_le_bytes());
        bytes.zip(&self.0).fold(Light::EMPTY, |all, (byte, images)| all | images[usize::from(byte)])
    }
}

/// Low parts, as planes by parity and as light cells by column.
#[derive(Debug, Clone)]
pub(super) struct LowSets {
    pub(super) planes: [Plane; 2],
    pub(super) light: [Light; 2],
}
