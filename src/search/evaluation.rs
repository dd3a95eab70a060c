//! Evaluation of positions that are not decided: a few terms in the words of the game, weighted per family of games.

use std::collections::VecDeque;

use once_cell::sync::Lazy;
use serde::Deserialize;

use crate::board::{Board, MAX_POINTS, Point, PointSet};
use crate::rules::words::{ApexRule, JumpRule};
use crate::rules::{Family, Masks, Side, State, Variant};

use super::Score;

/// The weights of one family of games, in hundredths of a Rebel as the General sees it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Hundredths of Rebels at which material counts nothing.
    pub even_at: i32,
    /// A Rebel taken.
    pub rebel: i32,
    /// Mobility: an empty point adjacent to the General.
    pub mobility: i32,
    /// Freedom: a point that he could walk to if the Rebels stood still.
    pub freedom: i32,
    /// Initiative: he is to move.
    pub initiative: i32,
    /// Threat: a capture that he can make at once, being to move.
    pub threat: i32,
    /// Weak point: a point within his reach on which he would capture.
    pub weak_point: i32,
    /// Connectivity of the ring: two adjacent Rebels.
    pub ring: i32,
    /// Besieger: a Rebel adjacent to the General.
    pub besieger: i32,
    /// Guarded exit: an exit of the privy that holds a Rebel.
    pub guarded_exit: i32,
    /// Tempo: a step that a Rebel can make.
    pub tempo: i32,
    /// A step of the way to the apex, where that wins for him or is half of it.
    pub apex_distance: i32,
    /// A step of the way to the bottom row, where that wins for him.
    pub bottom_distance: i32,
    /// The apex visited, where only the return is left.
    pub apex_visited: i32,
    /// A free jump left.
    pub free_jump: i32,
}

/// How many points a field may have to count as a small board.
const SMALL_FIELD: u32 = 30;

impl Weights {
    /// The weights for a variant, chosen by its board and its way of capturing.
    #[must_use]
    pub fn of(variant: &Variant) -> &'static Weights {
        static FILES: Lazy<[Weights; 4]> = Lazy::new(|| {
            let files = [
                include_str!("weights/pairs.toml"),
                include_str!("weights/apex.toml"),
                include_str!("weights/jumps.toml"),
                include_str!("weights/double-board.toml"),
            ];
            // Built-in files: a test reads each of them.
            files.map(|text| toml::from_str(text).unwrap_or(Weights::NONE))
        });
        let [pairs, apex, jumps, double_board] = &*FILES;
        let words = variant.words();
        if variant.board().field().len() > SMALL_FIELD {
            double_board
        } else if words.jump != JumpRule::None && !words.intervention {
            jumps
        } else if words.apex == ApexRule::General {
            apex
        } else {
            pairs
        }
    }

    const NONE: Weights = Weights {
        even_at: 0,
        rebel: 0,
        mobility: 0,
        freedom: 0,
        initiative: 0,
        threat: 0,
        weak_point: 0,
        ring: 0,
        besieger: 0,
        guarded_exit: 0,
        tempo: 0,
        apex_distance: 0,
        bottom_distance: 0,
        apex_visited: 0,
        free_jump: 0,
    };
}

/// What the evaluation of a variant needs besides the masks of its rules.
#[derive(Debug)]
pub struct Evaluation {
    weights: &'static Weights,
    /// Steps to the nearest apex and bottom point on the empty board, times their weights.
    goals: [i32; MAX_POINTS],
    /// Lower ends of edges by index offset.
    edges: Vec<(u32, PointSet)>,
}

impl Evaluation {
    /// Prepares the evaluation of a variant.
    #[must_use]
    pub fn new(variant: &Variant) -> Evaluation {
        let (board, masks, weights) = (variant.board(), variant.masks(), Weights::of(variant));
        let to_apex = distances(board, masks.winning_apex | masks.return_apex);
        let to_bottom = distances(board, masks.winning_bottom);
        let mut goals = [0; MAX_POINTS];
        for point in board.all() {
            let at = point.index();
            goals[at] = to_apex[at] * weights.apex_distance + to_bottom[at] * weights.bottom_distance;
        }
        let mut edges: Vec<(u32, PointSet)> = Vec::new();
        for lower in board.all() {
            for upper in board.neighbours(lower).into_iter().filter(|upper| *upper > lower) {
                let offset = (upper.index() - lower.index()) as u32;
                match edges.iter_mut().find(|(other, _)| *other == offset) {
                    Some((_, ends)) => *ends = ends.with(lower),
                    None => edges.push((offset, PointSet::of(lower))),
                }
            }
        }
        Evaluation { weights, goals, edges }
    }

