//! The weights of a family of games: a few numbers that a variant's board and opening turn into tables, for games to which nothing was
//! fitted.

use once_cell::sync::Lazy;
use serde::Deserialize;

use crate::rules::family::for_family;
use crate::rules::rule_set::{ApexRule, StaticRule};
use crate::rules::{Side, Template, Variant};

use super::evaluation::Evaluation;
use super::weights::{SideWeights, Weights};

impl Weights {
    /// The weights of a variant's family, chosen by its way of capturing: as if nothing had ever been fitted.
    #[must_use]
    pub fn of_family(variant: &Variant) -> Weights {
        static FILES: Lazy<[FamilyWeights; 4]> = Lazy::new(|| {
            let files = [
                include_str!("families/pairs.toml"),
                include_str!("families/apex.toml"),
                include_str!("families/jumps.toml"),
                include_str!("families/deferred.toml"),
            ];
            files.map(|text| toml::from_str(text).expect("a test reads all families"))
        });
        let [pairs, apex, jumps, deferred] = &*FILES;
        let words = variant.rule_set();
        let family = if words.deferred || words.static_rule != StaticRule::None {
            deferred
        } else if !words.intervention {
            jumps
        } else if words.apex == ApexRule::General {
            apex
        } else {
            pairs
        };
        family.weights(variant)
    }
}

/// A file of weights, in hundredths of a Rebel as the General sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyWeights {
    /// Mobility: an empty point adjacent to the General.
    mobility: i32,
    /// Freedom: a point that it could walk to if the Rebels stood still.
    freedom: i32,
    /// Initiative: the General is to move.
    initiative: i32,
    /// Threat: a capture that it can make at once, being to move.
    threat: i32,
    /// Weak point: a point within its reach on which it would capture.
    weak_point: i32,
    /// Connectivity of the ring: two adjacent Rebels.
    ring: i32,
    /// Besieger: a Rebel adjacent to the General.
    besieger: i32,
    /// Guarded exit: an exit of the privy that holds a Rebel.
    guarded_exit: i32,
    /// Tempo: a step that a Rebel can make.
    tempo: i32,
    /// A step of the way to the apex, where that wins for it or is half of it.
    apex_distance: i32,
    /// A step of the way to the bottom row or the goal, where that wins for it.
    goal_distance: i32,
    /// A step of the way to the apex, where he loses on it.
    losing_apex_distance: i32,
    /// A Rebel in the privy, where Rebels may enter it but not step back.
    rebel_in_privy: i32,
    /// The apex visited, where only the return is left.
    apex_visited: i32,
    /// A free jump left.
    free_jump: i32,
}

impl FamilyWeights {
    /// The same weights in the terms of a variant's board.
    fn weights(&self, variant: &Variant) -> Weights {
        let (board, rules, words) = (variant.board(), variant.rules(), variant.rule_set());
        let to_apex = board.distances(rules.winning_apex | rules.return_apex());
        let to_goal = board.distances(rules.winning_bottom | rules.winning_goal);
        let to_losing_apex = board.distances(rules.losing_apex);
        let mut common = SideWeights {
            material: std::array::from_fn(|count| material(variant, count as u32)),
            mobility: std::array::from_fn(|count| self.mobility * count as i32),
            freedom: std::array::from_fn(|count| self.freedom * count as i32),
            ring: self.ring,
            tempo: self.tempo,
            weak_point: self.weak_point,
            apex_visited: self.apex_visited,
            free_jump: self.free_jump,
            ..SideWeights::none()
        };
        for point in board.all() {
            let at = point.index();
            common.general[at] = to_apex[point] * self.apex_distance
                + to_goal[point] * self.goal_distance
                + to_losing_apex[point] * self.losing_apex_distance;
            if words.forward {
                for inside in board.privy() {
                    common.rebels[at][inside.index()] += self.rebel_in_privy;
                }
            }
            for exit in variant.marked_exits() {
                common.rebels[at][exit.index()] += self.guarded_exit;
            }
            for neighbour in board.neighbours(point) {
                common.rebels[at][neighbour.index()] += self.besieger;
            }
        }
        let mut general_to_move = SideWeights { threat: self.threat, ..common.clone() };
        general_to_move.material.iter_mut().for_each(|weight| *weight += self.initiative);
        Weights { general_to_move, rebels_to_move: common }.even_after_toll(variant)
    }
}

