//! Weights of whole families of games, for variants that none have been fitted to: a few terms, each of one weight.

use std::collections::VecDeque;

use once_cell::sync::Lazy;
use serde::Deserialize;

use crate::board::{Board, MAX_POINTS, Point, PointSet};
use crate::rules::Variant;
use crate::rules::rule_set::{ApexRule, JumpRule};

use super::weights::{SideWeights, Weights};

/// A file of weights, in hundredths of a Rebel as the General sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyWeights {
    /// Hundredths of Rebels at which material counts nothing.
    even_at: i32,
    /// A Rebel taken.
    rebel: i32,
    /// Mobility: an empty point adjacent to the General.
    mobility: i32,
    /// Freedom: a point that he could walk to if the Rebels stood still.
    freedom: i32,
    /// Initiative: he is to move.
    initiative: i32,
    /// Threat: a capture that he can make at once, being to move.
    threat: i32,
    /// Weak point: a point within his reach on which he would capture.
    weak_point: i32,
    /// Connectivity of the ring: two adjacent Rebels.
    ring: i32,
    /// Besieger: a Rebel adjacent to the General.
    besieger: i32,
    /// Guarded exit: an exit of the privy that holds a Rebel.
    guarded_exit: i32,
    /// Tempo: a step that a Rebel can make.
    tempo: i32,
    /// A step of the way to the apex, where that wins for him or is half of it.
    apex_distance: i32,
    /// A step of the way to the bottom row, where that wins for him.
    bottom_distance: i32,
    /// The apex visited, where only the return is left.
    apex_visited: i32,
    /// A free jump left.
    free_jump: i32,
}

/// How many points a field may have to count as a small board.
const SMALL_FIELD: u32 = 30;

/// The weights for a variant, chosen by its board and its way of capturing.
pub(super) fn weights_of(variant: &Variant) -> Weights {
    static FILES: Lazy<[FamilyWeights; 4]> = Lazy::new(|| {
        let files = [
            include_str!("../search/weights/pairs.toml"),
            include_str!("../search/weights/apex.toml"),
            include_str!("../search/weights/jumps.toml"),
            include_str!("../search/weights/double-board.toml"),
        ];
        files.map(|text| toml::from_str(text).expect("a test reads all families"))
    });
    let [pairs, apex, jumps, double_board] = &*FILES;
    let words = variant.rule_set();
    let family = if variant.board().field().len() > SMALL_FIELD {
        double_board
    } else if words.jump != JumpRule::None && !words.intervention {
        jumps
    } else if words.apex == ApexRule::General {
        apex
    } else {
        pairs
    };
    family.weights(variant)
}

impl FamilyWeights {
    /// The same weights in the terms of a variant's board.
    fn weights(&self, variant: &Variant) -> Weights {
        let (board, rules) = (variant.board(), variant.rules());
        let to_apex = distances(board, rules.winning_apex | rules.return_apex);
        let to_bottom = distances(board, rules.winning_bottom);
        let mut common = SideWeights {
            material: std::array::from_fn(|count| (self.even_at - 100 * count as i32) * self.rebel / 100),
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
            common.general[at] = to_apex[at] * self.apex_distance + to_bottom[at] * self.bottom_distance;
            for exit in rules.exits {
                common.rebels[at][exit.index()] += self.guarded_exit;
            }
            for neighbour in rules.neighbours[at] {
                common.rebels[at][neighbour.index()] += self.besieger;
            }
        }
        let mut general_to_move = SideWeights { threat: self.threat, ..common.clone() };
        general_to_move.material.iter_mut().for_each(|weight| *weight += self.initiative);
        Weights { general_to_move, rebels_to_move: common }
    }
}

/// RebelDistance on the empty board from each point to the nearest target; 0 where there is no target.
fn distances(board: &Board, targets: PointSet) -> [i32; MAX_POINTS] {
    let mut distances = [0; MAX_POINTS];
    let mut seen = targets;
    let mut queue: VecDeque<Point> = targets.into_iter().collect();
    while let Some(point) = queue.pop_front() {
        for next in board.neighbours(point).minus(seen) {
            distances[next.index()] = distances[point.index()] + 1;
            seen = seen.with(next);
            queue.push_back(next);
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_weighs_material() {
        for id in Variant::builtin_ids() {
            let weights = weights_of(&Variant::builtin(id).unwrap());
            assert!(weights.general_to_move.material[3] > weights.general_to_move.material[4], "{id}");
        }
    }
}