    /// The value of a position for the side to move.
    #[inline(always)]
    #[must_use]
    pub fn evaluate<F: Family>(&self, masks: &Masks, state: &State) -> Score {
        let weights = self.weights;
        let at = state.general.index();
        let empty = masks.empty(state);
        let reach = reach(masks, state.general, empty);
        let mut sum = (weights.even_at - 100 * state.rebels.len() as i32) * weights.rebel / 100;
        sum += (masks.neighbours[at] & empty).len() as i32 * weights.mobility;
        sum += reach.len() as i32 * weights.freedom;
        sum += self.adjacent_pairs(state.rebels) * weights.ring;
        sum += self.goals[at];
        sum += i32::from(state.apex_visited) * weights.apex_visited;
        sum += i32::from(state.free_jumps) * weights.free_jump;
        sum += (masks.neighbours[at] & state.rebels).len() as i32 * weights.besieger;
        sum += (masks.exits & state.rebels).len() as i32 * weights.guarded_exit;
        sum += masks.count_rebel_steps(state.rebels, empty) as i32 * weights.tempo;
        let (threats, weak_points) = captures::<F>(masks, state, reach);
        sum += weak_points * weights.weak_point;
        if state.side == Side::General {
            sum += weights.initiative + threats * weights.threat;
        }
        Score::evaluation(match state.side {
            Side::General => sum,
            Side::Rebels => -sum,
        })
    }

    #[inline(always)]
    fn adjacent_pairs(&self, rebels: PointSet) -> i32 {
        let on = |(offset, lower): &(u32, PointSet)| (rebels.0 & rebels.0 >> offset & lower.0).count_ones() as i32;
        self.edges.iter().map(on).sum()
    }
}

/// Captures that the General could make at once, and points within reach from which he could make one.
#[inline(always)]
fn captures<F: Family>(masks: &Masks, state: &State, reach: PointSet) -> (i32, i32) {
    let mut threats = 0;
    let mut weak_points = 0;
    let near = masks.neighbours[state.general.index()];
    if F::INTERVENTION {
        for point in reach {
            if !masks.interventions[point.index()].held_by(state.rebels).is_empty() {
                weak_points += 1;
                threats += i32::from(near.contains(point));
            }
        }
    }
    if F::DEPARTURE {
        for (to, pairs) in &masks.departures[state.general.index()] {
            threats += i32::from(reach.contains(*to) && !pairs.held_by(state.rebels).is_empty());
        }
    }
    if F::JUMP {
        let open = |at: Point| {
            let hops = masks.jumps[at.index()].iter();
            hops.filter(|hop| state.rebels.contains(hop.over) && !state.rebels.contains(hop.to)).count() as i32
        };
        threats += open(state.general);
        weak_points += reach.into_iter().map(open).sum::<i32>();
    }
    (threats, weak_points)
}

/// The points that the General could walk to one step after another while the Rebels stand still.
#[inline(always)]
#[must_use]
pub fn reach(masks: &Masks, from: Point, empty: PointSet) -> PointSet {
    let mut reach = masks.neighbours[from.index()] & empty;
    let mut frontier = reach;
    while let Some(point) = frontier.first() {
        let new = (masks.neighbours[point.index()] & empty).minus(reach);
        reach |= new;
        frontier = frontier.without(point) | new;
    }
    reach
}

/// Steps on the empty board from each point to the nearest target; 0 where there is no target.
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
    use crate::rules::Position;
    use crate::rules::family::Every;

    #[test]
    fn every_weights_file_reads_and_weighs_material() {
        for id in Variant::builtin_ids() {
            let weights = Weights::of(&Variant::builtin(id).unwrap());
            assert!(weights.rebel > 0, "{id}");
        }
    }

    fn value(text: &str) -> Score {
        let position = Position::from_text(text, None).unwrap();
        Evaluation::new(position.variant()).evaluate::<Every>(position.variant().masks(), position.state())
    }

    #[test]
    fn a_rebel_more_is_good_for_the_rebels_and_the_sides_see_opposite_values() {
        let ring = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr";
        let gap = "1/3/rrrrr/r3r/r1G1r/r3r/1rrrr";
        assert!(value(&format!("{gap} g")) > value(&format!("{ring} g")));
        assert!(value(&format!("{gap} r")) < value(&format!("{ring} r")));
    }

    #[test]
    fn mirror_images_are_worth_the_same() {
        for text in ["1/3/rrrrr/r3r/r1G1r/r2r1/rrr1r g", "1/1G1/r3r/1r3/2r1r/r3r/rrrrr r - 0 0 shap-luk-kon"] {
            let position = Position::from_text(text, None).unwrap();
            let variant = position.variant();
            let evaluation = Evaluation::new(variant);
            let mirrored = variant.mirror(position.state());
            assert_ne!(&mirrored, position.state());
            let worth = |state: &State| evaluation.evaluate::<Every>(variant.masks(), state);
            assert_eq!(worth(&mirrored), worth(position.state()));
        }
    }

    #[test]
    fn reach_stops_at_the_ring() {
        let position = Position::from_text("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g", None).unwrap();
        let masks = position.variant().masks();
        let found = reach(masks, position.state().general, masks.empty(position.state()));
        assert_eq!(position.board().names(found), "b2 c2 d2 b3 d3 b4 c4 d4");
    }
}
