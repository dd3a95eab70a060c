//! Cells: what the slots of a state hold.
//!
//! Most slots are a [`Plane`], in which several rows lie upon each other. A *light* row has at most 128 sets, so a
//! plane would be nearly empty: it is a word by itself, with a bit for each set by rank. On 31 points and more, nine
//! rows of ten are light.
//!
//! Whatever the passes do with a cell they do with both kinds. Moves that change the number of low Rebels lead from one
//! kind to the other, through planes.

use super::index::{Row, StateIndex};
use super::light::{Light, LightMap, LowSets, MOST_LIGHT};
use super::ones;
use super::places::{PlaceMirror, Places};
use super::plane::{BITS, BitSet, LowMoves, Plane};

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

    /// Some cells of a kind by piece, and empty pieces after the last.
    pub(super) fn pieces<C: Cell, const N: usize>(all: [&mut Cells; N]) -> impl Iterator<Item = [&mut [C]; N]> {
        let mut pieces = all.map(|cells| C::of_mut(cells).chunks_mut(C::PIECE));
        std::iter::repeat_with(move || pieces.each_mut().map(|pieces| pieces.next().unwrap_or_default()))
    }

    /// The plane of the row of a high part, whatever its kind; empty where the layer has no such row.
    #[inline(always)]
    pub(super) fn row(&self, index: &StateIndex<'_>, high: u64) -> Plane {
        let count = high.count_ones();
        if !index.has(high, count) {
            return Plane::EMPTY;
        }
        let (slot, low) = (index.slot(high, count), index.placed - count);
        match slot.checked_sub(index.planes()) {
            None => self.planes[slot] & index.places().weights[low as usize],
            Some(light) => index.places().unpacked(self.light[light], low),
        }
    }

    /// The cell of a slot.
    #[inline(always)]
    pub(super) fn at<C: Cell>(&self, index: &StateIndex<'_>, slot: usize) -> C {
        C::of(self)[slot - C::first(index)]
    }
}

/// The pieces of a kind of cells of a state: their first slots, and how many each has.
pub(super) fn pieces<C: Cell>(index: &StateIndex<'_>) -> impl Iterator<Item = (usize, usize)> {
    let (first, slots) = (C::first(index), C::count_in(index));
    (0..slots).step_by(C::PIECE).map(move |from| (first + from, C::PIECE.min(slots - from)))
}

/// The number of pieces of both kinds.
pub(super) fn count_of_pieces(index: &StateIndex<'_>) -> usize {
    pieces::<Plane>(index).count() + pieces::<Light>(index).count()
}

/// The part of one kind of cells in what all pieces of a state have.
pub(super) fn of_kind<'a, C: Cell, T>(index: &StateIndex<'_>, all: &'a mut [T]) -> &'a mut [T] {
    let (planes, light) = all.split_at_mut(pieces::<Plane>(index).count().min(all.len()));
    if C::IS_PLANE { planes } else { light }
}

fn all_of<C: Cell>(index: &StateIndex<'_>) -> Vec<C> {
    let slots = C::first(index)..C::first(index) + C::count_in(index);
    slots.map(|slot| C::rows(index, slot, index.rows(slot))).collect()
}

/// A kind of cell.
pub(super) trait Cell: BitSet {
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

    /// Some low parts of a row.
    fn low(sets: &LowSets, low: u32) -> Self;
    /// The sets of rows of a slot.
    #[inline(always)]
    fn rows(index: &StateIndex<'_>, slot: usize, rows: u8) -> Self {
        let mut sets = Self::EMPTY;
        for bit in ones(rows) {
            let row = index.row(slot, bit);
            sets |= Self::low(index.low_sets, row.low).of_row(index, row);
        }
        sets
    }
    /// The part of a row.
    fn of_row(self, index: &StateIndex<'_>, row: Row) -> Self;
    /// The cell of a plane, of which only rows with a number of low Rebels count.
    fn from_plane(plane: &Plane, index: &StateIndex<'_>, low: u32) -> Self;
    /// The bit of an index of a row.
    fn bit(index: &StateIndex<'_>, low: u32, of_low: usize) -> usize;
    /// What moves on low places lead to the cells of the state after them.
    fn before_low(
        moves: (&[LowMoves; 2], &[Option<LightMap>]),
        of_state: (&StateIndex<'_>, usize),
        after: (&StateIndex<'_>, &Cells),
    ) -> Self;
    /// The mirror image of some rows with a number of low Rebels, or of its parity.
    fn image(self, places: &Places, low: u32) -> Self;
}

impl Cell for Plane {
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
    fn low(sets: &LowSets, low: u32) -> Plane {
        sets.planes[low as usize & 1]
    }

    #[inline(always)]
    fn of_row(self, index: &StateIndex<'_>, row: Row) -> Plane {
        self & index.places().weights[row.low as usize]
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
        (low, _): (&[LowMoves; 2], &[Option<LightMap>]),
        (index, slot): (&StateIndex<'_>, usize),
        (target, cells): (&StateIndex<'_>, &Cells),
    ) -> Plane {
        match index.aligned(slot, target) {
            Some(aligned) => low[index.parity(slot)].before(&cells.planes[aligned]),
            None => Plane::EMPTY,
        }
    }

    #[inline(always)]
    fn image(self, places: &Places, low: u32) -> Plane {
        match places.mirror() {
            Some(mirror) => mirror.low(self, low as usize & 1),
            None => self,
        }
    }
}

impl Cell for Light {
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
    fn low(sets: &LowSets, low: u32) -> Light {
        sets.light[low as usize]
    }

    #[inline(always)]
    fn of_row(self, _: &StateIndex<'_>, _: Row) -> Light {
        self
    }

    #[inline(always)]
    fn from_plane(plane: &Plane, index: &StateIndex<'_>, low: u32) -> Light {
        index.places().packed(plane, low)
    }

    #[inline(always)]
    fn bit(index: &StateIndex<'_>, low: u32, of_low: usize) -> usize {
        index.low_rank(low, of_low)
    }

    #[inline(always)]
    fn before_low(
        (low, light): (&[LowMoves; 2], &[Option<LightMap>]),
        (index, slot): (&StateIndex<'_>, usize),
        (target, cells): (&StateIndex<'_>, &Cells),
    ) -> Light {
        let row = index.row(slot, 0);
        if let Some(Some(map)) = light.get(row.low as usize) {
            return map.of(cells.at(target, slot));
        }
        let before = low[row.low as usize & 1].before(&cells.row(target, row.high));
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
