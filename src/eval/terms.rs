//! The terms of the evaluation, apart from piece-square tables.
//!
//! They are computed for all points at once. Points whose indices differ by the same offset lie in the same direction on most of a board, so a
//! set rotated by an offset shows at each point its neighbour in that direction.

use crate::board::{Board, Point, PointSet};
use crate::rules::{CompiledRules, Family, Position};

/// The terms of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// Mobility: empty points adjacent to the General.
    pub mobility: u32,
    /// Freedom: points that the General could walk to if the Rebels stood still.
    pub freedom: u32,
    /// Connectivity of the ring: pairs of adjacent Rebels.
    pub ring: i32,
    /// Tempo: steps that the Rebels can make.
    pub tempo: i32,
    /// Threats: captures that the General could make at once.
    pub threats: i32,
    /// Weak points: points within its reach on which it would capture.
    pub weak_points: i32,
    /// Custody: ways in which a step of a Rebel could capture the General.
    pub custody: i32,
}

impl Terms {
    /// Counts the terms of a position.
    #[inline(always)]
    pub fn of<F: Family>(rules: &CompiledRules, patterns: &Patterns, position: &Position) -> Terms {
        let empty = rules.empty(position);
        let walks = rules.neighbours(position.general()) & empty;
        let reach = patterns.reach(walks, empty);
        let (threats, weak_points) = captures::<F>(rules, patterns, position, reach);
        Terms {
            mobility: walks.len(),
            freedom: reach.len(),
            ring: patterns.adjacent_pairs(position.rebels()),
            tempo: rules.count_rebel_steps(position.rebels(), empty) as i32,
            threats,
            weak_points,
            custody: custody(rules, position, empty),
        }
    }
}

#[inline(always)]
fn captures<F: Family>(rules: &CompiledRules, patterns: &Patterns, position: &Position, reach: PointSet) -> (i32, i32) {
    let mut threats = 0;
    let mut weak_points = 0;
    if F::INTERVENTION {
        let taking = patterns.taking(position.rebels()) & reach;
        weak_points += taking.len() as i32;
        threats += (taking & rules.neighbours(position.general())).len() as i32;
    }
    if F::DEPARTURE {
        for (to, taken) in rules.taken_on_departure(position.general(), position.rebels()) {
            threats += i32::from(reach.contains(to) && !taken.is_empty());
        }
    }
    if F::JUMP {
        threats += patterns.count_jumps(PointSet::of(position.general()), position.rebels());
        weak_points += patterns.count_jumps(reach, position.rebels());
    }
    (threats, weak_points)
}

/// Pairs around the General with one Rebel, whose other point another Rebel could step to.
#[inline(always)]
fn custody(rules: &CompiledRules, position: &Position, empty: PointSet) -> i32 {
    let mut count = 0;
    for &pair in rules.custody(position.general()) {
        let missing = pair & empty;
        if let (1, Some(to)) = (missing.len(), missing.first())
            && position.rebels().minus(pair).meets(rules.neighbours(to))
        {
            count += 1;
        }
    }
    count
}

/// Offsets of neighbours, interventions and jumps of a variant.
#[derive(Debug)]
pub struct Patterns {
    /// Adjacent pairs by offset: their lower ends.
    edges: Vec<(u32, PointSet)>,
    /// Interventions: the General captures the points at both offsets.
    interventions: Vec<Pair>,
    /// Jumps over the first point onto the second.
    hops: Vec<Pair>,
}

/// Two points seen from a third.
#[derive(Debug)]
struct Pair {
    /// From the third point, modulo the bits of a set.
    offsets: [u32; 2],
    /// Where the third point can be.
    seen_from: PointSet,
}

/// At each point: does the set hold the one at this offset? Offsets off the board give arbitrary bits.
#[inline(always)]
fn rotated(set: PointSet, offset: u32) -> PointSet {
    PointSet(set.0.rotate_right(offset))
}

impl Patterns {
    /// Compiles the patterns of a variant.
    pub fn of(board: &Board, rules: &CompiledRules) -> Patterns {
        let (mut interventions, mut hops) = (Vec::new(), Vec::new());
        for at in board.all() {
            for pair in rules.arrival_pairs(at) {
                if let [Some(a), Some(b)] = [pair.first(), pair.into_iter().last()] {
                    add(&mut interventions, at, [a, b]);
                }
            }
            for hop in rules.jumps(at) {
                add(&mut hops, at, [hop.over, hop.to]);
            }
        }
        Patterns { edges: edges(board), interventions, hops }
    }

    #[inline(always)]
    fn adjacent_pairs(&self, set: PointSet) -> i32 {
        let mut count = 0;
        for (offset, lower) in &self.edges {
            count += (set.0 & set.0 >> offset & lower.0).count_ones() as i32;
        }
        count
    }

