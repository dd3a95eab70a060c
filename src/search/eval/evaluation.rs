//! The evaluation of a variant: its weights, compiled, and the weighted sum.

use privy_rules::board::{MAX_POINTS, Point, PointSet};
use privy_rules::{CompiledRules, Position, Side, Variant};

use super::terms::{Patterns, Terms};
use super::value::Value;
use super::weights::{SideWeights, Weights};

/// The compiled evaluation of a variant.
#[derive(Debug)]
pub struct Evaluation {
    patterns: Patterns,
    general_to_move: Box<CompiledWeights>,
    rebels_to_move: Box<CompiledWeights>,
}

#[derive(Debug)]
struct CompiledWeights {
    weights: SideWeights,
    /// By point of the General: the weights of Rebels on each point, in units.
    piece_square: [PieceSquare; MAX_POINTS],
    unit: i32,
}

impl CompiledWeights {
    fn new(weights: SideWeights) -> CompiledWeights {
        let largest = weights.rebels.iter().flatten().map(|weight| weight.unsigned_abs()).max();
        let unit = unit_for(largest.unwrap_or(0));
        let piece_square = std::array::from_fn(|general| PieceSquare::new(&weights.rebels[general], unit));
        CompiledWeights { weights, piece_square, unit }
    }

    /// The value for the General.
    #[inline(always)]
    fn value(&self, position: &Position, terms: &Terms) -> i32 {
        let (weights, at) = (&self.weights, position.general().index());
        let mut value = weights.general[at]
            + self.piece_square[at].sum(position.rebels()) * self.unit
            + weights.network.as_ref().map_or(0, |network| network.value(position));
        // A set has at most MAX_POINTS - 1 points, since the General stands on one.
        for (table, count) in weights.tables.iter().zip(terms.tables) {
            value += table[count as usize % MAX_POINTS];
        }
        for (weight, count) in weights.terms.iter().zip(terms.counts) {
            value += weight * count;
        }
        value
    }
}

impl Evaluation {
    /// Compiles weights for a variant.
    pub fn new(variant: &Variant, weights: Weights) -> Evaluation {
        Evaluation {
            patterns: Patterns::of(variant.board(), variant.rules()),
            general_to_move: Box::new(CompiledWeights::new(weights.general_to_move)),
            rebels_to_move: Box::new(CompiledWeights::new(weights.rebels_to_move)),
        }
    }

    /// The number of points that the General could walk to if the Rebels stood still.
    pub fn freedom(&self, rules: &CompiledRules, position: &Position) -> u32 {
        let [.., freedom] = Terms::of(rules, &self.patterns, position).tables;
        freedom
    }

    /// The value of a position for the side to move.
    #[inline(always)]
    pub fn evaluate(&self, rules: &CompiledRules, position: &Position) -> Value {
        let terms = Terms::of(rules, &self.patterns, position);
        Value::evaluation(match position.side() {
            Side::General => self.general_to_move.value(position, &terms),
            Side::Rebels => -self.rebels_to_move.value(position, &terms),
        })
    }
}

/// Bits of a weight below the sign.
const WEIGHT_BITS: usize = 7;

const LARGEST_WEIGHT: i32 = (1 << WEIGHT_BITS) - 1;

/// A piece-square table in whole units and two's complement. A set of points for every bit makes the sum over a set one
/// population count a bit instead of one look-up a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PieceSquare {
    bits: [PointSet; WEIGHT_BITS],
    sign: PointSet,
}

impl PieceSquare {
    /// Rounds weights in hundredths to units.
    pub fn new(weights: &[i32; MAX_POINTS], unit: i32) -> PieceSquare {
        let mut table = PieceSquare::default();
        for (index, weight) in weights.iter().enumerate() {
            let point = Point::new(index);
            let units = rounded(*weight, unit).clamp(-LARGEST_WEIGHT - 1, LARGEST_WEIGHT);
            for (bit, bit_set) in table.bits.iter_mut().enumerate() {
                if units >> bit & 1 != 0 {
                    *bit_set = bit_set.with(point);
                }
            }
            if units < 0 {
                table.sign = table.sign.with(point);
            }
        }
        table
    }

    /// The sum of the weights of a set of points, in units.
    #[inline(always)]
    pub fn sum(&self, points: PointSet) -> i32 {
        let mut sum = -(((self.sign & points).len() as i32) << WEIGHT_BITS);
        for (bit, bit_set) in self.bits.iter().enumerate() {
            sum += ((*bit_set & points).len() as i32) << bit;
        }
        sum
    }
}

/// The smallest power of two in units of which a weight of this size fits.
pub fn unit_for(largest: u32) -> i32 {
    let mut unit = 1;
    while i64::from(largest) > i64::from(LARGEST_WEIGHT) * i64::from(unit) {
        unit *= 2;
    }
    unit
}

/// Rounds to units; halves go up.
pub fn rounded(weight: i32, unit: i32) -> i32 {
    (weight + unit / 2).div_euclid(unit)
}
