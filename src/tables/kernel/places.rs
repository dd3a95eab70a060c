//! The places of a game: the points where Rebels may stand, in an order that suits the kernel.
//!
//! The first places are *low*: a plane has a bit for each set of Rebels on them. The others are *high*. Steps between
//! low places are shifts of a plane, steps between high places read another plane, and *mixed* steps do both. So the
//! low places hang together and border on few others. With each place its mirror image is low, too.

use privy_rules::Variant;
use privy_rules::board::{Point, PointSet};

use crate::sets::{by_bytes, of_bytes};
use crate::states::mirror;

use super::light::{Light, LightMap, LowParts, LowSets, Wide};
use super::ones;
use super::plane::{BITS, BitSet, LowMoves, MOST_LOW, Parity, Plane, after_exchanges, index_of_low, low_of_index};

/// Kinds of slots, by what low parts their rows have: an even number of Rebels, or an odd one, in planes; two or three,
/// or all but two or three, in wide cells; fewer, or all but one, or all, in narrow cells.
pub(super) const COLUMNS: usize = 6;
/// The first with wide cells, and with narrow ones.
pub(super) const WIDE: usize = 2;
pub(super) const NARROW: usize = 4;

/// The points where Rebels may stand, in the order of the index.
#[derive(Debug)]
pub struct Places {
    pub points: Vec<Point>,
    /// By index of a point, its place.
    place_of: Vec<Option<u32>>,
    /// The number of low places.
    pub(super) low: u32,
    pub(super) low_parts: LowParts,
    /// By number of Rebels, the low parts, in a plane and in a light cell.
    pub(super) weights: Vec<Plane>,
    pub(super) light_weights: Vec<Wide>,
    has_light: bool,
    /// By parity and index of a low part, its bit in a light cell.
    pub(super) light_bits: [Vec<u16>; 2],
    /// By light column and bit, the low part.
    light_parts: [Vec<u16>; 4],
    mirror: Option<PlaceMirror>,
}

/// With fewer high places planes are full enough.
const LEAST_HIGH: usize = 16;

/// The mirror image of sets of places.
#[derive(Debug)]
pub(super) struct PlaceMirror {
    /// By parity of the low part, moves that make the image of a plane, one after the other.
    low: [Vec<LowMoves>; 2],
    /// By parity and index of a low part, the index of its image.
    pub(super) low_images: [Vec<u16>; 2],
    /// By light column, the images of cells.
    pub(super) light: Vec<LightMap>,
    /// The images of eight high places at once.
    high: Vec<[u64; 256]>,
}

impl PlaceMirror {
    /// The image of a plane of a parity.
    #[inline(always)]
    pub(super) fn low(&self, plane: Plane, parity: Parity) -> Plane {
        after_exchanges(&self.low[parity], &plane)
    }

    /// The image of a set of high places.
    #[inline(always)]
    pub(super) fn high(&self, high: u64) -> u64 {
        of_bytes(&self.high, high)
    }
}

impl Places {
    /// The places of a variant.
    pub fn of(variant: &Variant) -> Places {
        let is_large = variant.rules().ground.len() as usize >= LEAST_HIGH + MOST_LOW as usize;
        Places::new(variant, MOST_LOW, is_large)
    }

