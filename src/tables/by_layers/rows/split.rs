//! The points of a board in two parts, and the rows that follow from them.
//!
//! A set of Rebels is a *high* part and a *low* part: its Rebels on the last places of the ground, and those on the first, at most
//! [`MOST_LOW`]. A *row* has a bit for each low part that goes with one high part in a layer:
//!
//! ```text
//!   high part   low parts, in the order of their numbers
//!   ..110       0011 0101 0110 1001 1010 1100      a row: 6 sets of 4 Rebels
//!   ..111       0001 0010 0100 1000                a row: 4 sets of 4 Rebels
//! ```
//!
//! A move on high places changes the row and keeps the bit, so whole rows are read at once; a move on low places changes the bit.
//! Rows of high parts with as many Rebels are as long: they are a *class*, and stand together in a plane.

use privy_rules::Variant;
use privy_rules::board::Point;

use crate::numbering::{with_bit, without_bit};
use crate::states::{GeneralState, binomial};

/// Bound on low places: a row then has at most 101 words, a bit for each of which fits into 128.
const MOST_LOW: u32 = 15;
/// Bound on high places: a table has a number for each set of them.
const MOST_HIGH: u32 = 22;

/// The low and the high places of the ground of a variant. A mirror image keeps the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Places {
    pub(super) low: u32,
    pub(super) high: u32,
}

impl Places {
    /// Returns `None` where no division serves.
    pub fn of(variant: &Variant, most_low: u32) -> Option<Places> {
        let images = images(variant);
        let all = images.len() as u32;
        let is_closed = |low: &u32| images[..*low as usize].iter().all(|image| image < low);
        let low = (1..=all.min(most_low)).rev().find(is_closed)?;
        (all - low <= MOST_HIGH).then_some(Places { low, high: all - low })
    }

    /// The places that serve the analysis.
    pub fn usual(variant: &Variant) -> Option<Places> {
        Places::of(variant, MOST_LOW)
    }

    /// The sets of a high or low part: the bits of the other part, if any, are dropped.
    pub(super) fn parts(self, set: u64) -> [u32; 2] {
        [(set >> self.low) as u32, (set & ((1 << self.low) - 1)) as u32]
    }

    /// The place of a point, if Rebels may stand on it.
    fn place(variant: &Variant, point: Point) -> Option<u32> {
        let ground = variant.rules().ground();
        ground.contains(point).then(|| (ground.0 & ((1 << point.index()) - 1)).count_ones())
    }

    pub(super) fn shape(self, variant: &Variant, state: GeneralState) -> Shape {
        let mut shape = Shape { low: Gap::NONE, high: Gap::NONE, places: self };
        match Places::place(variant, state.general) {
            Some(place) if place < self.low => (shape.low, shape.places.low) = (Gap::at(place), self.low - 1),
            Some(place) => (shape.high, shape.places.high) = (Gap::at(place - self.low), self.high - 1),
            None => {}
        }
        shape
    }
}

/// By place of the ground, that of its mirror image.
fn images(variant: &Variant) -> Vec<u32> {
    let mirror = variant.board().mirror().filter(|_| variant.is_mirrored());
    let image = |point| Places::place(variant, mirror.map_or(point, |mirror| mirror.point(point)));
    let images = variant.rules().ground().into_iter().map(|point| image(point).expect("the ground is mirrored"));
    images.collect()
}

/// The place that the General takes from Rebels in a part, as the bits below it; all bits where it stands elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Gap(u32);

impl Gap {
    const NONE: Gap = Gap(u32::MAX);

    fn at(place: u32) -> Gap {
        Gap((1 << place) - 1)
    }

    /// The set without the place.
    #[inline(always)]
    fn close(self, set: u32) -> u32 {
        if self == Gap::NONE { set } else { without_bit(set.into(), self.0.into()) as u32 }
    }

    #[inline(always)]
    fn open(self, set: u32) -> u32 {
        if self == Gap::NONE { set } else { with_bit(set.into(), self.0.into()) as u32 }
    }

    /// True if the set has a Rebel on the General's place.
    #[inline(always)]
    fn meets(self, set: u32) -> bool {
        set & self.0.wrapping_add(1) != 0
    }
}

/// The places of the Rebels in a state of the General.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    low: Gap,
    high: Gap,
    /// How many are left.
    pub(super) places: Places,
}

impl Shape {
    /// True if rows of both have the same low parts.
    pub(super) fn has_rows_of(&self, other: &Shape) -> bool {
        self.low == other.low
    }

    /// One of the shapes with the same low parts, always the same one.
    pub(super) fn of_low_parts(self) -> Shape {
        Shape { high: Gap::NONE, places: Places { high: 0, ..self.places }, ..self }
    }
}

/// Numbers of the parts: a part has the number of those with as many Rebels and a lower binary value.
#[derive(Debug)]
pub(super) struct Split {
    pub(super) places: Places,
    /// By set.
    numbers: [Vec<u32>; 2],
    mirrored: [Vec<u32>; 2],
    /// By number of Rebels, the sets by number.
    sets: [Vec<Vec<u32>>; 2],
}

