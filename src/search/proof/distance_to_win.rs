//! The distance to a win: an admissible bound of its plies, and the steps of the Rebels that can begin a win within n
//! plies.
//!
//! A win needs the General on a point where it can be beaten, and Rebels on the points that beat it there. When no step
//! is spare, each must bring a Rebel nearer.

use privy_rules::board::PointSet;
use privy_rules::{CompiledRules, Position, Side};

use super::bounds::{Bounds, RebelDistance};

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
        Side::Rebels if own > 0 => rebel_targets(bounds, rules, position, own, others),
        Side::General if own > 0 && bounds.general_can_win(rules, position, own) => rules.all,
        _ => PointSet::EMPTY,
    }
}

/// The targets of the first of some steps of the Rebels that beat a General with this number of moves.
#[inline(always)]
fn rebel_targets(
    bounds: &Bounds,
    rules: &CompiledRules,
    position: &Position,
    steps: usize,
    generals: usize,
) -> PointSet {
    let distance = RebelDistance::new(rules, position.rebels());
    // Free jumps let it out of any ring. They can be used up, and need an empty point on the field.
    let can_enclose = position.free_jumps() as usize <= generals || position.rebels().len() + 1 >= rules.field.len();
    let enclosed = PointSet(distance.within(&bounds.enclosure[..bounds.counted], steps as u32));
    let enclosable = if can_enclose { bounds.enclosable & enclosed } else { PointSet::EMPTY };
    let before_last = match position.side() {
        Side::Rebels => generals.min(steps - 1),
        Side::General => generals,
    };
    let mut targets = PointSet::EMPTY;
    for at in (bounds.beatable | enclosable) & bounds.reach(position, before_last) {
        // The points that must hold Rebels to beat it there.
        let mut add = |points| targets |= distance.targets(rules, bounds, points, steps as u32);
        if enclosable.contains(at) {
            add(bounds.enclosure[at.index()]);
        }
        rules.gate(at).into_iter().for_each(&mut add);
        rules.custody(at).iter().copied().filter(|pair| rules.ground.contains_all(*pair)).for_each(&mut add);
        if targets == rules.all {
            break;
        }
    }
    targets
}
