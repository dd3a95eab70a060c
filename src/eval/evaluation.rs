//! Evaluation of positions that are not decided: what each piece is worth where it stands, and a few terms in the words of
//! the game. `docs/EVALUATION.md` says how the weights came about.

use crate::board::MAX_POINTS;
use crate::rules::{CompiledRules, Family, Position, Side, Variant};

use super::patterns::Patterns;
use super::piece_square::PieceSquare;
use super::terms::Terms;
use super::value::Score;
use super::weights::{SideWeights, Weights};

/// What the evaluation of a variant needs besides the rules of its rules.
#[derive(Debug)]
pub struct Evaluation {
    patterns: Patterns,
    general_to_move: Box<Prepared>,
    rebels_to_move: Box<Prepared>,
}

/// The weights of positions with one side to move, made ready for use.
#[derive(Debug)]
struct Prepared {
    weights: SideWeights,
    /// The weights of the Rebels' points by point of the General, in units.
    planes: [PieceSquare; MAX_POINTS],
    unit: i32,
}

impl Prepared {
    fn new(weights: SideWeights) -> Prepared {
        let unit = weights.unit();
        let planes = std::array::from_fn(|general| PieceSquare::new(&weights.rebels[general], unit));
        Prepared { weights, planes, unit }
    }

    /// The value for the General.
    #[inline(always)]
    fn value(&self, state: &Position, terms: &Terms) -> i32 {
        let (weights, at) = (&self.weights, state.general().index());
        // Counts of points: a set has at most MAX_POINTS - 1 of them, since the General stands on one.
        let of_count = |table: &[i32; MAX_POINTS], count: u32| table[count as usize % MAX_POINTS];
        of_count(&weights.material, state.rebels().len())
            + of_count(&weights.mobility, terms.mobility)
            + of_count(&weights.freedom, terms.freedom)
            + terms.ring * weights.ring
            + terms.tempo * weights.tempo
            + terms.threats * weights.threat
            + terms.weak_points * weights.weak_point
            + terms.custody * weights.custody
            + i32::from(state.apex_visited()) * weights.apex_visited
            + i32::from(state.free_jumps()) * weights.free_jump
            + weights.general[at]
            + self.planes[at].sum(state.rebels()) * self.unit
    }
}

impl Evaluation {
    /// Prepares the evaluation of a variant.
    #[must_use]
    pub fn new(variant: &Variant) -> Evaluation {
        Evaluation::with_weights(variant, Weights::of(variant))
    }

    /// Prepares the evaluation of a variant with weights of one's own.
    #[must_use]
    pub fn with_weights(variant: &Variant, weights: Weights) -> Evaluation {
        Evaluation {
            patterns: Patterns::of(variant.board(), variant.rules()),
            general_to_move: Box::new(Prepared::new(weights.general_to_move)),
            rebels_to_move: Box::new(Prepared::new(weights.rebels_to_move)),
        }
    }

    /// The value of a position for the side to move.
    #[inline(always)]
    #[must_use]
    pub fn evaluate<F: Family>(&self, rules: &CompiledRules, state: &Position) -> Score {
        let terms = Terms::of::<F>(rules, &self.patterns, state);
        Score::evaluation(match state.side() {
            Side::General => self.general_to_move.value(state, &terms),
            Side::Rebels => -self.rebels_to_move.value(state, &terms),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rules::Game;
    use crate::rules::family::Every;
    use crate::rules::rule_set::RuleSet;

    /// By the weights of the family: in fitted ones a Rebel more need not be good wherever it stands.
    fn family_value(text: &str) -> Score {
        let builtin = Variant::builtin("sixteen-rebels").unwrap();
        let words = RuleSet { rebels_at_most: Some(0), ..builtin.rule_set().clone() };
        let variant = Arc::new(builtin.with_words(words).unwrap());
        let position = Game::from_text(text, Some(&variant)).unwrap();
        Evaluation::new(&variant).evaluate::<Every>(variant.rules(), position.position())
    }

    #[test]
    fn a_rebel_more_is_good_for_the_rebels_and_the_sides_see_opposite_values() {
        let ring = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr";
        let gap = "1/3/rrrrr/r3r/r1G1r/r3r/1rrrr";
        assert!(family_value(&format!("{gap} g")) > family_value(&format!("{ring} g")));
        assert!(family_value(&format!("{gap} r")) < family_value(&format!("{ring} r")));
    }

    #[test]
    fn mirror_images_are_worth_the_same() {
        for text in ["1/3/rrrrr/r3r/r1G1r/r2r1/rrr1r g", "1/1G1/r3r/1r3/2r1r/r3r/rrrrr r - 0 0 shap-luk-kon"] {
            let position = Game::from_text(text, None).unwrap();
            let variant = position.variant();
            let evaluation = Evaluation::new(variant);
            let mirrored = variant.mirror(position.position());
            assert_ne!(&mirrored, position.position());
            let worth = |state: &Position| evaluation.evaluate::<Every>(variant.rules(), state);
            assert_eq!(worth(&mirrored), worth(position.position()));
        }
    }
}
