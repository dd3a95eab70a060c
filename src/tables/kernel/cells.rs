//! Cells: what the slots of a state hold.
//!
//! Most slots are a [`Plane`], in which several rows lie upon each other. A *light* row has at most 128 sets, so a plane would be nearly empty: it
//! is a word by itself, with a bit for each set by rank. On 31 points and more, nine rows of ten are light.
//!
//! Whatever the passes do with a cell they do with both kinds. Moves that change the number of low Rebels lead from one kind to the other, through
//! planes.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign};

use privy_base::cpu::FastBits;

use super::index::{Row, RowPlace, StateIndex};
use super::moves::RebelMoves;
use super::ones;
use super::places::{PlaceMirror, Places};
use super::plane::{BITS, LowMoves, Plane, low_of_index};

/// The most sets of a light row.
pub(super) const MOST_LIGHT: usize = u128::BITS as usize;

/// The sets of a light row, a bit each by rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Light(u128);

/// How low parts with some number of Rebels are packed.
#[derive(Debug)]
pub(super) struct Packing {
    /// By rank, the index of the low part.
    indices: Vec<u16>,
    words: Vec<PackedWord>,
    fast: Option<FastBits>,
}

/// The low parts in a word of a plane.
#[derive(Debug)]
struct PackedWord {
    number: usize,
    sets: u64,
    /// The rank of the first.
    first: u32,
}

impl Packing {
    /// The packing of a plane's low parts; `None` where they are too many.
    pub(super) fn new(sets: &Plane) -> Option<Packing> {
        let mut indices = Vec::new();
        sets.for_each(|index| indices.push(index as u16));
        if indices.len() > MOST_LIGHT {
            return None;
        }
        let mut first = 0;
        let mut words = Vec::new();
        for (number, sets) in sets.words().iter().copied().enumerate().filter(|(_, sets)| *sets != 0) {
            words.push(PackedWord { number, sets, first });
            first += sets.count_ones();
        }
        Some(Packing { indices, words, fast: FastBits::detect() })
    }

    #[inline(always)]
    fn packed(&self, plane: &Plane) -> Light {
        let mut packed = 0;
        for word in &self.words {
            let sets = plane.words()[word.number] & word.sets;
            if sets == 0 {
                continue;
            }
            let mut bits = 0;
            match self.fast {
                Some(fast) => bits = fast.extract(sets, word.sets),
                None => {
                    for set in ones(sets) {
                        bits |= 1 << (word.sets & ((1 << set) - 1)).count_ones();
                    }
                }
            }
            packed |= u128::from(bits) << word.first;
        }
        Light(packed)
    }

    #[inline(always)]
    fn unpacked(&self, light: Light) -> Plane {
        let mut plane = Plane::EMPTY;
        match self.fast {
            Some(fast) => {
                for word in &self.words {
                    plane.words_mut()[word.number] = fast.deposit((light.0 >> word.first) as u64, word.sets);
                }
            }
            None => {
                for (half, first) in [light.0 as u64, (light.0 >> 64) as u64].into_iter().zip([0, 64]) {
                    for rank in ones(half) {
                        plane.set(usize::from(self.indices[first + rank as usize]));
                    }
                }
            }
        }
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

    /// What moves on low places lead to it, by number of low Rebels.
    pub(super) fn before(moves: &[LowMoves; 2], places: &Places) -> Vec<Option<LightMap>> {
        let of_weight = |(low, packing): (usize, &Option<Packing>)| {
            let packing = packing.as_ref()?;
            let image = |rank: usize| {
                let after = packing.unpacked(Light(1 << rank));
                packing.packed(&moves[low & 1].before(after))
            };
            Some(LightMap::new(packing.indices.len(), image))
        };
        places.packings.iter().enumerate().map(of_weight).collect()
    }

    /// An image of low parts, by number of low Rebels.
    pub(super) fn images(packings: &[Option<Packing>], image: impl Fn(usize, usize) -> usize) -> Vec<Option<LightMap>> {
        let of_weight = |(low, packing): (usize, &Option<Packing>)| {
            let packing = packing.as_ref()?;
            let of_rank = |rank: usize| {
                let image = image(low & 1, usize::from(packing.indices[rank]));
                Light(1 << packing.indices.binary_search(&(image as u16)).expect("an image has as many Rebels"))
            };
            Some(LightMap::new(packing.indices.len(), of_rank))
        };
        packings.iter().enumerate().map(of_weight).collect()
    }
}

/// Low parts, as planes by parity and as light rows by number of Rebels.
#[derive(Debug, Clone)]
pub(super) struct LowSets {
    planes: [Plane; 2],
    light: Vec<Light>,
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

/// Cells of both kinds.
#[derive(Debug, Default)]
pub(super) struct Cells {
    planes: Vec<Plane>,
    light: Vec<Light>,
}

impl Cells {
    /// Empty cells for the slots of a state.
    pub(super) fn empty(index: &StateIndex<'_>) -> Cells {
        Cells { planes: vec![Plane::EMPTY; index.planes()], light: vec![Light::EMPTY; index.light()] }
    }

