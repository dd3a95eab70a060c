//! A small neural network beside the weighted terms, for patterns that a sum over single Rebels misses.
//!
//! One hidden layer for each point of the General (inputs by king square: Y. Nasu, "Efficiently Updatable
//! Neural-Network-based Evaluation Functions", 2018). The inputs are the points of the Rebels; a hidden unit is a bias
//! and a weight for each Rebel, clipped to 0 to 1; the output is a weighted sum of their squares. On boards with a
//! mirror the layers of mirror images are images of each other, and a General on the axis has the same units twice,
//! once for each image, so that mirror images have the same value.
//!
//! A hidden layer has a row of integers for each point: a Rebel costs one vector addition.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use privy_rules::board::{MAX_POINTS, Point};
use privy_rules::{Position, Variant};

/// Hidden units for each point of the General.
pub const UNITS: usize = 64;
/// The fixed-point 1 of the hidden layer.
pub const ONE: i32 = 256;

/// Weights of the units of a layer. Output weights are in hundredths of a Rebel; the sum of products is divided by
/// [`ONE`].
type UnitRow = [i16; UNITS];

/// Rows for the flags of a position: apex visited, free jumps.
pub const FLAGS: usize = 2;

/// The hidden layer for one point of the General.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenLayer {
    pub bias: UnitRow,
    pub output: UnitRow,
    pub flags: [UnitRow; FLAGS],
    pub rebels: [UnitRow; MAX_POINTS],
}

impl HiddenLayer {
    const NONE: HiddenLayer = HiddenLayer {
        bias: [0; UNITS],
        output: [0; UNITS],
        flags: [[0; UNITS]; FLAGS],
        rebels: [[0; UNITS]; MAX_POINTS],
    };
}

/// The network for one side to move: a layer for each point of the General.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network(pub Box<[HiddenLayer]>);

#[inline(always)]
fn add(sum: &mut UnitRow, row: &UnitRow) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

impl Network {
    /// The value for the General, in hundredths of a Rebel.
    #[inline(always)]
    pub fn value(&self, position: &Position) -> i32 {
        let layer = &self.0[position.general().index() % MAX_POINTS];
        let mut sum = layer.bias;
        for rebel in position.rebels() {
            add(&mut sum, &layer.rebels[rebel.index() % MAX_POINTS]);
        }
        if position.apex_visited() {
            add(&mut sum, &layer.flags[0]);
        }
        for _ in 0..position.free_jumps() {
            add(&mut sum, &layer.flags[1]);
        }
        let mut value = 0;
        for (unit, weight) in sum.iter().zip(&layer.output) {
            value += activation(*unit) * i32::from(*weight);
        }
        value / ONE
    }

    /// Builds a network from the rows of each point in [`generals`]: bias, output, flags, then one for each point of
    /// the board. For a General on the axis the first half of the units counts; the second becomes its mirror image.
    pub fn from_rows(variant: &Variant, rows: &[[i16; UNITS]]) -> Network {
        let mut layers: Box<[HiddenLayer]> = vec![HiddenLayer::NONE; MAX_POINTS].into();
        let all: Vec<Point> = variant.board().all().into_iter().collect();
        for (general, rows) in generals(variant).zip(rows.chunks_exact(2 + FLAGS + all.len())) {
            let (head, rebels) = rows.split_at(2 + FLAGS);
            let mut layer =
                HiddenLayer { bias: head[0], output: head[1], flags: [head[2], head[3]], ..HiddenLayer::NONE };
            let mut image = layer.clone();
            for (point, row) in all.iter().zip(rebels) {
                layer.rebels[point.index()] = *row;
                image.rebels[variant.image(*point).index()] = *row;
            }
            let mirrored = variant.image(general);
            if mirrored == general && variant.is_mirrored() {
                layer.join(&image);
            } else {
                layers[mirrored.index()] = image;
            }
            layers[general.index()] = layer;
        }
        Network(layers)
    }

    pub(super) fn halved(&self) -> Network {
        let halved =
            |layer: &HiddenLayer| HiddenLayer { output: layer.output.map(|weight| weight / 2), ..layer.clone() };
        Network(self.0.iter().map(halved).collect())
    }

    /// The rows as little-endian numbers in Base64.
    pub fn to_text(&self, variant: &Variant) -> String {
        let mut rows = Vec::new();
        for general in generals(variant) {
            let layer = &self.0[general.index()];
            rows.extend([layer.bias, layer.output]);
            rows.extend(layer.flags);
            rows.extend(variant.board().all().into_iter().map(|point| layer.rebels[point.index()]));
        }
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|weight| weight.to_le_bytes()).collect();
        STANDARD.encode(bytes)
    }

    /// Reads what [`to_text`](Network::to_text) wrote; `None` if it does not fit the variant, or its sums could
    /// overflow.
    pub fn from_text(text: &str, variant: &Variant) -> Option<Network> {
        let bytes = STANDARD.decode(text).ok()?;
        let weights: Vec<i16> = bytes.as_chunks().0.iter().map(|two| i16::from_le_bytes(*two)).collect();
        let per_general = 2 + FLAGS + variant.board().len();
        let is_whole = bytes.len() == generals(variant).count() * per_general * UNITS * 2;
        let network = is_whole.then(|| Network::from_rows(variant, weights.as_chunks().0))?;
        network.0.iter().all(HiddenLayer::is_plausible).then_some(network)
    }
}

/// The activation of a hidden unit, from 0 to [`ONE`].
#[inline(always)]
fn activation(unit: i16) -> i32 {
    let unit = i32::from(unit.clamp(0, ONE as i16));
    unit * unit / ONE
}

impl HiddenLayer {
    /// Replaces the second half of the units by the first half of `other`.
    fn join(&mut self, other: &HiddenLayer) {
        let join = |row: &mut UnitRow, other: &UnitRow| row[UNITS / 2..].copy_from_slice(&other[..UNITS / 2]);
        join(&mut self.bias, &other.bias);
        join(&mut self.output, &other.output);
        self.flags.iter_mut().zip(&other.flags).for_each(|(row, other)| join(row, other));
        self.rebels.iter_mut().zip(&other.rebels).for_each(|(row, other)| join(row, other));
    }

    /// No sum of a hidden unit can overflow.
    fn is_plausible(&self) -> bool {
        (0..UNITS).all(|unit| {
            let size = |row: &UnitRow| i32::from(row[unit]).abs();
            let rebels: i32 = self.rebels.iter().map(size).sum();
            rebels + size(&self.bias) + size(&self.flags[0]) + 9 * size(&self.flags[1]) <= i32::from(i16::MAX)
        })
    }
}

/// Returns the points of the General with separate layers: one of two mirror images.
pub fn generals(variant: &Variant) -> impl Iterator<Item = Point> + '_ {
    variant.board().all().into_iter().filter(|point| variant.image(*point) >= *point)
}
