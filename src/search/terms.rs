//! What the evaluation counts in a position, apart from where each piece stands.

use crate::board::{Board, Point, PointSet};
use crate::rules::{Family, Masks, State};

/// What is counted in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// Mobility: empty points adjacent to the General.
    pub mobility: u32,
    /// Freedom: points that he could walk to if the Rebels stood still.
    pub freedom: u32,
    /// Connectivity of the ring: pairs of adjacent Rebels.
    pub ring: i32,
    /// Tempo: steps that the Rebels can make.
    pub tempo: i32,
    /// Threats: captures that he could make at once.
    pub threats: i32,
    /// Weak points: points within his reach on which he would capture.
    pub weak_points: i32,
    /// Custody: ways in which a step of a Rebel could capture him.
    pub custody: i32,
}

/// The edges of a board by index offset: lower ends, so that all adjacent pairs are counted at once.
#[derive(Debug)]
pub struct Edges(Vec<(u32, PointSet)>);

impl Edges {
    /// The edges of a board.
    #[must_use]
    pub fn of(board: &Board) -> Edges {
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
        Edges(edges)
    }

    #[inline(always)]
    fn adjacent_pairs(&self, rebels: PointSet) -> i32 {
        let on = |(offset, lower): &(u32, PointSet)| (rebels.0 & rebels.0 >> offset & lower.0).count_ones() as i32;
        self.0.iter().map(on).sum()
    }
}

impl Terms {
    /// Counts.
    #[inline(always)]
    #[must_use]
    pub fn of<F: Family>(masks: &Masks, edges: &Edges, state: &State) -> Terms {
        let empty = masks.empty(state);
        let reach = reach(masks, state.general, empty);
        let (threats, weak_points) = captures::<F>(masks, state, reach);
        Terms {
            mobility: (masks.neighbours[state.general.index()] & empty).len(),
            freedom: reach.len(),
            ring: edges.adjacent_pairs(state.rebels),
            tempo: masks.count_rebel_steps(state.rebels, empty) as i32,
            threats,
            weak_points,
            custody: custody(masks, state, empty),
        }
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

/// Pairs around the General of which one point holds a Rebel, and another Rebel could step to the other.
#[inline(always)]
fn custody(masks: &Masks, state: &State, empty: PointSet) -> i32 {
    let mut count = 0;
    for &pair in masks.custody[state.general.index()].as_slice() {
        let missing = pair & empty;
        if let (1, Some(to)) = (missing.len(), missing.first())
            && state.rebels.minus(pair).meets(masks.neighbours[to.index()])
        {
            count += 1;
        }
    }
    count
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;
    use crate::rules::family::Every;

    fn terms(text: &str) -> Terms {
        let position = Position::from_text(text, None).unwrap();
        Terms::of::<Every>(position.variant().masks(), &Edges::of(position.board()), position.state())
    }

    #[test]
    fn reach_stops_at_the_ring() {
        let position = Position::from_text("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g", None).unwrap();
        let masks = position.variant().masks();
        let found = reach(masks, position.state().general, masks.empty(position.state()));
        assert_eq!(position.board().names(found), "b2 c2 d2 b3 d3 b4 c4 d4");
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
}
