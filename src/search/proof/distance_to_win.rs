//! The distance to a win: an admissible bound of its plies, and the steps of the Rebels that can begin a win within n
//! plies.
//!
//! A win needs the General on a point where it can be beaten, and Rebels on the points that beat it there. When no step
//! is spare, each must bring a Rebel nearer. And the General escapes: it has more ways than the Rebels have steps to
//! close them. So a first step must work against every point to which the General could go next, or take that point
//! away. Where capture is compulsory, the first estimate alone decides.

use privy_base::best_instructions;
use privy_rules::board::{Point, PointSet};
use privy_rules::{CompiledRules, Position, Side};

use super::bounds::{Bounds, RebelDistance};

/// Escapes are examined when the Rebels have at most this many steps left.
const MOST_STEPS: usize = 6;
/// After the first move of the General, this many are examined one by one.
const LEVELS: usize = 1;

/// The points to which the first step of a win of the Rebels within this number of plies must lead. Empty: no such win
/// exists. All points: no bound applies, or the other side moves or wins.
#[inline(always)]
pub fn winning_targets(
    bounds: &Bounds,
    rules: &CompiledRules,
    position: &Position,
    winner: Side,
    plies: usize,
) -> PointSet {
    if !bounds.hold {
        return rules.all;
    }
    let own = if position.side() == winner { plies.div_ceil(2) } else { plies / 2 };
    let others = plies - own;
    let can_lose_on_apex = || bounds.reach(position, others).meets(rules.losing_apex);
    match winner {
        Side::Rebels if can_lose_on_apex() => rules.all,
        Side::Rebels if own > 0 => Siege::new(bounds, rules, position, own, others).targets(),
        Side::General if own > 0 && bounds.general_can_win(rules, position, own) => rules.all,
        _ => PointSet::EMPTY,
    }
}

/// The Rebels' prospects of a win within a number of moves of each side.
struct Siege<'a> {
    bounds: &'a Bounds,
    rules: &'a CompiledRules,
    position: &'a Position,
    distance: RebelDistance,
    /// False while the General has free jumps left that let it out of any ring.
    can_enclose: bool,
    /// The points on which it could be beaten within all these steps, by a first estimate.
    beatable: PointSet,
    /// Steps of the Rebels.
    steps: usize,
    /// Moves of the General before the last of them.
    before_last: usize,
}

/// Points by a number of steps of the Rebels. Dangers: where the General could be beaten after at most that many.
type BySteps = [PointSet; MOST_STEPS + 1];