/// The part of the Rebels above the attrition limit that they may lose and still have an even game. With less they would be content
/// with repetitions while they close in, which costs some.
const TOLL: f64 = 0.5;

/// What so many Rebels are worth: one of those in the opening a hundred, each of the last before the attrition limit more, as all
/// depends on them.
fn material(variant: &Variant, count: u32) -> i32 {
    lost(spare_in_opening(variant), spare(variant, count))
}

/// What the Rebels have lost who had so many above the attrition limit, and have so many left.
fn lost(at_first: f64, left: f64) -> i32 {
    (100.0 * at_first * (at_first / left).ln()).round() as i32
}

fn spare_in_opening(variant: &Variant) -> f64 {
    spare(variant, variant.opening().rebels().len())
}

/// Rebels above the attrition limit; at least one.
fn spare(variant: &Variant, count: u32) -> f64 {
    f64::from((count + 1).saturating_sub(variant.rules().fewest_rebels()).max(1))
}

impl Weights {
    /// The same weights with another zero: whoever made a game meant its opening to be even, once the Rebels have paid their toll.
    fn even_after_toll(self, variant: &Variant) -> Weights {
        let evaluation = Evaluation::new(variant, self.clone());
        let general = |side: Side| {
            let opening = variant.opening().with_side(side);
            let value = for_family!(variant.family(), F => evaluation.evaluate::<F>(variant.rules(), &opening));
            i32::from(if side == Side::General { value } else { -value }.raw())
        };
        let at_first = spare_in_opening(variant);
        let toll = if general_captures(variant) { lost(at_first, at_first * (1.0 - TOLL)) } else { 0 };
        let zero = (general(Side::General) + general(Side::Rebels)) / 2 + toll;
        let Weights { mut general_to_move, mut rebels_to_move } = self;
        for weights in [&mut general_to_move, &mut rebels_to_move] {
            weights.material.iter_mut().for_each(|weight| *weight -= zero);
        }
        Weights { general_to_move, rebels_to_move }
    }
}

/// Can Rebels fall?
fn general_captures(variant: &Variant) -> bool {
    let rules = variant.rules();
    let captures = |template: &Template| !template.captured.is_empty() || !template.pairs.is_empty();
    rules.all().into_iter().any(|point| rules.templates(point).iter().any(captures))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unfitted_game_weighs_rebels_the_more_the_fewer_are_left_and_is_even_after_a_toll() {
        for id in Variant::all_ids() {
            let variant = Variant::builtin(id).unwrap();
            let weights = Weights::of_family(&variant).general_to_move;
            let most = variant.opening().rebels().len() as usize;
            let worth = |count: usize| weights.material[count - 1] - weights.material[count];
            let least = variant.rules().fewest_rebels() as usize + 1;
            assert!((least + 1..=most).all(|count| worth(count - 1) >= worth(count)), "{id}");
            // Where the first Rebel taken ends the game there is nothing to weigh.
            let has_none = most < least;
            assert!(has_none || (90..=180).contains(&worth(most)), "{id}: {}", worth(most));
            let evaluation = Evaluation::new(&variant, Weights::of_family(&variant));
            let value = |side: Side| {
                let opening = variant.opening().with_side(side);
                for_family!(variant.family(), F => evaluation.evaluate::<F>(variant.rules(), &opening)).raw()
            };
            let opening = (i32::from(value(Side::General)) - i32::from(value(Side::Rebels))) / 2;
            let left = if general_captures(&variant) { most - (most + 1 - least) / 2 } else { most };
            let even = opening + weights.material[left] - weights.material[most];
            assert!(even.abs() < 200, "{id}: {opening} in the opening, {even} with {left} left");
        }
    }
}
