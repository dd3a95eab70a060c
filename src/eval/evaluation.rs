//! The evaluation of a variant: its weights, compiled, and the weighted sum.

use crate::board::{MAX_POINTS, Point, PointSet};
use crate::rules::family::Every;
use crate::rules::{CompiledRules, Family, Position, Side, Variant};

use super::terms::{Patterns, Terms};
use super::value::Value;
use super::weights::{SideWeights, Weights};

/// The compiled evaluation of a variant.
#[derive(Debug)]
pub struct Evaluation {
    patterns: Patterns,
    general_to_move: Box<Prepared>,
    rebels_to_move: Box<Prepared>,
}

#[derive(Debug)]
struct Prepared {
    weights: SideWeights,
    /// By point of the General: the weights of Rebels on each point, in units.
    piece_square: [PieceSquare; MAX_POINTS],
    unit: i32,
}

impl Prepared {
    fn new(weights: SideWeights) -> Prepared {
        let largest = weights.rebels.iter().flatten().map(|weight| weight.unsigned_abs()).max();
        let unit = unit_for(largest.unwrap_or(0));
        let piece_square = std::array::from_fn(|general| PieceSquare::new(&weights.rebels[general], unit));
        Prepared { weights, piece_square, unit }
    }

    /// The value for the General.
    #[inline(always)]
    fn value(&self, position: &Position, terms: &Terms) -> i32 {
        let (weights, at) = (&self.weights, position.general().index());
        // Counts of points: a set has at most MAX_POINTS - 1 of them, since the General stands on one.
        let of_count = |table: &[i32; MAX_POINTS], count: u32| table[count as usize % MAX_POINTS];
        of_count(&weights.material, position.rebels().len())
            + of_count(&weights.mobility, terms.mobility)
            + of_count(&weights.freedom, terms.freedom)
            + terms.ring * weights.ring
            + terms.tempo * weights.tempo
            + terms.threats * weights.threat
            + terms.weak_points * weights.weak_point
            + terms.custody * weights.custody
            + i32::from(position.apex_visited()) * weights.apex_visited
            + i32::from(position.free_jumps()) * weights.free_jump
            + weights.general[at]
            + self.piece_square[at].sum(position.rebels()) * self.unit
            + weights.network.as_ref().map_or(0, |network| network.value(position))
    }
}

impl Evaluation {
    /// Compiles weights for a variant.
    pub fn new(variant: &Variant, weights: Weights) -> Evaluation {
        Evaluation {
            patterns: Patterns::of(variant.board(), variant.rules()),
            general_to_move: Box::new(Prepared::new(weights.general_to_move)),
            rebels_to_move: Box::new(Prepared::new(weights.rebels_to_move)),
        }
    }

    /// The number of points that the General could walk to if the Rebels stood still.
    pub(crate) fn freedom(&self, rules: &CompiledRules, position: &Position) -> u32 {
        Terms::of::<Every>(rules, &self.patterns, position).freedom
    }

    /// The value of a position for the side to move.
    #[inline(always)]
    pub fn evaluate<F: Family>(&self, rules: &CompiledRules, position: &Position) -> Value {
        let terms = Terms::of::<F>(rules, &self.patterns, position);
        Value::evaluation(match position.side() {
            Side::General => self.general_to_move.value(position, &terms),
            Side::Rebels => -self.rebels_to_move.value(position, &terms),
        })
    }
}

/// Bits of a weight below the sign.
const BITS: usize = 7;

const LARGEST: i32 = (1 << BITS) - 1;

/// A piece-square table in whole units and two's complement. A set of points for every bit makes the sum over a set one population count a bit
/// instead of one look-up a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct PieceSquare {
    bits: [PointSet; BITS],
    sign: PointSet,
}

impl PieceSquare {
    /// Rounds weights in hundredths to units.
    fn new(weights: &[i32; MAX_POINTS], unit: i32) -> PieceSquare {
        let mut table = PieceSquare::default();
        for (index, weight) in weights.iter().enumerate() {
            let point = Point::new(index);
            let units = rounded(*weight, unit).clamp(-LARGEST - 1, LARGEST);
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
    fn sum(&self, points: PointSet) -> i32 {
        let mut sum = -(((self.sign & points).len() as i32) << BITS);
        for (bit, bit_set) in self.bits.iter().enumerate() {
            sum += ((*bit_set & points).len() as i32) << bit;
        }
        sum
    }
}

/// The smallest power of two in units of which a weight of this size fits.
fn unit_for(largest: u32) -> i32 {
    let mut unit = 1;
    while i64::from(largest) > i64::from(LARGEST) * i64::from(unit) {
        unit *= 2;
    }
    unit
}

/// Rounds to units; halves go up.
fn rounded(weight: i32, unit: i32) -> i32 {
    (weight + unit / 2).div_euclid(unit)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::rules::Game;
    use crate::rules::rule_set::RuleSet;

    /// By the weights of the family: in fitted ones a Rebel more need not be good wherever it stands.
    fn family_value(text: &str) -> Value {
        let builtin = Variant::builtin("sixteen-rebels").unwrap();
        let words = RuleSet { rebels_at_most: Some(0), ..builtin.rule_set().clone() };
        let variant = Arc::new(builtin.with_words(words).unwrap());
        let game = Game::from_text(text, Some(&variant)).unwrap();
        Evaluation::new(&variant, Weights::of(&variant)).evaluate::<Every>(variant.rules(), game.position())
    }

    #[test]
    fn another_rebel_is_good_for_the_rebels_and_bad_for_the_general() {
        let ring = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr";
        let gap = "1/3/rrrrr/r3r/r1G1r/r3r/1rrrr";
        assert!(family_value(&format!("{gap} g")) > family_value(&format!("{ring} g")));
        assert!(family_value(&format!("{gap} r")) < family_value(&format!("{ring} r")));
    }

    #[test]
    fn mirror_images_have_the_same_value() {
        for text in ["1/3/rrrrr/r3r/r1G1r/r2r1/rrr1r g", "1/1G1/r3r/1r3/2r1r/r3r/rrrrr r - 0 0 shap-luk-kon"] {
            let game = Game::from_text(text, None).unwrap();
            let variant = game.variant();
            let evaluation = Evaluation::new(variant, Weights::of(variant));
            let mirrored = variant.mirror(game.position());
            assert_ne!(&mirrored, game.position());
            let value = |position: &Position| evaluation.evaluate::<Every>(variant.rules(), position);
            assert_eq!(value(&mirrored), value(game.position()));
        }
    }

    proptest! {
        #[test]
        fn the_sum_is_the_plain_sum(weights in proptest::collection::vec(-1000..1000i32, MAX_POINTS), points: u64) {
            let weights: [i32; MAX_POINTS] = weights.try_into().unwrap();
            let points = PointSet(points);
            let unit = unit_for(1000);
            let plain: i32 = points.into_iter().map(|point| rounded(weights[point.index()], unit)).sum();
            prop_assert_eq!(PieceSquare::new(&weights, unit).sum(points), plain);
        }
    }

    #[test]
    fn units_are_as_small_as_the_weights_allow() {
        assert_eq!([0, 5, 127, 128, 400, u32::MAX].map(unit_for), [1, 1, 1, 2, 4, 1 << 26]);
        assert_eq!([-6, -5, -2, 0, 1, 2, 6].map(|weight| rounded(weight, 4)), [-1, -1, 0, 0, 0, 1, 2]);
    }
}