impl<'a> Siege<'a> {
    #[inline(always)]
    fn new(
        bounds: &'a Bounds,
        rules: &'a CompiledRules,
        position: &'a Position,
        steps: usize,
        generals: usize,
    ) -> Siege<'a> {
        let distance = RebelDistance::new(rules, position.rebels());
        // Free jumps can be used up, and need an empty point on the field.
        let can_enclose =
            position.free_jumps() as usize <= generals || position.rebels().len() + 1 >= rules.field.len();
        let enclosed = PointSet(distance.within(&bounds.enclosure[..bounds.counted], steps as u32)) & bounds.enclosable;
        let rebels_move = position.side() == Side::Rebels;
        Siege {
            bounds,
            rules,
            position,
            distance,
            can_enclose,
            beatable: if can_enclose { bounds.beatable | enclosed } else { bounds.beatable },
            steps,
            before_last: if rebels_move { generals.min(steps.saturating_sub(1)) } else { generals },
        }
    }

    #[inline(always)]
    fn targets(&self) -> PointSet {
        let is_unclear = self.rules.capture_is_compulsory || self.position.free_jumps() > 0;
        if self.before_last == 0 || self.steps > MOST_STEPS || is_unclear {
            let reach = self.reach();
            return match (reach & self.beatable).into_iter().any(|at| self.least_steps(at) < self.steps as u32) {
                true => self.rules.all,
                false => self.tight_targets(reach),
            };
        }
        match self.position.side() {
            Side::General if dispatch_general_escapes(self) => PointSet::EMPTY,
            Side::General => self.rules.all,
            Side::Rebels => self.targets_of_step(&self.dangers(self.reach())),
        }
    }

    fn reach(&self) -> PointSet {
        self.bounds.reach(self.position, self.before_last)
    }

    fn walks(&self) -> PointSet {
        self.rules.neighbours[self.position.general()] & self.rules.empty(self.position)
    }

    /// The dangers among `points`.
    #[inline(always)]
    fn dangers(&self, points: PointSet) -> BySteps {
        let mut dangers = BySteps::default();
        self.add_dangers(&mut dangers, points);
        dangers
    }

    #[inline(always)]
    fn add_dangers(&self, dangers: &mut BySteps, points: PointSet) {
        for at in points & self.beatable {
            let least = self.least_steps(at) as usize;
            for (steps, places) in dangers.iter_mut().enumerate() {
                *places |= if steps >= least { PointSet::of(at) } else { PointSet::EMPTY };
            }
        }
    }

    #[inline(always)]
    fn targets_of_step(&self, dangers: &BySteps) -> PointSet {
        let (all, spare) = (dangers[self.steps], dangers[self.steps - 1]);
        if all.is_empty() {
            return PointSet::EMPTY;
        }
        // The step must work against every point to which the General could go next, or take it away.
        let mut targets = self.rules.all;
        for place in self.walks() {
            if self.is_safe_at(dangers, place, 1, LEVELS) {
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
        targets | self.targets_at(self.position.general(), 1)
    }

    /// The targets of a first step to beat the General on one of these points, with no spare step.
    #[inline(always)]
    fn tight_targets(&self, points: PointSet) -> PointSet {
        points.into_iter().fold(PointSet::EMPTY, |targets, at| targets | self.targets_at(at, self.steps as u32))
    }

    /// The targets of the first of `steps` steps that beat a General on this point.
    #[inline(always)]
    fn targets_at(&self, at: Point, steps: u32) -> PointSet {
        let mut targets = PointSet::EMPTY;
        self.for_each_way(at, |points| targets |= self.distance.targets(self.rules, self.bounds, points, steps));
        targets
    }

    #[inline(always)]
    fn least_steps(&self, at: Point) -> u32 {
        let mut least = u32::MAX;
        self.for_each_way(at, |points| least = least.min(self.distance.exact(self.bounds, points, self.steps as u32)));
        least
    }

    /// Visits the sets of points that must hold Rebels to beat a General on this point.
    #[inline(always)]
    fn for_each_way(&self, at: Point, mut see: impl FnMut(PointSet)) {
        let (bounds, rules) = (self.bounds, self.rules);
        if self.can_enclose && bounds.enclosable.contains(at) {
            see(bounds.enclosure[at.index()]);
        }
        if let Some(gate) = rules.gate(at) {
            see(gate);
        }
        for pair in rules.custody(at) {
            if rules.ground.contains_all(*pair) {
                see(*pair);
            }
        }
    }

    /// True if the General, to move, can go where it cannot be beaten within these steps.
    #[inline(always)]
    fn general_escapes(&self) -> bool {
        let (mut dangers, mut known) = (BySteps::default(), PointSet::EMPTY);
        for place in self.walks() {
            // The first point often is enough, so dangers are computed only as far as needed.
            let reach = self.bounds.reach_from(place, self.before_last - 1);
            self.add_dangers(&mut dangers, reach.minus(known));
            known |= reach;
            if self.is_safe_at(&dangers, place, 0, LEVELS) {
                return true;
            }
        }
        false
    }

    /// True if a General that comes to this point after `steps` of the Rebels is safe, now and later; `levels` of its
    /// further moves are examined one by one.
    #[inline(always)]
    fn is_safe_at(&self, dangers: &BySteps, place: Point, steps: usize, levels: usize) -> bool {
        !dangers[steps + 1].contains(place) && dispatch_is_safe_later(self, dangers, place, steps + 1, levels)
    }

    /// The same after the next step, the last of `steps`.
    #[inline(always)]
    fn is_safe_later(&self, dangers: &BySteps, place: Point, steps: usize, levels: usize) -> bool {
        let left = self.steps - steps;
        if left == 0 || !self.bounds.reach_from(place, left).meets(dangers[self.steps]) {
            return true;
        }
        if levels == 0 {
            return false;
        }
        // Each step so far may have closed one way.
        let empty = self.rules.empty(self.position).with(self.position.general());
        let ways = (self.rules.neighbours[place] & empty).minus(dangers[steps + 1]);
        let is_safe = |way: &Point| self.is_safe_at(dangers, *way, steps, levels - 1);
        ways.len() as usize > steps && (left <= 1 || ways.into_iter().filter(is_safe).nth(steps).is_some())
    }
}

best_instructions! {
    fn dispatch_is_safe_later(
        siege: &Siege<'_>,
        dangers: &BySteps,
        place: Point,
        steps: usize,
        levels: usize,
    ) -> bool {
        siege.is_safe_later(dangers, place, steps, levels)
    }
}

best_instructions! {
    fn dispatch_general_escapes(siege: &Siege<'_>) -> bool {
        siege.general_escapes()
    }
}
