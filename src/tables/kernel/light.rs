//! Light rows: sets by rank.
//!
//! A row with few sets would leave a plane nearly empty: each of the 220 low parts with three Rebels has a bit of nine,
//! each of the 12 with one Rebel a bit of 170. So the sets of such rows are packed by rank. A *wide* cell has those
//! with two low Rebels, then those with three; a *narrow* one those with none and with one. The rows that lack as many
//! are other columns of both:
//!
//! ```text
//!          narrow          wide
//! bits     0 │ 1 to 12     0 to 65 │ 66 to 285
//! Rebels   0 │    1           2    │     3
//! ```
//!
//! What leads from light rows to light rows is a map of bits, looked up by bytes.

use super::plane::{BITS, BitSet, Plane, bit_operators, low_of_index};

/// The sets of the light rows of a slot, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Light<const WORDS: usize>([u64; WORDS]);

/// The cells of rows with two or three low Rebels, and of those with fewer.
pub(super) type Wide = Light<5>;
pub(super) type Narrow = Light<1>;

impl Wide {
    /// The same bits in a cell that has them all.
    #[inline(always)]
    pub(super) fn cut<const WORDS: usize>(&self) -> Light<WORDS> {
        Light(std::array::from_fn(|word| self.0[word]))
    }
}

bit_operators!(Wide);
bit_operators!(Narrow);

impl<const WORDS: usize> BitSet for Light<WORDS> {
    const EMPTY: Self = Light([0; WORDS]);

    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    #[inline(always)]
    fn with(mut self, other: Self, word: impl Fn(u64, u64) -> u64) -> Self {
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
                if low >> places != 0 || without.is_some_and(|place| low >> place & 1 != 0) {
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
pub(super) struct LightMap(Vec<[Wide; 256]>);

impl LightMap {
    /// The map by the images of the bits.
    pub(super) fn new(of_bits: &[Wide]) -> LightMap {
        let of_byte = |of_bits: &[Wide]| {
            let mut images = [Wide::EMPTY; 256];
            for bits in 1..256usize {
                let first = of_bits.get(bits.trailing_zeros() as usize).unwrap_or(&Wide::EMPTY);
                images[bits] = images[bits & (bits - 1)] | *first;
            }
            images
        };
        LightMap(of_bits.chunks(8).map(of_byte).collect())
    }

    #[inline(always)]
    pub(super) fn of<const WORDS: usize>(&self, light: Light<WORDS>) -> Light<WORDS> {
        let bytes = light.0.iter().flat_map(|word| word.to_le_bytes()).zip(&self.0);
        bytes.fold(Light::EMPTY, |all, (byte, images)| {
            all.with(images[usize::from(byte)].cut(), |all, image| all | image)
        })
    }
}

/// Low parts, as planes by parity and as light cells by number of Rebels.
#[derive(Debug, Clone)]
pub(super) struct LowSets {
    pub(super) planes: [Plane; 2],
    pub(super) light: Vec<Wide>,
}
