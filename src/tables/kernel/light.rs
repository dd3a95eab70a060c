//! Light rows: the sets of a row in a word of 128 bits.
//!
//! A row with few sets would leave a plane nearly empty. It is packed by rank instead. What leads from such rows to
//! such rows is a map of bits, looked up by bytes.

use super::ones;
use super::plane::{BITS, BitSet, Plane, low_of_index};

/// The sets of a light row, a bit each by rank.
pub(super) type Light = u128;

/// The most sets of a light row.
pub(super) const MOST_LIGHT: usize = Light::BITS as usize;

impl BitSet for Light {
    const EMPTY: Light = 0;

    #[inline(always)]
    fn minus(self, other: Light) -> Light {
        self & !other
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        *self == 0
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn for_each(&self, mut each: impl FnMut(usize)) {
        ones(*self as u64).for_each(|bit| each(bit as usize));
        ones((*self >> 64) as u64).for_each(|bit| each(bit as usize + 64));
    }

    #[inline(always)]
    fn set(&mut self, bit: usize) {
        *self |= 1 << bit;
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
    /// The map of this number of sets, by the image of each rank.
    pub(super) fn new(sets: usize, image: impl Fn(usize) -> Light) -> LightMap {
        let of_ranks: Vec<Light> = (0..sets).map(image).collect();
        let of_byte = |of_ranks: &[Light]| {
            let mut images = [0; 256];
            for bits in 1..256usize {
                let first = of_ranks.get(bits.trailing_zeros() as usize).unwrap_or(&0);
                images[bits] = images[bits & (bits - 1)] | first;
            }
            images
        };
        LightMap(of_ranks.chunks(8).map(of_byte).collect())
    }

    #[inline(always)]
    pub(super) fn of(&self, light: Light) -> Light {
        let (mut rest, mut image) = (light, 0);
        for images in &self.0 {
            image |= images[rest as usize & 255];
            rest >>= 8;
        }
        image
    }
}

/// Low parts, as planes by parity and as light rows by number of Rebels.
#[derive(Debug, Clone)]
pub(super) struct LowSets {
    pub(super) planes: [Plane; 2],
    pub(super) light: Vec<Light>,
}