    /// The places of a variant, up to `most_low` of them low, with or without light rows. At least two may be low, a
    /// point and its image, so that there is a low place.
    pub fn new(variant: &Variant, most_low: u32, has_light: bool) -> Places {
        let mirror = mirror(variant);
        let image = |point: Point| mirror.map_or(point, |mirror| mirror.point(point));
        let ground = variant.rules().ground;
        let low = low_points(variant, most_low.clamp(2, MOST_LOW), &image);
        // A place that is its own image comes first, since the implied one should be; then pairs side by side.
        let sorted = |points: PointSet| {
            let alone = points.into_iter().find(|point| image(*point) == *point);
            let class = |point: Point| if Some(point) == alone { 0 } else { 1 + u32::from(image(point) == point) };
            let mut sorted: Vec<Point> = points.into_iter().collect();
            sorted.sort_by_key(|point| (class(*point), (*point).min(image(*point)), *point));
            sorted
        };
        let points = [sorted(low), sorted(ground.minus(low))].concat();
        let mut place_of = vec![None; 64];
        (0..).zip(&points).for_each(|(place, point)| place_of[point.index()] = Some(place));
        let low = low.len();
        let low_parts = LowParts::new(low, None);
        let add = |mut plane: Plane, index: &u16| {
            plane.set(usize::from(*index));
            plane
        };
        let weights = low_parts.indices.iter().map(|indices| indices.iter().fold(Plane::EMPTY, add)).collect();
        let mut places = Places {
            points,
            place_of,
            low,
            weights,
            light_weights: vec![Wide::EMPTY; low as usize + 1],
            has_light,
            light_bits: [0, 1].map(|_| vec![0; BITS]),
            light_parts: Default::default(),
            low_parts,
            mirror: None,
        };
        places.number_light();
        places.mirror = mirror.map(|_| {
            let images: Vec<u32> = places
                .points
                .iter()
                .map(|point| places.place(image(*point)).expect("the mirror keeps the ground"))
                .collect();
            let (low, high) = images.split_at(places.low as usize);
            let high = by_bytes(places.high(), &|place| Some(1 << (high.get(place)? - places.low)));
            let image_of_index = |index: usize, parity: Parity| {
                let images = ones(low_of_index(index, parity)).filter_map(|place| low.get(place as usize));
                index_of_low(images.fold(0, |all, image| all | 1 << image)) as u16
            };
            let low_images: [Vec<u16>; 2] =
                [0, 1].map(|parity| (0..BITS).map(|index| image_of_index(index, parity)).collect());
            let low = [0, 1].map(|parity| LowMoves::mirror(parity, low));
            let light = places.light_maps(|parity, plane| after_exchanges(&low[parity], &plane));
            PlaceMirror { low, low_images, light, high }
        });
        places
    }

    /// The number of high places.
    pub(super) fn high(&self) -> u32 {
        self.points.len() as u32 - self.low
    }

    /// The place of a point; `None` where no Rebel may stand.
    pub(super) fn place(&self, point: Point) -> Option<u32> {
        self.place_of.get(point.index()).copied().flatten()
    }

    /// The places of points, as bits.
    #[inline(always)]
    pub(super) fn bits(&self, points: PointSet) -> u64 {
        points.into_iter().filter_map(|point| self.place(point)).fold(0, |bits, place| bits | 1 << place)
    }

    /// The column of rows with a number of low Rebels.
    #[inline(always)]
    pub(super) fn column(&self, low: u32) -> usize {
        match (low, self.low - low) {
            _ if !self.has_light => low as usize & 1,
            (0 | 1, _) => NARROW,
            (2 | 3, _) => WIDE,
            (_, 0 | 1) => NARROW + 1,
            (_, 2 | 3) => WIDE + 1,
            _ => low as usize & 1,
        }
    }

    /// The bit of a row with a number of low Rebels in sets of rows of its slot: seven at most.
    #[inline(always)]
    pub(super) fn row_bit(&self, low: u32) -> u32 {
        match self.column(low) {
            0 | 1 => low / 2,
            WIDE | NARROW => low & 1,
            _ => (self.low - low) & 1,
        }
    }

    /// The number of low Rebels of a row, by its column and bit.
    #[inline(always)]
    pub(super) fn low_of(&self, column: usize, bit: u32) -> u32 {
        match column {
            0 | 1 => 2 * bit + column as u32,
            WIDE => 2 + bit,
            NARROW => bit,
            _ => self.low - bit - if column < NARROW { 2 } else { 0 },
        }
    }