    /// The points that can be walked to from a set while nothing else moves, itself included.
    #[inline(always)]
    fn reach(&self, from: PointSet, empty: PointSet) -> PointSet {
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

    #[inline(always)]
    fn taking(&self, rebels: PointSet) -> PointSet {
        let mut taking = PointSet::EMPTY;
        for Pair { offsets: [a, b], seen_from } in &self.interventions {
            taking |= *seen_from & rotated(rebels, *a) & rotated(rebels, *b);
        }
        taking
    }

    /// The number of jumps from points of a set over a Rebel onto a point without one.
    #[inline(always)]
    fn count_jumps(&self, from: PointSet, rebels: PointSet) -> i32 {
        let others = PointSet(!rebels.0);
        let mut count = 0;
        for Pair { offsets: [over, to], seen_from } in &self.hops {
            count += (*seen_from & from & rotated(rebels, *over) & rotated(others, *to)).len() as i32;
        }
        count
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

/// Adds two points seen from a third, merged with those at the same offsets.
fn add(all: &mut Vec<Pair>, from: Point, points: [Point; 2]) {
    let offsets = points.map(|point| (point.index() as u32).wrapping_sub(from.index() as u32) % u64::BITS);
    match all.iter_mut().find(|pair| pair.offsets == offsets) {
        Some(pair) => pair.seen_from = pair.seen_from.with(from),
        None => all.push(Pair { offsets, seen_from: PointSet::of(from) }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::family::Every;
    use crate::rules::{Game, Variant};

    fn terms(text: &str) -> Terms {
        let game = Game::from_text(text, None).unwrap();
        let rules = game.variant().rules();
        Terms::of::<Every>(rules, &Patterns::of(game.board(), rules), game.position())
    }

    #[test]
    fn reach_stops_at_the_ring() {
        let game = Game::from_text("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g", None).unwrap();
        let rules = game.variant().rules();
        let empty = rules.empty(game.position());
        let walks = rules.neighbours(game.position().general()) & empty;
        let found = Patterns::of(game.board(), rules).reach(walks, empty);
        assert_eq!(game.board().names(found), "b2 c2 d2 b3 d3 b4 c4 d4");
    }

    #[test]
    fn the_opening_is_counted() {
        let counted = terms("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g");
        assert_eq!((counted.mobility, counted.freedom, counted.ring, counted.custody), (8, 8, 16, 0));
        assert_eq!((counted.threats, counted.weak_points), (4, 4));
    }

    #[test]
    fn a_capture_that_a_rebel_could_make_by_stepping_is_counted() {
        let before = "1/3/5/3G1/2r2/5/1r1rr r - 0 0 sixteen-rebels-murray";
        assert_eq!(terms(before).custody, 0);
        let before = "1/3/r4/5/2G2/1r3/5 r - 0 0 sixteen-rebels-murray";
        assert_eq!(terms(before).custody, 0);
        let before = "1/3/5/4r/2G2/1r3/5 r - 0 0 sixteen-rebels-murray";
        assert_eq!(terms(before).custody, 1);
    }

    /// By the neighbours of each point.
    fn walked_to(rules: &CompiledRules, from: PointSet, empty: PointSet) -> PointSet {
        let (mut all, mut frontier) = (from, from);
        while let Some(point) = frontier.first() {
            let new = (rules.neighbours(point) & empty).minus(all);
            all |= new;
            frontier = frontier.without(point) | new;
        }
        all
    }

    proptest! {
        #[test]
        fn all_points_at_once_equal_each_point_alone(rebels: u64, more: u64, from: u64, at in 0..64usize) {
            for variant in Variant::all_ids().filter_map(Variant::builtin) {
                let (board, rules) = (variant.board(), variant.rules());
                let patterns = Patterns::of(board, rules);
                // Half of the points, and a quarter of them.
                for rebels in [rebels, rebels & more].map(|set| PointSet(set) & rules.all()) {
                    let from = PointSet(from) & rules.all();
                    let is_taking = |p: &Point| !rules.taken_on_arrival(*p, rebels).is_empty();
                    let taking: PointSet = board.all().into_iter().filter(is_taking).collect();
                    prop_assert_eq!(patterns.taking(rebels), taking, "{}", variant.id());
                    let hops = from.into_iter().flat_map(|p| rules.jumps(p));
                    let jumps = hops.filter(|hop| rebels.contains(hop.over) && !rebels.contains(hop.to)).count();
                    prop_assert_eq!(patterns.count_jumps(from, rebels), jumps as i32, "{}", variant.id());
                    let pairs: u32 = rebels.into_iter().map(|p| (rules.neighbours(p) & rebels).len()).sum();
                    prop_assert_eq!(patterns.adjacent_pairs(rebels), pairs as i32 / 2, "{}", variant.id());
                    let start = PointSet(1 << at) & rules.all();
                    let empty = rules.all().minus(rebels);
                    prop_assert_eq!(patterns.reach(start, empty), walked_to(rules, start, empty), "{}", variant.id());
                }
            }
        }
    }
}