const HIGH: usize = 0;
const LOW: usize = 1;

impl Split {
    pub(super) fn new(variant: &Variant, places: Places) -> Split {
        let images = images(variant);
        let part = |first: u32, count: u32| {
            let mut sets = vec![Vec::new(); count as usize + 1];
            let (mut numbers, mut mirrored) = (Vec::new(), Vec::new());
            for set in 0..1u32 << count {
                let of_ones = &mut sets[set.count_ones() as usize];
                numbers.push(of_ones.len() as u32);
                of_ones.push(set);
                let places = (0..count).filter(|place| set >> place & 1 != 0);
                mirrored.push(places.fold(0, |image, place| image | 1 << (images[(first + place) as usize] - first)));
            }
            (numbers, mirrored, sets)
        };
        let (high, low) = (part(places.low, places.high), part(0, places.low));
        Split { places, numbers: [high.0, low.0], mirrored: [high.1, low.1], sets: [high.2, low.2] }
    }

    /// The mirror images of both parts.
    #[inline(always)]
    pub(super) fn mirrored_high(&self, set: u32) -> u32 {
        self.mirrored[HIGH][set as usize]
    }

    pub(super) fn mirrored_low(&self, set: u32) -> u32 {
        self.mirrored[LOW][set as usize]
    }

    /// The high part of a row, by its number in its class.
    #[inline(always)]
    pub(super) fn high(&self, shape: &Shape, class: &Class, number: usize) -> u32 {
        shape.high.open(self.sets[HIGH][class.ones as usize][number])
    }

    /// The low parts of a row with this number of Rebels, in their order.
    pub(super) fn lows(&self, shape: &Shape, ones: u32) -> impl Iterator<Item = u32> {
        let count = binomial(shape.places.low, ones) as usize;
        self.sets[LOW][ones as usize][..count].iter().map(|set| shape.low.open(*set))
    }

    /// The number of a low part; `None` where a Rebel stands on the General's point.
    pub(super) fn low_number(&self, shape: &Shape, set: u32) -> Option<u16> {
        (!shape.low.meets(set)).then(|| self.numbers[LOW][shape.low.close(set) as usize] as u16)
    }

    /// The class and the number of the row of a high part; `None` where a Rebel stands on the General's point, or the layer has no
    /// such row.
    #[inline(always)]
    pub(super) fn row<'a>(&self, shape: &Shape, layout: &'a Layout, high: u32) -> Option<(&'a Class, usize)> {
        let class = layout.classes.get(high.count_ones() as usize)?;
        if class.rows == 0 || shape.high.meets(high) {
            return None;
        }
        Some((class, self.numbers[HIGH][shape.high.close(high) as usize] as usize))
    }

    /// The places of the first set of a row, without the General's.
    pub(super) fn first_places(&self, shape: &Shape, high: u32, rebels: u32) -> u64 {
        let low = rebels - high.count_ones();
        u64::from(shape.high.close(high)) << shape.places.low | ((1 << low) - 1)
    }

    /// The high parts that a state may have, ascending: the rows in the order of the ranks of their sets.
    pub(super) fn highs(&self, shape: &Shape) -> impl Iterator<Item = u32> {
        (0..1u32 << self.places.high).filter(|high| !shape.high.meets(*high))
    }
}

/// The rows of high parts with this number of Rebels.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Class {
    pub(super) ones: u32,
    first_word: usize,
    first_row: usize,
    /// Rows; none where a layer has too few or too many Rebels.
    pub(super) rows: usize,
    /// Bits in use, and words, of a row.
    pub(super) sets: usize,
    pub(super) words: usize,
}

impl Class {
    /// The row among all of a plane, and its words.
    #[inline(always)]
    pub(super) fn place(&self, number: usize) -> (usize, std::ops::Range<usize>) {
        let first = self.first_word + number * self.words;
        (self.first_row + number, first..first + self.words)
    }
}

/// The plane of a state in a layer: its classes.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// By number of Rebels on high places.
    pub(super) classes: Vec<Class>,
    pub(super) words: usize,
    pub(super) rows: usize,
}

impl Layout {
    pub(super) fn new(places: Places, rebels: u32) -> Layout {
        let (mut classes, mut words, mut rows) = (Vec::new(), 0, 0);
        for ones in 0..=places.high {
            let sets = rebels.checked_sub(ones).map_or(0, |low| binomial(places.low, low) as usize);
            let mut class = Class { ones, first_word: words, first_row: rows, rows: 0, sets, words: sets.div_ceil(64) };
            if sets > 0 {
                class.rows = binomial(places.high, ones) as usize;
            }
            words += class.rows * class.words;
            rows += class.rows;
            classes.push(class);
        }
        Layout { classes, words, rows }
    }

    /// The class of a row, and its number in it.
    pub(super) fn row(&self, row: usize) -> Option<(&Class, usize)> {
        let class = self.classes.iter().find(|class| (class.first_row..class.first_row + class.rows).contains(&row))?;
        Some((class, row - class.first_row))
    }
}