    /// Gives each low part of a light row its bit.
    fn number_light(&mut self) {
        for (low, column) in (0..=self.low).map(|low| (low, self.column(low))).collect::<Vec<_>>() {
            let Some(parts) = column.checked_sub(WIDE).map(|column| &mut self.light_parts[column]) else { continue };
            for index in &self.low_parts.indices[low as usize] {
                let (parity, index) = (low as usize & 1, usize::from(*index));
                self.light_bits[parity][index] = parts.len() as u16;
                self.light_weights[low as usize].set(parts.len());
                parts.push(low_of_index(index, parity) as u16);
            }
        }
    }

    /// The planes of a light cell of a column, by parity.
    #[inline(always)]
    pub(super) fn unpacked<const WORDS: usize>(&self, light: Light<WORDS>, column: usize) -> [Plane; 2] {
        let (parts, mut planes) = (&self.light_parts[column - WIDE], [Plane::EMPTY; 2]);
        light.for_each(|bit| planes[parts[bit].count_ones() as usize & 1].set(index_of_low(parts[bit].into())));
        planes
    }

    /// The light cell of planes with low parts of one light column.
    #[inline(always)]
    pub(super) fn packed<const WORDS: usize>(&self, planes: &[Plane; 2]) -> Light<WORDS> {
        let mut light = Light::EMPTY;
        for (plane, bits) in planes.iter().zip(&self.light_bits) {
            plane.for_each(|index| light.set(bits[index].into()));
        }
        light
    }

    /// By light column, the map of cells that is one of planes by parity.
    pub(super) fn light_maps(&self, map: impl Fn(Parity, Plane) -> Plane) -> Vec<LightMap> {
        let image = |low: &u16| {
            let (parity, mut planes) = (low.count_ones() as usize & 1, [Plane::EMPTY; 2]);
            planes[parity].set(index_of_low((*low).into()));
            planes[parity] = map(parity, planes[parity]);
            self.packed(&planes)
        };
        self.light_parts.iter().map(|parts| LightMap::new(&parts.iter().map(image).collect::<Vec<Wide>>())).collect()
    }

    /// The low parts, given as bits of places, for which a condition holds.
    pub(super) fn low_sets(&self, holds: impl Fn(u64) -> bool) -> LowSets {
        let mut light = vec![Wide::EMPTY; self.low as usize + 1];
        for (bit, low) in self.light_parts.iter().flat_map(|parts| parts.iter().enumerate()) {
            if holds(u64::from(*low)) {
                light[low.count_ones() as usize].set(bit);
            }
        }
        LowSets { planes: [0, 1].map(|parity| Plane::of(|index| holds(low_of_index(index, parity)))), light }
    }

    /// The mirror, where the rules keep it.
    pub(super) fn mirror(&self) -> Option<&PlaceMirror> {
        self.mirror.as_ref()
    }
}

/// Chooses low points: from each point in turn the set grows by what borders on the fewest others, and the best of
/// these sets is taken, of equals the first. There the values of positions differ least, as a rule, so that a file is
/// smaller.
fn low_points(variant: &Variant, most: u32, image: &dyn Fn(Point) -> Point) -> PointSet {
    let rules = variant.rules();
    let ground = rules.ground;
    let joined = |point: Point| (rules.rebel_steps[point] | rules.rebel_origins[point]) & ground;
    let border = |points: PointSet| {
        let all = points.into_iter().fold(PointSet::EMPTY, |all, point| all | joined(point));
        all.minus(points).len()
    };
    let edges = |points: PointSet| points.into_iter().map(|point| (joined(point) & points).len()).sum::<u32>();
    let pair = |point: Point| PointSet::of(point).with(image(point));
    let cost = |points: &PointSet| (border(*points), u32::MAX - edges(*points));
    let grown = |start: Point| {
        let mut points = if pair(start).len() <= most { pair(start) } else { PointSet::EMPTY };
        loop {
            let more = ground.minus(points).into_iter().map(|point| points | pair(point));
            match more.filter(|points| points.len() <= most).min_by_key(cost) {
                Some(more) => points = more,
                None => return points,
            }
        }
    };
    let best = ground.into_iter().map(grown).min_by_key(|points| (u32::MAX - points.len(), cost(points)));
    best.unwrap_or(PointSet::EMPTY)
}
