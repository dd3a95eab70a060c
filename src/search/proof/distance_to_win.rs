//! Whether a side can win within so many plies at all, and which steps of the Rebels could be the first of such a win.
//!
//! A win needs the General on a point where he can be beaten, and Rebels on the points that beat him there. When the steps left
//! just suffice for that, each of them must bring a Rebel nearer. And the General chooses where he goes, move by move, and has more
//! ways than the Rebels have steps to close them: a first step must do so for every place that he could go to next, or take the
//! place away, or lure him from there by a jump that he must make.

mod escape;

use crate::board::{Point, PointSet};
use crate::rules::{CompiledRules, Position, Side};

use escape::Look;

use super::bounds::Bounds;
use super::rebel_distance::RebelDistance;

/// With so few steps of the Rebels left, the places where the General could go are looked at.
const LOOKS_AHEAD: usize = 6;

/// Where a step of the Rebels must lead that could be the first of a win in so many plies: no point when there can't be such a win,
/// which is sure, and every point where nothing is known, or where the other side moves or wins.
#[inline(always)]
pub(super) fn targets(
    bounds: &Bounds,
    rules: &CompiledRules,
    state: &Position,
    winner: Side,
    plies: usize,
) -> PointSet {
    let own = if state.side() == winner { plies.div_ceil(2) } else { plies / 2 };
    match winner {
        Side::Rebels if can_go_to_losing_apex(bounds, rules, state, plies - own) => rules.all,
        Side::Rebels if own > 0 => Closing::new(bounds, rules, state, own, plies - own).targets(),
        Side::General if own > 0 && bounds.general_can_win(rules, state, own) => rules.all,
        _ => PointSet::EMPTY,
    }
}

#[inline(always)]
fn can_go_to_losing_apex(bounds: &Bounds, rules: &CompiledRules, state: &Position, moves: usize) -> bool {
    bounds.has_losing_apex && bounds.reach(state, moves).meets(rules.losing_apex)
}

/// What the Rebels could do in a position within so many moves of each side.
struct Closing<'a> {
    bounds: &'a Bounds,
    rules: &'a CompiledRules,
    state: &'a Position,
    steps: RebelDistance,
    /// Can he be closed in, or has he free jumps left that let him out of any ring?
    rings: bool,
    /// The points on which he could be beaten within all these steps, by a first count.
    beatable: PointSet,
    /// RebelDistance of the Rebels.
    moves: usize,
    /// Moves of the General before the last of them.
    before_last: usize,
}

/// Where the General could be beaten, by the number of steps of the Rebels that this takes at least.
type Dangers = [PointSet; LOOKS_AHEAD + 1];

