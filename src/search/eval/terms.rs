//! The terms of the evaluation, apart from piece-square tables.
//!
//! They are computed for all points at once. Points whose indices differ by the same offset lie in the same direction
//! on most of a board, so a set rotated by an offset shows at each point its neighbour in that direction.

use privy_rules::board::{Board, Point, PointSet};
use privy_rules::{CompiledRules, Position};

/// What is counted with a table of weights, one for each count: Rebels (material), empty points adjacent to the General
/// (mobility), points that it could walk to if the Rebels stood still (freedom).
pub const TABLES: [&str; 3] = ["material", "mobility", "freedom"];

/// What is counted with one weight for each.
///
/// | key | what |
/// |---|---|
/// | `ring` | connectivity: pairs of adjacent Rebels |
/// | `tempo` | steps that the Rebels can make |
/// | `threat` | captures that the General could make at once |
/// | `weak_point` | points within its reach on which it would capture |
/// | `custody` | ways in which a step of a Rebel could capture the General |
/// | `apex_visited` | 1 if the apex has been visited, so that only the return is left |
/// | `free_jump` | free jumps left |
pub const TERMS: [&str; 7] = ["ring", "tempo", "threat", "weak_point", "custody", "apex_visited", "free_jump"];

/// The terms of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// By table of [`TABLES`].
    pub tables: [u32; TABLES.len()],
    /// By term of [`TERMS`].
    pub counts: [i32; TERMS.len()],
}

impl Terms {
    /// Counts the terms of a position.
    #[inline(always)]
    pub fn of(rules: &CompiledRules, patterns: &Patterns, position: &Position) -> Terms {
        let empty = rules.empty(position);
        let walks = rules.neighbours[position.general()] & empty;
        let reach = patterns.reach(walks, empty);
        let ring = patterns.adjacent_pairs(position.rebels());
        let tempo = rules.count_rebel_steps(position.rebels(), empty) as i32;
        let (threats, weak_points) = captures(rules, patterns, position, reach);
        let custody = custody(rules, position, empty);
        let [apex_visited, free_jumps] = [u8::from(position.apex_visited()), position.free_jumps()].map(i32::from);
        Terms {
            tables: [position.rebels_left(), walks.len(), reach.len()],
            counts: [ring, tempo, threats, weak_points, custody, apex_visited, free_jumps],
        }
    }
}

#[inline(always)]
fn captures(rules: &CompiledRules, patterns: &Patterns, position: &Position, reach: PointSet) -> (i32, i32) {
    let (general, rebels) = (position.general(), position.rebels());
    let taking = patterns.taking(rebels) & reach;
    let mut threats = (taking & rules.neighbours[general]).len() as i32;
    for (to, taken) in rules.taken_on_departure(general, rebels) {
        threats += i32::from(reach.contains(to) && !taken.is_empty());
    }
    threats += patterns.count_jumps(PointSet::of(general), rebels);
    (threats, taking.len() as i32 + patterns.count_jumps(reach, rebels))
}

/// Pairs around the General with one Rebel, whose other point another Rebel could step to.
#[inline(always)]
fn custody(rules: &CompiledRules, position: &Position, empty: PointSet) -> i32 {
    let mut count = 0;
    for &pair in rules.custody(position.general()) {
        let missing = pair & empty;
        if let (1, Some(to)) = (missing.len(), missing.first())
            && position.rebels().minus(pair).meets(rules.neighbours[to])
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
    interventions: Vec<SeenPair>,
    /// Jumps over the first point onto the second.
    hops: Vec<SeenPair>,
}

/// Two points seen from a third.
#[derive(Debug)]
struct SeenPair {
    /// From the third point, modulo the bits of a set.
    offsets: [u32; 2],
    /// Where the third point can be.
    seen_from: PointSet,
}

/// Returns the points at whose offset the set has a point. Offsets off the board give arbitrary bits.
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
            for hop in &rules.jumps[at] {
                // A jump over a longer row is rare.
                if let Some(over) = hop.over.first().filter(|_| hop.over.len() == 1) {
                    add(&mut hops, at, [over, hop.to]);
                }
            }
        }
        Patterns { edges: edges(board), interventions, hops }
    }

    #[inline(always)]
    pub fn adjacent_pairs(&self, set: PointSet) -> i32 {
        let mut count = 0;
        for (offset, lower) in &self.edges {
            count += (set.0 & set.0 >> offset & lower.0).count_ones() as i32;
        }
        count
    }

    /// The points that can be walked to from a set while nothing else moves, itself included.
    #[inline(always)]
    pub fn reach(&self, from: PointSet, empty: PointSet) -> PointSet {
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
    pub fn taking(&self, rebels: PointSet) -> PointSet {
        let mut taking = PointSet::EMPTY;
        for SeenPair { offsets: [a, b], seen_from } in &self.interventions {
            taking |= *seen_from & rotated(rebels, *a) & rotated(rebels, *b);
        }
        taking
    }

    /// The number of jumps from points of a set over a Rebel onto a point without one.
    #[inline(always)]
    pub fn count_jumps(&self, from: PointSet, rebels: PointSet) -> i32 {
        let others = PointSet(!rebels.0);
        let mut count = 0;
        for SeenPair { offsets: [over, to], seen_from } in &self.hops {
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
fn add(all: &mut Vec<SeenPair>, from: Point, points: [Point; 2]) {
    let offsets = points.map(|point| (point.index() as u32).wrapping_sub(from.index() as u32) % u64::BITS);
    match all.iter_mut().find(|pair| pair.offsets == offsets) {
        Some(pair) => pair.seen_from = pair.seen_from.with(from),
        None => all.push(SeenPair { offsets, seen_from: PointSet::of(from) }),
    }
}
