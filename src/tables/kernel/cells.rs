//! Cells: what the slots of a state hold, planes or light rows.
//!
//! On 31 points and more, nine rows of ten are light. Whatever the passes do with a cell they do with all kinds. Moves
//! that change the number of low Rebels lead from one kind to another, through planes.

use std::ops::{BitAnd, BitOr, BitOrAssign, Range};

use super::index::{Row, StateIndex};
use super::light::{LightMap, LowSets, Narrow, Wide};
use super::ones;
use super::places::{COLUMNS, NARROW, Places, WIDE};
use super::plane::{BITS, BitSet, LowMoves, Parity, Plane};

/// Cells of all kinds.
#[derive(Debug, Default)]
pub(super) struct Cells {
    planes: Vec<Plane>,
    wide: Vec<Wide>,
    narrow: Vec<Narrow>,
}

/// Does something for each kind of cell.
macro_rules! for_kinds {
    ($kind:ident => $done:expr) => {{
        {
            type $kind = $crate::kernel::plane::Plane;
            $done;
        }
        {
            type $kind = $crate::kernel::light::Wide;
            $done;
        }
        {
            type $kind = $crate::kernel::light::Narrow;
            $done;
        }
    }};
}
pub(super) use for_kinds;

impl Cells {
    /// Empty cells for the slots of a state.
    pub(super) fn empty(index: &StateIndex<'_>) -> Cells {
        let mut cells = Cells::default();
        for_kinds!(C => *C::vec(&mut cells) = vec![C::EMPTY; C::slots(index).len()]);
        cells
    }

    /// All sets of a state.
    pub(super) fn all(index: &StateIndex<'_>) -> Cells {
        let mut cells = Cells::default();
        for_kinds!(C => {
            let all = C::slots(index).map(|slot| C::rows(index, slot, index.rows(slot)));
            *C::vec(&mut cells) = all.collect();
        });
        cells
    }

    /// Some cells of a kind by piece, and empty pieces after the last.
    pub(super) fn pieces<C: Cell, const N: usize>(all: [&mut Cells; N]) -> impl Iterator<Item = [&mut [C]; N]> {
        let mut pieces = all.map(|cells| C::vec(cells).chunks_mut(C::PIECE));
        std::iter::repeat_with(move || pieces.each_mut().map(|pieces| pieces.next().unwrap_or_default()))
    }

    /// Adds the row of a high part, whatever its kind, to a plane. Without such a row in the layer it adds nothing.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn add_row(&self, index: &StateIndex<'_>, high: u64, all: &mut Plane) {
        let count = high.count_ones();
        if !index.has(high, count) {
            return;
        }
        let ((slot, is_image), low) = (index.place(high, count), index.placed - count);
        let (places, column) = (index.places(), index.places().column(low));
        let row = match column {
            0 | 1 => self.at::<Plane>(index, slot) & Plane::weight(places, low),
            WIDE..NARROW => {
                places.unpacked(self.at::<Wide>(index, slot) & Wide::weight(places, low), column)[low as usize & 1]
            }
            _ => {
                places.unpacked(self.at::<Narrow>(index, slot) & Narrow::weight(places, low), column)[low as usize & 1]
            }
        };
        *all |= if is_image { row.image(places, low) } else { row };
    }

    /// Adds the cell of a slot to another one. A browser has no registers for planes: compiled into the passes, which
    /// handle several, this would copy them from place to place.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn add<C: Cell>(&self, index: &StateIndex<'_>, slot: usize, all: &mut C) {
        *all |= self.at(index, slot);
    }

    /// The cell of a slot.
    #[inline(always)]
    pub(super) fn at<C: Cell>(&self, index: &StateIndex<'_>, slot: usize) -> C {
        C::of(self)[slot - C::first(index)]
    }
}

/// The pieces of a kind of cells of a state: the slots of each.
pub(super) fn pieces<C: Cell>(index: &StateIndex<'_>) -> impl Iterator<Item = Range<usize>> {
    let slots = C::slots(index);
    slots.clone().step_by(C::PIECE).map(move |first| first..slots.end.min(first + C::PIECE))
}

/// The number of kinds.
pub(super) const KINDS: usize = COLUMNS / 2;

/// A kind of cell.
pub(super) trait Cell: BitSet + BitOr<Output = Self> + BitAnd<Output = Self> + BitOrAssign {
    /// The number of the kind. Two columns have such cells.
    const KIND: usize;
    /// The slots of a piece of a state: what one task of a pass computes.
    const PIECE: usize;
    /// The bits of a cell.
    const BITS: usize;

    /// The cells of this kind.
    fn of(cells: &Cells) -> &[Self];
    fn vec(cells: &mut Cells) -> &mut Vec<Self>;

