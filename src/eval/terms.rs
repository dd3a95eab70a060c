//! What the evaluation counts in a position, apart from where each piece stands.

use crate::board::PointSet;
use crate::rules::{CompiledRules, Family, Position};

use super::patterns::Patterns;

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

impl Terms {
    /// Counts.
    #[inline(always)]
    #[must_use]
    pub fn of<F: Family>(rules: &CompiledRules, patterns: &Patterns, state: &Position) -> Terms {
        let empty = rules.empty(state);
        let walks = rules.neighbours[state.general().index()] & empty;
        let reach = patterns.reach(walks, empty);
        let (threats, weak_points) = captures::<F>(rules, patterns, state, reach);
        Terms {
            mobility: walks.len(),
            freedom: reach.len(),
            ring: patterns.adjacent_pairs(state.rebels()),
            tempo: rules.count_rebel_steps(state.rebels(), empty) as i32,
            threats,
            weak_points,
            custody: custody(rules, state, empty),
        }
    }
}

/// Captures that the General could make at once, and points within reach from which he could make one.
#[inline(always)]
fn captures<F: Family>(rules: &CompiledRules, patterns: &Patterns, state: &Position, reach: PointSet) -> (i32, i32) {
    let mut threats = 0;
    let mut weak_points = 0;
    if F::INTERVENTION {
        let taking = patterns.taking(state.rebels()) & reach;
        weak_points += taking.len() as i32;
        threats += (taking & rules.neighbours[state.general().index()]).len() as i32;
    }
    if F::DEPARTURE {
        for (to, pairs) in &rules.departures[state.general().index()] {
            threats += i32::from(reach.contains(*to) && !pairs.held_by(state.rebels()).is_empty());
        }
    }
    if F::JUMP {
        threats += patterns.count_jumps(PointSet::of(state.general()), state.rebels());
        weak_points += patterns.count_jumps(reach, state.rebels());
    }
    (threats, weak_points)
}

/// Pairs around the General of which one point holds a Rebel, and another Rebel could step to the other.
#[inline(always)]
fn custody(rules: &CompiledRules, state: &Position, empty: PointSet) -> i32 {
    let mut count = 0;
    for &pair in rules.custody[state.general().index()].as_slice() {
        let missing = pair & empty;
        if let (1, Some(to)) = (missing.len(), missing.first())
            && state.rebels().minus(pair).meets(rules.neighbours[to.index()])
        {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::rules::family::Every;

    fn terms(text: &str) -> Terms {
        let position = Game::from_text(text, None).unwrap();
        let rules = position.variant().rules();
        Terms::of::<Every>(rules, &Patterns::of(position.board(), rules), position.position())
    }

    #[test]
    fn reach_stops_at_the_ring() {
        let position = Game::from_text("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g", None).unwrap();
        let rules = position.variant().rules();
        let empty = rules.empty(position.position());
        let walks = rules.neighbours[position.position().general().index()] & empty;
        let found = Patterns::of(position.board(), rules).reach(walks, empty);
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
