//! Light rows: the sets of a row in a word of 128 bits.
//!
//! A row with few sets would leave a plane nearly empty. It is packed by rank instead. What leads from such rows to
//! such rows is a map of bits, looked up by bytes.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use super::ones;
use super::plane::{BITS, BitSet, Plane, low_of_index};

/// The most sets of a light row.
pub(super) const MOST_LIGHT: usize = u128::BITS as usize;

/// The sets of a light row, a bit each by rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Light(pub(super) u128);

/// How low parts with some number of Rebels are packed.
#[derive(Debug)]
pub(super) struct Packing {
    sets: Plane,
    /// By rank, the index of the low part; and by index its rank.
    indices: Vec<u16>,
    ranks: Vec<u8>,
}

impl BitSet for Light {
    const EMPTY: Light = Light(0);

    #[inline(always)]
    fn minus(self, other: Light) -> Light {
        Light(self.0 & !other.0)
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        self.0.count_ones()
    }

    #[inline(always)]
    fn for_each(&self, mut each: impl FnMut(usize)) {
        ones(self.0 as u64).for_each(|bit| each(bit as usize));
        ones((self.0 >> 64) as u64).for_each(|bit| each(bit as usize + 64));
    }

    #[inline(always)]
    fn set(&mut self, bit: usize) {
        self.0 |= 1 << bit;
    }
}

impl Packing {
    /// The packing of a plane's low parts; `None` where they are too many.
    pub(super) fn new(sets: &Plane) -> Option<Packing> {
        let (mut indices, mut ranks) = (Vec::new(), vec![0; BITS]);
        sets.for_each(|index| {
            ranks[index] = indices.len() as u8;
            indices.push(index as u16);
        });
        (indices.len() <= MOST_LIGHT).then_some(Packing { sets: *sets, indices, ranks })
    }

    #[inline(always)]
    pub(super) fn packed(&self, plane: &Plane) -> Light {
        let mut packed = Light::EMPTY;
        (*plane & self.sets).for_each(|index| packed.set(self.ranks[index].into()));
        packed
    }

    #[inline(always)]
    pub(super) fn unpacked(&self, light: Light) -> Plane {
        let mut plane = Plane::EMPTY;
        light.for_each(|rank| plane.set(self.indices[rank].into()));
        plane
    }
}

/// A map of light rows: what some sets lead to is what each of them leads to, together.
#[derive(Debug)]
pub(super) struct LightMap(Vec<[u128; 256]>);

impl LightMap {
    fn new(sets: usize, image: impl Fn(usize) -> Light) -> LightMap {
        let of_ranks: Vec<u128> = (0..sets).map(|rank| image(rank).0).collect();
        let of_byte = |of_ranks: &[u128]| {
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
        let (mut rest, mut image) = (light.0, 0);
        for images in &self.0 {
            image |= images[rest as usize & 255];
            rest >>= 8;
        }
        Light(image)
    }

    /// By number of low Rebels, the map of light rows that is one of planes by parity.
    pub(super) fn of_planes(
        packings: &[Option<Packing>],
        map: impl Fn(usize, Plane) -> Plane,
    ) -> Vec<Option<LightMap>> {
        let of_weight = |(low, packing): (usize, &Option<Packing>)| {
            let packing = packing.as_ref()?;
            let image = |rank: usize| packing.packed(&map(low & 1, packing.unpacked(Light(1 << rank))));
            Some(LightMap::new(packing.indices.len(), image))
        };
        packings.iter().enumerate().map(of_weight).collect()
    }
}

/// Low parts, as planes by parity and as light rows by number of Rebels.
#[derive(Debug, Clone)]
pub(super) struct LowSets {
    pub(super) planes: [Plane; 2],
    pub(super) light: Vec<Light>,
}

impl LowSets {
    /// The low parts, given as bits of places, for which a condition holds.
    pub(super) fn of(packings: &[Option<Packing>], holds: impl Fn(u64) -> bool) -> LowSets {
        let planes = [0, 1].map(|parity| Plane::of(|index| holds(low_of_index(index, parity))));
        let light = packings.iter().enumerate().map(|(low, packing)| match packing {
            Some(packing) => packing.packed(&planes[low & 1]),
            None => Light::EMPTY,
        });
        LowSets { light: light.collect(), planes }
    }
}

impl BitOr for Light {
    type Output = Light;

    #[inline(always)]
    fn bitor(self, other: Light) -> Light {
        Light(self.0 | other.0)
    }
}

impl BitAnd for Light {
    type Output = Light;

    #[inline(always)]
    fn bitand(self, other: Light) -> Light {
        Light(self.0 & other.0)
    }
}

impl BitOrAssign for Light {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Light) {
        self.0 |= other.0;
    }
}
