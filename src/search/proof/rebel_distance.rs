//! The distance of the Rebels: how few steps bring them to points where they are needed.
//!
//! Each count takes their task as easier than it is: nobody stands in their way, and each point is reached by the nearest Rebel,
//! wherever else that one is needed.

use crate::board::{Point, PointSet};
use crate::rules::CompiledRules;

use super::bounds::Bounds;

/// The distance of every point from the nearest Rebel, as a number of two bits: points further away than two steps count as
/// three.
pub(super) struct RebelDistance {
    rebels: PointSet,
    /// The points whose distance has the low bit: one or three steps.
    ones: PointSet,
    /// Those whose distance has the high bit: two or three.
    twos: PointSet,
}

impl RebelDistance {
    #[inline(always)]
    pub(super) fn new(rules: &CompiledRules, rebels: PointSet) -> RebelDistance {
        let near = rules.dilated(rebels);
        let further = rules.dilated(near);
        RebelDistance { rebels, ones: !(rebels ^ near ^ further), twos: !near }
    }

    /// The fewest steps after which Rebels could stand on all of these points.
    #[inline(always)]
    pub(super) fn least(&self, points: PointSet) -> u32 {
        (points & self.ones).len() + 2 * (points & self.twos).len()
    }

    /// The same for one point.
    #[inline(always)]
    pub(super) fn to(&self, point: Point) -> u32 {
        u32::from(self.ones.contains(point)) + 2 * u32::from(self.twos.contains(point))
    }

    /// Which of these sets could Rebels stand on after so many steps, by the count of [`least`](RebelDistance::least)? One bit for each.
    #[inline(always)]
    pub(super) fn within(&self, sets: &[PointSet], most: u32) -> u64 {
        // All at once, without a branch: so the compiler counts several in one instruction.
        let mut bits = 0;
        for (place, set) in sets.iter().enumerate() {
            bits |= u64::from(self.least(*set) <= most) << place;
        }
        bits
    }

    /// As [`least`](RebelDistance::least), but counted exactly when it is at most `most`: Rebels that stand on the points stay
    /// there or are replaced, so others must come, each to one point.
    #[inline(always)]
    pub(super) fn exact(&self, bounds: &Bounds, points: PointSet, most: u32) -> u32 {
        let least = self.least(points);
        if least > most || least == 0 {
            return least;
        }
        let missing = points.minus(self.rebels);
        let others = self.rebels.minus(points);
        if others.len() < missing.len() {
            return u32::MAX;
        }
        let (mut sum, mut beside, mut used) = (0, 0, PointSet::EMPTY);
        for point in missing {
            let [once, twice] = bounds.origins[point.index()];
            if once.meets(others) {
                sum += 1;
                beside += 1;
                used |= once & others;
            } else {
                sum += if twice.meets(others) { 2 } else { 3 };
            }
        }
        // A Rebel next to two of the points comes to one of them only.
        sum + u32::saturating_sub(beside, used.len())
    }

    /// The targets of the first of so many steps that bring Rebels to these points.
    #[inline(always)]
    pub(super) fn targets(&self, rules: &CompiledRules, bounds: &Bounds, points: PointSet, moves: u32) -> PointSet {
        let least = self.exact(bounds, points, moves);
        if least != moves {
            return if least < moves { rules.all() } else { PointSet::EMPTY };
        }
        // No step is left over: each must bring a Rebel nearer to a missing point.
        let missing = points.minus(self.rebels);
        let others = self.rebels.minus(points);
        let beyond = |steps: usize| -> PointSet {
            missing.into_iter().filter(|p| !bounds.origins[p.index()][steps - 1].meets(others)).collect()
        };
        let (mut far, mut further) = (beyond(1), beyond(2));
        if least > missing.len() + far.len() + further.len() {
            (far, further) = (missing, missing);
        }
        missing | beside(rules, far) | beside(rules, beside(rules, further))
    }
}

/// The points next to those of a set.
#[inline(always)]
fn beside(rules: &CompiledRules, points: PointSet) -> PointSet {
    points.into_iter().fold(PointSet::EMPTY, |all, p| all | rules.neighbours(p))
}

#[cfg(test)]
mod tests {
    use crate::rules::Game;

    use super::*;

    #[test]
    fn a_distance_is_the_number_of_dilations_up_to_three() {
        let game = Game::from_text("3/3/G4/5/5/1r3/4r g - 0 0 juroku-musashi", None).unwrap();
        let (rules, position) = (game.variant().rules(), game.position());
        let distance = RebelDistance::new(rules, position.rebels());
        let mut seen = [0; 4];
        for point in rules.all() {
            let mut reached = position.rebels();
            let mut steps = 0;
            while !reached.contains(point) && steps < 3 {
                reached = rules.dilated(reached);
                steps += 1;
            }
            assert_eq!((distance.to(point), distance.least(PointSet::of(point))), (steps, steps));
            seen[steps as usize] += 1;
        }
        assert!(seen.iter().all(|count| *count > 1), "{seen:?}");
    }

    #[test]
    fn each_rebel_comes_to_one_point_only_and_none_leaves_a_gap() {
        // One Rebel next to both of two points, one far away.
        let game = Game::from_text("3/3/G4/5/5/1r3/4r g - 0 0 juroku-musashi", None).unwrap();
        let (variant, position) = (game.variant(), game.position());
        let bounds = Bounds::new(variant);
        let steps = RebelDistance::new(variant.rules(), position.rebels());
        let point = |name: &str| variant.board().point(name.parse().unwrap()).unwrap();
        let set = |names: &[&str]| names.iter().map(|name| point(name)).collect::<PointSet>();
        let both = set(&["b3", "a2"]);
        assert_eq!((steps.least(both), steps.exact(&bounds, both, 9)), (2, 3));
        // A Rebel on one of the points would leave it.
        let held = set(&["b2", "b3"]);
        assert_eq!((steps.least(held), steps.exact(&bounds, held, 9)), (1, 3));
        // More points than Rebels can hold.
        let three = set(&["b3", "a2", "c2"]);
        assert_eq!(steps.exact(&bounds, three, 9), u32::MAX);
        // Not counted exactly when it is too much anyway.
        assert_eq!(steps.exact(&bounds, both, 1), 2);
    }
}
