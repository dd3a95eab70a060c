//! Where the General could go so that nothing can happen to him.

use crate::board::{Point, PointSet};
use crate::rules::Hop;

use super::{Closing, Dangers, LOOKS_AHEAD};

/// So many of his moves after the first are looked at one by one.
const LEVELS: usize = 1;

/// How far ahead a place of the General is looked at.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// The steps that the Rebels will have made when he comes there.
    steps: usize,
    /// So many of his further moves are looked at one by one.
    levels: usize,
}

impl Look {
    pub(super) const FIRST: Look = Look { steps: 0, levels: LEVELS };

    #[inline(always)]
    pub(super) fn after_step(self) -> Look {
        Look { steps: self.steps + 1, ..self }
    }
}

impl Closing<'_> {
    /// The jumps that he must choose from, where he must jump.
    fn jumps_open_now(&self) -> impl Iterator<Item = &Hop> {
        let hops = self.bounds.jumps_bind.then(|| self.rules.jumps[self.state.general().index()].iter());
        hops.into_iter().flatten().filter(|hop| self.opened(hop, PointSet::EMPTY, 0).is_some())
    }

    /// Can the General, who is to move, go where nothing can happen to him?
    pub(super) fn general_is_safe(&self) -> bool {
        let mut hops = self.jumps_open_now().peekable();
        if hops.peek().is_some() {
            let dangers = self.dangers(self.reach());
            return hops.any(|hop| self.is_way_safe(&dangers, hop, PointSet::EMPTY, 0, Look::FIRST));
        }
        let (mut dangers, mut known) = (Dangers::default(), PointSet::EMPTY);
        self.walks().into_iter().any(|place| {
            // One place often is enough: only what could be reached from it need be known.
            let reach = self.bounds.reach_from(place, self.before_last - 1);
            self.add_dangers(&mut dangers, reach.minus(known));
            known |= reach;
            self.is_safe_at(&dangers, place, Look::FIRST)
        })
    }

    /// Where he can walk to.
    pub(super) fn walks(&self) -> PointSet {
        self.rules.neighbours[self.state.general().index()] & self.rules.empty(self.state)
    }

    /// Can nothing happen to a General who has come to this place?
    pub(super) fn is_safe_at(&self, dangers: &Dangers, place: Point, look: Look) -> bool {
        // The next step could beat him.
        !dangers[look.steps + 1].contains(place) && self.is_safe_later(dangers, place, look)
    }

    /// The same after the next step.
    fn is_safe_later(&self, dangers: &Dangers, place: Point, look: Look) -> bool {
        let next = Look { steps: look.steps + 1, levels: look.levels.saturating_sub(1) };
        let left = self.moves - next.steps;
        if left == 0 || !self.bounds.reach_from(place, left).meets(dangers[self.moves]) {
            return true;
        }
        if look.levels == 0 {
            return false;
        }
        // Each step so far may have taken one of his ways.
        let empty = self.rules.empty(self.state).with(self.state.general());
        let ways = (self.rules.neighbours[place.index()] & empty).minus(dangers[next.steps + 1]);
        if ways.len() as usize <= next.steps {
            return false;
        }
        if left > 1 && ways.into_iter().filter(|way| self.is_safe_at(dangers, *way, next)).nth(next.steps).is_none() {
            return false;
        }
        !self.bounds.jumps_bind || self.are_jumps_safe(dangers, place, PointSet::EMPTY, next.steps as u32, next)
    }

    /// How many of so many steps of the Rebels are left when they have made a jump possible; none when they can't. Some Rebels were
    /// taken before.
    #[inline(always)]
    pub(super) fn opened(&self, hop: &Hop, taken: PointSet, steps: u32) -> Option<u32> {
        if taken.contains(hop.over) {
            return None;
        }
        let comes = self.steps.least(PointSet::of(hop.over));
        let vacates = u32::from(self.state.rebels().minus(taken).contains(hop.to));
        // Who stands behind can come between, in one step.
        steps.checked_sub(if comes > 0 && vacates > 0 { 1 } else { comes + vacates })
    }

    /// Is he safe wherever jumps from a point lead, after so many steps of the Rebels?
    fn are_jumps_safe(&self, dangers: &Dangers, from: Point, taken: PointSet, steps: u32, look: Look) -> bool {
        if look.steps + 1 == self.moves {
            // With the last step only where jumps end matters.
            let ends = self.dangers_after_jump(dangers, self.moves);
            let mut seen = [PointSet::EMPTY; LOOKS_AHEAD + 1];
            return !self.bounds.jumped_to[from.index()].meets(ends)
                || !self.can_jump_to(ends, from, taken, steps, &mut seen);
        }
        self.rules.jumps[from.index()].iter().all(|hop| {
            let left = self.opened(hop, taken, steps);
            left.is_none_or(|left| self.is_way_safe(dangers, hop, taken, left, look))
        })
    }

    /// Could jumps lead from a point to one of these ends? By steps left, `seen` holds the points that need not be looked at again.
    fn can_jump_to(
        &self,
        ends: PointSet,
        from: Point,
        taken: PointSet,
        steps: u32,
        seen: &mut [PointSet; LOOKS_AHEAD + 1],
    ) -> bool {
        self.rules.jumps[from.index()].iter().any(|hop| {
            let Some(left) = self.opened(hop, taken, steps) else { return false };
            if seen[left as usize].contains(hop.to) {
                return false;
            }
            for seen in &mut seen[..=left as usize] {
                *seen = seen.with(hop.to);
            }
            ends.contains(hop.to) || self.rules.chains && self.can_jump_to(ends, hop.to, taken, left, seen)
        })
    }

    /// Where he could be beaten when he has come by a jump: whom he took is missing in the ring.
    fn dangers_after_jump(&self, dangers: &Dangers, steps: usize) -> PointSet {
        dangers[steps - 1] | dangers[steps].minus(self.bounds.by_ring)
    }

    /// Is he safe after a jump, and wherever it leads on from there?
    pub(super) fn is_way_safe(&self, dangers: &Dangers, hop: &Hop, taken: PointSet, steps: u32, look: Look) -> bool {
        !self.dangers_after_jump(dangers, look.steps + 1).contains(hop.to)
            && self.is_safe_later(dangers, hop.to, look)
            && (!self.rules.chains || self.are_jumps_safe(dangers, hop.to, taken.with(hop.over), steps, look))
    }
}
