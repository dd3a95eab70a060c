//! How few steps bring Rebels where they are needed.
//!
//! Each count takes their task as easier than it is: nobody stands in their way, and each point is reached by the Rebel nearest to
//! it, whichever else he is needed for.

use crate::board::PointSet;
use crate::rules::Masks;

use super::soonest::dilated;

/// How near the Rebels are.
pub(super) struct Steps {
    rebels: PointSet,
    near: PointSet,
    further: PointSet,
}

impl Steps {
    #[inline(always)]
    pub(super) fn new(masks: &Masks, rebels: PointSet) -> Steps {
        let near = dilated(masks, rebels);
        Steps { rebels, near, further: dilated(masks, near) }
    }

    /// The fewest steps after which Rebels could stand on all of these points, if nobody stood in their way and it were enough that
    /// each is reached by the Rebel nearest to it. Points further away than two steps count as three.
    #[inline(always)]
    pub(super) fn least(&self, points: PointSet) -> u32 {
        let missing = points.minus(self.rebels);
        missing.len() + missing.minus(self.near).len() + missing.minus(self.further).len()
    }

    /// The targets of the first of so many such steps.
    #[inline(always)]
    pub(super) fn targets(&self, masks: &Masks, points: PointSet, moves: u32) -> PointSet {
        let least = self.least(points);
        if least != moves {
            return if least < moves { masks.all } else { PointSet::EMPTY };
        }
        // No step is left over: each must bring a Rebel nearer.
        let missing = points.minus(self.rebels);
        let beside_far = beside(masks, missing.minus(self.near));
        let further = missing.minus(self.further);
        missing | beside_far | if further.is_empty() { PointSet::EMPTY } else { beside(masks, beside_far) }
    }
}

/// The points next to those of a set.
#[inline(always)]
fn beside(masks: &Masks, points: PointSet) -> PointSet {
    points.into_iter().fold(PointSet::EMPTY, |all, p| all | masks.neighbours[p.index()])
}
