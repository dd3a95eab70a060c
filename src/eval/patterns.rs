//! Patterns of a board that are looked for at all its points at once.
//!
//! Points whose indices differ by the same offset lie in the same direction on most of a board. So a set turned by an offset shows at
//! each point what is there in that direction, and a few such sets answer for all points what would otherwise be asked of each.

use crate::board::{Board, Point, PointSet};
use crate::rules::CompiledRules;

/// The patterns of a variant.
#[derive(Debug)]
pub struct Patterns {
    /// Adjacent pairs by offset: their lower ends.
    edges: Vec<(u32, PointSet)>,
    /// Where a step of the General takes the two points at these offsets.
    interventions: Vec<Two>,
    /// From where he jumps over one point onto another.
    hops: Vec<Two>,
}

/// Two points seen from a third.
#[derive(Debug)]
struct Two {
    /// Offsets from the third point, modulo the bits of a set.
    offsets: [u32; 2],
    /// Where the third point can be.
    seen_from: PointSet,
}

/// At each point: does the set hold the one at this offset? Offsets that lead off the board tell nothing.
#[inline(always)]
fn turned(set: PointSet, offset: u32) -> PointSet {
    PointSet(set.0.rotate_right(offset))
}

impl Patterns {
    /// The patterns of a variant.
    #[must_use]
    pub fn of(board: &Board, rules: &CompiledRules) -> Patterns {
        let (mut interventions, mut hops) = (Vec::new(), Vec::new());
        for at in board.all() {
            for pair in rules.interventions[at.index()].as_slice() {
                if let [Some(a), Some(b)] = [pair.first(), pair.into_iter().last()] {
                    add(&mut interventions, at, [a, b]);
                }
            }
            for hop in &rules.jumps[at.index()] {
                add(&mut hops, at, [hop.over, hop.to]);
            }
        }
        Patterns { edges: edges(board), interventions, hops }
    }

    /// How many pairs of adjacent points does a set have?
    #[inline(always)]
    pub(super) fn adjacent_pairs(&self, set: PointSet) -> i32 {
        let on = |(offset, lower): &(u32, PointSet)| (set.0 & set.0 >> offset & lower.0).count_ones() as i32;
        self.edges.iter().map(on).sum()
    }

    /// The points that can be walked to from those of a set while nothing else moves, those themselves counted.
    #[inline(always)]
    pub(super) fn reach(&self, from: PointSet, empty: PointSet) -> PointSet {
        let mut reach = from;
        loop {
            let mut wider = reach.0;
            for (offset, lower) in &self.edges {
                wider |= (reach.0 & lower.0) << offset | reach.0 >> offset & lower.0;
            }
            wider = wider & empty.0 | from.0;
            if wider == reach.0 {
                return reach;
            }
            reach = PointSet(wider);
        }
    }

    /// On which points would the General take a pair by coming there?
    #[inline(always)]
    pub(super) fn taking(&self, rebels: PointSet) -> PointSet {
        self.interventions.iter().fold(PointSet::EMPTY, |all, two| {
            let [a, b] = two.offsets;
            all | two.seen_from & turned(rebels, a) & turned(rebels, b)
        })
    }

    /// How many jumps over a Rebel onto a point without one start on the points of a set?
    #[inline(always)]
    pub(super) fn count_jumps(&self, from: PointSet, rebels: PointSet) -> i32 {
        let others = PointSet(!rebels.0);
        let jumps = |two: &Two| {
            let [over, to] = two.offsets;
            (two.seen_from & from & turned(rebels, over) & turned(others, to)).len() as i32
        };
        self.hops.iter().map(jumps).sum()
    }
}

fn edges(board: &Board) -> Vec<(u32, PointSet)> {
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
    edges
}

/// Adds two points seen from a third to those that are seen alike.
fn add(all: &mut Vec<Two>, from: Point, points: [Point; 2]) {
    let offsets = points.map(|point| (point.index() as u32).wrapping_sub(from.index() as u32) % u64::BITS);
    match all.iter_mut().find(|two| two.offsets == offsets) {
        Some(two) => two.seen_from = two.seen_from.with(from),
        None => all.push(Two { offsets, seen_from: PointSet::of(from) }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::Variant;

    /// By the neighbours of each point.
    fn walked_to(rules: &CompiledRules, from: PointSet, empty: PointSet) -> PointSet {
        let (mut all, mut frontier) = (from, from);
        while let Some(point) = frontier.first() {
            let new = (rules.neighbours[point.index()] & empty).minus(all);
            all |= new;
            frontier = frontier.without(point) | new;
        }
        all
    }

    proptest! {
        #[test]
        fn all_points_at_once_are_as_each_alone(rebels: u64, more: u64, from: u64, at in 0..64usize) {
            for variant in Variant::builtin_ids().filter_map(Variant::builtin) {
                let (board, rules) = (variant.board(), variant.rules());
                let patterns = Patterns::of(board, rules);
                // Half of the points, and a quarter of them.
                for rebels in [rebels, rebels & more].map(|set| PointSet(set) & rules.all) {
                    let from = PointSet(from) & rules.all;
                    let is_taking = |p: &Point| !rules.interventions[p.index()].held_by(rebels).is_empty();
                    let taking: PointSet = board.all().into_iter().filter(is_taking).collect();
                    prop_assert_eq!(patterns.taking(rebels), taking, "{}", variant.id());
                    let hops = from.into_iter().flat_map(|p| &rules.jumps[p.index()]);
                    let jumps = hops.filter(|hop| rebels.contains(hop.over) && !rebels.contains(hop.to)).count();
                    prop_assert_eq!(patterns.count_jumps(from, rebels), jumps as i32, "{}", variant.id());
                    let pairs: u32 = rebels.into_iter().map(|p| (rules.neighbours[p.index()] & rebels).len()).sum();
                    prop_assert_eq!(patterns.adjacent_pairs(rebels), pairs as i32 / 2, "{}", variant.id());
                    let start = PointSet(1 << at) & rules.all;
                    let empty = rules.all.minus(rebels);
                    prop_assert_eq!(patterns.reach(start, empty), walked_to(rules, start, empty), "{}", variant.id());
                }
            }
        }
    }
}