impl<'a> Closing<'a> {
    #[inline(always)]
    fn new(
        bounds: &'a Bounds,
        rules: &'a CompiledRules,
        state: &'a Position,
        moves: usize,
        generals: usize,
    ) -> Closing<'a> {
        let steps = RebelDistance::new(rules, state.rebels());
        // Free jumps can be used up, and need an empty point on the field.
        let rings = state.free_jumps() as usize <= generals || state.rebels().len() + 1 >= rules.field.len();
        let enclosed = PointSet(steps.within(&bounds.enclosure[..bounds.counted], moves as u32)) & bounds.enclosable;
        Closing {
            bounds,
            rules,
            state,
            steps,
            rings,
            beatable: if rings { bounds.beatable | enclosed } else { bounds.beatable },
            moves,
            before_last: if state.side() == Side::Rebels { generals.min(moves.saturating_sub(1)) } else { generals },
        }
    }

    /// As [`targets`] tells, for wins of the Rebels.
    #[inline(always)]
    fn targets(&self) -> PointSet {
        if self.before_last == 0
            || self.moves > LOOKS_AHEAD
            || self.bounds.walks_are_bound
            || self.state.free_jumps() > 0
        {
            let reach = self.reach();
            return match (reach & self.beatable).into_iter().any(|at| self.least_steps(at) < self.moves as u32) {
                true => self.rules.all,
                false => self.tight_targets(reach),
            };
        }
        match self.state.side() {
            Side::General if self.general_is_safe() => PointSet::EMPTY,
            Side::General => self.rules.all,
            Side::Rebels => self.targets_of_step(&self.dangers(self.reach())),
        }
    }

    /// Where he could be when the last step comes.
    fn reach(&self) -> PointSet {
        self.bounds.reach(self.state, self.before_last)
    }

    /// Which of these points are places where he could be beaten?
    #[inline(always)]
    fn dangers(&self, points: PointSet) -> Dangers {
        let mut dangers = Dangers::default();
        self.add_dangers(&mut dangers, points);
        dangers
    }

    #[inline(always)]
    fn add_dangers(&self, dangers: &mut Dangers, points: PointSet) {
        for at in points & self.beatable {
            let least = self.least_steps(at) as usize;
            for (steps, places) in dangers.iter_mut().enumerate() {
                *places |= if steps >= least { PointSet::of(at) } else { PointSet::EMPTY };
            }
        }
    }

    /// The targets of a step of the Rebels, who are to move.
    #[inline(always)]
    fn targets_of_step(&self, dangers: &Dangers) -> PointSet {
        let (all, spare) = (dangers[self.moves], dangers[self.moves - 1]);
        if all.is_empty() {
            return PointSet::EMPTY;
        }
        // Whatever place he could go to next: the step must help against it, or take it away.
        let mut targets = self.rules.all;
        for place in self.walks() {
            if self.is_safe_at(dangers, place, Look::FIRST.after_step()) {
                targets &= PointSet::of(place);
            } else {
                let next = self.bounds.reach_from(place, self.before_last - 1);
                if !next.meets(spare) {
                    targets &= self.tight_targets(next & all).with(place);
                }
            }
        }
        if targets == self.rules.all {
            return targets;
        }
        targets |= self.targets_at(self.state.general(), 1);
        match self.lures(dangers) {
            Some(lures) => targets | lures,
            None if spare.is_empty() => self.tight_targets(all),
            None => self.rules.all,
        }
    }

    /// Where a step must lead that makes the General jump where he is not safe; none when any step may do so, since he must jump
    /// already.
    #[inline(always)]
    fn lures(&self, dangers: &Dangers) -> Option<PointSet> {
        let mut lures = PointSet::EMPTY;
        if self.bounds.jumps_bind {
            for hop in &self.rules.jumps[self.state.general().index()] {
                let left = self.opened(hop, PointSet::EMPTY, 1);
                let look = Look::FIRST.after_step();
                if left.is_some_and(|left| !self.is_way_safe(dangers, hop, PointSet::EMPTY, left, look)) {
                    match (self.state.rebels().contains(hop.over), self.state.rebels().contains(hop.to)) {
                        (true, false) => return None,
                        (true, true) => lures |= self.rules.neighbours[hop.to.index()],
                        (false, _) => lures = lures.with(hop.over),
                    }
                }
            }
        }
        Some(lures)
    }

    /// The targets of a first step to beat him on one of these points, where no step is left over.
    #[inline(always)]
    fn tight_targets(&self, points: PointSet) -> PointSet {
        points.into_iter().fold(PointSet::EMPTY, |targets, at| targets | self.targets_at(at, self.moves as u32))
    }

    /// The targets of the first of so many steps that beat a General on this point.
    #[inline(always)]
    fn targets_at(&self, at: Point, moves: u32) -> PointSet {
        let mut targets = PointSet::EMPTY;
        self.for_each_way(at, |points| targets |= self.steps.targets(self.rules, self.bounds, points, moves));
        targets
    }

    /// The fewest steps of the Rebels that could beat a General on this point.
    #[inline(always)]
    fn least_steps(&self, at: Point) -> u32 {
        let mut least = u32::MAX;
        self.for_each_way(at, |points| least = least.min(self.steps.closely(self.bounds, points, self.moves as u32)));
        least
    }

    /// The points that must hold Rebels to beat a General on this one, for each way of doing so.
    #[inline(always)]
    fn for_each_way(&self, at: Point, mut see: impl FnMut(PointSet)) {
        let (bounds, rules) = (self.bounds, self.rules);
        if self.rings && bounds.enclosable.contains(at) {
            see(bounds.enclosure[at.index()]);
        }
        if rules.closable.contains(at) {
            see(bounds.gate);
        }
        for pair in rules.custody[at.index()].as_slice() {
            if rules.ground.contains_all(*pair) {
                see(*pair);
            }
        }
    }
}

#[cfg(test)]
mod tests;
