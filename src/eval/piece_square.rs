//! Weights of the points of a board, summed over a set of points without a loop over its points.

use crate::board::{MAX_POINTS, Point, PointSet};

/// Bits of a weight below the sign.
const BITS: usize = 7;

/// The largest weight in units.
const LARGEST: i32 = (1 << BITS) - 1;

/// A weight a point, as whole numbers of a unit in two's complement: a set of points for every bit, so that the sum over a set
/// takes a population count a bit, not a look-up a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PieceSquare {
    bits: [PointSet; BITS],
    sign: PointSet,
}

impl PieceSquare {
    /// The smallest power of two in units of which weights up to this size can be told.
    #[must_use]
    pub(super) fn unit_for(largest: i32) -> i32 {
        let mut unit = 1;
        while largest.abs() > LARGEST * unit {
            unit *= 2;
        }
        unit
    }

    /// The planes of weights in hundredths, each brought to the nearest number of units.
    #[must_use]
    pub(super) fn new(weights: &[i32; MAX_POINTS], unit: i32) -> PieceSquare {
        let mut planes = PieceSquare::default();
        for (index, weight) in weights.iter().enumerate() {
            let point = Point::new(index);
            let units = rounded(*weight, unit).clamp(-LARGEST - 1, LARGEST);
            for (bit, plane) in planes.bits.iter_mut().enumerate() {
                if units >> bit & 1 != 0 {
                    *plane = plane.with(point);
                }
            }
            if units < 0 {
                planes.sign = planes.sign.with(point);
            }
        }
        planes
    }

    /// The sum of the weights of a set of points, in units.
    #[inline(always)]
    #[must_use]
    pub(super) fn sum(&self, points: PointSet) -> i32 {
        let mut sum = -(((self.sign & points).len() as i32) << BITS);
        for (bit, plane) in self.bits.iter().enumerate() {
            sum += ((*plane & points).len() as i32) << bit;
        }
        sum
    }
}

/// The nearest number of units; halves go up.
pub(super) fn rounded(weight: i32, unit: i32) -> i32 {
    (weight + unit / 2).div_euclid(unit.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_sum_is_the_plain_sum(weights in proptest::collection::vec(-1000..1000i32, MAX_POINTS), points: u64) {
            let weights: [i32; MAX_POINTS] = weights.try_into().unwrap();
            let points = PointSet(points);
            let unit = PieceSquare::unit_for(1000);
            let plain: i32 = points.into_iter().map(|point| rounded(weights[point.index()], unit)).sum();
            prop_assert_eq!(PieceSquare::new(&weights, unit).sum(points), plain);
        }
    }

    #[test]
    fn units_are_as_small_as_the_weights_allow() {
        assert_eq!([0, 5, 127, 128, -400].map(PieceSquare::unit_for), [1, 1, 1, 2, 4]);
        assert_eq!([-6, -5, -2, 0, 1, 2, 6].map(|weight| rounded(weight, 4)), [-1, -1, 0, 0, 0, 1, 2]);
    }
}