    /// All sets of a state.
    pub(super) fn all(index: &StateIndex<'_>) -> Cells {
        Cells { planes: all_of(index), light: all_of(index) }
    }

    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&self.planes[..]) + size_of_val(&self.light[..])) as u64
    }

    /// The plane of a row, whatever its kind.
    #[inline(always)]
    pub(super) fn row(&self, index: &StateIndex<'_>, place: RowPlace) -> Plane {
        match place.slot.checked_sub(index.planes()) {
            None => self.planes[place.slot] & *index.weight(place.low),
            Some(row) => match index.packing(place.low) {
                Some(packing) => packing.unpacked(self.light[row]),
                None => Plane::EMPTY,
            },
        }
    }

    /// The cell of a slot.
    #[inline(always)]
    pub(super) fn at<C: Cell>(&self, index: &StateIndex<'_>, slot: usize) -> C {
        C::of(self)[slot - C::first(index)]
    }
}

fn all_of<C: Cell>(index: &StateIndex<'_>) -> Vec<C> {
    let slots = C::first(index)..C::first(index) + C::count_in(index);
    slots.map(|slot| index.sets(slot, index.rows(slot))).collect()
}

/// A kind of cell.
pub(super) trait Cell:
    Copy + Debug + Send + Sync + BitOr<Output = Self> + BitAnd<Output = Self> + BitOrAssign + 'static
{
    const EMPTY: Self;
    /// True for planes, false for light rows.
    const IS_PLANE: bool;
    /// The slots of a piece of a state: what one task of a pass computes.
    const PIECE: usize;
    /// The bits of a cell.
    const BITS: usize;

    /// The cells of this kind.
    fn of(cells: &Cells) -> &[Self];
    fn of_mut(cells: &mut Cells) -> &mut [Self];
    /// The first slot of a state with such a cell, and how many have one.
    fn first(index: &StateIndex<'_>) -> usize;
    fn count_in(index: &StateIndex<'_>) -> usize;

    fn minus(self, other: Self) -> Self;
    fn is_empty(&self) -> bool;
    fn count(&self) -> u32;
    /// Calls `each` with the bits in ascending order.
    fn for_each(&self, each: impl FnMut(usize));
    /// The cell with a bit more.
    fn set(&mut self, bit: usize);

    /// Some low parts of a row.
    fn low(sets: &LowSets, low: u32) -> Self;
    /// The part of a row.
    fn of_row(self, index: &StateIndex<'_>, row: Row) -> Self;
    /// The cell of a plane, of which only rows with a number of low Rebels count.
    fn from_plane(plane: &Plane, index: &StateIndex<'_>, low: u32) -> Self;
    /// The bit of an index of a row.
    fn bit(index: &StateIndex<'_>, low: u32, of_low: usize) -> usize;
    /// What moves on low places lead to the cells of the state after them.
    fn before_low(moves: &RebelMoves, of_state: (&StateIndex<'_>, usize), after: (&StateIndex<'_>, &Cells)) -> Self;
    /// The mirror image of some rows with a number of low Rebels, or of its parity.
    fn image(self, places: &Places, low: u32) -> Self;
}

impl Cell for Plane {
    const EMPTY: Plane = Plane::EMPTY;
    const IS_PLANE: bool = true;
    const PIECE: usize = 256;
    const BITS: usize = BITS;

    #[inline(always)]
    fn of(cells: &Cells) -> &[Plane] {
        &cells.planes
    }

    fn of_mut(cells: &mut Cells) -> &mut [Plane] {
        &mut cells.planes
    }

    #[inline(always)]
    fn first(_: &StateIndex<'_>) -> usize {
        0
    }

    fn count_in(index: &StateIndex<'_>) -> usize {
        index.planes()
    }

    #[inline(always)]
    fn minus(self, other: Plane) -> Plane {
        Plane::minus(self, other)
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        Plane::is_empty(self)
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        Plane::count(self)
    }

    #[inline(always)]
    fn for_each(&self, each: impl FnMut(usize)) {
        Plane::for_each(self, each);
    }

    #[inline(always)]
    fn set(&mut self, bit: usize) {
        Plane::set(self, bit);
    }

    #[inline(always)]
    fn low(sets: &LowSets, low: u32) -> Plane {
        sets.planes[low as usize & 1]
    }

    #[inline(always)]
    fn of_row(self, index: &StateIndex<'_>, row: Row) -> Plane {
        self & *index.weight(row.low)
    }

    #[inline(always)]
    fn from_plane(plane: &Plane, _: &StateIndex<'_>, _: u32) -> Plane {
        *plane
    }

    #[inline(always)]
    fn bit(_: &StateIndex<'_>, _: u32, of_low: usize) -> usize {
        of_low
    }

    #[inline(always)]
    fn before_low(
        moves: &RebelMoves,
        (index, slot): (&StateIndex<'_>, usize),
        (target, cells): (&StateIndex<'_>, &Cells),
    ) -> Plane {
        match index.aligned(slot, target) {
            Some(aligned) => moves.low[index.parity(slot)].before(cells.planes[aligned]),
            None => Plane::EMPTY,
        }
    }

    #[inline(always)]
    fn image(self, places: &Places, low: u32) -> Plane {
        match places.mirror() {
            Some(mirror) => mirror.low.image(self, low as usize & 1),
            None => self,
        }
    }
}

impl Cell for Light {
    const EMPTY: Light = Light(0);
    const IS_PLANE: bool = false;
    const PIECE: usize = 4096;
    const BITS: usize = MOST_LIGHT;

    #[inline(always)]
    fn of(cells: &Cells) -> &[Light] {
        &cells.light
    }

    fn of_mut(cells: &mut Cells) -> &mut [Light] {
        &mut cells.light
    }

    #[inline(always)]
    fn first(index: &StateIndex<'_>) -> usize {
        index.planes()
    }

    fn count_in(index: &StateIndex<'_>) -> usize {
        index.light()
    }

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

    #[inline(always)]
    fn low(sets: &LowSets, low: u32) -> Light {
        sets.light[low as usize]
    }

    #[inline(always)]
    fn of_row(self, _: &StateIndex<'_>, _: Row) -> Light {
        self
    }

    #[inline(always)]
    fn from_plane(plane: &Plane, index: &StateIndex<'_>, low: u32) -> Light {
        match index.packing(low) {
            Some(packing) => packing.packed(plane),
            None => Light::EMPTY,
        }
    }

    #[inline(always)]
    fn bit(index: &StateIndex<'_>, low: u32, of_low: usize) -> usize {
        index.low_rank(low, of_low)
    }

    #[inline(always)]
    fn before_low(
        moves: &RebelMoves,
        (index, slot): (&StateIndex<'_>, usize),
        (target, cells): (&StateIndex<'_>, &Cells),
    ) -> Light {
        let row = index.row(slot, 0);
        if let Some(Some(map)) = moves.light.get(row.low as usize) {
            return map.of(cells.at(target, slot));
        }
        let Some(place) = target.place(row.high) else { return Light::EMPTY };
        let before = moves.low[row.low as usize & 1].before(cells.row(target, place));
        Light::from_plane(&before, index, row.low)
    }

    #[inline(always)]
    fn image(self, places: &Places, low: u32) -> Light {
        match places.mirror() {
            Some(PlaceMirror { light, .. }) => match &light[low as usize] {
                Some(map) => map.of(self),
                None => self,
            },
            None => self,
        }
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