    /// The slots of a state with such a cell.
    #[inline(always)]
    fn slots(index: &StateIndex<'_>) -> Range<usize> {
        Self::first(index)..index.first[2 * Self::KIND + 2] as usize
    }

    /// The first of them.
    #[inline(always)]
    fn first(index: &StateIndex<'_>) -> usize {
        index.first[2 * Self::KIND] as usize
    }

    /// The low parts with a number of Rebels.
    fn weight(places: &Places, low: u32) -> Self;
    /// Some low parts of rows with a number of low Rebels.
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
    #[inline(always)]
    fn of_row(self, index: &StateIndex<'_>, row: Row) -> Self {
        self & Self::weight(index.places(), row.low)
    }

    /// The number of positions, images that are not kept included.
    #[inline(always)]
    fn positions(self, index: &StateIndex<'_>, slot: usize) -> u64 {
        let rows = ones(index.rows(slot)).map(|bit| index.row(slot, bit));
        let others = rows.filter(|row| index.other(row.high).is_some()).map(|row| self.of_row(index, row).count());
        let others = if index.is_half() { others.sum() } else { 0 };
        u64::from(self.count() + others)
    }

    /// The bit of an index of a row.
    fn bit(places: &Places, low: u32, of_low: usize) -> usize;
    /// What is made of the planes of a cell of a column, for each parity.
    fn by_planes(self, places: &Places, column: usize, made: impl FnMut(Parity, Plane) -> Plane) -> Self;
    /// The positions from which a step on low places leads to some of a column: by parity, and by light column.
    fn before_low(self, steps: &[LowMoves; 2], light: &[LightMap], column: usize) -> Self;
    /// The mirror image of some rows of the column with a number of low Rebels.
    fn image(self, places: &Places, low: u32) -> Self;
}

impl Cell for Plane {
    const KIND: usize = 0;
    const PIECE: usize = 256;
    const BITS: usize = BITS;

    #[inline(always)]
    fn of(cells: &Cells) -> &[Plane] {
        &cells.planes
    }

    fn vec(cells: &mut Cells) -> &mut Vec<Plane> {
        &mut cells.planes
    }

    #[inline(always)]
    fn weight(places: &Places, low: u32) -> Plane {
        places.weights[low as usize]
    }

    #[inline(always)]
    fn low(sets: &LowSets, low: u32) -> Plane {
        sets.planes[low as usize & 1]
    }

    #[inline(always)]
    fn bit(_: &Places, _: u32, of_low: usize) -> usize {
        of_low
    }

    #[inline(always)]
    fn by_planes(self, _: &Places, column: usize, mut made: impl FnMut(Parity, Plane) -> Plane) -> Plane {
        made(column, self)
    }

    #[inline(always)]
    fn before_low(self, steps: &[LowMoves; 2], _: &[LightMap], column: usize) -> Plane {
        steps[column].before(&self)
    }

    #[inline(always)]
    fn image(self, places: &Places, low: u32) -> Plane {
        match places.mirror() {
            Some(mirror) => mirror.low(self, low as usize & 1),
            None => self,
        }
    }
}

/// A kind of cell of light rows: its number, bits, slots of a piece, and where it is kept.
macro_rules! light_cell {
    ($light:ty, $kind:literal, $bits:literal, $piece:literal, $cells:ident) => {
        impl Cell for $light {
            const KIND: usize = $kind;
            const PIECE: usize = $piece;
            const BITS: usize = $bits;

            #[inline(always)]
            fn of(cells: &Cells) -> &[Self] {
                &cells.$cells
            }

            fn vec(cells: &mut Cells) -> &mut Vec<Self> {
                &mut cells.$cells
            }

            #[inline(always)]
            fn weight(places: &Places, low: u32) -> Self {
                places.light_weights[low as usize].cut()
            }

            #[inline(always)]
            fn low(sets: &LowSets, low: u32) -> Self {
                sets.light[low as usize].cut()
            }

            #[inline(always)]
            fn bit(places: &Places, low: u32, of_low: usize) -> usize {
                places.light_bits[low as usize & 1][of_low].into()
            }

            #[inline(always)]
            fn by_planes(self, places: &Places, column: usize, mut made: impl FnMut(Parity, Plane) -> Plane) -> Self {
                let [even, odd] = places.unpacked(self, column);
                places.packed(&[made(0, even), made(1, odd)])
            }

            #[inline(always)]
            fn before_low(self, _: &[LowMoves; 2], light: &[LightMap], column: usize) -> Self {
                light[column - WIDE].of(self)
            }

            #[inline(always)]
            fn image(self, places: &Places, low: u32) -> Self {
                match places.mirror() {
                    Some(mirror) => mirror.light[places.column(low) - WIDE].of(self),
                    None => self,
                }
            }
        }
    };
}

light_cell!(Wide, 1, 320, 2048, wide);
light_cell!(Narrow, 2, 64, 8192, narrow);
